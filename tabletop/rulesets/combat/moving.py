"""Moving: where a piece can go and by which way, what speaks against it, what it meets there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from geometry.squares import distance
from tabletop.game.violations import Violation
from tabletop.rulesets.combat import actions
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import KINDS, NEW_PIECES, SIDE_TITLES, SIDES, TERRAIN_TITLES
from tabletop.rulesets.combat.figures import move_place, moves_of
from tabletop.rulesets.combat.saving import save_of
from tabletop.rulesets.combat.state import Piece, State, commands, in_play
from tabletop.words import count

MOVEMENT, HILLS = "Movement", "Movement, On hills or in woods"
STACKING = "Deployment, 2"
NIGHT = "Variations of play, Battle in time"
STRIPS, NEW = "Airstrikes and airstrips", "Reinforcements"

Ways = dict[int, tuple[int, ...]]


def ways(state: State, piece: Piece) -> Ways:
    """Every square that a piece can still reach this turn, with a shortest way there, first where it stands.

    Empty where it can't move at all. One's own mines and every piece bar the way, the enemy's planes on their airstrip
    excepted; what of the enemy's mines lies there is not asked.
    """
    if not may_move(state, piece):
        return {}
    return _ways_with(state, piece, _barred_squares(state, piece), state.field.slow)


def _ways_with(state: State, piece: Piece, barred: Collection[int], slow: Sequence[bool]) -> Ways:
    """The ways of a piece that may move, were these squares barred to it and those slow."""
    field, tops = state.field, _last(state, piece)
    road, steps = field.road, field.steps
    moves, by_road = moves_of(state.setup, piece.kind)
    begins_slow = piece.steps == 0 and slow[piece.at]
    rows = field.rows_away[piece.side] if state.night else None
    start = (piece.at, piece.on_road)
    came: dict[tuple[int, bool], tuple[int, bool]] = {start: start}
    found: dict[int, tuple[int, bool]] = {}
    edge, taken = [start], piece.steps
    while edge and taken < max(moves, by_road):
        taken += 1
        further = []
        for node in edge:
            n, on = node
            for m in steps[n]:
                along = on and road[m]
                if m in barred or taken > (by_road if along else moves) or (m, along) in came:
                    continue
                if rows is not None and rows[m] > rows[n]:
                    continue
                new = (m, along)
                came[new] = node
                found.setdefault(m, new)
                if not (slow[m] or begins_slow or m in tops):
                    further.append(new)
        edge = further
    found.pop(piece.at, None)
    return {n: _back(came, node, start) for n, node in found.items()}


def _back(
    came: dict[tuple[int, bool], tuple[int, bool]], node: tuple[int, bool], start: tuple[int, bool]
) -> tuple[int, ...]:
    way = [node[0]]
    while node != start:
        node = came[node]
        way.append(node[0])
    return tuple(reversed(way))


def may_move(state: State, piece: Piece) -> bool:
    """Whether a piece can take another step this turn at all, whatever lies round it."""
    if piece.at == OFF or piece.halted or piece.kind == "plane" or not in_play(state, piece):
        return False
    return not state.apart or state.field.own_half(piece.side, piece.at)


def _barred_squares(state: State, piece: Piece) -> set[int]:
    """Squares that a piece can't enter for what is in them, or that it must not leave its half for."""
    field, side = state.field, piece.side
    barred = set(state.by_square)
    if piece.data.ground:
        barred.difference_update(other.at for other in state.armies[1 - side] if _is_grounded_plane(other, side))
    barred |= state.laid[side]
    if piece.kind == "helicopter":
        barred |= field.wooded
    if state.apart:
        barred |= field.halves[1 - side]
    return barred


def _is_grounded_plane(other: Piece, side: int) -> bool:
    """Whether a piece is one of the enemy's planes on its airstrip, which does not bar the way."""
    return other.side != side and other.kind == "plane"


def _last(state: State, piece: Piece) -> frozenset[int]:
    """Squares where a move ends at any rate: the enemy's base line, where a piece is lost."""
    return state.field.base[1 - piece.side] if piece.data.ground else frozenset()


# --- a move ----------------------------------------------------------------------------------------------------------


