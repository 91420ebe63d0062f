"""Streams of a game, listened to until their device's seat is taken away."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any
from unittest.mock import patch

from api.views.screens import Screens
from tests.support.api_games import Device, Place

SOON_S = 20.0


def listen(
    place: Place, game: str, device: Device, screen: str, after: int, steps: Iterable[Callable[[], object]] = ()
) -> str:
    """All that a device hears which shows a ``screen``, while the steps are done, each once all before is told."""
    seat, found, told = device.get(f"/api/games/{game}/me")["seat"], [], threading.Semaphore(0)
    path = f"/api/games/{game}/stream?after={after}&screen={screen}"
    change_since = Screens.change_since

    def tell(*asked: Any) -> Any:  # what changes of a screen is told after the events, and last
        change = change_since(*asked)
        told.release()
        return change

    listener = threading.Thread(target=lambda: found.append(device.answer("GET", path).text))
    with patch.object(Screens, "change_since", tell):
        listener.start()
        assert told.acquire(timeout=SOON_S)
        for step in steps:
            step()
            assert told.acquire(timeout=SOON_S)
        place.host.ask("DELETE", f"/api/games/{game}/seats/{seat}")
        listener.join(SOON_S)
    return found[0]
