"""The state of the games that are followed, looked up once for all followers: also what other processes wrote."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import Generic, TypeVar

from api.games.event_stream import Notifier, Subscription
from tabletop.game.errors import StoreError

T = TypeVar("T")


class Watcher(Generic[T]):
    """Watches the games that are followed, and wakes the followers of a game when its state is news to them.

    ``look`` returns the state of games; two of its answers are equal where nothing changed. It is called every
    ``look_again_s`` for what other processes wrote, which send no notification here. Any thread may call.
    """

    def __init__(
        self,
        notifier: Notifier,
        look: Callable[[Collection[str]], Mapping[str, T]],
        look_again_s: float,
    ) -> None:
        self._notifier = notifier
        self._look = look
        self._look_again_s = look_again_s
        self._lock = Lock()
        self._looking: dict[str, Lock] = {}
        self._known: dict[str, tuple[int, T]] = {}
        self._over = Event()
        self._thread: Thread | None = None

    @contextmanager
    def follow(self, game: str) -> Iterator[Subscription]:
        """A subscription to this game for the length of the block; to be used on a running event loop."""
        with self._notifier.subscribe(game) as subscription:
            with self._lock:
                if self._thread is None or not self._thread.is_alive():
                    self._thread = Thread(target=self._watch, name="watcher", daemon=True)
                    self._thread.start()
            yield subscription

    def standing(self, game: str) -> T:
        """A game's state, looked up after its followers were last woken; of many simultaneous callers one looks it up.

        Raises as ``look`` does.
        """
        with self._lock:
            looking = self._looking.setdefault(game, Lock())
        with looking:
            wake = self._notifier.last_wake(game)
            known = self._known.get(game)
            if known is None or known[0] != wake:
                known = (wake, self._look([game])[game])
                self._known[game] = known
            return known[1]

    def close(self) -> None:
        """Stop watching."""
        self._over.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _watch(self) -> None:
        """Runs for as long as any game is followed."""
        while not self._over.wait(self._look_again_s):
            with self._lock:
                games = self._notifier.followed
                self._known = {game: known for game, known in self._known.items() if game in games}
                self._looking = {game: lock for game, lock in self._looking.items() if game in games}
                if not games:
                    self._thread = None
                    return
                before = dict(self._known)
            for game in self._gone_on(before):
                self._notifier.wake(game)

    def _gone_on(self, known: Mapping[str, tuple[int, T]]) -> Collection[str]:
        """The games in another state than the known one; all where it can't be looked up: each stream reports
        why."""
        try:
            now = self._look(list(known))
        except StoreError:
            return known
        return [game for game, (_, standing) in known.items() if now[game] != standing]
