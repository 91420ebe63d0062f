"""Events in sentences that everybody may read: nothing secret is in any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NUMBER
from tabletop.rulesets.combined_arms.data import CORNER_WORDS, POINTS_TO_WIN
from tabletop.rulesets.combined_arms.events import Modifier
from tabletop.rulesets.combined_arms.state import State

_MODES = {
    "solitaire": "The rules play the defenders.",
    "co-operative": "A team shares the attackers' command; the rules play the defenders.",
    "enemy-player": "A player commands the defenders.",
}


def sentence(state: State | None, event: ev.Event) -> str:
    """An event in a sentence or two, told of the state before it."""
    return _SAYINGS[type(event)](state, event)


def reckoned(die: int, add: Sequence[Modifier], score: int) -> str:
    """A die with its modifiers.

    >>> reckoned(5, (("range", -2), ("unrevealed", 1)), 4)
    '5 - 2 range + 1 unrevealed = 4'
    """
    if not add:
        return str(die)
    parts = "".join(f" {'-' if value < 0 else '+'} {abs(value)} {name}" for name, value in add)
    return f"{die}{parts} = {score}"


def listed(items: Iterable[str]) -> str:
    """Names in a sentence.

    >>> listed(["D1", "D2", "E1"])
    'D1, D2 and E1'
    """
    every = list(items)
    return f"{', '.join(every[:-1])} and {every[-1]}" if len(every) > 1 else "".join(every)


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things.

    >>> counted(1, "loss", "losses"), counted(3, "loss", "losses")
    ('1 loss', '3 losses')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def _started(state: State | None, event: ev.Started) -> str:
    easier = " The easier game: late turns cost nothing." if event.setup.easier else ""
    return f"{event.setup.title} was laid out. {_MODES[event.setup.mode]}{easier}"


def _surveyed(state: State | None, event: ev.Surveyed) -> str:
    if len(event.hexes) == 1:
        name, kind, first, second = event.hexes[0]
        return f"{name} is {kind} ({first} + {second})." if first else f"{name} was laid out as {kind}."
    kinds: dict[str, int] = {}
    for _, kind, _, _ in event.hexes:
        kinds[kind] = kinds.get(kind, 0) + 1
    told = listed(f"{count} {kind}" for kind, count in kinds.items())
    return f"Terrain was rolled for {len(event.hexes)} hexes: {told}."


def _occupied(state: State | None, event: ev.Occupied) -> str:
    guns = sum(c.atg == "potential" for c in event.counters)
    why = f"{event.near} defensive hexes in the near three rows, {event.far} in the far three"
    tie = f"; a {event.die} settled the tie" if event.die else ""
    turned = " The board was turned, so that the attackers enter by row 1." if event.turned else ""
    return (
        f"{counted(len(event.counters), 'potential defender')} took position, {guns} of them with potential guns"
        f" ({why}{tie}).{turned}"
    )


def _offered(state: State | None, event: ev.Offered) -> str:
    return f"Player {event.player} made a sealed bid for the defenders."


def _awarded(state: State | None, event: ev.Awarded) -> str:
    tie = f" after equal bids (a {event.die})" if event.die else ""
    return f"Player {event.player} commands the defenders{tie} and grants {counted(event.handicap, 'point')}."


def _mustered(state: State | None, event: ev.Mustered) -> str:
    if not event.counts:
        return "The defenders rolled for their forces in secret; the throw does not count and is repeated."
    return "The defenders rolled for their forces in secret."


def _posted(state: State | None, event: ev.Posted) -> str:
    return "The defenders noted in secret which counters are real."


_PHASES = {
    "move": "Turn {turn}: the move phase begins.",
    "fire": "Turn {turn}: the fire phase begins.",
    "mortars": "Firing is over; mortars and bombardment follow.",
    "enemy": "All platoons recovered; the enemy phase begins.",
    "final": "The game ends after turn {turn}; what is hidden is uncovered.",
}


def _phase_began(state: State | None, event: ev.PhaseBegan) -> str:
    return _PHASES[event.phase].format(turn=event.turn)


def _moved(state: State | None, event: ev.Moved) -> str:
    facing = "" if event.facing is None else f", facing {CORNER_WORDS[event.facing]}"
    way = f" via {event.path[-2]}" if len(event.path) - (not event.entered) > 1 else ""
    if event.left:
        last = event.path[-1]
        via = f" via {last}" if len(event.path) > 1 else f" from {last}"
        return f"{event.unit} {event.left}{via}."
    if event.entered:
        return f"{event.unit} entered at {event.path[-1]}{way}{facing}."
    return f"{event.unit} moved from {event.path[0]} to {event.path[-1]}{way}{facing}."


def _faced(state: State | None, event: ev.Faced) -> str:
    return f"{event.unit} turned to the {CORNER_WORDS[event.facing]} corner."


def _called(state: State | None, event: ev.Called) -> str:
    ammo = "Smoke was" if event.ammo == "smoke" else "Mortars were"
    spotter = f", spotted by {event.spotter}" if event.spotter else ""
    return f"{ammo} called down on {event.hex}{spotter}."


def _declared(state: State | None, event: ev.Declared) -> str:
    return f"{event.unit} will fire on {event.target}."


_EFFECTS = {
    "none": "no effect",
    "spent": "the target is spent",
    "guns broken": "the guns are broken",
    "broken": "the enemy platoon is broken",
}


def _shot(state: State | None, event: ev.Shot) -> str:
    out = f" {event.unit} is out of ammunition and withdraws." if event.withdrew else ""
    made = reckoned(event.die, event.modifiers, event.score)
    return f"{event.unit} fired on {event.target}: {made}, {_EFFECTS[event.effect]}.{out}"


def _scattered(state: State | None, event: ev.Scattered) -> str:
    whose = "Enemy mortar bombs" if event.cause == "enemy mortars" else "Smoke" if event.ammo == "smoke" else "Bombs"
    verb = "drifted over" if event.ammo == "smoke" else "fell on"
    corner = CORNER_WORDS[event.die - 1]
    return f"{whose} for {event.target} {verb} {listed(event.hexes)} (a {event.die}, {corner} corner)."


def _fell(state: State | None, event: ev.Fell) -> str:
    what = f"{event.by} on {event.hex}" if event.cause == "enemy fire" else f"{event.hex} under {event.cause}"
    told = f"{what}: {reckoned(event.die, event.modifiers, event.score)}"
    if not event.hit:
        return f"{told}, no effect."
    parts = [f"{listed(event.spent)} spent"] if event.spent else []
    parts += ["the counter spent"] if event.counter_spent else []
    parts += [f"{counted(event.losses, 'loss', 'losses')} (track at {event.track})"] if event.losses else []
    owed = f" {counted(event.owed, 'platoon')} there must break." if event.owed else ""
    return f"{told}, {', '.join(parts) or 'hit, and nothing changes'}.{owed}"


def _broke(state: State | None, event: ev.Broke) -> str:
    return f"{event.unit} broke in {event.hex}."


def _bombarded(state: State | None, event: ev.Bombarded) -> str:
    hit = [name for name, die in event.dice if die >= 2]
    missed = [name for name, die in event.dice if die < 2]
    told = f"The preliminary bombardment pinned {listed(hit)}" if hit else "The preliminary bombardment pinned nobody"
    return f"{told}{f', but not {listed(missed)}' if missed else ''}."


def _mortars_tried(state: State | None, event: ev.MortarsTried) -> str:
    if not event.die:
        return f"No enemy mortars: {event.because}."
    return (
        f"Enemy mortars: {event.die}, with {event.need} needed: {'available' if event.available else 'not available'}."
    )


def _drawn(state: State | None, event: ev.Drawn) -> str:
    who = f"{event.hex}: " if event.hex else ""
    among = listed(name.replace("+", " + ") for name in event.among)
    return f"{who}{among} are equal as {event.what}; a {event.die} picks {event.among[event.die - 1]}."


def _aimed(state: State | None, event: ev.Aimed) -> str:
    why = f"{event.infantry} infantry there, {event.beside} beside"
    return f"Enemy mortars were called down on {event.hex} ({why}{f'; {event.because}' if event.because else ''})."


def _lurked(state: State | None, event: ev.Lurked) -> str:
    if len(event.counters) == 1:
        name, payoff, chances = event.counters[0]
        return f"{name} stayed hidden ({_why_hidden(payoff, chances)})."
    names = listed(name for name, _, _ in event.counters)
    payoff = max(row[1] for row in event.counters)
    chances = max(row[2] for row in event.counters)
    return f"{names} stayed hidden (at most {_why_hidden(payoff, chances)})."


def _why_hidden(payoff: int, chances: int) -> str:
    return f"payoff {payoff}, {counted(chances, 'chance')} in 6 against armour"


def _rallied(state: State | None, event: ev.Rallied) -> str:
    return f"{event.hex} recovered."


def _tested(state: State | None, event: ev.Tested) -> str:
    made = reckoned(event.die, event.modifiers, event.score)
    if event.what == "guns":
        then = "anti-tank guns, and a real platoon" if event.real else "no anti-tank guns there"
    else:
        then = "a real platoon" if event.real else "nobody there"
    what = "guns" if event.what == "guns" else "a platoon"
    return f"{event.hex} was tested for {what} ({event.because}): {made}, {then}."


def _shown(state: State | None, event: ev.Shown) -> str:
    why = "had to show itself" if event.forced else "showed itself"
    if not event.platoon:
        return f"{event.hex} {why}: nobody there."
    guns = "" if event.guns is None else " with anti-tank guns" if event.guns else " without anti-tank guns"
    return f"{event.hex} {why}: a real platoon{guns}."


def _armour_shot(state: State | None, event: ev.ArmourShot) -> str:
    who = f"{event.hex} fired {'anti-tank guns ' if event.guns else ''}on {event.unit}"
    made = reckoned(event.die, event.modifiers, event.score)
    return f"{who} ({event.because}): {made}, {'broken' if event.broken else 'missed'}."


def _engaged(state: State | None, event: ev.Engaged) -> str:
    cluster = " + ".join(event.cluster)
    who = _who_stands(state, event.cluster)
    why = f"payoff {event.payoff}, next best {event.next_best}" + (f"; {event.because}" if event.because else "")
    return f"{event.hex} engages {cluster}{who} ({why})."


def _who_stands(state: State | None, cluster: Sequence[str]) -> str:
    if state is None:
        return ""
    names = [p.id for name in cluster for p in state.infantry.get(NUMBER[name], ())]
    return f", {listed(names)}" if names else ""


def _passed(state: State | None, event: ev.Passed) -> str:
    if event.mortars:
        return "The defenders did without mortars."
    return f"{event.hex} does no more{f': {event.because}' if event.because else ''}."


def _finished(state: State | None, event: ev.Finished) -> str:
    lines = "; ".join(f"{count} {what} {points:+d}" for what, count, points in event.lines if count)
    won = "a win" if event.total >= POINTS_TO_WIN else "a loss"
    return f"Final score {event.total}, {won} for the attackers ({lines or 'nothing'})."


def _conceded(state: State | None, event: ev.Conceded) -> str:
    return f"The {event.side}s gave up."


def _claimed(state: State | None, event: ev.Claimed) -> str:
    return f"{event.role} wishes to act next."


def _granted(state: State | None, event: ev.Granted) -> str:
    return f"The overall commander lets {event.role} act next."


def _corrected(state: State | None, event: ev.Corrected) -> str:
    what = event.unit or event.hex or "The tracks"
    parts = []
    if event.off:
        parts.append("taken off")
    if event.to is not None:
        parts.append(f"now in {event.to}")
    for name in ("fresh", "revealed"):
        value = getattr(event, name)
        if value is not None:
            parts.append(name if value else f"not {name}")
    for name in ("facing", "atg", "losses", "ammo"):
        value = getattr(event, name)
        if value is not None:
            parts.append(f"{name} {value}")
    because = f" ({event.reason.rstrip('.')})" if event.reason else ""
    return f"{what} set right by hand: {', '.join(parts) or 'nothing changed'}{because}."


_SAYINGS: dict[type[Any], Callable[[State | None, Any], str]] = {
    ev.Started: _started, ev.Surveyed: _surveyed, ev.Occupied: _occupied, ev.Offered: _offered, ev.Awarded: _awarded,
    ev.Mustered: _mustered, ev.Posted: _posted, ev.PhaseBegan: _phase_began, ev.Moved: _moved, ev.Faced: _faced,
    ev.Called: _called, ev.Declared: _declared, ev.Shot: _shot, ev.Scattered: _scattered, ev.Fell: _fell,
    ev.Broke: _broke, ev.Bombarded: _bombarded, ev.MortarsTried: _mortars_tried, ev.Drawn: _drawn, ev.Aimed: _aimed,
    ev.Lurked: _lurked, ev.Rallied: _rallied, ev.Tested: _tested, ev.Shown: _shown, ev.ArmourShot: _armour_shot,
    ev.Engaged: _engaged, ev.Passed: _passed, ev.Finished: _finished, ev.Conceded: _conceded, ev.Claimed: _claimed,
    ev.Granted: _granted, ev.Corrected: _corrected,
}  # fmt: skip
