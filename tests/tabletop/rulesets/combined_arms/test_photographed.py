"""The whole way of a hex game: its table file written, tags laid by it, photographed, and the moves read off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthetic import tables
from synthetic.plan import random_plan
from synthetic.planned import PlannedBase, PlannedUnit, TablePlan
from tabletop.grids.placement import from_overlay
from tabletop.reconcile.comparison import accept, look
from tabletop.referee.judging import observe, open_photo
from tabletop.rulesets.combined_arms.board import HEXES, NAMES, NUMBER
from tabletop.rulesets.combined_arms.board_placement import CELLS
from tabletop.tables.model import TableFile
from tabletop.tables.table_for_game import table_file_for
from tabletop.tables.table_toml import TagWish, table_toml
from tabletop.tables.tablefile import load_table, parse_table
from tests.support.combined_arms_tables import game_at

START = {"D1": "2-3", "D2": "2-4", "E1": "3-5", "E2": "4-6", "F1": "4-7", "A1": "2-5 0", "A2": "3-3 1"}
SIDES = {"attacker": "blue", "defender": "red"}
MOVED = {"D1": "3-4", "D2": "3-5", "E1": "4-6", "E2": "5-7", "A1": "3-6 0"}


def laid_on(table: TableFile, where: dict[str, str]) -> tuple[PlannedUnit, ...]:
    """The roster's pieces in their hexes, as hands set them down: a little off the middle and turned a little."""
    assert table.overlay is not None
    layout = from_overlay(table.overlay, CELLS).layout
    rng, made = np.random.default_rng(5), []
    by_id = {unit.id: unit for unit in table.units}
    for seed, (name, said) in enumerate(where.items()):
        at, _, corner = said.partition(" ")
        (x, y), unit = layout.centres([HEXES[NUMBER[at]]])[0], by_id[name]
        made_as, (dx, dy), turn = unit.unique_base, rng.normal(0, 0.2, 2), float(rng.normal(0, 4))
        piece = PlannedBase(
            made_as.width_in, made_as.depth_in, made_as.height_in, made_as.is_round,
            float(x + dx), float(y + dy), 60.0 * int(corner or 0) + turn, True, unit.tag,
        )  # fmt: skip
        made.append(PlannedUnit(name, SIDES[unit.side], "infantry", (piece,), (0.0, 0.0), seed))
    return tuple(made)


@pytest.mark.slow
def test_a_board_laid_by_its_own_table_file_is_photographed_and_its_moves_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_at(START, {"7-4": "", "8-3": "", "6-6": "real"})
    mine = parse_table(table_file_for("combined-arms", game.state, tags=TagWish(0.6, "DICT_4X4_100")))
    counters = [(c.revealed, NAMES[c.at]) for c in game.state.enemy]
    pieces = {f"{'platoon' if shown else 'counter'}-{n}": at for n, (shown, at) in enumerate(counters, 1)}

    def with_pieces(rng: np.random.Generator, **wished: Any) -> TablePlan:
        plan = random_plan(rng, **wished)
        return replace(plan, pieces=(), units=laid_on(mine, {**START, **MOVED, **pieces}), things=(), tag_size=0.6)

    monkeypatch.setattr(tables, "random_plan", with_pieces)
    drawn = tables.draw(71, tables.Wish(size=(36.0, 36.0), frame=True, megapixels=8, elevation_deg=65.0))
    drawn.write(tmp_path)
    frame = parse_table(drawn.table)
    (tmp_path / "mine.toml").write_text(table_toml(replace(mine, frame=frame.frame, tags=frame.tags)))
    seen = observe(open_photo(tmp_path / f"{drawn.name}.jpg"), load_table(tmp_path / "mine.toml")).to_json()
    assert mine.overlay is not None
    found = look(game, seen, board=from_overlay(mine.overlay, CELLS))
    assert found.questions == () and all(one.proposal.acceptable for one in found.listed)
    assert {one.proposal.unit for one in found.listed} == set(MOVED)
    accept(game, found)
    for name, said in {**START, **MOVED}.items():
        unit = game.state.by_id[name]
        assert said.split() == [NAMES[unit.at], *([] if unit.facing is None else [str(unit.facing)])]
    assert look(game, seen, board=from_overlay(mine.overlay, CELLS)).listed == ()
