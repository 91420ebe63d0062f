"""Beginning on the phone: scenarios, table files, forms, rules by name; the table that a game gets; grid and prints."""

import xml.etree.ElementTree as ET
from typing import Any, get_args

import pytest

from api.tables.store import table_of
from tabletop.boards.legend import legend_of
from tabletop.equipment import prints
from tabletop.game.parts import PARTS
from tabletop.game.rulebook import rulebook_of
from tabletop.rulesets.combined_arms.data import Mode
from tabletop.rulesets.combined_arms.position import setup_from_position
from tabletop.rulesets.one_hour_ww2.data import KINDS
from tabletop.starting.scenarios import list_scenarios as bundled
from tabletop.tables.model import Base
from tabletop.tables.table_for_game import BASE_HEIGHT_IN
from tabletop.tables.tablefile import parse_table
from tests.support.api_games import Place
from tests.support.api_support import TABLE, sentence
from tests.support.combined_arms_tables import at


def faults(shared: Place, **wish: Any) -> dict[str, str]:
    """What is wrong with a wish, by field; nothing must be kept of it."""
    before = shared.services.event_store.games()
    problem = shared.begin(422, **wish)
    assert shared.services.event_store.games() == before
    assert problem["type"] == "form" and problem["detail"].startswith(problem["faults"][0]["what"])
    return {fault["where"]: fault["what"] for fault in problem["faults"]}


def form(**more: Any) -> dict[str, Any]:
    units = [{"id": "B1", "side": "blue", "kind": "tank"}, {"id": "R1", "side": "red", "kind": "infantry", "bases": 2}]
    sides = [{"id": "blue", "rim": "#325088"}, {"id": "red"}]
    return {"width_in": 48, "depth_in": 36, "sides": sides, "units": units, **more}


class TestWhatThereIs:
    def test_scenarios(self, shared: Place) -> None:
        listed = {one["id"]: one for one in shared.host.get("/api/scenarios")}
        flank = listed["flank-attack"]
        told = [flank[name] for name in ("number", "title", "rules", "turns")]
        assert told == [6, "Flank Attack", "one-hour-ww2", 15]
        assert flank["size"] == {"width": 36.0, "depth": 36.0} and flank["notes"] and "\n" not in flank["notes"]
        assert flank["sides"] == [{"id": "blue", "title": "British"}, {"id": "red", "title": "Italians"}]
        assert listed.keys() == {one.id for one in bundled()}
        assert flank["notes"].startswith("The British come up the road") and "the Italians win" in flank["notes"]
        assert not [one["id"] for one in listed.values() if "{" in one["notes"] + one["source"]]
        assert (flank["units"], listed["first-meeting"]["units"], listed["blue-ridge"]["units"]) == (12, 32, 0)

    def test_rulesets(self, shared: Place) -> None:
        listed = {one["id"]: one for one in shared.host.get("/api/rulesets")}
        modes = [mode["id"] for mode in listed["combined-arms"]["modes"]]
        assert modes == ["solitaire", "co-operative", "enemy-player"] == list(get_args(Mode))
        switches = ["easier", "handicap", "bid", "commander_apart", "messages"]
        assert [switch["id"] for switch in listed["combined-arms"]["switches"]] == switches
        assert listed["combined-arms"]["by_name"] and not listed["combined-arms"]["by_form"]
        kinds = {one["kind"]: one for one in listed["one-hour-ww2"]["kinds"]}
        assert kinds["tank"] == {"kind": "tank", "title": "Tank", "bases": 3, "width_in": 1.75, "depth_in": 2.5}
        assert kinds.keys() == set(KINDS) and list(listed) == list(PARTS)

    def test_every_ruleset_has_its_guide(self, shared: Place) -> None:
        for name in PARTS:
            told = shared.host.ask("GET", f"/api/rulesets/{name}/guide", 200)
            book, legend = rulebook_of(name), legend_of(name)
            assert told["source"] == book.source
            assert [rule["place"] for rule in told["rules"]] == [rule.place for rule in book.rules]
            assert {row["text"] for row in told["legend"]["badges"]} == {badge.text for badge in legend.badges}
            assert [row["says"] for row in told["legend"]["ground"]] == [one.says for one in legend.ground]

    def test_a_scenario_has_its_map(self, shared: Place) -> None:
        answer = shared.host.answer("GET", "/api/rulesets/one-hour-ww2/scenarios/melee/map.svg")
        assert answer.status_code == 200 and answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["cache-control"] == "private, max-age=3600"
        assert ET.fromstring(answer.text).tag.endswith("svg")
        for path in ("chess/guide", "one-hour-ww2/scenarios/blue-ridge/map.svg", "chess/scenarios/a/map.svg"):
            assert shared.host.get(f"/api/rulesets/{path}", 404)["detail"].startswith("There ")


