"""The rooms of each package: no files that import one another in a circle, and no import that CONTRIBUTING.md does not
draw.

A module is held to the room that it lies in, whether an import is carried out at once, when a function is called or for
types alone. What the rulesets are asked for by name (:mod:`tabletop.game.parts`) is no import.
"""

import re
from collections.abc import Mapping, Set
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse.csgraph

from tests.paths import ROOT
from tests.support.imports import imports, sources

PACKAGES = ("geometry", "calibration", "synthetic", "vision", "tabletop", "api")
DRAWN = ("vision", "tabletop", "api")
"""The packages whose rooms are drawn."""
ALL_BELOW = "all below"
WEB = ROOT / "api" / "web" / "src"

Arrows = Mapping[str, Set[str]]


def circles(arrows: Arrows) -> list[set[str]]:
    """The sets of two or more nodes each of which reaches all others of its set along the arrows.

    >>> circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [{"b", "c"}]
    True
    """
    numbers = {name: n for n, name in enumerate(sorted({*arrows, *(end for ends in arrows.values() for end in ends)}))}
    pairs = [(numbers[start], numbers[end]) for start, ends in arrows.items() for end in ends]
    starts, ends = zip(*pairs, strict=True) if pairs else ((), ())
    graph = scipy.sparse.coo_array((np.ones(len(pairs)), (starts, ends)), (len(numbers), len(numbers)))
    _, parts = scipy.sparse.csgraph.connected_components(graph, connection="strong")
    found = [
        {name for name, n in numbers.items() if parts[n] == part} for part in np.flatnonzero(np.bincount(parts) > 1)
    ]
    return sorted(found, key=sorted)


def name_of(path: Path) -> str:
    """A module's full name.

    >>> name_of(ROOT / "tabletop" / "aar" / "__init__.py")
    'tabletop.aar'
    """
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def modules() -> Arrows:
    """Every module of ours with all that it imports of ours."""
    files = {name_of(path): path for package in PACKAGES for path in sources(package)}
    arrows = {}
    for name, path in files.items():
        named = {module for module, _ in imports(path)}
        # "from package import module" names the package as well; only where it names nothing else is that an arrow.
        parents = {module.rpartition(".")[0] for module in named if module in files}
        handed_on = {module.rpartition(".")[0] for module in named if module not in files}
        arrows[name] = {
            module for module in named if module in files and (module not in parents or module in handed_on)
        }
        arrows[name].discard(name)
    return arrows


def test_no_files_of_the_packages_import_one_another() -> None:
    assert len(modules()) > 600
    assert circles(modules()) == []


def test_no_files_of_the_page_import_one_another() -> None:
    files = [path for path in sorted(WEB.rglob("*.ts*")) if not path.name.endswith(".d.ts")]
    arrows = {str(path.relative_to(WEB)): _imported_by(path) for path in files}
    assert len(arrows) > 50 and sum(map(len, arrows.values())) > 100
    assert circles(arrows) == []


def _imported_by(path: Path) -> set[str]:
    """The page's files that one of them imports, at once or later."""
    found = set()
    for name in re.findall(r'(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]*)"', path.read_text(encoding="utf-8")):
        place = path.parent / name
        candidates = [place.with_name(place.name + ".ts"), place.with_name(place.name + ".tsx"), place / "index.ts"]
        found |= {str(c.resolve().relative_to(WEB)) for c in candidates if c.is_file()}
    return found


@cache
def drawing(package: str) -> Mapping[str, tuple[str, ...]]:
    """The rooms of a package as CONTRIBUTING.md draws them, top down, each with what it may use."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    part = text.split(f"\n### `{package}`\n", 1)[1].split("\n#", 1)[0]
    rows: list[tuple[str, str, str]] = re.findall(r"^\| (\S.*?) \| (\S.*?) \| (.*?) ?\|$", part, re.MULTILINE)[2:]
    names = [re.findall(r"`([^`]+)`", row[0]) for row in rows]
    found: dict[str, tuple[str, ...]] = {}
    for n, (title, _, uses) in enumerate(rows):
        below = [name for row in names[n + 1 :] for name in row]
        foundations = [name for row, name in zip(rows[n + 1 :], names[n + 1 :], strict=True) if row[0].startswith("**")]
        may = below if uses == ALL_BELOW else re.findall(r"`([^`]+)`", uses)
        assert names[n] and (may or uses in ("", "nothing")), f"{package}: no row of the drawing is {title} with {uses}"
        for name in names[n]:
            assert name not in found, f"{package}: {name} is drawn twice"
            found[name] = (*may, *(one for group in foundations for one in group))
    return found


def room_of(module: str) -> str:
    """The room of a package's module: the one drawn with the longest name.

    >>> room_of("tabletop.rulesets.combat.play")
    'rulesets.combat'
    """
    package, _, name = module.partition(".")
    parts = name.split(".")
    ways = (".".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((way for way in ways if way in drawing(package)), parts[0])


@cache
def rooms(package: str) -> Arrows:
    """Every room of a package with the others that its modules import."""
    found: dict[str, set[str]] = {}
    for name, imported in modules().items():
        if name.startswith(f"{package}."):
            own = found.setdefault(room_of(name), set())
            own |= {room_of(other) for other in imported if other.startswith(f"{package}.")} - {room_of(name)}
    return found


@pytest.mark.parametrize("package", DRAWN)
def test_every_room_is_drawn_and_there_is_no_other(package: str) -> None:
    assert set(rooms(package)) == set(drawing(package))


@pytest.mark.parametrize("package", DRAWN)
def test_every_import_between_rooms_is_drawn(package: str) -> None:
    wrong = [
        f"{package}.{room} uses {package}.{other}, which CONTRIBUTING.md does not draw"
        for room, others in rooms(package).items()
        for other in sorted(others)
        if not any(f"{other}.".startswith(f"{may}.") for may in drawing(package).get(room, ()))
    ]
    assert wrong == []


@pytest.mark.parametrize("package", DRAWN)
def test_what_is_drawn_is_there(package: str) -> None:
    names = set(drawing(package)) | {name.rpartition(".")[0] for name in drawing(package) if "." in name}
    assert {may for uses in drawing(package).values() for may in uses} <= names


@pytest.mark.parametrize("package", DRAWN)
def test_no_rooms_import_one_another(package: str) -> None:
    assert circles(rooms(package)) == []
