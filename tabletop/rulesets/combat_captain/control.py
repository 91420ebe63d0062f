"""What leaders hold together: who stands outside the control radius, and companies strung out too far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from geometry.ranges import ranges_between
from geometry.shapes import outline_polygons, outline_sigma
from geometry.tolerance import judge, judge_one
from tabletop.rulesets.combat_captain.data import NO, YES
from tabletop.rulesets.combat_captain.state import State
from tabletop.words import inches

PLACE = "Leadership Figures"
_QUARTER = 24  # points on a quarter of an oval, the farthest one within 0.0006 of half its length


@dataclass(frozen=True)
class Finding:
    """Something about a company's order: surely so (YES) or too close to call (OPEN), with the inches it hangs on."""

    company: str
    what: str
    subs: tuple[str, ...]
    answer: int
    value_in: float
    limit_in: float

    @property
    def words(self) -> str:
        """It in a sentence."""
        far = inches(self.value_in, [self.limit_in])
        perhaps = "is" if self.answer == YES else "may be"
        if self.what == "isolated":
            (sub,) = self.subs
            return f"{sub} {perhaps} isolated: {far} from its leader, who reaches {self.limit_in:g}″ [{PLACE}]."
        one, other = self.subs
        return (
            f"{self.company} {perhaps} strung out: {far} from end to end of {one} and {other}, "
            f"and it may be {self.limit_in:g}″ long [{PLACE}]."
        )


def findings(state: State, company: str) -> Iterator[Finding]:
    """Who of a company is isolated, and whether it is longer than twice its control radius.

    A sub-unit is isolated when the nearest point of its stand is farther from the leader's centre than the radius; the
    length of a company is that of the farthest two points of its stands. The text gives no points to measure from: the
    leader is measured from like a firing sub-unit, from its centre.
    """
    plan = state.setup.by_id[company]
    members = state.members(company, on_table=True)
    leader = state.leaders[company]
    index, bases = state.field.index, state.field.bases
    rows = [index[stand.id] for stand in members]
    if leader in index and len(rows) > 1:
        others = [row for row in rows if row != index[leader]]
        center = state.field.points[[index[leader]] * len(others)]
        found = ranges_between(center, bases[others])
        inside = judge(plan.radius_in - found.value, found.sigma)
        for row, answer, value in zip(others, inside.tolist(), found.value.tolist(), strict=True):
            if answer < YES:
                yield Finding(company, "isolated", (state.field.ids[row],), -answer, value, plan.radius_in)
    if len(rows) > 1:
        yield from _length(state, company, rows, 2 * plan.radius_in)


def _length(state: State, company: str, rows: list[int], limit_in: float) -> Iterator[Finding]:
    """The two stands of a company whose outlines are farthest apart, where they are too far."""
    bases = state.field.bases[rows]
    points = np.where(bases.is_round[:, None, None], bases.center[:, None, :], bases.corners)
    if bases.is_oval.any():
        rings = shapely.get_coordinates(outline_polygons(bases[bases.is_oval], _QUARTER))
        points = np.repeat(points, _QUARTER, axis=1)
        points[bases.is_oval] = rings.reshape(-1, 4 * _QUARTER + 1, 2)[:, 1:]
    grown = np.where(bases.is_round, bases.width / 2, 0.0)
    far = np.linalg.norm(points[:, None, :, None, :] - points[None, :, None, :, :], axis=-1).max(axis=(2, 3))
    far = far + grown[:, None] + grown[None, :]
    one, other = (int(k) for k in np.unravel_index(int(np.argmax(np.triu(far, 1))), far.shape))
    spread = outline_sigma(bases)
    within = judge_one(limit_in - float(far[one, other]), float(np.hypot(spread[one], spread[other])))
    if within < YES:
        ids = state.field.ids
        yield Finding(
            company, "long", (ids[rows[one]], ids[rows[other]]), -int(within), float(far[one, other]), limit_in
        )


def isolated_sub_units(state: State) -> dict[str, int]:
    """All sub-units that are isolated (YES) or may be (OPEN)."""
    return {
        finding.subs[0]: finding.answer
        for company in state.setup.companies
        for finding in findings(state, company.id)
        if finding.what == "isolated" and finding.answer > NO
    }


def overlaps(state: State, subs: tuple[str, ...], slip_in: float = 0.05) -> dict[str, list[str]]:
    """Which stands each of some stands on the table stands on, by more than a slip of a hand."""
    shapes = dict(zip(state.field.ids, state.field.outlines(), strict=True))
    found = {}
    for name in (name for name in subs if name in shapes):
        inner = shapely.buffer(shapes[name], -slip_in)
        over = [other for other, shape in shapes.items() if other != name and shapely.intersects(inner, shape)]
        if over:
            found[name] = over
    return found
