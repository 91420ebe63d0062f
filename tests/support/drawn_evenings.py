"""One drawn table with a board of squares through a whole evening: its table file, and photographs of who stands where.

Every photograph is drawn anew from its own place, as a person takes it, and really read by the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard
from synthetic.boards import BoardKind, BoardUnit, random_board, with_units
from synthetic.planned import TablePlan
from synthetic.tables import draw_views
from synthetic.truth import table_file
from synthetic.wishes import Wish
from tabletop.tables.model import Base, Overlay, Side, TableFile, Tags, Unit
from tabletop.tables.table_toml import table_toml
from tabletop.tables.tablefile import parse_table


@dataclass(frozen=True)
class Member:
    """A unit of an evening: its name, side, kind as the game and as the drawing have it, and its tag."""

    id: str
    side: str
    kind: str
    drawn: str
    tag: int | None


@dataclass(frozen=True)
class DrawnTable:
    """A table with a board, and everybody who may come onto it."""

    plan: TablePlan
    layout: SquareLayout
    board: SquareBoard
    members: Mapping[str, Member]
    base_in: float
    seed: int
    megapixels: float

    @classmethod
    def of(
        cls,
        seed: int,
        kind: BoardKind,
        board: SquareBoard,
        members: Mapping[str, Member],
        *,
        rims: bool = False,
        megapixels: float = 4.0,
    ) -> DrawnTable:
        """A random table with that board, without anybody on it."""
        plan, truth = random_board(seed, kind, board, units=0, rims=rims)
        base_in = round(0.5 * truth.layout.size_in, 2)
        return cls(
            replace(plan, tag_size=round(0.8 * base_in, 2)), truth.layout, board, members, base_in, seed, megapixels
        )

    def file(self, rules: str, *, with_grid: bool = True) -> str:
        """The table file that the players bring; the grid is left out where they lay it by hand."""
        drawn = parse_table(table_file(self.plan), "drawn")
        base = Base(self.base_in, self.base_in, 0.12)
        rims = dict(self.plan.rims)
        sides = [Side(side, _rim(rims[side]) if side in rims else None) for side in ("red", "blue")]
        units = [Unit(one.id, one.side, one.kind, 1, base, base, tag=one.tag) for one in self.members.values()]
        tagged = any(one.tag is not None for one in self.members.values())
        x, y = self.layout.origin
        grid = Overlay("square", self.layout.size_in, (x, y), self.layout.rotation_deg)
        made = TableFile(
            drawn.width_in,
            drawn.depth_in,
            drawn.frame,
            rules,
            sides=tuple(sides),
            units=tuple(units),
            tags=Tags("DICT_4X4_100", self.plan.tag_size) if tagged else None,
            overlay=grid if with_grid else None,
        )
        return table_toml(made)

    def photograph(
        self,
        folder: Path,
        name: str,
        stands: Mapping[str, str],
        off: Mapping[str, tuple[float, float]] = MappingProxyType({}),
    ) -> Path:
        """A photograph of units on their squares, some so many sides of a square ``off`` the middle."""
        units = []
        for n, (unit, square) in enumerate(stands.items()):
            one = self.members[unit]
            aside = off.get(unit, (0.05 * (n % 3 - 1), 0.04 * (n % 5 - 2)))
            turned = (0.0 if one.side == "red" else 180.0) + 4.0 * (n % 5 - 2)
            units.append(BoardUnit(unit, one.side, one.drawn, self.board.parse(square), one.tag, aside, turned))
        plan = with_units(self.plan, self.layout, units, self.base_in)
        wish = Wish(megapixels=self.megapixels, elevation_deg=62.0, hand=False, orientation=1)
        seed = self.seed + sum(name.encode())
        [photo] = draw_views(seed, 1, wish, plan=plan)
        path = folder / f"{name}.jpg"
        path.write_bytes(photo.data)
        return path


def _rim(bgr: tuple[float, float, float]) -> tuple[int, int, int]:
    blue, green, red = (round(255 * c ** (1 / 2.2)) for c in bgr)
    return red, green, blue
