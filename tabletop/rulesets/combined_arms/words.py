"""Actions in the command line's words, and back. Hexes are named "4-3", or "r4h3", or "4.3"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from tabletop.game.errors import ActionError
from tabletop.rulesets.combined_arms import acts
from tabletop.rulesets.combined_arms.board import NAMES, number
from tabletop.rulesets.combined_arms.data import PLATOONS, ROLES, SIDES, TERRAIN
from tabletop.rulesets.combined_arms.state import State
from tabletop.toml_source import did_you_mean

USAGE = {
    "survey": "survey [HEX ...]",
    "lay": "lay HEX TERRAIN",
    "occupy": "occupy",
    "bid": "bid PLAYER POINTS",
    "award": "award",
    "muster": "muster",
    "post": "post HEX ... [guns HEX ...]",
    "move": "move PLATOON to HEX [HEX] [facing CORNER] [off]",
    "leave": "leave PLATOON [via HEX]",
    "face": "face PLATOON CORNER",
    "call": "call he|smoke HEX",
    "fire": "fire PLATOON[:CORNER] ... at HEX",
    "declare": "declare PLATOON[:CORNER] at HEX",
    "resolve": "resolve",
    "end": "end",
    "scatter": "scatter",
    "bombard": "bombard",
    "roll": "roll [HEX ...]",
    "break": "break PLATOON",
    "defend": "defend",
    "mortars": "mortars",
    "aim": "aim HEX",
    "forgo": "forgo",
    "show": "show [guns]",
    "shoot": "shoot PLATOON",
    "engage": "engage HEX [HEX [HEX]]",
    "pass": "pass",
    "finish": "finish",
    "claim": "claim ROLE",
    "grant": "grant ROLE",
    "concede": "concede SIDE",
    "correct": "correct PLATOON|HEX [to HEX] [fresh yes|no] [facing CORNER] [revealed yes|no] [atg STATE] [off]"
    " [losses N] [ammo N] [because WORDS]",
}
"""How every action is said."""

_PLAIN: dict[str, type[Any]] = {
    "occupy": acts.Occupy, "award": acts.Award, "muster": acts.Muster, "resolve": acts.Resolve, "end": acts.End,
    "scatter": acts.Scatter, "bombard": acts.Bombard, "defend": acts.Defend, "mortars": acts.TryMortars,
    "forgo": acts.Forgo, "pass": acts.Pass, "finish": acts.Finish,
}  # fmt: skip
_PLAIN_WORDS = {cls: word for word, cls in _PLAIN.items()}


# --- to words --------------------------------------------------------------------------------------------------------


def text(action: acts.Action) -> str:
    """An action in words; :func:`parse` reads it back.

    >>> text(acts.Move("A1", ("3-5",), 0)), text(acts.Fire("6-4", ("E2", "A1"), (None, 5)))
    ('move A1 to 3-5 facing 0', 'fire E2 A1:5 at 6-4')
    """
    if type(action) in _PLAIN_WORDS:
        return _PLAIN_WORDS[type(action)]
    match action:
        case acts.Survey() | acts.RollFor():
            return " ".join(("survey" if isinstance(action, acts.Survey) else "roll", *action.hexes))
        case acts.Lay():
            return f"lay {action.hex} {action.terrain}"
        case acts.Bid():
            return f"bid {action.player} {action.points}"
        case acts.Post():
            return " ".join(("post", *action.platoons, *(["guns", *action.atgs] if action.atgs else [])))
        case acts.Move():
            return _move_text(action)
        case acts.Face():
            return f"face {action.unit} {action.facing}"
        case acts.Call():
            return f"call {action.ammo} {action.hex}"
        case acts.Fire():
            facings = [*action.facings, *([None] * (len(action.units) - len(action.facings)))]
            firers = " ".join(_firer(u, f) for u, f in zip(action.units, facings, strict=True))
            return f"fire {firers} at {action.target}"
        case acts.Declare():
            return f"declare {_firer(action.unit, action.facing)} at {action.target}"
        case acts.Break():
            return f"break {action.unit}"
        case acts.Aim():
            return f"aim {action.hex}"
        case acts.Show():
            return "show guns" if action.guns else "show"
        case acts.Shoot():
            return f"shoot {action.unit}"
        case acts.Engage():
            return " ".join(("engage", *action.hexes))
        case acts.Claim():
            return f"claim {action.role}"
        case acts.Grant():
            return f"grant {action.role}"
        case acts.Concede():
            return f"concede {action.side}"
        case acts.Correct():
            return _correct_text(action)
    raise TypeError(f"{type(action).__name__} is no action of Combined Arms.")


def _firer(unit: str, facing: int | None) -> str:
    return unit if facing is None else f"{unit}:{facing}"


def _move_text(action: acts.Move) -> str:
    if action.off:
        return " ".join(("leave", action.unit, *(["via", *action.path] if action.path else [])))
    parts = ["move", action.unit, "to", *action.path]
    return " ".join(parts if action.facing is None else [*parts, "facing", str(action.facing)])


def _correct_text(action: acts.Correct) -> str:
    parts = ["correct", *([action.unit or action.hex] if action.unit or action.hex else [])]
    for name in ("to", "facing", "atg", "losses", "ammo"):
        value = getattr(action, name)
        if value is not None:
            parts += [name, str(value)]
    for name in ("fresh", "revealed"):
        value = getattr(action, name)
        if value is not None:
            parts += [name, "yes" if value else "no"]
    parts += ["off"] if action.off else []
    return " ".join(parts + (["because", action.reason] if action.reason else []))


# --- from words ------------------------------------------------------------------------------------------------------


def parse(state: State, said: str) -> acts.Action:
    """An action from words; raises ActionError with what was expected."""
    words = said.split()
    if not words:
        raise ActionError("Say what is done, as in: fire E2 at 6-4.")
    verb, rest = words[0].casefold(), words[1:]
    if verb not in USAGE:
        raise ActionError(f'"{words[0]}" is no action of Combined Arms; {did_you_mean(verb, sorted(USAGE))}')
    if verb in _PLAIN:
        if rest:
            raise _wrong(verb)
        plain: acts.Action = _PLAIN[verb]()
        return plain
    return _PARSERS[verb](rest)


def _wrong(verb: str) -> ActionError:
    return ActionError(f"That is said so: {USAGE[verb]}.")


def hex_name(said: str) -> str:
    """A hex's name as logs write it; raises ActionError with what its row has."""
    try:
        return NAMES[number(said)]
    except (ValueError, KeyError) as error:
        told = str(error) if isinstance(error, ValueError) else f'There is no hex "{said}".'
        raise ActionError(told if told.endswith(".") else f"{told}.") from error