class TestFromAScenario:
    def test_one_tap_is_enough_to_play_alone_and_counts_once(self, shared: Place) -> None:
        begun = shared.begin(scenario="flank-attack", id="my-begin-1")
        assert (begun["id"], begun["title"], begun["again"]) == ("flank-attack", "Flank Attack", False)
        assert begun["me"]["roles"] == ["host", "side blue", "side red"] and begun["me"]["label"] == "Anna"
        again = shared.begin(scenario="flank-attack", id="my-begin-1")
        assert (again["id"], again["again"]) == ("flank-attack", True)
        assert again["me"]["seat"] == begun["me"]["seat"]
        shared.host.command("flank-attack", "begin")
        assert shared.host.command("flank-attack", "fire B6 at R2", dice=[4])["events"]

    def test_a_second_one_gets_a_name_of_its_own_and_the_host_may_play_one_side_or_none(self, shared: Place) -> None:
        wish = {"scenario": "melee", "title": "Sunday,  2 pm"}
        one = shared.begin(**wish, dice="d5", play=["side red"])
        two = shared.begin(**wish, dice="d6", play=[], label="Referee")
        assert [game["id"] for game in (one, two)] == ["sunday-2-pm", "sunday-2-pm-2"]
        assert [game["me"]["roles"] for game in (one, two)] == [["host", "side red"], ["host"]]
        assert shared.host.get("/api/games/sunday-2-pm")["title"] == "Sunday, 2 pm"
        assert shared.services.commands.game(two["id"]).state.setup.dice == "d6"
        shared.host.command(one["id"], "concede red", id="command-9")
        assert "try again with a new one" in shared.begin(409, scenario="melee", id="command-9")["detail"]

    def test_what_is_wrong_together(self, shared: Place) -> None:
        for path in ("../../etc/passwd", "melee.toml", "Melee"):
            assert "There is no scenario" in faults(shared, scenario=path)["scenario"]
        assert "Choose a scenario" in faults(shared)["scenario"]
        assert set(faults(shared, scenario="melee", form=form(), rules="combined-arms", mode="solitaire")) == {
            "form", "rules", "mode",
        }  # fmt: skip
        assert set(faults(shared, scenario="nowhere", bid=True, handicap=3)) == {"scenario", "bid", "handicap"}
        assert "no role of this game" in faults(shared, scenario="melee", play=["side green"])["play"]
        assert "There are no rules" in faults(shared, rules="chess")["rules"]
        base = 'base = {{ shape = "round", diameter = 1.0, height = 0.1 }}'
        unit = f'[[units]]\nid = "u{{}}"\nside = "blue"\nkind = "infantry"\nbases = 3\n{base}\n'
        crowd = "[table]\nwidth = 36\ndepth = 36\n" + "".join(map(unit.format, range(201)))
        assert "603 bases, and a game on this server at most 600" in faults(shared, table_file=crowd)["table_file"]
        assert "start from a scenario: choose one, Chessboard" in faults(shared, rules="ww2-combined-arms")["rules"]
        assert "needs a scenario" in faults(shared, rules="one-hour-ww2")["rules"]


