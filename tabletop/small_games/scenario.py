"""What the scenarios of all small games say alike: ``[[sides]]`` and ``[[units]]``, every fault named by its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tabletop.reading.toml_sections import Section
from tabletop.reading.toml_source import did_you_mean

SCENARIO_KEYS = ("id", "number", "title", "rules", "turns", "source", "notes")
SIDE_KEYS = ("id", "title")


def read_sides(file: Section) -> dict[str, str]:
    """The sides' titles by their ids, the one that goes first in front."""
    parts = file.sections("sides", "[[sides]]", SIDE_KEYS, required=True)
    titles: dict[str, str] = {}
    for part in parts:
        side = part.text("id", "the side's short name")
        title = part.text("title", "what players call the side", required=False)
        if side in titles:
            part.fault("id", f'the side "{side}" stands twice in the file.')
        titles.setdefault(side or "", title or "")
    if file.has("sides") and len(parts) != 2:
        file.fault("sides", f"two sides play, the one that goes first in front; here are {len(parts)}.")
    return titles


def read_units(
    file: Section, keys: Sequence[str], sides: Mapping[str, str], kinds: Sequence[str]
) -> Iterator[tuple[Section, str | None, str | None, str | None]]:
    """Every unit's section with its id, side and kind; what can't be read is ``None`` and noted."""
    taken: set[str] = set()
    for part in file.sections("units", "[[units]]", keys, required=True):
        name = part.text("id", "the unit's short name, used once")
        if name is not None and not name.isalnum():
            part.fault("id", f'"{name}" is no id: one word of letters and digits, as A1.')
        if name in taken:
            part.fault("id", f'the id "{name}" stands twice; every unit has its own.')
        taken.add(name or "")
        side = part.text("side", "the side that it fights for")
        if side is not None and all(sides) and side not in sides:
            part.fault("side", f'unknown side "{side}" of {part.name}; {did_you_mean(side, tuple(sides))}')
        yield part, name, side, part.choice("kind", tuple(kinds), "what it is")
