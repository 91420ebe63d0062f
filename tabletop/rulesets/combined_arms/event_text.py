"""Each event in words: the sentences that the command line, the log, the phone and the report all have.

Everybody may read them: what a player for the enemy keeps secret is in none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tabletop.game.errors import EventError
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import DISTANCE, NAMES, NUMBER
from tabletop.rulesets.combined_arms.data import CORNER_WORDS, HIT, POINTS_TO_WIN, REVEAL, TERRAIN
from tabletop.rulesets.combined_arms.defender import chances_of
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import State
from tabletop.words import and_list, capital, count, number, typeset, with_full_stop

MODES: Mapping[str, str] = MappingProxyType(
    {
        "solitaire": "The rules play the defenders.",
        "co-operative": "A team shares the attackers’ command; the rules play the defenders.",
        "enemy-player": "A player commands the defenders, and alone knows which counters are real.",
    }
)
"""Who plays the defenders, by the game's mode."""
_ROLES: Mapping[str, str] = MappingProxyType(
    {
        "armour": "the armour",
        "D": "D company",
        "E": "E company",
        "F": "F company",
        "support": "the MMGs and mortars",
        "command": "the overall command",
    }
)
_PHASES: Mapping[str, str] = MappingProxyType(
    {
        "move": "Turn {turn}: the move phase begins.",
        "fire": "Turn {turn}: the fire phase begins.",
        "mortars": "Firing is over; mortars and bombardment follow.",
        "enemy": "All platoons recovered; the enemy phase begins.",
        "final": "The game ends after turn {turn}; what is hidden is uncovered.",
    }
)


def event_text(state: State | None, event: ev.Event) -> str:
    """An event in a sentence or two; ``state`` is the one before it, ``None`` before the first event alone.

    Raises EventError for another event without a state, and for what is no event of Combined Arms.
    """
    if isinstance(event, ev.Started):
        return typeset(_setup_text(event.setup))
    if state is None:
        raise EventError("the log must begin with the event that lays the game out.")
    return typeset(_text(event, state))


def score_text(die: int, modifiers: Sequence[ev.Modifier], score: int) -> str:
    """A die with its modifiers.

    >>> score_text(5, (("range", -2), ("unrevealed", 1)), 4), score_text(3, (), 3)
    ('5 - 2 range + 1 unrevealed = 4', 'a 3')
    """
    if not modifiers:
        return f"a {die}"
    parts = "".join(f" {'-' if value < 0 else '+'} {abs(value)} {name}" for name, value in modifiers)
    return f"{die}{parts} = {score}"


def hit_chance(event: ev.Fell) -> float:
    """The chance that what fell on a hex took effect."""
    return chances_of(sum(value for _, value in event.modifiers), HIT) / 6


def real_chance(event: ev.Tested) -> float:
    """The chance that a tested counter is real."""
    return chances_of(sum(value for _, value in event.modifiers), REVEAL) / 6


def _setup_text(setup: Setup) -> str:
    easier = " The easier game: late turns cost nothing." if setup.easier else ""
    return f"{setup.title} was laid out. {MODES[setup.mode]}{easier}"


def _sixths(chance: float) -> str:
    return count(round(6 * chance), "chance")


def _defenders_text(state: State, name: str) -> str:
    """The defenders in a hex, as far as they are known."""
    counter = state.counters.get(NUMBER[name])
    if counter is None:
        return f"hex {name}"
    return f"the platoon in {name}" if counter.revealed else f"the potential platoon in {name}"


def _infantry_text(state: State, name: str) -> str:
    """The infantry in a hex: "D1 and D2 in 4-3", or the hex alone."""
    here = state.infantry.get(NUMBER[name], ())
    return f"{and_list([p.id for p in here])} in {name}" if here else name


def news(event: ev.Event) -> str:
    """The result of a shot in a few words; empty for other events."""
    match event:
        case ev.Shot():
            return f"{event.target}: {'no effect' if event.effect == 'none' else event.effect} ({event.unit})"
        case ev.ArmourShot():
            return f"{event.unit}: {'broken' if event.broken else 'no effect'} ({event.hex})"
    return ""


