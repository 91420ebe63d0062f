"""The score: what the attackers have won by the end [Victory]."""

from __future__ import annotations

from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.data import FREE_TURNS, POINTS_TO_WIN
from tabletop.rulesets.combined_arms.state import State

Line = tuple[str, int, int]
"""What is counted, how many of it, and the points for all of them."""


def score_lines(state: State, turns: int | None = None) -> tuple[Line, ...]:
    """The score sheet as the game stands, after so many full turns (``None``: those played); unrevealed counters
    count nothing."""
    tally = state.tally
    played = turns_played(state) if turns is None else turns
    platoons = sum(c.revealed for c in state.enemy)
    guns = sum(c.atg == "real" for c in state.enemy)
    exploiting = sum(p.fate == "exploited" for p in state.platoons)
    counted = exploiting if not platoons else min(exploiting, tally.platoons_broken)
    own = sum(p.fate == "broken" for p in state.platoons)
    late = 0 if state.setup.easier else max(0, played - FREE_TURNS)
    lines = [
        ("enemy anti-tank guns in play", guns, guns),
        ("enemy platoons in play", platoons, 2 * platoons),
        ("enemy anti-tank guns broken", tally.atgs_broken, 2 * tally.atgs_broken),
        ("enemy platoons broken", tally.platoons_broken, 4 * tally.platoons_broken),
        ("exploiting platoons", counted, 2 * counted),
        ("own platoons broken", own, -2 * own),
        (f"turns after turn {FREE_TURNS}", late, -late),
    ]
    if exploiting > counted:
        lines.insert(5, ("exploiting beyond the platoons broken, with defenders left", exploiting - counted, 0))
    if state.handicap:
        lines.append(("handicap granted", 1, state.handicap))
    return tuple(lines)


def turns_played(state: State) -> int:
    """Full turns that have been played."""
    return state.turn if state.step in ("final", "over") else max(0, state.turn - 1)


def score(state: State) -> int:
    """The points as the game stands."""
    return sum(points for _, _, points in score_lines(state))


def finish_event(state: State) -> ev.Finished:
    """The event that ends a game whose counters are all uncovered."""
    lines = score_lines(state)
    total = sum(points for _, _, points in lines)
    return ev.Finished(lines, total, "attacker" if total >= POINTS_TO_WIN else "defender")
