"""Armies and secret deployment: what is wrong with either, all at once, and a deployment that will do."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tabletop.game.protocol import Violation
from tabletop.rulesets.combat import acts
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import (
    AHEAD,
    KINDS,
    PERIODS,
    ROAD,
    SIDE_TITLES,
    SIDES,
    TERRAIN,
    TERRAIN_TITLES,
    counted,
)
from tabletop.rulesets.combat.setup import Setup
from tabletop.rulesets.combat.state import Piece, State

ARMIES, POOL, DEPLOYMENT = "Armies", "Force selection pool", "Deployment"
STACKING, HEADQUARTERS = "Deployment, 2", "Variations of play, Given objectives"
MINE = "mine"


def room_for_planes(setup: Setup, side: str) -> int:
    """How many planes a side's airstrips hold, one to a square."""
    return sum(len(strip.squares) for strip in setup.airstrips if strip.side == side)


# --- the battlefield -------------------------------------------------------------------------------------------------


def against_laying(state: State, action: acts.Lay) -> Iterator[Violation]:
    """What speaks against laying a square's terrain."""
    place, n = "Preparation", state.field.number[action.square]
    house = state.setup.house
    if any(state.armed):
        text = "The battlefield is arranged before armies are chosen."
        yield Violation("too-late", text, place, firm=True)
    if action.terrain not in (*TERRAIN, ROAD):
        known = ", ".join((*TERRAIN, ROAD))
        yield Violation("no-terrain", f'"{action.terrain}" is no terrain: {known}.', place, firm=True)
    if action.terrain in ("river", "bridge") and not house.rivers:
        yield Violation("no-rivers", "Rivers and bridges belong to a house rule.", "House rules, 4", firm=True)
    if action.terrain in ("built-up", "defence") and not house.built_up:
        text = "Built-up areas and defence lines belong to a house rule."
        yield Violation("not-built", text, "House rules, 5", firm=True)
    if action.terrain == ROAD and state.field.river[n]:
        yield Violation("bridge", f"{action.square} is a river: lay a bridge there.", "House rules, 4", firm=True)
    if action.terrain == "river" and n in state.field.strip_of:
        yield Violation("airstrip", f"An airstrip lies in {action.square}.", place, firm=True)


# --- armies ----------------------------------------------------------------------------------------------------------


def against_army(state: State, action: acts.Army) -> Iterator[Violation]:
    """Everything that is wrong with an army."""
    if action.side not in SIDES:
        yield _no_side(action.side)
        return
    yield from _open(state, action.side)
    setup, counts = state.setup, dict(action.counts)
    unknown = [kind for kind in counts if kind not in KINDS]
    for kind in unknown:
        yield Violation("no-kind", f'There is no kind of piece "{kind}": {", ".join(KINDS)}.', POOL, firm=True)
    if unknown:
        return
    if len(counts) < len(action.counts) or any(count < 1 for count in counts.values()):
        yield Violation("counts", "Name every kind once, with one piece at least.", ARMIES, firm=True)
    yield from _against_kinds(setup, counts)
    yield from _against_size(setup, counts)
    yield from _against_period(setup, counts)
    room = room_for_planes(setup, action.side)
    if counts.get("plane", 0) > room:
        text = f"The airstrips of {SIDE_TITLES[action.side]} hold {counted(room, 'plane')}, one to a square."
        yield Violation("no-room", text, DEPLOYMENT, {"planes": counts["plane"], "room": room}, firm=True)
    yield from _against_mines(setup, action.mines)


def _no_side(side: str) -> Violation:
    return Violation("no-side", f'There is no side "{side}": red or blue.', "Preparation", firm=True)


def _open(state: State, side: str) -> Iterator[Violation]:
    """Why a side's deployment is closed."""
    if state.step != "deploy":
        yield Violation("joined", "The boards are joined, so that deployment is over.", DEPLOYMENT, firm=True)
    elif state.ready[SIDES.index(side)]:
        yield Violation("ready", f"{SIDE_TITLES[side]} has said that it is ready.", DEPLOYMENT, firm=True)


