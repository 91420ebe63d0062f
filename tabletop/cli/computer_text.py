"""Computers' proposals, as text for terminals and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabletop.game import Game


def typed(game: Game) -> str:
    """A computer's proposal now, in sentences, and how to confirm it; empty without one."""
    from tabletop.game.opponents import proposal, wanted_in_words

    wanted = proposal(game)
    if wanted is None:
        return ""
    told = wanted_in_words(game, wanted)
    if wanted.by_itself:
        return f"{told} Say `tabletop act next`."
    dice = f" --dice {','.join('N' * wanted.dice.count)} (or --roll)" if wanted.dice.count else ""
    return (
        f"{told} It is `{wanted.words}`. Do it on the table and say `tabletop act proposed{dice}`; where that can't "
        "be, say `tabletop act impossible`."
    )


def wanted_json(game: Game) -> dict[str, Any]:
    """The computer's sides and its proposal now, as JSON under ``computers``; empty if only people play."""
    from tabletop.game.opponents import players_of, proposal

    players = players_of(game)
    if not players:
        return {}
    wanted = proposal(game)
    if wanted is None:
        return {"computers": {"players": players, "wanted": None}}
    hidden = {"side": wanted.side, "secret": True}
    dice = {"count": wanted.dice.count, "faces": list(wanted.dice.faces)}
    shown = {**hidden, "secret": False, "action": wanted.words, "label": wanted.label, "why": wanted.why, "dice": dice}
    return {"computers": {"players": players, "wanted": hidden if wanted.secret else shown}}