def _text(event: ev.Event, state: State) -> str:
    match event:
        case ev.Surveyed():
            return _survey_text(event)
        case ev.Occupied():
            return _occupation_text(event)
        case ev.Offered():
            return f"Player {event.player} made a sealed bid for the defenders' command."
        case ev.Awarded():
            return _award_text(event, state)
        case ev.Mustered():
            again = "" if event.counts else "; the throw does not count and is repeated"
            return f"The defenders rolled for their forces in secret{again}."
        case ev.Posted():
            return "The defenders noted in secret which counters are real."
        case ev.PhaseBegan():
            return _PHASES[event.phase].format(turn=event.turn)
        case ev.Finished():
            return _score_sheet_text(event)
        case ev.Conceded():
            return f"The {state.setup.side_title(event.side).lower()} gave up."
        case ev.Claimed():
            return f"{capital(_ROLES.get(event.role, event.role))} asked to act next."
        case ev.Messaged():
            to = _ROLES.get(event.recipient, event.recipient)
            return f"{capital(_ROLES.get(event.role, event.role))} wrote to {to}: {with_full_stop(event.text)}"
        case ev.Granted():
            return f"The overall command let {_ROLES.get(event.role, event.role)} act next."
        case ev.Corrected():
            return _correction_text(event)
    return _attackers_text(event, state)


# --- before turn 1 ---------------------------------------------------------------------------------------------------


def _survey_text(event: ev.Surveyed) -> str:
    if len(event.hexes) == 1:
        name, kind, first, second = event.hexes[0]
        return f"{name} is {kind} ({first} and {second})." if first else f"{name} was laid out as {kind}."
    kinds = Counter(kind for _, kind, _, _ in event.hexes)
    ground = and_list([f"{kinds[kind]} {kind}" for kind in TERRAIN if kinds[kind]])
    return f"Terrain was rolled for {len(event.hexes)} hexes: {ground}."


def _occupation_text(event: ev.Occupied) -> str:
    side = "near" if event.turned else "far"
    tie = f", and a {event.die} settled the tie" if event.die else ""
    turned = "; the board was turned, so that the attackers enter by row 1" if event.turned else ""
    cover = f"{count(event.near, 'hex', 'hexes')} with cover in the near three rows, {event.far} in the far three{tie}"
    platoons = count(len(event.counters), "potential platoon")
    hexes = and_list([c.hex for c in event.counters]) or "no hex"
    guns = and_list([c.hex for c in event.counters if c.atg == "potential"]) or "none of them"
    took = f"The defenders took the {side} side ({cover}){turned}."
    return f"{took} {platoons} took position in {hexes}; potential anti-tank guns in {guns}."


def _award_text(event: ev.Awarded, state: State) -> str:
    first, second = state.bids
    tie = f", and a {event.die} settled it" if event.die else ""
    return (
        f"The bids were {count(first or 0, 'point')} by player 1 and {second or 0} by player 2{tie}: player"
        f" {event.player} commands the defenders, and the attackers add {count(event.handicap, 'point')} to their"
        " score."
    )


# --- the attackers' turn ---------------------------------------------------------------------------------------------


def _attackers_text(event: ev.Event, state: State) -> str:
    match event:
        case ev.Moved():
            return f"{event.unit} {way_text(event)}."
        case ev.Faced():
            return f"{event.unit} turned to the {CORNER_WORDS[event.facing]} corner."
        case ev.Called():
            return _call_text(event)
        case ev.Declared():
            return f"{event.unit} committed itself to fire on {event.target}."
        case ev.Shot():
            return _shot_text(event, state)
        case ev.Scattered():
            return _scatter_text(event)
        case ev.Fell():
            return _fall_text(event, state)
        case ev.Broke():
            chosen = ", by the attackers' choice" if event.chosen else ""
            return f"{event.unit} broke in {event.hex}{chosen}."
        case ev.Bombarded():
            return _bombardment_text(event)
    return _defenders_acts_text(event, state)


def way_text(event: ev.Moved) -> str:
    """What a platoon's move was, without its name.

    >>> way_text(ev.Moved("D1", ("2-3", "3-3", "4-3"))), way_text(ev.Moved("F2", ("1-4", "2-4"), entered=True))
    ('moved from 2-3 via 3-3 to 4-3', 'entered at 1-4 and moved to 2-4')
    """
    facing = "" if event.facing is None else f", facing {CORNER_WORDS[event.facing]}"
    start, *way = event.path
    via = f" via {and_list(way[:-1])}" if way[:-1] else ""
    if event.left:
        edge = "over the rear edge" if event.left == "withdrew" else "beyond the far edge"
        return f"{event.left} {edge} from {start}{f' via {and_list(way)}' if way else ''}"
    if event.entered:
        return f"entered at {start}{f' and moved{via} to {way[-1]}' if way else ''}{facing}"
    return f"moved from {start}{via} to {way[-1]}{facing}" if way else f"turned in {start}{facing}"


def _call_text(event: ev.Called) -> str:
    spotter = f", spotted by {event.spotter}" if event.spotter else ""
    return f"The attackers called {'smoke' if event.ammo == 'smoke' else 'their mortars'} down on {event.hex}{spotter}."