def _against_kinds(setup: Setup, counts: Mapping[str, int]) -> Iterator[Violation]:
    for kind, count in counts.items():
        data = KINDS[kind]
        if kind not in setup.kinds:
            known = ", ".join(KINDS[one].plural for one in setup.kinds)
            place = PERIODS[setup.period].place if setup.period else data.place
            text = f"{data.plural.capitalize()} may not be chosen here; what may: {known}."
            yield Violation("kind-not-allowed", text, place)
        if count > data.pool:
            text = f"The box has {counted(data.pool, kind)} a side, and {count} were chosen."
            yield Violation("pool", text, POOL, {"chosen": count, "pool": data.pool}, firm=True)


def _against_size(setup: Setup, counts: Mapping[str, int]) -> Iterator[Violation]:
    total = sum(counts.values())
    if not total:
        yield Violation("empty", "An army has one piece at least.", ARMIES, firm=True)
    if setup.pieces and total != setup.pieces:
        text = f"Armies of {setup.pieces} pieces were agreed on, and this one has {total}."
        yield Violation("not-equal", text, ARMIES, {"pieces": total, "agreed": setup.pieces})
    elif total > setup.most_pieces:
        place = "Set up, 3" if setup.house.most_30 else "Variations of play"
        text = f"An army has at most {setup.most_pieces} pieces, and this one has {total}."
        yield Violation("too-many", text, place, {"pieces": total, "most": setup.most_pieces})
    cost = points(counts)
    if setup.points and cost > setup.points:
        text = f"Armies of {setup.points} points were agreed on, and this one costs {cost}."
        yield Violation("points", text, "Points system", {"points": cost, "agreed": setup.points})


def points(counts: Mapping[str, int]) -> int:
    """What an army costs [Points system].

    >>> points({"tank": 4, "plane": 1, "foot": 3})
    20
    """
    return sum(KINDS[kind].points * count for kind, count in counts.items())


def _against_period(setup: Setup, counts: Mapping[str, int]) -> Iterator[Violation]:
    if not setup.period:
        return
    period = PERIODS[setup.period]
    for ratio in period.ratios:
        most = int(ratio.share * counts.get(ratio.of, 0))
        chosen = counts.get(ratio.kind, 0)
        if chosen > most:
            text = (
                f"With {counted(counts.get(ratio.of, 0), ratio.of)} an army of {period.title} starts with at most "
                f"{counted(most, ratio.kind)}, and {chosen} were chosen."
            )
            yield Violation("ratio", text, period.place, {"chosen": chosen, "most": most})
    for kind, most in period.at_once.items():
        if counts.get(kind, 0) > most:
            text = f"{period.title} allows {counted(most, kind)} a side at one time, and {counts[kind]} were chosen."
            yield Violation("at-once", text, period.place, {"chosen": counts[kind], "most": most})


def _against_mines(setup: Setup, mines: int) -> Iterator[Violation]:
    each = setup.mines_each
    if setup.period and not PERIODS[setup.period].mines and mines:
        period = PERIODS[setup.period]
        yield Violation("no-mines", f"{period.title} has no mines, and {mines} were chosen.", period.place)
    elif mines > each:
        text = f"Each army is allotted {each} mines, and {mines} were chosen."
        yield Violation("mines", text, ARMIES, {"chosen": mines, "most": each})
    elif mines != each and setup.profile == "codified":
        text = f"Each side gets an equal number of mines, {each}, and {mines} were chosen."
        yield Violation("mines", text, "Set up, 3", {"chosen": mines, "agreed": each})
    if mines < 0:
        yield Violation("mines", "An army has no fewer than no mines.", ARMIES, firm=True)


def some_army(setup: Setup, side: str, weights: Mapping[str, float], rng: random.Random | None = None) -> acts.Army:
    """An army within all that was agreed: pieces are taken one by one, each of the kind that is furthest behind its
    weight (with ``rng``, at random by weight)."""
    room = {kind: KINDS[kind].pool for kind in setup.kinds if weights.get(kind, 0) > 0}
    if "plane" in room:
        room["plane"] = min(room["plane"], room_for_planes(setup, side))
    period = PERIODS[setup.period] if setup.period else None
    for kind, most in (period.at_once if period else {}).items():
        if kind in room:
            room[kind] = min(room[kind], most)
    counts: Counter[str] = Counter()
    while sum(counts.values()) < (setup.pieces or setup.most_pieces):
        free = [kind for kind in room if _one_more(setup, counts, kind, room[kind])]
        if not free:
            break
        if rng is not None:
            counts[rng.choices(free, [weights[kind] for kind in free])[0]] += 1
        else:
            counts[min(free, key=lambda kind: (counts[kind] + 1) / weights[kind])] += 1
    mines = setup.mines_each
    if rng is not None and setup.profile == "original":
        mines = rng.randint(0, mines)
    return acts.Army(side, tuple((kind, counts[kind]) for kind in KINDS if counts[kind]), mines)


