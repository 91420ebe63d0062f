"""From what a photo shows to moves of a game: one look at the table, and what of it is carried out.

A :class:`Look` holds what changed, whether the photo follows the game, what it says has happened as proposals that can
be chosen by their ids, what it leaves open, and the dice that lie in it. Looking changes nothing; :func:`accept` does.
The command line and the server look and accept alike.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from tabletop.changes import Changes, changes_between
from tabletop.errors import AnswerError, SceneError
from tabletop.game.core import Game
from tabletop.game.errors import IllegalError
from tabletop.game.protocol import NO_DICE, Dice
from tabletop.game.records import SEEN, Record
from tabletop.proposals import Lifted, Proposal, Seeing, seeing
from tabletop.settle import settle
from tabletop.sightings import Marker, Sighting, markers_from_json, sighting_from_json
from tabletop.sync import Sync

_ASKS_FOR = {"fired": "fire", "moved": "move"}
"""What a question without an action of its own asks for, and the kind of options that answer it."""
_OF_ANSWERS = ("settled", "as_seen", "questions", "warnings")


class Found(Protocol):
    """What a sight differs in from a game: :class:`tabletop.changes.Changes`, or a ruleset's own in the same words."""

    @property
    def sync(self) -> Sync:
        """Whether the photo can follow the game."""

    @property
    def warnings(self) -> Sequence[str]:
        """What to know besides, in sentences."""

    @property
    def questions(self) -> Sequence[Mapping[str, Any]]:
        """What the comparison leaves open, as questions of :mod:`tabletop.doubts`."""

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""


class Sight(Protocol):
    """What a photo showed, ready to be compared with any state of its game."""

    def against(self, state: Any) -> tuple[Found, Sequence[Proposal]]:
        """What it differs in, and what it says has happened since that state, in the order of settling."""


@dataclass(frozen=True, eq=False)
class OnTable:
    """A sight of an open table; ``laid`` are the markers of the photo before, ``None`` where there is none."""

    judging: Seeing
    seen: Sighting
    laid: tuple[Marker, ...] | None = None

    def against(self, state: Any) -> tuple[Changes, Sequence[Proposal]]:
        """The changes base by base, and the ruleset's proposals."""
        limits = self.judging.limits(state.setup.dice)
        known = replace(self.judging.sighting(state), markers=self.laid)
        changes = changes_between(known, self.seen, limits, elsewhere=self.judging.elsewhere(state))
        return changes, self.judging.propose(state, changes)


@dataclass(frozen=True)
class Listed:
    """A proposal with its ``id``, the same whenever the same is seen; ``side``: whose action it is (empty: none),
    ``needs``: the dice to be said with it, ``answers``: what its question may be answered with, as words of actions."""

    id: str
    proposal: Proposal
    side: str = ""
    needs: Dice = NO_DICE
    answers: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON; an answer's ``action`` is empty where the game is to stay as it is."""
        return {
            "id": self.id,
            **self.proposal.to_json(),
            "side": self.side,
            "needs": {"count": self.needs.count, "faces": list(self.needs.faces)},
            "answers": [{"action": action, "says": says} for action, says in self.answers],
        }