class TestFromATableFile:
    def test_alone_its_units_meet(self, shared: Place) -> None:
        begun = shared.begin(table_file=TABLE, table_name="kitchen.table.toml")
        assert begun["id"] == "kitchen" and begun["me"]["roles"] == ["host", "side blue", "side red"]
        board = shared.host.get("/api/games/kitchen")["board"]
        assert {side["id"]: side["rim"] for side in board["sides"]} == {"blue": "#325088", "red": "#8a2226"}
        assert shared.host.answer("GET", "/api/games/kitchen/table.toml").text == TABLE
        assert begun["table"] == table_of("kitchen")
        units = shared.services.tables.get(begun["table"]).table.units
        assert [unit.id for unit in units] == ["tank", "gun", "near", "far"]

    def test_every_line_that_is_wrong_is_reported_and_a_scenario_that_it_does_not_fit(self, shared: Place) -> None:
        wrong = '[table]\nwidth = -1\ndepth = "x"\n'
        problem = shared.begin(422, table_file=wrong, mode="solitaire", scenario="melee")
        assert [fault["where"] for fault in problem["faults"]].count("table_file") == 2
        assert "line 2" in problem["faults"][1]["what"] or "line 2" in problem["faults"][0]["what"]
        assert "no unit is left" in faults(shared, table_file=TABLE, scenario="flank-attack")["table_file"]

    def test_of_a_board_game(self, shared: Place) -> None:
        text = TABLE.replace("depth = 36\n", 'depth = 36\nrules = "combined-arms"\n', 1)
        text += '\n[overlay]\ngrid = "hex"\nsize = 3.2\norigin = [8.4, 6.9]\nrotation = 0\n'
        begun = shared.begin(table_file=text, mode="solitaire")
        assert begun["me"]["roles"] == ["host", "side attacker"]
        assert shared.services.commands.game(begun["id"]).state.setup.layout.size_in == 3.2
        square = text.replace('"hex"', '"square"')
        assert "lays a square grid" in faults(shared, table_file=square)["table_file"]

    def test_a_large_one_is_taken_and_a_huge_one_is_not(self, shared: Place) -> None:
        padded = TABLE + "# filling\n" * 40_000
        assert shared.host.ask("POST", "/api/plan", json={"table_file": padded})["units"] == 4
        assert shared.begin(table_file=padded)["id"]
        answer = shared.host.answer("POST", "/api/games", json={"id": "begin-huge", "table_file": "#" * 1_200_000})
        assert "larger than" in sentence(answer, 413)


class TestFromNothing:
    def test_a_form_makes_forces_rims_tags_and_markers(self, shared: Place) -> None:
        begun = shared.begin(form=form(), title="Kitchen table")
        assert begun["id"] == "kitchen-table"
        table = parse_table(shared.host.answer("GET", "/api/games/kitchen-table/table.toml").text)
        assert (table.width_in, table.depth_in) == (48.0, 36.0) and table.frame is not None
        assert [(u.id, u.bases, u.base.width_in, u.tag) for u in table.units] == [("B1", 3, 1.75, 0), ("R1", 2, 2.0, 1)]
        setup = shared.services.commands.game("kitchen-table").state.setup
        assert [len(unit.bases) for unit in setup.units] == [3, 2] and setup.width == 48.0
        assert shared.host.get("/api/games/kitchen-table")["board"]["sides"][0]["rim"] == "#325088"
        assert shared.host.command("kitchen-table", "deploy B1 at 10,5")["events"]
        player = shared.seated("kitchen-table", "side red")
        for what in ("tags", "markers"):
            answer = player.answer("GET", f"/api/games/kitchen-table/prints/{what}.pdf")
            assert f"kitchen-table-{what}.pdf" in answer.headers["content-disposition"]
            assert answer.content.startswith(b"%PDF")
        assert [marker.id for marker in prints.tags_of(table, "letter").printed.markers] == [0, 1]

    def test_every_field_is_told_at_once(self, shared: Place) -> None:
        units = [
            {"id": "B1", "side": "green", "kind": "tonk", "bases": 0},
            {"id": "B1", "side": "blue", "kind": "tank"},
        ]
        wrong = form(width_in=-1, sides=[{"id": "blue", "rim": "navy"}, {"id": "blue"}], units=units)
        assert set(faults(shared, form=wrong)) == {
            "form.width_in", "form.sides.0.rim", "form.sides.1.id",
            "form.units.0.side", "form.units.0.kind", "form.units.0.bases", "form.units.1.id",
        }  # fmt: skip
        assert "red" in faults(shared, form=form(units=form()["units"][:1]))["form.units"]

    def test_round_bases_and_no_markers(self, shared: Place) -> None:
        units = [{"id": "B1", "side": "blue", "kind": "atg", "shape": "round", "width_in": 1.5}, *form()["units"][1:]]
        units[1] = {**units[1], "shape": "oval", "width_in": 3.62, "depth_in": 4.72}
        game = shared.begin(form=form(units=units, markers=False, tags=False))["id"]
        table = parse_table(shared.host.answer("GET", f"/api/games/{game}/table.toml").text)
        assert table.frame is None and table.tags is None and table.units[0].base.is_round
        assert table.units[1].base == Base(3.62, 4.72, BASE_HEIGHT_IN, is_oval=True)
        assert "has no [tags]" in sentence(shared.host.answer("GET", f"/api/games/{game}/prints/tags.pdf"), 422)


