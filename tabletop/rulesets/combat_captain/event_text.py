"""What happened in a game of Combat Captain, in plain sentences: for the command line, the log, the phone and the
after-action report. Numbers come from the event and the state before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from tabletop.game.errors import EventError
from tabletop.open_table.terrain import terrain_text
from tabletop.rulesets.combat_captain import chart
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.aiming import weapon_words
from tabletop.rulesets.combat_captain.damage import Slot, hits_saved, slots_hit
from tabletop.rulesets.combat_captain.data import KIND_WORDS, STEP_NAMES, WEAPONS
from tabletop.rulesets.combat_captain.firing import markers_words
from tabletop.rulesets.combat_captain.setup import Point
from tabletop.rulesets.combat_captain.state import State
from tabletop.small_games.words import destroyed_news, hits_news
from tabletop.words import and_list, capital, count, decimal, inches, number, percent, settled_text, with_full_stop

_HELP_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "opponent": "the opponent chooses artillery or aircraft",
        "low-ammunition": "low ammunition in its next activation phase",
        "nothing": "nothing happens",
        "artillery": "off-board artillery",
        "strafing": "a strafing run",
        "bombing": "a bombing run",
    }
)
_EFFECT_TEXTS: Mapping[str, str] = MappingProxyType(
    {"none": "the plane flew on", "breaks-off": "the plane broke off", "crashes": "the plane crashed"}
)


def event_text(state: State | None, event: ev.Event) -> str:
    """What happened, in one or two sentences; ``state`` is the one before it (``None``: before the first event).

    Raises EventError for another event without a state.
    """
    if isinstance(event, ev.Started):
        return f"{event.setup.title} was laid out."
    if state is None:
        raise EventError("the first event of a game must lay it out (started).")
    return f"{_text(state, event)}{settled_text(getattr(event, 'overruled', ()))}"


def news(event: ev.Event) -> str:
    """The result of fire in a few words; empty for other events."""
    match event:
        case ev.Fired():
            return hits_news(event.target, event.hits, event.company)
        case ev.Lost():
            return f"{event.sub} −{event.men}, {event.left} left" + (f" ({event.by})" if event.by else "")
        case ev.Destroyed():
            return destroyed_news(event.sub, event.by)
    return ""


def _text(state: State, event: ev.Event) -> str:
    title = state.setup.side_title
    match event:
        case ev.Started():
            return f"{event.setup.title} was laid out."
        case ev.Begun():
            return "The first turn began."
        case ev.Placed():
            return _placement_text(state, event)
        case ev.CoverTaken():
            names = and_list(event.subs)
            if not event.level:
                return f"{names} left cover."
            way = "" if event.facing is None else f", facing {event.facing:.0f}"
            return f"{names} took cover of level {event.level}{way}."
        case ev.Fired():
            return _fire_text(state, event)
        case ev.DiceSpent():
            why = f" ({event.reason})" if event.reason else ""
            company = company_name(state, event.company)
            return f"{company} spent {count(event.dice, 'die', 'dice')} of its turn on something else than fire{why}."
        case ev.SavesDue():
            return _saves_due_text(state, event)
        case ev.Saved():
            return _saves_text(state, event)
        case ev.Lost():
            by = f" to {_source(state, event.by)}" if event.by else ""
            return f"{event.sub} lost {count(event.men, 'soldier')}{by}; {event.left} left."
        case ev.Destroyed():
            who = sub_name(state, event.sub, side=True)
            return f"{capital(_source(state, event.by))} destroyed {who}." if event.by else f"Destroyed: {who}."
        case ev.Consolidated():
            return f"{count(event.men, 'soldier')} of {event.giver} joined {event.taker}."
        case ev.Promoted():
            return f"{event.sub} now leads {company_name(state, event.company)}."
        case ev.Assaulted():
            return _assault_text(state, event)
        case ev.Fought():
            cover = f", {event.cover_points} of them for cover" if event.cover_points else ""
            return (
                f"The attackers rolled {_faces(event.attack_roll)} and had {event.attack_total}; the defenders rolled"
                f" {_faces(event.defend_roll)} and had {event.defend_total}{cover}."
            )
        case ev.Won():
            if not event.winner:
                return "Nobody was left of either company."
            alone = "" if event.retreats else f"; nobody of {company_name(state, event.loser)} was left"
            return f"{company_name(state, event.winner)} won the close combat{alone}."
        case ev.Withdrew():
            chits = state.chits[event.company]
            less = f", less {chits} each for its {'marker' if chits == 1 else 'markers'}" if chits else ""
            who = company_name(state, event.company)
            return f"{who} withdrew with {_faces(event.roll)}{less}: {inches(event.inches)}."
        case ev.Settled():
            return "The close combat was over."
        case ev.ChitsGiven():
            change = f"{'got' if event.change > 0 else 'lost'} {count(abs(event.change), 'morale marker')}"
            reason = event.reason if event.reason.startswith("for ") else f"({event.reason})"
            why = f" {reason}" if event.reason else ""
            return f"{company_name(state, event.company)} {change}{why}; it has {event.total}."
        case ev.EventRolled():
            return f"{title(event.side)} rolled {_faces(event.roll)} for a random event: {_HELP_TEXTS[event.what]}."
        case ev.Chosen():
            return f"{title(event.side)} chose {event.what}."
        case ev.Arrived():
            what = "shell" if event.what == "artillery" else "plane"
            return f"{title(event.side)} rolled a {event.roll}: {count(event.count, what)}."
        case ev.ShellFell():
            return _shell_text(event)
        case ev.TapeLaid():
            across = and_list(event.crossed) or "nobody"
            return f"The tape was laid from {_point(event.start)} to {_point(event.end)}, across {across}."
        case ev.Strafed():
            shots = f", and {count(event.shots, 'shot')} back" if event.shots else ""
            return f"The plane attacked {event.sub}: {_faces(event.roll)} made {_casualties(event.casualties)}{shots}."
        case ev.ShotBack():
            effect = f"{_EFFECT_TEXTS[event.effect]}, after {_casualties(event.casualties)}"
            return f"The shots back rolled {_faces(event.roll)}: {effect}."
        case ev.RunEnded():
            return "Nothing more came from off the table." if event.all else "The run was over."
        case ev.Bombed():
            result = "the plane was shot down" if event.crashed else "it hit" if event.hit else "it missed"
            return f"A bomb was dropped on {sub_name(state, event.target)}: a {event.roll}, and {result}."
        case ev.StepEnded():
            pairs = "".join(f" {one} and {other} touch." for one, other in event.touching)
            return f"Turn {event.turn}, {title(event.side)}: {STEP_NAMES[event.step].removeprefix('the ')}.{pairs}"
        case ev.Ended():
            return f"{f'{title(event.winner)} won' if event.winner else 'A draw'}: {with_full_stop(event.reason)}"
        case ev.Corrected():
            return _correction_text(state, event)
        case ev.TerrainDrawn() | ev.TerrainErased():
            return terrain_text(event)


# --- names, places, figures ----------------------------------------------------------------------------------------


def sub_name(state: State, sub: str, *, side: bool = False) -> str:
    """A sub-unit in a sentence: its kind and id, or its own name with the id; ``side``: with its side's title."""
    plan = state.setup.plans[sub]
    title = state.setup.side_title(state.setup.side_of(sub))
    if plan.name:
        return f"{plan.name} ({sub}, {title})" if side else f"{plan.name} ({sub})"
    return f"{KIND_WORDS[plan.kind]} {sub}{f' ({title})' if side else ''}"


