"""What the server refuses; each is answered as a problem document (:mod:`api.app.problems`)."""

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
    """The table is not in a state in which this can be done."""

    status = 409
    title = "Can't be done now"


class BusyError(StatusProblem):
    """Too many photos are waiting."""

    status = 503
    title = "Busy"


class TooOftenError(StatusProblem):
    """Somebody asks more often than is good for the others."""

    status = 429
    title = "Too often"


class UnusableError(StatusProblem):
    """What was sent can't be used."""

    status = 422
    title = "Can't be used"


_PLACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM})
"""What ails a disk, a folder that may not be written to, or a bucket."""


def is_away(error: Exception) -> bool:
    """Whether it is the place where the server keeps things that fails: it may come back.

    >>> is_away(OSError(errno.ENOSPC, "No space left on device")), is_away(OSError(errno.ENOMEM, "Out of memory"))
    (True, False)
    """
    return isinstance(error, StoreError) or (isinstance(error, OSError) and error.errno in _PLACE)


def note_away(error: Exception) -> None:
    """Log that the place where the server keeps things fails: once a minute, however many ask."""
    _LOG.warning("nothing can be kept: %s", error)


def problem_of(error: Exception) -> str:
    """What is wrong, as a phone's owner hears it: without how things are typed at a terminal."""
    return str(getattr(error, "problem", error))
