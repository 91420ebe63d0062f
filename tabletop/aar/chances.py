"""Deciding moments ranked by how much each act changed the chance to win, for rules that support playing games out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from tabletop.aar.moments import acts_of, moments_by_chance
from tabletop.aar.story import Story
from tabletop.game.parts import part, parts_of
from tabletop.game.playing_out import Act, ChanceChange, PlayingOut, changes_of

Chances = Mapping[int, ChanceChange]
"""The change that each act made, by the number of its first record in the log."""


def has_chances(rules: str) -> bool:
    """Whether games of these rules can be played out."""
    return bool(parts_of(rules).playing_out)


def count_chances(story: Story, rules: str, *, seed: int = 0) -> Chances:
    """Play a game out with and without each of its acts. It takes up to a minute; the same seed gives the same result.

    Raises RulesError for rules that do not support playing games out.
    """
    player: PlayingOut = part(rules, "playing_out")
    acts = played_acts(story)
    changes = changes_of(player, list(acts.values()), seed=seed)
    return {seq: change for seq, change in zip(acts, changes, strict=True) if change is not None}


def played_acts(story: Story) -> dict[int, Act]:
    """The acts of a game in the form that is played out, by the number of each act's first record in the log."""
    begun: dict[int, Any] = {}
    done: dict[int, Any] = {}
    for entry in story.entries:
        if entry.event is not None:
            begun.setdefault(entry.record.group, entry.event.before)
            done[entry.record.group] = entry.event.after
    acts = {}
    for act in acts_of(story.entries):
        told = [entry.event for entry in act if entry.event is not None]
        whole = begun[act[0].record.group], done[act[-1].record.group]
        events = tuple(each.event for each in told)
        acts[act[0].record.seq] = Act(told[0].before, events, told[-1].after, whole)
    return acts


def with_chances(story: Story, chances: Chances) -> Story:
    """The story with its moments ranked by these chances."""
    return replace(story, moments=moments_by_chance(acts_of(story.entries), chances, story.sides, story.adapter))


def chances_json(chances: Chances) -> list[dict[str, Any]]:
    """The chances as JSON, to be stored beside a log."""
    return [{"seq": seq, **asdict(change)} for seq, change in chances.items()]


def chances_from_json(rows: list[dict[str, Any]]) -> Chances:
    """Read the output of :func:`chances_json`."""
    return {row["seq"]: ChanceChange(**{name: row[name] for name in row if name != "seq"}) for row in rows}
