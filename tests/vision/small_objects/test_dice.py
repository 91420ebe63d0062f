"""Dice: drawn ones of every value, colour and turn, none where there is none, and photographs with exact truth."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import TableView
from geometry import Bases
from synthetic.dice import PIPS
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
from tests.support.table_scenes import expected_for, looking_at
from vision.imaging.photo import Photo
from vision.model.expected import ExpectedTerrain
from vision.model.observation import SeenDie
from vision.small_objects.beside_units import TablePlan
from vision.small_objects.dice import Dice, find_dice
from vision.small_objects.dice_nets import SIDE_PX, Looks, looks, map_input, reader_input
from vision.small_objects.on_hills import on_hills

WHITE, BLACK = (240, 240, 240), (22, 22, 22)
PAINTS: list[tuple[Rgb, Rgb]] = [
    ((190, 30, 34), WHITE),
    ((30, 60, 170), WHITE),
    ((225, 210, 60), BLACK),
    ((235, 235, 232), BLACK),
    ((25, 130, 50), WHITE),
    ((30, 30, 32), WHITE),
]
NOBODY = Bases.empty()


def six(first_paint: int) -> list[DrawnDie]:
    """A die of each value, all of other sizes, colours and turns."""
    return [
        DrawnDie(3.5 + 2.2 * k, 6 + 1.5 * (k % 3), k + 1, 11 + 17 * k, 0.5 + 0.02 * k, *PAINTS[(k + first_paint) % 6])
        for k in range(6)
    ]


def picture(dice: list[DrawnDie], view: TableView, mat: Rgb = GRASS, clutter: bool = False) -> Photo:
    eye = tuple(np.round(view.eye, 6).tolist())
    if eye not in VIEWS:
        VIEWS[eye] = view
    return drawn(tuple(dice), eye, mat, clutter)


VIEWS: dict[tuple[float, ...], TableView] = {}


@lru_cache(maxsize=4)
def drawn(dice: tuple[DrawnDie, ...], eye: tuple[float, ...], mat: Rgb, clutter: bool) -> Photo:
    view = VIEWS[eye]
    sheet = table_sheet(view, mat)
    if clutter:
        draw_ruler(sheet, 4, 15)
        draw_ruler(sheet, 9.5, 1.2, 5.0, (240, 240, 236))
        draw_card(sheet, 12.5, 12, 0.6, 0.6, 30, (236, 236, 236))
        draw_card(sheet, 10.5, 12.5, 0.55, 0.55, 10, (40, 40, 44))
        draw_tag(sheet, "DICT_4X4_50", 7, 15, 12, 15, 0.06, 0.6)
        draw_cotton(sheet, DrawnCotton(5, 13, 0.9))
    for die in sorted(dice, key=lambda d: -d.y):
        draw_die(sheet, die)
    return photo_of(sheet)


def seen(photo: Photo, view: TableView, bases: Bases = NOBODY, terrain: tuple[ExpectedTerrain, ...] = ()) -> Dice:
    expected = replace(expected_for(()), terrain=terrain)
    return find_dice(TablePlan(photo, view, expected), bases)


def shown(found: Dice, dice: list[DrawnDie], near_in: float = 0.12) -> list[int | None]:
    out: list[int | None] = []
    for die in dice:
        away = np.hypot(*(found.center - [die.x, die.y]).T)
        out.append(int(found.value[away.argmin()]) if len(found) and away.min() <= near_in else None)
    return out


@pytest.mark.parametrize(("mat", "paint"), [(GRASS, 0), pytest.param(SAND, 2, marks=pytest.mark.slow)])
def test_every_value_is_read_in_place_and_nothing_else_is_a_die(mat: Rgb, paint: int) -> None:
    dice, view = six(paint), close_view()
    found = seen(picture(dice, view, mat, clutter=True), view)
    told = shown(found, dice, 0.08)
    assert found.chances is not None
    likeliest = np.where(found.value > 0, found.value, found.chances.argmax(axis=1) + 1)
    assert shown(replace(found, value=likeliest), dice, 0.08) == [1, 2, 3, 4, 5, 6]
    assert all(value in (0, k) for k, value in enumerate(told, 1)) and told.count(0) <= 1, "at most one is asked about"
    assert len(found) == 6
    assert (found.confidence > 0.6).all()
    sides = [die.side for die in sorted(dice, key=lambda d: d.x)]
    assert found.side_in[np.argsort(found.center[:, 0])] == pytest.approx(sides, abs=0.06)


def test_what_is_too_small_to_read_is_not_guessed() -> None:
    dice = six(0)
    view = looking_at(1400, 1100, focal=1150.0, distance_in=50.0, elevation_deg=50.0)
    read = shown(seen(picture(dice, view), view), dice, 0.3)
    assert all(value in (None, 0, die.value) for value, die in zip(read, dice, strict=True))


def test_a_die_on_a_hill_stands_where_it_stands() -> None:
    view = close_view()
    die = DrawnDie(9.0, 9.0, 4, 30.0, z=1.5)
    hill = ExpectedTerrain("t1", "hill", ((6.0, 6.0), (12.0, 6.0), (12.0, 12.0), (6.0, 12.0)), 1.5)
    photo = picture([die], view)
    assert shown(seen(photo, view, terrain=(hill,)), [die]) == [4]
    assert shown(seen(photo, view), [die]) == [None]  # taken for one on the mat it seems to stand farther off


def symbols_for(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every face that shows a number be read as one that bears a symbol."""

    def read(*args: Any, **more: Any) -> Looks:
        said = looks(*args, **more)
        chance = said.chance.copy()
        chance[:, 7] += chance[:, number]
        chance[:, number] = 0
        return replace(said, chance=chance)

    monkeypatch.setattr("vision.small_objects.dice.looks", read)


