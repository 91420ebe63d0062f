"""Write the manual page, ``docs/tabletop.1``, from the commands' declarations: ``python scripts/man_page.py``.

Wheels install it, so that ``man tabletop`` finds it where the environment's ``share/man`` is looked into.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

from tabletop.cli.app import app
from tabletop.cli.exits import EXITS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "tabletop.1"
ENVIRONMENT = {
    "TABLETOP_URL": "A database in place of a file in the data folder, as by --url; it keeps the password off the "
    "process list.",
    "TABLETOP_ADDRESS": "The server's address for phones, as by --address.",
    "TABLETOP_WIFI, TABLETOP_WIFI_PASSWORD": "The local network, which is shown as a QR code beside the invitation's.",
    "XDG_DATA_HOME": "The user's data folder, which holds games, tables and photos unless --data names "
    "another: $XDG_DATA_HOME/tabletop, else ~/.local/share/tabletop.",
}


def page() -> str:
    """The whole page, as troff with man's macros."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    root: Any = get_command(app)
    yield ".\\\" python scripts/man_page.py makes this page of the commands' declarations"
    yield '.TH TABLETOP 1 "" "Tabletop" "User Commands"'
    yield ".SH NAME"
    yield f"tabletop \\- {_text(_short(root.help)).rstrip('.')}"
    yield ".SH SYNOPSIS"
    yield ".B tabletop"
    yield "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR] ..."
    yield ".SH DESCRIPTION"
    yield from _paragraphs(
        "Commands that take a game play on with the one that was played last unless --game names another. A photo is "
        "read with its table file (TOML), which --table names.\n\n"
        "A file that is called - is standard output where a command writes JSON or a log, and standard input where it "
        "reads them."
    )
    yield ".SH OPTIONS"
    for param in root.params:
        yield from _parameter(param)
    yield from _entry("\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "Show a help text; after a command, that command's.")
    yield ".SH COMMANDS"
    for name, command in root.commands.items():
        yield from _command(name, command)
        for part, below in getattr(command, "commands", {}).items():
            yield from _command(f"{name} {part}", below)
    yield ".SH EXIT STATUS"
    for status, means in EXITS.items():
        yield from _entry(f"\\fB{status}\\fR", means)
    yield ".SH ENVIRONMENT"
    for names, means in ENVIRONMENT.items():
        yield from _entry(f"\\fB{_text(names)}\\fR", means)


def _command(name: str, command: Any) -> Iterator[str]:
    """A command's own part: its usage, its description, its arguments and options."""
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option" and not param.hidden]
    called = " ".join(["[\\fIOPTIONS\\fR]" * bool(options), *map(_argument, arguments)]).strip()
    yield f".SS \\fBtabletop {_text(name)}\\fR {called}".rstrip()
    yield from _paragraphs(command.help or "")
    for param in [*arguments, *options]:
        yield from _parameter(param)


def _argument(param: Any) -> str:
    name = f"\\fI{_text(_argument_name(param))}\\fR"
    many = f"{name} ..." if param.nargs == -1 else name
    return many if param.required else f"[{many}]"


def _argument_name(param: Any) -> str:
    if param.metavar is None:
        return str(param.name).upper()
    return str(param.metavar).removeprefix("[").removesuffix("]") if not param.required else str(param.metavar)


def _parameter(param: Any) -> Iterator[str]:
    if param.param_type_name == "argument":
        yield from _entry(f"\\fI{_text(_argument_name(param))}\\fR", param.help or "")
        return
    names = ", ".join(f"\\fB{_text(name)}\\fR" for name in [*param.opts, *param.secondary_opts])
    value = "" if param.is_flag else f" \\fI{_text(str(param.metavar or 'VALUE'))}\\fR"
    told = [param.help or ""]
    if param.multiple and "repeated" not in told[0]:
        told.append("May be repeated.")
    default = param.default
    if not param.is_flag and default not in (None, "", [], ()) and not callable(default):
        told.append(f"[default: {getattr(default, 'value', default)}]")
    if param.required:
        told.append("[required]")
    if param.envvar:
        told.append(f"[environment: {param.envvar}]")
    yield from _entry(f"{names}{value}", " ".join(told))


def _entry(head: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield head
    yield _text(" ".join(text.split())) or "\\&"


def _paragraphs(text: str) -> Iterator[str]:
    for part in re.split(r"\n\s*\n", text.strip()):
        yield ".PP"
        yield _text(" ".join(part.split()))


def _short(text: str | None) -> str:
    return (text or "").split("\n\n")[0].partition(":")[0]


def _text(text: str) -> str:
    """Text for troff: escapes neutralized, hyphens that can be copied, no line that is a request."""
    safe = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{safe}" if safe[:1] in (".", "'") else safe


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    typer.echo(f"{PAGE.name} is written.")
