"""Combined Arms in the after-action report: sentences for every kind of event.

Every word and number comes from an event, the state round it, or exact odds. What is secret in the game with a player
for the enemy is told by the event that ends it, and by none before.
"""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch
from typing import Any

from tabletop.aar.teller import Told
from tabletop.aar.words import MINUS, count, joined, number, opened
from tabletop.game.core import REFEREE
from tabletop.game.errors import EventError
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import DISTANCE, NAMES, NUMBER
from tabletop.rulesets.combined_arms.data import CORNER_WORDS, HIT, POINTS_TO_WIN, TERRAIN
from tabletop.rulesets.combined_arms.state import State
from tabletop.rulesets.combined_arms.telling_words import (
    ROLES,
    curly,
    defenders_words,
    infantry_words,
    listed,
    real_chance,
    sixths,
    summed,
)


@singledispatch
def said(event: Any, told: Told) -> tuple[str, ...]:
    """The sentences of an event; raises EventError for what is none of Combined Arms."""
    raise EventError(f"{type(event).__name__} is no event of Combined Arms.")


@said.register
def _(event: ev.Started, told: Told) -> tuple[str, ...]:
    state = told.after
    if event.setup.position is None:
        return ()
    here = joined([f"{joined([p.id for p in every])} in {NAMES[at]}" for at, every in sorted(state.by_hex.items())])
    there = listed([NAMES[c.at] for c in state.enemy])
    found = [f"The game began in turn {state.turn}, with {here or 'no platoon'} on the board."]
    found += [f"Defenders, real or potential, stood in {there}."] if there else []
    waiting = [p.id for p in state.platoons if p.fate == "waiting"]
    return (*found, *([f"{listed(waiting)} had not entered yet."] if waiting else []))


@said.register
def _(event: ev.Surveyed, told: Told) -> tuple[str, ...]:
    if len(event.hexes) == 1:
        name, kind, first, second = event.hexes[0]
        return (f"{name} became {kind} ({first} and {second})." if first else f"{name} was laid out as {kind}.",)
    kinds = Count(kind for _, kind, _, _ in event.hexes)
    words = joined([f"{kinds[kind]} {kind}" for kind in TERRAIN if kinds[kind]])
    return (f"Terrain was rolled for {len(event.hexes)} hexes: {words}.",)


@said.register
def _(event: ev.Occupied, told: Told) -> tuple[str, ...]:
    side = "near" if event.turned else "far"
    tie = f", and a {event.die} settled the tie" if event.die else ""
    turned = "; the board was turned round" if event.turned else ""
    guns = [c.hex for c in event.counters if c.atg == "potential"]
    return (
        f"The defenders took the {side} side ({count(event.near, 'hex', 'hexes')} with cover in the near three rows,"
        f" {event.far} in the far three{tie}){turned}.",
        f"Potential platoons took position in {listed([c.hex for c in event.counters]) or 'no hex'}; potential"
        f" anti-tank guns in {listed(guns) or 'none of them'}.",
    )


@said.register
def _(event: ev.Offered, told: Told) -> tuple[str, ...]:
    return (f"Player {event.player} made a sealed bid for the defenders’ command.",)


@said.register
def _(event: ev.Awarded, told: Told) -> tuple[str, ...]:
    first, second = told.before.bids
    tie = f", and a {event.die} settled it" if event.die else ""
    return (
        f"The bids were {count(first or 0, 'point')} by player 1 and {second or 0} by player 2{tie}: player"
        f" {event.player} commanded the defenders, and the attackers add {count(event.handicap, 'point')} to their"
        " score.",
    )


@said.register
def _(event: ev.Mustered, told: Told) -> tuple[str, ...]:
    again = "" if event.counts else "; the throw did not count"
    return (f"The defenders rolled for their forces in secret{again}.",)


@said.register
def _(event: ev.Posted, told: Told) -> tuple[str, ...]:
    return ("The defenders noted in secret which counters were real.",)


@said.register
def _(event: ev.PhaseBegan, told: Told) -> tuple[str, ...]:
    return ()


@said.register
def _(event: ev.Moved, told: Told) -> tuple[str, ...]:
    return (f"{event.unit} {_way_words(event)}.",)


def _way_words(event: ev.Moved) -> str:
    facing = "" if event.facing is None else f", facing {CORNER_WORDS[event.facing]}"
    start, *way = event.path
    if event.left:
        edge = "over the rear edge" if event.left == "withdrew" else "beyond the far edge"
        return f"{event.left} {edge} from {joined(list(event.path))}"
    if event.entered:
        return f"entered at {event.path[-1]}{f' by {start}' if way else ''}{facing}"
    if not way:
        return f"turned in {start}{facing}"
    return f"moved from {start}{f' by {joined(way[:-1])}' if way[:-1] else ''} to {way[-1]}{facing}"


