"""What only the after-action report says of a game of Combat: its beginning, rules' places, quiet events gathered.

Every word and number comes from an event or the state round it. Armies are told once the boards are joined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tabletop.aar.adapter import ReportEvent
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.data import (
    HOUSE_TITLES,
    KINDS,
    MAJORITY,
    PERIODS,
    SIDE_TITLES,
    SIDES,
    TERRAIN_TITLES,
    count_of,
)
from tabletop.rulesets.combat.saving import PLACES
from tabletop.rulesets.combat.setup import Setup
from tabletop.rulesets.combat.state import State
from tabletop.words import and_list, capital, count, or_list

# --- the beginning ---------------------------------------------------------------------------------------------------


def opening(title: str, state: State) -> tuple[str, ...]:
    """The rules, the battlefield, both armies, what wins."""
    setup = state.setup
    return (
        _rules_words(title, setup),
        _field_words(state),
        *(_army_words(state, own) for own in (0, 1) if state.step != "deploy"),
        _winning_words(setup),
        f"The salvo deck has {count(setup.hits, 'hit')} and {count(setup.misses, 'miss', 'misses')}.",
    )


def _rules_words(title: str, setup: Setup) -> str:
    profile = "the original rules" if setup.profile == "original" else "the codified rules"
    period = PERIODS[setup.period] if setup.period else None
    told = f"{title}, by {profile}"
    told += f", {period.title} ({period.years}) [{period.place}]" if period else ""
    house = [HOUSE_TITLES[name][0].lower() for name in HOUSE_TITLES if getattr(setup.house, name)]
    told += f", with house rules: {and_list(house)}" if house else ""
    return f"{told}."


def _field_words(state: State) -> str:
    setup = state.setup
    kinds = Counter(kind for kind in state.field.terrain if kind not in ("open", "crest"))
    names = {"hill": "hills", "built-up": "built-up areas", "defence": "defence lines", "bridge": "bridges",
             "river": "rivers"}  # fmt: skip
    ground = and_list([f"{kinds[kind]} of {names.get(kind, kind)}" for kind in TERRAIN_TITLES if kinds[kind]])
    told = f"The battlefield has {setup.columns} by {setup.rows} squares"
    told += f", {ground} among them" if ground else ", all open"
    return f"{told}; Red’s base line is row 1, Blue’s row {setup.rows}."


def _army_words(state: State, own: int) -> str:
    kinds = Counter(p.kind for p in state.pieces if p.side == own)
    army = and_list([count_of(kinds[kind], kind) for kind in KINDS if kinds[kind]])
    return f"{SIDE_TITLES[SIDES[own]]} took the field with {army or 'nobody'}."


def _winning_words(setup: Setup) -> str:
    what = "pieces" if setup.pieces else "points of pieces"
    told = [f"{MAJORITY} {what} to 1 on the board win"]
    told += ["so do two pieces in the enemy’s headquarters"] if setup.headquarters else []
    goals = [goal.title or goal.id for goal in setup.objectives]
    told += [f"so does taking {or_list(goals)}"] if goals else []
    days = count(setup.days, "day")
    told += [f"after {days} the larger army wins"] if setup.days else []
    return f"{'; '.join(told)}."


# --- events ----------------------------------------------------------------------------------------------------------


def details(event: ev.Event) -> tuple[str, ...]:
    """What a report adds to an event's text: where the rules have it."""
    match event:
        case ev.Fired(card="hit") | ev.Struck(card="hit") | ev.MineExploded():
            places = "; ".join(dict.fromkeys(PLACES[name] for name, _ in event.modifiers))
        case ev.Flew():
            places = "Movement, Planes"
        case ev.StripEntered():
            places = "Airstrikes and airstrips"
        case ev.Broken():
            places = "Reinforcements"
        case ev.Ended():
            places = event.place
        case _:
            places = ""
    return (f"Rules: {places}.",) if places else ()


def run_summary(run: Sequence[ReportEvent]) -> tuple[str, ...]:
    """Several moves or steps of a deployment, in as few sentences as will do."""
    moves = [one for one in run if isinstance(one.event, ev.Moved) and not one.event.secret]
    found = []
    if moves:
        told = [f"{one.event.unit} to {one.event.path[-1]}" for one in moves]
        sides = dict.fromkeys(one.before.by_id[one.event.unit].side for one in moves)
        who = and_list([SIDE_TITLES[SIDES[side]] for side in sides])
        found.append(f"{who} moved {and_list(told)}.")
    secret = sum(isinstance(one.event, ev.Moved) and one.event.secret > 0 for one in run)
    if secret:
        found.append(f"{capital(count(secret, 'piece'))} regrouped in secret.")
    if any(isinstance(one.event, ev.Placed | ev.Unplaced | ev.Established) for one in run):
        sides_of = dict.fromkeys(SIDE_TITLES[one.event.side] for one in run if hasattr(one.event, "side"))
        found.append(f"{and_list(list(sides_of))} deployed in secret.")
    return tuple(found)
