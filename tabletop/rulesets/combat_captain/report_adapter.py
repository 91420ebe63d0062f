"""Combat Captain in the after-action report: a sentence for every event, expected results, losses, and the pictures.

Every word and number comes from an event, the state round it, or exact odds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from tabletop.aar.adapter import (
    Change,
    Force,
    ReportAdapterBase,
    ReportDrawing,
    ReportEvent,
    Terms,
    Throw,
    ThrowKind,
)
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain import report_map
from tabletop.rulesets.combat_captain.data import KIND_WORDS, NAME, HouseRules
from tabletop.rulesets.combat_captain.setup import Setup, SubUnit
from tabletop.rulesets.combat_captain.state import State
from tabletop.words import and_list, count, inches, the

NOT_COVERED = (
    "Movement and activation are not in the surviving pages of these rules: stands were put where they stand, and"
    " nobody judged how far they came."
)


class CombatCaptainReportAdapter(ReportAdapterBase):
    """Reports on games of Combat Captain."""

    rules_title = "Combat Captain"
    throws: tuple[ThrowKind, ...] = (
        ThrowKind("fire", "Fire at soft targets", "hits", "hits made above what the same fire makes on average"),
        ThrowKind("armour", "Fire at armour", "kills", "kills made above what the same fire makes on average"),
        ThrowKind("combat", "Close combat", "hits", "hits made above what the same dice make on average"),
        ThrowKind("save", "Saves", "hits saved", "hits saved above what the same cover saves on average"),
        ThrowKind("air", "Strafing", "casualties", "possible casualties above what the same dice make on average"),
    )
    measures: Mapping[str, str] = MappingProxyType(
        {
            "lost": "A sub-unit lost weighs one divided by the number of sub-units that its side had left.",
            "swing": "A throw weighs how far its hits were from their average, divided by the hits that all of the"
            " target’s side could still take.",
        }
    )
    terms = Terms(unit="sub-unit", hits="men", nothing="Nobody fired, fought or was put elsewhere.")

    step_titles: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "deploy": "Set-up",
            "activations": "Activations",
            "combat": "Close combat",
            "event": "Random event",
            "over": "After the game",
        }
    )
    drawing: ClassVar[ReportDrawing] = report_map
    rules = badges_of = NAME
    omitted_kinds = (ev.Started, ev.Begun, ev.StepEnded, ev.SavesDue, ev.Settled, ev.Ended)
    completing_kinds = (ev.Saved, ev.Lost, ev.Destroyed, ev.Consolidated, ev.Promoted, ev.Won, ev.ChitsGiven)
    correction_kinds = (ev.Corrected,)

    def opening(self, state: State) -> tuple[str, ...]:
        """The table, the companies, what wins, and what these rules do not say."""
        setup = state.setup
        first, second = setup.sides
        return (
            self.table_text(setup),
            self.forces_text(setup, (_force_words(setup, first), _force_words(setup, second))),
            *_house_rules_words(setup.rules),
            *(f"Aim: {aim}" for aim in setup.aims),
            NOT_COVERED,
        )

    def is_quiet(self, entry: ReportEvent) -> bool:
        """Whether stands only were put somewhere, which is told together."""
        return isinstance(entry.event, ev.Placed) and not entry.event.because and not entry.event.overruled

    def run_summary(self, run: Sequence[ReportEvent]) -> tuple[str, ...]:
        """Stands that were put one after another."""
        names = list(dict.fromkeys(place.sub for entry in run for place in entry.event.places))
        return (f"{and_list(names)} {'was' if len(names) == 1 else 'were'} put where they stand.",)

    def throws_in(self, entry: ReportEvent) -> tuple[Throw, ...]:
        """The fire, the close combat, the saves or the strafing in an event."""
        event, before = entry.event, entry.before
        match event:
            case ev.Fired():
                target = before.setup.side_of(event.target)
                side = before.setup.side_of(event.company)
                armour = event.kill_number is not None
                stake = _tanks(before, target) if armour else strength(before, target)
                what = "tank" if armour else "hit"
                words = f"the {count(stake, what)} that {the(before.setup.side_title(target))} could still lose"
                kind = "armour" if armour else "fire"
                return (Throw(kind, side, event.company, event.hits, event.expected, stake, words),)
            case ev.Assaulted():
                return (
                    _fought(before, event.attacker, event.defender, event.on_defender, event.expected_on_defender),
                    _fought(before, event.defender, event.attacker, event.on_attacker, event.expected_on_attacker),
                )
            case ev.Saved():
                due = before.saves
                saved = due.hits - sum(event.kept)
                return (Throw("save", due.side, due.slots[0].sub, saved, due.hits - event.expected),)
            case ev.Strafed():
                side = before.support.side
                return (Throw("air", side, "a plane", event.casualties, event.expected),)
        return ()

    def changes(self, entry: ReportEvent) -> tuple[Change, ...]:
        """Sub-units lost or taken off."""
        event, before = entry.event, entry.before
        off = isinstance(event, ev.Corrected) and event.off
        if not (isinstance(event, ev.Destroyed) or off):
            return ()
        side = before.setup.side_of(event.sub)
        left = sum(before.setup.side_of(name) == side for name in before.stands)
        of = f"{event.sub}, 1 of {count(left, 'sub-unit')} that {the(before.setup.side_title(side))} had"
        share = 0.0 if off else 1 / max(1, left)
        return (Change("lost", side, event.sub, share, of, self.text(entry), getattr(event, "by", "")),)

    def forces(self, game: Sequence[ReportEvent]) -> tuple[Force, ...]:
        """Every sub-unit of both sides and what has become of it."""
        state: State = game[-1].after
        gone = {name: (why, turn) for name, why, turn in state.gone}
        return tuple(self._force(state, plan, gone.get(plan.id)) for plan in state.setup.plans.values())

    def _force(self, state: State, plan: SubUnit, gone: tuple[str, int] | None) -> Force:
        company = state.setup.company_of[plan.id]
        name = plan.name or f"of {company.name or company.id}"
        kind = KIND_WORDS[plan.kind]
        stand = state.stands.get(plan.id)
        if stand is not None:
            men = f"{stand.men} of {plan.men}" if plan.soldiers else "-"
            where = "on the table" if stand.at is not None else "not on the table"
            marks = ["leads"] if state.leaders[company.id] == plan.id else []
            return Force(plan.id, company.side, name, kind, men, ", ".join([where, *marks]), True)
        why = "destroyed" if gone is None or gone[0] == "destroyed" else "taken off by hand"
        turn = "" if gone is None else f", turn {gone[1]}"
        return Force(plan.id, company.side, name, kind, "-", f"{why}{turn}", False)


REPORT = CombatCaptainReportAdapter()


def strength(state: State, side: str) -> int:
    """How many hits a side could still take before its last sub-unit is removed."""
    return sum(stand.toughness for stand in state.stands.values() if state.setup.side_of(stand.id) == side)


def _fought(state: State, company: str, enemy: str, made: float, mean: float) -> Throw:
    """What a company made of an enemy in close combat."""
    side, target = (state.setup.side_of(name) for name in (company, enemy))
    stake = strength(state, target)
    words = f"the {count(stake, 'hit')} that {the(state.setup.side_title(target))} could still take"
    return Throw("combat", side, company, made, mean, stake, words)


def _tanks(state: State, side: str) -> int:
    own = (s for s in state.stands.values() if state.setup.side_of(s.id) == side)
    return sum(stand.plan.kind == "tank" for stand in own)


def _force_words(setup: Setup, side: str) -> str:
    told = []
    for company in setup.companies:
        if company.side != side:
            continue
        kinds = Counter(sub.kind for sub in company.subs)
        listed = and_list([count(n, KIND_WORDS[kind]) for kind, n in kinds.items()])
        told.append(
            f"{company.name or company.id} ({listed}; led by {company.leader} over {inches(company.radius_in)})"
        )
    return and_list(told)


def _house_rules_words(rules: HouseRules) -> tuple[str, ...]:
    usual, told = HouseRules(), []
    if rules.penalty_first != usual.penalty_first:
        told.append("morale markers lower a die before it is counted")
    if rules.lowered_variable != usual.lowered_variable:
        told.append("morale markers do not lower the variable die")
    if rules.company_blocks != usual.company_blocks:
        told.append("the firer’s own company does not block its sight")
    if rules.forest_edge_in != usual.forest_edge_in:
        told.append(f"one sees {inches(rules.forest_edge_in)} into a forest")
    if rules.forest_sight_in != usual.forest_sight_in:
        told.append(f"within a forest one sees {inches(rules.forest_sight_in)}")
    if rules.contact_in != usual.contact_in:
        told.append(f"stands touch up to {inches(rules.contact_in)} apart")
    if rules.cotton_in != usual.cotton_in:
        told.append(f"balls of cotton are {inches(rules.cotton_in)} wide")
    return (f"House rules: {'; '.join(told)}.",) if told else ()