@dataclass(frozen=True, eq=False)
class Look:
    """A photo compared with a game as it stood after the event ``seq``.

    ``observed`` is the observation with the answers so far and what the game makes the photo ask besides (``None``: it
    was a typed scene); ``photo`` is its SHA-256.
    """

    seq: int
    sight: Sight
    found: Found
    listed: tuple[Listed, ...]
    observed: Mapping[str, Any] | None = None
    photo: str = ""

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """The proposals without their ids."""
        return tuple(one.proposal for one in self.listed)

    @property
    def questions(self) -> tuple[Mapping[str, Any], ...]:
        """All that the photo leaves open."""
        return tuple((self.observed or {}).get("questions", ()) if self.observed else self.found.questions)

    @property
    def dice(self) -> tuple[dict[str, Any], ...]:
        """The dice that lie in the photo: id, ``value`` (``None``: it can't be read), ``confidence``, ``center`` in
        inches, ``question`` (the id of the one that asks for its value, or ``None``), and the unit beside which it
        counts ``hits`` (``None``: it counts none)."""
        seen = self.observed or {}
        asked = {q["about"]: q["id"] for q in seen.get("questions", ()) if q["ask"] == "value"}
        counted = {name: m.get("unit") for m in seen.get("markers", ()) for name in m.get("dice", ())}
        rows = []
        for place, die in enumerate(seen.get("dice", ()), 1):
            name = die.get("id", f"die{place}")
            rows.append(
                {
                    "id": name,
                    "value": die.get("value"),
                    "confidence": die.get("confidence", 1.0),
                    "center": list(die["center"]),
                    "question": asked.get(name),
                    "hits": counted.get(name),
                }
            )
        return tuple(rows)

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON: the changes in their own words, and beside them what this look adds."""
        told = {key: value for key, value in self.found.to_json().items() if key != "units"}
        return {
            **told,
            "seq": self.seq,
            "photo": self.photo,
            "proposals": [one.to_json() for one in self.listed],
            "questions": [dict(question) for question in self.questions],
            "settled": [dict(one) for one in (self.observed or {}).get("settled", ())],
            "dice": list(self.dice),
        }


@dataclass(frozen=True)
class Accepted:
    """What was carried out: its records (the last one keeps the observation), all that was lifted for it, and the ids
    that were chosen and had become needless on the way."""

    records: tuple[Record, ...] = ()
    lifted: tuple[Lifted, ...] = ()
    left: tuple[str, ...] = ()


# --- looking ---------------------------------------------------------------------------------------------------------


def look(
    game: Game,
    data: object,
    *,
    name: str = "the photo",
    photo: str = "",
    answers: Mapping[str, Any] | None = None,
) -> Look:
    """Compare an observation or a scene (the contract's mapping) with a game as it stands.

    ``answers`` are values by question id, written in before comparing; those that ``data`` holds already stay. Give
    ``Look.observed`` back as ``data``, and neither questions nor answers are lost. Raises SceneError where it can't be
    read or is of another table, AnswerError for an answer that can't be, RulesError for rules that see nothing.
    """
    judging = seeing(game.ruleset.name)
    observed = data if isinstance(data, Mapping) and "bases" in data else None
    if observed is None:
        if answers:
            raise AnswerError(f"{name} is no observation, so it asks nothing: leave the answers out.")
        return compare(game, OnTable(judging, sighting_from_json(data, name), markers_before(game, None)), photo=photo)
    laid = markers_before(game, observed)

    def sight(one: Mapping[str, Any]) -> OnTable:
        return OnTable(judging, sighting_from_json(one, name), laid)

    asked = with_questions(observed, sight(observed).against(game.state)[0].questions)
    if answers:
        asked = settle(asked, answers)
        asked = with_questions(asked, sight(asked).against(game.state)[0].questions)
    return compare(game, sight(asked), asked, photo=photo)


def compare(game: Game, sight: Sight, observed: Mapping[str, Any] | None = None, *, photo: str = "") -> Look:
    """A look at a game by what is seen already."""
    found, proposals = sight.against(game.state)
    return Look(game.seq, sight, found, listed(game, proposals, observed), observed, photo)


def with_questions(observed: Mapping[str, Any], more: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """An observation that asks ``more`` besides, each question once; which unit bases are is asked by the latest.

    What it was before any answer (``as_seen``) asks the same, so that answers can be written in.
    """
    told = dict(observed)
    answered = {(one["about"], one["ask"]) for one in observed.get("settled", ())}
    fresh = [question for question in more if (question["about"], question["ask"]) not in answered]
    told["questions"] = merged = _merged(observed.get("questions", ()), fresh, observed)
    if "as_seen" in observed:
        was = observed["as_seen"]
        known = {question["id"] for question in was.get("questions", ())}
        added = [dict(question) for question in merged if question["id"] not in known]
        told["as_seen"] = {**was, "questions": [*was.get("questions", ()), *added]}
    return told


def _merged(
    asked: Sequence[Mapping[str, Any]], more: Sequence[Mapping[str, Any]], observed: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Questions of which none asks for the same thing as another; those that are there keep their ids."""
    kept = [dict(question) for question in asked]
    taken = {question["id"] for question in (*kept, *observed.get("as_seen", {}).get("questions", ()))}
    for question in more:
        if any(_same(question, other) for other in kept):
            continue
        number = 1
        while f"p{number}" in taken:
            number += 1
        taken.add(f"p{number}")
        kept.append({**question, "id": f"p{number}"})
    return kept


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two questions ask for the same thing, or for the units of some of the same bases."""
    units = ("unit", "units")
    if one["ask"] in units and other["ask"] in units:
        return bool({b for ids in one["covers"] for b in ids} & {b for ids in other["covers"] for b in ids})
    return (one["ask"], one["about"]) == (other["ask"], other["about"])


def markers_before(game: Game, observed: Mapping[str, Any] | None) -> tuple[Marker, ...] | None:
    """The markers of the photo that the game kept last, before this one; ``None`` where it kept none.

    A photo that is looked at again is compared as it was the first time, unless the game began with it.
    """
    kept = [record for record in game.records if record.kind == SEEN]
    mine = None if observed is None else _unanswered(observed)
    others = [record for record in kept if _unanswered(record.body["observation"]) != mine]
    began_with = [record for record in kept[:1] if not any(r.action for r in game.records[: record.seq - 1])]
    last = (others or began_with)[-1:]
    markers = last[0].body["observation"].get("markers") if last else None
    return None if markers is None else markers_from_json(markers, "the photo before")


def _unanswered(observed: Mapping[str, Any]) -> dict[str, Any]:
    """What the photo alone says."""
    return {key: value for key, value in {**observed, **observed.get("as_seen", {})}.items() if key not in _OF_ANSWERS}


# --- proposals with their ids ----------------------------------------------------------------------------------------


def listed(game: Game, proposals: Sequence[Proposal], observed: Mapping[str, Any] | None = None) -> tuple[Listed, ...]:
    """Proposals with ids, whose they are and what may be answered, by what the players said of units out of sight."""
    found: list[Listed] = []
    taken: dict[str, int] = {}
    for proposal in _by_presence(proposals, observed or {}):
        about = [proposal.unit, proposal.what, proposal.words or proposal.question]
        digest = hashlib.sha256(json.dumps(about).encode()).hexdigest()[:6]
        name = f"{proposal.unit or 'table'}-{proposal.what}-{digest}".replace(" ", "-")
        taken[name] = number = taken.get(name, 0) + 1
        name = name if number == 1 else f"{name}-{number}"
        if proposal.action is None:
            found.append(Listed(name, proposal, answers=_options(game, proposal)))
            continue
        side, needs = game.ruleset.actor(game.state, proposal.action), game.ruleset.dice(game.state, proposal.action)
        answers = ((proposal.words, "Yes"), ("", "No, the game stays as it is")) if proposal.question else ()
        found.append(Listed(name, proposal, side, needs, answers))
    return tuple(found)


def _by_presence(proposals: Sequence[Proposal], observed: Mapping[str, Any]) -> list[Proposal]:
    """Units that the players said are hidden are not gone, and of those that were taken off nothing is asked."""
    said = {one["about"]: one["value"] for one in observed.get("settled", ()) if one["ask"] == "presence"}
    found = []
    for proposal in proposals:
        value = said.get(proposal.unit) if proposal.what == "removed" else None
        if value == "off" and proposal.action is not None:
            found.append(replace(proposal, certain=True, question="", told=f"{proposal.unit} was taken off the table"))
        elif value != "hidden":
            found.append(proposal)
    return found


def _options(game: Game, proposal: Proposal) -> tuple[tuple[str, str], ...]:
    """The legal actions that answer a question which has none of its own."""
    kind = _ASKS_FOR.get(proposal.what)
    if kind is None or not proposal.question:
        return ()
    legal = [one for one in game.options() if one.unit == proposal.unit and one.kind == kind and one.legal]
    return (*((one.text, one.text) for one in legal), ("", "The game stays as it is")) if legal else ()


# --- accepting -------------------------------------------------------------------------------------------------------


def accept(
    game: Game,
    seen: Look,
    chosen: Collection[str] | None = None,
    *,
    measured: bool = False,
    overrule: bool = False,
    dice: Mapping[str, Sequence[int]] | None = None,
    actor: str | None = None,
    reason: str = "",
) -> Accepted:
    """Carry out, one after another, the ``chosen`` proposals of a look (``None``: all that are certain and legal).

    To choose one is to answer its question with yes; once its dice are said, the unit is also put down where it is
    seen, if that is legal. ``measured`` and ``overrule`` as for :meth:`Game.push`, only for
    objections that were there from the start: one that comes up on the way is to be shown first. ``dice`` are faces
    by proposal. Of a photo that is out of step nothing is carried out, unless the referee overrules. What a photo
    showed is kept once anything was carried out. Play on a :meth:`Game.trial` where all of it or nothing is to count.

    Raises AnswerError for an id that the look lacks, SceneError for chosen ones of a photo out of step, IllegalError
    and ActionError as pushing does; where all that are certain are wished, what can't be is left.
    """
    ids = {one.id for one in seen.listed}
    for name in chosen or ():
        if name not in ids:
            raise AnswerError(f"This photo proposes no {name}; it proposes {', '.join(sorted(ids)) or 'nothing'}.")
    start, done, lifted = game.seq, set[str](), list[Lifted]()
    known = {(p.unit, str(v)) for p in seen.proposals for v in p.violations}
    rolled: set[str | None] = set()
    while True:
        current = compare(game, seen.sight, seen.observed, photo=seen.photo)
        if not (current.found.sync.in_step or overrule):
            if chosen:
                raise SceneError(current.found.sync.says)
            break
        certain = {
            one.id
            for one in current.listed
            if one.proposal.certain_enough(measured=measured, overrule=overrule)
            and all((one.proposal.unit, str(v)) in known for v in one.proposal.violations)
        }
        wished = certain if chosen is None else {*chosen}
        ready = [
            one
            for one in current.listed
            if one.id not in done
            and one.proposal.action is not None
            and (one.id in wished or (one.id in certain and one.proposal.unit in rolled))
        ]
        if not ready:
            break
        first = ready[0].proposal
        unknown = [v for v in first.violations if (first.unit, str(v)) not in known]
        if unknown:
            raise IllegalError(unknown)
        records = game.push(
            first.action,
            (dice or {}).get(ready[0].id),
            actor=actor,
            photo=seen.photo,
            measured=measured or bool(first.settled),
            overrule=overrule and bool(first.violations),
            reason=reason,
        )
        done.add(ready[0].id)
        rolled |= {first.unit} if chosen is not None and ready[0].needs.count else set()
        lifted += _lifted(first, records[0].seq, measured=measured)
    if done and seen.observed is not None:
        game.saw(dict(seen.observed), photo=seen.photo)
    return Accepted(game.records[start:], tuple(lifted), tuple(name for name in chosen or () if name not in done))


def _lifted(proposal: Proposal, seq: int, *, measured: bool) -> list[Lifted]:
    by_hand = [
        Lifted(seq, "players" if measured and violation.answer == "too-close" else "referee", violation)
        for violation in proposal.violations
    ]
    return [*by_hand, *(Lifted(seq, "photo", violation) for violation in proposal.settled)]
