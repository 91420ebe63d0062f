"""Maps and rosters under any name, and one sentence for every other file."""

import json

import pytest

from tabletop.errors import SceneError
from tabletop.imports.kinds import kind_of_file
from tabletop.imports.together import Wishes, import_files
from tests.tabletop.imports.test_rosters import FORMS, packed
from tests.tabletop.imports.test_uvtt import keep

MAP = keep().decode()


@pytest.mark.parametrize(
    ("name", "source", "kind"),
    [
        ("town.json", MAP.encode(), "map"), ("town.txt", MAP.encode("utf-16"), "map"),
        ("town", b"\xef\xbb\xbf" + keep(), "map"),
        ("torn.json", keep(resolution=None), "map"), ("army.dd2vtt", FORMS["guard.json"], "roster"),
        ("army.txt", FORMS["guard.ros"], "roster"), ("army.ros", FORMS["guard.rosz"], "roster"),
        ("army.zip", b"PK\x03", "roster"),
    ],
)  # fmt: skip
def test_the_content_is_what_counts(name: str, source: bytes, kind: str) -> None:
    assert kind_of_file(source, name) == kind
    if name != "torn.json" and len(source) > 3:
        made = import_files({name: source}, Wishes(bases=("32mm",)))
        assert ("[[terrain]]" in made.toml, "[[units]]" in made.toml) == (kind == "map", kind == "roster")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (b" \n", "a.uvtt is empty: save it again."),
        (b"%PDF-1.7", "a.uvtt is a PDF file: export the map as Universal VTT, or the list as a roster"),
        (b"\x89PNG\r\n", "a.uvtt is a picture: export"), (b"\0\0\0\x20ftypavif", "is a picture or a film: export"),
        (b"\x01\0\0\0", "is neither text nor a zip file: export"), (b"\x1f\x8b\x08", "is a compressed file (gzip): "),
        (packed(b"", "word/document.xml", **{"[Content_Types].xml": b""}), "is an office document: export"),
        (packed(b"{}", "keep.dd2vtt"), "is a zip file without a roster in it: unpack it, and import the map or"),
        (b"<!DOCTYPE html><html></html>", "a.uvtt is a web page: export"),
        (b"[{}]", "is a JSON list of another program: "),
        (b'{"a": 1, "b": 2, "c": 3, "d": 4}', 'is JSON of another program with "a", "b" and "c" in it: export'),
        (b'{"walls": [], "grid": {}, "name": "x"}', "a.uvtt seems to be a scene of Foundry VTT: export"),
        (b'{"type": "FeatureCollection"}', "seems to be GeoJSON: export"),
        (b'{"a"', "a.uvtt, line 1: this is not valid JSON"),
        (b"[table]\nwidth = 3", "is a table file already: begin a game with it. Usage: tabletop new --table a.uvtt"),
        (b"Pikes, 10 models", "is plain text and neither a map nor a roster: export"),
    ],
)  # fmt: skip
def test_other_files_are_named_in_one_sentence_with_the_next_step(source: bytes, sentence: str) -> None:
    with pytest.raises(SceneError) as caught:
        import_files({"a.uvtt": source})
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_a_map_that_is_too_large_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(SceneError, match="has 64 MB, at most 64"):
        import_files({"a.json": json.dumps({"resolution": {}}).encode() + b" " * 64_000_000})
