"""The rulesets of ``docs/adding-a-ruleset.md``, joined as an installer would leave them."""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.paths import ROOT
from tests.support.caches import clear_caches


@dataclass(frozen=True)
class Example:
    """A ruleset in a package of its own, and its one scenario."""

    package: str
    name: str
    scenario: str

    @property
    def folder(self) -> Path:
        """Its project."""
        return ROOT / "docs" / "examples" / self.package

    @property
    def scenario_file(self) -> Path:
        """Its scenario."""
        return self.folder / self.package / "scenarios" / f"{self.scenario}.toml"

    def files(self) -> tuple[Path, ...]:
        """All files of the project that somebody wrote."""
        kept = (path for path in self.folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        return tuple(sorted(kept))

    def count_lines(self) -> int:
        """The lines of all its files."""
        return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in self.files())

    def install(self, site: Path) -> None:
        """The package in a folder, with the entry points of its ``pyproject.toml`` beside it."""
        shutil.copytree(self.folder / self.package, site / self.package, ignore=shutil.ignore_patterns("__pycache__"))
        project = tomllib.loads((self.folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        info = site / f"{self.package}-{project['version']}.dist-info"
        info.mkdir()
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (info / "METADATA").write_text(head)
        groups = project["entry-points"]
        lines = [line for group in groups for line in (f"[{group}]", *(f"{k} = {v}" for k, v in groups[group].items()))]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")

    @contextmanager
    def joined(self, site: Path) -> Iterator[None]:
        """While it lasts, this process finds the package installed in a folder."""
        self.install(site)
        sys.path.insert(0, str(site))
        _forget_rulesets()
        try:
            yield
        finally:
            sys.path.remove(str(site))
            for name in [name for name in sys.modules if name.partition(".")[0] == self.package]:
                del sys.modules[name]
            _forget_rulesets()


NIGHT_RAID = Example("night_raid", "night-raid", "the-depot")
BRIDGE_GUARD = Example("bridge_guard", "bridge-guard", "the-bridge")


def _forget_rulesets() -> None:
    """What this process remembers of the rulesets that there are, in whatever module."""
    clear_caches("tabletop.game.parts", "tabletop.starting.", "api.routes.")
