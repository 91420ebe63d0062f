"""Typed actions: what one declaration gives in words, JSON and schema."""

from dataclasses import dataclass
from typing import Annotated, Any

import jsonschema_rs
import pytest

from tabletop.game import ActionError
from tabletop.game.actions import (
    ActionSet,
    BasePlaces,
    Bases,
    Flag,
    Inches,
    Many,
    Named,
    OnePlace,
    OpenAction,
    Place,
    Point,
    Reason,
    Rows,
    Spot,
    Standing,
    Whole,
    Word,
    action,
)
from tabletop.game.actions import Row as RowField
from tests.support.measure_games import a_table, a_unit

NAME = Word(placeholder="UNIT", type="unit", resolve=lambda state, word: word.upper())


@dataclass(frozen=True)
class Row:
    unit: str
    at: OnePlace


@action("put")
@dataclass(frozen=True)
class Put:
    """Put bases down."""

    rows: Annotated[
        tuple[Row, ...],
        Rows(columns={"unit": NAME, "at": Place()}, make=Row, values=lambda row: (row.unit, row.at)),
    ]


@action("deploy")
@dataclass(frozen=True)
class Deploy:
    """Put a unit down."""

    unit: Annotated[str, NAME]
    at: Annotated[BasePlaces, Bases()]
    ready: Annotated[bool, Flag(word="ready")] = False


@action("correct", needs_clause=True)
@dataclass(frozen=True)
class Correct:
    """Set a unit right."""

    unit: Annotated[str, NAME]
    at: Annotated[OnePlace | None, Place()] = None
    hit: Annotated[tuple[str, ...], Many(each=NAME, lead=("with",))] = ()
    missed: Annotated[tuple[str, ...], Many(each=NAME, lead=("without",))] = ()


@action("aim")
@dataclass(frozen=True)
class Aim:
    """Aim at a point."""

    at: Annotated[tuple[float, float], Point(lead=("at",))]


ACTIONS: ActionSet[Any] = ActionSet("the test", (Put, Deploy, Correct, Aim))
MEASURED = Standing(1.0, 2.0, 3.0, (0.01, 0.0, 0.02), 1.5)


