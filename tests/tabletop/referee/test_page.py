"""The report page: complete, self-contained, honest, and readable on a phone."""

import re
from typing import Any

import pytest

from tabletop.referee import page_words
from tabletop.referee.page import open_ranges, report_page
from tabletop.referee.page_confirm import to_confirm
from tabletop.rulesets.one_hour_ww2 import report as judge
from tabletop.tables.scene import scene_from_json
from tests.support.observed_rows import base_row
from tests.support.observed_rows import observation as seen
from tests.tabletop.aar.test_report import Checked as Reader

JPEG = b"\xff\xd8\xff\xe0 stands for a photo \xff\xd9"
MAP = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><rect width="36" height="36"/></svg>'
ROSTER = {"A1": 1, "A2": 2, "B1": 1, "B2": 1, "B3": 1}


def base(
    name: str, unit: str | None, kind: str, x: float, y: float, facing: float | None, **more: Any
) -> dict[str, Any]:
    side = "blue" if (unit or "A").startswith("A") else "red"
    usual = {"unit": unit, "side": side, "kind": kind, "unique": True, "width": 2.0, "depth": 1.5, "sigma": 0.03}
    known = {"facing": facing, "facing_sigma": None if facing is None else 0.5}
    return base_row(name, (x, y), **{**usual, **known, **more})


@pytest.fixture
def observation() -> dict[str, Any]:
    """A1 is 12.00 inches from B1, where infantry's reach ends; B2 stands beyond; a wood hides B3 from A1."""
    woods = {"id": "t1", "kind": "woods", "polygon": [[13, 8], [18, 6], [19, 10], [14, 11]], "height": 0.0}
    return seen(
        base("p1", "A1", "infantry", 10.0, 5.0, 0.0),
        base("p2", "A2", "infantry", 30.0, 5.0, 0.0, sigma=0.05),
        base("p3", "B1", "infantry", 10.0, 18.5, 180.0),
        base("p4", "B2", "infantry", 30.0, 33.0, 180.0),
        base("p5", "B3", "infantry", 17.5, 13.0, 180.0),
        base("p6", None, "infantry", 22.0, 30.0, None, unique=None),
        photos=[{"file": "IMG_7.jpg", "width": 4032, "height": 3024}],
        terrain=[{**woods, "confidence": 1.0, "sigma": 0.0}],
        warnings=["Tag 9 is too small to read: come closer."],
    )


@pytest.fixture
def report(observation: dict[str, Any]) -> dict[str, Any]:
    return judge(scene_from_json(observation, roster=ROSTER))


@pytest.fixture
def html(observation: dict[str, Any], report: dict[str, Any]) -> str:
    return make(observation, report)


def make(observation: dict[str, Any], report: dict[str, Any], **more: Any) -> str:
    given = {"table_name": "Club night", "roster": ROSTER, "annotated_photo_jpeg": JPEG, "map_svg": MAP, **more}
    return report_page(observation, report, **given)


