"""What the signs on a game's board mean: badges, ground, marks, kinds of units; one source for the page and reports.

The meanings are in the ruleset's ``legend.toml``, by the ids and kinds that its board draws
(:mod:`tabletop.boards.data`). A ruleset without the file has an empty legend: its board explains itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from tabletop.game.parts import parts_of
from tabletop.game.rulebook import close_sections, open_sections
from tabletop.reading.toml_sections import Section

FILE = "legend.toml"


@dataclass(frozen=True)
class BadgeMeaning:
    """A badge (:attr:`tabletop.boards.data.Badge.id`), ``text`` as printed, and its meaning.

    ``only_if_there`` marks a rare one: legends list it only when the board shows it.
    """

    id: str
    text: str
    says: str
    only_if_there: bool = False


@dataclass(frozen=True)
class Meaning:
    """A kind of ground, mark, unit or line of sight by its name on the board, its title, and a sentence on it in this
    game. A line of sight is named by its verdict, or ``observed``."""

    kind: str
    title: str
    says: str


@dataclass(frozen=True)
class Legend:
    """The signs that can appear on the boards of a game, and their meanings."""

    badges: tuple[BadgeMeaning, ...] = ()
    ground: tuple[Meaning, ...] = ()
    marks: tuple[Meaning, ...] = ()
    units: tuple[Meaning, ...] = ()
    lines: tuple[Meaning, ...] = ()


@cache
def legend_of(rules: str) -> Legend:
    """The legend of a ruleset; raises RulesError for an unknown ruleset or a file with faults.

    >>> [badge.text for badge in legend_of("one-hour-ww2").badges][:3]
    ['12/5', 'D', 'R']
    """
    file = resources.files(parts_of(rules).package) / FILE
    return read_legend(file.read_bytes(), f"{FILE} of {rules}") if file.is_file() else Legend()


def read_legend(source: bytes, name: str) -> Legend:
    """The legend in a file's text; raises RulesError with every fault."""
    top = open_sections(source, name, ("badges", "ground", "marks", "units", "lines"))
    legend = Legend(
        tuple(_badge(part) for part in top.sections("badges", "[[badges]]", ("id", "text", "says", "only_if_there"))),
        _meanings(top, "ground"),
        _meanings(top, "marks"),
        _meanings(top, "units"),
        _meanings(top, "lines"),
    )
    close_sections(top, name)
    return legend


def _badge(part: Section) -> BadgeMeaning:
    id_, text, says = (part.text(key, "words for people") or "" for key in ("id", "text", "says"))
    return BadgeMeaning(id_, text, says, part.flag("only_if_there", "few games have it"))


def _meanings(top: Section, key: str) -> tuple[Meaning, ...]:
    parts = top.sections(key, f"[[{key}]]", ("kind", "title", "says"))
    return tuple(
        Meaning(*(part.text(one, "words for people") or "" for one in ("kind", "title", "says"))) for part in parts
    )
