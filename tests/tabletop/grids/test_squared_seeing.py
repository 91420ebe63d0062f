"""What a photo of squares makes of a game: moves in a legal order, questions, corrections; by a game of kings."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import pytest

from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard, distance
from tabletop.errors import AnswerError, SceneError, UsageError
from tabletop.game.protocol import NO_DICE, Dice, Ruleset
from tabletop.game.violations import Violation
from tabletop.grids.cells import square_cells
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.squares import seeing
from tabletop.grids.squares.photo_overrides import corrections
from tabletop.grids.squares.unit_proposals import Post, SquareGame
from tabletop.tables.model import Overlay
from tests.support.observed_rows import base_row, observation

BOARD = SquareBoard(8, 8)
LAYOUT = SquareLayout(2.0, (5.0, 5.0))
SIDES = {"R": "red", "B": "blue"}
NAMES = [BOARD.name(square) for square in BOARD.squares]


@dataclass(frozen=True)
class Kings:
    """Where each piece stands (``None``: off the board), and which are lost for good."""

    at: Mapping[str, str | None]
    lost: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Step:
    """Move a piece to a square next to its own, or (``by_hand``) put it anywhere, or off the board."""

    unit: str
    to: str | None
    by_hand: bool = False


class KingsRules:
    """Pieces go one square a move to a free one."""

    name = "kings"

    def check(self, state: Kings, action: Step) -> tuple[Violation, ...]:
        found = []
        if action.to is not None and action.to in state.at.values():
            found.append(Violation("taken", f"{action.to} is taken"))
        start = state.at[action.unit]
        if not action.by_hand and (start is None or action.to is None or far(start, action.to) != 1):
            found.append(Violation("far", f"{action.unit} goes one square"))
        return tuple(found)

    def dice(self, state: Kings, action: Step) -> Dice:
        return NO_DICE

    def resolve(self, state: Kings, action: Step, dice: Sequence[int]) -> tuple[Step, ...]:
        return (action,)

    def apply(self, state: Kings, event: Step) -> Kings:
        return replace(state, at={**state.at, event.unit: event.to})

    def outcome(self, state: Kings) -> None:
        return None

    def text(self, action: Step) -> str:
        return f"{'put' if action.by_hand else 'move'} {action.unit} to {action.to}"


def far(a: str, b: str) -> int:
    return distance(BOARD.parse(a), BOARD.parse(b))


def posts(state: Kings) -> Iterator[Post]:
    for unit, at in state.at.items():
        yield Post(unit, "red" if unit[0] == "R" else "blue", "king", at, at is None and unit not in state.lost)


def reach(state: Kings, unit: str) -> Collection[str]:
    start = state.at[unit]
    return [name for name in NAMES if start is not None and far(start, name) == 1]


def correct(state: Kings, unit: str, to: str | None, reason: str) -> Step:
    assert reason
    return Step(unit, to, by_hand=True)


GAME = SquareGame(
    cast(Ruleset, KingsRules()), posts, reach, lambda state, unit, to: Step(unit, to), correct,
    farthest=lambda state: 2, board=lambda state: BOARD, layout=lambda state: LAYOUT,
)  # fmt: skip
sighted = partial(seeing.read_sight, GAME)
STATE = Kings({"R1": "c3", "R2": "d3", "R3": "e3", "B1": "c6", "B2": "h8", "B3": None})


def base(name: str | None, square: str, dx: float = 0.0, **more: Any) -> dict[str, Any]:
    x, y = LAYOUT.centres([BOARD.parse(square)])[0]
    usual = {"unit": name, "side": SIDES.get((name or "?")[0]), "kind": "king" if name else None, "unique": True}
    make = {"shape": "round", "width": 0.8, "depth": 0.8, "facing": None, "facing_sigma": None}
    return base_row(f"base-{name or square}", (x + dx, y), **{**usual, **make, **more})


def photo(moved: Mapping[str, str], gone: Collection[str] = (), *more: dict[str, Any], **also: Any) -> dict[str, Any]:
    stands = {unit: moved.get(unit, at) for unit, at in STATE.at.items() if unit not in gone}
    rows = [base(unit, at) for unit, at in stands.items() if at is not None]
    return observation(*rows, *more, size=(24.0, 24.0), **also)


def looked(data: dict[str, Any], answers: Mapping[str, Any] | None = None, state: Kings = STATE) -> Any:
    observed, sight = sighted(state, data, "the photo", None, answers or {})
    assert observed is not None
    return observed, *sight.against(state)


def test_a_photo_like_the_game_says_nothing() -> None:
    _, changes, proposals = looked(photo({}))
    assert (proposals, changes.questions, changes.sync.in_step) == ((), (), True)
    assert changes.to_json()["stayed"] == ["R1", "R2", "R3", "B1", "B2"]
    assert changes.to_json()["changes"] == []


def test_moves_come_in_an_order_in_which_they_are_legal() -> None:
    _, changes, proposals = looked(photo({"R1": "d3", "R2": "e3", "R3": "f3", "B1": "c5"}))
    order = [one.unit for one in proposals]
    assert sorted(order) == ["B1", "R1", "R2", "R3"]
    assert order.index("R3") < order.index("R2") < order.index("R1")
    assert all(one.acceptable and one.what == "moved" for one in proposals)
    assert proposals[order.index("B1")].told == "B1 moved from c6 to c5"
    moved = {one.unit: one.cells for one in changes.units if one.change == "moved"}
    assert moved["R3"] == ("e3", "f3")


def test_a_move_against_the_rules_says_so() -> None:
    _, _, proposals = looked(photo({"R1": "c5"}))
    assert [str(v) for v in proposals[0].violations]
    assert not proposals[0].acceptable


def test_a_unit_across_a_side_is_weighed_by_what_it_may_do() -> None:
    """Between its own square and one that it can go to it is asked; one that no move reaches is not likely."""
    across = photo({}, {"R3"}, base("R3", "e3", 0.95))
    _, changes, proposals = looked(across)
    (asked,) = changes.questions
    assert (asked["id"], asked["ask"], asked["board"]) == ("R3", "square", "kings")
    assert {answer["value"] for answer in asked["answers"]} == {"e3", "f3"}
    assert [(one.unit, one.what, one.action) for one in proposals] == [("R3", "uncertain", None)]
    _, changes, proposals = looked(photo({}, {"R3"}, base("R3", "e3", 2.95)))
    assert changes.questions == ()
    assert [one.told for one in proposals] == ["R3 moved from e3 to f3"]
    told, changes, proposals = looked(across, {"R3": "f3"})
    assert changes.questions == ()
    assert [one.told for one in proposals] == ["R3 moved from e3 to f3"]
    assert told["settled"][0]["board"] == "kings"
    again, changes, proposals = looked(told)
    assert [one.told for one in proposals] == ["R3 moved from e3 to f3"]
    assert [row["id"] for row in again["settled"]] == ["R3"]


def test_an_answer_is_kept_in_the_place_of_an_earlier_one() -> None:
    across = photo({}, {"R3"}, base("R3", "e3", 0.95))
    question = looked(across)[1].questions[0]
    kept = seeing.keep_answer(seeing.keep_answer(across, question, "e3"), question, "f3")
    assert [(row["id"], row["value"]) for row in kept["settled"]] == [("R3", "f3")]
    assert [one.told for one in looked(kept)[2]] == ["R3 moved from e3 to f3"]
    with pytest.raises(AnswerError, match="can't be answered with 17"):
        seeing.keep_answer(across, question, 17)
    with pytest.raises(AnswerError, match="R9 is not seen in this photo"):
        seeing.keep_answer(across, {**question, "about": "R9"}, "e3")


def test_units_that_are_gone_come_back_or_come_new_are_asked_about() -> None:
    _, changes, proposals = looked(photo({}, {"B2"}))
    (gone,) = proposals
    assert (gone.what, gone.action, gone.question) == (
        "removed", Step("B2", None, True), "B2 of h8 is gone: lost, or just lifted?")  # fmt: skip
    assert next(one.change for one in changes.units if one.unit == "B2") == "removed"
    _, _, proposals = looked(photo({"B3": "a8"}, ()))
    assert [(one.what, one.action) for one in proposals] == [("entered", Step("B3", "a8", True))]
    lost = replace(STATE, lost=frozenset({"B3"}))
    _, _, proposals = looked(photo({"B3": "a8"}), state=lost)
    assert [one.what for one in proposals] == ["new"]
    assert "put it back?" in proposals[0].question


def test_a_base_without_a_name_is_asked_for_the_units_that_are_missing() -> None:
    _, changes, _ = looked(photo({}, {"R2"}, base(None, "d4")))
    (asked,) = changes.questions
    assert (asked["ask"], asked["says"]) == ("unit", "Which unit is the base in d4?")
    assert [answer["value"] for answer in asked["answers"]] == ["R2", "B3", None]
    _, changes, _ = looked(photo({}, {"R2"}, base(None, "d4", side="blue")))
    assert [answer["value"] for answer in changes.questions[0]["answers"]] == ["B3", None]


def test_the_photo_s_own_questions_are_narrowed_to_the_units_that_are_missing() -> None:
    def asked(*values: str | None) -> dict[str, Any]:
        answers = [{"value": value, "chance": 0.5, "says": str(value)} for value in values]
        return {"id": "q1", "about": "base-d4", "ask": "unit", "says": "Which?", "answers": answers,
                "covers": [["base-d4"]], "others": [], "after": None}  # fmt: skip

    beside = {**base(None, "a1"), "center": [1.0, 12.0]}
    open_ = [asked("R1", "R2", None), {**asked(None), "ask": "facing"}]
    data = photo({}, {"R2"}, {**beside, "id": "base-d4"}, questions=open_)
    observed, changes, _ = looked(data)
    assert [[answer["value"] for answer in q["answers"]] for q in observed["questions"]] == [["R2", None]]
    assert changes.questions == ()
    on_it = photo({}, {"R2"}, base(None, "d4"), questions=open_)
    observed, changes, _ = looked(on_it)
    assert observed["questions"] == [], "of bases on the board the board asks, square by square"
    assert [q["about"] for q in changes.questions] == ["base-d4"]


def test_bases_without_names_in_the_squares_of_units_are_theirs() -> None:
    """Nothing is asked of units without tags that stand where they stood; what moved is asked, with the likely first,
    and who stayed can be named where somebody came into the other's place."""
    stands = {"R1": "c3", "R2": "d3", "R3": "e3", "B1": "c6", "B2": "h8"}
    bare = [base(None, at, side=SIDES[unit[0]]) for unit, at in stands.items()]
    _, changes, proposals = looked(photo({}, {*stands}, *bare))
    assert proposals == () and changes.questions == () and len(changes.to_json()["stayed"]) == 5
    moved = [one for one in bare if one["id"] != "base-c3"] + [base(None, "c4", side="red")]
    _, changes, proposals = looked(photo({}, {*stands}, *moved))
    (asked,) = changes.questions
    assert (asked["says"], [a["value"] for a in asked["answers"]]) == ("Which unit is the base in c4?", ["R1", None])
    assert asked["others"] == ["R2", "R3"]
    named = [{**one, "unit": "R2", "kind": "king"} if one["id"] == "base-c4" else one for one in moved]
    _, changes, _ = looked(photo({}, {*stands}, *named))
    (asked,) = changes.questions
    assert asked["says"] == "Which unit is the base in d3?" and asked["answers"][0]["value"] == "R1"


