"""Photos of Combat's board against its game: moves, doubts, pieces gone and come, the photo as the truth."""

import json
from pathlib import Path
from typing import Any

import pytest

from geometry.square_layout import SquareLayout
from tabletop.errors import AnswerError
from tabletop.game import Game
from tabletop.game.protocol import PUBLIC
from tabletop.reconcile import comparison
from tabletop.reconcile import photo_overrides as truth
from tabletop.rulesets.combat.data import BY_LETTER
from tabletop.rulesets.combat.own_table import own_table
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.setup import Setup
from tabletop.starting.scenarios import find
from tabletop.tables.table_toml import table_toml
from tests.support.cli_runs import run_cli as run
from tests.support.combat_games import OPEN, on, standing_game
from tests.support.observed_bases import observation, seen_base

SIZE_IN = 2.0
LAID = on(OPEN, layout=SquareLayout(SIZE_IN, (4.0, 4.0)))
PIECES = {"RT1": "f5", "RT2": "e5", "RG1": "c3", "RP1": "a1", "BT1": "f8", "BT2": "a10", "BG1": "g10"}


def base(name: str | None, at: str, dx: float = 0.0, **more: Any) -> dict[str, Any]:
    """A base of an observation in a square, ``dx`` inches to the right of its middle."""
    square = LAID.squares.parse(at)
    center = [4.0 + SIZE_IN * square.col + dx, 4.0 + SIZE_IN * square.row]
    side = None if name is None else "red" if name[0] == "R" else "blue"
    kind = None if name is None else BY_LETTER[name[1]].id
    return seen_base(name, center, **{"id": f"b-{name or at}", "side": side, "kind": kind, **more})


def photo(places: dict[str, str], *more: dict[str, Any]) -> dict[str, Any]:
    return observation([*(base(name, at) for name, at in places.items()), *more], 32.0, 32.0)


def game(pieces: dict[str, str] = PIECES, setup: Setup = LAID, **more: Any) -> Game:
    return standing_game(setup, pieces, **more)


def test_moves_are_proposed_in_an_order_that_is_legal_and_carried_out() -> None:
    began = game()
    seen = comparison.look(began, photo({**PIECES, "RT1": "e5", "RT2": "d6", "RG1": "c5"}))
    assert [p.words for p in seen.proposals] == ["move RG1 to c5", "move RT2 to d6", "move RT1 to e5"]
    assert all(p.acceptable for p in seen.proposals)
    done = comparison.accept(began, seen)
    assert not done.left and began.state.name(began.state.by_id["RT1"].at) == "e5"
    assert not comparison.look(began, photo({**PIECES, "RT1": "e5", "RT2": "d6", "RG1": "c5"})).proposals


def test_what_is_against_the_rules_is_told_with_reasons() -> None:
    seen = comparison.look(game(), photo({**PIECES, "RT1": "f9", "BT2": "a9"}))
    codes = {p.unit: {v.code for v in p.violations} for p in seen.proposals}
    assert codes == {"RT1": {"too-far"}, "BT2": {"not-your-turn"}}


def test_no_mine_is_told_by_a_photo() -> None:
    moved = photo({**PIECES, "RT1": "f7", "BG1": "g11"})
    told = [comparison.look(game(mines=mines), moved).to_json() for mines in ((), ("f6", "c2", "g11", "f7"))]
    assert told[0] == told[1]


ARMY = {"red": "army red tanks 2 guns 1 mines 4", "blue": "army blue tanks 2 guns 1 mines 4"}
HALVES = {"RT1": "f2", "RT2": "e2", "RG1": "c3", "BT1": "f11", "BT2": "a10", "BG1": "g10"}


def deploying(*words: str) -> Game:
    """A game in which both sides have chosen their armies, and said more besides."""
    began = Game.new(RULES, on(LAID, pieces=3))
    for line in (*ARMY.values(), *words):
        began.push(began.parse(line))
    return began


def test_a_photo_of_the_own_half_proposes_the_own_deployment() -> None:
    began = deploying()
    own = photo({name: at for name, at in HALVES.items() if name[0] == "R"})
    seen = comparison.look(began, own, viewer="red")
    assert [p.words for p in seen.proposals] == ["place RT1 f2", "place RT2 e2", "place RG1 c3"]
    assert all(p.acceptable and p.what == "entered" for p in seen.proposals)
    before = began.seq
    comparison.accept(began, seen)
    assert [began.state.name(began.state.by_id[name].at) for name in ("RT1", "RT2", "RG1")] == ["f2", "e2", "c3"]
    assert {record.kind for record in began.records[before:]} == {"placed"}, "what was seen is kept for nobody to read"
    moved = comparison.look(began, photo({"RT1": "f2", "RT2": "d2"}), viewer="red")
    assert [(p.words, p.acceptable) for p in moved.proposals] == [("place RT2 d2", True), ("unplace RG1", False)]


