"""Actions in words, as typed on a command line: no quotes, no special characters, forgiving in case and spacing.

Places are written ``x,y`` in inches, facings in degrees clockwise from +y (``unknown`` where nobody knows it); where a
photo measured a stand, ``bases x,y,facing,xx,xy,yy,sigma`` has the covariance of its centre and its facing's sigma.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tabletop.rulesets.combat_captain import acts
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.one_hour_ww2.reader import plain

FORMS: Mapping[str, str] = MappingProxyType(
    {
        "put": "put UNIT at X,Y [facing DEGREES] [UNIT at X,Y ...]",
        "cover": "cover UNIT ... level N [facing DEGREES]",
        "begin": "begin",
        "fire": "fire UNIT[:WEAPON] ... at TARGET [spotter UNIT] [dice N] [stationary] [measured CALL ...]",
        "save": "save",
        "assault": "assault COMPANY at COMPANY [losses UNIT ...] [measured CALL ...]",
        "withdraw": "withdraw COMPANY",
        "melee": "melee",
        "retreat": "retreat",
        "settle": "settle",
        "event": "event",
        "choose": "choose artillery|strafing|bombing",
        "arrive": "arrive",
        "shell": "shell at X,Y [across INCHES] [spread INCHES] [with UNIT ...] [without UNIT ...], or shell off",
        "strafe": "strafe from X,Y to X,Y (or at X,Y facing DEGREES) [with UNIT ...] [without UNIT ...]",
        "attack": "attack [men N]",
        "return": "return",
        "break-off": "break-off",
        "bomb": "bomb TARGET",
        "chit": "chit COMPANY +N|-N [because WORDS]",
        "end": "end",
        "concede": "concede SIDE",
        "victory": "victory SIDE|draw [because WORDS]",
        "correct": "correct UNIT [at X,Y facing DEGREES] [men N] [cover N] [lead] [off] [because WORDS]",
    }
)
"""How every action is said. A call settles what measurements leave open, as the players found it: ``A1=short``,
``A1=medium``, ``A1=long``, ``A1=seen``; ``covered`` or ``uncovered`` of the target, in close combat of each stand, as
``B1=covered``."""


ONE_WORD: Mapping[str, Callable[[], acts.Action]] = MappingProxyType(
    {
        "begin": acts.Begin,
        "save": acts.Save,
        "melee": acts.Melee,
        "retreat": acts.Retreat,
        "settle": acts.Settle,
        "event": acts.TryEvent,
        "arrive": acts.Arrive,
        "return": acts.Return,
        "break-off": acts.BreakOff,
    }
)


_SAID: Mapping[Any, str] = {type(make()): word for word, make in ONE_WORD.items()} | {acts.End: "end"}


def text(action: acts.Action) -> str:
    """An action in words; :func:`parse` reads it back as it was.

    >>> text(acts.Fire("A", (acts.Firer("A1"), acts.Firer("A4", "mg")), "R2", 3))
    'fire A1 A4:mg at R2 dice 3'
    """
    match action:
        case acts.Put():
            return f"put {' '.join(f'{place.sub} {standing_text(place.at)}' for place in action.places)}"
        case acts.Cover():
            facing = "" if action.facing is None else f" facing {plain(action.facing)}"
            return f"cover {' '.join(action.subs)} level {action.level}{facing}"
        case acts.Fire():
            return _fire_text(action)
        case acts.Assault():
            losses = f" losses {' '.join(action.losses)}" if action.losses else ""
            calls = f" measured {' '.join(action.calls)}" if action.calls else ""
            return f"assault {action.attacker} at {action.defender}{losses}{calls}"
        case acts.Withdraw():
            return f"withdraw {action.company}"
        case acts.Choose():
            return f"choose {action.what}"
        case acts.Shell():
            return _shell_text(action)
        case acts.Strafe():
            (ax, ay), (bx, by) = action.start, action.end
            ends = f"from {plain(ax)},{plain(ay)} to {plain(bx)},{plain(by)}"
            return f"strafe {ends}{_looked_text(action.touching, action.missing)}"
        case acts.Attack():
            return "attack" if action.men is None else f"attack men {action.men}"
        case acts.Bomb():
            return f"bomb {action.target}"
        case acts.Chit():
            return f"chit {action.company} {action.change:+d}{_because(action.reason)}"
        case acts.Concede():
            return f"concede {action.side}"
        case acts.Declare():
            return f"victory {action.winner}{_because(action.reason)}"
        case acts.Correct():
            return _correct_text(action)
    return _SAID[type(action)]


def _fire_text(action: acts.Fire) -> str:
    who = " ".join(f"{f.sub}:{f.weapon}" if f.weapon else f.sub for f in action.firers) or action.company
    stationary = " stationary" if action.stationary else ""
    spotter = f" spotter {action.spotter}" if action.spotter else ""
    calls = f" measured {' '.join(action.calls)}" if action.calls else ""
    return f"fire {who} at {action.target}{spotter} dice {action.dice}{stationary}{calls}"


def _shell_text(action: acts.Shell) -> str:
    if action.at is None:
        return "shell off"
    across = "" if action.width_in is None else f" across {plain(action.width_in)}"
    spread = f" spread {plain(action.sigma_in)}" if action.sigma_in else ""
    at = f"{plain(action.at[0])},{plain(action.at[1])}"
    return f"shell at {at}{across}{spread}{_looked_text(action.touching, action.missing)}"


def _looked_text(touching: Sequence[str], missed: Sequence[str]) -> str:
    found = f" with {' '.join(touching)}" if touching else ""
    return found + (f" without {' '.join(missed)}" if missed else "")


def _because(reason: str) -> str:
    return f" because {reason}" if reason else ""


def _correct_text(action: acts.Correct) -> str:
    words = [f"correct {action.sub}"]
    if action.at is not None:
        words.append(standing_text(action.at))
    words += [f"{name} {value}" for name in ("men", "cover") if (value := getattr(action, name)) is not None]
    words += [name for name in ("lead", "off") if getattr(action, name)]
    return " ".join(words) + _because(action.reason)


def standing_text(at: Standing) -> str:
    """Where a stand is put, in words."""
    facing = "unknown" if at.facing is None else plain(at.facing)
    spread = (*at.covariance, at.facing_sigma)
    if any(spread):
        return f"bases {','.join([plain(at.x), plain(at.y), facing, *map(plain, spread)])}"
    return f"at {plain(at.x)},{plain(at.y)} facing {facing}"
