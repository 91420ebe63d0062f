"""A game of Combined Arms at one moment as text for a terminal of 80 columns: a board of letters, tracks, what is next.

All of it is open to everybody: nothing secret and no sealed bid is told.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from tabletop.rulesets.combined_arms.board import COLUMN, DISTANCE, LAST_ROW, NAMES, OFF, ROW
from tabletop.rulesets.combined_arms.data import (
    COMPANIES,
    CORNER_WORDS,
    POINTS_TO_WIN,
    ROLES_OF_SIX,
    ROW_WIDTHS,
    TRACK,
    TURNS,
)
from tabletop.rulesets.combined_arms.event_text import news as news
from tabletop.rulesets.combined_arms.scoring import score
from tabletop.rulesets.combined_arms.state import Call, Counter, Platoon, State
from tabletop.rulesets.combined_arms.turn_flow import bombardment, onward
from tabletop.words import and_list, count

STEPS: Mapping[str, str] = {
    "move": "move phase",
    "fire": "fire phase",
    "mortars": "fire phase, mortars",
    "enemy": "enemy phase",
    "final": "the last counters are uncovered",
}
"""What people call the phases of a turn."""
LETTERS: Mapping[str, str] = {
    "open": ".", "poor going": ",", "crest": "^", "woods": "w", "wooded crest": "W", "farm": "f", "road": "=",
    "unknown": "_",
}  # fmt: skip
"""The first letter of a hex: its terrain."""

_WIDTH = 80
_CELL = 7
_SMOKE, _TARGET, _THEIR_TARGET, _SEVERAL = "~*!&"
_KINDS = {"rifle": "rifle platoon", "mmg": "machine gun platoon", "armour": "armour platoon"}
FATES = {
    "waiting": "to enter", "exploited": "exploiting", "broken": "broken", "withdrawn": "withdrawn",
    "out of ammunition": "out of ammunition",
}  # fmt: skip
"""What people call what became of a platoon that is not on the board."""


def in_words(state: State) -> str:
    """The whole state: the headline, the board, what lies off it or needs more words, and what the letters mean."""
    head, *notes = (textwrap.fill(line, _WIDTH, subsequent_indent="  ") for line in (headline(state), *_notes(state)))
    return "\n\n".join([head, board_text(state), "\n".join([*notes, _key()])])


def headline(state: State) -> str:
    """The turn, its phase, and the attackers' score so far."""
    title = state.setup.title
    if state.result is not None:
        won = state.setup.side_title(state.result.winner) + " won" if state.result.winner else "A draw"
        return f"{title}, turn {state.turn}. {won}: {state.result.reason}"
    if not state.turn:
        return f"{title}: before turn 1."
    points = f"The attackers have {score(state)} of the {POINTS_TO_WIN} points they need to win."
    return f"{title}, turn {state.turn} of {TURNS}, {STEPS[state.step]}. {points}"


# --- the board -------------------------------------------------------------------------------------------------------


def board_text(state: State) -> str:
    """The board, the far edge on top, two lines a row: every hex with its terrain's letter and its name, below them
    who is there.

    A hex with more than three platoons has the others in its name's place.
    """
    lines = []
    for row in range(LAST_ROW, 0, -1):
        hexes = [n for n in range(len(NAMES)) if ROW[n] == row]
        start = (max(ROW_WIDTHS) - len(hexes)) * _CELL // 2
        upper, lower = zip(*(_cell(state, n) for n in sorted(hexes, key=lambda n: COLUMN[n])), strict=True)
        lines += [f"{' ' * start}{''.join(half)}".rstrip() for half in (upper, lower)]
    return "\n".join(lines)


def _cell(state: State, n: int) -> tuple[str, str]:
    """The two lines of a hex, each as wide as its cell."""
    counter = state.counters.get(n)
    here = [_short(p) for p in state.by_hex.get(n, ())]
    room = (_CELL - 1) // 2
    under = _counter_text(counter) if counter is not None else "".join(here[:room])
    upper = letter(state, n) + (NAMES[n] if len(here) <= room else "".join(here[room : 2 * room]))
    return f"{upper:{_CELL}}", f"{_mark(state, n)}{under:{_CELL - 1}}"