def _one_more(setup: Setup, counts: Counter[str], kind: str, most: int) -> bool:
    if counts[kind] >= most or (setup.points and points(counts) + KINDS[kind].points > setup.points):
        return False
    ratios = PERIODS[setup.period].ratios if setup.period else ()
    return all(ratio.kind != kind or counts[kind] + 1 <= ratio.share * counts[ratio.of] for ratio in ratios)


# --- deployment ------------------------------------------------------------------------------------------------------


def side_of_placing(state: State, action: acts.Place) -> int | None:
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


def against_place(state: State, action: acts.Place) -> Iterator[Violation]:
    """Everything that is wrong with deploying pieces."""
    side, field = side_of_placing(state, action), state.field
    if side is None or not action.pieces:
        yield Violation("nothing", "Say which piece goes where: place RT1 c3.", DEPLOYMENT, firm=True)
        return
    yield from _open(state, SIDES[side])
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
        yield Violation("mine-ahead", text, DEPLOYMENT)
    if state.field.river[n]:
        yield Violation("river", f"{name} is a river.", "House rules, 4", firm=True)


def _against_numbers(state: State, side: int, action: acts.Place) -> Iterator[Violation]:
    mines = sum(what == MINE for what, _ in action.pieces)
    if mines > state.to_lay[side]:
        text = f"{state.to_lay[side]} mines are left to lay, and {mines} were named."
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


def against_deploying(state: State, action: acts.Deploy) -> Iterator[Violation]:
    """What speaks against deploying all that is left: there is nothing, or no room for it."""
    if action.side not in SIDES:
        yield _no_side(action.side)
        return
    yield from _open(state, action.side)
    side = SIDES.index(action.side)
    whole = some_deployment(state, side)
    if not whole.pieces:
        text = f"{SIDE_TITLES[action.side]} has nothing left to deploy that there is room for."
        yield Violation("nothing", text, DEPLOYMENT, firm=True)


def against_unplace(state: State, action: acts.Unplace) -> Iterator[Violation]:
    """What speaks against taking up what was deployed."""
    side = side_of_unplacing(state, action)
    if action.what not in state.by_id and action.what not in state.field.number:
        text = f'Nothing of yours is called "{action.what}": say a piece, or the square of a mine or headquarters.'
        yield Violation("nothing", text, DEPLOYMENT, firm=True)
        return
    yield from _open(state, SIDES[side])
    if action.what in state.by_id:
        if state.by_id[action.what].at == OFF:
            yield Violation("not-placed", f"{action.what} is not deployed.", DEPLOYMENT, firm=True)
        return
    n = state.field.number[action.what]
    if n not in state.laid[side] and state.headquarters[side] != n:
        text = f"No mine or headquarters of yours is in {action.what}."
        yield Violation("nothing", text, DEPLOYMENT, firm=True)


def side_of_unplacing(state: State, action: acts.Unplace) -> int:
    """Whose piece, mine or headquarters is taken up."""
    n = state.field.number.get(action.what, OFF)
    if n == OFF:
        return int(action.what[:1] == "B")
    return 0 if state.field.own_half(0, n) else 1


def against_establishing(state: State, action: acts.Establish) -> Iterator[Violation]:
    """What speaks against headquarters in a square."""
    n = state.field.number[action.square]
    side = 0 if state.field.own_half(0, n) else 1
    yield from _open(state, SIDES[side])
    if not state.setup.headquarters:
        text = "Headquarters are no objective of this game."
        yield Violation("no-headquarters", text, HEADQUARTERS, firm=True)
    if state.field.terrain[n] not in ("hill", "crest", "woods"):
        text = f"Headquarters are established on a hill or in a wood, and {action.square} is {_ground(state, n)}."
        yield Violation("no-cover", text, HEADQUARTERS, firm=True)
    elif len(state.field.feature(n)) < 2:
        text = f"Headquarters fall to two pieces, and in {action.square} there is room for one only."
        yield Violation("too-small", text, HEADQUARTERS)


