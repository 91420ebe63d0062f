"""The Typer application: its commands and how it refuses."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tabletop.cli import (
    aar,
    beginning,
    calibration,
    danger,
    demo,
    diff,
    evaluate,
    export,
    game,
    hint,
    inviting,
    overlay,
    photos,
    play,
    printing,
    reach,
    rulings,
    serving,
    settle,
    watch,
)
from tabletop.errors import TabletopError

_TYPED_ERRORS = {"vision.errors": "VisionError", "calibration.errors": "CalibrationError"}


def refusals() -> tuple[type[Exception], ...]:
    """The errors that are the input's fault. Those of packages that are not loaded can't have been raised."""
    loaded = [getattr(sys.modules[module], name) for module, name in _TYPED_ERRORS.items() if module in sys.modules]
    return (TabletopError, OSError, *loaded)


class Refusing(TyperGroup):
    """Turns the product's own errors into a sentence on standard error and exit status 2."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            sys.stderr.close()  # the reader of our output went away, as `head` does
            raise typer.Exit(1) from None
        except refusals() as error:
            typer.echo(f"tabletop: {sentence(error)}", err=True)
            raise typer.Exit(2) from None


def sentence(error: Exception) -> str:
    """What to tell a person about an error.

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
    add_completion=False,
    no_args_is_help=True,
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        try:
            typer.echo(f"tabletop {version('tabletop')}")
        except PackageNotFoundError:
            typer.echo("tabletop, run from its source tree")
        raise typer.Exit()


@app.callback()
def root(
    told: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A referee's assistant for miniature wargames: from a phone photo of the table to rulings with reasons."""


def _command(function: Callable[..., Any]) -> None:
    takes_negative_numbers = function in (game.act, reach.reach)  # as arguments, which would else be taken for options
    summary = " ".join((function.__doc__ or "").split("\n\n")[0].split())  # whole, where the list would cut it
    app.command(short_help=summary, context_settings={"ignore_unknown_options": takes_negative_numbers})(function)


for _function in (
    photos.observe,
    settle.settle,
    rulings.report,
    photos.referee,
    demo.demo,
    serving.serve,
    serving.work,
    inviting.invite,
    inviting.seats,
    calibration.calibrate,
    beginning.new,
    game.act,
    game.state,
    game.undo,
    game.log,
    game.note,
    game.games,
    game.load,
    reach.reach,
    danger.danger,
    hint.hint,
    diff.diff,
    diff.see,
    watch.watch,
    overlay.overlay,
    aar.aar,
    play.play,
    evaluate.evaluate,
    export.export,
):
    _command(_function)
app.add_typer(printing.app, name="print", short_help=printing.app.info.help)