def letter(state: State, n: int) -> str:
    """The letter of a hex's terrain; the road's where the road runs over open ground."""
    kind = state.ground.terrain[n]
    if not state.ground.known >> n & 1:
        return LETTERS["unknown"]
    return LETTERS["road" if kind == "open" and n in state.ground.road else kind]


def _short(platoon: Platoon) -> str:
    return platoon.id if platoon.fresh else platoon.id.lower()


def _counter_text(counter: Counter) -> str:
    """A defenders' counter: in brackets while fresh, in parentheses while spent.

    >>> _counter_text(Counter(0, atg="potential")), _counter_text(Counter(0, fresh=False, revealed=True, atg="real"))
    ('[?g]', '(XG)')
    """
    inside = ("X" if counter.revealed else "?") + {"potential": "g", "real": "G"}.get(counter.atg, "")
    return f"[{inside}]" if counter.fresh else f"({inside})"


def _mark(state: State, n: int) -> str:
    found = _SMOKE if n in state.smoke else ""
    found += _TARGET if state.call is not None and state.call.at == n else ""
    found += _THEIR_TARGET if state.enemy_call is not None and state.enemy_call.at == n else ""
    return found or " " if len(found) < 2 else _SEVERAL


def _key() -> str:
    *terrain, unknown = (f"{sign} {kind}" for kind, sign in LETTERS.items())
    targets = f"mortar targets: {_TARGET} attackers'  {_THEIR_TARGET} defenders'"
    return "\n".join(
        (
            "  ".join(terrain),
            "D1 fresh  d1 spent   defenders: [ ] fresh  ( ) spent  ? potential  X platoon",
            "                       with them: g potential anti-tank guns  G real ones",
            f"{targets}   {_SMOKE} smoke  {_SEVERAL} several   {unknown}",
        )
    )


def _notes(state: State) -> Iterator[str]:
    """What the board's letters have no room for."""
    for fate, words in FATES.items():
        names = [_short(p) for p in state.platoons if p.fate == fate]
        if names and state.turn:
            yield f"{words[0].upper()}{words[1:]}: {', '.join(names)}."
    if state.armour:
        told = ", ".join(f"{p.id} corner {p.facing or 0} ({CORNER_WORDS[p.facing or 0]})" for p in state.armour)
        yield f"Armour faces: {told}."
    if state.smoke:
        yield f"Smoke in {and_list([NAMES[n] for n in state.smoke])}."
    for call, whose in ((state.call, "The attackers' mortars"), (state.enemy_call, "The defenders' mortars")):
        if call is not None:
            yield f"{whose}: {_call_text(call)}."
    hidden = [NAMES[n] for n in sorted(state.ground.road) if letter(state, n) not in (LETTERS["road"], "_")]
    if hidden:
        yield f"The road runs through {and_list(hidden)} too."
    tally = state.tally
    if state.turn:
        tracks = f"losses {state.losses}, ammunition fired {state.ammo}, both of {TRACK - 1}"
        yield f"The attackers' tracks: {tracks}; {count(state.smoke_rounds, 'smoke round')} left."
        found = count(state.platoons_found, "platoon"), count(state.guns_found, "anti-tank gun counter")
        yield (
            f"Defenders found: {found[0]} ({tally.platoons_broken} broken), {found[1]} ({tally.atgs_broken} broken); "
            f"{count(tally.phantoms, 'phantom')} taken off, "
            f"{count(sum(not c.revealed for c in state.enemy), 'potential counter')} left."
        )


def _call_text(call: Call) -> str:
    what = "high explosive" if call.ammo == "he" else "smoke"
    return f"{what} on {NAMES[call.at]}, called in turn {call.turn}"


# --- units -----------------------------------------------------------------------------------------------------------


def units(state: State) -> tuple[str, ...]:
    """The platoons that may be asked about, by their names."""
    return tuple(platoon.id for platoon in state.platoons)


