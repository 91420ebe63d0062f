"""The report in its forms: what stands in it, that it is safe, sound and the same every time."""

import io
import json
import re
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pypdfium2
import pytest
from markdown_it import MarkdownIt
from PIL import Image

from tabletop.aar.adapters import report_adapter
from tabletop.aar.bundle import report_files
from tabletop.aar.captions import Captions, caption, read_captions
from tabletop.aar.compose import deciding_moments, full_report, result, short_report, weightiest
from tabletop.aar.data import story_json
from tabletop.aar.document import Document, Heading, Items, Para, Quotation
from tabletop.aar.errors import ReportError
from tabletop.aar.html import blog_post, html_page
from tabletop.aar.markdown import escape, markdown_text
from tabletop.aar.pdf import pdf_bytes
from tabletop.aar.story import Story, tell
from tabletop.game.jsonl import game_from_log, read_log
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.report_adapter import REPORT
from tests.paths import DATA
from tests.support.aar_games import SETUP, Log, bare, fired, played_log

EVIL = (
    '<script>alert("1")</script> <img src=x onerror=alert(1)> [go](javascript:alert(1)) ![p](http://evil.example/p.png)'
)
VOID = {"meta", "br", "img", "link", "hr", "input"}


def story_of(log: Log, **more: Any) -> Story:
    return tell(log.game, REPORT, **more)


@pytest.fixture(scope="module")
def full(story: Story) -> Document:
    said = Captions({1: caption("We *held* our breath.\n\n- one\n- two")}, {1: caption("**Boom.**")})
    return full_report(story, said)


@pytest.fixture(scope="module")
def files(story: Story) -> dict[str, bytes]:
    return report_files(short_report(story))