@pytest.mark.parametrize("viewer", ["red", "red-left", PUBLIC])
def test_a_photo_of_the_whole_table_tells_nobody_of_the_others_half(viewer: str) -> None:
    """Whatever Blue has placed and wherever its pieces stand in the photo, known to be its own or not, asked about or
    warned of, Red is told the same; and whoever plays no side is told nothing."""
    told = []
    for blue, placed in ((("f11", "a10", "g10"), "place BT1 f11"), (("b9", "c9", "d12"), "place BG1 l10")):
        whole = photo(HALVES | dict(zip(("BT1", "BT2", "BG1"), blue, strict=True)), base(None, blue[1], 0.3))
        ask = {"ask": "unit", "about": f"b-{blue[1]}", "says": f"Whose is {blue[1]}?", "others": [], "after": None}
        answers = [{"value": "BT2", "chance": 0.6, "says": "BT2"}, {"value": None, "chance": 0.4, "says": "nobody"}]
        whole["questions"] = [{"id": "q1", "answers": answers, "covers": [[f"b-{blue[1]}"]], **ask}]
        whole["warnings"] = [f"BT1 is hardly seen in {blue[0]}."]
        whole["dice"] = [{"center": [10.0, 20.0], "value": len(told) + 1, "confidence": 1.0}]
        seen = comparison.look(deploying(placed), whole, viewer=viewer)
        told.append((seen.to_json(), seen.observed, [p.words for p in seen.proposals]))
    assert told[0] == told[1]
    assert bool(told[0][2]) == (viewer != PUBLIC) and "B" not in str(told[0][2])
    assert not {base["unit"] for base in told[0][1]["bases"]} & {"BT1", "BT2", "BG1"}


def test_both_halves_are_read_where_one_device_plays_for_both() -> None:
    seen = comparison.look(deploying(), photo(HALVES), viewer=None)
    assert {p.unit for p in seen.proposals} == {*HALVES}


def test_a_base_without_a_name_on_the_own_half_is_asked_for_the_own_army() -> None:
    began = deploying("place RT1 f2")
    seen = comparison.look(began, photo({"RT1": "f2"}, base(None, "e2"), base(None, "e9")), viewer="red")
    (question,) = seen.questions
    assert [answer["value"] for answer in question["answers"]] == ["RT2", "RG1", None]
    named = comparison.keep_answer(seen.observed or {}, question, "RT2")
    again = comparison.look(began, named, viewer="red")
    assert [p.words for p in again.proposals if p.action] == ["place RT2 e2"]


def test_nothing_is_put_right_while_the_halves_are_secret() -> None:
    began = deploying()
    assert not truth.corrections(began, comparison.look(began, photo(HALVES), viewer="red"))


def test_by_night_with_the_boards_apart_each_side_sees_its_own() -> None:
    setup = on(LAID, apart_at_night=True, days=2, turns_a_day=1, regroup=2)
    began = standing_game(setup, {"RT1": "f5", "RT2": "e5", "BT1": "f8", "BT2": "a10"})
    for _ in range(2):
        began.push(began.parse("end"))
    assert began.state.apart
    whole = photo({"RT1": "f4", "RT2": "e5", "BT1": "g9", "BT2": "a10"})
    red, blue, nobody = (comparison.look(began, whole, viewer=viewer) for viewer in ("red", "blue", PUBLIC))
    assert [p.words for p in red.proposals] == ["move RT1 to f4"] and [p.unit for p in blue.proposals] == ["BT1"]
    assert not nobody.proposals and not nobody.questions and "apart" in nobody.found.warnings[0]


def test_the_game_has_a_table_file_of_its_own() -> None:
    table, _ = own_table(game().state, 0.12)
    units = {unit.id for unit in table.units}
    assert {*PIECES} <= units and table.overlay is not None and table.overlay.grid == "square"


