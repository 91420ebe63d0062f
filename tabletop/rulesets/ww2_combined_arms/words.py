"""Actions in the command line's words, and back. Squares are named as in chess, "d4"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tabletop.game.errors import ActionError
from tabletop.rulesets.ww2_combined_arms import acts
from tabletop.rulesets.ww2_combined_arms.data import KINDS, SIDES
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.toml_source import did_you_mean

FORMS: Mapping[str, str] = MappingProxyType(
    {
        "draw": "draw",
        "city": "city SQUARE",
        "army": "army SIDE KIND NUMBER [KIND NUMBER ...]",
        "first": "first SIDE",
        "elite": "elite SIDE UNIT|none",
        "place": "place UNIT at SQUARE",
        "move": "move UNIT to SQUARE",
        "attack": "attack UNIT at TARGET",
        "retreat": "retreat UNIT to SQUARE",
        "reinforce": "reinforce KIND at SQUARE",
        "hold": "hold",
        "end": "end",
        "concede": "concede SIDE",
        "correct": "correct UNIT [to SQUARE] [off] [damage N] [elite yes|no] [because WORDS]",
    }
)
"""How every action is said."""

_PLAIN: Mapping[str, type[Any]] = {"draw": acts.Draw, "hold": acts.Hold, "end": acts.End}
_PLAIN_WORDS = {cls: word for word, cls in _PLAIN.items()}


def _folded(words: str) -> str:
    return re.sub(r"[^a-z]", "", words.casefold())


_NAMES: Mapping[str, str] = {
    **{_folded(kind.letters): kind.id for kind in KINDS.values()},
    **{_folded(kind.title): kind.id for kind in KINDS.values()},
    **{_folded(kind.title).removesuffix("s"): kind.id for kind in KINDS.values()},
    **{_folded(kind.id): kind.id for kind in KINDS.values()},
    **{_folded(kind.id).removesuffix("s"): kind.id for kind in KINDS.values()},
    "infantry": "general", "fort": "fortification", "airfields": "airfield", "mech": "mechanized",
    "fortifications": "fortification",
}  # fmt: skip
"""What types of units may be called, in small letters without spaces."""


# --- to words --------------------------------------------------------------------------------------------------------


def text(action: acts.Action) -> str:
    """An action in words; :func:`parse` reads it back.

    >>> text(acts.Move("R3", "d4")), text(acts.Attack("R3", "B7")), text(acts.Army("red", (("hq", 1),)))
    ('move R3 to d4', 'attack R3 at B7', 'army red hq 1')
    """
    if type(action) in _PLAIN_WORDS:
        return _PLAIN_WORDS[type(action)]
    match action:
        case acts.City():
            return f"city {action.square}"
        case acts.Army():
            return " ".join(("army", action.side, *(f"{kind} {count}" for kind, count in action.units)))
        case acts.First():
            return f"first {action.side}"
        case acts.Elite():
            return f"elite {action.side} {action.unit or 'none'}"
        case acts.Place():
            return f"place {action.unit} at {action.to}"
        case acts.Move():
            return f"move {action.unit} to {action.to}"
        case acts.Attack():
            return f"attack {action.unit} at {action.target}"
        case acts.Retreat():
            return f"retreat {action.unit} to {action.to}"
        case acts.Reinforce():
            return f"reinforce {action.kind} at {action.to}"
        case acts.Concede():
            return f"concede {action.side}"
        case acts.Correct():
            return _correct_text(action)
    raise TypeError(f"{type(action).__name__} is no action of WWII Combined Arms.")


def _correct_text(action: acts.Correct) -> str:
    parts = ["correct", action.unit]
    parts += ["to", action.to] if action.to is not None else []
    parts += ["off"] if action.off else []
    parts += ["damage", str(action.damage)] if action.damage is not None else []
    parts += ["elite", "yes" if action.elite else "no"] if action.elite is not None else []
    return " ".join(parts + (["because", action.reason] if action.reason else []))


# --- from words ------------------------------------------------------------------------------------------------------


def parse(state: State, said: str) -> acts.Action:
    """An action from words; raises ActionError with what was expected."""
    words = said.split()
    if not words:
        raise ActionError("Say what is done, as in: move R3 to d4.")
    verb, rest = words[0].casefold(), words[1:]
    if verb not in FORMS:
        raise ActionError(f'"{words[0]}" is no action of WWII Combined Arms; {did_you_mean(verb, sorted(FORMS))}')
    if verb in _PLAIN:
        if rest:
            raise _wrong(verb)
        plain: acts.Action = _PLAIN[verb]()
        return plain
    return _PARSERS[verb](state, rest)


def _wrong(verb: str) -> ActionError:
    return ActionError(f"That is said so: {FORMS[verb]}.")


def square_name(state: State, said: str) -> str:
    """A square's name as logs write it; raises ActionError with what the board has."""
    board = state.grid.board
    try:
        return board.name(board.parse(said))
    except ValueError as error:
        raise ActionError(str(error)) from error


