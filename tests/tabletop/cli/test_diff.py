"""``tabletop diff``, ``tabletop see`` and ``observe --previous``: what they say, what they do and how they refuse."""

import itertools
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.changes.detection import changes_between
from tabletop.changes.proposals import Lifted, Proposal, seeing_of
from tabletop.game import Game
from tabletop.identity.table_snapshot import Marker, Sighting
from tabletop.reconcile.comparison import OnTable, accept, compare
from tabletop.rulesets.one_hour_ww2.setup import Exit
from tabletop.tables.scene import scene_to_json
from tests.paths import DATA
from tests.support.cli_runs import refused
from tests.support.cli_runs import run_cli as run
from tests.support.one_hour_games import a_unit, begun, do
from tests.support.photo_games import of_another_table

SEQ = DATA / "seq"
FIRST, SECOND, THIRD = (SEQ / f"seq-{n}.json" for n in (1, 2, 3))
TABLE = SEQ / "seq.table.toml"
SEEING = seeing_of("one-hour-ww2")


def test_diff_tells_people_and_programs(tmp_path: Path) -> None:
    result = run("diff", FIRST, SECOND, "--json", tmp_path / "d.json", "--picture", tmp_path / "d.svg")
    assert result.exit_code == 0, result.output
    assert "b1 moved 5.80″ (± 0.03), turned 7° (± 1) left." in result.stdout
    assert "Its farthest base came 6.04″ of at most 8″" in result.stdout
    assert "a roll of 9 or more does it (2 average dice - 2, threatened -4″): 14 %." in result.stdout
    assert "b7 turned 91° (± 1) left." in result.stdout
    assert "b3 is now marked with 2 hits." in result.stdout
    assert "Stayed: b3, b5, b9, b11, r2, r4, r10." in result.stdout
    told = json.loads((tmp_path / "d.json").read_text())
    moved = {c["unit"]: c for c in told["changes"]}
    assert moved["b1"]["change"] == "moved" and moved["b1"]["ruling"]["verdict"] == "yes"
    assert moved["b1"]["ruling"]["chance"] == {"surely": pytest.approx(5 / 36), "perhaps": pytest.approx(5 / 36)}
    assert moved["r8"]["ruling"]["verdict"] == "no"
    drawing = ET.parse(tmp_path / "d.svg").getroot()
    words = "".join(drawing.itertext())
    assert "b1 5.8″" in words and "b7 91° (± 1) left" in words
    assert len(list(tmp_path.iterdir())) == 2


def test_the_chance_is_that_of_the_dice() -> None:
    """Against every roll of ordinary and of average dice; a threatened unit of infantry loses 4 inches."""
    for dice, faces in (("d5", (2, 3, 3, 4, 4, 5)), ("d6", (1, 2, 3, 4, 5, 6))):
        told = json.loads(run("diff", FIRST, SECOND, "--dice", dice, "--json", "-").stdout)
        ruling = next(c["ruling"] for c in told["changes"] if c["unit"] == "b1")
        rolls = [sum(roll) - 2 for roll in itertools.product(faces, repeat=2)]
        enough = sum(total >= ruling["length"] + 1.96 * ruling["sigma"] for total in rolls)
        assert ruling["chance"]["surely"] == pytest.approx(enough / 36, abs=1e-12)
        assert ruling["most"] == max(rolls)


