"""Actions read from words: what was said becomes an action, or an error says what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, cast

from tabletop.game.errors import ActionError
from tabletop.rulesets.combat_captain import acts
from tabletop.rulesets.combat_captain.data import DICE_PER_TURN
from tabletop.rulesets.combat_captain.firing import best, may_fire
from tabletop.rulesets.combat_captain.formation import company_places
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import State
from tabletop.rulesets.combat_captain.support import tape_end, tape_heading
from tabletop.rulesets.combat_captain.words import FORMS, ONE_WORD
from tabletop.rulesets.one_hour_ww2.reader import Reader as _Reader
from tabletop.rulesets.one_hour_ww2.reader import split
from tabletop.toml_source import did_you_mean

_BECAUSE = re.compile(r"\sbecause(?:\s+|$)", re.IGNORECASE)


_CALL = re.compile(r"(?P<name>[^=\s]+)=(?P<value>short|medium|long|out|seen)|covered|uncovered", re.IGNORECASE)


_SIGNED = re.compile(r"[+-]?\d{1,2}")


_COMMANDS = ("undo", "state", "note", "log", "reach", "see")


_SPELLED = {"breakoff": "break-off", "break_off": "break-off", "place": "put", "deploy": "put", "win": "victory"}


def parse(state: State, words: str) -> acts.Action:
    """The action that the words say; raises ActionError with what was expected.

    ``fire COMPANY at TARGET`` is the best combination of its sub-units; ``put COMPANY at X,Y`` moves all of it, its
    leader to that place, in the formation that it has.
    """
    said = split(words)
    if not said:
        raise ActionError(f"Say what to do: {', '.join(FORMS)}.")
    if [word.casefold() for word in said[:2]] == ["break", "off"]:
        said[:2] = ["break-off"]
    verb = _SPELLED.get(said[0].casefold(), said[0].casefold())
    if verb in _COMMANDS:
        raise ActionError(f'"{said[0]}" is a command of its own: tabletop {verb}.')
    if verb not in FORMS:
        raise ActionError(f'"{said[0]}" is nothing that can be done; {did_you_mean(said[0], FORMS)}')
    reason = ""
    if verb in ("correct", "chit", "victory") and (because := _BECAUSE.search(words)):
        said, reason = split(words[: because.start()]), " ".join(words[because.end() :].split())
    reader = Reader(cast(Any, state), FORMS[verb], said[1:])
    action = ONE_WORD[verb]() if verb in ONE_WORD else _READ[verb](reader, reason)
    reader.done()
    return action


class Reader(_Reader):
    """The words of one action that are still to be read; sub-units and companies go by id, or by name."""

    state: State  # type: ignore[assignment]

    def sub(self, what: str = "sub-unit") -> str:
        """The id of the sub-unit that is named next."""
        return self.named(what, ((plan.id, plan.name) for plan in self.state.setup.plans.values()))

    def company(self) -> str:
        """The id of the company that is named next."""
        return self.named("company", ((c.id, c.name) for c in self.state.setup.companies))

    def either(self) -> str:
        """The id of a sub-unit or a company."""
        setup = self.state.setup
        known = [(plan.id, plan.name) for plan in setup.plans.values()] + [(c.id, c.name) for c in setup.companies]
        return self.named("unit", known)

    def subs(self, *stops: str) -> tuple[str, ...]:
        """Sub-units, one or more, until a word of ``stops`` or the end."""
        found = [self.sub()]
        while self.rest and self.rest[0].casefold() not in stops:
            found.append(self.sub())
        return tuple(found)

    def at(self) -> tuple[Standing, bool]:
        """Where a stand is put, and whether a facing was said."""
        if self.take("bases", "base"):
            found = self.bases()
            if len(found) != 1:
                self.fail('After "bases" goes one place for each sub-unit.')
            return found[0], True
        self.take("at", "to")
        x, y = self.point()
        if not self.take("facing"):
            return Standing(x, y, 0.0), False
        if self.take("unknown"):
            return Standing(x, y, None), True
        return Standing(x, y, self.facing()), True

    def looked(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Stands that were looked at: those touched, those missed."""
        found: dict[str, tuple[str, ...]] = {"with": (), "without": ()}
        while self.rest:
            word = next((word for word in found if self.take(word)), None)
            if word is None:
                self.fail(f'"{self.rest[0]}" is not understood here.')
            found[word] += self.subs("with", "without")
        return found["with"], found["without"]


