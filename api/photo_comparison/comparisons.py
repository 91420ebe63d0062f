"""A game compared with the last photo of its table, in the heavy-work processes, as a seat sees it."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from api.auth.access import HOST, Seat, acts_as, may_act, may_see
from api.errors import NotThereError
from api.games.computing import Observation, log_of, observation_of, seen_game
from api.photo_comparison.base_corrections import takes_corrections, takes_outlines
from api.schemas.photo_comparison import (
    AnsweredOut,
    CorrectionOut,
    LookOut,
    ProposalOut,
    QuestionOut,
    SaidValue,
    SeenBaseOut,
    SyncOut,
    TruthOut,
)
from api.services.heavy_work import Later, need
from api.services.services import Services
from api.services.table_photos import sees_photo
from api.tables.shape import annotated, upright
from api.tables.state import SAID_OF_PHOTO, TableState
from geometry import Bases
from tabletop.changes.proposals import Proposal
from tabletop.game import REFEREE, Game
from tabletop.game.violations import Violation
from tabletop.identity.table_snapshot import HAND, HAND_OUTLINE
from tabletop.identity.unit_motion import SeenChange
from tabletop.open_table.board_drawing import outline_of
from tabletop.open_table.terrain import Draw
from tabletop.reconcile.comparison import ListedProposal, PhotoComparison, board_on, look
from tabletop.reconcile.drawn_terrain import stated_terrain
from tabletop.reconcile.erased_terrain import with_drawn
from tabletop.reconcile.photo_dice import step_is_over, without_rolled_dice
from tabletop.reconcile.photo_overrides import corrections
from tabletop.tables.folded_lists import unfolded

_DONE_TO_BASE = {"correct": "put right", "remove": "taken off"}


def table_seen(services: Services, seat: Seat) -> TableState:
    """The table of a seat's game, which must have a photo that the seat may see; raises NotThereError."""
    state = services.table(seat.game)
    if state.photo is None or not sees_photo(services, seat):
        raise NotThereError("No photo of this table was taken yet: take one first.")
    return state


def look_at(playing: Game, table: TableState, viewer: str | None) -> PhotoComparison:
    """A game compared with its table's last photo, as far as ``viewer`` may know. Dice that were rolled in a step that
    is over are left out, and terrain that players have drawn takes the place of its own. What the photo shows is drawn
    as the table has it, so that players say which way round it is."""
    photo, seen = table.photo, table.observation()
    if photo is not None and step_is_over(playing, photo.get("game_seq", 0)):
        seen = without_rolled_dice(seen)
    seen = with_drawn(seen, stated_terrain(playing).drawn)
    sha256, board = photo["sha256"] if photo else "", board_on(playing, table.table.overlay)
    return look(playing, seen, name="the photo", photo=sha256, board=board, viewer=viewer, by_units=False)


LEAST_DRAWN = 0.5
"""A base without a unit is drawn at this confidence or more."""


@dataclass(frozen=True)
class Looked:
    """A comparison as a seat sees it (``out``, JSON of a :class:`LookOut`): its questions as the game has them,
    ``further`` ones that may be opened, the names of its dice, and whether the photo matches the game."""

    questions: list[dict[str, Any]]
    further: list[dict[str, Any]]
    dice: list[str]
    in_step: bool
    out: bytes


def compare_last_photo(services: Services, seat: Seat) -> Looked:
    """The comparison with a game as both are now, limited to what a seat may know; raises NotThereError where there is
    no photo, and as :func:`need` in a heavy route."""
    return compare_with(services, services.commands.game(seat.game), table_seen(services, seat), seat)


def compare_with(services: Services, playing: Game, table: TableState, seat: Seat) -> Looked:
    """The same for a table and an earlier state of the game."""
    told, _, out = _made(services, "look", write_look, playing, table, seat).partition(b"\n")
    return Looked(**json.loads(told), out=out)


def truth_out(services: Services, seat: Seat) -> bytes:
    """The corrections if the photo is trusted, as JSON of a :class:`TruthOut`; raises as :func:`compare_last_photo`."""
    playing = services.commands.game(seat.game)
    return _made(services, "truth", write_truth, playing, table_seen(services, seat), seat)


