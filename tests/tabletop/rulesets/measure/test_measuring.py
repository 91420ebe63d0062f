"""`measure` on plain tables: distances, what lies between, arcs, terrain drawn and cut, table files, the report."""

import json
from dataclasses import replace
from typing import Any

import pytest
import shapely

from geometry.drawing.scene import Letters
from tabletop.aar.compose import full_report
from tabletop.aar.markdown import escape, markdown_text
from tabletop.aar.story import tell
from tabletop.boards import board_of
from tabletop.game import ActionError, Game, IllegalError
from tabletop.game.actions import Standing
from tabletop.measuring import measure, overlays
from tabletop.open_table.setup import TerrainPiece
from tabletop.reconcile.comparison import accept, look
from tabletop.reconcile.photo_overrides import corrections
from tabletop.rulesets.measure.play import RULES
from tabletop.rulesets.measure.report_adapter import REPORT
from tabletop.starting.new_game import of_roster
from tabletop.starting.scenarios import ScenarioError, find, parse_scenario
from tabletop.tables.drawn_terrain import MOST_BENDS, MOST_CORNERS, MOST_PIECES
from tabletop.tables.table_for_game import table_file_for
from tabletop.tables.tablefile import parse_table
from tests.paths import DATA
from tests.support.measure_games import WOODS, a_table, a_unit
from tests.support.observed_bases import observation, seen_base

NEAR, FAR = a_unit("A1", "blue", Standing(13.0, 5.0, 0.0)), a_unit("B1", "red", Standing(13.0, 20.0, 180.0))


def said(game: Game, *lines: str) -> str:
    """The sentence of the last of some actions."""
    for line in lines:
        before = game.state
        record = game.push(game.parse(line))[-1]
    return RULES.event_text(before, game.event(record))


def test_distances_are_measured_edge_to_edge_and_kept() -> None:
    game = a_table([NEAR, FAR], [WOODS])
    assert said(game, "measure A1 to B1") == "A1 and B1 are 14.00″ apart, edge to edge."
    assert said(game, "measure A1 to woods-1") == "A1 and woods-1 are 4.50″ apart, edge to edge."
    assert said(game, "measure A1.1 to 13,30") == "A1.1 and the point at 13.0, 30.0 are 24.50″ apart, edge to edge."
    assert measure("measure", game.state, {"unit": "A1"}, {"ground": "woods-1"}).plain.value == pytest.approx(4.5)


def test_what_lies_between_is_told_and_where_one_stands_is_not_between() -> None:
    game = a_table([NEAR, FAR], [WOODS])
    assert said(game, "sight A1 to B1") == "woods-1 lies between A1 and B1."
    assert said(game, "move B1 to 13,12") == "B1 moved 8.0″, and stands at 13.0, 12.0 facing 180."
    assert said(game, "sight A1 to B1") == "Nothing lies between A1 and B1."
    assert said(game, "move B1 to 13,20", "reshape woods-1 kind road", "sight A1 to B1") == (
        "Nothing lies between A1 and B1."
    )
    assert said(game, "reshape road-1 kind crater", "sight A1 to B1") == "Nothing lies between A1 and B1."
    assert said(game, "reshape crater-1 kind wall", "sight A1 to B1") == "wall-1 lies between A1 and B1."
    assert said(game, "reshape wall-1 kind road high 2", "sight A1 to B1") == "road-2 lies between A1 and B1."


def test_other_bases_lie_between_too_and_doubt_stays_doubt() -> None:
    between = a_unit("A2", "blue", Standing(13.0, 12.0, 0.0))
    game = a_table([NEAR, FAR, between])
    assert said(game, "sight A1 to B1") == "A2 lies between A1 and B1."
    grazing = replace(between, at=(Standing(14.0, 12.0, 0.0, (0.04, 0.0, 0.04)),))
    game = a_table([NEAR, FAR, grazing])
    assert said(game, "sight A1 to B1") == "Whether A2 lies between A1 and B1 is too close to call."


