"""The parts of every ruleset, and where they are.

A part is a module, or ``module:name`` of something in it. Parts are loaded on demand. The bundled
rulesets are listed in :mod:`tabletop.rulesets.bundled`; a package joins them by an entry point of the group
``tabletop.rulesets`` (:mod:`tabletop.plugins`) with the ruleset's name and its :class:`Parts` as the object.
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
    """A ruleset's name and title, how its table is described (inches, hexes or squares), and where its parts are.

    Name, title and ``ruleset`` are enough for rules on an open table with states of the class
    :class:`tabletop.open_table.State`: other parts default to those of :mod:`tabletop.open_table`. On squares
    (``grid="square"``, and ``usual_board``) they default to :mod:`tabletop.square_board`. Rules on hexes name all of
    their parts.

    - ``ruleset``: the rules, :class:`tabletop.game.protocol.Ruleset`;
    - ``words``: the module that describes states in words: ``in_words``, ``headline``, ``next_words``, ``title``,
      ``of_unit``, ``units``, ``remarks``, ``brief``;
    - ``board``: the board of a state, as for :func:`tabletop.boards.board_of`;
    - ``measuring``: the module that measures, :class:`tabletop.measuring.Measuring`;
    - ``report``: how its games are reported, :class:`tabletop.aar.adapter.ReportAdapter`, or the class of one, which
      takes the ruleset's name;
    - ``own_table``: the table file of a game without one, as for
      :func:`tabletop.tables.table_for_game.table_file_for`;
    - ``seeing``: its judgement of changes between two photos of an open table (:mod:`tabletop.changes.proposals`), or
      ``read_sight``: how a photo of a board is read cell by cell, and ``keep_answer``: how an answer on one is kept
      (:mod:`tabletop.reconcile.comparison`); ``read_sight_for``: the same for boards with secret positions, with the
      ``viewer`` of :meth:`tabletop.game.protocol.Ruleset.view` as a further argument; ``photo_is_secret``: whether a
      photo of the table now shows one side's secret, a function of the state;
    - ``in_doubt``: the alternative state of a game from open questions of its last photo
      (:class:`tabletop.game.doubts.InDoubt`): a function of the state and the observation;
    - ``cells``: the cells of a board: a function of the state to :class:`tabletop.grids.cells.Cells` (its set-up's
      ``layout`` is their placement on a table);
    - ``truth``: the referee's corrections that bring a game into agreement with a photo
      (:mod:`tabletop.reconcile.photo_overrides`);
    - ``scenarios``: the module that reads its scenarios (:mod:`tabletop.starting.scenarios`); the files are in the
      folder ``scenarios`` of the package of ``ruleset``;
    - ``by_name``: without scenarios, how a game begins by the ruleset's name alone
      (:class:`tabletop.starting.new_game.ByName`);
    - ``from_table``: the set-up of a game that begins from a table file alone, without a scenario: a function of the
      :class:`tabletop.tables.model.TableFile`;
    - ``from_scene``: a set-up with its units at their places in a scene: a function of the set-up, the scene (JSON as
      read) and its name to the set-up and a note for the players;
    - ``offer``: the start screen's options besides scenarios, :class:`tabletop.starting.catalogue.Offer`;
    - ``plan``: how its games are exported, if not like any board: :class:`tabletop.exports.parts.GamePlans`;
    - ``sheet``: the whole board on one sheet, if it has one;
    - ``seats``: the seats of a game, if not simply one for each side: the module with ``roles`` (of a state, as words:
      "side red", "command D", "player 1"), ``stands_for`` (of a state and a role: the roles that it may act for),
      ``is_secret`` (of a state: whether the sides hide something from each other) and ``is_open_to_host`` (of a state:
      whether the host plays alone and sees everything);
    - ``hint``: the choice of a search: a function of the state to :class:`tabletop.game.hints.Advice` or ``None``;
    - ``computer``: its computer players, if it has more than the simple one
      (:class:`tabletop.game.computers.Computer`);
    - ``playing_out``: the quick player that plays games out, for how an act changed the chance to win
      (:class:`tabletop.game.playing_out.PlayingOut`);
    - ``danger``: the other side's threat to a unit at each place (``tabletop danger``): the module with
      ``unit_danger``, ``mortar_patterns``, ``danger_map`` and ``state_from_position``;
    - ``dangers``: the other side's possible replies to an action, by public knowledge: a function of the state and the
      action to sentences;
    - ``scenes``: judges scenes without a game (:mod:`tabletop.referee.reports`): the module with ``KINDS``,
      ``DICE``, ``report``, ``BLOCKS_SIGHT`` (kinds of terrain), ``ranges`` (of a kind of unit: names and inches) and
      ``THREAT_IN``; or of a board game ``positions``: a function of a position (JSON as read) to its report,
      and ``position_of``: the public position of a state;
    - ``overlay``: how ``tabletop overlay`` reads a photographed table through its board of hexes, without a game:
      :class:`tabletop.grids.board_reader.BoardReader`;
    - ``small_objects``: whether it reads only cotton or only dice in a photo of its table;
    - ``free``: whether there are no rules, so that computers can't play;
    - ``usual_board``: on squares, the default columns and rows of its board, and
      ``chequered``: whether a chessboard may be that board (``tabletop overlay``).

    An empty string is a part that the ruleset does not have.
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
        """The package of the ruleset."""
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
"""By the grid, the default parts of rules."""


