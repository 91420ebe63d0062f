"""Build the documentation site: ``bash scripts/site``, or ``python -m scripts.site_pages.build`` in its environment.

The pages are the Markdown files of ``docs`` and of the repository's root, as a code host shows them; ``docs/site`` has
the first page with the order of all others, the settings and the looks. They are copied to a separate folder in the
same places, so that their links hold; pages generated from the code (commands, addresses, Python, the gallery) are
written beside them, and Sphinx builds the site. A warning of Sphinx, a dead link or anchor, or a thing that would be
loaded from elsewhere fails the build.
"""

from __future__ import annotations

import argparse
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from . import gallery, reference

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
OF_THE_ROOT = ("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages of the root; the README's place is taken by the site's first page."""

FENCE = re.compile(r"^ *(```+|~~~+)")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
NAMED_FENCE = re.compile(r"^```(\w+) (\S+)$")
OF_A_SCHEME = re.compile(r"-(light|dark)\.\w+$")

FOR_SCREEN_READERS = (
    ('role="heading"', 'role="heading" aria-level="2"'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Pages">'),
    ('<aside class="toc-drawer', '<aside aria-label="On this page" class="toc-drawer'),
    ("<pre>", '<pre tabindex="0">'),
    ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
    ('<th class="head"><p></p></th>', "<td></td>"),
)
"""Additions to the theme's HTML: scrolling of wide things by keys alone, and names of its parts."""


class SiteError(Exception):
    """The site can't be built as it is; the message has every reason."""


def pages() -> list[str]:
    """The Markdown pages that the site has, by their place in the repository."""
    of_docs = sorted(page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").glob("*.md"))
    return [*(name for name in OF_THE_ROOT if (ROOT / name).is_file()), *of_docs]


def stage(folder: Path, *, with_pictures: bool = True) -> None:
    """Write all sources of the site into ``folder``, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "_static").mkdir()
    shutil.copy(ROOT / "docs" / "site" / "conf.py", folder)
    shutil.copy(ROOT / "docs" / "site" / "index.md", folder)
    for looks in (ROOT / "docs" / "site" / "site.css", ROOT / "api" / "web" / "src" / "icon.svg"):
        shutil.copy(looks, folder / "_static")
    made = reference.write_pages(folder / "reference")
    made |= gallery.write_page(folder / "gallery", with_photos=with_pictures)
    waiting = [(page, "") for page in ("index.md", *pages(), *made)]
    done: set[str] = set()
    while waiting:
        page, head = waiting.pop()
        if page in done:
            continue
        done.add(page)
        source = folder / page if page in made or page == "index.md" else ROOT / page
        linked: list[str] = []
        text = staged(source.read_text(encoding="utf-8"), page, linked.append)
        target = folder / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(head + text, encoding="utf-8")
        for place in linked:
            if place.endswith(".md"):
                waiting.append((place, "" if place in pages() else "---\norphan: true\n---\n\n"))
            elif not (folder / place).exists():
                (folder / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / place, folder / place)


def staged(text: str, page: str, take: Callable[[str], None]) -> str:
    """A page's text for Sphinx; ``take`` is called with every file of the repository that it links to.

    A link to the README leads to the first page, one to a folder or a file of code becomes plain text, and one with a
    words are a page's file name gets that page's title. A picture in light colours that has one in dark beside it is
    shown in the reader's. The name of a file behind a fence becomes its caption.
    """
    out: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = FENCE.match(line)
        if fence:
            fence = "" if mark and line.strip() == fence else fence
        elif mark:
            fence = mark.group(1)
            named = NAMED_FENCE.match(line)
            if named:
                line = f'```{{code-block}} {named.group(1)}\n:caption: "`{named.group(2)}`"\n'
        else:
            line = LINK.sub(lambda found: _link(found, page, take), line)
        out.append(line)
    return "\n".join([*out, ""])


def _link(found: re.Match[str], page: str, take: Callable[[str], None]) -> str:
    bang, words, target = found.groups()
    path = target.partition("#")[0]
    if "://" in target or not path or target.startswith("mailto:"):
        return found.group(0)
    place = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    if place == "README.md":
        return f"[{words}]({posixpath.relpath('index.md', posixpath.dirname(page) or '.')})"
    there = ROOT / place
    if not bang and (there.is_dir() or there.suffix == ".py"):
        return words if words.startswith("`") else f"`{words}`"
    if there.is_file() and not there.resolve().is_relative_to(BUILD):
        take(place)
    if bang:
        return _picture(words, target, page, take)
    named = place.endswith(".md") and words.endswith(".md") and " " not in words
    return f"[]({target})" if named else found.group(0)


def _picture(words: str, target: str, page: str, take: Callable[[str], None]) -> str:
    """A picture; of a pair in light and dark colours the light one brings the other along, which is left out itself."""
    scheme = OF_A_SCHEME.search(target)
    if not scheme:
        return f"![{words}]({target})"
    if scheme.group(1) == "dark":
        return ""
    dark = target.replace("-light.", "-dark.")
    take(posixpath.normpath(posixpath.join(posixpath.dirname(page), dark)))
    return f"![{words}]({target}){{.only-light}} ![{words}]({dark}){{.only-dark}}"


def build(source: Path, target: Path) -> None:
    """Have Sphinx build the site; raises SiteError with its warnings."""
    shutil.rmtree(target, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q", "-E", "-d", f"{source}.cache"]
    done = subprocess.run(
        [*command, str(source), str(target)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        raise SiteError(done.stdout.strip())
    shutil.rmtree(target / ".doctrees", ignore_errors=True)
    (target / ".buildinfo").unlink(missing_ok=True)
    for page in target.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for plain, told in FOR_SCREEN_READERS:
            text = text.replace(plain, told)
        page.write_text(text, encoding="utf-8")


class _Page(HTMLParser):
    """The links, resources and anchors of an HTML page."""

    LOADED = (("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "srcset"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value}
        if "id" in given:
            self.anchors.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        self.loads += [given[name] for kind, name in self.LOADED if kind == tag and name in given]


def faults(site: Path) -> list[str]:
    """What is wrong with a built site: dead links and anchors, and whatever would be loaded from elsewhere."""
    found = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    return [*_dead_links(site, found), *_outside_loads(site, found)]


def _dead_links(site: Path, found: dict[Path, _Page]) -> Iterator[str]:
    for path, page in found.items():
        for link in (*page.links, *page.loads):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{path.relative_to(site)}: {link} leads to no page"
            elif parts.fragment and target in found and unquote(parts.fragment) not in found[target].anchors:
                yield f"{path.relative_to(site)}: {link}: that page has no such anchor"


def _outside_loads(site: Path, found: dict[Path, _Page]) -> Iterator[str]:
    for path, page in found.items():
        for load in page.loads:
            if re.match(r"(https?:)?//", load):
                yield f"{path.relative_to(site)} loads {load}"
    for path in sorted(site.rglob("*.css")):
        for load in re.findall(
            r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")\s]+)", path.read_text(encoding="utf-8")
        ):
            yield f"{path.relative_to(site)} loads {load}"


def main() -> None:
    """Build the site and say where it is."""
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--out", type=Path, default=BUILD / "site", help="the folder of the site; default: build/site")
    parser.add_argument("--without-pictures", action="store_true", help="leave out the gallery's photographs: quicker")
    asked = parser.parse_args()
    source = asked.out.resolve().with_name(f"{asked.out.name}-source")
    try:
        stage(source, with_pictures=not asked.without_pictures)
        build(source, asked.out.resolve())
        wrong = faults(asked.out.resolve())
        if wrong:
            raise SiteError("\n".join(wrong))
    except SiteError as error:
        sys.stderr.write(f"{error}\nThe site was not built: mend what is named above.\n")
        raise SystemExit(1) from None
    sys.stdout.write(f"Open {asked.out / 'index.html'}\n")


if __name__ == "__main__":
    main()
