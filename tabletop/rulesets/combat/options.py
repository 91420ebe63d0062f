"""What may be done and what not: options with their reasons, and invariants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from tabletop.game.domains import Choice, Domain
from tabletop.game.option_maker import OptionMaker
from tabletop.game.protocol import Option
from tabletop.rulesets.combat import actions, armies, chances, deploying, firing, moving, turn_flow
from tabletop.rulesets.combat.action_fields import COUNTERS
from tabletop.rulesets.combat.actions import ACTIONS
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.checks import violations
from tabletop.rulesets.combat.data import KINDS, MINE, MOST_NUMBERS, SIDES
from tabletop.rulesets.combat.event_text import need_words
from tabletop.rulesets.combat.firing import fire_range
from tabletop.rulesets.combat.saving import save_of
from tabletop.rulesets.combat.state import Piece, State, in_play
from tabletop.words import count

_Options = OptionMaker[State]


def options(state: State) -> tuple[Option, ...]:
    """Everything that may be wished now; what is not legal carries its reasons."""
    if state.step == "over":
        return ()
    make = OptionMaker(ACTIONS, state, violations, chances.odds)
    found = list(_OPTIONS["save" if state.pending else state.step](make))
    found += [make(actions.Concede(side), side) for side in SIDES]
    return tuple(found)


@cache
def _square_choice(name: str) -> Choice:
    return Choice(name, name)


def _squares(state: State, numbers: Iterable[int]) -> Domain:
    """One of these squares."""
    return Domain("cell", tuple(_square_choice(state.field.names[n]) for n in numbers))


# --- before the battle -----------------------------------------------------------------------------------------------


def _deploy(make: _Options) -> Iterator[Option]:
    if not any(make.state.armed):
        fields = {"square": None, "terrain": _terrain_laid(make.state)}
        yield make.open(actions.Lay, {}, fields, SIDES[0], advice="the battlefield, as the players arrange it")
    for own, side in enumerate(SIDES):
        if not make.state.ready[own]:
            yield from _deploy_side(make, own, side)


def _terrain_laid(state: State) -> Domain:
    """What may be laid by the house rules; hill counters where there is a hill."""
    house = state.setup.house
    barred = [*(() if house.rivers else ("river", "bridge")), *(() if house.built_up else ("built-up", "defence"))]
    if not any(kind in ("hill", "crest") for _, kind in state.setup.ground):
        barred += COUNTERS
    titles = ACTIONS.fields("lay")[1].domain.choices
    return Domain("choice", tuple(one for one in titles if one.value not in barred))


def _deploy_side(make: _Options, own: int, side: str) -> Iterator[Option]:
    state = make.state
    setup = state.setup
    if state.armed[own]:
        yield from _placements(make, own, side)
    left = state.to_lay[own]
    yield make(actions.Ready(side), side, advice=f"{count(left, 'mine')} not laid yet" if left else "")
    if not state.armed[own] or not any(p.side == own and p.at != OFF for p in state.pieces):
        for army, name in armies.ready_armies(setup, side):
            yield make(army, side, advice=name)
        own_army = armies.open_counts(setup, side)
        yield make.open(actions.Army, {"side": side}, own_army, side, advice="numbers of your own")


def _placements(make: _Options, own: int, side: str) -> Iterator[Option]:
    state = make.state
    whole = deploying.some_deployment(state, own)
    if whole.pieces:
        yield make(actions.Deploy(side), side, advice="all that is left, the same every time: easy to guess")
        number = {"number": Domain("number", least=1, most=MOST_NUMBERS)}
        advice = "all that is left, by a number that you keep to yourself"
        yield make.open(actions.Deploy, {"side": side}, number, side, advice=advice)
    squares: dict[str, Domain] = {}
    for piece in state.pieces:
        if piece.side == own and piece.at == OFF:
            if piece.kind not in squares:
                squares[piece.kind] = _squares(state, deploying.squares_for(state, own, piece.kind))
            yield make.open(actions.Place, {}, _one_row(piece.id, piece.id, squares[piece.kind]), side, unit=piece.id)
    if state.to_lay[own]:
        row = _one_row(MINE, "a mine", _squares(state, deploying.squares_for(state, own, MINE)))
        yield make.open(actions.Place, {}, row, side, advice=f"{state.to_lay[own]} left")
    for piece in state.armies[own]:
        name = state.name(piece.at)
        yield make(actions.Unplace(piece.id), side, unit=piece.id, target=name, legal=True)
    for n in sorted(state.laid[own]):
        yield make(actions.Unplace(square=state.name(n)), side, target=state.name(n), legal=True)
    if state.setup.headquarters:
        for n in range(state.field.count):
            if state.field.own_half(own, n) and state.field.terrain[n] in ("hill", "crest", "woods"):
                yield make(actions.Establish(state.name(n)), side, target=state.name(n))


def _one_row(piece: str, title: str, squares: Domain) -> dict[str, Domain | None]:
    """The field of a :class:`~tabletop.rulesets.combat.actions.Place` that deploys a piece or a mine on a square that
    is left open."""
    parts = {"piece": Domain("unit", (Choice(piece, title),)), "square": squares}
    return {"pieces": Domain("rows", many=True, least=1, most=1, parts=parts)}


def _toss(make: _Options) -> Iterator[Option]:
    yield make(actions.Toss(), SIDES[0])
    for side in SIDES:
        yield make(actions.First(side), SIDES[0])


# --- the battle ------------------------------------------------------------------------------------------------------


def _play(make: _Options) -> Iterator[Option]:
    state = make.state
    own = state.section_to_act[0]
    side = SIDES[own]
    for piece in state.armies[own]:
        if not in_play(state, piece):
            continue
        if piece.kind == "plane":
            yield from _flights(make, piece, side)
            continue
        if firing.may_fire(state, piece):
            yield from _shots(make, piece, side)
        names, acting = state.field.names, piece.id
        for n in moving.ways(state, piece):
            yield make(actions.Move(acting, names[n]), side, unit=acting, target=names[n], legal=True)
    if state.owed:
        yield from _reinforcements(make, own, side)
    advice = "The corps commanders may confer now." if turn_flow.may_confer(state) else ""
    if state.owed:
        advice = f"{advice} New pieces that have not come on by then are forgone.".strip()
    yield make(actions.End(), side, legal=True, advice=advice)


def _shots(make: _Options, piece: Piece, side: str) -> Iterator[Option]:
    """Shots that pass, and those in range that the ground stops, with the reason."""
    state = make.state
    far, cells = fire_range(state, piece), state.field.cells
    own, lines = cells[piece.at], state.field.lines(piece.at)
    for other in state.armies[1 - piece.side]:
        at = cells[other.at]
        across, up = abs(at.col - own.col), abs(at.row - own.row)
        if max(across, up) > far or (across and up and across != up):
            continue
        action = actions.Fire(piece.id, other.id)
        clear = other.at in lines
        advice = f"saved on {need_words(*save_of(state, other, 'fire', piece.kind))}" if clear else ""
        yield make(action, side, unit=piece.id, target=other.id, advice=advice, legal=clear)


def _flights(make: _Options, piece: Piece, side: str) -> Iterator[Option]:
    state = make.state
    if firing.may_strike(state, piece):
        for other in firing.struck_by(state, piece):
            yield make(actions.Strike(piece.id, other.id), side, unit=piece.id, target=other.id, legal=True)
    elif not piece.fired and not state.night:
        enemy = next(iter(state.armies[1 - piece.side]), None)
        if enemy is not None:
            yield make(actions.Strike(piece.id, enemy.id), side, unit=piece.id, target=enemy.id)
    if not state.setup.house.planes_fly or piece.fired or state.night:
        return
    own = state.field.strip_of.get(piece.at)
    for n, strip in state.field.strip_of.items():
        if strip != own and state.field.strip_side[strip] == piece.side:
            yield make(actions.Fly(piece.id, state.name(n)), side, unit=piece.id, target=state.name(n))


def _reinforcements(make: _Options, own: int, side: str) -> Iterator[Option]:
    """A form for each kind, and the squares next to the deployment line one by one."""
    state = make.state
    field = state.field
    for kind in state.setup.kinds:
        allowed = turn_flow.squares_for_new(state, kind)
        advice = f"{state.owed} due; {KINDS[kind].title}"
        yield make.open(actions.Reinforce, {"type": kind}, {"square": _squares(state, allowed)}, side, advice=advice)
        for n in allowed:
            if kind == "plane" or field.rows_away[own][n] == state.setup.deployment - 1:
                name = field.names[n]
                yield make(actions.Reinforce(kind, name), side, target=name, legal=True)


def _save(make: _Options) -> Iterator[Option]:
    pending = make.state.pending[0]
    side = SIDES[make.state.by_id[pending.unit].side]
    advice = f"saved on {need_words(pending.need, pending.modifiers)}"
    yield make(actions.Save(), side, unit=pending.unit, advice=advice)


_OPTIONS: dict[str, Callable[[_Options], Iterator[Option]]] = {
    "deploy": _deploy, "toss": _toss, "play": _play, "save": _save,
}  # fmt: skip


# --- invariants ------------------------------------------------------------------------------------------------------


def invariant_violations(state: State) -> tuple[str, ...]:
    """Invariants that a state breaks, in words."""
    return tuple(_faults(state))


def _faults(state: State) -> Iterator[str]:
    field = state.field
    seen: dict[int, str] = {}
    for piece in state.pieces:
        if (piece.at != OFF) != (piece.fate == "board"):
            yield f"{piece.id} is {piece.fate} and in square {piece.at}."
        if piece.at == OFF:
            continue
        if piece.at in seen:
            yield f"{piece.id} and {seen[piece.at]} share {state.name(piece.at)}."
        seen[piece.at] = piece.id
        if field.river[piece.at]:
            yield f"{piece.id} stands in the river in {state.name(piece.at)}."
        strip = field.strip_of.get(piece.at)
        if piece.kind == "plane" and (strip is None or field.strip_side[strip] != piece.side):
            yield f"{piece.id} is on no airstrip of its side."
        if piece.kind == "helicopter" and piece.at in field.wooded:
            yield f"{piece.id} stands in woods."
    if len(state.by_id) < len(state.pieces):
        yield "Two pieces have one name."
    if not (0 <= state.hits <= state.setup.hits and 0 <= state.misses <= state.setup.misses):
        yield f"The deck has {state.hits} hits and {state.misses} misses."
    for own in (0, 1):
        if state.to_lay[own] < 0 or state.to_lay[own] + len(state.laid[own]) > state.setup.mines_each:
            yield f"{SIDES[own]} has {len(state.laid[own])} mines on the board and {state.to_lay[own]} left."
    for pending in state.pending:
        if state.by_id[pending.unit].at == OFF:
            yield f"{pending.unit} is to be saved and not on the board."
    if state.owed < 0:
        yield f"{state.owed} new pieces are due."
    if state.step == "play" and not state.index < len(state.order):
        yield f"{state.index} commanders had this turn."
