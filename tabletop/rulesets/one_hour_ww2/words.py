"""Actions in words, as typed on a command line: no quotes, no special characters, forgiving in case and spacing.

Places are written ``x,y`` in inches, bases ``x,y,facing`` in degrees clockwise from +y (``unknown`` where the facing is
not known), and after those three, where a photo measured them, the covariance ``xx,xy,yy`` of the centre in square
inches and the facing's sigma. Spaces do as well as commas. Units go by id, or by name where only one has that name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from tabletop.game.errors import ActionError
from tabletop.rulesets.one_hour_ww2 import acts
from tabletop.rulesets.one_hour_ww2.firing import CALLS
from tabletop.rulesets.one_hour_ww2.moving import rigid
from tabletop.rulesets.one_hour_ww2.reader import Reader, plain, split, turned
from tabletop.rulesets.one_hour_ww2.scenario_forces import formed
from tabletop.rulesets.one_hour_ww2.setup import Standing, UnitSetup, standings_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.toml_source import did_you_mean

FORMS: Mapping[str, str] = MappingProxyType(
    {
        "deploy": "deploy UNIT at X,Y [facing DEGREES] [dug-in] [ready]",
        "begin": "begin",
        "fire": "fire UNIT at TARGET [observed by UNIT] [measured CALL ...]",
        "move": "move UNIT",
        "place": "place UNIT at X,Y [facing DEGREES] [via X,Y X,Y ...]",
        "stay": "stay UNIT",
        "leave": "leave UNIT by EXIT",
        "rally": "rally UNIT",
        "ready": "ready UNIT",
        "dig-in": "dig-in UNIT",
        "end": "end",
        "concede": "concede SIDE",
        "correct": "correct UNIT [hits N] [permanent N] [dug-in yes|no] [ready yes|no] [moved yes|no] [fired yes|no] "
        "[at X,Y facing DEGREES] [off] [because WORDS]",
    }
)
"""How every action is said. Wherever ``at X,Y facing DEGREES`` stands, so may ``bases X,Y,DEGREES`` base by base. A
call settles what the measurements leave open, as the players found it (``firing.CALLS``)."""

GAP_IN = 0.5
"""Between the bases of a unit that is put on the table by its unique base alone."""

_BECAUSE = re.compile(r"\sbecause(?:\s+|$)", re.IGNORECASE)
_SPELLED = {"dug-in": ("dug-in", "dug in", "dugin", "dug_in"), "bases": ("bases", "base"), "at": ("at", "to")}
_COMMANDS = ("undo", "state", "note", "log", "reach", "see")
_MARKERS = ("dug-in", "ready", "moved", "fired")


def parse(state: State, words: str) -> acts.Action:
    """The action that the words say; raises ActionError with what was expected.

    ``at X,Y`` keeps a unit's formation about its unique base and, unless told otherwise, its facing; a unit that is not
    on the table yet forms a line abreast that faces 0 degrees.
    """
    said = split(words)
    if not said:
        raise ActionError(f"Say what to do: {', '.join(FORMS)}.")
    if [word.casefold() for word in said[:2]] == ["dig", "in"]:
        said[:2] = ["dig-in"]
    verb = {"dig": "dig-in", "digin": "dig-in", "dig_in": "dig-in"}.get(said[0].casefold(), said[0].casefold())
    if verb in _COMMANDS:
        raise ActionError(f'"{said[0]}" is a command of its own: tabletop {verb}.')
    if verb not in FORMS and len(said) > 1 and said[1].casefold() in FORMS:
        raise ActionError(f"Say first what is done, then by whom: {said[1].casefold()} {said[0]}.")
    if verb not in FORMS:
        raise ActionError(f'"{said[0]}" is nothing that can be done; {did_you_mean(said[0], FORMS)}')
    reason = ""
    if verb == "correct" and (because := _BECAUSE.search(words)):
        said, reason = split(words[: because.start()]), words[because.end() :].strip()
    reader = Reader(state, FORMS[verb], said[1:])
    action = _correct(reader, reason) if verb == "correct" else _READ[verb](reader)
    reader.done()
    return action


def text(action: acts.Action) -> str:
    """An action in words; :func:`parse` reads it back as it was.

    >>> text(acts.Place("B1", (Standing(10, 8.5, 45.0),), ((10.0, 5.0),)))
    'place B1 bases 10,8.5,45 via 10,5'
    """
    match action:
        case acts.Deploy():
            flags = [word for name, word in (("dug_in", "dug-in"), ("ready", "ready")) if getattr(action, name)]
            return " ".join([f"deploy {action.unit} {_bases_text(action.at)}", *flags])
        case acts.Fire():
            spotted = f" observed by {action.observer}" if action.observer else ""
            called = f" measured {' '.join(action.calls)}" if action.calls else ""
            return f"fire {action.unit} at {action.target}{spotted}{called}"
        case acts.Place():
            via = f" via {' '.join(f'{plain(x)},{plain(y)}' for x, y in action.path)}" if action.path else ""
            return f"place {action.unit} {_bases_text(action.at)}{via}"
        case acts.Leave():
            return f"leave {action.unit} by {action.exit}"
        case acts.Concede():
            return f"concede {action.side}"
        case acts.Correct():
            return _correct_text(action)
        case acts.Begin() | acts.End():
            return type(action).__name__.casefold()
        case acts.Move() | acts.Rally() | acts.Ready():
            return f"{type(action).__name__.casefold()} {action.unit}"
        case acts.DigIn():
            return f"dig-in {action.unit}"


def abreast(unit: UnitSetup, x_in: float, y_in: float, facing_deg: float) -> tuple[Standing, ...]:
    """Places for a unit's bases, row by row: a line abreast, fronts level, about its unique base centred at (x, y).

    The others stand to its right and left in turn, ``GAP_IN`` apart, which every kind may [Game Conventions, Units].
    """
    order = [unit.unique, *(row for row in range(len(unit.bases)) if row != unit.unique)]
    places = formed([unit.bases[row] for row in order], (x_in, y_in), facing_deg, "line", GAP_IN)
    return tuple(place for _, place in sorted(zip(order, places, strict=True), key=lambda pair: pair[0]))


# --- reading ------------------------------------------------------------------------------------------------------


_CLAUSES: Mapping[str, Callable[[Reader], Any]] = MappingProxyType(
    {
        "at": Reader.point,
        "bases": Reader.bases,
        "facing": Reader.facing,
        "via": Reader.path,
        "hits": lambda reader: reader.whole("hits"),
        "permanent": lambda reader: reader.whole("permanent"),
        "dug-in": Reader.answer,
        "ready": Reader.answer,
        "moved": Reader.answer,
        "fired": Reader.answer,
        "off": lambda reader: True,
    }
)
_PLACES = ("at", "bases", "facing")


@dataclass(frozen=True)
class _Clauses:
    """What stands after a unit, in any order, each at most once."""

    reader: Reader
    unit: str
    found: Mapping[str, Any]

    @classmethod
    def read(cls, reader: Reader, *allowed: str) -> _Clauses:
        """The unit and all that is said about it: its places, and the ``allowed`` clauses."""
        unit, names = reader.unit(), (*_PLACES, *allowed)
        found: dict[str, Any] = {}
        while reader.rest:
            name = next((name for name in names if reader.take(*_SPELLED.get(name, (name,)))), None)
            if name is None:
                reader.fail(f'"{reader.rest[0]}" is not understood here; {did_you_mean(reader.rest[0], names)}')
            if name in found:
                reader.fail(f'"{name}" stands twice.')
            found[name] = _CLAUSES[name](reader)
        return cls(reader, unit, found)

    def places(self, *, needed: bool) -> tuple[Standing, ...]:
        """Where the unit's bases are put, one by one or about the unique base; empty where nobody said."""
        found, reader = self.found, self.reader
        if "bases" in found:
            if "at" in found or "facing" in found:
                reader.fail('Either "bases" base by base, or "at" with "facing", not both.')
            places: tuple[Standing, ...] = found["bases"]
            return places
        unit, plan = reader.state.unit(self.unit), reader.state.setup.unit(self.unit)
        facing: float | None = found.get("facing")
        if "at" not in found:
            if not needed and facing is None:
                return ()
            if unit is None or facing is None or unit.unique is None:
                reader.fail(f'Where is {self.unit} put? "at" is missing.')
            x, y = (float(value) for value in unit.bases.center[unit.unique])
        else:
            x, y = found["at"]
        if unit is not None and unit.unique is not None:
            way = float(unit.bases.facing[unit.unique]) if facing is None else facing
            return tuple(_tidy(place) for place in rigid(unit, x, y, way))
        return () if plan is None else abreast(plan, x, y, facing or 0.0)


