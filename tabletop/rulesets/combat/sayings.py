"""Events in sentences that everybody may read: nothing secret is in any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.data import KINDS, PERIODS, ROAD, SIDE_TITLES, STRIP, TERRAIN_TITLES
from tabletop.rulesets.combat.events import Modifier
from tabletop.rulesets.combat.state import CORPS, State


def sentence(state: State | None, event: ev.Event) -> str:
    """An event in a sentence or two, told of the state before it."""
    return _SAYINGS[type(event)](state, event)


def listed(items: Iterable[str]) -> str:
    """Names in a sentence.

    >>> listed(["RT1", "RT2", "RG1"])
    'RT1, RT2 and RG1'
    """
    every = list(items)
    return f"{', '.join(every[:-1])} and {every[-1]}" if len(every) > 1 else "".join(every)


def plural(number: int, one: str, many: str = "") -> str:
    """A number of things.

    >>> plural(1, "mine"), plural(3, "mine")
    ('1 mine', '3 mines')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def need_words(need: int, modifiers: Sequence[Modifier]) -> str:
    """What a save needs, with its modifiers.

    >>> need_words(4, [("in woods", 1)]), need_words(6, [])
    ('4 or more, in woods +1', '6')
    """
    told = "6" if need == 6 else f"{need} or more"
    return ", ".join([told, *(f"{name} {value:+d}" for name, value in modifiers)])


def corps_title(name: str) -> str:
    """How people call a side or a corps.

    >>> corps_title("red"), corps_title("blue-left")
    ('Red', "Blue's left corps")
    """
    side, _, corps = name.partition("-")
    return f"{SIDE_TITLES[side]}'s {corps} corps" if corps in CORPS else SIDE_TITLES.get(side, name)


def _started(state: State | None, event: ev.Started) -> str:
    setup = event.setup
    profile = "the original rules" if setup.profile == "original" else "the codified rules"
    period = f", {PERIODS[setup.period].title}" if setup.period else ""
    return f"{setup.title} was laid out: {profile}{period}, {setup.columns} by {setup.rows} squares."


def _laid(state: State | None, event: ev.Laid) -> str:
    return f"{event.square} was laid out as {laid_words(event.terrain)}."


def laid_words(terrain: str) -> str:
    """What a square was laid out as.

    >>> laid_words("road"), laid_words("woods")
    ('a road', 'woods')
    """
    return {ROAD: "a road", STRIP: "an airstrip"}.get(terrain) or TERRAIN_TITLES[terrain]


def _armed(state: State | None, event: ev.Armed) -> str:
    return f"{SIDE_TITLES[event.side]} chose its army in secret."


def _placed(state: State | None, event: ev.Placed) -> str:
    return f"{SIDE_TITLES[event.side]} deployed in secret."


def _unplaced(state: State | None, event: ev.Unplaced) -> str:
    return f"{SIDE_TITLES[event.side]} changed its deployment in secret."


def _established(state: State | None, event: ev.Established) -> str:
    return f"{SIDE_TITLES[event.side]} established its headquarters in secret."


def _readied(state: State | None, event: ev.Readied) -> str:
    joined = " The boards are joined." if event.joined else ""
    return f"{SIDE_TITLES[event.side]} is ready for battle.{joined}"


def _tossed(state: State | None, event: ev.Tossed) -> str:
    die = f" (a {event.die})" if event.die else ""
    return f"{SIDE_TITLES[event.side]} moves first{die}."


def _round_began(state: State | None, event: ev.RoundBegan) -> str:
    if event.night:
        return f"Night {event.day}: the armies regroup, turn {event.night}." + (
            " No piece advances, and nobody fires." if event.night == 1 else ""
        )
    if event.toss:
        return f"Day {event.day} dawns: the sides toss for the first move."
    return f"Turn {event.turn}, hour {event.hour} of day {event.day}." if event.hour else f"Turn {event.turn}."


def _turn_ended(state: State | None, event: ev.TurnEnded) -> str:
    who = corps_title(event.corps or event.side)
    forgone = f" {plural(event.forgone, 'new piece')} did not come on." if event.forgone else ""
    return f"{who} ended the turn.{forgone}"


