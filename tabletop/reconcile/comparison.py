"""From a photo to moves of a game: comparing the two, and carrying out the proposals.

A :class:`PhotoComparison` holds the changes, whether the photo follows the game, the events that it implies as
proposals with ids, the open questions, and the dice in the photo. Comparing changes nothing; :func:`accept` does. The
command line and the server use the same functions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from tabletop.changes.detection import Changes, changes_between
from tabletop.changes.proposal_list import ListedProposal as ListedProposal
from tabletop.changes.proposal_list import list_proposals
from tabletop.changes.proposals import KNOWN, Lifted, Proposal, Seeing, seeing_of
from tabletop.changes.terrain import unsettled_words
from tabletop.errors import AnswerError, SceneError
from tabletop.game.core import Game
from tabletop.game.errors import IllegalError
from tabletop.game.parts import part, with_part
from tabletop.game.protocol import PUBLIC
from tabletop.game.records import SEEN, Record
from tabletop.grids.board_changes import BoardChanges
from tabletop.grids.cells import cells_of
from tabletop.grids.photo_questions import of_the_photo
from tabletop.identity.observation_rows import Observation
from tabletop.identity.out_of_step import Sync
from tabletop.identity.question import ids_asked, same_table_said, way_round_asked
from tabletop.identity.table_snapshot import Marker, Sighting, markers_from_json, sighting_from_json
from tabletop.identity.unit_motion import SeenChange
from tabletop.questions.settling import settle
from tabletop.reconcile.erased_terrain import erased_terrain, without_erased
from tabletop.reconcile.known_table import other_table
from tabletop.reconcile.way_round import nothing_yet, turned_by_units, ways_round
from tabletop.tables.folded_lists import unfolded

if TYPE_CHECKING:
    from tabletop.grids.placement import BoardPlacement
    from tabletop.tables.model import Overlay

BOARDS = with_part("read_sight")
"""Rulesets with tables that are read cell by cell: the reader of each, a function of the state, the data, its name, the
placement of the board and answers, which returns the observation with these and its :class:`Sight`."""
SECRET_BOARDS = with_part("read_sight_for")
"""Those of them with secret positions: their reader also takes the viewer."""
_FIRST_BOARD = "combined-arms"
"""The rules of a board question that does not name its rules."""
_OF_ANSWERS = ("settled", "as_seen", "questions", "further_questions", "warnings")


class SightChanges(Protocol):
    """The differences between a sight and a game: :class:`tabletop.changes.detection.Changes`, or a ruleset's own class
    with the same members."""

    @property
    def sync(self) -> Sync:
        """Whether the photo can follow the game."""

    @property
    def seen_changes(self) -> Mapping[str | None, SeenChange]:
        """The measured changes of units that did not stay, by unit."""

    @property
    def warnings(self) -> Sequence[str]:
        """Warnings, in sentences."""

    @property
    def questions(self) -> Sequence[Mapping[str, Any]]:
        """The open points of the comparison, as questions of :mod:`tabletop.identity.identity_questions`."""

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""


class Sight(Protocol):
    """The contents of a photo, ready to be compared with any state of its game."""

    def against(self, state: Any) -> tuple[SightChanges, Sequence[Proposal]]:
        """The differences, and proposals for what happened since that state, in the order of resolving."""


@runtime_checkable
class SecretSight(Sight, Protocol):
    """A sight that may be secret to one side."""

    @property
    def is_secret(self) -> bool:
        """Whether it is secret."""


@dataclass(frozen=True, eq=False)
class OnTable:
    """A sight of an open table; ``laid`` are the markers of the photo before, ``None`` without one."""

    judging: Seeing
    seen: Sighting
    laid: tuple[Marker, ...] | None = None

    def against(self, state: Any) -> tuple[Changes, Sequence[Proposal]]:
        """The changes base by base, and the ruleset's proposals."""
        limits, elsewhere = self.judging.limits(state.setup.dice), self.judging.elsewhere(state)
        known = replace(self.judging.sighting(state), markers=self.laid)
        changes = changes_between(known, self.seen, limits, elsewhere=elsewhere)
        if unsettled := unsettled_words(changes):
            changes = replace(changes, warnings=(*changes.warnings, unsettled))
        return changes, self.judging.propose(state, changes)


