"""Combined Arms in the after-action report, in figures: luck, what changed the score, what became of every counter.

Changes are weighed by the score sheet: what an event made it show more or less than before, as a share of the points
that win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tabletop.aar.adapter import Change, Force, ReportEvent, Throw
from tabletop.aar.document import Table
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER, OFF
from tabletop.rulesets.combined_arms.data import ATTACKER, DEFENDER, HIT, KIND_TITLES, PLATOONS, POINTS_TO_WIN, TRACK
from tabletop.rulesets.combined_arms.event_text import event_text, hit_chance, real_chance
from tabletop.rulesets.combined_arms.scoring import score, score_lines, turns_played
from tabletop.rulesets.combined_arms.state import Platoon, State
from tabletop.words import MINUS, count, number

_PLATOON, _GUNS = 2, 1
"""Points that a platoon that breaks moves on the score sheet, of either side, and what real guns that break move."""
_LOSSES = TRACK * POINTS_TO_WIN // _PLATOON
"""The losses that would cost the attackers as many points as win."""
_POINTS_WORDS = f"the {POINTS_TO_WIN} points that win"
_LOSSES_WORDS = f"the {_LOSSES} losses that cost {POINTS_TO_WIN} points"


# --- luck ------------------------------------------------------------------------------------------------------------


def throws(entry: ReportEvent) -> tuple[Throw, ...]:
    """What an event's dice made beside what they make on average."""
    event, before = entry.event, entry.before
    match event:
        case ev.Shot():
            return _shot_throws(before, event)
        case ev.ArmourShot():
            points = Throw(
                "breaking", DEFENDER, event.hex, _PLATOON * event.broken, _PLATOON * event.chance, POINTS_TO_WIN,
                _POINTS_WORDS,
            )  # fmt: skip
            return Throw("fire", DEFENDER, event.hex, int(event.broken), event.chance), points
        case ev.Fell():
            return _fell(event)
        case ev.Bombarded() if event.dice:
            hit = sum(die >= HIT for _, die in event.dice)
            return (Throw("bombs", ATTACKER, "", hit, len(event.dice) * (7 - HIT) / 6),)
        case ev.Tested():
            stake = POINTS_TO_WIN // (_PLATOON if event.what == "platoon" else _GUNS)
            words = f"the {stake} {'platoons' if event.what == 'platoon' else 'guns'} that score {POINTS_TO_WIN} points"
            return (Throw("tests", DEFENDER, event.hex, int(event.real), real_chance(event), stake, words),)
        case ev.MortarsTried() if event.die:
            return (Throw("calls", DEFENDER, "", int(event.available), (7 - event.need) / 6),)
    return ()


def _shot_throws(before: State, event: ev.Shot) -> tuple[Throw, ...]:
    """A shot at what was left of its target when its turn came: its hit, and the points where it could break."""
    counter = before.counters.get(NUMBER[event.target])
    if counter is None:
        return ()
    spent, guns, broken = event.chances
    real = counter.atg == "real"
    hit = Throw("fire", ATTACKER, event.unit, int(event.effect != "none"), spent)
    mean = _PLATOON * broken + _GUNS * (guns if real else 0)
    if not mean:
        return (hit,)
    made = _PLATOON * (event.effect == "broken") + _GUNS * (real and event.effect in ("broken", "guns broken"))
    return hit, Throw("breaking", ATTACKER, event.unit, made, mean, POINTS_TO_WIN, _POINTS_WORDS)


def _fell(event: ev.Fell) -> tuple[Throw, ...]:
    side = ATTACKER if event.cause == "mortars" else DEFENDER
    kind = "fire" if event.cause == "enemy fire" else "bombs"
    found = [Throw(kind, side, event.by, int(event.hit), hit_chance(event))]
    if event.expected:
        found.append(Throw("losses", side, event.by, event.losses, event.expected, _LOSSES, _LOSSES_WORDS))
    return tuple(found)


# --- what changed ----------------------------------------------------------------------------------------------------


