"""The board of Combined Arms as ``tabletop overlay`` reads it (:class:`tabletop.grids.board_reader.BoardReader`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from geometry.hex_layout import HexLayout
from tabletop.grids.board_reader import BoardDrawing, DrawnArc, DrawnCell, DrawnLine, DrawnUnit, answers_that_count
from tabletop.grids.cells import Cells
from tabletop.grids.placement import BoardPlacement
from tabletop.rulesets.combined_arms.board_placement import CELLS
from tabletop.rulesets.combined_arms.data import CORNER_WORDS, NAME
from tabletop.rulesets.combined_arms.overlay.forces import KINDS, Stander
from tabletop.rulesets.combined_arms.overlay.lines_of_fire import lines_of_fire
from tabletop.rulesets.combined_arms.overlay.position import Earlier, earlier_from, to_json
from tabletop.rulesets.combined_arms.overlay.reading import Reading, read_table

_LETTERS = {"open": ".", "poor going": "p", "crest": "c", "woods": "w", "wooded crest": "W", "farm": "f"}


@dataclass(frozen=True, eq=False)
class HexesRead:
    """A table read through the board of Combined Arms, with what an earlier reading knew."""

    reading: Reading
    earlier: Earlier | None = None

    @property
    def questions(self) -> Sequence[Mapping[str, Any]]:
        """What is left open."""
        return self.reading.questions

    def to_json(self) -> dict[str, Any]:
        """The position of contract section 6, with how it was read beside it."""
        return self._position

    @cached_property
    def _position(self) -> dict[str, Any]:
        return to_json(self.reading, self.earlier)

    def in_words(self) -> list[str]:
        """The reading in lines: the board in letters, who stands where, notes."""
        standers = [_in_words(s) for s in self.reading.forces.standers if s.footing.cell is not None]
        notes = [str(note) for note in self._position["overlay"]["notes"]]
        uncertain = f"{len(self.reading.uncertain)} of {len(self.reading.hexes)} hexes are uncertain (marked ?)."
        return [*text_board(self.reading), uncertain, *standers, *notes]

    def drawing(self) -> BoardDrawing:
        """The terrain hex by hex, platoons and counters, lines of fire, and the arcs of armour."""
        layout, standers = self.reading.placement.layout, self.reading.forces.standers
        assert isinstance(layout, HexLayout)
        cells = tuple(
            DrawnCell(
                h.name,
                h.terrain.word,
                h.terrain.road,
                h.uncertain,
                "/".join(str(terrain) for terrain, chance in h.answers[:2] if chance > 0),
            )
            for h in self.reading.hexes
        )
        lines = tuple(
            DrawnLine(t.start, t.end, t.line, t.by[0] if t.line == "blocked" and t.by else None)
            for t in lines_of_fire(self.reading)
        )
        arcs = tuple(
            DrawnArc(
                s.footing.cell,
                layout.facing_deg(s.facing.corner),
                f"{s.id} {s.facing.error_deg:+.0f}°",
                s.facing.is_open,
            )
            for s in standers
            if s.kind == "armour" and s.facing is not None and s.footing.cell is not None
        )
        units = tuple(DrawnUnit(s.id, s.at, s.footing.is_doubtful) for s in standers)
        return BoardDrawing(cells, units, lines, arcs)


@dataclass(frozen=True)
class CombinedArmsReader:
    """The board of 79 hexes, its platoons and counters."""

    rules: str = NAME
    kinds: tuple[str, ...] = KINDS
    cells: Cells = CELLS
    chequered: bool = False

    def earlier(self, data: object, where: str) -> Earlier:
        """What the file of an earlier reading knows; raises SceneError where it is none."""
        return earlier_from(data, where)

    def read(
        self,
        observation: Mapping[str, Any],
        placement: BoardPlacement,
        answers: Mapping[str, str],
        earlier: Earlier | None = None,
        notes: Sequence[str] = (),
    ) -> HexesRead:
        """A table read through the board that lies there; raises SceneError, AnswerError."""
        before, void = answers_that_count(earlier, placement)
        reading = read_table(observation, placement, answers, before)
        return HexesRead(replace(reading, notes=(*void, *notes, *reading.notes)), earlier)


READER = CombinedArmsReader()


def _in_words(s: Stander) -> str:
    """Where a platoon or counter stands, in a sentence."""
    facing = ""
    if s.facing is not None:
        corner = CORNER_WORDS[s.facing.corner]
        facing = f", facing corner {s.facing.corner} ({corner}, {s.facing.error_deg:+.0f} degrees)"
    across = f", {s.footing.over:.0%} of it over the side of {s.footing.over_cell}" if s.footing.straddles else ""
    spent = ", spent" if s.spent else ""
    return f"{s.id} ({s.kind}) in {s.footing.cell}{facing}{spent}{across}."


def text_board(reading: Reading) -> list[str]:
    """The board's terrain in text, far row first: one letter a hex, then = for the road, ? where it is uncertain."""
    rows: dict[int, list[str]] = {}
    for h in reading.hexes:
        mark = "?" if h.uncertain else ""
        cell = f"{_LETTERS[h.terrain.word]}{'=' if h.terrain.road else ''}{mark}"
        rows.setdefault(int(h.name.split("-")[0]), []).append(f"{cell:<4}")
    widest = max(len(row) for row in rows.values())
    board = [f"{row:>3} {'  ' * (widest - len(cells))}{''.join(cells).rstrip()}" for row, cells in sorted(rows.items())]
    return [*board[::-1], "    . open, p poor going, c crest, w woods, W wooded crest, f farm, = road, ? uncertain"]
