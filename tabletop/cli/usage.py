"""Errors of wrongly typed commands: one sentence, with the next step in it."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Any

# the errors of a command's parsing, which typer formats itself and exports under no other name
from typer._click.exceptions import BadOptionUsage, BadParameter, MissingParameter, NoArgsIsHelpError, NoSuchOption
from typer._click.exceptions import UsageError as TypedWrongly
from typer.core import TyperCommand

from tabletop.words import or_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Command", "NoArgsIsHelpError", "TypedWrongly", "usage_sentence"]


class Command(TyperCommand):
    """A command that adds itself to its errors: some are raised without their command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except TypedWrongly as error:
            error.ctx = error.ctx or ctx
            raise


_SENTENCE = r"\. |\.$| \[default"
_FIRST_WORDS = r"[.;] |\.$| [\[(]"
_TOO_LITTLE = re.compile(r"greater than or equal to (\S+)|not in the range (-?[\d.]+)<=x")
_TOO_MUCH = re.compile(r"less than or equal to (\S+)|not in the range \S*x<=(-?[\d.]+)")
_KNOWN = re.compile(r"is not one of (.+?)\.?$")


def usage_sentence(error: TypedWrongly) -> str:
    """An unreadable command, as a sentence for the user."""
    command = error.ctx.command_path if error.ctx is not None else "tabletop"
    see = f"see {command} --help."
    if isinstance(error, MissingParameter) and error.param is not None:
        return f"{_name(error.param)} is missing{_what(error.param)}; {see}"
    if isinstance(error, NoSuchOption):
        near = _alike(error.option_name, error.possibilities or ())
        return f"There is no option {error.option_name}; {f'did you mean {or_list(near)}?' if near else see}"
    if isinstance(error, BadOptionUsage):
        return _bad_option(error, see)
    if isinstance(error, BadParameter) and error.param is not None:
        what = _what(error.param, _FIRST_WORDS).removeprefix(": ")
        return f"{_name(error.param)} has to be {_wanted(error.message)}{what and f' ({what})'}; {see}"
    told = error.format_message().rstrip(".")
    extra = re.fullmatch(r"Got unexpected extra arguments?(?:\(s\))? \((.+)\)", told)
    if extra is not None:
        words = extra[1].split()
        return f"{command} has no use for {_quoted(words)}: leave {'it' if len(words) == 1 else 'them'} out, or {see}"
    command_word = re.match(r"No such command '(.+?)'", told)
    if command_word is not None:
        near = re.findall(r"'([^']+)'", told)[1:]
        advice = f"did you mean {or_list(near)}?" if near else f"{command} --help lists the commands."
        of = "" if " " not in command else f" of {command}"
        return f'There is no command "{command_word[1]}"{of}; {advice}'
    return f"{told[:1].upper()}{told[1:]}; {see}"


def _bad_option(error: BadOptionUsage, see: str) -> str:
    params: Iterable[Any] = error.ctx.command.params if error.ctx is not None else ()
    param = next((one for one in params if error.option_name in one.opts), None)
    if "requires an argument" not in error.message or param is None:
        return f"{error.option_name} takes no value: leave out what follows its =."
    return f"{error.option_name} needs {_value(param)} after it{_what(param, _SENTENCE)}; {see}"


def _wanted(message: str) -> str:
    """The required value, from typer's sentences of several versions.

    >>> _wanted("Input should be greater than or equal to 1"), _wanted("0 is not in the range 1<=x<=600.")
    ('at least 1', 'at least 1 and at most 600')
    >>> _wanted("'x' is not a valid integer range.")
    'a whole number'
    >>> _wanted("Value error, 'mm' is not one of 'in', 'cm'.")
    'in or cm'
    """
    bounds = []
    for word, pattern in (("least", _TOO_LITTLE), ("most", _TOO_MUCH)):
        bound = pattern.search(message)
        if bound is not None:
            bounds.append(f"at {word} {(bound[1] or bound[2]).rstrip('.')}")
    if bounds:
        return " and ".join(bounds)
    if "integer" in message:
        return "a whole number"
    if "number" in message or "float" in message:
        return "a number"
    known = _KNOWN.search(message)
    return "another value" if known is None else or_list([word.strip("'") for word in known[1].split(", ")])


def _alike(name: str, known: Sequence[str]) -> list[str]:
    """The known options similar to a wrong one."""
    nearest = difflib.get_close_matches(name, list(known), n=3, cutoff=0.75)
    return nearest or [one for one in known if one.startswith(name)]


def _name(param: Any) -> str:
    """A parameter as typed: an option's longest name, an argument's word in capitals."""
    if param.param_type_name == "option":
        return str(max(param.opts, key=len))
    return re.split(r"[] ]", str(param.metavar or param.name).lstrip("["))[0].upper()


def _value(param: Any) -> str:
    word = str(param.metavar or "a value")
    return f"a {word}" if word.isupper() and word[0] not in "AEIOU" else word


def _what(param: Any, ends: str = r"[.;] |\.$| \[default") -> str:
    """The first words of a parameter's help, as a clause."""
    words = re.split(ends, str(param.help or ""))[0].strip()
    kept = words[:2].isalpha() and words[:2].isupper()
    return f": {words if kept else words[:1].lower() + words[1:]}" if words else ""


def _quoted(words: list[str]) -> str:
    return " and ".join(f'"{word}"' for word in words)
