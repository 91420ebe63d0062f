"""Actions in words, as typed on a command line: no quotes, no special characters, forgiving in case and spacing.

Places are written ``x,y`` in inches, bases ``x,y,facing`` in degrees clockwise from +y (``unknown`` where the facing is
not known), and after those three, where a photo measured them, the covariance ``xx,xy,yy`` of the centre in square
inches and the facing's sigma. Spaces do as well as commas. Units go by id, or by name where only one has that name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Never

from tabletop.game.errors import ActionError
from tabletop.rulesets.one_hour_ww2 import acts
from tabletop.rulesets.one_hour_ww2.firing import CALLS
from tabletop.rulesets.one_hour_ww2.moving import rigid
from tabletop.rulesets.one_hour_ww2.scenario_forces import formed
from tabletop.rulesets.one_hour_ww2.setup import Point, Standing, UnitSetup, standings_of
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

_LARGEST = 1e6
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)")
_BETWEEN_NUMBERS = re.compile(r"(?<=[\d.])\s*,\s*(?=[-+.\d]|unknown\b)|(?<=unknown)\s*,\s*(?=[-+.\d])", re.IGNORECASE)
_BECAUSE = re.compile(r"\sbecause(?:\s+|$)", re.IGNORECASE)
_SPELLED = {"dug-in": ("dug-in", "dug in", "dugin", "dug_in"), "bases": ("bases", "base")}
_ANSWERS = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}
_MARKERS = ("dug-in", "ready", "moved", "fired")
_SPREAD = 7  # numbers of a base with its covariance and its facing's sigma


def parse(state: State, words: str) -> acts.Action:
    """The action that the words say; raises ActionError with what was expected.

    ``at X,Y`` keeps a unit's formation about its unique base and, unless told otherwise, its facing; a unit that is not
    on the table yet forms a line abreast that faces 0 degrees.
    """
    said = _split(words)
    if not said:
        raise ActionError(f"Say what to do: {', '.join(FORMS)}.")
    if [word.casefold() for word in said[:2]] == ["dig", "in"]:
        said[:2] = ["dig-in"]
    verb = {"dig": "dig-in", "digin": "dig-in", "dig_in": "dig-in"}.get(said[0].casefold(), said[0].casefold())
    if verb not in FORMS:
        raise ActionError(f'"{said[0]}" is nothing that can be done; {did_you_mean(said[0], FORMS)}')
    reason = ""
    if verb == "correct" and (because := _BECAUSE.search(words)):
        said, reason = _split(words[: because.start()]), words[because.end() :].strip()
    reader = _Reader(state, verb, said[1:])
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
            via = f" via {' '.join(f'{_plain(x)},{_plain(y)}' for x, y in action.path)}" if action.path else ""
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


def _split(words: str) -> list[str]:
    joined = _BETWEEN_NUMBERS.sub(",", words)
    return [word.rstrip(",") or word for word in joined.split()]


@dataclass
class _Reader:
    """The words of one action that are still to be read, from the front."""

    state: State
    verb: str
    rest: list[str]

    def fail(self, problem: str) -> Never:
        raise ActionError(f"{problem} Say: {FORMS[self.verb]}.")

    def done(self) -> None:
        if self.rest:
            self.fail(f'"{" ".join(self.rest)}" at the end is not understood.')

    def take(self, *spellings: str) -> bool:
        """Whether the next words are one of these; they are taken then."""
        for spelling in spellings:
            n = len(spelling.split())
            if " ".join(self.rest[:n]).casefold() == spelling:
                del self.rest[:n]
                return True
        return False

    def named(self, what: str, known: Iterable[tuple[str, str]]) -> str:
        """The id of the thing that the next words name, by its id or its title; the longest match counts."""
        pairs = [(" ".join(_split(name)), " ".join(_split(title)), name) for name, title in known]
        if not self.rest:
            self.fail(f"Which {what}?")
        for n in range(len(self.rest), 0, -1):
            said = " ".join(self.rest[:n])
            low = said.casefold()
            for found in (
                {name for key, _, name in pairs if key == said},
                {name for key, _, name in pairs if key.casefold() == low},
                {name for _, title, name in pairs if title.casefold() == low},
            ):
                if len(found) > 1:
                    self.fail(f'"{said}" may be {" or ".join(sorted(found))}: give the {what}\'s id.')
                if found:
                    del self.rest[:n]
                    return found.pop()
        if not pairs:
            self.fail(f"This game has no {what}.")
        self.fail(
            f'There is no {what} "{self.rest[0]}" in this game; {did_you_mean(self.rest[0], [p[2] for p in pairs])}'
        )

    def unit(self) -> str:
        return self.named("unit", ((u.id, u.name) for u in self.state.setup.units))

    def answer(self) -> bool:
        """Yes or no as it is said next; a marker that is only named is there."""
        if self.rest and self.rest[0].casefold() in _ANSWERS:
            return _ANSWERS[self.rest.pop(0).casefold()]
        return True

    def whole(self, name: str) -> int:
        if not self.rest or not re.fullmatch(r"\d{1,4}", self.rest[0]):
            self.fail(f'After "{name}" goes a whole number{self._found()}.')
        return int(self.rest.pop(0))

    def numbers(self) -> list[list[float | None]]:
        """The numbers that come next, word by word (``None``: unknown); a word holds one or, with commas, more."""
        groups: list[list[float | None]] = []
        while self.rest and all(_NUMBER.fullmatch(p) or p.casefold() == "unknown" for p in self.rest[0].split(",")):
            parts = self.rest.pop(0).split(",")
            groups.append([float(p) if _NUMBER.fullmatch(p) else None for p in parts])
            if any(value is not None and abs(value) > _LARGEST for value in groups[-1]):
                self.fail(f"{','.join(parts)} is far off every table.")
        return groups

    def known(self) -> list[float]:
        """The numbers that come next, none of them unknown."""
        given = [value for group in self.numbers() for value in group]
        if None in given:
            self.fail("Only the facing of one of several bases may be unknown.")
        return [value for value in given if value is not None]

    def point(self) -> Point:
        given = self.known()
        if len(given) != 2:
            self.fail(f'After "at" goes a place in inches, as 10,3.5{self._found(given)}.')
        return given[0], given[1]

    def path(self) -> tuple[Point, ...]:
        given = self.known()
        if not given or len(given) % 2:
            self.fail(f'After "via" go places in inches, as 10,5 12,6{self._found(given)}.')
        return tuple(zip(given[::2], given[1::2], strict=True))

    def facing(self) -> float:
        given = self.known()
        if len(given) != 1:
            self.fail(f'After "facing" go degrees clockwise, 0 is up the table{self._found(given)}.')
        return _turned(given[0])

    def bases(self) -> tuple[Standing, ...]:
        plain: list[float | None] = []
        found: list[Standing] = []
        for group in self.numbers():
            if len(group) == _SPREAD and not plain:
                found.append(self._standing(group))
                continue
            plain += group
            if len(plain) % 3 == 0:
                found += [self._standing(plain[i : i + 3]) for i in range(0, len(plain), 3)]
                plain = []
        if plain or not found:
            self.fail(f'After "bases" goes x,y,facing for each, as 10,3,0 12.5,3,0{self._found(plain)}.')
        return tuple(found)

    def _standing(self, row: Sequence[float | None]) -> Standing:
        x, y, facing, *spread = row
        if x is None or y is None or None in spread:
            self.fail("Only a base's facing may be unknown.")
        at = Standing(x, y, None if facing is None else _turned(facing))
        if not spread:
            return at
        xx, xy, yy, turn = (float(value) for value in spread if value is not None)
        return replace(at, covariance=(xx, xy, yy), facing_sigma=turn)

    def _found(self, given: Sequence[float | None] = ()) -> str:
        """What stands there instead, for the end of a sentence."""
        if given:
            told = ",".join("unknown" if value is None else _plain(value) for value in given)
            return f", not {told}" + (f" {self.rest[0]}" if self.rest else "")
        return f', not "{self.rest[0]}"' if self.rest else ""


_CLAUSES: Mapping[str, Callable[[_Reader], Any]] = MappingProxyType(
    {
        "at": _Reader.point,
        "bases": _Reader.bases,
        "facing": _Reader.facing,
        "via": _Reader.path,
        "hits": lambda reader: reader.whole("hits"),
        "permanent": lambda reader: reader.whole("permanent"),
        "dug-in": _Reader.answer,
        "ready": _Reader.answer,
        "moved": _Reader.answer,
        "fired": _Reader.answer,
        "off": lambda reader: True,
    }
)
_PLACES = ("at", "bases", "facing")


@dataclass(frozen=True)
class _Clauses:
    """What stands after a unit, in any order, each at most once."""

    reader: _Reader
    unit: str
    found: Mapping[str, Any]

    @classmethod
    def read(cls, reader: _Reader, *allowed: str) -> _Clauses:
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
            turned = float(unit.bases.facing[unit.unique]) if facing is None else facing
            return tuple(_tidy(place) for place in rigid(unit, x, y, turned))
        return () if plan is None else abreast(plan, x, y, facing or 0.0)


def _deploy(reader: _Reader) -> acts.Action:
    clauses = _Clauses.read(reader, "dug-in", "ready")
    dug_in, ready = (clauses.found.get(name, False) for name in ("dug-in", "ready"))
    return acts.Deploy(clauses.unit, clauses.places(needed=True), dug_in, ready)


def _fire(reader: _Reader) -> acts.Action:
    unit = reader.unit()
    reader.take("at", "on")
    target, observer = reader.unit(), ""
    if reader.take("observed by", "observed", "observer", "spotted by"):
        observer = reader.unit()
    calls: list[str] = []
    if reader.take("measured"):
        calls = [reader.named("call", ((call, "") for call in CALLS))]
        while reader.rest:
            calls.append(reader.named("call", ((call, "") for call in CALLS)))
    return acts.Fire(unit, target, observer, tuple(calls))


def _place(reader: _Reader) -> acts.Action:
    clauses = _Clauses.read(reader, "via")
    return acts.Place(clauses.unit, clauses.places(needed=True), clauses.found.get("via", ()))


def _stay(reader: _Reader) -> acts.Action:
    unit = reader.state.unit(name := reader.unit())
    if unit is None:
        raise ActionError(f"{name} is not on the table, so it can't stay where it is.")
    exact = zip(standings_of(unit.bases), unit.bases.center.tolist(), unit.bases.facing.tolist(), strict=True)
    return acts.Place(
        name, tuple(replace(at, x=x, y=y, facing=None if at.facing is None else turn) for at, (x, y), turn in exact)
    )


def _leave(reader: _Reader) -> acts.Action:
    unit = reader.unit()
    reader.take("by", "over")
    plan = reader.state.setup.unit(unit)
    exits = reader.state.setup.exits
    own = [e for e in exits if plan is not None and e.side == plan.side]
    if not reader.rest and len(own) == 1:
        return acts.Leave(unit, own[0].id)
    return acts.Leave(unit, reader.named("exit", ((e.id, e.title) for e in exits)))


def _concede(reader: _Reader) -> acts.Action:
    setup = reader.state.setup
    return acts.Concede(reader.named("side", zip(setup.sides, setup.side_titles, strict=True)))


def _end(reader: _Reader) -> acts.Action:
    reader.take("step", "the step")
    return acts.End()


def _correct(reader: _Reader, reason: str) -> acts.Action:
    clauses = _Clauses.read(reader, "hits", "permanent", *_MARKERS, "off")
    if not clauses.found:
        reader.fail(f"What about {clauses.unit} is to be corrected?")
    given = {name.replace("-", "_"): value for name, value in clauses.found.items() if name not in _PLACES}
    return acts.Correct(clauses.unit, reason, clauses.places(needed=False), **given)


_READ: Mapping[str, Callable[[_Reader], acts.Action]] = MappingProxyType(
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
    facing = "unknown" if place.facing is None else _plain(place.facing)
    spread = (*place.covariance, place.facing_sigma)
    measured = [_plain(value) for value in spread] if any(spread) else []
    return ",".join([_plain(place.x), _plain(place.y), facing, *measured])


def _plain(value: float) -> str:
    """A number without an exponent and without a needless point, exact.

    >>> _plain(10.0), _plain(1e-08), _plain(7.25)
    ('10', '0.00000001', '7.25')
    """
    return f"{Decimal(repr(float(value))):f}".removesuffix(".0")


def _tidy(place: Standing) -> Standing:
    """A place without the last digits of a sum, by less than any rule looks at."""
    facing = None if place.facing is None else _turned(round(place.facing, 6))
    return replace(place, x=round(place.x, 6), y=round(place.y, 6), facing=facing)


def _turned(facing_deg: float) -> float:
    return facing_deg if 0 <= facing_deg < 360 else facing_deg % 360.0 % 360.0
