"""Terrain in doubt decides no ruling: what hangs on it is too close to call, and what does not stays as it is."""

from typing import Any

import pytest

from tabletop.questions.settling import settle
from tabletop.referee.doubtful_terrain import other_scenes
from tabletop.referee.report_rows import Report, ShotRow
from tabletop.referee.reports import report_on, report_on_file
from tabletop.tables.scene import Scene, scene_from_json, scene_to_json
from tests.support.observed_rows import base_row, observation
from vision.pipeline.way_round import way_round_question

BETWEEN = [[6, 14], [16, 14], [16, 18], [6, 18]]
FAR = [[28, 30], [34, 30], [34, 34], [28, 34]]


def unit(name: str, side: str, y: float, facing: float) -> dict[str, Any]:
    base = {"shape": "rect", "width": 2.5, "depth": 1.75, "center": [11, y], "facing": facing, "unique": True}
    return {"id": name, "side": side, "kind": "tank", "bases": [base]}


def scene(kind: str, polygon: list[list[int]], confidence: float, **chances: float) -> Scene:
    row = {"id": "t1", "kind": kind, "polygon": polygon, "confidence": confidence, "evidence": {"chances": chances}}
    units = [unit("A1", "blue", 10.0, 0.0), unit("B1", "red", 22.0, 180.0)]
    return scene_from_json({"version": 1, "table": {"width": 36, "depth": 36}, "terrain": [row], "units": units})


def shot(report: Report) -> ShotRow:
    return next(row for row in report["shots"] if row["firer"] == "A1")


def test_a_wood_in_doubt_neither_blocks_nor_leaves_open() -> None:
    sure = shot(report_on(scene("woods", BETWEEN, 0.97), "one-hour-ww2"))
    assert (sure["verdict"], sure["sight"]["verdict"]) == ("no", "blocked")
    row = shot(report_on(scene("woods", BETWEEN, 0.8), "one-hour-ww2"))
    assert (row["verdict"], row["sight"]["verdict"]) == ("too-close", "too-close")
    assert "t1 (woods, 80 %), is in doubt" in row["reasons"][-1]


def test_a_road_that_may_be_a_wood_leaves_the_sight_open() -> None:
    road = shot(report_on(scene("road", BETWEEN, 0.9, road=0.9, nothing=0.1), "one-hour-ww2"))
    assert road["sight"]["verdict"] == "clear"
    row = shot(report_on(scene("road", BETWEEN, 0.8, road=0.8, woods=0.15, nothing=0.05), "one-hour-ww2"))
    assert row["sight"]["verdict"] == "too-close"


def test_what_does_not_hang_on_it_is_as_it_was() -> None:
    sure, doubt = (report_on(scene("woods", FAR, chance), "one-hour-ww2") for chance in (1.0, 0.5))
    assert doubt["shots"] == sure["shots"] and doubt["threatened"] == sure["threatened"]


@pytest.mark.parametrize(("confidence", "others"), [(0.95, 0), (0.949, 1)])
def test_terrain_from_95_percent_on_is_told(confidence: float, others: int) -> None:
    assert len(other_scenes(scene("woods", BETWEEN, confidence))) == others


def test_doubt_survives_a_scene_file() -> None:
    told = scene("woods", BETWEEN, 0.6, woods=0.6, marsh=0.3, nothing=0.1)
    (back,) = scene_from_json(scene_to_json(told)).terrain
    assert (back.confidence, back.chances, back.other_kind) == (0.6, told.terrain[0].chances, "marsh")


def test_what_depends_on_which_edge_is_near_is_too_close_until_that_is_answered() -> None:
    def row(name: str, side: str, y: float) -> dict[str, Any]:
        named = {"unit": name, "side": side, "kind": "infantry", "unique": True}
        return base_row(name.lower(), (8.0, y), **named, width=2.0, facing=0.0 if side == "blue" else 180.0)

    turn = way_round_question((1, 2, 3), (36.0, 36.0), ["a1", "b1"]).to_json()
    piece = {"id": "w", "kind": "woods", "polygon": [[2, 25], [34, 25], [34, 28], [2, 28]], "height": 0.0}
    asked = {**turn, "id": "q1"}
    seen = observation(row("A1", "blue", 4), row("B1", "red", 14), terrain=[piece], questions=[asked])
    (one,) = [shot(report) for report in [report_on_file(seen)]]
    assert one["verdict"] == "too-close" and "which edge is nearest the camera" in one["reasons"][-1]
    far, near = (shot(report_on_file(settle(seen, {"q1": edge}))) for edge in ("far", "near"))
    assert (far["verdict"], near["verdict"]) == ("no", "yes")
    read = {**seen, "questions": [{**asked, "covers": [["a1", "b1", "w"]]}]}
    assert shot(report_on_file(read))["verdict"] == "yes", "terrain that was seen turns with the bases"
