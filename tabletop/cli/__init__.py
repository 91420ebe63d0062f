"""The command line ``tabletop``. Commands load their modules when called, so that ``--help`` is quick."""

from __future__ import annotations

import codecs
import gc
import io
import sys


def main() -> None:
    """Run the command line; the exit status is 0, or 2 with one clear sentence if the input can't be used."""
    gc.set_threshold(20_000, 20, 20)  # objects made while loading code stay: there is little to collect
    codecs.register_error("plain-letters", _plain_letters)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="plain-letters")
    from tabletop.cli.app import app

    try:
        app(prog_name="tabletop")
    finally:
        gc.freeze()  # the process frees all memory anyway: skip the interpreter's last collections


def _plain_letters(error: UnicodeError) -> tuple[str, int]:
    """The nearest ASCII letters for letters missing in the output's encoding, such as ″ on an older terminal."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from geometry.drawing.letters import plain

    return plain(error.object[error.start : error.end]), error.end
