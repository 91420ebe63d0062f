"""Reports and exports of games on the server: what there is to tell, choices, files, previews, what stays hidden."""

import csv
import io
import zipfile
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from api.auth.seats import SERVER
from api.errors import NotThereError
from api.reports.reporting import DRAFT_S, Reports
from api.schemas.reports import PreviewWish
from geometry.drawing.png import png_bytes
from tabletop.aar.adapters import report_adapter
from tabletop.aar.blog import blog_zip
from tabletop.aar.captions import Captions, caption
from tabletop.aar.compose import deciding_moments, full_report, short_report, weightiest
from tabletop.aar.html import html_page
from tabletop.aar.markdown import markdown_text
from tabletop.aar.pdf import pdf_bytes
from tabletop.aar.picture_story import picture_story
from tabletop.aar.story import Story, tell
from tabletop.exports.geojson import feature_collection
from tabletop.exports.plans import plan_of_game
from tabletop.files import json_bytes
from tabletop.game import Game
from tabletop.game.jsonl import read_log
from tabletop.game.store import GameEntry
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.setup import Setup
from tests.api.conftest import Servers
from tests.support.aar_games import played_log
from tests.support.api_games import Device, Place
from tests.tabletop.game.test_hidden_information import BOARD

FORMS = {"html": "text/html", "pdf": "application/pdf", "zip": "application/zip", "markdown": "text/markdown"}
AT = "2026-05-02T14:00:00+00:00"


def crossing(place: Place, game: str = "crossing") -> str:
    """A game of two turns with everything in it, that has ended."""
    place.services.event_store.create(GameEntry(game, "one-hour-ww2", 1, "The Crossing", AT), played_log().records)
    return game


@pytest.fixture(scope="module")
def place(shared: Place) -> Place:
    crossing(shared)
    shared.one_hour("fresh")
    shared.hexes("hexes")
    return shared


@pytest.fixture(scope="module")
def story() -> Story:
    return tell(played_log().game, report_adapter("one-hour-ww2"), title="The Crossing")


def made(device: Device, game: str, **wish: Any) -> str:
    answer = device.answer("POST", f"/api/games/{game}/report", json={"format": "markdown", **wish})
    assert answer.status_code == 200, answer.text
    return answer.text


def refused(device: Device, game: str, status: int = 422, **wish: Any) -> str:
    return str(device.ask("POST", f"/api/games/{game}/report", status, json=wish)["detail"])


def test_turns_notes_and_moments_are_those_of_the_story(place: Place, story: Story) -> None:
    told = place.host.get("/api/games/crossing/report")
    assert (told["title"], told["over"], told["own"], told["lengths"]) == (
        "The Crossing", True, False, ["short", "full"],
    )  # fmt: skip
    assert told["result"] == "Blue won. Red conceded in turn 2."
    assert [turn["turn"] for turn in told["turns"]] == [turn.number for turn in story.turns]
    assert "Blue made" in next(turn["says"] for turn in told["turns"] if turn["turn"] == 1)
    notes = [note for turn in told["turns"] for note in turn["notes"]]
    assert [(note["who"], note["text"]) for note in notes] == [("Blue", "What a *shot*!\nSee <b>this</b> & that")]
    assert [(m["number"], m["seq"], m["says"], m["weight"]) for m in told["moments"]] == [
        (m.number, m.seqs[0], " ".join(m.sentences), m.weight) for m in story.moments
    ]
    for length, chosen in (("short", deciding_moments(story)), ("full", weightiest(story))):
        assert {m["number"] for m in told["moments"] if m[length]} == {m.number for m in chosen}
    assert [(file["name"], file["file"]) for file in told["files"]] == [
        ("html", "crossing-report.html"), ("pdf", "crossing-report.pdf"), ("zip", "crossing-report.zip"),
        ("markdown", "crossing-report.md"), ("geojson", "crossing.geojson"), ("uvtt", "crossing.uvtt"),
        ("log", "crossing.jsonl"), ("csv", "crossing.csv"),
    ]  # fmt: skip


