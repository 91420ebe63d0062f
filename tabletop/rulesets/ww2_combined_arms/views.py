"""A game as JSON. Everything lies open on the board, so every side sees the same."""

from __future__ import annotations

from typing import Any

from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.data import NAME, SIDES
from tabletop.rulesets.ww2_combined_arms.state import State, Unit


def view(state: State) -> dict[str, Any]:
    """The state as JSON, squares by name."""
    names, setup = state.grid.names, state.setup
    return {
        "version": 1,
        "rules": NAME,
        "board": {"columns": setup.columns, "rows": setup.rows},
        "step": state.step,
        "turn": state.turn,
        "acting": state.acting,
        "first": state.first,
        "cities": [names[n] for n in state.cities],
        "terrain": dict(setup.terrain),
        "units": [_unit(u, names) for u in state.units],
        "named": list(state.named),
        "lifted": sorted(state.lifted),
        "must_retreat": state.pressed or None,
        "owed": dict(zip(SIDES, state.owed, strict=True)),
        "outcome": None if state.result is None else {"winner": state.result.winner, "reason": state.result.reason},
    }


def _unit(unit: Unit, names: tuple[str, ...]) -> dict[str, Any]:
    fields = {name: getattr(unit, name) for name in Unit.__slots__}
    return fields | {"at": None if unit.at == OFF else names[unit.at], "hurt_by": list(unit.hurt_by)}
