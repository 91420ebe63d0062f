"""The evaluation as JSON: every number in the Markdown, and each photo's rows."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.bars import bars
from evaluation.figures import figures
from evaluation.results import PhotoResult
from evaluation.worst import Worst


def evaluation_json(
    sections: Sequence[tuple[str, str, Sequence[PhotoResult]]], worst: Sequence[Worst], links: Sequence[str]
) -> dict[str, Any]:
    """All numbers of an evaluation; what is not a number (the share of none) is ``null``."""
    shown = [*links, *[None] * (len(worst) - len(links))]
    return {
        "version": 1,
        "units": "inches",
        "sections": [_section(*section) for section in sections],
        "worst": [
            {"sort": e.sort, "photo": e.result.name, "badness": _plain(e.badness), "says": e.words, "picture": link}
            for e, link in zip(worst, shown, strict=True)
        ],
    }


def _section(title: str, sentence: str, results: Sequence[PhotoResult]) -> dict[str, Any]:
    found = figures(results)
    axes = list(dict.fromkeys(axis for r in results for axis in r.groups))
    return {
        "title": title,
        "note": sentence or None,
        "bars": _plain(bars(found, results)),
        "all": _plain(found),
        "groups": {
            axis: {
                value: _plain(figures([r for r in results if r.groups[axis] == value]))
                for value in sorted({r.groups[axis] for r in results})
            }
            for axis in axes
        },
        "photos": [_photo(r) for r in results],
    }


def _photo(r: PhotoResult) -> dict[str, Any]:
    return {
        "photo": r.name,
        "refused": r.refused,
        "figures": _plain(r.score.figures()),
        "groups": dict(r.groups),
        "light": _plain(r.light),
        "times": _plain(r.times),
        "bases": _columns(r.score.bases),
        "false_bases": _plain(r.score.false),
        "range_errors_in": _plain(r.score.range_errors_in),
        "dice_rows": _plain(r.score.dice),
        "cotton_rows": _plain(r.score.cotton),
        "terrain": _plain(r.score.terrain),
        "questions": r.score.questions,
        "judged_questions": _plain(r.score.judged),
        "turned": r.score.turned,
        "statements": _columns(r.score.statements),
        "rulings": _plain(r.rulings),
    }


def _columns(rows: Sequence[Any]) -> dict[str, list[Any]]:
    """Alike rows as columns: one list for each field."""
    names = [f.name for f in dataclasses.fields(rows[0])] if rows else []
    return {name: [_plain(getattr(row, name)) for row in rows] for name in names}


def _plain(value: Any) -> Any:
    """Dataclasses as mappings, tuples as lists, with nothing that JSON lacks; six digits after the point are enough."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    return value
