"""Combined Arms in the after-action report, in words: the beginning, names, dice and odds.

Every word and number comes from an event, the states round it, or exact odds. What is secret in the game with a player
for the enemy is told by the event that ends it, and by none before.
"""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tabletop.aar.words import MINUS, count, joined, number
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import COUNT, NUMBER, OFF
from tabletop.rulesets.combined_arms.data import FREE_TURNS, HIT, POINTS_TO_WIN, REVEAL, TERRAIN, TURNS
from tabletop.rulesets.combined_arms.defender import chances_of
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import Platoon, State

ROLES: Mapping[str, str] = MappingProxyType(
    {"armour": "the armour", "D": "D company", "E": "E company", "F": "F company", "command": "the overall command"}
)
KINDS: Mapping[str, str] = MappingProxyType(
    {"rifle": "rifle platoon", "mmg": "MMG platoon", "armour": "armour platoon"}
)
_MODES: Mapping[str, str] = MappingProxyType(
    {
        "solitaire": "the rules played the defenders",
        "co-operative": "a team shared the attackers’ command, and the rules played the defenders",
        "enemy-player": "a player commanded the defenders, who alone knew which counters were real",
    }
)


# --- the beginning ---------------------------------------------------------------------------------------------------


def opening(title: str, state: State) -> tuple[str, ...]:
    """The variant, the board, the two sides, what wins."""
    setup = state.setup
    known = state.ground.known.bit_count()
    turned = " The board was turned round, since the side near the attackers had more cover." if state.turned else ""
    board = (
        f"The board has 79 hexes: {_terrain_words(state)}, with a road of {len(state.ground.road)} hexes across it."
        f"{turned}"
        if known == COUNT
        else f"The terrain of {known} of the board’s 79 hexes is known."
    )
    return (
        f"{title}, at most {TURNS} turns: {_MODES[setup.mode]}.",
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
    return joined([f"{kinds[kind]} {kind}" for kind in TERRAIN if kinds[kind]])


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


# --- names and figures -----------------------------------------------------------------------------------------------


def summed(die: int, modifiers: Sequence[ev.Modifier], score: int) -> str:
    """A die with its modifiers.

    >>> summed(5, (("range", -2), ("unrevealed", 1)), 4), summed(3, (), 3)
    ('5 − 2 range + 1 unrevealed = 4', 'a 3')
    """
    if not modifiers:
        return f"a {die}"
    parts = "".join(f" {MINUS if value < 0 else '+'} {abs(value)} {name}" for name, value in modifiers)
    return f"{die}{parts} = {number(score)}"


def defenders_words(state: State, name: str) -> str:
    """The defenders in a hex, as far as they are known.

    >>> from tabletop.rulesets.combined_arms.fold import apply
    >>> defenders_words(apply(None, ev.Started(Setup())), "6-4")
    'hex 6-4'
    """
    counter = state.counters.get(NUMBER[name])
    if counter is None:
        return f"hex {name}"
    return f"the platoon in {name}" if counter.revealed else f"the potential platoon in {name}"


def infantry_words(state: State, name: str) -> str:
    """The infantry in a hex: "D1 and D2 in 4-3", or the hex alone."""
    here = state.infantry.get(NUMBER[name], ())
    return f"{joined([p.id for p in here])} in {name}" if here else name


def hit_chance(event: ev.Fell) -> float:
    """The chance that what fell on a hex took effect."""
    return chances_of(sum(value for _, value in event.modifiers), HIT) / 6


def real_chance(event: ev.Tested) -> float:
    """The chance that a tested counter is real."""
    return chances_of(sum(value for _, value in event.modifiers), REVEAL) / 6


def sixths(chance: float) -> str:
    """A chance as a number of a die's faces.

    >>> sixths(0.5), sixths(1 / 6)
    ('3 chances', '1 chance')
    """
    return count(round(6 * chance), "chance")


def curly(text: str) -> str:
    """An event's reason with a report's apostrophes.

    >>> curly("the enemy's choice")
    'the enemy’s choice'
    """
    return text.replace("'", "’")


def listed(names: Sequence[str]) -> str:
    """Names in a sentence; nothing for none.

    >>> listed(("4-3", "5-2"))
    '4-3 and 5-2'
    """
    return joined(list(names))


def platoon_state(platoon: Platoon) -> str:
    """What a platoon on the board is in; a dash for one that is not there."""
    if platoon.at == OFF:
        return "-"
    return "fresh" if platoon.fresh else "spent"
