"""A photo of a game of Combat as the truth: the corrections that put every piece where it is seen.

Pieces are put where they are measured to stand, whatever the rules make likely. Mines have no part in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.changes.proposals import Proposal
from tabletop.grids.squares.seeing import REASON
from tabletop.grids.squares.standing import SquareStander
from tabletop.grids.squares.terrain_proposals import GroundSight
from tabletop.rulesets.combat import actions
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.seeing import CombatSight, is_apart, open_of
from tabletop.rulesets.combat.state import Piece, State


def corrections(state: State, seen_board: CombatSight | GroundSight, _found: object) -> tuple[Proposal, ...]:
    """Where pieces are otherwise than by the log; what is not seen, or not told for certain, is asked.

    Pieces that are in one another's way are put right one after the other, in an order in which that can be. Nothing is
    corrected while armies deploy or the boards are apart.
    """
    if is_apart(state) or isinstance(seen_board, GroundSight):
        return ()
    sight = seen_board.sight
    seen = {one.id: one for one in sight.standers}
    here = open_of(state)
    asked = [one for piece in state.pieces for one in _questions_about(here, piece, seen.get(piece.id), sight.told)]
    wanted = {
        one.id: one.square
        for one in sight.standers
        if one.square is not None and one.id in state.by_id and (one.id in sight.told or not one.is_open)
    }
    return (*_place_corrections(here, wanted), *asked)


def _questions_about(
    state: State, piece: Piece, stander: SquareStander | None, told: frozenset[str]
) -> Iterator[Proposal]:
    if stander is None or stander.square is None:
        if piece.at != OFF:
            question = f"{piece.id} is in {state.name(piece.at)} by the log and not on the board: take it off?"
            action = actions.Correct(piece.id, off=True, reason=REASON)
            yield Proposal(
                piece.id, "removed", action, RULES.text(action), RULES.check(state, action), question=question
            )
    elif piece.id not in told and stander.is_open:
        yield Proposal(
            piece.id, "uncertain", question=f"Whether {piece.id} stands in {stander.square} is open: say so first."
        )


def _place_corrections(state: State, wanted: dict[str, str]) -> Iterator[Proposal]:
    """Corrections of places one after the other; those that can't be carry what speaks against them."""
    left = {name: to for name, to in wanted.items() if state.by_id[name].at != state.field.number[to]}
    before, found = state, True
    while left and found:
        found = False
        for name, to in list(left.items()):
            action = actions.Correct(name, to=to, reason=REASON)
            if RULES.check(state, action):
                continue
            yield _correction(before, name, action)
            del left[name]
            found = True
            for event in RULES.resolve(state, action, ()):
                state = RULES.apply(state, event)
    for name, to in left.items():
        action = actions.Correct(name, to=to, reason=REASON)
        yield Proposal(
            name,
            "moved",
            action,
            RULES.text(action),
            RULES.check(state, action),
            certain=True,
            told=_position_words(before, name, to),
        )


def _correction(state: State, name: str, action: actions.Correct) -> Proposal:
    told = _position_words(state, name, str(action.to))
    return Proposal(name, "moved", action, RULES.text(action), (), certain=True, told=told)


def _position_words(state: State, name: str, to: str) -> str:
    at = state.by_id[name].at
    where = "off the board" if at == OFF else f"in {state.name(at)}"
    return f"{name} stands in {to} and is {where} by the log"
