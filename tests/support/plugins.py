"""Packages of other people, installed in a folder as an installer leaves them, and joined by this process."""

import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.support.caches import clear_caches


def install_package(project: Path, module: str, site: Path) -> None:
    """The package ``module`` of a project, with the entry points of its ``pyproject.toml`` beside it."""
    shutil.copytree(project / module, site / module, ignore=shutil.ignore_patterns("__pycache__"))
    about = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    write_entry_points(site, about["name"], about["version"], about["entry-points"])


def write_package(site: Path, name: str, points: Mapping[str, Mapping[str, str]], files: Mapping[str, str]) -> None:
    for place, text in files.items():
        path = site / name / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    write_entry_points(site, name, "1.0", points)


def write_entry_points(site: Path, name: str, version: str, points: Mapping[str, Mapping[str, str]]) -> None:
    """What an installer says of a package."""
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [
        line for group, rows in points.items() for line in (f"[{group}]", *(f"{k} = {v}" for k, v in rows.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


@contextmanager
def joined(site: Path) -> Iterator[None]:
    """While it lasts, this process finds the packages that are installed in a folder."""
    sys.path.insert(0, str(site))
    _forget()
    try:
        yield
    finally:
        sys.path.remove(str(site))
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(f"{site}/"):
                del sys.modules[name]
        _forget()


def _forget() -> None:
    """What this process remembers of packages that there are, in whatever module."""
    clear_caches("tabletop.game.", "tabletop.boards.legend", "tabletop.starting.", "tabletop.equipment.", "api.routes.")
