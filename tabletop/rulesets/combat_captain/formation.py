"""A company put on the table as a whole: as it stands, turned with its leader, else in ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tabletop.rulesets.combat_captain import acts
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import State
from tabletop.rulesets.one_hour_ww2.reader import turned

GAP_IN = 0.4
"""Between the stands of a company that is put on the table as a whole."""


RANK = 6


def company_places(state: State, company: str, at: Standing, *, faced: bool = True) -> list[acts.Place]:
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
        facing = None if stand.at.facing is None else turned(round(stand.at.facing + turn, 6))
        found.append(acts.Place(stand.id, Standing(round(x, 4), round(y, 4), facing)))
    return found


def _ranks(stands: Sequence[object], at: Standing) -> list[acts.Place]:
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
        found.append(acts.Place(plan.id, Standing(round(x, 4), round(y, 4), at.facing)))
    return found