def _ground(state: State, n: int) -> str:
    return TERRAIN_TITLES[state.field.terrain[n]]


def against_ready(state: State, action: acts.Ready) -> Iterator[Violation]:
    """What a side still has to do before the boards are joined."""
    if action.side not in SIDES:
        yield _no_side(action.side)
        return
    yield from _open(state, action.side)
    side = SIDES.index(action.side)
    if not state.armed[side]:
        text = f"{SIDE_TITLES[action.side]} has no army yet: army {action.side} tanks N guns N."
        yield Violation("no-army", text, ARMIES, firm=True)
    left = [p.id for p in state.pieces if p.side == side and p.at == OFF]
    if left:
        yield Violation("not-deployed", f"Still to be deployed: {', '.join(left)}.", DEPLOYMENT, firm=True)
    if state.setup.headquarters and state.headquarters[side] == OFF:
        text = f"{SIDE_TITLES[action.side]} has to establish its headquarters: headquarters SQUARE."
        yield Violation("no-headquarters", text, HEADQUARTERS, firm=True)


# --- a deployment that will do ---------------------------------------------------------------------------------------

_LIKES: Mapping[str, Sequence[str]] = {
    "gun": ("crest", "hill", "woods"),
    "foot": ("built-up", "defence", "woods"),
    "motorised": ("built-up", "woods"),
    "cavalry": ("woods",),
}


def some_deployment(state: State, side: int, rng: random.Random | None = None) -> acts.Place:
    """All that a side still has to deploy, on squares that will do (with ``rng``, at random)."""
    field = state.field
    taken = {p.at for p in state.armies[side]} | state.laid[side]
    room = [n for n in range(field.count) if field.own_half(side, n) and not field.river[n]]
    if rng is not None:
        rng.shuffle(room)
    ahead = most_ahead(state, side) - sum(not field.behind(side, p.at) for p in state.armies[side])
    found: list[tuple[str, str]] = []
    waiting = [p for p in state.pieces if p.side == side and p.at == OFF]
    for piece in sorted(waiting, key=lambda p: p.kind != "plane"):
        chosen = _a_square(state, piece, [n for n in room if n not in taken], ahead, rng)
        if chosen is None:
            continue
        ahead -= not field.behind(side, chosen)
        taken.add(chosen)
        found.append((piece.id, field.names[chosen]))
    free = [n for n in room if n not in taken and field.behind(side, n) and n not in field.strip_of]
    if rng is None:
        free = _spread(state, side, free)
    found += [(MINE, field.names[n]) for n in free[: state.to_lay[side]]]
    return acts.Place(tuple(found))


def _a_square(state: State, piece: Piece, room: list[int], ahead: int, rng: random.Random | None) -> int | None:
    field, side = state.field, piece.side
    flies = piece.kind == "plane"
    fits = [
        n
        for n in room
        if (field.behind(side, n) or (ahead > 0 and rng is not None))
        and not (piece.kind == "helicopter" and n in field.wooded)
        and (not flies or (n in field.strip_of and field.strip_side[field.strip_of[n]] == side))
    ]
    fits = [n for n in fits if flies or n not in field.strip_of] or fits
    if rng is not None or not fits:
        return fits[0] if fits else None
    likes = _LIKES.get(piece.kind, ())
    middle = state.setup.columns / 2
    return min(
        fits,
        key=lambda n: (
            likes.index(field.terrain[n]) if field.terrain[n] in likes else len(likes),
            -field.rows_away[side][n],
            abs(field.cells[n].col + 0.5 - middle),
        ),
    )


def _spread(state: State, side: int, free: list[int]) -> list[int]:
    """Squares for mines: by rows from the deployment line back, every third column first."""
    field = state.field
    return sorted(free, key=lambda n: (field.cells[n].col % 3, -field.rows_away[side][n], field.cells[n].col))