def _moved(state: State | None, event: ev.Moved) -> str:
    if event.secret:
        return "A piece regrouped in secret."
    via = f" via {', '.join(event.path[1:-1])}" if len(event.path) > 2 else ""
    return f"{event.unit} moved from {event.path[0]} to {event.path[-1]}{via}."


def _mine_exploded(state: State | None, event: ev.MineExploded) -> str:
    return (
        f"{event.unit} crossed a mine in {event.square} and is hit: saved on {need_words(event.need, event.modifiers)}."
    )


def _card(event: ev.Fired | ev.Struck) -> str:
    shuffled = "the deck was shuffled anew; " if event.shuffled else ""
    total = event.hits + event.misses
    told = f"{shuffled}a {event.card} ({event.hits} of {plural(total, 'card')} hit)"
    if event.card == "hit":
        told += f": saved on {need_words(event.need, event.modifiers)}"
    return told


def _fired(state: State | None, event: ev.Fired) -> str:
    far = plural(event.distance, "square")
    return f"{event.unit} fired on {event.target} at {far}: {_card(event)}."


def _struck(state: State | None, event: ev.Struck) -> str:
    return f"{event.unit} attacked {event.target} from the air: {_card(event)}."


def _saved(state: State | None, event: ev.Saved) -> str:
    need = f"{event.need} or more" if event.need < 6 else "6"
    what = {"plane": " on its way back", "mine": " on the mine"}.get(event.cause, "")
    told = "is saved" if event.saved else "is destroyed"
    return f"{event.unit} {told}{what}: a {event.die}, and {need} was needed."


def _flew(state: State | None, event: ev.Flew) -> str:
    return f"{event.unit} flew from {event.start} to {event.to}."


def _strip_entered(state: State | None, event: ev.StripEntered) -> str:
    planes = (
        f" {listed(event.planes)} {'is' if len(event.planes) == 1 else 'are'} destroyed on it." if event.planes else ""
    )
    return f"{event.unit} entered {SIDE_TITLES[event.side]}'s airstrip, which is out of action.{planes}"


def _broken(state: State | None, event: ev.Broken) -> str:
    new = plural(event.owed, "new piece")
    return f"{event.unit} reached the enemy's base line in {event.at}: it is lost, and {new} may come on."


def _reinforced(state: State | None, event: ev.Reinforced) -> str:
    return f"{event.unit}, {KINDS[event.kind].title}, came on in {event.square}."


def _ended(state: State | None, event: ev.Ended) -> str:
    who = f"{SIDE_TITLES[event.winner]} won" if event.winner else "The game is drawn"
    return f"{who}: {event.reason}"


def _conceded(state: State | None, event: ev.Conceded) -> str:
    return f"{SIDE_TITLES[event.side]} gave up."


def _corrected(state: State | None, event: ev.Corrected) -> str:
    told = []
    if event.hits is not None:
        told.append(f"the deck has {event.hits} hits and {event.misses} misses left")
    if event.off:
        told.append(f"{event.unit} is off the board")
    if event.to is not None:
        told.append(f"{event.unit} stands in {event.to}")
    if event.fired is not None:
        told.append(f"{event.unit} has {'fired' if event.fired else 'not fired'}")
    if event.moved is not None:
        told.append(f"{event.unit} has moved {plural(event.moved, 'square')}")
    why = f" ({event.reason})" if event.reason else ""
    return f"Set right by hand: {listed(told) or 'nothing'}{why}."


_SAYINGS: dict[type[Any], Callable[[State | None, Any], str]] = {
    ev.Started: _started, ev.Laid: _laid,
    ev.Armed: _armed, ev.Placed: _placed, ev.Unplaced: _unplaced, ev.Established: _established,
    ev.Readied: _readied, ev.Tossed: _tossed, ev.RoundBegan: _round_began, ev.TurnEnded: _turn_ended,
    ev.Moved: _moved, ev.MineExploded: _mine_exploded, ev.Fired: _fired, ev.Struck: _struck, ev.Saved: _saved,
    ev.Flew: _flew, ev.StripEntered: _strip_entered, ev.Broken: _broken, ev.Reinforced: _reinforced,
    ev.Ended: _ended, ev.Conceded: _conceded, ev.Corrected: _corrected,
}  # fmt: skip
