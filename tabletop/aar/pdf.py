"""A report as a PDF of A4 pages: text in the core faces, maps as vectors, page numbers, bookmarks.

The full report runs in two columns; a table that is wider than a column has the whole page.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal, cast

from fpdf import FPDF
from fpdf.enums import MethodReturnValue, TextEmphasis, XPos, YPos
from fpdf.fonts import FontFace

from geometry.drawing.pdf import draw
from tabletop.aar.document import Block, Document, Figure, Heading, Items, Para, Quotation, Spoken, Table

_FACE = "helvetica"
_MARGIN_MM = 15.0
_TEXT_PT, _SMALL_PT = 9.2, 8.2
_LINE = 1.36
_PT_MM = 25.4 / 72
_FIGURE_MM, _SHORT_MM = 108.0, 82.0
_GAP_MM = 7.0
_HEADING_MM = 22.0
"""The room for a heading and a caption of two lines."""
_TABLE_HEAD_MM = 12.0
_TABLE_PT = 8.2
_CELL_MM = (0.5, 1.2)
_BAR_MM = 6.0
_BULLET_MM = 3.5
_FOOT_MM = 16.0
_SOFT, _INK = 90, 20
_PLAIN = str.maketrans(
    {"\u2033": '"', "\u2032": "'", "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2018": "'", "\u2019": "'",
     "\u201c": '"', "\u201d": '"', "\u2026": "...", "\u2022": "\u00b7", "\u0142": "l", "\u0141": "L"}
)  # fmt: skip


def pdf_bytes(document: Document) -> bytes:
    """The report. Letters outside the core faces (Latin 1) lose their accents or become ``?``, as a line in it says."""
    pdf = _Pages(document)
    pdf.add_page()
    pdf.heading(document.title, 20, level=0)
    pdf.words(document.subtitle, _SMALL_PT, grey=_SOFT)
    columns = 1 if document.short else 2
    pdf.run_in(columns)
    for index, block in enumerate(document.blocks):
        if isinstance(block, Heading) and block.level == 2:
            pdf.run_in(columns) if pdf.columns != columns else None
        if isinstance(block, Heading) and _is_wide(pdf, document.blocks[index + 1 : index + 2]):
            pdf.run_in(1)
        if isinstance(block, Heading) or (document.short and isinstance(block, Para)):
            pdf.keep(_with_picture_mm(pdf, document.blocks[index + 1 : index + 3]))
        _block(pdf, block)
    if pdf.lost:
        pdf.words('Some letters of names or notes are not in this file\'s type and are shown as "?".', _SMALL_PT, _SOFT)
    return bytes(pdf.output())


def _is_wide(pdf: _Pages, onward: Sequence[Block]) -> bool:
    """Whether a table comes next that does not fit a column."""
    return any(isinstance(block, Table) and _needs_page(pdf, block) for block in onward)


def _with_picture_mm(pdf: _Pages, onward: Sequence[Block]) -> float:
    """How much room a heading needs so that the picture after it, or after one paragraph, is on the same page."""
    if onward and isinstance(onward[0], Para):
        onward = onward[1:]
    return _figure_mm(pdf, onward[0])[1] + _HEADING_MM if onward and isinstance(onward[0], Figure) else 0.0


def latin(text: str) -> str:
    """A text in the letters of the core faces.

    >>> latin("Müller’s 10.4″ Č Ж")
    'Müller\\'s 10.4" C ?'
    """
    return "".join(_latin(c) for c in text.translate(_PLAIN))


def _latin(c: str) -> str:
    if c == "\n" or " " <= c <= "~" or "\u00a0" <= c <= "\u00ff":
        return c
    base = "".join(p for p in unicodedata.normalize("NFKD", c) if " " <= p <= "~")
    return base or ("" if unicodedata.combining(c) else "?")


class _Pages(FPDF):
    """Pages with a footer, filled column by column; ``lost`` once a text had letters that the face lacks;
    pictures are ``figure_mm`` wide at most."""

    def __init__(self, document: Document) -> None:
        super().__init__(format="A4", unit="mm")
        self.lost = False
        self.figure_mm = _SHORT_MM if document.short else _FIGURE_MM
        self._title = self.safe(document.title)
        self.set_margins(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
        self.set_auto_page_break(True, margin=_FOOT_MM)
        self.columns = 1
        self._column = 0
        self._top = self._lowest = _MARGIN_MM
        """The top of this page's columns, and the lowest end of the full ones."""
        self.set_title(self._title)
        self.set_lang("en")
        self.set_creator("Tabletop")
        self.set_producer("Tabletop")
        self.set_creation_date(moment_of(document.at))
        self.c_margin = 0.0

    def footer(self) -> None:
        half = (self.w - 2 * _MARGIN_MM) / 2
        self.set_xy(_MARGIN_MM, -12)
        self.set_font(_FACE, "", 8)
        self.set_text_color(_SOFT)
        self.cell(half, 4, self.fit(self._title, half))
        self.cell(half, 4, f"{self.page_no()} / {{nb}}", align="R")
        self.set_text_color(_INK)

    def safe(self, text: str) -> str:
        plain = latin(text)
        self.lost = self.lost or plain.count("?") > text.count("?")
        return plain

    def keep(self, high_mm: float) -> None:
        """Continue in the next column, or on a new page, if this much does not fit in the current one."""
        if self.will_page_break(high_mm) and self._column + 1 < self.columns:
            self._lowest = max(self._lowest, self.get_y())
            self._column += 1
            self.set_y(self._top)
            self._place()
        if self.will_page_break(high_mm):
            self.add_page()

    def add_page(self, *args: Any, **more: Any) -> None:
        """A new page, from the top of its first column."""
        super().add_page(*args, **more)
        self._column = 0
        self._top = self._lowest = _MARGIN_MM
        self._place()

    def run_in(self, columns: int) -> None:
        """Continue in this many columns, below everything on this page."""
        self._top = self._lowest = max(self._lowest, self.get_y())
        self.columns, self._column = columns, 0
        self.set_y(self._top)
        self._place()

    def _place(self) -> None:
        left = _MARGIN_MM + self._column * (self.column_mm + _GAP_MM)
        self.set_left_margin(left)
        self.set_right_margin(self.w - left - self.column_mm)
        self.set_x(left)

    @property
    def column_mm(self) -> float:
        """The width of a column."""
        return (self.w - 2 * _MARGIN_MM - (self.columns - 1) * _GAP_MM) / self.columns

    def lines(self, text: str, high_mm: float, indent: float = 0.0) -> None:
        """Write a text in the current font, line by line, from column to column."""
        for line in self._broken(self.safe(text), high_mm, self.epw - indent):
            self.keep(high_mm)
            self.set_x(self.l_margin + indent)
            self.cell(self.epw - indent, high_mm, line, new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _broken(self, text: str, high_mm: float, width_mm: float) -> list[str]:
        """The lines of a text. Page breaks are off: after a dry run fpdf restores its pages, but not our columns."""
        self.set_auto_page_break(False, margin=_FOOT_MM)
        try:
            broken = self.multi_cell(width_mm, high_mm, text, dry_run=True, output=MethodReturnValue.LINES)
        finally:
            self.set_auto_page_break(True, margin=_FOOT_MM)
        return cast("list[str]", broken)

    def fit(self, text: str, width_mm: float) -> str:
        """The beginning of a text that fits this width."""
        return text[: bisect_right(range(1, len(text) + 1), width_mm, key=lambda n: self.get_string_width(text[:n]))]

    def heading(self, text: str, size: float, *, level: int) -> None:
        plain = self.safe(text)
        self.set_font(_FACE, "B", size)
        if level:
            self.ln(size * _PT_MM * (1.2 if level == 1 else 0.7))
            self.keep(size * _PT_MM * 1.4 + 18)
        self.start_section(plain, level=max(0, level - 1)) if level in (1, 2) else None
        self.set_font(_FACE, "B", size)
        self.set_text_color(_INK)
        self.lines(text, size * _PT_MM * 1.3)
        self.ln(size * _PT_MM * 0.25)

    def words(
        self,
        text: str,
        size: float = _TEXT_PT,
        grey: int = _INK,
        style: Literal["", "B", "I"] = "",
        indent: float = 0.0,
    ) -> None:
        self.set_font(_FACE, style, size)
        self.set_text_color(grey)
        self.lines(text, size * _PT_MM * _LINE, indent)
        self.ln(size * _PT_MM * 0.3)
        self.set_text_color(_INK)


def moment_of(at: str) -> datetime:
    """The time of a record; the year 2000 if its time cannot be read."""
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return datetime(2000, 1, 1, tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _block(pdf: _Pages, block: Block) -> None:
    match block:
        case Heading():
            pdf.heading(block.text, {2: 15.0, 3: 12.0, 4: 10.0}[block.level], level=block.level - 1)
        case Para():
            size, grey = (_SMALL_PT, _SOFT) if block.tone == "soft" else (_TEXT_PT, _INK)
            pdf.words(block.text, size + 2 * (block.tone == "lead"), grey, "B" if block.tone == "lead" else "")
        case Items():
            for row in block.rows:
                _item(pdf, row, _SMALL_PT if block.tone == "soft" else _TEXT_PT)
        case Quotation():
            _quote_bar(pdf, [[(block.text, ""), (f"  - {block.who}", "I")]])
        case Spoken():
            _quote_bar(
                pdf, [[(r.text, "B" * r.bold + "I" * r.italic) for r in runs] for runs in block.caption.paragraphs]
            )
        case Figure():
            _figure(pdf, block)
        case Table():
            _table(pdf, block)


def _item(pdf: _Pages, row: str, size: float) -> None:
    pdf.set_font(_FACE, "", size)
    high = size * _PT_MM * _LINE
    pdf.keep(high)
    pdf.cell(_BULLET_MM, high, "\u00b7")
    pdf.lines(row, high, _BULLET_MM)
    pdf.ln(size * _PT_MM * 0.12)


def _quote_bar(pdf: _Pages, paragraphs: list[list[tuple[str, str]]]) -> None:
    """A player's own words, indented, with a bar beside them."""
    high = _TEXT_PT * _PT_MM * _LINE
    pdf.ln(1.5)
    for runs in paragraphs:
        for line in _styled_lines(pdf, runs, pdf.epw - _BAR_MM):
            pdf.keep(high)
            with pdf.local_context(fill_color=(176, 138, 46)):
                pdf.rect(pdf.l_margin + 1.5, pdf.get_y(), 1.2, high, "F")
            pdf.set_x(pdf.l_margin + _BAR_MM)
            for text, style in line:
                pdf.set_font(_FACE, TextEmphasis.coerce(style).style if style else "", _TEXT_PT)
                pdf.cell(pdf.get_string_width(text), high, text)
            pdf.ln(high)
    pdf.ln(1.5)


def _styled_lines(pdf: _Pages, runs: list[tuple[str, str]], width_mm: float) -> list[list[tuple[str, str]]]:
    """Runs of text with their styles, broken into lines between words, or within a word that is longer than a line."""
    lines: list[list[tuple[str, str]]] = [[]]
    left = width_mm
    for text, style in runs:
        pdf.set_font(_FACE, TextEmphasis.coerce(style).style if style else "", _TEXT_PT)
        for word in re.findall(r"\n|[^\S\n]+|\S+", pdf.safe(text)):
            while word:
                if word == "\n" or (word.strip() and lines[-1] and pdf.get_string_width(word) > left):
                    lines.append([])
                    left = width_mm
                part = word.strip("\n") if word.isspace() else pdf.fit(word, width_mm) or word[0]
                if part and (lines[-1] or not part.isspace()):
                    lines[-1].append((part, style))
                    left -= pdf.get_string_width(part)
                word = "" if word.isspace() else word[len(part) :]
    return lines


def _widths_mm(pdf: _Pages, table: Table) -> list[float]:
    """The widths of a table's columns without line breaks."""
    pdf.set_font(_FACE, "", _TABLE_PT)
    return [
        max(pdf.get_string_width(pdf.safe(row[n])) for row in (table.header, *table.rows)) + 4
        for n in range(len(table.header))
    ]


def _table_mm(table: Table) -> float:
    """The height of a table and its title without line breaks."""
    return _TABLE_HEAD_MM + (len(table.rows) + 1) * (_TABLE_PT * _PT_MM * 1.4 + 2 * _CELL_MM[0])


def _needs_page(pdf: _Pages, table: Table) -> bool:
    """Whether a table is wider or higher than a column."""
    return sum(_widths_mm(pdf, table)) > pdf.column_mm or _table_mm(table) > pdf.eph


def _table(pdf: _Pages, table: Table) -> None:
    columns = pdf.columns
    if columns > 1 and _needs_page(pdf, table):
        pdf.run_in(1)
    longest = _widths_mm(pdf, table)
    pdf.ln(2)
    pdf.keep(_table_mm(table) if pdf.columns > 1 else _TABLE_HEAD_MM)
    pdf.set_draw_color(200)
    pdf.set_line_width(0.2)
    pdf.words(table.title, _TEXT_PT, style="B")
    pdf.set_font(_FACE, "", _TABLE_PT)
    spare = pdf.epw - sum(longest)
    if spare < 0:
        widest = longest.index(max(longest))
        longest[widest] = max(25.0, longest[widest] + spare)
    align = ["RIGHT" if n in table.numbers else "LEFT" for n in range(len(table.header))]
    with pdf.table(
        col_widths=longest,
        width=min(pdf.epw, sum(longest)),
        align="LEFT",
        text_align=align,
        line_height=_TABLE_PT * _PT_MM * 1.4,
        borders_layout="HORIZONTAL_LINES",
        headings_style=FontFace(emphasis="BOLD", color=_SOFT),
        padding=_CELL_MM,
    ) as grid:
        for row in (table.header, *table.rows):
            grid.row([pdf.safe(cell) for cell in row])
    pdf.ln(2)


# --- pictures ----------------------------------------------------------------------------------------------------


def _figure_mm(pdf: _Pages, figure: Figure) -> tuple[float, float]:
    """The width and height of a picture on the page."""
    sheet = figure.sheet
    wide = min(pdf.epw, pdf.figure_mm, (pdf.eph - 30) * sheet.width / sheet.height)
    return wide, wide * sheet.height / sheet.width


def _figure(pdf: _Pages, figure: Figure) -> None:
    sheet = figure.sheet
    wide, high = _figure_mm(pdf, figure)
    pdf.keep(high + 10)
    left, top = pdf.l_margin + (pdf.epw - wide) / 2, pdf.get_y() + 1
    draw(pdf, sheet, (left, top), wide, letters=pdf.safe)
    pdf.set_xy(pdf.l_margin, top + high + 1)
    pdf.words(figure.caption, _SMALL_PT, _SOFT, "I")
