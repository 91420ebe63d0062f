"""The story as data for other programs: the same turns, moments, luck and losses as in the report."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tabletop.aar.adapter import Throw
from tabletop.aar.document import Table
from tabletop.aar.entries import Entry
from tabletop.aar.figures import running_luck
from tabletop.aar.moments import Moment
from tabletop.aar.story import Phase, Story


def story_json(story: Story) -> dict[str, Any]:
    """The story as a mapping ready for JSON; ``seq`` names the log's record that a sentence or figure comes from."""
    turns = [turn.number for turn in story.turns_played]
    return {
        "version": 1,
        "title": story.title,
        "rules": story.adapter.rules_title,
        "sides": [asdict(side) for side in story.sides],
        "opening": list(story.opening),
        "turns": [{"turn": turn.number, "phases": [_phase(p) for p in turn.phases]} for turn in story.turns],
        "moments": [_moment(moment) for moment in story.moments],
        "luck": [{**asdict(row), "luck": row.luck} for row in story.luck],
        "running_luck": {side.id: running_luck(story, side.id, turns) for side in story.sides},
        "losses": [{"turn": loss.turn, **asdict(loss.change), "last": loss.last} for loss in story.losses],
        "forces": [asdict(force) for force in story.forces],
        **({"sheets": [_sheet(sheet) for sheet in story.sheets]} if story.sheets else {}),
        "outcome": None if story.outcome is None else asdict(story.outcome),
        "log": asdict(story.count),
    }


def _phase(phase: Phase) -> dict[str, Any]:
    told = [entry for entry in phase.entries if entry.sentences or entry.quote]
    return {"side": phase.clock.side, "step": phase.clock.step, "entries": [_entry(entry) for entry in told]}


def _entry(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {"seq": entry.record.seq, "actor": entry.record.actor, "kind": entry.record.kind}
    if entry.quote is not None:
        return {**found, "quote": entry.quote.text}
    return {
        **found,
        "sentences": list(entry.sentences),
        **({"throw": _throw(entry.throws[0])} if entry.throws else {}),
        **({"also_thrown": [_throw(throw) for throw in entry.throws[1:]]} if entry.throws[1:] else {}),
        **({"changes": [asdict(change) for change in entry.changes]} if entry.changes else {}),
    }


def _throw(throw: Throw) -> dict[str, Any]:
    return {**asdict(throw), "luck": throw.luck}


def _sheet(sheet: Table) -> dict[str, Any]:
    return {"title": sheet.title, "header": list(sheet.header), "rows": [list(row) for row in sheet.rows]}


def _moment(moment: Moment) -> dict[str, Any]:
    return {
        "number": moment.number,
        **asdict(moment.clock),
        "weight": moment.weight,
        "why": moment.why,
        **({} if moment.chance is None else {"chance": asdict(moment.chance)}),
        "sentences": list(moment.sentences),
        "seqs": list(moment.seqs),
    }