def read_of(found: Dice, die: DrawnDie) -> tuple[int, bool, int]:
    """The value of a drawn die, whether by a symbol, and the number of the question about that."""
    assert found.symbol is not None and found.asked is not None
    row = int(np.hypot(*(found.center - [die.x, die.y]).T).argmin())
    return int(found.value[row]), bool(found.symbol[row]), int(found.asked[row])


@pytest.mark.parametrize(("number", "said", "told"), [(6, 6, 6), (1, 1, 1), (1, None, 6)])
def test_a_symbol_is_what_the_players_say_or_a_six(
    monkeypatch: pytest.MonkeyPatch, number: int, said: int | None, told: int
) -> None:
    dice, view = six(0)[:1] if number == 1 else six(0)[-1:], close_view()
    symbols_for(number, monkeypatch)
    plan = TablePlan(picture(dice, view), view, replace(expected_for(()), dice_symbol=said))
    found = find_dice(plan, NOBODY)
    assert [read_of(found, die) for die in dice] == [(told, True, -1)]


def test_a_symbol_is_asked_where_a_die_that_looks_like_it_shows_six_pips(monkeypatch: pytest.MonkeyPatch) -> None:
    view = close_view()
    blue, red = PAINTS[1], PAINTS[0]
    laid = [(5.0, 1, blue), (7.0, 6, blue), (9.0, 1, blue), (11.0, 1, red), (13.0, 4, red)]
    dice = [DrawnDie(x, 8.0, value, 20 * x, 0.5, *paint) for x, value, paint in laid]
    symbols_for(1, monkeypatch)
    photo = picture(dice, view)
    found = find_dice(TablePlan(photo, view, expected_for(())), NOBODY)
    assert [read_of(found, die) for die in dice] == [(0, True, 0), (6, False, -1), (0, True, 0), (6, True, -1),
                                                     (4, False, -1)]  # fmt: skip
    assert found.chances is not None
    open_ = found.chances[found.value == 0]
    assert (open_[:, [0, 5]].sum(axis=1) > 0.9).all() and open_[:, 0] == pytest.approx(open_[:, 5], abs=0.05)
    told = find_dice(TablePlan(photo, view, replace(expected_for(()), dice_symbol=1)), NOBODY)
    assert [read_of(told, die)[0] for die in dice] == [1, 6, 1, 1, 4]


def test_what_stands_on_a_base_is_no_die() -> None:
    view = close_view()
    dice = six(0)
    photo = picture(dice, view)
    under = Bases.of([[dice[2].x, dice[2].y]], 20.0, 2.0, 1.5)
    assert shown(seen(photo, view, under), dice) == [1, 2, None, 4, 5, 6]


def test_what_can_not_be_read_behind_a_base_may_be_its_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    die, view = DrawnDie(9.0, 8.0, 5, 0.0), close_view()
    photo, before = picture([die], view), Bases.of([[die.x, die.y - 0.6]], 0.0, 1.0, 0.6)
    assert shown(seen(photo, view, before), [die]) == [5]

    def blurred(*args: Any, **more: Any) -> Looks:
        said = looks(*args, **more)
        chance = said.chance.copy()
        chance[:, 1:7] = chance[:, 1:7].mean(axis=1, keepdims=True)
        return replace(said, chance=chance)

    monkeypatch.setattr("vision.small_objects.dice.looks", blurred)
    assert shown(seen(photo, view, NOBODY), [die]) == [0]
    assert shown(seen(photo, view, before), [die]) == [None]


