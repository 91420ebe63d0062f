"""What only the after-action report says of a game of Combined Arms: its beginning, its secrets, quiet events gathered.

Every word and number comes from an event or the states round it. What is secret in the game with a player for the enemy
is told by the event that ends it, and by none before.
"""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tabletop.aar.adapter import ReportEvent
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import COUNT, NAMES
from tabletop.rulesets.combined_arms.data import FREE_TURNS, POINTS_TO_WIN, TERRAIN, TURNS
from tabletop.rulesets.combined_arms.event_text import MODES, hidden_text, way_text
from tabletop.rulesets.combined_arms.laying_out import is_tied
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import State
from tabletop.words import and_list, count

# --- the beginning ---------------------------------------------------------------------------------------------------


def opening(title: str, state: State) -> tuple[str, ...]:
    """The variant, the board, the two sides, what wins."""
    setup = state.setup
    known = state.ground.known.bit_count()
    more = "since the side near the attackers had more cover"
    why = "as a die settled, since both sides had as much cover" if is_tied(state) else more
    turned = f" The board was turned round, {why}." if state.turned else ""
    board = (
        f"The board has 79 hexes: {_terrain_words(state)}, with a road of {len(state.ground.road)} hexes across it."
        f"{turned}"
        if known == COUNT
        else f"The terrain of {known} of the board’s 79 hexes is known."
    )
    return (
        f"{title}, at most {TURNS} turns. {MODES[setup.mode]}",
        board,
        *_sides_words(state),
        f"The attackers win with {POINTS_TO_WIN} points: 4 for a platoon broken and 2 for one found and in play, 2 for"
        " anti-tank guns broken and 1 for guns in play, 2 for a platoon that exploits beyond the far edge, and 2 less"
        f" for a platoon of their own that breaks; {_late_words(setup)}.",
        *([f"The attackers add {count(state.handicap, 'point')} to their score."] if state.handicap else []),
    )


def _late_words(setup: Setup) -> str:
    if setup.easier:
        return "in this easier game late turns cost nothing"
    return f"every turn after turn {FREE_TURNS} costs 1"


def _terrain_words(state: State) -> str:
    kinds = Count(state.ground.terrain)
    return and_list([f"{kinds[kind]} {kind}" for kind in TERRAIN if kinds[kind]])


def _sides_words(state: State) -> tuple[str, ...]:
    attackers = (
        "The attackers entered over row 1 with a battalion: 9 rifle platoons (D, E and F companies), 2 of MMGs, 3 of"
        " armour, and mortars."
    )
    if state.setup.position is not None:
        return (attackers,)
    if not state.tally.placed:
        return (attackers, "The defenders had not taken position yet.")
    guns = state.tally.guns_placed
    return (
        attackers,
        f"The defenders held the far side with {count(state.tally.placed, 'potential platoon')}, {guns or 'none'} of"
        " them with potential anti-tank guns.",
    )


# --- events ----------------------------------------------------------------------------------------------------------


def details(entry: ReportEvent) -> tuple[str, ...]:
    """What a report adds to an event's text: where units stood at the beginning, smoke left, secrets at the end."""
    match entry.event:
        case ev.Started(setup=setup) if setup.position is not None:
            return _position_words(entry.after)
        case ev.Called(ammo="smoke"):
            left = entry.after.smoke_rounds
            return (f"{count(left, 'round')} of smoke {'was' if left == 1 else 'were'} left.",)
        case ev.Finished() | ev.Conceded():
            return _secret_words(entry.before)
    return ()


def _position_words(state: State) -> tuple[str, ...]:
    here = and_list([f"{and_list([p.id for p in every])} in {NAMES[at]}" for at, every in sorted(state.by_hex.items())])
    there = and_list([NAMES[c.at] for c in state.enemy])
    waiting = and_list([p.id for p in state.platoons if p.fate == "waiting"])
    return (
        f"The game began in turn {state.turn}, with {here or 'no platoon'} on the board.",
        *([f"Defenders, real or potential, stood in {there}."] if there else []),
        *([f"{waiting} had not entered yet."] if waiting else []),
    )


def _secret_words(state: State) -> tuple[str, ...]:
    """What the enemy's player kept secret, once the game is over."""
    secret = state.secret
    if secret is None:
        return ()
    platoons = and_list([NAMES[n] for n in sorted(secret.platoon_hexes)])
    guns = and_list([NAMES[n] for n in sorted(secret.atg_hexes)])
    return (
        f"The defenders had rolled for {count(secret.platoons, 'real platoon')} and {secret.atgs} with anti-tank guns:"
        f" platoons in {platoons or 'no hex'}, guns in {guns or 'none'}.",
    )


def run_summary(events: Sequence[Any]) -> tuple[str, ...]:
    """Sentences for several platoons that moved, and one for counters that recovered, stayed hidden or did no more.

    >>> run_summary([ev.Rallied("5-2"), ev.Passed("6-1"), ev.Rallied("5-4")])
    ('5-2 and 5-4 recovered; 6-1 did no more.',)
    >>> run_summary([ev.Moved("D1", ("2-3", "3-3")), ev.Moved("D2", ("2-3", "3-3"))])
    ('D1 and D2 moved from 2-3 to 3-3.',)
    """
    ways: dict[ev.Moved, list[str]] = {}
    for event in events:
        if isinstance(event, ev.Moved):
            ways.setdefault(replace(event, unit=""), []).append(event.unit)
    moved = [f"{and_list(units)} {way_text(way)}." for way, units in ways.items()]
    still = _still_words(events)
    return (*moved, *([f"{still}."] if still else []))


def _still_words(events: Sequence[Any]) -> str:
    parts = []
    fresh = [event.hex for event in events if isinstance(event, ev.Rallied)]
    parts += [f"{and_list(fresh)} recovered"] if fresh else []
    hidden = [row for event in events if isinstance(event, ev.Lurked) for row in event.counters]
    parts += [hidden_text(hidden)] if hidden else []
    passed = [event for event in events if isinstance(event, ev.Passed)]
    for because in dict.fromkeys(event.because for event in passed):
        names = and_list([event.hex for event in passed if event.because == because])
        parts.append(f"{names} did no more{f' ({because})' if because else ''}")
    return "; ".join(parts)
