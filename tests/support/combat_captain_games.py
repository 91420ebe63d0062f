"""Games of Combat Captain for tests: small random ones, and plain tables to set a case on."""

import random
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from tabletop.game import Game
from tabletop.rulesets.combat_captain import actions
from tabletop.rulesets.combat_captain.data import HouseRules, Kind
from tabletop.rulesets.combat_captain.play import RULES
from tabletop.rulesets.combat_captain.setup import Company, Setup, Shape, Standing, SubUnit, TerrainPiece

Event = TypeVar("Event")

STAND = Shape("rect", 1.5, 1.0)
SOLDIERS = ("rifles", "bazooka", "machine-gun", "mortar", "gun")


def a_sub(name: str, kind: Kind, x: float, y: float, facing: float | None = 0.0, **more: object) -> SubUnit:
    """A sub-unit at a place; four men where it is soldiers."""
    men = 4 if kind in SOLDIERS else 0
    return SubUnit(name, kind, **{"base": STAND, "men": men, "at": Standing(x, y, facing), **more})  # type: ignore[arg-type]


def a_company(name: str, side: str, subs: Iterable[SubUnit], **more: object) -> Company:
    found = tuple(subs)
    return Company(name, side, found, found[0].id, **{"radius_in": 12.0, **more})  # type: ignore[arg-type]


def a_setup(*companies: Company, **more: object) -> Setup:
    """A table of 48 by 48 inches, red first."""
    return Setup(
        **{"title": "A case", "sides": ("red", "blue"), "width": 48.0, "depth": 48.0, "companies": companies, **more}  # type: ignore[arg-type]
    )


def begun(*companies: Company, **more: object) -> Game:
    """A game of those companies whose first turn has begun; keywords of :class:`Setup`."""
    game = Game.new(RULES, a_setup(*companies, **more))
    game.push(game.parse("begin"))
    return game


def do(game: Game, words: str, *dice: int, **more: object) -> None:
    """Carry out actions in words, one after another with "; " between; the dice are the last one's."""
    *before, last = words.split("; ")
    for action in before:
        game.push(game.parse(action))
    game.push(game.parse(last), dice or None, **more)  # type: ignore[arg-type]


def random_setup(rng: random.Random) -> Setup:
    """A table of 24 by 24 inches, a company or two of few sub-units a side, something in the way, one or two turns."""
    companies = []
    for side, letter, low, facing in (("red", "A", 3.0, 0.0), ("blue", "B", 13.0, 180.0)):
        subs = []
        for n in range(rng.choice((2, 3))):
            kind: Kind = rng.choice(("rifles", "rifles", "bazooka", "machine-gun", "mortar", "gun", "vehicle",
                                     "half-track", "tank", "tank"))  # fmt: skip
            x, y = 4.0 + 6.0 * n + rng.uniform(-1, 1), low + rng.uniform(0, 7)
            sub = a_sub(f"{letter}{n + 1}", kind, round(x, 2), round(y, 2), facing)
            sub = replace(
                sub,
                men=rng.randint(1, 4) if sub.men else 0,
                arms=rng.choice(("rifles", "enhanced")),
                grade=rng.choice(("inferior", "normal", "superior")),
                armour=rng.choice(("thin", "normal", "superior")),
                cover=rng.choice((0, 0, 0, 1, 3, 4, 5)),
                base=Shape("round", 1.0, 1.0) if rng.random() < 0.3 else STAND,
            )
            if rng.random() < 0.15:
                at = sub.at
                assert at is not None
                sub = replace(sub, at=replace(at, covariance=(0.01, 0.0, 0.01), facing_sigma=2.0))
            subs.append(sub if rng.random() < 0.95 or not n else replace(sub, at=None))
        companies.append(a_company(letter, side, subs, radius_in=8.0, chits=rng.choice((0, 0, 0, 1))))
    terrain = []
    for ground in rng.sample(("woods", "town", "hill", "field"), rng.choice((0, 0, 1))):
        x, y, w, d = rng.uniform(0, 16), rng.uniform(8, 12), rng.uniform(2, 8), rng.uniform(1, 4)
        square = ((x, y), (x + w, y), (x + w, y + d), (x, y + d))
        terrain.append(TerrainPiece(ground, ground, square, height=1.0 if ground == "hill" else 0.0))
    return Setup(
        "A small fight",
        ("red", "blue"),
        24.0,
        24.0,
        tuple(companies),
        terrain=tuple(terrain),
        turns=rng.choice((1, 1, 2, 2, 3)),
        otherwise=rng.choice(("", "red", "blue")),
        rules=rng.choice((HouseRules(), HouseRules(penalty_first=True, company_blocks=False))),
    )


def codes(game: Game, words: str) -> set[str]:
    """The codes of what speaks against an action."""
    return {violation.code for violation in game.check(game.parse(words))}


def told(game: Game, kind: type[object]) -> str:
    record = next(r for r in reversed(game.records) if isinstance(game.event(r), kind))
    before = game.states_before({record.seq})[record.seq]
    return game.ruleset.event_text(before, game.event(record))


def last(game: Game, kind: type[Event]) -> Event:
    return next(event for record in reversed(game.records) if isinstance(event := game.event(record), kind))


def facing_off(
    *own: SubUnit, other: tuple[SubUnit, ...] = (), own_chits: int = 0, other_chits: int = 0, **more: object
) -> Game:
    """Red's company A against blue's company B, which is one squad unless told otherwise; the first turn has begun."""
    other = other or (a_sub("B1", "rifles", 20, 20, 180.0),)
    red, blue = a_company("A", "red", own, chits=own_chits), a_company("B", "blue", other, chits=other_chits)
    return begun(red, blue, **more)


def meeting(own: tuple[SubUnit, ...], other: tuple[SubUnit, ...], **more: object) -> Game:
    """As :func:`facing_off`, in the close combats of red's first turn."""
    game = facing_off(*own, other=other, **more)  # type: ignore[arg-type]
    game.push(actions.End())
    return game


def fight_out(game: Game, melee: tuple[int, int], *retreat: int) -> None:
    """A and B, of one squad each, fight a close combat; the loser throws four dice to retreat."""
    do(game, "assault A at B", 1, 2)
    do(game, "melee", *melee)
    do(game, "retreat", *(retreat or (1, 1, 1, 1)))
