"""Reports and exports of games, as a seat may see them."""

from __future__ import annotations

import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from api.addresses import VERSIONED
from api.auth.access import Seat
from api.errors import ConflictError, NotThereError, UnusableError
from api.games.commands import GoneOnError
from api.reports.drawing_pool import Drawing, Key
from api.reports.drawing_process import AT_ONCE, File, drawing_processes
from api.schemas.reports import (
    CaptionsWish,
    Chances,
    ChapterOut,
    Format,
    Length,
    PictureStoryOut,
    PreviewOut,
    PreviewWish,
    ReportFileOut,
    ReportMomentOut,
    ReportOut,
    ReportTurnOut,
    ReportWish,
    SaidOut,
)
from api.services.services import Services, table_of
from api.services.table_photos import TablePhoto, second_of, table_photos
from tabletop.files import json_bytes
from tabletop.game import Game
from tabletop.game.game_view import GameView
from tabletop.game.parts import PARTS
from tabletop.game.protocol import PUBLIC
from tabletop.game.records import NOTED, Record
from tabletop.units import LengthUnit

if TYPE_CHECKING:
    from tabletop.aar.captions import Captions
    from tabletop.aar.html import Scheme
    from tabletop.aar.picture_story import Chapter
    from tabletop.aar.story import Story, Turn
    from tabletop.exports.parts import Plan
    from tabletop.game.jsonl import LogFile
    from tabletop.game.playing_out import ChanceChange
    from tabletop.game.store import GameEntry
    from tabletop.tables.model import TableFile

MOST_BYTES = 8_000_000
"""Files that are kept for those who ask again."""
MOST_MAP_BYTES = 4_000_000
MOST_CHANCES_BYTES = 1_000_000
"""What was counted of games that are over."""
PICTURE_PX = 1080
"""Width of a picture that is handed on."""
MOST_STORIES = 4
DRAFT_S = 1800.0
"""How long a preview can be looked at; a device's next one takes its place."""
MOST_DRAFTS = 200

ENDINGS = {
    "html": "-report.html", "pdf": "-report.pdf", "zip": "-report.zip", "markdown": "-report.md",
    "geojson": ".geojson", "uvtt": ".uvtt", "log": ".jsonl", "csv": ".csv", "picture": ".svg",
    "observation": "-observation.json",
}  # fmt: skip
"""How files are called after their game."""

_HIDDEN_LOG = (
    "The log tells what is hidden until the game is over: then everybody may have it. The report tells all that may be "
    "known now."
)


@dataclass(frozen=True)
class Told:
    """A game's story as somebody may see it, and its ``log``, by which another process can tell it (states hold what
    was worked out about them, of whatever kind); ``key`` holds all that it hangs on, ``own`` as in
    :class:`ReportOut`."""

    log: LogFile
    story: Story
    game: Game
    key: Key
    own: bool


@dataclass(frozen=True)
class Wanted:
    """A file that somebody asked for: what it hangs on, how it is made, and by whom."""

    key: Key
    file: File
    drawing: Drawing

    async def make_file(self) -> bytes:
        """The file; raises BusyError where it can't be drawn now."""
        return await self.drawing.get_or_make(self.key, self.file)


@dataclass(frozen=True)
class Draft:
    """A report that is looked at before it is made: the seat's, until that time of the clock."""

    id: str
    wish: PreviewWish
    until: float