@dataclass(frozen=True)
class PhotoDie:
    """A die in the photo: its ``value`` (``None``: it can't be read), the confidence in it, its ``center`` in inches,
    the id of the ``question`` that asks for its value (``None``: none), and the unit beside which it counts ``hits``
    (``None``: none)."""

    id: str
    value: int | None
    confidence: float
    center: tuple[float, float]
    question: str | None
    hits: str | None


@dataclass(frozen=True, eq=False)
class PhotoComparison:
    """A photo compared with a game in its state after the event ``seq``.

    ``observed`` is the observation with the answers so far and the questions that the game adds (``None``: it was a
    typed scene); ``photo`` is its SHA-256. ``ways``: see :func:`compare`.
    """

    seq: int
    sight: Sight
    found: SightChanges
    listed: tuple[ListedProposal, ...]
    observed: Observation | None = None
    photo: str = ""
    ways: tuple[Sighting, ...] = ()

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """The proposals without their ids."""
        return tuple(one.proposal for one in self.listed)

    @property
    def questions(self) -> tuple[Mapping[str, Any], ...]:
        """The open questions of the photo; one that seems to show a different table asks only about that."""
        asked = self.observed.get("questions", ()) if self.observed else self.found.questions
        return tuple(one for one in asked if one["ask"] == "table" or not self.seems_another_table)

    @property
    def further(self) -> tuple[Mapping[str, Any], ...]:
        """Further questions that players may open."""
        return (
            ()
            if self.observed is None or self.seems_another_table
            else tuple(self.observed.get("further_questions", ()))
        )

    @property
    def seems_another_table(self) -> bool:
        """Whether the photo seems to show a different table, so that nothing of it counts."""
        return self.found.sync.state == "another table"

    @property
    def dice(self) -> tuple[PhotoDie, ...]:
        """The dice in the photo."""
        seen = {} if self.seems_another_table else self.observed or {}
        values = [q for q in unfolded(seen).get("questions", ()) if q["ask"] == "value"]
        asked = {name: q["id"] for q in values for name in ids_asked(q)}
        counted = {name: m.get("unit") for m in seen.get("markers", ()) for name in m.get("dice", ())}
        rows = []
        for place, die in enumerate(seen.get("dice", ()), 1):
            name = die.get("id", f"die{place}")
            x, y = die["center"]
            sure = die.get("confidence", 1.0)
            rows.append(PhotoDie(name, die.get("value"), sure, (x, y), asked.get(name), counted.get(name)))
        return tuple(rows)

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON: the changes in their own form, with the members that this comparison adds."""
        told = {key: value for key, value in self.found.to_json().items() if key != "units"}
        return {
            **told,
            "seq": self.seq,
            "photo": self.photo,
            "proposals": [one.to_json() for one in self.listed],
            "questions": [dict(question) for question in self.questions],
            "settled": [dict(one) for one in (self.observed or {}).get("settled", ())],
            "dice": [{**vars(die), "center": list(die.center)} for die in self.dice],
        }


@dataclass(frozen=True)
class Accepted:
    """The result of accepting: its records (the last one keeps the observation), the violations that were lifted for
    it, and the chosen ids that were not carried out: questions, illegal ones, ones that had become needless on the
    way."""

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
    board: BoardPlacement | None = None,
    viewer: str | None = PUBLIC,
    by_units: bool = True,
    same_table: bool = False,
) -> PhotoComparison:
    """Compare an observation or a scene (the contract's mapping) with the current game.

    ``answers`` are values by question id, written in before comparing; answers already in ``data`` are kept. Pass
    ``Look.observed`` back as ``data``, and neither questions nor answers are lost. ``board`` places the cells of a
    board game (``None``: the placement in the game). In games where sides hide positions from each other, ``viewer``
    (as for :meth:`tabletop.game.protocol.Ruleset.view`) may know the result. ``by_units``: a photo of an open table
    that does not show which edge is the near one is turned to match the units of the game; while its orientation is
    open, nothing is proposed. Nor is anything for a photo that seems to show a different table than the game's, unless
    ``same_table`` or an answer says to use it anyway.

    Raises SceneError for unreadable data or another table, AnswerError for an impossible answer, RulesError for rules
    that don't support photos.
    """
    if answers and not (isinstance(data, Mapping) and "bases" in data):
        raise AnswerError(f"{name} is not an observation, so it has no questions: leave the answers out.")
    asked = way_round_asked(data)
    if isinstance(data, Mapping) and asked and by_units and asked["id"] not in (answers or {}):
        data = turned_by_game(game, data)
    if isinstance(data, Mapping) and game.ruleset.name in {**BOARDS, **SECRET_BOARDS}:
        data = unfolded(data)  # the board asks about open cells itself
    observed, sight = _read(game, data, name, board, {}, viewer)
    ways = () if same_table else _ways(observed, name)
    if observed is not None and answers:
        more = with_questions(observed, compare(game, sight, observed, ways=ways).found)
        observed, sight = _read(game, more, name, board, answers, viewer)
        ways = () if same_table else _ways(observed, name)
    found = compare(game, sight, observed, photo=photo, ways=ways)
    return (
        found
        if observed is None or (way_round_asked(observed) and not found.seems_another_table)
        else replace(found, observed=with_questions(observed, found.found))
    )


def turned_by_game(game: Game, observation: Observation) -> Observation:
    """An observation turned to match the units of a game (see
    :func:`tabletop.reconcile.way_round.turned_by_units`); unchanged for rules without units in photos."""
    if game.ruleset.name not in KNOWN:
        return observation
    judging = seeing_of(game.ruleset.name)
    return turned_by_units(observation, judging.sighting(game.state), judging.elsewhere(game.state))


def board_on(game: Game, overlay: Overlay | None) -> BoardPlacement | None:
    """The placement of a game's board in a table file; ``None`` without one, or for a grid of another kind."""
    cells = cells_of(game.ruleset.name, game.state)
    if cells is None or overlay is None or overlay.grid != cells.grid:
        return None
    from tabletop.grids.placement import from_overlay

    return from_overlay(overlay, cells)


def _read(
    game: Game,
    data: object,
    name: str,
    board: BoardPlacement | None,
    answers: Mapping[str, Any],
    viewer: str | None,
) -> tuple[Observation | None, Sight]:
    """An observation with the answers written in (``None``: a scene), and its sight."""
    if game.ruleset.name in SECRET_BOARDS:
        told: tuple[Observation | None, Sight] = resolve_name(SECRET_BOARDS[game.ruleset.name])(
            game.state, data, name, board, answers, viewer
        )
        return told
    if game.ruleset.name in BOARDS:
        found: tuple[Observation | None, Sight] = resolve_name(BOARDS[game.ruleset.name])(
            game.state, data, name, board, answers
        )
        return found
    judging = seeing_of(game.ruleset.name)
    observed = data if isinstance(data, Mapping) and "bases" in data else None
    if observed is not None and answers:
        observed = settle(observed, answers)
    if observed is not None:
        observed = without_erased(observed, erased_terrain(game))
    seen = sighting_from_json(data if observed is None else observed, name)
    return observed, OnTable(judging, seen, markers_before(game, observed))


def _ways(observed: Observation | None, name: str) -> tuple[Sighting, ...]:
    """The sightings of an observation in its possible orientations; none if it is known to be of this table."""
    if observed is None or same_table_said(observed):
        return ()
    plain = of_the_photo(observed)
    return tuple(sighting_from_json(one, name) for one in (*ways_round(plain).values(),) or (plain,))


def compare(
    game: Game,
    sight: Sight,
    observed: Observation | None = None,
    *,
    photo: str = "",
    ways: tuple[Sighting, ...] = (),
) -> PhotoComparison:
    """Compare a sight with a game; ``ways`` are the photo's sightings in its possible orientations, each of which is
    compared with the game's table; empty if the photo is known to show that table."""
    found, proposals = sight.against(game.state)
    if another := other_table(game, sight, ways):
        table = ways[0].width, ways[0].depth
        found, proposals = BoardChanges.of_another_table(ways[0].name, table, another), ()
    elif asked := way_round_asked(observed):
        proposals = [nothing_yet(asked)]
    return PhotoComparison(game.seq, sight, found, list_proposals(game, proposals, observed), observed, photo, ways)


def keep_answer(observed: Observation, question: Mapping[str, Any], value: Any, *, by: str = "player") -> Observation:
    """An observation with the answer to one of a comparison's questions, asked by the photo or the game; ``by``: see
    :func:`tabletop.questions.settling.settle`.

    The given observation is not changed. Raises AnswerError for an impossible value.
    """
    if board := question.get("board"):
        rules = board if isinstance(board, str) else _FIRST_BOARD
        found: Observation = part(rules, "keep_answer")(observed, question, value)
        return found
    asked = [one for one in observed.get("questions", ()) if one["id"] != question["id"]]
    return settle({**observed, "questions": [*asked, dict(question)]}, {question["id"]: value}, by=by)


def with_questions(observed: Observation, found: SightChanges) -> Observation:
    """An observation with the open questions of a comparison added, each question once.

    If the photo follows the game, the game knows which units should be seen, and the photo's own question about missing
    units of the roster is left out. The observation before any answer (``as_seen``) gets the same questions, so that
    answers can be written in.
    """
    told = dict(observed)
    answered = {(one["about"], one["ask"]) for one in observed.get("settled", ())}
    more = [question for question in found.questions if (question["about"], question["ask"]) not in answered]
    asked = list(observed.get("questions", ()))
    if found.sync.in_step:
        gone = [[[question["about"]]] for question in more if question["ask"] == "presence"]
        asked = [question for question in asked if question["ask"] != "presence" or question["covers"] in gone]
    told["questions"] = merged = _merge_questions(asked, more, observed)
    if further := observed.get("further_questions", ()):
        told["further_questions"] = [
            question
            for question in further
            if not (found.sync.in_step and question["ask"] == "presence")
            and not any(_same(question, other) for other in merged)
        ]
    if "as_seen" in observed:
        was = observed["as_seen"]
        known = {question["id"] for question in was.get("questions", ())}
        added = [dict(question) for question in merged if question["id"] not in known]
        told["as_seen"] = {**was, "questions": [*was.get("questions", ()), *added]}
    return told


def _merge_questions(
    asked: Sequence[Mapping[str, Any]], more: Sequence[Mapping[str, Any]], observed: Observation
) -> list[Mapping[str, Any]]:
    """Join questions without duplicates; the existing ones keep their ids."""
    kept, every = list(asked), unfolded(observed)
    seen = every.get("as_seen", {})
    taken = {question["id"] for question in (*kept, *every.get("questions", ()), *seen.get("questions", ()))}
    for question in more:
        if any(_same(question, other) for other in kept):
            continue
        name, number = str(question["id"]), 1
        while name in taken:
            name, number = f"p{number}", number + 1
        taken.add(name)
        kept.append({**question, "id": name})
    return kept


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two questions ask for the same thing, or for the units of some of the same bases."""
    units = ("unit", "units")
    if one["ask"] in units and other["ask"] in units:
        return bool({b for ids in one["covers"] for b in ids} & {b for ids in other["covers"] for b in ids})
    return (one["ask"], one["about"]) == (other["ask"], other["about"])


def markers_before(game: Game, observed: Observation | None) -> tuple[Marker, ...] | None:
    """The markers of the last photo that the game kept before this one; ``None`` if it kept none.

    A photo that is compared again uses the same markers as the first time, unless the game began with it.
    """
    kept = [record for record in game.records if record.kind == SEEN]
    mine = None if observed is None else _without_answers(observed)
    others = [record for record in kept if _without_answers(record.body["observation"]) != mine]
    began_with = [record for record in kept[:1] if not any(r.action for r in game.records[: record.seq - 1])]
    last = (others or began_with)[-1:]
    markers = last[0].body["observation"].get("markers") if last else None
    return None if markers is None else markers_from_json(markers, "the photo before")


def _without_answers(observed: Observation) -> Observation:
    """The photo's own reading."""
    return {key: value for key, value in {**observed, **observed.get("as_seen", {})}.items() if key not in _OF_ANSWERS}


# --- accepting -------------------------------------------------------------------------------------------------------


def accept(
    game: Game,
    seen: PhotoComparison,
    chosen: Collection[str] | None = None,
    *,
    measured: bool = False,
    overrule: bool = False,
    dice: Mapping[str, Sequence[int]] | None = None,
    actor: str | None = None,
    reason: str = "",
) -> Accepted:
    """Carry out, one after another, the ``chosen`` proposals of a comparison (``None``: all certain and legal ones).

    Choosing a proposal answers its question with yes; once its dice are given, the unit is also moved to its place in
    the photo, if that is legal. ``measured`` and ``overrule`` are as for :meth:`Game.push`, only for objections that
    existed from the start: one that arises on the way must be shown first. ``dice`` are faces by proposal. Nothing is
    carried out for a photo that is out of step, unless the referee overrules. The photo's contents are kept once
    anything was carried out. Play on a :meth:`Game.trial` if either everything or nothing should count.

    Impossible proposals are skipped. Raises AnswerError for an unknown id, SceneError for chosen ones of a photo out of
    step, ActionError for missing or impossible dice, and IllegalError if no chosen proposal is legal.
    """
    ids = {one.id for one in seen.listed}
    for name in chosen or ():
        if name not in ids:
            listed = ", ".join(sorted(ids)) or "nothing"
            raise AnswerError("The photo no longer proposes this.", f"It proposes no {name}, but {listed}.")
    start, done, lifted = game.seq, set[str](), list[Lifted]()
    known = {(p.unit, str(v)) for p in seen.proposals for v in p.violations}
    rolled: set[str | None] = set()
    refused: dict[str, IllegalError] = {}
    current = seen
    while True:
        if game.seq != current.seq:
            current = compare(game, seen.sight, seen.observed, photo=seen.photo, ways=seen.ways)
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
            and one.id not in refused
            and one.proposal.action is not None
            and (one.id in wished or (one.id in certain and one.proposal.unit in rolled))
        ]
        if not ready:
            break
        first = ready[0].proposal
        unknown = [v for v in first.violations if (first.unit, str(v)) not in known]
        try:
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
        except IllegalError as error:
            refused[ready[0].id] = error
            continue
        refused.clear()
        done.add(ready[0].id)
        rolled |= {first.unit} if chosen is not None and ready[0].needs.count else set()
        lifted += _lifted_violations(first, records[0].seq, measured=measured)
    if refused and not done:
        raise next(iter(refused.values()))
    if done or (game.in_doubt is not None and seen.observed is not None and not game.doubt_by(seen.observed)):
        keep(game, seen)
    return Accepted(game.records[start:], tuple(lifted), tuple(name for name in chosen or () if name not in done))


def keep(game: Game, seen: PhotoComparison) -> None:
    """Keep a photo's observation in the game's public log, unless it is one side's secret."""
    secret = isinstance(seen.sight, SecretSight) and seen.sight.is_secret
    if seen.observed is not None and not secret:
        game.saw(dict(seen.observed), photo=seen.photo)


def _lifted_violations(proposal: Proposal, seq: int, *, measured: bool) -> list[Lifted]:
    by_hand = [
        Lifted(seq, "players" if measured and violation.answer == "too-close" else "referee", violation)
        for violation in proposal.violations
    ]
    return [*by_hand, *(Lifted(seq, "photo", violation) for violation in proposal.settled)]
