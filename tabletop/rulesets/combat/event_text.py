"""Each event in words: the sentences that the command line, the log, the phone and the report all have.

Everybody may read them: armies are told once the boards are joined, mines once they explode, and what moved on boards
that were apart is told by nobody.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.game.errors import EventError
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.data import (
    COMPASS,
    COUNTER,
    KINDS,
    PERIODS,
    ROAD,
    SIDE_TITLES,
    SIDES,
    STRIP,
    TERRAIN_TITLES,
)
from tabletop.rulesets.combat.events import Modifier
from tabletop.rulesets.combat.saving import saved_chance
from tabletop.rulesets.combat.setup import Setup
from tabletop.rulesets.combat.state import CORPS, State
from tabletop.words import and_list, count, percent, typeset


def event_text(state: State | None, event: ev.Event) -> str:
    """An event in a sentence or two; ``state`` is the one before it, ``None`` before the first event alone.

    Raises EventError for another event without a state, and for what is no event of Combat.
    """
    if isinstance(event, ev.Started):
        return typeset(_setup_text(event.setup))
    if state is None:
        raise EventError("the log must begin with the event that lays the battlefield out.")
    return typeset(_text(event, state))


def need_words(need: int, modifiers: Sequence[Modifier]) -> str:
    """What a save needs, with its modifiers.

    >>> need_words(4, [("in woods", 1)]), need_words(6, [])
    ('4 or more, in woods +1', '6')
    """
    least = "6" if need == 6 else f"{need} or more"
    return ", ".join([least, *(f"{name} {value:+d}" for name, value in modifiers)])


def corps_title(name: str) -> str:
    """How people call a side or a corps.

    >>> corps_title("red"), corps_title("blue-left")
    ('Red', "Blue's left corps")
    """
    side, _, corps = name.partition("-")
    return f"{SIDE_TITLES[side]}'s {corps} corps" if corps in CORPS else SIDE_TITLES.get(side, name)


def _setup_text(setup: Setup) -> str:
    profile = "the original rules" if setup.profile == "original" else "the codified rules"
    period = f", {PERIODS[setup.period].title}" if setup.period else ""
    return f"{setup.title} was laid out: {profile}{period}, {setup.columns} by {setup.rows} squares."


def _piece_text(state: State, unit: str) -> str:
    piece = state.by_id[unit]
    return f"{SIDE_TITLES[SIDES[piece.side]]}'s {KINDS[piece.kind].title} {unit}"


def news(event: ev.Event) -> str:
    """The result of a shot or a save in a few words; empty for other events."""
    match event:
        case ev.Fired() | ev.Struck():
            return f"{event.target} {'hit' if event.card == 'hit' else 'missed'} ({event.unit})"
        case ev.Saved():
            return f"{event.unit} {'saved' if event.saved else 'lost'}" + (f" ({event.by})" if event.by else "")
    return ""


# --- before the boards are joined, and the clock ---------------------------------------------------------------------


def _text(event: ev.Event, state: State) -> str:
    match event:
        case ev.Laid():
            return _ground_text(event, state)
        case ev.Armed():
            return f"{SIDE_TITLES[event.side]} chose its army in secret."
        case ev.Placed():
            return f"{SIDE_TITLES[event.side]} deployed in secret."
        case ev.Unplaced():
            return f"{SIDE_TITLES[event.side]} changed its deployment in secret."
        case ev.Established():
            return f"{SIDE_TITLES[event.side]} established its headquarters in secret."
        case ev.Readied():
            both = ", and the boards were joined" if event.joined else ""
            return f"{SIDE_TITLES[event.side]} was ready for battle{both}."
        case ev.Tossed():
            die = f" (a {event.die})" if event.die else ""
            return f"{SIDE_TITLES[event.side]} moves first{die}."
        case ev.RoundBegan():
            return _round_text(event)
        case ev.TurnEnded():
            forgone = f" {count(event.forgone, 'new piece')} did not come on." if event.forgone else ""
            return f"{corps_title(event.corps or event.side)} ended the turn.{forgone}"
        case ev.Ended():
            who = f"{SIDE_TITLES[event.winner]} won" if event.winner else "The game is drawn"
            return f"{who}: {event.reason}"
        case ev.Conceded():
            return f"{SIDE_TITLES[event.side]} gave up."
        case ev.Corrected():
            return _correction_text(event)
    return _battle_text(event, state)


def _ground_text(event: ev.Laid, state: State) -> str:
    if event.terrain.startswith(COUNTER):
        way = event.terrain.removeprefix(COUNTER)
        gone = " was taken away" if (event.square, way) in state.setup.hill_counters else ""
        return f"A hill counter in {event.square} that bars the {COMPASS[way]}{gone or ' was laid'}."
    ground = {ROAD: "a road", STRIP: "an airstrip"}.get(event.terrain) or TERRAIN_TITLES[event.terrain]
    return f"{event.square} was laid out as {ground}."


def _round_text(event: ev.RoundBegan) -> str:
    if event.night:
        still = " No piece advances or fires." if event.night == 1 else ""
        return f"Night {event.day}: the armies regroup, turn {event.night}.{still}"
    if event.toss:
        return f"Day {event.day} dawns: the sides toss for the first move."
    return f"Turn {event.turn}, hour {event.hour} of day {event.day}." if event.hour else f"Turn {event.turn}."


# --- moving and firing -----------------------------------------------------------------------------------------------


def _battle_text(event: ev.Event, state: State) -> str:
    match event:
        case ev.Moved(secret=0):
            via = f" via {and_list(event.path[1:-1])}" if len(event.path) > 2 else ""
            return f"{_piece_text(state, event.unit)} moved from {event.path[0]} to {event.path[-1]}{via}."
        case ev.Moved():
            return "A piece regrouped in secret."
        case ev.MineExploded():
            need = need_words(event.need, event.modifiers)
            return f"{_piece_text(state, event.unit)} set off a mine in {event.square}, to be saved on {need}."
        case ev.Fired():
            squares = count(event.distance, "square")
            return f"{_piece_text(state, event.unit)} fired on {event.target} at {squares}: {_card_text(event)}."
        case ev.Struck():
            return f"{_piece_text(state, event.unit)} attacked {event.target} from the air: {_card_text(event)}."
        case ev.Saved():
            return _save_text(event)
        case ev.Flew():
            return f"{_piece_text(state, event.unit)} flew from {event.start} to {event.to}."
        case ev.StripEntered():
            verb = "was" if len(event.planes) == 1 else "were"
            planes = f" {and_list(event.planes)} {verb} destroyed on it." if event.planes else ""
            return f"{event.unit} entered {SIDE_TITLES[event.side]}'s airstrip, which is out of action.{planes}"
        case ev.Broken():
            who, new = _piece_text(state, event.unit), count(event.owed, "new piece")
            return f"{who} reached the enemy's base line in {event.at}: it is lost, and {new} may come on."
        case ev.Reinforced():
            return f"A new {KINDS[event.kind].title}, {event.unit}, came on in {event.square}."
    raise EventError(f"{type(event).__name__} is no event of Combat.")


def _card_text(event: ev.Fired | ev.Struck) -> str:
    shuffled = "the deck was shuffled, and " if event.shuffled else ""
    cards = event.hits + event.misses
    odds = f"{event.hits} of {count(cards, 'card')} {'was a hit' if event.hits == 1 else 'were hits'}"
    card = f"{shuffled}a {event.card} ({odds}, {percent(event.hits / cards)})"
    return f"{card}, to be saved on {need_words(event.need, event.modifiers)}" if event.card == "hit" else card


_CAUSES = {"plane": " on its way back", "mine": " on the mine", "air": "", "fire": ""}


def _save_text(event: ev.Saved) -> str:
    by = f", hit by {event.by}," if event.by and event.cause in ("fire", "air") else ""
    end = "was saved" if event.saved else f"was lost in {event.at}"
    needed = f"{need_words(event.need, ())} needed ({percent(saved_chance(event.need))})"
    return f"{event.unit}{by} {end}{_CAUSES[event.cause]}: a {event.die}, with {needed}."


def _correction_text(event: ev.Corrected) -> str:
    parts = []
    if event.hits is not None:
        left = f"{count(event.hits, 'hit')} and {count(event.misses or 0, 'miss', 'misses')}"
        parts.append(f"the deck has {left} left")
    parts += [f"{event.unit} is off the board"] if event.off else []
    parts += [f"{event.unit} stands in {event.to}"] if event.to is not None else []
    parts += [f"{event.unit} has {'' if event.fired else 'not '}fired"] if event.fired is not None else []
    parts += [f"{event.unit} has moved {count(event.moved, 'square')}"] if event.moved is not None else []
    why = f" ({event.reason})" if event.reason else ""
    return f"Set right by hand: {and_list(parts) or 'nothing'}{why}."
