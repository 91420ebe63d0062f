"""Deciding moments by what each act changed of the chance to win, where the rules have a player that plays games out."""

from __future__ import annotations

from dataclasses import replace

from tabletop.aar.moments import acts_of, moments_by_chance
from tabletop.aar.story import Story
from tabletop.game.parts import part, parts_of
from tabletop.game.playing_out import Act, PlayingOut, changes_of


def has_chances(rules: str) -> bool:
    """Whether games of these rules can be played out."""
    return bool(parts_of(rules).playing_out)


def with_chances(story: Story, rules: str, *, seed: int = 0) -> Story:
    """The story with its moments weighed by the chance to win. It takes half a minute or so; the same seed counts the
    same. Raises RulesError for rules whose games can't be played out."""
    player: PlayingOut = part(rules, "playing_out")
    rows = acts_of(story.entries)
    acts = []
    for act in rows:
        told = [entry.event for entry in act if entry.event is not None]
        acts.append(Act(told[0].before, tuple(each.event for each in told), told[-1].after))
    changes = changes_of(player, acts, seed=seed)
    return replace(story, moments=moments_by_chance(rows, changes, story.sides, story.adapter))
