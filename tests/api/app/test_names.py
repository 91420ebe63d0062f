"""Names and notes that are markup are words in all that leaves the server: no element, script or link comes of them."""

import io
import json
import re
import xml.etree.ElementTree as ET
import zipfile
from typing import Any

import pypdfium2
import pytest
from markdown_it import MarkdownIt

from geometry.drawing.scene import Letters, Look, Sheet
from geometry.drawing.svg import svg_text
from tests.api.conftest import Servers
from tests.support.api_games import Device
from tests.support.api_support import TABLE, Canned
from tests.support.evil_names import EVIL, NOTE, UNSEEN, evil_observation, evil_wish
from tests.support.photo_games import photographed
from tests.tabletop.aar.test_report import Checked

GAME = "/api/games/{game}/"


@pytest.fixture(scope="module")
def evening(servers: Servers) -> tuple[Device, str]:
    """A host, and the id of a game all of whose names are markup, with a photo and notes."""
    canned = Canned()
    canned.seen = evil_observation()
    place = servers(canned)
    game = place.begin(**evil_wish())["id"]
    assert photographed(place.host, game, f"{EVIL}.jpg")["state"] == "done"
    assert place.host.accept(game, measured=True)["seq"] > 2
    place.host.ask("POST", f"/api/games/{game}/notes", 201, json={"id": "note-0001", "text": NOTE})
    return place.host, game


def report(host: Device, game: str, **wish: Any) -> Any:
    answer = host.answer("POST", GAME.format(game=game) + "report", json={"length": "full", **wish})
    assert answer.status_code == 200 and UNSEEN not in answer.text
    assert re.fullmatch(r'attachment; filename="[\w.-]+"', answer.headers["content-disposition"])
    return answer


def check_page(html: str) -> None:
    page = Checked(html)
    assert not [link for link in page.links if not link.startswith("#") and not re.fullmatch(r"[\w/-]+\.\w+", link)]
    assert "<script>x" not in html and "evil.example" in page.text and 'x("&")' in page.text


def test_reports(evening: tuple[Device, str]) -> None:
    html = report(*evening, format="html").text
    page = Checked(html)
    assert page.tags.count("script") == 2
    assert all(link.startswith("#") for link in page.links)
    check_page(html)
    check_page(MarkdownIt("commonmark", {"html": True}).render(report(*evening, format="markdown").text))
    with zipfile.ZipFile(io.BytesIO(report(*evening, format="zip").content)) as archive:
        assert all(re.fullmatch(r"[\w.-]+", name) for name in archive.namelist())
        check_page(archive.read("post.html").decode())
        check_page(MarkdownIt("commonmark", {"html": True}).render(archive.read("post.md").decode()))
    data = report(*evening, format="pdf").content
    with pypdfium2.PdfDocument(data) as document:
        text = " ".join(page.get_textpage().get_text_range() for page in document)
    assert "<script>x" in text and "javascript:x" in text, "they are words"
    assert not re.search(rb"/(URI|JavaScript|JS|Launch|EmbeddedFile)\b", data), "and nothing else"


def test_what_other_programs_read(evening: tuple[Device, str]) -> None:
    host, game = evening
    at = GAME.format(game=game)
    for name in ("table.geojson", "table.uvtt", "observation.json", "report/pictures", "replay", "screen", "log"):
        answer = host.answer("GET", at + name)
        assert answer.status_code == 200 and "json" in answer.headers["content-type"] and answer.json()
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "\u202e" not in json.dumps(answer.json(), ensure_ascii=False)
    assert all(map(json.loads, host.answer("GET", at + "log.jsonl").text.splitlines()))
    toml = host.answer("GET", at + "table.toml")
    wish = {"id": "b" * 24, "table_name": "again.toml", "rules": "measure", "table_file": toml.text}
    assert host.ask("POST", "/api/games", 201, json=wish)["title"], "it is read back as it was"


def test_a_map_as_a_drawing() -> None:
    sheet = Sheet(0.0, 0.0, 4.0, 4.0, (Letters((1.0, 1.0), EVIL),), {"ink": Look()})
    drawn = list(ET.fromstring(svg_text(sheet, title=f"{EVIL} {UNSEEN}")).iter())
    assert not {"script", "img", "a", "foreignObject"} & {element.tag.rpartition("}")[2] for element in drawn}
    assert not [name for element in drawn for name in element.attrib if name.startswith("on") or "href" in name]
    assert [element.text for element in drawn if element.text and "=1+1" in element.text] == [f"{EVIL} ab", EVIL]


@pytest.mark.parametrize("name", ["two\nlines", "turned \u202egnp", "bell\x07", "x" * 81])
def test_a_name_that_does_not_show_is_refused_with_its_line(evening: tuple[Device, str], name: str) -> None:
    """Every photo of such a table would be refused otherwise."""
    wish = {"id": "d" * 24, "table_name": "a.toml", "rules": "measure"}
    table = TABLE.replace('"tank"\nside', f"{json.dumps(name, ensure_ascii=False)}\nside".replace("\x07", "\\u0007"))
    told = evening[0].answer("POST", "/api/games", json={**wish, "table_file": table})
    assert told.status_code == 422 and "at most 80 visible letters" in told.json()["detail"]
