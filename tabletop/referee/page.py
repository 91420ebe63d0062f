"""The report page: one self-contained HTML file that a referee reads on a phone.

Tasks for the players come first: shots too close to call, then the open questions of the photo. The page loads nothing,
is readable without colour, prints, and follows the phone's dark mode.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jinja2

from tabletop.referee import page_words as words
from tabletop.referee.page_confirm import to_confirm

_OPEN_ALL = "addEventListener('beforeprint',()=>document.querySelectorAll('section>details').forEach(d=>d.open=true))"


def report_page(
    observation: Mapping[str, Any],
    report: Mapping[str, Any],
    *,
    annotated_photo_jpeg: bytes,
    map_svg: str,
    table_name: str,
    roster: Mapping[str, int] | None = None,
) -> str:
    """The page as one HTML text.

    ``observation`` and ``report`` are the contract's mappings (sections 3 and 5); ``annotated_photo_jpeg`` and
    ``map_svg`` become data URIs, so that the page is a third larger than the two together; ``roster`` gives the number
    of bases of each unit, by unit id.
    """
    units = words.seen_units(observation, report, roster or {})
    names = words.blocker_names(observation, units)
    shots = [words.shot_in_words(i, entry, units, names) for i, entry in enumerate(report.get("shots", ()))]
    counts = {verdict: sum(s.verdict == verdict for s in shots) for verdict in words.MARKS}
    script_hash = base64.b64encode(hashlib.sha256(_OPEN_ALL.encode()).digest()).decode()
    return _template().render(
        title=table_name,
        photos=[photo["file"] for photo in observation.get("photos", ())],
        rules=str(report.get("rules", "")),
        facts=words.facts(observation, units, roster or {}),
        counts=counts,
        marks=words.MARKS,
        words=words.WORDS,
        questions=words.questions(shots),
        formations=[unit for unit in units if unit.faults],
        confirm=to_confirm(observation, units),
        grids=words.grids(shots, units),
        firers=words.firers(shots, units),
        units=units,
        photo=_data_uri("image/jpeg", annotated_photo_jpeg),
        map=_data_uri("image/svg+xml", map_svg.encode()),
        script=_OPEN_ALL,
        script_hash=script_hash,
    )


@lru_cache(maxsize=1)
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("tabletop", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2")


def _data_uri(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def open_ranges(report: Mapping[str, Any], *, sigma_limit_in: float = 0.5) -> list[tuple[Any, Any, str]]:
    """The ranges to measure with a tape, to be drawn: (start, end, words) in table inches, one per pair of units.

    Ranges with a spread above ``sigma_limit_in`` are left out: there the photo does not identify the measuring base,
    and a line would point at the wrong one.
    """
    out: dict[tuple[str, str], tuple[Any, Any, str]] = {}
    for entry in report.get("shots", ()):
        distance, ends = entry.get("range") or {}, (entry.get("draw") or {}).get("range") or []
        if entry["verdict"] != "too-close" or "out" not in distance.get("possible", ()) or len(ends) != 2:
            continue
        if distance["sigma"] <= sigma_limit_in:
            first, second = sorted((entry["firer"], entry["target"]))
            out.setdefault((first, second), (ends[0], ends[1], f"measure {distance['value']:.1f}″"))
    return list(out.values())
