"""One inch sign: what people are told writes 24.3″. A keyboard's quotation mark is for what they type."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

PACKAGES = ("tabletop", "geometry", "vision", "calibration", "api")
KEYBOARDS = {
    "geometry/drawing/letters.py": "what a face without the sign shows in its place",
    "tabletop/aar/pdf.py": "the same",
    "tabletop/rulesets/one_hour_ww2/moving.py": "kept so in stored events, and told by words.inch_signs",
    "tabletop/words.py": "the example of inch_signs",
    "tabletop/game/actions/reader.py": "what may be typed",
}
"""Files that need the other sign, and why."""
LIKELY = re.compile(r'[\d}]"(?![\w\]=])')
"""Without it no file has such a mark: half of them need not be taken apart."""


def lone_marks(text: str, is_open: bool = False) -> tuple[list[int], bool]:
    """Where a quotation mark stands behind a number and closes nothing, and whether one is open at the end.

    >>> lone_marks('"move A1" moved 8.0" of {most}", not "12"')
    ([19, 30], False)
    """
    found = []
    for place, letter in enumerate(text):
        if letter == "\n":
            is_open = False
        if letter != '"':
            continue
        before, after = text[place - 1 : place].lstrip("\\"), text[place + 1 : place + 2]
        if not is_open and (before.isdigit() or before == "}") and not (after.isalnum() or after in ("]", "_", "=")):
            found.append(place)
        else:
            is_open = not is_open
    return found, is_open


def strings(source: str) -> Iterator[tuple[int, list[int]]]:
    """The lines with strings, and where in each lone marks stand; strings one behind another are one."""
    is_open = False
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.STRING:
            quote = token.string.lstrip("rRbBfFuU")
            wide = 3 if quote[:3] in ('"' * 3, "'" * 3) else 1
            found, is_open = lone_marks(quote[wide:-wide], is_open and wide == 1)
            yield token.start[0], found
        elif token.type not in (tokenize.NL, tokenize.COMMENT):
            is_open = False


@pytest.mark.parametrize("package", PACKAGES)
def test_lengths_are_told_with_one_sign(package: str) -> None:
    told = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(Path(ROOT / package).rglob("*.py"))
        if "node_modules" not in path.parts and str(path.relative_to(ROOT)) not in KEYBOARDS
        if LIKELY.search(text := path.read_text(encoding="utf-8"))
        for line, found in strings(text)
        if found
    ]
    assert not told, f"write {chr(0x2033)} behind inches: {told}"
