"""Where the parts of every ruleset are found: the one list that a new ruleset is added to.

A part is a module, or ``module:name`` of something in it. Nothing is loaded before a game asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Any, Literal

from tabletop.errors import RulesError
from tabletop.toml_source import did_you_mean


@dataclass(frozen=True)
class Parts:
    """A ruleset's name and title, how its table is told (inches, hexes or squares), and where its parts are.

    - ``ruleset``: the rules, :class:`tabletop.game.protocol.Ruleset`;
    - ``words``: the module that tells states in words: ``in_words``, ``headline``, ``next_words``, ``title``,
      ``of_unit``, ``units``, ``remarks``, ``brief``;
    - ``forms``: what may be said, one line for each verb;
    - ``board``: what is drawn of a state, as :func:`tabletop.boards.board_of` says;
    - ``measuring``: the module that measures, :class:`tabletop.measuring.Measuring`;
    - ``teller``: how its games are told, :class:`tabletop.aar.teller.Teller`;
    - ``own_table``: the table file of a game that has none, as :func:`tabletop.table_for_game.table_file_for` says;
    - ``seeing``: what is made of changes between two photos of an open table (:mod:`tabletop.proposals`), or
      ``sighted``: how a photo of a board is read cell by cell, and ``answered``: how an answer on one is kept
      (:mod:`tabletop.looking`); ``sighted_for``: the same where not everybody may know what stands where, with the
      ``viewer`` of :meth:`tabletop.game.protocol.Ruleset.view` besides; ``photo_is_secret``: whether a photo of the
      table shows now what is one side's secret, a function of the state;
    - ``cells``: of a board, its cells: a function of the state to :class:`tabletop.cells.Cells`; ``laid_at``: the same
      state with its board lying elsewhere, a function of it, the size of a cell, the first one's centre and the turn;
    - ``truth``: what the referee corrects so that a game stands as it is seen (:mod:`tabletop.truth`);
    - ``scenarios``: the module that reads its scenarios (:mod:`tabletop.scenarios`), from which its games begin unless
      they do ``by_name``, by the ruleset's name alone (:mod:`tabletop.beginning`);
    - ``sheet``: the whole board on one sheet, where it has one;
    - ``seats``: who may sit at a game, where that is not simply each side: the module with ``roles`` (of a state, as
      words: "side red", "command D", "player 1"), ``stands_for`` (of a state and a role: whose actions it may say),
      ``is_secret`` (of a state: whether the sides hide something from each other) and ``is_open_to_host`` (of a state:
      whether the host plays alone and sees all);
    - ``hint``: what a search would do: a function of the state to :class:`tabletop.hinting.Advice` or ``None``;
    - ``prospects``: what a unit may hope for where its dice may take it (``tabletop reach``): the module with
      ``prospects``, beside which ``..._words`` reads and tells it and ``..._map`` draws it;
    - ``scenes``: what judges scenes without a game (:mod:`tabletop.reports`): the module with ``KINDS``, ``DICE`` and
      ``report``; or of a board game ``positions``: a function of a position (JSON as read) to its report, and
      ``position_of``: the position of a state, as far as it lies open;
    - ``usual_board``: columns and rows of its board where neither a game nor a player says otherwise, on squares, and
      ``chequered``: whether a chessboard may be that board (``tabletop overlay``).

    An empty string is a part that the ruleset does not have.
    """

    name: str
    title: str
    ruleset: str
    words: str = ""
    forms: str = ""
    board: str = ""
    measuring: str = ""
    teller: str = ""
    own_table: str = ""
    truth: str = ""
    seeing: str = ""
    sighted: str = ""
    sighted_for: str = ""
    photo_is_secret: str = ""
    answered: str = ""
    scenarios: str = ""
    sheet: str = ""
    seats: str = ""
    cells: str = ""
    laid_at: str = ""
    hint: str = ""
    prospects: str = ""
    scenes: str = ""
    positions: str = ""
    position_of: str = ""
    grid: Literal["hex", "square"] | None = None
    usual_board: tuple[int, int] | None = None
    chequered: bool = False
    by_name: bool = False


_ONE_HOUR = "tabletop.rulesets.one_hour_ww2"
_COMBINED_ARMS = "tabletop.rulesets.combined_arms"
_COMBAT_CAPTAIN = "tabletop.rulesets.combat_captain"
_WW2_COMBINED_ARMS = "tabletop.rulesets.ww2_combined_arms"
_COMBAT = "tabletop.rulesets.combat"

PARTS: Mapping[str, Parts] = MappingProxyType(
    {
        parts.name: parts
        for parts in (
            Parts(
                name="one-hour-ww2",
                title="One-Hour WWII",
                ruleset=f"{_ONE_HOUR}.play:RULES",
                words=f"{_ONE_HOUR}.board",
                forms=f"{_ONE_HOUR}.words:FORMS",
                board="tabletop.boards.one_hour_ww2:board",
                measuring="tabletop.measuring.one_hour_ww2",
                teller=f"{_ONE_HOUR}.telling:TELLER",
                own_table=f"{_ONE_HOUR}.own_table:own_table",
                truth=f"{_ONE_HOUR}.seen_truth:corrections",
                seeing=f"{_ONE_HOUR}.seeing",
                scenarios=f"{_ONE_HOUR}.scenario",
                prospects=f"{_ONE_HOUR}.prospects",
                scenes=_ONE_HOUR,
            ),
            Parts(
                name="combined-arms",
                title="Combined Arms",
                ruleset=f"{_COMBINED_ARMS}.play:RULES",
                words=f"{_COMBINED_ARMS}.board_text",
                forms=f"{_COMBINED_ARMS}.words:USAGE",
                board="tabletop.boards.combined_arms:board",
                measuring="tabletop.measuring.combined_arms",
                teller=f"{_COMBINED_ARMS}.telling:TELLER",
                own_table=f"{_COMBINED_ARMS}.own_table:own_table",
                truth=f"{_COMBINED_ARMS}.seen_truth:corrections",
                sighted=f"{_COMBINED_ARMS}.seeing:sighted",
                answered=f"{_COMBINED_ARMS}.seeing:answered",
                sheet=f"{_COMBINED_ARMS}.picture:board_sheet",
                seats=f"{_COMBINED_ARMS}.seats",
                cells=f"{_COMBINED_ARMS}.lying:cells",
                laid_at=f"{_COMBINED_ARMS}.lying:laid_at",
                grid="hex",
                by_name=True,
                positions=f"{_COMBINED_ARMS}.report:position_report",
                position_of=f"{_COMBINED_ARMS}.views:kept_position",
            ),
            Parts(
                name="combat",
                title="Combat",
                ruleset=f"{_COMBAT}.play:RULES",
                words=f"{_COMBAT}.board_text",
                forms=f"{_COMBAT}.words:FORMS",
                board="tabletop.boards.combat:board",
                measuring="tabletop.measuring.combat",
                teller=f"{_COMBAT}.telling:TELLER",
                own_table=f"{_COMBAT}.own_table:own_table",
                truth=f"{_COMBAT}.seen_truth:corrections",
                sighted=f"{_COMBAT}.seeing:sighted",
                sighted_for=f"{_COMBAT}.seeing:sighted_for",
                photo_is_secret=f"{_COMBAT}.seeing:photo_is_secret",
                answered=f"{_COMBAT}.seeing:answered",
                scenarios=f"{_COMBAT}.scenario",
                sheet=f"{_COMBAT}.picture:board_sheet",
                seats=f"{_COMBAT}.seats",
                cells=f"{_COMBAT}.lying:cells",
                laid_at="tabletop.squared.lying:laid_at",
                grid="square",
                usual_board=(20, 24),
            ),
            Parts(
                name="combat-captain",
                title="Combat Captain",
                ruleset=f"{_COMBAT_CAPTAIN}.play:RULES",
                words=f"{_COMBAT_CAPTAIN}.board_text",
                forms=f"{_COMBAT_CAPTAIN}.words:FORMS",
                board="tabletop.boards.combat_captain:board",
                measuring="tabletop.measuring.combat_captain",
                teller=f"{_COMBAT_CAPTAIN}.telling:TELLER",
                own_table=f"{_COMBAT_CAPTAIN}.own_table:own_table",
                truth=f"{_COMBAT_CAPTAIN}.seen_truth:corrections",
                seeing=f"{_COMBAT_CAPTAIN}.seeing",
                scenarios=f"{_COMBAT_CAPTAIN}.scenario",
            ),
            Parts(
                name="ww2-combined-arms",
                title="WWII Combined Arms",
                ruleset=f"{_WW2_COMBINED_ARMS}.play:RULES",
                words=f"{_WW2_COMBINED_ARMS}.board_text",
                forms=f"{_WW2_COMBINED_ARMS}.words:FORMS",
                board="tabletop.boards.ww2_combined_arms:board",
                measuring="tabletop.measuring.ww2_combined_arms",
                teller=f"{_WW2_COMBINED_ARMS}.telling:TELLER",
                own_table=f"{_WW2_COMBINED_ARMS}.own_table:own_table",
                truth=f"{_WW2_COMBINED_ARMS}.seen_truth:corrections",
                sighted=f"{_WW2_COMBINED_ARMS}.seeing:sighted",
                answered=f"{_WW2_COMBINED_ARMS}.seeing:answered",
                scenarios=f"{_WW2_COMBINED_ARMS}.scenario",
                sheet=f"{_WW2_COMBINED_ARMS}.telling_map:board_sheet",
                cells=f"{_WW2_COMBINED_ARMS}.lying:cells",
                laid_at="tabletop.squared.lying:laid_at",
                hint=f"{_WW2_COMBINED_ARMS}.hints:advised",
                grid="square",
                usual_board=(8, 8),
                chequered=True,
            ),
        )
    }
)
"""By the rulesets' names, as games and files write them."""


def parts_of(name: str) -> Parts:
    """The parts of a ruleset; raises RulesError for a name that is not known."""
    if name not in PARTS:
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
    return resolve_name(where)


def with_part(what: str) -> Mapping[str, str]:
    """Where a part is found, by the names of the rulesets that have it."""
    return MappingProxyType({name: getattr(parts, what) for name, parts in PARTS.items() if getattr(parts, what)})
