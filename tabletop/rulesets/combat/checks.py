"""What speaks against an action, all of it at once; empty where it is legal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tabletop.game.domains import Choice
from tabletop.game.violations import Violation
from tabletop.rulesets.combat import actions, armies, deploying, firing, moving, turn_flow
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import KINDS, MINE, MOST_STEPS, SIDES
from tabletop.rulesets.combat.state import Piece, State

SEQUENCE, REFEREE = "Turn sequence", "The referee's word"
_DEPLOYING = (
    actions.Lay,
    actions.Army,
    actions.Place,
    actions.Deploy,
    actions.Unplace,
    actions.Establish,
    actions.Ready,
)
_TOSSING = (actions.Toss, actions.First)


def violations(state: State, action: actions.Action) -> tuple[Violation, ...]:
    """All that speaks against an action."""
    if state.step == "over" and not isinstance(action, actions.Correct):
        return (Violation("over", "The game is over.", SEQUENCE, firm=True),)
    return (
        tuple(_wrong_step(state, action))
        or tuple(_unknown(state, action))
        or tuple(_CHECKS[type(action)](state, action))
    )


def _wrong_step(state: State, action: actions.Action) -> Iterator[Violation]:
    """What has to be done before anything else, or is over."""
    if isinstance(action, actions.Correct):
        if state.step == "deploy":
            yield Violation("too-early", "Nothing is set right before the boards are joined.", REFEREE, firm=True)
        elif state.apart and action.unit:
            yield Violation("apart", "Pieces are set right at dawn, when the boards are joined.", REFEREE, firm=True)
        return
    if isinstance(action, actions.Concede):
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
        yield Violation(
            "toss-first", "First settle who moves first.", SEQUENCE, firm=True, usage=("toss", "first SIDE")
        )
    elif state.pending and not isinstance(action, actions.Save):
        text = f"First roll the save of {state.pending[0].unit}, which was hit."
        yield Violation("save-first", text, "Salvo cards", firm=True)


def _unknown(state: State, action: actions.Action) -> Iterator[Violation]:
    """Names of sides, squares, kinds and pieces that there are none of."""
    side = getattr(action, "side", SIDES[0])
    if side not in SIDES:
        yield Violation("no-side", f'There is no side "{side}": red or blue.', "Preparation", firm=True)
    names = [name for name in (getattr(action, "to", None), getattr(action, "square", None)) if name is not None]
    names += getattr(action, "via", ())
    units = [name for name in (getattr(action, "unit", None), getattr(action, "target", None)) if name is not None]
    if isinstance(action, actions.Correct | actions.Unplace):  # a piece may stay away
        units = [name for name in units if name]
    if isinstance(action, actions.Unplace):
        names = [name for name in names if name]
    if isinstance(action, actions.Place):
        names += [square for _, square in action.pieces]
        units += [what for what, _ in action.pieces if what != MINE]
    for name in names:
        if name not in state.field.number:
            last = state.field.names[-1]
            yield Violation("no-square", f'There is no square "{name}": a1 to {last}.', "Preparation", firm=True)
    for unit in units:
        if unit not in state.by_id:
            yield Violation("no-piece", f'There is no piece "{unit}" in this game.', "Armies", firm=True)
    if isinstance(action, actions.Reinforce) and action.type not in KINDS:
        yield Violation("no-kind", f'There is no kind of piece "{action.type}".', armies.POOL, firm=True)


def _no_violations(state: State, action: actions.Action) -> Iterator[Violation]:
    return iter(())


def _save(state: State, action: actions.Save) -> Iterator[Violation]:
    if not state.pending:
        yield Violation("nothing-to-save", "No piece was hit.", "Salvo cards", firm=True)


def _correct(state: State, action: actions.Correct) -> Iterator[Violation]:
    if bool(action.unit) == (action.deck is not None):
        yield Violation("what", "Say a piece or the deck to set right.", REFEREE, firm=True)
        return
    if action.deck is not None:
        if action.off or any(one is not None for one in (action.to, action.fired, action.moved)):
            text = "The deck has hits and misses left, and nothing else is set right with it."
            yield Violation("what", text, REFEREE, firm=True)
        yield from _cards(state, action.deck)
        return
    piece = state.by_id[action.unit]
    if action.off and action.to is not None:
        yield Violation("what", f"{piece.id} is either off the board or in {action.to}.", REFEREE, firm=True)
    if piece.at == OFF and action.to is None:
        text = f"{piece.id} is not on the board: say where to."
        squares = tuple(Choice(name, name) for name in _free_squares(state, piece))
        yield Violation("off-board", text, REFEREE, firm=True, field="to", choices=squares)
    if action.to is not None:
        n = state.field.number[action.to]
        other = state.by_square.get(n)
        if other is not None and other.id != piece.id:
            text = f"{other.id} stands in {action.to}: one to a square."
            yield Violation("occupied", text, moving.STACKING, firm=True)
        yield from deploying.free_for_pieces(state, piece, n)
    if action.moved is not None and not 0 <= action.moved <= MOST_STEPS:
        yield Violation("moved", f"A piece has moved 0 to {MOST_STEPS} squares.", REFEREE, firm=True)


def _free_squares(state: State, piece: Piece) -> Iterator[str]:
    """Squares that a piece may be put on by hand."""
    for n, name in enumerate(state.field.names):
        if n not in state.by_square and next(deploying.free_for_pieces(state, piece, n), None) is None:
            yield name


def _cards(state: State, deck: tuple[int, int]) -> Iterator[Violation]:
    for what, value, most in zip(("hits", "misses"), deck, (state.setup.hits, state.setup.misses), strict=True):
        if not 0 <= value <= most:
            yield Violation("deck", f"The deck has 0 to {most} {what} left, and got {value}.", REFEREE, firm=True)


_CHECKS: dict[type[Any], Callable[[State, Any], Iterator[Violation]]] = {
    actions.Lay: deploying.against_laying,
    actions.Army: armies.against_army,
    actions.Place: deploying.against_place,
    actions.Deploy: deploying.against_deploying,
    actions.Unplace: deploying.against_unplace,
    actions.Establish: deploying.against_establishing,
    actions.Ready: deploying.against_ready,
    actions.Toss: _no_violations,
    actions.First: _no_violations,
    actions.Move: moving.against,
    actions.Fire: firing.against_fire,
    actions.Strike: firing.against_strike,
    actions.Fly: turn_flow.against_flying,
    actions.Save: _save,
    actions.Reinforce: turn_flow.against_reinforcing,
    actions.End: _no_violations,
    actions.Concede: _no_violations,
    actions.Correct: _correct,
}
