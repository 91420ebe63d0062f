"""The program's own processes that may die without harm: starting one on a job, and ending it completely."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

_KEPT_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TEMP")  # no password of a database among them
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"}


def start_process(
    module: str, job: Callable[..., Any], numbers: tuple[int, ...], *, bufsize: int = -1, pipesize: int = -1
) -> subprocess.Popen[bytes]:
    """A process that runs the ``main`` of a module, with a pipe to it and one from it.

    ``sys.argv`` has the module and the name of the ``job``, a function of a module, and the ``numbers``. The process
    works in one thread, in none of our folders, and knows only the search paths of this one's environment.
    """
    kept = {key: os.environ[key] for key in _KEPT_ENVIRONMENT if key in os.environ}
    return subprocess.Popen(
        [
            *(sys.executable, "-P", "-c", f"from {module} import main; main()"),
            *(job.__module__, job.__qualname__, *map(str, numbers)),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=bufsize,
        pipesize=pipesize,
        cwd="/",
        env={**kept, **_ONE_THREAD, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))},
    )


def end_process(process: subprocess.Popen[bytes]) -> None:
    """End a process completely: no zombie and no pipe remain."""
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.wait()
