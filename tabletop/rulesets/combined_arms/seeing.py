"""What a photo of a table with the hex board says has happened in a game of Combined Arms.

The module reads for :mod:`tabletop.looking`: platoons and counters through the overlay, with the players' answers. What
they make of the game is in ``seen_platoons``, ``seen_moves`` and ``seen_counters``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from geometry.hex_layout import HexLayout
from tabletop.errors import AnswerError, SceneError
from tabletop.overlay.asked import FACING, Settled
from tabletop.overlay.forces import COUNTER_KINDS, Stander
from tabletop.overlay.laid import Laid
from tabletop.overlay.reading import Reading, read_table
from tabletop.rulesets.combined_arms.data import ATTACKER, KINDS
from tabletop.rulesets.combined_arms.seen_platoons import HexSight
from tabletop.rulesets.combined_arms.state import State
from tabletop.settle import settle
from tabletop.sightings import sighting_from_json

BOARD = "board"
"""What marks questions and answers of the board in an observation, beside those of the photo."""
_OF_THE_BOARD = ("facing", "unique", "kind")


def sighted(
    state: State, data: object, name: str, board: Laid | None, answers: Mapping[str, Any]
) -> tuple[dict[str, Any] | None, HexSight]:
    """An observation with the answers written in (``None`` for a typed scene), and the sight that it gives.

    ``board`` says where the hexes lie (``None``: where the game has them). Answers are by question id: those of the
    photo's own questions, and of the board's: a platoon ("A2", a hex or "off the board"), its facing ("A2 facing", a
    corner). Raises SceneError where nobody knows where the board lies or what is given can't be read, AnswerError.
    """
    sighting_from_json(_of_the_photo(data), name)
    if not isinstance(data, Mapping):
        raise SceneError(f"{name} is no observation: name one that was read from a photo.")
    laid = _laid(state, board)
    observed, before = _of_the_photo(data), _settled(data)
    asked = {q["id"] for q in (observed.get("as_seen") or observed).get("questions", ())}
    photo = {key: value for key, value in answers.items() if key in asked}
    if photo:
        observed = _with_kinds(settle(observed, photo))
    named = [b for b in observed.get("bases", ()) if b.get("unit") is not None or b.get("kind") in COUNTER_KINDS]
    flat = {**observed, "terrain": [], **({"bases": named} if "bases" in observed else {})}
    said = {key: str(value) for key, value in answers.items() if key not in asked}
    reading = read_table(flat, laid, said, before)
    if "questions" in observed:
        observed = {**observed, "questions": _narrowed(observed["questions"], state, reading.forces.standers)}
    size = observed["table"]
    sight = HexSight(
        name,
        (float(size["width"]), float(size["depth"])),
        laid,
        reading.forces.standers,
        frozenset(one.id for one in reading.settled),
        _nameless(observed),
        _counted(observed, reading),
        reading.notes,
    )
    if "bases" not in observed:
        return None, sight
    kept = [*observed.get("settled", ()), *(_row(one) for one in reading.settled)]
    return {**observed, **({"settled": kept} if kept else {})}, sight


def answered(observed: Mapping[str, Any], question: Mapping[str, Any], value: Any) -> dict[str, Any]:
    """An observation with the answer to one question of the board, in the place of an earlier one.

    It counts as long as the piece stands where it does. Raises AnswerError for what is neither hex nor corner.
    """
    name, about, ask = str(question["id"]), str(question["about"]), str(question["ask"])
    bases = [base for base in observed.get("bases", ()) if about in (base.get("unit"), base["id"])]
    if not bases:
        raise AnswerError(
            f"{about} is not seen in this photo, so nothing can be said of it: photograph the table again."
        )
    unique = next((base for base in bases if base.get("unique")), None)
    middle = np.mean([base["center"] for base in bases], axis=0)
    lead = unique or min(bases, key=lambda base: math.dist(base["center"], middle))
    try:
        row = _row(Settled.from_json({"id": name, "ask": ask, "value": value, "at": lead["center"]}))
    except (KeyError, TypeError, ValueError) as error:
        known = ", ".join(str(answer["value"]) for answer in question["answers"])
        raise AnswerError(f"{name} can't be answered with {value}: {question['says']} Possible are {known}.") from error
    kept = [one for one in observed.get("settled", ()) if not (one.get(BOARD) and one["id"] == name)]
    return {**observed, "settled": [*kept, row]}


def _with_kinds(observed: dict[str, Any]) -> dict[str, Any]:
    """The same with the kinds and the side of bases that were named and that no roster told of."""
    bases = [
        {**base, "kind": base.get("kind") or KINDS[base["unit"]], "side": base.get("side") or ATTACKER}
        if base.get("unit") in KINDS
        else base
        for base in observed["bases"]
    ]
    return {**observed, "bases": bases}


def _laid(state: State, board: Laid | None) -> Laid:
    own = state.setup.layout
    if board is None and own is None:
        raise SceneError(
            "Nobody said where the board lies on this table: lay its hexes first, by the table file's [overlay] or by "
            "tapping two of them on the photo."
        )
    return board or Laid(HexLayout(own.size_in, own.origin, own.rotation_deg), source="the game")  # type: ignore[union-attr]


def _of_the_photo(data: Any) -> Any:
    """What is given without the board's own questions and answers."""
    if not isinstance(data, Mapping):
        return data
    found = dict(data)
    for key in ("questions", "settled"):
        if key in found:
            found[key] = [row for row in found[key] if not (isinstance(row, Mapping) and row.get(BOARD))]
    if not found.get("settled"):
        found.pop("settled", None)
    if "as_seen" in found:
        found["as_seen"] = _of_the_photo(found["as_seen"])
    return found