@said.register
def _(event: ev.Faced, told: Told) -> tuple[str, ...]:
    return (f"{event.unit} turned to the {CORNER_WORDS[event.facing]} corner.",)


@said.register
def _(event: ev.Called, told: Told) -> tuple[str, ...]:
    spotter = f", spotted by {event.spotter}" if event.spotter else ""
    if event.ammo == "smoke":
        left = count(told.after.smoke_rounds, "round")
        return (f"The attackers called smoke down on {event.hex}{spotter}; {left} of smoke were left.",)
    return (f"The attackers called their mortars down on {event.hex}{spotter}.",)


@said.register
def _(event: ev.Declared, told: Told) -> tuple[str, ...]:
    return (f"{event.unit} committed itself to fire on {event.target}.",)


@said.register
def _(event: ev.Shot, told: Told) -> tuple[str, ...]:
    before = told.before
    counter = before.counters.get(NUMBER[event.target])
    turned = "" if event.facing is None else f", turning to the {CORNER_WORDS[event.facing]} corner,"
    far = DISTANCE[before.by_id[event.unit].at][NUMBER[event.target]]
    what = f"{event.unit}{turned} fired on {defenders_words(before, event.target)} at {count(far, 'hex', 'hexes')}"
    made = f"{summed(event.die, event.modifiers, event.score)}"
    if counter is None:
        effect = "with nothing left there to hit"
    else:
        effect = f"{_effect_words(event.effect, counter.fresh)} ({_shot_odds(event)})"
    out = f" The ammunition track passed 7: {event.unit} was out of ammunition and withdrew." if event.withdrew else ""
    return (f"{what}: {made}, {effect}.{out}",)


def _effect_words(effect: ev.Effect, fresh: bool) -> str:
    match effect:
        case "none":
            return "no effect"
        case "spent":
            return "spent" if fresh else "still spent"
        case "guns broken":
            return "its anti-tank guns broken"
    return "broken"


def _shot_odds(event: ev.Shot) -> str:
    spent, guns, broken = event.chances
    parts = [f"{sixths(spent)} in 6 to hit"]
    parts += [f"{round(6 * guns)} to break the guns"] if guns > broken else []
    parts += [f"{round(6 * broken)} to break"] if broken else []
    return ", ".join(parts)


@said.register
def _(event: ev.Scattered, told: Told) -> tuple[str, ...]:
    whose = "defenders’" if event.cause == "enemy mortars" else "attackers’"
    what = f"The {whose} {'smoke' if event.ammo == 'smoke' else 'bombs'} for {event.target}"
    nobody = "" if event.to_roll or event.ammo == "smoke" else "; nobody was there"
    verb = "lay" if event.ammo == "smoke" else "fell"
    return (
        f"{what} {verb} on {listed(event.hexes)} (a {event.die}: the {CORNER_WORDS[event.die - 1]} corner){nobody}.",
    )


@said.register
def _(event: ev.Fell, told: Told) -> tuple[str, ...]:
    before = told.before
    what = {
        "enemy fire": f"Fire from {event.by} on {infantry_words(before, event.hex)}",
        "mortars": f"The attackers’ bombs on {_struck(before, event.hex)}",
        "enemy mortars": f"The defenders’ bombs on {_struck(before, event.hex)}",
    }[event.cause]
    made = summed(event.die, event.modifiers, event.score)
    expected = f" ({number(event.expected)} expected)" if event.expected else ""
    if not event.hit:
        losses = f", no losses{expected}" if event.expected else ""
        return (f"{what}: {made}, no effect{losses}.",)
    parts = [f"{listed(event.spent)} spent"] if event.spent else []
    parts += ["the defenders there spent"] if event.counter_spent else []
    if event.losses:
        parts.append(f"{count(event.losses, 'loss', 'losses')}{expected}, the track now at {event.track}")
    owed = f" {opened(_owed_words(event.owed))} there had to break." if event.owed else ""
    return (f"{what}: {made}, {', '.join(parts) or 'which changed nothing'}.{owed}",)


def _struck(state: State, name: str) -> str:
    here = [p.id for p in state.infantry.get(NUMBER[name], ())]
    here += [defenders_words(state, name).removesuffix(f" in {name}")] if NUMBER[name] in state.counters else []
    return f"{joined(here)} in {name}" if here else name


def _owed_words(owed: int) -> str:
    return "one platoon" if owed == 1 else f"{owed} platoons"


