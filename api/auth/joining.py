"""The addresses and QR codes by which phones join: a game by a token, the network by its name and password."""

from __future__ import annotations

import io
import re
from itertools import zip_longest
from typing import Any
from urllib.parse import urlsplit

import segno
from segno import helpers

from tabletop.errors import UsageError

JOIN_PATH = "/j"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,100}")
_GAP = 4
_PATH = re.compile(r"(/[A-Za-z0-9_.-]+)+")
_QUIET_MODULES = 4
"""The empty rim that readers count on (ISO/IEC 18004)."""


def join_address(root: str, token: str, to: str = "") -> str:
    """The address that accepts an invitation. The token is its fragment, which browsers keep to themselves: it reaches
    no server's log and no other site; the page hands it in with a post and takes it out of the address.

    ``root`` is the server's address without a path, ``to`` a path of its page to be opened then. Raises UsageError.

    >>> join_address("http://192.168.1.7:8000", "x" * 40)[:32]
    'http://192.168.1.7:8000/j#xxxxxx'
    >>> join_address("http://192.168.1.7:8000", "x" * 40, "/prints")[:43]
    'http://192.168.1.7:8000/j?to=/prints#xxxxxx'
    """
    parts = urlsplit(root)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path or parts.query or parts.fragment:
        raise UsageError(f"{root} is no address of a server; it looks like http://192.168.1.7:8000.")
    if not _TOKEN.fullmatch(token):
        raise UsageError("This is no token of an invitation: make an invitation, and use its own.")
    if to and not _PATH.fullmatch(to):
        raise UsageError(f"{to} is no path of the page; it looks like /prints.")
    return f"{root}{JOIN_PATH}{f'?to={to}' if to else ''}#{token}"


def wifi_words(name: str, password: str = "", *, hidden: bool = False) -> str:
    """What a QR code says to join a Wi-Fi network (WPA, or an open one without a password); raises UsageError.

    >>> wifi_words("Club; table 2", "eight chars")
    'WIFI:T:WPA;S:Club\\\\; table 2;P:eight chars;;'
    """
    if not 1 <= len(name.encode("utf-8", "replace")) <= 32 or not name.isprintable():
        raise UsageError("The name of a Wi-Fi network has 1 to 32 bytes, all of which show.")
    if password and not _is_wpa(password):
        raise UsageError(
            f"A Wi-Fi password has 8 to 63 plain letters, digits and signs; this one has {len(password)} "
            "or others among them."
        )
    words = helpers.make_wifi_data(name, password or None, "WPA" if password else "nopass", hidden)
    return str(words)


def _is_wpa(password: str) -> bool:
    if len(password) == 64:
        return all(sign in "0123456789abcdefABCDEF" for sign in password)
    return 8 <= len(password) <= 63 and password.isascii() and password.isprintable()


def terminal_qr(words: str) -> str:
    """A QR code of some words for a terminal, two rows of modules to a line."""
    out = io.StringIO()
    _code(words).terminal(out, compact=True, border=_QUIET_MODULES)
    return out.getvalue().rstrip("\n")


def side_by_side(left: str, right: str, width: int) -> str:
    """Two blocks of lines beside each other where a terminal is wide enough, else the right one below.

    >>> print(side_by_side("one\\ntwo", "three", 20))
    one    three
    two
    """
    one, two = left.split("\n"), right.split("\n")
    most = max(map(len, one))
    if most + _GAP + max(map(len, two)) > width:
        return f"{left}\n\n{right}"
    lines = zip_longest((f"{line:<{most}}" for line in one), two, fillvalue="")
    return "\n".join(f"{a or ' ' * most}{' ' * _GAP}{b}".rstrip() for a, b in lines)


def svg_qr(words: str, *, title: str) -> str:
    """A QR code of some words as an SVG element to embed in a page; ``title`` is its text for screen readers (not the
    words: they are secret). Dark on white whatever the page's own colours."""
    out = io.BytesIO()
    _code(words).save(
        out, kind="svg", scale=8, border=_QUIET_MODULES, light="#fff", title=title, xmldecl=False, nl=False
    )
    return out.getvalue().decode()


def _code(words: str) -> Any:
    return segno.make_qr(words, error="m")