class Checked(HTMLParser):
    """Reads a page, and fails where an element is not closed in its turn or an attribute runs or loads something."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append(tag)
        self.elements.append((tag, found))
        assert not [name for name in found if name.startswith("on")], (tag, found)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found[name] or "" for name in ("href", "src") if name in found]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def pdf_text(data: bytes) -> tuple[int, str]:
    with pypdfium2.PdfDocument(data) as document:
        pages = [document[i].get_textpage().get_text_range() for i in range(len(document))]
    return len(pages), "\n".join(pages)


def test_chosen_moments_are_told_and_no_others(story: Story) -> None:
    numbers = [moment.number for moment in story.moments]
    assert len(numbers) >= 4
    for kept in ([], [2], [4, 1], numbers):
        document = full_report(story, moments=kept)
        told = [b.anchor for b in document.blocks if isinstance(b, Heading) and b.anchor.startswith("moment-")]
        assert told == [f"moment-{number}" for number in sorted(kept)], "the weightiest first"
        said = markdown_text(short_report(story, moments=kept))
        words = [str(escape(" ".join(story.moments[number - 1].sentences))) for number in numbers]
        at = [said.find(each) for each in words]
        assert [number for number, place in zip(numbers, at, strict=True) if place >= 0] == sorted(kept)
        in_order = sorted(kept, key=lambda number: story.moments[number - 1].seqs)
        assert sorted(kept, key=lambda number: at[number - 1]) == in_order, "in the order of the game"
    assert full_report(story, moments=[m.number for m in story.moments if m.number <= 6]) == full_report(story)
    assert short_report(story, moments=[m.number for m in deciding_moments(story)]) == short_report(story)
    assert [m.number for m in weightiest(story)] == numbers[:6]


def test_short_says_nothing_twice() -> None:
    log = Log(begun=False)
    document = short_report(story_of(log))
    assert [figure.name for figure in document.figures] == ["01-start"], "a game not begun ends as it starts"
    log.add(ev.Begun())
    log.step(1, "blue", "actions")
    log.add(fired(hits=8), ev.Destroyed("R1", "B1"), ev.Destroyed("R2", "B1"))
    text = markdown_text(short_report(story_of(log)))
    assert text.count("8 hits") == 2, "of the shot, and of the game, whose only turn says them no more"
    pictures = text.count("![")
    assert text.count("turn 1") == 3 + (pictures == 3), "the start and its picture, the moment, where the log ends"
    assert (
        "destroyed tank R1 (Red) and ATG R2 (Red). It weighs 92.6 %: R1 and R2, 2 of 3 units that Red had on the"
        in text
    )
    log.step(2, "blue", "actions")
    log.add(fired("B1", "R3", hits=6))
    text = markdown_text(short_report(story_of(log)))
    assert "It weighs 12.5 %: +0.5 hits against the average, of the 4 hits that Red could still take.\n" in text
    log.add(fired("B3", "R3", hits=0))
    assert "In the whole turn, Blue made 6 hits (11 expected)." in markdown_text(short_report(story_of(log)))


def test_words_of_a_player_are_never_lost_in_short(story: Story) -> None:
    said = Captions({0: caption("We begin."), 1: caption("Turn one."), 2: caption("Turn two.")}, {2: caption("Two!")})
    document = short_report(story, said, moments=[])
    assert [figure.name for figure in document.figures] == ["01-start", "02-turn-1", "03-turn-2", "04-end"]
    text = markdown_text(document)
    assert [text.count(f"> {words}") for words in ("We begin.", "Turn one.", "Turn two.", "Two!")] == [1, 1, 1, 0]


def test_a_moment_that_is_not_there_is_refused(story: Story) -> None:
    last = len(story.moments)
    for make in (full_report, short_report):
        with pytest.raises(ReportError, match=f"There is no moment 0 to tell: this game has moments 1 to {last}."):
            make(story, moments=[1, 0])
        with pytest.raises(ReportError, match=f"no moment {last + 1} to tell"):
            make(story, moments=[last + 1])
        with pytest.raises(ReportError, match="this game has no moments"):
            make(story_of(Log()), moments=[1])


def test_an_unfinished_game_and_one_not_begun_say_so() -> None:
    log = Log()
    assert result(story_of(log)) == "The game is not finished: the log ends in turn 1."
    for document in (full_report(story_of(log)), short_report(story_of(log))):
        assert "not finished" in markdown_text(document)
    fresh = story_of(Log(bare(), begun=False))
    assert result(fresh) == "The game has not begun yet."
    for document in (full_report(fresh), short_report(fresh)):
        Checked(html_page(document))
        assert pdf_bytes(document).startswith(b"%PDF")


def test_the_html_is_well_formed_and_asks_for_nothing(full: Document, story: Story) -> None:
    pages = html_page(full), html_page(short_report(story))
    for html in pages:
        page = Checked(html)
        assert re.findall(r"(?:https?:)?//\w[^\"'\s]*", html) == []
        assert "@import" not in html and "url(" not in html
        assert page.tags.count("script") == (2 if html is pages[0] else 0)
        assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
        assert len(page.ids) == len(set(page.ids))
        assert page.tags.count("svg") == len(re.findall("<figure>", html)) > 3
        assert "default-src 'none'" in html


def test_words_of_players_are_words_only() -> None:
    units = tuple(replace(u, name=EVIL) if u.id == "B1" else u for u in SETUP.units)
    log = Log(replace(SETUP, title=EVIL, units=units, side_titles=(EVIL, "")))
    log.note(EVIL)
    log.step(1, "blue", "actions")
    log.add(ev.Corrected("B1", EVIL, hits=3), actor="referee")
    log.add(ev.Held("farm", "blue"))
    said = Captions({1: caption(EVIL)}, {1: caption(EVIL)})
    for document in (full_report(story_of(log), said), short_report(story_of(log), said)):
        for html in (html_page(document), blog_post(document)):
            page = Checked(html)
            assert not {"script", "a"} & set(page.tags) or all(link.startswith("#") for link in page.links)
            assert "<script>alert" not in html and "onerror" not in re.sub(r">[^<]*<", "><", html)
            assert 'alert("1")' in page.text
        rendered = MarkdownIt("commonmark", {"html": True}).render(markdown_text(document))
        shown = Checked(rendered)
        assert "script" not in shown.tags and "a" not in shown.tags
        assert not [link for link in shown.links if "evil" in link or "javascript" in link]
        assert shown.text.count("alert(") >= 4


def test_captions_are_markdown_made_safe() -> None:
    html = caption(
        "# Big\n\n*a* **b** `c` <b>raw</b>\n\n- x\n- y\n\n> q\n\n[l](https://x.example) ![p](https://x.example/p)"
    ).html
    assert "https" not in html and "<a" not in html and "<img" not in html and "<h1" not in html
    assert "<em>a</em> <strong>b</strong> <code>c</code> &lt;b&gt;raw&lt;/b&gt;" in html
    assert "<li>x</li>" in html and "<blockquote>" in html and "Big" in html and "<p>l </p>" in html
    runs = caption("*a* **b**\n\n- x").paragraphs
    assert [(run.text, run.bold, run.italic) for run in runs[0]] == [
        ("a", False, True),
        (" ", False, False),
        ("b", True, False),
    ]
    assert "".join(run.text for run in runs[1]) == "- x"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[turns]\n9 = 'x'", "captions.toml: there is no turn 9 to caption; this game has turns 0 to 2."),
        ("[moments]\n7 = 'x'", "captions.toml: there is no moment 7 to caption; this game has moments 1 to 3."),
        ("[moments]\none = 'x'", "captions.toml: there is no moment one to caption; this game has moments 1 to 3."),
        ("[turns]\n1 = 3", 'captions.toml: the caption of turn 1 must be a text, as 1 = "A near thing."'),
        ("[turns]\n1 = ' '", 'captions.toml: the caption of turn 1 must be a text, as 1 = "A near thing."'),
        ("turns = 1", 'captions.toml: [turns] must be a table of numbers with texts, as 3 = "A near thing."'),
        ("[turn]\n1 = 'x'", 'captions.toml: unknown key "turn"; did you mean "turns"?'),
        ("[turns\n", "captions.toml, line 1: this is not valid TOML"),
        ("[turns]\n1 = '" + "x" * 4001 + "'", "captions.toml: the caption of turn 1 has 4001 characters; at most 4000"),
    ],
)
def test_captions_that_fit_nothing_are_refused(text: str, message: str) -> None:
    with pytest.raises(ReportError) as refusal:
        read_captions(text.encode(), "captions.toml", turns=[0, 1, 2], moments=3)
    assert str(refusal.value).startswith(message)


@pytest.mark.parametrize(
    "text",
    [
        "1. x",
        "- x",
        "+ x",
        "# x",
        "= x",
        "a | b",
        "*x*",
        "_x_",
        "[x](y)",
        "<b>",
        "&amp;",
        "\\",
        "`x`",
        "a & b",
        "~~x~~",
    ],
)
def test_markdown_of_a_text_renders_as_the_text(text: str) -> None:
    assert Checked(MarkdownIt("commonmark").render(escape(text))).text == text
    assert Checked(MarkdownIt("commonmark").render(escape(text))).tags == ["p"]


def test_the_pdf_has_the_pages_with_words_numbers_and_drawings(full: Document) -> None:
    pages, text = pdf_text(pdf_bytes(full))
    assert 3 <= pages <= 12
    flat = " ".join(text.split())
    assert "The Crossing" in flat and f"1 / {pages}" in flat and f"{pages} / {pages}" in flat
    assert '1st Troop (B1) fired at tank R1 at 10.4": a 5 (tank against tank +2) made 7 hits, 5.5 expected.' in flat
    assert "What a *shot*!" in flat and "We held our breath." in flat
    with pypdfium2.PdfDocument(pdf_bytes(full)) as document:
        first = np.asarray(document[0].render(scale=1).to_pil().convert("RGB"))
    assert ((first[..., 2] > 130) & (first[..., 0] < 60)).sum() > 100, "the map's blue units"


@pytest.mark.slow
def test_a_long_game_fills_its_pages() -> None:
    game = game_from_log(read_log((DATA / "replays/flank-attack.jsonl").read_bytes(), "flank-attack"))
    told = tell(game, REPORT)
    with pypdfium2.PdfDocument(pdf_bytes(full_report(told))) as document:
        pages = [np.asarray(page.render(scale=1).to_pil().convert("L")) for page in document]
    assert 10 <= len(pages) <= 14
    high = pages[0].shape[0]
    for number, page in enumerate(pages[:-1], 1):
        assert (page[high // 2 : int(0.9 * high)] < 200).any(axis=1).mean() > 0.4, f"page {number} is half empty"
    assert pdf_text(pdf_bytes(short_report(told)))[0] == 2


def test_words_that_are_longer_than_a_column_go_on_in_the_next() -> None:
    long = " ".join(f"word{number}" for number in range(3000))
    blocks = (Heading(2, "One", "one"), Para(long), Quotation(long[:4000], "somebody"), Items((long[:9000],)))
    pages, text = pdf_text(pdf_bytes(Document("Long", "Report", blocks, "2026-01-01T00:00:00+00:00")))
    found = re.findall(r"word\d+", text)
    assert pages > 3 and found[:3000] == long.split() and found.count("word7") == 3


def test_letters_that_the_pdf_lacks_do_not_stop_it() -> None:
    log = Log(replace(SETUP, title="Битва за Łódź \u201cÄ\u201d 中文 \U0001f600"))
    log.note("Привет\u0000 \ud83d — “done”")
    document = full_report(story_of(log))
    text = pdf_text(pdf_bytes(document))[1]
    assert "Ä" in text and "Lódz" in text.replace("ó", "ó") and 'shown as "?"' in text
    Checked(html_page(document))
    assert "Битва" in markdown_text(document)
    assert 'shown as "?"' not in pdf_text(pdf_bytes(full_report(story_of(Log()))))[1]


def test_the_zip_for_a_blog(files: dict[str, bytes], story: Story) -> None:
    with zipfile.ZipFile(io.BytesIO(files["blog.zip"])) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        pictures = ["01-start.png", "02-turn-1.png", "03-turn-2.png", "04-end.png"]
        assert names == [*pictures, "captions.txt", "post.html", "post.md"]
        for name in pictures:
            with Image.open(io.BytesIO(archive.read(name))) as image:
                assert image.width == 1400 and image.height > 1400
        html, text = archive.read("post.html").decode(), archive.read("post.md").decode()
        captions = archive.read("captions.txt").decode().splitlines()
    post = Checked(html)
    assert not {"html", "head", "body", "style", "script", "link", "meta", "svg"} & set(post.tags)
    assert post.links == pictures and "style=" not in html
    assert re.findall(r"\]\(([^)]+)\)", text) == pictures
    assert [line.split(": ")[0] for line in captions] == pictures
    assert captions[0] == "01-start.png: The table at the start of turn 1."


def test_the_same_log_makes_the_same_bytes(files: dict[str, bytes]) -> None:
    again = report_files(short_report(story_of(played_log())))
    assert [name for name in files if files[name] != again[name]] == []


def test_the_story_as_data_is_the_storys(story: Story) -> None:
    data = json.loads(json.dumps(story_json(story), allow_nan=False))
    assert (data["title"], data["rules"]) == ("The Crossing", "One-Hour Wargames: WWII")
    told = [entry for turn in data["turns"] for phase in turn["phases"] for entry in phase["entries"]]
    said = [sentence for entry in told for sentence in entry.get("sentences", [])]
    assert said == [sentence for entry in story.entries for sentence in entry.sentences]
    assert data["outcome"] == {"winner": "blue", "reason": "Red conceded in turn 2."}
    assert data["running_luck"]["blue"] == pytest.approx([1.5, 1.5 + 0.5 + 1.5])
    kinds = {record.seq: record.kind for record in played_log().records}
    assert all(kinds[entry["seq"]] == entry["kind"] for entry in told)
    assert all(seq in kinds for moment in data["moments"] for seq in moment["seqs"])
    assert data["log"] == {"records": len(kinds), "retracted": 2, "notes": 1, "photos": 2}


def test_rules_that_nobody_tells_are_refused() -> None:
    assert report_adapter("one-hour-ww2") is REPORT
    with pytest.raises(ReportError, match="No report tells games"):
        report_adapter("chess")