class Reports:
    """The reports of a server's games. Any thread may call; ``clock`` counts seconds."""

    def __init__(self, services: Services, clock: Callable[[], float] = time.monotonic) -> None:
        self._services = services
        self._clock = clock
        draw = drawing_processes().draw
        self._reports = Drawing(AT_ONCE, MOST_BYTES, draw)
        self._maps = Drawing(1, MOST_MAP_BYTES, draw)
        self._chances = Drawing(1, MOST_CHANCES_BYTES, draw)
        self._stories: OrderedDict[Key, Told] = OrderedDict()
        self._drafts: OrderedDict[tuple[str, str], Draft] = OrderedDict()
        self._lock = Lock()

    # --- what there is to tell ---------------------------------------------------------------------------------------

    def read_story(self, seat: Seat) -> Told:
        """The story of a seat's game as it stands, as the seat may see it; raises ReportError for an empty game."""
        entry, playing, viewer = (
            self._services.entry(seat.game),
            self._services.commands.game(seat.game),
            self._services.viewer(seat),
        )
        key = (entry.game, entry.created, playing.seq, viewer)
        with self._lock:
            if key in self._stories:
                self._stories.move_to_end(key)
                return self._stories[key]
        seen = GameView(playing, viewer).retold()
        story = _tell(seen, entry.title)
        found = Told(_log_of(entry, seen), story, playing, key, _notes(seen) != _notes(GameView(playing).retold()))
        with self._lock:
            self._stories[key] = found
            while len(self._stories) > MOST_STORIES:
                self._stories.popitem(last=False)
        return found

    def chances_wanted(self, seat: Seat) -> Wanted:
        """What the acts of a game that is over changed of the chance to win; raises ConflictError for other games."""
        told = self.read_story(seat)
        if self._chances_of(told) == "none":
            raise ConflictError("Chances are counted of games that are over, by rules that computers play out quickly.")
        return Wanted(told.key, partial(write_chances, told.log), self._chances)

    def _chances_of(self, told: Told) -> Chances:
        from tabletop.aar.chances import has_chances

        if told.story.outcome is None or not has_chances(told.game.ruleset.name):
            return "none"
        return "possible" if self._chances.kept(told.key) is None else "counted"

    def _weighed(self, told: Told, chances: bool) -> Told:
        """A story with its moments weighed by the chance to win, where that is wanted and was counted."""
        from tabletop.aar.chances import with_chances

        counted = self._chances.kept(told.key) if chances else None
        if counted is None:
            return told
        return replace(told, story=with_chances(told.story, _chances_from(counted)))

    def out(self, seat: Seat, *, chances: bool = False) -> ReportOut:
        """What a report can tell, and the files that there are; ``chances``: by the chance to win, if that is known."""
        from tabletop.aar.captions import MAX_CAPTION
        from tabletop.aar.compose import deciding_moments, result, weightiest
        from tabletop.aar.figures import where
        from tabletop.words import capital

        told = self._weighed(self.read_story(seat), chances)
        story, known = told.story, self._chances_of(told)
        short, full = ({m.number for m in found} for found in (deciding_moments(story), weightiest(story)))
        return ReportOut(
            seq=told.game.seq,
            title=story.title,
            over=story.outcome is not None,
            own=told.own,
            chances="possible" if known == "counted" and not chances else known,
            result=result(story),
            lengths=["short", "full"],
            most_caption=MAX_CAPTION,
            turns=[_turn_out(story, turn) for turn in story.turns],
            moments=[
                ReportMomentOut(
                    number=moment.number,
                    seq=moment.seqs[0],
                    turn=moment.clock.turn,
                    when=capital(where(story, moment.clock)),
                    says=" ".join(moment.sentences),
                    weight=moment.weight,
                    why=moment.why,
                    short=moment.number in short,
                    full=moment.number in full,
                )
                for moment in story.moments
            ],
            files=self._files(seat, told.game),
        )

    def _files(self, seat: Seat, playing: Game) -> list[ReportFileOut]:
        from tabletop.exports.picture import SHEETS

        why = dict.fromkeys(("log", "csv"), _HIDDEN_LOG if self._keeps_log(seat, playing) else "")
        there = {"picture": playing.ruleset.name in SHEETS, "observation": self._sees_photo(seat)}
        names = [name for name in ENDINGS if there.get(name, True)]
        return [
            ReportFileOut.model_validate({"name": name, "file": file_name(seat.game, name), "why": why.get(name, "")})
            for name in names
        ]

    # --- reports -----------------------------------------------------------------------------------------------------

    def report(self, seat: Seat, wish: ReportWish | PreviewWish) -> Wanted:
        """The wished report in its form; what is looked at is a page.

        Raises GoneOnError where the device saw an older game, ReportError and UnusableError for what fits nothing.
        """
        from tabletop.aar.compose import moments_by_number

        told = self._weighed(self.read_story(seat), wish.chances)
        counted = self._chances.kept(told.key) if wish.chances else None
        if (wish.seq is not None and wish.seq != told.game.seq) or (wish.chances and counted is None):
            raise GoneOnError(seat.game, wish.seq or 0, told.game.seq)
        title, captions = _title(wish.title), _captions(told.story, wish.captions)
        moments = wish.moments and [moment.number for moment in moments_by_number(told.story, wish.moments)]

        form: Format = wish.format if isinstance(wish, ReportWish) else "html"
        scheme = wish.scheme if isinstance(wish, PreviewWish) else None
        leafed = isinstance(wish, ReportWish)  # nothing runs in a preview

        log = told.log if title is None else replace(told.log, header=replace(told.log.header, title=title))
        file = partial(write_report, log, wish.unit, wish.length, captions, moments, form, scheme, leafed, counted)
        about = [wish.length, title, moments, wish.captions.model_dump(), wish.unit, wish.chances]
        wished = json.dumps(about, sort_keys=True)
        return Wanted((*told.key, wished, form, scheme, leafed), file, self._reports)

    # --- four pictures -----------------------------------------------------------------------------------------------

    def picture_story(self, seat: Seat) -> PictureStoryOut:
        """The game in about four pictures, with a paragraph each."""
        told = self.read_story(seat)
        photos = table_photos(self._services, seat)
        rows = []
        for number, chapter in enumerate(self._chapters(told), 1):
            mine = (p.url for p in photos if _taken_by(p, chapter.until) and not _taken_by(p, chapter.since))
            rows.append(
                ChapterOut(
                    title=chapter.title,
                    says=chapter.text,
                    picture=f"{VERSIONED}/games/{seat.game}/report/pictures/{number}.png?seq={told.game.seq}",
                    alt=chapter.figure.alt,
                    photo=next(mine, None),
                )
            )
        return PictureStoryOut(seq=told.game.seq, title=told.story.title, own=told.own, chapters=rows)

    def chapter_picture(self, seat: Seat, number: int, unit: LengthUnit) -> Wanted:
        """The map of one of those paragraphs as PNG, its lengths in ``unit``; raises NotThereError where there is none
        of that number."""
        from geometry.drawing.png import png_bytes

        told = self.read_story(seat)
        chapters = self._chapters(told, unit)
        if not 1 <= number <= len(chapters):
            raise NotThereError(f"This game is told in {len(chapters)} pictures: there is no picture {number}.")
        sheet = chapters[number - 1].figure.sheet
        key = (*told.key, "picture", number, unit)
        return Wanted(key, partial(png_bytes, sheet, width_px=PICTURE_PX), self._reports)

    def _chapters(self, told: Told, unit: LengthUnit = "in") -> tuple[Chapter, ...]:
        from tabletop.aar.picture_story import picture_story

        story = replace(told.story, unit=unit)
        return self._services.whole_games.get(("chapters", *told.key, unit), lambda: picture_story(story))

    # --- drafts ------------------------------------------------------------------------------------------------------

    def keep(self, seat: Seat, wish: PreviewWish) -> PreviewOut:
        """Keep a draft to be looked at for a while; the seat's draft before it goes."""
        now = self._clock()
        draft = Draft(secrets.token_urlsafe(18), wish.model_copy(update={"seq": None}), now + DRAFT_S)
        with self._lock:
            self._drafts.pop((seat.seat, seat.game), None)
            self._drafts[seat.seat, seat.game] = draft
            while len(self._drafts) > MOST_DRAFTS or next(iter(self._drafts.values())).until <= now:
                self._drafts.popitem(last=False)
        return PreviewOut(address=f"{VERSIONED}/games/{seat.game}/report/preview/{draft.id}", seconds=int(DRAFT_S))

    def draft(self, seat: Seat, id_: str) -> PreviewWish:
        """A seat's own draft; raises NotThereError where it is kept no longer."""
        with self._lock:
            found = self._drafts.get((seat.seat, seat.game))
        if found is None or found.id != id_ or found.until <= self._clock():
            raise NotThereError("This preview is not kept any more: look at the report's page, and ask for it again.")
        return found.wish

    # --- exports -----------------------------------------------------------------------------------------------------

    def geojson(self, seat: Seat) -> bytes:
        """The table as everybody may see it, in table inches."""
        from tabletop.exports.geojson import feature_collection

        entry, playing = self._services.entry(seat.game), self._services.commands.game(seat.game)
        table = self._services.table(seat.game)
        return self._services.cache.get(
            ("geojson", entry.game, entry.created, playing.seq, table.seq),
            lambda: json_bytes(feature_collection(_plan(entry.rules, playing.state, table.table))),
        )

    def observation(self, seat: Seat) -> bytes:
        """What the last photo shows, with the players' corrections, as `tabletop observe` writes it; raises
        NotThereError without a photo that the seat may see."""
        if not self._sees_photo(seat):
            raise NotThereError("There is no photo of this table that you may see: take one first.")
        return json_bytes(self._services.table(seat.game).observation())

    def _sees_photo(self, seat: Seat) -> bool:
        """Whether a photo was taken of the table of a seat's game that the seat may see."""
        taken = (
            self._services.event_store.last(table_of(seat.game)) > 0
            and self._services.table(seat.game).photo is not None
        )
        return taken and self._services.sees_photo(seat)

    def uvtt(self, seat: Seat, pieces: bool) -> Wanted:
        """The map for virtual tabletops, as everybody may see it; ``pieces`` are drawn on it or left out."""
        entry, playing = self._services.entry(seat.game), self._services.commands.game(seat.game)
        table = self._services.table(seat.game)
        key = (entry.game, entry.created, playing.seq, table.seq, pieces)
        return Wanted(key, partial(write_uvtt, _log_of(entry, playing), table.table, pieces), self._maps)

    def picture(self, seat: Seat) -> bytes:
        """The board as SVG; raises NotThereError for games of an open table."""
        from tabletop.exports.picture import SHEETS, picture_bytes

        entry, playing = self._services.entry(seat.game), self._services.commands.game(seat.game)
        if entry.rules not in SHEETS:
            raise NotThereError("This game is played on an open table, and its report has the maps: ask for that.")
        return self._services.cache.get(
            ("picture", entry.game, entry.created, playing.seq), lambda: picture_bytes(playing, ".svg")
        )

    def log(self, seat: Seat) -> bytes:
        """The whole log; raises ConflictError while it tells what is hidden."""
        from tabletop.game.jsonl import write_log

        entry, playing = self._services.entry(seat.game), self._services.commands.game(seat.game)
        if self._keeps_log(seat, playing):
            raise ConflictError(_HIDDEN_LOG)
        log = _log_of(entry, playing)
        return write_log(log.header, log.records)

    def log_csv(self, seat: Seat) -> bytes:
        """The whole log as a table for spreadsheets; raises ConflictError while it tells what is hidden."""
        from tabletop.exports.log_csv import log_csv

        playing = self._services.commands.game(seat.game)
        if self._keeps_log(seat, playing):
            raise ConflictError(_HIDDEN_LOG)
        return log_csv(GameView(playing, self._services.viewer(seat)))

    def _keeps_log(self, seat: Seat, playing: Game) -> bool:
        """Whether the log is kept from a seat: a host's by what it may see, another's by what everybody may."""
        return GameView(playing, self._services.viewer(seat) if seat.is_host else PUBLIC).misses


