"""The text of the report page: a report and an observation in short sentences, without HTML."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.tables.folded_lists import unfolded
from tabletop.words import and_list

CHI2_95_PLANE = 5.991464547  # 95 % of a normal distribution in the plane is within this squared distance
SIGMA_95 = 1.959963985  # and of a normal number within this many sigmas

_COARSE_IN = 0.5  # from this 95 % spread on, the second decimal is meaningless
_UNNAMED = "the unnamed base at"

MARKS = {"yes": "✓", "too-close": "?", "no": "–"}
WORDS = {"yes": "May fire", "too-close": "Too close to call", "no": "No shot"}
_SIGHT = {"clear": "sight clear", "blocked": "sight blocked", "too-close": "sight too close to call"}
_BANDS = {"close": "close", "normal": "normal range", "long": "long range", "out": "out of range"}


@dataclass(frozen=True)
class Reason:
    """A reason and its place in the rules (empty if none is named)."""

    words: str
    place: str


@dataclass(frozen=True)
class Task:
    """A task at the table: the beginning of a sentence, the things that it is about, and its end."""

    words: str
    past: tuple[str, ...] = ()
    tail: str = ""


@dataclass(frozen=True)
class ShotSummary:
    """One shot as text for the page; ``odds`` are (hits, chance in words, bar width in percent)."""

    anchor: str
    firer: str
    target: str
    target_kind: str
    verdict: str
    mark: str
    word: str
    range: str
    spread: str
    band: str
    sight: str
    blocked_by: tuple[str, ...]
    arcs: tuple[str, ...]
    modifiers: tuple[str, ...]
    odds: tuple[tuple[str, str, int], ...]
    expected: str
    priority: str
    reasons: tuple[Reason, ...]
    to_do: tuple[Task, ...]


@dataclass(frozen=True)
class Question:
    """A pair of units with an open verdict, and the measurements that settle it."""

    pair: tuple[str, str]
    shots: tuple[ShotSummary, ...]
    to_do: tuple[str, ...]


@dataclass(frozen=True)
class Firer:
    """A unit's shots: the ones worth reading, and the clearly impossible ones."""

    unit: str
    side: str
    kind: str
    open: tuple[ShotSummary, ...]
    off: tuple[ShotSummary, ...]


@dataclass(frozen=True)
class Grid:
    """The shots of a side: its firers, each with its shot at the target of each column."""

    side: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[ShotSummary | None]]]


@dataclass(frozen=True)
class SeenUnit:
    """A unit in the photo. ``bases`` in words; ``rows`` are (place, facing, spread, unique) per base."""

    unit: str
    side: str
    kind: str
    bases: str
    complete: bool
    rows: tuple[tuple[str, str, str, bool], ...]
    threatened_by: tuple[str, ...]
    faults: tuple[Reason, ...]  # faults and doubts of its formation, and other notes for the referee


def inches(value: float) -> str:
    """Inches to two decimals: ``11.93″``."""
    return f"{value:.2f}″"


def _radius95_in(base: Mapping[str, Any]) -> float:
    """The longer half axis of a base's 95 % ellipse."""
    (a, b), (_, d) = base["covariance"]
    largest = (a + d) / 2 + math.hypot((a - d) / 2, b)
    return math.sqrt(CHI2_95_PLANE * max(0.0, largest))


def facts(observation: Mapping[str, Any], units: Sequence[SeenUnit], roster: Mapping[str, int]) -> list[str]:
    """The result in three short facts."""
    bases = observation.get("bases", ())
    table = observation["table"]
    expected = sum(roster.values())
    of_units = f" of {len(roster)}" if roster else ""
    of_bases = f" of {expected}" if expected else ""
    facts = [
        f"Table {table['width']:g} × {table['depth']:g} inches",
        f"{len(bases)}{of_bases} bases found, {sum(1 for unit in units if unit.rows)}{of_units} units named",
    ]
    radii = [_radius95_in(base) for base in bases if base.get("covariance")]
    if radii:
        facts.append(f"Half of the bases are placed within {inches(statistics.median(radii))} or better (95 % sure)")
    return facts


