"""The places of units in a photo of a game on squares, weighted by the rules, and the resulting proposals for the game.

Places that the measurements leave open are weighted by the rules: a square that no legal move reaches is
:data:`tabletop.grids.board_changes.UNLIKELY`. Only the information in a :class:`SquareGame` is used about the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard, distance
from tabletop.changes.proposals import Proposal, proposed_action
from tabletop.game.protocol import Ruleset, state_after
from tabletop.game.violations import Violation
from tabletop.grids.board_changes import (
    LEAST_SHARE,
    UNLIKELY,
    BoardChanges,
    BoardUnitChange,
    about_nameless,
    normalise_chances,
    out_of_step,
)
from tabletop.grids.board_questions import about_place
from tabletop.grids.photo_questions import BOARD
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.squares.standing import NamelessBase, SquareStander
from tabletop.grids.standing import OFF_BOARD, SURE
from tabletop.identity.out_of_step import Sync
from tabletop.words import and_list

MOST_ANSWERS = 12
"""The number of units offered for a nameless base; more can be named."""
_NEARER = 0.5  # factor of a unit's chance to be a nameless base for every square between them


@dataclass(frozen=True)
class Post:
    """A unit in its game: its side and kind, ``at`` the name of its square (``None``: not on the board).

    ``may_come``: it is not on the board but may be placed there, as a reinforcement or before the game.
    """

    id: str
    side: str
    kind: str
    at: str | None
    may_come: bool = False


@dataclass(frozen=True)
class SquareGame:
    """A ruleset's information for photos, each a function with the state first.

    ``posts``: every unit that may be on the table, by public knowledge; ``reach``: the squares (names) that a legal
    move of a unit reaches now, whether other units are in its way or not; ``move``: the action that moves a unit on the
    board to a square; ``correct``: the referee's action that puts a unit into a square (``None``: off the board), with
    a reason; ``enter``: the action that brings one onto the board (``None``: by correction); ``farthest``: the most
    squares that a unit goes between two photos (``None``: photos need not follow and are never out of step); ``board``
    and ``layout``: its squares and their placement, if not from its set-up.
    """

    ruleset: Ruleset
    posts: Callable[[Any], Iterable[Post]]
    reach: Callable[[Any, str], Collection[str]]
    move: Callable[[Any, str, str], Any]
    correct: Callable[[Any, str, str | None, str], Any]
    enter: Callable[[Any, str, str], Any] | None = None
    farthest: Callable[[Any], int | None] = lambda state: 5
    board: Callable[[Any], SquareBoard] = lambda state: state.setup.squares
    layout: Callable[[Any], SquareLayout | None] = lambda state: state.setup.layout


@dataclass(frozen=True, eq=False)
class SquareSight:
    """A sight of the board: the units' squares, by the measured places and the players' answers (``told``: question
    ids); ``nameless`` are bases of unknown units, ``unseen`` the squares outside the picture."""

    game: SquareGame
    name: str
    table: tuple[float, float]
    placement: BoardPlacement
    standers: tuple[SquareStander, ...]
    told: frozenset[str] = frozenset()
    nameless: tuple[NamelessBase, ...] = ()
    notes: tuple[str, ...] = ()
    unseen: frozenset[str] = frozenset()

    def standing(self, state: Any) -> dict[str, tuple[str, int]]:
        """The squares of the game's units on the board, and the most squares that each goes in a move: its own limit
        now, else the general one; empty if photos need not follow."""
        most, board = self.game.farthest(state), self.game.board(state)
        found = {}
        for post in self.game.posts(state) if most is not None else ():
            if post.at is not None:
                away = [distance(board.parse(post.at), board.parse(to)) for to in self.game.reach(state, post.id)]
                found[post.id] = post.at, max(away, default=0) or most or 0
        return found

    def against(self, state: Any) -> tuple[BoardChanges, Sequence[Proposal]]:
        """The changes square by square; proposals: moves in a legal order, then illegal ones, then questions."""
        return _Comparison(self, state).changes_and_proposals()


@dataclass(frozen=True, eq=False)
class RulesSight:
    """A ``sight`` of the board that a ruleset extends beyond :class:`SquareSight`."""

    sight: SquareSight

    @property
    def placement(self) -> BoardPlacement:
        """The placement of the squares."""
        return self.sight.placement

    def standing(self, state: Any) -> dict[str, tuple[str, int]]:
        """As :meth:`SquareSight.standing`."""
        return self.sight.standing(state)


@dataclass(frozen=True)
class _Planned:
    """An action that moves a unit to its seen place, and its violations after the previous actions."""

    post: Post
    to: str
    action: Any
    violations: tuple[Violation, ...] = ()


@dataclass(frozen=True, eq=False)
class _Comparison:
    """A comparison of a sight of the board with a state of its game."""

    sight: SquareSight
    state: Any

    @cached_property
    def game(self) -> SquareGame:
        return self.sight.game

    @cached_property
    def posts(self) -> dict[str, Post]:
        return {post.id: post for post in self.game.posts(self.state)}

    @cached_property
    def seen_units(self) -> dict[str, SquareStander]:
        """The game's units that are seen, or assumed to be at their former places."""
        named = {stander.id: stander for stander in self.sight.standers if stander.id in self.posts}
        return {**named, **self._units_that_stayed}

    @cached_property
    def _units_that_stayed(self) -> dict[str, SquareStander]:
        """Units without a named base that have a nameless base in their square that may be theirs."""
        return dict(_as_before(self.posts.values(), self.sight.standers, self.sight.nameless))

    @cached_property
    def nameless(self) -> tuple[NamelessBase, ...]:
        """Unassigned bases on the board; a base in a square that a unit surely occupies is ignored: there is room for
        one in a square, and corners of squares look like bases."""
        known = {stander.at for stander in self._units_that_stayed.values()}
        held = {stander.square for stander in self.sight.standers if not stander.is_open} | {None}
        return tuple(base for base in self.sight.nameless if base.at not in known and base.footing.cell not in held)

    @cached_property
    def chances(self) -> dict[str, tuple[tuple[str, float], ...]]:
        """The possible squares of each unit, by name or off the board, the likeliest first."""
        return {name: self._weigh(stander) for name, stander in self.seen_units.items()}

    @cached_property
    def targets(self) -> dict[str, str]:
        """Units that are certainly in another square than in the game."""
        return {
            name: shares[0][0]
            for name, shares in self.chances.items()
            if shares[0][1] >= SURE and shares[0][0] not in (OFF_BOARD, self.posts[name].at) and self._there(name)
        }

    def changes_and_proposals(self) -> tuple[BoardChanges, tuple[Proposal, ...]]:
        sync = self._sync()
        units = tuple(change for post in self.posts.values() for change in [self._change(post)] if change is not None)
        questions = (*self._questions(), *self._about_nameless()) if sync.in_step else ()
        warnings = (*([] if sync.in_step else [sync.says]), *self._strangers(), *self.sight.notes)
        changes = BoardChanges(self.sight.name, self.sight.table, units, sync, questions, warnings)
        proposals = [
            *(self._move_proposal(one) for one in self._plan_moves()),
            *self._uncertain_proposals(),
            *self._removal_proposals(),
            *self._back(),
        ]
        return changes, tuple(proposals)

    # --- weights by the rules ----------------------------------------------------------------------------------------

    def _there(self, name: str) -> bool:
        """Whether a unit is on the board by the game, or may come onto it."""
        return self.posts[name].at is not None or self.posts[name].may_come

    def _weigh(self, stander: SquareStander) -> tuple[tuple[str, float], ...]:
        here = stander.square or OFF_BOARD
        if stander.id in self.sight.told or not stander.is_open:
            return ((here, 1.0),)
        shares = [(name, p * self._fits(stander.id, name)) for name, p in stander.footing.shares if p >= LEAST_SHARE]
        return tuple(normalise_chances(shares or [(here, 1.0)]))

    def _fits(self, unit: str, name: str) -> float:
        """1 for an unchanged place or one that its own move can reach, else a small weight."""
        post = self.posts[unit]
        if name == (post.at or OFF_BOARD) or (post.at is None and post.may_come):
            return 1.0
        return 1.0 if post.at is not None and name in self._reach[unit] else UNLIKELY

    @cached_property
    def _reach(self) -> dict[str, Collection[str]]:
        return {name: self.game.reach(self.state, name) for name in self.seen_units if self.posts[name].at is not None}

    # --- what changed ------------------------------------------------------------------------------------------------

    def _place(self, name: str | None) -> tuple[float, float] | None:
        return None if name is None or name == OFF_BOARD else self.sight.placement.centre(name)

    def _change(self, post: Post) -> BoardUnitChange | None:
        stander = self.seen_units.get(post.id)
        if stander is None:
            if post.at is None:
                return None
            return BoardUnitChange(post.id, post.side, post.kind, "removed", self._place(post.at), None, (post.at, ""))
        to = self.chances[post.id][0][0]
        if to == OFF_BOARD and post.at is None:
            return None
        doubts = tuple(question["says"] for question in self._questions_about(post.id))
        if doubts:
            change = "uncertain"
        elif to == post.at:
            change = "stayed"
        else:
            change = "new" if post.at is None else "removed" if to == OFF_BOARD else "moved"
        cells = (post.at or "", "" if to == OFF_BOARD else to)
        before = self._place(post.at)
        return BoardUnitChange(post.id, post.side, post.kind, change, before, stander.at, cells, doubts=doubts)

    def _sync(self) -> Sync:
        """Several units farther than any move, or most of them gone."""
        most = self.game.farthest(self.state)
        if most is None:
            return Sync()
        reasons = out_of_step(
            self.sight.placement.cells,
            "unit",
            too_far=[name for name in self.targets if self._squares(name) > most],
            farthest=most,
            standing=[post.id for post in self.posts.values() if post.at is not None],
            seen=self.seen_units,
            nameless=len(self.nameless),
        )
        return Sync(tuple(reasons))

    def _strangers(self) -> Iterator[str]:
        """Notes on units that the game does not have."""
        strange = [s.id for s in self.sight.standers if s.id not in self.posts and s.square is not None]
        if strange:
            yield f"The game has no {and_list(strange)} that could be on the board."

    def _squares(self, name: str) -> int:
        """The number of squares that a unit has gone; 0 for one that came onto the board."""
        post = self.posts[name]
        return 0 if post.at is None else self._distance(post.at, self.targets[name])

    def _distance(self, a: str, b: str) -> int:
        """The distance between two squares, by their names."""
        board = self.game.board(self.state)
        return distance(board.parse(a), board.parse(b))

    # --- questions ---------------------------------------------------------------------------------------------------

    def _questions_about(self, name: str) -> Iterator[dict[str, Any]]:
        """The question about one unit, if there is one."""
        shares = self.chances[name]
        if shares[0][1] < SURE:
            asked = about_place(name, "square", shares, self.seen_units[name].footing.why_doubtful)
            yield {**asked, BOARD: self.game.ruleset.name}

    def _questions(self) -> Iterator[dict[str, Any]]:
        for name in self.seen_units:
            yield from self._questions_about(name)

    def _about_nameless(self) -> Iterator[dict[str, Any]]:
        """Questions which unit a nameless base is: unseen units, of its side and kind if known and if there are any,
        ordered by whether a legal move brings them there and by distance. Further units can be named too, which may
        have come while others took their places."""
        absent = [post for post in self.posts.values() if post.id not in self.seen_units and self._there(post.id)]
        for base in self.nameless:
            where = str(base.footing.cell)
            mine = [post for post in absent if base.side in (None, post.side)]
            mine = [post for post in mine if base.kind in (None, post.kind)] or mine
            if not mine:
                continue
            likely = normalise_chances([(post.id, self._comes(post, where)) for post in mine])
            others = [name for name, _ in likely[MOST_ANSWERS:]]
            others += [name for name in self._units_that_stayed if base.side in (None, self.posts[name].side)]
            asked = about_nameless(base.id, where, "unit", likely[:MOST_ANSWERS], others)
            yield {**asked, BOARD: self.game.ruleset.name}

    def _comes(self, post: Post, where: str) -> float:
        """The weight of a unit's move to a square, relative to others: by the distance, and by its legality."""
        if post.at is None:
            return _NEARER
        near = _NEARER ** self._distance(post.at, where)
        return near if where in self.game.reach(self.state, post.id) else UNLIKELY * near

    # --- proposals ---------------------------------------------------------------------------------------------------

    def _plan_moves(self) -> Iterator[_Planned]:
        """Moves in an order in which they are legal, then the rest with their violations after these."""
        state, left, rules = self.state, dict(self.targets), self.game.ruleset
        progress = True
        while left and progress:
            progress = False
            for name, to in sorted(left.items(), key=lambda item: -self._squares(item[0])):
                action = self._action(state, name, to)
                if rules.check(state, action) or rules.dice(state, action).count:
                    continue
                yield _Planned(self.posts[name], to, action)
                state = state_after(rules, state, action)
                del left[name]
                progress = True
        for name, to in left.items():
            action = self._action(state, name, to)
            yield _Planned(self.posts[name], to, action, rules.check(state, action))

    def _action(self, state: Any, name: str, to: str) -> Any:
        if self.posts[name].at is not None:
            return self.game.move(state, name, to)
        if self.game.enter is not None:
            return self.game.enter(state, name, to)
        return self.game.correct(state, name, to, "seen on the table")

    def _move_proposal(self, one: _Planned) -> Proposal:
        name, at = one.post.id, one.post.at
        told = f"{name} came onto the board in {one.to}" if at is None else f"{name} moved from {at} to {one.to}"
        numbers = {} if at is None else {"squares": float(self._squares(name))}
        what = "entered" if at is None else "moved"
        text = self.game.ruleset.text(one.action)
        return Proposal(name, what, one.action, text, one.violations, certain=True, numbers=numbers, told=told)

    def _uncertain_proposals(self) -> Iterator[Proposal]:
        for name in self.seen_units:
            says = " ".join(question["says"] for question in self._questions_about(name))
            if says:
                yield Proposal(name, "uncertain", question=says)

    def _removal_proposals(self) -> Iterator[Proposal]:
        """Units on the board in the game that the photo does not show, or shows beside it."""
        for post in self.posts.values():
            beside = post.id in self.seen_units and self.chances[post.id][0] == (OFF_BOARD, 1.0)
            if post.at is None or post.at in self.sight.unseen or (post.id in self.seen_units and not beside):
                continue
            where = f"{post.id} of {post.at} {'stands beside the board' if beside else 'is gone'}"
            question = f"{where}: lost, or just lifted?"
            yield correction(self.game, self.state, post.id, "removed", None, "not on the table", question)

    def _back(self) -> Iterator[Proposal]:
        """Units that are permanently gone in the game but are seen on the board."""
        for name, shares in self.chances.items():
            if self._there(name) or shares[0][0] == OFF_BOARD or shares[0][1] < SURE:
                continue
            question = f"{name} is off the board for good by the log and stands in {shares[0][0]}: put it back?"
            yield correction(self.game, self.state, name, "new", shares[0][0], "seen on the table", question)


def _as_before(
    posts: Iterable[Post], standers: Iterable[SquareStander], nameless: Sequence[NamelessBase]
) -> Iterator[tuple[str, SquareStander]]:
    """Unnamed units, each with the only nameless base that is completely in its square, if side and kind agree as far
    as known."""
    named = {stander.id for stander in standers}
    free = {post.at: post for post in posts if post.at is not None and post.id not in named}
    here = Counter(base.footing.cell for base in nameless)
    for base in nameless:
        post = free.get(str(base.footing.cell))
        if post is None or here[post.at] > 1 or base.footing.straddles or base.footing.is_open:
            continue
        if base.side in (None, post.side) and base.kind in (None, post.kind):
            yield post.id, SquareStander(post.id, post.side, post.kind, base.footing, base.at)


def correction(
    game: SquareGame, state: Any, unit: str, what: str, to: str | None, reason: str, question: str = "", told: str = ""
) -> Proposal:
    """The referee's action that puts a unit into a square, or off the board, as a proposal; certain without a
    question."""
    action = game.correct(state, unit, to, reason)
    return proposed_action(game.ruleset, state, unit, what, action, question=question, told=told)
