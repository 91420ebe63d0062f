"""The ground in a photo of a board of squares, before a battle: terrain to add, and questions.

Certain ground that differs from the game is proposed as actions, square by square; doubtful squares become questions.
Terrain of the game that the photo does not show is never removed without asking: a photo may miss a wood.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import shapely

from tabletop.changes.proposals import Proposal, proposed_action
from tabletop.game.protocol import Ruleset, state_after
from tabletop.grids.board_changes import BoardChanges
from tabletop.grids.cell_shares import HALF
from tabletop.grids.photo_questions import BOARD
from tabletop.grids.squares.reading import SquaresReading, about_ground
from tabletop.grids.squares.terrain import SquareGround, SquareReading

_NOWHERE = shapely.Polygon()
ASKED = 0.3
"""A doubtful square becomes a question if it differs from the game with at least this chance."""


@dataclass(frozen=True)
class GroundRules:
    """A ruleset's handling of ground, each a function of the state, a square's name and its reading.

    ``matches``: whether the game agrees, as far as a photo shows; ``removes``: whether it would remove something that
    the game has; ``actions``: the actions that bring the game into agreement.
    """

    ruleset: Ruleset
    matches: Callable[[Any, str, SquareGround], bool]
    removes: Callable[[Any, str, SquareGround], bool]
    actions: Callable[[Any, str, SquareGround], Sequence[Any]]


@dataclass(frozen=True, eq=False)
class GroundSight:
    """A sight of a board's ground: ``reading`` with the players' answers; ``asked`` are pieces of terrain with a
    question of the photo itself, and their squares wait for that answer; ``hills`` are the players' drawn hills. Other
    hills are never certain: the true error of their extent in a photo is larger than its stated one."""

    ground: GroundRules
    name: str
    table: tuple[float, float]
    reading: SquaresReading
    asked: tuple[shapely.Geometry, ...] = ()
    hills: shapely.Geometry = _NOWHERE

    def against(self, state: Any) -> tuple[BoardChanges, Sequence[Proposal]]:
        """Questions, square by square; proposals: certain additions, then removals."""
        other = [one for one in self.reading.squares if not self.ground.matches(state, one.name, one.ground)]
        shows = any(one.ground != SquareGround() for one in self.reading.squares)
        sure = [one for one in other if not one.uncertain]
        less = [one for one in sure if not one.settled and self.ground.removes(state, one.name, one.ground)]
        weak = [one for one in sure if one not in less and self._is_weak(one)]
        laid = [one for one in sure if one not in less and one not in weak]
        doubtful = [one for one in self.reading.squares if one.uncertain and self._matters(state, one)]
        waiting = self._squares_in_question([one.name for one in doubtful])
        rules = self.ground.ruleset.name
        open_ = [one for one in doubtful if one.name not in waiting]
        questions = [{**about_ground(one), BOARD: rules} for one in open_]
        changes = BoardChanges(self.name, self.table, (), questions=tuple(questions))
        hill = "{} looks like {}, with edges that a photo shows poorly: is it?"
        gone = "{} looks like {} and has more by the game: is it just that?"
        asked = (*self._ask(state, weak, hill), *self._ask(state, less if shows else (), gone))
        return changes, (*self._ground_proposals(state, laid), *asked)

    def _is_weak(self, one: SquareReading) -> bool:
        """Whether only the photo shows a hill in a square."""
        if one.settled or one.ground.kind not in ("hill", "crest"):
            return False
        (cell,) = self._outlines([one.name])
        return bool(shapely.area(shapely.intersection(cell, self.hills)) < HALF * cell.area)

    def _outlines(self, names: Sequence[str]) -> Any:
        """The outlines (n,) of squares by their names."""
        placement = self.reading.placement
        return placement.cells.polygons(placement.layout, [placement.cells.place(name) for name in names])

    def _matters(self, state: Any, one: SquareReading) -> bool:
        """Whether a doubtful square has a fair chance to differ from the game."""
        otherwise = sum(p for ground, p in one.answers if not self.ground.matches(state, one.name, ground))
        return otherwise >= ASKED

    def _squares_in_question(self, names: Sequence[str]) -> Collection[str]:
        """The squares with a piece that the photo asks about."""
        if not self.asked or not names:
            return ()
        margin_in = self.reading.placement.layout.size_in / 2
        near = shapely.intersects(self._outlines(names), shapely.union_all(self.asked).buffer(margin_in))
        return {name for name, there in zip(names, near, strict=True) if there}

    def _ground_proposals(self, state: Any, squares: Sequence[SquareReading]) -> Iterator[Proposal]:
        rules = self.ground.ruleset
        for one in squares:
            for action in self.ground.actions(state, one.name, one.ground):
                found = proposed_action(rules, state, None, "laid", action, told=f"{one.name} is {one.ground}")
                yield found
                if found.violations:
                    break
                state = state_after(rules, state, action)

    def _ask(self, state: Any, squares: Sequence[SquareReading], question: str) -> Iterator[Proposal]:
        rules = self.ground.ruleset
        for one in squares:
            action = next(iter(self.ground.actions(state, one.name, one.ground)))
            says = question.format(one.name, one.ground)
            yield proposed_action(rules, state, None, "laid", action, question=says)


def drawn_hills(observed: Mapping[str, Any]) -> shapely.Geometry:
    """The hills that the players drew, which a photo repeats without any spread."""
    rows = [row for row in observed.get("terrain") or () if row["kind"] == "hill" and not row.get("sigma")]
    return shapely.union_all([shapely.make_valid(shapely.Polygon(row["polygon"])) for row in rows])


def pieces_asked(observed: Mapping[str, Any]) -> tuple[shapely.Geometry, ...]:
    """The outlines of terrain with a question of the photo itself about its kind."""
    asked = {str(one["about"]) for one in observed.get("questions", ()) if one["ask"] == "kind"}
    rows = [row for row in observed.get("terrain", ()) if str(row.get("id")) in asked]
    return tuple(shapely.make_valid(shapely.Polygon(row["polygon"])) for row in rows)