class TestPlaces:
    @pytest.mark.parametrize(
        ("words", "meant", "canonical"),
        [
            (
                "put a1 at 10, 3.5 facing -90",
                Put((Row("A1", Standing(10, 3.5, 270.0)),)),
                "put A1 at 10,3.5 facing 270",
            ),
            ("put A1 10,3.5", Put((Row("A1", Spot(10, 3.5)),)), "put A1 at 10,3.5"),
            (
                "put A1 to 1 2 facing unknown A2 base 1,2,3,0.01,0,0.02,1.5 A3 bases 4,5,unknown",
                Put((Row("A1", Standing(1, 2, None)), Row("A2", MEASURED), Row("A3", Standing(4, 5, None)))),
                "put A1 at 1,2 facing unknown A2 bases 1,2,3,0.01,0,0.02,1.5 A3 at 4,5 facing unknown",
            ),
            ("deploy A1 ready at 1,2", Deploy("A1", Spot(1, 2), True), "deploy A1 at 1,2 ready"),
            (
                "deploy A1 facing 90 ready to 1,2",
                Deploy("A1", Spot(1, 2, 90.0), True),
                "deploy A1 at 1,2 facing 90 ready",
            ),
            ("deploy A1 facing 90", Deploy("A1", Spot(facing=90.0)), "deploy A1 facing 90"),
            (
                "deploy A1 bases 1 2 3 4,5,unknown 1,2,3,0.01,0,0.02,1.5",
                Deploy("A1", (Standing(1, 2, 3.0), Standing(4, 5, None), MEASURED)),
                "deploy A1 bases 1,2,3 4,5,unknown 1,2,3,0.01,0,0.02,1.5",
            ),
            ("correct A1 without b1 at 1,2 with c1", Correct("A1", Spot(1, 2), ("C1",), ("B1",)), None),
            ("correct A1 bases 1,2,0", Correct("A1", Standing(1, 2)), "correct A1 at 1,2 facing 0"),
        ],
    )
    def test_places_are_read_and_written(self, words: str, meant: Any, canonical: str | None) -> None:
        assert ACTIONS.parse(None, words) == meant
        again = ACTIONS.text(meant)
        assert canonical is None or again == canonical
        assert ACTIONS.parse(None, again) == meant

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            ("put A1", 'After "at" goes a place in inches'),
            ("put A1 bases 1,2,3 4,5,6", "one place for each"),
            ("put A1 bases unknown,2,3", "Only a base's facing may be unknown"),
            ("put A1 at 1e9,2", 'After "at"'),
            ("put A1 at 1000001,2", "far off every table"),
            ("deploy A1", '"at" is missing'),
            ("deploy A1 bases 1,2", 'After "bases" goes x,y,facing for each, as 10,3,0 12.5,3,0, not 1,2'),
            ("deploy A1 at 1", 'After "at" goes a place in inches, as 10,3.5, not 1.'),
            ("deploy A1 at 1O,3", 'as 10,3.5, not "1O,3"'),
            ("deploy A1 at 1,2 facing north", 'After "facing" go degrees clockwise, 0 is up the table, not "north"'),
            ("deploy A1 at nan,3", 'not "nan,3"'),
            ("deploy A1 bases 1,2,0,unknown,0,0,0", "Only a base's facing may be unknown"),
            ("deploy A1 at 1,2 to 3,4", '"to" stands twice'),
            ("deploy A1 at 1,2 facing 3 facing 4", '"facing" stands twice'),
            ("deploy A1 at 1,2 bases 3,4,5", "not both"),
            ("correct A1 at 1,2 at 3,4", '"at" stands twice'),
        ],
    )
    def test_what_is_no_place_is_refused(self, words: str, told: str) -> None:
        with pytest.raises(ActionError, match=told):
            ACTIONS.parse(None, words)

    @pytest.mark.parametrize(
        ("meant", "data"),
        [
            (
                Put((Row("A1", Standing(1, 2)),)),
                {"rows": [{"unit": "A1", "at": {"x": 1.0, "y": 2.0, "facing": 0.0}}]},
            ),
            (Put((Row("A1", Spot(1, 2)),)), {"rows": [{"unit": "A1", "at": {"x": 1.0, "y": 2.0}}]}),
            (Correct("A1", Standing(1, 2, None)), {"unit": "A1", "at": {"x": 1.0, "y": 2.0, "facing": None}}),
            (Deploy("A1", Spot(1, 2, 90.0)), {"unit": "A1", "at": {"x": 1.0, "y": 2.0, "facing": 90.0}}),
            (
                Deploy("A1", (MEASURED,)),
                {
                    "unit": "A1",
                    "at": [{"x": 1.0, "y": 2.0, "facing": 3.0, "covariance": [0.01, 0.0, 0.02], "facing_sigma": 1.5}],
                },
            ),
        ],
    )
    def test_places_as_json_keep_what_is_known(self, meant: Any, data: dict[str, Any]) -> None:
        whole = ACTIONS.to_json(meant)
        assert whole == {"kind": ACTIONS.verb(meant), **data}
        assert jsonschema_rs.validator_for(ACTIONS.schema()).is_valid(whole)
        assert ACTIONS.from_json(None, whole) == meant

    @pytest.mark.parametrize(
        "at", [3, "1,2", {"x": "far", "y": 2}, {"x": 1, "y": 2, "z": 3}, {"x": 1, "y": 2, "facing": 3, "z": 1}, []]
    )
    def test_what_is_no_place_as_json_is_refused(self, at: Any) -> None:
        with pytest.raises(ActionError, match=r"can't have that rows\.0\.at: a place is x, y and perhaps facing"):
            ACTIONS.from_json(None, {"kind": "put", "rows": [{"unit": "A1", "at": at}]})

    @pytest.mark.parametrize("far", [1e7, float("nan"), float("inf")])
    def test_numbers_as_json_that_are_off_every_table_are_refused(self, far: float) -> None:
        for data in (
            {"kind": "put", "rows": [{"unit": "A1", "at": {"x": far, "y": 2}}]},
            {"kind": "correct", "unit": "A1", "at": {"x": 1, "y": 2, "facing": far}},
            {"kind": "correct", "unit": "A1", "at": {"x": 1, "y": 2, "facing": 0, "facing_sigma": far}},
            {"kind": "deploy", "unit": "A1", "at": [{"x": 1, "y": far, "facing": 0}]},
            {"kind": "aim", "at": [1, far]},
        ):
            with pytest.raises(ActionError, match="far off every table"):
                ACTIONS.from_json(None, data)

    def test_an_open_place_is_asked_for(self) -> None:
        left = OpenAction(Deploy, {"unit": "A1"}, {"at": None})
        assert ACTIONS.text(left) == "deploy A1 at X,Y facing DEGREES"
        assert ACTIONS.domain(left, "at").type == "place"
        assert ACTIONS.usage("deploy") == "deploy UNIT at X,Y [facing DEGREES] [ready]"


