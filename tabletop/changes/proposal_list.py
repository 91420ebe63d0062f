"""Proposals with the ids that players choose them by, the acting side of each, and the possible answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tabletop.changes.proposals import Proposal
from tabletop.game.core import Game
from tabletop.game.protocol import NO_DICE, Dice

_ASKS_FOR = {"fired": "fire", "moved": "move"}
"""For questions without an action, by type: the kind of options that answer it."""


@dataclass(frozen=True)
class ActionAnswer:
    """An answer to what a proposal asks: an ``action`` as JSON and in ``words``, or none if the game stays as it is.

    ``says`` is the answer for people.
    """

    says: str
    action: Mapping[str, Any] | None = None
    words: str = ""


@dataclass(frozen=True)
class ListedProposal:
    """A proposal with its ``id``, which is the same whenever the same is seen; ``side``: the acting side (empty: none),
    ``needs``: the dice to enter with it, ``answers``: the possible answers to its question."""

    id: str
    proposal: Proposal
    side: str = ""
    needs: Dice = NO_DICE
    answers: tuple[ActionAnswer, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON; an answer's ``action`` is empty if the game stays as it is."""
        return {
            "id": self.id,
            **self.proposal.to_json(),
            "side": self.side,
            "needs": {"count": self.needs.count, "faces": list(self.needs.faces)},
            "answers": [{"action": answer.words, "says": answer.says} for answer in self.answers],
        }


def list_proposals(
    game: Game, proposals: Sequence[Proposal], observed: Mapping[str, Any] | None = None
) -> tuple[ListedProposal, ...]:
    """Proposals with ids, acting sides and answers, given the players' answers about units out of sight."""
    found: list[ListedProposal] = []
    taken: dict[str, int] = {}
    for proposal in _by_presence(proposals, observed or {}):
        about = [proposal.unit, proposal.what, proposal.words or proposal.question]
        digest = hashlib.sha256(json.dumps(about).encode()).hexdigest()[:6]
        name = f"{proposal.unit or 'table'}-{proposal.what}-{digest}".replace(" ", "-")
        taken[name] = number = taken.get(name, 0) + 1
        name = name if number == 1 else f"{name}-{number}"
        if proposal.action is None:
            found.append(ListedProposal(name, proposal, answers=_options(game, proposal)))
            continue
        side, needs = game.ruleset.actor(game.state, proposal.action), game.ruleset.dice(game.state, proposal.action)
        found.append(
            ListedProposal(name, proposal, side, needs, _yes_or_no(game, proposal) if proposal.question else ())
        )
    return tuple(found)


def _by_presence(proposals: Sequence[Proposal], observed: Mapping[str, Any]) -> list[Proposal]:
    """Skip removals of units that the players reported hidden, and ask nothing about units that they took off."""
    said = {one["about"]: one["value"] for one in observed.get("settled", ()) if one["ask"] == "presence"}
    found = []
    for proposal in proposals:
        value = said.get(proposal.unit) if proposal.what == "removed" else None
        if value == "off" and proposal.action is not None:
            found.append(replace(proposal, certain=True, question="", told=f"{proposal.unit} was taken off the table"))
        elif value != "hidden":
            found.append(proposal)
    return found


def _yes_or_no(game: Game, proposal: Proposal) -> tuple[ActionAnswer, ...]:
    action = game.ruleset.action_to_json(proposal.action)
    return ActionAnswer("Yes", action, proposal.words), ActionAnswer("No, the game stays as it is")


def _options(game: Game, proposal: Proposal) -> tuple[ActionAnswer, ...]:
    """The legal actions that answer a question without an action."""
    kind = _ASKS_FOR.get(proposal.what)
    if kind is None or not proposal.question:
        return ()
    legal = [one for one in game.options() if one.unit == proposal.unit and one.kind == kind and one.legal]
    answers = [ActionAnswer(one.text, one.actions.to_json(one.action), one.text) for one in legal]
    return (*answers, ActionAnswer("The game stays as it is")) if answers else ()