class TestByRules:
    @pytest.mark.parametrize(
        ("wish", "roles"),
        [
            ({"easier": True}, ["side attacker"]),
            ({"mode": "co-operative"}, ["command armour", "command D", "command E", "command F", "command command"]),
            ({"mode": "enemy-player", "handicap": 5}, ["side attacker"]),
            ({"mode": "enemy-player", "bid": True}, ["player 1"]),
            ({"mode": "enemy-player", "play": ["side defender"]}, ["side defender"]),
        ],
    )
    def test_modes(self, shared: Place, wish: dict[str, Any], roles: list[str]) -> None:
        begun = shared.begin(rules="combined-arms", **wish)
        assert sorted(begun["me"]["roles"]) == sorted(["host", *roles])
        setup = shared.services.commands.game(begun["id"]).state.setup
        assert (setup.mode, setup.easier) == (wish.get("mode", "solitaire"), wish.get("easier", False))

    def test_from_a_position_with_where_the_board_lies(self, shared: Place) -> None:
        position = at({"D1": "3-4"}, {"5-5": ""})
        layout = {"size": 3.0, "origin": [9.0, 7.5], "rotation": 2.0}
        begun = shared.begin(rules="combined-arms", position={**position, "overlay": {"layout": layout}})
        shown = shared.host.get(f"/api/games/{begun['id']}/overlay")
        assert (shown["size_in"], shown["origin"], shown["rotation_deg"]) == (3.0, [9.0, 7.5], 2.0)
        cells = shared.host.get(f"/api/games/{begun['id']}")["board"]["cells"]
        assert next(cell for cell in cells if cell["id"] == "1-1")["center"] == pytest.approx([9.0, 7.5])

    def test_refusals(self, shared: Place) -> None:
        assert "There is no mode" in faults(shared, rules="combined-arms", mode="solo")["rules"]
        assert "Bids and handicaps" in faults(shared, rules="combined-arms", bid=True)["rules"]
        assert "ordinary dice" in faults(shared, rules="combined-arms", dice="d5")["dice"]
        assert "no platoon" in faults(shared, rules="combined-arms", position={"platoons": [{"id": "Z9"}]})["position"]
        assert "units" in faults(shared, rules="combined-arms", form=form())["form"]
        for layout, says in (
            ({"size": 1e300, "origin": [0, 0]}, "lie on no table"),
            ({"size": 3, "origin": [0, "x"]}, "in numbers"),
            ({"size": 3, "origin": [-40, 0]}, "does not lie on"),
        ):
            position = {**at({"D1": "3-4"}, {}), "overlay": {"layout": layout}}
            assert says in " ".join(faults(shared, rules="combined-arms", position=position).values())


def test_what_would_begin_is_reported_before_it_does(shared: Place) -> None:
    def plan(**wish: Any) -> Any:
        return shared.host.ask("POST", "/api/plan", json=wish)

    before = shared.services.event_store.games()
    flank = plan(scenario="flank-attack")
    assert (flank["title"], flank["rules"], flank["units"]) == ("Flank Attack", "one-hour-ww2", 12)
    assert flank["size"] == {"width": 36.0, "depth": 36.0} and flank["notes"]
    assert {one["role"]: one["title"] for one in flank["roles"]} == {"side blue": "British", "side red": "Italians"}
    assert flank["alone"] == ["side blue", "side red"]
    kitchen = plan(table_file=TABLE, table_name="kitchen.table.toml")
    assert kitchen["units"] == 4 and [side["id"] for side in kitchen["sides"]] == ["blue", "red"]
    assert plan(form=form())["units"] == 2
    alone = plan(rules="combined-arms")
    assert [role["role"] for role in alone["roles"]] == alone["alone"] == ["side attacker"]
    five = plan(rules="combined-arms", mode="co-operative")
    assert len(five["roles"]) == len(five["alone"]) == 5
    against = plan(rules="combined-arms", mode="enemy-player")
    assert len(against["roles"]) == 2 and against["alone"] == ["side attacker"]
    assert shared.services.event_store.games() == before


