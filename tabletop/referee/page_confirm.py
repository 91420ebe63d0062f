"""The points that the report page asks its reader to confirm: open points of the photo, each once and briefly."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.referee.page_words import SeenUnit, place_of
from tabletop.tables.folded_lists import unfolded
from tabletop.words import and_list


def to_confirm(observation: Mapping[str, Any], units: Sequence[SeenUnit]) -> list[str]:
    """Sentences on the open points of the photo: unnamed bases, missing bases, possible terrain, warnings."""
    out = []
    unnamed = [base for base in observation.get("bases", ()) if base.get("unit") is None]
    if unnamed:
        out.append(f"Whose {'base is this' if len(unnamed) == 1 else 'bases are these'}? {_places_by_kind(unnamed)}.")
    lost = [unit.unit for unit in units if not unit.rows]
    if lost:
        out.append(f"{'No base is surely theirs' if unnamed else 'Not found'}: {', '.join(lost)}.")
    short = [f"{unit.unit} ({unit.bases})" for unit in units if unit.rows and not unit.complete]
    if short:
        out.append(f"Some bases not found: {', '.join(short)}.")
    warnings = [str(warning) for warning in observation.get("warnings", ())]
    told = set(re.findall(r"[\w-]+", " ".join(warnings)))
    blind = [u.unit for u in units if u.rows and not any(row[3] for row in u.rows) and u.unit not in told]
    if blind:
        out.append(f"The base that measures for the unit was not recognised: {', '.join(blind)}.")
    if not unfolded(observation).get("terrain"):
        out.append(
            "No terrain is known, so every sight is judged over open ground: add its outlines to the table file."
        )
    if possible := sorted(observation.get("possible_terrain", ()), key=lambda row: -row["confidence"]):
        out.append(f"Possible terrain, not confirmed: {and_list([_piece_in_words(row) for row in possible])}.")
    out += _merge_warnings(warnings, len(unnamed))
    return list(dict.fromkeys(out))


def _piece_in_words(row: Mapping[str, Any]) -> str:
    """A piece of terrain, the middle of its outline and its confidence."""
    x, y = (sum(point[axis] for point in row["polygon"]) / len(row["polygon"]) for axis in (0, 1))
    return f"{row['kind']} at ({x:.1f}, {y:.1f}) ({100 * row['confidence']:.0f} %)"


def _places_by_kind(bases: Sequence[Mapping[str, Any]]) -> str:
    """Bases of unknown units, grouped by side and kind: ``blue infantry at 22.0, 30.0; red tank at …``."""
    places: dict[str, list[str]] = {}
    for base in bases:
        what = " ".join(str(base[key]) for key in ("side", "kind") if base.get(key))
        places.setdefault(what or "unknown", []).append(place_of(base))
    return "; ".join(
        f"{what} at {found[0] if len(found) == 1 else ', '.join(f'({place})' for place in found)}"
        for what, found in places.items()
    )


def _merge_warnings(warnings: Sequence[str], unnamed: int) -> list[str]:
    """Warnings, with those about unread tags merged, and without the count of unnamed bases if these are listed."""
    unread, out = [], []
    for warning in warnings:
        tag = re.fullmatch(r"The tag of (.+ \(\d+\)) was not read: say which base is its unique one\.", warning)
        if tag:
            unread.append(tag[1])
        elif not (unnamed and re.match(rf"{unnamed} bases? could not be given to a unit", warning)):
            out.append(warning)
    if len(unread) == 1:
        out.append(f"The tag of {unread[0]} was not read: say which base is its unique one.")
    elif unread:
        out.append(f"The tags of {and_list(unread)} were not read: say for each which base is its unique one.")
    return out
