"""``tabletop rules``: a game's rules in short."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.cli.completing import complete_rules
from tabletop.cli.output import JsonOut, Quiet, check_target, give, tell
from tabletop.errors import UsageError

if TYPE_CHECKING:
    from tabletop.game.rulebook import Rulebook

_WIDE = 100


def rules(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[RULES]",
            help="The rules by their name, as one-hour-ww2. [default: list them]",
            autocompletion=complete_rules,
        ),
    ] = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Show a game's rules in short, each with its place in the rulebook, or list the rules."""
    from tabletop.boards.data import plain
    from tabletop.game.rulebook import rulebook_of

    target = check_target(json_out)
    if name is None:
        rows = _known_rules()
        give({"rulesets": rows}, json_out, target)
        width = max(len(row["name"]) for row in rows)
        lines = (f"{row['name']:{width}}  {row['title']}{_from(row['package'])}" for row in rows)
        tell("\n".join(lines), json_target=json_out, quiet=quiet)
        return
    book = rulebook_of(name)
    if not book.rules:
        raise UsageError(f'The rules "{name}" have no short rulebook.')
    give({"name": name, "source": book.source, "rules": plain(book.rules)}, json_out, target)
    tell("\n".join(_lines(book)), json_target=json_out, quiet=quiet)


def _known_rules() -> list[dict[str, str]]:
    from tabletop.game.parts import PARTS, package_of

    return [{"name": name, "title": parts.title, "package": package_of(name)} for name, parts in PARTS.items()]


def _from(package: str) -> str:
    return f" (from the package {package})" if package else ""


def _lines(book: Rulebook) -> Iterator[str]:
    yield f"In our own words; places are in: {book.source}"
    for heading, group in groupby(book.rules, lambda rule: rule.heading):
        yield ""
        yield heading.upper()
        for rule in group:
            yield f"  {rule.title} [{rule.place}]"
            yield textwrap.fill(rule.says, _WIDE, initial_indent="    ", subsequent_indent="    ")