def test_a_base_of_the_other_side_or_between_squares_is_nobodys() -> None:
    taken = photo({}, {"R1"}, base(None, "c3", side="blue"))
    _, changes, proposals = looked(taken)
    assert [p.unit for p in proposals] == ["R1"] and proposals[0].what == "removed"
    assert [a["value"] for a in changes.questions[0]["answers"]] == ["B3", None]
    between = photo({}, {"R1"}, base(None, "c3", 0.95, side="red"))
    assert [q["about"] for q in looked(between)[1].questions] == ["base-c3"]
    two = photo({}, {"R1"}, base(None, "c3", side="red"), {**base(None, "c3", 0.5, side="red"), "id": "base-more"})
    assert len(looked(two)[1].questions) == 2


def test_a_photo_of_another_evening_is_out_of_step() -> None:
    _, changes, _ = looked(photo({"R1": "a8", "R2": "b8", "R3": "c8"}))
    assert not changes.sync.in_step
    assert "more than 2 squares" in changes.sync.says
    _, changes, _ = looked(photo({}, {"R1", "R2", "R3", "B1"}))
    assert "4 of 5 units are not seen" in changes.sync.says


def test_a_photo_as_the_truth_corrects_everything() -> None:
    _, sight = sighted(STATE, photo({"R1": "a8", "R2": "b1"}, {"B2"}), "the photo", None, {})
    found = corrections(STATE, sight, None)
    assert {(one.unit, one.action.to, one.certain) for one in found} == {
        ("R1", "a8", True), ("R2", "b1", True), ("B2", None, False)}  # fmt: skip
    across = photo({}, {"R3"}, base("R3", "e3", 0.95))
    _, sight = sighted(STATE, across, "the photo", None, {})
    assert [one.what for one in corrections(STATE, sight, None)] == ["uncertain"]
    _, sight = sighted(STATE, across, "the photo", None, {"R3": "e3"})
    assert corrections(STATE, sight, None) == ()


