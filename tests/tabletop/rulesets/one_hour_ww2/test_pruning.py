"""Nothing that is left out beforehand or worked out together changes a report: against slow, plain references."""

import importlib
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from geometry.blocking import clearances
from geometry.tolerance import YES
from tabletop.rulesets.one_hour_ww2 import HouseRules, report
from tabletop.rulesets.one_hour_ww2.sights import Sights
from tabletop.rulesets.one_hour_ww2.situation import Situation
from tabletop.rulesets.one_hour_ww2.standing import findings
from tests.reference.one_hour_sights import PlainSights
from tests.support.one_hour_tables import random_table

TABLES = (5, 23)
"""Tables that together have all that may go wrong."""


@pytest.mark.parametrize("seeds", [TABLES, pytest.param(range(12), marks=pytest.mark.slow)])
def test_the_report_is_that_of_sights_which_try_everything(
    monkeypatch: pytest.MonkeyPatch, seeds: Iterable[int]
) -> None:
    told = [report(random_table(seed)) for seed in seeds]
    words = " ".join(reason for one in told for shot in one["shots"] for reason in shot["reasons"])
    for what in ("the hill", "two of its edges", "sight that touches it", "the friendly unit", "unnamed", "observe"):
        assert what in words
    assert {shot["sight"]["verdict"] for one in told for shot in one["shots"]} == {"clear", "blocked", "too-close"}
    monkeypatch.setattr(importlib.import_module("tabletop.rulesets.one_hour_ww2.report"), "Sights", PlainSights)
    assert told == [report(random_table(seed)) for seed in seeds]


@pytest.mark.parametrize("seed", range(6))
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


@pytest.mark.parametrize("seed", range(6))
def test_what_is_said_of_a_unit_among_others_is_what_is_said_of_it_alone(seed: int) -> None:
    scene = random_table(seed)
    situation = Situation(scene, HouseRules())
    for unit, said in zip(situation.units, findings(situation), strict=True):
        (alone,) = findings(Situation(replace(scene, units=(unit,)), HouseRules()))
        assert [str(finding) for finding in said] == [str(finding) for finding in alone]
        assert [finding.numbers for finding in said] == [pytest.approx(finding.numbers) for finding in alone]