def test_a_game_begun_elsewhere_gets_its_table_when_asked(shared: Place) -> None:
    game = shared.one_hour()
    path = f"/api/games/{game}/table.toml"
    assert shared.services.event_store.last(table_of(game)) == 0
    table = parse_table(shared.host.answer("GET", path).text)
    assert {unit.id for unit in table.units} == {
        one.id for one in shared.services.commands.game(game).state.setup.units
    }
    assert table.tags is not None and all(unit.tag is not None for unit in table.units)
    assert "no seat" in sentence(shared.device().answer("GET", path), 401)
    answer = shared.seated(game, "spectator").answer("GET", path)
    assert answer.headers["content-disposition"] == f'attachment; filename="{game}.table.toml"'


class TestTheGrid:
    def test_by_numbers_and_by_two_taps(self, shared: Place) -> None:
        game = shared.hexes()
        path, wish = f"/api/games/{game}/overlay", {"size_in": 3.0, "origin": [9.0, 7.5], "rotation_deg": 0.0}
        before = shared.host.get(path)
        assert shared.host.ask("PUT", path, json=wish | {"preview": True})["size_in"] == 3.0
        assert shared.host.get(path) == before, "a preview is not kept"
        laid = shared.host.ask("PUT", path, json=wish)
        assert laid["says"] == "Hexes of 3.00 inches, hex 1-1 at (9.0, 7.5), not turned." and len(laid["cells"]) == 79
        assert shared.host.get(path)["cells"] == laid["cells"]
        cells = shared.host.get(f"/api/games/{game}")["board"]["cells"]
        centres = {cell["id"]: cell["center"] for cell in cells}
        assert centres["1-1"] == pytest.approx([9.0, 7.5]) and centres["1-2"] == pytest.approx([12.0, 7.5])
        table = parse_table(shared.host.answer("GET", f"/api/games/{game}/table.toml").text)
        assert table.overlay is not None and table.overlay.size_in == 3.0
        judged = shared.host.ask("POST", f"/api/games/{game}/judge", json={"words": "move D1 to 4-4"})
        moved = {piece["id"]: piece["center"] for piece in judged["pieces"]}
        apart = [abs(a - b) for a, b in zip(moved["D1"], centres["4-4"], strict=True)]
        assert max(apart) < 1.5, "what an action would move is drawn there too"

        taps = [{"cell": "1-1", "at": [9.1, 7.5]}, {"cell": "1-7", "at": [27.1, 7.5]}]
        laid = shared.host.ask("PUT", path, json={"taps": taps})
        assert laid["size_in"] == pytest.approx(3.0) and laid["origin"] == pytest.approx([9.1, 7.5])
        assert laid["rotation_deg"] == pytest.approx(0.0, abs=1e-6) and laid["fit_in"] == pytest.approx(0.0, abs=1e-6)
        known = shared.host.ask("PUT", path, json={"taps": taps, "size_in": 2.9})
        assert known["fit_in"] == pytest.approx(0.3, abs=0.01)  # the 0.6 inches that are too many, shared by the two

    def test_terrain_of_the_board_moves_with_it(self, shared: Place) -> None:
        game = shared.hexes(board={"3-4": "woods"})
        shared.host.get(f"/api/games/{game}")
        before, was = shared.services.table(game).terrain, shared.host.get(f"/api/games/{game}/overlay")
        shared.host.ask("PUT", f"/api/games/{game}/overlay", json={"size_in": 3.0, "origin": [9.0, 7.5]})
        terrain = shared.services.table(game).terrain
        piece = next(row for row in terrain if row["id"] == "woods-3-4")
        cell = next(row for row in shared.host.get(f"/api/games/{game}")["board"]["cells"] if row["id"] == "3-4")
        middle = [sum(point[k] for point in piece["polygon"]) / 6 for k in (0, 1)]
        assert middle == pytest.approx(cell["center"], abs=1e-3)
        back = {name: was[name] for name in ("size_in", "origin", "rotation_deg")}
        shared.host.ask("PUT", f"/api/games/{game}/overlay", json=back)
        for now, then in zip(shared.services.table(game).terrain, before, strict=True):
            assert now["id"] == then["id"] and now["polygon"] == [pytest.approx(at, abs=1e-3) for at in then["polygon"]]

    def test_who_only_makes_room_in_a_hex_is_not_put_elsewhere(self, shared: Place) -> None:
        setup = setup_from_position(at({"D1": "3-4", "D2": "3-4", "M1": "2-4"}, {"5-5": ""}))
        shared.services.event_store.start("combined-arms", setup, game="together", title="A game")
        judged = shared.host.ask("POST", "/api/games/together/judge", json={"words": "move D1 to 4-4"})
        assert judged["legal"] and [piece["id"] for piece in judged["pieces"]] == ["D1"]

    @pytest.mark.parametrize(
        ("wish", "says"),
        [
            ({"size_in": 5.0, "origin": [9.0, 7.5]}, "does not lie on the 36 x 36 table"),
            ({"size_in": 3.0, "origin": [-4.0, 7.5]}, "over its edge"),
            ({"size_in": 3.0}, "needs its size"),
            ({"taps": [{"cell": "1-1", "at": [9, 7]}, {"cell": "1-1", "at": [9, 8]}]}, "two different hexes"),
            ({"taps": [{"cell": "1-1", "at": [9, 7]}, {"cell": "1-2", "at": [9, 7]}]}, "the same point"),
            ({"taps": [{"cell": "1-1", "at": [9, 7]}, {"cell": "99-9", "at": [19, 7]}]}, "There is no row 99"),
            ({"taps": [{"cell": "1-1", "at": [9, 7]}, {"cell": "1-7", "at": [9.1, 7]}]}, "far apart"),
            ({"taps": [{"cell": "1-1", "at": [9, 7]}, {"cell": "1-2", "at": [12, 7]}], "rotation_deg": 3}, "leave its"),
        ],
    )
    def test_refusals(self, shared: Place, wish: dict[str, Any], says: str) -> None:
        game = "hexes" if any(entry.game == "hexes" for entry in shared.services.games()) else shared.hexes()
        shared.services.table(game, lay=True)
        last = shared.services.event_store.last(table_of(game))
        assert says in sentence(shared.host.answer("PUT", f"/api/games/{game}/overlay", json=wish), 422)
        assert shared.services.event_store.last(table_of(game)) == last

    def test_players_do_not_lay_it(self, shared: Place) -> None:
        game, wish = shared.hexes(), {"size_in": 3, "origin": [9, 7]}
        player = shared.seated(game, "side attacker")
        assert "Only the host" in sentence(player.answer("PUT", f"/api/games/{game}/overlay", json=wish), 403)
        assert player.get(f"/api/games/{game}/overlay")["grid"] == "hex"
        answer = shared.host.answer("PUT", f"/api/games/{shared.one_hour()}/overlay", json=wish)
        assert "played in inches" in sentence(answer, 409)


