"""A photo as the truth: what the referee corrects so that a game stands as its table is seen.

For a photo that is out of step, or one that players agree on whatever the log says. Each ruleset says which of its
corrections lead there; :func:`put_right` carries out the chosen ones.
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
"""What each ruleset makes of a sight as the truth: a function of the state, the sight and what was found in it."""


def corrections(game: Game, seen: PhotoComparison) -> tuple[ListedProposal, ...]:
    """What differs between a game and a look at it, as corrections with ids; ``certain`` ones need no second thought.

    One without an action can't be said by hand: its question tells what is missing. Raises RulesError for rules that
    see nothing.
    """
    if game.ruleset.name not in RULESETS:
        raise RulesError(
            f'The rules "{game.ruleset.name}" see nothing; {did_you_mean(game.ruleset.name, sorted(RULESETS))}'
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
    """Carry out the ``chosen`` corrections (``None``: all that are certain) as the referee; the ids of those done.

    What the photo showed is kept with them. Play on a :meth:`Game.trial` where all of it or nothing is to count. Raises
    AnswerError for an id that is not among them or can't be carried out, IllegalError as pushing does.
    """
    known = {one.id: one.proposal for one in corrections(game, seen)}
    for name in chosen or ():
        if name not in known:
            listed = ", ".join(sorted(known)) or "nothing"
            raise AnswerError("The photo does not correct this any more.", f"It corrects no {name}, but {listed}.")
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
