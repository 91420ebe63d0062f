"""A game in words for the command line: boards, options, odds, logs. Nothing here prints."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tabletop.errors import UsageError
from tabletop.game.log_rows import core_sentence, log_rows
from tabletop.game.text_parts import board
from tabletop.words import percent

if TYPE_CHECKING:
    from tabletop.cli.game_view import CommandView
    from tabletop.game import Dice, Game, Odds, Option, Record, Violation

_YES_OR_NO = ("broken", "real", "available", "sides changed")
"""Results that occur, 1, or not, 0."""
_LEVELS = ("effect",)
"""Results shown by the names beside them; their numbers only give the order."""
_NUMBERED = ("corner", "player", "drawn", "lot")
"""Results with numbers as names."""
_WIDTH, _SCREEN = 80, 24
"""Columns and lines of a terminal."""
_MOST_SHOWN = 12


def picture_bytes(game: Game, suffix: str) -> bytes:
    """The board drawn as ``.svg`` or ``.png``; raises UsageError if the rules draw none."""
    from tabletop.aar.errors import ReportError
    from tabletop.exports import picture

    try:
        return picture.picture_bytes(game, suffix)
    except ReportError as error:
        raise UsageError(f"--picture can't draw this game: {error}") from error


def wrap(text: str) -> str:
    """A sentence wrapped to a terminal's width."""
    return textwrap.fill(text, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def paragraphs(text: str) -> str:
    """A text's paragraphs, filled to a terminal's width."""
    return "\n\n".join(textwrap.fill(" ".join(part.split()), _WIDTH) for part in text.strip().split("\n\n") if part)


def options_in_words(game: Game, options: Iterable[Option], *, full: bool) -> str:
    """Legal options, options too close to call and, if ``full``, illegal ones with reasons."""
    every = [option for option in options if full or not (option.kind == "concede" or option.advice == "again")]
    legal = [option for option in every if option.legal]
    close = [option for option in every if option.open]
    rest = [option for option in every if not option.legal and not option.open]
    rows = [_Row(option, option_details(option, full=full)) for option in legal]
    width = max((len(row.option.text) for row in rows if len(row.option.text) <= _WIDTH // 2), default=0)
    sections = []
    for side in dict.fromkeys([game.to_act, *(option.side for option in legal)]):
        own = _together([row for row in rows if row.option.side == side])
        by = "" if side in (game.to_act, None) else f" by {board(game).title(game.state, side)}"
        told = [_row_text(together, width) for together in own]
        sections.append("\n".join([f"May be done now{by}:", *told]) if told else "")
    if close:
        sections.append("\n".join(["Too close to call, so measure (and say --measured):", *_against(close)]))
    if rest and full:
        sections.append("\n".join(["Not now:", *_against(rest)]))
    return "\n\n".join(section for section in sections if section)


def one_screen(told: str, above: str = "") -> str:
    """The rows of a text that fit on a screen below another text, and how to read the rest."""
    lines = told.split("\n")
    room = _SCREEN - above.count("\n") - 4
    if len(lines) <= room:
        return told
    starts = [n for n, line in enumerate(lines) if not line.startswith("    ")]
    cut = max((n for n in starts if n <= room), default=room)
    rows = sum(n >= cut and lines[n] != "" for n in starts)
    return "\n".join([*lines[:cut], f"  ... and {rows} more: tabletop state --all"])


def _against(options: Iterable[Option]) -> list[str]:
    """Options with their reasons, together if the reasons of several targets are the same.

    If a reason applies to a unit and all targets, only that reason is given, not which of them are also out of reach.
    """
    every = list(options)
    alike: dict[tuple[str, str | None], list[tuple[Violation, ...]]] = {}
    for option in every:
        alike.setdefault((option.kind, option.unit), []).append(option.violations)
    grouped: dict[tuple[str, str | None, str], list[Option]] = {}
    for option in every:
        others = alike[option.kind, option.unit]
        common = [v for v in option.violations if all(v in violations for violations in others)]
        reasons = " ".join(map(str, common or option.violations))
        grouped.setdefault((option.kind, option.unit, reasons), []).append(option)
    lines = []
    for (_, _, reasons), (first, *rest) in grouped.items():
        what = ", ".join([first.text, *(other.target or other.text for other in rest)])
        lines.append(textwrap.fill(f"{what}: {reasons}", _WIDTH, initial_indent="  ", subsequent_indent="    "))
    return lines


@dataclass(frozen=True)
class _Row:
    """An option with its details."""

    option: Option
    details: str

    @property
    def key(self) -> tuple[str, str] | None:
        """The common part of rows that only differ in their target; ``None`` if the words do not end in one."""
        text, target = self.option.text, self.option.target
        return (text.removesuffix(target), self.details) if target and text.endswith(f" {target}") else None


def _together(rows: Iterable[_Row]) -> list[list[_Row]]:
    """Groups of consecutive rows that only differ in their target."""
    found: list[list[_Row]] = []
    for row in rows:
        if found and row.key is not None and found[-1][0].key == row.key:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _row_text(rows: Sequence[_Row], width: int) -> str:
    first, *rest = rows
    text = ", ".join([first.option.text, *(str(row.option.target) for row in rest)])
    if rest or len(text) > width:
        line = f"{text}; {first.details}" if first.details else text
        return textwrap.fill(line, _WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    start = f"  {text:{width}}  "
    return (
        textwrap.fill(first.details, _WIDTH, initial_indent=start, subsequent_indent=" " * len(start)) or start.rstrip()
    )


def option_details(option: Option, *, full: bool) -> str:
    """An option's limits, its odds in short and the advice on it; without the advice's numbers unless ``full``."""
    limits, parts = option.limits, []
    if "range_in" in limits:
        spread = 1.96 * limits.get("sigma_in", 0.0)
        parts.append(f"{limits['range_in']:.1f}″" + (f" ± {spread:.1f}" if spread >= 0.05 else ""))
    if "least_in" in limits:
        parts.append(f"{limits['least_in']:g}″ to {limits['most_in']:g}″")
    if "total_in" in limits:
        road = f", {limits['by_road_in']:g}″ by road" if "by_road_in" in limits else ""
        parts.append(f"up to {limits['total_in']:g}″{road}")
    odds = option.odds()
    if odds is not None:
        parts += [*_average(odds), *_also(odds)]
    if option.advice:
        parts.append(option.advice if full else option.advice.partition(" (")[0])
    return "; ".join(parts)


def odds_in_words(odds: Odds) -> str:
    """All odds of an action: every result with its chance, the mean, named results, their conditions."""
    lines = [_chances(odds)]
    if odds.words:
        lines.append(f"Counted: {', '.join(odds.words)}.")
    for when, other in odds.cases:
        lines.append(f"If {when}: {_chances(other)}")
    return "\n".join(textwrap.fill(line, _WIDTH, subsequent_indent="  ") for line in lines)


def _chances(odds: Odds) -> str:
    each = ""
    if odds.what not in (*_YES_OR_NO, *_LEVELS):
        each = ", ".join(f"{_amount(value, odds.what)} {percent(chance)}" for value, chance in odds.chances.items())
    told = "; ".join(filter(None, [each, *_average(odds), *_also(odds)]))
    return f"{told or 'No chance is counted for it'}."


def _average(odds: Odds) -> list[str]:
    """The mean of counts, the chance of yes-or-no results; empty for numbers that are only names."""
    if odds.what in _YES_OR_NO:
        return [f"{odds.what} {percent(odds.chances.get(1, Fraction(0)))}"]
    if odds.what in (*_LEVELS, *_NUMBERED):
        return []
    return [f"{_amount(float(odds.expected), odds.what)} on average"]


def _also(odds: Odds) -> list[str]:
    return [f"{name} {percent(chance)}" for name, chance in odds.also.items() if chance]


def _amount(value: float, what: str) -> str:
    number = f"{value:.1f}" if isinstance(value, float) else str(value)
    if what == "inches":
        return f"{number}″"
    if what in _NUMBERED:
        return f"{what} {number}"
    singular = what.replace("hits", "hit", 1) if number == "1" else what
    return f"{number} {singular}"


def dice_wanted(needed: Dice) -> str:
    """Which dice to roll, and how to enter them."""
    faces, count = ",".join(map(str, needed.faces)), needed.count
    each = ",".join("N" * min(count, _MOST_SHOWN)) + (f",... ({count} of them)" if count > _MOST_SHOWN else "")
    fewer = not needed.kind and max(needed.faces) <= 6
    again = " An ordinary die will do: roll it again where it shows none of these." if fewer else ""
    return f"Roll {needed.words} ({faces}) and say --dice {each}, or have it rolled: --roll.{again}"


def refusal(violations: Sequence[Violation]) -> str:
    """All violations of an action, and how they may be lifted."""
    lines = [textwrap.fill(f"- {said}", _WIDTH, subsequent_indent="  ") for said in _merge_violations(violations)]
    if all(v.answer == "too-close" for v in violations):
        lines.append("If you measured and it is legal, add --measured.")
    elif not any(v.firm for v in violations):
        lines.append("Only the referee can overrule this: --overrule.")
    return "\n".join(lines)


def _merge_violations(violations: Sequence[Violation]) -> list[str]:
    """Violations as sentences; of several bases that moved too far only the farthest is named, with the number of
    others."""
    far = [v for v in violations if v.code == "too-far" and v.answer == "no" and "over_in" in v.numbers]
    worst = max(far, key=lambda v: v.numbers["over_in"], default=None)
    told = [str(v) for v in violations if v not in far or v is worst]
    if worst is not None and len(far) > 1:
        others = "one other base is" if len(far) == 2 else f"{len(far) - 1} other bases are"
        told[told.index(str(worst))] += f" So {others} too far."
    return told


def sentences(game: Game, state: Any, records: Iterable[Record]) -> list[tuple[Record, str]]:
    """New events in sentences, based on the state before them."""
    from tabletop.game.records import CORE_KINDS

    told = []
    for record in records:
        if record.kind in CORE_KINDS:
            told.append((record, core_sentence(game, record)))
            continue
        event = game.event(record)
        told.append((record, game.ruleset.event_text(state, event)))
        state = game.ruleset.apply(state, event)
    return told


def log_in_words(view: CommandView) -> str:
    """The log, one event per line; events taken back are in brackets and marked."""
    rows = log_rows(view)
    width = len(str(rows[-1].record.seq)) if rows else 1
    lines = []
    for row in rows:
        record, gone = row.record, row.taken_back
        text = f"[taken back] {row.sentence}" if gone else row.sentence
        own = view.own(record)
        text += f" ({own})" if own else ""
        if record.kind == "step-ended" and not gone:
            lines.append("")
        lines.append(
            textwrap.fill(text, _WIDTH, initial_indent=f"{record.seq:{width}}  ", subsequent_indent=" " * (width + 2))
        )
    return "\n".join(lines)
