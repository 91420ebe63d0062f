"""Events in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms.data import KINDS
from tabletop.rulesets.ww2_combined_arms.setup import Setup
from tabletop.rulesets.ww2_combined_arms.state import State

BECAUSE: Mapping[str, str] = {
    "": "",
    "elite": ", being elite",
    "engineers": ", engineers against a base",
    "anti-tank": ", anti-tank guns against tanks",
}
WHY: Mapping[str, str] = {
    "base": "a base can't retreat",
    "twice": "it would have to retreat a second time",
    "no way": "it has no square to retreat to",
    "edge": "its only way back leads off the board",
}


def sentence(state: State | None, event: ev.Event) -> str:
    """An event in a sentence or two, told of the state before it."""
    return _SAYINGS[type(event)](state, event)


def listed(items: Iterable[str]) -> str:
    """Names in a sentence.

    >>> listed(["R1", "R2", "R3"])
    'R1, R2 and R3'
    """
    every = list(items)
    return f"{', '.join(every[:-1])} and {every[-1]}" if len(every) > 1 else "".join(every)


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things.

    >>> counted(1, "city", "cities"), counted(4, "city", "cities")
    ('1 city', '4 cities')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def of_kind(number: int, kind: str) -> str:
    """So many units of a type, whose names are plural but for airfields and bases.

    >>> of_kind(1, "light-tanks"), of_kind(2, "fortification"), of_kind(2, "general")
    ('1 light tanks', '2 fortifications', '2 general infantry')
    """
    title = KINDS[kind].title
    return f"{number} {title}{'s' if number != 1 and kind in ('airfield', 'fortification') else ''}"


def called(state: State | None, unit: str) -> str:
    """A unit with its type."""
    found = None if state is None else state.by_id.get(unit)
    return unit if found is None else f"{unit} ({found.type.title})"


def _title(state: State | None, side: str) -> str:
    return side.capitalize() if state is None else state.setup.side_title(side)


_CITIES_WIN: Mapping[str, str] = {
    "no": " (they win nothing)",
    "at-once": " (all of them win, at once)",
    "held": " (all of them win, for who stands on them as its turn begins)",
}


def optional_rules(setup: Setup) -> str:
    """The optional rules that are used, in a sentence; empty where there are none.

    >>> optional_rules(Setup(cities=4, elites=2))
    'Optional rules: 4 cities (all of them win, at once) and elite units.'
    """
    cities = len(setup.city_squares) or setup.cities
    rules = [
        f"{counted(cities, 'city', 'cities')}{_CITIES_WIN[setup.city_victory]}" if cities else "",
        "difficult terrain" if setup.difficult else "",
        "elite units" if setup.elites else "",
        "experienced units" if setup.experience else "",
        "reinforcements" if setup.every else "",
    ]
    used = listed(rule for rule in rules if rule)
    return f"Optional rules: {used}." if used else ""


def _started(state: State | None, event: ev.Started) -> str:
    setup = event.setup
    extra = optional_rules(setup)
    return f"{setup.title} was laid out on {setup.columns} by {setup.rows} squares.{' ' + extra if extra else ''}"


def _city_laid(state: State | None, event: ev.CityLaid) -> str:
    lot = f" (lot {event.lot} of {event.among})" if event.lot else ""
    return f"A city lies on {event.square}{lot}."


def _recruited(state: State | None, event: ev.Recruited) -> str:
    counts: dict[str, int] = {}
    for _, kind in event.units:
        counts[kind] = counts.get(kind, 0) + 1
    told = listed(of_kind(count, kind) for kind, count in counts.items())
    return f"{_title(state, event.side)} made up its army: {told}."


def _first_agreed(state: State | None, event: ev.FirstAgreed) -> str:
    return f"{_title(state, event.side)} goes first, as agreed."


def _distinguished(state: State | None, event: ev.Distinguished) -> str:
    if not event.unit:
        return f"{_title(state, event.side)} names no more elite units."
    return f"{_title(state, event.side)} made {called(state, event.unit)} elite."


def _placed(state: State | None, event: ev.Placed) -> str:
    return f"{called(state, event.unit)} was placed on {event.to}."


def _turn_began(state: State | None, event: ev.TurnBegan) -> str:
    lifted = f" {listed(event.lifted)} may move 4, next to an airfield." if event.lifted else ""
    due = " A reinforcement is due." if event.due else ""
    return f"Turn {event.turn} of {_title(state, event.side)} began.{due}{lifted}"


def _reinforced(state: State | None, event: ev.Reinforced) -> str:
    return f"{event.unit} ({KINDS[event.kind].title}) came on at {event.to}."


def _moves_began(state: State | None, event: ev.MovesBegan) -> str:
    held = f" {counted(event.held, 'reinforcement')} waits for a later turn." if event.held else ""
    return f"The move phase began.{held}"


def _moved(state: State | None, event: ev.Moved) -> str:
    return f"{called(state, event.unit)} moved from {event.start} to {event.to}."


def _attacks_began(state: State | None, event: ev.AttacksBegan) -> str:
    return "The attack phase began."


def _attacked(state: State | None, event: ev.Attacked) -> str:
    return (
        f"{called(state, event.unit)} did {event.damage} damage to {called(state, event.target)}"
        f"{BECAUSE[event.because]}: {event.total} of {event.defence}."
    )


def _pressed(state: State | None, event: ev.Pressed) -> str:
    return f"{called(state, event.unit)} must retreat to {', '.join(event.squares[:-1])} or {event.squares[-1]}."


def _retreated(state: State | None, event: ev.Retreated) -> str:
    forced = ", its only way" if event.forced else ""
    return f"{called(state, event.unit)} retreated from {event.start} to {event.to}{forced}."


def _destroyed(state: State | None, event: ev.Destroyed) -> str:
    by = f" by {listed(event.helped)}" if event.helped else ""
    return f"{called(state, event.unit)} was destroyed on {event.at}{by}: {WHY[event.why]}."


def _promoted(state: State | None, event: ev.Promoted) -> str:
    return f"{called(state, event.unit)} helped to destroy {counted(event.kills, 'enemy unit')} and is elite now."


def _finished(state: State | None, event: ev.Finished) -> str:
    if event.winner is None:
        return "The last turn is over: the game is drawn."
    how = "the enemy headquarters is destroyed" if event.how == "hq" else "it occupies every city"
    return f"{_title(state, event.winner)} won: {how}."


def _conceded(state: State | None, event: ev.Conceded) -> str:
    return f"{_title(state, event.side)} gave up."


def _corrected(state: State | None, event: ev.Corrected) -> str:
    parts = ["taken off"] if event.off else []
    parts += [f"now on {event.to}"] if event.to is not None else []
    parts += [f"damage {event.damage}"] if event.damage is not None else []
    parts += ["elite" if event.elite else "not elite"] if event.elite is not None else []
    because = f" ({event.reason.rstrip('.')})" if event.reason else ""
    return f"{event.unit} set right by hand: {', '.join(parts) or 'nothing changed'}{because}."


_SAYINGS: Mapping[type[Any], Callable[[State | None, Any], str]] = {
    ev.Started: _started, ev.CityLaid: _city_laid, ev.Recruited: _recruited, ev.FirstAgreed: _first_agreed,
    ev.Distinguished: _distinguished, ev.Placed: _placed, ev.TurnBegan: _turn_began, ev.Reinforced: _reinforced,
    ev.MovesBegan: _moves_began, ev.Moved: _moved, ev.AttacksBegan: _attacks_began, ev.Attacked: _attacked,
    ev.Pressed: _pressed, ev.Retreated: _retreated, ev.Destroyed: _destroyed, ev.Promoted: _promoted,
    ev.Finished: _finished, ev.Conceded: _conceded, ev.Corrected: _corrected,
}  # fmt: skip
