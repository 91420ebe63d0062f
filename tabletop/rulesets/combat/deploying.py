"""The battlefield and secret deployment: what is wrong with either, all at once, and a deployment that will do."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tabletop.game.violations import Violation
from tabletop.rulesets.combat import actions
from tabletop.rulesets.combat.armies import ARMIES, DEPLOYMENT, HEADQUARTERS, were, why_closed
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import (
    AHEAD,
    COUNTER,
    MINE,
    MOST_NUMBERS,
    ROAD,
    SIDE_TITLES,
    SIDES,
    STRIP,
    TERRAIN,
    TERRAIN_TITLES,
)
from tabletop.rulesets.combat.ground import wide_rivers
from tabletop.rulesets.combat.setup import laid_out
from tabletop.rulesets.combat.setup_faults import faults_of
from tabletop.rulesets.combat.state import Piece, State
from tabletop.words import count

STACKING = "Deployment, 2"


# --- the battlefield -------------------------------------------------------------------------------------------------


def against_laying(state: State, action: actions.Lay) -> Iterator[Violation]:
    """What speaks against laying a square's terrain."""
    place, n = "Preparation", state.field.number[action.square]
    house = state.setup.house
    if any(state.armed):
        text = "The battlefield is arranged before armies are chosen."
        yield Violation("too-late", text, place, firm=True)
    if action.terrain not in (*TERRAIN, ROAD, STRIP) and not action.terrain.startswith(COUNTER):
        known = ", ".join((*TERRAIN, ROAD, STRIP))
        yield Violation("no-terrain", f'"{action.terrain}" is no terrain: {known}.', place, firm=True)
    if action.terrain in ("river", "bridge") and not house.rivers:
        yield Violation("no-rivers", "Rivers and bridges belong to a house rule.", "House rules, 4", firm=True)
    if action.terrain in ("built-up", "defence") and not house.built_up:
        text = "Built-up areas and defence lines belong to a house rule."
        yield Violation("not-built", text, "House rules, 5", firm=True)
    if action.terrain.startswith(COUNTER):
        if state.field.terrain[n] not in ("hill", "crest"):
            yield Violation("no-hill", f"A hill counter lies on a hill, and {action.square} is none.", place, firm=True)
        return
    if action.terrain == ROAD and state.field.river[n]:
        yield Violation("bridge", f"{action.square} is a river: lay a bridge there.", "House rules, 4", firm=True)
    if n in state.field.strip_of and action.terrain not in ("open", ROAD, STRIP):
        yield Violation("airstrip", f"An airstrip lies in {action.square}, on open ground.", place, firm=True)
    elif action.terrain == "river":
        after = laid_out(state.setup, action.square, action.terrain)
        for name in wide_rivers(after):
            text = f"The river round {name} would be more than two squares wide."
            yield Violation("wide", text, "House rules, 4", firm=True)
        for path, text in faults_of(after):
            if path == ("pieces",):
                yield Violation("no-room", text, DEPLOYMENT, firm=True)
    elif action.terrain == STRIP and state.field.terrain[n] != "open":
        text = f"An airstrip lies on open ground, and {action.square} is {_ground(state, n)}."
        yield Violation("airstrip", text, place, firm=True)
    elif action.terrain == STRIP:
        for path, text in faults_of(laid_out(state.setup, action.square, action.terrain)):
            if path[0] == "airstrips":
                yield Violation("airstrip", text, "Airstrikes and airstrips", firm=True)


# --- deployment ------------------------------------------------------------------------------------------------------


def side_of_placing(state: State, action: actions.Place) -> int | None:
    """Whose pieces are deployed: by the first piece's name, of mines by their half; ``None`` where nothing tells."""
    for what, square in action.pieces:
        if what != MINE:
            return int(what[:1] == "B")
        if square in state.field.number:
            return 0 if state.field.own_half(0, state.field.number[square]) else 1
    return None


