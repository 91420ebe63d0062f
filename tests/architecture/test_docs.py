"""Every command that a page shows is one of the program's; the page of files says what the code writes; how
pages become a site; what a code host asks people with."""

import doctest
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.site_pages import reference
from scripts.site_pages.build import FENCE, faults, pages
from scripts.site_pages.reference import all_commands
from tabletop.referee.report_rows import Report
from tabletop.tables import scene
from tests.paths import ROOT

README = "README.md"
OF_LATER_STEPS = {"bare", "unseen", "raised", "settled", "as_seen", "sync", "rules", "timings_s"}
"""Members of an observation that only answers, a photo before or a measurement of time add."""

INLINE = re.compile(r"`(tabletop [^`]+)`")


@cache
def commands() -> dict[str, tuple[Any, Any]]:
    """Every command of the program by its full name, with a context to parse in."""
    return {name: (command, context) for name, command, context in all_commands()}


def lines_of(page: str) -> list[str]:
    """The lines of a page, without what is only planned; a command that is continued is one line."""
    text = (ROOT / page).read_text(encoding="utf-8").partition("\n## Planned\n")[0]
    return text.replace("\\\n", " ").splitlines()


def shown_in_fences(page: str) -> Iterator[str]:
    """The commands in a page's fenced blocks, without comments and other programs; forms with ``[`` are none."""
    fence = ""
    for line in lines_of(page):
        mark = FENCE.match(line)
        if mark:
            fence = "" if fence else mark.group(1)
        elif fence:
            start = re.match(r"\s*(?:\$ )?(tabletop .*)", line)
            if start and "[" not in line:
                yield re.split(r"\s+#|\s{3,}|\s\|\s|\s>\s|\s&&\s", start.group(1))[0].strip()


def shown_in_sentences(page: str) -> Iterator[str]:
    """The commands in a page's sentences, which may leave out what has to be given."""
    fence = False
    kept: list[str] = []
    for line in lines_of(page):
        fence ^= bool(FENCE.match(line))
        kept += [] if fence else [line]
    yield from (" ".join(found.split()) for found in INLINE.findall("\n".join(kept)))


def fault_of(command: str, *, whole: bool) -> str | None:
    """What is wrong with a command as it is shown; ``None``: nothing. Of one that is not whole options alone count."""
    words = shlex.split(command.replace(" ...", "").replace(" …", ""))
    if len(words) < 2 or words[1].startswith("-") or not words[1].isascii() or words[1].isupper():
        return None
    name = " ".join(words[:2])
    if name not in commands():
        return f"there is no command `{name}`"
    rest = words[2:]
    if rest and f"{name} {rest[0]}" in commands():
        name, rest = f"{name} {rest[0]}", rest[1:]
    parsed, context = commands()[name]
    refusals = _refusals()
    try:
        if whole:
            parsed.make_context(name, list(rest))
        else:
            parsed.make_parser(context).parse_args(list(rest))
    except refusals as error:
        missing = not whole and "requires an argument" in str(error.format_message())
        return None if missing else f"`{command}`: {error.format_message()}"
    return None


@cache
def _refusals() -> type[Any]:
    """How a command refuses: by its own library's error, click's or typer's own copy of it."""
    import importlib

    parsed, _ = commands()["tabletop observe"]
    core = [kind.__module__ for kind in type(parsed).__mro__ if kind.__name__ == "Command"][-1]
    refusal: type[Any] = importlib.import_module(core.rpartition(".")[0] + ".exceptions").UsageError
    return refusal


def test_every_command_that_is_shown_can_be_given() -> None:
    wrong, count = [], 0
    for page in (README, *pages()):
        for command in shown_in_fences(page):
            count += 1
            wrong.append((page, fault_of(command, whole=True)))
        for command in shown_in_sentences(page):
            count += 1
            wrong.append((page, fault_of(command, whole=False)))
    assert count > 200
    assert [f"{page}: {fault}" for page, fault in wrong if fault] == []


@pytest.mark.parametrize(
    ("heading", "known"),
    [
        ("Observation", set(scene._OBSERVATION_KEYS) - OF_LATER_STEPS),
        ("Scene", set(scene._SCENE_KEYS)),
        ("Report", set(Report.__annotations__)),
    ],
)
def test_the_page_of_files_has_the_members_of(heading: str, known: set[str]) -> None:
    text = (ROOT / "docs" / "files.md").read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    told = {key for cell in re.findall(r"^\| (`.*?`) \|", text, re.MULTILINE) for key in re.findall(r"\w+", cell)}
    assert told == known


def test_the_site_has_every_page_once() -> None:
    order = (ROOT / "docs" / "site" / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^(?:[^<>|`\n]+ <)?([\w/-]+)>?$", order, re.MULTILINE)
    ours = [f"{name}.md" for name in listed if not name.startswith(("reference/", "gallery/"))]
    assert sorted(ours) == sorted(pages()), "docs/site/index.md has the order of the pages"


def test_dead_links_and_outside_loads_of_a_site_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="x">A</h1><a href="#x">1</a><a href="#y">2</a><a href="b.html">3</a><a href="https://far.example/">4</a>'
        '<script src="https://far.example/a.js"></script><link href="//far.example/a.css"><img src="gone.png">'
    )
    (tmp_path / "a.css").write_text(
        "@font-face { src: url('https://far.example/a.woff2') } p { background: url(b.png) }"
    )
    assert len(faults(tmp_path)) == 6
    (tmp_path / "a.html").write_text('<h1 id="x">A</h1><a href="#x">1</a><a href="https://far.example/">4</a>')
    (tmp_path / "a.css").write_text("p { color: red }")
    assert faults(tmp_path) == []


def test_examples_of_how_pages_are_made() -> None:
    assert doctest.testmod(reference) == (0, 3)


def test_the_citation_names_the_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (cited["version"], cited["license"]) == (project["version"], project["license"])
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