@pytest.mark.parametrize(
    ("x", "width", "answer"), [(13.0, 90, "is in"), (29.0, 90, "is not in"), (29.0, 180, "is in"), (28.0, 90, "is in")]
)
def test_arcs_open_from_the_first_base_and_their_edge_is_inside(x: float, width: int, answer: str) -> None:
    game = a_table([NEAR, a_unit("B1", "red", Standing(x, 20.0, 180.0))])
    assert said(game, f"arc A1 to B1 width {width}").startswith(f"B1 {answer} the front arc of A1")


def test_an_arc_is_as_sure_as_the_places_are() -> None:
    exact, doubtful = (Standing(19.0, 20.0, 180.0, spread) for spread in ((0.0, 0.0, 0.0), (0.25, 0.0, 0.25)))
    looker = a_unit("A", "blue", Standing(10, 10))  # 42 degrees off, and half an inch at that distance is 2 degrees
    assert "is in the front arc" in said(a_table([looker, a_unit("B", "red", exact)]), "arc A to B")
    assert "too close to call" in said(a_table([looker, a_unit("B", "red", doubtful)]), "arc A to B")


def test_an_arc_without_a_facing_is_refused() -> None:
    game = a_table([a_unit("A1", "blue", Standing(13.0, 5.0, None)), FAR])
    with pytest.raises(IllegalError, match="which way A1 faces"):
        game.push(game.parse("arc A1 to B1"))


def test_a_unit_moves_in_formation_and_one_base_alone() -> None:
    game = a_table([a_unit("A1", "blue", Standing(10.0, 10.0, 0.0), Standing(12.0, 10.0, 0.0))])
    game.push(game.parse("move A1 to 20,10 facing 90"))
    assert [(at.x, at.y, at.facing) for at in game.state.by_id["A1"].at] == [(20.0, 10.0, 90.0), (20.0, 8.0, 90.0)]
    assert said(game, "move A1.2 to 20,5") == "Base 2 of A1 moved 3.0″, and stands at 20.0, 5.0 facing 90."
    assert said(game, "remove A1.1 because shot") == "A1 lost a base (shot); 1 left."
    assert said(game, "remove A1.1") == "A1 was taken off the table."
    with pytest.raises(IllegalError, match="not on the table"):
        game.push(game.parse("move A1 to 1,1"))


def test_terrain_is_drawn_by_outline_or_line_and_refused_where_it_can_t_be() -> None:
    game = a_table()
    assert said(game, "line river along 0,18 36,18 wide 2") == "river-1 (river) was laid on the table."
    assert sorted(game.state.ground["river-1"].polygon) == [(0.0, 17.0), (0.0, 19.0), (36.0, 17.0), (36.0, 19.0)]
    with pytest.raises(ActionError, match="crosses or touches itself"):
        game.parse("draw woods ring 0,0 4,4 4,0 0,4")
    with pytest.raises(ActionError, match='"ring" is missing'):
        game.parse("draw woods high 2")
    with pytest.raises(ActionError, match="3 corners or more, and 2"):
        game.parse("draw woods ring 0,0 4,4")
    assert said(game, "cut river-1 along 18,10 18,30") == "river-1 was cut into river-1, river-2."
    assert said(game, "erase river-1") == "river-1 was taken off the table."
    assert game.parse("draw river ring 1,1 4,1 4,4").name == "river-3"
    with pytest.raises(IllegalError, match="does not go right across"):
        game.push(game.parse("cut river-2 along 20,10 20,18"))


def test_a_hill_keeps_its_top_as_it_is_turned_and_loses_it_with_its_kind() -> None:
    game = a_table()
    game.push(game.parse("draw hill ring 4,4 12,4 12,12 4,12 high 2"))
    with pytest.raises(ActionError, match="beyond the hill"):
        game.parse("top hill-1 ring 6,6 20,6 20,10")
    assert said(game, "top hill-1 ring 6,6 10,6 10,10 6,10") == "hill-1 has another top now."
    game.push(game.parse("reshape hill-1 turn 90 shift 10,0"))
    hill = game.state.ground["hill-1"]
    assert set(hill.hill_top or ()) == {(16.0, 6.0), (20.0, 6.0), (20.0, 10.0), (16.0, 10.0)} and hill.height == 2.0
    assert said(game, "reshape hill-1 kind woods as copse") == (
        "hill-1 is called copse, is of kind woods, has no top now."
    )


