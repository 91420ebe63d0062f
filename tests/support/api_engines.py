"""Engines that worker processes find by their names: :class:`api.settings.Settings` has one of them as ``engine``."""

from __future__ import annotations

import os
import time

from api.engine import Known, Previous, Progress, Reading
from api.settings import Settings
from tabletop.tables.model import TableFile
from tests.support.api_support import Canned


class Waiting(Canned):
    """Reads a photo once there is a file ``go`` in the data folder; says in ``pid`` who is at it."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._folder = settings.data_dir

    def start(self) -> None:
        """No process is needed that decodes photos."""

    def read_photo(
        self, data: bytes, name: str, table: TableFile, progress: Progress, previous: Previous = None, known: Known = ()
    ) -> Reading:
        """The canned reading, later."""
        progress("finding bases", 0.25)
        (self._folder / "pid").write_text(str(os.getpid()))
        while not (self._folder / "go").exists():
            time.sleep(0.01)
        return super().read_photo(data, name, table, progress, previous, known)
