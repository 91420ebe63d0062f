"""What pieces and places are worth to a side, counted in pieces: what the strong computer goes by.

A piece in danger is worth less, by the exact odds of the enemy's fire in its next turn; one that can soon get to what
wins, or to the enemy's base line, more. All of it is worked out from what the side sees.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from tabletop.rulesets.combat import firing, moving, turn_flow
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import PLANE_SAVED_ON, SIDE_TITLES, SIDES
from tabletop.rulesets.combat.events import Cause
from tabletop.rulesets.combat.figures import moves_of
from tabletop.rulesets.combat.reaching import fire_zone, reach, steps_to
from tabletop.rulesets.combat.saving import save_of, saved_chance
from tabletop.rulesets.combat.state import Piece, State, in_play

_WINS = 50.0
"""What a place is worth that wins the battle at once."""
_FAR = 12
"""Steps from which on it does not matter how far away somebody is who is to be met."""


@dataclass(frozen=True)
class Weights:
    """How much counts what, in pieces.

    ``kinds`` are pieces themselves; ``new`` a piece that comes on; ``through`` and ``wins`` what a piece is worth
    besides that stands before the enemy's base line, or before what wins, and ``later`` the share of it that is left a
    turn further away. ``share`` is how much enemies are kept busy by others whom they could fire at, ``aim`` enemies in
    one's own fire, ``near`` a step nearer to the enemy, ``guard`` a step nearer to one whose way is worth more than
    ``runner``. Dangers count less by ``boldness`` for who is stronger, by ``hurry`` in every turn after ``patience``,
    by ``dare`` in every turn after ``calm`` ones in which the enemy has not fired (at most by ``boldest``: no piece is
    to go alone into the fire of many), and by ``rush`` for who is behind in the second half of the time that a battle
    has (at a draw, who waits fires first). ``near`` grows by ``dare`` too, at most by ``eager``, so that slow pieces
    come up.
    """

    kinds: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {"plane": 1.2, "tank": 1.4, "gun": 1.5, "foot": 1.1, "motorised": 1.3, "cavalry": 1.2, "helicopter": 1.7}
        )
    )
    new: float = 1.2
    through: float = 2.4
    wins: float = 8.0
    later: float = 0.62
    share: float = 0.7
    aim: float = 0.12
    near: float = 0.02
    guard: float = 0.3
    runner: float = 0.5
    boldness: float = 0.5
    patience: int = 20
    hurry: float = 0.03
    rush: float = 3.0
    calm: int = 3
    dare: float = 0.5
    boldest: float = 1.0
    eager: float = 4.0


WEIGHTS = Weights()


class Place(NamedTuple):
    """What it is worth to have a piece on a square at the end of its turn, in parts: what it wins there at once, where
    it can go from there, the danger, enemies in its fire, how near the enemy is, and who is to be met."""

    arrival: float = 0.0
    prospect: float = 0.0
    danger: float = 0.0
    aim: float = 0.0
    near: float = 0.0
    guard: float = 0.0
    bar: float = 0.0

    @property
    def worth(self) -> float:
        """All parts together."""
        return sum(self)


class _Threat(NamedTuple):
    """An enemy that fires: where it can in its next turn, how likely it is still there, and how many of the side's
    pieces stand in its fire now."""

    zone: int
    lives: float
    targets: int


class _Runner(NamedTuple):
    """An enemy on its way to what wins: steps from everywhere to it, what its way is worth, how many cover it."""

    at: int
    away: tuple[int, ...]
    prospect: float
    covered: int


class Judge:
    """Judges a state, as a side (0 or 1) sees it, for that side."""

    def __init__(self, state: State, own: int, weights: Weights = WEIGHTS) -> None:
        self.state, self.own, self.weights = state, own, weights
        self.field = state.field
        self.mine, self.enemies = state.armies[own], state.armies[1 - own]
        self._unsaved: dict[tuple[str, str, Cause, int], float] = {}
        self.hit, self.fresh = float(firing.hit_chance(state)), float(firing.fresh_hit_chance(state))

    # --- pieces and shots

    def destroys(self, by: str, target: Piece, cause: Cause = "fire") -> float:
        """How likely the next card and a shot of a kind of piece destroy a target where it stands."""
        return self.hit * self.unsaved(by, target, cause=cause)

    def unsaved(self, by: str, target: Piece, n: int = OFF, cause: Cause = "fire") -> float:
        """How likely a hit destroys a target, where it stands or on another square."""
        n = target.at if n == OFF else n
        key = by, target.kind, cause, n
        if key not in self._unsaved:
            need, _ = save_of(self.state, replace(target, at=n), cause, by)
            self._unsaved[key] = float(1 - saved_chance(need))
        return self._unsaved[key]

    def _hit_of(self, shots: int, before: int) -> float:
        """How likely a card hits on average of so many ``shots`` that follow so many ``before`` them: those from what
        is left of the deck, and those after it was shuffled."""
        left = max(0, sum(firing.deck(self.state)[:2]) - before)
        share = min(1.0, left / max(1, shots))
        return share * self.hit + (1 - share) * self.fresh

    def kind_worth(self, kind: str) -> float:
        """What a piece of a kind is worth by itself."""
        return self.weights.kinds[kind]

    def worth(self, piece: Piece) -> float:
        """What a piece is worth: itself, and where it can get to."""
        return self.kind_worth(piece.kind) + self.prospect(piece, piece.at)

    @property
    def price_of_striking(self) -> float:
        """What an air strike costs: the plane has to be saved."""
        return float(1 - saved_chance(PLANE_SAVED_ON)) * self.kind_worth("plane")

    # --- ways to what wins

    def prospect(self, piece: Piece, n: int) -> float:
        """What it is worth that a piece of either side can go from a square to what wins or to the base line."""
        if not piece.data.ground:
            return 0.0
        w, turns = self.weights, self.turns_through(piece, n)
        value = w.through * w.later**turns
        goals = self._to_goals[piece.side]
        return value if goals is None else max(value, w.wins * w.later ** self._turns(piece, goals[n]))

    def goal_in_view(self, piece: Piece, n: int) -> str:
        """What wins the battle and draws a piece on from a square more than the base line does; empty for none."""
        side = piece.side
        prospects = {
            title: self.weights.wins * self.weights.later ** self._turns(piece, steps_to(self.field, squares)[n])
            for title, squares in self._goals(side)
            if squares
        }
        title = max(prospects, key=lambda goal: prospects[goal], default="")
        return title if title and prospects[title] >= self.prospect(piece, n) else ""

    def _goals(self, side: int) -> Iterator[tuple[str, frozenset[int]]]:
        """What wins the battle for a side besides a majority, where it does with one piece more, and the enemy's
        headquarters: in words, and the squares."""
        enemy = SIDE_TITLES[SIDES[1 - side]]
        for goal in self.state.setup.objectives:
            squares = frozenset(self.field.number[name] for name in goal.squares)
            if SIDES.index(goal.side) != side and self._inside(side, squares) + 1 >= goal.pieces:
                yield goal.title or f"{enemy}'s {goal.kind}", squares
        place = self.state.headquarters[1 - side]
        if place != OFF:
            yield f"{enemy}'s headquarters", self.field.headquarters(1 - side, place)

    def could_win(self, piece: Piece) -> bool:
        """Whether a piece of either side could win the battle by its next move."""
        return piece.data.ground and bool(reach(self.field, piece.kind, piece.at) & self.winning[piece.side])

    def turns_through(self, piece: Piece, n: int) -> float:
        """How many turns a piece takes from a square to the enemy's base line."""
        return self._turns(piece, steps_to(self.field, self.field.base[1 - piece.side])[n])

    def _turns(self, piece: Piece, steps: int) -> float:
        return steps / max(1, moves_of(self.state.setup, piece.kind)[0])

    @cached_property
    def _to_goals(self) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
        """For Red and Blue the steps to what wins, where anything but a majority does."""
        goals = [frozenset[int]().union(*(squares for _, squares in self._goals(side))) for side in (0, 1)]
        return (
            steps_to(self.field, goals[0]) if goals[0] else None,
            steps_to(self.field, goals[1]) if goals[1] else None,
        )

    @cached_property
    def winning(self) -> tuple[frozenset[int], frozenset[int]]:
        """The squares that win the battle for Red and for Blue as soon as one more piece of theirs enters them."""
        return self._winning(0), self._winning(1)

    def _winning(self, side: int) -> frozenset[int]:
        place, fall = self.state.headquarters[1 - side], turn_flow.HEADQUARTERS_FALL_TO
        held = self.field.headquarters(1 - side, place) if place != OFF else frozenset[int]()
        won = [squares for _, squares in self._goals(side) if squares != held or self._inside(side, held) + 1 >= fall]
        return frozenset[int]().union(*won)

    def _inside(self, side: int, squares: frozenset[int]) -> int:
        return sum(p.at in squares for p in self.state.armies[side] if p.data.ground)

    # --- danger

    @cached_property
    def _shots(self) -> list[tuple[int, float]]:
        """Where the side's pieces that may still fire this turn can, and the share of each shot for an enemy there."""
        own = [p for p in self.mine if p.kind != "plane" and not p.fired and in_play(self.state, p)]
        zones = [] if self.state.night else [fire_zone(self.field, p.kind, p.at) for p in own]
        aims = [sum(zone >> e.at & 1 for e in self.enemies) for zone in zones]
        return [(zone, 1 / aimed) for zone, aimed in zip(zones, aims, strict=True) if aimed]

    @cached_property
    def _threats(self) -> list[_Threat]:
        hit, found = self._hit_of(len(self._shots), 0), []
        for enemy in self.enemies:
            if enemy.kind == "plane":
                continue
            zone = fire_zone(self.field, enemy.kind, enemy.at)
            fired_at = sum(part for own_zone, part in self._shots if own_zone >> enemy.at & 1)
            lives = math.exp(-hit * self.unsaved("gun", enemy) * fired_at)
            found.append(_Threat(zone, lives, sum(zone >> p.at & 1 for p in self.mine)))
        return found

    def danger(self, piece: Piece, n: int) -> float:
        """How likely a piece on a square is destroyed in the enemy's next turn.

        An enemy may be destroyed before, and fires at one piece only of those that it can.
        """
        firers = [threat for threat in self._threats if threat.zone >> n & 1]
        if not firers:
            return 0.0
        shots = len(firers) + sum(threat.targets > 0 and not threat.zone >> n & 1 for threat in self._threats)
        falls, safe = self._hit_of(shots, len(self._shots)) * self.unsaved("gun", piece, n), 1.0
        for threat in firers:
            others = threat.targets - (threat.zone >> piece.at & 1)
            safe *= 1 - falls * threat.lives / (1 + self.weights.share * others)
        return 1 - safe

    def under_fire(self, n: int) -> int:
        """How many enemies can fire on a square in their next turn."""
        return sum(threat.zone >> n & 1 for threat in self._threats)

    @cached_property
    def _caution(self) -> float:
        """How much dangers count: less for who is stronger, against an enemy who does not fire, where the battle goes
        on for long, and for who is behind as its time runs out; not at all in the battle's last turn."""
        state, w = self.state, self.weights
        setup, last = state.setup, state.index + 1 == len(state.order)
        if last and setup.days and (state.day, state.hour) == (setup.days, setup.turns_a_day):
            return 0.0
        stronger = (len(self.mine) + 1) / (len(self.enemies) + 1)
        late = w.hurry * max(0, state.turn - w.patience)
        if setup.days:
            gone = ((state.day - 1) * setup.turns_a_day + state.hour) / (setup.days * setup.turns_a_day)
            is_behind = turn_flow.strength(state, self.own) < turn_flow.strength(state, 1 - self.own)
            late = w.rush * max(0.0, 2 * gone - 1) if is_behind else 0.0
        return float(stronger**-w.boldness / (1 + late + min(self.daring, w.boldest)))

    @cached_property
    def quiet(self) -> int:
        """Turns since the one in which the enemy last fired, or since the battle began."""
        return max(0, self.state.turn - 1 - self.state.fired_in[1 - self.own])

    @cached_property
    def daring(self) -> float:
        """How much bolder it makes that the enemy has been quiet for long."""
        return self.weights.dare * max(0, self.quiet - self.weights.calm)

    def mine_risk(self, piece: Piece, way: tuple[int, ...]) -> float:
        """How likely a piece is lost on its way by one of the enemy's mines, of which nobody knows more than how many
        there may be."""
        if not piece.data.ground or not self._mined:
            return 0.0
        state, other = self.state, 1 - self.own
        unknown = sum(self.field.behind(other, n) and n not in state.exploded for n in way[1:])
        if not unknown:
            return 0.0
        need, _ = save_of(state, replace(piece, at=way[-1]), "mine")
        return float((1 - (1 - self._mined) ** unknown) * (1 - saved_chance(need)))

    @cached_property
    def _mined(self) -> float:
        """How likely a square behind the enemy's deployment line has a mine."""
        field, other = self.field, 1 - self.own
        gone = sum(field.own_half(other, n) for n in self.state.exploded)
        room = sum(field.behind(other, n) and not field.river[n] for n in range(field.count)) - gone
        return max(0.0, (self.state.setup.mines_each - gone) / max(1, room))

    # --- places

    def place(self, piece: Piece, n: int) -> Place:
        """What it is worth to have a piece on a square at the end of its turn."""
        field, w = self.field, self.weights
        arrival = self._arrival(piece, n)
        if piece.data.ground and (n in self.winning[self.own] or field.on_base(1 - self.own, n)):
            return Place(arrival)
        prospect = self.prospect(piece, n)
        zone = fire_zone(field, piece.kind, n)
        aims = sum(zone >> enemy.at & 1 for enemy in self.enemies)
        return Place(
            arrival,
            prospect,
            -self._caution * self.danger(piece, n) * (self.kind_worth(piece.kind) + prospect),
            w.aim * math.sqrt(min(aims, 3)),
            -w.near * (1 + min(self.daring, w.eager)) * self._nearest[n],
            -w.guard
            * sum(
                runner.prospect * min(runner.away[n], _FAR) / _FAR / (1 + runner.covered)
                for runner in self.runners
                if not zone >> runner.at & 1
            ),
            max((value for title, value in self.bars(piece, n)), default=0.0),
        )

    def bars(self, piece: Piece, n: int) -> Iterator[tuple[str, float]]:
        """What wins the battle for the enemy and has too little room for it with a piece of the side on a square: in
        words, and what that is worth."""
        other, w = 1 - self.own, self.weights
        ground = [enemy for enemy in self.enemies if enemy.data.ground]
        for title, squares in self._goals(other) if piece.data.ground and ground else ():
            place = self.state.headquarters[self.own]
            held = self.field.headquarters(self.own, place) if place != OFF else frozenset[int]()
            needed = turn_flow.HEADQUARTERS_FALL_TO - self._inside(other, squares) if squares == held else 1
            taken = {p.at for p in self.state.pieces if p.id != piece.id}
            if n in squares and len(squares - taken - {n}) < needed:
                steps = steps_to(self.field, squares)
                yield title, w.wins * w.later ** min(self._turns(enemy, steps[enemy.at]) for enemy in ground)

    def _arrival(self, piece: Piece, n: int) -> float:
        """What a piece wins at once by coming to a square."""
        field, other = self.field, 1 - self.own
        if not piece.data.ground:
            return 0.0
        if n in self.winning[self.own]:
            return _WINS
        value = self.weights.new * moving.new_pieces_owed(self.state, piece) if field.on_base(other, n) else 0.0
        return value + self.kind_worth("plane") * self.planes_taken(piece, n)

    def planes_taken(self, piece: Piece, n: int) -> int:
        """How many planes of the enemy are lost as a piece enters a square of their airstrip."""
        strip = self.field.strip_of.get(n)
        if strip is None or self.field.strip_side[strip] == self.own or self.field.strip_of.get(piece.at) == strip:
            return 0
        return sum(e.kind == "plane" and e.at in self.field.strips[strip] for e in self.enemies)

    @cached_property
    def _nearest(self) -> tuple[int, ...]:
        """Steps from each square to the nearest enemy."""
        return steps_to(self.field, frozenset(enemy.at for enemy in self.enemies))

    @cached_property
    def runners(self) -> list[_Runner]:
        """The enemies whose way to what wins is to be barred."""
        zones = [fire_zone(self.field, p.kind, p.at) for p in self.mine if p.kind != "plane"]
        found = []
        for enemy in self.enemies:
            prospect = self.prospect(enemy, enemy.at)
            if prospect > self.weights.runner:
                covered = sum(zone >> enemy.at & 1 for zone in zones)
                found.append(_Runner(enemy.at, steps_to(self.field, frozenset((enemy.at,))), prospect, covered))
        return found
