"""Jobs that the tests have done in processes of their own: :class:`api.photos.sandbox.Apart` finds them by their
names."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from typing import Any

from api.photos.sandbox import RefusalError


def length(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    """How many bytes there are, and what was asked."""
    return {"bytes": len(data), "asked": dict(asked)}


def refuses(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse."""
    raise RefusalError(f"There is nothing in {len(data)} bytes")


def fails(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    """A fault of the program."""
    raise KeyError("a fault of the program")


def dies(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    """End from outside."""
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def sleeps(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Take time on the clock."""
    time.sleep(60)
    return {}


def works(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Take time of the processor."""
    while True:
        pass


def grows(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Take memory."""
    return {"bytes": len(bytearray(3_000_000_000))}
