"""Nothing that is left out beforehand or worked out together changes a report: against slow, plain references."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely

from geometry.blocking import clearances
from geometry.sight import meets
from geometry.tolerance import YES
from tabletop.rulesets.one_hour_ww2 import HouseRules, report
from tabletop.rulesets.one_hour_ww2.sights import Sights
from tabletop.rulesets.one_hour_ww2.situation import Situation
from tabletop.rulesets.one_hour_ww2.standing import findings
from tests.reference.one_hour_sights import PlainSights, clearance, met
from tests.support.one_hour_tables import random_table


def plain_report(patch: pytest.MonkeyPatch, seed: int) -> dict[str, Any]:
    """The report by sights that try everything."""
    with patch.context() as here:
        here.setattr(importlib.import_module("tabletop.rulesets.one_hour_ww2.report"), "Sights", PlainSights)
        return report(random_table(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_the_report_is_that_of_sights_which_try_everything(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    assert report(random_table(seed)) == plain_report(monkeypatch, seed)


@pytest.mark.slow
def test_the_tables_have_what_may_go_wrong() -> None:
    told = [report(random_table(seed)) for seed in range(12)]
    words = " ".join(reason for one in told for shot in one["shots"] for reason in shot["reasons"])
    for what in ("the hill", "two of its edges", "sight that touches it", "the friendly unit", "unnamed", "observe"):
        assert what in words
    assert {shot["sight"]["verdict"] for one in told for shot in one["shots"]} == {"clear", "blocked", "too-close"}


@pytest.mark.parametrize("seed", range(8))
def test_no_base_near_enough_to_matter_is_left_out_of_a_sight(seed: int) -> None:
    situation = Situation(random_table(seed), HouseRules())
    lines, bases = Sights(situation).lines, situation.bases
    some = np.random.default_rng(seed).permutation(len(lines))[:25]
    lines = lines.select(some)
    near = clearances(lines, bases)
    blocking = {(n, k): (m, s) for n, k, m, s in zip(near.line, near.base, near.margin, near.sigma, strict=True)}
    for n in range(len(lines)):
        for k in range(len(bases)):
            margin, sigma = clearance(lines.select(np.array([n])), bases[k])
            if (n, k) in blocking:
                assert blocking[n, k] == pytest.approx((margin, sigma), abs=1e-9)
            else:
                assert margin >= 1.96 * sigma


@pytest.mark.parametrize("seed", range(8))
def test_sights_asked_in_groups_find_the_same_bases(seed: int) -> None:
    situation = Situation(random_table(seed), HouseRules())
    sights, bases = Sights(situation), situation.bases
    lines, random = sights.lines, np.random.default_rng(seed)
    group = random.integers(0, 5, len(lines))
    asked = random.random((5, len(bases))) < 0.7
    together, alone = clearances(lines, bases, asked, group), clearances(lines, bases, asked[group])
    for found in (together, alone):
        assert (np.diff(found.line * len(bases) + found.base) > 0).all()
    rows = [(found.clear < YES).nonzero()[0] for found in (together, alone)]
    for column in ("line", "base", "margin", "clear"):
        assert np.array_equal(*(getattr(f, column)[r] for f, r in zip((together, alone), rows, strict=True)))


@pytest.mark.parametrize("touching", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_no_outline_that_a_sight_meets_is_left_out(seed: int, touching: bool) -> None:
    scene = random_table(seed)
    lines = Sights(Situation(scene, HouseRules())).lines
    lines = lines.select(np.random.default_rng(seed).permutation(len(lines))[:60])
    shapes = np.array([shapely.polygons(t.polygon) for t in scene.terrain], dtype=object)
    found = meets(lines, shapes, [t.sigma for t in scene.terrain], touching=touching)
    for n in range(len(lines)):
        line = lines.select(np.array([n]))
        plain = [met(line, shape, t.sigma, touching=touching) for shape, t in zip(shapes, scene.terrain, strict=True)]
        assert found[n].tolist() == [int(answer) for answer in plain]


@pytest.mark.parametrize("seed", range(12))
def test_what_is_said_of_a_unit_among_others_is_what_is_said_of_it_alone(seed: int) -> None:
    scene = random_table(seed)
    situation = Situation(scene, HouseRules())
    for unit, said in zip(situation.units, findings(situation), strict=True):
        (alone,) = findings(Situation(replace(scene, units=(unit,)), HouseRules()))
        assert [str(finding) for finding in said] == [str(finding) for finding in alone]
        assert [finding.numbers for finding in said] == [pytest.approx(finding.numbers) for finding in alone]