def file_name(game: str, name: str) -> str:
    """What a file is called when it is kept.

    >>> file_name("flank-attack", "pdf"), file_name("flank-attack", "uvtt")
    ('flank-attack-report.pdf', 'flank-attack.uvtt')
    """
    return f"{game}{ENDINGS[name]}"


def _taken_by(photo: TablePhoto, record: Record | None) -> bool:
    """Whether a photo was taken before whatever followed a record."""
    return record is not None and photo.precedes(record.seq + 1, second_of(record.at))


def _turn_out(story: Story, turn: Turn) -> ReportTurnOut:
    from tabletop.aar.compose import turn_totals

    quotes = [(entry.record.seq, entry.quote) for entry in turn.entries if entry.quote is not None]
    return ReportTurnOut(
        turn=turn.number,
        title=f"Turn {turn.number}" if turn.number else "Before turn 1",
        says=turn_totals(story, turn) if turn.number else "",
        notes=[SaidOut(seq=seq, who=quote.who, text=quote.text) for seq, quote in quotes],
    )


def _notes(game: Game) -> list[object]:
    return [(record.actor, record.body) for record in game.records if record.kind == NOTED]


def _title(wished: str | None) -> str | None:
    from geometry.drawing.letters import one_line

    if wished is None:
        return None
    title = one_line(wished).strip()
    if not title:
        raise UnusableError("The title is empty: leave it out for the game's own.")
    return title


