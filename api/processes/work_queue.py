"""All heavy work of a server: one queue that is fair to its seats, over a few processes that may die without harm.

A piece of work goes to a process as a pickled call of a function of ours, and comes back as bytes: nothing from the
process is unpickled here.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from threading import Condition, RLock
from typing import Literal

from api.errors import BusyError
from api.processes.warm import EndedError, Job, RefusalError, WarmBounds, WarmProcess, Work

AT_ONCE = 3
"""Pieces of work that are done at the same time."""
OF_ONE_SEAT = 2
"""The most of one seat, so that a process is always free for the others."""
MOST_BYTES = 12_000_000
"""The greatest size of the results that are kept for the next request."""
BOUNDS = WarmBounds(memory_bytes=2_000_000_000, cpu_s=120, wall_s=150.0, start_s=60.0, sealed=False, idle_s=300)

Key = tuple[object, ...]
Call = Callable[[], bytes]
"""A piece of work: a ``functools.partial`` of a function of a module, since it is pickled."""


@dataclass(frozen=True)
class Task:
    """A piece of work, and the ``key`` with everything that its result depends on. Strangers' files are analysed in a
    ``sealed`` process, which can't open files. The result replaces kept ones with keys that begin with ``instead_of``:
    they are out of date."""

    key: Key
    call: Call
    sealed: bool = False
    instead_of: Key = ()


class RefusedError(Exception):
    """The work can't be done with these arguments; ``kinds`` are the names of the error's classes, its own first."""

    def __init__(self, sentence: str, kinds: tuple[str, ...]) -> None:
        super().__init__(sentence)
        self.kinds = kinds


class LeftError(BusyError):
    """No client waits for the work now, or the server stops."""


class Processes:
    """A few processes, each with one piece of work at a time; any thread may call. ``looks`` is the job of the sealed
    ones, which count towards ``at_once`` too."""

    def __init__(
        self, job: Job, at_once: int = AT_ONCE, bounds: WarmBounds = BOUNDS, *, looks: Job | None = None
    ) -> None:
        self.at_once = at_once
        self._bounds = bounds
        jobs = {False: (job, bounds), True: (looks or job, replace(bounds, sealed=True))}
        self._free = {sealed: deque(WarmProcess(*kind) for _ in range(at_once)) for sealed, kind in jobs.items()}
        self._room = at_once
        self._changed = Condition()

    def take(self, *, sealed: bool = False) -> WarmProcess:
        """A process, once there is room for its work; a warm one if possible."""
        with self._changed:
            while not self._room:
                self._changed.wait()
            self._room -= 1
            return self._free[sealed].popleft()

    def put_back(self, process: WarmProcess) -> None:
        """Release the process to others; it is no longer interrupted."""
        process.renew()
        with self._changed:
            free = self._free[process.bounds.sealed]
            if process.is_warm:
                free.appendleft(process)
            else:
                free.append(process)
            self._room += 1
            self._changed.notify()

    def do(self, process: WarmProcess, call: Call) -> bytes:
        """The result of a call; raises RefusedError as it refuses, BusyError where its process was ended, and
        RuntimeError for a fault of the program, which the process has logged on the server's terminal."""
        try:
            return process.make(pickle.dumps(call))
        except RefusalError as error:
            sentence, *kinds = json.loads(str(error))
            raise RefusedError(sentence, tuple(kinds)) from error
        except EndedError as error:
            if error.why == "fault":
                raise RuntimeError("A piece of work failed; its process has logged the error.") from error
            raise BusyError(self._words(error.why), headers={"Retry-After": "10"}) from error

    def _words(self, why: str) -> str:
        if why == "time":
            return (
                f"This could not be done in {self._bounds.wall_s:g} seconds: try again when it is less busy, or ask "
                "for less, as the short report."
            )
        if why == "memory":
            return (
                f"This takes more than the {self._bounds.memory_bytes / 1e6:.0f} MB of memory that are given: ask for "
                "less, as the short report."
            )
        return "This machine ended the work on this: try again in some seconds."


@dataclass(eq=False)
class _Piece:
    """A piece of work from its first asker until it is done; ``askers`` counts the waiting requests, by their seats."""

    task: Task
    result: Future[bytes] = field(default_factory=Future)
    askers: Counter[str] = field(default_factory=Counter)
    state: Literal["waiting", "running", "over"] = "waiting"
    process: WarmProcess | None = None


