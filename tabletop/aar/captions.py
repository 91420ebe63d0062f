"""Players' own captions: a TOML file with Markdown for turns and moments, sanitised before a page shows it.

.. code-block:: toml

    [turns]
    3 = "We never saw *that* flank march coming."

    [moments]
    1 = "The whole table cheered."
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from geometry.drawing.letters import printable
from tabletop.aar.errors import ReportError
from tabletop.reading.toml_source import SourceError, decode, did_you_mean, parse

MAX_CAPTION = 4000
_TAGS = {"p", "em", "strong", "ul", "ol", "li", "blockquote", "code", "br"}
_SECTIONS = ("turns", "moments")


@dataclass(frozen=True)
class Run:
    """A stretch of a caption's text in one face."""

    text: str
    bold: bool = False
    italic: bool = False


@dataclass(frozen=True)
class Caption:
    """A player's text: ``html`` is safe in a page, ``paragraphs`` holds the same as plain runs."""

    html: str
    paragraphs: tuple[tuple[Run, ...], ...]


@dataclass(frozen=True)
class Captions:
    """Captions by the number of the turn or of the moment that they belong to."""

    turns: Mapping[int, Caption] = field(default_factory=dict)
    moments: Mapping[int, Caption] = field(default_factory=dict)


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False})


def caption(words: str) -> Caption:
    """A caption from Markdown: emphasis, lists, quotations, code; only the text of links and pictures is kept.

    >>> caption("*So* close <script>alert(1)</script>").html
    '<p><em>So</em> close &lt;script&gt;alert(1)&lt;/script&gt;</p>'
    """
    text = printable(words)
    html = nh3.clean(_markdown().render(text), tags=_TAGS, attributes={}, link_rel=None).strip()
    return Caption(html, tuple(_paragraphs(_markdown().parse(text))))


def _paragraphs(tokens: Sequence[Token]) -> Iterator[tuple[Run, ...]]:
    depth = 0
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "inline":
            runs = tuple(_runs(token.children or ()))
            yield (Run("- "), *runs) if depth else runs
        elif token.type in ("code_block", "fence"):
            yield (Run(token.content.rstrip("\n")),)


def _runs(tokens: Sequence[Token]) -> Iterator[Run]:
    bold = italic = 0
    for token in tokens:
        bold += (token.type == "strong_open") - (token.type == "strong_close")
        italic += (token.type == "em_open") - (token.type == "em_close")
        if token.type in ("softbreak", "hardbreak"):
            yield Run(" ")
        elif token.type in ("text", "code_inline", "html_inline") and token.content:
            yield Run(token.content, bold > 0, italic > 0)


def read_captions(data: bytes, name: str, *, turns: Sequence[int], moments: int) -> Captions:
    """The captions of a file for a game with these ``turns`` and that number of ``moments``.

    Raises ReportError with one sentence for text that is not TOML, and for captions of unknown turns or moments.
    """
    try:
        top = parse(decode(data))
    except SourceError as error:
        raise ReportError(f"{name}, {error}") from error
    return captions_of(top, name, turns=turns, moments=moments)


def captions_of(top: Mapping[str, Any], name: str, *, turns: Sequence[int], moments: int) -> Captions:
    """The captions of ``{"turns": {"3": "..."}, "moments": {...}}``, as :func:`read_captions`.

    >>> captions_of({"turns": {"3": "A *near* thing."}}, "The captions", turns=(1, 2, 3), moments=0).turns[3].html
    '<p>A <em>near</em> thing.</p>'
    """
    for key in top:
        if key not in _SECTIONS:
            raise ReportError(f'{name}: unknown key "{key}"; {did_you_mean(key, _SECTIONS)}')
    return Captions(
        _section(top, "turns", name, tuple(turns), _span(turns, "turn")),
        _section(top, "moments", name, tuple(range(1, moments + 1)), _span(range(1, moments + 1), "moment")),
    )


def _section(top: Mapping[str, Any], section: str, name: str, known: Sequence[int], words: str) -> dict[int, Caption]:
    rows = top.get(section, {})
    if not isinstance(rows, dict):
        raise ReportError(f'{name}: [{section}] must be a table of numbers with texts, as 3 = "A near thing."')
    found = {}
    for key, value in rows.items():
        if not isinstance(value, str) or not value.strip():
            raise ReportError(f'{name}: the caption of {section[:-1]} {key} must be a text, as {key} = "A near thing."')
        if len(value) > MAX_CAPTION:
            raise ReportError(
                f"{name}: the caption of {section[:-1]} {key} has {len(value)} characters; at most {MAX_CAPTION} are"
                " read."
            )
        if not key.isascii() or not key.isdigit() or int(key) not in known:
            raise ReportError(f"{name}: there is no {section[:-1]} {key} to caption; this game has {words}.")
        found[int(key)] = caption(value)
    return found


def _span(numbers: Sequence[int], what: str) -> str:
    if not numbers:
        return f"no {what}s"
    first, last = numbers[0], numbers[-1]
    return f"{what} {first}" if first == last else f"{what}s {first} to {last}"