def test_a_game_that_goes_on_is_reported_so_far_and_a_board_has_a_picture_of_its_own(place: Place) -> None:
    told = place.host.get("/api/games/hexes/report")
    assert not told["over"] and told["result"].startswith("The game is not finished: the log ends in turn ")
    assert "picture" in [file["name"] for file in told["files"]]
    assert "The game has not begun yet." in made(place.host, "fresh")
    place.host.ask("PATCH", "/api/games/hexes", json={"title": "Thursday"})
    titles = [place.host.get(f"/api/games/hexes/{path}")["title"] for path in ("report", "report/pictures")]
    assert titles == ["Thursday", "Thursday"] and "Thursday" in made(place.host, "hexes")
    answer = place.host.answer("GET", "/api/games/hexes/board.svg")
    assert answer.headers["content-type"] == "image/svg+xml" and answer.text.startswith("<svg")
    assert "its report has the maps" in place.host.get("/api/games/crossing/board.svg", 404)["detail"]


def test_every_form_is_the_file_that_the_program_writes(place: Place, story: Story) -> None:
    document = short_report(story)
    wanted = {
        "html": html_page(document).encode(), "markdown": markdown_text(document, ending="png").encode(),
        "pdf": pdf_bytes(document), "zip": blog_zip(document),
    }  # fmt: skip
    for form, media_type in FORMS.items():
        wish = {"length": "short", "format": form}
        answer = place.host.answer("POST", "/api/games/crossing/report", json=wish)
        assert answer.status_code == 200 and answer.content == wanted[form], form
        assert answer.headers["content-type"].split(";")[0] == media_type
        ending = "md" if form == "markdown" else form
        assert answer.headers["content-disposition"] == f'attachment; filename="crossing-report.{ending}"'
    with zipfile.ZipFile(io.BytesIO(wanted["zip"])) as archive:
        pictures = [name for name in archive.namelist() if name.endswith(".png")]
    assert all(name in wanted["markdown"].decode() for name in pictures), "Markdown names the zip's pictures"


def test_moments_are_weighed_by_the_chance_to_win_once_a_game_is_over(place: Place, story: Story) -> None:
    path = "/api/games/crossing/report"
    assert place.host.get(path)["chances"] == place.host.get(f"{path}?chances=true")["chances"] == "possible"
    gone = place.host.ask("POST", path, 409, json={"format": "markdown", "chances": True})
    assert gone["type"] == "gone-on", "they are to be counted first"
    weighed = place.host.ask("POST", f"{path}/chances", 200)
    assert weighed["chances"] == "counted" and place.host.get(path)["chances"] == "possible"
    assert place.host.get(f"{path}?chances=true") == weighed
    assert {m["seq"] for m in weighed["moments"]} >= {m.seqs[0] for m in story.moments}
    assert all(m["weight"] == 0 or m["why"].startswith("the chance of ") for m in weighed["moments"])
    sure = [m for m in weighed["moments"] if m["weight"]]
    text = made(place.host, "crossing", chances=True)
    assert all(f"{m['why'][4:]}." in text for m in sure[:6]) and ("The chance of" in text) == bool(sure)
    assert "The chance of" not in made(place.host, "crossing")
    for game in ("fresh", "hexes"):
        assert "finished games" in place.host.ask("POST", f"/api/games/{game}/report/chances", 409)["detail"]


def test_title_moments_captions_and_units_reach_the_report(place: Place, story: Story) -> None:
    said = {"turns": {"1": "We held *on*.", "2": "<script>x</script>"}, "moments": {"2": "**Boom.**", "3": "unsaid"}}
    turns = {1: caption("We held *on*."), 2: caption("<script>x</script>")}
    wanted = Captions(turns, {2: caption("**Boom.**")})
    text = made(place.host, "crossing", length="short", title="Club  night", moments=[2, 4, 2], captions=said)
    retold = tell(played_log().game, report_adapter("one-hour-ww2"), title="Club night")
    assert text == markdown_text(short_report(retold, wanted, moments=[2, 4]), ending="png")
    assert text.startswith("# Club night\n") and "unsaid" not in text and "<script>" not in text
    page = place.host.answer("POST", "/api/games/crossing/report", json={"captions": said}).text
    assert "<script>x" not in page and "&lt;script&gt;x" in page
    assert "Deciding moments" not in made(place.host, "crossing", moments=[])
    turned = made(place.host, "crossing", unit="cm")
    assert turned == markdown_text(full_report(replace(story, unit="cm")), ending="png") and "″" not in turned
    assert "″" in made(place.host, "crossing")
    refused(place.host, "crossing", unit="ft")