def _put(reader: Reader, reason: str) -> acts.Action:
    places: list[acts.Place] = []
    while True:
        name = reader.either()
        at, faced = reader.at()
        places += _places(reader.state, name, at, faced)
        if not reader.rest:
            return acts.Put(tuple(places))


def _places(state: State, name: str, at: Standing, faced: bool) -> list[acts.Place]:
    if name in state.setup.plans:
        stand = state.stands.get(name)
        if not faced and stand is not None and stand.at is not None:
            at = Standing(at.x, at.y, stand.at.facing)
        return [acts.Place(name, at)]
    return company_places(state, name, at, faced=faced)


def _cover(reader: Reader, reason: str) -> acts.Action:
    subs = reader.subs("level")
    if not reader.take("level"):
        reader.fail('"level" and a number from 0 to 5 are missing.')
    level = reader.whole("level")
    facing = reader.facing() if reader.take("facing") else None
    return acts.Cover(subs, level, facing)


def _fire(reader: Reader, reason: str) -> acts.Action:
    state, named = reader.state, list[acts.Firer]()
    company = ""
    while reader.rest and reader.rest[0].casefold() not in ("at", "on"):
        word, colon, weapon = reader.rest[0].partition(":")
        if colon:
            reader.rest[0] = word
        name = reader.either()
        if name in state.setup.by_id:
            if named or company:
                reader.fail("Name one company, or sub-units of it.")
            company = name
        else:
            named.append(acts.Firer(name, weapon.casefold()))
    if not named and not company:
        reader.fail("Who fires?")
    reader.take("at", "on")
    target = reader.sub("target")
    spotter = reader.sub("spotter") if reader.take("spotter") else ""
    dice = reader.whole("dice") if reader.take("dice") else min(may_fire(state), DICE_PER_TURN)
    stationary = reader.take("stationary")
    calls = _calls(reader) if reader.take("measured") else ()
    if company and named:
        reader.fail("Name one company, or sub-units of it.")
    if named:
        company = state.setup.company_of[named[0].sub].id
        return acts.Fire(company, tuple(named), target, dice, stationary, calls, spotter)
    found = combined(state, company, target, dice, spotter)
    return replace(found, stationary=stationary or found.stationary, calls=calls, spotter=spotter)


def combined(state: State, company: str, target: str, dice: int, spotter: str = "") -> acts.Fire:
    """The fire of a whole company: its best combination where it can be judged, else all who have a weapon."""
    enemy = state.stands.get(target)
    own = state.setup.by_id[company].side
    if enemy is not None and enemy.at is not None and state.setup.side_of(target) != own and 1 <= dice <= DICE_PER_TURN:
        eye = state.stands.get(spotter)
        sees = eye is not None and eye.at is not None and state.setup.side_of(spotter) == own
        return best(state, company, target, dice, spotter if sees else "")
    firers = tuple(acts.Firer(s.id) for s in state.members(company, on_table=True) if s.plan.weapons)
    return acts.Fire(company, firers, target, dice)


def _calls(reader: Reader) -> tuple[str, ...]:
    found = []
    while reader.rest:
        if reader.take("measured"):
            continue
        match = _CALL.fullmatch(reader.rest[0])
        if match is None:
            reader.fail(f'"{reader.rest[0]}" is no call, as A1=short, A1=seen, covered or uncovered are.')
        word = reader.rest.pop(0)
        if match["name"] is None:
            found.append(word.casefold())
            continue
        names = {plan.casefold(): plan for plan in reader.state.setup.plans}
        name = names.get(match["name"].casefold())
        if name is None:
            reader.fail(f'There is no sub-unit "{match["name"]}" in this game.')
        found.append(f"{name}={match['value'].casefold()}")
    return tuple(found)


def _assault(reader: Reader, reason: str) -> acts.Action:
    attacker = reader.company()
    reader.take("at", "on")
    defender = reader.company()
    losses = reader.subs("measured") if reader.take("losses") else ()
    calls = _cover_calls(reader) if reader.take("measured") else ()
    return acts.Assault(attacker, defender, losses, calls)


