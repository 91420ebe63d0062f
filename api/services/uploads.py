"""How much may be on its way to the server at once: an endless body must not take the room of all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import UploadFile

from api.errors import BusyError, TooOftenError
from api.settings import Settings

_AGAIN = {"Retry-After": "5"}


def read_upload(upload: UploadFile) -> bytes:
    """The whole uploaded file, even if a heavy route reads it again."""
    upload.file.seek(0)
    return upload.file.read()


class Uploads:
    """The bodies under way, from their first byte until they are answered. For the event loop's thread."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._of_seat: Counter[str] = Counter()
        self._bytes = 0

    @contextmanager
    def under_way(self, seat: str, length: int | None) -> Iterator[None]:
        """One body of ``length`` bytes, where its sender says how many. Raises TooOftenError where its seat already
        sends too many, BusyError where all seats together do. A body within the limit of JSON does not count as an
        upload."""
        settings = self._settings
        if length is not None and length <= settings.max_json_bytes:
            yield
            return
        length = settings.max_photo_bytes if length is None else length
        if self._of_seat[seat] >= settings.uploads_of_seat:
            raise TooOftenError(
                f"{settings.uploads_of_seat} uploads of yours are still on their way: wait until one has arrived.",
                headers=_AGAIN,
            )
        if self._bytes and self._bytes + length > settings.upload_bytes_in_all:
            raise BusyError("Others are sending large photos just now: send yours again in a moment.", headers=_AGAIN)
        self._of_seat[seat] += 1
        self._bytes += length
        try:
            yield
        finally:
            self._bytes -= length
            self._of_seat[seat] -= 1
            if not self._of_seat[seat]:
                del self._of_seat[seat]