def _captions(story: Story, wish: CaptionsWish) -> Captions:
    from tabletop.aar.captions import captions_of

    turns = [turn.number for turn in story.turns]
    return captions_of(wish.model_dump(), "The report", turns=turns, moments=len(story.moments))


def _log_of(entry: GameEntry, game: Game) -> LogFile:
    """The log of a game as it is told."""
    from tabletop.game.jsonl import LogFile, LogHeader

    return LogFile(LogHeader(entry.rules, entry.version, entry.game, entry.title, entry.created), game.records)


def _tell(game: Game, title: str) -> Story:
    """The story of a game; raises ReportError for an empty one."""
    from tabletop.aar.adapters import report_adapter
    from tabletop.aar.story import tell

    return tell(game, report_adapter(game.ruleset.name), title=title or None)


def write_report(
    log: LogFile,
    unit: LengthUnit,
    length: Length,
    captions: Captions,
    moments: list[int] | None,
    form: Format,
    scheme: Scheme | None,
    leafed: bool,
    chances: bytes | None,
) -> bytes:
    """A report's file, in the process that draws; ``chances`` as :func:`write_chances` wrote them."""
    from tabletop.aar.compose import full_report, short_report
    from tabletop.game.jsonl import game_from_log

    story = replace(_tell(game_from_log(log), log.header.title), unit=unit)
    if chances is not None:
        from tabletop.aar.chances import with_chances

        story = with_chances(story, _chances_from(chances))
    document = (full_report if length == "full" else short_report)(story, captions, moments)
    if form == "pdf":
        from tabletop.aar.pdf import pdf_bytes

        return pdf_bytes(document)
    if form == "zip":
        from tabletop.aar.blog import blog_zip

        return blog_zip(document)
    if form == "markdown":
        from tabletop.aar.markdown import markdown_text

        return markdown_text(document, ending="png").encode()
    from tabletop.aar.html import html_page

    return html_page(document, scheme=scheme, leafed=leafed).encode()


