"""The site's gallery: sample photographs beside the maps that are read from them, and the bundled scenarios drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2

from geometry.drawing.svg import svg_text
from tabletop.boards import board_of
from tabletop.drawing.previews import preview
from tabletop.game import Game
from tabletop.game.parts import PARTS
from tabletop.game.registry import ruleset
from tabletop.referee import judging
from tabletop.starting.scenarios import find, list_scenarios
from tabletop.tables.tablefile import load_table
from tabletop.words import count
from vision import Observation
from vision.drawing.observation_drawing import annotated_photo, map_svg

from .reference import escape

ROOT = Path(__file__).resolve().parents[2]
PHOTO_PX = 1000
QUALITY = 72


@dataclass(frozen=True)
class Sample:
    """A photograph of the repository with its table file."""

    photo: str
    table: str
    title: str
    says: str


SAMPLES = (
    Sample(
        "tabletop/data/demo/demo.jpg",
        "tabletop/data/demo/demo.table.toml",
        "Sheep Hill",
        "The bundled sample: `tabletop demo` reads and judges it. Terrain is drawn in its table file.",
    ),
    Sample(
        "tests/data/tagged.jpg",
        "tests/data/tagged.table.toml",
        "A tag on every base",
        "Every base carries a tag, so that all are known by name. The terrain is read from the photo.",
    ),
    Sample(
        "tests/data/desert.jpg",
        "tests/data/desert.table.toml",
        "Desert",
        "One base of each unit carries a tag, and terrain is read. Anything less certain than 95 % is asked about.",
    ),
    Sample(
        "tests/data/turned.jpg",
        "tests/data/turned.table.toml",
        "No tags, a phone held upright",
        "Bases are found by their shapes and rims. Units that look alike are asked about.",
    ),
)


def write_page(folder: Path, *, with_photos: bool = True) -> set[str]:
    """Write the gallery with its pictures into ``folder``; the places of its pages, from the folder above it."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["# Gallery of tables", "", *_intro(), *(_samples(folder) if with_photos else ()), *_scenarios(folder)]
    (folder / "gallery.md").write_text("\n".join(lines), encoding="utf-8")
    return {f"{folder.name}/gallery.md"}


def _intro() -> list[str]:
    return [
        "The photographs are path-traced pictures of modelled tables, 12 megapixels each, made smaller here. The maps",
        "beside them were read from them by `tabletop observe` when this page was built. Ellipses hold a base's true",
        "place in 95 of 100 cases; most are too small to be seen.",
        "",
    ]


def _samples(folder: Path) -> Iterator[str]:
    for sample in SAMPLES:
        name = Path(sample.photo).stem
        known = load_table(ROOT / sample.table)
        if sample is not SAMPLES[0]:
            known = replace(known, terrain=())
        read = judging.observe_photos([ROOT / sample.photo], known)
        expected = judging.expected_from(known)
        drawn = annotated_photo(read.photo.image, read.observation, expected=expected, long_side_px=PHOTO_PX)
        factor = PHOTO_PX / max(read.photo.image.shape[:2])
        plain = cv2.resize(read.photo.image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        for what, image in (("photo", plain), ("read", drawn)):
            cv2.imwrite(str(folder / f"{name}-{what}.webp"), image, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
        (folder / f"{name}.svg").write_text(
            map_svg(read.observation, title=sample.title, expected=expected), encoding="utf-8"
        )
        yield from (f"## {sample.title}", "", escape(sample.says), escape(counted(read.observation)), "")
        yield from (":::{container} side-by-side", "")
        yield f"![The photograph]({name}-photo.webp) ![The map that was read from it]({name}.svg)"
        yield from ("", ":::", "", ":::{container} wide", "")
        yield f"![The photograph with the reading drawn over it]({name}-read.webp)"
        yield from ("", ":::", "")


def counted(seen: Observation) -> str:
    """The contents of a photograph as read, in one sentence."""
    units = {label.unit for label in seen.labels if label.unit}
    parts = [count(len(seen.bases), "base"), f"{count(len(units), 'unit')} known by name"]
    parts += [f"terrain in {count(len(seen.terrain), 'piece')}"]
    parts += [count(len(seen.dice), "die", "dice")] if seen.dice else []
    return f"Read: {', '.join(parts)}; {count(len(seen.questions), 'question')} left open."


def _scenarios(folder: Path) -> Iterator[str]:
    yield from ("## Bundled scenarios", "")
    yield "Each begins by `tabletop new ID` or on a phone under *Start a game*; the map shows terrain, the sides'"
    yield "deployment areas and the units already there."
    yield ""
    for rules, parts in PARTS.items():
        listed = list_scenarios(rules)
        if not listed:
            continue
        yield from (f"### {parts.title}", "", "::::{container} tables", "")
        for one in listed:
            found = find(one.id, rules)
            trial = Game.new(ruleset(rules), found.setup)
            name = f"{rules}-{one.id}.svg"
            drawn = svg_text(preview(board_of(rules, trial.state)), title=found.title)
            (folder / name).write_text(drawn, encoding="utf-8")
            yield from (":::{container} one-table", "", f"![{escape(found.title)}: the table from above]({name})", "")
            yield from (f"**{escape(found.title)}** `{one.id}`", "", ":::", "")
        yield from ("::::", "")
