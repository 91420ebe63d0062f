"""A position of Combined Arms as JSON (contract section 6), read with every fault named, and the set-up it makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from tabletop.errors import RulesError, SceneError
from tabletop.reading.json_fields import repeated_name
from tabletop.reading.toml_source import did_you_mean
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NAMES, number
from tabletop.rulesets.combined_arms.data import NAME, PLATOONS, TERRAIN, TRACK, TURNS, Atg, Mode
from tabletop.rulesets.combined_arms.reducer import apply
from tabletop.rulesets.combined_arms.setup import (
    ROAD_NAMES,
    CounterAt,
    PlatoonAt,
    Position,
    Setup,
    check_board,
    check_setup,
)
from tabletop.rulesets.combined_arms.state import State

VERSION = 1
_KEYS = (
    "version", "rules", "turn", "board", "road", "platoons", "enemy", "smoke", "enemy_mortar", "losses", "ammo", "off",
)  # fmt: skip
_PLATOON_KEYS = ("id", "hex", "state", "facing")
_COUNTER_KEYS = ("hex", "revealed", "state", "atg")
_ATG = ("none", "potential", "real", "removed")


def setup_from_position(data: object, *, mode: Mode = "solitaire", easier: bool = False) -> Setup:
    """The set-up of a game that goes on from a position; raises SceneError or RulesError with what is wrong.

    ``off`` (this product's own addition) lists platoons that are gone for good; all others not named wait to enter.
    """
    setup = read_position(data, mode=mode, easier=easier)
    check_setup(setup)
    return setup


def read_position(data: object, *, mode: Mode = "solitaire", easier: bool = False) -> Setup:
    """The same, though platoons stand where the rules would never let them: enough to judge fire by."""
    given = _object(data, "the position", _KEYS)
    if given.get("version", VERSION) != VERSION:
        raise SceneError(f"This position is of version {given['version']!r}; this program reads version {VERSION}.")
    if given.get("rules", NAME) != NAME:
        raise SceneError(f'This position is for the rules "{given["rules"]}", not {NAME}.')
    board = _board(given.get("board", {}))
    road = tuple(_hex(name, "the road") for name in _list(given.get("road", list(ROAD_NAMES)), "road"))
    position = Position(
        _number(given.get("turn", 1), "turn", 1, TURNS),
        tuple(_platoon(row) for row in _list(given.get("platoons", []), "platoons")),
        tuple(_counter(row) for row in _list(given.get("enemy", []), "enemy")),
        tuple(_hex(name, "smoke") for name in _list(given.get("smoke", []), "smoke")),
        None if given.get("enemy_mortar") is None else _hex(given["enemy_mortar"], "enemy_mortar"),
        _number(given.get("losses", 0), "losses", 0, TRACK - 1),
        _number(given.get("ammo", 0), "ammo", 0, TRACK - 1),
        tuple(_broken_platoon(name) for name in _list(given.get("off", []), "off")),
    )
    setup = Setup("A position of Combined Arms", mode, easier, board, road, position)
    check_board(setup)
    return setup


def state_from_position(data: object) -> State:
    """The state that a position tells, to ask about; raises SceneError or RulesError where it can't be told.

    What the rules would never let come about (``setup.faults_of``) is taken as it stands.
    """
    return apply(None, ev.Started(read_position(data)))


def _object(data: object, what: str, keys: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise SceneError(f"{what[0].upper()}{what[1:]} must be an object with {', '.join(keys[:4])}, ...")
    unknown = next((key for key in data if key not in keys), None)
    if unknown is not None:
        raise SceneError(f'{what[0].upper()}{what[1:]} has no "{unknown}"; {did_you_mean(str(unknown), keys)}')
    return data


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise SceneError(f'"{what}" of the position must be a list.')
    return list(value)


def _number(value: object, what: str, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise SceneError(f'"{what}" of the position must be a whole number from {least} to {most}, not {value!r}.')
    return value


def _hex(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise SceneError(f'A hex of {what} is {value!r}; hexes are named as in "4-3", row 4, hex 3.')
    try:
        return NAMES[number(value)]
    except ValueError as error:
        raise SceneError(f"{what[0].upper()}{what[1:]}: {error}") from error


def _board(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, Mapping):
        raise SceneError('"board" of the position must be an object, hex by hex, as in {"5-6": "woods"}.')
    rows = [(_hex(name, "the board"), kind) for name, kind in value.items()]
    for name, kind in rows:
        if kind not in TERRAIN:
            raise SceneError(f"Hex {name} holds {kind!r}, which is no terrain; {did_you_mean(str(kind), TERRAIN)}")
    if repeated_name(rows) is not None:
        raise SceneError(f"Hex {repeated_name(rows)} stands twice in the board; keep one of the two.")
    return tuple((name, kind) for name, kind in rows if kind != "open")


def _fresh(value: object, who: str) -> str:
    if value not in ("fresh", "spent"):
        raise SceneError(f'{who} is {value!r}; it is either "fresh" or "spent".')
    return str(value)


def _platoon(row: object) -> PlatoonAt:
    given = _object(row, "a platoon", _PLATOON_KEYS)
    name = given.get("id")
    if name not in PLATOONS:
        raise SceneError(f"There is no platoon {name!r}; {did_you_mean(str(name), PLATOONS)}")
    facing = given.get("facing")
    if facing is not None and (not isinstance(facing, int) or isinstance(facing, bool) or facing not in range(6)):
        raise SceneError(f"{name} faces {facing!r}; a facing is a corner: 0 is the top, then clockwise to 5.")
    at = given.get("hex")
    where = "" if at is None else _hex(at, f"platoon {name}")
    return PlatoonAt(str(name), where, _fresh(given.get("state", "fresh"), f"Platoon {name}"), facing)


def _counter(row: object) -> CounterAt:
    given = _object(row, "an enemy counter", _COUNTER_KEYS)
    at = _hex(given.get("hex"), "an enemy counter")
    revealed, atg = given.get("revealed", False), given.get("atg", "none")
    if not isinstance(revealed, bool):
        raise SceneError(f'"revealed" of the counter in {at} must be true or false.')
    if atg not in _ATG:
        raise SceneError(f'"atg" of the counter in {at} is {atg!r}; {did_you_mean(str(atg), _ATG)}')
    fresh = _fresh(given.get("state", "fresh"), f"The counter in {at}")
    return CounterAt(at, revealed, cast(Literal["fresh", "spent"], fresh), cast(Atg, atg))


def _broken_platoon(name: object) -> str:
    if name not in PLATOONS:
        raise RulesError(f"There is no platoon {name!r}; {did_you_mean(str(name), PLATOONS)}")
    return str(name)