def test_a_unit_is_added_named_marked_and_set_right() -> None:
    game = a_table()
    assert said(game, "add B7 for red kind horse models 2 round wide 1.5 at 10,10 facing 90") == (
        "B7 (horse, Red) joined the game at 10.0, 10.0 facing 90 (2 bases)."
    )
    assert said(game, "name B7 as The Red Lancers") == "B7 is called The Red Lancers."
    assert said(game, "mark the red lancers smoke 2") == "B7 (The Red Lancers) has 2 smoke."
    assert said(game, "correct B7 side blue wide 2 because misread") == (
        "B7 (The Red Lancers) was set right (misread): it fights for Blue; has bases of 2″ by 1.5″."
    )
    assert said(game, "mark B7 smoke 0") == "B7 (The Red Lancers) has no marker smoke any more."
    for words, why in (("add B7 for red at 1,1", "called B7 already"), ("move B7 to 50,1", "off the table")):
        with pytest.raises(IllegalError, match=why):
            game.push(game.parse(words))
    with pytest.raises(ActionError, match="can't be a name"):
        game.parse("add A.1 for red at 1,1")


def test_ovals_are_measured_as_ovals_and_written_again() -> None:
    game = a_table([a_unit("A1", "blue", Standing(13.0, 5.0, 0.0))])  # 2 by 1 inches
    said(
        game,
        "add Tank for red wide 4.72 deep 3.62 oval at 13,10 facing 0",
        "add Two for red oval wide 4 deep 2 at 5,20",
    )
    assert said(game, "measure A1 to Tank") == "A1 and Tank are 2.69″ apart, edge to edge."
    said(game, "move Tank to 16,8 facing 0")
    assert measure("measure", game.state, {"unit": "A1"}, {"unit": "Tank"}).plain.value == pytest.approx(
        1.203136  # by a dense search; to the rectangle of its sizes it is 0.69
    )
    assert said(game, "sight A1 to Two") == "Nothing lies between A1 and Two."
    (again,) = [unit for unit in parse_table(table_file_for("measure", game.state)).units if unit.id == "Tank"]
    assert (again.base.width_in, again.base.depth_in, again.base.shape) == (4.72, 3.62, "oval")
    assert [piece.shape for piece in board_of("measure", game.state).pieces] == ["rect", "oval", "oval"]
    assert said(game, "correct Two wide 3 because misread").endswith("it has oval bases of 3″ by 2″.")
    assert said(game, "correct Two wide 3 deep 1 because misread").endswith("it has bases of 3″ by 1″.")
    assert said(game, "correct Two oval wide 3 deep 2 because misread").endswith("it has oval bases of 3″ by 2″.")
    assert game.state.by_id["Two"].base.shape == "oval"


