"""Jobs that the tests have done in processes of their own: :class:`api.processes.warm.WarmProcess` finds them by
their names."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.processes.warm import RefusalError, Work
from api.processes.work_queue import work
from tests.support.waiting import Bell

if TYPE_CHECKING:
    from api.photos.decoding import Picture


def length(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    return {"bytes": len(data)}


def refuses(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    raise RefusalError(f"There is nothing in {len(data)} bytes")


def fails(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    raise KeyError("a fault of the program")


def dies(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def waits(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Take time on the clock, without end; ring the ``bell`` first, where there is one."""
    if "bell" in asked:
        Bell(Path(asked["bell"])).ring(os.getpid())
    while True:
        signal.pause()


def works(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Take time of the processor."""
    while True:
        pass


def grows(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    return {"bytes": len(bytearray(3_000_000_000))}


def opens(data: bytes, asked: Mapping[str, Any]) -> dict[str, Any]:
    with open(__file__) as file:
        return {"bytes": len(file.read())}


def pid() -> bytes:
    return str(os.getpid()).encode()


def prints() -> bytes:
    sys.stdout.write("what a package prints")
    sys.stdout.flush()
    return b"made"


def ends() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def unknown_sheet() -> bytes:
    from tabletop.equipment.prints import other_sheet

    return other_sheet("none", "a4")


def quick() -> Work:
    """Do what is asked for, by the name of one of these jobs and the bytes for it."""

    def work(asked: bytes) -> bytes:
        do, data, more = json.loads(asked)
        return json.dumps(globals()[do](data.encode(), more)).encode()

    return work


def calls() -> Work:
    """Make a file by the call that is asked for, as reports are drawn, with nothing loaded that draws."""
    return work


def decodes(data: bytes, name: str, max_pixels: int) -> Picture:
    from api.app.looks import decode_photo

    if data in (b"works", b"grows"):
        globals()[data.decode()](data, {})
    return decode_photo(data, name, max_pixels)
