"""WWII Combined Arms in the after-action report: losses, retreats, cities; there are no dice, so nothing is luck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar

from tabletop.aar.adapter import Change, Clock, Force, ReportAdapterBase, ReportDrawing, ReportEvent, Terms, ThrowKind
from tabletop.aar.document import Table
from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms import report_map
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.board_text import STEPS
from tabletop.rulesets.ww2_combined_arms.data import HQ, NAME, SIDES, TITLE
from tabletop.rulesets.ww2_combined_arms.event_text import of_kind, optional_rules, unit_text
from tabletop.rulesets.ww2_combined_arms.state import BEFORE, State
from tabletop.words import and_list, capital, count, with_verb

DRIVEN = 0.25
"""What a unit driven back weighs beside one destroyed."""
_CITY_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "at-once": ", or stands on all cities",
        "held": ", or stands on all cities as its turn begins",
    }
)


class WW2CombinedArmsReportAdapter(ReportAdapterBase):
    """Reports on games of WWII Combined Arms."""

    rules = NAME
    rules_title = TITLE
    throws = (ThrowKind("attack", "Attacks", "damage", "nothing is left to chance in this game"),)
    measures: Mapping[str, str] = MappingProxyType(
        {
            "lost": "A unit destroyed weighs one divided by the number of units that its side had on the board, and a"
            " headquarters as much as the whole game.",
            "found": "A unit driven back weighs a quarter of what it would weigh destroyed.",
            "held": "A city that was taken or lost weighs one divided by the number of cities, and half of that where"
            " nobody held it before or after.",
        }
    )
    terms = Terms(
        throw="attack",
        result="damage",
        table="board",
        hits="state",
        nothing="Nobody moved or attacked.",
        calm="nothing was destroyed",
        no_throws="played without dice",
        gone="Units that were destroyed",
        held="Cities that changed hands",
        found="Units that were driven back",
        places="squares are named as on a chessboard, a1 at the near left corner",
    )

    step_titles: ClassVar[Mapping[str, str]] = MappingProxyType(
        {step: "Setting up" if step in BEFORE else capital(title) for step, title in STEPS.items()}
    )
    drawing: ClassVar[ReportDrawing] = report_map
    omitted_kinds = (ev.Started, ev.TurnBegan, ev.AttacksBegan, ev.Pressed, ev.Finished)
    completing_kinds = (ev.Retreated, ev.Destroyed, ev.Promoted)
    opening_kinds = (ev.TurnBegan, ev.AttacksBegan)
    correction_kinds = (ev.Corrected,)

    def opening(self, state: State) -> tuple[str, ...]:
        """The board, the optional rules, the armies, what wins."""
        setup = state.setup
        ground = self._ground_words(state)
        armies = [self._army_words(state, side) for side in SIDES if state.has_army(side)]
        cities = _CITY_WORDS[setup.city_victory] if setup.cities_win else ""
        last = f" After turn {setup.turns} the game is drawn." if setup.turns else ""
        return (
            f"{TITLE} on {setup.columns} by {setup.rows} squares, without dice and with nothing hidden.{ground}",
            *armies,
            f"A side wins as soon as it destroys the enemy headquarters{cities}.{last}",
        )

    def _ground_words(self, state: State) -> str:
        setup, names = state.setup, state.grid.names
        found = []
        if state.cities:
            found.append(f"cities on {and_list([names[n] for n in sorted(state.cities)])}")
        if setup.difficult and setup.terrain:
            kinds = Counter(kind for _, kind in setup.terrain)
            squares = [f"{kind} on {count(number, 'square')}" for kind, number in kinds.items()]
            found.append(f"difficult terrain, {and_list(squares)}")
        board = f" The board has {'; '.join(found)}." if found else ""
        told: dict[str, Any] = {"cities": 0, "city_squares": ()} if state.cities else {}
        told |= {"difficult": False} if setup.terrain else {}
        rules = optional_rules(replace(setup, **told))  # except what the board and the aim say
        return f"{board} {rules}" if rules else board

    def _army_words(self, state: State, side: str) -> str:
        kinds = Counter(u.kind for u in state.units if u.side == side)
        elite = [u.id for u in state.units if u.side == side and u.elite]
        told = and_list([of_kind(number, kind) for kind, number in kinds.items()])
        made = f", {and_list(elite)} elite" if elite else ""
        edge = "near" if side == SIDES[0] else "far"
        return f"{capital(with_verb(state.setup.side_title(side), 'holds', 'hold'))} the {edge} edge with {told}{made}."

    def clock(self, state: State) -> Clock:
        """The turn, whose it is, and its phase."""
        if not state.turn:
            return Clock(0, "", "place")
        return Clock(state.turn, "" if state.step == "over" else state.acting, state.step)

    def omits(self, entry: ReportEvent) -> bool:
        """Whether a heading or the end of the report says what an event does."""
        return super().omits(entry) or (isinstance(entry.event, ev.MovesBegan) and not entry.event.held)

    def is_quiet(self, entry: ReportEvent) -> bool:
        """Whether a unit was placed or moved, or an attack did not bring its target to retreat."""
        match entry.event:
            case ev.Placed() | ev.Moved():
                return True
            case ev.Attacked(total=total, defence=defence):
                return bool(total < defence)
        return False

    def run_summary(self, run: Sequence[ReportEvent]) -> tuple[str, ...]:
        """Units that were placed or moved in as few sentences as will do; attacks by their targets."""
        found: list[str] = []
        placed = [t for t in run if isinstance(t.event, ev.Placed)]
        for side in SIDES:
            own = [t.event for t in placed if t.before.by_id[t.event.unit].side == side]
            if own:
                rows = [f"{unit_text(run[0].before, event.unit)} on {event.to}" for event in own]
                found.append(f"{run[0].after.setup.side_title(side)} placed {and_list(rows)}.")
        moved = [t for t in run if isinstance(t.event, ev.Moved)]
        if moved:
            rows = [f"{unit_text(t.before, t.event.unit)} from {t.event.start} to {t.event.to}" for t in moved]
            found.append(f"{moved[0].before.setup.side_title(moved[0].before.acting)} moved {and_list(rows)}.")
        hits: dict[str, list[ReportEvent]] = {}
        for entry in run:
            if isinstance(entry.event, ev.Attacked):
                hits.setdefault(entry.event.target, []).append(entry)
        for target, each in hits.items():
            last = each[-1].event
            by = and_list([unit_text(t.before, t.event.unit) for t in each])
            found.append(f"{by} attacked {unit_text(each[0].before, target)}: {last.total} of {last.defence} damage.")
        return tuple(found)

    def changes(self, entry: ReportEvent) -> tuple[Change, ...]:
        """Units destroyed or driven back, cities that changed hands."""
        event, found = entry.event, list[Change]()
        if isinstance(event, ev.Destroyed):
            found.append(_loss(entry, event, self.text(entry)))
        if isinstance(event, ev.Retreated):
            share = DRIVEN * _share(entry.before, event.unit)
            side, text = entry.before.by_id[event.unit].side, self.text(entry)
            found.append(Change("found", side, event.unit, share, f"{event.unit} driven back", text))
        if isinstance(event, ev.Corrected) and event.off:
            side = entry.before.by_id[event.unit].side
            found.append(Change("lost", side, event.unit, 0.0, event.unit, self.text(entry)))
        return (*found, *_cities(entry))

    def forces(self, game: Sequence[ReportEvent]) -> tuple[Force, ...]:
        """Every unit and what has become of it."""
        state: State = game[-1].after
        gone = {t.event.unit: t for t in game if isinstance(t.event, ev.Destroyed)}
        found = []
        for unit in state.units:
            there = unit.at != OFF
            parts = ["elite"] if unit.elite else []
            parts += [f"helped to destroy {unit.kills}"] if unit.kills else []
            if there:
                fate = f"on {state.grid.names[unit.at]}"
            elif unit.id in gone:
                fate = f"destroyed on {gone[unit.id].event.at}, turn {gone[unit.id].before.turn}"
            else:
                fate = "never placed" if unit.fate == "waiting" else "taken off by hand"
            found.append(Force(unit.id, unit.side, "", unit.type.title, ", ".join(parts) or "-", fate, there))
        return tuple(found)

    def sheets(self, game: Sequence[ReportEvent]) -> tuple[Table, ...]:
        """What each side had left at the end of every turn."""
        rows: dict[int, tuple[str, ...]] = {}
        for entry in game:
            state: State = entry.after
            if state.turn:
                counts = [str(len(state.on_board[side])) for side in SIDES]
                rows[state.turn] = (str(state.turn), *counts)
        if not rows:
            return ()
        setup = game[-1].after.setup
        header = ("turn", *(setup.side_title(side) for side in SIDES))
        return (
            Table("Units on the board at the end of every turn", header, tuple(rows.values()), frozenset({0, 1, 2})),
        )


def _share(state: State, unit: str) -> float:
    """What a unit is of its side's game."""
    own = state.by_id[unit]
    return 1.0 if own.kind == HQ else 1.0 / max(1, len([u for u in state.units if u.side == own.side]))


def _loss(entry: ReportEvent, event: ev.Destroyed, text: str) -> Change:
    unit = entry.before.by_id[event.unit]
    what = f"{event.unit} ({unit.type.title})"
    by = event.helped[-1] if event.helped else ""
    return Change("lost", unit.side, what, _share(entry.before, event.unit), f"{event.unit} destroyed", text, by)


def _cities(entry: ReportEvent) -> list[Change]:
    """Cities on which another side's unit stands than before."""
    before, after = entry.before, entry.after
    if before is None or not after.turn or not after.cities or not after.setup.cities_win:
        return []
    found = []
    for n in after.cities:
        old, new = (state.there.get(n) for state in (before, after))
        was, now = (unit.side if unit is not None else "" for unit in (old, new))
        if was != now:
            name = after.grid.names[n]
            title = after.setup.side_title
            text = f"{title(now)} took the city on {name}." if now else f"{title(was)} left the city on {name}."
            share = (1.0 if was and now else 0.5) / len(after.cities)
            by = new.id if new is not None else ""
            found.append(Change("held", now, name, share, f"the city on {name}", text, by))
    return found


REPORT = WW2CombinedArmsReportAdapter()
"""WWII Combined Arms told in reports."""
