"""How a game of Combined Arms begins: which variant, on which board, and from which position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from geometry.hex_layout import HexLayout
from tabletop.errors import RulesError
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER, ROAD
from tabletop.rulesets.combined_arms.data import (
    ATTACKER,
    COMPANIES,
    DEFENDER,
    PLATOONS,
    SIDES,
    TERRAIN,
    WOODED,
    Atg,
    Mode,
)
from tabletop.words import and_list

ROAD_NAMES = tuple(NAMES[n] for n in ROAD)
MOST_HANDICAP, MOST_MESSAGES = 50, 20


@dataclass(frozen=True)
class PlatoonAt:
    """A platoon of a position that a game begins with; ``hex`` empty: it has not entered yet."""

    id: str
    hex: str = ""
    state: str = "fresh"
    facing: int | None = None


@dataclass(frozen=True)
class CounterAt:
    """A defenders' counter of a position: where, whether revealed, fresh or spent, and its anti-tank guns."""

    hex: str
    revealed: bool = False
    state: str = "fresh"
    atg: Atg = "none"


@dataclass(frozen=True)
class Position:
    """A position that a game begins with, at the start of a friendly move phase; hexes by name. ``off`` are platoons
    that are gone for good."""

    turn: int = 1
    platoons: tuple[PlatoonAt, ...] = ()
    enemy: tuple[CounterAt, ...] = ()
    smoke: tuple[str, ...] = ()
    enemy_mortar: str | None = None
    losses: int = 0
    ammo: int = 0
    off: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setup:
    """A game to be begun.

    ``board`` names the terrain of hexes that are not open; ``None`` has it diced. ``position`` has the game begin in
    the middle, ``layout`` says where the board lies on a table. ``bidding`` (two players) has them bid for the
    defenders' command; else ``handicap`` is what the attackers add to their score. In the co-operative game
    ``commander_apart`` has the overall commander be a sixth player, and ``messages`` is how many written messages each
    player may send in a turn (0: the players talk).
    """

    title: str = "Combined Arms"
    mode: Mode = "solitaire"
    easier: bool = False
    board: tuple[tuple[str, str], ...] | None = None
    road: tuple[str, ...] = ROAD_NAMES
    position: Position | None = None
    layout: HexLayout | None = None
    bidding: bool = False
    handicap: int = 0
    commander_apart: bool = False
    messages: int = 0

    @property
    def sides(self) -> tuple[str, str]:
        """The attackers, then the defenders."""
        return SIDES

    def side_title(self, side: str) -> str:
        """How people call a side.

        >>> Setup().side_title("defender")
        'Defenders'
        """
        return {ATTACKER: "Attackers", DEFENDER: "Defenders"}.get(side, side)


def check_setup(setup: Setup) -> None:
    """Refuse a set-up that can't be played, with a sentence; raises RulesError."""
    check_board(setup)
    fault = next(iter(faults_of(setup.position, setup.board)), None)
    if fault is not None:
        raise RulesError(fault)


def check_board(setup: Setup) -> None:
    """Refuse what no board can look like, whoever put it there; raises RulesError."""
    if setup.board is not None:
        _check_hexes([name for name, _ in setup.board], "the board")
        for name, kind in setup.board:
            if kind not in TERRAIN:
                raise RulesError(
                    f'Hex {name} holds "{kind}", which is no terrain of Combined Arms: {and_list(TERRAIN)}.'
                )
    _check_hexes(setup.road, "the road")
    if (setup.bidding or setup.handicap) and setup.mode != "enemy-player":
        raise RulesError('Bids and handicaps belong to the game with a player for the enemy: mode = "enemy-player".')
    if setup.bidding and setup.handicap:
        raise RulesError("Either the players bid for the handicap or it is given, not both.")
    if (setup.commander_apart or setup.messages) and setup.mode != "co-operative":
        raise RulesError('A commander apart and messages belong to the game of a team: mode = "co-operative".')
    if not 0 <= setup.messages <= MOST_MESSAGES:
        raise RulesError(f"{setup.messages} messages a turn can't be: 0 (the players talk) to {MOST_MESSAGES}.")
    if not 0 <= setup.handicap <= MOST_HANDICAP:
        raise RulesError(f"A handicap of {setup.handicap} points can't be: 0 to {MOST_HANDICAP}.")
    if setup.position is not None:
        if setup.board is None:
            raise RulesError("A game that begins from a position needs its board's terrain too.")
        if setup.mode == "enemy-player":
            raise RulesError("A game with a player for the enemy begins with its secret deployment, not in the middle.")
        _check_position(setup.position)


