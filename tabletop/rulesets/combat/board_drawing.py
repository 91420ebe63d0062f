"""A game of Combat to be drawn: squares, pieces, airstrips, deployment lines, as one viewer may see them.

Whose mines, deployment and moves on boards that are apart a viewer may see is asked of
:mod:`tabletop.rulesets.combat.views`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property

from geometry.squares import Square
from tabletop.boards.data import Badge, Fact, Mark, Unit, Zone
from tabletop.grids.squares.board import around, place_in
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.board_placement import kinds, marks
from tabletop.rulesets.combat.board_text import STEPS, day_words
from tabletop.rulesets.combat.data import COMPASS, KINDS, PERIODS, SIDE_TITLES, SIDES, TERRAIN_TITLES
from tabletop.rulesets.combat.event_text import corps_title
from tabletop.rulesets.combat.firing import deck
from tabletop.rulesets.combat.state import Piece as Own
from tabletop.rulesets.combat.state import State, airstrip_open, corps_of
from tabletop.rulesets.combat.views import seen_mines, seen_pieces, sees
from tabletop.small_games.board_drawing import outcome_facts
from tabletop.square_board.board_drawing import SquareBoardDrawing, board_unit
from tabletop.words import and_list, capital, count

KIND_WORDS: Mapping[str, str] = {
    **{kind.id: kind.title for kind in KINDS.values()},
    "foot": "foot",
    "helicopter": "helicopter",
}
"""Kinds of pieces by the names that have signs (:mod:`tabletop.drawing.symbols`)."""


class CombatDrawing(SquareBoardDrawing):
    """A game of Combat as its viewer may see it."""

    state: State

    @cached_property
    def by_square(self) -> Mapping[Square, Own]:
        return {self.state.field.cells[p.at]: p for p in self.pieces if p.at != OFF}

    @cached_property
    def pieces(self) -> tuple[Own, ...]:
        return seen_pieces(self.state, self.viewer)

    @cached_property
    def mines(self) -> frozenset[int]:
        return frozenset(n for own in seen_mines(self.state, self.viewer) for n in own)

    def acting(self) -> Collection[str | None]:
        state = self.state
        if state.step == "over":
            return ()
        if state.pending:
            return (SIDES[state.by_id[state.pending[0].unit].side],)
        if state.step == "deploy":
            return tuple(side for side, ready in zip(SIDES, state.ready, strict=True) if not ready)
        return (SIDES[state.section_to_act[0]],) if state.step == "play" else SIDES[:1]

    # --- squares

    @cached_property
    def kind_of(self) -> Callable[[Square], str]:
        return kinds(self.state)

    @cached_property
    def marks_of(self) -> Callable[[Square], tuple[str, ...]]:
        return marks(self.state, self.viewer)

    def square_contents(self, square: Square) -> Iterator[str]:
        state = self.state
        field, n = state.field, state.field.at(square)
        yield TERRAIN_TITLES[field.terrain[n]].removeprefix("a ").removeprefix("an ")
        if field.road[n] and field.terrain[n] != "bridge":
            yield "road"
        if n in field.strip_of:
            strip = field.strip_of[n]
            closed = "" if airstrip_open(state, strip) else ", out of action"
            yield f"{SIDE_TITLES[SIDES[field.strip_side[strip]]]}'s airstrip{closed}"
        if n in self.mines:
            yield "a mine"
        if square in self.by_square:
            yield _title(self.by_square[square])

    def zones(self) -> Iterator[Zone]:
        """Deployment areas behind the lines, headquarters and objectives."""
        state, (layout, _) = self.state, self.lies
        field = state.field
        for own, side in enumerate(SIDES):
            title = SIDE_TITLES[side]
            squares = [cell for n, cell in enumerate(field.cells) if field.behind(own, n)]
            for outline in around(layout, squares):
                says = f"Behind {title}'s deployment line."
                if state.step == "deploy":
                    yield Zone(f"deployment-{side}", "deployment", f"{title} deploys", outline, side, says)
                else:
                    yield Zone(f"deployment-{side}", "edge", f"{title}'s deployment line", outline, side, says)
            n = state.headquarters[own]
            if n != OFF and (state.step != "deploy" or sees(state, self.viewer, own)):
                squares = [field.cells[m] for m in sorted(field.headquarters(own, n))]
                for k, outline in enumerate(around(layout, squares), 1):
                    says = f"{title}'s headquarters: they fall when two enemy pieces are in here."
                    yield Zone(f"headquarters-{side}-{k}", "objective", f"{title}'s HQ", outline, side, says)
        for goal in state.setup.objectives:
            squares = [field.cells[field.number[name]] for name in goal.squares]
            label = goal.title or f"{goal.kind} {goal.id}"
            for k, outline in enumerate(around(layout, squares), 1):
                says = f"{capital(label)}, which {SIDE_TITLES[goal.side]} defends."
                yield Zone(f"{goal.id}-{k}", "objective", label, outline, goal.side, says)

    def marks(self) -> Iterator[Mark]:
        layout = self.lies[0]
        field = self.state.field
        for what, squares in (("mine", sorted(self.mines)), ("crater", self.state.exploded)):
            for n in squares:
                words = "A mine" if what == "mine" else "A mine exploded"
                yield Mark(what, place_in(layout, field.cells[n]), field.names[n], f"{words} in {field.names[n]}.")

    # --- pieces

    def units(self) -> Iterator[Unit]:
        for piece in self.pieces:
            place = None if piece.at == OFF else self.state.field.names[piece.at]
            where = f"in {place}" if place else {"waiting": "to be deployed", "lost": "lost"}.get(piece.fate, "off")
            side, kind, acted = SIDES[piece.side], KIND_WORDS[piece.kind], piece.fired or bool(piece.steps)
            yield board_unit(piece.id, side, kind, _title(piece), place, where, tuple(self._badges(piece)), acted)

    def counter_label(self, unit: Unit) -> str:
        return unit.id[1:]

    def _badges(self, piece: Own) -> Iterator[Badge]:
        if piece.at == OFF:
            return
        if any(pending.unit == piece.id for pending in self.state.pending):
            yield Badge("hit", "!", "hit, to be saved")
        if piece.acts_from > self.state.turn:
            yield Badge("new", "N", "new this turn")
        if piece.steps:
            yield Badge("moved", "M", f"has moved {count(piece.steps, 'square')}")
        if piece.fired:
            yield Badge("fired", "F", "has flown" if piece.kind == "plane" else "has fired")

    # --- beside the board

    def facts(self) -> Iterator[Fact]:
        state = self.state
        yield Fact("Game", state.setup.title)
        yield Fact("Rules", "original" if state.setup.profile == "original" else "codified")
        if state.setup.period:
            yield Fact("Period", PERIODS[state.setup.period].title)
        if state.setup.hill_counters:
            counters = and_list([f"{name} {COMPASS[way]}" for name, way in state.setup.hill_counters])
            yield Fact("Hill counters", counters)
        if state.turn:
            yield Fact("Turn", str(state.turn))
        if state.night:
            yield Fact("Time", f"night {state.day}, regrouping {state.night} of {state.setup.regroup}")
        elif state.hour:
            yield Fact("Time", day_words(state))
        yield Fact("Step", capital(STEPS[state.step]))
        if state.result is not None:
            yield from outcome_facts(state.setup, state.result)
        elif state.step == "play":
            yield Fact("To act", corps_title(corps_of(state, *state.section_to_act)))
        hits, misses, _ = deck(state)
        yield Fact("Salvo deck", f"{count(hits, 'hit')}, {count(misses, 'miss', 'misses')} left")
        if state.step != "deploy":
            for own, side in enumerate(SIDES):
                there = sum(p.side == own for p in self.by_square.values())
                lost = sum(p.side == own and p.fate == "lost" for p in self.pieces)
                yield Fact(SIDE_TITLES[side], f"{count(there, 'piece')} on the board, {lost} lost")
        if state.owed:
            yield Fact("New pieces due", str(state.owed))
        for own, side in enumerate(SIDES):
            if state.setup.mines_each and state.step != "over" and sees(state, self.viewer, own):
                laid_words = f"{len(state.laid[own])} on the board"
                left = f", {state.to_lay[own]} to lay" if state.step == "deploy" else ""
                yield Fact(f"Mines of {SIDE_TITLES[side]}", laid_words + left)


def _title(piece: Own) -> str:
    return f"{piece.id}, {KINDS[piece.kind].title}"


board = CombatDrawing.of