def unit_name(state: State, said: str) -> str:
    """A unit's name; raises ActionError for one that the game does not have."""
    name = said.upper()
    if name not in state.by_id:
        known = tuple(state.by_id)
        hint = did_you_mean(name, known) if known else "the armies are not made up yet."
        raise ActionError(f'There is no unit "{said}"; {hint}')
    return name


def _side(said: str) -> str:
    if said.casefold() not in SIDES:
        raise ActionError(f'There is no side "{said}": say {" or ".join(SIDES)}.')
    return said.casefold()


def kind_name(said: str) -> str:
    """A type of unit by any of its names; raises ActionError.

    >>> kind_name("Light Tank"), kind_name("AA guns"), kind_name("fort")
    ('light-tanks', 'aa-guns', 'fortification')
    """
    name = _NAMES.get(_folded(said))
    if name is None:
        raise ActionError(f'There is no type of unit called "{said}"; {did_you_mean(said, tuple(KINDS))}')
    return name


def _city(state: State, rest: Sequence[str]) -> acts.Action:
    if len(rest) != 1:
        raise _wrong("city")
    return acts.City(square_name(state, rest[0]))


def _army(state: State, rest: Sequence[str]) -> acts.Action:
    if len(rest) < 2:
        raise _wrong("army")
    side, units, name = _side(rest[0]), [], list[str]()
    for word in (word.strip(",") for word in rest[1:]):
        if not re.fullmatch(r"\d{1,3}", word):
            name.append(word)
            continue
        if not name:
            raise ActionError(f"{word} of what? Say the type before its number: army {side} light-tanks 2 ...")
        units.append((kind_name(" ".join(name)), int(word)))
        name = []
    if name:
        raise ActionError(f'How many of "{" ".join(name)}"? Say the number after the type: light-tanks 2.')
    return acts.Army(side, tuple(units))


def _of_side(verb: str, cls: type[Any]) -> Callable[[State, Sequence[str]], acts.Action]:
    def read(state: State, rest: Sequence[str]) -> acts.Action:
        if len(rest) != 1:
            raise _wrong(verb)
        action: acts.Action = cls(_side(rest[0]))
        return action

    return read


def _elite(state: State, rest: Sequence[str]) -> acts.Action:
    if len(rest) != 2:
        raise _wrong("elite")
    none = rest[1].casefold() == "none"
    return acts.Elite(_side(rest[0]), "" if none else unit_name(state, rest[1]))


def _unit_to(verb: str, between: str, cls: type[Any]) -> Callable[[State, Sequence[str]], acts.Action]:
    def read(state: State, rest: Sequence[str]) -> acts.Action:
        words = [word for n, word in enumerate(rest) if n != 1 or word.casefold() != between]
        if len(words) != 2:
            raise _wrong(verb)
        second = unit_name(state, words[1]) if cls is acts.Attack else square_name(state, words[1])
        action: acts.Action = cls(unit_name(state, words[0]), second)
        return action

    return read


def _reinforce(state: State, rest: Sequence[str]) -> acts.Action:
    words = [word for word in rest if word.casefold() != "at"]
    if len(words) < 2:
        raise _wrong("reinforce")
    return acts.Reinforce(kind_name(" ".join(words[:-1])), square_name(state, words[-1]))


def _correct(state: State, rest: Sequence[str]) -> acts.Action:
    words, reason = list(rest), ""
    lowered = [word.casefold() for word in words]
    if "because" in lowered:
        at = lowered.index("because")
        words, reason = words[:at], " ".join(words[at + 1 :])
    if len(words) < 2:
        raise _wrong("correct")
    given: dict[str, Any] = {}
    unit, words = unit_name(state, words[0]), words[1:]
    while words:
        key = words[0].casefold()
        if key == "off":
            given["off"], words = True, words[1:]
            continue
        if len(words) < 2 or key not in ("to", "damage", "elite"):
            raise _wrong("correct")
        given[key], words = _corrected(state, key, words[1]), words[2:]
    return acts.Correct(unit, **given, reason=reason)


def _corrected(state: State, key: str, said: str) -> Any:
    if key == "to":
        return square_name(state, said)
    if key == "damage":
        if not re.fullmatch(r"\d{1,2}", said):
            raise ActionError(f'"{said}" is no number of damage.')
        return int(said)
    if said.casefold() not in ("yes", "no"):
        raise ActionError(f'"{said}" is neither yes nor no.')
    return said.casefold() == "yes"


_PARSERS: Mapping[str, Callable[[State, Sequence[str]], acts.Action]] = {
    "city": _city, "army": _army, "first": _of_side("first", acts.First), "elite": _elite,
    "place": _unit_to("place", "at", acts.Place), "move": _unit_to("move", "to", acts.Move),
    "attack": _unit_to("attack", "at", acts.Attack), "retreat": _unit_to("retreat", "to", acts.Retreat),
    "reinforce": _reinforce, "concede": _of_side("concede", acts.Concede), "correct": _correct,
}  # fmt: skip