def _shot_text(event: ev.Shot, state: State) -> str:
    counter = state.counters.get(NUMBER[event.target])
    turned = "" if event.facing is None else f" turned to the {CORNER_WORDS[event.facing]} corner and"
    hexes = count(DISTANCE[state.by_id[event.unit].at][NUMBER[event.target]], "hex", "hexes")
    made = score_text(event.die, event.modifiers, event.score)
    if counter is None:
        effect = "with nothing left there to hit"
    else:
        effect = f"{_effect_text(event.effect, counter.fresh)} ({_shot_odds(event)})"
    out = f" The ammunition track passed 7: {event.unit} was out of ammunition and withdrew." if event.withdrew else ""
    target = _defenders_text(state, event.target)
    return f"{event.unit}{turned} fired on {target} at {hexes}: {made}, {effect}.{out}"


def _effect_text(effect: ev.Effect, fresh: bool) -> str:
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
    parts = [f"{_sixths(spent)} in 6 to hit"]
    parts += [f"{round(6 * guns)} to break the guns"] if guns > broken else []
    parts += [f"{round(6 * broken)} to break"] if broken else []
    return ", ".join(parts)


def _scatter_text(event: ev.Scattered) -> str:
    whose = "defenders'" if event.cause == "enemy mortars" else "attackers'"
    what, verb = ("smoke", "drifted over") if event.ammo == "smoke" else ("bombs", "fell on")
    nobody = "" if event.to_roll or event.ammo == "smoke" else "; nobody was there"
    corner = f"a {event.die}: the {CORNER_WORDS[event.die - 1]} corner"
    return f"The {whose} {what} for {event.target} {verb} {and_list(event.hexes)} ({corner}){nobody}."


def _fall_text(event: ev.Fell, state: State) -> str:
    what = {
        "enemy fire": f"Fire from {event.by} on {_infantry_text(state, event.hex)}",
        "mortars": f"The attackers' bombs on {_struck_text(state, event.hex)}",
        "enemy mortars": f"The defenders' bombs on {_struck_text(state, event.hex)}",
    }[event.cause]
    made = score_text(event.die, event.modifiers, event.score)
    expected = f" ({number(event.expected)} expected)" if event.expected else ""
    if not event.hit:
        return f"{what}: {made}, no effect{f', no losses{expected}' if event.expected else ''}."
    parts = [f"{and_list(event.spent)} spent"] if event.spent else []
    parts += ["the defenders there spent"] if event.counter_spent else []
    if event.losses:
        parts.append(f"{count(event.losses, 'loss', 'losses')}{expected}, the track now at {event.track}")
    owed = f" {capital(count(event.owed, 'platoon'))} there must break." if event.owed else ""
    return f"{what}: {made}, {', '.join(parts) or 'which changed nothing'}.{owed}"


def _struck_text(state: State, name: str) -> str:
    here = [p.id for p in state.infantry.get(NUMBER[name], ())]
    here += [_defenders_text(state, name).removesuffix(f" in {name}")] if NUMBER[name] in state.counters else []
    return f"{and_list(here)} in {name}" if here else name


def _bombardment_text(event: ev.Bombarded) -> str:
    hit = [name for name, die in event.dice if die >= HIT]
    missed = [name for name, die in event.dice if die < HIT]
    but = f", but not {and_list(missed)}" if missed else ""
    expected = number(len(event.dice) * (7 - HIT) / 6)
    return f"The preliminary bombardment made {and_list(hit) or 'nobody'} spent{but} ({expected} expected)."


# --- the defenders ---------------------------------------------------------------------------------------------------


def _defenders_acts_text(event: ev.Event, state: State) -> str:
    match event:
        case ev.MortarsTried():
            return _mortars_text(event)
        case ev.Drawn():
            return _draw_text(event)
        case ev.Aimed():
            return _aim_text(event, state)
        case ev.Lurked():
            return f"{hidden_text(event.counters)}."
        case ev.Rallied():
            return f"{event.hex} recovered."
        case ev.Tested():
            return _test_text(event, state)
        case ev.Shown():
            return _showing_text(event)
        case ev.ArmourShot():
            return _armour_shot_text(event, state)
        case ev.Engaged():
            return _engagement_text(event, state)
        case ev.Passed(mortars=True):
            return "The defenders did without mortars."
        case ev.Passed():
            return f"{event.hex} did no more{f' ({event.because})' if event.because else ''}."
    raise EventError(f"{type(event).__name__} is no event of Combined Arms.")


def _mortars_text(event: ev.MortarsTried) -> str:
    if not event.die:
        return f"No mortars for the defenders: {event.because}."
    available = "were available" if event.available else "were not available"
    return f"The defenders' mortars {available}: a {event.die}, with {event.need} or more needed."


