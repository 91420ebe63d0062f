"""What many checks say no with: names that are not there, steps in which something does not come."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.game.violations import Violation
from tabletop.reading.toml_source import did_you_mean
from tabletop.rulesets.combat_captain.data import STEP_NAMES
from tabletop.rulesets.combat_captain.state import State

NOT_BEGUN = "The first turn has not begun: put everybody where they stand, then begin it."


def firm(code: str, text: str, place: str = "", usage: tuple[str, ...] = ()) -> Violation:
    """A violation that not even a referee can lift."""
    return Violation(code, text, place, firm=True, usage=usage)


def no_sub_unit(state: State, name: str) -> Violation:
    """Why there is no such sub-unit to act or be struck."""
    if name not in state.setup.plans:
        known = sorted(state.setup.plans)
        return firm("unknown-unit", f'There is no sub-unit "{name}" in this game; {did_you_mean(name, known)}')
    why = next((why for gone, why, _ in state.gone if gone == name), None)
    if why is None:
        return firm("not-placed", f"{name} is not on the table: put it there first.")
    return firm("gone", f"{name} {'was destroyed' if why == 'destroyed' else 'was taken off the table'}.")


def no_company(state: State, name: str) -> Violation | None:
    if name in state.setup.by_id:
        if state.members(name):
            return None
        return firm("gone", f"{name} has no one left.")
    return firm("unknown-unit", f'There is no company "{name}" here; {did_you_mean(name, sorted(state.setup.by_id))}')


def in_step(state: State, step: str, what: str) -> Iterator[Violation]:
    if state.step == "deploy":
        yield firm("not-begun", NOT_BEGUN, usage=("begin",))
    elif state.step != step:
        yield Violation("wrong-step", f"This is {STEP_NAMES[state.step]}; {what} comes with {STEP_NAMES[step]}.")
