"""The command line ``tabletop``. Commands load what they need when they are called, so that ``--help`` is quick."""

from __future__ import annotations


def main() -> None:
    """Run the command line; the exit status is 0, or 2 with one clear sentence where the input can't be used."""
    from tabletop.cli.app import app

    app(prog_name="tabletop")