def test_the_command_line_tells_a_side_of_its_own_half_alone(tmp_path: Path) -> None:
    data, scenario = ["--data", str(tmp_path / "games")], find("first-skirmish", "combat").setup
    run("new", "first-skirmish", *data)
    for side, army in (("red", "tanks 5 guns 3"), ("blue", "tanks 4 guns 4")):
        run("act", f"army {side} {army} mines 4", "--as", side, *data)
    table, _ = own_table(Game.new(RULES, scenario).state, 0.12)
    assert table.overlay is not None
    lies, board = SquareLayout(table.overlay.size_in, table.overlay.origin), scenario.squares
    rows = []
    for name, at in {"RT1": "c2", "BT1": "c11"}.items():
        x, y = lies.centres([board.parse(at)])[0]
        rows.append(base(name, "a1") | {"center": [float(x), float(y)]})
    whole = photo({}, *rows) | {"table": {"width": table.width_in, "depth": table.depth_in}}
    (tmp_path / "seen.json").write_text(json.dumps(whole))
    (tmp_path / "own.table.toml").write_text(table_toml(table))
    seen = ["see", str(tmp_path / "seen.json"), "--table", str(tmp_path / "own.table.toml"), *data]
    red, anybody = run(*seen, "--as", "red").stdout, run(*seen).stdout
    assert "RT1 came onto the board in c2" in red and "BT1" not in red
    assert "RT1" not in anybody and "BT1" not in anybody and "shown to no one else" in anybody
    assert "Red deployed in secret" in run(*seen, "--as", "red", "--accept").stdout


def wood(square: str, *, wide: float = 1.0, kind: str = "woods", sigma: float = 0.1, **more: Any) -> dict[str, Any]:
    """A piece of terrain over a square, so many sides of it wide."""
    at, half = LAID.squares.parse(square), SIZE_IN * wide / 2
    x, y = 4.0 + SIZE_IN * at.col, 4.0 + SIZE_IN * at.row
    ring = [[x - half, y - half], [x - half, y + half], [x + half, y + half], [x + half, y - half]]
    return {"id": f"{kind}-{square}", "kind": kind, "polygon": ring, "height": 0.0, "confidence": 1.0, "sigma": sigma,
            **more}  # fmt: skip


def arranged(*pieces: dict[str, Any], setup: Setup = LAID, bases: bool = True, **more: Any) -> tuple[Game, Any]:
    began = Game.new(RULES, setup)
    shown = photo(HALVES if bases else {}) | {"terrain": list(pieces)} | more
    return began, comparison.look(began, shown, viewer="red")


def test_the_ground_that_a_photo_tells_is_laid_by_it() -> None:
    setup = on(LAID, ground=(("c3", "crest"), ("d4", "woods")), roads=("f6",), rivers=True, built_up=True)
    road = [[21.6, 3.0], [22.4, 3.0], [22.4, 27.0], [21.6, 27.0]]
    began, seen = arranged(
        wood("c3", kind="hill"), wood("d4"), wood("i5"), wood("h8", kind="town"), wood("c8", kind="field"),
        {"id": "r", "kind": "road", "polygon": road, "height": 0.0, "confidence": 1.0, "sigma": 0.02},
        setup=setup,
    )  # fmt: skip
    words = [p.words for p in seen.proposals if p.acceptable]
    assert {"lay i5 woods", "lay h8 built-up"} <= {*words}
    assert not [w for w in words if w.split()[1] in ("c3", "d4", "c8")], "a crest is a hill, a field is open ground"
    assert sum(w.endswith(" road") for w in words) == 12
    assert [p.question for p in seen.proposals if not p.acceptable] == [
        "f6 looks like open and has more by the game: is it just that?"
    ]
    assert not seen.observed["bases"], "of pieces nothing is told"
    comparison.accept(began, seen)
    field = began.state.field
    assert field.terrain[field.number["i5"]] == "woods" and field.terrain[field.number["c3"]] == "crest"
    again = comparison.look(began, photo({}) | {"terrain": seen.observed["terrain"]})
    assert not [p for p in again.proposals if p.acceptable]


def test_doubtful_squares_are_asked_and_answered() -> None:
    began, seen = arranged(wood("e5", wide=2.0, sigma=0.35))
    asked = {question["id"]: question for question in seen.questions}
    assert asked and all(q["board"] == "combat" and q["ask"] == "terrain" for q in asked.values())
    name = next(iter(asked))
    told = comparison.keep_answer(seen.observed, asked[name], "hill")
    again = comparison.look(began, told, viewer="red")
    assert name not in {q["id"] for q in again.questions}
    assert f"lay {name} hill" in [p.words for p in again.proposals if p.acceptable]
    with pytest.raises(AnswerError, match="can't be answered with lava"):
        comparison.keep_answer(seen.observed, asked[name], "lava")


def test_ground_that_no_photo_shows_stays_and_none_is_laid_once_armies_are_chosen() -> None:
    setup = on(LAID, ground=(("d4", "woods"),))
    assert not arranged(setup=setup)[1].proposals, "a plain board says nothing of the ground"
    began, _ = arranged(setup=setup)
    began.push(began.parse("army red tanks 14 guns 1 mines 4"))
    seen = comparison.look(began, photo({}) | {"terrain": [wood("i5")]}, viewer="red")
    assert not [p for p in seen.proposals if p.words.startswith("lay")] and not seen.questions
