"""``tabletop watch``: a camera, stream, video or folder, and an observation whenever the table has changed."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from tabletop.cli.output import JsonOut, Quiet, check_target
from tabletop.cli.photos import CameraFile, KnownThings, Table, name_by_previous, seen_in_words
from tabletop.files import check_folder, json_bytes, write_files

if TYPE_CHECKING:
    from tabletop.reconcile.table_news import TableNews
    from tabletop.tables.model import TableFile
    from vision import Observation
    from vision.imaging.photo import Photo
    from vision.live.frames import Lost, Resumed, Skipped, Source
    from vision.live.motion import Place
    from vision.live.watcher import Event, Verdict, Watcher

    Happening = Event[TableNews] | Lost | Resumed | Skipped

_PAUSE_S = 0.05  # between two polls of a source that had nothing new


def watch(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A camera's number (0), a stream's address (rtsp:// or http://), a video file, or a folder that gets "
            "photos.",
        ),
    ],
    table: Table,
    camera: CameraFile = None,
    collection: KnownThings = None,
    out: Annotated[
        Path | None, typer.Option(help="A folder for OBS-0001.json, OBS-0002.json ... and their frames.")
    ] = None,
    json_out: JsonOut = None,
    once: Annotated[bool, typer.Option("--once", help="Stop after the first observation.")] = False,
    quiet: Quiet = False,
) -> None:
    """Watch the table: whenever hands have left and something has changed, report the change and the place of every
    base.

    With --json each observation is one line. Ctrl-C or SIGTERM ends it.
    """
    import os
    import signal

    for name in ("OPENCV_LOG_LEVEL", "OPENCV_FFMPEG_LOGLEVEL"):
        os.environ.setdefault(name, "OFF" if name.endswith("LOG_LEVEL") else "-8")
    from tabletop.referee import judging as work
    from vision.live.streams import open_source

    target = check_target(json_out)
    if out is not None:
        check_folder(out)
    roster = work.load_for_photo(table)
    told = _Told(roster, out, target, to_stdout=json_out == "-", quiet=quiet)
    pictures = open_source(source)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        watcher = told.watcher(work.load_camera(camera), work.load_collection(collection))
        for happening in _happenings(pictures, watcher, told):
            if told.tell(happening) and once:
                break
        else:
            told.say(f"{pictures.name} has ended.")
    except KeyboardInterrupt:
        told.say("")
    finally:
        signal.signal(signal.SIGTERM, before)
        pictures.close()
    told.say(f"{told.count} observation{'' if told.count == 1 else 's'}.")


def _happenings(source: Source, watcher: Watcher[TableNews], told: _Told) -> Iterator[Happening]:
    """All events until the source ends; watching is reported once the source gives pictures, or may."""
    from vision.live.frames import FolderSource, Frame

    said = False
    while True:
        got = source.read(time.monotonic())
        if not said and isinstance(got if got is not None else source, Frame | FolderSource):
            said = True
            told.say(f"Watching {source.name}. Ctrl-C ends it.")
        if isinstance(got, Frame):
            yield from watcher.see(got)
        elif got is not None:
            yield got
        elif source.ended:
            return
        else:
            time.sleep(_PAUSE_S)


class _Told:
    """The output, and the last reported observation."""

    def __init__(
        self, roster: TableFile, out: Path | None, lines: Path | None, *, to_stdout: bool, quiet: bool
    ) -> None:
        self.count = 0
        self._roster, self._out, self._lines = roster, out, lines
        self._to_stdout, self._quiet = to_stdout, quiet
        self._last: Mapping[str, Any] | None = None
        self._quietly = False  # the lack of changes was reported
        self._first = 1 if out is None else _next_number(out)
        if lines is not None:
            write_files({lines: b""})

    def watcher(self, camera: Any, collection: Any = None) -> Watcher[TableNews]:
        """The watcher of this table; its news are reported."""
        from tabletop.reconcile.ground_before import with_ground
        from tabletop.referee.judging import expected_from
        from vision.live.watcher import Watcher
        from vision.pipeline.one_photo import observe

        expected = expected_from(self._roster)

        def look(photo: Photo) -> Observation:
            known = self._roster if self._last is None else with_ground(self._roster, self._last)
            return observe(photo, expected_from(known, self._last, collection), camera=camera)

        return Watcher(expected, look, self.judge, camera=camera)

    def judge(self, seen: Observation, places: tuple[Place, ...] | None) -> Verdict[TableNews]:
        """Whether an observation is news, with the names that the previous one makes certain."""
        from tabletop.changes.proposals import KNOWN, seeing_of
        from tabletop.identity.table_snapshot import samples, sighting_from_json
        from tabletop.reconcile.table_news import news_between
        from tabletop.referee.judging import rules_of
        from vision.live.watcher import Verdict

        if self._last is None:
            return Verdict(seen, True)
        named, _ = name_by_previous(seen, self._last, self._roster)
        rules = rules_of(self._roster)
        news = news_between(
            self._last,
            named.to_json(),
            None if places is None else [place.outline for place in places],
            seeing_of(rules).limits() if rules in KNOWN else None,
            elsewhere=samples(self._roster, sighting_from_json(self._last)),
        )
        return Verdict(named, bool(news), news, news.doubt)

    def tell(self, happening: Happening) -> bool:
        """Report an event; returns whether it was an observation, which is written as well."""
        from vision.live.frames import Lost, Resumed, Skipped
        from vision.live.watcher import HandSeen, Observed, Unchanged, Waiting

        said_before, self._quietly = self._quietly, isinstance(happening, Unchanged)
        match happening:
            case Observed():
                self._last = happening.observation.to_json()
                self._write(self._last, happening.photo, happening.jpeg)
                self._say_observed(happening.observation, happening.changes)
                return True
            case Waiting(why=why) | Lost(why=why) | Skipped(why=why):
                self.say(why)
            case HandSeen(where=where):
                self.say(f"A hand is over {where}.")
            case Unchanged() if not said_before:
                self.say("The table is unchanged.")
            case Resumed(away_s=away):
                self.say(f"Pictures come again, after {away:.0f} seconds.")
        return False

    def say(self, text: str) -> None:
        """A line for people: on standard error where standard output holds the JSON."""
        if not self._quiet:
            typer.echo(text, err=self._to_stdout)

    def _say_observed(self, seen: Observation, news: TableNews | None) -> None:
        if news is None:
            self.say(f"Observation {self.count}: {seen_in_words(seen, self._roster)}")
            return
        self.say(f"Observation {self.count}:\n{news_in_words(news, self._roster)}")

    def _write(self, observed: Mapping[str, Any], photo: Photo, jpeg: bytes | None) -> None:
        self.count += 1
        line = json.dumps(observed, ensure_ascii=False, allow_nan=False)
        if self._to_stdout:
            typer.echo(line)
        if self._lines is not None:
            _append(self._lines, line)
        if self._out is not None:
            self._out.mkdir(parents=True, exist_ok=True)
            files = {self._out / f"OBS-{self._first + self.count - 1:04d}.json": json_bytes(observed)}
            if jpeg is not None:
                files[self._out / photo.name] = jpeg
            write_files(files)


def news_in_words(news: TableNews, table: TableFile) -> str:
    """The news of the table, in lines."""
    from tabletop.changes.proposals import KNOWN, seeing_of
    from tabletop.cli.diff_text import changes_in_words
    from tabletop.referee.judging import rules_of

    rules = rules_of(table)
    rulings = seeing_of(rules).judge(news.changes, None) if rules in KNOWN else {}
    lines = [changes_in_words(news.changes, rulings)] if news.changes.units else []
    for marker in news.markers:
        x, y = marker.center
        lines.append(f"A marker ({marker.means}) is at ({x:.1f}, {y:.1f}), beside no unit.")
    return "\n".join([*lines, *map(str, news.dice)])


def _append(path: Path, line: str) -> None:
    file: TextIO
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def _next_number(folder: Path) -> int:
    """The number after the last observation in a folder."""
    names = [path.name for path in folder.glob("OBS-*.json")] if folder.is_dir() else []
    numbers = [int(found[1]) for name in names if (found := re.fullmatch(r"OBS-(\d+)\.json", name))]
    return max(numbers, default=0) + 1
