"""Reports by any ruleset: its kinds of units, and its report on a scene or a position."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from tabletop.errors import RulesError, SceneError
from tabletop.game.parts import DEFAULT_RULES, PARTS, part, with_part
from tabletop.reading.toml_source import did_you_mean
from tabletop.referee.doubtful_terrain import WAY_ROUND, other_scenes, terrain_words, turned_scenes, with_doubts
from tabletop.referee.report_rows import PositionReport, Report
from tabletop.tables.model import TableFile
from tabletop.tables.scene import Scene, scene_from_json, scene_to_json

_MODULES = with_part("scenes")
"""Rulesets of the open table: their reports are on scenes (contract section 5)."""
_POSITIONS = with_part("positions")
"""Rulesets of a board: their reports are on positions, hex by hex (contract section 6)."""


def known_rules() -> tuple[str, ...]:
    """The names of the rulesets that report on scenes."""
    return tuple(_MODULES)


def judges_scenes(rules: str) -> bool:
    """Whether these rules report on scenes; rules that are played on boards do not."""
    return rules in _MODULES


def kinds(rules: str) -> tuple[str, ...]:
    """The unit kinds of a ruleset; raises RulesError for an unknown one.

    >>> kinds("one-hour-ww2")[:4]
    ('infantry', 'mortar', 'atg', 'tank')
    """
    return tuple(_module(rules).KINDS)


def dice(rules: str) -> tuple[str, ...]:
    """The dice that a ruleset can be played with, its usual ones first; raises RulesError for an unknown ruleset."""
    return tuple(_module(rules).DICE)


def report_on(scene: Scene, rules: str, chosen_dice: str | None = None, turned: Sequence[Scene] = ()) -> Report:
    """The report of contract section 5, under a ruleset and its dice (``None``: the ruleset's usual ones).

    A ruling that would differ without a doubtful piece of terrain, or with another kind of it, is too close to call; so
    is one that would differ on the same table ``turned``, if nothing shows which edge is the near one
    (:func:`tabletop.referee.doubtful_terrain.turned_scenes`). Raises RulesError for an unknown ruleset, unknown dice,
    or anything in the scene that the ruleset lacks.
    """
    report, chosen = _module(rules).report, dice_to_use(rules, chosen_dice)
    found: Report = report(scene, dice=chosen)
    for others, why in ((other_scenes(scene), terrain_words(scene)), (turned, WAY_ROUND)):
        found = with_doubts(found, [report(other, dice=chosen) for other in others], why)
    return found


def report_on_file(
    data: object, rules: str | None = None, chosen_dice: str | None = None, roster: TableFile | None = None
) -> Report | PositionReport:
    """The report on the contents of a JSON file: a scene or an observation, or a board game's position.

    ``rules`` are the requested ones, else the file's, else the ``roster``'s, else the default ones; the roster gives
    the number of bases of an observed unit. Raises SceneError or RulesError with the fault.
    """
    named = data.get("rules") if isinstance(data, Mapping) else None
    chosen = rules or (named if isinstance(named, str) else None) or (roster.rules if roster else None) or DEFAULT_RULES
    if chosen in _MODULES and named in _POSITIONS:
        raise RulesError(f'This is a position of {named}, but "{chosen}" were chosen to judge it; choose one of them.')
    if chosen in _POSITIONS:
        return _on_position(data, chosen, chosen_dice)
    _module(chosen)
    counts = {unit.id: unit.bases for unit in roster.units} if roster else None
    scene = scene_from_json(data, roster=counts)
    return report_on(scene, chosen, chosen_dice, turned_scenes(data, counts or {}))


def _on_position(data: object, rules: str, chosen_dice: str | None) -> PositionReport:
    if chosen_dice not in (None, "d6"):
        raise RulesError(
            f'{rules} is played with ordinary dice, not "{chosen_dice}".', "To use ordinary dice, leave --dice out."
        )
    if isinstance(data, Mapping) and ("table" in data or "units" in data):
        raise SceneError(
            f"This is a scene or an observation, and {rules} judges positions: tabletop overlay makes one."
        )
    judge: Callable[[object], PositionReport] = part(rules, "positions")
    return judge(plain_position(data))


def plain_position(data: object) -> object:
    """A position without the photo reading stored beside it (``overlay``), as rulesets read it."""
    return {key: value for key, value in data.items() if key != "overlay"} if isinstance(data, Mapping) else data


def table_json(rules: str, state: Any) -> dict[str, Any]:
    """A game's table or board, its public part, as JSON that :func:`report_on_file` reads; raises SceneError before
    there is any."""
    if rules in _POSITIONS:
        position: dict[str, Any] = part(rules, "position_of")(state)
        return position
    return dict(scene_to_json(state.scene))


def dice_to_use(rules: str, wanted: str | None) -> str:
    """The dice to use: the requested ones, else the ruleset's usual ones; raises RulesError for unknown ones."""
    known = dice(rules)
    if wanted is not None and wanted not in known:
        raise RulesError(f'{rules} is not played with the dice "{wanted}"; {did_you_mean(wanted, known)}')
    return wanted or known[0]


def _module(rules: str) -> ModuleType:
    if rules in _POSITIONS:
        raise RulesError(f"{rules} is played on hexes and judges no scenes: tabletop overlay reads them from a photo.")
    if rules in _MODULES:
        return importlib.import_module(_MODULES[rules])
    if rules in PARTS:
        raise RulesError(
            f'The rules "{rules}" judge a game, not a photo alone: `tabletop new --table TABLE.toml` begins one, and '
            "`tabletop see PHOTO --table TABLE.toml` reads photos into it."
        )
    raise RulesError(f'There are no rulings for the rules "{rules}"; {did_you_mean(rules, (*_MODULES, *_POSITIONS))}')