@said.register
def _(event: ev.Broke, told: Told) -> tuple[str, ...]:
    chosen = ", by the attackers’ choice" if event.chosen else ""
    return (f"{event.unit} broke in {event.hex}{chosen}.",)


@said.register
def _(event: ev.Bombarded, told: Told) -> tuple[str, ...]:
    missed = [name for name, die in event.dice if die < HIT]
    hit, dice = len(event.dice) - len(missed), len(event.dice)
    but = f", all but {listed(missed)}" if missed and hit else ""
    expected = number(dice * (7 - HIT) / 6)
    return (
        f"The preliminary bombardment made {hit} of {count(dice, 'counter')} in sight spent{but} ({expected}"
        " expected).",
    )


@said.register
def _(event: ev.MortarsTried, told: Told) -> tuple[str, ...]:
    if not event.die:
        return (f"No mortars for the defenders: {event.because}.",)
    available = "were available" if event.available else "were not available"
    return (f"The defenders’ mortars {available}: a {event.die}, with {event.need} or more needed.",)


@said.register
def _(event: ev.Drawn, told: Told) -> tuple[str, ...]:
    what = {
        "mortar target": "the target of the defenders’ mortars",
        "armour": f"the armour for {event.hex} to fire on",
        "cluster": f"the cluster for {event.hex} to engage",
    }[event.what]
    among = [name.replace("+", " with ") for name in event.among]
    return (f"{joined(among)} were equal as {what}; a {event.die} picked {among[event.die - 1]}.",)


@said.register
def _(event: ev.Aimed, told: Told) -> tuple[str, ...]:
    why = f" ({curly(event.because)})" if event.because else ""
    beside = count(event.beside, "infantry platoon") if event.beside else "no infantry"
    called = f"The defenders called their mortars down on {infantry_words(told.before, event.hex)}"
    return (f"{called}, with {beside} beside{why}.",)


@said.register
def _(event: ev.Lurked, told: Told) -> tuple[str, ...]:
    return (f"{_lurked_words(event.counters)}.",)


def _lurked_words(rows: Sequence[tuple[str, int, int]]) -> str:
    most = "at most " if len(rows) > 1 else ""
    payoff, chances = max(row[1] for row in rows), max(row[2] for row in rows)
    why = f"{most}payoff {payoff} and {count(chances, 'chance')} in 6 against armour"
    return f"{listed([name for name, _, _ in rows])} stayed hidden ({why})"


@said.register
def _(event: ev.Rallied, told: Told) -> tuple[str, ...]:
    return (f"{event.hex} recovered.",)


@said.register
def _(event: ev.Tested, told: Told) -> tuple[str, ...]:
    made = summed(event.die, event.modifiers, event.score)
    if event.what == "guns":
        what, then = "anti-tank guns", "real anti-tank guns" if event.real else "no guns there"
        then += " and a real platoon" if event.real and not told.before.counters[NUMBER[event.hex]].revealed else ""
    else:
        what, then = "a platoon", "a real platoon" if event.real else "nobody there"
    odds = f"{sixths(real_chance(event))} in 6"
    return (f"{event.hex} was tested for {what} ({event.because}): {made}, {then} ({odds}).",)


@said.register
def _(event: ev.Shown, told: Told) -> tuple[str, ...]:
    why = "had to show itself" if event.forced else "showed itself"
    if not event.platoon:
        return (f"{event.hex} {why}: nobody was there.",)
    guns = "" if event.guns is None else " with anti-tank guns" if event.guns else " without anti-tank guns"
    return (f"{event.hex} {why}: a real platoon{guns}.",)


@said.register
def _(event: ev.ArmourShot, told: Told) -> tuple[str, ...]:
    unit = told.before.by_id[event.unit]
    far = DISTANCE[NUMBER[event.hex]][unit.at]
    guns = "anti-tank guns" if event.guns else "close attack"
    odds = f"{sixths(event.chance)} in 6"
    why = event.because if "in 6" in event.because else f"{curly(event.because)}, {odds}"
    made = f"{summed(event.die, event.modifiers, event.score)}, {'broken' if event.broken else 'missed'}"
    at = f"{event.unit} in {NAMES[unit.at]} at {count(far, 'hex', 'hexes')}"
    return (f"{event.hex} fired on {at} by {guns} ({why}): {made}.",)


@said.register
def _(event: ev.Engaged, told: Told) -> tuple[str, ...]:
    targets = joined([infantry_words(told.before, name) for name in event.cluster])
    because = f"; {curly(event.because)}" if event.because else ""
    return (f"{event.hex} engaged {targets} (payoff {event.payoff}, next best {event.next_best}{because}).",)