def _cover_calls(reader: Reader) -> tuple[str, ...]:
    """What the players found of the cover of stands, one call for each."""
    found: dict[str, str] = {}
    names = {plan.casefold(): plan for plan in reader.state.setup.plans}
    while reader.rest:
        if reader.take("measured"):
            continue
        name, _, call = reader.rest[0].casefold().partition("=")
        if name not in names or call not in ("covered", "uncovered"):
            reader.fail(f'"{reader.rest[0]}" is no call, as B1=covered and B1=uncovered are.')
        if names[name] in found:
            reader.fail(f"{names[name]} was called before.")
        found[names[name]] = call
        reader.rest.pop(0)
    return tuple(f"{name}={call}" for name, call in found.items())


def _choose(reader: Reader, reason: str) -> acts.Action:
    kinds = (("artillery", "off-board artillery"), ("strafing", "strafing run"), ("bombing", "bombing run"))
    return acts.Choose(cast(acts.Help, reader.named("help", kinds)))


def _shell(reader: Reader, reason: str) -> acts.Action:
    if reader.take("off", "missed"):
        return acts.Shell(None)
    reader.take("at")
    at = reader.point()
    width, sigma = None, 0.0
    if reader.take("across"):
        width = _inches(reader, "across")
    if reader.take("spread"):
        sigma = _inches(reader, "spread")
    return acts.Shell(at, width, sigma, *reader.looked())


def _inches(reader: Reader, name: str) -> float:
    found = reader.known()
    if len(found) != 1:
        reader.fail(f'After "{name}" goes a number of inches.')
    return found[0]


def _strafe(reader: Reader, reason: str) -> acts.Action:
    reader.take("from", "at")
    start = reader.point()
    if reader.take("heading", "facing"):
        end = tape_heading(start, reader.facing())
    elif reader.take("to"):
        x, y = tape_end(start, reader.point())
        end = round(x, 4), round(y, 4)
    else:
        reader.fail('"facing DEGREES" or "to X,Y" is missing.')
    return acts.Strafe(start, end, *reader.looked())


def _attack(reader: Reader, reason: str) -> acts.Action:
    return acts.Attack(reader.whole("men") if reader.take("men") else None)


def _chit(reader: Reader, reason: str) -> acts.Action:
    company = reader.company()
    if not reader.rest or not _SIGNED.fullmatch(reader.rest[0]):
        reader.fail("How many morale markers, as +1 or -1?")
    return acts.Chit(company, int(reader.rest.pop(0)), reason)


def _side(reader: Reader) -> str:
    setup = reader.state.setup
    sides = ((side, setup.side_title(side)) for side in setup.sides)
    return reader.named("side", sides)


def _victory(reader: Reader, reason: str) -> acts.Action:
    return acts.Declare("draw" if reader.take("draw") else _side(reader), reason)


def _correct(reader: Reader, reason: str) -> acts.Action:
    sub = reader.sub()
    found: dict[str, object] = {}
    while reader.rest:
        word = reader.rest[0].casefold()
        if word in ("at", "to", "bases", "base"):
            at, faced = reader.at()
            stand = reader.state.stands.get(sub)
            if not faced and stand is not None and stand.at is not None:
                at = Standing(at.x, at.y, stand.at.facing)
            found["at"] = at
        elif reader.take("men"):
            found["men"] = reader.whole("men")
        elif reader.take("cover"):
            found["cover"] = reader.whole("cover")
        elif reader.take("lead", "leads"):
            found["lead"] = True
        elif reader.take("off"):
            found["off"] = True
        else:
            known = ("at", "men", "cover", "lead", "off")
            reader.fail(f'"{reader.rest[0]}" is not understood here; {did_you_mean(reader.rest[0], known)}')
    return acts.Correct(sub, reason, **found)  # type: ignore[arg-type]


_READ: Mapping[str, Callable[[Reader, str], acts.Action]] = MappingProxyType(
    {
        "put": _put,
        "cover": _cover,
        "fire": _fire,
        "assault": _assault,
        "withdraw": lambda reader, reason: acts.Withdraw(reader.company()),
        "choose": _choose,
        "shell": _shell,
        "strafe": _strafe,
        "attack": _attack,
        "bomb": lambda reader, reason: acts.Bomb(reader.sub("target")),
        "chit": _chit,
        "end": lambda reader, reason: _ended(reader),
        "concede": lambda reader, reason: acts.Concede(_side(reader)),
        "victory": _victory,
        "correct": _correct,
    }
)


def _ended(reader: Reader) -> acts.Action:
    reader.take("step", "the step")
    return acts.End()