def in_print(dice: list[DrawnDie], view: TableView) -> Photo:
    """A photograph of a white card on the mat that shows the upper faces of dice."""
    sheet = table_sheet(view, GRASS)
    turn = np.linspace(0, 2 * np.pi, 25)[:-1]
    draw_card(sheet, 9.5, 7.5, 15.0, 5.0, 0, (225, 225, 220))
    for die in dice:
        a = np.radians(die.turn_deg)
        right, up = np.array([np.cos(a), -np.sin(a)]), np.array([np.sin(a), np.cos(a)])
        half, middle = die.side / 2, np.array([die.x, die.y])
        corners = [middle + half * (i * right + j * up) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        sheet.polygon([[*at, 0.03] for at in corners], die.color)
        for i, j in PIPS[die.value]:
            at = middle + 0.25 * die.side * (i * right + j * up)
            spot = at + 0.1 * die.side * np.column_stack([np.cos(turn), np.sin(turn)])
            sheet.polygon([[*p, 0.03] for p in spot], die.pip)
    return photo_of(sheet)


@pytest.mark.slow
@pytest.mark.parametrize("elevation", [35.0])
def test_dice_in_print_are_no_dice(elevation: float) -> None:
    dice = [replace(die, side=0.6, color=(170, 26, 30), pip=WHITE) for die in six(0)]
    view = close_view(elevation)
    assert len(seen(in_print(dice, view), view)) == 0
    read = shown(seen(picture(dice, view), view), dice, 0.15)
    assert all(value in (None, 0, die.value) for value, die in zip(read, dice, strict=True))
    assert sum(value == die.value for value, die in zip(read, dice, strict=True)) >= 5


def test_the_reader_is_shown_colours_against_their_middle() -> None:
    rng = np.random.default_rng(0)
    picture = rng.integers(60, 180, (SIDE_PX, SIDE_PX, 3)).astype(np.uint8)
    brighter = np.round((picture + 8.0) * 1.3 - 8.0).astype(np.uint8)
    shown_, lit = reader_input([picture], np.array([0.7])), reader_input([brighter], np.array([0.7]))
    np.testing.assert_allclose(shown_, lit, atol=0.03)
    assert (shown_[0, 3] == np.float32(0.7)).all() and shown_.shape == (1, 4, SIDE_PX, SIDE_PX)


def test_the_finder_is_shown_which_way_things_lean() -> None:
    colors = np.random.default_rng(1).normal(0, 0.3, (40, 60, 3)).astype(np.float32)
    lean = map_input(colors, np.array([30.0, 100.0]), 20.0, 10.0)[3:]
    assert lean[0, 5, 50] == pytest.approx(20 / 200) and lean[1, 10, 5] == pytest.approx(-90 / 200)


@settings(max_examples=40, deadline=None)
@given(x=st.floats(6.5, 11.5), y=st.floats(6.5, 11.5), height=st.floats(0.3, 3.0), eye_y=st.floats(-30, 40))
def test_a_die_on_a_hill_that_was_read_comes_to_stand_on_its_top(
    x: float, y: float, height: float, eye_y: float
) -> None:
    eye = np.array([9.0, eye_y, 30.0])
    middle = 0.27
    share = (eye[2] - middle) / (eye[2] - height - middle)
    as_if_flat = eye[:2] + (np.array([x, y]) - eye[:2]) * share
    hill = ExpectedTerrain("h", "hill", ((5, 5), (13, 5), (13, 13), (5, 13)), height, confidence=0.8)
    aside = ExpectedTerrain("w", "woods", ((0, 0), (20, 0), (20, 20), (0, 20)), 3.0, confidence=0.8)
    (die,) = on_hills([SeenDie((float(as_if_flat[0]), float(as_if_flat[1])), 4, 0.99)], [aside, hill], eye)
    assert die.center == pytest.approx((x, y), abs=1e-9) and die.value == 4
    assert on_hills([die], [aside, replace(hill, height=0.0)], eye) == (die,)


def test_patches_are_turned_and_scaled_as_asked() -> None:
    view = close_view()
    plan = TablePlan(picture(six(0), view), view, expected_for(()))
    at = np.array([[8.0, 8.5, 0.3]] * 3)
    straight, turned, wide = plan.patches(at, np.array([2.0, 2.0, 4.0]), np.array([0.0, 90.0, 0.0]), 80)
    assert np.abs(np.rot90(straight, -1).astype(int) - turned).mean() < 1.0
    half = cv2.resize(straight, (40, 40), interpolation=cv2.INTER_AREA)
    assert np.abs(half.astype(int) - wide[20:60, 20:60]).mean() < 8.0
    assert (plan.patch(at[0, :2], 0.3, 1.0, 40.0) == straight).all()
