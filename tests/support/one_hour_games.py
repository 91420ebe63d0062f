"""Games of One-Hour WWII for tests: small random ones, and plain tables to set a case on."""

import random
from dataclasses import replace

from tabletop.game import Game
from tabletop.open_table.setup import Shape, TerrainPiece
from tabletop.rulesets.one_hour_ww2.data import KINDS, HouseRules
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.setup import Exit, Objective, Setup, Standing, Tie, UnitSetup, Victory

SIZES = {"infantry": (1.6, 1.0), "mortar": (1.2, 1.0), "atg": (1.4, 1.2), "tank": (1.2, 1.8), "mortar-tank": (1.2, 1.8)}


def a_unit(
    name: str,
    side: str,
    kind: str,
    x: float,
    y: float,
    facing: float = 0.0,
    *,
    bases: int = 2,
    round_bases: bool = False,
    **more: object,
) -> UnitSetup:
    """A unit in line abreast whose unique base, the leftmost on the page, stands at (x, y)."""
    width, depth = SIZES[kind]
    shape = Shape("round", width, width) if round_bases else Shape("rect", width, depth)
    at = tuple(Standing(x + n * (width + 0.5), y, facing) for n in range(bases))
    return UnitSetup(name, side, kind, (shape,) * bases, at=at, **more)  # type: ignore[arg-type]


def random_setup(rng: random.Random) -> Setup:
    """A table of 24 by 24 inches with two units a side, something in the way, and two turns to play."""
    units, terrain = [], []
    for side, low, facing in (("blue", 3.0, 0.0), ("red", 14.0, 180.0)):
        for n in range(2):
            kind = rng.choice(tuple(KINDS))
            unit = a_unit(
                f"{side[0].upper()}{n + 1}",
                side,
                kind,
                3.0 + 11.0 * n + rng.uniform(0, 3),
                low + rng.uniform(0, 5),
                (facing + rng.choice((0, 0, 0, 90, 180))) % 360,
                bases=rng.choice((1, 2, 3)),
                round_bases=rng.random() < 0.2,
            )
            hits = rng.choice((0, 0, 4, 9, 12))
            units.append(replace(unit, hits=hits, permanent=5 if hits >= 10 else 0))
    for kind in rng.sample(("woods", "town", "hill", "river", "marsh", "field", "road"), rng.choice((0, 1, 2))):
        x, y, w, d = rng.uniform(0, 18), rng.uniform(8, 14), rng.uniform(2, 8), rng.uniform(1, 4)
        if kind == "road":
            x, y, w, d = 10.0, 0.0, 3.0, 24.0
        square = ((x, y), (x + w, y), (x + w, y + d), (x, y + d))
        terrain.append(
            TerrainPiece(f"{kind}-1", kind, square, hill_top=square if kind == "hill" and rng.random() < 0.5 else None)
        )
    exits = (Exit("edge", "blue", "the far edge", (0.0, 24.0), (24.0, 24.0)),) if rng.random() < 0.4 else ()
    middle = Objective("middle", "the middle", ((8.0, 8.0), (16.0, 8.0), (16.0, 16.0), (8.0, 16.0)))
    victories = [Victory("red", "hold", objectives=("middle",)), Victory("blue", "destroy", units=2)]
    if exits:
        victories.append(Victory("blue", "exit", units=1, exit="edge"))
    return Setup(
        "A small fight",
        ("blue", "red"),
        24.0,
        24.0,
        tuple(units),
        terrain=tuple(terrain),
        objectives=(middle,),
        exits=exits,
        ties=(Tie("middle", ("R2",), 8.0),) if rng.random() < 0.3 else (),
        victories=tuple(victories),
        otherwise=rng.choice(("", "red")),
        turns=2,
        dice=rng.choice(("d5", "d6")),
        rules=rng.choice((HouseRules(), HouseRules(close_in=2.0, long_range="minus two"))),
    )


def begun(*units: UnitSetup, **more: object) -> Game:
    """A game of those units whose first turn has begun; keywords of :class:`Setup`."""
    setup = {"title": "A case", "sides": ("blue", "red"), "width": 36.0, "depth": 36.0, "units": units, **more}
    game = Game.new(RULES, Setup(**setup))  # type: ignore[arg-type]
    game.push(game.parse("begin"))
    return game


def do(game: Game, words: str, *dice: int, **more: object) -> None:
    """Carry out actions in words, one after another with "; " between; the dice are the last one's."""
    *before, last = words.split("; ")
    for action in before:
        game.push(game.parse(action))
    game.push(game.parse(last), dice or None, **more)  # type: ignore[arg-type]


def codes(game: Game, words: str) -> set[str]:
    """The codes of what speaks against an action."""
    return {violation.code for violation in game.check(game.parse(words))}


def area(name: str, kind: str, x0: float, y0: float, x1: float, y1: float, **more: object) -> TerrainPiece:
    return TerrainPiece(name, kind, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), **more)  # type: ignore[arg-type]


def y_beyond(firer: str, target: str, gap: float) -> float:
    """The y of a target's unique base so that it stands so many inches ahead of a firer's at y = 6."""
    return 6 + SIZES[firer][1] / 2 + gap + SIZES[target][1] / 2


def face_off(firer: str, target: str, gap: float, *others: UnitSetup, **more: object) -> Game:
    """Blue's A and red's T face each other across a gap, bases abreast; in the step in which A fires.

    Keywords that begin with ``a_`` and ``t_`` are the units' own.
    """
    own = {key[2:]: more.pop(key) for key in [*more] if key.startswith("a_")}
    its = {key[2:]: more.pop(key) for key in [*more] if key.startswith("t_")}
    one = a_unit("A", "blue", firer, 10, 6, own.pop("facing", 0.0), **own)  # type: ignore[arg-type]
    two = a_unit("T", "red", target, 10, y_beyond(firer, target, gap), its.pop("facing", 180.0), **its)  # type: ignore[arg-type]
    game = begun(one, two, *others, **more)
    if KINDS[firer].fires_as != "mortar":
        do(game, "end")
    return game


def full_turn(game: Game) -> None:
    """End steps until the turn has ended, or the game."""
    turn = game.state.turn
    while game.outcome is None and game.state.turn == turn:
        do(game, "end")