def _deploy(reader: Reader) -> acts.Action:
    clauses = _Clauses.read(reader, "dug-in", "ready")
    dug_in, ready = (clauses.found.get(name, False) for name in ("dug-in", "ready"))
    return acts.Deploy(clauses.unit, clauses.places(needed=True), dug_in, ready)


def _fire(reader: Reader) -> acts.Action:
    unit = reader.unit()
    reader.take("at", "on")
    target, observer = reader.unit("target"), ""
    if reader.take("observed by", "observed", "observer", "spotted by"):
        observer = reader.unit()
    calls: list[str] = []
    if reader.take("measured"):
        calls = [reader.named("call", ((call, "") for call in CALLS))]
        while reader.rest:
            calls.append(reader.named("call", ((call, "") for call in CALLS)))
    return acts.Fire(unit, target, observer, tuple(calls))


def _place(reader: Reader) -> acts.Action:
    clauses = _Clauses.read(reader, "via")
    return acts.Place(clauses.unit, clauses.places(needed=True), clauses.found.get("via", ()))


def _stay(reader: Reader) -> acts.Action:
    unit = reader.state.unit(name := reader.unit())
    if unit is None:
        raise ActionError(f"{name} is not on the table, so it can't stay where it is.")
    exact = zip(standings_of(unit.bases), unit.bases.center.tolist(), unit.bases.facing.tolist(), strict=True)
    return acts.Place(
        name, tuple(replace(at, x=x, y=y, facing=None if at.facing is None else turn) for at, (x, y), turn in exact)
    )


