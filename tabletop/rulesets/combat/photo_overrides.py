"""A photo of a game of Combat as the truth: the corrections that put every piece where it is seen.

Mines have no part in it.
"""

from __future__ import annotations

from dataclasses import replace

from tabletop.changes.proposals import Proposal
from tabletop.grids.squares.photo_overrides import Overrides
from tabletop.grids.squares.terrain_proposals import GroundSight
from tabletop.rulesets.combat.seeing import DEPLOYMENT, GAME, CombatSight, is_apart, open_of
from tabletop.rulesets.combat.state import State

_OVERRIDES = Overrides(replace(GAME, posts=DEPLOYMENT.posts))


def corrections(state: State, seen_board: CombatSight | GroundSight, _found: object) -> tuple[Proposal, ...]:
    """Where pieces are otherwise than by the log; what is not seen, or not told for certain, is asked. Nothing is
    corrected while armies deploy or the boards are apart."""
    if is_apart(state) or isinstance(seen_board, GroundSight):
        return ()
    return _OVERRIDES.corrections(open_of(state), seen_board.sight)