class WorkQueue:
    """Work that is awaited without a thread. Any event loop may ask.

    Seats take turns, and one has at most ``of_one_seat`` pieces done at a time. A piece that several request is done
    once, and counts for the seat that is next; work without a waiting client is dropped, even while it is being done.
    The last results are kept as long as they have at most ``most_bytes`` together.
    """

    def __init__(
        self, processes: Processes | None = None, of_one_seat: int = OF_ONE_SEAT, most_bytes: int = MOST_BYTES
    ) -> None:
        self._processes = work_processes() if processes is None else processes
        self._of_one_seat, self._most_bytes = of_one_seat, most_bytes
        self._hands = ThreadPoolExecutor(self._processes.at_once, "work")
        self._seats: OrderedDict[str, list[_Piece]] = OrderedDict()  # in the order of their turns
        self._running: Counter[str] = Counter()
        self._under_way: dict[Key, _Piece] = {}
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._kept_bytes = 0
        self._lock = RLock()
        self._closed = False

    async def make(self, seat: str, task: Task) -> bytes:
        """The result of a task for a seat; raises what :meth:`Processes.do` raises, and keeps nothing then.

        Raises LeftError where the server stops."""
        with self._lock:
            if task.key in self._kept:
                self._kept.move_to_end(task.key)
                return self._kept[task.key]
            if self._closed:
                raise LeftError("The server stops: ask again once it is back.")
            piece = self._under_way.get(task.key)
            if piece is None:
                piece = self._under_way[task.key] = _Piece(task)
            if piece.state == "waiting" and not piece.askers[seat]:
                self._seats.setdefault(seat, []).append(piece)
            piece.askers[seat] += 1
            self._begin()
        try:
            result = asyncio.wrap_future(piece.result)
            result.add_done_callback(_look_at)
            return await asyncio.shield(result)  # a client that leaves does not cancel it for the others
        finally:
            with self._lock:
                self._leave(piece, seat)

    def kept(self, key: Key) -> bytes | None:
        """The result for a key, if it is kept."""
        with self._lock:
            return self._kept.get(key)

    @property
    def kept_bytes(self) -> int:
        """The size of the kept results."""
        with self._lock:
            return self._kept_bytes

    @property
    def under_way(self) -> int:
        """How many pieces of work wait or are being done."""
        with self._lock:
            return len(self._under_way)

    def close(self) -> None:
        """Drop all waiting and running work, and accept no more."""
        with self._lock:
            self._closed = True
            for piece in list(self._under_way.values()):
                self._drop(piece)

    # --- inside, under the lock ------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Begin as many pieces as there is room for."""
        while self._running.total() < self._processes.at_once:
            waiting = [seat for seat, pieces in self._seats.items() if pieces]
            seat = min(waiting, key=self._running.__getitem__, default=None)
            if seat is None or self._running[seat] >= self._of_one_seat:
                return
            piece = self._seats[seat][0]
            self._forget(piece)
            self._seats.setdefault(seat, [])
            self._seats.move_to_end(seat)
            piece.state = "running"
            self._running[seat] += 1
            self._hands.submit(self._do, piece).add_done_callback(partial(self._finish, piece, seat))

    def _leave(self, piece: _Piece, seat: str) -> None:
        piece.askers[seat] -= 1
        if piece.askers[seat] <= 0:
            del piece.askers[seat]
            if piece in self._seats.get(seat, ()):
                self._seats[seat].remove(piece)
        if not piece.askers and piece.state != "over":
            self._drop(piece)

    def _drop(self, piece: _Piece) -> None:
        """Running work ends with its process; the next piece starts another."""
        self._forget(piece)
        if self._under_way.get(piece.task.key) is piece:
            del self._under_way[piece.task.key]
        if piece.process is not None:
            piece.process.interrupt()
        piece.state = "over"
        if not piece.result.done():
            piece.result.set_exception(LeftError("The work on this was ended: ask for it again."))

    def _forget(self, piece: _Piece) -> None:
        """Remove a piece from its seats' turns, and forget seats without waiting pieces."""
        for seat, pieces in list(self._seats.items()):
            if piece in pieces:
                pieces.remove(piece)
            if not pieces and not self._running[seat]:
                del self._seats[seat]

    def _finish(self, piece: _Piece, seat: str, done: Future[bytes]) -> None:
        """Hand a piece's result to the waiting requests, and begin the next pieces."""
        with self._lock:
            self._running[seat] -= 1
            self._running = +self._running  # drops seats without running work
            if piece.state != "over":
                piece.state = "over"
                del self._under_way[piece.task.key]
                error = done.exception()
                if error is None:
                    self._keep(piece.task, done.result())
                    piece.result.set_result(done.result())
                else:
                    piece.result.set_exception(error)
            self._begin()
            self._forget(piece)

    def _keep(self, task: Task, found: bytes) -> None:
        start = task.instead_of
        older = [key for key in self._kept if key[: len(start)] == start] if start else [task.key]
        for key in older:
            self._kept_bytes -= len(self._kept.pop(key, b""))
        self._kept[task.key] = found
        self._kept_bytes += len(found)
        while len(self._kept) > 1 and self._kept_bytes > self._most_bytes:
            self._kept_bytes -= len(self._kept.popitem(last=False)[1])

    # --- in a separate thread ----------------------------------------------------------------------------------------

    def _do(self, piece: _Piece) -> bytes:
        process = self._processes.take(sealed=piece.task.sealed)
        try:
            with self._lock:
                if piece.state == "over":
                    return b""
                piece.process = process
            return self._processes.do(process, piece.task.call)
        finally:
            with self._lock:  # dropping it from here on interrupts no other work
                piece.process = None
            self._processes.put_back(process)


def _look_at(result: asyncio.Future[bytes]) -> None:
    """Keep an error that no request awaits from being logged as unhandled."""
    if not result.cancelled():
        result.exception()


def work_processes(looks: Job | None = None) -> Processes:
    """The processes of this server; ``looks`` is the job of the sealed ones."""
    return _processes_finding(tuple(sys.path), looks)


@lru_cache(maxsize=1)
def _processes_finding(_path: tuple[str, ...], looks: Job | None) -> Processes:
    """The processes that find modules on this search path."""
    return Processes(load_work, looks=looks)


# --- the process's own side ------------------------------------------------------------------------------------------


def load_work() -> Work:
    """The function for pieces of work, with the writers of reports loaded."""
    import tabletop.aar.html
    import tabletop.aar.pdf  # noqa: F401

    return work


def work(call: bytes) -> bytes:
    """The result of a pickled call."""
    piece: Call = pickle.loads(call)
    try:
        return piece()
    except Exception as error:
        sentence = getattr(error, "problem", None)  # refusals of our packages have one
        if sentence is None:
            raise
        kinds = [kind.__name__ for kind in type(error).__mro__]
        raise RefusalError(json.dumps([str(sentence), *kinds])) from error