@action("shift", "move along", "move it along", order=("unit", "facing", "at"))
@dataclass(frozen=True)
class Shift:
    """Move a unit along, by so many inches."""

    unit: Annotated[
        str, Named(placeholder="UNIT", type="unit", what="unit", known=lambda state: (("A1", "1st: rifles"),))
    ]
    at: Annotated[OnePlace, Place()]
    facing: Annotated[int | None, Whole(title="corner", usual=(0, 5)).with_joint(":")] = None
    times: Annotated[int, Whole(lead=("times",), signed=True)] = 1
    by: Annotated[float, Inches(lead=("by",))] = 0.0
    reason: Annotated[str, Reason()] = ""


class TestWordsOfOneAction:
    """What the words of an action may look like: spellings of several words, numbers, names with joints in them."""

    actions: ActionSet[Any] = ActionSet("the test", (Shift,))

    @pytest.mark.parametrize("verb", ["shift", "SHIFT", "move along", "Move it along"])
    def test_a_verb_has_spellings_of_several_words(self, verb: str) -> None:
        assert self.actions.parse(None, f"{verb} A1 at 1,2") == Shift("A1", Spot(1, 2))

    def test_a_place_that_must_be_said_stands_in_its_order(self) -> None:
        assert (
            self.actions.usage("shift")
            == "shift UNIT[:N] at X,Y [facing DEGREES] [times N] [by INCHES] [because WORDS]"
        )
        meant = Shift("A1", Standing(1, 2, 90.0), times=2, by=0.5, reason="it rains")
        words = "shift A1 at 1,2 facing 90 times +2 by 0.5 because it rains"
        assert self.actions.text(meant) == words
        assert self.actions.parse(None, words) == meant
        with pytest.raises(ActionError, match='After "at" goes a place'):
            self.actions.parse(None, "shift A1 by 2")

    def test_a_name_may_have_in_it_what_joins_values(self) -> None:
        assert self.actions.parse(None, "shift 1st: rifles 3,4") == Shift("A1", Spot(3, 4))

    def test_a_length_is_one_number_on_a_table(self) -> None:
        assert self.actions.parse(None, "shift A1 1,2 by .25") == Shift("A1", Spot(1, 2), by=0.25)
        for words, told in (("by", "goes a number of inches"), ("by 1 2", "not 1,2"), ("by 2000000", "far off")):
            with pytest.raises(ActionError, match=told):
                self.actions.parse(None, f"shift A1 1,2 {words}")
        data = {"kind": "shift", "unit": "A1", "at": {"x": 1, "y": 2}}
        assert self.actions.from_json(None, {**data, "by": 0.5}) == Shift("A1", Spot(1, 2), by=0.5)
        with pytest.raises(ActionError, match="far off every table"):
            self.actions.from_json(None, {**data, "by": float("inf")})
        info = next(one for one in self.actions.fields("shift") if one.name == "by")
        assert info.domain.type == "inches"


def test_a_clause_of_several_values_may_stand_twice() -> None:
    assert ACTIONS.parse(None, "correct A1 with b1 b2 without b3 with b4") == Correct(
        "A1", hit=("B1", "B2", "B4"), missed=("B3",)
    )


CORNER = Whole(placeholder="CORNER", title="corner", most=5).with_joint(":")


@dataclass(frozen=True)
class Firer:
    unit: str
    facing: int | None = None


@action("fire", order=("firers", "target"))
@dataclass(frozen=True)
class Fire:
    """Fire at a unit."""

    target: Annotated[str, NAME.after("at")]
    firers: Annotated[
        tuple[Firer, ...],
        Rows(columns={"unit": NAME, "facing": CORNER}, make=Firer, values=lambda row: (row.unit, row.facing)),
    ]