def seen_units(
    observation: Mapping[str, Any], report: Mapping[str, Any], roster: Mapping[str, int]
) -> tuple[SeenUnit, ...]:
    threatened = {entry["unit"]: tuple(entry.get("by", ())) for entry in report.get("threatened", ())}
    standing = {entry["unit"]: entry for entry in report.get("formation", ())}
    grouped: dict[str, list[Mapping[str, Any]]] = {unit: [] for unit in roster}
    for base in observation.get("bases", ()):
        if base.get("unit") is not None:
            grouped.setdefault(base["unit"], []).append(base)
    out = []
    for unit, bases in grouped.items():
        first = bases[0] if bases else {}
        full = roster.get(unit)
        count = f"{len(bases)} of {full} bases" if full is not None else f"{len(bases)} bases"
        faults = _standing_reasons(standing.get(unit, {}), bases)
        bases.sort(key=lambda base: base.get("unique") is not True)
        out.append(
            SeenUnit(
                unit=unit,
                side=first.get("side") or "",
                kind=first.get("kind") or "",
                bases=count,
                complete=full is None or len(bases) >= full,
                rows=tuple(map(_base_row, bases)),
                threatened_by=threatened.get(unit, ()),
                faults=faults,
            )
        )
    return tuple(out)


def _standing_reasons(entry: Mapping[str, Any], bases: Sequence[Mapping[str, Any]]) -> tuple[Reason, ...]:
    """Faults, doubts and rulings on a unit's formation, its bases with their places; ``bases`` in the report's
    order."""

    def with_place(number: re.Match[str]) -> str:
        n = int(number[1])
        return f"{number[0]} ({place_of(bases[n - 1])})" if 0 < n <= len(bases) else number[0]

    told = [_reason(said) for key in ("faults", "doubts", "notes") for said in entry.get(key, ())]
    # Points without a place in the rules, such as the number of bases found, are among the points to confirm.
    kept = [said for said in told if said.place or said in map(_reason, entry.get("faults", ()))]
    return tuple(Reason(re.sub(r"\b[Bb]ase (\d+)\b", with_place, said.words), said.place) for said in kept)


def _base_row(base: Mapping[str, Any]) -> tuple[str, str, str, bool]:
    facing = base.get("facing")
    return (
        place_of(base),
        "open" if facing is None else f"{round(facing) % 360}°",
        f"± {inches(_radius95_in(base))}",
        base.get("unique") is True,
    )


def _words(value: Any) -> str:
    """The text of a fault or reason, given as a sentence or as a mapping with one."""
    if isinstance(value, Mapping):
        return str(next((value[key] for key in ("text", "sentence", "reason", "name") if key in value), dict(value)))
    return str(value)


def place_of(base: Mapping[str, Any]) -> str:
    x, y = base["center"]
    return f"{x:.1f}, {y:.1f}"


def blocker_names(observation: Mapping[str, Any], units: Sequence[SeenUnit]) -> dict[str, str]:
    """The names of a report's blockers: units by id, terrain by kind, bases of no known unit by place.

    An id that two of them share gets both names, joined by "or".
    """
    named: dict[str, list[str]] = {unit.unit: [unit.unit] for unit in units}
    for piece in unfolded(observation).get("terrain", ()):
        named.setdefault(piece["id"], []).append(" ".join(dict.fromkeys(("the", piece["kind"], piece["id"]))))
    for base in observation.get("bases", ()):
        if base.get("unit") is None:
            named.setdefault(base["id"], []).append(f"{_UNNAMED} {place_of(base)}")
    return {key: " or ".join(words) for key, words in named.items()}


