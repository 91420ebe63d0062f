"""Labels on the map, measured from the page's own geometry: none over somebody else's bases or another label, none cut
off by the edge of the screen, whatever the screen and however near one looks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tabletop.starting.scenarios import find
from tests.page.test_game import Room, Seat, room, server
from tests.support.page_support import chromium, page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = [*page_marks, pytest.mark.slow]

SCREENS = {
    "phone": {"width": 390, "height": 844},
    "small phone": {"width": 360, "height": 640},
    "phone on its side": {"width": 844, "height": 390},
    "laptop": {"width": 1440, "height": 900},
}
ACTIONS = {"first-meeting": 50, "first-skirmish": 40, "blue-ridge": 40, "hexes": 120}
"""Games on a grid, and how many actions of theirs are played before anybody looks."""
SEED = 3
WHEEL_PX = 150  # nearer by two thirds or so
MORE_PX = 1.5  # that a label may lie over a base: its own rim

# What each label lies over: others' bases, other labels; the screen's edge where its unit is in sight.
FAULTS = """more => {
    const board = document.querySelector('.board').getBoundingClientRect();
    const corners = path => [...path.getAttribute('d').matchAll(/[ML](-?[\\d.]+)[ ,](-?[\\d.]+)/g)].map(([, x, y]) => {
        const at = new DOMPoint(+x, +y).matrixTransform(path.getScreenCTM());
        return [at.x, at.y];
    });
    // Leaflet draws nothing of a base that is out of sight.
    const bases = [...document.querySelectorAll('path.body[data-piece]')].map(path => {
        return {unit: path.dataset.of, outline: corners(path)};
    });
    // What is written on a counter hides nothing outside of it that the counter does not hide.
    const inside = (label, {left, top, right, bottom}) => {
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const under = [...document.querySelectorAll('path.counter-piece.body')]
            .map(path => path.getBoundingClientRect())
            .find(box => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
        return under ? [Math.max(left, under.left), Math.max(top, under.top), Math.min(right, under.right),
            Math.min(bottom, under.bottom)] : [left, top, right, bottom];
    };
    const boxes = [...document.querySelectorAll('.pill, .piece-label, .zone-label, .ground-name')].map(one => {
        const box = one.getBoundingClientRect();
        const whole = [box.left, box.top, box.right, box.bottom];
        const rect = one.matches('.piece-label') ? inside(one, box) : whole;
        return {unit: one.dataset.labels, says: one.textContent, rect};
    });
    const meets = (outline, [l, t, r, b]) => {
        const box = [[l, t], [r, t], [r, b], [l, b]];
        const parts = ([nx, ny]) => {
            const along = points => points.map(([x, y]) => x * nx + y * ny);
            const [p, q] = [along(outline), along(box)];
            return Math.max(...p) <= Math.min(...q) || Math.max(...q) <= Math.min(...p);
        };
        const normals = outline.map(([x, y], i) => {
            const [u, v] = outline[(i + 1) % outline.length];
            return [v - y, x - u];
        });
        return ![[1, 0], [0, 1], ...normals].some(parts);
    };
    const within = ([x, y]) => x > board.left && x < board.right && y > board.top && y < board.bottom;
    const found = [];
    boxes.forEach(({unit, says, rect}, i) => {
        const small = [rect[0] + more, rect[1] + more, rect[2] - more, rect[3] - more];
        bases.filter(base => base.unit !== unit && base.outline.length > 2 && meets(base.outline, small))
            .forEach(base => found.push(`${says} over ${base.unit}`));
        boxes.slice(i + 1).forEach(other => {
            const [l, t, r, b] = other.rect;
            const over = small[0] < r && l < small[2] && small[1] < b && t < small[3];
            if (over) found.push(`${says} over ${other.says}`);
        });
        const own = bases.filter(base => base.unit === unit);
        const inside = own.length > 0 && own.every(base => base.outline.length > 2 && base.outline.every(within));
        if (inside && !(within([rect[0], rect[1]]) && within([rect[2], rect[3]]))) found.push(`${says} cut off`);
    });
    return {found, labels: boxes.filter(one => one.unit).length, units: new Set(bases.map(one => one.unit)).size};
}"""


def begun(room: Room, name: str) -> str:
    """A scenario from its beginning; on a board of squares or hexes some way on, by random players."""
    if name == "hexes":
        game = room.hexes()
    else:
        scenario = find(name)
        game = room._start(scenario.rules, scenario.setup, scenario.title)
    playing, rng = room.server.services.commands.game(game), random.Random(SEED)
    for _ in range(ACTIONS.get(name, 0)):
        wishes = playing.ruleset.random_actions(playing.state, rng)
        playing.push(next(wish for wish in wishes if wish in playing.legal_actions), rng=rng)
    return game


def seen_nearer(seat: Seat) -> Iterator[dict[str, Any]]:
    """What is wrong with the labels with the whole table in sight, and twice nearer."""
    seat.tap("fit")
    seat.settle()
    yield seat.page.evaluate(FAULTS, MORE_PX)
    size = seat.page.viewport_size or {}
    seat.page.mouse.move(size["width"] / 2, size["height"] / 3)
    for _ in range(2):
        seat.page.mouse.wheel(0, -WHEEL_PX)
        seat.settle()
        yield seat.page.evaluate(FAULTS, MORE_PX)


@pytest.mark.parametrize("name", ["static-defence", "flank-attack", "crossroads", *ACTIONS])
def test_labels_hide_nobody_elses_bases(room: Room, name: str) -> None:
    seat = room.sit(begun(room, name), size=dict(SCREENS["phone"]))
    for screen, size in SCREENS.items():
        seat.page.set_viewport_size(size)
        for look, told in enumerate(seen_nearer(seat)):
            assert told["found"] == [], (screen, look)
            assert told["labels"] >= 0.6 * told["units"] or name in ACTIONS, (screen, look)
