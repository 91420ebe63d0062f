"""Combat Captain drawn for the after-action report: neutral shapes in table inches, each with a class."""

from __future__ import annotations

import math

from tabletop.aar.picture import ABOVE, BELOW, PIECES, Area, Chip, Disc, Item, Key, Line, Point, Tag
from tabletop.aar.teller import Told
from tabletop.aar.words import shortened
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.setup import Standing, SubUnit
from tabletop.rulesets.combat_captain.state import Stand, State
from tabletop.rulesets.one_hour_ww2.telling_map import outline

_BELOW = ("hill", "field", "marsh", "river", "woods", "town", "road", "bridge")
_LEAST_ARROW_IN = 0.25

LEGEND = (
    Key(("move-0", "move-1"), "put elsewhere", "arrow"),
    Key(("shot-0", "shot-1"), "fired; the number is the hits or kills", "arrow"),
    Key(("by-hand",), "set right by hand", "arrow"),
    Key(("objective",), "tape of a strafing run", "line"),
    Key(("objective-free",), "shell or bomb"),
    Key(("grave",), "destroyed", "cross"),
    Key(("hits",), "soldiers left", "chip", "3"),
    Key(("dug-in",), "cover and its level", "chip", "C3"),
    Key(("ready",), "leader, with morale markers", "chip", "L"),
)


def ground(state: State) -> tuple[Item, ...]:
    """Terrain."""
    pieces = sorted(state.setup.terrain, key=lambda piece: _BELOW.index(piece.kind))
    return tuple(Area(p.polygon, f"terrain-{p.kind}", title=f"{p.kind} {p.id}") for p in pieces)


def pieces(state: State) -> tuple[Item, ...]:
    """Stands on the table, with their labels."""
    return tuple(item for stand in state.stands.values() if stand.at is not None for item in _stand(state, stand))


def _stand(state: State, stand: Stand) -> tuple[Item, ...]:
    assert stand.at is not None
    company = state.company(stand.id)
    number = state.setup.sides.index(company.side)
    chips = [Chip(shortened(stand.id, 8), f"chip-{number}")]
    if stand.plan.soldiers and stand.missing:
        chips.append(Chip(str(stand.men), "hits"))
    if stand.cover:
        chips.append(Chip(f"C{stand.cover}", "dug-in"))
    if state.leaders[company.id] == stand.id:
        chits = state.chits[company.id]
        chips.append(Chip(f"L{'•' * min(chits, 4)}", "ready"))
    shape = outline(stand.at, stand.plan.base)
    area = Area(shape, f"side-{number}", PIECES, f"{stand.id} {stand.plan.name or stand.plan.kind}")
    return (*((area, *_front(stand.at, stand.plan, number))), _label(stand.at, stand.plan, tuple(chips)))


def _front(at: Standing, plan: SubUnit, number: int) -> tuple[Area, ...]:
    """A triangle that points to the front of a stand."""
    if at.facing is None:
        return ()
    size = 0.25 * min(plan.base.width, plan.base.depth)
    turn = math.radians(at.facing)
    ring = tuple(
        (
            at.x + size * (x * math.cos(turn) + y * math.sin(turn)),
            at.y + size * (y * math.cos(turn) - x * math.sin(turn)),
        )
        for x, y in ((-1.0, -0.5), (1.0, -0.5), (0.0, 1.1))
    )
    return (Area(ring, f"front-{number}", PIECES),)


def _label(at: Standing, plan: SubUnit, chips: tuple[Chip, ...]) -> Tag:
    ring = outline(at, plan.base)
    half = max(abs(x - at.x) for x, _ in ring), max(abs(y - at.y) for _, y in ring)
    return Tag((at.x, at.y), chips, half, (ring,), size=0.7)


def marks(told: Told) -> tuple[Item, ...]:
    """What an event did, drawn: lines of fire, stands put elsewhere, shells, tapes, hands that set right."""
    event, before = told.event, told.before
    match event:
        case ev.Fired():
            return _fire(before, event)
        case ev.Placed():
            return tuple(item for place in event.places for item in _way(before, place.sub, place.at, "move"))
        case ev.Corrected(at=at) if at is not None:
            return _way(before, event.sub, at, "by-hand")
        case ev.ShellFell(at=at) if at is not None:
            return (Disc(at, event.width_in / 2, "objective-free", ABOVE),)
        case ev.TapeLaid():
            return (Line((event.start, event.end), "objective", ABOVE, title="tape of a strafing run"),)
        case ev.Bombed():
            at = _stood(before, event.target)
            return () if at is None else (Disc(at, 0.5, "objective-free", ABOVE),)
    return ()


def _fire(before: State, event: ev.Fired) -> tuple[Item, ...]:
    number = before.setup.sides.index(before.setup.side_of(event.company))
    end = _stood(before, event.target)
    items: list[Item] = []
    for part in event.parts:
        start = _stood(before, part.sub)
        if start is None or end is None:
            continue
        title = f"{part.sub} at {event.target}"
        items.append(Line((start, end), f"shot-{number}", ABOVE, arrow=True, cut_in=0.4, title=title))
        if part is event.parts[0]:
            made = Chip(str(event.hits), f"made-{number}", round=True)
            items.append(Tag(end, (made,), along=(start, end), size=0.8))
    return tuple(items)


def _way(before: State, name: str, at: Standing, cls: str) -> tuple[Item, ...]:
    start = _stood(before, name)
    if start is None or math.dist(start, (at.x, at.y)) < _LEAST_ARROW_IN:
        return ()
    number = before.setup.sides.index(before.setup.side_of(name))
    if cls == "by-hand":
        return (Line((start, (at.x, at.y)), cls, arrow=True),)
    stand = before.stands[name]
    assert stand.at is not None
    ghost = Area(outline(stand.at, stand.plan.base), f"ghost-{number}", BELOW)
    return ghost, Line((start, (at.x, at.y)), f"{cls}-{number}", BELOW, arrow=True, title=f"{name} was put elsewhere")


def grave(told: Told) -> tuple[Item, ...]:
    """A sub-unit that was destroyed or taken off: its stand in grey, crossed out, with its name."""
    event, before = told.event, told.before
    if not (isinstance(event, ev.Destroyed) or (isinstance(event, ev.Corrected) and event.off)):
        return ()
    stand = before.stands.get(event.sub)
    if stand is None or stand.at is None:
        return ()
    at, plan = stand.at, stand.plan
    size = 0.5 * max(plan.base.width, plan.base.depth) + 0.15
    ends = [(at.x + size * a, at.y + size * b) for a, b in ((-1, -1), (1, 1), (-1, 1), (1, -1))]
    crosses = [
        Line((start, end), cls, PIECES)
        for cls in ("cross-under", "cross")
        for start, end in ((ends[0], ends[1]), (ends[2], ends[3]))
    ]
    body = Area(outline(at, plan.base), "grave", BELOW, f"{event.sub} destroyed")
    return (body, *crosses, _label(at, plan, (Chip(shortened(event.sub, 8), "gone"),)))


def _stood(state: State, name: str) -> Point | None:
    """Where a sub-unit stands; ``None`` for one that is not on the table."""
    stand = state.stands.get(name)
    return None if stand is None or stand.at is None else (stand.at.x, stand.at.y)