def changes(entry: ReportEvent) -> tuple[Change, ...]:
    """Platoons and guns that were broken, left, or came to light, each with the points that it moved."""
    event, before = entry.event, entry.before
    match event:
        case ev.Broke():
            return (_change(entry, "lost", ATTACKER, event.unit, "broken", event_text(before, event)),)
        case ev.ArmourShot(broken=True):
            text = f"{event.unit} broke in {NAMES[before.by_id[event.unit].at]}."
            return (_change(entry, "lost", ATTACKER, event.unit, "broken", text, event.hex),)
        case ev.Shot():
            return _shot_changes(entry, event)
        case ev.Moved() if event.left:
            return (_change(entry, "left", ATTACKER, event.unit, event.left, event_text(before, event)),)
        case ev.Tested(real=True) | ev.Shown(platoon=True):
            what = _found_words(entry)
            return (Change("found", DEFENDER, event.hex, 0.0, what, event_text(before, event)),) if what else ()
        case ev.Corrected(off=True):
            side, what = (ATTACKER, event.unit) if event.unit else (DEFENDER, f"the counter in {event.hex}")
            return (Change("lost", side, what, 0.0, what, event_text(before, event)),)
    return ()


def _shot_changes(entry: ReportEvent, event: ev.Shot) -> tuple[Change, ...]:
    found = []
    if event.effect in ("guns broken", "broken"):
        real = entry.before.counters[NUMBER[event.target]].atg == "real"
        what = "guns" if event.effect == "guns broken" else "platoon and guns" if real else "platoon"
        text = f"{event.unit} broke the {what} in {event.target}."
        found.append(_change(entry, "lost", DEFENDER, f"the {what} in {event.target}", "broken", text, event.unit))
    if event.withdrew:
        text = f"{event.unit} withdrew, out of ammunition."
        found.append(Change("left", ATTACKER, event.unit, 0.0, f"{event.unit} out of ammunition", text))
    return tuple(found)


def _found_words(entry: ReportEvent) -> str:
    before, after = (state.counters.get(NUMBER[entry.event.hex]) for state in (entry.before, entry.after))
    if before is None or after is None:
        return ""
    found = ["a platoon"] if after.revealed and not before.revealed else []
    found += ["anti-tank guns"] if after.atg == "real" and before.atg != "real" else []
    return " and ".join(found) and f"{' and '.join(found)} in {entry.event.hex}"


def _change(
    entry: ReportEvent, kind: Literal["lost", "left"], side: str, what: str, became: str, text: str, by: str = ""
) -> Change:
    points = score(entry.after) - score(entry.before)
    of = f"{what} {became}, {MINUS if points < 0 else '+'}{count(abs(points), 'point')}"
    return Change(kind, side, what, abs(points) / POINTS_TO_WIN, of, text, by)


# --- what became of everybody ----------------------------------------------------------------------------------------


@dataclass
class _Fate:
    """What became of a counter, and its guns."""

    platoon: str = ""
    guns: str = ""


def forces(game: Sequence[ReportEvent]) -> tuple[Force, ...]:
    """The attackers' platoons and all of the defenders' counters, with what they turned out to be."""
    state: State = game[-1].after
    return (*_platoons(game, state), *_counters(game, state))


def _platoons(game: Sequence[ReportEvent], state: State) -> list[Force]:
    gone: dict[str, int] = {}
    for entry in game:
        if entry.before is not None:
            gone |= {
                p.id: entry.before.turn
                for p, was in zip(entry.after.platoons, entry.before.platoons, strict=True)
                if p.fate != was.fate
            }
    found = []
    for unit in PLATOONS:
        platoon = state.by_id[unit]
        if platoon.fate == "board":
            fate = f"in {NAMES[platoon.at]}"
        elif platoon.fate == "waiting":
            fate = "never entered"
        else:
            turn = f", turn {gone[unit]}" if unit in gone else ""
            fate = f"{platoon.fate}{turn}"
        there = platoon.fate == "board"
        found.append(Force(unit, ATTACKER, "", KIND_TITLES[platoon.kind], _platoon_state(platoon), fate, there))
    return found


def _platoon_state(platoon: Platoon) -> str:
    """What a platoon on the board is in; a dash for one that is not there."""
    if platoon.at == OFF:
        return "-"
    return "fresh" if platoon.fresh else "spent"


def _counters(game: Sequence[ReportEvent], state: State) -> list[Force]:
    placed: dict[int, bool] = {}
    fates: dict[int, _Fate] = {}
    for entry in game:
        for counter in entry.after.enemy:
            placed.setdefault(counter.at, counter.atg != "none")
            fates.setdefault(counter.at, _Fate())
        if entry.before is not None and entry.before.enemy != entry.after.enemy:
            _note(entry, fates)
    found = []
    for at, guns in placed.items():
        counter = state.counters.get(at)
        there = counter is not None
        shown = "-" if counter is None else "fresh" if counter.fresh else "spent"
        kind = "potential platoon and guns" if guns else "potential platoon"
        found.append(Force(NAMES[at], DEFENDER, "", kind, shown, _fate_words(state, at, fates[at]), there))
    return found


