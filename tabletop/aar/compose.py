"""The two forms of a report as blocks: the full one, turn by turn, and one of four paragraphs and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial

from tabletop.aar.captions import Captions
from tabletop.aar.document import Block, Document, Figure, Heading, Items, Para, Quotation, Spoken, Table
from tabletop.aar.entries import Entry
from tabletop.aar.errors import ReportError
from tabletop.aar.figures import end_figure, start_figure, turn_figure, where
from tabletop.aar.luck import luck_blocks, luck_sentences
from tabletop.aar.moments import Moment
from tabletop.aar.step_maps import step_maps
from tabletop.aar.story import Story, Turn
from tabletop.words import and_list, capital, count, decimal, number, percent, the

MOMENTS = 6
_ONE_BREATH = 4  # sentences of one entry that share a row; with more, each gets its own row
_NO_CAPTIONS = Captions()


def full_report(story: Story, captions: Captions = _NO_CAPTIONS, moments: Collection[int] | None = None) -> Document:
    """Everything: the beginning, deciding moments, every turn with its map, luck, losses, the end.

    ``moments`` are the numbers of those to include; without it, the weightiest and those with a caption are. Raises
    ReportError for an unknown number.
    """
    blocks: list[Block] = [Para(result(story), "lead"), *(Para(text) for text in story.opening), start_figure(story)]
    told = weightiest(story, captions) if moments is None else moments_by_number(story, moments)
    blocks += _moments(story, captions, sorted(told, key=lambda moment: moment.number))
    if story.turns:
        blocks.append(Heading(2, "Turn by turn", "turns"))
    for turn in story.turns:
        blocks += _turn(story, turn, captions)
    blocks += [*luck_blocks(story), *_losses(story), *_end(story), *_about(story)]
    document = Document(
        story.title,
        "After-action report",
        tuple(_number_pictures(blocks)),
        story.last_at,
        steps=partial(step_maps, story),
    )
    return document.in_unit(story.unit)


def short_report(story: Story, captions: Captions = _NO_CAPTIONS, moments: Collection[int] | None = None) -> Document:
    """About four paragraphs and four pictures: the beginning, the two deciding turns, the end.

    ``moments`` are the numbers of those to include instead of the two deciding ones. A turn that has a caption is
    included too. Raises ReportError for an unknown number.
    """
    told = deciding_moments(story) if moments is None else moments_by_number(story, moments)
    blocks: list[Block] = [Para(" ".join(story.opening)), start_figure(story)]
    for turn in story.turns:
        blocks += _turn_in_short(story, turn, [m for m in told if m.clock.turn == turn.number], captions)
    if is_begun(story):
        blocks += [Para(f"{result(story)} {game_totals(story)}"), *map(Para, luck_sentences(story)), end_figure(story)]
    else:
        blocks.append(Para(result(story)))
    document = Document(
        story.title, "After-action report in short", tuple(_number_pictures(blocks)), story.last_at, short=True
    )
    return document.in_unit(story.unit)


def moments_by_number(story: Story, numbers: Collection[int]) -> tuple[Moment, ...]:
    """The moments of these numbers, in the order of the game; raises ReportError for an unknown number."""
    strange = sorted(set(numbers) - {moment.number for moment in story.moments})
    if strange:
        count_of = len(story.moments)
        has = "no moments" if not count_of else "moment 1 alone" if count_of == 1 else f"moments 1 to {count_of}"
        raise ReportError(f"There is no moment {strange[0]} to tell: this game has {has}.")
    return tuple(sorted((m for m in story.moments if m.number in numbers), key=lambda m: m.seqs))


def weightiest(story: Story, captions: Captions = _NO_CAPTIONS) -> tuple[Moment, ...]:
    """The moments of a full report if none were chosen: the first six, and any with a caption."""
    return tuple(m for m in story.moments if m.number <= MOMENTS or m.number in captions.moments)


def deciding_moments(story: Story) -> tuple[Moment, ...]:
    """The weightiest moments of two turns, in the order of the game."""
    found: dict[int, Moment] = {}
    for moment in story.moments:
        found.setdefault(moment.clock.turn, moment)
        if len(found) == 2:
            break
    return tuple(sorted(found.values(), key=lambda m: m.clock.turn))


def is_begun(story: Story) -> bool:
    """Whether a game has come to its first turn, or to an end; if not, its end looks like its start."""
    return story.outcome is not None or story.adapter.clock(story.end).turn > 0


def result(story: Story) -> str:
    """How the game ended, or that it has not."""
    outcome = story.outcome
    if outcome is None:
        turn = story.adapter.clock(story.end).turn
        return f"The game is not finished: the log ends in turn {turn}." if turn else "The game has not begun yet."
    reason = outcome.reason if outcome.reason.endswith((".", "!", "?")) else f"{outcome.reason}."
    return f"{capital(the(story.side_title(outcome.winner)))} won. {reason}" if outcome.winner else f"A draw. {reason}"


def turn_totals(story: Story, turn: Turn) -> str:
    """Each side's result in a turn, beside its average; empty for a turn without throws."""
    kind = story.adapter.throws[0]
    parts = []
    for side in story.sides:
        luck = story.luck_of(kind.id, side.id, turn.number)
        if luck.throws:
            made = f"{number(luck.actual)} {_unit(story, luck.actual)}"
            parts.append(f"{the(side.title)} made {made} ({number(luck.expected)} expected)")
    return f"In the whole turn, {and_list(parts)}." if parts else ""