def test_terrain_in_the_way_is_told(tmp_path: Path) -> None:
    """A river from edge to edge between where b1 stood and where it stands."""
    river = {"id": "brook", "kind": "river", "polygon": [[0, 5], [36, 5], [36, 6], [0, 6]], "height": 0.0}
    paths = []
    for path in (FIRST, SECOND):
        paths.append(tmp_path / path.name)
        maybe = {"id": "rise", "kind": "hill", "polygon": [[1, 30], [6, 30], [6, 34]], "confidence": 0.6}
        seen = {**json.loads(path.read_text()), "terrain": [river], "possible_terrain": [maybe]}
        paths[-1].write_text(json.dumps(seen))
    told = json.loads(run("diff", *paths, "--json", "-", "--picture", tmp_path / "d.svg").stdout)
    drawn = ET.parse(tmp_path / "d.svg").getroot()
    assert {"river brook", "hill rise, 60% sure"} <= set(drawn.itertext())
    dashed = [
        shape.get("stroke-dasharray") for shape in drawn.iter() for one in shape if one.text == "hill rise, 60% sure"
    ]
    assert any(dashed), "terrain that the photo is not certain of is drawn as such"
    ruling = next(c["ruling"] for c in told["changes"] if c["unit"] == "b1")
    assert ruling["verdict"] == "no"
    assert any('the river "brook" in the way' in v["text"] for v in ruling["violations"])


def test_files_that_can_not_be_compared_are_refused(tmp_path: Path) -> None:
    data = json.loads(SECOND.read_text())
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**data, "table": {"width": 72, "depth": 48}}))
    out = tmp_path / "d.json"
    assert "seq-1.json shows a table of 36″ x 36″ and other.json one of 72″ x 48″" in refused(
        "diff", FIRST, other, "--json", out
    )
    assert "seq.table.toml is a table file: give it as --table" in refused("diff", TABLE, SECOND, "--json", out)
    assert "There is no file" in refused("diff", FIRST, tmp_path / "no.json", "--json", out)
    assert "add --table" in refused("diff", FIRST, tmp_path / "no.jpg", "--json", out)
    assert ".svg" in refused("diff", FIRST, SECOND, "--picture", tmp_path / "d.png")
    assert "d20" in refused("diff", FIRST, SECOND, "--dice", "d20", "--json", out)
    other.write_text(json.dumps({**data, "rules": "combat"}))
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps({**data, "rules": "one-hour-ww2"}))
    assert "is played by one-hour-ww2 and other.json by combat" in refused("diff", mine, other, "--json", out)
    assert not out.exists()


def test_files_in_the_wrong_order_are_hinted_at() -> None:
    assert "the two files are in the wrong order" in run("diff", THIRD, SECOND).stdout


INFANTRY = (
    a_unit("B1", "blue", "infantry", 6, 6, bases=3),
    a_unit("B2", "blue", "infantry", 20, 6, bases=3),
    a_unit("R1", "red", "infantry", 10, 30, 180, bases=3),
    a_unit("R2", "red", "tank", 26, 30, 180, bases=3),
)


def in_actions(**more: Any) -> Game:
    game = begun(*INFANTRY, **more)
    do(game, "end")
    return game


def photo_of(
    game: Game, *changes: Callable[[Sighting], Sighting], markers: tuple[Marker, ...] | None = None
) -> Sighting:
    """What a photo would show of a game as it stands, after hands did some things to the table."""
    seen = replace(SEEING.sighting(game.state), name="photo", markers=markers)
    pieces = tuple(replace(p, covariance=1e-4 * np.eye(2), facing_sigma=0.3) for p in seen.pieces)
    seen = replace(seen, pieces=pieces)
    for change in changes:
        seen = change(seen)
    return seen


def pushed(unit: str, dx: float, dy: float) -> Callable[[Sighting], Sighting]:
    def change(seen: Sighting) -> Sighting:
        pieces = (replace(p, center=np.add(p.center, (dx, dy))) if p.unit == unit else p for p in seen.pieces)
        return replace(seen, pieces=tuple(pieces))

    return change


def gone(unit: str) -> Callable[[Sighting], Sighting]:
    return lambda seen: replace(seen, pieces=tuple(p for p in seen.pieces if p.unit != unit))


def proposals(game: Game, seen: Sighting) -> tuple[Proposal, ...]:
    state = game.state
    changes = changes_between(
        SEEING.sighting(state), seen, SEEING.limits(state.setup.dice), elsewhere=SEEING.elsewhere(state)
    )
    return tuple(SEEING.propose(state, changes))


