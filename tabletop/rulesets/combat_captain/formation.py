"""Where stands are put: one by one, or a company as a whole, as it stands, turned with its leader, else in ranks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from tabletop.game.actions import OnePlace, normal_facing
from tabletop.rulesets.combat_captain.action_fields import Placement
from tabletop.rulesets.combat_captain.events import Place
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import State

GAP_IN = 0.4
"""Between the stands of a company that is put on the table as a whole."""


RANK = 6


def places(state: State, placements: Iterable[Placement]) -> Iterator[Place]:
    """Where each stand is put: those of a company in its formation, what keeps its facing with the one that it has.

    A company of which nobody is left has no places.
    """
    for row in placements:
        if row.unit in state.setup.by_id and row.unit not in state.setup.plans:
            faced = isinstance(row.at, Standing) or row.at.facing is not None
            yield from company_places(state, row.unit, _full_place(row.at, None), faced=faced)
        else:
            yield Place(row.unit, standing_at(state, row.unit, row.at))


def standing_at(state: State, sub: str, at: OnePlace) -> Standing:
    """Where a sub-unit's stand is put; what is not said of it stays as it is."""
    stand = state.stands.get(sub)
    return _full_place(at, None if stand is None else stand.at)


def _full_place(at: OnePlace, now: Standing | None) -> Standing:
    """A place with what is not said of it as it stands now, else 0."""
    if isinstance(at, Standing):
        return at
    now = now or Standing(0.0, 0.0)
    x, y = now.x if at.x is None else at.x, now.y if at.y is None else at.y
    return Standing(x, y, now.facing if at.facing is None else at.facing)


def company_places(state: State, company: str, at: Standing, *, faced: bool = True) -> list[Place]:
    """Places for a whole company, its leader at ``at``: as it stands, turned with its leader, else in ranks of six.

    Without ``faced`` it keeps its facing.
    """
    members = state.members(company)
    leader = state.stands.get(state.leaders[company])
    if leader is None or not members:
        return []
    there = [stand for stand in members if stand.at is not None]
    if leader.at is None or len(there) < len(members):
        return _ranks([leader, *(stand for stand in members if stand.id != leader.id)], at)
    turn = (at.facing or 0.0) - (leader.at.facing or 0.0) if faced else 0.0
    angle = math.radians(turn)
    found = []
    for stand in members:
        assert stand.at is not None
        dx, dy = stand.at.x - leader.at.x, stand.at.y - leader.at.y
        x = at.x + dx * math.cos(angle) + dy * math.sin(angle)
        y = at.y - dx * math.sin(angle) + dy * math.cos(angle)
        facing = None if stand.at.facing is None else normal_facing(round(stand.at.facing + turn, 6))
        found.append(Place(stand.id, Standing(round(x, 4), round(y, 4), facing)))
    return found


def _ranks(stands: Sequence[object], at: Standing) -> list[Place]:
    """Stands in ranks of six behind one another, the first in the middle of the front one."""
    plans = [stand.plan for stand in stands]  # type: ignore[attr-defined]
    wide = max(plan.base.width for plan in plans) + GAP_IN
    deep = max(plan.base.depth for plan in plans) + GAP_IN
    angle = math.radians(at.facing or 0.0)
    right, ahead = (math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))
    found = []
    for n, plan in enumerate(plans):
        rank, file = divmod(n, RANK)
        across = wide * ((file + 1) // 2) * (1 if file % 2 else -1)
        x = at.x + across * right[0] - rank * deep * ahead[0]
        y = at.y + across * right[1] - rank * deep * ahead[1]
        found.append(Place(plan.id, Standing(round(x, 4), round(y, 4), at.facing)))
    return found
