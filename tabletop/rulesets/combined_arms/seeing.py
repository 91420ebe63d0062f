"""What a photo of a table with the hex board says has happened in a game of Combined Arms.

The module reads for :mod:`tabletop.reconcile.comparison`: platoons and counters through the overlay, with the players'
answers. What they make of the game is in ``seen_platoons``, ``seen_moves`` and ``seen_counters``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.errors import SceneError
from tabletop.grids.board_questions import BoardAnswer, answer_from_json
from tabletop.grids.cell_shares import unseen_names
from tabletop.grids.photo_questions import (
    BOARD,
    asked_by_the_photo,
    base_asked_about,
    board_answers,
    checked_observation,
    narrow_questions,
    of_the_photo,
    refused_answer,
    with_answer,
    with_answers,
    with_photo_answers,
)
from tabletop.grids.placement import BoardPlacement
from tabletop.identity.observation_rows import AnswerRow, Observation, QuestionRow, SettledRow
from tabletop.rulesets.combined_arms.board_placement import CELLS
from tabletop.rulesets.combined_arms.data import ATTACKER, KINDS
from tabletop.rulesets.combined_arms.overlay.forces import COUNTER_KINDS, Stander
from tabletop.rulesets.combined_arms.overlay.questions import FACING, checked_value
from tabletop.rulesets.combined_arms.overlay.reading import Reading, read_table
from tabletop.rulesets.combined_arms.platoon_proposals import HexSight
from tabletop.rulesets.combined_arms.state import State

_OF_THE_BOARD = ("facing", "unique", "kind")


def read_sight(
    state: State, data: object, name: str, board: BoardPlacement | None, answers: Mapping[str, Any]
) -> tuple[Observation | None, HexSight]:
    """An observation with the answers written in (``None`` for a typed scene), and the sight that it gives.

    ``board`` says where the hexes lie (``None``: where the game has them). Answers are by question id: those of the
    photo's own questions, and of the board's: a platoon ("A2", a hex or "off the board"), its facing ("A2 facing", a
    corner). Raises SceneError where nobody knows where the board lies or what is given can't be read, AnswerError.
    """
    data = checked_observation(data, name)
    placement = _placement(state, board)
    observed, before = of_the_photo(data), board_answers(data, checked_value)
    asked = asked_by_the_photo(observed)
    if asked & answers.keys():
        observed = _with_kinds(with_photo_answers(observed, answers))
    named = [b for b in observed.get("bases", ()) if b.get("unit") is not None or b.get("kind") in COUNTER_KINDS]
    flat = {**observed, "terrain": [], **({"bases": named} if "bases" in observed else {})}
    said = {key: str(value) for key, value in answers.items() if key not in asked}
    reading = read_table(flat, placement, said, before)
    if "questions" in observed:
        observed = {**observed, "questions": _narrow_questions(observed["questions"], state, reading.forces.standers)}
    size = observed["table"]
    sight = HexSight(
        name,
        (float(size["width"]), float(size["depth"])),
        placement,
        reading.forces.standers,
        frozenset(one.id for one in reading.answers),
        _nameless(observed),
        _counts_defenders(observed, reading),
        reading.notes,
        frozenset(unseen_names(reading.terrain, placement)),
    )
    if "bases" not in observed:
        return None, sight
    return with_answers(observed, [_row(one) for one in reading.answers]), sight


def keep_answer(observed: Observation, question: Mapping[str, Any], value: Any) -> Observation:
    """An observation with the answer to one question of the board, in the place of an earlier one.

    It counts as long as the piece stands where it does. Raises AnswerError for what is neither hex nor corner.
    """
    lead = base_asked_about(observed, question)
    row = {"id": question["id"], "ask": question["ask"], "value": value, "at": lead["center"]}
    try:
        answer = answer_from_json(row, checked_value)
    except (KeyError, TypeError, ValueError) as error:
        raise refused_answer(question, value) from error
    return with_answer(observed, _row(answer))


def _with_kinds(observed: Observation) -> Observation:
    """The same with the kinds and the side of bases that were named and that no roster told of."""
    bases = [
        {**base, "kind": base.get("kind") or KINDS[base["unit"]], "side": base.get("side") or ATTACKER}
        if base.get("unit") in KINDS
        else base
        for base in observed["bases"]
    ]
    return {**observed, "bases": bases}


def _placement(state: State, board: BoardPlacement | None) -> BoardPlacement:
    own = state.setup.layout
    if board is not None:
        return board
    if own is None:
        raise SceneError(
            "The board's place on this table is not known: lay its hexes first, by the table file's [overlay] or by "
            "tapping two of them on the photo."
        )
    return BoardPlacement(CELLS, own, source="the game")


def _row(one: BoardAnswer) -> SettledRow:
    """An answer as an observation keeps it."""
    about = one.id.removesuffix(FACING)
    asked = f"Which corner does {about} face?" if one.ask == "facing" else f"Where is {about}?"
    return {**one.to_json(), "about": about, "asked": asked, "says": str(one.value), BOARD: True}


def _nameless(observed: Observation) -> tuple[tuple[str, tuple[float, float]], ...]:
    """Bases of no known unit that the photo itself asks nothing about and that are no counter."""
    asked = {
        name
        for question in observed.get("questions", ())
        if question["ask"] in ("unit", "units")
        for ids in question["covers"]
        for name in ids
    }
    return tuple(
        (base["id"], (float(base["center"][0]), float(base["center"][1])))
        for base in observed.get("bases", ())
        if base.get("unit") is None and base.get("kind") not in COUNTER_KINDS and base["id"] not in asked
    )


def _narrow_questions(questions: Sequence[QuestionRow], state: State, standers: Sequence[Stander]) -> list[QuestionRow]:
    """The photo's questions with the answers that the game leaves open.

    Nameless bases can only be platoons that are not seen and may be there, and the defenders' where some of these are
    not seen; bases that can be nobody's are asked nothing of. Terrain and facings are the board's own to ask about.
    """
    seen = {stander.id for stander in standers}
    absent = {p.id for p in state.platoons if p.fate in ("waiting", "board")} - seen
    shown = sum(stander.kind in ("counter", "platoon") for stander in standers)
    guns = sum(stander.kind in ("potential-atg", "atg") for stander in standers)
    wanted = sum(counter.atg in ("potential", "real") for counter in state.enemy)
    counters = shown < len(state.enemy) or (0 < guns < wanted)

    def is_left_out(question: QuestionRow, _covered: set[str]) -> bool:
        return question["ask"] in _OF_THE_BOARD

    def answers_of(question: QuestionRow) -> list[AnswerRow]:
        answers = [
            one for one in question["answers"] if one["value"] in absent or (counters and one["value"] not in KINDS)
        ]
        return [*answers, *(one for one in question["answers"] if one["value"] is None and one not in answers)]

    return narrow_questions(questions, is_left_out=is_left_out, answers_of=answers_of)


def _counts_defenders(observed: Observation, reading: Reading) -> bool:
    """Whether the players have pieces for the defenders: one is seen, or the roster has some."""
    kinds = {unit.get("kind") for unit in observed.get("roster", ())}
    return bool(kinds & COUNTER_KINDS.keys()) or any(s.id not in KINDS for s in reading.forces.standers)
