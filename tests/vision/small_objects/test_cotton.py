"""Cotton balls: found on other mats and in other light, and nothing else white taken for one."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from calibration import TableView
from tests.support.small_scenes import (
    GRASS,
    SAND,
    DrawnCotton,
    DrawnDie,
    Rgb,
    close_view,
    draw_card,
    draw_cotton,
    draw_die,
    draw_ruler,
    draw_tag,
    photo_of,
    table_sheet,
)
from tests.support.table_scenes import expected_for
from vision.imaging.photo import Photo
from vision.small_objects.beside_units import TablePlan
from vision.small_objects.cotton import find_cotton, paper_of

PAPER = (236, 236, 236)
BALLS = [DrawnCotton(5.0, 13.0, 0.8), DrawnCotton(9.0, 3.2, 1.2), DrawnCotton(13.5, 9.0, 1.0)]
LIGHTS = {"white": (1.0, 1.0, 1.0), "dim": (0.5, 0.5, 0.5), "lamp": (0.62, 0.85, 1.0), "shade": (1.0, 0.92, 0.8)}


def view_with_frame() -> TableView:
    return replace(close_view(), markers_seen=(0, 1, 2, 3))


def plan_of(photo: Photo, light: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> TablePlan:
    image = np.clip(photo.image * np.array(light), 0, 255).astype(np.uint8)
    return TablePlan(Photo(image, photo.name, photo.sha256), view_with_frame(), expected_for(()))


@lru_cache(maxsize=3)
def with_balls(mat: Rgb) -> Photo:
    sheet = table_sheet(view_with_frame(), mat)
    for ball in BALLS:
        draw_cotton(sheet, ball)
    return photo_of(sheet)


@pytest.mark.parametrize(
    ("mat", "light"),
    [(GRASS, "lamp"), *(pytest.param(SAND, light, marks=pytest.mark.slow) for light in ("white", "dim", "shade"))],
)
def test_balls_are_found_in_place_whatever_the_light(mat: Rgb, light: str) -> None:
    found = find_cotton(plan_of(with_balls(mat), LIGHTS[light]))
    assert len(found) == len(BALLS)
    for ball in BALLS:
        away = np.hypot(*(found.center - [ball.x, ball.y]).T)
        assert away.min() < 0.2
        assert found.width_in[away.argmin()] == pytest.approx(ball.size, abs=0.3)
    assert ((found.confidence >= 0.6) & (found.confidence <= 0.95)).all()


@pytest.mark.parametrize("mat", [SAND, pytest.param((60, 62, 66), marks=pytest.mark.slow)], ids=["sand", "road"])
def test_nothing_else_white_is_cotton(mat: Rgb) -> None:
    sheet = table_sheet(view_with_frame(), mat)
    for k, size in enumerate((0.5, 0.8, 1.2)):
        draw_card(sheet, 4.0 + 2.2 * k, 12.5, size, size, 20.0 * k, PAPER)
    draw_card(sheet, 13.0, 13.0, 3.0, 2.0, 10.0, PAPER)
    draw_ruler(sheet, 5.0, 15.0, 8.0, PAPER)
    turn = np.linspace(0, 2 * np.pi, 65)[:-1]
    for x, radius in ((5.0, 0.4), (7.0, 0.55)):  # round paper counters
        sheet.polygon(np.column_stack([x + radius * np.cos(turn), 9 + radius * np.sin(turn), 0 * turn + 0.02]), PAPER)
    draw_tag(sheet, "DICT_4X4_50", 7, 10.0, 9.0, 15.0, 0.06, 0.7)
    draw_die(sheet, DrawnDie(12.0, 6.0, 2, 30.0, 0.6, (235, 235, 232), (22, 22, 22)))
    draw_die(sheet, DrawnDie(8.0, 5.0, 1, 55.0, 0.6, (235, 235, 232), (22, 22, 22)))
    assert len(find_cotton(plan_of(photo_of(sheet)))) == 0


def test_paper_is_read_off_the_frame() -> None:
    assert paper_of(plan_of(with_balls(GRASS))) == pytest.approx(np.log2(236 + 8.0), abs=0.05)
    lamp = paper_of(plan_of(with_balls(GRASS), LIGHTS["lamp"]))
    assert lamp == pytest.approx(np.log2(236 * np.array(LIGHTS["lamp"]) + 8.0), abs=0.05)