@said.register
def _(event: ev.Passed, told: Told) -> tuple[str, ...]:
    if event.mortars:
        return ("The defenders did without mortars.",)
    return (f"{event.hex} did no more{f' ({event.because})' if event.because else ''}.",)


def gathered(events: Sequence[Any]) -> tuple[str, ...]:
    """Sentences for several platoons that moved, and one for counters that recovered, stayed hidden or did no more.

    >>> gathered([ev.Rallied("5-2"), ev.Passed("6-1"), ev.Rallied("5-4")])
    ('5-2 and 5-4 recovered; 6-1 did no more.',)
    >>> gathered([ev.Moved("D1", ("2-3", "3-3")), ev.Moved("D2", ("2-3", "3-3"))])
    ('D1 and D2 moved from 2-3 to 3-3.',)
    """
    ways: dict[ev.Moved, list[str]] = {}
    for event in events:
        if isinstance(event, ev.Moved):
            ways.setdefault(replace(event, unit=""), []).append(event.unit)
    moved = [f"{listed(units)} {_way_words(way)}." for way, units in ways.items()]
    still = _still_words(events)
    return (*moved, *([f"{still}."] if still else []))


def _still_words(events: Sequence[Any]) -> str:
    parts = []
    fresh = [event.hex for event in events if isinstance(event, ev.Rallied)]
    parts += [f"{listed(fresh)} recovered"] if fresh else []
    hidden = [row for event in events if isinstance(event, ev.Lurked) for row in event.counters]
    parts += [_lurked_words(hidden)] if hidden else []
    passed = [event for event in events if isinstance(event, ev.Passed)]
    for because in dict.fromkeys(event.because for event in passed):
        names = listed([event.hex for event in passed if event.because == because])
        parts.append(f"{names} did no more{f' ({because})' if because else ''}")
    return "; ".join(parts)


# --- the end, and hands ----------------------------------------------------------------------------------------------


def _signed(points: int) -> str:
    return f"{MINUS if points < 0 else '+'}{abs(points)}"


@said.register
def _(event: ev.Finished, told: Told) -> tuple[str, ...]:
    lines = [f"{what}: {times}, {_signed(points)}" for what, times, points in event.lines if times]
    won = "a win" if event.total >= POINTS_TO_WIN else "a loss"
    score = f"The score was {number(event.total)}, {won} for the attackers ({'; '.join(lines) or 'nothing counted'})."
    return (*secret_words(told.before), score)


@said.register
def _(event: ev.Conceded, told: Told) -> tuple[str, ...]:
    who = told.before.setup.side_title(event.side)
    return (f"The {who.lower()} gave up.", *secret_words(told.before))


def secret_words(state: State) -> tuple[str, ...]:
    """What the enemy's player kept secret, once the game is over."""
    secret = state.secret
    if secret is None:
        return ()
    platoons = listed([NAMES[n] for n in sorted(secret.platoon_hexes)])
    guns = listed([NAMES[n] for n in sorted(secret.atg_hexes)])
    return (
        f"The defenders had rolled for {count(secret.platoons, 'real platoon')} and {secret.atgs} with anti-tank guns:"
        f" platoons in {platoons or 'no hex'}, guns in {guns or 'none'}.",
    )


@said.register
def _(event: ev.Claimed, told: Told) -> tuple[str, ...]:
    return (f"{opened(ROLES.get(event.role, event.role))} asked to act next.",)


@said.register
def _(event: ev.Granted, told: Told) -> tuple[str, ...]:
    return (f"The overall command let {ROLES.get(event.role, event.role)} act next.",)


@said.register
def _(event: ev.Corrected, told: Told) -> tuple[str, ...]:
    who = "The referee" if told.record.actor == REFEREE else opened(told.record.actor)
    what = event.unit or (f"the counter in {event.hex}" if event.hex else "the tracks")
    why = f" ({event.reason.rstrip('.')})" if event.reason else ""
    if event.off:
        return (f"{who} took {what} off the board{why}.",)
    parts = [f"now in {event.to}"] if event.to is not None else []
    parts += [name if getattr(event, name) else f"not {name}" for name in ("fresh", "revealed") if _given(event, name)]
    parts += [f"facing {CORNER_WORDS[event.facing]}"] if event.facing is not None else []
    parts += [f"anti-tank guns {event.atg}"] if event.atg is not None else []
    parts += [f"{name} at {getattr(event, name)}" for name in ("losses", "ammo") if _given(event, name)]
    return (f"{who} set {what} right{why}: {joined(parts) or 'nothing changed'}.",)


def _given(event: ev.Corrected, name: str) -> bool:
    return getattr(event, name) is not None