def way_of(state: State, action: actions.Move) -> tuple[int, ...] | None:
    """The whole way of a move through the squares that it names; ``None`` where there is none."""
    return _whole_way(state, action, lambda piece, to: ways(state, piece).get(to))


def overruled_way(state: State, action: actions.Move) -> tuple[int, ...] | None:
    """The way of a move that the referee lets happen though the piece may not act, has stopped or has no steps left;
    ``None`` where there is none."""
    piece = state.by_id[action.unit]
    if next(against_moving(state, piece), None) is not None:
        return _whole_way(state, action, lambda moved, to: _any_way(state, moved, to))

    def way_within_limits(moved: Piece, to: int) -> tuple[int, ...] | None:
        return (
            None if moved.halted else _ways_with(state, moved, _barred_squares(state, moved), state.field.slow).get(to)
        )

    return _whole_way(state, action, way_within_limits)


def _any_way(state: State, piece: Piece, to: int) -> tuple[int, ...] | None:
    """A shortest way over squares that are not barred, however far and whatever its ground."""
    field, barred, tops = state.field, _barred_squares(state, piece), _last(state, piece)
    rows = field.rows_away[piece.side]
    found: dict[int, tuple[int, ...]] = {piece.at: (piece.at,)}
    edge = [piece.at]
    while edge and to not in found:
        further = []
        for n in edge:
            for m in field.steps[n]:
                if m not in found and m not in barred and not (state.night and rows[m] > rows[n]):
                    found[m] = (*found[n], m)
                    further += [] if m in tops else [m]
        edge = further
    return found.get(to)


def _whole_way(
    state: State, action: actions.Move, leg_to: Callable[[Piece, int], tuple[int, ...] | None]
) -> tuple[int, ...] | None:
    piece, number = state.by_id[action.unit], state.field.number
    whole: tuple[int, ...] = (piece.at,)
    for name in (*action.via, action.to):
        leg = leg_to(piece, number[name])
        if leg is None:
            return None
        whole += leg[1:]
        piece = after_leg(state, piece, leg)
    return whole


def after_leg(state: State, piece: Piece, leg: tuple[int, ...]) -> Piece:
    """A piece after a leg of its way, the squares from where it stands."""
    field = state.field
    halted = (piece.steps == 0 and field.slow[leg[0]]) or field.slow[leg[-1]] or leg[-1] in _last(state, piece)
    on_road = piece.on_road and all(field.road[n] for n in leg)
    return replace(piece, at=leg[-1], steps=piece.steps + len(leg) - 1, halted=halted, on_road=on_road)


def against(state: State, action: actions.Move) -> Iterator[Violation]:
    """All that speaks against a move."""
    piece, field = state.by_id[action.unit], state.field
    found = list(against_acting(state, piece))
    stopped = [] if any(v.firm for v in found) else list(against_moving(state, piece))
    found += stopped
    yield from found
    if any(v.firm for v in found):
        return
    to = field.number[action.to]
    if piece.at == to:
        yield Violation("stays", f"{piece.id} stands in {action.to} already.", MOVEMENT, firm=True)
        return
    if (overruled_way if found else way_of)(state, action) is not None:
        return
    inside = list(_against_square(state, piece, to))
    yield from inside
    if stopped and not inside:
        text = f"Every way from {state.name(piece.at)} to {action.to} is barred."
        yield Violation("no-way", text, STACKING, firm=True)
    elif not inside:
        yield _too_far(state, piece, action)


def against_acting(state: State, piece: Piece) -> Iterator[Violation]:
    """What speaks against a piece's doing anything now: it is not there, not its commander's turn, or new."""
    name = piece.id
    side, section = state.section_to_act
    if piece.at == OFF:
        yield Violation("off-board", f"{name} {gone_words(piece)}.", MOVEMENT, firm=True)
    elif piece.side != side:
        text = f"{name} is {SIDE_TITLES[SIDES[piece.side]]}'s, and it is {SIDE_TITLES[SIDES[side]]}'s turn."
        yield Violation("not-your-turn", text, "Turn sequence", firm=True)
    elif section not in (-1, piece.section):
        lone = not commands(state, SIDES[side])
        whose = "so it moves in that corps' turn" if lone else "so it is theirs to move"
        sector = "the other sector" if lone else "the other commander's sector"
        text = f"{name} began this turn in {sector}, {whose}."
        yield Violation("other-sector", text, "Rules for four players")
    elif piece.acts_from > state.turn:
        yield Violation("new", f"{name} came on this turn and acts from the next.", NEW)


