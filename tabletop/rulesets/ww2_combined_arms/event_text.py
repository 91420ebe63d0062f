"""Each event in words: the sentences that the command line, the log, the phone and the report all have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tabletop.game.errors import EventError
from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms.data import HQ, KINDS
from tabletop.rulesets.ww2_combined_arms.setup import Setup
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.small_games.words import destroyed_news
from tabletop.words import and_list, capital, count, or_list, typeset, with_verb

_BECAUSE: Mapping[str, str] = {
    "": "",
    "elite": ", being elite",
    "engineers": ", engineers against a base",
    "anti-tank": ", anti-tank guns against tanks",
}
_WHY: Mapping[str, str] = {
    "base": "a base can't retreat",
    "twice": "it would have to retreat a second time",
    "no way": "it has no square to retreat to",
    "edge": "its only way back leads off the board",
}


def event_text(state: State | None, event: ev.Event) -> str:
    """An event in a sentence or two; ``state`` is the one before it, ``None`` before the first event alone.

    Raises EventError for another event without a state, and for what is no event of WWII Combined Arms.
    """
    if isinstance(event, ev.Started):
        return typeset(_setup_text(event.setup))
    if state is None:
        raise EventError("the log must begin with the event that lays the game out.")
    return typeset(_text(event, state))


def of_kind(number: int, kind: str) -> str:
    """So many units of a type, whose titles are plural but for airfields and fortifications.

    >>> of_kind(1, "light-tanks"), of_kind(2, "fortification"), of_kind(2, "general"), of_kind(1, "hq")
    ('1 light tank', '2 fortifications', '2 general infantry', '1 headquarters')
    """
    title = KINDS[kind].title
    if kind in ("airfield", "fortification"):
        return count(number, title)
    return count(number, title if kind == HQ else title.removesuffix("s"), title)


def unit_text(state: State, unit: str) -> str:
    """A unit with its type."""
    return f"{unit} ({state.by_id[unit].type.title})"


_CITIES_WIN: Mapping[str, str] = {
    "no": " (which win nothing)",
    "at-once": " (whoever stands on all of them wins)",
    "held": " (whoever stands on all of them as its turn begins wins)",
}


def optional_rules(setup: Setup) -> str:
    """The optional rules that are used, in a sentence; empty where there are none.

    >>> optional_rules(Setup(cities=4, elites=2))
    'Optional rules: 4 cities (whoever stands on all of them wins) and elite units.'
    """
    cities = len(setup.city_squares) or setup.cities
    rules = [
        f"{count(cities, 'city', 'cities')}{_CITIES_WIN[setup.city_victory]}" if cities else "",
        "difficult terrain" if setup.difficult else "",
        "elite units" if setup.elites else "",
        "experienced units" if setup.experience else "",
        "reinforcements" if setup.every else "",
    ]
    used = and_list([rule for rule in rules if rule])
    return f"Optional rules: {used}." if used else ""


def _setup_text(setup: Setup) -> str:
    extra = optional_rules(setup)
    return f"{setup.title} was laid out on {setup.columns} by {setup.rows} squares.{' ' + extra if extra else ''}"


def news(event: ev.Event) -> str:
    """The result of an attack in a few words; empty for other events."""
    match event:
        case ev.Attacked():
            return f"{event.target} +{event.damage} damage, {event.total} of {event.defence} ({event.unit})"
        case ev.Destroyed():
            return destroyed_news(event.unit)
    return ""


def _text(event: ev.Event, state: State) -> str:
    match event:
        case ev.CityLaid():
            lot = f" (lot {event.lot} of {event.among})" if event.lot else ""
            return f"A city lies on {event.square}{lot}."
        case ev.Recruited():
            kinds = Counter(kind for _, kind in event.units)
            army = and_list([of_kind(number, kind) for kind, number in kinds.items()])
            return f"{state.setup.side_title(event.side)} made up its army: {army}."
        case ev.FirstAgreed():
            return f"{capital(with_verb(state.setup.side_title(event.side), 'goes', 'go'))} first, as agreed."
        case ev.Distinguished(unit=""):
            return f"{state.setup.side_title(event.side)} names no more elite units."
        case ev.Distinguished():
            return f"{state.setup.side_title(event.side)} made {unit_text(state, event.unit)} elite."
        case ev.Placed():
            return f"{unit_text(state, event.unit)} was placed on {event.to}."
        case ev.Conceded():
            return f"{state.setup.side_title(event.side)} gave up."
        case ev.Finished():
            return _end_text(event, state)
        case ev.Corrected():
            return _correction_text(event)
    return _turn_text(event, state)


def _turn_text(event: ev.Event, state: State) -> str:
    """What happens in a turn."""
    match event:
        case ev.TurnBegan():
            lifted = f" {and_list(event.lifted)} may move 4, next to an airfield." if event.lifted else ""
            due = " A reinforcement is due." if event.due else ""
            return f"Turn {event.turn} of {state.setup.side_title(event.side)} began.{due}{lifted}"
        case ev.Reinforced():
            return f"{event.unit} ({KINDS[event.kind].title}) came on at {event.to}."
        case ev.MovesBegan():
            wait = "waits" if event.held == 1 else "wait"
            held = f" {count(event.held, 'reinforcement')} {wait} for a later turn." if event.held else ""
            return f"The move phase began.{held}"
        case ev.Moved():
            return f"{unit_text(state, event.unit)} moved from {event.start} to {event.to}."
        case ev.AttacksBegan():
            return "The attack phase began."
        case ev.Attacked():
            did = f"{unit_text(state, event.unit)} did {event.damage} damage to {unit_text(state, event.target)}"
            return f"{did}{_BECAUSE[event.because]}: {event.total} of {event.defence}."
        case ev.Pressed():
            return f"{unit_text(state, event.unit)} must retreat to {or_list(event.squares)}."
        case ev.Retreated():
            forced = ", its only way" if event.forced else ""
            return f"{unit_text(state, event.unit)} retreated from {event.start} to {event.to}{forced}."
        case ev.Destroyed():
            by = f" by {and_list(event.helped)}" if event.helped else ""
            return f"{unit_text(state, event.unit)} was destroyed on {event.at}{by}: {_WHY[event.why]}."
        case ev.Promoted():
            helped = f"helped to destroy {count(event.kills, 'enemy unit')}"
            return f"{unit_text(state, event.unit)} {helped} and is elite now."
    raise EventError(f"{type(event).__name__} is no event of WWII Combined Arms.")


def _end_text(event: ev.Finished, state: State) -> str:
    if event.winner is None:
        return "The last turn is over: the game is drawn."
    how = "the enemy headquarters is destroyed" if event.how == "hq" else "it occupies every city"
    return f"{state.setup.side_title(event.winner)} won: {how}."


def _correction_text(event: ev.Corrected) -> str:
    parts = ["taken off"] if event.off else []
    parts += [f"now on {event.to}"] if event.to is not None else []
    parts += [f"damage {event.damage}"] if event.damage is not None else []
    parts += ["elite" if event.elite else "not elite"] if event.elite is not None else []
    because = f" ({event.reason.rstrip('.')})" if event.reason else ""
    return f"{event.unit} was set right by hand: {and_list(parts) or 'nothing changed'}{because}."
