"""Actions in the command line's words, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.game.errors import ActionError
from tabletop.rulesets.combat import acts
from tabletop.rulesets.combat.data import BY_LETTER, KINDS, ROAD, SIDES, STRIP, TERRAIN
from tabletop.rulesets.combat.deploying import MINE
from tabletop.rulesets.combat.setup import Setup
from tabletop.rulesets.combat.state import State
from tabletop.toml_source import did_you_mean

FORMS: Mapping[str, str] = {
    "lay": "lay SQUARE TERRAIN",
    "army": "army SIDE [planes N] [tanks N] [guns N] [foot N] [motorised N] [cavalry N] [helicopters N] [mines N]",
    "place": "place UNIT SQUARE [UNIT SQUARE ...], or place mine SQUARE",
    "deploy": "deploy SIDE [number N]",
    "unplace": "unplace UNIT, or unplace SQUARE",
    "headquarters": "headquarters SQUARE",
    "ready": "ready SIDE",
    "toss": "toss",
    "first": "first SIDE",
    "move": "move UNIT to SQUARE [via SQUARE ...]",
    "fire": "fire UNIT at TARGET [hit|miss]",
    "strike": "strike UNIT at TARGET [hit|miss]",
    "fly": "fly UNIT to SQUARE",
    "save": "save",
    "reinforce": "reinforce KIND at SQUARE",
    "end": "end",
    "concede": "concede SIDE",
    "correct": "correct UNIT [to SQUARE] [fired yes|no] [moved N] [off], or correct deck HITS MISSES [because WORDS]",
}
"""How every action is said."""

_PLAIN: Mapping[str, type[Any]] = {"toss": acts.Toss, "save": acts.Save, "end": acts.End}
_PLAIN_WORDS = {cls: word for word, cls in _PLAIN.items()}
_UNIT = re.compile(rf"([RB])([{''.join(BY_LETTER)}])([1-9][0-9]?)")
_PLURALS = {"plane": "planes", "tank": "tanks", "gun": "guns", "helicopter": "helicopters"}
_KIND_WORDS: Mapping[str, str] = {
    **{kind: kind for kind in KINDS},
    **{plural: kind for kind, plural in _PLURALS.items()},
    "infantry": "foot",
}


# --- to words --------------------------------------------------------------------------------------------------------


def text(action: acts.Action) -> str:
    """An action in words; :func:`parse` reads it back.

    >>> text(acts.Move("RT1", "d5", ("c4",))), text(acts.Fire("RT1", "BG2", "hit"))
    ('move RT1 to d5 via c4', 'fire RT1 at BG2 hit')
    """
    if type(action) in _PLAIN_WORDS:
        return _PLAIN_WORDS[type(action)]
    match action:
        case acts.Lay():
            return f"lay {action.square} {action.terrain}"
        case acts.Army():
            counts = [f"{_PLURALS.get(kind, kind)} {count}" for kind, count in action.counts]
            return " ".join(["army", action.side, *counts, *([f"mines {action.mines}"] if action.mines else [])])
        case acts.Place():
            return " ".join(["place", *(f"{what} {square}" for what, square in action.pieces)])
        case acts.Unplace():
            return f"unplace {action.what}"
        case acts.Establish():
            return f"headquarters {action.square}"
        case acts.Deploy():
            return f"deploy {action.side}" + (f" number {action.number}" if action.number else "")
        case acts.Ready() | acts.First() | acts.Concede():
            return f"{type(action).__name__.lower()} {action.side}"
        case acts.Move():
            return " ".join(["move", action.unit, "to", action.to, *(["via", *action.via] if action.via else [])])
        case acts.Fire() | acts.Strike():
            verb = type(action).__name__.lower()
            return " ".join([verb, action.unit, "at", action.target, *([action.card] if action.card else [])])
        case acts.Fly():
            return f"fly {action.unit} to {action.to}"
        case acts.Reinforce():
            return f"reinforce {action.kind} at {action.square}"
        case acts.Correct():
            return _correct_text(action)
    raise TypeError(f"{type(action).__name__} is no action of Combat.")


def army_form(setup: Setup, side: str, number: str = "N") -> str:
    """How a side says its army, with the kinds that may be chosen.

    >>> army_form(Setup(period="early-wwi"), "red")
    'army red guns N foot N cavalry N'
    """
    known = [_PLURALS.get(kind, kind) for kind in KINDS if kind in setup.kinds]
    known += ["mines"] if setup.mines_each else []
    return " ".join(["army", side, *(f"{word} {number}" for word in known)])


def _correct_text(action: acts.Correct) -> str:
    parts = ["correct"]
    if action.hits is not None or action.misses is not None:
        parts += ["deck", str(action.hits), str(action.misses)]
    else:
        parts.append(action.unit)
    parts += ["to", action.to] if action.to is not None else []
    parts += ["fired", "yes" if action.fired else "no"] if action.fired is not None else []
    parts += ["moved", str(action.moved)] if action.moved is not None else []
    parts += ["off"] if action.off else []
    return " ".join(parts + (["because", action.reason] if action.reason else []))


# --- from words ------------------------------------------------------------------------------------------------------


def parse(state: State, said: str) -> acts.Action:
    """An action from words; raises ActionError with what was expected. Nothing that is hidden has a part in it."""
    words = said.split()
    if not words:
        raise ActionError("Say what is done, as in: fire RT1 at BG2.")
    verb, rest = words[0].casefold(), words[1:]
    if verb not in FORMS:
        raise ActionError(f'"{words[0]}" is no action of Combat; {did_you_mean(verb, sorted(FORMS))}')
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
    try:
        return state.field.squares.name(state.field.squares.parse(said))
    except ValueError as error:
        raise ActionError(str(error)) from error


def unit_name(said: str) -> str:
    """A piece's name, whether the game has that piece or not; raises ActionError.

    >>> unit_name("rt3")
    'RT3'
    """
    match = _UNIT.fullmatch(said.upper())
    if match is None or int(match[3]) > BY_LETTER[match[2]].pool:
        kinds = ", ".join(f"{kind.letter} {kind.title}" for kind in KINDS.values())
        raise ActionError(
            f'"{said}" is no piece: R or B for the side, a letter for the kind ({kinds}) and a number, as in RT3.'
        )
    return match[0]


def _side(verb: str, said: Sequence[str]) -> str:
    if len(said) != 1 or said[0].casefold() not in SIDES:
        raise ActionError(f"Say which side: {verb} red, or {verb} blue.")
    return said[0].casefold()


def _kind(said: str) -> str:
    word = said.casefold()
    if word not in _KIND_WORDS:
        raise ActionError(f'"{said}" is no kind of piece; {did_you_mean(word, sorted(_KIND_WORDS))}')
    return _KIND_WORDS[word]


def _number(said: str) -> int:
    if not re.fullmatch(r"\d{1,3}", said):
        raise ActionError(f'"{said}" is no number of pieces, mines, cards or squares.')
    return int(said)


def _lay(state: State, rest: Sequence[str]) -> acts.Action:
    if len(rest) != 2:
        raise _wrong("lay")
    terrain = rest[1].casefold()
    known = (*TERRAIN, ROAD, STRIP)
    if terrain not in known:
        raise ActionError(f'"{rest[1]}" is no terrain of Combat; {did_you_mean(terrain, known)}')
    return acts.Lay(square_name(state, rest[0]), terrain)


def _army(state: State, rest: Sequence[str]) -> acts.Action:
    side = _side("army", rest[:1])
    words = rest[1:]
    if len(words) % 2:
        raise _wrong("army")
    counts: dict[str, int] = {}
    mines = 0
    for word, number in zip(words[::2], words[1::2], strict=True):
        count = _number(number)
        if word.casefold() in ("mine", "mines"):
            mines = count
            continue
        kind = _kind(word)
        if kind in counts:
            raise ActionError(f"{KINDS[kind].plural.capitalize()} stand twice.")
        counts[kind] = count
    return acts.Army(side, tuple((kind, counts[kind]) for kind in KINDS if counts.get(kind)), mines)


def _place(state: State, rest: Sequence[str]) -> acts.Action:
    if not rest or len(rest) % 2:
        raise _wrong("place")
    return acts.Place(
        tuple(
            (MINE if what.casefold() == MINE else unit_name(what), square_name(state, square))
            for what, square in zip(rest[::2], rest[1::2], strict=True)
        )
    )


def _unplace(state: State, rest: Sequence[str]) -> acts.Action:
    if len(rest) != 1:
        raise _wrong("unplace")
    is_unit = _UNIT.fullmatch(rest[0].upper())
    return acts.Unplace(unit_name(rest[0]) if is_unit else square_name(state, rest[0]))


def _establish(state: State, rest: Sequence[str]) -> acts.Action:
    if len(rest) != 1:
        raise _wrong("headquarters")
    return acts.Establish(square_name(state, rest[0]))


def _move(state: State, rest: Sequence[str]) -> acts.Action:
    words = [word for n, word in enumerate(rest) if not (n == 1 and word.casefold() == "to")]
    if len(words) < 2:
        raise _wrong("move")
    via = words[2:]
    if via and (via[0].casefold() != "via" or len(via) < 2):
        raise _wrong("move")
    squares = tuple(square_name(state, word) for word in via[1:])
    return acts.Move(unit_name(words[0]), square_name(state, words[1]), squares)


def _shot(verb: str, cls: type[Any]) -> Callable[[State, Sequence[str]], acts.Action]:
    def read(state: State, rest: Sequence[str]) -> acts.Action:
        words = [word for n, word in enumerate(rest) if not (n == 1 and word.casefold() == "at")]
        if len(words) not in (2, 3) or (len(words) == 3 and words[2].casefold() not in ("hit", "miss")):
            raise _wrong(verb)
        card = words[2].casefold() if len(words) == 3 else ""
        action: acts.Action = cls(unit_name(words[0]), _target(state, words[1]), card)
        return action

    return read


def _target(state: State, said: str) -> str:
    """A target by its name, or by its square where the boards lie open."""
    if _UNIT.fullmatch(said.upper()) or state.step != "play" or state.apart:
        return unit_name(said)
    n = state.field.number[square_name(state, said)]
    if n not in state.standing:
        raise ActionError(f"No piece stands in {state.name(n)}.")
    return state.standing[n].id


def _fly(state: State, rest: Sequence[str]) -> acts.Action:
    words = [word for n, word in enumerate(rest) if not (n == 1 and word.casefold() == "to")]
    if len(words) != 2:
        raise _wrong("fly")
    return acts.Fly(unit_name(words[0]), square_name(state, words[1]))


def _reinforce(state: State, rest: Sequence[str]) -> acts.Action:
    words = [word for n, word in enumerate(rest) if not (n == 1 and word.casefold() == "at")]
    if len(words) != 2:
        raise _wrong("reinforce")
    return acts.Reinforce(_kind(words[0]), square_name(state, words[1]))


def _one_side(verb: str, cls: type[Any]) -> Callable[[State, Sequence[str]], acts.Action]:
    def read(state: State, rest: Sequence[str]) -> acts.Action:
        action: acts.Action = cls(_side(verb, rest))
        return action

    return read


def _deploy(state: State, rest: Sequence[str]) -> acts.Action:
    words = [word.casefold() for word in rest]
    if len(words) == 1:
        return acts.Deploy(_side("deploy", words))
    if len(words) != 3 or words[1] != "number":
        raise _wrong("deploy")
    if not re.fullmatch(r"\d{1,9}", words[2]):
        raise ActionError(f'"{rest[2]}" is no number of at most nine digits.')
    return acts.Deploy(_side("deploy", words[:1]), int(words[2]))


def _correct(state: State, rest: Sequence[str]) -> acts.Action:
    words, reason = list(rest), ""
    lowered = [word.casefold() for word in words]
    if "because" in lowered:
        at = lowered.index("because")
        words, reason = words[:at], " ".join(words[at + 1 :])
    if words and words[0].casefold() == "deck":
        if len(words) != 3:
            raise _wrong("correct")
        return acts.Correct(hits=_number(words[1]), misses=_number(words[2]), reason=reason)
    if len(words) < 2:
        raise _wrong("correct")
    given: dict[str, Any] = {"unit": unit_name(words[0])}
    words = words[1:]
    while words:
        key = words[0].casefold()
        if key == "off":
            given["off"], words = True, words[1:]
            continue
        if len(words) < 2 or key not in ("to", "fired", "moved"):
            raise _wrong("correct")
        value = words[1]
        given[key] = square_name(state, value) if key == "to" else _yes(value) if key == "fired" else _number(value)
        words = words[2:]
    return acts.Correct(**given, reason=reason)


def _yes(said: str) -> bool:
    if said.casefold() not in ("yes", "no"):
        raise ActionError(f'"{said}" is neither yes nor no.')
    return said.casefold() == "yes"


_PARSERS: Mapping[str, Callable[[State, Sequence[str]], acts.Action]] = {
    "lay": _lay,
    "army": _army, "place": _place, "unplace": _unplace, "headquarters": _establish,
    "deploy": _deploy,
    "ready": _one_side("ready", acts.Ready), "first": _one_side("first", acts.First), "move": _move,
    "fire": _shot("fire", acts.Fire), "strike": _shot("strike", acts.Strike), "fly": _fly, "reinforce": _reinforce,
    "concede": _one_side("concede", acts.Concede), "correct": _correct,
}  # fmt: skip