def _settled(data: Mapping[str, Any]) -> tuple[Settled, ...]:
    """The board's answers that an observation holds."""
    try:
        return tuple(Settled.from_json(row) for row in data.get("settled", ()) if row.get(BOARD))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SceneError("The observation has answers on the board that can't be read: answer again.") from error


def _row(one: Settled) -> dict[str, Any]:
    """An answer as an observation keeps it."""
    about = one.id.removesuffix(FACING)
    asked = f"Which corner does {about} face?" if one.ask == "facing" else f"Where is {about}?"
    return {**one.to_json(), "about": about, "asked": asked, "says": str(one.value), BOARD: True}


def _nameless(observed: Mapping[str, Any]) -> tuple[tuple[str, tuple[float, float]], ...]:
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


def _narrowed(
    questions: Sequence[Mapping[str, Any]], state: State, standers: Sequence[Stander]
) -> list[dict[str, Any]]:
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
    kept, nobodys = [], set[str]()
    for question in sorted(questions, key=lambda one: one["ask"] != "unit"):
        covered = {name for names in question["covers"] for name in names}
        if question["ask"] in _OF_THE_BOARD or (question["ask"] in ("side", "there") and covered <= nobodys):
            continue
        if question["ask"] != "unit":
            kept.append(dict(question))
            continue
        answers = [
            one for one in question["answers"] if one["value"] in absent or (counters and one["value"] not in KINDS)
        ]
        if any(one["value"] is not None for one in answers):
            nobody = [one for one in question["answers"] if one["value"] is None and one not in answers]
            kept.append({**question, "answers": [*answers, *nobody]})
        else:
            nobodys |= covered
    return kept


def _counted(observed: Mapping[str, Any], reading: Reading) -> bool:
    """Whether the players have pieces for the defenders: one is seen, or the roster has some."""
    kinds = {unit.get("kind") for unit in observed.get("roster", ())}
    return bool(kinds & COUNTER_KINDS.keys()) or any(s.id not in KINDS for s in reading.forces.standers)