def _check_hexes(names: tuple[str, ...] | list[str], what: str) -> None:
    for name in names:
        if name not in NUMBER:
            raise RulesError(f'There is no hex "{name}" for {what}: rows 1 to 9, as in 4-3 for row 4, hex 3.')
    twice = next((name for name in names if list(names).count(name) > 1), None)
    if twice is not None:
        raise RulesError(f"Hex {twice} stands twice in {what}; keep one of the two.")


def _check_position(position: Position) -> None:
    _check_hexes([c.hex for c in position.enemy], "the enemy")
    _check_hexes(position.smoke, "smoke")
    if position.enemy_mortar is not None:
        _check_hexes([position.enemy_mortar], "the enemy's mortars")
    counters = {counter.hex for counter in position.enemy}
    seen: dict[str, PlatoonAt] = {}
    for platoon in position.platoons:
        if platoon.id not in PLATOONS:
            raise RulesError(f'There is no platoon "{platoon.id}" in Combined Arms: {and_list(PLATOONS)}.')
        if platoon.id in seen:
            raise RulesError(f"Platoon {platoon.id} stands twice in the position; keep one of the two.")
        seen[platoon.id] = platoon
        if not platoon.hex:
            continue
        _check_hexes([platoon.hex], f"platoon {platoon.id}")
        if platoon.hex in counters:
            raise RulesError(f"Platoon {platoon.id} and an enemy counter both stand in {platoon.hex}.")
        if platoon.id[0] != "A" and platoon.facing is not None:
            raise RulesError(f"Platoon {platoon.id} is infantry, which has no facing: leave it out.")
    for name in position.off:
        if name not in PLATOONS or any(p.id == name and p.hex for p in position.platoons):
            raise RulesError(f"{name} can't be gone for good: it is no platoon, or it stands on the board.")


def faults_of(position: Position | None, board: Sequence[tuple[str, str]] | None) -> Iterator[str]:
    """What the rules never let come about in a position, a sentence each; a referee may still ask about such a one."""
    if position is None:
        return
    terrain = dict(board or ())
    by_hex: dict[str, list[PlatoonAt]] = {}
    for platoon in position.platoons:
        if platoon.hex:
            by_hex.setdefault(platoon.hex, []).append(platoon)
    for name, here in by_hex.items():
        armour = [p for p in here if p.id[0] == "A"]
        kind = terrain.get(name, "open")
        for p in armour:
            if kind in ("poor going", *WOODED):
                yield f"Armour {p.id} stands in {name}, {kind}, where no armour can be."
            if p.facing is None:
                yield f"Armour {p.id} needs a facing: a corner, 0 (top) and clockwise to 5."
        if len(armour) > 1:
            yield f"{and_list([p.id for p in armour])} stand in {name}; one platoon of armour is the most."
        companies = sorted({p.id[0] for p in here if p.id[0] in COMPANIES})
        if len(companies) > 1:
            yield f"Rifle platoons of {and_list(companies)} company share {name}; only one may."
    for counter in position.enemy:
        if counter.atg == "real" and not counter.revealed:
            yield f"The anti-tank guns in {counter.hex} are real, so their platoon must be revealed too."
