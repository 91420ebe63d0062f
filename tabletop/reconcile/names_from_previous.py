"""Naming an observation's nameless bases from the previous one."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np

from tabletop.identity.identity_questions import flag_swapped, questions_after
from tabletop.identity.matching import IdentifyConfig, Limits, Naming, name_by
from tabletop.identity.observation_rows import BaseRow, Observation
from tabletop.identity.out_of_step import Sync, sync_of
from tabletop.identity.question import Question, way_round_asked
from tabletop.identity.table_snapshot import BaseSighting, Sighting, check_same_table, sighting_from_json
from tabletop.identity.unit_motion import spread_in
from tabletop.questions.settling import NAMELESS, refresh
from tabletop.tables.folded_lists import unfolded


def name_from_previous(
    previous: object,
    observation: Observation,
    limits: Limits | None = None,
    *,
    elsewhere: Sequence[BaseSighting] = (),
) -> Observation:
    """An observation with its nameless bases named wherever a previous observation makes that certain.

    Both are the contract's mappings; neither is changed. A base at the place of the unit's unique base is that base.
    Unresolved bases stay ``null``, with a warning that names the candidates and a question. If the two are out of step,
    nothing is named: ``sync`` gives the reasons and the remedies. Nor is it while one of them leaves open which edge of
    the table is the near one. Raises SceneError.
    """
    if way_round_asked(observation) or way_round_asked(previous):
        return {**observation, "sync": Sync().to_json()}
    known = sighting_from_json(previous, "the previous observation")
    seen = sighting_from_json(observation, "the observation")
    check_same_table(known, seen)
    sync = sync_of(known, seen, limits)
    if not sync.in_step:
        warnings = [*observation.get("warnings", []), sync.says]
        return {**observation, "sync": sync.to_json(), "warnings": warnings}
    naming = flag_swapped(name_by(known, seen, limits, elsewhere=elsewhere), known, seen)
    bases: list[BaseRow] = copy.deepcopy(observation["bases"])
    kinds = {p.unit: p.kind for p in (*known.pieces, *elsewhere)}
    for row, unit in naming.names.items():
        bases[row]["unit"] = unit
        bases[row]["kind"] = bases[row].get("kind") or kinds[unit]
        bases[row]["method"] = "previous"
    _tell_sides(bases, naming, known, seen, elsewhere)
    for unit, ground in naming.grounds.items():
        if ground == "place" and not any(bases[i].get("unique") for i in seen.rows(unit)):
            _mark_unique(bases, [row for row, name in naming.names.items() if name == unit], known, unit)
    photo = [Question.from_json(question) for question in unfolded(observation).get("questions", [])]
    were = {question.id for question in photo}
    asked = sorted(questions_after(naming, known, seen, photo), key=lambda question: question.id in were)
    further = [question.to_json() for question in asked]
    told = refresh({**observation, "bases": bases, "questions": [], "further_questions": further})
    warnings = [*_still_true(observation.get("warnings", []), naming, bases), *_doubts_in_words(naming, seen)]
    return {**told, "sync": sync.to_json(), "warnings": warnings}


def _tell_sides(
    bases: list[BaseRow], naming: Naming, known: Sighting, seen: Sighting, elsewhere: Sequence[BaseSighting]
) -> None:
    """Add the side to bases without one: those named by the previous observation, those at the place of a base of a
    known side, and all that look like these, if they agree."""
    config = IdentifyConfig()
    sides = {piece.unit: piece.side for piece in (*elsewhere, *known.pieces) if piece.unit is not None}
    for row, base in enumerate(bases):
        if base.get("side") is not None:
            continue
        here = seen.pieces[row]
        stood = {
            old.side
            for old in known.pieces
            if float(np.linalg.norm(old.center - here.center)) <= config.place_in + 3 * spread_in(old, here)
            and old.fits(here)
        }
        unit = base.get("unit")
        base["side"] = sides.get(unit) if unit else stood.pop() if len(stood) == 1 else None
    looks: dict[int, set[str | None]] = {}
    for base in bases:
        if base.get("alike") is not None and base.get("side") is not None:
            looks.setdefault(base["alike"], set()).add(base["side"])
    for base in bases:
        told = looks.get(base.get("alike", -1), set())
        if base.get("side") is None and len(told) == 1:
            (base["side"],) = told


def _mark_unique(bases: list[BaseRow], rows: Sequence[int], known: Sighting, unit: str) -> None:
    """Mark the base at the place of the unique one; mark none without a base there."""
    config = IdentifyConfig()
    for i in known.rows(unit):
        piece = known.pieces[i]
        if piece.unique:
            away = [float(np.linalg.norm(piece.center - np.array(bases[row]["center"]))) for row in rows]
            nearest = int(np.argmin(away))
            if away[nearest] <= config.place_in + 3 * spread_in(piece):
                for row in rows:
                    bases[row]["unique"] = row == rows[nearest]


def _still_true(warnings: Sequence[str], naming: Naming, bases: Sequence[BaseRow]) -> list[str]:
    """The photo's warnings without the ones that its names have answered, and the current count of nameless bases."""
    if not naming.names:
        return list(warnings)
    told = {str(base["unit"]) for base in bases if base.get("unique") and base.get("method") == "previous"}
    answered = tuple(f"The tag of {unit} (" for unit in told)
    kept = [w for w in warnings if not w.startswith(answered) and NAMELESS not in w]
    loose = sum(base.get("unit") is None for base in bases)
    if loose:
        kept.append(f"{loose} {'base' if loose == 1 else 'bases'} {NAMELESS}.")
    return kept


def _doubts_in_words(naming: Naming, seen: Sighting) -> list[str]:
    lines = []
    for doubt in naming.doubts:
        names = ", ".join(seen.pieces[i].id for i in doubt.rows)
        swapped = any(set(pair) == set(doubt.candidates) for pair in naming.swapped)
        whose = (
            f"could be {' or '.join(doubt.candidates)}" + (", whose markers have changed places" if swapped else "")
            if doubt.candidates
            else "fit no unit that could have come there"
        )
        lines.append(f"By the previous observation {names} {whose}: say which.")
    return lines
