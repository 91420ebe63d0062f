"""The command line called many times in one process: its commands are put together once, which is most of a call."""

import sys
from dataclasses import dataclass

from typer.main import get_command
from typer.testing import CliRunner

from tabletop.cli.app import app

_COMMAND = get_command(app)


@dataclass(frozen=True)
class Ran:
    """What a command answered: its exit status, both streams, and the two as a terminal shows them."""

    exit_code: int
    stdout: str
    stderr: str
    output: str


def run_cli(*arguments: object) -> Ran:
    """What ``tabletop`` with these arguments answers; what it raises beyond its own refusals is raised."""
    status = 0
    with CliRunner().isolation() as streams:
        try:
            _COMMAND.main([str(argument) for argument in arguments], prog_name="tabletop")
        except SystemExit as end:
            status = int(end.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
        told = [stream.getvalue().decode() for stream in streams]
    return Ran(status, *told)


def refused(*arguments: object) -> str:
    """The one sentence of a refusal: exit status 2, nothing on standard output."""
    ran = run_cli(*arguments)
    assert ran.exit_code == 2, ran.output
    assert ran.stdout == "" and "Traceback" not in ran.stderr
    assert ran.stderr.startswith("tabletop: "), ran.stderr
    return ran.stderr.removeprefix("tabletop: ").strip()
