"""Night Raid, the ruleset that ``docs/adding-a-ruleset.md`` builds, joined as an installer would leave it."""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.paths import ROOT
from tests.support.caches import clear_caches

FOLDER = ROOT / "docs" / "examples" / "night_raid"
PACKAGE = "night_raid"
NAME = "night-raid"
SCENARIO = "the-depot"


def files() -> tuple[Path, ...]:
    """All files of the package that somebody wrote."""
    kept = (path for path in FOLDER.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return tuple(sorted(kept))


def install(site: Path) -> None:
    """The package in a folder, with the entry points of its ``pyproject.toml`` beside it."""
    shutil.copytree(FOLDER / PACKAGE, site / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = site / f"{PACKAGE}-{project['version']}.dist-info"
    info.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(head)
    groups = project["entry-points"]
    lines = [line for group in groups for line in (f"[{group}]", *(f"{k} = {v}" for k, v in groups[group].items()))]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


@contextmanager
def joined(site: Path) -> Iterator[None]:
    """While it lasts, this process finds the package installed in a folder."""
    install(site)
    sys.path.insert(0, str(site))
    _forget_rulesets()
    try:
        yield
    finally:
        sys.path.remove(str(site))
        for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
            del sys.modules[name]
        _forget_rulesets()


def _forget_rulesets() -> None:
    """What this process remembers of the rulesets that there are, in whatever module."""
    clear_caches("tabletop.game.parts", "tabletop.starting.", "api.routes.")
