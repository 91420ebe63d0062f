"""Numbers and lists in sentences, formatted the same way everywhere."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

INCH = "\u2033"
MINUS = "\u2212"
_COARSE_IN = 0.5  # from this 95 % spread on, the second decimal is meaningless
_NEAR_A_LIMIT_IN = 0.1
_SAME_LENGTH_IN = 1e-6  # as in rulings (geometry.tolerance)
_APOSTROPHE = re.compile(r"(?<=\w)'")
_MINUS_SIGN = re.compile(r"(?<![\w-])-(?= ?\d)")


def and_list(items: Sequence[str]) -> str:
    """A list in a sentence.

    >>> and_list(["a"]), and_list(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return _list(items, "and")


def or_list(items: Sequence[str]) -> str:
    """A choice in a sentence.

    >>> or_list(["a"]), or_list(["a", "b", "c"])
    ('a', 'a, b or c')
    """
    return _list(items, "or")


def usage_text(forms: Sequence[str]) -> str:
    """How something is typed, for those at a terminal; empty without forms.

    >>> usage_text(["toss", "first SIDE"])
    'Usage: "toss" or "first SIDE".'
    """
    quoted = or_list([f'"{form}"' for form in forms])
    return f"Usage: {quoted}." if forms else ""


def number(value: float, places: int = 1) -> str:
    """A figure with at most ``places`` decimals and a true minus sign.

    >>> number(5.0), number(5.25), number(-0.04)
    ('5', '5.2', '0')
    """
    text = f"{value:.{places}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    text = "0" if text in ("-0", "") else text
    return text.replace("-", MINUS)


def decimal(value: float, places: int = 1) -> str:
    """A figure with exactly ``places`` decimals, for columns.

    >>> decimal(5), decimal(-0.04)
    ('5.0', '0.0')
    """
    text = f"{value:.{places}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", MINUS)


def with_sign(value: float, places: int = 1) -> str:
    """A difference with its sign.

    >>> with_sign(1.25), with_sign(-3), with_sign(0)
    ('+1.2', '−3.0', '±0.0')
    """
    text = decimal(value, places)
    if float(text.replace(MINUS, "-")) == 0:
        return f"±{text}"
    return text if text.startswith(MINUS) else f"+{text}"


def inches(value: float, limits: Sequence[float] = ()) -> str:
    """A length to one decimal, or to two within a tenth of a limit that it is judged by; in words if even two decimals
    do not show on which side of the limit it is. Without limits, any whole inch may be one.

    >>> inches(7.4), inches(4.0), inches(4.05), inches(11.96)
    ('7.4″', '4″', '4.05″', '11.96″')
    >>> inches(4.46, [4.5, 12]), inches(4.503, [4.5]), inches(4.4996, [4.5]), inches(4.5, [4.5]), inches(11.96, [4.5])
    ('4.46″', 'just beyond 4.5″', 'just within 4.5″', '4.5″', '12″')
    """
    limit = min(limits or (round(value),), key=lambda each: abs(each - value))
    if abs(value - limit) >= _NEAR_A_LIMIT_IN:
        return f"{number(value)}{INCH}"
    text = number(value, 2)
    is_told = abs(value - limit) <= _SAME_LENGTH_IN or text != number(limit, 2)
    if is_told or not limits:
        return f"{text}{INCH}"
    return f"just {'beyond' if value > limit else 'within'} {text}{INCH}"


def inches_with_spread(value: float, spread: float) -> str:
    """A measured length with its 95 % spread, to as many decimals as that supports; a spread of 0 is omitted.

    A spread is never rounded to nothing.

    >>> inches_with_spread(4.0, 0.0), inches_with_spread(11.934, 0.2), inches_with_spread(11.934, 0.8)
    ('4.00″', '11.93″ ± 0.20″', '11.9″ ± 0.8″')
    >>> inches_with_spread(4.0, 0.003)
    '4.00″ ± 0.01″'
    """
    if not math.isfinite(spread) or spread <= 0:
        return f"{value:.2f}{INCH}"
    places = 2 if spread < _COARSE_IN else 1
    return f"{value:.{places}f}{INCH} ± {max(spread, 10**-places):.{places}f}{INCH}"


