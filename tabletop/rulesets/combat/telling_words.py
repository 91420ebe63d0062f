"""Combat in the after-action report, in words: the beginning, and a sentence for every kind of event.

Every word and number comes from an event, the state round it, or exact odds. Armies are told once the boards are
joined, mines once they explode; what moved on boards that were apart is told by nobody before dawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tabletop.aar.teller import Told
from tabletop.aar.words import MINUS, count, joined, opened, percent
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.data import (
    HOUSE_TITLES,
    KINDS,
    MAJORITY,
    PERIODS,
    SIDE_TITLES,
    SIDES,
    TERRAIN_TITLES,
    counted,
)
from tabletop.rulesets.combat.saving import PLACES, saved_chance
from tabletop.rulesets.combat.sayings import corps_title, laid_words
from tabletop.rulesets.combat.sayings import need_words as plainly
from tabletop.rulesets.combat.setup import Setup
from tabletop.rulesets.combat.state import State

# --- the beginning ---------------------------------------------------------------------------------------------------


def opening(title: str, state: State) -> tuple[str, ...]:
    """The rules, the battlefield, both armies, what wins."""
    setup = state.setup
    return (
        _rules_words(title, setup),
        _field_words(state),
        *(_army_words(state, own) for own in (0, 1) if state.step != "deploy"),
        _winning_words(setup),
        f"The salvo deck has {count(setup.hits, 'hit')} and {count(setup.misses, 'miss', 'misses')}.",
    )


def _rules_words(title: str, setup: Setup) -> str:
    profile = "the original rules" if setup.profile == "original" else "the codified rules"
    period = PERIODS[setup.period] if setup.period else None
    told = f"{title}, by {profile}"
    told += f", {period.title} ({period.years}) [{period.place}]" if period else ""
    house = [HOUSE_TITLES[name][0].lower() for name in HOUSE_TITLES if getattr(setup.house, name)]
    told += f", with house rules: {joined(house)}" if house else ""
    return f"{told}."


def _field_words(state: State) -> str:
    setup = state.setup
    kinds = Counter(kind for kind in state.field.terrain if kind not in ("open", "crest"))
    names = {"hill": "hills", "built-up": "built-up areas", "defence": "defence lines", "bridge": "bridges",
             "river": "rivers"}  # fmt: skip
    ground = joined([f"{kinds[kind]} of {names.get(kind, kind)}" for kind in TERRAIN_TITLES if kinds[kind]])
    told = f"The battlefield has {setup.columns} by {setup.rows} squares"
    told += f", {ground} among them" if ground else ", all open"
    return f"{told}; Red’s base line is row 1, Blue’s row {setup.rows}."


def _army_words(state: State, own: int) -> str:
    kinds = Counter(p.kind for p in state.pieces if p.side == own)
    army = joined([counted(kinds[kind], kind) for kind in KINDS if kinds[kind]])
    return f"{SIDE_TITLES[SIDES[own]]} took the field with {army or 'nobody'}."


def _winning_words(setup: Setup) -> str:
    what = "pieces" if setup.pieces else "points of pieces"
    told = [f"{MAJORITY} {what} to 1 on the board win"]
    told += ["so do two pieces in the enemy’s headquarters"] if setup.headquarters else []
    goals = [goal.title or goal.id for goal in setup.objectives]
    told += [f"so does taking {joined(goals)}"] if goals else []
    days = count(setup.days, "day")
    told += [f"after {days} the larger army wins"] if setup.days else []
    return f"{'; '.join(told)}."


# --- events ----------------------------------------------------------------------------------------------------------


def said(told: Told) -> tuple[str, ...]:
    """What happened, in sentences; empty for events that only keep the clock."""
    event = told.event
    match event:
        case ev.Started() | ev.Conceded() | ev.Ended():
            return _bounds(event)
        case ev.Laid():
            return (f"{event.square} was laid out as {laid_words(event.terrain)}.",)
        case ev.Armed():
            return (f"{SIDE_TITLES[event.side]} chose its army.",)
        case ev.Placed() | ev.Unplaced() | ev.Established():
            return (f"{SIDE_TITLES[event.side]} deployed in secret.",)
        case ev.Readied():
            joined_words = "; the boards were joined" if event.joined else ""
            return (f"{SIDE_TITLES[event.side]} was ready{joined_words}.",)
        case ev.Tossed():
            die = f" by a {event.die}" if event.die else ""
            return (f"{SIDE_TITLES[event.side]} had the first move{die}.",)
        case ev.RoundBegan():
            return _round(event)
        case ev.TurnEnded():
            who = corps_title(event.corps or event.side)
            return (f"{who} did without {count(event.forgone, 'new piece')}.",) if event.forgone else ()
        case ev.Fired() | ev.Struck():
            return (_shot(told),)
        case ev.Saved():
            return (_save(told),)
        case ev.MineExploded():
            need = need_words(event.need, event.modifiers)
            return (
                f"{_named(told, event.unit)} set off a mine in {event.square}, to be saved on {need} {_places(event)}.",
            )
    return (_deed(told),)


def _bounds(event: ev.Started | ev.Conceded | ev.Ended) -> tuple[str, ...]:
    if isinstance(event, ev.Conceded):
        return (f"{SIDE_TITLES[event.side]} gave up.",)
    if isinstance(event, ev.Ended):
        return (f"{event.reason}{f' [{event.place}]' if event.place else ''}",)
    return ()


def _round(event: ev.RoundBegan) -> tuple[str, ...]:
    if event.night == 1:
        return (f"Night {event.day} fell, and the armies regrouped.",)
    return (f"Day {event.day} dawned.",) if event.toss else ()


def _named(told: Told, unit: str) -> str:
    piece = told.before.by_id[unit]
    return f"{SIDE_TITLES[SIDES[piece.side]]}’s {KINDS[piece.kind].title} {unit}"


def need_words(need: int, modifiers: Sequence[ev.Modifier]) -> str:
    """What a save needs, with a report's own signs.

    >>> need_words(5, [("cavalry without cover", -1), ("first player's first turn", 1)])
    '5 or more, cavalry without cover −1, first player’s first turn +1'
    """
    return plainly(need, modifiers).replace(" -", f" {MINUS}").replace("'", "’")


def _places(event: ev.Fired | ev.Struck | ev.MineExploded) -> str:
    """Where the rules have the modifiers of a save."""
    found = dict.fromkeys(PLACES[name] for name, _ in event.modifiers)
    return f"[{'; '.join(found)}]" if found else ""


def _shot(told: Told) -> str:
    event = told.event
    total = event.hits + event.misses
    how = f"at {count(event.distance, 'square')}" if isinstance(event, ev.Fired) else "from the air"
    verb = "fired on" if isinstance(event, ev.Fired) else "attacked"
    shuffled = "the deck was shuffled, and " if event.shuffled else ""
    chance = percent(event.hits / total)
    words = f"{_named(told, event.unit)} {verb} {event.target} {how}: {shuffled}a {event.card} ({chance} to hit)"
    if event.card == "miss":
        return f"{words}."
    places = _places(event)
    return f"{words}, to be saved on {need_words(event.need, event.modifiers)}{f' {places}' if places else ''}."


def _save(told: Told) -> str:
    event = told.event
    chance = percent(float(saved_chance(event.need)))
    end = "was saved" if event.saved else f"was lost in {event.at}"
    how = {"plane": " on its way back", "mine": " on the mine", "air": "", "fire": ""}[event.cause]
    by = f", hit by {event.by}," if event.by and event.cause in ("fire", "air") else ""
    return f"{event.unit}{by} {end}{how} by a {event.die} ({chance} to be saved)."


def _deed(told: Told) -> str:
    event = told.event
    match event:
        case ev.Moved():
            if event.secret:
                return "A piece regrouped in secret."
            way = f" by {', '.join(event.path[1:-1])}" if len(event.path) > 2 else ""
            return f"{_named(told, event.unit)} moved from {event.path[0]} to {event.path[-1]}{way}."
        case ev.Flew():
            return f"{_named(told, event.unit)} flew from {event.start} to {event.to} [Movement, Planes]."
        case ev.StripEntered():
            planes = f", and {joined(list(event.planes))} went up in flames" if event.planes else ""
            owner = SIDE_TITLES[event.side]
            return f"{event.unit} was on {owner}’s airstrip{planes} [Airstrikes and airstrips]."
        case ev.Broken():
            new = count(event.owed, "new piece")
            return f"{_named(told, event.unit)} reached the base line in {event.at}: lost, for {new} [Reinforcements]."
        case ev.Reinforced():
            return f"{opened(KINDS[event.kind].title)} {event.unit} came on in {event.square}."
    return _by_hand(event)


def _by_hand(event: ev.Corrected) -> str:
    told = []
    if event.hits is not None:
        told.append(f"the deck has {count(event.hits, 'hit')} and {count(event.misses or 0, 'miss', 'misses')} left")
    told += [f"{event.unit} is off the board"] if event.off else []
    told += [f"{event.unit} stands in {event.to}"] if event.to is not None else []
    told += [f"{event.unit} has {'' if event.fired else 'not '}fired"] if event.fired is not None else []
    told += [f"{event.unit} has moved {count(event.moved, 'square')}"] if event.moved is not None else []
    why = f" ({event.reason})" if event.reason else ""
    return f"Set right by hand: {joined(told) or 'nothing'}{why}."


def gathered(run: Sequence[Told]) -> tuple[str, ...]:
    """Several moves or steps of a deployment, in as few sentences as will do."""
    moves = [one for one in run if isinstance(one.event, ev.Moved) and not one.event.secret]
    found = []
    if moves:
        told = [f"{one.event.unit} to {one.event.path[-1]}" for one in moves]
        sides = dict.fromkeys(one.before.by_id[one.event.unit].side for one in moves)
        who = joined([SIDE_TITLES[SIDES[side]] for side in sides])
        found.append(f"{who} moved {joined(told)}.")
    secret = sum(isinstance(one.event, ev.Moved) and one.event.secret > 0 for one in run)
    if secret:
        found.append(f"{opened(count(secret, 'piece'))} regrouped in secret.")
    if any(isinstance(one.event, ev.Placed | ev.Unplaced | ev.Established) for one in run):
        sides_of = dict.fromkeys(SIDE_TITLES[one.event.side] for one in run if hasattr(one.event, "side"))
        found.append(f"{joined(list(sides_of))} deployed in secret.")
    return tuple(found)
