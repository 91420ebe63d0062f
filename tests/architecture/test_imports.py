"""The arrows of the architecture: api -> tabletop -> vision -> {calibration, geometry}, and what importing loads.

No package knows the drawn test tables.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.support.imports import imports, sources

PACKAGES = ("geometry", "calibration", "vision", "tabletop", "api", "synthetic")
ALLOWED = {
    "geometry": set(),
    "calibration": set(),
    "vision": {"calibration", "geometry"},
    "tabletop": {"geometry"},
    "api": {"tabletop", "geometry"},
    "synthetic": {"calibration", "geometry"},
}
WEB = {"fastapi", "starlette", "uvicorn", "fastapi_problem"}
OPENCV = {"cv2", "pyapriltags"}

MEETS_VISION = {
    "tabletop/referee/judging.py",
    "tabletop/referee/collecting.py",
    "tabletop/referee/reference_files.py",
    "tabletop/referee/collection_files.py",
    "tabletop/referee/page.py",
    "tabletop/equipment/prints.py",
    "tabletop/equipment/camera_calibration.py",
    "tabletop/equipment/checkup.py",
    "api/app/looks.py",
    "api/app/program.py",
    "api/app/problems.py",
    "api/workers/photo_work.py",
}
"""The doors to vision and calibration outside them; besides these the command line's modules."""
API_DOORS = (
    "tabletop/cli/inviting.py",
    "tabletop/cli/keeping.py",
    "tabletop/cli/programs.py",
    "tabletop/cli/serving.py",
)
"""The command line's doors to the server."""


def ours(module: str) -> str | None:
    top = module.split(".")[0]
    return top if top in PACKAGES else None


def may_meet_vision(path: Path) -> bool:
    name = path.relative_to(ROOT).as_posix()
    return name in MEETS_VISION or name.startswith("tabletop/cli/")


@pytest.mark.parametrize("package", PACKAGES)
def test_arrows_go_down_only(package: str) -> None:
    wrong = []
    for path in sources(package):
        for module, _ in imports(path):
            allowed = ALLOWED[package] | {package}
            if may_meet_vision(path):
                allowed |= {"vision", "calibration"}
            if path.relative_to(ROOT).as_posix() in API_DOORS:
                allowed |= {"api"}
            if ours(module) not in (None, *allowed):
                wrong.append(f"{path.relative_to(ROOT)} imports {module}")
    assert not wrong


def test_geometry_and_the_rules_know_no_opencv_and_no_web() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for package, banned in (
            ("geometry", OPENCV | WEB),
            ("tabletop", OPENCV | WEB),
            ("vision", WEB),
            ("calibration", WEB),
        )
        for path in sources(package)
        for module, _ in imports(path)
        if module.split(".")[0] in banned and not (may_meet_vision(path) and package == "tabletop")
    ]
    assert not wrong


def test_the_referee_and_the_command_line_load_vision_only_when_called() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {module} when it is imported itself"
        for path in sources("tabletop")
        for module, eager in imports(path)
        if eager and (ours(module) in ("vision", "calibration", "api") or module.split(".")[0] in OPENCV | WEB)
    ]
    assert not wrong


def test_every_module_is_in_a_package() -> None:
    """A folder without __init__.py would be left out of the wheel's packages by accident."""
    for package in PACKAGES:
        for path in sources(package):
            assert (path.parent / "__init__.py").is_file(), path


def modules_after(code: str) -> set[str]:
    """All modules that a fresh interpreter has after running some code."""
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def loaded_by(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter has after running some code."""
    return {name.split(".")[0] for name in modules_after(code)}


QUIET_MODULES = (
    "geometry",
    "tabletop",
    "tabletop.tables.scene",
    "tabletop.tables.tablefile",
    "tabletop.referee.reports",
    "tabletop.rulesets.one_hour_ww2",
    "tabletop.referee.judging",
    "tabletop.cli.app",
    "tabletop.game",
    "tabletop.game.store",
    "tabletop.game.jsonl",
    "tabletop.rulesets.one_hour_ww2.play",
    "tabletop.starting.scenarios",
    "tabletop.changes.detection",
    "tabletop.aar.bundle",
)


def test_rules_state_and_command_line_load_no_opencv_and_no_web() -> None:
    code = "\n".join(f"import {module}" for module in QUIET_MODULES)
    assert not loaded_by(code) & (OPENCV | WEB | {"vision", "calibration", "api"})


def test_help_loads_nothing_heavy() -> None:
    code = """
import contextlib, io
from tabletop.cli.app import app
commands = "observe report referee calibrate print serve demo diff danger overlay aar play".split()
commands += "new act state undo log note games load see settle watch export".split()
for arguments in ([], *([command] for command in commands)):
    with contextlib.redirect_stdout(io.StringIO()) as told:
        try:
            app([*arguments, "--help"], prog_name="tabletop")
        except SystemExit as end:
            assert end.code == 0, (arguments, end.code)
    assert told.getvalue().startswith("Usage: tabletop"), arguments
"""
    assert not loaded_by(code) & (
        OPENCV | WEB | {"vision", "calibration", "api", "numpy", "scipy", "shapely", "sqlalchemy", "fpdf", "jinja2"}
    )


@pytest.mark.slow
def test_importing_opens_no_file_and_sets_no_logger() -> None:
    """An audit hook sees every file that is opened while the packages, and then all their modules, are imported."""
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for package in PACKAGES
        for path in sources(package)
        if path.name != "__main__.py"
    ]
    code = f"""
import importlib, logging, sys
opened = []
def watch(event, arguments):
    name = arguments[0] if event == "open" else None
    if isinstance(name, str) and name.startswith({str(ROOT)!r}) and not name.endswith((".py", ".pyc")):
        if "__pycache__" not in name and "/.venv" not in name:
            opened.append(name)
sys.addaudithook(watch)
for module in {modules!r}:
    importlib.import_module(module)
assert not opened, opened
assert not logging.root.handlers, logging.root.handlers
"""
    loaded_by(code)
