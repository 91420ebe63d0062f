"""Events told in a sentence, for logs and for players at the table. Numbers come from the event alone."""

from __future__ import annotations

from tabletop.rulesets.combat_captain import chart
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.aiming import weapon_words
from tabletop.rulesets.combat_captain.damage import reached, saved
from tabletop.rulesets.combat_captain.data import STEP_NAMES, WEAPONS
from tabletop.rulesets.combat_captain.firing import markers_words
from tabletop.rulesets.combat_captain.state import State


def sentence(state: State | None, event: ev.Event) -> str:
    """An event in a sentence, told of the state before it; what was overruled is named."""
    if state is None:
        return f"{event.setup.title} was laid out." if isinstance(event, ev.Started) else "The game was laid out."
    told = _told(state, event)
    overruled = getattr(event, "overruled", ())
    settled = ", ".join(code.replace("-", " ") for code in overruled)
    return f"{told} (Settled by the players or the referee: {settled}.)" if overruled else told


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number of things."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _told(state: State, event: ev.Event) -> str:
    title = state.setup.side_title
    match event:
        case ev.Started():
            return f"{event.setup.title} was laid out."
        case ev.Begun():
            return "The first turn began."
        case ev.Placed():
            return _placed(event)
        case ev.CoverTaken():
            names = _listed(event.subs)
            if not event.level:
                return f"{names} left cover."
            way = "" if event.facing is None else f", facing {event.facing:.0f}"
            return f"{names} took cover of level {event.level}{way}."
        case ev.Fired():
            return _fired(state, event)
        case ev.SavesDue():
            return _due(state, event)
        case ev.Saved():
            return _saved(state, event)
        case ev.Lost():
            by = f" to {event.by}" if event.by else ""
            return f"{event.sub} lost {counted(event.men, 'soldier')}{by}; {event.left} left."
        case ev.Destroyed():
            return f"{event.sub} was destroyed{f' by {event.by}' if event.by else ''}."
        case ev.Consolidated():
            return f"{counted(event.men, 'soldier')} of {event.giver} filled up {event.taker}."
        case ev.Promoted():
            return f"{event.sub} leads {event.company} now."
        case ev.Assaulted():
            return (
                f"{event.attacker} met {event.defender} in close combat: {counted(event.on_defender, 'hit')} on "
                f"{event.defender} ({event.expected_on_defender:.1f} expected), {event.on_attacker} on "
                f"{event.attacker} ({event.expected_on_attacker:.1f}); "
                f"{event.attacker} wins {_share(event.wins)} of these."
            )
        case ev.Fought():
            cover = f" with {event.cover_points} for cover" if event.cover_points else ""
            return f"The attacker threw {event.attack_total}, the defender {event.defend_total}{cover}."
        case ev.Won():
            if not event.winner:
                return "Nobody was left of either company."
            alone = "" if event.retreats else f"; nobody of {event.loser} was left"
            return f"{event.winner} won the close combat{alone}."
        case ev.Withdrew():
            rolled = " + ".join(str(face) for face in event.roll)
            chits = state.chits[event.company]
            less = f", less {chits} each for its marker{'s' if chits > 1 else ''}" if chits else ""
            return f'{event.company} withdrew with {rolled}{less}: {event.inches}".'
        case ev.Settled():
            return "The close combat was settled."
        case ev.ChitsGiven():
            got = counted(abs(event.change), "morale marker")
            why = (
                f" {event.reason}" if event.reason.startswith("for ") else f" ({event.reason})" if event.reason else ""
            )
            return f"{event.company} {'got' if event.change > 0 else 'lost'} {got}{why}; it has {event.total}."
        case ev.EventRolled():
            thrown = f"{event.roll[0]} + {event.roll[1]}"
            return f"{title(event.side)} threw {thrown} for a random event: {EVENT_WORDS[event.what]}."
        case ev.Chosen():
            return f"{title(event.side)} chose {event.what}."
        case ev.Arrived():
            what = "shell" if event.what == "artillery" else "plane"
            return f"{title(event.side)} threw a {event.roll}: {counted(event.count, what)}."
        case ev.ShellFell():
            return _shell(event)
        case ev.TapeLaid():
            ends = " to ".join(f"{x:.1f}, {y:.1f}" for x, y in (event.start, event.end))
            under = f"it crosses {_listed(event.crossed)}" if event.crossed else "it crosses nobody"
            return f"The tape was laid from {ends}: {under}."
        case ev.Strafed():
            rolled = " ".join(str(face) for face in event.roll)
            shots = f", {counted(event.shots, 'shot')} back" if event.shots else ""
            made = counted(event.casualties, "possible casualty", "possible casualties")
            return f"The plane attacked {event.sub} with {rolled}: {made}{shots}."
        case ev.ShotBack():
            rolled = " ".join(str(face) for face in event.roll)
            made = counted(event.casualties, "possible casualty", "possible casualties")
            return f"The shots back had {rolled}: {EFFECT_WORDS[event.effect]}, after {made}."
        case ev.RunEnded():
            return "Nothing more came from off the table." if event.all else "That run was over."
        case ev.Bombed():
            what = "the plane was shot down" if event.crashed else "it hit" if event.hit else "it missed"
            return f"A bomb was dropped at {event.target} with a {event.roll}: {what}."
        case ev.StepEnded():
            pairs = "".join(f" {one} and {other} touch." for one, other in event.touching)
            return f"Turn {event.turn}, {title(event.side)}: {STEP_NAMES[event.step].removeprefix('the ')}.{pairs}"
        case ev.Ended():
            return f"{f'{title(event.winner)} won' if event.winner else 'A draw'}: {event.reason}"
        case ev.Corrected():
            return _correction(event)


