"""Trusting a photo: the referee's corrections that bring a game into agreement with its table.

For a photo that is out of step, or one that players trust more than the log. Each ruleset defines its corrections;
:func:`put_right` carries out the chosen ones.
"""

from __future__ import annotations

from collections.abc import Collection
from pkgutil import resolve_name
from typing import Any

from tabletop.changes.proposal_list import ListedProposal, list_proposals
from tabletop.errors import AnswerError, RulesError
from tabletop.game.core import REFEREE, Game
from tabletop.game.parts import with_part
from tabletop.identity.question import way_round_asked
from tabletop.reading.toml_source import did_you_mean
from tabletop.reconcile.comparison import PhotoComparison, keep
from tabletop.reconcile.way_round import nothing_yet

RULESETS = with_part("truth")
"""Each ruleset's corrections for a trusted sight: a function of the state, the sight and its changes."""


def corrections(game: Game, seen: PhotoComparison) -> tuple[ListedProposal, ...]:
    """The differences between a game and a comparison, as corrections with ids; ``certain`` ones need no confirmation.

    A difference without an action can't be corrected by hand: its question says what is missing. Raises RulesError for
    rules that don't support photos.
    """
    if game.ruleset.name not in RULESETS:
        raise RulesError(
            f'The rules "{game.ruleset.name}" see no photos; {did_you_mean(game.ruleset.name, sorted(RULESETS))}'
        )
    if seen.seems_another_table:
        return ()
    if asked := way_round_asked(seen.observed):
        return list_proposals(game, [nothing_yet(asked)])
    found: Any = resolve_name(RULESETS[game.ruleset.name])(game.state, seen.sight, seen.found)
    return list_proposals(game, found)


def put_right(
    game: Game, seen: PhotoComparison, chosen: Collection[str] | None = None, *, reason: str = ""
) -> tuple[str, ...]:
    """Carry out the ``chosen`` corrections (``None``: all certain ones) as the referee; returns the ids of those done.

    The photo's observation is kept with them. Play on a :meth:`Game.trial` if either everything or nothing should
    count. Raises AnswerError for an unknown id or one that can't be carried out, IllegalError as pushing does.
    """
    known = {one.id: one.proposal for one in corrections(game, seen)}
    for name in chosen or ():
        if name not in known:
            listed = ", ".join(sorted(known)) or "nothing"
            raise AnswerError("The photo no longer corrects this.", f"It corrects no {name}, but {listed}.")
        if known[name].action is None:
            raise AnswerError(f"{name} can't be corrected by this photo: {known[name].question}")
    wished = [
        name for name, one in known.items() if (name in chosen if chosen is not None else one.certain and one.action)
    ]
    for name in wished:
        game.push(known[name].action, actor=REFEREE, photo=seen.photo, reason=reason)
    if wished:
        keep(game, seen)
    return tuple(wished)
