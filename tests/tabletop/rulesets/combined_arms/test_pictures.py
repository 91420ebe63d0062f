"""The board of Combined Arms in pictures and as text: everything open is there, nothing secret ever, in every look."""

import math
import random
import re
from dataclasses import replace
from functools import cache

import pytest
import shapely

from geometry.drawing.scene import Area, Disc, Item, Letters, Line, Sheet
from geometry.drawing.svg import svg_text
from tabletop.boards import board_of
from tabletop.drawing.hexes import level, picture
from tabletop.game.core import Game
from tabletop.rulesets.combined_arms import board_text
from tabletop.rulesets.combined_arms.board import COUNT, NAMES, NUMBER, OFF
from tabletop.rulesets.combined_arms.canvas import canvas
from tabletop.rulesets.combined_arms.data import PLATOONS
from tabletop.rulesets.combined_arms.picture import LEGEND, board_items, board_sheet, report_board
from tabletop.rulesets.combined_arms.picture_marks import (
    cluster_items,
    grave_items,
    move_items,
    scatter_items,
    shot_items,
)
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.position import state_from_position
from tabletop.rulesets.combined_arms.scoring import score
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import Call, Secret, State


@cache
def game(mode: str = "solitaire", seed: int = 3) -> tuple[State, ...]:
    """All states of a game that simple players played."""
    rng, playing = random.Random(seed), Game.new(RULES, Setup(mode=mode, bidding=mode == "enemy-player"))  # type: ignore[arg-type]
    states = [playing.state]
    while playing.outcome is None:
        wish = next(wish for wish in RULES.bot_actions(playing.state, rng) if not playing.check(wish))
        playing.push(wish, rng=rng)
        states.append(playing.state)
    return tuple(states)


