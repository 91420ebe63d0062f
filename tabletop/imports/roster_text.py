"""Text lists of New Recruit with numbers of models; any other text is rejected with advice on what to export."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tabletop.errors import SceneError
from tabletop.imports.roster_model import SETTINGS, Roster, RosterUnit, one_line
from tabletop.words import count

_NEXT = "export it from New Recruit or Army Forge as JSON, or from BattleScribe as .rosz."
_UNIT = re.compile(
    r"(?:Char[0-9]+:\s*)?(?:(?P<models>[0-9]{1,4})\s?[x×]\s+)?(?P<name>[^\W_].*?)\s*"
    r"[\[(]\s*[0-9][0-9.,\s]*(?:pts?|points?)\b[^\])]*[\])]\s*(?::.*)?",
    re.IGNORECASE,
)
_LONGEST_LINE, _MOST_LINES = 2000, 5000
_MODELS = re.compile(r"[•*-]\s*([0-9]{1,4})\s?[x×]\s+\S.*")
_SECTION = re.compile(r"##\s*(.+?)\s*(?:\[.*\])?")
_HEADER = re.compile(r"\+\s*([A-Z ]+):\s*(.+)")


def is_text_list(text: str) -> bool:
    """Whether text looks like an army list: a line has points, or it begins with a title between plus signs."""
    return text.startswith("++") or any(map(_UNIT.fullmatch, _lines(text)))


def read_text_list(source: bytes, name: str) -> Roster:
    """The roster in a text list; ``name`` is the file's.

    Three forms have numbers of models: for tournaments (a header of lines with +, then "10x Unit (65 pts)"), the usual
    one ("# ++ Army Roster ++", "Unit [65 pts]:", "• 9x Model: gear") and the short one (only unit lines). Raises
    SceneError with what to export instead.
    """
    wide = source.startswith((b"\xff\xfe", b"\xfe\xff"))
    lines = _lines(source.decode("utf-16" if wide else "utf-8-sig", errors="replace"))
    if len(lines) > _MOST_LINES:
        raise SceneError(f"{name} has more than {_MOST_LINES} lines, and no list does: {_NEXT}")
    header = {found[1]: found[2] for line in lines if (found := _HEADER.fullmatch(line)) is not None}
    usual = any(line.startswith("# ++") for line in lines)
    if not usual and "FACTION KEYWORD" not in header and not all(_UNIT.fullmatch(line) for line in lines):
        raise SceneError(f"{name} is text and not a list of New Recruit: {_NEXT}")
    units = tuple(_units(lines[1:] if usual else lines, usual))
    if not usual and ("FACTION KEYWORD" in header or not any(unit.counted for unit in units)):
        uncounted = next((unit.name for unit in units if not unit.counted), None)
        if uncounted is not None:
            raise SceneError(f'{name} is a text list without numbers of models, such as for "{uncounted}": {_NEXT}')
    announced = header.get("NUMBER OF UNITS", "")
    remarks = (
        (f"{name} says that it has {count(int(announced), 'unit')}, and {len(units)} were read: compare them.",)
        if re.fullmatch(r"[0-9]{1,4}", announced) and int(announced) != len(units)
        else ()
    )
    title = lines[0].rpartition(" - [")[0] if usual else header.get("LIST NAME") or header.get("FACTION KEYWORD", "")
    return Roster(one_line(title) or name, units, remarks=remarks)


def _lines(text: str) -> list[str]:
    """The lines that are not empty, up to one more than the limit; indented ones begin with one space."""
    rows = [line[:_LONGEST_LINE] for line in text.splitlines() if line.strip()][: _MOST_LINES + 1]
    return [" " * line[0].isspace() + " ".join(line.split()) for line in rows]


def _units(lines: Sequence[str], usual: bool) -> Iterator[RosterUnit]:
    """The units of a list's lines; in the ``usual`` form lines with a bullet are models."""
    kind, found = "unit", None
    models = 0
    for line in (*lines, "## "):
        if line[0] in " •*-":
            inner = _MODELS.fullmatch(line)
            models += int(inner[1]) if usual and inner is not None else 0
            continue
        if found is not None:
            yield RosterUnit(one_line(found["name"]), kind, models or 1, None, counted=models > 0)
        section = _SECTION.fullmatch(line)
        if section is not None or (line.isupper() and not line.startswith("+")):
            kind = one_line(line if section is None else section[1]).casefold()
        found = None if kind in SETTINGS or line.casefold().startswith("enhancement") else _UNIT.fullmatch(line)
        models = 0 if usual or found is None else int(found["models"] or 0)
