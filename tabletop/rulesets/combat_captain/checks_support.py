"""What speaks against what comes from off the table: events, shells, tapes, bombs."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from tabletop.game.domains import Choice
from tabletop.game.violations import Violation
from tabletop.open_table.table_edge import off_table
from tabletop.rulesets.combat_captain import actions, support
from tabletop.rulesets.combat_captain.data import (
    MOST_SHELL_IN,
    OPEN,
    TAPE_IN,
    YES,
)
from tabletop.rulesets.combat_captain.refusals import firm, in_step, no_sub_unit
from tabletop.rulesets.combat_captain.state import State
from tabletop.words import and_list, inches


def try_event(state: State, action: actions.TryEvent) -> Iterator[Violation]:
    yield from in_step(state, "event", "a random event")
    if state.tried:
        yield Violation("tried", "The random event of this turn has been thrown for.", support.EVENTS)


def _no_help(state: State, *whats: str) -> Iterator[Violation]:
    help_ = state.support
    if help_ is None or (whats and help_.what not in whats):
        yield firm("no-help", "No such help from off the table is on its way.", support.EVENTS)


def choose(state: State, action: actions.Choose) -> Iterator[Violation]:
    yield from _no_help(state)
    if state.support is not None and state.support.what is not None:
        yield firm("chosen", f"It is {state.support.what} that comes; nothing is left to choose.", support.EVENTS)


def arrive(state: State, action: actions.Arrive) -> Iterator[Violation]:
    yield from _no_help(state, "artillery", "strafing", "bombing")


def shell(state: State, action: actions.Shell) -> Iterator[Violation]:
    found = list(_no_help(state, "artillery"))
    yield from found
    if found or action.at is None:
        return
    width = support.width_of(state, action)
    if not 0 < width <= MOST_SHELL_IN or not 0 <= action.sigma_in <= MOST_SHELL_IN:
        said = f"{width:g}″ with a spread of {action.sigma_in:g}″" if action.sigma_in else f"{width:g}″"
        text = f"A ball of cotton is more than 0 and at most {MOST_SHELL_IN:g}″ wide, and {said} was said."
        yield firm("width", text, support.ARTILLERY)
        return
    yield from off_table(state.setup, "The cotton would be at", [action.at], instead="say that it fell off the table")
    near = support.stands_touched(state, action.at, width, action.sigma_in)
    yield from _against_calls(state, near, action.touching, action.missing, "the cotton", support.ARTILLERY)
    yield from _men_counted(state, action, [name for name in near if name not in action.missing])


def _men_counted(state: State, action: actions.Shell, touched: list[str]) -> Iterator[Violation]:
    """Numbers of soldiers under a shell that can't be."""
    if action.men and len(touched) != 1 and any("=" not in row for row in action.men):
        whose = f"it touches {and_list(touched)}" if touched else "it touches no one"
        text = f"Whose soldiers are under the cotton? Say it as {(touched or ['A1'])[0]}=3; {whose}."
        yield firm("men", text, support.ARTILLERY)
        return
    if len(action.men) > len(support.men_under(action, touched)):
        yield firm("twice", "Say once of each stand how many of its soldiers are under the cotton.")
    for name, men in support.men_under(action, touched).items():
        stand = state.stands.get(name)
        if stand is None or name not in touched:
            yield firm("men", f"The cotton does not touch {name}.", support.ARTILLERY)
        elif not stand.plan.soldiers or not 1 <= men <= stand.men:
            has = f"has {stand.men} soldiers" if stand.plan.soldiers else "is struck as a whole"
            yield firm("men", f"{name} {has}; {men} of them can't be under the cotton.", support.ARTILLERY)


def strafe(state: State, action: actions.Strafe) -> Iterator[Violation]:
    found = list(_no_help(state, "strafing"))
    yield from found
    end = support.tape(action)
    far = math.dist(action.start, end)
    if far > TAPE_IN + 1e-3:
        text = f"The tape is {TAPE_IN:g}″ long, and from there to there it is {inches(far, [TAPE_IN])}."
        yield firm("tape", text, support.STRAFING)
    elif far < 1e-6:
        yield firm("tape", "A tape needs two different points, or a point and a facing.", support.STRAFING)
    elif not shapely.box(0, 0, state.setup.width, state.setup.depth).intersects(
        shapely.LineString((action.start, end))
    ):
        yield from off_table(state.setup, "No part of the tape is on the table: it starts at", [action.start])
    elif not found:
        near = support.stands_crossed(state, action.start, end)
        yield from _against_calls(state, near, action.touching, action.missing, "the tape", support.STRAFING)


def _against_calls(
    state: State, near: dict[str, int], touching: tuple[str, ...], missed: tuple[str, ...], what: str, place: str
) -> Iterator[Violation]:
    """What is too close to call and nobody looked at, and calls that can't be."""
    for name in (*touching, *missed):
        if name not in state.stands:
            yield no_sub_unit(state, name)
        elif name in touching and name in missed:
            yield firm("call", f"{name} can't be both touched and missed.")
        elif name in touching and name not in near:
            yield Violation("call", f"{name} is surely clear of {what}.", place)
        elif name in missed and near.get(name) == YES:
            yield Violation("call", f"{name} is surely under {what}.", place)
    for name, answer in near.items():
        if answer == OPEN and name not in touching and name not in missed:
            text = f"Whether {what} touches {name} is too close to call: look, and say which."
            choices = (
                Choice(name, f"{what[:1].upper()}{what[1:]} touches {name}"),
                Choice(name, f"{what[:1].upper()}{what[1:]} misses {name}", field="missing"),
            )
            usage = (f"with {name}", f"without {name}")
            yield Violation(
                "open-touch", text, place, answer="too-close", field="touching", choices=choices, usage=usage
            )


def attack(state: State, action: actions.Attack) -> Iterator[Violation]:
    help_ = state.support
    if help_ is None or not help_.crossed or help_.tape is None:
        yield firm("no-help", "No plane flies along a tape now.", support.STRAFING)
        return
    men = state.stands[help_.crossed[0]].men
    if action.men is not None and not 1 <= action.men <= men:
        yield firm(
            "men", f"{help_.crossed[0]} has {men} soldiers; the tape crosses 1 to {men} of them.", support.STRAFING
        )


def shot_back(state: State, action: actions.Return) -> Iterator[Violation]:
    if state.support is None or not state.support.under:
        yield firm("no-help", "No one has shot back at a plane.", support.STRAFING)


def break_off(state: State, action: actions.BreakOff) -> Iterator[Violation]:
    yield from _no_help(state, "artillery", "strafing", "bombing")


def bomb(state: State, action: actions.Bomb) -> Iterator[Violation]:
    yield from _no_help(state, "bombing")
    target = state.stands.get(action.target)
    if target is None or target.at is None:
        yield no_sub_unit(state, action.target)
    elif state.support is not None and state.setup.side_of(target.id) == state.support.side:
        yield Violation("own-side", f"{target.id} is of the plane's own side.", support.BOMBING)
