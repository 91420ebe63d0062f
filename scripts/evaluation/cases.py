"""Which photos there are to evaluate: a photo, its table file and its truth, side by side under one name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tabletop.errors import UsageError

PICTURES = (".jpg", ".jpeg", ".png", ".webp")
TABLE = ".table.toml"


@dataclass(frozen=True)
class Case:
    """A photo with the players' prior knowledge (``table``) and the truth (``truth``)."""

    name: str
    photo: Path
    table: Path
    truth: Path


def find_cases(paths: Sequence[Path]) -> tuple[Case, ...]:
    """The cases that folders and photos name, in the order given, a folder's by name.

    A folder gives every NAME.table.toml that has a NAME.json and a picture beside it. Raises UsageError for a folder
    that has none, a photo that lacks its table file or its truth, and one photo named twice.
    """
    found: list[Case] = []
    for path in paths:
        found += _in_folder(path) if path.is_dir() else [_of_photo(path)]
    photos = [case.photo.resolve() for case in found]
    for photo in photos:
        if photos.count(photo) > 1:
            raise UsageError(f"{photo.name} is named {photos.count(photo)} times: name each photo once.")
    names = [case.name for case in found]
    return tuple(
        replace(case, name=f"{case.photo.parent.name}/{case.name}") if names.count(case.name) > 1 else case
        for case in found
    )


def _in_folder(folder: Path) -> list[Case]:
    found = []
    for table in sorted(folder.glob(f"*{TABLE}")):
        name = table.name.removesuffix(TABLE)
        truth = folder / f"{name}.json"
        photo = next((p for p in (folder / f"{name}{suffix}" for suffix in PICTURES) if p.is_file()), None)
        if photo is not None and truth.is_file():
            found.append(Case(name, photo, table, truth))
    if not found:
        raise UsageError(
            f"{folder} holds no photo with its truth: NAME.jpg, NAME{TABLE} and NAME.json must be in one folder."
        )
    return found


def _of_photo(photo: Path) -> Case:
    table, truth = photo.with_name(f"{photo.stem}{TABLE}"), photo.with_name(f"{photo.stem}.json")
    missing = [path.name for path in (photo, table, truth) if not path.is_file()]
    if missing:
        raise UsageError(f"{photo} can't be evaluated: there is no {' and no '.join(missing)} beside it.")
    return Case(photo.stem, photo, table, truth)