def test_how_sure_a_place_is_is_said_with_it_and_leaves_measures_open() -> None:
    game = a_table([a_unit("A", "blue", Standing(10, 10), Standing(13, 10)), a_unit("B", "red", Standing(10, 30))])
    assert "± " not in said(game, "measure A to B")
    told = said(game, "correct A sigma 0.5 because taped from memory")
    assert told.endswith("(taped from memory): it stands at 10.0, 10.0 facing 0 (2 bases), with a sigma of 0.5″.")
    assert [place.covariance for place in game.state.by_id["A"].at] == [(0.25, 0.0, 0.25)] * 2
    assert "±" in said(game, "measure A to B")
    assert "at 10.0, 10.0 facing 0 (2 bases) ± 1.0″" in board_of("measure", game.state).units[0].says
    said(game, "correct A.2 at 14,10 sigma 0.1")
    first, second = game.state.by_id["A"].at
    assert (first.covariance, (second.x, second.covariance)) == ((0.25, 0.0, 0.25), (14.0, (0.01, 0.0, 0.01)))
    said(game, "move A.2 to 15,10")
    assert game.state.by_id["A"].at[1].covariance == (0.0, 0.0, 0.0), "a new place is as sure as it is said"
    said(game, "draw woods ring 20,20 24,20 24,24 20,24 sigma 0.2 as copse")
    assert game.state.ground["copse"].sigma == 0.2
    assert said(game, "reshape copse sigma 0.4") == "copse has a sigma of 0.4″ now."
    said(game, "reshape copse shift 1,0")
    assert game.state.ground["copse"].sigma == 0.0
    for words, why in (
        ("correct A.2 kind horse", "A.2 is one base: side, kind and size are its whole unit's."),
        ("correct A sigma 9", "may be at least 0 and at most 5"),
    ):
        with pytest.raises(ActionError, match=why):
            game.parse(words)
    game.push(game.parse("remove A"))
    with pytest.raises(ActionError, match="A is not on the table: say where it stands"):
        game.parse("correct A sigma 0.5")


def test_how_sure_a_facing_is_is_said_with_it_and_leaves_arcs_open() -> None:
    game = a_table([a_unit("A", "blue", Standing(10, 10), Standing(13, 10)), a_unit("B", "red", Standing(19, 20))])
    assert said(game, "arc A to B") == "B is in the front arc of A, 90 degrees wide (42 degrees off its facing)."
    told = said(game, "correct A.1 facing 0 sigma 0.1 facing-sigma 4")
    assert told.endswith("it stands at 10.0, 10.0 facing 0 (2 bases), with a sigma of 0.1″ and 4 degrees.")
    first, second = game.state.by_id["A"].at
    assert (first.facing_sigma, second.facing_sigma) == (4.0, 0.0)
    assert "too close to call" in said(game, "arc A to B")
    said(game, "correct A.1 at 10,10")
    assert game.state.by_id["A"].at[0] == replace(first, covariance=(0.0, 0.0, 0.0)), "its facing was not said"
    said(game, "correct A.1 facing 0 sigma 0.1")
    assert game.state.by_id["A"].at[0] == replace(first, facing_sigma=0.0), "a new facing is as sure as it is said"
    said(game, "correct A facing-sigma 2")
    assert [at.facing_sigma for at in game.state.by_id["A"].at] == [2.0, 2.0]
    with pytest.raises(ActionError, match="is 100 degrees; it may be at least 0 and at most 90"):
        game.parse("correct A facing-sigma 100")
    said(game, "correct B bases 19,20,unknown")
    with pytest.raises(ActionError, match="state its facing too"):
        game.parse("correct B facing-sigma 2")


def test_nothing_is_done_after_the_end_but_taking_it_back() -> None:
    game = a_table([NEAR])
    assert said(game, "end won by blue because Red went home") == "Blue won (Red went home)."
    assert game.outcome is not None and game.outcome.winner == "blue" and game.to_act is None
    with pytest.raises(IllegalError, match="over"):
        game.push(game.parse("turn"))
    game.pop()
    game.push(game.parse("turn"))


def seen(*bases: dict[str, Any]) -> dict[str, Any]:
    return observation(bases, 36.0, 36.0)


def base(unit: str, side: str, x: float, y: float, facing: float = 0.0) -> dict[str, Any]:
    return seen_base(unit, (x, y), side=side, kind="foot", facing=facing, width=2.0, depth=1.0)