def test_those_in_one_anothers_squares_are_lifted_for_a_moment() -> None:
    _, sight = sighted(STATE, photo({"R1": "d3", "R2": "e3", "R3": "c3"}), "the photo", None, {})
    told = [(one.unit, one.action.to, one.certain) for one in corrections(STATE, sight, None)]
    assert told == [("R1", None, True), ("R3", "c3", True), ("R2", "e3", True), ("R1", "d3", True)]


def test_the_board_lies_as_it_is_said() -> None:
    moved = Overlay("square", 2.0, (7.0, 5.0))
    _, sight = sighted(STATE, photo({}), "the photo", moved, {})
    assert {stander.id: stander.square for stander in sight.standers}["R1"] == "b3"
    _, sight = sighted(STATE, photo({}), "the photo", BoardPlacement(square_cells(BOARD), LAYOUT), {})
    assert {stander.id: stander.square for stander in sight.standers}["R1"] == "c3"
    nowhere = replace(GAME, layout=lambda state: None)
    with pytest.raises(SceneError, match="The board's place on this table is not known"):
        seeing.read_sight(nowhere, STATE, photo({}), "the photo", None, {})
    with pytest.raises(UsageError, match="grid of hexes"):
        sighted(STATE, photo({}), "the photo", Overlay("hex", 2.0, (7.0, 5.0)), {})


