"""Trusting a photo of a board of squares: the corrections that put every unit at its seen place.

Units are put at their measured places, regardless of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.changes.proposals import TRUTH_REASON, Proposal
from tabletop.game.protocol import state_after
from tabletop.grids.squares.unit_proposals import Post, SquareGame, SquareSight, correction


def corrections(state: Any, sight: SquareSight, _found: object) -> tuple[Proposal, ...]:
    """Corrections of units that differ from the log; unseen and uncertain ones become questions."""
    return Overrides(sight.game).corrections(state, sight)


@dataclass(frozen=True)
class Overrides:
    """Corrects a game on squares; ``within`` is the preposition for its units, "in" or "on" a square."""

    game: SquareGame
    within: str = "in"

    def corrections(self, state: Any, sight: SquareSight) -> tuple[Proposal, ...]:
        """Questions, then corrections of places in an order that never puts two units in one square."""
        return (*self._questions(state, sight), *self._moves(state, sight))

    def _posts(self, state: Any) -> Mapping[str, Post]:
        return {post.id: post for post in self.game.posts(state)}

    def _questions(self, state: Any, sight: SquareSight) -> Iterator[Proposal]:
        """Questions about units that are not seen or have an open square."""
        seen = {stander.id: stander for stander in sight.standers}
        for post in self._posts(state).values():
            stander = seen.get(post.id)
            if stander is None or stander.square is None:
                if post.at is not None and (post.at not in sight.unseen or stander is not None):
                    question = f"{post.id} is {self.within} {post.at} by the log and not on the board: take it off?"
                    yield correction(self.game, state, post.id, "removed", None, TRUTH_REASON, question)
            elif stander.is_open and post.id not in sight.told:
                question = f"Whether {post.id} stands {self.within} {stander.square} is open: say so first."
                yield Proposal(post.id, "uncertain", question=question)

    def _moves(self, state: Any, sight: SquareSight) -> Iterator[Proposal]:
        """Corrections one after another, each judged after the previous ones; units that block one another's squares
        are lifted off temporarily."""
        posts, rules, after = self._posts(state), self.game.ruleset, state
        left = {
            one.id: one.square
            for one in sight.standers
            if one.id in posts and one.square is not None and (one.id in sight.told or not one.is_open)
            if one.square != posts[one.id].at
        }
        while left and rules.outcome(after) is None:
            taken = {post.at for post in self._posts(after).values()}
            free = next((name for name, to in left.items() if to not in taken), None)
            found = self._lifted(after, left) if free is None else None
            if found is None:
                name = free or next(iter(left))
                was = "off the board" if posts[name].at is None else f"{self.within} {posts[name].at}"
                to = left.pop(name)
                told = f"{name} stands {self.within} {to} and is {was} by the log"
                found = correction(self.game, after, name, "moved", to, TRUTH_REASON, told=told)
            yield found
            after = self._after(after, found)

    def _lifted(self, state: Any, left: Mapping[str, str]) -> Proposal | None:
        """The correction that takes a unit off temporarily if all remaining units block one another's squares; it must
        not end the game."""
        at, wanted = {name: post.at for name, post in self._posts(state).items()}, set(left.values())
        for name in left:
            if at[name] in wanted:
                found = correction(self.game, state, name, "removed", None, "lifted to make room")
                if not found.violations and self.game.ruleset.outcome(self._after(state, found)) is None:
                    return found
        return None

    def _after(self, state: Any, one: Proposal) -> Any:
        """The state once a correction is done; the same where it can't be."""
        return state if one.violations else state_after(self.game.ruleset, state, one.action)