def against_room(state: State, side: int, n: int) -> Iterator[Violation]:
    """A piece, or a mine of the side, that is in a square already: there is room for one."""
    name = state.name(n)
    if n in state.by_square:
        yield Violation("occupied", f"{state.by_square[n].id} stands in {name}: one to a square.", STACKING, firm=True)
    if n in state.laid[side]:
        yield Violation("own-mine", f"Your own mine lies in {name}: one to a square.", STACKING, firm=True)


def gone_words(piece: Piece) -> str:
    """What became of a piece that is not on the board."""
    return "was lost" if piece.fate == "lost" else "is not on the board"


def against_moving(state: State, piece: Piece) -> Iterator[Violation]:
    """What keeps a piece from taking another step this turn, wherever to."""
    field = state.field
    if piece.kind == "plane":
        text = f"{piece.id} is a plane: it attacks from its airstrip and returns to it."
        yield Violation("plane", text, "Movement, Planes", firm=True)
    elif piece.halted:
        text = f"{piece.id} stopped {_where(state, piece.at)} and goes no further this turn."
        yield Violation("halted", text, _slow_place(state, piece.at))
    elif state.apart and not field.own_half(piece.side, piece.at):
        text = f"{piece.id} stands on the enemy's half, and the boards are apart: it waits for dawn."
        yield Violation("apart", text, NIGHT, firm=True)
    elif piece.steps >= max(moves_of(state.setup, piece.kind)):
        text = f"{piece.id} has moved {piece.steps} squares, all that it may."
        yield Violation("spent", text, move_place(state.setup, piece.kind))


def _where(state: State, n: int) -> str:
    if not state.field.slow[n]:
        return "at the edge of hills and woods"
    return f"in {state.name(n)}, {TERRAIN_TITLES[state.field.terrain[n]]},"


def _slow_place(state: State, n: int) -> str:
    """Where the rules have that a square's ground is slow."""
    return "House rules, 5" if state.field.built[n] else HILLS


def _against_square(state: State, piece: Piece, to: int) -> Iterator[Violation]:
    """What of a square itself keeps a piece out."""
    field, name = state.field, state.name(to)
    if state.apart and not field.own_half(piece.side, to):
        yield Violation("apart", f"{name} is on the other half, and the boards are apart.", NIGHT, firm=True)
        return
    other = state.by_square.get(to)
    if other is not None and other.id != piece.id and not (piece.data.ground and _is_grounded_plane(other, piece.side)):
        yield Violation("occupied", f"{other.id} stands in {name}: one piece to a square.", STACKING, firm=True)
    if to in state.laid[piece.side]:
        text = f"Your own mine lies in {name}: one piece or mine to a square."
        yield Violation("own-mine", text, STACKING, firm=True)
    if field.river[to]:
        yield Violation("river", f"{name} is a river, crossed at bridges only.", "House rules, 4", firm=True)
    if piece.kind == "helicopter" and field.cover[to] == "woods":
        text = f"{piece.id} can't cross {TERRAIN_TITLES[field.terrain[to]]}."
        yield Violation("no-helicopters", text, "House rules, 9", firm=True)
    rows = field.rows_away[piece.side]
    if state.night and rows[to] > rows[piece.at]:
        text = f"{name} is further forward than {state.name(piece.at)}: by night pieces retreat or move sideways."
        yield Violation("advance", text, NIGHT, firm=True)


def _too_far(state: State, piece: Piece, action: actions.Move) -> Violation:
    moves, by_road = moves_of(state.setup, piece.kind)
    begins_slow = piece.steps == 0 and state.field.slow[piece.at]
    left = 1 if begins_slow else max(moves - piece.steps, 0)
    why, place = _why_too_far(state, piece, state.field.number[action.to], begins_slow)
    if action.via or not why:
        why = f"it moves {count(moves, 'square')}, {by_road} wholly on road, and has moved {piece.steps}"
        place = move_place(state.setup, piece.kind)
    via = f" by way of {', '.join(action.via)}" if action.via else ""
    text = f"{piece.id} can't reach {action.to} from {state.name(piece.at)}{via}: {why}."
    return Violation("too-far", text, place, {"left": left, "moved": piece.steps}, firm=True)


