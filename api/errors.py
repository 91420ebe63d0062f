"""The server's refusals; each is answered as a problem document (:mod:`api.app.problems`)."""

from __future__ import annotations

import errno
import logging

from fastapi_problem.error import StatusProblem

from tabletop.game.errors import StoreError

_LOG = logging.getLogger(__name__)


class NotThereError(StatusProblem):
    """Something named in the address does not exist."""

    status = 404
    title = "Not found"


class ConflictError(StatusProblem):
    """The table is not in a state that allows this."""

    status = 409
    title = "Can't be done now"


class BusyError(StatusProblem):
    """Too many photos are waiting."""

    status = 503
    title = "Busy"


class TooOftenError(StatusProblem):
    """A client sends more requests than is good for the others."""

    status = 429
    title = "Too often"


class UnusableError(StatusProblem):
    """The data sent can't be used."""

    status = 422
    title = "Can't be used"


_PLACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM})
"""Faults of a disk, of a folder without write permission, or of a bucket."""


def is_away(error: Exception) -> bool:
    """Whether the server's storage fails, which may recover.

    >>> is_away(OSError(errno.ENOSPC, "No space left on device")), is_away(OSError(errno.ENOMEM, "Out of memory"))
    (True, False)
    """
    return isinstance(error, StoreError) or (isinstance(error, OSError) and error.errno in _PLACE)


def note_away(error: Exception) -> None:
    """Log that the server's storage fails: once a minute, however many requests fail."""
    _LOG.warning("nothing can be saved: %s", error)


def problem_of(error: Exception) -> str:
    """What is wrong, worded for a phone's user: without references to the command line."""
    return str(getattr(error, "problem", error))