@cache
def _bundled_parts() -> Mapping[str, Parts]:
    return {parts.name: parts for parts in resolve_name(BUNDLED)}


@cache
def ruleset_plugins() -> tuple[Plugin[Parts], ...]:
    """The rulesets of other packages, including unusable ones."""
    return find_plugins(RULESETS, _bundled_parts(), _check_parts)


def _check_parts(name: str, found: Any, _package: str) -> Parts:
    if not isinstance(found, Parts):
        raise PluginError(f"its entry point leads to {type(found).__name__}, and Parts are wanted")
    if found.name != name:
        raise PluginError(f'its entry point is called "{name}", and its Parts "{found.name}"')
    module = found.ruleset.partition(":")[0]
    if not found.package or called(lambda: find_spec(module)) is None:
        raise PluginError(f'its rules must be in a module of a package, and there is no "{module}"')
    return found


@cache
def _external_parts() -> Mapping[str, Parts]:
    return {plugin.name: plugin.value for plugin in ruleset_plugins() if plugin.value is not None}


def package_of(rules: str) -> str:
    """The package that provides a ruleset; empty for a bundled one."""
    return next(
        (plugin.package for plugin in ruleset_plugins() if plugin.name == rules and plugin.value is not None), ""
    )


class _Lazy(Mapping[str, Value], Generic[Value]):
    """A mapping by rulesets' names; other packages are searched only for a name that is not bundled."""

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
    """The parts of a ruleset; raises RulesError for an unknown name."""
    if name not in PARTS:
        broken = next((plugin.fault for plugin in ruleset_plugins() if plugin.name == name), "")
        if broken:
            raise RulesError(broken)
        raise RulesError(f'No games are played by the rules "{name}"; {did_you_mean(name, sorted(PARTS))}')
    return PARTS[name]


def part(name: str, what: str) -> Any:
    """One part of a ruleset, loaded; raises RulesError for an unknown ruleset or one without that part.

    >>> part("one-hour-ww2", "ruleset").name
    'one-hour-ww2'
    """
    where = getattr(parts_of(name), what)
    if not where:
        raise RulesError(f'The rules "{name}" lack the part {what}.')
    if name in _bundled_parts():
        return resolve_name(where)
    try:
        return called(lambda: resolve_name(where))
    except PluginError as error:
        raise RulesError(unusable(f'"{what}" of the ruleset "{name}"', package_of(name), str(error))) from error


def with_part(what: str) -> Mapping[str, str]:
    """The location of a part, by the names of the rulesets that have it."""
    return _Lazy(lambda parts: str(getattr(parts, what)))
