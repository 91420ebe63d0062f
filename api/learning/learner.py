"""Automatic learning: games in play are checked outside the requests, and their settled photos handed to the
workers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context
from datetime import datetime
from functools import partial
from threading import Event, Lock
from typing import Any

from fastapi_problem.error import StatusProblem

from api.auth.access import SPECTATOR, Seat
from api.clock import utc_now
from api.photo_comparison.comparisons import compare_with
from api.photos.collections import ChoicesKept
from api.photos.lessons import Lessons
from api.processes.work_queue import RefusedError
from api.services.heavy_work import work_through
from api.services.services import Services
from api.tables.store import table_of
from tabletop.errors import TabletopError
from tabletop.game import Game

PAUSE_S = 1.0
"""How long a game is left alone before it is checked: its phones' requests come first."""

_log = logging.getLogger(__name__)


class Learner:
    """Checks every game in play, one after another in a separate thread, and has its photo learned once that is
    settled. With ``at_once`` it checks in the thread that changes the game."""

    def __init__(self, services: Services, lessons: Lessons, *, at_once: bool = False) -> None:
        self.choices = ChoicesKept(services.store.pictures)
        self.lessons = lessons
        self._services = services
        self._lock = Lock()
        self._heard: set[tuple[str, int | None]] = set()
        self._over = Event()
        self._thread = None if at_once else ThreadPoolExecutor(max_workers=1, thread_name_prefix="learner")
        services.notifier.follow(self.heard)

    def close(self) -> None:
        """Stop checking."""
        self._over.set()
        if self._thread is not None:
            self._thread.shutdown(cancel_futures=True)

    def heard(self, game: str) -> None:
        """A game has changed: check it soon."""
        self._hear(game, None)

    def followed(self, game: str) -> None:
        """Another photo of a game's table is about to be read: check soon the one before it."""
        self._hear(game, self._services.event_store.last(table_of(game)))

    def look(self, game: str, before: int | None = None) -> bool:
        """Have a game's photo learned if it is settled; returns whether that was new. ``before``: another photo follows
        after that event of its table; left out, none does.

        It is settled once all of its questions are answered, those of the game too, it matches the game, and the game
        has moved on with it or another photo follows. If anything was ever hidden in a game, nothing is learned.
        """
        tables, table = self._services.tables, table_of(game)
        seq = self._services.event_store.last(table) if before is None else before
        if not seq or not self.choices.get().on:
            return False
        playing, state = self._services.commands.game(game), tables.get(table, seq)
        if before is None and not goes_on_with(playing, state.photo or {}):
            return False
        settled = tables.settled_photo(table, seq)
        if settled is None or self.lessons.said(table, settled.sha256) == settled.said:
            return False
        if hid_ever(playing):
            return False
        found = compare_with(self._services, playing, state, onlooker(game))
        if found.questions or not found.in_step:
            return False
        return self.lessons.add(table, settled.sha256, settled.said, seq)

    def learn_margin(self, seat: str, margin: float) -> None:
        """Keep, soon, what a seat's corrected line teaches of how far outside a piece's foot its player draws, by the
        margin of that line, unless learning is turned off."""
        if self._thread is None:
            self._learn_margin(seat, margin)
        else:
            self._submit(self._learn_margin, seat, margin)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _hear(self, game: str, before: int | None) -> None:
        if self._thread is None:
            self._look(game, before)
            return
        with self._lock:
            if (game, before) in self._heard:
                return
            self._heard.add((game, before))
        self._submit(self._look_soon, game, before)

    def _submit(self, job: Callable[..., None], *given: object) -> None:
        assert self._thread is not None
        with suppress(RuntimeError):  # the server ends
            self._thread.submit(job, *given).add_done_callback(_log_fault)

    def _learn_margin(self, seat: str, margin: float) -> None:
        try:
            if self.choices.get().on:
                self._services.tables.margins.learn(seat, margin)
        except (TabletopError, OSError) as error:
            _log.warning("The drawing margin can't be learned now: %s", error)

    def _look_soon(self, game: str, before: int | None) -> None:
        if not self._over.wait(PAUSE_S):
            with self._lock:
                self._heard.discard((game, before))
            self._look(game, before)

    def _look(self, game: str, before: int | None) -> None:
        look = partial(self.look, game, before)
        try:
            if self._thread is None:
                Context().run(look)  # not as a part of the request that changed the game
            else:
                work_through(self._services.work, "learner", look)
        except (TabletopError, RefusedError, StatusProblem, OSError) as error:
            _log.warning("The photo of %s can't be learned now: %s", game, error)


def onlooker(game: str) -> Seat:
    """A spectator's seat at a game."""
    now = utc_now()
    return Seat("", game, "", (SPECTATOR,), now, now)


def hid_ever(game: Game) -> bool:
    """Whether anything was hidden from any side at any moment of a game, also in actions taken back."""
    return any(game.ruleset.hides(after) for _, _, after, _ in game.history())


def goes_on_with(game: Game, photo: Mapping[str, Any]) -> bool:
    """Whether any action was taken from a photo, or after the photo was added to the game."""
    if any(record.photo == photo.get("sha256") for record in game.records):
        return True
    taken_in, game_seq = photo.get("taken_in", ""), photo.get("game_seq", 0)
    if game_seq:
        return any(record.action for record in game.records[game_seq:])
    if not taken_in:
        return False
    when = datetime.fromisoformat(taken_in)
    return any(record.action and datetime.fromisoformat(record.at) > when for record in game.records)


def _log_fault(looked: Future[None]) -> None:
    """Log a fault of the program, which would otherwise be lost with the thread."""
    if not looked.cancelled() and (fault := looked.exception()) is not None:
        _log.error("The program failed while it looked for photos to learn.", exc_info=fault)