def _made(
    services: Services, what: str, write: Callable[..., bytes], playing: Game, table: TableState, seat: Seat
) -> bytes:
    viewer = may_see(seat, playing.ruleset, playing.state)
    stands = playing.seq, playing.standing_digest, table.created, table.seq
    whose = (what, seat.game, viewer, seat.roles, seat.revoked)
    log, shown = Later(partial(log_of, playing)), observation_of(playing)
    return need(services.work, (*whose, *stands), write, log, shown, table, seat, viewer, instead_of=whose)


# --- in the process that does heavy work -----------------------------------------------------------------------------


def write_look(log: bytes, shown: Observation | None, table: TableState, seat: Seat, viewer: str | None) -> bytes:
    """A line of JSON with a comparison's questions and dice, followed by the comparison as the seat sees it."""
    playing, found = compared(log, pickle.dumps((shown, table, viewer)))
    about = {
        "questions": found.questions,
        "further": found.further,
        "dice": [one.id for one in found.dice],
        "in_step": found.found.sync.in_step,
    }
    return json.dumps(about).encode() + b"\n" + look_out(playing, table, seat, found).model_dump_json().encode()


@lru_cache(maxsize=2)
def compared(log: bytes, about: bytes) -> tuple[Game, PhotoComparison]:
    """The game of a packed log, and its comparison by pickled arguments: its observation, its table and the viewer.
    Cached for others who see the same, and for the photo's corrections; it is read-only."""
    shown, table, viewer = pickle.loads(about)
    playing = seen_game(log, shown)
    return playing, look_at(playing, table, viewer)


def look_out(playing: Game, table: TableState, seat: Seat, found: PhotoComparison) -> LookOut:
    """A comparison as a seat sees it."""
    sync, changes = found.found.sync, found.found.seen_changes
    return LookOut(
        seq=found.seq,
        table_seq=table.seq,
        photo=found.photo,
        annotated=annotated(table),
        upright=upright(table),
        bases=len(table.bases),
        units=len({base["unit"] for base in table.bases.values() if base["unit"] is not None}),
        outlines=_outlines(table),
        answered=_answered_out(table),
        overrule=_referees(seat, playing),
        correctable=takes_corrections(playing),
        sizable=takes_outlines(playing),
        drawable=may_draw(seat, playing),
        sync=SyncOut(
            state=sync.state,
            reasons=[reason.says for reason in sync.reasons],
            ways_back=list(sync.ways_back),
        ),
        proposals=[proposal_out(seat, playing, one, changes.get(one.proposal.unit)) for one in found.listed],
        questions=[question_out(question, found.observed or {}, changes) for question in found.questions],
        further=[question_out(question, unfolded(found.observed or {}), changes) for question in found.further],
        dice=list(found.dice),
        warnings=list(dict.fromkeys([*table.warnings, *found.found.warnings])),
    )


def proposal_out(seat: Seat, playing: Game, one: ListedProposal, seen: SeenChange | None) -> ProposalOut:
    """A proposal as a seat sees it; ``seen`` are the measurements of its unit."""
    told = {key: value for key, value in one.to_json().items() if key in ProposalOut.model_fields}
    mine = against(seat, playing, one) is None
    if one.proposal.outline:
        seen = SeenChange(None, None, None, None, (), one.proposal.outline)
    own = {"answers": one.answers, "mine": mine, "verdict": _verdict(one.proposal), "seen": seen}
    return ProposalOut.model_validate({**told, **own})


def question_out(
    question: Mapping[str, Any], observed: Mapping[str, Any], changes: Mapping[str | None, SeenChange]
) -> QuestionOut:
    """A question, with its place on the table: where a unit was, when it is not seen."""
    about = changes.get(str(question["about"]))
    place = None if question["ask"] == "turn" else _place(question, observed)
    return QuestionOut(
        id=question["id"],
        about=str(question["about"]),
        ask=question["ask"],
        says=question["says"],
        answers=question["answers"],
        others=[str(one) for one in question.get("others", ())],
        covers=[list(group) for group in question["covers"]],
        center=place or (_middle(about.before) if about is not None else None),
    )


def own_value(question: Mapping[str, Any], value: SaidValue) -> Any:
    """A value from the wire with the question's own type: the kind of a number is lost in JSON."""
    known = [*(answer["value"] for answer in question["answers"]), *question.get("others", ())]
    return next((one for one in known if one == value or (one is not None and str(one) == str(value))), value)


