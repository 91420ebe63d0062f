"""Settled photos that are to be learnt from: asked for once, done by one worker, not lost with it."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from api.clock import utc_now
from api.photos import lessons as lessons_module
from api.photos.lessons import MOST_ATTEMPTS, Lesson, Lessons
from tabletop.game.store import EventStore
from tests.api.photos.test_jobs import ELSEWHERE, dead_worker
from tests.support.waiting import all_at_once

TABLE, SHA = "526d46ad04cbe212", "ab" * 32
NAME = f"learn {TABLE} {SHA}"


class Kept(Lessons):
    """Lessons whose names go nowhere by themselves."""

    def __init__(self, folder: Path) -> None:
        self.store = EventStore(folder / "tabletop.sqlite")
        self.delivered: list[str] = []
        self.on_the_way: set[str] = set()
        self.seconds = 100.0
        super().__init__(
            self.store, deliver=self.delivered.append, pending=lambda: self.on_the_way, count=lambda: self.seconds
        )


@pytest.fixture
def lessons(tmp_path: Path) -> Iterator[Kept]:
    """With a photo that is to be learnt from."""
    made = Kept(tmp_path)
    assert made.said(TABLE, SHA) == "" and made.add(TABLE, SHA, "one", 4)
    yield made
    made.store.close()


def test_a_photo_is_asked_for_once_and_again_where_something_else_is_said_or_the_queue_lost_it(lessons: Kept) -> None:
    assert not lessons.add(TABLE, SHA, "one", 5)
    assert lessons.delivered == [NAME] and lessons.waiting() == 1 and lessons.last() is None
    for pending, count in (({NAME}, 1), (set[str](), 2)):
        lessons.on_the_way = pending
        lessons.sweep()
        assert lessons.delivered == [NAME] * count
    lesson = lessons.claim(NAME, ELSEWHERE)
    assert lesson is not None and (lesson.game, lesson.sha256, lesson.said, lesson.seq) == (TABLE, SHA, "one", 4)
    lessons.end(lesson, "learnt")
    assert lessons.waiting() == 0 and not lessons.add(TABLE, SHA, "one", 6)
    assert lessons.add(TABLE, SHA, "two", 7) and lessons.add(TABLE, SHA, "one", 8)
    assert lessons.delivered == [NAME] * 4 and lessons.said(TABLE, SHA) == "one"


def test_what_was_said_meanwhile_is_not_ended_with_what_was_said_before(lessons: Kept) -> None:
    old = lessons.claim(NAME, ELSEWHERE)
    assert old is not None and lessons.is_current(old)
    lessons.add(TABLE, SHA, "two", 5)
    assert not lessons.is_current(old)
    lessons.end(old, "learnt")
    new = lessons.claim(NAME, ELSEWHERE)
    assert new is not None and (new.said, new.attempts) == ("two", 1)
    lessons.end(new, "nothing", "Nothing is settled.")
    last = lessons.last()
    assert last is not None and (last.state, last.detail) == ("nothing", "Nothing is settled.")


def test_one_worker_gets_it_and_what_it_gives_back_was_no_attempt(lessons: Kept) -> None:
    workers = [f"a/1/{n}" for n in range(6)]
    got = all_at_once([partial(lessons.claim, NAME, worker) for worker in workers])
    assert sum(isinstance(one, Lesson) for one in got) == 1
    for worker in workers:
        lessons.release(worker)
    again = lessons.claim(NAME, ELSEWHERE)
    assert again is not None and again.attempts == 1


@pytest.mark.parametrize("place_fails", [False, True])
def test_what_a_dead_worker_left_is_begun_again_and_given_up_unless_its_place_fails(
    lessons: Kept, place_fails: bool
) -> None:
    dead = dead_worker()
    for _ in range(MOST_ATTEMPTS + 2 * place_fails):
        lesson = lessons.claim(NAME, dead)
        assert lesson is not None
        if place_fails:
            lessons.excuse(lesson)
        lessons.sweep()
        lessons.sweep()
    last = lessons.last()
    assert lessons.waiting() == place_fails and (last is None) is place_fails
    assert last is None or (last.state == "nothing" and "that photo is left out" in last.detail)


@pytest.mark.parametrize("jump", [timedelta(hours=3), timedelta(hours=-3)])
def test_a_silent_worker_elsewhere_is_given_up_after_a_while_whatever_the_clock_is_set_to(
    lessons: Kept, monkeypatch: pytest.MonkeyPatch, jump: timedelta
) -> None:
    lessons.claim(NAME, ELSEWHERE)
    lessons.sweep()
    monkeypatch.setattr(lessons_module, "utc_now", lambda: utc_now() + jump)
    lessons.sweep()
    assert lessons.claim(NAME, "b/1/1") is None
    lessons.seconds += lessons_module.SILENT_S + 1
    lessons.sweep()
    assert lessons.claim(NAME, "b/1/1") is not None
