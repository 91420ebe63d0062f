"""Photos whose bytes never end: how many are under way is bounded, and the pace counts when one begins."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest

from tests.api.conftest import Servers
from tests.support.api_games import ROOT, Device, Place
from tests.support.api_support import sentence
from tests.support.waiting import BOUND_S

KIND = {"Content-Type": "multipart/form-data; boundary=x"}


class Stalled:
    """Uploads that send their first bytes and then nothing."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._begun = asyncio.Event()
        self._over: list[asyncio.Task[Any]] = []

    async def _body(self) -> AsyncIterator[bytes]:
        self._begun.set()
        yield b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
        await asyncio.Event().wait()

    def client(self, device: Device) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.place.app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=ROOT, cookies=device.cookies)

    async def begin(self, client: httpx.AsyncClient, path: str, length: int) -> None:
        """Have one more on its way."""
        self._begun.clear()
        headers = {**KIND, "Content-Length": str(length)}
        task = asyncio.create_task(client.post(path, content=self._body(), headers=headers))
        self._over += [task, begun := asyncio.create_task(self._begun.wait())]
        await asyncio.wait([task, begun], timeout=BOUND_S, return_when=asyncio.FIRST_COMPLETED)
        assert self._begun.is_set(), "it is answered before it is read"

    async def end(self) -> None:
        for task in self._over:
            task.cancel()
        await asyncio.gather(*self._over, return_exceptions=True)


def placed(make_place: Servers, **limits: int) -> tuple[Place, str]:
    """A server with a game, and where photos of its table are sent."""
    place = make_place(**limits)
    return place, f"/api/tables/{place.services.table(place.one_hour('flank'), lay=True).game}/photos"


def answered(place: Place, evening: Callable[[Stalled], Awaitable[httpx.Response]]) -> httpx.Response:
    """The answer while uploads are stalled."""

    async def run() -> httpx.Response:
        stalled = Stalled(place)
        try:
            return await evening(stalled)
        finally:
            await stalled.end()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"uploads_of_seat": 2}, "2 uploads of yours are still on their way"),
        ({"photos_a_minute": 2}, "2 photos a minute"),
    ],
    ids=str,
)
def test_one_seat_has_few_photos_on_their_way_and_the_pace_counts_from_their_first_byte(
    make_place: Servers, limits: dict[str, int], words: str
) -> None:
    place, path = placed(make_place, **limits)

    async def evening(stalled: Stalled) -> httpx.Response:
        for _ in range(2):
            await stalled.begin(stalled.client(place.host), path, 100_000)
        return await stalled.client(place.host).post(path, files={"photo": bytes(100_000)})

    answer = answered(place, evening)
    assert words in sentence(answer, 429) and answer.headers["retry-after"]
    if place.services.settings.photos_a_minute > 2:  # once they have ended there is room again
        assert place.host.answer("POST", path, files={"photo": b"no picture"}).status_code != 429


def test_what_is_no_larger_than_json_is_no_upload(make_place: Servers) -> None:
    place, path = placed(make_place, uploads_of_seat=2)

    async def evening(stalled: Stalled) -> httpx.Response:
        for length in (1000, 1000, 100_000, 100_000):
            await stalled.begin(stalled.client(place.host), path, length)
        return await stalled.client(place.host).post("/api/plan", json={"scenario": "flank-attack"})

    assert answered(place, evening).status_code == 200


@pytest.mark.slow
def test_all_seats_together_have_a_bound(make_place: Servers) -> None:
    place, path = placed(make_place, upload_bytes_in_all=200_000)
    red = place.seated("flank", "side red")

    async def evening(stalled: Stalled) -> httpx.Response:
        await stalled.begin(stalled.client(red), path, 180_000)
        assert (await stalled.client(place.host).post(path, files={"photo": b"no picture"})).status_code != 503
        return await stalled.client(place.host).post(path, files={"photo": bytes(100_000)})

    answer = answered(place, evening)
    assert "Others are sending" in sentence(answer, 503) and answer.headers["retry-after"]