def free_for_pieces(state: State, piece: Piece, n: int) -> Iterator[Violation]:
    """What of a square itself keeps a piece from being put there, whoever stands there."""
    field, name = state.field, state.name(n)
    if field.river[n]:
        yield Violation("river", f"{name} is a river.", "House rules, 4", firm=True)
    if piece.kind == "plane" and (n not in field.strip_of or field.strip_side[field.strip_of[n]] != piece.side):
        text = f"{piece.id} is a plane, deployed on its side's airstrip, and {name} is none."
        yield Violation("no-airstrip", text, DEPLOYMENT, firm=True)
    if piece.kind == "helicopter" and n in field.wooded:
        text = f"{piece.id} can't stand in {TERRAIN_TITLES[field.terrain[n]]}."
        yield Violation("no-helicopters", text, "House rules, 9", firm=True)


def against_place(state: State, action: actions.Place) -> Iterator[Violation]:
    """Everything that is wrong with deploying pieces."""
    side, field = side_of_placing(state, action), state.field
    if side is None or not action.pieces:
        yield Violation("nothing", "Say which piece goes where: place RT1 c3.", DEPLOYMENT, firm=True)
        return
    yield from why_closed(state, SIDES[side])
    wanted = Counter(square for _, square in action.pieces)
    named = Counter(what for what, _ in action.pieces if what != MINE)
    yield from (
        Violation("twice", f"{name} stands twice.", STACKING, firm=True)
        for name, count in (*wanted.items(), *named.items())
        if count > 1
    )
    moved = {what for what, _ in action.pieces}
    taken = {p.at: p.id for p in state.armies[side] if p.id not in moved}
    for what, square in action.pieces:
        n = field.number[square]
        if not field.own_half(side, n):
            text = f"{square} is not on the half of {SIDE_TITLES[SIDES[side]]}."
            yield Violation("other-half", text, DEPLOYMENT, firm=True)
        if n in taken:
            yield Violation("occupied", f"{taken[n]} stands in {square}: one to a square.", STACKING, firm=True)
        if n in state.laid[side]:
            yield Violation("own-mine", f"A mine lies in {square}: one to a square.", STACKING, firm=True)
        if what == MINE:
            yield from _against_mine(state, side, n)
        elif state.by_id[what].side != side:
            yield Violation("two-sides", f"{what} is the other side's.", DEPLOYMENT, firm=True)
        else:
            yield from free_for_pieces(state, state.by_id[what], n)
    yield from _against_numbers(state, side, action)


def _against_mine(state: State, side: int, n: int) -> Iterator[Violation]:
    name = state.name(n)
    if not state.field.behind(side, n):
        text = f"Mines lie behind the deployment line, and {name} is ahead of it."
        yield Violation("mine-ahead", text, DEPLOYMENT, firm=True)
    if state.field.river[n]:
        yield Violation("river", f"{name} is a river.", "House rules, 4", firm=True)


def _against_numbers(state: State, side: int, action: actions.Place) -> Iterator[Violation]:
    mines = sum(what == MINE for what, _ in action.pieces)
    if mines > state.to_lay[side]:
        text = f"{count(state.to_lay[side], 'mine')} left to lay, and {were(mines)} named."
        yield Violation("mines", text, ARMIES, {"named": mines, "left": state.to_lay[side]}, firm=True)
    at = {p.id: p.at for p in state.armies[side]}
    at |= {what: state.field.number[square] for what, square in action.pieces if what != MINE}
    ahead = sum(not state.field.behind(side, n) for n in at.values())
    most = most_ahead(state, side)
    if ahead > most:
        text = f"One piece in {AHEAD} may stand ahead of the deployment line, here {most}, and {ahead} would."
        yield Violation("too-many-ahead", text, DEPLOYMENT, {"ahead": ahead, "most": most})


def most_ahead(state: State, side: int) -> int:
    """How many pieces of a side may be deployed ahead of its deployment line: one in five, planes counted."""
    return sum(p.side == side for p in state.pieces) // AHEAD


def against_deploying(state: State, action: actions.Deploy) -> Iterator[Violation]:
    """What speaks against deploying all that is left: there is nothing, or no room for it."""
    yield from why_closed(state, action.side)
    side = SIDES.index(action.side)
    if not 0 <= action.number <= MOST_NUMBERS:
        text = f"A deployment's number is from 1 to {MOST_NUMBERS:,}, not {action.number:,}."
        yield Violation("number", text, DEPLOYMENT, firm=True)
    whole = some_deployment(state, side)
    if not whole.pieces:
        text = f"{SIDE_TITLES[action.side]} has nothing left to deploy that there is room for."
        yield Violation("nothing", text, DEPLOYMENT, firm=True)