def accept_certain(game: Game, seen: Sighting, photo: str = "", *, overrule: bool = False) -> tuple[Lifted, ...]:
    """Carry out all that a sighting makes certain; what was lifted."""
    return accept(game, compare(game, OnTable(SEEING, seen), photo=photo), overrule=overrule).lifted


def test_a_rolled_unit_is_placed_where_it_is_seen() -> None:
    game = in_actions()
    do(game, "move B1", 4, 4)
    seen = photo_of(game, pushed("B1", 0, 7.4))
    (only,) = proposals(game, seen)
    assert only.acceptable and only.words.startswith("place B1 ")
    accept_certain(game, seen, "ab" * 32)
    assert game.state.pending is None
    assert game.records[-1].photo == "ab" * 32
    assert game.records[-1].body["lengths_in"] == pytest.approx([7.4] * 3, abs=1e-3)
    assert proposals(game, seen) == ()


def test_a_rolled_unit_that_went_too_far_or_stands_still_is_not_placed() -> None:
    game = in_actions()
    do(game, "move B1", 4, 4)
    far = photo_of(game, pushed("B1", 0, 11.0))
    (only,) = proposals(game, far)
    assert only.certain and not only.acceptable
    assert {v.code for v in only.violations} == {"too-far"}
    before = game.seq
    accept_certain(game, far)
    assert game.seq == before
    (only,) = proposals(game, photo_of(game, pushed("B1", 0, 10.0)))
    assert {v.answer for v in only.violations} == {"too-close"} and not only.acceptable, "its very total"
    (only,) = proposals(game, photo_of(game))
    assert not only.acceptable and only.question == "B1 has rolled and stands where it stood: does it stay there?"
    assert only.violations == ()
    first, second = proposals(game, photo_of(game, pushed("B1", 0, 5), pushed("B2", 0, 6)))
    assert first.acceptable and first.unit == "B1"
    assert second.unit == "B2" and not second.acceptable
    assert second.question == (
        "B2 moved 6.00″, though B1 has rolled and it has not: roll for it, put it back, or correct its place."
    )
    assert any("B1 has rolled" in v.text for v in second.violations)


def test_what_happened_without_a_roll_is_asked_about() -> None:
    game = in_actions()
    assert proposals(game, photo_of(game)) == proposals(game, photo_of(game, pushed("B1", 0.02, 0.01))) == ()
    (only,) = proposals(game, photo_of(game, pushed("B2", 0, 8.5)))
    assert only.words == "move B2" and not only.acceptable and only.violations == ()
    assert only.question == (
        "B2 moved 8.50″, though it has not rolled (it needs 7 or more on 2 average dice + 2): roll for it, put it "
        "back, or correct its place."
    )
    (only,) = proposals(game, photo_of(game, pushed("B2", 0, 14)))
    assert "no roll of 2 average dice + 2 would do" in only.question
    (only,) = proposals(game, photo_of(game, gone("R2")))
    assert only.question == "R2 is gone: destroyed, exited or just lifted?" and not only.acceptable
    (only,) = proposals(game, photo_of(game, pushed("R1", 0.3, 0.3)))
    assert (only.what, only.acceptable) == ("nudged", False)
    assert only.question == "R1 was nudged (moved 0.42″): put it back, or correct its place."
    game.push(only.action)
    assert proposals(game, photo_of(game)) == ()


def test_of_a_photo_out_of_step_nothing_is_carried_out_but_by_the_referee() -> None:
    """Two units where no move takes them: another moment's photo, or another table's."""
    game = in_actions()
    do(game, "move B1", 4, 4)
    seen = photo_of(game, pushed("B1", 0, 7.4), pushed("R1", 20, 0), pushed("R2", 0, -26))
    changes = changes_between(SEEING.sighting(game.state), seen, SEEING.limits(None))
    assert [reason.code for reason in changes.sync.reasons] == ["too-far"]
    before = game.seq
    assert accept_certain(game, seen) == () and game.seq == before
    accept_certain(game, seen, overrule=True)
    assert game.seq > before