def test_what_fits_nothing_is_refused_with_a_sentence(place: Place, story: Story) -> None:
    last = len(story.moments)

    def says(**wish: Any) -> str:
        return refused(place.host, "crossing", **wish)

    assert says(moments=[1, 99]) == f"There is no moment 99 to tell: this game has moments 1 to {last}."
    assert "there is no turn 7 to caption; this game has turns" in says(captions={"turns": {"7": "x"}})
    assert "there is no moment x to caption" in says(captions={"moments": {"x": "y"}})
    assert "8 characters" in says(captions={"moments": {"x" * 9: "y"}}) and "10000" in says(moments=[10**30])
    assert "must be a text" in says(captions={"turns": {"1": " "}})
    assert "has 4001 characters; at most 4000 are read" in says(captions={"turns": {"1": "x" * 4001}})
    assert says(title=" \n ") == "The title is empty: leave it out for the game's own."
    assert "length" in says(length="long") and "format" in says(format="docx") and "style" in says(style="x")
    stale = place.host.ask("POST", "/api/games/crossing/report", 409, json={"seq": 3})
    assert stale["type"] == "gone-on" and stale["seq"] == place.host.get("/api/games/crossing/report")["seq"]
    assert place.host.ask("GET", "/api/games/nowhere/report", 404)["type"] == "not-there"


def test_a_preview_is_the_report_in_a_frame_of_our_own_and_runs_nothing(place: Place) -> None:
    wish = {"length": "short", "title": "Draft", "captions": {"turns": {"1": "*Ha*"}}}
    path = "/api/games/crossing/report"
    first = place.host.ask("POST", f"{path}/preview", 201, json=wish)["address"]
    answer = place.host.answer("GET", first)
    assert answer.status_code == 200
    whole = place.host.answer("POST", path, json={**wish, "format": "html"})
    assert answer.content == whole.content
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'" and policy["frame-ancestors"] == "'self'" and "script-src" not in policy
    assert "content-disposition" not in answer.headers
    page = place.host.answer("GET", "/").headers["content-security-policy"]
    assert "frame-src 'self'" in page and "frame-ancestors 'none'" in page, "our own page is framed by nobody"
    assert "frame-ancestors 'none'" in whole.headers["content-security-policy"], "only the preview is framed"

    other = place.seated("crossing", "side blue")
    second = place.host.ask("POST", f"{path}/preview", 201, json={"title": "Two"})["address"]
    assert "<h1>Two</h1>" in place.host.answer("GET", second).text
    assert "has expired" in place.host.get(first, 404)["detail"], "the next takes its place"
    assert "has expired" in other.get(second, 404)["detail"], "it is its device's alone"
    theirs = other.ask("POST", f"{path}/preview", 201, json={"title": "Three"})["address"]
    assert "<h1>Three</h1>" in other.answer("GET", theirs).text
    assert "<h1>Two</h1>" in place.host.answer("GET", second).text
    wrong = place.host.ask("POST", f"{path}/preview", 422, json={"moments": [77]})
    assert wrong["type"] == "tabletop"


def test_drafts_are_kept_for_a_while(place: Place) -> None:
    clock = count(0, DRAFT_S / 2)
    reports, seat = Reports(place.services, clock=lambda: next(clock)), place.services.seats.seats(SERVER)[0]
    id_ = reports.keep(seat, PreviewWish.model_validate({"title": "One", "seq": 4})).address.rsplit("/", 1)[-1]
    found = reports.draft(seat, id_)
    assert (found.title, found.seq) == ("One", None)
    with pytest.raises(NotThereError):
        reports.draft(seat, id_)


def test_the_table_goes_out_as_the_command_line_writes_it_and_a_board_where_it_is_laid(place: Place) -> None:
    game = place.services.commands.game("crossing")
    answer = place.host.answer("GET", "/api/games/crossing/table.geojson")
    assert answer.content == json_bytes(feature_collection(plan_of_game("one-hour-ww2", game.state)))
    assert answer.json()["coordinateSystem"]["name"] == "tabletop-table-inches"
    assert answer.headers["content-type"] == "application/geo+json"
    assert answer.headers["content-disposition"] == 'attachment; filename="crossing.geojson"'

    laid = place.hexes("laid")
    wish = {"size_in": 2.5, "origin": [10.0, 6.0], "rotation_deg": 0.0}
    place.host.ask("PUT", f"/api/games/{laid}/overlay", json=wish)
    told = place.host.get(f"/api/games/{laid}/table.geojson")
    assert told["coordinateSystem"]["units"] == "inch"
    shapes = [one["geometry"] for one in told["features"] if one["properties"].get("hex") == "1-1"]
    (outline,) = [shape["coordinates"][0] for shape in shapes if shape["type"] == "Polygon"]
    board = {cell["id"]: cell["outline"] for cell in place.host.get(f"/api/games/{laid}")["board"]["cells"]}
    assert {(round(x, 3), round(y, 3)) for x, y in outline} == {(round(x, 3), round(y, 3)) for x, y in board["1-1"]}


