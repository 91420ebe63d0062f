"""Combat Captain in the after-action report: a sentence for every event, expected results, losses, and the pictures.

Every word and number comes from an event, the state round it, or exact odds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tabletop.aar.document import Table
from tabletop.aar.maps import table_map
from tabletop.aar.picture import Item, Sheet
from tabletop.aar.teller import Change, Clock, Force, Side, Terms, Throw, ThrowKind, Told
from tabletop.aar.words import INCH, count, inches, joined, opened
from tabletop.game.core import REFEREE
from tabletop.game.protocol import Outcome
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain import telling_map
from tabletop.rulesets.combat_captain.data import KIND_WORDS, HouseRules
from tabletop.rulesets.combat_captain.sayings import sentence
from tabletop.rulesets.combat_captain.setup import Setup, SubUnit
from tabletop.rulesets.combat_captain.state import State

_STEP_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "deploy": "Set-up",
        "activations": "Activations",
        "combat": "Close combat",
        "event": "Random event",
        "over": "After the game",
    }
)
_MANY: Mapping[str, str] = MappingProxyType({"rifles": "rifle squads"})
NOT_COVERED = (
    "Movement and activation are not in the surviving pages of these rules: stands were put where they stand, and"
    " nobody judged how far they came."
)


class CombatCaptainTeller:
    """Tells games of Combat Captain (the report's protocol ``Teller``)."""

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

    def title(self, state: State) -> str:
        """What was played."""
        return state.setup.title

    def sides(self, state: State) -> tuple[Side, ...]:
        """The side that plays first, then the other."""
        return tuple(Side(side, state.setup.side_title(side)) for side in state.setup.sides)

    def opening(self, state: State) -> tuple[str, ...]:
        """The table, the companies, what wins, and what these rules do not say."""
        setup = state.setup
        first, second = setup.sides
        turns = f", at most {count(setup.turns, 'full turn')}" if setup.turns else ""
        return (
            f"{self.rules_title}, {setup.title}, on a table {inches(setup.width)} wide and {inches(setup.depth)} deep"
            f"{turns}.",
            f"{setup.side_title(first)} went first, with {_force_words(setup, first)};"
            f" {setup.side_title(second)} had {_force_words(setup, second)}.",
            *_house_rules_words(setup.rules),
            *(f"Aim: {aim}" for aim in setup.aims),
            NOT_COVERED,
        )

    def clock(self, state: State) -> Clock:
        """The turn, and whose step it is; the set-up is turn 0, and nobody’s step."""
        return Clock(state.turn, "" if state.step in ("deploy", "over") else state.side, state.step)

    def step_title(self, step: str) -> str:
        """How people call a step."""
        return _STEP_TITLES[step]

    def sentences(self, told: Told) -> tuple[str, ...]:
        """What happened, for every kind of event; saves that are due are told with what they saved."""
        event = told.event
        if told.before is None or isinstance(event, ev.StepEnded | ev.Begun | ev.SavesDue | ev.Settled):
            return ()
        if isinstance(event, ev.Ended):
            return ()
        plain = sentence(told.before, event)
        overruled = getattr(event, "overruled", ())
        if not overruled:
            return (_inched(plain),)
        codes = joined([code.replace("-", " ") for code in overruled])
        said = _inched(plain.rsplit(" (Settled by", 1)[0])
        if told.record.actor == REFEREE:
            return said, f"The referee overruled the objection: {codes}."
        return said, f"The players settled at the table what was open: {codes}."

    def completes(self, told: Told) -> bool:
        """Whether an event follows at once from a throw before it: saves, losses, a new leader."""
        return isinstance(
            told.event, ev.Saved | ev.Lost | ev.Destroyed | ev.Consolidated | ev.Promoted | ev.Won | ev.ChitsGiven
        ) and bool(told.before)

    def opens(self, told: Told) -> bool:
        """No: all that an action does is told in the step that it was done in."""
        return False

    def is_quiet(self, told: Told) -> bool:
        """Whether only stands were put somewhere, which is told together."""
        return isinstance(told.event, ev.Placed) and not told.event.because and not told.event.overruled

    def gathered(self, run: Sequence[Told]) -> tuple[str, ...]:
        """Stands that were put one after another."""
        names = list(dict.fromkeys(place.sub for told in run for place in told.event.places))
        return (f"{joined(names)} {'was' if len(names) == 1 else 'were'} put where they stand.",)

    def throws_in(self, told: Told) -> tuple[Throw, ...]:
        """The fire, the close combat, the saves or the strafing in an event."""
        event, before = told.event, told.before
        match event:
            case ev.Fired():
                target = before.setup.side_of(event.target)
                side = before.setup.side_of(event.company)
                armour = event.kill_number is not None
                stake = _tanks(before, target) if armour else strength(before, target)
                what = "tank" if armour else "hit"
                words = f"the {count(stake, what)} that {before.setup.side_title(target)} could still lose"
                kind = "armour" if armour else "fire"
                return (Throw(kind, side, event.company, event.hits, event.expected, stake, words),)
            case ev.Assaulted():
                target = before.setup.side_of(event.defender)
                side, stake = before.setup.side_of(event.attacker), strength(before, target)
                words = f"the {count(stake, 'hit')} that {before.setup.side_title(target)} could still take"
                made, mean = event.on_defender, event.expected_on_defender
                return (Throw("combat", side, event.attacker, made, mean, stake, words),)
            case ev.Saved():
                due = before.saves
                saved = due.hits - sum(event.kept)
                return (Throw("save", due.side, due.slots[0].sub, saved, due.hits - event.expected),)
            case ev.Strafed():
                side = before.support.side
                return (Throw("air", side, "a plane", event.casualties, event.expected),)
        return ()

    def changes(self, told: Told) -> tuple[Change, ...]:
        """Sub-units lost or taken off."""
        event, before = told.event, told.before
        off = isinstance(event, ev.Corrected) and event.off
        if not (isinstance(event, ev.Destroyed) or off):
            return ()
        side = before.setup.side_of(event.sub)
        left = sum(before.setup.side_of(name) == side for name in before.stands)
        of = f"{event.sub}, 1 of {count(left, 'sub-unit')} that {before.setup.side_title(side)} had"
        by = getattr(event, "by", "")
        who = "The referee took off" if off else f"{opened(by)} destroyed" if by else "Lost:"
        text = f"{who} {called(before.setup.plans[event.sub])} ({before.setup.side_title(side)})."
        return (Change("lost", side, event.sub, 0.0 if off else 1 / max(1, left), of, text, by),)

    def forces(self, game: Sequence[Told]) -> tuple[Force, ...]:
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

    def sheets(self, game: Sequence[Told]) -> tuple[Table, ...]:
        """None: nothing is scored."""
        return ()

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, once it has."""
        return state.result

    def ground(self, state: State) -> Sequence[Item]:
        """Terrain."""
        return telling_map.ground(state)

    def pieces(self, state: State) -> Sequence[Item]:
        """Stands with their soldiers and markers."""
        return telling_map.pieces(state)

    def marks(self, told: Told) -> Sequence[Item]:
        """The lines of fire, moves by hand, shells, tapes."""
        return telling_map.marks(told)

    def grave(self, told: Told) -> Sequence[Item]:
        """A sub-unit destroyed or taken off, where it stood."""
        return telling_map.grave(told)

    def drawn(self, state: State, sides: Sequence[Side], items: Sequence[Item]) -> Sheet:
        """The table with its inches."""
        return table_map((state.setup.width, state.setup.depth), sides, items, telling_map.LEGEND)


TELLER = CombatCaptainTeller()


def called(plan: SubUnit) -> str:
    """A sub-unit in a sentence: its kind and id, or its own name with the id."""
    return f"{plan.name} ({plan.id})" if plan.name else f"{KIND_WORDS[plan.kind]} {plan.id}"


def strength(state: State, side: str) -> int:
    """How many hits a side could still take before its last sub-unit is removed."""
    return sum(stand.toughness for stand in state.stands.values() if state.setup.side_of(stand.id) == side)


def _tanks(state: State, side: str) -> int:
    own = (s for s in state.stands.values() if state.setup.side_of(s.id) == side)
    return sum(stand.plan.kind == "tank" for stand in own)


def _force_words(setup: Setup, side: str) -> str:
    told = []
    for company in setup.companies:
        if company.side != side:
            continue
        kinds = Counter(sub.kind for sub in company.subs)
        listed = joined([count(n, KIND_WORDS[kind], _MANY.get(kind)) for kind, n in kinds.items()])
        told.append(
            f"{company.name or company.id} ({listed}; led by {company.leader} over {inches(company.radius_in)})"
        )
    return joined(told)


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


def _inched(text: str) -> str:
    return text.replace('"', INCH)