def _draw_text(event: ev.Drawn) -> str:
    what = {
        "mortar target": "the target of the defenders' mortars",
        "armour": f"the armour for {event.hex} to fire on",
        "cluster": f"the cluster for {event.hex} to engage",
    }[event.what]
    among = [name.replace("+", " with ") for name in event.among]
    return f"{and_list(among)} were equal as {what}; a {event.die} picked {among[event.die - 1]}."


def _aim_text(event: ev.Aimed, state: State) -> str:
    beside = count(event.beside, "infantry platoon") if event.beside else "no infantry"
    why = f" ({event.because})" if event.because else ""
    target = _infantry_text(state, event.hex)
    return f"The defenders called their mortars down on {target}, with {beside} beside{why}."


def hidden_text(counters: Sequence[tuple[str, int, int]]) -> str:
    """Counters that stayed hidden, each with its payoff and its chances against armour, and why.

    >>> hidden_text([("7-2", 4, 1), ("8-8", 5, 0)])
    '7-2 and 8-8 stayed hidden (at most payoff 5 and 1 chance in 6 against armour)'
    """
    most = "at most " if len(counters) > 1 else ""
    payoff, chances = max(row[1] for row in counters), max(row[2] for row in counters)
    why = f"{most}payoff {payoff} and {count(chances, 'chance')} in 6 against armour"
    return f"{and_list([name for name, _, _ in counters])} stayed hidden ({why})"


def _test_text(event: ev.Tested, state: State) -> str:
    if event.what == "guns":
        what, then = "anti-tank guns", "real anti-tank guns" if event.real else "no guns there"
        then += " and a real platoon" if event.real and not state.counters[NUMBER[event.hex]].revealed else ""
    else:
        what, then = "a platoon", "a real platoon" if event.real else "nobody there"
    made, odds = score_text(event.die, event.modifiers, event.score), _sixths(real_chance(event))
    return f"{event.hex} was tested for {what} ({event.because}): {made}, {then} ({odds} in 6)."


def _showing_text(event: ev.Shown) -> str:
    why = "had to show itself" if event.forced else "showed itself"
    if not event.platoon:
        return f"{event.hex} {why}: nobody was there."
    guns = "" if event.guns is None else " with anti-tank guns" if event.guns else " without anti-tank guns"
    return f"{event.hex} {why}: a real platoon{guns}."


def _armour_shot_text(event: ev.ArmourShot, state: State) -> str:
    at = state.by_id[event.unit].at
    hexes = count(DISTANCE[NUMBER[event.hex]][at], "hex", "hexes")
    how = "with anti-tank guns" if event.guns else "in close attack"
    why = event.because if "in 6" in event.because else f"{event.because}, {_sixths(event.chance)} in 6"
    made = f"{score_text(event.die, event.modifiers, event.score)}, {'broken' if event.broken else 'missed'}"
    return f"{event.hex} fired on {event.unit} in {NAMES[at]} at {hexes} {how} ({why}): {made}."


def _engagement_text(event: ev.Engaged, state: State) -> str:
    targets = and_list([_infantry_text(state, name) for name in event.cluster])
    because = f"; {event.because}" if event.because else ""
    return f"{event.hex} engaged {targets} (payoff {event.payoff}, next best {event.next_best}{because})."


# --- the end, and corrections ----------------------------------------------------------------------------------------


def _score_sheet_text(event: ev.Finished) -> str:
    lines = "; ".join(f"{what}: {times}, {points:+d}" for what, times, points in event.lines if times)
    won = "a win" if event.total >= POINTS_TO_WIN else "a loss"
    return f"The score was {event.total}, {won} for the attackers ({lines or 'nothing counted'})."


def _correction_text(event: ev.Corrected) -> str:
    what = event.unit or (f"The counter in {event.hex}" if event.hex else "The tracks")
    why = f" ({event.reason.rstrip('.')})" if event.reason else ""
    verb = "was" if event.unit or event.hex else "were"
    if event.off:
        return f"{what} {verb} taken off by hand{why}."
    flags = [("fresh", event.fresh), ("revealed", event.revealed)]
    tracks = [("losses", event.losses), ("ammunition", event.ammo)]
    parts = [f"now in {event.to}"] if event.to is not None else []
    parts += [name if value else f"not {name}" for name, value in flags if value is not None]
    parts += [f"facing {CORNER_WORDS[event.facing]}"] if event.facing is not None else []
    parts += [f"anti-tank guns {event.atg}"] if event.atg is not None else []
    parts += [f"{name} at {value}" for name, value in tracks if value is not None]
    return f"{what} {verb} set right by hand: {and_list(parts) or 'nothing changed'}{why}."