def write_chances(log: LogFile) -> bytes:
    """What the acts of a game changed of the chance to win, in the process that draws."""
    from tabletop.aar.chances import chances_json, count_chances
    from tabletop.game.jsonl import game_from_log

    game = game_from_log(log)
    return json_bytes(chances_json(count_chances(_tell(game, log.header.title), game.ruleset.name)))


def _chances_from(counted: bytes) -> Mapping[int, ChanceChange]:
    from tabletop.aar.chances import chances_from_json

    return chances_from_json(json.loads(counted))


def write_uvtt(log: LogFile, table: TableFile, pieces: bool) -> bytes:
    """A map for virtual tabletops, in the process that draws."""
    from tabletop.exports.uvtt import universal_vtt
    from tabletop.game.jsonl import game_from_log

    plan = _plan(log.header.rules, game_from_log(log).state, table)
    return json_bytes(universal_vtt(plan, pieces=pieces).data)


def _plan(rules: str, state: Any, table: TableFile) -> Plan:
    """What is exported of a game: where a board of cells is laid on its table, it lies there."""
    from tabletop.exports.plans import plan_of_game

    grid = PARTS[rules].grid
    laid = table if table.overlay is not None and grid is not None and table.overlay.grid == grid else None
    return plan_of_game(rules, state, table=laid)
