"""What ``tabletop danger`` tells of Combined Arms: a platoon's dangers, and where bombs fall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabletop.errors import UsageError
from tabletop.reading.toml_source import did_you_mean
from tabletop.rulesets.combined_arms.action_fields import hex_name
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER, OFF
from tabletop.rulesets.combined_arms.danger import (
    Danger,
    danger,
    danger_json,
    dangers,
    pattern_words,
    patterns_json,
    sentences,
)
from tabletop.rulesets.combined_arms.data import PLATOONS
from tabletop.rulesets.combined_arms.moving import ways
from tabletop.rulesets.combined_arms.picture import board_sheet
from tabletop.rulesets.combined_arms.position import state_from_position
from tabletop.words import percent

if TYPE_CHECKING:
    from geometry.drawing.scene import Sheet
    from tabletop.rulesets.combined_arms.state import State

__all__ = ["danger_map", "mortar_patterns", "state_from_position", "unit_danger"]


def unit_danger(state: State, unit: str, at: str | None, facing: int | None) -> tuple[dict[str, Any], str]:
    """What the enemy may do to a platoon if it ends ``at`` a hex, or where it is and after each of its moves; as JSON
    and in words. Nothing hidden is in it. Raises UsageError."""
    name = unit.upper()
    if name not in PLATOONS:
        raise UsageError(f'There is no platoon "{unit}" in this game; {did_you_mean(name, sorted(PLATOONS))}')
    platoon = state.by_id[name]
    if platoon.is_infantry and facing is not None:
        raise UsageError(f"{name} is infantry, which has no facing: leave --facing out.")
    if at is not None:
        there = danger(state, name, NUMBER[hex_name(at)], facing)
        return danger_json(state, there), "\n".join([_headline(there), *sentences(state, there)])
    if platoon.fate not in ("waiting", "board"):
        raise UsageError(f"{name} is gone ({platoon.fate}): ask about a platoon that is in the game.")
    rows: list[Danger] = []
    lines: list[str] = []
    if platoon.at != OFF:
        here = danger(state, name, platoon.at, platoon.facing if facing is None else facing)
        rows.append(here)
        lines += [_headline(here), *sentences(state, here)]
    moves = _after_moves(state, name)
    if moves:
        lines += ["", "After its moves:"] if lines else ["After its moves:"]
        lines += [f"  {_row(each)}" for each in moves]
    answer = {"platoon": name, "dangers": [danger_json(state, each) for each in (*rows, *moves)]}
    return answer, "\n".join(lines) or f"{name} can't move now."


def mortar_patterns(state: State, target: str) -> tuple[dict[str, Any], str]:
    """Where mortars called down on a hex may fall, as JSON and in words; raises UsageError."""
    name = hex_name(target)
    answer = patterns_json(state, name)
    against = [f"- {v['text']}" for v in answer["against"]]
    lines = [f"Mortars called down on {name} scatter by a die:", *(f"  {row}" for row in pattern_words(state, name))]
    lines += [f"{unit} is hit with {chance:.0%}.".replace("%", " %") for unit, chance in answer["hit"].items()]
    return answer, "\n".join([*lines, *(["They can't be called now:", *against] if against else [])])


def danger_map(state: State, unit: str) -> Sheet:
    """The board, every hex shaded by the worst that may happen to a platoon there."""
    name = unit.upper()
    shades = {n: float(each.worst) for n, each in dangers(state, name).items()}
    return board_sheet(state, title=f"Danger to {name}, at worst", danger=shades)


def _after_moves(state: State, unit: str) -> list[Danger]:
    """The danger at the end of every move of a platoon, the safest first; armour faces where it is safest."""
    safest: dict[int, Danger] = {}
    for way in ways(state, state.by_id[unit]):
        if way.leaves:
            continue
        last = way.hexes[-1]
        every = [danger(state, unit, last, f) for f in way.facings] or [danger(state, unit, last)]
        for each in every:
            if last not in safest or (each.worst, each.expected_chance) < (
                safest[last].worst,
                safest[last].expected_chance,
            ):
                safest[last] = each
    return sorted(safest.values(), key=lambda each: (each.worst, each.expected_chance, each.at))


def _headline(row: Danger) -> str:
    facing = "" if row.facing is None else f", facing corner {row.facing}"
    return f"{row.unit} in {NAMES[row.at]}{facing}: {_figures(row)}."


def _row(row: Danger) -> str:
    facing = "" if row.facing is None else f" facing {row.facing}"
    return f"{NAMES[row.at]:5}{facing:9} {_figures(row)}"


def _figures(row: Danger) -> str:
    losses = "" if row.facing is not None else f", {float(row.losses):.2f} losses on average"
    what = "pinned" if row.facing is None else "broken"
    return f"{what} {percent(row.worst)} at worst, {percent(row.expected_chance)} expected{losses}"