def test_the_page_is_well_formed_and_loads_nothing(html: str) -> None:
    elements = Reader(html).elements
    for tag, attributes in elements:
        for key in ("src", "href", "action", "srcset", "poster", "data"):
            value = attributes.get(key)
            assert value is None or value.startswith(("data:image/", "#")), (tag, key, value)
    assert "@import" not in html and "url(" not in html
    policy = next(a["content"] for t, a in elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None and "default-src 'none'" in policy
    images = [a for t, a in elements if t == "img"]
    assert [a["src"][:20] for a in images if a["src"]] == ["data:image/jpeg;base", "data:image/svg+xml;b"]
    assert all(a["alt"] for a in images)


def test_every_link_has_its_place(html: str) -> None:
    reader = Reader(html)
    links = {a["href"][1:] for t, a in reader.elements if t == "a" and a["href"]}
    assert len(reader.ids) == len(set(reader.ids)) and links <= set(reader.ids) and links


def test_what_is_too_close_comes_first(html: str) -> None:
    text = Reader(html).text
    order = [
        text.index(words) for words in ("1 pair", "Too close to call ", "Please confirm", "Who may fire at whom")[1:]
    ]
    assert order == sorted(order)
    card = text[text.index("A1 and B1") :]
    assert card.startswith(
        "A1 and B1 Measure the range from A1's measuring base to B1's, nearest points; by photo 12.00″"
    )
    assert "± 0.09″ (95 % sure)" in card[:140]


def test_both_directions_of_a_pair_are_one_question(html: str, report: dict[str, Any]) -> None:
    open_shots = {(s["firer"], s["target"]) for s in report["shots"] if s["verdict"] == "too-close"}
    assert {("A1", "B1"), ("B1", "A1")} <= open_shots
    text = Reader(html).text
    assert text.count("A1 and B1 ") == 1 and "A1 on B1 · B1 on A1" in text


def test_every_shot_stands_once_with_its_verdict_and_reasons(html: str, report: dict[str, Any]) -> None:
    reader = Reader(html)
    cards = re.findall(r'<article class="card (yes|no|too-close)" id="(shot-\d+)">(.*?)</article>', html, re.S)
    assert len(cards) == len(report["shots"]) == 12
    by_id = {anchor: (verdict, Reader(body).text) for verdict, anchor, body in cards}
    for i, shot in enumerate(report["shots"]):
        verdict, text = by_id[f"shot-{i}"]
        assert verdict == shot["verdict"]
        assert f"{shot['firer']} on {shot['target']}" in text and page_words.WORDS[verdict] in text
        assert f"{shot['range']['value']:.2f}″" in text
        for reason in shot["reasons"]:
            words, _, place = reason.rpartition(" [")
            assert (words or reason).strip() in text and place.rstrip("].") in text
        for modifier in shot["modifiers"]:
            assert modifier["name"] in text
        for hits, chance in shot["hits"].items():
            assert chance == 0 or re.search(rf"\b{hits} {chance:.0%}", text)
    assert reader.text.count("too close to call") >= 2


def test_the_header_tells_plain_facts(html: str) -> None:
    text = Reader(html).text
    assert "Photo IMG_7.jpg · rules one-hour-ww2" in text
    assert "Table 36 × 36 inches" in text
    assert "6 of 6 bases found, 5 of 5 units named" in text
    assert "Half of the bases are placed within 0.07″ or better" in text  # 0.03 inches times 2.448


def test_what_the_photo_leaves_open_is_asked(html: str) -> None:
    text = Reader(html).text
    asked = text[text.index("Please confirm") : text.index("The photo, as it was read")]
    assert "Whose base is this? blue infantry at 22.0, 30.0." in asked
    assert "Some bases not found: A2 (1 of 2 bases)." in asked
    assert "Tag 9 is too small to read: come closer." in asked
    assert "terrain" not in asked


def test_without_terrain_the_page_says_what_its_sights_are_worth(observation: dict[str, Any]) -> None:
    observation["terrain"] = []
    text = Reader(make(observation, judge(scene_from_json(observation, roster=ROSTER)))).text
    assert "No terrain is known, so every sight is judged over open ground" in text


def test_a_unit_that_was_not_found_is_named(observation: dict[str, Any], report: dict[str, Any]) -> None:
    text = Reader(make(observation, report, roster={**ROSTER, "C9": 3})).text
    assert (
        "No base is surely theirs: C9." in text
        and "6 of 9 bases found, 5 of 6 units named" in text
        and "0 of 3 bases" in text
    )
    del observation["bases"][5]
    assert "Not found: C9." in Reader(make(observation, report, roster={**ROSTER, "C9": 3})).text


def test_many_unnamed_bases_and_unread_tags_are_told_in_few_words() -> None:
    bases = [base(f"base{n}", None, "infantry", 2.0 * n, 30.0, 0.0) for n in range(1, 5)]
    told = [f"The tag of A{n} ({n}) was not read: say which base is its unique one." for n in (1, 2, 3)]
    told.append("4 bases could not be given to a unit with certainty.")
    wood = {"kind": "woods", "polygon": [[2, 2], [6, 2], [6, 4], [2, 4]], "confidence": 0.62}
    out = to_confirm({"bases": bases, "possible_terrain": [wood], "warnings": told}, ())
    assert out == [
        "Whose bases are these? blue infantry at (2.0, 30.0), (4.0, 30.0), (6.0, 30.0), (8.0, 30.0).",
        "Possible terrain, not confirmed: woods at (4.0, 3.0) (62 %).",
        "The tags of A1 (1), A2 (2) and A3 (3) were not read: say for each which base is its unique one.",
    ]


def test_doubtful_sight_names_what_is_in_the_way(observation: dict[str, Any]) -> None:
    observation["bases"][4]["center"] = [13.5, 13.0]
    observation["terrain"][0]["sigma"] = 0.3
    shots = judge(scene_from_json(observation, roster=ROSTER))
    pair = next(s for s in shots["shots"] if (s["firer"], s["target"]) == ("A1", "B3"))
    assert pair["sight"]["verdict"] == "too-close", "the scene no longer has a doubtful sight"
    text = Reader(make(observation, shots)).text
    assert "Check the sight between A1 and B3 past the woods t1." in text


def test_players_words_are_words_only(observation: dict[str, Any], report: dict[str, Any]) -> None:
    evil = '<script>alert("1")</script>'
    observation["warnings"] = [evil]
    observation["photos"][0]["file"] = evil
    html = make(observation, report, table_name=evil)
    assert "<script>alert" not in html and html.count("<script>") == 1
    assert Reader(html).text.count(evil) >= 3


def test_ids_with_spaces_and_signs_make_sound_links(observation: dict[str, Any]) -> None:
    for item in observation["bases"]:
        item["unit"] = item["unit"] and f"{item['unit']} <Müller's> #1"
    html = make(observation, judge(scene_from_json(observation)), roster=None)
    test_every_link_has_its_place(html)
    assert "A1 <Müller's> #1 on B1 <Müller's> #1" in Reader(html).text


def test_a_report_with_no_shots_still_makes_a_page(observation: dict[str, Any]) -> None:
    observation["bases"] = []
    html = make(observation, {"version": 1, "rules": "one-hour-ww2", "shots": []}, roster=None)
    text = Reader(html).text
    assert "Nothing: every verdict stands" in text and "0 bases found, 0 units named" in text


def test_open_ranges_are_those_that_a_tape_settles(observation: dict[str, Any], report: dict[str, Any]) -> None:
    ((start, end, words),) = open_ranges(report)
    assert start == pytest.approx([10.0, 5.75], abs=1.1) and end[1] == pytest.approx(17.75)
    assert end[1] - start[1] == pytest.approx(12.0) and words == "measure 12.0″"
    for shot in report["shots"]:
        shot["range"]["sigma"] = 2.0
    assert open_ranges(report) == []


# In a browser
