"""Streams of a game, listened to until their device's seat is taken away."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import httpx

from api.games.event_stream import Subscription
from tests.support.api_games import Device, Place
from tests.support.waiting import BOUND_S


@contextmanager
def told_all() -> Iterator[threading.Semaphore]:
    """A semaphore that is released whenever a stream has told all and waits for more."""
    told, wait = threading.Semaphore(0), Subscription.wait

    async def noted(subscription: Subscription) -> None:
        told.release()
        await wait(subscription)

    with patch.object(Subscription, "wait", noted):
        yield told


def until_end(
    device: Device, path: str, *steps: Callable[[], object], headers: dict[str, str] | None = None
) -> httpx.Response:
    """What a stream has told by its end, to which the last of the steps leads; each is done once all before is told."""
    found: list[Any] = []
    listener = threading.Thread(target=lambda: found.append(device.answer("GET", path, headers=headers or {})))
    with told_all() as told:
        listener.start()
        for step in steps:
            assert told.acquire(timeout=BOUND_S)
            step()
        listener.join(BOUND_S)
    assert not listener.is_alive(), "the stream goes on"
    answer: httpx.Response = found[0]
    return answer


def listen(
    place: Place, game: str, device: Device, screen: str, after: int, steps: Iterable[Callable[[], object]] = ()
) -> str:
    """All that a device hears which shows a ``screen``, while the steps are done, until its seat is taken away."""
    seat = device.get(f"/api/games/{game}/me")["seat"]
    path = f"/api/games/{game}/stream?after={after}&screen={screen}"
    return until_end(device, path, *steps, lambda: place.host.ask("DELETE", f"/api/games/{game}/seats/{seat}")).text
