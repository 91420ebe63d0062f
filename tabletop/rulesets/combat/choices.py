"""What may be done and what not: options with their reasons, and invariants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from tabletop.game.protocol import Odds, Option, Violation
from tabletop.rulesets.combat import acts, armies, course, deploying, firing, moving
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import KINDS, SIDES
from tabletop.rulesets.combat.firing import fire_range
from tabletop.rulesets.combat.saving import save_of
from tabletop.rulesets.combat.sayings import need_words, plural
from tabletop.rulesets.combat.state import Piece, State, in_play
from tabletop.rulesets.combat.words import army_form, text

if TYPE_CHECKING:
    from tabletop.rulesets.combat.play import Combat


def options(rules: Combat, state: State) -> tuple[Option, ...]:
    """Everything that may be wished now; what is not legal carries its reasons."""
    if state.step == "over":
        return ()
    make = _Maker(rules, state)
    found = list(_OPTIONS["save" if state.pending else state.step](make))
    found += [make(acts.Concede(side), side) for side in SIDES]
    return tuple(found)


class _Maker:
    """Makes an option of an action: its words, reasons and odds."""

    def __init__(self, rules: Combat, state: State) -> None:
        self.rules, self.state = rules, state

    def __call__(
        self,
        action: acts.Action,
        side: str,
        *,
        unit: str | None = None,
        target: str | None = None,
        advice: str = "",
        known: tuple[Violation, ...] | None = None,
    ) -> Option:
        """``known`` are the violations where they have been worked out."""
        words = text(action)
        return Option(
            words.split(" ", 1)[0],
            side,
            words,
            unit=unit,
            target=target,
            violations=self.rules.check(self.state, action) if known is None else known,
            advice=advice,
            odds=partial(self._odds, action),
        )

    def form(self, side: str, words: str, unit: str | None = None, advice: str = "") -> Option:
        """An option with a place left to fill in."""
        return Option(words.split(" ", 1)[0], side, words, unit=unit, advice=advice)

    def _odds(self, action: acts.Action) -> Odds | None:
        return self.rules.odds(self.state, action)


# --- before the battle -----------------------------------------------------------------------------------------------


def _deploy(make: _Maker) -> Iterator[Option]:
    if not any(make.state.armed):
        yield make.form(SIDES[0], "lay SQUARE TERRAIN", advice="the battlefield, as the players arrange it")
    for own, side in enumerate(SIDES):
        if not make.state.ready[own]:
            yield from _deploy_side(make, own, side)


def _deploy_side(make: _Maker, own: int, side: str) -> Iterator[Option]:
    state = make.state
    setup = state.setup
    if not state.armed[own] or not any(p.side == own and p.at != OFF for p in state.pieces):
        for army, name in armies.proposed(setup, side):
            yield make(army, side, advice=name)
        yield make.form(side, army_form(setup, side, "COUNT"), advice="numbers of your own")
    if state.armed[own]:
        yield from _placing(make, own, side)
    left = state.to_lay[own]
    yield make(acts.Ready(side), side, advice=f"{plural(left, 'mine')} not laid yet" if left else "")


def _placing(make: _Maker, own: int, side: str) -> Iterator[Option]:
    state = make.state
    whole = deploying.some_deployment(state, own)
    if whole.pieces:
        yield make(acts.Deploy(side), side, advice="all that is left, the same every time: easy to guess")
        yield make.form(
            side, f"deploy {side} number COUNT", advice="all that is left, by a number that you keep to yourself"
        )
    for piece in state.pieces:
        if piece.side == own and piece.at == OFF:
            yield make.form(side, f"place {piece.id} SQUARE", piece.id)
    if state.to_lay[own]:
        left = state.to_lay[own]
        yield make.form(side, "place mine SQUARE", advice=f"{left} left")
    for piece in state.armies[own]:
        name = state.name(piece.at)
        yield make(acts.Unplace(piece.id), side, unit=piece.id, target=name, known=())
    for n in sorted(state.laid[own]):
        yield make(acts.Unplace(state.name(n)), side, target=state.name(n), known=())
    if state.setup.headquarters:
        for n in range(state.field.count):
            if state.field.own_half(own, n) and state.field.terrain[n] in ("hill", "crest", "woods"):
                yield make(acts.Establish(state.name(n)), side, target=state.name(n))


def _toss(make: _Maker) -> Iterator[Option]:
    yield make(acts.Toss(), SIDES[0])
    for side in SIDES:
        yield make(acts.First(side), SIDES[0])


# --- the battle ------------------------------------------------------------------------------------------------------


def _play(make: _Maker) -> Iterator[Option]:
    state = make.state
    own = state.acting[0]
    side = SIDES[own]
    for piece in state.armies[own]:
        if not in_play(state, piece):
            continue
        if piece.kind == "plane":
            yield from _flights(make, piece, side)
            continue
        if firing.may_fire(state, piece):
            yield from _shots(make, piece, side)
        names, acting = state.field.names, piece.id
        for n in moving.ways(state, piece):
            yield make(acts.Move(acting, names[n]), side, unit=acting, target=names[n], known=())
    if state.owed:
        yield from _reinforcements(make, own, side)
    advice = "The corps commanders may confer now." if course.may_confer(state) else ""
    if state.owed:
        advice = f"{advice} New pieces that have not come on by then are forgone.".strip()
    yield make(acts.End(), side, known=(), advice=advice)


def _shots(make: _Maker, piece: Piece, side: str) -> Iterator[Option]:
    """Shots that pass, and those in range that the ground stops, with the reason."""
    state = make.state
    far, cells = fire_range(state, piece), state.field.cells
    own, lines = cells[piece.at], state.field.lines(piece.at)
    for other in state.armies[1 - piece.side]:
        at = cells[other.at]
        across, up = abs(at.col - own.col), abs(at.row - own.row)
        if max(across, up) > far or (across and up and across != up):
            continue
        action = acts.Fire(piece.id, other.id)
        clear = other.at in lines
        advice = f"saved on {need_words(*save_of(state, other, 'fire', piece.kind))}" if clear else ""
        yield make(action, side, unit=piece.id, target=other.id, advice=advice, known=() if clear else None)


def _flights(make: _Maker, piece: Piece, side: str) -> Iterator[Option]:
    state = make.state
    if firing.may_strike(state, piece):
        for other in firing.struck_by(state, piece):
            yield make(acts.Strike(piece.id, other.id), side, unit=piece.id, target=other.id, known=())
    elif not piece.fired and not state.night:
        enemy = next(iter(state.armies[1 - piece.side]), None)
        if enemy is not None:
            yield make(acts.Strike(piece.id, enemy.id), side, unit=piece.id, target=enemy.id)
    if not state.setup.house.planes_fly or piece.fired or state.night:
        return
    own = state.field.strip_of.get(piece.at)
    for n, strip in state.field.strip_of.items():
        if strip != own and state.field.strip_side[strip] == piece.side:
            yield make(acts.Fly(piece.id, state.name(n)), side, unit=piece.id, target=state.name(n))


def _reinforcements(make: _Maker, own: int, side: str) -> Iterator[Option]:
    """A form for each kind, and the squares next to the deployment line one by one."""
    state = make.state
    field = state.field
    line = [n for n in range(field.count) if field.rows_away[own][n] == state.setup.deployment - 1]
    for kind in state.setup.kinds:
        yield make.form(side, f"reinforce {kind} at SQUARE", advice=f"{state.owed} due; {KINDS[kind].title}")
        squares = sorted(field.strip_of) if kind == "plane" else line
        for n in squares:
            action = acts.Reinforce(kind, field.names[n])
            against = make.rules.check(state, action)
            if not against:
                yield make(action, side, target=field.names[n], known=against)


def _save(make: _Maker) -> Iterator[Option]:
    pending = make.state.pending[0]
    side = SIDES[make.state.by_id[pending.unit].side]
    advice = f"saved on {need_words(pending.need, pending.modifiers)}"
    yield make(acts.Save(), side, unit=pending.unit, advice=advice)


_OPTIONS: dict[str, Callable[[_Maker], Iterator[Option]]] = {
    "deploy": _deploy, "toss": _toss, "play": _play, "save": _save,
}  # fmt: skip


# --- invariants ------------------------------------------------------------------------------------------------------


def faults(state: State) -> tuple[str, ...]:
    """Invariants that a state breaks, in words."""
    return tuple(_faults(state))


def _faults(state: State) -> Iterator[str]:
    field = state.field
    seen: dict[int, str] = {}
    for piece in state.pieces:
        if (piece.at != OFF) != (piece.fate == "board"):
            yield f"{piece.id} is {piece.fate} and in square {piece.at}."
        if piece.at == OFF:
            continue
        if piece.at in seen:
            yield f"{piece.id} and {seen[piece.at]} share {state.name(piece.at)}."
        seen[piece.at] = piece.id
        if field.river[piece.at]:
            yield f"{piece.id} stands in the river in {state.name(piece.at)}."
        strip = field.strip_of.get(piece.at)
        if piece.kind == "plane" and (strip is None or field.strip_side[strip] != piece.side):
            yield f"{piece.id} is on no airstrip of its side."
        if piece.kind == "helicopter" and piece.at in field.wooded:
            yield f"{piece.id} stands in woods."
    if len(state.by_id) < len(state.pieces):
        yield "Two pieces have one name."
    if not (0 <= state.hits <= state.setup.hits and 0 <= state.misses <= state.setup.misses):
        yield f"The deck has {state.hits} hits and {state.misses} misses."
    for own in (0, 1):
        if state.to_lay[own] < 0 or state.to_lay[own] + len(state.laid[own]) > state.setup.mines_each:
            yield f"{SIDES[own]} has {len(state.laid[own])} mines on the board and {state.to_lay[own]} left."
    for pending in state.pending:
        if state.by_id[pending.unit].at == OFF:
            yield f"{pending.unit} is to be saved and not on the board."
    if state.owed < 0:
        yield f"{state.owed} new pieces are due."
    if state.step == "play" and not state.index < len(state.order):
        yield f"{state.index} commanders had this turn."
