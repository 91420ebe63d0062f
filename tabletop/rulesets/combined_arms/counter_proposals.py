"""The defenders' pieces on a photographed board against the game: what everybody sees of it, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.changes.proposals import Proposal, proposed_action
from tabletop.identity.out_of_step import Reason
from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER
from tabletop.rulesets.combined_arms.overlay.forces import Stander
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.state import Counter, State

_SHOWS = {"counter": False, "platoon": True}
_GUNS = {"potential-atg": "potential", "atg": "real"}
_ELSEWHERE_LEAST, _ELSEWHERE_SHARE = 3, 0.2  # counters never move: so few that match are another table, or another grid


def about_counters(state: State, standers: Sequence[Stander], *, counted: bool) -> Iterator[Proposal]:
    """What is asked about counters, guns, smoke and the enemy mortars' target.

    Nothing is asked where the players have no pieces for them (not ``counted``). What is in a hex by the log is what
    the table should show; whether a counter is real nobody is told.
    """
    if not counted or state.turn < 1:
        return
    here = _by_hex(standers)
    for n in sorted({*state.counters, *(NUMBER[name] for name in here)}):
        yield from _in_hex(state.counters.get(n), NAMES[n], here.get(NAMES[n], {}))
    yield from _smoke(state, {s.footing.cell for s in standers if s.kind == "smoke" and s.footing.cell})


def out_of_step(state: State, standers: Sequence[Stander]) -> Iterator[Reason]:
    """Counters never move: where hardly any stands where the game has one, it is another table or another grid."""
    here = {name for name, kinds in _by_hex(standers).items() if kinds.keys() & _SHOWS.keys()}
    known = {NAMES[n] for n in state.counters}
    if min(len(here), len(known)) >= _ELSEWHERE_LEAST and len(here & known) <= _ELSEWHERE_SHARE * len(known):
        says = f"{len(here & known)} of {len(known)} counters stand in their hexes, and counters never move"
        yield Reason("shifted", says)


def _by_hex(standers: Sequence[Stander]) -> dict[str, dict[str, Stander]]:
    """Counters and guns whose hex is certain, by hex and kind."""
    found: dict[str, dict[str, Stander]] = {}
    for s in standers:
        if s.kind in (*_SHOWS, *_GUNS) and s.footing.cell and not s.is_platoon and not s.footing.is_open:
            found.setdefault(s.footing.cell, {})[s.kind] = s
    return found


def _in_hex(counter: Counter | None, name: str, kinds: dict[str, Stander]) -> Iterator[Proposal]:
    shown = next((kind for kind in ("platoon", "counter") if kind in kinds), None)
    if counter is None:
        what = "a counter" if shown else "anti-tank guns"
        yield _ask("new", f"{what.capitalize()} of the defenders lies in {name}, and the log has none there.")
        return
    word = "a revealed platoon" if counter.revealed else "a potential platoon"
    if shown is None:
        yield _ask("removed", f"The log has {word} of the defenders in {name}, and none is seen there: is it covered?")
        return
    if _SHOWS[shown] != counter.revealed:
        seen = "revealed" if _SHOWS[shown] else "potential"
        yield _ask("shown", f"The platoon in {name} lies there as {seen}, and the log has {word}: which is right?")
    guns = next((_GUNS[kind] for kind in ("atg", "potential-atg") if kind in kinds), "none")
    by_log = counter.atg if counter.atg in _GUNS.values() else "none"
    if guns != by_log:
        yield _ask("guns", f"{_guns(guns)} lie with the platoon in {name}, and the log has {_guns(by_log).lower()}.")


def _guns(state: str) -> str:
    return {"none": "No anti-tank guns", "potential": "Potential anti-tank guns", "real": "Real anti-tank guns"}[state]


def _smoke(state: State, seen: set[str]) -> Iterator[Proposal]:
    """Smoke that is new may be what the attackers called; smoke that is gone is asked about where any lies."""
    known = {NAMES[n] for n in state.smoke}
    called = NAMES[state.call.at] if state.call is not None and state.call.ammo == "smoke" else ""
    for name in sorted(seen - known - {called}):
        call = actions.Call(name, "smoke")
        question = f"Smoke lies in {name}, and the log has none there: was it called down now?"
        yield proposed_action(RULES, state, None, "smoke", call, question=question)
    for name in sorted(known - seen) if seen else ():
        yield _ask("smoke", f"The log has smoke in {name}, and none is seen there: lay it, or say that it is gone.")


def _ask(what: str, question: str) -> Proposal:
    return Proposal(None, what, question=question)