def shot_in_words(i: int, entry: Mapping[str, Any], units: Sequence[SeenUnit], names: Mapping[str, str]) -> ShotSummary:
    kinds = {unit.unit: unit.kind for unit in units}
    distance = entry.get("range") or {}
    value, sigma = distance.get("value"), distance.get("sigma") or 0.0
    sight = entry.get("sight") or {}
    verdict = entry["verdict"]
    rank = entry.get("priority") or {}
    return ShotSummary(
        anchor=f"shot-{i}",
        firer=entry["firer"],
        target=entry["target"],
        target_kind=kinds.get(entry["target"], ""),
        verdict=verdict,
        mark=MARKS[verdict],
        word=WORDS[verdict],
        range="" if value is None else inches(value),
        spread=_spread(sigma),
        band=_BANDS.get(distance.get("band", ""), str(distance.get("band") or "")),
        sight=_SIGHT.get(sight.get("verdict", ""), ""),
        blocked_by=tuple(names.get(item, str(item)) for item in sight.get("blocked_by", ())),
        arcs=_arcs(entry.get("arc") or {}, entry["firer"], entry["target"]),
        modifiers=tuple(map(_modifier, entry.get("modifiers", ()))),
        odds=_odds(entry.get("hits") or {}),
        expected="" if entry.get("expected_hits") is None else f"{entry['expected_hits']:.1f}",
        priority=_priority(rank),
        reasons=tuple(map(_reason, entry.get("reasons", ()))),
        to_do=_to_do(entry, units, names) if verdict == "too-close" else (),
    )


def _priority(rank: Mapping[str, Any]) -> str:
    """The rank of a shot among its firer's, in both orders; empty if there is no choice."""
    if rank.get("of", 0) < 2:
        return ""
    by_hits = f", {rank['hits_rank']} of {rank['of']} by expected hits" if "hits_rank" in rank else ""
    return f"{rank['rank']} of {rank['of']}{by_hits}"


def _reason(value: Any) -> Reason:
    """Split a reason from its place in the rules, which is in brackets at the end."""
    found = re.fullmatch(r"(.*\S)\s*\[([^\[\]]+)\]\.?", _words(value), re.S)
    return Reason(found[1], found[2]) if found else Reason(_words(value), "")


def _to_do(entry: Mapping[str, Any], units: Sequence[SeenUnit], names: Mapping[str, str]) -> tuple[Task, ...]:
    """The tasks at the table for a shot that is too close to call."""
    first, second = sorted((entry["firer"], entry["target"]))
    distance, sight = entry.get("range") or {}, entry.get("sight") or {}
    out = []
    sight_open = sight.get("verdict") == "too-close"
    possible = distance.get("possible", () if sight_open else ("out", "in reach"))
    if "out" in possible and len(possible) > 1:
        reach = _length_text(distance["value"], distance["sigma"])
        out.append(
            Task(f"Measure the range from {first}'s measuring base to {second}'s, nearest points; by photo {reach}")
        )
        blind = [u.unit for u in units if u.unit in (first, second) and not any(row[3] for row in u.rows)]
        if blind:
            out.append(Task(f"The photo did not show which base measures for {' and '.join(blind)}"))
    lookers = [(entry["firer"], sight)]
    if sight.get("observer"):
        lookers.append((sight["observer"]["unit"], sight["observer"]))
    for looker, found in lookers:
        if found.get("verdict") == "too-close":
            a, b = sorted((looker, entry["target"]))
            tail = f", to observe for {entry['firer']}" if looker != entry["firer"] else ""
            past = tuple(names.get(item, str(item)) for item in found.get("blocked_by", ()))
            out.append(Task(f"Check the sight between {a} and {b}", past, tail))
    return tuple(out) or (Task("See the reasons: the photo leaves one of them open"),)


def _length_text(value: float, sigma: float) -> str:
    """A length with its 95 % spread, to no more decimals than the spread supports."""
    spread = SIGMA_95 * sigma
    if not _spread(sigma):
        return inches(value)
    if spread < _COARSE_IN:
        return f"{inches(value)} {_spread(sigma)} (95 % sure)"
    return f"{value:.1f}″ ± {spread:.1f}″ (95 % sure)"


