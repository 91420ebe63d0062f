"""What speaks against an action, all of it at once; empty where it is legal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tabletop.game.protocol import Violation
from tabletop.rulesets.combat import acts, armies, course, deploying, firing, moving
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import KINDS, SIDES
from tabletop.rulesets.combat.state import State

SEQUENCE, REFEREE = "Turn sequence", "The referee's word"
_DEPLOYING = (acts.Lay, acts.Army, acts.Place, acts.Deploy, acts.Unplace, acts.Establish, acts.Ready)
_TOSSING = (acts.Toss, acts.First)


def violations(state: State, action: acts.Action) -> tuple[Violation, ...]:
    """All that speaks against an action."""
    if state.step == "over" and not isinstance(action, acts.Correct):
        return (Violation("over", "The game is over.", SEQUENCE, firm=True),)
    return (
        tuple(_wrong_step(state, action))
        or tuple(_unknown(state, action))
        or tuple(_CHECKS[type(action)](state, action))
    )


def _wrong_step(state: State, action: acts.Action) -> Iterator[Violation]:
    """What has to be done before anything else, or is over."""
    if isinstance(action, acts.Correct):
        if state.step == "deploy":
            yield Violation("too-early", "Nothing is set right before the boards are joined.", REFEREE, firm=True)
        elif state.apart and action.unit:
            yield Violation("apart", "Pieces are set right at dawn, when the boards are joined.", REFEREE, firm=True)
        return
    if isinstance(action, acts.Concede):
        return
    if isinstance(action, _DEPLOYING):
        if state.step != "deploy":
            yield Violation("joined", "The boards are joined, so that deployment is over.", SEQUENCE, firm=True)
    elif state.step == "deploy":
        yield Violation("deploy-first", "Both sides deploy first and say that they are ready.", SEQUENCE, firm=True)
    elif isinstance(action, _TOSSING):
        if state.step != "toss":
            yield Violation("no-toss", "Who moves first is settled.", SEQUENCE, firm=True)
    elif state.step == "toss":
        yield Violation("toss-first", "First settle who moves first: toss, or first SIDE.", SEQUENCE, firm=True)
    elif state.pending and not isinstance(action, acts.Save):
        text = f"First roll the save of {state.pending[0].unit}, which was hit."
        yield Violation("save-first", text, "Salvo cards", firm=True)


def _unknown(state: State, action: acts.Action) -> Iterator[Violation]:
    """Names of squares, kinds and pieces that there are none of."""
    names = [name for name in (getattr(action, "to", None), getattr(action, "square", None)) if name is not None]
    names += getattr(action, "via", ())
    units = [name for name in (getattr(action, "unit", None), getattr(action, "target", None)) if name is not None]
    if isinstance(action, acts.Correct) and not action.unit:
        units = []
    if isinstance(action, acts.Place):
        names += [square for _, square in action.pieces]
        units += [what for what, _ in action.pieces if what != deploying.MINE]
    for name in names:
        if name not in state.field.number:
            last = state.field.names[-1]
            yield Violation("no-square", f'There is no square "{name}": a1 to {last}.', "Preparation", firm=True)
    for unit in units:
        if unit not in state.by_id:
            yield Violation("no-piece", f'There is no piece "{unit}" in this game.', "Armies", firm=True)
    kind = getattr(action, "kind", None)
    if kind is not None and kind not in KINDS:
        yield Violation("no-kind", f'There is no kind of piece "{kind}".', armies.POOL, firm=True)


def _nothing(state: State, action: acts.Action) -> Iterator[Violation]:
    return iter(())


def _side(state: State, action: Any) -> Iterator[Violation]:
    if action.side not in SIDES:
        text = f'There is no side "{action.side}": red or blue.'
        yield Violation("no-side", text, "Preparation", firm=True)


def _save(state: State, action: acts.Save) -> Iterator[Violation]:
    if not state.pending:
        yield Violation("nothing-to-save", "No piece was hit.", "Salvo cards", firm=True)


def _correct(state: State, action: acts.Correct) -> Iterator[Violation]:
    deck = action.hits is not None or action.misses is not None
    if bool(action.unit) == deck:
        yield Violation("what", "Say a piece or the deck to set right.", REFEREE, firm=True)
        return
    if deck:
        yield from _cards(state, action)
        return
    piece = state.by_id[action.unit]
    if action.off and action.to is not None:
        yield Violation("what", f"{piece.id} is either off the board or in {action.to}.", REFEREE, firm=True)
    if piece.at == OFF and action.to is None:
        yield Violation("off-board", f"{piece.id} is not on the board: say where to.", REFEREE, firm=True)
    if action.to is not None:
        n = state.field.number[action.to]
        other = state.standing.get(n)
        if other is not None and other.id != piece.id:
            text = f"{other.id} stands in {action.to}: one to a square."
            yield Violation("occupied", text, moving.STACKING, firm=True)
        yield from deploying.free_for_pieces(state, piece, n)
    if action.moved is not None and not 0 <= action.moved <= 12:
        yield Violation("moved", "A piece has moved 0 to 12 squares.", REFEREE, firm=True)


def _cards(state: State, action: acts.Correct) -> Iterator[Violation]:
    for what, value, most in (("hits", action.hits, state.setup.hits), ("misses", action.misses, state.setup.misses)):
        if value is None or not 0 <= value <= most:
            yield Violation("deck", f"The deck has 0 to {most} {what} left, and got {value}.", REFEREE, firm=True)


_CHECKS: dict[type[Any], Callable[[State, Any], Iterator[Violation]]] = {
    acts.Lay: deploying.against_laying, acts.Army: armies.against_army, acts.Place: deploying.against_place,
    acts.Deploy: deploying.against_deploying, acts.Unplace: deploying.against_unplace,
    acts.Establish: deploying.against_establishing, acts.Ready: deploying.against_ready, acts.Toss: _nothing,
    acts.First: _side, acts.Move: moving.against, acts.Fire: firing.against_fire, acts.Strike: firing.against_strike,
    acts.Fly: course.against_flying, acts.Save: _save, acts.Reinforce: course.against_reinforcing, acts.End: _nothing,
    acts.Concede: _side, acts.Correct: _correct,
}  # fmt: skip
