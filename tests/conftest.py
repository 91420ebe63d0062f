"""What is done after the tests of each module."""

import ctypes
import gc
import sys
from collections.abc import Iterator

import pytest

from tests.support.caches import clear_caches


@pytest.fixture(scope="module", autouse=True)
def give_memory_back() -> Iterator[None]:
    """Release what a module's tests cached, so that pictures do not add up over a run."""
    yield
    clear_caches("tests.", "synthetic.")
    gc.collect()
    gc.freeze()  # what is alive now stays: do not walk half a million objects again after every module
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
