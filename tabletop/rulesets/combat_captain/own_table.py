"""The table file that a game of Combat Captain would have been begun with: every sub-unit a unit of one stand."""

from __future__ import annotations

from tabletop.open_table.table_file import base_of, table_of
from tabletop.rulesets.combat_captain.data import NAME
from tabletop.rulesets.combat_captain.setup import Point
from tabletop.rulesets.combat_captain.state import State
from tabletop.tables.model import TableFile, Unit


def own_table(state: State, base_height_in: float, size_in: Point | None = None) -> tuple[TableFile, tuple[str, ...]]:
    """The table without markers, and what a table file has no words for (companies, leaders, aims) as sentences.

    The table's size is the game's, so ``size_in`` can but repeat it.
    """
    setup = state.setup
    bases = [(sub, base_of(sub.base, base_height_in)) for sub in setup.plans.values()]
    units = tuple(Unit(sub.id, setup.side_of(sub.id), sub.kind, 1, base, base) for sub, base in bases)
    notes = [
        f"Company {company.id} of {company.side}: {', '.join(sub.id for sub in company.subs)}; "
        f"{company.leader} leads it and reaches {company.radius_in:g} inches."
        for company in setup.companies
    ]
    notes += [f"Aim: {aim}" for aim in setup.aims]
    return table_of(setup, NAME, units, size_in), tuple(notes)