def test_a_photo_places_moves_and_asks_for_what_is_gone() -> None:
    game = a_table([NEAR, FAR, a_unit("A2", "blue")])
    found = look(game, seen(base("A1", "blue", 13.0, 9.0), base("A2", "blue", 20.0, 9.0)))
    told = {one.proposal.unit: one.proposal for one in found.listed}
    assert told["A1"].told == "A1 moved 4.0″" and told["A2"].told == "A2 stands on the table"
    assert "taken off the table, or just lifted" in told["B1"].question
    accept(game, found)
    assert game.state.by_id["A1"].at[0].y == 9.0 and game.state.by_id["A2"].at[0].x == 20.0
    assert game.state.by_id["B1"].at == FAR.at, "a question is not carried out by itself"


def test_a_photo_is_the_truth_where_players_say_so() -> None:
    game = a_table([NEAR, FAR])
    found = look(game, seen(base("A1", "blue", 30.0, 9.0), base("B1", "red", 13.0, 20.0, 180.0)))
    (only,) = corrections(game, found)
    assert only.proposal.told == "A1 stands 17.5″ from where the log has it"
    game.push(only.proposal.action)
    assert game.state.by_id["A1"].at[0].x == 30.0
    assert not corrections(game, look(game, found.observed))


FILE = (DATA / "sunday.table.toml").read_text(encoding="utf-8")


def test_a_table_file_of_any_kinds_and_sides_begins_a_game_and_is_written_again() -> None:
    plan = of_roster(parse_table(FILE, "sunday.table.toml"), "sunday")
    game = Game.new(RULES, plan.setup)
    assert (plan.rules, game.state.setup.title, game.state.setup.sides) == ("measure", "sunday", ("french",))
    game.push(game.parse("line road along 0,10 30,10"))
    again = parse_table(table_file_for("measure", game.state))
    assert [(unit.id, unit.kind, unit.bases) for unit in again.units] == [("guard", "grenadiers", 2)]
    assert [piece.id for piece in again.terrain] == ["copse", "road-1"] and again.frame is not None


def test_a_scenario_is_a_table_file_with_a_title_and_its_faults_are_told_together() -> None:
    assert find("bare-table").setup.sides == ("blue", "red")
    mine = '[scenario]\nid = "mine"\ntitle = "Mine"\nrules = "measure"\nturn = 3\n' + FILE.replace('"woods"', '"wods"')
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(mine.replace('rules = "measure"\n\n[[units]]', "\n[[units]]"), "mine.toml")
    assert len(caught.value.faults) == 2 and 'unknown key "turn"' in str(caught.value) and "wods" in str(caught.value)


def test_the_board_and_the_overlays_show_all_that_stands_there() -> None:
    game = a_table([a_unit("A1", "blue", Standing(13.0, 5.0, 0.0), name="Guard", marks=(("hits", 2),)), FAR], [WOODS])
    board = board_of("measure", game.state)
    assert [piece.id for piece in board.pieces] == ["A1.1", "B1.1"] and board.ground[0].id == "woods-1"
    assert board.pieces[0].badges[0].text == "H2" and all(side.to_act for side in board.sides)
    drawn = overlays("measure", game.state, "A1")
    assert [ring.value for ring in drawn.ranges] == [6.0, 12.0, 24.0] and drawn.front is not None
    assert [(sight.to, sight.verdict, sight.blocked_by) for sight in drawn.sights] == [("B1", "blocked", ("woods-1",))]


def test_the_report_tells_the_turns_and_lists_what_was_measured() -> None:
    game = a_table([NEAR, FAR], [WOODS])
    said(game, "move A1 to 13,8", "measure A1 to B1", "turn", "sight A1 to B1", "remove B1 because routed", "end")
    text = markdown_text(full_report(tell(game, REPORT)))
    for sentence in ("A1 moved 3.0″", "B1 was taken off the table (routed).", "Measurements", "woods-1 lies between"):
        assert escape(sentence) in text
    turned = full_report(tell(game, REPORT, unit="cm"))
    assert "A1 moved 7.6 cm" in markdown_text(turned) and "″" not in markdown_text(turned)
    labels = [item.text for figure in turned.figures for item in figure.sheet.items if isinstance(item, Letters)]
    assert any(text.endswith(" cm") for text in labels) and not any("″" in text for text in labels)


