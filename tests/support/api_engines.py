"""Engines that worker processes find by their names: :class:`api.settings.Settings` has one of them as ``engine``."""

import os

from api.engine import PhotoToRead, Reading
from api.settings import Settings
from tests.support.api_support import Canned
from tests.support.waiting import Bell


class Waiting(Canned):
    """Rings ``begun`` in the data folder with its process when it begins a photo, and reads it once ``go`` is rung."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.begun, self.go = (Bell(settings.data_dir / name) for name in ("begun", "go"))

    def start(self) -> None:
        """No process is needed that decodes photos."""

    def read_photo(self, asked: PhotoToRead) -> Reading:
        asked.progress("finding bases", 0.25)
        self.begun.ring(os.getpid())
        self.go.wait()
        return super().read_photo(asked)
