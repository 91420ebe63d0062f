"""The evaluation as Markdown: what is demanded and reached, photo by photo, by group, and the worst cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from evaluation.bars import bars, inches
from evaluation.figures import BaseFigures, Figures, Part, base_figures, figures, tally
from evaluation.matches import SmallThing
from evaluation.reliability import EDGES, Reliability
from evaluation.results import PhotoResult
from evaluation.score import percentile
from evaluation.uncertainty import ELLIPSE_MEDIAN, INTERVAL_MEDIAN, Coverage
from evaluation.worst import SORTS, Worst
from tabletop.words import count

HEAD = """\
How accurately Tabletop reads photographs, measured against exact truth. Written by `scripts/evaluate_photos.py`; do
not edit. Lengths in inches, angles in degrees, times in seconds on the machine that wrote this. Every photo is read
in a separate process; everything in a refused photo counts as missed. Bases are matched to the true ones one to one,
by least total distance, at most 0.75″ apart. *Readable*: a tag of at least 20 pixels a side with at least 97 % in
sight; a missed base with such a tag counts as an error of an inch, other missed bases only count as missed. *False*:
reported where there is no base. Distances between unique bases are those of bases that were found.
"""

BESIDE = """\
For comparison: a bare JPEG decode takes {decode}, OpenCV's `detectMarkers` alone {detect} a photo (median), without
any of the results above.
"""


def document(
    sections: Sequence[tuple[str, str, Sequence[PhotoResult]]], worst: Sequence[Worst], links: Sequence[str]
) -> str:
    """The whole document. ``sections`` are headings, a sentence under each, and results; the first is written in full,
    the others only with the parts that differ: bars, photos, uncertainty. ``links`` lead to the pictures of ``worst``,
    or are empty if no pictures were written."""
    out = ["# Accuracy on photographs with exact truth", "", HEAD]
    for n, (title, sentence, results) in enumerate(sections):
        found = figures(results)
        out += [f"## {title}", ""] + ([sentence, ""] if sentence else [])
        out += [*_refusals(results), *_bars(found, results), *_all(found), *_photos(results), *_uncertainty(found)]
        if n == 0:
            out += [*_terrain(found), *_groups(results), *_rulings(found), *_questions(found)]
            out += [*_reliability(found), *_times(results)]
            out += _worst(worst, links)
    return "\n".join(out).rstrip("\n") + "\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """A Markdown table and the empty line after it.

    >>> table(["a", "b"], [[1, "x|y"]])
    ['| a | b |', '| --- | --- |', '| 1 | x\\\\|y |', '']
    """
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    for row in rows:
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |")
    return [*lines, ""]


def number(value: float | None, digits: int = 3) -> str:
    """A figure, a dash for none.

    >>> number(0.12345), number(None), number(2.0, 1)
    ('0.123', '-', '2.0')
    """
    return "-" if value is None or value != value else f"{value:.{digits}f}"


def of(part: Part) -> str:
    """A part in a cell: 3/4."""
    return f"{part.n}/{part.of}" if part.of else "-"


def _refusals(results: Sequence[PhotoResult]) -> list[str]:
    refused = [r for r in results if r.refused is not None]
    if not refused:
        return [f"{count(len(results), 'photo')}, none refused.", ""]
    lines = [f"- {r.name}: {r.refused}" for r in refused]
    return [f"{count(len(results), 'photo')}, {len(refused)} refused:", "", *lines, ""]


def _bars(found: Figures, results: Sequence[PhotoResult]) -> list[str]:
    words = {True: "yes", False: "**no**", None: "-"}
    rows = [(bar.demand, bar.reached, words[bar.met]) for bar in bars(found, results)]
    return ["### Targets and results", "", *table(["target", "result", "met"], rows)]


def _all(f: Figures) -> list[str]:
    dice, cotton = f.dice, f.cotton
    return [
        "All together:",
        "",
        f"- bases with a readable tag: {_bases_words(f.readable)}",
        f"- bases with a tag that is hidden or too small: {_bases_words(f.hidden_tags)}",
        f"- bases without a tag, painted rims: {_bases_words(f.rims)}",
        f"- bases without a tag, no rims: {_bases_words(f.bare)}",
        f"- all bases: {_bases_words(f.bases)}; false: {f.false} of those reported",
        f"- given to their unit: {f.named}; to a wrong unit: {f.wrong_unit}; to a wrong side: {f.wrong_side};"
        f" questions asked: {f.questions}",
        f"- dice found: {dice['found']} of {dice['true']}; value right: {dice['right']}, wrong: {dice['wrong']}, left"
        f" open: {dice['open']}; false: {dice['false']}",
        f"- cotton balls found: {cotton['found']} of {cotton['true']}; proposed for the right unit: {cotton['right']},"
        f" for a wrong one: {cotton['wrong']}, left open: {cotton['open']}; false: {cotton['false']}",
        "",
    ]


def _bases_words(b: BaseFigures) -> str:
    if not b.found.of:
        return "none in these photos"
    turned = f", {b.reversed} the wrong way round" if b.reversed else ""
    turned += f", {b.left_open} left open" if b.left_open else ""
    return (
        f"{b.found} found; centre error median {inches(b.median_in)}, 95th percentile {inches(b.p95_in)}; facing"
        f" {number(b.facing_median_deg, 2)} and {number(b.facing_p95_deg, 2)} degrees{turned}"
    )


def _photos(results: Sequence[PhotoResult]) -> list[str]:
    heads = [
        "photo", "readable tags read", "misread", "tagged found", "untagged found", "false", "centre median / 95 %",
        "facing median / 95 %", "wrong unit / side", "named", "range 95 %", "in 95 % ellipse", "questions",
    ]  # fmt: skip
    rows = []
    for r in results:
        g, f = r.score.figures(), base_figures(r.score.bases)
        rows.append([
            r.name, f"{g['readable_right']}/{g['readable']}", g["misread"], f"{g['tagged_found']}/{g['tagged']}",
            f"{g['untagged_found']}/{g['untagged']}", g["invented"], f"{number(f.median_in)} / {number(f.p95_in)}",
            f"{number(f.facing_median_deg, 2)} / {number(f.facing_p95_deg, 2)}",
            f"{g['wrong_unit']} / {g['wrong_side']}", f"{g['named']}/{g['bases']}", number(g["range_error_p95"]),
            f"{g['ellipse_inside']}/{g['ellipse_checked']}", r.score.questions,
        ])  # fmt: skip
    kinds = sorted({kind for r in results for kind in r.score.terrain.kinds})
    things = [
        [
            r.name, _small(r.score.dice), _small(r.score.cotton),
            *(number(r.score.terrain.kinds[k].iou) if k in r.score.terrain.kinds else "" for k in kinds),
        ]
        for r in results
    ]  # fmt: skip
    return [
        "### Photo by photo",
        "",
        *table(heads, rows),
        "Dice and cotton: right / wrong / left open / missed / false. Terrain: intersection over union by kind.",
        "",
        *table(["photo", "dice", "cotton", *kinds], things),
    ]


def _small(things: Sequence[SmallThing]) -> str:
    count = tally(things)
    missed = count["true"] - count["found"]
    return " / ".join(map(str, (count["right"], count["wrong"], count["open"], missed, count["false"])))


def _terrain(f: Figures) -> list[str]:
    if not f.terrain:
        return []
    rows = [
        [
            kind, t.photos, number(t.overlap.iou), number(t.mean), number(t.least),
            f"{t.pieces - t.missed}/{t.pieces}", t.seen, t.mistaken, t.false,
        ]
        for kind, t in f.terrain.items()
    ]  # fmt: skip
    heads = ["kind", "photos", "IoU by area", "mean of photos", "least", "pieces found", "pieces seen",
             "taken for another kind", "invented"]  # fmt: skip
    return [
        "### Terrain over all photos",
        "",
        "A piece is found if pieces of its kind in the reading cover at least half of it. Photos with terrain in their"
        " table file are left out.",
        "",
        *table(heads, rows),
        *([f"Tops of hills: intersection over union {f.tops.iou:.3f} by area.", ""] if f.tops.true else []),
    ]


def _uncertainty(f: Figures) -> list[str]:
    def row(name: str, parts: Sequence[Coverage], median: float | None, honest: float) -> list[object]:
        cells = [f"{100 * c.share:.1f} ({100 * c.low:.0f} to {100 * c.high:.0f})" if c.n else "-" for c in parts]
        return [name, parts[0].n, *cells, f"{number(median, 2)} ({honest:.2f})"]

    rows: list[list[object]] = [
        row("centre of a base, ellipse", f.ellipses, f.ellipse_median, ELLIPSE_MEDIAN),
        *(row(f"- {sort}", h.ellipses, h.median, ELLIPSE_MEDIAN) for sort, h in f.ellipses_of.items()),
        row("facing of a base", f.facings, f.facing_median, INTERVAL_MEDIAN),
    ]
    edges = ["edge of terrain, points along outlines", f.edges[0].n]
    edges += [f"{100 * c.share:.1f}" if c.n else "-" for c in f.edges]
    rows.append([*edges, f"median distance {inches(f.edge_median_in)}"])
    return [
        "### Reliability of stated uncertainty",
        "",
        "True values within the stated 50, 80, 95 and 99 % regions, in percent; in brackets the range of that share in"
        " 19 cases of 20 if the statements are honest and independent (points along one outline are not).",
        "",
        *table(["quantity", "n", "50 %", "80 %", "95 %", "99 %", "median of error by sigma (honest)"], rows),
    ]


def _questions(f: Figures) -> list[str]:
    if not f.answers:
        return []
    rows = [(ask, a.offered.of, a.offered, a.first, f"{100 * a.first_chance:.0f} %") for ask, a in f.answers.items()]
    return [
        "### Questions",
        "",
        f"{f.questions} questions; the table has those that the truth answers. One tap settles a question if the right"
        " answer is offered.",
        "",
        *table(["question", "number", "right answer offered", "and first", "stated chance of the first"], rows),
    ]


RELIABILITY = """\
Right of all statements, by the stated chance. *Told*: reported without a question to the players. A piece of terrain
is right if half of it or more is on true terrain of its kind; a base if a true one is matched to it; side and unit, for
real bases without a tag that was read, if they are the true ones: one statement for each base if told (with a chance of
1 if none is stated) and one for each question if asked, its most likely answer; pips if a die is there and shows that
number. ECE: expected calibration error, the distance of mean stated chance and share right, averaged over these bins;
Brier: mean square of stated chance against 1 for right, 0 for wrong.
"""


def _reliability(f: Figures) -> list[str]:
    if not f.reliability:
        return []
    heads = ["statement", "", *(f"{low:g} to {high:g}" for low, high in pairwise(EDGES)), "wrong", "ECE", "Brier"]
    rows = [
        _reliability_cells(sort, which, part)
        for sort, parts in f.reliability.items()
        for which, part in (("told", parts.told), ("asked", parts.asked))
        if part.n
    ]
    turned = f"{count(f.turned, 'photo')} with the table read turned is left out here."
    left_out = [turned.replace("is left", "are left") if f.turned > 1 else turned, ""] if f.turned else []
    return ["### Reliability of stated chances", "", RELIABILITY, *left_out, *table(heads, rows)]


def _reliability_cells(sort: str, which: str, part: Reliability) -> list[object]:
    cells = [f"{b.right} of {b.n}" if b.n else "-" for b in part.bins]
    return [sort, which, *cells, Part(part.wrong, part.n), number(part.ece), number(part.brier)]


def _groups(results: Sequence[PhotoResult]) -> list[str]:
    heads = [
        "group", "photos (refused)", "readable tags read", "misread", "other bases found", "false",
        "centre median / 95 %", "facing 95 %", "terrain IoU", "dice right of told", "in 95 % ellipse",
    ]  # fmt: skip
    axes = list(dict.fromkeys(axis for r in results for axis in r.groups))
    out = [
        "### By table, light and viewpoint",
        "",
        "Light is measured from the pictures: level and evenness of the open mat, cast of the markers' white paper.",
        "Terrain IoU: all kinds by area.",
        "",
    ]
    rows: list[list[object]] = []
    for axis in axes:
        for value in sorted({r.groups[axis] for r in results}):
            some = [r for r in results if r.groups[axis] == value]
            rows.append([f"{axis}: {value}", *_group_cells(figures(some))])
    return out + table(heads, rows)


def _group_cells(f: Figures) -> list[object]:
    both = sum(t.overlap.both for t in f.terrain.values())
    union = sum(t.overlap.true + t.overlap.seen - t.overlap.both for t in f.terrain.values())
    others = Part(f.bases.found.n - f.readable.found.n, f.bases.found.of - f.readable.found.of)
    told = Part(f.dice["right"], f.dice["true"] - f.dice["open"] + f.dice["false_told"])
    return [
        f"{f.photos} ({f.refused})", of(f.readable_read), f.misread, of(others), of(f.false),
        f"{number(f.bases.median_in)} / {number(f.bases.p95_in)}", number(f.bases.facing_p95_deg, 2),
        number(both / union) if union else "-", of(told), of(Part(f.ellipses[2].inside, f.ellipses[2].n)),
    ]  # fmt: skip


def _rulings(f: Figures) -> list[str]:
    out = [
        "### Rulings",
        "",
        "May it fire, does it see, in which range band and with which modifiers: every ordered pair of enemies that is"
        " named in both. *Positions alone*: the bases that were found, at their measured and at their true places on"
        " the true terrain. *As seen*: with the terrain of the reading, its missed bases and its names.",
        "",
    ]
    rows = []
    for name, key in (("positions alone", "positions"), ("the whole table as seen", "whole")):
        told = f.rulings[key]
        rows.append([name, told.rulings, Part(told.too_close, told.rulings), told.wrong, len(told.refused)])
    out += table(["", "rulings", "marked too close", "wrong of the others", "photos that can't be judged"], rows)
    if f.rulings["whole"].by_ruling:
        parts = [f"{ruling} {n}" for ruling, n in sorted(f.rulings["whole"].by_ruling.items())]
        out += [f"Wrong on the whole table as seen: {', '.join(parts)}.", ""]
    out += [
        f"- {d.photo}: {d.firer} at {d.target}, {d.ruling}: {d.seen} instead of {d.true}"
        for d in f.rulings["positions"].differing[:MOST_LISTED]
    ]
    out += [f"- {d.photo} can't be judged as seen: {d.why}" for d in f.rulings["whole"].refused[:MOST_LISTED]]
    return out + ([""] if out[-1] else [])


MOST_LISTED = 12
MOST_TIMED = 40


def _times(results: Sequence[PhotoResult]) -> list[str]:
    done = [r for r in results if r.times["wall_s"]]
    if not done:
        return []
    stages = list(dict.fromkeys(stage for r in done for stage in r.times["stages_s"]))
    heads = ["photo", "all", "processor", *stages, "peak MB", "bare decode", "bare detectMarkers"]

    def cells(pick: Callable[[Sequence[float]], float | None]) -> list[object]:
        def column(key: str, digits: int = 2) -> str:
            return number(pick([r.times[key] for r in done if r.times[key] is not None]), digits)

        each = [number(pick([r.times["stages_s"].get(s, 0.0) for r in done]), 2) for s in stages]
        return [column("wall_s"), column("cpu_s"), *each, column("peak_mb", 0), column("bare_decode_s"),
                column("bare_detect_s")]  # fmt: skip

    rows: list[list[object]] = [
        [r.name, number(r.times["wall_s"], 2), number(r.times["cpu_s"], 2),
         *(number(r.times["stages_s"].get(s), 2) for s in stages), number(r.times["peak_mb"], 0),
         number(r.times["bare_decode_s"], 2), number(r.times["bare_detect_s"], 2)]
        for r in done[:MOST_TIMED]
    ]  # fmt: skip
    rows += [["median", *cells(lambda v: percentile(v, 50))], ["largest", *cells(lambda v: max(v, default=None))]]
    decode, detect = (
        percentile([r.times[key] for r in done if r.times[key] is not None], 50)
        for key in ("bare_decode_s", "bare_detect_s")
    )
    beside = BESIDE.format(decode=f"{number(decode, 2)} s", detect=f"{number(detect, 2)} s")
    return ["### Seconds and memory", "", beside, *table(heads, rows)]


def _worst(worst: Sequence[Worst], links: Sequence[str]) -> list[str]:
    if not worst:
        return []
    out = ["### The worst cases", ""]
    out += ["Yellow: truth. Magenta: reading.", ""] if links else []
    for sort, heading in SORTS.items():
        some = [n for n, error in enumerate(worst) if error.sort == sort]
        if not some:
            continue
        out += [f"**{heading}**", ""]
        for n in some:
            words = f"{worst[n].result.name}: {worst[n].words}"
            out += [f"- {words}"] + ([f"  ![{SORTS[sort]}, {worst[n].result.name}]({links[n]})"] if links else [])
        out.append("")
    return out
