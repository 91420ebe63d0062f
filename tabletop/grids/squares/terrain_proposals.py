"""The ground that a photo of a board of squares shows, before a battle: what is to be laid, and what is asked.

What is told for certain and differs from the game is proposed as actions, square by square; where it is doubtful the
square is asked about. What the game has and the photo does not show is never taken away without asking: a photo may
miss a wood.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import shapely

from tabletop.changes.proposals import Proposal, proposed_action
from tabletop.game.protocol import Ruleset
from tabletop.grids.board_changes import BoardChanges
from tabletop.grids.cell_shares import HALF
from tabletop.grids.photo_questions import BOARD
from tabletop.grids.squares.reading import SquaresReading, about_ground
from tabletop.grids.squares.terrain import SquareGround, SquareReading

_NOWHERE = shapely.Polygon()
ASKED = 0.3
"""A square that is doubtful is asked about if it is so likely otherwise than the game has it."""


@dataclass(frozen=True)
class GroundRules:
    """What a ruleset says of its ground, each a function of the state, a square's name and what was read there.

    ``matches``: whether the game has it so, as far as a photo tells; ``removes``: whether it would take away what the
    game has; ``actions``: what makes it so, one after the other.
    """

    ruleset: Ruleset
    matches: Callable[[Any, str, SquareGround], bool]
    removes: Callable[[Any, str, SquareGround], bool]
    actions: Callable[[Any, str, SquareGround], Sequence[Any]]


@dataclass(frozen=True, eq=False)
class GroundSight:
    """A sight of a board's ground: ``reading`` with the players' answers; ``asked`` are pieces of terrain that the
    photo itself asks about, whose squares wait for that answer; ``hills`` are those that the players drew. Other
    hills are never certain: how far a photo says that they reach is out by more than it knows."""

    ground: GroundRules
    name: str
    table: tuple[float, float]
    reading: SquaresReading
    asked: tuple[shapely.Geometry, ...] = ()
    hills: shapely.Geometry = _NOWHERE

    def against(self, state: Any) -> tuple[BoardChanges, Sequence[Proposal]]:
        """What is asked, square by square; proposals: what is told for certain, then what would be taken away."""
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
        hill = "{} looks like {}, whose edges a photo tells badly: is it?"
        gone = "{} looks like {} and has more by the game: is it just that?"
        asked = (*self._ask(state, weak, hill), *self._ask(state, less if shows else (), gone))
        return changes, (*self._ground_proposals(state, laid), *asked)

    def _is_weak(self, one: SquareReading) -> bool:
        """Whether a square is a hill by the photo alone."""
        if one.settled or one.ground.kind not in ("hill", "crest"):
            return False
        (cell,) = self._outlines([one.name])
        return bool(shapely.area(shapely.intersection(cell, self.hills)) < HALF * cell.area)

    def _outlines(self, names: Sequence[str]) -> Any:
        """The outlines (n,) of squares by their names."""
        placement = self.reading.placement
        return placement.cells.polygons(placement.layout, [placement.cells.place(name) for name in names])

    def _matters(self, state: Any, one: SquareReading) -> bool:
        """Whether a doubtful square may well be otherwise than the game has it."""
        otherwise = sum(p for ground, p in one.answers if not self.ground.matches(state, one.name, ground))
        return otherwise >= ASKED

    def _squares_in_question(self, names: Sequence[str]) -> Collection[str]:
        """Those squares that a piece lies in which the photo asks about."""
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
                for event in rules.resolve(state, action, ()):
                    state = rules.apply(state, event)

    def _ask(self, state: Any, squares: Sequence[SquareReading], question: str) -> Iterator[Proposal]:
        rules = self.ground.ruleset
        for one in squares:
            action = next(iter(self.ground.actions(state, one.name, one.ground)))
            says = question.format(one.name, one.ground)
            yield proposed_action(rules, state, None, "laid", action, question=says)


def drawn_hills(observed: Mapping[str, Any]) -> shapely.Geometry:
    """Where the players drew hills, which a photo repeats without any spread."""
    rows = [row for row in observed.get("terrain") or () if row["kind"] == "hill" and not row.get("sigma")]
    return shapely.union_all([shapely.make_valid(shapely.Polygon(row["polygon"])) for row in rows])


def pieces_asked(observed: Mapping[str, Any]) -> tuple[shapely.Geometry, ...]:
    """The outlines of terrain of which the photo itself asks what it is."""
    asked = {str(one["about"]) for one in observed.get("questions", ()) if one["ask"] == "kind"}
    rows = [row for row in observed.get("terrain", ()) if str(row.get("id")) in asked]
    return tuple(shapely.make_valid(shapely.Polygon(row["polygon"])) for row in rows)


__all__ = ["GroundRules", "GroundSight", "drawn_hills", "pieces_asked"]
