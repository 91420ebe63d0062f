"""Where live pictures come from: videos, folders, cameras and streams that fail and come back."""

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.live.frames import (
    Capture,
    FolderSource,
    Frame,
    Lost,
    Resumed,
    Skipped,
    SourceConfig,
    SourceError,
    VideoFile,
)
from vision.live.streams import Grabber, LiveSource, _stream, open_source, without_password
from vision.model.errors import VisionError

Pixels = np.ndarray


def plain(level: int, size: tuple[int, int] = (800, 600)) -> Pixels:
    """A grey picture with a brighter square in it."""
    image = np.full((size[1], size[0], 3), level, np.uint8)
    image[100:200, 100:200] = 200
    return image


def video(path: Path, levels: list[int], fps: float = 10.0) -> Path:
    """A Motion JPEG film of grey pictures."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (800, 600))
    for level in levels:
        writer.write(plain(level))
    writer.release()
    return path


def test_a_video_is_read_to_its_end_at_the_rate_that_is_looked_at(tmp_path: Path) -> None:
    source = open_source(str(video(tmp_path / "film.avi", list(range(20, 220, 10)))))
    assert isinstance(source, VideoFile) and source.name == "film.avi"
    got = []
    while not source.ended:
        frame = source.read(0.0)
        assert isinstance(frame, Frame)
        got.append(frame)
    assert [round(frame.at_s, 3) for frame in got] == [round(0.2 * k, 3) for k in range(10)]
    assert [int(frame.image[0, 0, 0]) for frame in got] == pytest.approx(list(range(20, 220, 20)), abs=2)
    assert got[0].size == (800, 600) and got[3].name == "film.avi, frame 7"
    assert source.read(9.9) is None
    source.close()


@pytest.mark.parametrize("content", [b"", b"This is no film.\n" * 50])
def test_what_is_no_video_is_one_sentence(tmp_path: Path, content: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"^film.mp4 can't be played as a video: give an MP4, MOV or AVI file\.$"):
        open_source(str(path))


def test_what_nobody_can_watch_is_one_sentence(tmp_path: Path) -> None:
    photo = tmp_path / "table.jpg"
    cv2.imwrite(str(photo), plain(90))
    for given_name, word in ((str(photo), "is a photo, not a video"), (str(tmp_path / "none.mp4"), "check its name")):
        with pytest.raises(VisionError, match=word) as refused:
            open_source(given_name)
        assert str(refused.value).endswith(".") and "\n" not in str(refused.value)


def photo(path: Path, level: int, mtime_s: int) -> None:
    cv2.imwrite(str(path), plain(level))
    os.utime(path, (mtime_s, mtime_s))


def polled(source: FolderSource, *times_s: float) -> list[Frame | Skipped | None]:
    return [source.read(t) for t in times_s]


def test_new_photos_of_a_folder_are_read_once_they_are_complete_and_in_order(tmp_path: Path) -> None:
    photo(tmp_path / "old.jpg", 50, 100)
    source = FolderSource(tmp_path)
    assert polled(source, 0.0, 2.0) == [None, None]
    photo(tmp_path / "b.png", 120, 300)
    photo(tmp_path / "a.jpg", 90, 400)
    (tmp_path / "notes.txt").write_text("no photo")
    photo(tmp_path / ".a-part.jpg", 90, 400)
    assert polled(source, 3.0, 3.5) == [None, None]
    first, second, none = polled(source, 4.0, 4.0, 6.0)
    assert isinstance(first, Frame) and first.name == "b.png" and first.photo is not None
    assert isinstance(second, Frame) and second.name == "a.jpg" and int(second.image[0, 0, 0]) == 90
    assert none is None and first.photo.name == "b.png"


def test_a_photo_that_still_grows_is_not_touched(tmp_path: Path) -> None:
    source = FolderSource(tmp_path)
    source.read(0.0)
    photo(tmp_path / "whole.jpg", 90, 100)
    data = (tmp_path / "whole.jpg").read_bytes()
    (tmp_path / "whole.jpg").unlink()
    growing = tmp_path / "growing.jpg"
    for k in range(1, 5):
        growing.write_bytes(data[: len(data) * k // 4])
        os.utime(growing, (100 + k, 100 + k))
        assert source.read(float(k)) is None
    assert source.read(4.9) is None
    assert isinstance(source.read(5.1), Frame)


def test_a_damaged_photo_is_skipped_with_one_sentence_and_read_when_it_is_whole(tmp_path: Path) -> None:
    source = FolderSource(tmp_path)
    source.read(0.0)
    photo(tmp_path / "p.jpg", 90, 100)
    data = (tmp_path / "p.jpg").read_bytes()
    (tmp_path / "p.jpg").write_bytes(data[: len(data) // 2])
    skipped = polled(source, 1.0, 2.5)[1]
    assert isinstance(skipped, Skipped)
    assert skipped.why.startswith("p.jpg is skipped.") and "cut short" in skipped.why and "\n" not in skipped.why
    assert polled(source, 3.0, 5.0) == [None, None]
    (tmp_path / "p.jpg").write_bytes(data)
    os.utime(tmp_path / "p.jpg", (200, 200))
    assert isinstance(polled(source, 6.0, 7.5)[1], Frame)


def test_a_folder_that_goes_away_is_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    source = open_source(str(folder))
    assert source.read(0.0) is None and not source.ended
    folder.rmdir()
    with pytest.raises(SourceError, match=r"is gone: make it again, or name another one\.$"):
        source.read(1.0)


class FakeLink:
    """A connection as a list says: pictures, ``None`` for silence, ``failed`` after the last."""

    def __init__(self, pictures: list[Pixels | None], hangs: bool = False) -> None:
        self.pictures, self.hangs, self.closed = pictures, hangs, False

    @property
    def failed(self) -> bool:
        return not self.pictures and not self.hangs

    def take(self) -> Pixels | None:
        return self.pictures.pop(0) if self.pictures else None

    def close(self) -> None:
        self.closed = True


def nothing() -> Capture:
    raise AssertionError("a fake link connects to nothing")


def live(*links: FakeLink, name: str = "http://10.0.0.7/video", config: SourceConfig | None = None) -> LiveSource:
    """A source that gets these connections, one after another."""
    waiting = list(links)
    return LiveSource(name, nothing, config, link=lambda connect: waiting.pop(0))


def asked(source: LiveSource, times_s: Iterator[float] | list[float]) -> list[tuple[float, object]]:
    got = [(round(t, 2), source.read(t)) for t in times_s]
    return [(t, one) for t, one in got if one is not None]


def ticks(start_s: float, end_s: float, step_s: float = 0.1) -> list[float]:
    return list(np.arange(start_s, end_s, step_s))


def test_a_stream_is_looked_at_no_more_often_than_wanted() -> None:
    got = asked(live(FakeLink([plain(k) for k in range(1, 90)])), ticks(0.0, 5.0, 0.05))
    assert all(isinstance(one, Frame) for _, one in got)
    assert 20 <= len(got) <= 26


def test_a_dropped_stream_is_told_once_and_tried_again_after_longer_and_longer_pauses() -> None:
    links = [FakeLink([plain(1), plain(2)]), FakeLink([]), FakeLink([]), FakeLink([plain(3), plain(4)], hangs=True)]
    got = asked(live(*links), ticks(0.0, 12.0))
    assert [type(one) for _, one in got] == [Frame, Frame, Lost, Resumed, Frame, Frame]
    lost, resumed = got[2][1], got[3][1]
    assert isinstance(lost, Lost)
    assert lost.why == (
        "http://10.0.0.7/video sends no more pictures: check the phone, its camera app and the network; it is tried "
        "again."
    )
    assert isinstance(resumed, Resumed) and 1 + 2 + 4 <= resumed.away_s < 1 + 2 + 4 + 1.0
    assert [link.closed for link in links] == [True, True, True, False]


def test_a_stream_that_falls_silent_or_freezes_is_lost() -> None:
    silent = asked(live(FakeLink([plain(1)], hangs=True), FakeLink([], hangs=True)), ticks(0.0, 14.0))
    assert [type(one) for _, one in silent] == [Frame, Lost] and 10.0 < silent[1][0] < 10.5
    frozen = asked(
        live(FakeLink([plain(7)] * 500), FakeLink([plain(8)] * 5), config=SourceConfig(frozen_s=20.0)), ticks(0.0, 22.0)
    )
    told = [(t, one) for t, one in frozen if not isinstance(one, Frame)]
    assert [type(one) for _, one in told] == [Lost, Resumed]
    first = told[0][1]
    assert isinstance(first, Lost) and 20.0 < told[0][0] < 20.6
    assert "the very same picture for 20 seconds: wake the phone" in first.why


@pytest.mark.parametrize(
    ("name", "word"), [("camera 3", "plugged in"), ("rtsp://10.0.0.9/live", "camera app is sending")]
)
def test_a_source_that_never_gave_a_picture_is_one_sentence(name: str, word: str) -> None:
    source = live(FakeLink([]), name=name)
    with pytest.raises(SourceError, match=word) as refused:
        asked(source, ticks(0.0, 2.0))
    assert name in str(refused.value) and str(refused.value).endswith(".")
    hanging = live(FakeLink([], hangs=True), name=name)
    assert asked(hanging, ticks(0.0, 9.0)) == []
    with pytest.raises(SourceError, match=word):
        asked(hanging, ticks(9.0, 11.0))


@settings(max_examples=20)
@given(st.lists(st.sampled_from(["picture", "silence", "drop"]), min_size=1, max_size=40))
def test_whatever_a_stream_does_lost_and_resumed_alternate(story: list[str]) -> None:
    links: list[FakeLink] = [FakeLink([plain(1, (40, 210))])]
    for k, what in enumerate(story):
        if what == "drop":
            links.append(FakeLink([]))
        links[-1].pictures += [plain(2 + k, (40, 210))] if what == "picture" else [None] * 30
    links[-1].hangs = True
    source = live(*links, *[FakeLink([], hangs=True)] * 40)
    got = [one for _, one in asked(source, ticks(0.0, 200.0, 0.25))]
    breaks = [type(one) for one in got if not isinstance(one, Frame)]
    assert breaks == [Lost, Resumed] * (len(breaks) // 2) + [Lost] * (len(breaks) % 2)


class FakeCapture:
    """A camera that has only so many pictures: it tells when they are gone, and fails when it is let."""

    def __init__(self, pictures: int) -> None:
        self.left, self.retrieved, self.released = pictures, 0, False
        self.at_the_end, self.may_fail = threading.Event(), threading.Event()

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def grab(self) -> bool:
        self.left -= 1
        if self.left == 0:
            self.at_the_end.set()
            self.may_fail.wait(60.0)
        return self.left > 0

    def retrieve(self) -> tuple[bool, Pixels]:
        self.retrieved += 1
        return True, plain(self.left % 250)

    def get(self, propId: int) -> float:
        return 0.0

    def release(self) -> None:
        self.released = True


def test_the_grabber_decodes_only_what_is_taken_and_lets_go_at_the_end() -> None:
    camera = FakeCapture(500)
    grabber = Grabber(lambda: camera)
    assert camera.at_the_end.wait(60.0)
    assert camera.retrieved == 1 and not grabber.failed
    assert grabber.take() is not None and grabber.take() is None
    camera.may_fail.set()
    grabber.close()
    grabber._thread.join(60.0)  # on a busy machine it may outlast what ``close`` gives it
    assert grabber.failed and camera.released


def test_addresses_are_shown_without_passwords() -> None:
    assert without_password("http://user:pw@192.168.1.5:8080/video?token=abc") == "http://192.168.1.5:8080/video"
    assert open_source("http://user:pw@192.168.1.5:8080/video").name == "http://192.168.1.5:8080/video"
    assert open_source("2").name == "camera 2"


@pytest.mark.parametrize("given", ["file:///etc/passwd", "ftp://10.0.0.7/a.mp4", "concat://a", "gopher://me:secret@x/"])
def test_an_address_is_one_of_a_stream(given: str) -> None:
    with pytest.raises(SourceError, match=r"begins with rtsp:// or http://") as refused:
        open_source(given)
    assert "secret" not in str(refused.value)


class Web(BaseHTTPRequestHandler):
    """A camera's pictures, and addresses that send on to them, at once or as a list."""

    asked: ClassVar[list[str]] = []

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.asked.append(self.path)
        own = f"http://127.0.0.1:{self.server.server_address[1]}"
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", f"{own}/video")
            self.end_headers()
            return
        body, kind = b"", "multipart/x-mixed-replace; boundary=b"
        if self.path == "/list.m3u8":
            body = f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{own}/video\n#EXT-X-ENDLIST\n".encode()
            kind = "application/vnd.apple.mpegurl"
        elif self.path == "/video":
            picture = cv2.imencode(".jpg", np.full((120, 160, 3), 90, np.uint8))[1].tobytes()
            head = b"--b\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(picture)
            body = (head + picture + b"\r\n") * 20
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(body)


def test_what_answers_at_an_address_leads_nowhere_else(capfd: pytest.CaptureFixture[str]) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Web)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for path, opens in (("/video", True), ("/moved", False), ("/list.m3u8", False)):
        Web.asked.clear()
        capture = _stream(f"http://127.0.0.1:{server.server_address[1]}{path}", SourceConfig(silent_s=60.0))
        assert capture.isOpened() is opens, path
        capture.release()
        assert set(Web.asked) == {path}
    server.shutdown()
    server.server_close()
    capfd.readouterr()  # what FFmpeg says of those that it can't open
