"""Numbers and lists in words, the same in every part of a report."""

from __future__ import annotations

from collections.abc import Sequence

INCH = "\u2033"
MINUS = "\u2212"


def joined(items: Sequence[str]) -> str:
    """A list in a sentence.

    >>> joined(["a"]), joined(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def number(value: float, places: int = 1) -> str:
    """A figure with at most so many decimals, and a true minus sign.

    >>> number(5.0), number(5.25), number(-0.04)
    ('5', '5.2', '0')
    """
    text = f"{value:.{places}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    text = "0" if text in ("-0", "") else text
    return text.replace("-", MINUS)


def decimal(value: float, places: int = 1) -> str:
    """A figure with exactly so many decimals, for columns.

    >>> decimal(5), decimal(-0.04)
    ('5.0', '0.0')
    """
    text = f"{value:.{places}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", MINUS)


def signed(value: float, places: int = 1) -> str:
    """A difference with its sign.

    >>> signed(1.25), signed(-3), signed(0)
    ('+1.2', '−3.0', '±0.0')
    """
    text = decimal(value, places)
    if float(text.replace(MINUS, "-")) == 0:
        return f"±{text}"
    return text if text.startswith(MINUS) else f"+{text}"


def inches(value: float) -> str:
    """A length.

    >>> inches(7.4)
    '7.4″'
    """
    return f"{number(value)}{INCH}"


def percent(share: float) -> str:
    """A share of one.

    >>> percent(1 / 6), percent(0.004)
    ('16.7 %', '0.4 %')
    """
    return f"{number(100 * share)} %"


def count(value: int, one: str, many: str | None = None) -> str:
    """A number of things.

    >>> count(1, "hit"), count(0, "hit"), count(2, "infantry", "infantry")
    ('1 hit', '0 hits', '2 infantry')
    """
    return f"{value} {one if value == 1 else many or one + 's'}"


def opened(text: str) -> str:
    """A sentence's beginning: its first letter made a capital.

    >>> opened("tank B2 fired.")
    'Tank B2 fired.'
    """
    return text[:1].upper() + text[1:]


def printable(text: str) -> str:
    """A text without characters that no page can hold: controls but for line feeds, halves of surrogate pairs.

    >>> printable("a\\x00b\\ud800")
    'ab'
    """
    return "".join(c for c in text if c == "\n" or (ord(c) >= 0x20 and not 0x7F <= ord(c) < 0xA0 and _is_text(c)))


def shortened(text: str, most: int = 28) -> str:
    """A name short enough for a label.

    >>> shortened("The crossroads at the old mill by the river"), shortened("The mill")
    ('The crossroads at the old m…', 'The mill')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def one_line(text: str) -> str:
    """A printable text in one line.

    >>> one_line("a\\n  b\\x00")
    'a b'
    """
    return " ".join(printable(text).split())


def _is_text(c: str) -> bool:
    return not 0xD800 <= ord(c) < 0xE000 and ord(c) & 0xFFFE != 0xFFFE