def _unit(story: Story, made: float) -> str:
    """The unit of the deciding throws, singular or plural."""
    return story.adapter.terms.result if made == 1 else story.adapter.throws[0].unit


def _number_pictures(blocks: Sequence[Block]) -> Iterator[Block]:
    """Pictures numbered in the order of the report."""
    count_so_far = 0
    for block in blocks:
        if isinstance(block, Figure):
            count_so_far += 1
            yield Figure(f"{count_so_far:02d}-{block.name}", block.sheet, block.alt, block.caption)
        else:
            yield block


def _turn_in_short(story: Story, turn: Turn, moments: Sequence[Moment], captions: Captions) -> list[Block]:
    """A turn of a short report: its moments, the first of them with the turn's totals and picture, and its captions."""
    blocks: list[Block] = []
    kind = story.adapter.throws[0].id
    throws = Counter(e.clock.turn for e in story.entries for throw in e.throws if throw.kind == kind)
    # The totals are left out if the end, or the turn's only moment, already reports the same throws.
    is_said = len(throws) == 1 or throws[turn.number] == 1
    totals = "" if is_said else turn_totals(story, turn)
    for moment in moments:
        words = _moment_words(story, moment)
        blocks += [Para(words)] if blocks else [Para(f"{words} {totals}".strip()), turn_figure(story, turn)]
        if moment.number in captions.moments:
            blocks.append(Spoken(captions.moments[moment.number]))
    if turn.number in captions.turns:
        if not blocks and turn.number:
            blocks += [Para(totals or f"Turn {turn.number}."), turn_figure(story, turn)]
        blocks.append(Spoken(captions.turns[turn.number]))
    return blocks


def _moment_words(story: Story, moment: Moment) -> str:
    which = "The weightiest moment of the game" if moment.number == 1 else f"Moment number {moment.number} by weight"
    return f"{which} came in {where(story, moment.clock)}. {' '.join(moment.sentences)} {_weight_words(moment)}"


def _weight_words(moment: Moment, verb: str = "It weighs") -> str:
    """A sentence with a moment's weight and the reason for it."""
    if {"chance", "none"} & set(moment.kinds):
        return f"{capital(moment.why)}."
    return f"{verb} {percent(moment.weight, 1)}: {moment.why}."


def _measure_words(story: Story, told: Sequence[Moment]) -> str:
    """How moments are ranked."""
    games = max((m.chance.games for m in story.moments if m.chance is not None), default=0)
    if games:
        return (
            "One act is one moment, and those that changed the chance to win most come first. The chances are what"
            f" computers make of it: {story.adapter.measures['chance'].format(games=games)} People may play better. A"
            " change no larger than what it may be wrong by (give or take) is not claimed."
        )
    measures = dict.fromkeys(story.adapter.measures[kind] for m in told for kind in m.kinds)
    return (
        "One action is one moment. It weighs how much of a side’s game it changed at once, and the weightiest come"
        f" first. {' '.join(measures)}"
    )


def _moments(story: Story, captions: Captions, told: Sequence[Moment]) -> list[Block]:
    """The moments by their weight, the weightiest first."""
    if not told:
        return []
    blocks: list[Block] = [Heading(2, "Deciding moments", "moments")]
    blocks.append(Para(_measure_words(story, told), "soft"))
    for moment in told:
        blocks.append(Heading(3, f"{moment.number}. {capital(where(story, moment.clock))}", f"moment-{moment.number}"))
        blocks.append(Para(" ".join(moment.sentences)))
        blocks.append(Para(_weight_words(moment, "Weight"), "" if moment.chance else "soft"))
        if moment.number in captions.moments:
            blocks.append(Spoken(captions.moments[moment.number]))
    return blocks


def _turn(story: Story, turn: Turn, captions: Captions) -> list[Block]:
    title = f"Turn {turn.number}" if turn.number else "Before turn 1"
    blocks: list[Block] = [Heading(3, title, f"turn-{turn.number}")]
    if turn.number:
        blocks.append(turn_figure(story, turn))
    if turn.number in captions.turns:
        blocks.append(Spoken(captions.turns[turn.number]))
    told = [phase for phase in turn.phases if not phase.is_silent]
    for phase in told:
        if turn.number:
            blocks.append(Heading(4, phase.title))
        blocks += _phase(phase.items, "" if turn.number else "soft")
    if not told:
        blocks.append(Para(story.adapter.terms.nothing))
    totals = turn_totals(story, turn) if turn.number else ""
    return [*blocks, Para(totals, "soft")] if totals else blocks


