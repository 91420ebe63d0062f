"""Commands by several devices: each counts once, on the state that was seen, and tells each side what it may see."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.desk import Command, Desk, GoneOnError
from api.live import Bells, stream, told_json
from tabletop.game import ActionError, IllegalError, NoGameError, UndoError
from tabletop.game.store import EventStore
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.position import setup_from_position
from tabletop.rulesets.combined_arms.setup import Setup
from tests.combined_arms_tables import at


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    opened = EventStore(tmp_path / "t.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def desk(store: EventStore) -> Desk:
    setup = setup_from_position(at({"D1": "3-4", "D2": "3-5", "M1": "2-4"}, {"5-5": "", "6-6": ""}))
    store.start("combined-arms", setup, game="g", title="A game")
    return Desk(store, random.Random(1))


def moved(desk: Desk, id_: str, words: str, **more: Any) -> Any:
    return desk.do("g", Command(id_, desk.game("g").seq, words, **more))


class TestCommands:
    def test_what_is_done_is_told_in_words(self, desk: Desk) -> None:
        done = moved(desk, "c1", "move D1 to 4-4")
        assert [told.text for told in done.told] == ["D1 moved from 3-4 to 4-4."]
        assert (done.seq, done.again) == (2, False)

    def test_said_twice_it_is_done_once(self, desk: Desk) -> None:
        command = Command("c1", 1, "move D1 to 4-4")
        first, second = desk.do("g", command), desk.do("g", command)
        assert (first.told, first.seq) == (second.told, second.seq)
        assert (first.again, second.again) == (False, True)
        assert desk.game("g").seq == 2

    def test_said_again_after_others_moved_it_still_answers_itself(self, desk: Desk) -> None:
        first = moved(desk, "c1", "move D1 to 4-4")
        moved(desk, "c2", "move D2 to 4-5")
        again = desk.do("g", Command("c1", 1, "move D1 to 4-4"))
        assert (again.told, again.again, again.seq) == (first.told, True, 3)

    def test_on_an_older_state_it_is_refused_and_nothing_written(self, desk: Desk) -> None:
        moved(desk, "c1", "move D1 to 4-4")
        with pytest.raises(GoneOnError, match="from event 1 to 2") as caught:
            desk.do("g", Command("c2", 1, "move D2 to 4-5"))
        assert caught.value.seq == 2
        assert desk.game("g").seq == 2

    def test_refusals_write_nothing(self, desk: Desk) -> None:
        with pytest.raises(IllegalError):
            moved(desk, "c1", "move D1 to 5-5")
        with pytest.raises(ActionError):
            moved(desk, "c2", "dance")
        with pytest.raises(ActionError, match="not both"):
            moved(desk, "c3", "end", roll=True, dice=(1,))
        assert desk.game("g").seq == 1
        moved(desk, "c1", "move D1 to 4-4")

    def test_dice_as_rolled_or_rolled_here(self, desk: Desk) -> None:
        moved(desk, "c1", "end")
        own = moved(desk, "c2", "fire D1 at 5-5", dice=(6,))
        assert own.told[0].record.body["die"] == 6
        with pytest.raises(ActionError, match="needed"):
            moved(desk, "c3", "fire D2 at 6-6")
        rolled = moved(desk, "c4", "fire D2 at 6-6", roll=True)
        assert rolled.told[0].record.body["die"] in range(1, 7)

    def test_taking_back(self, desk: Desk) -> None:
        moved(desk, "c1", "move D1 to 4-4")
        moved(desk, "c2", "", undo=True)
        assert desk.game("g").state.by_id["D1"].fresh
        again = desk.do("g", Command("c2", 2, undo=True))
        assert again.again
        with pytest.raises(UndoError):
            moved(desk, "c3", "", undo=True)

    def test_there_must_be_such_a_game(self, desk: Desk) -> None:
        with pytest.raises(NoGameError):
            desk.do("other", Command("c1", 1, "end"))

    def test_another_process_is_heard(self, desk: Desk, store: EventStore) -> None:
        other = Desk(store)
        moved(other, "c1", "move D1 to 4-4")
        assert desk.game("g").seq == 2
        assert desk.do("g", Command("c1", 1, "move D1 to 4-4")).again
        with pytest.raises(GoneOnError):
            desk.do("g", Command("c9", 1, "end"))

    def test_many_at_once_lose_and_double_nothing(self, desk: Desk) -> None:
        """Eight devices say their own command until it is done, each of them twice."""
        desk.do("g", Command("begin", 1, "end"))
        done: list[str] = []

        def device(number: int) -> None:
            words = f"correct losses {number}"
            for _ in range(400):
                try:
                    desk.do("g", Command(f"d{number}", desk.game("g").seq, words))
                    desk.do("g", Command(f"d{number}", 0, words))
                    done.append(words)
                    return
                except GoneOnError:
                    continue

        threads = [threading.Thread(target=device, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        records = desk.store.records("g")
        assert len(done) == 8
        assert sorted(r.id for r in records if r.id.startswith("d")) == [f"d{n}" for n in range(8)]
        assert [r.seq for r in records] == list(range(1, len(records) + 1))


class TestEyes:
    def secret(self, store: EventStore) -> Desk:
        store.start("combined-arms", Setup(mode="enemy-player"), game="s", title="Secrets")
        desk, rng = Desk(store, random.Random(2)), random.Random(2)
        number = 0
        while desk.game("s").state.step != "move":
            number += 1
            said = RULES.text(next(RULES.plans(desk.game("s").state, rng)))
            desk.do("s", Command(f"c{number}", desk.game("s").seq, said, roll=True))
        return desk

    def test_what_is_secret_reaches_its_own_side_alone(self, store: EventStore) -> None:
        desk = self.secret(store)
        mine = {told.record.kind: told_json(told) for told in desk.since("s", 0, "defender")}
        for viewer in ("attacker", "public"):
            theirs = {told.record.kind: told_json(told) for told in desk.since("s", 0, viewer)}
            assert mine["posted"]["body"] and not theirs["posted"]["body"]
            assert theirs["posted"]["action"] == "post ..."
            assert "dice" not in theirs["mustered"]["body"]
            assert desk.eyes("s", viewer).state().get("secret") is None
        assert desk.eyes("s", "defender").state()["secret"]["platoon_hexes"]

    def test_options_are_those_that_a_side_may_see(self, desk: Desk) -> None:
        moved(desk, "c1", "end")
        sides = {option["side"] for option in desk.options("g", "attacker")}
        assert "attacker" in sides


class TestLive:
    def test_catching_up_and_what_comes(self, desk: Desk) -> None:
        bells = Bells()
        moved(desk, "c1", "move D1 to 4-4")

        async def listen() -> list[Any]:
            heard = []
            events = stream(desk, bells, "g", "public", 1, look_again_s=5.0)
            heard.append(await anext(events))
            coming = asyncio.ensure_future(anext(events))
            await asyncio.sleep(0.05)
            assert bells.listeners == 1
            await asyncio.to_thread(moved, desk, "c2", "move D2 to 4-5")
            bells.ring("g")
            heard.append(await asyncio.wait_for(coming, 2.0))
            await events.aclose()
            return heard

        first, second = asyncio.run(listen())
        assert (first.id, second.id) == ("2", "3")
        assert second.data["text"] == "D2 moved from 3-5 to 4-5."
        assert bells.listeners == 0

    def test_what_another_process_wrote_is_heard_without_a_bell(self, desk: Desk, store: EventStore) -> None:
        async def listen() -> Any:
            events = stream(desk, Bells(), "g", "public", 1, look_again_s=0.05)
            coming = asyncio.ensure_future(anext(events))
            await asyncio.sleep(0.02)
            await asyncio.to_thread(moved, Desk(store), "c1", "move D1 to 4-4")
            return await asyncio.wait_for(coming, 2.0)

        assert asyncio.run(listen()).id == "2"

    def test_a_seat_that_was_taken_away_hears_no_more(self, desk: Desk) -> None:
        for words in ("move D1 to 4-4", "move D2 to 4-5"):
            moved(desk, words, words)
        asked = iter((True, True, False))

        async def listen() -> list[str]:
            events = stream(desk, Bells(), "g", "public", 0, look_again_s=0.01, goes_on=lambda: next(asked))
            return [str(event.id) async for event in events]

        assert asyncio.run(listen()) == ["1"]
