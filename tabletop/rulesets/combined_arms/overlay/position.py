"""A reading written down: a Combined Arms position (contract section 6) with what is uncertain beside it, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.errors import RulesError, SceneError
from tabletop.grids.board_questions import BoardAnswer, earlier_answers
from tabletop.grids.placement import BoardPlacement, from_json
from tabletop.rulesets.combined_arms.board_placement import CELLS
from tabletop.rulesets.combined_arms.data import NAME
from tabletop.rulesets.combined_arms.overlay.forces import COUNTER_KINDS, Stander
from tabletop.rulesets.combined_arms.overlay.questions import checked_value
from tabletop.rulesets.combined_arms.overlay.reading import Reading
from tabletop.rulesets.combined_arms.position import setup_from_position

_CARRIED = ("turn", "losses", "ammo")  # what no photo tells and an earlier position may
_UNREVEALED = {"counter": False, "platoon": True}
_ATGS = {"potential-atg": "potential", "atg": "real"}


@dataclass(frozen=True)
class Earlier:
    """What an earlier reading knew: where the board lay, its answers, and what no photo tells: the counts, and the
    platoons that are gone for good."""

    placement: BoardPlacement
    answers: tuple[BoardAnswer, ...]
    counts: Mapping[str, int]
    off: tuple[str, ...] = ()


def to_json(reading: Reading, earlier: Earlier | None = None) -> dict[str, Any]:
    """The position of contract section 6; ``overlay`` beside it says how it was read and what is uncertain.

    Turn, losses and ammunition are those of an ``earlier`` reading, else those of a game's beginning. A hex, place or
    facing that is open stands as the likeliest, and its question says so; a facing that nothing tells is null.
    """
    enemy, faults = _enemy(reading.forces.standers)
    counts = {"turn": 1, "losses": 0, "ammo": 0, **({} if earlier is None else earlier.counts)}
    targets = [s.footing.cell for s in reading.forces.standers if s.kind == "mortar-target" and s.footing.cell]
    position = {
        "version": 1,
        "rules": NAME,
        "turn": counts["turn"],
        "board": {h.name: h.terrain.word for h in reading.hexes if h.terrain.word != "open"},
        "road": [h.name for h in reading.hexes if h.terrain.road],
        "platoons": [_platoon(s) for s in reading.forces.standers if s.is_platoon and s.footing.cell],
        "enemy": enemy,
        "smoke": sorted({str(s.footing.cell) for s in reading.forces.standers if s.kind == "smoke" and s.footing.cell}),
        "enemy_mortar": targets[0] if targets else None,
        "losses": counts["losses"],
        "ammo": counts["ammo"],
        **({"off": list(earlier.off)} if earlier is not None and earlier.off else {}),
    }
    return {
        **position,
        "overlay": {
            "layout": reading.placement.to_json(),
            "uncertain": list(reading.uncertain),
            "hexes": [h.to_json() for h in reading.hexes],
            "units": [stander_json(s) for s in reading.forces.standers],
            "questions": [dict(question) for question in reading.questions],
            "settled": [one.to_json() for one in reading.answers],
            "notes": [*reading.notes, *faults, *_against_the_rules(position)],
        },
    }


def _against_the_rules(position: Mapping[str, Any]) -> list[str]:
    """What the game's rules say against a position, in a sentence."""
    try:
        setup_from_position(position)
    except (RulesError, SceneError) as error:
        return [f"By the rules this can't be so: {error}"]
    return []


def _platoon(s: Stander) -> dict[str, Any]:
    facing = {"facing": None if s.facing is None else s.facing.corner} if s.kind == "armour" else {}
    return {"id": s.id, "hex": s.footing.cell, "state": "spent" if s.spent else "fresh", **facing}


def _enemy(standers: Sequence[Stander]) -> tuple[list[dict[str, Any]], list[str]]:
    """The defenders' counters hex by hex, and what can't be so."""
    here: dict[str, list[Stander]] = {}
    for s in standers:
        if s.kind in (*_UNREVEALED, *_ATGS) and not s.is_platoon and s.footing.cell:
            here.setdefault(s.footing.cell, []).append(s)
    found, faults = [], []
    for name, stack in sorted(here.items(), key=lambda item: [int(v) for v in item[0].split("-")]):
        counters = [s for s in stack if s.kind in _UNREVEALED]
        guns = [s for s in stack if s.kind in _ATGS]
        if len(counters) > 1:
            faults.append(f"{name} has {len(counters)} counters ({', '.join(s.id for s in counters)}): one is counted.")
        if len(guns) > 1:
            faults.append(
                f"{name} has {len(guns)} anti-tank counters ({', '.join(s.id for s in guns)}): one is counted."
            )
        if not counters:
            faults.append(f"{guns[0].id} stands in {name} without a platoon or counter: it is left out.")
            continue
        found.append(
            {
                "hex": name,
                "revealed": _UNREVEALED[counters[0].kind],
                "state": "spent" if any(s.spent for s in stack) else "fresh",
                "atg": _ATGS[guns[0].kind] if guns else "none",
            }
        )
    return found, faults


def stander_json(s: Stander) -> dict[str, Any]:
    """Where a platoon or counter stands and which way it faces, with how surely."""
    found: dict[str, Any] = {
        "id": s.id,
        "kind": s.kind,
        "hex": s.footing.cell,
        "center": [round(v, 3) for v in s.at],
        **s.footing.to_json(),
        "spent": s.spent,
    }
    if s.facing is not None:
        found |= {
            "facing": s.facing.corner,
            "facing_error": round(s.facing.error_deg, 1),
            "facing_sigma": round(s.facing.sigma_deg, 1),
            "facing_open": s.facing.is_open,
        }
    return found


def earlier_from(data: object, where: str) -> Earlier:
    """What an earlier reading's file knows; raises SceneError where it is none."""
    overlay = data.get("overlay") if isinstance(data, Mapping) else None
    if not isinstance(data, Mapping) or not isinstance(overlay, Mapping):
        raise SceneError(f"{where} is no reading of a hex overlay: name a file that `tabletop overlay --json` wrote.")
    try:
        rows = overlay["settled"]
        counts = {key: int(data[key]) for key in _CARRIED if key in data}
        off = tuple(str(name) for name in data.get("off", ()))
    except (KeyError, TypeError, ValueError) as error:
        raise SceneError(f"{where} has answers that can't be read: write it again with `tabletop overlay`.") from error
    answers = earlier_answers(rows, where, checked_value)
    return Earlier(from_json(overlay.get("layout"), where, CELLS), answers, counts, off)


assert {*_UNREVEALED, *_ATGS, "smoke", "mortar-target"} == {*COUNTER_KINDS}