EVENT_WORDS = {
    "opponent": "the opponent chooses artillery or aircraft",
    "low-ammunition": "low ammunition in its next activation phase",
    "nothing": "nothing happens",
    "artillery": "off-board artillery",
    "strafing": "a strafing run",
    "bombing": "a bombing run",
}


EFFECT_WORDS = {"none": "the plane flies on", "breaks-off": "the plane breaks off", "crashes": "the plane crashes"}


def _placed(event: ev.Placed) -> str:
    why = f" in a {event.because}" if event.because else ""
    if len(event.places) == 1:
        (place,) = event.places
        return f"{place.sub} was put at {place.at.x:.1f}, {place.at.y:.1f}{why}."
    return f"{_listed(tuple(place.sub for place in event.places))} were put where they stand{why}."


def _due(state: State, event: ev.SavesDue) -> str:
    """Hits to be saved: by one stand, or by those with cover of a company that the hits can reach."""
    hits = counted(event.hits, "hit")
    if len(event.slots) == 1:
        return f"{event.slots[0].sub} may save {hits}."
    names = _listed(tuple(slot.sub for slot in reached(event.slots, event.hits) if slot.cover))
    return f"{hits} on {state.company(event.slots[0].sub).id}: {names} may save."


def _saved(state: State, event: ev.Saved) -> str:
    due, stay = state.saves, sum(event.kept)
    off = 0 if due is None else saved(due.slots, due.hits, event.roll)
    lost = 0 if due is None else due.hits - off - stay
    beyond = f", {lost} find{'s' if lost == 1 else ''} nobody left" if lost else ""
    rolled = " ".join(str(face) for face in event.roll)
    return f"Saved with {rolled}: {counted(off, 'hit')} off, {stay} stay{'s' if stay == 1 else ''}{beyond}."


def _fired(state: State, event: ev.Fired) -> str:
    who = _listed(tuple(part.sub for part in event.parts))
    groups: dict[tuple[str, str], list[ev.Part]] = {}
    for part in event.parts:
        groups.setdefault((part.weapon, part.band), []).append(part)
    bands = "; ".join(
        f"{_listed(tuple(part.sub for part in parts))} {weapon_words(WEAPONS[weapon])} at {band} range "
        f"{sum(part.counted for part in parts)}{_signed(sum(part.add for part in parts))}"
        for (weapon, band), parts in groups.items()
    )
    if event.chits:
        bands += f"; {markers_words(event.chits)}"
    if event.spotter:
        bands += f"; {event.spotter} spotted"
    said = f"{who} of {event.company} fired at {event.target} with {counted(event.dice, 'die', 'dice')} ({bands}): "
    said += counted(event.points, "point")
    roll = f"a {event.roll}"
    if event.lowered:
        roll += f", read as a {chart.lowered(event.roll, event.lowered)},"
    if event.automatic:
        return f"{said}, which kills by itself."
    if event.kill_number is not None:
        done = "killed" if event.hits else "not killed"
        return f"{said} and {roll} make a kill number of {event.kill_number}; a {event.kill_roll}: {done}."
    target = state.stands.get(event.target)
    short = target is not None and not target.plan.soldiers and 0 < event.hits < target.toughness
    few = ", too few to hurt it" if short else ""
    return f"{said} and {roll} make {counted(event.hits, 'hit')} ({event.expected:.1f} expected){few}."


def _share(chance: float) -> str:
    """A chance in whole hundredths; one that is hardly none or hardly all is told as such."""
    if 0 < chance < 0.005:
        return "less than 1 %"
    return "more than 99 %" if 0.995 <= chance < 1 else f"{100 * chance:.0f} %"


def _signed(add: int) -> str:
    return f" {add:+d}" if add else ""


def _shell(event: ev.ShellFell) -> str:
    if event.at is None:
        return "A shell fell off the table."
    where = f"A shell fell at {event.at[0]:.1f}, {event.at[1]:.1f}"
    if not event.touched:
        return f"{where} and touched nobody."
    rolled = f", saves {' '.join(str(face) for face in event.roll)}" if event.roll else ""
    kept = ", ".join(f"{kept} on {name}" for name, kept in zip(event.touched, event.kept, strict=True))
    return f"{where} and touched {_listed(event.touched)}{rolled}: {kept}."


def _correction(event: ev.Corrected) -> str:
    because = f": {event.reason}" if event.reason else ""
    if event.off:
        return f"The referee took {event.sub} off the table{because}."
    parts = [f"its place: {event.at.x:.1f}, {event.at.y:.1f}"] if event.at else []
    parts += [f"{event.men} men"] if event.men is not None else []
    parts += [f"cover {event.cover}"] if event.cover is not None else []
    parts += ["leads"] if event.lead else []
    return f"The referee set {event.sub} right ({', '.join(parts) or 'nothing'}){because}."