def test_a_detour_counts_and_is_told_by_both_commands_alike(tmp_path: Path) -> None:
    """The base of r4 that came farthest went round b11: 6.01″ would need an 8, its way needs a 9."""
    for words in (f"new --table {TABLE} --scene {FIRST}", "act begin then end"):
        assert run(*words.split(), "--quiet", "--data", tmp_path).exit_code == 0
    way = "6.18″ (round bases of b11; 6.01″ in a straight line)"
    told = run("see", THIRD, "--data", tmp_path).stdout
    assert f"r4 moved {way} and turned 10° (± 1) left, though it has not rolled (it needs 9 or more on" in told
    assert "2 average dice - 2; threatened -4″):" in told
    compared = run("diff", FIRST, THIRD, "--json", tmp_path / "d.json").stdout
    assert f"Its farthest base came {way} of at most 8″; a roll of 9 or more" in compared
    ruling = next(c["ruling"] for c in json.loads((tmp_path / "d.json").read_text())["changes"] if c["unit"] == "r4")
    assert ruling["around"] == ["bases of b11"] and ruling["straight"] < ruling["length"] - 0.1


def test_a_rolled_unit_that_is_gone_may_have_left() -> None:
    exits = (Exit("road", "blue", "the near edge", (0.0, 0.0), (36.0, 0.0)),)
    game = in_actions(exits=exits)
    do(game, "move B1", 4, 4)
    (only,) = proposals(game, photo_of(game, gone("B1")))
    assert only.words == "leave B1 by road" and not only.acceptable and "did it leave by the near edge" in only.question


def test_units_come_onto_the_table_by_deployment() -> None:
    from tabletop.rulesets.one_hour_ww2.play import RULES
    from tabletop.rulesets.one_hour_ww2.setup import Setup

    bare = tuple(replace(unit, at=()) for unit in INFANTRY)
    game = Game.new(RULES, Setup("A case", ("blue", "red"), 36.0, 36.0, bare))
    seen = photo_of(in_actions())
    unmarked = replace(seen, pieces=tuple(replace(piece, unique=None) for piece in seen.pieces))
    assert proposals(game, unmarked)[0].question == (
        "B1 is on the table, its unique base is not identified: deploy it so?"
    )
    accept_certain(game, seen)
    assert [unit.id for unit in game.state.units] == ["B1", "B2", "R1", "R2"]
    assert (
        game.state.undeployed == () and proposals(game, replace(seen, markers=(Marker("B1", "fired", (6, 8)),))) == ()
    )
    moved = pushed("B2", 3.0, 0.0)(seen)
    accept_certain(game, moved)
    assert game.state.unit("B2").bases.center[0].tolist() == pytest.approx([23.0, 6.0])


def test_strangers_and_the_dead_are_asked_about() -> None:
    game = in_actions()
    do(game, "correct R2 off")
    back = replace(photo_of(in_actions()), name="photo")
    (only,) = proposals(game, back)
    assert only.question == "R2 is removed by the log and stands on the table: put it back?"
    stranger = replace(back, pieces=tuple(replace(p, unit="R9") if p.unit == "R2" else p for p in back.pieces))
    assert proposals(game, stranger)[0].question == "R9 is not in this game: whose bases are they?"