def of_unit(state: State, unit_id: str) -> str:
    """One platoon in a line: its kind, fresh or spent, where it stands, facing what, next to whom."""
    platoon = state.by_id[unit_id]
    name = f"{unit_id}, {_KINDS[platoon.kind]}"
    status = "fresh" if platoon.fresh else "spent"
    if platoon.at == OFF:
        return f"{name}: {FATES[platoon.fate]}" + (f", {status}." if platoon.fate == "waiting" else ".")
    at = platoon.at
    parts = [status, f"in {NAMES[at]}, {_ground_words(state, at)}"]
    if platoon.facing is not None:
        parts.append(f"facing corner {platoon.facing} ({CORNER_WORDS[platoon.facing]})")
    others = [p.id for p in state.by_hex[at] if p.id != unit_id]
    if others:
        parts.append(f"with {and_list(others)}")
    beside = [NAMES[c.at] for c in state.enemy if DISTANCE[at][c.at] == 1]
    if beside:
        parts.append(f"next to defenders in {and_list(beside)}")
    return f"{name}: {'; '.join(parts)}."


def _ground_words(state: State, n: int) -> str:
    kind = state.ground.terrain[n] + (" ground" if state.ground.terrain[n] == "open" else "")
    return f"{kind} on the road" if n in state.ground.road else kind


def remarks(state: State, unit_ids: Iterable[str]) -> tuple[str, ...]:
    """What players may miss about platoons that were just put somewhere: defenders next to them."""
    told = []
    for name in dict.fromkeys(unit_ids):
        platoon = state.by_id.get(name)
        if platoon is None or platoon.at == OFF:
            continue
        beside = [NAMES[c.at] for c in state.enemy if DISTANCE[platoon.at][c.at] == 1]
        if beside:
            told.append(f"{name} is next to defenders in {and_list(beside)}.")
    return tuple(told)


def brief(state: State, words: str) -> str:
    """An action as everybody may hear it: its words, but of a bid or a secret deployment only that it was made."""
    said = words.split()
    if said[:1] == ["post"]:
        return "post in secret"
    return " ".join([*said[:2], "in secret"]) if said[:1] == ["bid"] else words


def title(state: State, actor: str) -> str:
    """How people call whoever did something: a side by its title, a command role by what it commands."""
    if actor in state.setup.sides:
        return state.setup.side_title(actor)
    if actor in ROLES_OF_SIX:
        if actor in ("command", "support"):
            return "Overall command" if actor == "command" else "The MMGs' and mortars' command"
        return f"{actor} company's command" if actor in COMPANIES else "The armour's command"
    return actor.capitalize()


# --- what is next ----------------------------------------------------------------------------------------------------


def next_words(state: State) -> str:
    """What has to be done or may be done now, in a line or two; empty once the game is over."""
    if state.owed:
        at, here = state.owed[0].at, state.infantry.get(state.owed[0].at, ())
        names = [p.id for p in here]
        return f"Losses passed 7 in {NAMES[at]}: say which of {and_list(names)} breaks."
    if state.pending is not None:
        hexes = [NAMES[n] for n in state.pending.hexes]
        by = f" from {NAMES[state.pending.by]}" if state.pending.by != OFF else " by mortars"
        return f"{and_list(hexes)} {'is' if len(hexes) == 1 else 'are'} under fire{by}: roll for all."
    if state.declared:
        names = [name for name, _ in state.declared]
        return (
            f"{and_list(names)} committed to fire on {NAMES[state.declared_on]}: others may join, then roll for all "
            "of them."
        )
    match state.step:
        case "bids":
            missing = [f"player {n}" for n, bid in enumerate(state.bids, 1) if bid is None]
            still = f"Bids are still sealed: {and_list(missing)} still to bid."
            return still if missing else "The bids are equal: a die decides."
        case "terrain":
            left = count(len(NAMES) - state.ground.known.bit_count(), "hex", "hexes")
            return f"{left} without terrain: roll for them, or say what one holds."
        case "defenders":
            return "The potential defenders are set out now."
        case "muster":
            return "Roll for the defenders' forces, in secret."
        case "post":
            return "The enemy's player notes in secret where the real defenders are."
        case "move":
            over = " Or the game may end here." if _may_finish(state) else ""
            return f"{_free(state)} Move them, then go on to the fire phase.{over}"
        case "fire":
            call = " Mortars are called before all fire." if _may_call(state) else ""
            return f"{_free(state)} They may fire; then the phase ends.{call}"
        case "mortars" if state.barrage == "to scatter" and state.call is not None:
            return f"The attackers' mortars fire on {NAMES[state.call.at]}: roll where the bombs come down."
        case "mortars":
            return f"Roll the bombardment of {count(len(bombardment(state)), 'counter')} in sight."
        case "enemy":
            return _enemy(state)
        case "final":
            return f"{_next_roll(state)}: roll it."
    return ""