def company_name(state: State, company: str) -> str:
    """A company in a sentence: its name with its id, or its id alone."""
    name = state.setup.by_id[company].name
    return f"{name} ({company})" if name else company


def _source(state: State, by: str) -> str:
    """Who or what did harm: a company by its name, else a shell or a plane as the log has it."""
    return company_name(state, by) if by in state.setup.by_id else by


def _point(at: Point) -> str:
    return f"({decimal(at[0])}, {decimal(at[1])})"


def _faces(roll: Iterable[int]) -> str:
    return and_list([str(face) for face in roll])


def _casualties(value: int) -> str:
    return count(value, "possible casualty", "possible casualties")


# --- events that take more than a line -----------------------------------------------------------------------------


def _placement_text(state: State, event: ev.Placed) -> str:
    ways = []
    for place in event.places:
        stand = state.stands.get(place.sub)
        start = "" if stand is None or stand.at is None else f"from {_point((stand.at.x, stand.at.y))} "
        ways.append(f"{place.sub} {start}to {_point((place.at.x, place.at.y))}")
    why = f" in a {event.because}" if event.because else ""
    return f"Moved{why}: {and_list(ways)}."


def _assault_text(state: State, event: ev.Assaulted) -> str:
    return (
        f"{company_name(state, event.attacker)} met {company_name(state, event.defender)} in close combat:"
        f" {count(event.on_defender, 'hit')} on {event.defender}, {number(event.expected_on_defender)} expected, and"
        f" {event.on_attacker} on {event.attacker}, {number(event.expected_on_attacker)} expected."
        f" {event.attacker} wins such a fight in {percent(event.wins)} of cases."
    )


def _saves_due_text(state: State, event: ev.SavesDue) -> str:
    hits = count(event.hits, "hit")
    if len(event.slots) == 1:
        return f"{event.slots[0].sub} may save {hits}."
    return f"{hits} on {state.company(event.slots[0].sub).id}: {_savers(event)} may save."


def _savers(due: ev.SavesDue) -> str:
    """Those with cover whom the hits can reach; all of them where one stands alone."""
    struck = slots_hit(due.slots, due.hits)
    return and_list([slot.sub for slot in struck if slot.cover or len(due.slots) == 1])


