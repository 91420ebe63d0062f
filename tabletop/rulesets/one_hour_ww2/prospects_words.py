"""What a unit may hope for in words, for a terminal of 80 columns; and how it is asked."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from tabletop.game.actions import Reader, plain_number, split_words
from tabletop.game.protocol import Dice
from tabletop.rulesets.one_hour_ww2.action_fields import UNIT
from tabletop.rulesets.one_hour_ww2.chances import BONUS_IN, PENALTY_IN, ROAD_IN
from tabletop.rulesets.one_hour_ww2.covering import Why
from tabletop.rulesets.one_hour_ww2.prospects_data import (
    CoverHope,
    EnemyHope,
    Hope,
    PlaceHope,
    Prospects,
    Total,
)
from tabletop.rulesets.one_hour_ww2.setup import Point
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.words import inch_signs, percent

FORM = "UNIT [to X,Y X,Y ...]"

_WIDTH = 80
_TOTALS_A_ROW = 11
_CELL, _PLACE = 11, 13
_NO_COVER: dict[Why, str] = {
    "too-far": "Cover out of reach",
    "too-small": "Too small to be in cover there",
    "not-found": "Cover in which no place was found that it surely gets to",
}
_BY = {"open": "", "edge": " by the edge of woods", "road": " by road"}


def parse(state: State, words: str) -> tuple[str, tuple[Point, ...]]:
    """The unit and the places that the words name, as ``B2 to 12,20 30,3``; raises ActionError."""
    reader = Reader(state, f"tabletop reach {FORM}", split_words(words))
    unit = UNIT.read(reader)
    to = reader.take("to")
    given = reader.known_numbers()
    reader.expect_end()
    if len(given) % 2 or (to and not given):
        found = f", not {','.join(plain_number(value) for value in given)}" if given else ""
        reader.fail(f'After "to" go places in inches, as 12,20 30,3{found}.')
    return unit, tuple(zip(given[::2], given[1::2], strict=True))


def in_words(found: Prospects) -> str:
    """The whole answer: totals with their odds, enemies, cover, places."""
    sections = ["\n".join(_head(found)), "\n".join(_totals(found)), "\n".join(_enemies(found))]
    sections += ["\n".join(_cover(found)), "\n".join(_places(found))]
    return "\n\n".join(section for section in sections if section)


def _wrap(text: str, indent: str = "") -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=indent, subsequent_indent=indent + "  ")


# --- the dice --------------------------------------------------------------------------------------------------------


def _head(found: Prospects) -> Iterator[str]:
    name = f" ({found.name})" if found.name and found.name != found.unit else ""
    who = f"{found.unit} {found.kind}{name} at {found.at[0]:.1f}, {found.at[1]:.1f}"
    road = f"; {ROAD_IN}″ more wholly by road, unless it assaults" if found.by_road else ""
    if found.rolled:
        yield _wrap(f"{who}: {found.most_in}″ to move{road}.")
    else:
        span = f"{found.least_in}″ to {found.most_in}″, {float(found.mean_in):.3g}″ on average"
        if found.least_in == found.most_in:
            span = f"{found.most_in}″"
        change = "".join(f", {inch_signs(word)}" for word in found.because)
        yield _wrap(f"{who}: {Dice(*found.dice).words} + {BONUS_IN}″{change}: {span}{road}.")
    if found.against:
        yield _wrap("It may not move just now: " + " ".join(v.text for v in found.against))


def _totals(found: Prospects) -> Iterator[str]:
    """Every total with its chance, and the chance of so many or more."""
    if found.rolled or found.least_in == found.most_in:
        return
    merged: dict[int, Total] = {}
    for total in found.totals:
        before = merged.get(total.total_in)
        merged[total.total_in] = Total(total.total_in, total.chance + (before.chance if before else 0))
    every = list(merged.values())
    for first in range(0, len(every), _TOTALS_A_ROW):
        row = every[first : first + _TOTALS_A_ROW]
        more = [sum((t.chance for t in every if t.net_in >= each.net_in), start=0 * each.chance) for each in row]
        yield "inches   " + "".join(f"{t.total_in:>6}" for t in row)
        yield "exactly  " + "".join(f"{percent(t.chance):>6}" for t in row)
        yield "or more  " + "".join(f"{percent(chance):>6}" for chance in more)


# --- enemies and cover -----------------------------------------------------------------------------------------------


def _enemies(found: Prospects) -> Iterator[str]:
    if not found.enemies:
        return
    names = [f"{e.unit} {e.kind}" for e in found.enemies]
    wide = max(18, *map(len, names))
    heads = [f"{band} {limit:g}″" for band, limit in found.limits]
    yield f"{'To bring enemies':{wide}}{'now':>7}" + "".join(f"{head:>{_CELL + 1}}" for head in [*heads, "in sight"])
    for name, enemy in zip(names, found.enemies, strict=True):
        yield f"{name:{wide}}{_inches(enemy.range_in, 1):>7}" + "".join(
            f"{cell:>{_CELL + 1}}" for cell in _cells(found, enemy)
        )
    if not found.rolled and any(0 < hope.chance < 1 for e in found.enemies for hope in _hopes(e)):
        yield "Inches in front of a chance are the total that it takes: 12″+ is 12″ or more."
    if any(hope.chance > 0 and not hope.now for e in found.enemies for _, hope in e.ranges):
        most = "a yes needs" if found.rolled else "at most this, since it takes"
        yield _wrap(f"Ranges are the unique base's alone: {most} room there for the whole unit.")
    if any(e.sight.chance < 1 for e in found.enemies):
        least = "" if found.rolled else "at least this, and "
        yield _wrap(f'Sight is tried from about 180 places, in its formation: {least}"not found" is not a no.')


def _hopes(enemy: EnemyHope) -> list[Hope]:
    return [*(hope for _, hope in enemy.ranges), enemy.sight]


def _cells(found: Prospects, enemy: EnemyHope) -> Iterator[str]:
    yield from (_cell(found, hope) for _, hope in enemy.ranges)
    yield _cell(found, enemy.sight) if enemy.sight.chance else "not found"


def _cell(found: Prospects, hope: Hope) -> str:
    """``now``, ``no``, ``yes``, or the least total that does it and its chance."""
    if hope.now:
        return "now"
    if not hope.chance:
        return "no"
    if found.rolled:
        return "yes"
    if hope.chance == 1:
        return "any roll"
    return f"{hope.least_in}″+ {percent(hope.chance):>5}"


def _cover(found: Prospects) -> Iterator[str]:
    rows = [(_feature(c), _cell(found, c.hope), c.at_least) for c in found.cover if c.hope.chance]
    if rows:
        yield "To get into cover, in whatever formation"
        wide = max(len(name) for name, _, _ in rows)
        yield from (f"  {name:{wide}}  {cell}{' at least' if more else ''}" for name, cell, more in rows)
    for why, words in _NO_COVER.items():
        none = [_feature(c) for c in found.cover if not c.hope.chance and c.why == why]
        if none:
            yield _wrap(f"{words}: {', '.join(none)}.")


def _feature(cover: CoverHope) -> str:
    """A feature by its id, with what it is where the id does not say so."""
    kind = {"hill": "hill top"}.get(cover.kind, cover.kind)
    return cover.terrain if cover.terrain == kind else f"{cover.terrain} ({kind})"


# --- places ----------------------------------------------------------------------------------------------------------


def _places(found: Prospects) -> Iterator[str]:
    if found.places:
        yield "Ways of its unique base's centre; each other base needs one to its own place."
    for place in found.places:
        start = f"To {plain_number(place.at[0])},{plain_number(place.at[1])}"
        yield textwrap.fill(
            _place(found, place),
            _WIDTH,
            initial_indent=f"{start:{_PLACE - 1}} ",
            subsequent_indent=" " * _PLACE,
        )
        for violation in place.standing:
            yield _wrap(
                f"As it is formed and faces now: {violation.text.removeprefix(f'{found.unit}: ')}", " " * _PLACE
            )


def _place(found: Prospects, place: PlaceHope) -> str:
    if place.length_in is None or place.needed_in is None:
        return f"No: {place.why}."
    way = f"{_inches(place.length_in)}{_BY[place.mode]}"
    if place.mode != "open" and place.length_in > 0:
        less = f"{ROAD_IN}″ less" if place.mode == "road" else f"{PENALTY_IN}″ more"
        way += f", takes {less}, {_inches(max(0.0, place.needed_in))}"
    spare = found.spare_in(place)
    if place.hope.now:
        return f"{way}: it stands there."
    if spare is not None:
        return f"{way}: {f'yes, {_inches(spare)} to spare' if place.hope.chance else f'no, {_inches(-spare)} short'}."
    if not place.hope.chance:
        return f"{way}: no roll is enough."
    return f"{way}: any roll." if place.hope.chance == 1 else f"{way}: {_hope_text(place.hope)}."


def _hope_text(hope: Hope) -> str:
    return f"{hope.least_in}″ or more, {percent(hope.chance)}"


def _inches(value: float, decimals: int = 2) -> str:
    return f"{max(0.0, value):.{decimals}f}″"