def against_unplace(state: State, action: actions.Unplace) -> Iterator[Violation]:
    """What speaks against taking up what was deployed."""
    if bool(action.unit) == bool(action.square):
        text = "Say either a piece, or the square of a mine or headquarters."
        yield Violation("nothing", text, DEPLOYMENT, firm=True)
        return
    side = side_of_unplacing(state, action)
    yield from why_closed(state, SIDES[side])
    if action.unit:
        if state.by_id[action.unit].at == OFF:
            yield Violation("not-placed", f"{action.unit} is not deployed.", DEPLOYMENT, firm=True)
        return
    n = state.field.number[action.square]
    if n not in state.laid[side] and state.headquarters[side] != n:
        text = f"No mine or headquarters of yours is in {action.square}."
        yield Violation("nothing", text, DEPLOYMENT, firm=True)


def side_of_unplacing(state: State, action: actions.Unplace) -> int:
    """Whose piece, mine or headquarters is taken up."""
    n = state.field.number.get(action.square, OFF)
    if n == OFF:
        return int(action.unit[:1] == "B")
    return 0 if state.field.own_half(0, n) else 1


def against_establishing(state: State, action: actions.Establish) -> Iterator[Violation]:
    """What speaks against headquarters in a square."""
    n = state.field.number[action.square]
    side = 0 if state.field.own_half(0, n) else 1
    yield from why_closed(state, SIDES[side])
    if not state.setup.headquarters:
        text = "Headquarters are no objective of this game."
        yield Violation("no-headquarters", text, HEADQUARTERS, firm=True)
    if state.field.terrain[n] not in ("hill", "crest", "woods"):
        text = f"Headquarters are established on a hill or in a wood, and {action.square} is {_ground(state, n)}."
        yield Violation("no-cover", text, HEADQUARTERS, firm=True)
    elif len(state.field.headquarters(side, n)) < 2:
        text = f"Headquarters fall to two pieces, and in {action.square} there is room for one only."
        yield Violation("too-small", text, HEADQUARTERS)


def _ground(state: State, n: int) -> str:
    return TERRAIN_TITLES[state.field.terrain[n]]


def against_ready(state: State, action: actions.Ready) -> Iterator[Violation]:
    """What a side still has to do before the boards are joined."""
    yield from why_closed(state, action.side)
    side = SIDES.index(action.side)
    if not state.armed[side]:
        text = f"{SIDE_TITLES[action.side]} has no army yet: choose one first."
        yield Violation("no-army", text, ARMIES, firm=True, usage=(f"army {action.side} tanks N guns N",))
    left = [p.id for p in state.pieces if p.side == side and p.at == OFF]
    if left:
        yield Violation("not-deployed", f"Still to be deployed: {', '.join(left)}.", DEPLOYMENT, firm=True)
    if state.setup.headquarters and state.headquarters[side] == OFF:
        text = f"{SIDE_TITLES[action.side]} has to establish its headquarters."
        yield Violation("no-headquarters", text, HEADQUARTERS, firm=True, usage=("headquarters SQUARE",))


# --- a deployment that will do ---------------------------------------------------------------------------------------

_LIKES: Mapping[str, Sequence[str]] = {
    "gun": ("crest", "hill", "woods"),
    "foot": ("built-up", "defence", "woods"),
    "motorised": ("built-up", "woods"),
    "cavalry": ("woods",),
}


_NARROW = ("plane", "helicopter")
"""Kinds that may not stand everywhere, deployed first."""


def numbered_deployment(state: State, side: int, number: int) -> actions.Place:
    """The deployment of a number that a player chose, which nobody knows who does not know the number; of 0 the one
    that is always the same."""
    return some_deployment(state, side, random.Random(number) if number else None, sound=True)