def _leave(reader: Reader) -> acts.Action:
    unit = reader.unit()
    reader.take("by", "over")
    plan = reader.state.setup.unit(unit)
    exits = reader.state.setup.exits
    own = [e for e in exits if plan is not None and e.side == plan.side]
    if not reader.rest and len(own) == 1:
        return acts.Leave(unit, own[0].id)
    return acts.Leave(unit, reader.named("exit", ((e.id, e.title) for e in exits)))


def _concede(reader: Reader) -> acts.Action:
    setup = reader.state.setup
    return acts.Concede(reader.named("side", zip(setup.sides, setup.side_titles, strict=True)))


def _end(reader: Reader) -> acts.Action:
    reader.take("step", "the step")
    return acts.End()


def _correct(reader: Reader, reason: str) -> acts.Action:
    clauses = _Clauses.read(reader, "hits", "permanent", *_MARKERS, "off")
    if not clauses.found:
        reader.fail(f"What about {clauses.unit} is to be corrected?")
    given = {name.replace("-", "_"): value for name, value in clauses.found.items() if name not in _PLACES}
    return acts.Correct(clauses.unit, reason, clauses.places(needed=False), **given)


_READ: Mapping[str, Callable[[Reader], acts.Action]] = MappingProxyType(
    {
        "deploy": _deploy,
        "begin": lambda reader: acts.Begin(),
        "fire": _fire,
        "move": lambda reader: acts.Move(reader.unit()),
        "place": _place,
        "stay": _stay,
        "leave": _leave,
        "rally": lambda reader: acts.Rally(reader.unit()),
        "ready": lambda reader: acts.Ready(reader.unit()),
        "dig-in": lambda reader: acts.DigIn(reader.unit()),
        "end": _end,
        "concede": _concede,
    }
)


# --- telling ------------------------------------------------------------------------------------------------------


def _correct_text(action: acts.Correct) -> str:
    words = [f"correct {action.unit}"]
    words += [f"{name} {value}" for name in ("hits", "permanent") if (value := getattr(action, name)) is not None]
    for marker in _MARKERS:
        if (value := getattr(action, marker.replace("-", "_"))) is not None:
            words.append(f"{marker} {'yes' if value else 'no'}")
    if action.at:
        words.append(_bases_text(action.at))
    if action.off:
        words.append("off")
    if action.reason:
        words.append(f"because {action.reason}")
    return " ".join(words)


def _bases_text(at: Sequence[Standing]) -> str:
    return f"bases {' '.join(_standing_text(place) for place in at)}"


def _standing_text(place: Standing) -> str:
    facing = "unknown" if place.facing is None else plain(place.facing)
    spread = (*place.covariance, place.facing_sigma)
    measured = [plain(value) for value in spread] if any(spread) else []
    return ",".join([plain(place.x), plain(place.y), facing, *measured])


def _tidy(place: Standing) -> Standing:
    """A place without the last digits of a sum, by less than any rule looks at."""
    facing = None if place.facing is None else turned(round(place.facing, 6))
    return replace(place, x=round(place.x, 6), y=round(place.y, 6), facing=facing)