def test_markers_become_actions_or_questions() -> None:
    game = in_actions()
    do(game, "end")
    (faint,) = proposals(game, photo_of(game, markers=(Marker("B1", "dug-in", (6, 8), confidence=0.5),)))
    assert faint.words == "dig-in B1" and not faint.acceptable
    assert faint.question == "A marker beside B1 seems to mean dug in (50 %): does it?"
    markers = (
        Marker("B1", "dug-in", (6, 8)),
        Marker("B2", "ready", (20, 8)),
        Marker("R1", "fired", (10, 28)),
        Marker("R1", "hits", (11, 28), 4),
        Marker("R2", "moved", (26, 28)),
        Marker("R2", "dug-in", (27, 28)),
        Marker(None, "ready", (1, 1)),
    )
    seen = photo_of(game, markers=markers)
    found = {(p.unit, p.what): p for p in proposals(game, seen)}
    assert found["B1", "dug-in"].words == "dig-in B1" and found["B1", "dug-in"].acceptable
    assert found["B2", "ready"].words == "ready B2" and found["B2", "ready"].acceptable
    assert found["R1", "fired"].question == "R1 shows cotton: at whom did it fire?"
    assert "shows 4 hits and has 0 by the log" in found["R1", "hits"].question
    assert "what did it roll" in found["R2", "moved"].question
    assert "tank-dug-in" in {v.code for v in found["R2", "dug-in"].violations}
    assert "lies beside no unit" in found[None, "marker"].question
    accept_certain(game, seen)
    assert game.state.unit("B1").dug_in and game.state.unit("B2").ready
    later = photo_of(game, markers=(Marker("B1", "ready", (1, 1)),))
    asked = [p.question for p in proposals(game, later)]
    assert "B2 is Ready by the log, and no marker is seen beside it: is it still?" in asked


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a game in which B1 has rolled 8."""
    from tabletop.cli.game_input import DATABASE
    from tabletop.game.store import EventStore

    store = EventStore(tmp_path / DATABASE)
    _, game = store.start("one-hour-ww2", in_actions().state.setup, game="case", title="A case")
    game.push(game.parse("begin"))
    game.push(game.parse("end"))
    game.push(game.parse("move B1"), (4, 4))
    store.close()
    return tmp_path


def observation(path: Path, game: Game, *changes: Callable[[Sighting], Sighting]) -> Path:
    """An observation's file of a game's table after some changes."""
    plain = ("unit", "side", "kind", "unique", "width", "depth", "facing", "facing_sigma")
    rows = [
        {name: getattr(piece, name) for name in plain}
        | {"id": f"base{n}", "shape": "rect", "center": piece.center.tolist(), "covariance": piece.covariance.tolist()}
        for n, piece in enumerate(photo_of(game, *changes).pieces, 1)
    ]
    table = scene_to_json(game.state.scene)["table"]
    path.write_text(json.dumps({"version": 1, "units": "inches", "table": table, "bases": rows, "warnings": []}))
    return path


def test_see_proposes_and_does_nothing_by_itself(data: Path) -> None:
    seen = observation(data / "o.json", in_actions(), pushed("B1", 0, 7), gone("R2"))
    result = run("see", seen, "--data", data, "--json", data / "s.json")
    assert result.exit_code == 0, result.output
    assert "Seen, and legal (--accept does it):\n  B1 moved 7″ of 10″\n" in result.stdout
    assert "To be settled by you:\n  R2 is gone: destroyed, exited or just lifted?" in result.stdout
    told = json.loads((data / "s.json").read_text())
    assert told["done"] == [] and [p["acceptable"] for p in told["proposals"]] == [True, False]
    assert "of the photo" not in result.stdout
    die = {"id": "q1", "about": "d1", "ask": "value", "says": "?", "answers": [], "covers": [["d1"]]}
    lists = {"questions": [die], "further_questions": [{**die, "id": "q2"}, {**die, "id": "q3", "about": "d3"}]}
    seen.write_text(json.dumps(json.loads(seen.read_text()) | lists))
    asked = run("see", seen, "--data", data).stdout
    assert f"2 questions of the photo are open: `tabletop settle {seen} --all` lists them." in asked
    assert json.loads(run("state", "--data", data, "--json", "-").stdout)["seq"] == 4


def test_see_tells_a_photo_of_another_table_and_uses_it_anyway(tmp_path: Path) -> None:
    photo, out = tmp_path / "o.json", tmp_path / "s.json"
    photo.write_text(json.dumps(of_another_table()))
    assert run("new", "flank-attack", "--data", tmp_path).exit_code == 0
    result = run("see", photo, "--accept", "--overrule", "--data", tmp_path, "--json", out)
    assert result.stdout == (
        "This photo seems to show a different table: none of the 24 bases is where it may be deployed and 2 of 2 "
        "pieces of terrain are missing. Drop it, or use it anyway. --anyway uses it.\n"
    )
    told = json.loads(out.read_text())
    assert (told["done"], told["proposals"], told["sync"]["state"]) == ([], [], "another table")
    assert "To be settled by you" in run("see", photo, "--anyway", "--data", tmp_path).stdout


def test_see_accepts_what_is_certain(data: Path) -> None:
    seen = observation(data / "o.json", in_actions(), pushed("B1", 0, 7))
    result = run("see", seen, "--accept", "--game", "case", "--data", data)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Done:\n") and "B1" in result.stdout
    state = json.loads(run("state", "--data", data, "--json", "-").stdout)
    assert state["state"]["pending"] is None
    log = json.loads(run("log", "--data", data, "--json", "-").stdout)["events"]
    assert [event["kind"] for event in log[-2:]] == ["moved", "seen"]
    again = run("see", seen, "--accept", "--data", data)
    assert again.stdout == "Nothing has changed since.\n"


def test_the_referee_lets_it_stand_and_players_measure(data: Path) -> None:
    near = observation(data / "near.json", in_actions(), pushed("B1", 0, 10.0))
    assert "too close to call" in run("see", near, "--accept", "--data", data).stdout
    far = observation(data / "far.json", in_actions(), pushed("B1", 0, 12))
    told = run("see", far, "--accept", "--measured", "--data", data).stdout
    assert "Seen, and against the rules:" in told and "2.00″ too far" in told and "Done:" not in told
    assert "Done:" in run("see", far, "--accept", "--overrule", "--data", data).stdout
    log = json.loads(run("log", "--data", data, "--json", "-").stdout)["events"]
    assert log[-2]["body"]["overruled"] == ["too-far"]
    run("undo", "--referee", "--data", data)
    assert "Done:" in run("see", near, "--accept", "--measured", "--data", data).stdout
    assert refused("see", near, "--measured", "--data", data) == "--measured belongs to --accept."


MARKERS: list[dict[str, Any]] = [
    {"unit": "B1", "means": "fired", "center": [6.0, 8.0], "confidence": 0.9},
    {"unit": "R1", "means": "hits", "value": 4, "center": [10.0, 28.0], "confidence": 0.9},
    {"unit": "R2", "means": "hits", "value": None, "center": [26.0, 28.0], "confidence": 0.9},
    {"unit": None, "means": "fired", "center": [1.0, 2.0], "confidence": 0.9},
    {"unit": "X9", "means": "fired", "center": [30.0, 2.0], "confidence": 0.9},
]


def marked(path: Path, markers: list[dict[str, Any]], name: str, *changes: Callable[[Sighting], Sighting]) -> Path:
    """An observation of the units of the small game with these markers."""
    data = json.loads(observation(path / name, in_actions(), *changes).read_text())
    (path / name).write_text(json.dumps({**data, "markers": markers}))
    return path / name


def small_table(folder: Path) -> Path:
    """A table file with the units of the small game, bases as in the observations."""
    rows = "".join(
        f'[[units]]\nid = "{u.id}"\nside = "{u.side}"\nkind = "{u.kind}"\nbases = {len(u.bases)}\nbase = '
        f'{{ shape = "rect", width = {u.bases[0].width}, depth = {u.bases[0].depth}, height = 0.1 }}\n'
        for u in INFANTRY
    )
    frame = TABLE.read_text()
    (folder / "small.table.toml").write_text(frame[: frame.index("[[units]]")] + rows)
    return folder / "small.table.toml"


def asked(seen: Path, data: Path, *more: str) -> list[str]:
    """What a sighting makes the game ask about markers."""
    told = json.loads(run("see", seen, *more, "--data", data, "--json", "-").stdout)
    return [p["question"] for p in told["proposals"] if p["what"] in ("fired", "hits", "marker")]


def test_markers_of_the_first_photo_are_told_once_and_then_only_what_is_new(tmp_path: Path) -> None:
    table, first = small_table(tmp_path), marked(tmp_path, MARKERS, "first.json")
    begun = run("new", "--table", table, "--scene", first, "--data", tmp_path).stdout
    assert "There are markers on the table in first.json that the game does not have yet." in begun
    for words in ("correct B1 fired yes", "correct R1 hits 4", "correct R2 hits N (its dice can't be read)"):
        assert f"\n  {words}\n" in begun
    assert "a marker for fire at (1.0, 2.0), beside no unit" in begun and "X9" not in begun
    assert run("act", "correct", "R1", "hits", "4", "then", "begin", "then", "end", "--data", tmp_path).exit_code == 0
    assert asked(first, tmp_path) == []
    later = [{**MARKERS[3], "center": [1.2, 2.1]}, MARKERS[0], {**MARKERS[1], "value": 6}]
    second = marked(
        tmp_path, [*later, {**MARKERS[0], "unit": "B2"}, {**MARKERS[3], "center": [9.0, 20.0]}], "second.json"
    )
    expected = [
        "R1 shows 6 hits and has 4 by the log: which is right?",
        "B2 shows cotton: at whom did it fire?",
        "A marker for fire lies beside no unit: whose is it?",
    ]
    assert sorted(asked(second, tmp_path)) == sorted(expected)


def test_a_photo_that_was_kept_is_what_the_next_is_compared_with(tmp_path: Path) -> None:
    """And the same photo looked at again asks what it asked, until it is answered."""
    table, first = small_table(tmp_path), marked(tmp_path, [], "first.json")
    told = json.loads(run("new", "--table", table, "--scene", first, "--data", tmp_path, "--json", "-").stdout)
    assert told["markers"] == [] and told["seq"] == 2
    run("act", "begin", "then", "end", "then", "move", "B1", "--dice", "4,4", "--data", tmp_path)
    second = marked(tmp_path, MARKERS[1:2], "second.json", pushed("B1", 0, 7))
    question = "R1 shows 4 hits and has 0 by the log: which is right?"
    assert asked(second, tmp_path, "--accept") == [question]
    assert asked(second, tmp_path) == [question]
    third = marked(tmp_path, MARKERS[1:2], "third.json", pushed("B1", 0, 7), pushed("B2", 0.01, 0))
    assert asked(third, tmp_path) == []


def test_a_marker_laid_early_is_carried_out_once_it_may_be() -> None:
    """Dug in before the Rally & Ready step: nothing to ask then, and the legal action later."""
    game = in_actions()
    seen = photo_of(game, markers=(Marker("B1", "dug-in", (6, 8)),))
    laid = seen.markers
    do(game, "end")
    known = replace(SEEING.sighting(game.state), markers=laid)
    (only,) = SEEING.propose(game.state, changes_between(known, seen, SEEING.limits("d5")))
    assert only.acceptable and only.words == "dig-in B1"
    early = in_actions()
    known = replace(SEEING.sighting(early.state), markers=laid)
    assert SEEING.propose(early.state, changes_between(known, seen, SEEING.limits("d5"))) == ()


def test_see_refuses_what_is_none(data: Path, tmp_path: Path) -> None:
    seen = observation(data / "o.json", in_actions())
    assert 'There is no game "other"' in refused("see", seen, "--game", "other", "--data", data)
    assert "There is no game yet" in refused("see", seen, "--data", tmp_path / "none")
    assert "add --table" in refused("see", data / "p.jpg", "--data", data)
    small = json.loads(seen.read_text()) | {"table": {"width": 24, "depth": 24}}
    (data / "small.json").write_text(json.dumps(small))
    assert "the game shows a table of 36″ x 36″" in refused("see", data / "small.json", "--data", data)
