"""The server's threads share one heap."""

import platform
import subprocess
import sys

import pytest

THREADS = """
import ctypes, threading
from api.app.memory import keep_memory_level
{first}
kept, ready = [], threading.Barrier(4)
def take():
    kept.append([bytearray(20_000) for _ in range(50)])
    ready.wait(60)
threads = [threading.Thread(target=take) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
ctypes.CDLL(None).malloc_stats()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have one heap, or tell nothing")
@pytest.mark.parametrize(("first", "several"), [("", True), ("keep_memory_level()", False)])
def test_threads_share_one_heap(first: str, several: bool) -> None:
    code = THREADS.format(first=first)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Arena 0:" in done.stderr
    assert ("Arena 1:" in done.stderr) is several
