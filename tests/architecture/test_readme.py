"""The examples of the README and of all pages, run as they stand; what its first screen promises."""

import doctest
import re
import shlex
import shutil
import subprocess
import textwrap
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.paths import ROOT
from tests.support.cli_runs import run_cli

README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = "docs/adding-a-ruleset.md"
"""A page whose session needs packages of its own: :mod:`tests.architecture.test_guide` runs it."""
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
    if "```console" in path.read_text(encoding="utf-8") and path != ROOT / GUIDE
)
"""All other pages that show a session in a terminal."""
REPEATING = ("docs/first-evening.md",)
"""Pages whose commands are the README's."""
DEMO = ROOT / "tabletop" / "data" / "demo"


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a language on a page, without the indentation that a list gives them."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)
    return [textwrap.dedent(body) for _, body in found]


def examples(page: str) -> list[tuple[str, str]]:
    """Every command of a page's console blocks with the output that it shows."""
    out = []
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, told = part.partition("\n")
            out.append((command, told))
    return out


def matches(shown: str, told: str) -> bool:
    """Whether an output is the shown one, where ``...`` stands for anything."""
    pattern = ".*".join(re.escape(piece) for piece in shown.strip().split("..."))
    return re.fullmatch(pattern, told.strip(), re.DOTALL) is not None


def answered(command: str) -> str:
    """What a command answers here: ``tabletop`` in this process, which saves starting one, others in a shell."""
    if command.startswith("tabletop "):
        return run_cli(*shlex.split(command)[1:]).output
    shell = ["env", "LC_ALL=C.UTF-8", "bash", "-c", f"exec 2>&1; {command}"]
    return subprocess.run(shell, text=True, check=False, timeout=120, stdout=subprocess.PIPE).stdout


def assert_shown(page: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page's console blocks show is what their commands answer in a folder, one after another."""
    monkeypatch.chdir(place)
    monkeypatch.setenv("XDG_DATA_HOME", str(place / "data"))
    assert examples(page)
    for command, shown in examples(page):
        told = answered(command)
        assert matches(shown, told), f"$ {command}\n{told}\n{page} shows:\n{shown}"


@pytest.mark.parametrize("page", [pytest.param(page, marks=[pytest.mark.slow] * (page in REPEATING)) for page in PAGES])
def test_console_examples_run_as_shown(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_shown(page, Path(shutil.copytree(DEMO, tmp_path / "place")), monkeypatch)


def test_python_examples_run_as_shown() -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    sources = blocks("docs/python.md", "python")
    assert sources
    for n, source in enumerate(sources):
        runner.run(parser.get_doctest(source, {}, f"example {n}", "python.md", 0))
    assert runner.summarize().failed == 0


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert "://" in target or (ROOT / target).exists(), target


def test_packages_are_pinned_with_hashes_and_no_addresses() -> None:
    for name in ("requirements.txt", "requirements-dev.txt", "requirements-lowest.txt"):
        text = (ROOT / name).read_text(encoding="utf-8")
        pins = re.findall(r"^([a-z0-9][a-z0-9_.-]*)(\S*)", text, re.MULTILINE)
        assert len(pins) > 20 and all(rest.startswith("==") for _, rest in pins)
        assert text.count("--hash=sha256:") >= len(pins)
        assert "://" not in text and "index-url" not in text and "find-links" not in text


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt", "requirements-lowest.txt"])
def test_what_is_locked_is_within_the_ranges_of_the_project(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = dict(re.findall(r"^([a-z0-9._-]+)==([^ ]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))
    extras = {
        "requirements.txt": [],
        "requirements-dev.txt": ["dev", "clients", "site"],
        "requirements-lowest.txt": ["dev"],
    }
    more = [one for extra in extras[name] for one in project["optional-dependencies"][extra]]
    for wanted in map(Requirement, project["dependencies"] + more):
        assert wanted.specifier.contains(locked.get(wanted.name, "0")), f"{name} lacks {wanted}: run scripts/lock"
        if name == "requirements-lowest.txt":
            least = next(iter(one.version for one in wanted.specifier if one.operator in (">=", "==")))
            assert Version(locked[wanted.name]) == Version(least), f"{wanted.name} is not tried at its lowest"