def _note(entry: ReportEvent, fates: dict[int, _Fate]) -> None:
    """What an event made of the defenders' counters, noted with its turn."""
    was, now = entry.before.counters, entry.after.counters
    turn = f"turn {entry.before.turn}"
    for at, before in was.items():
        after, fate = now.get(at), fates[at]
        if after is None:
            if isinstance(entry.event, ev.Corrected):
                fate.platoon = f"taken off by hand, {turn}"
            elif before.revealed:
                fate.platoon = f"real, broken {turn}"
                fate.guns = f"guns broken {turn}" if before.atg == "real" else fate.guns
            else:
                fate.platoon = f"nobody there, {turn}"
            continue
        if after.revealed and not before.revealed:
            fate.platoon = f"real, found {turn}"
        if after.atg == "real" and before.atg != "real":
            fate.guns = f"real guns, found {turn}"
        elif after.atg == "removed" and before.atg != "removed":
            fate.guns = f"guns broken {turn}" if before.atg == "real" else f"no guns, {turn}"


def _fate_words(state: State, at: int, fate: _Fate) -> str:
    counter = state.counters.get(at)
    platoon, guns = fate.platoon, fate.guns
    if counter is not None:
        platoon = platoon or ("real" if counter.revealed else "never uncovered")
        guns = guns or {"potential": "guns never uncovered", "real": "real guns"}.get(counter.atg, "")
    parts = [platoon, *([guns] if guns and not platoon.startswith("nobody") else [])]
    if state.step == "over" and state.secret is not None and counter is not None and not counter.revealed:
        parts.append("real" if at in state.secret.platoon_hexes else "nobody there")
        parts += ["with real guns"] if at in state.secret.atg_hexes else []
    return "; ".join(parts)


# --- the score -------------------------------------------------------------------------------------------------------


def sheets(game: Sequence[ReportEvent]) -> tuple[Table, ...]:
    """The score sheet line by line, and how the score ran turn by turn."""
    state: State = game[-1].after
    if state.turn < 1:
        return ()
    lines = state.score or score_lines(state)
    rows = [(what, str(times), number(points)) for what, times, points in lines]
    total = sum(points for _, _, points in lines)
    rows += [("total", "", number(total)), ("needed to win", "", str(POINTS_TO_WIN))]
    title = "Score sheet" if state.score else "Score sheet as the log leaves it"
    sheet = Table(title, ("what counts", "how many", "points"), tuple(rows), frozenset({1, 2}))
    return sheet, running_score(game)


def running_score(game: Sequence[ReportEvent]) -> Table:
    """The score as it stood at the end of every turn; its columns add up to the last one."""
    granted = game[-1].after.handicap
    rows = []
    for entry in game:
        before: State | None = entry.before
        if isinstance(entry.event, ev.PhaseBegan) and entry.event.phase in ("move", "final") and before is not None:
            turn = turns_played(entry.after)
            if before.step == "enemy":
                rows.append((str(turn), *_score_columns(before, turn)))
    last: State = game[-1].after
    rows.append(("end" if last.step == "over" else "now", *_score_columns(last, None)))
    header = ("turn", "found", "broken", "exploiting", "own broken", "late turns", "handicap", "score")
    kept = [n for n in range(len(header)) if granted or header[n] != "handicap"]
    return Table(
        "The score at the end of every turn",
        tuple(header[n] for n in kept),
        tuple(tuple(row[n] for n in kept) for row in rows),
        frozenset(range(1, len(kept))),
    )


def _score_columns(state: State, turns: int | None) -> tuple[str, ...]:
    lines = {what: points for what, _, points in score_lines(state, turns)}
    found = sum(points for what, points in lines.items() if what.endswith("in play"))
    broken = sum(points for what, points in lines.items() if what.startswith("enemy") and what.endswith("broken"))
    late = sum(points for what, points in lines.items() if what.startswith("turns after"))
    each = (found, broken, lines["exploiting platoons"], lines["own platoons broken"], late, state.handicap)
    return tuple(number(points) for points in (*each, sum(each)))
