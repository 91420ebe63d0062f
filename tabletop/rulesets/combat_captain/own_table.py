"""The table file that a game of Combat Captain would have been begun with: every sub-unit a unit of one stand."""

from __future__ import annotations

from tabletop.rulesets.combat_captain.data import NAME
from tabletop.rulesets.combat_captain.setup import Point
from tabletop.rulesets.combat_captain.state import State
from tabletop.tablefile import Base, Side, TableFile, Terrain, Unit


def own_table(state: State, base_height_in: float, size_in: Point | None = None) -> tuple[TableFile, tuple[str, ...]]:
    """The table without markers, and what a table file has no words for (companies, leaders, aims) as sentences.

    The table's size is the game's, so ``size_in`` can but repeat it.
    """
    setup = state.setup
    width, depth = size_in or (setup.width, setup.depth)
    units = []
    for company in setup.companies:
        for sub in company.subs:
            base = Base(float(sub.base.width), float(sub.base.depth), base_height_in, sub.base.shape == "round")
            units.append(Unit(sub.id, company.side, sub.kind, 1, base, base))
    terrain = tuple(Terrain(p.id, p.kind, p.polygon, p.height, p.hill_top) for p in setup.terrain)
    notes = [
        f"Company {company.id} of {company.side}: {', '.join(sub.id for sub in company.subs)}; "
        f"{company.leader} leads it and reaches {company.radius_in:g} inches."
        for company in setup.companies
    ]
    notes += [f"Aim: {aim}" for aim in setup.aims]
    sides = tuple(Side(side) for side in setup.sides)
    return TableFile(width, depth, None, NAME, sides=sides, units=tuple(units), terrain=terrain), tuple(notes)
