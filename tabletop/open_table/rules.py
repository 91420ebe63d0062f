"""The base of rulesets for units of one base each on an open table: places in inches, reach, ranges."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import shapely

from tabletop.game.actions import Spot, Standing
from tabletop.game.core import REFEREE
from tabletop.game.domains import Domain
from tabletop.game.errors import ActionError
from tabletop.game.violations import Violation
from tabletop.open_table.events import Corrected
from tabletop.open_table.setup import Setup, Shape
from tabletop.open_table.state import State, Unit
from tabletop.open_table.table_edge import off_table
from tabletop.open_table.terrain import (
    Draw,
    Erase,
    TerrainDrawn,
    TerrainErased,
    complete_draw,
    terrain_event,
    terrain_text,
    terrain_violations,
    with_terrain,
)
from tabletop.small_games import rules as small_games

_QUARTER = 16  # segments of a quarter of a reach that is drawn


@dataclass(frozen=True)
class Kind(small_games.Kind):
    """A kind of unit with its ``base``, where a scenario does not say another."""

    base: Shape = dataclasses.field(kw_only=True)


class OpenTableRules(small_games.SmallGameRules[State]):
    """Rules for units of one base each on an open table, two sides that take turns.

    A subclass adds its ``kinds`` of units, its own actions and events beside
    :data:`~tabletop.open_table.actions.COMMON_ACTIONS` and :data:`~tabletop.open_table.events.CommonEvent`, and for
    these overrides the methods of :class:`tabletop.small_games.rules.SmallGameRules`.
    """

    setup: ClassVar[type] = Setup
    state: ClassVar[type[State]] = State
    unit: ClassVar[type[Unit]] = Unit
    kinds: ClassVar[tuple[Kind, ...]]

    # --- what a game may say of its units

    def reach_in(self, state: State, unit: Unit) -> float | None:
        """How far a unit may move in a turn, in inches; ``None``: the rules don't say."""
        return None

    def ranges_in(self, state: State, unit: Unit) -> Mapping[str, float]:
        """The ranges of a unit's weapons by their names, in inches."""
        return {}

    # --- places

    def place_text(self, at: Any) -> str:
        """A place to a tenth of an inch."""
        return f"at {at.x:.1f}, {at.y:.1f}"

    def place_violations(self, state: State, at: Standing, unit: str = "") -> Iterator[Violation]:
        """What speaks against a place: it is off the table."""
        instead = f"say a place on it, or take {unit} off the table" if unit else ""
        yield from off_table(state.setup, f"{unit or 'This'} would be at", [(at.x, at.y)], instead=instead)

    def corrected(self, action: Any) -> Corrected:
        """The event of the referee's correction."""
        assert not isinstance(action.at, Spot), "complete made a whole place of it"
        return Corrected(action.unit, action.at, action.off, action.reason)

    def open_domain(self, state: State, action: type[Any], values: Mapping[str, Any], name: str) -> Domain | None:
        """A place within the unit's reach, or anywhere on the table."""
        unit = state.units.get(values.get("unit", ""))
        table = shapely.Polygon(state.setup.outline)
        reach = None if unit is None else self.reach_in(state, unit)
        if unit is not None and unit.at is not None and reach is not None:
            table = shapely.Point(unit.at.x, unit.at.y).buffer(reach, quad_segs=_QUARTER) & table
        return Domain("place", region=(tuple(table.exterior.coords)[:-1],))

    # --- terrain

    def actor(self, state: State, action: Any) -> str:
        """The referee for terrain and a correction, else the side of its unit, the side that it names or the one to
        act."""
        return REFEREE if isinstance(action, Draw | Erase) else super().actor(state, action)

    def trial(self, state: State, action: type[Any], values: Mapping[str, Any]) -> Any:
        """The same for a unit; terrain as large as the table, wherever it would be drawn."""
        return Draw(ring=state.setup.outline, **values) if action is Draw else super().trial(state, action, values)

    def check(self, state: State, action: Any) -> tuple[Violation, ...]:
        """All that speaks against one of the common actions."""
        found = super().check(state, action)
        return (*found, *terrain_violations(state, action, state.units)) if isinstance(action, Draw | Erase) else found

    def events_of(self, state: State, action: Any, dice: Sequence[int]) -> Iterator[Any]:
        """The events of one of the common actions."""
        if isinstance(action, Draw | Erase):
            yield terrain_event(action)
        else:
            yield from super().events_of(state, action, dice)

    def apply(self, state: State | None, event: Any) -> State:
        """The state after one of the common events."""
        if state is not None and isinstance(event, TerrainDrawn | TerrainErased):
            return replace(state, setup=with_terrain(state.setup, event))
        return super().apply(state, event)

    def event_text(self, state: State | None, event: Any) -> str:
        """A common event in a sentence."""
        if isinstance(event, TerrainDrawn | TerrainErased):
            return terrain_text(event)
        return super().event_text(state, event)

    def complete(self, state: State, action: Any) -> Any:
        """An action with whole places: where only a point is said, a unit keeps its facing. Raises ActionError."""
        if isinstance(action, Draw):
            return complete_draw(state, action)
        changed = {}
        for field in dataclasses.fields(action):
            value = getattr(action, field.name)
            if isinstance(value, Spot):
                if value.x is None or value.y is None:
                    raise ActionError("A place needs both x and y, in inches.")
                unit = state.units.get(getattr(action, "unit", ""))
                kept = 0.0 if unit is None or unit.at is None else unit.at.facing
                changed[field.name] = Standing(value.x, value.y, kept if value.facing is None else value.facing)
        return replace(action, **changed) if changed else action
