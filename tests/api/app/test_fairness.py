"""One seat does its worst with every address of the OpenAPI document, and the others are answered."""

import asyncio
import contextlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from queue import SimpleQueue
from threading import Event
from typing import Any

import anyio.to_thread
import pytest

from api.app.application import create_app
from api.errors import BusyError
from api.settings import Settings
from api.views.screens import Moment, Screens
from scripts import worst_requests
from tests.api.processes.test_work_queue import Held
from tests.support.api_games import OFTEN, ROOT, Device, Place
from tests.support.waiting import BOUND_S

MOST_CALLS = {"threads": 40_000, "loop": 100_000}
"""Calls of functions for one request, written in Python or C: some 15 ms of a processor. In the loop a large body comes
in many pieces."""


class Everything(Held):
    """Processes that finish nothing."""

    def do(self, process: Any, call: Callable[[], bytes]) -> bytes:
        self.begun.put("work")
        process.interrupted.wait(10 * BOUND_S)
        raise BusyError(json.dumps("ended"))


def test_heavy_routes_hold_no_thread_and_are_dropped_with_their_clients(place: Place, game: str) -> None:
    held = Everything()
    place.services.work.__init__(held)  # type: ignore[misc]

    async def evening() -> None:
        leaves, stays = asyncio.Event(), asyncio.Event()
        get = partial(place.host.ask_until, "GET")
        paths = [f"/api/games/{game}/{what}" for what in ("report", "replay", "table.geojson", "table.uvtt")]
        waiting = [asyncio.ensure_future(get(path, leaves)) for path in paths * 15]
        assert await held.next() and await held.next()
        status = await get(f"/api/games/{game}/screen", stays)
        assert status == 200, "sixty requests wait, and threads are free"
        assert place.services.work.under_way <= len(paths), "equal requests share their work"
        leaves.set()
        assert set(await asyncio.gather(*waiting)) == {503} and place.services.work.under_way == 0

    asyncio.run(evening())


def test_requests_of_one_device_wait_without_threads(place: Place, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other, go_on, shown, told = place.seated(game, "side blue"), Event(), Screens.screen_at, SimpleQueue[str]()

    def show(screens: Screens, now: Moment) -> Any:
        told.put(now.seat.label)
        assert now.seat.label == "Ben" or go_on.wait(BOUND_S)
        return shown(screens, now)

    async def evening() -> None:
        stays, path = asyncio.Event(), f"/api/games/{game}/screen"
        waiting = [asyncio.ensure_future(place.host.ask_until("GET", path, stays)) for _ in range(60)]
        assert await asyncio.to_thread(told.get, timeout=BOUND_S) == "Anna"
        waiting.pop().cancel()
        assert await other.ask_until("GET", path, stays) == 200
        assert {told.get(timeout=BOUND_S) for _ in range(2)} == {"Anna", "Ben"} and told.empty(), "two at once"
        go_on.set()
        assert set(await asyncio.gather(*waiting)) == {200}

    monkeypatch.setattr(Screens, "screen_at", show)
    asyncio.run(evening())


@contextlib.contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Counts the calls of functions in the event loop and in the server's threads, and those of OpenCV."""
    found: Counter[str] = Counter()
    run_sync = anyio.to_thread.run_sync

    def note(where: str, _frame: object, event: str, called: Any) -> None:
        found[where] += event in ("call", "c_call")
        if event == "c_call" and (getattr(called, "__module__", None) or "").startswith("cv2"):
            found["OpenCV"] += 1

    async def run(job: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        def profiled(*given: Any) -> Any:
            sys.setprofile(partial(note, "threads"))
            try:
                return job(*given)
            finally:
                sys.setprofile(None)

        return await run_sync(profiled, *arguments, **more)

    monkeypatch.setattr(anyio.to_thread, "run_sync", run)
    sys.setprofile(partial(note, "loop"))
    try:
        yield found
    finally:
        sys.setprofile(None)
        monkeypatch.undo()


def test_no_address_computes_much_where_all_are_answered_and_each_is_while_the_queue_is_full(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    worst_requests.begin_games(tmp_path)
    app = create_app(Settings(tmp_path, addresses=(ROOT,), workers=0, **OFTEN))
    services, greedy, host = app.state.services, Device(app), Device(app)
    for device in (greedy, host):
        device.ask("POST", "/api/join", 201, json={"token": services.welcome().token, "label": "Anna"})
    held = Everything()
    services.work.__init__(held)  # type: ignore[misc]
    ask = lambda *what, **more: host.answer(*what, **more).json()  # noqa: E731
    ask("PATCH", "/api/collection", json={"on": False})
    places = worst_requests.set_stage(ask, services.store.pictures)

    async def once(name: str, make: Callable[[int], worst_requests.Request], number: int) -> None:
        """Ask until there is an answer, or the work for it has begun."""
        request, leaves = make(number), asyncio.Event()
        answer = asyncio.ensure_future(host.ask_until(request.method, request.path, leaves, **request.more))
        begun = asyncio.ensure_future(held.next())
        await asyncio.wait({answer, begun}, return_when=asyncio.FIRST_COMPLETED)
        leaves.set()
        assert await answer < 500 or begun.done(), name
        if not begun.done():
            held.begun.put("")  # work that does not begin
        await begun

    async def evening() -> None:
        stays = asyncio.Event()
        sheets = [f"/api/prints/tags.pdf?count=600&first={n}" for n in range(30)]
        waiting = [asyncio.ensure_future(greedy.ask_until("GET", path, stays)) for path in sheets]
        assert await held.next() and await held.next()
        for name, make in worst_requests.requests(app.openapi(), places):
            if name != "follow_game":  # which is meant to last
                await once(name, make, 1)  # what is loaded once is loaded
                places.update(await asyncio.to_thread(worst_requests.standing, ask))
                with counted(monkeypatch) as found:
                    await once(name, make, 2)
                assert not found["OpenCV"] and all(found[one] < most for one, most in MOST_CALLS.items()), (name, found)
        assert not any(one.done() for one in waiting)
        stays.set()
        await asyncio.gather(*waiting)

    asyncio.run(evening())
    services.end()
    services.event_store.close()
