"""A game of Combat Captain to be drawn: terrain, every stand with its markers, what is known beside them.

The units drawn are the sub-units; their company is told with each. This game hides nothing, so that everybody sees the
same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tabletop.boards.data import Badge, Board, BoardPiece, Fact, Unit, Zone
from tabletop.open_table.board_drawing import facing_words, ground_of, piece_of
from tabletop.rulesets.combat_captain.control import isolated_sub_units
from tabletop.rulesets.combat_captain.data import ALL_ROUND_COVER, KIND_WORDS, STEP_NAMES, YES
from tabletop.rulesets.combat_captain.due import due_words
from tabletop.rulesets.combat_captain.setup import SubUnit
from tabletop.rulesets.combat_captain.state import Stand, State
from tabletop.small_games.board_drawing import sides_of, turn_facts
from tabletop.words import count


def board(
    state: State, viewer: str | None, *, table: tuple[float, float] | None = None, rims: Mapping[str, str] | None = None
) -> Board:
    """The table of a game; a game on an open table has its own size, so that ``table`` is not asked."""
    setup = state.setup
    acting = None if state.step == "over" else state.side
    alone = isolated_sub_units(state)
    return Board(
        width=setup.width,
        depth=setup.depth,
        grid=None,
        cell_size=None,
        sides=sides_of(setup, (acting,), rims),
        units=tuple(_unit(state, plan, alone) for plan in setup.plans.values()),
        pieces=tuple(_piece(state, stand, alone) for stand in state.stands.values() if stand.at is not None),
        ground=tuple(ground_of(t) for t in setup.features),
        facts=tuple(_facts(state)),
        zones=tuple(_tape(state)),
    )


def _unit(state: State, plan: SubUnit, alone: Mapping[str, int]) -> Unit:
    stand = state.stands.get(plan.id)
    company = state.setup.company_of[plan.id]
    kind = KIND_WORDS[plan.kind]
    title = f"{plan.name} ({plan.id}, {kind})" if plan.name else f"{plan.id}, {kind}"
    title += f" of {company.name or company.id}"
    badges = () if stand is None else badges_of(state, stand, alone)
    told = [badge.says for badge in badges]
    if stand is None:
        why, turn = next((why, turn) for name, why, turn in state.gone if name == plan.id)
        told.append(f"{'destroyed' if why == 'destroyed' else 'taken off'} in turn {turn}")
    elif stand.at is None:
        told.append("not on the table yet")
    says = f"{title}, {state.setup.side_title(company.side)}{': ' + '; '.join(told) if told else ''}."
    on_table = stand is not None and stand.at is not None
    acted = stand is not None and bool(stand.fired)
    return Unit(plan.id, company.side, plan.kind, title, on_table, None, badges, acted, says)


def badges_of(state: State, stand: Stand, alone: Mapping[str, int]) -> tuple[Badge, ...]:
    """A sub-unit's markers."""
    return tuple(_badges(state, stand, alone))


def _badges(state: State, stand: Stand, alone: Mapping[str, int]) -> Iterator[Badge]:
    company = state.company(stand.id)
    leads = state.leaders[company.id] == stand.id
    if stand.plan.soldiers:
        yield Badge("men", str(stand.men), f"{count(stand.men, 'soldier')} of {stand.plan.men}")
    if leads:
        yield Badge("leader", "L", f"leads {company.id}")
        if chits := state.chits[company.id]:
            yield Badge("morale", f"M{chits}", f"{company.id} has {count(chits, 'morale marker')}")
    if stand.cover:
        way = ", all round" if stand.cover >= ALL_ROUND_COVER else ""
        if not way and stand.cover_facing is not None:
            way = f", facing {stand.cover_facing:.0f}"
        yield Badge("cover", f"C{stand.cover}", f"in cover of level {stand.cover}{way}")
    if stand.id in alone:
        sure = alone[stand.id] == YES
        yield Badge("isolated", "!" if sure else "?", "isolated" if sure else "isolated or not, too close to call")
    if stand.fired:
        yield Badge("fired", f"F{stand.fired}", f"has spent {count(stand.fired, 'die', 'dice')} on fire")


def _piece(state: State, stand: Stand, alone: Mapping[str, int]) -> BoardPiece:
    bases, row, kind = state.field.bases, state.field.index[stand.id], stand.plan.kind
    drawn = piece_of(bases, row, stand.id, state.setup.side_of(stand.id), kind, stand.id, is_unique=True)
    x, y = drawn.center
    return replace(
        drawn,
        id=stand.id,
        says=f"{stand.id}, {KIND_WORDS[kind]} at {x:.1f}, {y:.1f}{facing_words(bases, row)}.",
        badges=tuple(badge for badge in badges_of(state, stand, alone) if badge.id != "men" or stand.losses),
        state="hit" if stand.plan.soldiers and stand.losses else "fresh",
    )


def _facts(state: State) -> Iterator[Fact]:
    setup = state.setup
    yield from turn_facts(state, STEP_NAMES[state.step])
    if state.result is not None:
        return
    if state.short and state.step == "activations":
        yield Fact("Ammunition", "low: two dice of a unit for fire")
    if due := due_words(state):
        yield Fact("Due", due)
    for company in setup.companies:
        if chits := state.chits[company.id]:
            yield Fact(f"Morale of {company.id}", count(chits, "marker"))
    for side, lost in state.planes_lost.items():
        if lost:
            yield Fact(f"Planes lost, {setup.side_title(side)}", str(lost))


def _tape(state: State) -> Iterator[Zone]:
    """The tape of the run that is flown, from end to end."""
    help_ = state.support
    if help_ is not None and help_.tape is not None:
        (ax, ay), (bx, by) = help_.tape
        under = f" over {', '.join(help_.crossed)}" if help_.crossed else ""
        says = f"The tape of a strafing run from {ax:.1f}, {ay:.1f} to {bx:.1f}, {by:.1f}{under}."
        yield Zone("tape", "edge", "", help_.tape, help_.side, says)
