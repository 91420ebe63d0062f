"""``tabletop act next | proposed | impossible``: computers' proposals on the table, and actions without a choice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tabletop.errors import UsageError

if TYPE_CHECKING:
    from tabletop.cli.game_answers import Asked
    from tabletop.cli.game_input import Hand, Opened
    from tabletop.game import Game
    from tabletop.game.opponents import Proposal

NEXT, PROPOSED, IMPOSSIBLE = "next", "proposed", "impossible"


def meant(words: Sequence[str] | None, game: Game) -> str | None:
    """The one of these words that stands alone for an action, if the game's rules have no action of that name."""
    if words is None or len(words) != 1 or words[0].casefold() not in (NEXT, PROPOSED, IMPOSSIBLE):
        return None
    said = words[0].casefold()
    return None if game.ruleset.actions.knows(said) else said


def do(said: str, opened: Opened, asked: Asked, hand: Hand, *, roll: bool, seed: int | None) -> None:
    """Carry out one of these words on the trial in ``asked``; then store and report it."""
    from tabletop.game import REFEREE
    from tabletop.game.opponents import decline, go_on, proposal

    trial = asked.game
    if trial.outcome is not None:
        raise UsageError(f"The game is over: {trial.outcome.reason} `tabletop aar` reports on it.")
    before, told = trial.state, trial.seq
    rng = (random.SystemRandom() if seed is None else random.Random(seed)) if roll and said == NEXT else None
    wanted = proposal(trial)
    if said != NEXT and wanted is None:
        raise UsageError("No computer is to act now: `tabletop state` tells who is.")
    if said == IMPOSSIBLE:
        assert wanted is not None
        if wanted.secret:
            raise UsageError(
                "The computer decides in secret now, with nothing to be done on the table: say `act next`."
            )
        decline(trial, wanted, REFEREE)
    else:
        first = _first_action(asked, wanted, said, hand)
        if first is not None:
            dice = hand.take(trial.ruleset.dice(trial.state, first))
            if dice is None:
                asked.want_dice(trial.ruleset.text(first), first)
            trial.push(first, dice)
        hand.check_all_used()
        went = go_on(trial, rng, asked.may)
        if first is None and not went.done and went.stop == "dice":
            asked.want_dice(trial.ruleset.text(went.action), went.action)
        if first is None and not went.done and went.stop == "choice":
            raise UsageError("The next choice is yours: `tabletop state` lists the possible actions.")
    opened.store.append(opened.name, trial.records[told:])
    asked.tell_done(before, trial.records[told:])


def _first_action(asked: Asked, wanted: Proposal | None, said: str, hand: Hand) -> Any:
    """The action before any automatic ones: the computer's proposal if it is confirmed or its dice are given, or the
    only possible action if its dice are given."""
    from tabletop.game.opponents import only_choice

    if said == PROPOSED or (wanted is not None and hand.told):
        return None if wanted is None else wanted.action
    return only_choice(asked.game, asked.may) if hand.told else None
