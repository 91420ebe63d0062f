"""The learned data for the host: counted, drawn, as one file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from api.errors import NotThereError
from api.learning.learner import Learner
from api.photos.collections import MOST_PHOTOS
from api.schemas.collection import CollectionOut, CountOut, LearntPhotoOut, SideOut
from api.services.services import Services
from tabletop.referee import collecting
from tabletop.referee.collection_files import KnownFiles, file_of

if TYPE_CHECKING:
    from tabletop.referee.collection_files import Collection


class Showing:
    """The learned data, read again only where it changed. Threads may share it."""

    def __init__(self, services: Services, learner: Learner) -> None:
        self._services = services
        self._learner = learner
        self._known = KnownFiles()

    def collection(self) -> Collection:
        """Everything learned; raises CollectionError, OSError."""
        return self._known.together(self._services.tables.collections.files())

    def out(self) -> CollectionOut:
        """The learned data, counted."""
        rows = collecting.to_json(self.collection())["photos"]
        lessons, last = self._learner.lessons, self._learner.lessons.last()
        return CollectionOut(
            on=self._learner.choices.get().on,
            waiting=lessons.waiting(),
            trouble="" if last is None else last.detail,
            most_photos=MOST_PHOTOS,
            terrain=_terrain(rows),
            sides=_sides(rows),
            photos=[_photo_out(row) for row in reversed(rows)],
        )

    def picture(self, photo: str) -> bytes:
        """The small pictures of one photo, as a PNG; raises NotThereError where there are none."""
        kept = self.collection()
        found = {one.id for one in kept.photos if one.crops}
        if photo not in found:
            raise NotThereError("The pictures of this photo are gone; look at what is kept now.")
        return collecting.contact_sheet(kept, photo=photo, on_phone=True)

    def file(self) -> bytes:
        """Everything learned as one file, which `tabletop` reads."""
        return file_of(self.collection())


def _photo_out(row: Mapping[str, Any]) -> LearntPhotoOut:
    return LearntPhotoOut(
        id=row["id"],
        learnt=row["learnt"],
        width=row["table"]["width"],
        depth=row["table"]["depth"],
        terrain=_terrain([row]),
        sides=_sides([row]),
        pictures=len(row["pictures"]),
        stale=row["stale"],
    )


def _terrain(rows: Sequence[Mapping[str, Any]]) -> list[CountOut]:
    found: Counter[str] = Counter()
    for row in rows:
        found.update(row["terrain"])
    return _counted(found)


def _sides(rows: Iterable[Mapping[str, Any]]) -> list[SideOut]:
    bases = [base for row in rows for base in row["bases"]]
    return [
        SideOut(
            side=one.what,
            count=one.count,
            kinds=_counted(Counter(base["kind"] for base in bases if base["side"] == one.what)),
        )
        for one in _counted(Counter(base["side"] for base in bases))
    ]


def _counted(counts: Mapping[str, int]) -> list[CountOut]:
    return [CountOut(what=what, count=count) for what, count in sorted(counts.items())]
