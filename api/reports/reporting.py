"""Reports and exports of games, as a seat may see them."""

from __future__ import annotations

import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from api.addresses import VERSIONED
from api.auth.access import Seat
from api.errors import ConflictError, NotThereError, UnusableError
from api.games.commands import GoneOnError
from api.games.computing import game_of, packed, unpacked
from api.processes.work_queue import Key
from api.schemas.reports import (
    Chances,
    ChapterOut,
    Format,
    Length,
    PictureStoryOut,
    PreviewOut,
    PreviewWish,
    ReportFileOut,
    ReportOut,
    ReportWish,
)
from api.services.heavy_work import Later, need
from api.services.services import Services
from api.services.table_photos import TablePhoto, second_of, sees_photo, table_photos
from api.tables.store import table_of
from tabletop.files import json_bytes
from tabletop.game import Game
from tabletop.game.game_view import GameView
from tabletop.game.parts import PARTS
from tabletop.game.protocol import PUBLIC
from tabletop.game.records import NOTED
from tabletop.units import LengthUnit

if TYPE_CHECKING:
    from tabletop.aar.html import Scheme
    from tabletop.aar.story import Story
    from tabletop.exports.parts import Plan
    from tabletop.game.jsonl import LogFile
    from tabletop.game.store import GameEntry
    from tabletop.tables.model import TableFile

PICTURE_PX = 1080
"""Width of a picture to share."""
MOST_STORIES = 4
DRAFT_S = 1800.0
"""How long a preview is available; a device's next one replaces it."""
MOST_DRAFTS = 200

ENDINGS = {
    "html": "-report.html", "pdf": "-report.pdf", "zip": "-report.zip", "markdown": "-report.md",
    "geojson": ".geojson", "uvtt": ".uvtt", "log": ".jsonl", "csv": ".csv", "picture": ".svg",
    "observation": "-observation.json",
}  # fmt: skip
"""What follows the game's name in the names of files."""

_HIDDEN_LOG = (
    "The log contains hidden information until the game is over: then everyone may have it. The report contains "
    "everything that may be known now."
)


@dataclass(frozen=True)
class Told:
    """A game as a viewer may see it: its packed ``log``, for the report in another process; ``key`` is everything that
    its story depends on, ``own`` as in :class:`ReportOut`."""

    log: bytes
    title: str
    game: Game
    key: Key
    own: bool


@dataclass(frozen=True)
class Draft:
    """A report to be previewed before it is made: the seat's, until that time of the clock."""

    id: str
    wish: PreviewWish
    until: float


