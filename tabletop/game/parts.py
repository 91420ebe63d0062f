"""Where the parts of every ruleset are found.

A part is a module, or ``module:name`` of something in it. Nothing is loaded before a game asks for it. The bundled
rulesets are listed in :mod:`tabletop.rulesets.bundled`; a package joins them by an entry point of the group
``tabletop.rulesets`` (:mod:`tabletop.plugins`) whose name is the ruleset's and whose object is its :class:`Parts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar

from tabletop.errors import RulesError
from tabletop.plugins import RULESETS, Plugin, PluginError, called, find_plugins, unusable
from tabletop.reading.toml_source import did_you_mean

BUNDLED = "tabletop.rulesets.bundled:RULESETS"
DEFAULT_RULES = "one-hour-ww2"
"""The rules of a table file, a scene or a photo that names none."""

Value = TypeVar("Value")


@dataclass(frozen=True)
class Parts:
    """A ruleset's name and title, how its table is told (inches, hexes or squares), and where its parts are.

    Name, title and ``ruleset`` will do for rules on an open table whose states are those of
    :class:`tabletop.open_table.State`: the parts that are not named are those of :mod:`tabletop.open_table` then. On
    squares (``grid="square"``, and ``usual_board``) the same is so of :mod:`tabletop.square_board`. Rules on hexes name
    all that they have.

    - ``ruleset``: the rules, :class:`tabletop.game.protocol.Ruleset`;
    - ``words``: the module that tells states in words: ``in_words``, ``headline``, ``next_words``, ``title``,
      ``of_unit``, ``units``, ``remarks``, ``brief``;
    - ``board``: what is drawn of a state, as :func:`tabletop.boards.board_of` says;
    - ``measuring``: the module that measures, :class:`tabletop.measuring.Measuring`;
    - ``report``: how its games are told, :class:`tabletop.aar.adapter.ReportAdapter`, or the class of one, which takes
      the ruleset's name;
    - ``own_table``: the table file of a game that has none, as :func:`tabletop.tables.table_for_game.table_file_for`
      says;
    - ``seeing``: what is made of changes between two photos of an open table (:mod:`tabletop.changes.proposals`), or
      ``read_sight``: how a photo of a board is read cell by cell, and ``keep_answer``: how an answer on one is kept
      (:mod:`tabletop.reconcile.comparison`); ``read_sight_for``: the same where not everybody may know what stands
      where, with the ``viewer`` of :meth:`tabletop.game.protocol.Ruleset.view` besides; ``photo_is_secret``: whether a
      photo of the table shows now what is one side's secret, a function of the state;
    - ``in_doubt``: the state that a game may be in instead by what its last photo still asks about
      (:class:`tabletop.game.doubts.InDoubt`): a function of the state and the observation;
    - ``cells``: of a board, its cells: a function of the state to :class:`tabletop.grids.cells.Cells` (its
      set-up's ``layout`` says where they lie on a table);
    - ``truth``: what the referee corrects so that a game stands as it is seen
      (:mod:`tabletop.reconcile.photo_overrides`);
    - ``scenarios``: the module that reads its scenarios (:mod:`tabletop.starting.scenarios`); the files lie in the
      folder ``scenarios`` of the package that ``ruleset`` lies in;
    - ``by_name``: where there are no scenarios, how a game begins by the ruleset's name alone
      (:class:`tabletop.starting.new_game.ByName`);
    - ``from_table``: the set-up of a game that begins from a table file alone, without a scenario: a function of the
      :class:`tabletop.tables.model.TableFile`;
    - ``from_scene``: a set-up with its units where a scene shows them: a function of the set-up, the scene (JSON as
      read) and its name to the set-up and what the players should know of it;
    - ``offer``: what the start screen offers besides scenarios, :class:`tabletop.starting.catalogue.Offer`;
    - ``plan``: how its games are exported, where not as any board is: :class:`tabletop.exports.parts.GamePlans`;
    - ``sheet``: the whole board on one sheet, where it has one;
    - ``seats``: who may sit at a game, where that is not simply each side: the module with ``roles`` (of a state, as
      words: "side red", "command D", "player 1"), ``stands_for`` (of a state and a role: whose actions it may say),
      ``is_secret`` (of a state: whether the sides hide something from each other) and ``is_open_to_host`` (of a state:
      whether the host plays alone and sees all);
    - ``hint``: what a search would do: a function of the state to :class:`tabletop.game.hints.Advice` or ``None``;
    - ``computer``: its computer players, where it has more than the simple one
      (:class:`tabletop.game.computers.Computer`);
    - ``playing_out``: the quick player that plays games out, for what an act changed of the chance to win
      (:class:`tabletop.game.playing_out.PlayingOut`);
    - ``danger``: what the other side may do to a unit here or there (``tabletop danger``): the module with
      ``unit_danger``, ``mortar_patterns``, ``danger_map`` and ``state_from_position``;
    - ``dangers``: what the other side may do after an action, as far as everybody may know: a function of the state and
      the action to sentences;
    - ``scenes``: what judges scenes without a game (:mod:`tabletop.referee.reports`): the module with ``KINDS``,
      ``DICE``, ``report``, ``BLOCKS_SIGHT`` (kinds of terrain), ``ranges`` (of a kind of unit: names and inches) and
      ``THREAT_IN``; or of a board game ``positions``: a function of a position (JSON as read) to its report,
      and ``position_of``: the position of a state, as far as it lies open;
    - ``overlay``: how ``tabletop overlay`` reads a photographed table through its board of hexes, without a game:
      :class:`tabletop.grids.board_reader.BoardReader`;
    - ``small_objects``: which of cotton and dice it reads in a photo of its table, where not both;
    - ``free``: whether there are no rules, so that there is nothing for a computer to play by;
    - ``usual_board``: columns and rows of its board where neither a game nor a player says otherwise, on squares, and
      ``chequered``: whether a chessboard may be that board (``tabletop overlay``).

    An empty string is a part that the ruleset neither names nor has by default.
    """

    name: str
    title: str
    ruleset: str
    words: str = ""
    board: str = ""
    measuring: str = ""
    report: str = ""
    own_table: str = ""
    truth: str = ""
    seeing: str = ""
    read_sight: str = ""
    read_sight_for: str = ""
    photo_is_secret: str = ""
    keep_answer: str = ""
    in_doubt: str = ""
    scenarios: str = ""
    by_name: str = ""
    from_table: str = ""
    from_scene: str = ""
    offer: str = ""
    plan: str = ""
    sheet: str = ""
    seats: str = ""
    cells: str = ""
    overlay: str = ""
    hint: str = ""
    computer: str = ""
    playing_out: str = ""
    danger: str = ""
    dangers: str = ""
    scenes: str = ""
    positions: str = ""
    position_of: str = ""
    grid: Literal["hex", "square"] | None = None
    small_objects: frozenset[str] = frozenset({"cotton", "dice"})
    free: bool = False
    usual_board: tuple[int, int] | None = None
    chequered: bool = False

    def __post_init__(self) -> None:
        for name, where in _USUAL.get(self.grid, {}).items():
            if not getattr(self, name):
                object.__setattr__(self, name, where)

    @property
    def package(self) -> str:
        """The package that the ruleset lies in."""
        return self.ruleset.partition(":")[0].rpartition(".")[0]


_USUAL: Mapping[str | None, Mapping[str, str]] = MappingProxyType(
    {
        None: {
            "words": "tabletop.open_table.words",
            "board": "tabletop.open_table.board_drawing:board",
            "measuring": "tabletop.open_table.measuring",
            "report": "tabletop.open_table.report_adapter:OpenTableReportAdapter",
            "own_table": "tabletop.open_table.table_file:own_table",
            "truth": "tabletop.open_table.photo_overrides:corrections",
            "seeing": "tabletop.open_table.seeing",
            "in_doubt": "tabletop.open_table.terrain_proposals:in_doubt",
            "scenarios": "tabletop.open_table.scenario",
        },
        "square": {
            "words": "tabletop.square_board.words",
            "board": "tabletop.square_board.board_drawing:board",
            "measuring": "tabletop.square_board.measuring",
            "report": "tabletop.square_board.report_adapter:SquareBoardReportAdapter",
            "own_table": "tabletop.square_board.table_file:own_table",
            "truth": "tabletop.grids.squares.photo_overrides:corrections",
            "read_sight": "tabletop.square_board.seeing:read_sight",
            "keep_answer": "tabletop.grids.squares.seeing:keep_answer",
            "cells": "tabletop.square_board.setup:cells",
            "sheet": "tabletop.square_board.report_map:board_sheet",
            "scenarios": "tabletop.square_board.scenario",
        },
    }
)
"""By the grid, the parts of rules that name none of their own."""


@cache
def _bundled_parts() -> Mapping[str, Parts]:
    return {parts.name: parts for parts in resolve_name(BUNDLED)}


@cache
def ruleset_plugins() -> tuple[Plugin[Parts], ...]:
    """The rulesets of other packages, those too that can't be used."""
    return find_plugins(RULESETS, _bundled_parts(), _check_parts)


def _check_parts(name: str, found: Any, _package: str) -> Parts:
    if not isinstance(found, Parts):
        raise PluginError(f"its entry point leads to {type(found).__name__}, and Parts are wanted")
    if found.name != name:
        raise PluginError(f'its entry point is called "{name}", and its Parts "{found.name}"')
    module = found.ruleset.partition(":")[0]
    if not found.package or called(lambda: find_spec(module)) is None:
        raise PluginError(f'its rules are to lie in a module of a package, and there is no "{module}"')
    return found


@cache
def _external_parts() -> Mapping[str, Parts]:
    return {plugin.name: plugin.value for plugin in ruleset_plugins() if plugin.value is not None}


def package_of(rules: str) -> str:
    """The package that brings a ruleset; empty for a bundled one."""
    return next(
        (plugin.package for plugin in ruleset_plugins() if plugin.name == rules and plugin.value is not None), ""
    )


class _Lazy(Mapping[str, Value], Generic[Value]):
    """A mapping by rulesets' names; other packages are looked at once it is asked for a name that is not bundled."""

    def __init__(self, value_of: Callable[[Parts], Value | None]) -> None:
        self._value_of = value_of

    def __getitem__(self, name: str) -> Value:
        parts = _bundled_parts().get(name) or _external_parts().get(name)
        value = None if parts is None else self._value_of(parts)
        if not value:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        every = {**_bundled_parts(), **_external_parts()}
        return (name for name, parts in every.items() if self._value_of(parts))

    def __len__(self) -> int:
        return sum(1 for _ in self)


PARTS: Mapping[str, Parts] = _Lazy(lambda parts: parts)
"""By the rulesets' names, as games and files write them."""


def parts_of(name: str) -> Parts:
    """The parts of a ruleset; raises RulesError for a name that is not known."""
    if name not in PARTS:
        broken = next((plugin.fault for plugin in ruleset_plugins() if plugin.name == name), "")
        if broken:
            raise RulesError(broken)
        raise RulesError(f'No games are played by the rules "{name}"; {did_you_mean(name, sorted(PARTS))}')
    return PARTS[name]


def part(name: str, what: str) -> Any:
    """One part of a ruleset, loaded; raises RulesError for a ruleset that is not known or has no such part.

    >>> part("one-hour-ww2", "ruleset").name
    'one-hour-ww2'
    """
    where = getattr(parts_of(name), what)
    if not where:
        raise RulesError(f'The rules "{name}" have nothing of that kind: {what}.')
    if name in _bundled_parts():
        return resolve_name(where)
    try:
        return called(lambda: resolve_name(where))
    except PluginError as error:
        raise RulesError(unusable(f'"{what}" of the ruleset "{name}"', package_of(name), str(error))) from error


def with_part(what: str) -> Mapping[str, str]:
    """Where a part is found, by the names of the rulesets that have it."""
    return _Lazy(lambda parts: str(getattr(parts, what)))