@action("turn", order=("unit", "facing", "by"))
@dataclass(frozen=True)
class Turn:
    """Turn a unit."""

    unit: Annotated[str, NAME]
    by: Annotated[str, NAME.after("by")]
    facing: Annotated[int | None, CORNER] = None


class TestJoined:
    """Values that are joined to the one before them in one word."""

    actions: ActionSet[Any] = ActionSet("the test", (Fire, Turn))

    @pytest.mark.parametrize(
        ("words", "meant", "canonical", "data"),
        [
            (
                "fire a1:5 e2 AT b1",
                Fire("B1", (Firer("A1", 5), Firer("E2"))),
                "fire A1:5 E2 at B1",
                {"target": "B1", "firers": [{"unit": "A1", "facing": 5}, {"unit": "E2"}]},
            ),
            ("turn a1:0 by b1", Turn("A1", "B1", 0), "turn A1:0 by B1", {"unit": "A1", "by": "B1", "facing": 0}),
            ("turn a1 : 3 by b1", Turn("A1", "B1", 3), "turn A1:3 by B1", {"unit": "A1", "by": "B1", "facing": 3}),
            ("turn a1 by b1", Turn("A1", "B1"), "turn A1 by B1", {"unit": "A1", "by": "B1"}),
        ],
    )
    def test_they_are_read_and_written(self, words: str, meant: Any, canonical: str, data: dict[str, Any]) -> None:
        assert self.actions.parse(None, words) == meant
        assert self.actions.text(meant) == canonical
        whole = self.actions.to_json(meant)
        assert whole == {"kind": canonical.split()[0], **data}
        assert self.actions.from_json(None, whole) == meant
        assert jsonschema_rs.validator_for(self.actions.schema()).is_valid(whole)

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            ("fire A1 B1", '"at" is missing. Usage: fire UNIT'),
            ("fire A1: at B1", "After .corner. goes a whole number"),
            ("fire A1:9 at B1", "corner is 9; it goes from 0 to 5"),
            ("turn A1: by B1", "After .corner. goes a whole number"),
            ("turn A1:2:3 by B1", '"by" is missing'),
        ],
    )
    def test_what_is_none_is_refused(self, words: str, told: str) -> None:
        with pytest.raises(ActionError, match=told):
            self.actions.parse(None, words)

    def test_usage_and_open_fields_show_where_they_go(self) -> None:
        assert self.actions.usage("turn") == "turn UNIT[:CORNER] by UNIT"
        assert self.actions.usage("fire") == "fire UNIT[:CORNER] [UNIT[:CORNER] ...] at UNIT"
        left = OpenAction(Fire, {"target": "B1"}, {"firers": None})
        assert self.actions.text(left) == "fire UNIT[:CORNER] at B1"
        parts = self.actions.domain(left, "firers").to_json()["parts"]
        assert [parts[name].get("optional", False) for name in ("unit", "facing")] == [False, True]
        assert (
            self.actions.text(OpenAction(Turn, {"unit": "A1", "by": "B1"}, {"facing": None})) == "turn A1:CORNER by B1"
        )


def known(state: Any, word: str) -> str:
    if word.upper() not in ("A1", "B1"):
        raise ActionError(f'There is no unit "{word}".')
    return word.upper()


@action("group")
@dataclass(frozen=True)
class Group:
    """Group units."""

    leader: Annotated[str, Word(placeholder="UNIT", type="unit", resolve=known)]
    units: Annotated[tuple[str, ...], Many(each=Word(placeholder="UNIT", type="unit", resolve=known), lead=("with",))]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"leader": "", "units": ["A1"]}, 'no unit ""'),
        ({"leader": "A1", "units": ["B1", ""]}, 'no unit ""'),
        ({"leader": "A1", "units": []}, "Unit: at least 1 of them, not 0"),
    ],
)
def test_what_words_could_not_leave_out_json_can_not_either(data: dict[str, Any], told: str) -> None:
    with pytest.raises(ActionError, match=told):
        ActionSet[Any]("the test", (Group,)).from_json(None, {"kind": "group", **data})


