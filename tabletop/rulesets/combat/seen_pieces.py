"""Where a photo shows the pieces, weighed by what the rules allow, and what that makes of the game.

What the measured places leave open is weighed by what the rules allow: a square that no legal move reaches is
:data:`UNLIKELY`. No mine has a part in it: who looks at a photo learns nothing of them. While armies deploy and while
the boards are apart nothing is compared, since both halves are secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from geometry.squares import distance
from tabletop.overlay.standing import OFF_BOARD, SURE
from tabletop.proposals import Proposal
from tabletop.rulesets.combat import acts, course, moving
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import KINDS, NAME, SIDES
from tabletop.rulesets.combat.figures import moves_of
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.seen_changes import SquareChange, SquareChanges
from tabletop.rulesets.combat.state import Piece, State
from tabletop.squared.laid import LaidSquares
from tabletop.squared.reading import about_stander
from tabletop.squared.standing import Nameless, SquareStander
from tabletop.sync import Reason, Sync

UNLIKELY = 0.01
"""How a square that no legal move leads to is weighed against one that is legal, or is as it was."""
SEVERAL = 2
"""So many pieces that went farther make a photo out of step."""
GONE_SHARE, GONE_LEAST = 0.6, 4
"""A photo that lacks this share, and so many, of the pieces on the board is out of step."""
REASON = "seen on the table"
_LEAST = 0.05


@dataclass(frozen=True, eq=False)
class SquareSight:
    """A sight of the board: who stands where, by the measured places and the players' answers (``told``: the pieces
    that they were asked about); ``nameless`` are bases of no known piece."""

    name: str
    table: tuple[float, float]
    laid: LaidSquares
    standers: tuple[SquareStander, ...]
    told: frozenset[str] = frozenset()
    nameless: tuple[Nameless, ...] = ()
    notes: tuple[str, ...] = ()

    def against(self, state: State) -> tuple[SquareChanges, Sequence[Proposal]]:
        """The changes square by square; proposals: moves in a legal order, what is against the rules, then what is
        asked."""
        if state.step == "deploy" or state.apart:
            why = "armies deploy in secret" if state.step == "deploy" else "the boards are apart"
            warning = f"While {why} a photo is not compared with the game: photograph the joined boards."
            return SquareChanges(self.name, self.table, (), warnings=(warning, *self.notes)), ()
        return _Compared(self, open_of(state)).told()


def open_of(state: State) -> State:
    """A state without its mines, as a photo is compared with it."""
    return state.but(laid=(frozenset(), frozenset()))


@dataclass(frozen=True, eq=False)
class _Compared:
    """A sight of the board and a state of its game at work."""

    sight: SquareSight
    state: State

    @cached_property
    def seen(self) -> dict[str, SquareStander]:
        """The pieces that are seen and that the game has, or may get."""
        return {s.id: s for s in self.sight.standers if s.id in self.state.by_id or self._may_come(s.id)}

    def _may_come(self, name: str) -> bool:
        """Whether a piece of that name could come on as a reinforcement now."""
        side = SIDES[self.state.acting[0]]
        kinds = {kind.letter: kind.id for kind in KINDS.values()}
        kind = kinds.get(name[1:2], "")
        if not self.state.owed or name[:1] != side[0].upper() or kind not in self.state.setup.kinds:
            return False
        return course.new_name(self.state, kind, self.state.acting[0]) == name

    @cached_property
    def places(self) -> dict[str, tuple[tuple[int, float], ...]]:
        """The squares that each of them may stand in with their chances, likeliest first."""
        return {name: self._weighed(stander) for name, stander in self.seen.items()}

    def _weighed(self, stander: SquareStander) -> tuple[tuple[int, float], ...]:
        number = self.state.field.number
        here = OFF if stander.square is None else number[stander.square]
        if stander.id in self.sight.told or not stander.is_open:
            return ((here, 1.0),)
        piece = self.state.by_id.get(stander.id)
        fits = {} if piece is None else dict.fromkeys((piece.at, *moving.ways(self.state, piece)), 1.0)
        shares = [(OFF if name == OFF_BOARD else number[name], p) for name, p in stander.footing.shares if p >= _LEAST]
        weighed = [(n, p * fits.get(n, UNLIKELY)) for n, p in shares] or [(here, 1.0)]
        total = sum(p for _, p in weighed)
        return tuple(sorted(((n, p / total) for n, p in weighed), key=lambda one: (-one[1], one[0])))

    def _is_open(self, name: str) -> bool:
        return self.places[name][0][1] < SURE

    def told(self) -> tuple[SquareChanges, tuple[Proposal, ...]]:
        """The changes, and the proposals in the order of settling."""
        sync = self._sync()
        units = tuple(change for piece in self.state.pieces if (change := self._change(piece)) is not None)
        asked = (*self._questions(), *self._about_nameless()) if sync.in_step else ()
        warnings = (*([] if sync.in_step else [sync.says]), *self._strangers(), *self.sight.notes)
        changes = SquareChanges(self.sight.name, self.sight.table, units, sync, tuple(asked), warnings)
        return changes, (*self._moved(), *self._doubted(), *self._missing(), *self._new())

    # --- what changed ------------------------------------------------------------------------------------------------

    def _change(self, piece: Piece) -> SquareChange | None:
        stander = self.seen.get(piece.id)
        before = None if piece.at == OFF else self._middle(piece.at)
        side = SIDES[piece.side]
        if stander is None:
            if piece.at == OFF:
                return None
            squares = self.state.name(piece.at), ""
            return SquareChange(piece.id, side, piece.kind, "removed", before, None, squares)
        at = self.places[piece.id][0][0]
        if at == OFF == piece.at:
            return None
        squares = self._name(piece.at), self._name(at)
        doubts = (about_stander(stander)["says"],) if self._is_open(piece.id) else ()
        change = "stayed" if at == piece.at else "new" if piece.at == OFF else "removed" if at == OFF else "moved"
        change = "uncertain" if doubts else change
        return SquareChange(piece.id, side, piece.kind, change, before, stander.at, squares, doubts)

    def _name(self, n: int) -> str:
        return "" if n == OFF else self.state.name(n)

    def _middle(self, n: int) -> tuple[float, float]:
        x, y = self.sight.laid.layout.centres([self.state.field.cells[n]])[0]
        return float(x), float(y)

    def _targets(self) -> Iterator[tuple[Piece, int]]:
        """Pieces on the board that stand elsewhere for certain, with their squares."""
        for name in self.seen:
            piece, at = self.state.by_id.get(name), self.places[name][0][0]
            if piece is not None and OFF not in (piece.at, at) and at != piece.at and not self._is_open(name):
                yield piece, at

    def _sync(self) -> Sync:
        """Several pieces farther than any move, or most of them gone."""
        cells, reasons = self.state.field.cells, []
        far = max(max(moves_of(self.state.setup, kind)) for kind in self.state.setup.kinds)
        over = [piece.id for piece, at in self._targets() if distance(cells[piece.at], cells[at]) > far]
        if len(over) >= SEVERAL:
            says = f"{', '.join(over)} are more than {far} squares from where they were, and no piece goes farther"
            reasons.append(Reason("too-far", says, tuple(over)))
        standing = [p.id for p in self.state.pieces if p.at != OFF]
        gone = [name for name in standing if name not in self.seen]
        if len(gone) - len(self.sight.nameless) >= max(GONE_LEAST, GONE_SHARE * len(standing)):
            reasons.append(Reason("gone", f"{len(gone)} of {len(standing)} pieces are not seen", tuple(gone)))
        return Sync(tuple(reasons))

    def _strangers(self) -> Iterator[str]:
        strange = [s.id for s in self.sight.standers if s.id not in self.seen and s.square is not None]
        if strange:
            yield f"The game has no {', '.join(strange)} that could stand on the board."

    # --- what is asked -----------------------------------------------------------------------------------------------

    def _questions(self) -> Iterator[dict[str, Any]]:
        for name, stander in self.seen.items():
            if self._is_open(name):
                yield {**about_stander(stander), "board": NAME}

    def _about_nameless(self) -> Iterator[dict[str, Any]]:
        """Which piece a base without a name is: those that are not seen, the near ones first."""
        cells = self.state.field.cells
        absent = [p for p in self.state.pieces if p.at != OFF and p.id not in self.seen]
        for base in self.sight.nameless:
            if base.footing.hex is None or not absent:
                continue
            here = cells[self.state.field.number[base.footing.hex]]
            fits = [p for p in absent if base.side in (None, SIDES[p.side]) and base.kind in (None, p.kind)] or absent
            chances = {p.id: 0.5 ** distance(cells[p.at], here) for p in fits}
            total = sum(chances.values()) / 0.95
            ranked = sorted(chances.items(), key=lambda one: (-one[1], one[0]))[:12]
            answers: list[dict[str, Any]] = [
                {"value": name, "chance": round(chance / total, 3), "says": name} for name, chance in ranked
            ]
            answers.append({"value": None, "chance": 0.05, "says": "no piece: leave out"})
            yield {
                "id": base.id,
                "about": base.id,
                "ask": "unit",
                "says": f"Which piece is the base in {base.footing.hex}?",
                "answers": answers,
                "covers": [[base.id]],
                "others": [p.id for p in absent if p.id not in dict(ranked)],
                "after": None,
            }

    # --- proposals ---------------------------------------------------------------------------------------------------

    def _moved(self) -> Iterator[Proposal]:
        """Moves that are legal one after the other, then those that are not with what speaks against them."""
        left = {piece.id: at for piece, at in self._targets()}
        state, found = self.state, True
        while left and found:
            found = False
            for name, at in list(left.items()):
                action = acts.Move(name, state.name(at))
                if RULES.check(state, action):
                    continue
                yield self._move(name, at, action)
                del left[name]
                found = True
                for event in RULES.resolve(state, action, ()):
                    state = RULES.apply(state, event)
        for name, at in left.items():
            action = acts.Move(name, self.state.name(at))
            against = RULES.check(state, action)
            if state.by_id[name].kind == "plane" and state.setup.house.planes_fly:
                flight = acts.Fly(name, self.state.name(at))
                told = f"{name} flew to {self.state.name(at)}"
                yield Proposal(
                    name, "moved", flight, RULES.text(flight), RULES.check(state, flight), certain=True, told=told
                )
                continue
            yield self._move(name, at, action, against)

    def _move(self, name: str, at: int, action: acts.Move, against: tuple[Any, ...] = ()) -> Proposal:
        before = self.state.name(self.state.by_id[name].at)
        told = f"{name} moved from {before} to {self.state.name(at)}"
        return Proposal(name, "moved", action, RULES.text(action), against, certain=True, told=told)

    def _doubted(self) -> Iterator[Proposal]:
        for name, stander in self.seen.items():
            if self._is_open(name):
                yield Proposal(name, "uncertain", question=about_stander(stander)["says"])

    def _missing(self) -> Iterator[Proposal]:
        """Pieces that the game has on the board and the photo has not, or beside it."""
        for piece in self.state.pieces:
            if piece.at == OFF or (piece.id in self.seen and self.places[piece.id][0][0] != OFF):
                continue
            if piece.id in self.seen and self._is_open(piece.id):
                continue
            where = "stands beside the board" if piece.id in self.seen else "is not seen"
            action = acts.Correct(piece.id, off=True, reason="not on the table")
            question = f"{piece.id} of {self.state.name(piece.at)} {where}: was it lost, or just lifted?"
            yield self._asking(piece.id, "removed", action, question)

    def _new(self) -> Iterator[Proposal]:
        """Pieces that are not on the board by the game and stand on it: reinforcements, or lost ones that are back."""
        for name in self.seen:
            piece, at = self.state.by_id.get(name), self.places[name][0][0]
            if at == OFF or self._is_open(name) or (piece is not None and piece.at != OFF):
                continue
            square = self.state.name(at)
            kind = next(kind.id for kind in KINDS.values() if kind.letter == name[1])
            if self._may_come(name):
                action: acts.Action = acts.Reinforce(kind, square)
                against = RULES.check(self.state, action)
                told = f"{name} came on in {square}"
                yield Proposal(name, "new", action, RULES.text(action), against, certain=True, told=told)
            elif piece is not None:
                action = acts.Correct(name, to=square, reason=REASON)
                question = f"{name} is lost by the log and stands in {square}: put it back?"
                yield self._asking(name, "new", action, question)

    def _asking(self, unit: str, what: str, action: acts.Action, question: str) -> Proposal:
        return Proposal(
            unit, what, action, RULES.text(action), RULES.check(self.state, action), certain=False, question=question
        )