def _unit(said: str) -> str:
    name = said.upper()
    if name not in PLATOONS:
        raise ActionError(f'There is no platoon "{said}"; {did_you_mean(name, PLATOONS)}')
    return name


def _corner(said: str) -> int:
    if not re.fullmatch(r"[0-5]", said):
        raise ActionError(f'"{said}" is no corner of a hex: 0 is the top, then clockwise to 5.')
    return int(said)


def _firing(said: str) -> tuple[str, int | None]:
    name, colon, corner = said.partition(":")
    return _unit(name), _corner(corner) if colon else None


def _survey(rest: Sequence[str]) -> acts.Action:
    return acts.Survey(tuple(map(hex_name, rest)))


def _roll(rest: Sequence[str]) -> acts.Action:
    return acts.RollFor(tuple(map(hex_name, rest)))


def _lay(rest: Sequence[str]) -> acts.Action:
    if len(rest) < 2:
        raise _wrong("lay")
    kind = " ".join(rest[1:]).casefold()
    if kind not in TERRAIN:
        raise ActionError(f'"{kind}" is no terrain of Combined Arms; {did_you_mean(kind, TERRAIN)}')
    return acts.Lay(hex_name(rest[0]), kind)


def _bid(rest: Sequence[str]) -> acts.Action:
    if len(rest) != 2 or rest[0] not in ("1", "2") or not re.fullmatch(r"\d{1,3}", rest[1]):
        raise _wrong("bid")
    return acts.Bid(1 if rest[0] == "1" else 2, int(rest[1]))


def _post(rest: Sequence[str]) -> acts.Action:
    words = [word.casefold() for word in rest]
    split = words.index("guns") if "guns" in words else len(words)
    platoons = tuple(map(hex_name, rest[:split]))
    if not platoons:
        raise _wrong("post")
    return acts.Post(platoons, tuple(map(hex_name, rest[split + 1 :])))


def _move(rest: Sequence[str]) -> acts.Action:
    if len(rest) < 2:
        raise _wrong("move")
    unit, words = _unit(rest[0]), [word.casefold() for word in rest[1:]]
    words = words[1:] if words[0] == "to" else words
    off = "off" in words
    words = [word for word in words if word != "off"]
    facing = None
    if "facing" in words:
        at = words.index("facing")
        if at != len(words) - 2:
            raise _wrong("move")
        facing, words = _corner(words[at + 1]), words[:at]
    if not words and not off:
        raise _wrong("move")
    return acts.Move(unit, tuple(map(hex_name, words)), facing, off)


def _leave(rest: Sequence[str]) -> acts.Action:
    if not rest or (len(rest) > 1 and (rest[1].casefold() != "via" or len(rest) < 3)):
        raise _wrong("leave")
    return acts.Move(_unit(rest[0]), tuple(map(hex_name, rest[2:])), off=True)


def _face(rest: Sequence[str]) -> acts.Action:
    if len(rest) != 2:
        raise _wrong("face")
    return acts.Face(_unit(rest[0]), _corner(rest[1]))