BETWEEN = [[10, 12], [26, 12], [26, 16], [10, 16]]
LONG = [[i / 10, 1 + i % 2] for i in range(MOST_CORNERS)] + [[8, 9]]


def do(game: Game, kind: str, **wish: Any) -> None:
    """An action as the page sends it."""
    game.push(game.parse(json.loads(json.dumps({"kind": kind, **wish}))))


def draw(game: Game, ring: Any = BETWEEN, kind: str = "woods", **more: Any) -> None:
    do(game, "draw", of_kind=kind, ring=ring, **more)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"ring": [[1, 1], [5, 5], [5, 1], [1, 5]]}, r"crosses or touches itself near \(3.0, 3.0\)"),
        ({"ring": [[1, 1], [5, 1], [3, 1]]}, "crosses or touches itself"),
        ({"ring": [[1, 1], [5, 1], [3, 1.01]]}, "encloses only 0.02 square inches"),
        ({"ring": [[1, 1], [5, 1], [5, 1], [1, 1]]}, "has 2 different corners"),
        ({"ring": LONG}, "6[01]"),
        ({"ring": [[1, 1], [5, 1], [5, 37.5]]}, r"point at \(5.0, 37.5\), off the table, which is 36″ by 36″"),
        ({"ring": [[-1, 1], [0, 1], [0, 9], [-1, 9]]}, "encloses only 0 square inches of the table"),
        ({"top": BETWEEN}, "only a hill has a top"),
        ({"high": -1}, "height is -1 inches; it may be at least 0 and at most 24"),
        ({"high": 24.5}, "height is 24.5 inches"),
        ({"kind": "line", "along": [[1, 1], [9, 9]], "wide": 0}, "width is 0 inches; it may be at least 0.1"),
        ({"colour": "green"}, "colour"),
        ({"kind": "line", "along": [[1, 1], [1, 1]]}, "has 1 different points"),
        ({"kind": "line", "along": [[1, 1], [9, 9], [9, 1], [1, 9]]}, "The line crosses itself"),
        ({"kind": "line", "along": [[1, 1], [30, 1], [30, 30], [1, 30], [1, 1.5]]}, "no single outline"),
        ({"kind": "line", "along": [[-1, 5], [-1, 9]], "wide": 0.5}, "no single outline"),
        ({"kind": "line", "along": [[i, 1] for i in range(MOST_BENDS + 1)]}, "25"),
    ],
)
def test_what_is_no_terrain_is_refused_with_a_sentence(wish: dict[str, Any], words: str) -> None:
    game = a_table()
    own = {"of_kind": "woods", **({"ring": BETWEEN} if wish.get("kind") != "line" else {}), **wish}
    with pytest.raises(ActionError, match=words):
        do(game, own.pop("kind", "draw"), **own)
    assert not game.state.terrain


def test_a_road_lies_along_its_middle() -> None:
    game, along = a_table(), [[0, 20], [10, 20], [20, 30], [20, 36]]
    do(game, "line", of_kind="road", along=along, wide=2)
    road, middle = shapely.Polygon(game.state.ground["road-1"].polygon), shapely.LineString(along)
    assert road.area == pytest.approx(2 * middle.length, abs=1e-3)  # mitred bends: what is lost inside is won outside
    for at in ((5, 20), (15, 25), (20, 33)):
        assert road.exterior.distance(shapely.Point(at)) == pytest.approx(1.0, abs=1e-3)
    assert road.bounds[0] == 0 and road.bounds[3] == 36


def test_a_name_follows_the_kind_and_is_never_given_twice() -> None:
    game = a_table()
    draw(game)
    do(game, "reshape", terrain="woods-1", of_kind="town", high=2)
    assert [(one.id, one.kind, one.height) for one in game.state.terrain] == [("town-1", "town", 2.0)]
    do(game, "erase", terrain="town-1")
    draw(game)
    assert [one.id for one in game.state.terrain] == ["woods-2"]