def some_deployment(state: State, side: int, rng: random.Random | None = None, *, sound: bool = False) -> actions.Place:
    """All that a side still has to deploy, on squares that will do: the same every time, with ``rng`` anywhere, and
    where it is to be ``sound`` on good squares about a place of its choice."""
    field, columns = state.field, state.setup.columns
    taken = {p.at for p in state.armies[side]} | state.laid[side]
    room = [n for n in range(field.count) if field.own_half(side, n) and not field.river[n]]
    wild = rng is not None and not sound
    if rng is not None:
        rng.shuffle(room)
    ahead = _ahead_left(state, side)
    found: list[tuple[str, str]] = []
    waiting = [p for p in state.pieces if p.side == side and p.at == OFF]
    for piece in sorted(waiting, key=lambda p: _NARROW.index(p.kind) if p.kind in _NARROW else len(_NARROW)):
        fits = _squares_for(state, piece, [n for n in room if n not in taken], ahead, anywhere=wild)
        if not fits:
            continue
        middle = columns / 2 if rng is None else rng.choice((0.25, 0.5, 0.5, 0.75)) * columns
        chosen = fits[0] if wild else min(fits, key=lambda n: _preference(state, piece, n, middle))
        ahead -= not field.behind(side, chosen)
        taken.add(chosen)
        found.append((piece.id, field.names[chosen]))
    free = [n for n in room if n not in taken and field.behind(side, n) and n not in field.strip_of]
    if not wild:
        free = _spread(state, side, free, rng)
    found += [(MINE, field.names[n]) for n in free[: state.to_lay[side]]]
    return actions.Place(tuple(found))


def squares_for(state: State, side: int, kind: str) -> list[int]:
    """The squares on which a side may put another piece of that kind, or a mine, now."""
    field = state.field
    taken = {p.at for p in state.armies[side]} | state.laid[side]
    room = [n for n in range(field.count) if field.own_half(side, n) and not field.river[n] and n not in taken]
    if kind == MINE:
        return [n for n in room if field.behind(side, n)]
    return allowed_squares(state, side, kind, room, _ahead_left(state, side))


def _ahead_left(state: State, side: int) -> int:
    """How many pieces more may be deployed ahead of the deployment line."""
    return most_ahead(state, side) - sum(not state.field.behind(side, p.at) for p in state.armies[side])


def allowed_squares(state: State, side: int, kind: str, room: Iterable[int], ahead: int) -> list[int]:
    """Those squares of a side's own half without a river that a piece of that kind may be put on, whoever stands there;
    so many may still stand ``ahead`` of the deployment line."""
    field = state.field
    return [
        n
        for n in room
        if (field.behind(side, n) or ahead > 0)
        and not (kind == "helicopter" and n in field.wooded)
        and (kind != "plane" or (n in field.strip_of and field.strip_side[field.strip_of[n]] == side))
    ]


def _squares_for(state: State, piece: Piece, room: list[int], ahead: int, *, anywhere: bool) -> list[int]:
    """Squares that will do for a piece: behind the line and off the airstrip where there are any, unless it may stand
    ``anywhere``."""
    field, side = state.field, piece.side
    flies = piece.kind == "plane"
    fits = allowed_squares(state, side, piece.kind, room, ahead)
    if not anywhere:
        fits = [n for n in fits if field.behind(side, n)] or fits
    return [n for n in fits if flies or n not in field.strip_of] or fits


def _preference(state: State, piece: Piece, n: int, middle: float) -> tuple[float, ...]:
    """What a square is to a kind, the least best: ground that it likes, near the line, near a column."""
    field, likes = state.field, _LIKES.get(piece.kind, ())
    terrain = field.terrain[n]
    liked = likes.index(terrain) if terrain in likes else len(likes)
    liked += piece.data.vehicle and field.built[n]
    return liked, -field.rows_away[piece.side][n], abs(field.cells[n].col + 0.5 - middle)


def _spread(state: State, side: int, free: list[int], rng: random.Random | None) -> list[int]:
    """Squares for mines: from the deployment line back, every third column of a row first; with ``rng`` in any order
    within three rows."""
    field = state.field
    if rng is None:
        return sorted(free, key=lambda n: (field.cells[n].col % 3, -field.rows_away[side][n], field.cells[n].col))
    return sorted(rng.sample(free, len(free)), key=lambda n: -(field.rows_away[side][n] // 3))