def _phase(items: Sequence[Sequence[Entry]], tone: str) -> list[Block]:
    """Lists of what happened, broken by quotations."""
    blocks: list[Block] = []
    rows: list[str] = []

    def close() -> None:
        if rows:
            blocks.append(Items(tuple(rows), "soft" if tone == "soft" else ""))
            rows.clear()

    for entries in items:
        quote = entries[0].quote
        if quote is not None:
            close()
            blocks.append(Quotation(quote.text, quote.who))
        else:
            said = [sentence for entry in entries for sentence in entry.sentences]
            rows.extend(said if len(said) > _ONE_BREATH else [" ".join(said)])
    close()
    return blocks


def _losses(story: Story) -> list[Block]:
    terms = story.adapter.terms
    other = {"held": terms.held, "found": terms.found}
    if not story.losses and not any(c.kind in other for e in story.entries for c in e.changes):
        return []
    blocks: list[Block] = [Heading(2, "Lost and taken", "losses")]
    if story.losses:
        rows = tuple(
            (
                str(loss.turn),
                loss.change.what,
                story.side_title(loss.change.side),
                _loss_words(loss.change.text, loss.last),
            )
            for loss in story.losses
        )
        blocks.append(Table(terms.gone, ("turn", terms.unit, "side", "how"), rows, frozenset({0})))
    for kind, title in other.items():
        changed = tuple(
            (str(entry.clock.turn) if entry.clock.turn else "start", change.text)
            for entry in story.entries
            for change in entry.changes
            if change.kind == kind
        )
        if changed:
            blocks.append(Table(title, ("turn", "what"), changed))
    return blocks


def _loss_words(text: str, last: str) -> str:
    return text if not last or last == text else f"{text} {last}"


def _end(story: Story) -> list[Block]:
    fought = {side.id: [f for f in story.forces if f.side == side.id] for side in story.sides}
    terms = story.adapter.terms
    blocks: list[Block] = [Heading(2, "The end", "end"), end_figure(story)]
    blocks += story.sheets
    thrown = _has_throws(story)
    for side in story.sides:
        rows = []
        for force in fought[side.id]:
            made = [e.throw for e in story.entries if e.throw and e.throw.unit == force.unit]
            shots = [t for t in made if t.kind == story.adapter.throws[0].id]
            expected = decimal(sum(t.expected for t in shots)) if shots else "0"
            name = f"{force.name} ({force.unit})" if force.name else force.unit
            figures = (str(len(shots)), decimal(sum(t.actual for t in shots), 0), expected)
            rows.append((name, force.kind, force.hits, force.fate, *(figures if thrown else ())))
        there = sum(f.there for f in fought[side.id])
        header = (
            terms.unit,
            "kind",
            terms.hits,
            "at the end",
            *((f"{terms.throw}s", "made", "mean") if thrown else ()),
        )
        title = f"{side.title}: {there} of {count(len(rows), terms.unit)} on the {terms.table}"
        blocks.append(Table(title, header, tuple(rows), frozenset({4, 5, 6} if thrown else ())))
    return blocks


def _has_throws(story: Story) -> bool:
    """Whether any dice were thrown in the game."""
    return any(entry.throw for entry in story.entries)


def game_totals(story: Story) -> str:
    """The whole game's fire and losses, in a few sentences."""
    kind, terms, thrown = story.adapter.throws[0], story.adapter.terms, _has_throws(story)
    sentences = []
    for side in story.sides:
        luck = story.luck_of(kind.id, side.id)
        mine = [f for f in story.forces if f.side == side.id]
        there, who = sum(f.there for f in mine), capital(the(side.title))
        if not thrown:
            sentences.append(f"{who} had {there} of {count(len(mine), terms.unit)} on the {terms.table}.")
            continue
        fire = (
            f"made {number(luck.actual)} {_unit(story, luck.actual)} with {count(luck.throws, terms.throw)}"
            f" ({number(luck.expected)} expected)"
            if luck.throws
            else terms.no_throws
        )
        sentences.append(f"{who} {fire} and had {there} of {count(len(mine), terms.unit)} on the {terms.table}.")
    return " ".join(sentences)


def _about(story: Story) -> list[Block]:
    count_of = story.count
    parts = [f"The log has {count(count_of.records, 'record')}"]
    if count_of.retracted:
        taken = count(count_of.retracted, "of them was", "of them were")
        parts.append(f"{taken} taken back and {_is(count_of.retracted)} left out")
    if count_of.notes:
        parts.append(f"{count(count_of.notes, 'is a note', 'are notes')} by the players")
    if count_of.photos:
        parts.append(f"{count(count_of.photos, 'photo')} came with it")
    text = f"Every sentence and figure here comes from the game’s log; {story.adapter.terms.places}."
    return [Heading(2, "About this report", "about"), Para(f"{text} {and_list(parts)}.", "soft")]


def _is(value: int) -> str:
    return "is" if value == 1 else "are"