def test_a_piece_that_reaches_over_the_edge_can_be_reshaped() -> None:
    over = TerrainPiece("wood", "woods", ((10.0, 12.0), (26.0, 12.0), (26.0, 16.0), (-5.0, 16.0)))
    game, corners = a_table(terrain=[over]), [[10, 12], [26, 12], [27, 17], [-5, 16]]
    do(game, "reshape", terrain="wood", ring=corners)
    assert game.state.ground["wood"].polygon == tuple(tuple(map(float, at)) for at in corners)
    with pytest.raises(ActionError, match=r"point at \(-6.0, 16.0\), off the table"):
        do(game, "reshape", terrain="wood", ring=[*corners[:3], [-6, 16]])


def test_what_is_not_there_cannot_be_changed() -> None:
    game = a_table()
    for kind, more in (("erase", {}), ("cut", {"along": [[1, 1], [9, 9]]})):
        with pytest.raises((ActionError, IllegalError), match="woods-1"):
            do(game, kind, terrain="woods-1", **more)


def test_a_table_takes_so_many_pieces_and_no_more() -> None:
    game = a_table()
    for i in range(MOST_PIECES):
        x, y = 4 * (i % 8), 4 * (i // 8)
        draw(game, [[x, y], [x + 3, y], [x + 3, y + 3], [x, y + 3]], "field")
    with pytest.raises(IllegalError, match="has 60 pieces of terrain, the most that it can"):
        draw(game)
    with pytest.raises(IllegalError, match="has 60 pieces of terrain"):
        do(game, "cut", terrain="field-1", along=[[1, -1], [1, 4]])
    do(game, "erase", terrain="field-7")
    draw(game)


def test_a_piece_is_turned_about_its_middle_all_round_without_drifting() -> None:
    game = a_table()
    foot, top = [[10, 10], [20, 10], [20, 16], [14, 18], [10, 16]], [[12, 11], [18, 11], [15, 15]]
    draw(game, foot, "hill", high=2, top=top)
    before = game.state.ground["hill-1"]
    for _ in range(24):
        do(game, "reshape", terrain="hill-1", turn=15)
    after = game.state.ground["hill-1"]
    for was, now in ((before.polygon, after.polygon), (before.hill_top or (), after.hill_top or ())):
        assert [v for at in now for v in at] == pytest.approx([v for at in was for v in at], abs=0.002)
    do(game, "reshape", terrain="hill-1", shift=[2, -1])
    moved = game.state.ground["hill-1"]
    assert moved.polygon[0] == pytest.approx((12, 9), abs=0.002)
    assert (moved.hill_top or ())[0] == pytest.approx((14, 10), abs=0.002)
    with pytest.raises(ActionError, match="off the table"):
        do(game, "reshape", terrain="hill-1", shift=[-20, 0])


def test_a_hills_top_is_cut_with_it() -> None:
    game = a_table()
    draw(game, [[4, 4], [16, 4], [16, 10], [4, 10]], "hill", high=2, top=[[12, 5], [15, 5], [15, 9], [12, 9]])
    do(game, "cut", terrain="hill-1", along=[[3, 7], [17, 7]])
    assert all(piece.hill_top is not None and piece.height == 2 for piece in game.state.terrain)
    do(game, "cut", terrain="hill-1", along=[[11, 4], [11, 7]])
    assert sorted(piece.hill_top is not None for piece in game.state.terrain) == [False, True, True]


@pytest.mark.parametrize(
    ("along", "why"),
    [
        ([[12, 14], [15, 14]], "does not go right across woods-1"),
        ([[1, 1], [2, 2]], "does not go right across"),
        ([[16, -5], [16, 20]], "off the table"),
    ],
)
def test_what_can_not_be_cut_is_told_in_a_sentence(along: list[list[float]], why: str) -> None:
    game = a_table()
    draw(game)
    with pytest.raises((ActionError, IllegalError), match=why):
        do(game, "cut", terrain="woods-1", along=along)
    assert len(game.state.terrain) == 1