def test_the_log_is_whole_and_everybodys_where_nothing_is_hidden(place: Place) -> None:
    watcher = place.seated("crossing", "spectator")
    assert made(watcher, "crossing") == made(place.host, "crossing")
    for device in (place.host, watcher):
        answer = device.answer("GET", "/api/games/crossing/log.jsonl")
        found = read_log(answer.content, "crossing.jsonl")
        assert list(found.records) == played_log().records and found.header.title == "The Crossing"
        table = device.answer("GET", "/api/games/crossing/log.csv")
        assert table.headers["content-disposition"] == 'attachment; filename="crossing.csv"'
        assert len(list(csv.reader(io.StringIO(table.content.decode("utf-8-sig"))))) == len(found.records) + 1


def posted() -> Game:
    """A game whose defenders are noted in secret, for a reason of their own, in turn 1."""
    ids, setup = count(), Setup(mode="enemy-player", board=tuple(BOARD.items()))
    game = Game.new(RULES, setup, clock=lambda: AT, ids=lambda: f"id-{next(ids)}")
    game.push(game.parse("occupy"))
    game.push(game.parse("muster"), (5, 2))
    (post,) = (option.text for option in game.options() if option.kind == "post" and not option.open_fields)
    game.push(game.parse(post), overrule=True, reason="guns at the farm")
    game.push(game.parse("move D1 to 1-3"))
    game.note("Here we go", actor="attacker")
    return game


def test_what_is_hidden_is_in_a_sides_own_report_and_in_the_log_once_the_game_is_over(make_place: Servers) -> None:
    place = make_place()
    game = posted()
    place.services.event_store.create(GameEntry("evening", "combined-arms", 1, "An evening", AT), game.records)
    defender, watcher = place.seated("evening", "side defender"), place.seated("evening", "spectator")
    both = place.seated("evening", "host", "side defender")
    told = defender.get("/api/games/evening/report")
    notes = [note["text"] for turn in told["turns"] for note in turn["notes"]]
    assert told["own"] is True and notes == ["guns at the farm", "Here we go"]
    assert "> guns at the farm" in made(defender, "evening")
    assert place.host.get("/api/games/evening/report")["own"] is False

    for device in (place.host, watcher, defender):
        told = device.get("/api/games/evening/log.jsonl", 409)
        assert told["detail"].startswith("The log contains hidden information until the game is over")
        (why,) = [f["why"] for f in device.get("/api/games/evening/report")["files"] if f["name"] == "log"]
        assert why == told["detail"]
    records = read_log(both.answer("GET", "/api/games/evening/log.jsonl").content).records
    assert records[: len(game.records)] == game.records
    assert all(record.body.get("seating") for record in records[len(game.records) :]), "and who took which seat since"
    defender.command("evening", "concede defender")
    for device in (place.host, watcher, defender):
        answer = device.answer("GET", "/api/games/evening/log.jsonl")
        assert answer.status_code == 200 and b"guns" in answer.content
        assert all(f["why"] == "" for f in device.get("/api/games/evening/report")["files"])


def test_a_game_that_was_looked_at_is_drawn_in_another_process(place: Place) -> None:
    """States hold what was worked out about them, which no other process could take."""
    game = place.hexes()
    vars(place.services.commands.game(game).state)["worked out"] = lambda: "what can't be pickled"
    assert "A game" in made(place.host, game, length="short")
    assert place.host.answer("GET", f"/api/games/{game}/table.uvtt?pieces=false").status_code == 200


def test_a_game_is_handed_on_in_pictures(place: Place, story: Story) -> None:
    told = place.host.get("/api/games/crossing/report/pictures")
    chapters = picture_story(story)
    assert [(one["title"], one["says"]) for one in told["chapters"]] == [(one.title, one.text) for one in chapters]
    for row, unit in ((told["chapters"][0], "in"), (told["chapters"][-1], "cm")):
        answer = place.host.answer("GET", f"{row['picture']}&unit={unit}")
        assert answer.headers["content-type"] == "image/png" and row["photo"] is None
        chapter = picture_story(replace(story, unit=unit))[told["chapters"].index(row)]
        assert answer.content == png_bytes(chapter.figure.sheet, width_px=1080)
    missing = place.host.ask("GET", "/api/games/crossing/report/pictures/5.png", 404)
    assert missing["detail"] == "The story of this game has 4 pictures: there is no picture 5."