def inch_signs(stored: str) -> str:
    """A stored text with a keyboard's inch sign, as it is shown.

    >>> inch_signs('dug in -4"')
    'dug in -4″'
    """
    return stored.replace('"', INCH)


def percent(chance: Fraction | float, places: int = 0) -> str:
    """A chance or a share; only certain events are 100 %, and only impossible ones 0 %.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 1000)), percent(Fraction(215, 216)), percent(Fraction(1))
    ('33 %', '<1 %', '>99 %', '100 %')
    >>> percent(1 / 6, 1), percent(0.004, 1)
    ('16.7 %', '0.4 %')
    """
    step = 10**-places
    if 0 < 100 * chance < step / 2:
        return f"<{number(step, places)} %"
    if 100 - step / 2 < 100 * chance < 100:
        return f">{number(100 - step, places)} %"
    return f"{number(float(100 * chance), places)} %"


def count(value: int, one: str, many: str | None = None) -> str:
    """A number of things.

    >>> count(1, "hit"), count(0, "hit"), count(2, "infantry", "infantry")
    ('1 hit', '0 hits', '2 infantry')
    """
    return f"{value} {one if value == 1 else many or one + 's'}"


_PLURAL = re.compile(r"(?:[^siu]s|ish|ese|ch)$")


def the(title: str) -> str:
    """The name of a side within a sentence: names of peoples and of groups get an article.

    >>> the("British"), the("Italians"), the("Red"), the("Axis")
    ('the British', 'the Italians', 'Red', 'Axis')
    """
    return f"the {title}" if _PLURAL.search(title) and not title.startswith(("the ", "The ")) else title


def with_verb(title: str, one: str, many: str) -> str:
    """A side with its verb: the verb agrees with its title.

    >>> with_verb("British", "sets up", "set up"), with_verb("Blue", "sets up", "set up")
    ('the British set up', 'Blue sets up')
    """
    return f"{the(title)} {many if _PLURAL.search(title) else one}"


def capital(text: str) -> str:
    """A sentence's beginning: its first letter made a capital.

    >>> capital("tank B2 fired.")
    'Tank B2 fired.'
    """
    return text[:1].upper() + text[1:]


def with_full_stop(text: str) -> str:
    """A sentence's end: a full stop, where it has no end yet.

    >>> with_full_stop("Blue gave up"), with_full_stop("Really?")
    ('Blue gave up.', 'Really?')
    """
    return text if text.endswith((".", "!", "?")) else f"{text}."


def settled_text(codes: Sequence[str]) -> str:
    """The sentence that follows an event's own if players or the referee allowed what the rules did not; empty if
    nothing had to be settled.

    >>> settled_text(["already-acted", "out-of-range"]), settled_text([])
    (' Settled at the table: already acted and out of range.', '')
    """
    words = [code.replace("-", " ").replace("_", " ") for code in codes]
    return f" Settled at the table: {and_list(words)}." if words else ""


def typeset(text: str) -> str:
    """A sentence with typographic apostrophes and minus signs instead of a keyboard's.

    >>> typeset("Red's tank in 4-3: 5 - 2 range = 3, points -2")
    'Red’s tank in 4-3: 5 − 2 range = 3, points −2'
    """
    return _APOSTROPHE.sub("\u2019", _MINUS_SIGN.sub(MINUS, text))


def _list(items: Sequence[str], last: str) -> str:
    return f"{', '.join(items[:-1])} {last} {items[-1]}" if len(items) > 1 else "".join(items)


def aligned_tables(tables: Sequence[Sequence[Sequence[str]]]) -> Iterator[str]:
    """Several tables with the same number of columns as text, with common column widths.

    >>> list(aligned_tables([[("Red", "place"), ("R1", "4-3")], [("Blue", "place")]]))
    ['Red   place\\nR1    4-3', 'Blue  place']
    """
    widths = [max(map(len, column)) for column in zip(*(row for table in tables for row in table), strict=True)]
    for table in tables:
        yield "\n".join("  ".join(f"{c:{w}}" for c, w in zip(row, widths, strict=True)).rstrip() for row in table)


def without_login(address: str) -> str:
    """An address that is safe to show: without the name and password that may be in it.

    >>> without_login("postgresql+psycopg://club:secret@db.example/tabletop")
    'postgresql+psycopg://db.example/tabletop'
    """
    return re.sub("//.*@", "//", address)