def _why_too_far(state: State, piece: Piece, to: int, begins_slow: bool) -> tuple[str, str]:
    """What else than its distance keeps a piece from a square, with the rules' place; empty where nothing does."""
    field, barred, quick = state.field, _barred_squares(state, piece), [False] * state.field.count
    if to in _ways_with(state, piece, barred, quick):
        if begins_slow:
            from_ = TERRAIN_TITLES[field.terrain[piece.at]]
            return f"from {from_} it moves one square this turn", _slow_place(state, piece.at)
        return "hills and woods on the way stop it as it enters them", HILLS
    if to in _ways_with(state, piece, (), field.slow):
        return "pieces or mines of its own side, or the enemy's pieces, are in the way", STACKING
    moves, _ = moves_of(state.setup, piece.kind)
    if any(field.river) and distance(field.cells[piece.at], field.cells[to]) <= moves - piece.steps:
        return "a river is in the way, crossed at bridges only", "House rules, 4"
    return "", ""


def resolve(state: State, action: actions.Move) -> Iterator[ev.Event]:
    """What a move does: the way as far as the first of the enemy's mines, the mine, or what the piece enters."""
    piece, field = state.by_id[action.unit], state.field
    way = way_of(state, action) or overruled_way(state, action)
    assert way is not None
    mines = state.laid[1 - piece.side] if piece.data.ground else frozenset()
    stop = next((k for k, n in enumerate(way) if k and n in mines), None)
    gone = way if stop is None else way[: stop + 1]
    probed = bool(
        state.setup.mines_each and piece.data.ground and any(field.behind(1 - piece.side, n) for n in gone[1:])
    )
    secret = state.day if state.apart else 0
    yield ev.Moved(piece.id, tuple(field.names[n] for n in gone), probed, secret)
    entered = gone[1:] if stop is None else gone[1:-1]
    yield from strips_entered(state, piece, entered)
    if stop is not None:
        need, modifiers = save_of(state, replace(piece, at=gone[-1]), "mine")
        yield ev.MineExploded(piece.id, field.names[gone[-1]], need, modifiers)
    else:
        yield from arrival_events(state, piece, gone[-1])


def strips_entered(state: State, piece: Piece, squares: tuple[int, ...]) -> Iterator[ev.Event]:
    """The enemy's airstrips that a piece enters on its way, with the planes destroyed there."""
    field = state.field
    if not piece.data.ground:
        return
    for strip in dict.fromkeys(field.strip_of[n] for n in squares if n in field.strip_of):
        if field.strip_side[strip] != piece.side and field.strip_of.get(piece.at) != strip:
            yield strip_entered(state, piece, strip)


def strip_entered(state: State, piece: Piece, strip: int) -> ev.StripEntered:
    """The enemy's airstrip as a piece enters it, with the planes destroyed there."""
    field, own = state.field, state.field.strip_side[strip]
    planes = tuple(p.id for p in state.armies[own] if p.kind == "plane" and p.at in field.strips[strip])
    return ev.StripEntered(piece.id, SIDES[own], tuple(field.names[n] for n in sorted(field.strips[strip])), planes)


def arrival_events(state: State, piece: Piece, n: int) -> Iterator[ev.Event]:
    """What comes of a piece's standing on a square where no mine is left: on the enemy's base line it is lost for
    others."""
    if piece.data.ground and state.field.on_base(1 - piece.side, n):
        yield ev.Broken(piece.id, state.name(n), new_pieces_owed(state, piece))


def new_pieces_owed(state: State, gone: Piece) -> int:
    """How many new pieces a side gets for one that is lost on the base line: three, or as many as its box still has."""
    left = 0
    for kind in state.setup.kinds:
        there = sum(p.kind == kind and p.id != gone.id for p in state.armies[gone.side])
        left += KINDS[kind].pool - there
    return min(NEW_PIECES, left)