def some(mode: str = "solitaire", count: int = 12) -> list[State]:
    every = game(mode)
    return [*every[:: max(1, len(every) // count)], every[-1]]


def crowded() -> State:
    """Six platoons in one hex, defenders of every kind, smoke, and both mortars' targets."""
    inside = [{"id": name, "hex": "4-3", "state": "spent"} for name in ("D1", "D2", "M1", "M2")]
    state = state_from_position(
        {
            "board": {
                "4-3": "farm", "4-4": "woods", "5-4": "wooded crest", "5-5": "crest", "3-4": "poor going",
                "6-6": "woods", "6-3": "farm", "5-6": "crest",
            },
            "platoons": [
                *inside,
                {"id": "D3", "hex": "4-3"},
                {"id": "A1", "hex": "4-3", "state": "spent", "facing": 0},
                {"id": "F2", "hex": "3-3"},
                {"id": "E1", "hex": "1-7"},
            ],
            "enemy": [
                {"hex": "5-4", "revealed": True, "state": "spent", "atg": "real"},
                {"hex": "5-5", "state": "spent", "atg": "potential"},
                {"hex": "6-6", "revealed": True, "atg": "removed"},
                {"hex": "6-3"},
            ],
            "smoke": ["4-5", "4-6"],
            "enemy_mortar": "4-3",
            "losses": 6,
            "ammo": 3,
            "turn": 9,
            "off": ["A3"],
        }
    )  # fmt: skip
    return replace(state, call=Call(NUMBER["4-6"], "smoke", 9))


def all_marks(state: State) -> list[Item]:
    n = NUMBER
    return [
        *move_items([n["1-2"]], entered=True),
        *move_items([n["1-2"], n["2-2"]]),
        *move_items([n["9-4"]], left="exploited"),
        *scatter_items(n["3-3"], 4),
        *shot_items(n["4-3"], n["5-4"], 0),
        *shot_items(n["5-4"], n["4-3"], 1),
        *cluster_items([n["4-3"], n["3-3"]]),
        *grave_items("E2", n["2-2"]),
    ]


def full_sheet(state: State) -> Sheet:
    danger = {n: n / 10 for n in range(0, COUNT, 3)}
    return board_sheet(state, title="A crowded board", marks=all_marks(state), danger=danger)


def letters(items: tuple[Item, ...] | list[Item], start: str = "") -> list[str]:
    return [item.text for item in items if isinstance(item, Letters) and item.cls.startswith(start)]


def classes(items: tuple[Item, ...]) -> set[str]:
    return {item.cls for item in items if isinstance(item, Area | Disc | Letters | Line)}


def test_all_hexes_are_drawn_with_their_names_and_terrain() -> None:
    state = crowded()
    items = board_items(state)
    names = letters(items, "hex-name")
    assert sorted(names) == sorted(NAMES)
    titled = [item for item in items if isinstance(item, Area) and item.title.startswith(tuple(f"{n}," for n in NAMES))]
    assert len(titled) == COUNT
    for area in titled:
        n = NUMBER[area.title.partition(",")[0]]
        assert shapely.Polygon(area.points).contains(shapely.Point(canvas().centres[n]))
        assert area.cls == f"hex-{state.ground.terrain[n].replace(' ', '-')}"


@pytest.mark.parametrize("step", [0, 6, 12])
def test_every_platoon_and_counter_is_on_the_sheet_once(step: int) -> None:
    state = some()[step]
    sheet = board_sheet(state, title="x")
    board = board_items(state)
    assert sorted(letters(board, "letters-0")) == sorted(p.id for p in state.platoons if p.at != OFF)
    drawn = [text for text in letters(list(sheet.items), "letters-0") if text in PLATOONS]
    assert all(drawn.count(p.id) == 1 + _in_legend(sheet, p.id) for p in state.platoons)
    assert letters(board, "potential-1").count("?") == sum(not c.revealed for c in state.enemy)
    assert letters(board, "guns-1").count("AT?") == sum(c.atg == "potential" for c in state.enemy)
    assert letters(board, "guns-1").count("AT") == sum(c.atg == "real" for c in state.enemy)
    faces = [item for item in board if isinstance(item, Area) and item.cls == "counter-1"]
    assert len(faces) == len(state.enemy) + sum(c.atg in ("potential", "real") for c in state.enemy)


def _in_legend(sheet: Sheet, name: str) -> int:
    """How many sample counters of that name the legend has."""
    texts = {item.text for item in sheet.items if isinstance(item, Letters) and item.cls == "ink"}
    return (name == "D1") * len(texts & {"fresh", "spent"})


def test_pieces_lie_inside_their_hexes() -> None:
    on = canvas()
    for state in (crowded(), some()[6]):
        for item in board_items(state):
            if isinstance(item, Area) and item.cls.startswith(("counter-fresh", "counter-spent", "counter-guns")):
                (name,) = re.findall(r"in (\d+-\d+)", item.title)
                middle = shapely.Polygon(item.points)
                ring = shapely.Polygon(on.rings[NUMBER[name]])
                assert middle.difference(ring).area <= 0.03 * middle.area, item.title


def test_armour_shows_the_corner_that_it_faces() -> None:
    on = canvas()
    for facing in range(6):
        state = crowded()
        state = replace(state, platoons=tuple(replace(p, facing=facing) if p.id == "A1" else p for p in state.platoons))
        (wedge,) = [item for item in board_items(state) if isinstance(item, Area) and item.cls == "facing"]
        tip = wedge.points[0]
        corners = on.rings[NUMBER["4-3"]]
        assert min(range(6), key=lambda k: math.dist(corners[k], tip)) == facing


def test_danger_shades_and_tells_its_value() -> None:
    items = board_items(crowded(), danger={NUMBER["2-2"]: 1.0, NUMBER["2-3"]: 0.25, NUMBER["2-4"]: 0.0})
    assert letters(items, "danger-letters") == ["1", "0.25"]
    assert {"danger-5", "danger-2"} <= classes(items) and "danger-1" not in classes(items)
    assert [level(v, 10.0) for v in (0.1, 2.0, 9.9, 10.0)] == [1, 2, 5, 5]


def test_nothing_leaves_the_sheet() -> None:
    board = picture(report_board(crowded()), board_items(crowded()), LEGEND)
    for sheet in (full_sheet(crowded()), board, *map(titled, some(count=4))):
        for item in sheet.items:
            for x, y in [item.at] if isinstance(item, Disc | Letters) else item.points:
                assert sheet.left <= x <= sheet.right and sheet.bottom <= y <= sheet.top, item


def titled(state: State) -> Sheet:
    return board_sheet(state, title="x")


def test_the_tracks_show_where_the_markers_lie() -> None:
    state = replace(crowded(), smoke_rounds=2)
    here = letters(list(full_sheet(state).items), "track-here")
    assert sorted(here) == ["2", "3", "6", "9"], "smoke, ammunition, losses, turn"
    easier = replace(state, setup=replace(state.setup, easier=True))
    assert letters(list(titled(state).items), "track-late") and not letters(list(titled(easier).items), "track-late")


def test_the_legend_tells_what_occurs_and_nothing_else() -> None:
    texts = {key.text for key in LEGEND}
    told = {item.text for item in full_sheet(crowded()).items if isinstance(item, Letters)} & texts
    assert told == texts - {"not rolled for yet"}
    bare = {item.text for item in titled(game()[0]).items if isinstance(item, Letters)} & texts
    assert "not rolled for yet" in bare and not bare & {"smoke", "defenders", "lost", "facing", "spent"}


def test_the_headline_says_what_wins_and_the_tracks_are_beside_the_board() -> None:
    state = replace(crowded(), smoke_rounds=1)
    assert board_text.headline(state).endswith(f" The attackers have {score(state)} of the 20 points they need to win.")
    tracks = f"losses {state.losses}, ammunition fired {state.ammo}, both of 7; 1 smoke round left."
    assert f"The attackers' tracks: {tracks}" in " ".join(board_text.in_words(state).split())


def everything(state: State) -> tuple[str, ...]:
    texts = [svg_text(titled(state), title="x", description="y")]
    texts += [board_text.in_words(state), board_text.headline(state), board_text.next_words(state)]
    texts += [board_text.of_unit(state, name) for name in PLATOONS]
    return (*texts, *board_text.remarks(state, PLATOONS))


def test_what_the_enemys_player_knows_shows_nowhere() -> None:
    states = [state for state in some("enemy-player", 4) if state.secret is not None and state.step != "over"]
    assert len(states) > 2
    for state in states:
        secret = state.secret
        assert secret is not None
        other = Secret(5, 4, frozenset(c.at for c in state.enemy) - secret.platoon_hexes, frozenset())
        assert everything(state) == everything(replace(state, secret=other)) == everything(replace(state, secret=None))


def test_the_counter_that_its_player_decides_about_is_ringed_on_the_map() -> None:
    spoken = 0
    for state in game("enemy-player"):
        at = re.match(r"The counter in (\S+) acts", board_text.next_words(state))
        ringed = [mark.cell for mark in board_of("combined-arms", state, "defender").marks if mark.kind == "acting"]
        assert ringed == ([at[1]] if at else []) or state.pending or state.owed
        spoken += bool(at)
    assert spoken > 5


def test_sealed_bids_show_nowhere() -> None:
    first = game("enemy-player")[0]
    assert first.step == "bids"
    low, high = replace(first, bids=(1, None)), replace(first, bids=(9, None))
    assert everything(low) == everything(high)
    assert "player 2 still to bid" in board_text.next_words(low)
    assert board_text.brief(low, "bid 1 9") == "bid 1 in secret"
    assert board_text.brief(low, "post 8-4 guns 8-4") == "post in secret"
    assert board_text.brief(low, "move D1 to 2-2") == "move D1 to 2-2"


def test_the_text_board_has_every_hex_and_everyone() -> None:
    for state in some():
        words = board_text.board_text(state)
        lines = words.split("\n")
        assert len(lines) == 18 and all(len(line) <= 80 for line in lines) and words.isascii()
        for n, name in enumerate(NAMES):
            crowd = len(state.by_hex.get(n, ())) > 3
            assert crowd or f"{board_text.letter(state, n)}{name} " in words.replace("\n", " ") + " "
        for p in state.platoons:
            assert (p.id if p.fresh else p.id.lower()) in words or p.at == OFF
        assert words.count("X") == sum(c.revealed for c in state.enemy)
        assert words.count("?") == sum(not c.revealed for c in state.enemy)
        assert words.count("(") == sum(not c.fresh for c in state.enemy)


def test_a_crowded_hex_has_all_its_platoons() -> None:
    state = crowded()
    upper, lower = (row for row in board_text.board_text(state).splitlines() if "M" in row.upper() or "d1" in row)
    assert "fm1m2a1" in upper and "!d1d2D3" in lower
    words = board_text.in_words(state)
    assert "&" in words and "(XG)" in words and "(?g)" in words and "[X]" in words and "[?]" in words
    assert "Smoke in 4-5 and 4-6." in words and "A1 corner 0 (top)" in words and "E2" in words


def test_texts_fit_the_terminal_and_the_next_forms_are_of_actions_that_may_be_done() -> None:
    for state in (*some(), *some("co-operative"), *some("enemy-player", 40)):
        words = board_text.in_words(state)
        assert words.isascii() and all(len(line) <= 80 for line in words.splitlines())
        told = board_text.next_words(state)
        assert told.isascii() and bool(told) == (state.step != "over")
        assert '"' not in told, "what is typed is not said in words"
        kinds = {option.kind for option in RULES.options(state) if option.legal}
        typed = {form.split()[0] for form in board_text.next_forms(state)}
        assert state.step == "over" or typed & kinds, (state.step, typed, kinds)


def test_a_platoon_in_a_line() -> None:
    state = crowded()
    assert board_text.of_unit(state, "A1") == (
        "A1, armour platoon: spent; in 4-3, farm; facing corner 0 (top); with D1, D2, D3, M1 and M2; "
        "next to defenders in 5-4."
    )
    assert board_text.of_unit(state, "E2") == "E2, rifle platoon: to enter, fresh."
    assert board_text.of_unit(state, "A3") == "A3, armour platoon: withdrawn."
    assert board_text.remarks(state, ["F2", "E2", "A1"]) == ("A1 is next to defenders in 5-4.",)