class TestPrints:
    @pytest.mark.parametrize(
        "path",
        ["markers.pdf?width=72&depth=48&size=2&paper=a4", "tags.pdf?count=3&unit=cm", "board.pdf?board=8x6:24mm"],
    )
    def test_sheets(self, shared: Place, path: str) -> None:
        answer = shared.host.answer("GET", f"/api/prints/{path}")
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/pdf" and answer.content.startswith(b"%PDF")
        assert answer.headers["content-disposition"].startswith("attachment; filename=")
        assert len(answer.content) > 2000

    @pytest.mark.parametrize(
        ("path", "says"),
        [
            ("markers.pdf?width=6", "too small for a frame"),
            ("markers.pdf?size=9", "paper"),
            ("markers.pdf?paper=a0", "paper"),
            ("tags.pdf?dictionary=DICT_5X5_5", "There is no dictionary"),
            ("tags.pdf?first=30&count=30", "Tag 35 does not exist in DICT_APRILTAG_25h9, which has ids 0 to 34"),
            ("tags.pdf?size=nan", "size"),
            ("board.pdf?board=/etc/passwd.toml", "is no calibration board"),
            ("board.pdf?board=60x60:25mm", "has room for"),
        ],
    )
    def test_refusals(self, shared: Place, path: str, says: str) -> None:
        assert says in sentence(shared.host.answer("GET", f"/api/prints/{path}"), 422)
