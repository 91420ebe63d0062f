"""Commands by several devices: each counts once, on the state that was seen, and tells each side what it may see."""

import asyncio
import random
import threading
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from api.games import commands, event_stream
from api.games.commands import MOST_AT_HAND, Command, CommandHandler, GoneOnError
from api.games.event_stream import Notifier, StreamEvent, record_event, stream
from api.games.watcher import Watcher
from tabletop.game import ActionError, Game, IllegalError, NoGameError, UndoError
from tabletop.game.errors import ConflictError, StoreError
from tabletop.game.store import EventStore
from tabletop.rulesets.combined_arms.position import setup_from_position
from tests.support.combined_arms_tables import at
from tests.support.streams import told_all
from tests.support.waiting import BOUND_S, all_at_once


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    opened = EventStore(tmp_path / "t.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def handler(store: EventStore) -> CommandHandler:
    setup = setup_from_position(at({"D1": "3-4", "D2": "3-5", "M1": "2-4"}, {"5-5": "", "6-6": ""}))
    store.start("combined-arms", setup, game="g", title="A game")
    return CommandHandler(store, random.Random(1))


def moved(handler: CommandHandler, id_: str, words: str, **more: Any) -> Any:
    return handler.do("g", Command(id_, handler.game("g").seq, words, **more))


class TestCommands:
    def test_said_again_it_gets_its_own_answer_and_on_an_older_state_it_is_refused(
        self, handler: CommandHandler, store: EventStore
    ) -> None:
        first = moved(handler, "c1", "move D1 to 4-4")
        with pytest.raises(GoneOnError, match="from event 1 to 2") as caught:
            handler.do("g", Command("c2", 1, "move D2 to 4-5"))
        assert caught.value.seq == 2 and handler.game("g").seq == 2, "nothing is written"
        moved(CommandHandler(store), "c2", "move D2 to 4-5")  # another process, which is heard
        again = handler.do("g", Command("c1", 1, "move D1 to 4-4"))
        assert (again.told, again.again, again.seq) == (first.told, True, 3)
        assert handler.game("g").seq == 3 and handler.do("g", Command("c2", 2, "move D2 to 4-5")).again
        with pytest.raises(GoneOnError):
            handler.do("g", Command("c9", 2, "end"))
        for id_ in ("c3", "c4"):
            moved(handler, id_, "", undo=True)
        assert handler.game("g").state.by_id["D1"].fresh and handler.do("g", Command("c4", 4, undo=True)).again
        with pytest.raises(UndoError):
            moved(handler, "c5", "", undo=True)

    def test_of_two_servers_that_act_at_once_one_is_refused_and_hears_of_the_other(
        self, handler: CommandHandler, store: EventStore
    ) -> None:
        def slowly(trial: Game) -> None:
            moved(CommandHandler(store), "c2", "move D2 to 4-5")
            trial.push(trial.parse("move D1 to 4-4"))

        with pytest.raises(GoneOnError, match="from event 1 to 2"):
            handler.carry_out("g", "c1", 1, slowly)
        assert tuple(handler.game("g").records) == store.records("g")
        assert handler.game("g").seq == 2 and handler.do("g", Command("c1", 2, "move D1 to 4-4")).seq == 3
        store.remove("g")
        begun = store.start("combined-arms", setup_from_position(at({"D1": "3-4"}, {"5-5": ""})), game="g")[1]
        assert handler.game("g", begun.seq).records == begun.records, "a game that another server began anew"

    def test_the_id_of_another_games_command_is_refused_as_such(
        self, handler: CommandHandler, store: EventStore
    ) -> None:
        moved(handler, "c1", "move D1 to 4-4")
        store.start("combined-arms", setup_from_position(at({"D1": "3-4"}, {"5-5": ""})), game="h")
        with pytest.raises(ConflictError, match="Another event has one of the ids c1, so"):
            handler.do("h", Command("c1", 1, "move D1 to 4-4"))
        assert store.last("h") == 1 and handler.do("h", Command("c2", 1, "move D1 to 4-4")).seq == 2

    def test_refusals_write_nothing(self, handler: CommandHandler) -> None:
        with pytest.raises(IllegalError):
            moved(handler, "c1", "move D1 to 5-5")
        with pytest.raises(ActionError):
            moved(handler, "c2", "dance")
        with pytest.raises(ActionError, match="not both"):
            moved(handler, "c3", "end", roll=True, dice=(1,))
        with pytest.raises(NoGameError):
            handler.do("other", Command("c1", 1, "end"))
        assert handler.game("g").seq == 1
        moved(handler, "c1", "move D1 to 4-4")

    def test_many_at_once_lose_and_double_nothing(self, handler: CommandHandler) -> None:
        """Eight devices say their own command until it is done, each of them twice."""
        handler.do("g", Command("begin", 1, "end"))

        def device(number: int) -> int:
            words = f"correct losses {number}"
            for tried in range(400):
                with suppress(GoneOnError):
                    handler.do("g", Command(f"device-{number}", handler.game("g").seq, words))
                    handler.do("g", Command(f"device-{number}", 0, words))
                    return tried
            raise AssertionError(f"the device {number} never had its turn")

        tries = all_at_once([partial(device, number) for number in range(8)])
        assert all(isinstance(one, int) for one in tries), tries
        records = handler.store.records("g")
        assert sorted(r.id for r in records if r.id.startswith("device-")) == [f"device-{n}" for n in range(8)]
        assert [r.seq for r in records] == list(range(1, len(records) + 1))


def test_events_that_are_kept_folded_are_bounded_and_the_game_is_read_again(
    handler: CommandHandler, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = setup_from_position(at({"D1": "3-4"}, {"5-5": ""}))
    first = handler.game("g")
    others = [f"other-{number}" for number in range(MOST_AT_HAND)]
    for other in others:
        store.start("combined-arms", setup, game=other, title="Another")
        handler.game(other)
    assert handler.game("g") is first
    monkeypatch.setattr(commands, "MOST_EVENTS", sum(game.seq for game in handler._games.values()) - 1)
    moved(handler, "c1", "end")
    assert set(handler._games) == {"g", *others[1:]}, "the one that was not used for longest goes"
    again = handler.game(others[0])
    assert again.seq == store.last(others[0]) and others[1] not in handler._games
    monkeypatch.setattr(commands, "MOST_EVENTS", 1)
    assert handler.game(others[0]) is again and len(handler._games) == MOST_AT_HAND, "those at hand stay"


def following(handler: CommandHandler, watcher: Watcher[Any], after: int, **more: Any) -> AsyncIterator[Any]:
    """The stream of the game "g" as everybody sees it."""

    def told(after: int) -> list[Any]:
        return [record_event(event) for event in handler.since("g", after, "public")]

    return stream(watcher.follow("g"), told, after, **more)


class Looks:
    """Looks of a watcher: its thread looks only when it may; a look fails where the disk is gone."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.by_streams = self.by_watcher = 0
        self.gone = False
        self.may, self.done = threading.Semaphore(0), threading.Semaphore(0)

    def __call__(self, games: Collection[str]) -> dict[str, int]:
        if threading.current_thread().name != "watcher":
            self.by_streams += 1
        elif games:  # it begins before anything is known
            assert self.may.acquire(timeout=BOUND_S)
            self.by_watcher += 1
            self.done.release()
        if self.gone:
            raise StoreError("The disk is gone.")
        return self.store.last_of(games)


async def happens(told: threading.Semaphore) -> None:
    """Wait for it without holding the loop up."""
    assert await asyncio.to_thread(told.acquire, timeout=BOUND_S)


class TestLive:
    def test_what_happens_while_a_stream_looks_is_found_by_its_next_look(self, handler: CommandHandler) -> None:
        notifier, looks = Notifier(), list[int]()

        def told(after: int) -> list[Any]:
            seen = handler.since("g", after, "public")
            looks.append(after)
            if len(looks) == 1:
                moved(handler, "c1", "move D1 to 4-4")
                notifier.notify("g")
            return [record_event(event) for event in seen]

        async def listen() -> Any:
            events = stream(notifier.subscribe("g"), told, 1)
            try:
                return await asyncio.wait_for(anext(events), BOUND_S)
            finally:
                await events.aclose()

        assert asyncio.run(listen()).id == "2" and looks == [1, 1]

    @pytest.mark.parametrize("looks_long", [False, True])
    def test_a_stream_ends_with_the_server_whatever_it_has_yet_to_send(self, looks_long: bool) -> None:
        notifier, goes_on = Notifier(), threading.Event()

        def told(after: int) -> list[Any]:
            if looks_long:
                notifier.end()
                goes_on.wait(BOUND_S)
            return [StreamEvent("record", "{}", str(after + n)) for n in range(1, 4)]

        async def listen() -> list[Any]:
            found = []
            async for event in stream(notifier.subscribe("g"), told, 0):
                found.append(event.event)
                notifier.end()
            goes_on.set()
            return found

        assert asyncio.run(listen()) == (["stopping"] if looks_long else ["record", "stopping"])

    def test_what_another_process_wrote_is_seen_by_looking_once_for_all_in_one_thread(
        self, handler: CommandHandler, store: EventStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looks, together, do = Looks(store), list[int](), event_stream._do
        monkeypatch.setattr(event_stream, "_do", lambda loop, asked: (together.append(len(asked)), do(loop, asked)))
        watcher = Watcher(Notifier(), looks, 0.001)

        async def listen() -> list[Any]:
            streams = [following(handler, watcher, 1, beside=lambda: [watcher.standing("g")][:0]) for _ in range(20)]
            with told_all() as told:
                coming = [asyncio.ensure_future(anext(events)) for events in streams]
                for _ in coming:
                    await happens(told)
                before = looks.by_streams
                await asyncio.to_thread(moved, CommandHandler(store), "c1", "move D1 to 4-4")
                looks.may.release()
                found = await asyncio.wait_for(asyncio.gather(*coming), BOUND_S)
            assert (looks.by_watcher, looks.by_streams) == (1, before + 1) and together[-1] == 20
            return found

        assert {event.id for event in asyncio.run(listen())} == {"2"}
        looks.may.release(1000)
        watcher.close()

    def test_nothing_is_looked_at_once_nobody_follows(self, store: EventStore) -> None:
        looks = Looks(store)
        looks.may.release(1000)
        watcher = Watcher(Notifier(), looks, 0.001)

        async def listen() -> threading.Thread:
            with watcher.follow("g"):
                await asyncio.to_thread(watcher.standing, "g")
                await happens(looks.done)
                (thread,) = (one for one in threading.enumerate() if one.name == "watcher")
                return thread

        for _ in range(2):
            thread = asyncio.run(listen())
            thread.join(BOUND_S)
            assert not thread.is_alive(), "it looks on"
            while looks.done.acquire(blocking=False):
                pass

    def test_where_the_database_fails_every_stream_looks_for_itself(self, store: EventStore) -> None:
        looks = Looks(store)
        watcher = Watcher(Notifier(), looks, 0.001)

        async def listen() -> None:
            events = stream(watcher.follow("g"), lambda after: (), 1, beside=lambda: [watcher.standing("g")][:0])
            with told_all() as told:
                coming = asyncio.ensure_future(anext(events))
                await happens(told)
                assert not coming.done()
                looks.gone = True
                looks.may.release(1000)
                await asyncio.wait_for(coming, BOUND_S)

        with pytest.raises(StoreError, match="gone"):
            asyncio.run(listen())

    def test_a_seat_that_was_taken_away_hears_no_more(self, handler: CommandHandler) -> None:
        for words in ("move D1 to 4-4", "move D2 to 4-5"):
            moved(handler, words, words)
        asked = iter((True, True, True, False))

        async def listen() -> list[str]:
            watcher = Watcher(Notifier(), handler.store.last_of, 1.0)
            events = following(handler, watcher, 0, goes_on=lambda: next(asked))
            return [str(event.id) async for event in events]

        assert asyncio.run(listen()) == ["1"]
