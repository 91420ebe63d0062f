"""``tabletop act next | proposed | impossible``: what computers want is done on the table, and what needs no choice."""

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
    """Which of these words stands alone for an action, in a game whose rules have no action of that name."""
    if words is None or len(words) != 1 or words[0].casefold() not in (NEXT, PROPOSED, IMPOSSIBLE):
        return None
    said = words[0].casefold()
    return None if game.ruleset.actions.knows(said) else said


def do(said: str, opened: Opened, asked: Asked, hand: Hand, *, roll: bool, seed: int | None) -> None:
    """Do what one of these words means, on the trial that ``asked`` holds; then keep and tell it."""
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
            raise UsageError("What comes next is for you to choose: `tabletop state` tells what may be done.")
    opened.store.append(opened.name, trial.records[told:])
    asked.tell_done(before, trial.records[told:])


def _first_action(asked: Asked, wanted: Proposal | None, said: str, hand: Hand) -> Any:
    """What is done before all that follows of itself: what the computer wants where that is confirmed or its dice are
    told, the only thing to do where its dice are."""
    from tabletop.game.opponents import only_choice

    if said == PROPOSED or (wanted is not None and hand.told):
        return None if wanted is None else wanted.action
    return only_choice(asked.game, asked.may) if hand.told else None
