"""A game of Combat Captain at one moment, as text for a terminal of 80 columns: who stands where, and in what state."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from tabletop.open_table.words import brief as brief
from tabletop.rulesets.combat_captain.checks_combat import left_to_fight
from tabletop.rulesets.combat_captain.control import Finding, findings, overlaps
from tabletop.rulesets.combat_captain.data import DICE_PER_TURN, KIND_WORDS, STEP_NAMES
from tabletop.rulesets.combat_captain.due import due_forms, due_words
from tabletop.rulesets.combat_captain.event_text import news as news
from tabletop.rulesets.combat_captain.setup import Company, SubUnit
from tabletop.rulesets.combat_captain.state import Stand, State
from tabletop.small_games.words import title as title
from tabletop.words import aligned_tables, count

_COLUMNS = ("men", "place", "facing", "markers")
_WIDTH = 80


def in_words(state: State) -> str:
    """The whole state: whose step it is, companies with their sub-units, who is off the table, who is out of hand."""
    sections = [headline(state), *_forces(state)]
    if state.gone:
        gone = ", ".join(f"{name} ({_why(why)} in turn {turn})" for name, why, turn in state.gone)
        sections.append(textwrap.fill(f"Off the table: {gone}.", _WIDTH, subsequent_indent="  "))
    order = [finding.words for company in state.setup.companies for finding in findings(state, company.id)]
    if order:
        sections.append("\n".join(textwrap.fill(words, _WIDTH, subsequent_indent="  ") for words in order))
    lost = [f"{state.setup.side_title(side)} {count}" for side, count in state.planes_lost.items() if count]
    if lost:
        sections.append(f"Planes lost: {', '.join(lost)}.")
    if state.setup.aims:
        aims = " ".join(state.setup.aims)
        sections.append(textwrap.fill(f"Aims: {aims}", _WIDTH, subsequent_indent="  "))
    return "\n\n".join(sections)


def in_short(state: State) -> str:
    """The state on half a screen: whose step it is, a line for each company, how many are out of hand."""
    lines = [headline(state)]
    for company in state.setup.companies:
        members = state.members(company.id)
        men = sum(stand.men for stand in members)
        told = [f"{len(members)} of {len(company.subs)} sub-units", *([count(men, "man", "men")] if men else [])]
        leader = state.stands.get(state.leaders[company.id])
        if leader is not None and leader.at is not None:
            told.append(f"{leader.id} leads at {leader.at.x:.0f}, {leader.at.y:.0f}")
        used, chits = state.dice_used(company.id), state.chits[company.id]
        told += [f"{used} of {DICE_PER_TURN} dice used"] if used else []
        told += [count(chits, "morale marker")] if chits else []
        astray = len({finding.subs for finding in findings(state, company.id)})
        told += [f"{astray} isolated or strung out"] if astray else []
        side = state.setup.side_title(company.side)
        line = f"{company.id} ({side}): {', '.join(told)}"
        lines.append(textwrap.fill(line, _WIDTH, initial_indent="  ", subsequent_indent="    "))
    return "\n".join(lines)


def headline(state: State) -> str:
    """Whose step it is, in a line."""
    setup = state.setup
    if state.result is not None:
        won = f"{setup.side_title(state.result.winner)} won" if state.result.winner else "a draw"
        return f"{setup.title}, turn {state.turn}. {won[:1].upper()}{won[1:]}: {state.result.reason}"
    if state.step == "deploy":
        return f"{setup.title}: the set-up."
    of = f" of {setup.turns}" if setup.turns else ""
    low = ", low ammunition" if state.short and state.step == "activations" else ""
    step = STEP_NAMES[state.step].removeprefix("the ")
    return f"{setup.title}, turn {state.turn}{of}. {setup.side_title(state.side)}: {step}{low}."


def next_words(state: State) -> str:
    """What has to be done before anything else, or before the step ends, in a line; empty where nothing has."""
    if state.step == "deploy":
        left = [stand.id for stand in state.stands.values() if stand.at is None]
        waiting = f"Not on the table yet: {', '.join(left)}. " if left else ""
        return f"{waiting}Turn 1 begins when all is placed."
    if state.step == "over":
        return ""
    touching = " ".join(f"{one} and {other} touch: an assault." for one, other in left_to_fight(state))
    return due_words(state) or touching


def next_forms(state: State) -> tuple[str, ...]:
    """How that is typed."""
    if state.step == "deploy":
        return ("begin",)
    if state.step == "over":
        return ()
    return due_forms(state) or tuple(f"assault {one} at {other}" for one, other in left_to_fight(state))


def units(state: State) -> tuple[str, ...]:
    """The ids of all sub-units of the game, on the table or not."""
    return tuple(state.setup.plans)


def of_unit(state: State, unit_id: str) -> str:
    """One sub-unit, or a company, in a line."""
    if unit_id in state.setup.by_id:
        return _of_company(state, state.setup.by_id[unit_id])
    plan, stand = state.setup.plans.get(unit_id), state.stands.get(unit_id)
    if plan is None:
        return f"{unit_id}: not in this game."
    if stand is None:
        why, turn = next((why, turn) for name, why, turn in state.gone if name == unit_id)
        return f"{_name(plan)}: {_why(why)} in turn {turn}."
    men, place, facing, marks = _row(state, stand)
    parts = [f"{men} men"] if plan.soldiers else []
    parts += [f"at {place} facing {facing}" if stand.at is not None else place]
    parts += [marks] if marks else []
    parts += [finding.words.split(": ", 1)[0] for finding in _findings_of(state, unit_id)]
    return f"{_name(plan)} of {state.company(unit_id).id}: {'; '.join(parts)}."


def _of_company(state: State, company: Company) -> str:
    members = state.members(company.id)
    chits = state.chits[company.id]
    told = [f"{len(members)} of {len(company.subs)} sub-units", f"led by {state.leaders[company.id]}"]
    told += [f"{chits} morale marker{'s' if chits != 1 else ''}"] if chits else []
    return f"{company.name or company.id}: {', '.join(told)}."


def _findings_of(state: State, unit_id: str) -> Iterator[Finding]:
    company = state.company(unit_id).id
    return (f for f in findings(state, company) if f.what == "isolated" and f.subs == (unit_id,))


def remarks(state: State, unit_ids: Iterable[str]) -> tuple[str, ...]:
    """What players may miss about sub-units that were just put down: out of control, strung out, on another stand."""
    wanted = tuple(name for name in dict.fromkeys(unit_ids) if name in state.stands)
    companies = dict.fromkeys(state.company(name).id for name in wanted)
    told = []
    for company in companies:
        for finding in findings(state, company):
            if finding.what == "long" or finding.subs[0] in wanted:
                told.append(finding.words)
    for name, over in overlaps(state, wanted).items():
        told.append(f"{name} stands on {', '.join(over)}: undo, or put it elsewhere.")
    return tuple(told)


def _forces(state: State) -> Iterator[str]:
    tables = []
    for company in state.setup.companies:
        members = state.members(company.id)
        chits = state.chits[company.id]
        used = state.dice_used(company.id)
        marks = f", {used} of {DICE_PER_TURN} dice used" if used else ""
        marks += f", morale markers {chits}" if chits else ""
        head = f"{company.name or company.id} ({state.setup.side_title(company.side)}{marks})"
        rows = [(head, *_COLUMNS)]
        rows += [(f"  {_name(stand.plan)}", *_row(state, stand)) for stand in members]
        tables.append(rows if members else [(f"{head}: nobody left", "", "", "", "")])
    return aligned_tables(tables)


def _row(state: State, stand: Stand) -> tuple[str, str, str, str]:
    men = str(stand.men) if stand.plan.soldiers else ""
    marks = ", ".join(markers(state, stand))
    if stand.at is None:
        return men, "not on the table", "", marks
    facing = "?" if stand.at.facing is None else f"{stand.at.facing:.0f}"
    return men, f"{stand.at.x:.1f}, {stand.at.y:.1f}", facing, marks


def markers(state: State, stand: Stand) -> Sequence[str]:
    """What is to be known of a sub-unit beside its place, a few words each."""
    found = ["leads"] if state.leaders[state.company(stand.id).id] == stand.id else []
    if stand.cover:
        way = "" if stand.cover >= 4 or stand.cover_facing is None else f" to {stand.cover_facing:.0f}"
        found.append(f"cover {stand.cover}{way}")
    return [*found, f"fired {stand.fired}"] if stand.fired else found


def _name(plan: SubUnit) -> str:
    return f"{plan.id} {KIND_WORDS[plan.kind]}" + (f" ({plan.name})" if plan.name else "")


def _why(why: str) -> str:
    return {"destroyed": "destroyed", "removed": "taken off"}[why]