def _call(rest: Sequence[str]) -> acts.Action:
    if len(rest) != 2 or rest[0].casefold() not in ("he", "smoke"):
        raise _wrong("call")
    return acts.Call(hex_name(rest[1]), "he" if rest[0].casefold() == "he" else "smoke")


def _fire(rest: Sequence[str]) -> acts.Action:
    if len(rest) < 3 or rest[-2].casefold() != "at":
        raise _wrong("fire")
    firers = [_firing(word) for word in rest[:-2]]
    facings = tuple(facing for _, facing in firers)
    units = tuple(unit for unit, _ in firers)
    return acts.Fire(hex_name(rest[-1]), units, facings if any(f is not None for f in facings) else ())


def _declare(rest: Sequence[str]) -> acts.Action:
    if len(rest) != 3 or rest[1].casefold() != "at":
        raise _wrong("declare")
    unit, facing = _firing(rest[0])
    return acts.Declare(unit, hex_name(rest[2]), facing)


def _one_unit(verb: str, cls: type[Any]) -> Callable[[Sequence[str]], acts.Action]:
    def read(rest: Sequence[str]) -> acts.Action:
        if len(rest) != 1:
            raise _wrong(verb)
        action: acts.Action = cls(_unit(rest[0]))
        return action

    return read


def _aim(rest: Sequence[str]) -> acts.Action:
    if len(rest) != 1:
        raise _wrong("aim")
    return acts.Aim(hex_name(rest[0]))


def _show(rest: Sequence[str]) -> acts.Action:
    if [word.casefold() for word in rest] not in ([], ["guns"]):
        raise _wrong("show")
    return acts.Show(bool(rest))


def _engage(rest: Sequence[str]) -> acts.Action:
    if not rest:
        raise _wrong("engage")
    return acts.Engage(tuple(map(hex_name, rest)))


def _role(verb: str, cls: type[Any]) -> Callable[[Sequence[str]], acts.Action]:
    known = {role.casefold(): role for role in ROLES}

    def read(rest: Sequence[str]) -> acts.Action:
        if len(rest) != 1 or rest[0].casefold() not in known:
            raise ActionError(f"Say {verb} with a role: {', '.join(ROLES)}.")
        action: acts.Action = cls(known[rest[0].casefold()])
        return action

    return read


def _concede(rest: Sequence[str]) -> acts.Action:
    if len(rest) != 1 or rest[0].casefold() not in SIDES:
        raise ActionError(f"Say which side gives up: concede {' or concede '.join(SIDES)}.")
    return acts.Concede(rest[0].casefold())


def _correct(rest: Sequence[str]) -> acts.Action:
    words, reason = list(rest), ""
    lowered = [word.casefold() for word in words]
    if "because" in lowered:
        at = lowered.index("because")
        words, reason = words[:at], " ".join(words[at + 1 :])
    given: dict[str, Any] = {}
    if words and words[0].casefold() not in ("losses", "ammo"):
        given["unit" if words[0].upper() in PLATOONS else "hex"] = (
            words[0].upper() if words[0].upper() in PLATOONS else hex_name(words[0])
        )
        words = words[1:]
    while words:
        key = words[0].casefold()
        if key == "off":
            given["off"], words = True, words[1:]
            continue
        if len(words) < 2 or key not in _CORRECTIONS:
            raise _wrong("correct")
        given[key], words = _CORRECTIONS[key](words[1]), words[2:]
    if not given:
        raise _wrong("correct")
    return acts.Correct(**given, reason=reason)


def _yes(said: str) -> bool:
    if said.casefold() not in ("yes", "no"):
        raise ActionError(f'"{said}" is neither yes nor no.')
    return said.casefold() == "yes"


def _count(said: str) -> int:
    if not re.fullmatch(r"\d{1,3}", said):
        raise ActionError(f'"{said}" is no number for a track.')
    return int(said)


_CORRECTIONS: dict[str, Callable[[str], Any]] = {
    "to": hex_name, "facing": _corner, "fresh": _yes, "revealed": _yes, "atg": str.casefold, "losses": _count,
    "ammo": _count,
}  # fmt: skip
_PARSERS: dict[str, Callable[[Sequence[str]], acts.Action]] = {
    "survey": _survey, "roll": _roll, "lay": _lay, "bid": _bid, "post": _post, "move": _move, "leave": _leave,
    "face": _face, "call": _call, "fire": _fire, "declare": _declare, "break": _one_unit("break", acts.Break),
    "aim": _aim, "show": _show, "shoot": _one_unit("shoot", acts.Shoot), "engage": _engage,
    "claim": _role("claim", acts.Claim), "grant": _role("grant", acts.Grant), "concede": _concede,
    "correct": _correct,
}  # fmt: skip