def _saves_text(state: State, event: ev.Saved) -> str:
    due, kept = state.saves, sum(event.kept)
    if due is None:
        raise EventError("no hits are to be saved.")
    off = hits_saved(due.slots, due.hits, event.roll)
    lost = due.hits - off - kept
    beyond = f", {lost} had nobody left to hit" if lost else ""
    rolled = f"{_savers(due)} rolled {_faces(event.roll)} to save"
    struck = [(slot, hits) for slot, hits in zip(due.slots, event.kept, strict=True) if hits]
    struck = struck or [(slot, 0) for slot in slots_hit(due.slots, due.hits) if slot.cover]
    gone = [slot.sub for slot, hits in struck if _destroys(state, slot, hits)]
    effects = [f"{and_list(gone)} {'are' if len(gone) > 1 else 'is'} destroyed"] if gone else []
    effects += [_kept_text(state, slot, hits) for slot, hits in struck if slot.sub not in gone]
    did = f", so that {and_list(effects)}" if effects else ""
    return f"{rolled}: {count(off, 'hit')} saved, {kept} not{beyond}{did}."


def _destroys(state: State, slot: Slot, hits: int) -> bool:
    return hits >= slot.toughness and (slot.whole or hits >= state.stands[slot.sub].men)


def _kept_text(state: State, slot: Slot, hits: int) -> str:
    """What hits that were not saved do to a sub-unit that they do not destroy."""
    stand = state.stands[slot.sub]
    if slot.whole:
        return f"{slot.sub} is not hurt" if not hits else f"{slot.sub}, which takes {slot.toughness}, is not hurt"
    return f"{slot.sub} loses {f'{hits} of {stand.men} soldiers' if hits else 'nobody'}"


def _fire_text(state: State, event: ev.Fired) -> str:
    groups: dict[tuple[str, str], list[ev.Part]] = {}
    for part in event.parts:
        groups.setdefault((part.weapon, part.band), []).append(part)
    how = [
        f"{_subs(parts)} {weapon_words(WEAPONS[weapon])} at {band} range"
        f" {sum(part.counted for part in parts)}{_bonus(sum(part.add for part in parts))}"
        for (weapon, band), parts in groups.items()
    ]
    how += [markers_words(event.chits)] if event.chits else []
    how += [f"{event.spotter} spotted"] if event.spotter else []
    fire = (
        f"{_subs(event.parts)} of {company_name(state, event.company)} fired at {sub_name(state, event.target)} with"
        f" {count(event.dice, 'die', 'dice')} ({'; '.join(how)}): {count(event.points, 'point')}"
    )
    if event.automatic:
        return f"{fire}, which kills by itself."
    read_as = f", read as a {chart.column_of(event.roll, event.lowered)}," if event.lowered else ""
    fire += f" and a {event.roll}{read_as}"
    if event.kill_number is not None:
        result = "killed" if event.hits else "not killed"
        return f"{fire} made a kill number of {event.kill_number}; a {event.kill_roll}: {result}."
    target = state.stands.get(event.target)
    short = target is not None and not target.plan.soldiers and 0 < event.hits < target.toughness
    few = ", too few to hurt it" if short else ""
    return f"{fire} made {count(event.hits, 'hit')}, {number(event.expected)} expected{few}."


def _subs(parts: Sequence[ev.Part]) -> str:
    return and_list([part.sub for part in parts])


def _bonus(add: int) -> str:
    return f" {add:+d}" if add else ""


def _shell_text(event: ev.ShellFell) -> str:
    if event.at is None:
        return "A shell fell off the table."
    shell = f"A shell fell at {_point(event.at)}"
    if not event.touched:
        return f"{shell} and touched nobody."
    rolled = f", saved with {_faces(event.roll)}" if event.roll else ""
    hits = [f"{count(kept, 'hit')} on {name}" for name, kept in zip(event.touched, event.kept, strict=True)]
    men = event.men or [0] * len(event.touched)
    who = [f"{name} ({count(n, 'soldier')})" if n else name for name, n in zip(event.touched, men, strict=True)]
    return f"{shell} and touched {and_list(who)}{rolled}: {and_list(hits)}."


def _correction_text(state: State, event: ev.Corrected) -> str:
    title = f"Correction of {sub_name(state, event.sub)}{f' ({event.reason})' if event.reason else ''}"
    if event.off:
        return f"{title}: taken off the table."
    changes = [f"put at {_point((event.at.x, event.at.y))}"] if event.at else []
    changes += [count(event.men, "man", "men")] if event.men is not None else []
    changes += [f"cover {event.cover}"] if event.cover is not None else []
    changes += ["leads"] if event.lead else []
    return f"{title}: {and_list(changes) or 'nothing changed'}."
