"""Tables that scripts write into pages of the documentation."""

from __future__ import annotations

from pathlib import Path


def write_between(page: Path, mark: str, text: str) -> None:
    """Replace what a page has between ``<!-- mark -->`` and ``<!-- end of mark -->``."""
    begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->\n"
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    page.write_text(f"{before}{begin}\n{text}\n{end}{rest.partition(end)[2]}", encoding="utf-8")
