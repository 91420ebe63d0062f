"""A report as Markdown, its pictures as files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tabletop.aar.captions import Caption, Run
from tabletop.aar.document import Block, Document, Figure, Heading, Items, Para, Quotation, Spoken, Table

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_AT_START = re.compile(r"^(\s*)(\d{1,9})([.)])|^(\s*)([-+=])")


def markdown_text(document: Document, *, folder: str = "", ending: str = "svg") -> str:
    """The report; its pictures are at ``folder`` + name + ``.`` + ``ending``."""
    parts = [f"# {_inline(document.title)}", f"*{_inline(document.subtitle)}*"]
    for block in document.blocks:
        parts.append(_block(block, folder, ending))
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Escape a paragraph so that Markdown shows it literally.

    >>> escape("*A1* <b>")
    '\\\\*A1\\\\* \\\\<b\\\\>'
    """
    return "\n".join(_AT_START.sub(_escape_start, line) for line in _inline(text).split("\n"))


def _inline(text: str) -> str:
    """Escape a text that is not at the beginning of a line, so that Markdown shows it literally."""
    return _SPECIAL.sub(r"\\\1", _ENTITY.sub("&amp;", text))


def _escape_start(match: re.Match[str]) -> str:
    """Escape the beginning of a line that would otherwise start a list."""
    if match[2] is not None:
        return f"{match[1]}{match[2]}\\{match[3]}"
    return f"{match[4]}\\{match[5]}"


def _block(block: Block, folder: str, ending: str) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {_inline(block.text)}"
        case Para():
            text = escape(block.text)
            return f"**{text}**" if block.tone == "lead" else text
        case Items():
            return "\n".join(f"- {escape(row)}" for row in block.rows)
        case Quotation():
            lines = "\n".join(f"> {escape(line)}" for line in block.text.split("\n"))
            return f"{lines}\n>\n> — {escape(block.who)}"
        case Spoken():
            return "\n".join(f"> {line}" if line else ">" for line in _caption(block.caption))
        case Figure():
            return f"![{escape(block.alt)}]({folder}{block.name}.{ending})\n\n*{escape(block.caption)}*"
        case Table():
            return _table(block)


def _caption(caption: Caption) -> Iterator[str]:
    for number, runs in enumerate(caption.paragraphs):
        if number:
            yield ""
        yield from "".join(_run(run) for run in runs).split("\n")


def _run(run: Run) -> str:
    if run.text == "- ":
        return "\u2022 "
    mark = "*" * (run.italic + 2 * run.bold)
    words = run.text.strip()
    if not mark or not words:
        return escape(run.text)
    return run.text.replace(words, f"{mark}{escape(words)}{mark}", 1)


def _table(table: Table) -> str:
    rule = ["---:" if n in table.numbers else "---" for n in range(len(table.header))]
    rows = [list(table.header), rule, *([_inline(cell).replace("\n", " ") for cell in row] for row in table.rows)]
    return f"**{escape(table.title)}**\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows)