def next_forms(state: State) -> tuple[str, ...]:
    """How that is typed."""
    if state.owed:
        return ("break PLATOON",)
    if state.pending is not None:
        return ("roll",)
    if state.declared:
        return f"declare PLATOON at {NAMES[state.declared_on]}", "resolve"
    match state.step:
        case "bids":
            return ("award",) if None not in state.bids else ("bid PLAYER POINTS",)
        case "move":
            over = ("finish",) if _may_finish(state) else ()
            return "move PLATOON to HEX", "end", *over
        case "fire":
            call = ("call he|smoke HEX",) if _may_call(state) else ()
            fire = "declare PLATOON at HEX" if state.setup.mode == "co-operative" else "fire PLATOON ... at HEX"
            return fire, "end", *call
        case "mortars":
            return ("scatter",) if state.barrage == "to scatter" and state.call is not None else ("bombard",)
        case "enemy":
            return _enemy_forms(state)
    return _FORMS.get(state.step, ())


def _enemy_forms(state: State) -> tuple[str, ...]:
    if state.solitaire_defence:
        return ("defend",)
    if state.mortar_stage == "to roll":
        return "mortars", "forgo"
    if state.mortar_stage == "to aim":
        return "aim HEX", "forgo"
    if state.acting_counter is None:
        return ("scatter",)
    return "show", "show guns", "shoot PLATOON", "engage HEX ...", "pass"


_FORMS: Mapping[str, tuple[str, ...]] = {
    "terrain": ("survey", "lay HEX TERRAIN"),
    "defenders": ("occupy",),
    "muster": ("muster",),
    "post": ("post HEX ... guns HEX ...",),
    "final": ("defend",),
}


def _free(state: State) -> str:
    """The fresh platoons on the board and those still to enter."""
    fresh = [p.id for p in state.platoons if p.fresh and p.at != OFF]
    waiting = [p.id for p in state.platoons if p.fate == "waiting"]
    told = [f"fresh on the board are {', '.join(fresh)}"] if fresh else []
    told += [f"to enter are {', '.join(waiting)}"] if waiting and state.step == "move" else []
    words = "; ".join(told) or "no platoon is fresh"
    return f"{words[0].upper()}{words[1:]}."


def _may_finish(state: State) -> bool:
    return state.turn > 1 and not state.any_moved


def _may_call(state: State) -> bool:
    return state.call is None and not state.any_fired


def _enemy(state: State) -> str:
    if state.solitaire_defence:
        return f"{_next_roll(state)}: roll it."
    if state.mortar_stage == "to roll":
        return "The defenders' mortars: roll whether they are available, or do without."
    if state.mortar_stage == "to aim":
        return "The defenders' mortars are available: say where they fire, or do without."
    counter = state.acting_counter
    if counter is None:
        return "The defenders' mortars fire: roll where the bombs come down."
    return f"The counter in {NAMES[counter.at]} acts: it may be shown, fire, or do nothing."


def _next_roll(state: State) -> str:
    """The roll that the automatic defenders need next."""
    need = onward(state).need
    if need is None:
        return "The defenders act"
    at = NAMES[need.at] if need.at != OFF else ""
    match need.what:
        case "mortars":
            return "Whether the defenders' mortars are available"
        case "aim":
            return f"The defenders' mortars choose among {and_list(need.among)}"
        case "platoon":
            return f"Whether the platoon in {at} is real ({need.because})"
        case "guns":
            return f"Whether the anti-tank guns in {at} are real ({need.because})"
        case "armour tie" | "cluster tie":
            return f"{at} chooses among {and_list(need.among)}"
        case "armour":
            return f"{at} fires on {need.unit}"
    return "Where the defenders' bombs come down"
