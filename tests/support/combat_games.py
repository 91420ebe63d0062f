"""Small battlefields of Combat for tests, and games that stand as they are needed."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from geometry.squares import SquareBoard
from tabletop.game import Game
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.data import HOUSE_TITLES, PERIODS, HouseRules, opponent
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.setup import Airstrip, Objective, Setup
from tabletop.rulesets.combat.state import State
from tests.support import ruleset_contract

_GROUND = ("hill", "crest", "woods")
TERRAINS = ("hill", "crest", "woods", "woods", "river", "bridge", "built-up", "defence")


def strips_of(columns: int, rows: int) -> tuple[Airstrip, Airstrip]:
    """An airstrip of two squares a side, on the base line in the left corner as each sees it."""
    board = SquareBoard(columns, rows)
    names = [board.name(square) for square in board.squares]
    return Airstrip("red", tuple(names[:2])), Airstrip("blue", tuple(names[-2:]))


def small_setup(rng: random.Random, **more: Any) -> Setup:
    """A battlefield of a few squares with everything on it, and rules at random, that ends with its last day."""
    columns, rows = rng.randint(4, 6), rng.choice((6, 8))
    house = HouseRules(**{name: rng.random() < 0.5 for name in HOUSE_TITLES})
    profile = rng.choice(("original", "codified"))
    airfields = rng.random() < 0.25
    if airfields:
        profile, house = "codified", replace(house, strip_on_base=False, planes_fly=True)
    strips = list(strips_of(columns, rows))
    taken = {name for strip in strips for name in strip.squares}
    board = SquareBoard(columns, rows)
    free = [board.name(square) for square in board.squares if board.name(square) not in taken]
    if profile == "codified" and not house.strip_on_base:
        second = f"{chr(96 + columns)}1", f"a{rows}"
        free = [name for name in free if name not in second]
        strips += [Airstrip("red", second[:1]), Airstrip("blue", second[1:])]
    ground = [(name, rng.choice(TERRAINS)) for name in free if rng.random() < 0.3]
    wet = {name for name, kind in ground if kind == "river"}
    roads = tuple(name for name in free if name not in wet and rng.random() < 0.25)
    covered = any(kind in ("hill", "crest", "woods") for _, kind in ground)
    period = "" if airfields else rng.choice(("", "", *PERIODS))
    goals = [
        Objective(f"{strip.side}-strip", "airstrip", strip.side, strip.squares)
        for strip in strips[:2]
        if rng.random() < 0.2
    ]
    blue = tuple(name for name in roads if board.parse(name).row >= rows // 2)
    if roads and rng.random() < 0.2 and blue:
        goals[:0] = [Objective("road", "road", "blue", blue[:2], 1, "the main road")]
    usual: dict[str, Any] = {
        "title": "Skirmish",
        "columns": columns,
        "rows": rows,
        "deployment": rng.choice((2, 3)) if rows == 6 else 3,
        "profile": profile,
        "period": period,
        "house": house,
        "players": rng.choice((2, 2, 2, 4)),
        "pieces": rng.randint(3, 6),
        "points": rng.choice((0, 0, 40)),
        "mines": rng.randint(0, 3),
        "hits": rng.randint(1, 4),
        "misses": rng.randint(1, 3),
        "ground": tuple(ground),
        "roads": roads,
        "airstrips": tuple(strips),
        "objectives": tuple(goals),
        "headquarters": covered and _two_headquarters(ground, board) and rng.random() < 0.3,
        "days": rng.choice((1, 1, 2)),
        "turns_a_day": rng.randint(3, 5),
        "regroup": 2,
    }
    return Setup(**(usual | more))


def _two_headquarters(ground: Sequence[tuple[str, str]], board: SquareBoard) -> bool:
    """Whether both halves have a hill or wood of two squares beside one another."""
    classes = {board.parse(name): "woods" if kind == "woods" else "hill" for name, kind in ground if kind in _GROUND}

    def half(square: Any) -> bool:
        return bool(square.row < board.rows // 2)

    good = [s for s in classes if any(classes.get(o) == classes[s] and half(o) == half(s) for o in board.around(s))]
    return any(half(s) for s in good) and not all(half(s) for s in good)


OPEN = Setup(title="Open field", columns=12, rows=12, deployment=3, pieces=15, mines=4,
             airstrips=strips_of(12, 12))  # fmt: skip
"""Open ground of 12 by 12 squares, airstrips in a1 b1 and k12 l12."""


def standing(
    setup: Setup,
    pieces: dict[str, str],
    *,
    mines: Sequence[str] = (),
    first: str = "red",
    headquarters: Sequence[tuple[str, str]] = (),
) -> State:
    """A battle in its first turn with these pieces on these squares; a mine is told by its half."""
    return standing_game(setup, pieces, mines=mines, first=first, headquarters=headquarters).state


def standing_game(
    setup: Setup,
    pieces: dict[str, str],
    *,
    mines: Sequence[str] = (),
    first: str = "red",
    headquarters: Sequence[tuple[str, str]] = (),
) -> Game:
    """The same as a game: its log is made of events as they are, and never judged."""
    from tabletop.game.records import Record
    from tabletop.rulesets.combat.data import BY_LETTER

    log: list[ev.Event] = list(RULES.start(setup))
    for side, letter in (("red", "R"), ("blue", "B")):
        own = [name for name in pieces if name.startswith(letter)]
        most: dict[str, int] = {}
        for name in own:
            kind = BY_LETTER[name[1]].id
            most[kind] = max(most.get(kind, 0), int(name[2:]))
        laid = tuple(name for name in mines if setup.rows_from_base(side, setup.squares.parse(name)) < setup.half)
        log.append(ev.Armed(side, tuple(most.items()), len(laid)))
        log.append(ev.Placed(side, tuple((name, pieces[name]) for name in own), laid))
    log += [ev.Established(side, square) for side, square in headquarters]
    log += [ev.Readied(first), ev.Readied(opponent(first), True), ev.Tossed(first)]
    log.append(ev.RoundBegan(1, 1, 1 if setup.is_timed else 0))
    records = []
    for seq, event in enumerate(log, 1):
        kind, body = ev.CODEC.to_json(event)
        records.append(Record(seq, f"{seq:016x}", "2026-05-02T14:00:00+00:00", "referee", kind, body, seq, "", ""))
    return Game(RULES, records)


def on(setup: Setup, **more: Any) -> Setup:
    """A set-up with fields changed; house rules by their names."""
    house = {name: more.pop(name) for name in HOUSE_TITLES if name in more}
    return replace(setup, house=replace(setup.house, **house), **more)


def ground(kinds: dict[str, str]) -> tuple[tuple[str, Any], ...]:
    """Terrain from kinds with their squares in one text each, as ``{"woods": "c3 c4"}``."""
    return tuple((name, kind) for kind, names in kinds.items() for name in names.split())


def done(state: State, words: str, *dice: int) -> State:
    """The state after an action in words, which must be legal."""
    action = RULES.parse(state, words)
    found = RULES.check(state, action)
    assert not found, (words, [str(v) for v in found])
    assert RULES.dice(state, action).count == len(dice), (words, RULES.dice(state, action))
    new: State = ruleset_contract.after(RULES, state, action, dice)
    return new


def rolled(state: State, action: Any, rng: random.Random) -> State:
    new: State = ruleset_contract.after(RULES, state, action, rng)
    return new


def later(state: State) -> State:
    """The same in the second turn, after a first shot: no save is easier for being the first."""
    return done(done(state, "end"), "end").but(salvos=1)


def codes(state: State, words: str) -> set[str]:
    """The codes of what speaks against an action in words."""
    return {v.code for v in RULES.check(state, RULES.parse(state, words))}


def begun(setup: Setup) -> State:
    """The state in which a game of a set-up begins."""
    state: State = ruleset_contract.begun(RULES, setup)
    return state