@action("cards", needs_clause=True)
@dataclass(frozen=True)
class Cards:
    """Set the cards right."""

    deck: Annotated[
        tuple[int, int] | None,
        RowField(
            lead=("deck",), columns={"hits": Whole(title="hits", most=20), "misses": Whole(title="misses", most=20)}
        ),
    ] = None
    number: Annotated[int, Whole(lead=("number",), most=999_999_999)] = 0
    reason: Annotated[str, Reason()] = ""


class TestRow:
    """Several values of one field, in order."""

    actions: ActionSet[Any] = ActionSet("the test", (Cards, Put))

    def test_it_is_read_and_written(self) -> None:
        meant = Cards((3, 0), 123_456_789)
        assert self.actions.parse(None, "cards number 123456789 deck 3 0") == meant
        assert self.actions.text(meant) == "cards deck 3 0 number 123456789"
        data = {"kind": "cards", "deck": [3, 0], "number": 123_456_789}
        assert self.actions.to_json(meant) == data and self.actions.from_json(None, data) == meant
        assert self.actions.usage("cards") == "cards [deck N N] [number N] [because WORDS]"
        row = self.actions.fields("cards")[0].domain
        assert row.type == "rows" and list(row.parts or ()) == ["hits", "misses"] and not row.many

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            ("cards deck 3", "Misses is missing; it is a whole number"),
            ("cards deck 3 21", "misses is 21; it goes from 0 to 20"),
            ("cards number 1234567890", "number is 1234567890; it goes from 0 to 999999999"),
            ("cards number 12345678901", 'After "number" goes a whole number, not "12345678901"'),
        ],
    )
    def test_other_numbers_are_refused(self, words: str, told: str) -> None:
        with pytest.raises(ActionError, match=told):
            self.actions.parse(None, words)

    @pytest.mark.parametrize("data", [{"deck": [3]}, {"deck": [3, 4, 5]}, {"deck": [3, 21]}, {"deck": [-1, 2]}])
    def test_other_numbers_as_json_are_refused(self, data: dict[str, Any]) -> None:
        with pytest.raises(ActionError, match=r"deck|misses is 21|hits is -1"):
            self.actions.from_json(None, {"kind": "cards", **data})


@action("halt", "halt the unit")
@dataclass(frozen=True)
class Halt:
    """Halt a unit."""

    unit: Annotated[str, NAME]
    covered: Annotated[bool, Flag(word="covered", takes_answer=True)] = False


class TestWordsAndTheirSpellings:
    actions: ActionSet[Any] = ActionSet("the test", (Halt, Deploy, Correct))

    @pytest.mark.parametrize(
        ("words", "meant"),
        [
            ("halt the unit a1", Halt("A1")),
            ("HALT a1", Halt("A1")),
            ("halt a1 covered", Halt("A1", True)),
            ("halt a1 covered yes", Halt("A1", True)),
            ("halt a1 covered no", Halt("A1")),
        ],
    )
    def test_they_are_read(self, words: str, meant: Halt) -> None:
        assert self.actions.parse(None, words) == meant

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            ("halt a1 covered no covered", '"covered" stands twice'),
            ("deploy a1 at 1,2 ready no", '"no" is not understood here'),
            ("deploy a1 at 1,2 faceing 3", 'did you mean "facing"?'),
            ("deploy a1 at 1,2 quickly", 'expected "at", "bases", "facing" or "ready".'),
        ],
    )
    def test_others_are_refused(self, words: str, told: str) -> None:
        with pytest.raises(ActionError) as refused:
            self.actions.parse(None, words)
        assert told in str(refused.value)


@pytest.mark.parametrize("place", ["24,10.5", '24",10.5"', "24″, 10.5″", "24in 10.5in", '24" 10.5″', "24IN,10.5"])
def test_inches_are_typed_with_any_sign_or_none(place: str) -> None:
    game = a_table([a_unit("A1", "blue", Standing(12, 8, 0)), a_unit("B1", "red", Standing(12, 30, 0))])
    assert game.parse(f"move A1 to {place}") == game.parse("move A1 to 24,10.5")
    assert game.parse('correct A1 sigma 0.5"') == game.parse("correct A1 sigma 0.5")
    assert game.parse('measure A1 to 12",8.5″') == game.parse("measure A1 to 12,8.5")
    with pytest.raises(ActionError):
        game.parse("move A1 to 24inn,10")
