"""Letters: which ones a picture can hold, and how wide they are."""

from __future__ import annotations

import unicodedata

_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_NARROW, _WIDE = set("iljtfr.,:;'|!()[] /1"), set("mwMWGOQ")
_PLAIN = str.maketrans(
    {"\u2033": '"', "\u2032": "'", "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2019": "'", "\u2018": "'",
     "\u2605": "*", "\u00d7": "x", "\u00bd": "1/2", "\u00bc": "1/4", "\u00df": "ss", "\u00f8": "o", "\u00d8": "O",
     "\u0142": "l", "\u0141": "L", "\u00e6": "ae", "\u00c6": "AE", "\u201c": '"', "\u201d": '"', "\u2026": "..."}
)  # fmt: skip


def chip_width(text: str, size: float) -> float:
    """About how wide a text is, in ems, for the sans-serif faces of browsers, PDF readers and pictures.

    >>> chip_width("A1", 1.0) < chip_width("W1", 1.0)
    True
    """
    wide = sum(0.4 if c in _NARROW else 0.95 if c in _WIDE else 0.74 if c.isupper() else 0.64 for c in text)
    return wide * size


def printable(text: str) -> str:
    """A text without characters that no page can hold: controls except line feeds, halves of surrogate pairs; and
    without characters that change the direction of reading.

    >>> printable("a\\x00b\\ud800\\u202e")
    'ab'
    """
    return "".join(c for c in text if c == "\n" or (ord(c) >= 0x20 and not 0x7F <= ord(c) < 0xA0 and _is_text(c)))


def is_one_line(name: str) -> bool:
    """Whether a name shows as it is, on one line.

    >>> is_one_line("Müller’s 1st"), is_one_line("a\\nb"), is_one_line("a\u202eb")
    (True, False, False)
    """
    return printable(name) == name and not set(name) & set("\n\u2028\u2029")


def one_line(text: str) -> str:
    """A printable text in one line.

    >>> one_line("a\\n  b\\x00")
    'a b'
    """
    return " ".join(printable(text).split())


def shorten(text: str, most: int = 28) -> str:
    """A name short enough for a label.

    >>> shorten("The crossroads at the old mill by the river"), shorten("The mill")
    ('The crossroads at the old m…', 'The mill')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def plain(text: str) -> str:
    """A text in the letters that the built-in face has.

    >>> plain("Müller’s 10.4″")
    'Muller\\'s 10.4"'
    """
    split = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    kept = "".join(c for c in split if not unicodedata.combining(c))
    return "".join(c if " " <= c <= "~" else "?" for c in kept)


def _is_text(c: str) -> bool:
    return not 0xD800 <= ord(c) < 0xE000 and ord(c) & 0xFFFE != 0xFFFE and c not in _TURNS
