"""What lies round the board: tracks for turns, losses, ammunition and smoke, the score, platoons off the board."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from geometry.drawing.letters import chip_width
from geometry.drawing.scene import PIECES, TOP, Area, Disc, Item, Letters, Point
from tabletop.drawing.maps import HEX_EMS
from tabletop.rulesets.combined_arms.canvas import Canvas
from tabletop.rulesets.combined_arms.data import FREE_TURNS, POINTS_TO_WIN, SMOKE_ROUNDS, TRACK, TURNS
from tabletop.rulesets.combined_arms.sample_counters import platoon_items
from tabletop.rulesets.combined_arms.scoring import score
from tabletop.rulesets.combined_arms.state import Fate, State

Frame = tuple[float, float, float, float]

TRAYS: tuple[tuple[str, tuple[Fate, ...]], ...] = (
    ("To enter", ("waiting",)),
    ("Exploiting", ("exploited",)),
    ("Broken", ("broken",)),
    ("Withdrawn", ("withdrawn", "out of ammunition")),
)
"""Where platoons off the board lie, by what has become of them."""

_DIAL = 0.82  # radius of a circular track, in hex sizes
_TURN_HIGH, _TRAY_HIGH, _GAP = 0.5, 0.62, 0.14
_COUNTER, _PITCH = 0.42, 0.47
BELOW_BOARD = _TURN_HIGH + _TRAY_HIGH + 2 * _GAP
"""How much room the turn track and the trays take under the board, in hex sizes."""


def track_items(state: State, frame: Frame, on: Canvas) -> Iterator[Item]:
    """Dials in the four corners of a board's frame (left, bottom, right, top; inches) and strips below it."""
    left, bottom, right, top = frame
    inset = (_DIAL + 0.12) * on.size
    ring = [str(k) for k in range(TRACK)]
    smoke = [str(k) for k in range(SMOKE_ROUNDS + 1)]
    yield from _dial((left + inset, bottom + inset), ring, state.losses, "Losses", on)
    yield from _dial((right - inset, bottom + inset), ring, state.ammo, "Ammo fired", on)
    yield from _dial((left + inset, top - inset), smoke, state.smoke_rounds, "Smoke left", on)
    yield from _score((right - inset, top - inset), state, on)
    left, right = left + _GAP * on.size, right - _GAP * on.size
    yield from _turns(state, (left, bottom, right), on)
    yield from _trays(state, (left, bottom - (_GAP + _TURN_HIGH) * on.size, right), on)


def _dial(at: Point, labels: Sequence[str], here: int, title: str, on: Canvas) -> Iterator[Item]:
    """A circular track from 0 at the top, clockwise, with the box that its marker lies in filled."""
    x, y = at
    far = (_DIAL - 0.19) * on.size
    for k, label in enumerate(labels):
        a = 2 * math.pi * k / len(labels)
        place = (x + far * math.sin(a), y + far * math.cos(a))
        cls = "track-here" if k == here else "track-box"
        yield Disc(place, 0.205 * on.size, cls, PIECES)
        yield on.letters(place, label, cls, 0.2, PIECES)
    words = title.split()
    for k, word in enumerate(words):
        yield on.letters((x, y + (0.1 * (len(words) - 1) - 0.2 * k) * on.size), word, "track-title", 0.17)


def _score(at: Point, state: State, on: Canvas) -> Iterator[Item]:
    x, y = at
    yield Disc(at, 0.62 * on.size, "track-box", PIECES)
    yield on.letters((x, y + 0.32 * on.size), "Score", "track-title", 0.17)
    yield on.letters((x, y), str(score(state)), "track-score", 0.42)
    yield on.letters((x, y - 0.34 * on.size), f"{POINTS_TO_WIN} wins", "track-title", 0.15)


def _turns(state: State, place: tuple[float, float, float], on: Canvas) -> Iterator[Item]:
    """The turns in a row, this one filled, those that cost a point tinted."""
    left, top, right = place
    wide, low = (right - left) / TURNS, top - _TURN_HIGH * on.size
    for turn in range(1, TURNS + 1):
        late = turn > FREE_TURNS and not state.setup.easier
        cls = "track-here" if turn == state.turn else "track-late" if late else "track-box"
        x = left + (turn - 1) * wide
        box = ((x, low), (x + wide, low), (x + wide, top), (x, top))
        yield Area(box, cls, PIECES, f"turn {turn}" + (", costs a point" if late else ""))
        middle = (x + wide / 2, (low + top) / 2)
        yield on.letters(middle if not late else (middle[0], middle[1] + 0.07 * on.size), str(turn), cls, 0.24, PIECES)
        if late:
            yield on.letters((middle[0], low + 0.1 * on.size), "costs 1", cls, 0.1, PIECES)


def _trays(state: State, place: tuple[float, float, float], on: Canvas) -> Iterator[Item]:
    """Boxes for the platoons off the board; each is as wide as its title and its counters need."""
    left, top, right = place
    low = top - _TRAY_HIGH * on.size
    held = [[p for p in state.platoons if p.fate in fates] for _, fates in TRAYS]
    heads = [chip_width(title, 0.17 * HEX_EMS) / HEX_EMS + 0.3 for title, _ in TRAYS]
    needs = [(head + _PITCH * len(each) + 0.1) * on.size for head, each in zip(heads, held, strict=True)]
    spare = ((right - left) - sum(needs)) / len(needs)
    x = left
    for (title, _), head, each, need in zip(TRAYS, heads, held, needs, strict=True):
        wide = need + spare
        yield Area(((x, low), (x + wide, low), (x + wide, top), (x, top)), "track-tray", PIECES, title)
        middle = (low + top) / 2
        yield Letters((x + 0.1 * on.size, middle), title, "track-title", 0.17 * HEX_EMS, "start", TOP)
        for k, platoon in enumerate(each):
            place_in = (x + (head + _PITCH * (k + 0.5)) * on.size, middle)
            yield from platoon_items(platoon, place_in, _COUNTER * on.size, on.size)
        x += wide