def test_a_base_is_named_by_a_tap_and_nobody_else_by_that() -> None:
    """The photo's own elimination would give the last unit to the last base; a base that is none is left out."""
    bare = [base(None, "c4", side="red"), base(None, "h1", side="red")]
    answers = [{"value": one, "chance": 0.4, "says": str(one)} for one in ("R1", "R2", None)]
    own = [
        {"id": f"q{n}", "about": one["id"], "ask": "unit", "says": "Which?", "answers": answers, "others": [],
         "covers": [[one["id"]]], "after": None}
        for n, one in enumerate(bare)
    ]  # fmt: skip
    roster = [{"id": name, "side": "red", "kind": "king", "bases": 1, "base": {"shape": "round", "diameter": 0.8},
               "unique_base": {"shape": "round", "diameter": 0.8}} for name in ("R1", "R2")]  # fmt: skip
    data = photo({}, {"R1", "R2"}, *bare, questions=own, roster=roster)
    observed, changes, _ = looked(data)
    asked = {question["about"]: question for question in changes.questions}
    assert set(asked) == {"base-c4", "base-h1"} and observed["questions"] == []
    told = seeing.keep_answer({**observed, "questions": list(changes.questions)}, asked["base-c4"], "R1")
    again, changes, proposals = looked(told)
    assert [q["about"] for q in changes.questions] == ["base-h1"] and again["questions"] == []
    assert [p.told for p in proposals if p.what == "moved"] == ["R1 moved from c3 to c4"]
    told = seeing.keep_answer(told, changes.questions[0], None)
    again, changes, proposals = looked(told)
    assert changes.questions == () and [row["value"] for row in again["settled"]] == ["R1", None]
    assert [p.unit for p in proposals if p.what == "removed"] == ["R2"]
    assert [p.told for p in looked(data, {"base-c4": "R1"})[2] if p.what == "moved"] == ["R1 moved from c3 to c4"]
    with pytest.raises(AnswerError, match="can't be answered with B1"):
        seeing.keep_answer(told, asked["base-c4"], "B1")
    named = {**data, "bases": [{**one, "unit": "R2", "method": "elimination"} if one["id"] == "base-h1" else one
                               for one in data["bases"]]}  # fmt: skip
    assert {q["about"] for q in looked(named)[1].questions} == {"base-c4", "base-h1"}
