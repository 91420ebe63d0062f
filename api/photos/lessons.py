"""Settled photos to be learned from: an authoritative row each; the queue of photo jobs carries their names.

A photo of a table is learned once, and again where players have changed its answers since.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from api.clock import Unchanged, utc_now
from api.photos.jobs import is_gone
from tabletop.game.store import EventStore
from tabletop.game.tables import LESSON

MOST_ATTEMPTS = 2
"""A photo over which this many workers died is not learned."""
SILENT_S = 600.0
"""A worker elsewhere that has spent this long on one photo counts as dead."""
_NAME = "learn"


@dataclass(frozen=True)
class Lesson:
    """A settled photo of the table ``game``. ``said`` is a hash of its answers once the table's event ``seq`` is
    counted; ``state`` is waiting, working, learnt or nothing (``detail`` says why nothing was learned)."""

    game: str
    sha256: str
    said: str
    seq: int
    state: str = "waiting"
    detail: str = ""
    worker: str = ""
    attempts: int = 0
    changed: str = ""

    @property
    def name(self) -> str:
        """Its name in the queue."""
        return f"{_NAME} {self.game} {self.sha256}"


def is_lesson(name: str) -> bool:
    """Whether a queue's entry is a lesson's name, not the id of a photo job.

    >>> is_lesson(Lesson("526d46ad04cbe212", "ab12", "", 1).name), is_lesson("0a1b")
    (True, False)
    """
    return name.startswith(f"{_NAME} ")


class Lessons:
    """The lessons of a store. Any thread and any process may call; GameError where the database can't be used.

    ``deliver`` hands a lesson's name to the workers; ``pending`` returns the names that are on their way to them.
    ``count`` counts seconds.
    """

    def __init__(
        self,
        kept: EventStore,
        *,
        deliver: Callable[[str], None],
        pending: Callable[[], set[str]],
        count: Callable[[], float] = time.monotonic,
    ) -> None:
        self._kept = kept
        self._deliver = deliver
        self._pending = pending
        self._unchanged = Unchanged(count)

    # --- asking ------------------------------------------------------------------------------------------------------

    def add(self, game: str, sha256: str, said: str, seq: int) -> bool:
        """Have a settled photo learned; False where that was requested already and its answers have not changed."""
        lesson = Lesson(game, sha256, said, seq, changed=_now())
        try:
            with self._kept.transaction() as connection:
                row = connection.execute(sa.select(LESSON.c.said).where(*_photo(game, sha256))).one_or_none()
                if row is None:
                    connection.execute(sa.insert(LESSON), vars(lesson))
                elif row.said == said:
                    return False
                else:
                    connection.execute(sa.update(LESSON).where(*_photo(game, sha256)).values(**vars(lesson)))
        except sa.exc.IntegrityError:
            return False  # another server was first
        self._deliver(lesson.name)
        return True

    def said(self, game: str, sha256: str) -> str:
        """The hash that was last to be learned of a photo; empty before the first."""
        with self._kept.reading() as connection:
            found = connection.execute(sa.select(LESSON.c.said).where(*_photo(game, sha256))).scalar_one_or_none()
        return found or ""

    def waiting(self) -> int:
        """How many photos are being learned, or wait for it."""
        count = sa.select(sa.func.count()).select_from(LESSON).where(LESSON.c.state.in_(("waiting", "working")))
        with self._kept.reading() as connection:
            return connection.execute(count).scalar_one()

    def last(self) -> Lesson | None:
        """The lesson that ended last; ``None`` before the first."""
        ended = LESSON.c.state.in_(("learnt", "nothing"))
        query = sa.select(LESSON).where(ended).order_by(LESSON.c.changed.desc()).limit(1)
        with self._kept.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else Lesson(*row)

    # --- for workers -------------------------------------------------------------------------------------------------

    def claim(self, name: str, worker: str) -> Lesson | None:
        """Begin a waiting lesson; ``None`` where another worker has it, or it has ended."""
        _, game, sha256 = name.split(" ")
        values = {"state": "working", "worker": worker, "attempts": LESSON.c.attempts + 1, "changed": _now()}
        with self._kept.transaction() as connection:
            where = (*_photo(game, sha256), LESSON.c.state == "waiting")
            if connection.execute(sa.update(LESSON).where(*where).values(**values)).rowcount != 1:
                return None
            return Lesson(*connection.execute(sa.select(LESSON).where(*_photo(game, sha256))).one())

    def is_current(self, lesson: Lesson) -> bool:
        """Whether a lesson is still its worker's, and the photo's answers have not changed since."""
        with self._kept.reading() as connection:
            return connection.execute(sa.select(LESSON.c.seq).where(*_of(lesson))).first() is not None

    def end(self, lesson: Lesson, state: str, detail: str = "") -> None:
        """Save the result of a lesson."""
        self._update(*_of(lesson), state=state, detail=detail)

    def excuse(self, lesson: Lesson) -> None:
        """A service that the worker needs is unavailable: this doesn't count as an attempt. The lesson is begun again
        later."""
        self._update(*_of(lesson), attempts=LESSON.c.attempts - 1)

    def release(self, worker: str) -> None:
        """A worker that is asked to stop gives back its lessons; this doesn't count as an attempt."""
        mine = LESSON.c.worker == worker, LESSON.c.state == "working"
        self._update(*mine, state="waiting", worker="", attempts=LESSON.c.attempts - 1)

    # --- for the supervisor ------------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """Have lessons learned that dead workers left or the queue lost."""
        with self._kept.reading() as connection:
            rows = connection.execute(sa.select(LESSON).where(LESSON.c.state.in_(("waiting", "working"))))
            lessons = [Lesson(*row) for row in rows]
        if not lessons:
            return
        for lesson in lessons:
            if lesson.state == "working" and self._is_lost(lesson):
                if lesson.attempts < MOST_ATTEMPTS:
                    self._update(*_of(lesson), state="waiting", worker="")
                else:
                    self.end(lesson, "nothing", "The program that learns ended over a photo; that photo is left out.")
        pending = self._pending()
        for lesson in lessons:
            if lesson.state == "waiting" and lesson.name not in pending:
                self._deliver(lesson.name)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _is_lost(self, lesson: Lesson) -> bool:
        """Whether its worker is gone: its process has ended, if on this machine, or else it took too long."""
        at_it = lesson.worker, lesson.changed
        return is_gone(lesson.worker) or self._unchanged.for_s(lesson.name, at_it) > SILENT_S

    def _update(self, *where: sa.ColumnElement[bool], **values: Any) -> None:
        with self._kept.transaction() as connection:
            connection.execute(sa.update(LESSON).where(*where).values(changed=_now(), **values))


def _photo(game: str, sha256: str) -> tuple[sa.ColumnElement[bool], ...]:
    return LESSON.c.game == game, LESSON.c.sha256 == sha256


def _of(lesson: Lesson) -> tuple[sa.ColumnElement[bool], ...]:
    mine = LESSON.c.worker == lesson.worker, LESSON.c.said == lesson.said, LESSON.c.state == "working"
    return (*_photo(lesson.game, lesson.sha256), *mine)


def _now() -> str:
    return utc_now().isoformat(timespec="milliseconds")