def write_truth(log: bytes, shown: Observation | None, table: TableState, seat: Seat, viewer: str | None) -> bytes:
    """The corrections if the photo is trusted."""
    playing, found = compared(log, pickle.dumps((shown, table, viewer)))
    told = TruthOut(
        seq=playing.seq,
        corrections=[
            CorrectionOut(
                id=one.id,
                unit=one.proposal.unit,
                what=one.proposal.what,
                says=one.proposal.told or one.proposal.question,
                action=one.proposal.words,
                certain=one.proposal.certain and one.proposal.action is not None,
                violations=list(one.proposal.violations),
            )
            for one in corrections(playing, found)
        ],
        open=len(found.questions),
    )
    return told.model_dump_json().encode()


def against(seat: Seat, game: Game, one: ListedProposal) -> Violation | None:
    """Why a seat may not have a proposal carried out; the host confirms for everyone what the table shows."""
    if one.proposal.action is None:
        return Violation("no-action", "This is a question, and nothing to be carried out.", firm=True)
    return against_action(seat, game, one.proposal.action)


def against_action(seat: Seat, game: Game, action: Any) -> Violation | None:
    """Why a seat may not confirm an action as shown by the table; the host confirms for everyone."""
    if HOST in seat.roles and _referees(seat, game):
        return None
    return may_act(seat, game.ruleset, game.state, action)


def takes_drawing(game: Game) -> bool:
    """Whether terrain is drawn on a game's photos: on an open table, not on a board's cells."""
    return game.ruleset.actions.knows("draw") and Draw in game.ruleset.actions.classes


def may_draw(seat: Seat, game: Game) -> bool:
    """Whether a seat may draw terrain on the photos of its game now."""
    return takes_drawing(game) and against_action(seat, game, Draw("woods", ())) is None


# --- inside ------------------------------------------------------------------------------------------------------


def _outlines(table: TableState) -> list[SeenBaseOut]:
    """The bases where the photo shows them, without nameless ones that are probably not bases; one with an unknown
    facing faces the far side."""
    rows = [row for row in table.bases.values() if row["unit"] is not None or row["confidence"] >= LEAST_DRAWN]
    drawn = Bases.of(
        [row["center"] for row in rows],
        [row["facing"] or 0.0 for row in rows],
        [row["width"] for row in rows],
        [row["depth"] for row in rows],
        is_round=[row["shape"] == "round" for row in rows],
        is_oval=[row["shape"] == "oval" for row in rows],
    )
    return [
        SeenBaseOut(
            id=row["id"],
            unit=row["unit"],
            outline=list(outline_of(drawn, i)),
            center=(row["center"][0], row["center"][1]),
            facing=row["facing"],
            width=row["width"],
            depth=row["depth"],
            round=row["shape"] == "round",
            shape=row["shape"],
            by_hand=row["method"] in (HAND, HAND_OUTLINE),
        )
        for i, row in enumerate(rows)
    ]


def _referees(seat: Seat, game: Game) -> bool:
    return seat.revoked is None and REFEREE in acts_as(seat, game.ruleset, game.state)


def _answered_out(table: TableState) -> AnsweredOut | None:
    last = table.undo
    if last is None or last.kind not in SAID_OF_PHOTO:
        return None
    if last.kind != "answer":
        base = last.body["base"]
        return AnsweredOut(question=f"Base {base}", says=f"Base {base} was {_DONE_TO_BASE[last.kind]} by hand")
    question, value = last.body["question"], last.body["value"]
    known = (answer["says"] for answer in question["answers"] if answer["value"] == value)
    return AnsweredOut(question=question["says"], says=next(known, str(value)))


def _verdict(proposal: Proposal) -> str:
    answers = {violation.answer for violation in proposal.violations}
    return "no" if "no" in answers else "too-close" if answers else "yes"


def _place(question: Mapping[str, Any], observed: Mapping[str, Any]) -> tuple[float, float] | None:
    """The place that a question is about: the middle of its bases, die, marker or terrain."""
    names = {base for group in question["covers"] for base in group} | {question["about"]}
    rows = [row for key in ("bases", "dice", "markers") for row in observed.get(key, ())]
    places = [row["center"] for row in rows if row.get("id") in names or row.get("unit") in names]
    if not places:
        outlines = [row["polygon"] for row in observed.get("terrain", ()) if row["id"] in names]
        places = [point for outline in outlines for point in outline]
    return _middle(places)


def _middle(places: Sequence[Any]) -> tuple[float, float] | None:
    if not places:
        return None
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