def _sentences(tasks: Sequence[Task]) -> tuple[str, ...]:
    """Tasks as sentences, tasks with the same words merged."""
    past: dict[tuple[str, str], list[str]] = {}
    for task in tasks:
        past.setdefault((task.words, task.tail), []).extend(task.past)
    return tuple(f"{words}{_past(things)}{tail}." for (words, tail), things in past.items())


def _past(things: Sequence[str]) -> str:
    known = list(dict.fromkeys(things))
    unnamed = [thing for thing in known if thing.startswith(_UNNAMED)]
    if len(unnamed) > 2:
        known = [thing for thing in known if thing not in unnamed] + [f"{len(unnamed)} unnamed bases"]
    return f" past {and_list(known)}" if known else ""


def _spread(sigma: float) -> str:
    """The 95 % spread of a measured length; empty if it is exact or unknown."""
    return f"± {inches(SIGMA_95 * sigma)}" if sigma and math.isfinite(sigma) else ""


def _arcs(arc: Mapping[str, Any], firer: str, target: str) -> tuple[str, ...]:
    out = []
    for key, text in (
        ("firing_on_rear", f"from behind {target}'s front line"),
        ("firing_to_rear", f"{firer} fires to its own rear"),
    ):
        if arc.get(f"{key}_open"):
            out.append(f"{text}: too close to call")
        elif arc.get(key) is True:
            out.append(text)
    return tuple(out)


def _modifier(modifier: Mapping[str, Any]) -> str:
    if modifier.get("multiply") is not None:
        factor = {0.5: "½", 0.25: "¼"}.get(modifier["multiply"], f"{modifier['multiply']:g}")
        return f"{modifier['name']} ×{factor}"
    add = modifier.get("add", 0)
    return f"{modifier['name']} {'+' if add > 0 else '−' if add < 0 else '±'}{abs(add)}"


def _odds(hits: Mapping[str, float]) -> tuple[tuple[str, str, int], ...]:
    shown = sorted((int(number), chance) for number, chance in hits.items() if chance > 0)
    top = max((chance for _, chance in shown), default=1.0)
    return tuple((str(number), f"{chance:.0%}", max(2, round(100 * chance / top))) for number, chance in shown)


def questions(shots: Sequence[ShotSummary]) -> list[Question]:
    """Shots too close to call, one question for both directions of a pair: one measurement settles both."""
    pairs: dict[tuple[str, str], list[ShotSummary]] = {}
    for shot in shots:
        if shot.verdict == "too-close":
            first, second = sorted((shot.firer, shot.target))
            pairs.setdefault((first, second), []).append(shot)
    return [
        Question(pair, tuple(group), _sentences([task for shot in group for task in shot.to_do]))
        for pair, group in pairs.items()
    ]


def grids(shots: Sequence[ShotSummary], units: Sequence[SeenUnit]) -> list[Grid]:
    """The possible shots: one grid per firing side, a mark per pair."""
    side = {unit.unit: unit.side for unit in units}
    by_pair = {(s.firer, s.target): s for s in shots}
    out = []
    for firing in dict.fromkeys(side.get(s.firer, "") for s in shots):
        rows = list(dict.fromkeys(s.firer for s in shots if side.get(s.firer, "") == firing))
        columns = list(dict.fromkeys(s.target for s in shots if s.firer in rows))
        cells = [(row, [by_pair.get((row, column)) for column in columns]) for row in rows]
        out.append(Grid(firing, columns, cells))
    return out


def firers(shots: Sequence[ShotSummary], units: Sequence[SeenUnit]) -> list[Firer]:
    known = {unit.unit: unit for unit in units}
    order = {"too-close": 0, "yes": 1}
    out = []
    for firer in dict.fromkeys(s.firer for s in shots):
        mine = [s for s in shots if s.firer == firer]
        unit = known.get(firer)
        out.append(
            Firer(
                unit=firer,
                side=unit.side if unit else "",
                kind=unit.kind if unit else "",
                open=tuple(sorted((s for s in mine if s.verdict != "no"), key=lambda s: order[s.verdict])),
                off=tuple(s for s in mine if s.verdict == "no"),
            )
        )
    return out
