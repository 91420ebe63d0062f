"""What each piece of a side could do in its turn, one by one: go somewhere, fire on the way, and go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tabletop.rulesets.combat import actions, firing, moving
from tabletop.rulesets.combat.judging import Judge, Place
from tabletop.rulesets.combat.reaching import fire_from
from tabletop.rulesets.combat.state import Piece, in_play, one_piece

_LEAST = 0.03
"""What a plan has to be worth more than doing nothing."""
_LEAST_STRIKE = 0.15


@dataclass(frozen=True)
class Plan:
    """A piece goes to the square ``at``, fires at ``target`` there, which it destroys with a ``chance``, and ends on
    the square ``end``; ``gain`` is how much more that is worth than continuing without a shot, or staying.
    ``spends``: the shot uses up a poor card, for the sake of the shots that follow from a new deck."""

    piece: Piece
    gain: float
    at: int
    end: int
    target: Piece | None = None
    chance: float = 0.0
    spends: bool = False

    def action(self, judge: Judge) -> actions.Action:
        """The first action of it."""
        name = self.piece.id
        if self.at != self.piece.at:
            return actions.Move(name, judge.state.name(self.at))
        assert self.target is not None
        return (
            actions.Strike(name, self.target.id) if self.piece.kind == "plane" else actions.Fire(name, self.target.id)
        )


def plans(judge: Judge) -> list[Plan]:
    """What is worth doing now, best first: shots, whose results others wait for, then moves without a shot."""
    shots: list[Plan] = []
    moves: list[Plan] = []
    fresh: dict[str, list[Plan]] = {}
    for piece in judge.mine:
        if not in_play(judge.state, piece):
            continue
        if piece.kind == "plane":
            shots += _strikes(judge, piece)
            continue
        around = _Surroundings(judge, piece)
        moves += around.move()
        if firing.may_fire(judge.state, piece):
            shots += around.shots(judge.hit)
            if judge.hit < judge.fresh:
                fresh[piece.id] = list(around.shots(judge.fresh))
    spent = _spending(judge, [found for found in fresh.values() if found])
    return [*spent, *sorted(shots, key=_gain, reverse=True), *sorted(moves, key=_gain, reverse=True)]


def _spending(judge: Judge, fresh: list[list[Plan]]) -> list[Plan]:
    """Shots that use up the poor cards that are left, where more pieces than cards can fire: the pieces with the
    poorest targets. ``fresh`` are the shots of each piece from a new deck."""
    left = sum(firing.deck(judge.state)[:2])
    if left >= len(fresh):
        return []
    fresh.sort(key=lambda found: max(plan.gain for plan in found))
    each = sum(max(plan.gain for plan in found) for found in fresh[left:]) / left
    lost = 1 - judge.hit / judge.fresh
    found = []
    for others in fresh[:left]:
        rows = [(plan.gain - lost * plan.chance * judge.worth(plan.target), plan) for plan in others if plan.target]
        gain, plan = max(rows, key=lambda row: row[0])
        if gain + each > _LEAST:
            chance = plan.chance * judge.hit / judge.fresh
            found.append(replace(plan, gain=gain + each, chance=chance, spends=True))
    return found


def _gain(plan: Plan) -> float:
    return plan.gain


def _strikes(judge: Judge, plane: Piece) -> Iterator[Plan]:
    if firing.may_strike(judge.state, plane):
        for target in firing.struck_by(judge.state, plane):
            chance = judge.destroys("plane", target, cause="air")
            gain = chance * judge.worth(target) - judge.price_of_striking
            if gain > _LEAST_STRIKE:
                yield Plan(plane, gain, plane.at, plane.at, target, chance)


class _Surroundings:
    """Where a piece can go now, and what it is worth to end there."""

    def __init__(self, judge: Judge, piece: Piece) -> None:
        self.judge, self.piece = judge, piece
        self.ways = moving.ways(judge.state, piece)
        self._places: dict[int, Place] = {}
        self.here = self._worth(piece.at)
        self.best, self.most = self._best_end(piece.at, self.ways)

    def _worth(self, n: int) -> float:
        if n not in self._places:
            self._places[n] = self.judge.place(self.piece, n)
        return self._places[n].worth

    def _risk(self, way: tuple[int, ...]) -> float:
        """What mines on a way cost, in pieces."""
        return self.judge.mine_risk(self.piece, way) * self.judge.worth(self.piece)

    def _best_end(self, start: int, ways: Mapping[int, tuple[int, ...]]) -> tuple[int, float]:
        """The best square to end on, and what it is worth with the way there."""
        best, most = start, self._worth(start)
        for n, way in ways.items():
            value = self._worth(n) - self._risk(way)
            if value > most:
                best, most = n, value
        return best, most

    def move(self) -> Iterator[Plan]:
        """The best move without a shot, where one is worth it."""
        if self.most - self.here > _LEAST:
            yield Plan(self.piece, self.most - self.here, self.best, self.best)

    def shots(self, hit: float) -> Iterator[Plan]:
        """All shots from here and from where the piece can go that are worth it, where a card hits so likely."""
        judge, piece = self.judge, self.piece
        for n in (piece.at, *self.ways):
            zone = fire_from(judge.field, piece.kind, n)
            targets = [enemy for enemy in judge.enemies if zone >> enemy.at & 1]
            if not targets or (piece.data.ground and judge.field.on_base(1 - piece.side, n)):
                continue
            end, worth = (self.best, self.most) if n == piece.at else self._end_after(n)
            for target in targets:
                chance = hit * judge.unsaved(piece.kind, target)
                gain = chance * judge.worth(target) + worth - self.most
                if gain > _LEAST:
                    yield Plan(piece, gain, n, end, target, chance)

    def _end_after(self, n: int) -> tuple[int, float]:
        """The best square to end on after a shot from another one, and what it is worth."""
        state, way = self.judge.state, self.ways[n]
        moved = moving.after_leg(state, self.piece, way)
        there = state.but(pieces=one_piece(state, moved.id, moved))
        end, worth = self._best_end(n, moving.ways(there, moved))
        return end, worth - self._risk(way)
