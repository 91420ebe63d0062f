"""The rulesets of ``docs/adding-a-ruleset.md``, joined as an installer would leave them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.paths import ROOT
from tests.support.plugins import install_package, joined


@dataclass(frozen=True)
class Example:
    package: str
    name: str
    scenario: str

    @property
    def folder(self) -> Path:
        return ROOT / "docs" / "examples" / self.package

    @property
    def scenario_file(self) -> Path:
        return self.folder / self.package / "scenarios" / f"{self.scenario}.toml"

    def files(self) -> tuple[Path, ...]:
        """All files of the project that somebody wrote."""
        kept = (path for path in self.folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        return tuple(sorted(kept))

    def count_lines(self) -> int:
        return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in self.files())

    def install(self, site: Path) -> None:
        """The package in a folder, with the entry points of its ``pyproject.toml`` beside it."""
        install_package(self.folder, self.package, site)

    @contextmanager
    def joined(self, site: Path) -> Iterator[None]:
        """While it lasts, this process finds the package installed in a folder."""
        self.install(site)
        with joined(site):
            yield


NIGHT_RAID = Example("night_raid", "night-raid", "the-depot")
BRIDGE_GUARD = Example("bridge_guard", "bridge-guard", "the-bridge")