class Reports:
    """The reports of a server's games. Any thread may call; ``clock`` counts seconds."""

    def __init__(self, services: Services, clock: Callable[[], float] = time.monotonic) -> None:
        self._services = services
        self._clock = clock
        self._work = services.work
        self._stories: OrderedDict[Key, Told] = OrderedDict()
        self._drafts: OrderedDict[tuple[str, str], Draft] = OrderedDict()
        self._lock = Lock()

    # --- contents ----------------------------------------------------------------------------------------------------

    def read_story(self, seat: Seat) -> Told:
        """The story of a seat's game so far, as the seat may see it; raises ReportError for an empty game."""
        entry, playing, viewer = (
            self._services.entry(seat.game),
            self._services.commands.game(seat.game),
            self._services.viewer(seat),
        )
        key = (entry.game, entry.created, entry.title, playing.seq, viewer)
        with self._lock:
            if key in self._stories:
                self._stories.move_to_end(key)
                return self._stories[key]
        seen = GameView(playing, viewer).retold()
        own = _notes(seen) != _notes(GameView(playing).retold())
        found = Told(packed(_log_of(entry, seen)), entry.title, playing, key, own)
        with self._lock:
            self._stories[key] = found
            while len(self._stories) > MOST_STORIES:
                self._stories.popitem(last=False)
        return found

    def count_chances(self, seat: Seat) -> ReportOut:
        """The report's outline, with its moments ranked by how much the actions of a finished game changed the chance
        to win; raises ConflictError for other games."""
        told = self.read_story(seat)
        if self._chances_of(told) == "none":
            raise ConflictError("Chances are computed for finished games, under rules that computers play out quickly.")
        need(self._work, self._chances_key(told), write_chances, told.log)
        return self.out(seat, chances=True)

    def _chances_key(self, told: Told) -> Key:
        return ("chances", *told.key)

    def _chances_of(self, told: Told) -> Chances:
        from tabletop.aar.chances import has_chances

        if told.game.outcome is None or not has_chances(told.game.ruleset.name):
            return "none"
        return "possible" if self._counted(told) is None else "counted"

    def _counted(self, told: Told) -> bytes | None:
        """A game's computed chances, where they are stored."""
        return self._work.kept(self._chances_key(told))

    def out(self, seat: Seat, *, chances: bool = False) -> ReportOut:
        """The contents for a report, and the available files; ``chances``: ranked by the chance to win, if known."""
        from tabletop.aar.captions import MAX_CAPTION

        told = self.read_story(seat)
        known, counted = self._chances_of(told), self._counted(told) if chances else None
        key = ("outline", *told.key, counted is not None)
        outline = json.loads(need(self._work, key, write_outline, told.log, counted))
        return ReportOut(
            seq=told.game.seq,
            over=told.game.outcome is not None,
            own=told.own,
            chances="possible" if known == "counted" and not chances else known,
            lengths=["short", "full"],
            most_caption=MAX_CAPTION,
            files=self._files(seat, told.game),
            **outline,
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

    def report(self, seat: Seat, wish: ReportWish | PreviewWish) -> bytes:
        """The requested report in its form; a preview is a page.

        Raises GoneOnError where the device saw an older game, ReportError and UnusableError for choices that don't fit.
        """
        told = self.read_story(seat)
        counted = self._counted(told) if wish.chances else None
        if (wish.seq is not None and wish.seq != told.game.seq) or (wish.chances and counted is None):
            raise GoneOnError(seat.game, wish.seq or 0, told.game.seq)
        title, captions = _title(wish.title), wish.captions.model_dump()

        form: Format = wish.format if isinstance(wish, ReportWish) else "html"
        scheme = wish.scheme if isinstance(wish, PreviewWish) else None
        leafed = isinstance(wish, ReportWish)  # nothing runs in a preview

        look = (title, wish.unit, wish.length, captions, wish.moments, form, scheme, leafed)
        key = ("report", *told.key, json.dumps(look, sort_keys=True), counted is not None)
        return need(self._work, key, write_report, told.log, counted, *look)

    # --- four pictures -----------------------------------------------------------------------------------------------

    def picture_story(self, seat: Seat) -> PictureStoryOut:
        """The game in about four pictures, with a paragraph each."""
        told = self.read_story(seat)
        photos = table_photos(self._services, seat)
        chapters = json.loads(need(self._work, ("chapters", *told.key), write_chapters, told.log))
        rows = []
        for number, chapter in enumerate(chapters, 1):
            since, until = chapter.pop("since"), chapter.pop("until")
            mine = (p.url for p in photos if _taken_by(p, until) and not _taken_by(p, since))
            rows.append(
                ChapterOut(
                    picture=f"{VERSIONED}/games/{seat.game}/report/pictures/{number}.png?seq={told.game.seq}",
                    photo=next(mine, None),
                    **chapter,
                )
            )
        return PictureStoryOut(seq=told.game.seq, title=told.title, own=told.own, chapters=rows)

    def chapter_picture(self, seat: Seat, number: int, unit: LengthUnit) -> bytes:
        """The map of one of those paragraphs as PNG, its lengths in ``unit``; raises NotThereError where no paragraph
        has that number."""
        told = self.read_story(seat)
        key = ("chapter", *told.key, number, unit)
        found = need(self._work, key, write_chapter_picture, told.log, number, unit)
        if not found.startswith(b"\x89PNG"):
            raise NotThereError(found.decode())
        return found

    # --- drafts ------------------------------------------------------------------------------------------------------

    def keep(self, seat: Seat, wish: PreviewWish) -> PreviewOut:
        """Store a draft to be previewed for a while, in place of the seat's draft before."""
        now = self._clock()
        draft = Draft(secrets.token_urlsafe(18), wish.model_copy(update={"seq": None}), now + DRAFT_S)
        with self._lock:
            self._drafts.pop((seat.seat, seat.game), None)
            self._drafts[seat.seat, seat.game] = draft
            while len(self._drafts) > MOST_DRAFTS or next(iter(self._drafts.values())).until <= now:
                self._drafts.popitem(last=False)
        return PreviewOut(address=f"{VERSIONED}/games/{seat.game}/report/preview/{draft.id}", seconds=int(DRAFT_S))

    def draft(self, seat: Seat, id_: str) -> PreviewWish:
        """A seat's own draft; raises NotThereError where it has expired."""
        with self._lock:
            found = self._drafts.get((seat.seat, seat.game))
        if found is None or found.id != id_ or found.until <= self._clock():
            raise NotThereError("This preview has expired: open the report's page and ask for it again.")
        return found.wish

    # --- exports -----------------------------------------------------------------------------------------------------

    def geojson(self, seat: Seat) -> bytes:
        """The public view of the table, in table inches."""
        return self._export("geojson", seat, write_geojson, self._services.table(seat.game).table)

    def _export(self, what: str, seat: Seat, write: Callable[..., bytes], *more: object) -> bytes:
        """A function's export from a whole game's log, and more that depends on the game and its table."""
        entry, playing = self._services.entry(seat.game), self._services.commands.game(seat.game)
        table_seq = self._services.event_store.last(table_of(seat.game))
        settled = [one for one in more if isinstance(one, str | bool)]
        key = (what, entry.game, entry.created, playing.seq, table_seq, *settled)
        return need(self._work, key, write, Later(lambda: packed(_log_of(entry, playing))), *more)

    def observation(self, seat: Seat) -> bytes:
        """The content of the last photo, with the players' corrections, as `tabletop observe` writes it; raises
        NotThereError without a photo that the seat may see."""
        if not self._sees_photo(seat):
            raise NotThereError("There is no photo of this table that you may see: take one first.")
        table = self._services.table(seat.game)
        key = ("observation", table.game, table.created, table.seq)
        return need(self._work, key, json_bytes, Later(table.observation))

    def _sees_photo(self, seat: Seat) -> bool:
        """Whether a photo was taken of the table of a seat's game that the seat may see."""
        taken = (
            self._services.event_store.last(table_of(seat.game)) > 0
            and self._services.table(seat.game).photo is not None
        )
        return taken and sees_photo(self._services, seat)

    def uvtt(self, seat: Seat, pieces: bool) -> bytes:
        """The public map for virtual tabletops; ``pieces`` are drawn on it or left out."""
        return self._export("uvtt", seat, write_uvtt, self._services.table(seat.game).table, pieces)

    def picture(self, seat: Seat) -> bytes:
        """The board as SVG; raises NotThereError for games of an open table."""
        from tabletop.exports.picture import SHEETS

        if self._services.entry(seat.game).rules not in SHEETS:
            raise NotThereError("This game is played on an open table, and its report has the maps: ask for that.")
        return self._export("picture", seat, write_picture)

    def log(self, seat: Seat) -> bytes:
        """The whole log; raises ConflictError while it contains hidden information."""
        from tabletop.game.jsonl import write_log

        entry, playing = self._services.entry(seat.game), self._services.commands.game(seat.game)
        if self._keeps_log(seat, playing):
            raise ConflictError(_HIDDEN_LOG)
        log = _log_of(entry, playing)
        return write_log(log.header, log.records)

    def log_csv(self, seat: Seat) -> bytes:
        """The whole log as a table for spreadsheets; raises ConflictError while it contains hidden information."""
        playing = self._services.commands.game(seat.game)
        if self._keeps_log(seat, playing):
            raise ConflictError(_HIDDEN_LOG)
        return self._export("csv", seat, write_log_csv, self._services.viewer(seat) or "")

    def _keeps_log(self, seat: Seat, playing: Game) -> bool:
        """Whether the log is kept from a seat: a host's by what that host may see, another's by what is public."""
        return GameView(playing, self._services.viewer(seat) if seat.is_host else PUBLIC).misses


def file_name(game: str, name: str) -> str:
    """The name of a downloaded file.

    >>> file_name("flank-attack", "pdf"), file_name("flank-attack", "uvtt")
    ('flank-attack-report.pdf', 'flank-attack.uvtt')
    """
    return f"{game}{ENDINGS[name]}"


def _taken_by(photo: TablePhoto, record: tuple[int, str] | None) -> bool:
    """Whether a photo was taken before the event that follows a record, by its number and time."""
    return record is not None and photo.precedes(record[0] + 1, second_of(record[1]))


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


def _log_of(entry: GameEntry, game: Game) -> LogFile:
    """The log of a game for its report."""
    from tabletop.game.jsonl import LogFile, LogHeader

    return LogFile(LogHeader(entry.rules, entry.version, entry.game, entry.title, entry.created), game.records)


def _tell(game: Game, title: str) -> Story:
    """The story of a game; raises ReportError for an empty one."""
    from tabletop.aar.adapters import report_adapter
    from tabletop.aar.story import tell

    return tell(game, report_adapter(game.ruleset.name), title=title or None)


# --- in the process that does heavy work -----------------------------------------------------------------------------


@lru_cache(maxsize=2)
def _story(log: bytes, chances: bytes | None = None, unit: LengthUnit = "in", title: str | None = None) -> Story:
    """The story of a packed log, its moments ranked by the chances that :func:`write_chances` wrote; raises ReportError
    for an empty game."""
    found = replace(_tell(game_of(log), title or unpacked(log).header.title), unit=unit)
    if chances is None:
        return found
    from tabletop.aar.chances import chances_from_json, with_chances

    return with_chances(found, chances_from_json(json.loads(chances)))


def write_outline(log: bytes, chances: bytes | None) -> bytes:
    """The contents for a report, as rows of :class:`ReportOut`."""
    from tabletop.aar.compose import deciding_moments, result, turn_totals, weightiest
    from tabletop.aar.figures import where
    from tabletop.words import capital

    story = _story(log, chances)
    short, full = ({m.number for m in found} for found in (deciding_moments(story), weightiest(story)))
    turns = [
        {
            "turn": turn.number,
            "title": f"Turn {turn.number}" if turn.number else "Before turn 1",
            "says": turn_totals(story, turn) if turn.number else "",
            "notes": [
                {"seq": entry.record.seq, "who": entry.quote.who, "text": entry.quote.text}
                for entry in turn.entries
                if entry.quote is not None
            ],
        }
        for turn in story.turns
    ]
    moments = [
        {
            "number": moment.number,
            "seq": moment.seqs[0],
            "turn": moment.clock.turn,
            "when": capital(where(story, moment.clock)),
            "says": " ".join(moment.sentences),
            "weight": moment.weight,
            "why": moment.why,
            "short": moment.number in short,
            "full": moment.number in full,
        }
        for moment in story.moments
    ]
    return json_bytes({"title": story.title, "result": result(story), "turns": turns, "moments": moments})


def write_report(
    log: bytes,
    chances: bytes | None,
    title: str | None,
    unit: LengthUnit,
    length: Length,
    captions: dict[str, Any],
    moments: list[int] | None,
    form: Format,
    scheme: Scheme | None,
    leafed: bool,
) -> bytes:
    """A report's file; raises ReportError for captions and moments that don't fit."""
    from tabletop.aar.captions import captions_of
    from tabletop.aar.compose import full_report, moments_by_number, short_report

    story = _story(log, chances, unit, title)
    told = captions_of(captions, "The report", turns=[turn.number for turn in story.turns], moments=len(story.moments))
    chosen = moments and [moment.number for moment in moments_by_number(story, moments)]
    document = (full_report if length == "full" else short_report)(story, told, chosen)
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


def write_chapters(log: bytes) -> bytes:
    """The paragraphs of the game in pictures, as rows of :class:`ChapterOut` with the records that bound them."""
    from tabletop.aar.picture_story import picture_story

    return json_bytes(
        [
            {
                "title": chapter.title,
                "says": chapter.text,
                "alt": chapter.figure.alt,
                "since": chapter.since and [chapter.since.seq, chapter.since.at],
                "until": [chapter.until.seq, chapter.until.at],
            }
            for chapter in picture_story(_story(log))
        ]
    )


def write_chapter_picture(log: bytes, number: int, unit: LengthUnit) -> bytes:
    """The picture of a paragraph as PNG; a sentence where it has no picture."""
    from geometry.drawing.png import png_bytes
    from tabletop.aar.picture_story import picture_story

    chapters = picture_story(_story(log, unit=unit))
    if number > len(chapters):
        return f"The story of this game has {len(chapters)} pictures: there is no picture {number}.".encode()
    return png_bytes(chapters[number - 1].figure.sheet, width_px=PICTURE_PX)


def write_geojson(log: bytes, table: TableFile) -> bytes:
    """A table as GeoJSON."""
    from tabletop.exports.geojson import feature_collection

    return json_bytes(feature_collection(_plan(log, table)))


def write_picture(log: bytes) -> bytes:
    """A board as SVG."""
    from tabletop.exports.picture import picture_bytes

    return picture_bytes(game_of(log), ".svg")


def write_log_csv(log: bytes, viewer: str) -> bytes:
    """A log as a table, as a viewer may see it; empty: a viewer from whom nothing is hidden."""
    from tabletop.exports.log_csv import log_csv

    return log_csv(GameView(game_of(log), viewer or None))


def write_chances(log: bytes) -> bytes:
    """How much the actions of a game changed the chance to win."""
    from tabletop.aar.chances import chances_json, count_chances

    return json_bytes(chances_json(count_chances(_story(log), game_of(log).ruleset.name)))


def write_uvtt(log: bytes, table: TableFile, pieces: bool) -> bytes:
    """A map for virtual tabletops."""
    from tabletop.exports.uvtt import universal_vtt

    return json_bytes(universal_vtt(_plan(log, table), pieces=pieces).data)


def _plan(log: bytes, table: TableFile) -> Plan:
    """The exported contents of a game; a board of cells that is placed on its table is exported there."""
    from tabletop.exports.plans import plan_of_game

    game = game_of(log)
    rules = game.ruleset.name
    grid = PARTS[rules].grid
    laid = table if table.overlay is not None and grid is not None and table.overlay.grid == grid else None
    return plan_of_game(rules, game.state, table=laid)
