"""What `tabletop overlay` says and draws of a reading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabletop.overlay.reading import Reading
    from vision.hex_drawing import HexDrawing


def drawing_of(reading: Reading, data: Mapping[str, Any]) -> HexDrawing:
    """What is drawn of a reading."""
    from tabletop.overlay.sights import lines_of_fire
    from tabletop.rulesets.combined_arms.board import HEXES, NUMBER
    from vision.expected import ExpectedTerrain
    from vision.hex_drawing import FireLine, ForwardArc, HexCell, HexDrawing, Standing

    layout = reading.laid.layout
    corners, centres = layout.corners(HEXES), layout.centres(HEXES)

    def middle(name: str) -> tuple[float, float]:
        x, y = centres[NUMBER[name]]
        return float(x), float(y)

    cells = tuple(
        HexCell(h.name, corners[n], h.cell.terrain, h.cell.road, h.uncertain,
                "/".join(str(cell) for cell, chance in h.answers[:2] if chance > 0))
        for n, h in enumerate(reading.hexes)
    )  # fmt: skip
    lines = tuple(
        FireLine(middle(t.start), middle(t.end), t.line, middle(t.by[0]) if t.line == "blocked" and t.by else None)
        for t in lines_of_fire(reading)
    )
    arcs = tuple(
        ForwardArc(middle(s.footing.hex), layout.facing_deg(s.facing.corner), 1.6 * layout.size_in,
                   f"{s.id} {s.facing.error_deg:+.0f}°", s.facing.is_open)
        for s in reading.forces.standers if s.kind == "armour" and s.facing is not None and s.footing.hex
    )  # fmt: skip
    standing = tuple(Standing(s.id, s.at, s.footing.straddles or s.footing.is_open) for s in reading.forces.standers)
    terrain = tuple(
        ExpectedTerrain(
            str(raw.get("id")), str(raw["kind"]), tuple((float(x), float(y)) for x, y in raw["polygon"]),
            float(raw.get("height") or 0.0),
            tuple((float(x), float(y)) for x, y in raw["hill_top"]) if raw.get("hill_top") else None,
        )
        for raw in data.get("terrain") or ()
    )  # fmt: skip
    return HexDrawing(cells, lines, arcs, standing, terrain)


def in_words(reading: Reading, result: Mapping[str, Any]) -> list[str]:
    """A reading in lines: where the board lies, its terrain, who stands where, what is open."""
    from tabletop.cli.settle import questions_in_words
    from tabletop.rulesets.combined_arms.data import CORNER_WORDS

    laid = reading.laid
    x, y = laid.layout.origin
    sure = "" if laid.is_exact else f', its hexes known to {laid.sigma_in:.2f}" (one sigma)'
    fitted = "" if laid.residual_in is None else f', {laid.residual_in:.2f}" from what it was fitted to'
    lines = [
        f'The board by {laid.source}: hexes of {laid.layout.size_in:.2f}", hex 1-1 at ({x:.2f}, {y:.2f}), turned '
        f"{laid.layout.rotation_deg:.1f} degrees{sure}{fitted}.",
        *text_board(reading),
        f"{len(reading.uncertain)} of {len(reading.hexes)} hexes are uncertain (marked ?).",
    ]
    for s in reading.forces.standers:
        if s.footing.hex is None:
            continue
        facing = ""
        if s.facing is not None:
            corner = CORNER_WORDS[s.facing.corner]
            facing = f", facing corner {s.facing.corner} ({corner}, {s.facing.error_deg:+.0f} degrees)"
        across = f", {s.footing.over:.0%} of it over the side of {s.footing.over_hex}" if s.footing.straddles else ""
        spent = ", spent" if s.spent else ""
        lines.append(f"{s.id} ({s.kind}) in {s.footing.hex}{facing}{spent}{across}.")
    lines += [str(note) for note in result["overlay"]["notes"]]
    return lines + questions_in_words(result["overlay"])


_LETTERS = {"open": ".", "poor going": "p", "crest": "c", "woods": "w", "wooded crest": "W", "farm": "f"}


def text_board(reading: Reading) -> list[str]:
    """The board's terrain in text, far row first: one letter a hex, then = for the road, ? where it is uncertain."""
    rows: dict[int, list[str]] = {}
    for h in reading.hexes:
        mark = "?" if h.uncertain else ""
        cell = f"{_LETTERS[h.cell.terrain]}{'=' if h.cell.road else ''}{mark}"
        rows.setdefault(int(h.name.split("-")[0]), []).append(f"{cell:<4}")
    widest = max(len(row) for row in rows.values())
    board = [f"{row:>3} {'  ' * (widest - len(cells))}{''.join(cells).rstrip()}" for row, cells in sorted(rows.items())]
    return [*board[::-1], "    . open, p poor going, c crest, w woods, W wooded crest, f farm, = road, ? uncertain"]
