"""The Typer application: its commands and its error messages."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

from tabletop.cli.exits import REFUSED, UNUSABLE
from tabletop.cli.usage import Command, NoArgsIsHelpError, TypedWrongly, usage_sentence
from tabletop.errors import TabletopError

COMMANDS = {
    "init": "init",
    "doctor": "doctor",
    "observe": "photos",
    "settle": "settle",
    "learn": "collection",
    "collection": "collection",
    "report": "rulings",
    "referee": "photos",
    "demo": "demo",
    "serve": "serving",
    "work": "serving",
    "backup": "keeping",
    "restore": "keeping",
    "move": "keeping",
    "invite": "inviting",
    "seats": "inviting",
    "token": "programs",
    "tokens": "programs",
    "calibrate": "calibration",
    "new": "beginning",
    "act": "game",
    "state": "game",
    "undo": "game",
    "redo": "game",
    "log": "game",
    "note": "game",
    "games": "game",
    "load": "game",
    "danger": "danger",
    "computer": "computer",
    "hint": "hint",
    "rules": "rules",
    "diff": "diff",
    "see": "diff",
    "watch": "watch",
    "overlay": "overlay",
    "aar": "aar",
    "play": "play",
    "export": "export",
    "import": "importing",
    "print": "printing",
    "plugin": "plugin",
}
"""Every command, in the order of the help, and the module of :mod:`tabletop.cli` with the function of its name, or with
an ``app`` if the command has subcommands."""

_TYPED_ERRORS = {"vision.model.errors": "VisionError", "calibration.errors": "CalibrationError"}


def refusals() -> tuple[type[Exception], ...]:
    """The errors caused by the input. Packages that are not loaded can't have raised any."""
    loaded = [getattr(sys.modules[module], name) for module, name in _TYPED_ERRORS.items() if module in sys.modules]
    return (TabletopError, OSError, *loaded)


class Commands(Mapping[str, Any]):
    """The commands by name; each is loaded only when it is used."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            module = importlib.import_module(f"{__package__}.{COMMANDS[name]}")
            self._loaded[name] = get_command(module.app if hasattr(module, "app") else _single(name, module))
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _single(name: str, module: Any) -> typer.Typer:
    """An application of one command, the module's function of that name."""
    function = getattr(module, name)
    single = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
    summary = " ".join((function.__doc__ or "").split("\n\n")[0].split())  # in full, because the list would cut it
    settings = {"ignore_unknown_options": name == "act"}  # its words may be negative numbers
    single.command(cls=Command, short_help=summary, context_settings=settings)(function)
    return single


class Refusing(TyperGroup):
    """Turns the product's own errors into a sentence on standard error and exit status 2."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = Commands()  # type: ignore[assignment]  # typer only reads it

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            sys.stderr.close()  # the reader of our output has closed it, as `head` does
            raise typer.Exit(REFUSED) from None
        except refusals() as error:
            typer.echo(f"tabletop: {sentence(error)}", err=True)
            raise typer.Exit(UNUSABLE) from None
        except NoArgsIsHelpError:
            raise
        except TypedWrongly as error:
            refuse_typed(error)

    def make_context(self, *args: Any, **extra: Any) -> Any:
        try:
            return super().make_context(*args, **extra)
        except NoArgsIsHelpError:
            raise
        except TypedWrongly as error:  # an option before the command
            refuse_typed(error)


def refuse_typed(error: TypedWrongly) -> NoReturn:
    """Exit with a sentence on the wrong usage."""
    typer.echo(f"tabletop: {usage_sentence(error)}", err=True)
    raise typer.Exit(UNUSABLE) from None


def sentence(error: Exception) -> str:
    """An error's sentence for people.

    >>> sentence(FileNotFoundError(2, "No such file or directory", "a.json"))
    'a.json: no such file or directory.'
    """
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename}: " if error.filename is not None else ""
        return f"{name}{error.strerror[:1].lower()}{error.strerror[1:]}."
    return str(error)


app = typer.Typer(
    cls=Refusing,
    name="tabletop",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"tabletop {version('tabletop-referee')}")
        except PackageNotFoundError:
            typer.echo("tabletop, run from its source tree")
        raise typer.Exit()


@app.callback()
def root(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A referee's assistant for miniature wargames: from a phone photo of the table to rulings with reasons."""
