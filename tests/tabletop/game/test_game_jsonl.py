"""Logs as JSON Lines: what is written is read, and any damage is found and named by its line."""

import hashlib
import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.game import EventError, Game, LogError, Record, parts
from tabletop.game.jsonl import LogFile, LogHeader, game_from_log, read_log, write_log
from tests.support.letters import LETTERS
from tests.support.tiny_rules import RULES, Tally

HEADER = LogHeader("tiny", 2, "evening", "Größe of the day", "2026-01-01T00:00:00+00:00")


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = parts.Parts("tiny", "Tiny", "tests.support.tiny_rules:RULES")
    monkeypatch.setattr(parts, "PARTS", {**parts.PARTS, "tiny": tiny})


def played() -> Game:
    ids = iter(f"id{n}" for n in range(1000))
    game = Game.new(RULES, [3, 4], clock=lambda: "2026-01-01T00:00:00+00:00", ids=lambda: next(ids))
    game.push("count", [5])
    game.push("pass", photo="f" * 64)
    game.pop()
    game.note('Zwölf "Panzer" \u2028 \\ ,"check":"', actor="blue")
    game.push("count", [1])
    return game


def log() -> bytes:
    return write_log(HEADER, played().records)


LINES = [line + b"\n" for line in log().split(b"\n")[:-1]]


def refusal(data: bytes, name: str = "evening.jsonl") -> str:
    with pytest.raises(LogError) as caught:
        read_log(data, name)
    return str(caught.value)


texts = st.text(LETTERS, max_size=20)
bodies = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@st.composite
def logs(draw: st.DrawFn) -> tuple[LogHeader, tuple[Record, ...]]:
    header = LogHeader(draw(texts), draw(st.integers(0, 9)), draw(texts), draw(texts), draw(texts))
    rows = draw(st.lists(st.tuples(texts, texts, texts, texts, st.dictionaries(texts, bodies, max_size=3)), max_size=6))
    records = tuple(
        Record(seq, id_, at, actor, kind, body, draw(st.integers(1, seq)), draw(texts), draw(texts))
        for seq, (id_, at, actor, kind, body) in enumerate(rows, 1)
    )
    return header, records


@settings(max_examples=25)
@given(logs())
def test_what_is_written_is_read(log: tuple[LogHeader, tuple[Record, ...]]) -> None:
    header, records = log
    data = write_log(header, records)
    found = read_log(data)
    assert (found.header, found.records) == (header, records)
    assert found.lines == tuple(range(2, len(records) + 2))
    assert write_log(found.header, found.records) == data
    assert data.count(b"\n") == len(records) + 2


@settings(max_examples=25)
@given(logs(), st.data())
def test_any_changed_byte_is_refused(log: tuple[LogHeader, tuple[Record, ...]], data: st.DataObject) -> None:
    whole = write_log(*log)
    place = data.draw(st.integers(0, len(whole) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[place]))
    damaged = whole[:place] + bytes([byte]) + whole[place + 1 :]
    line = whole[:place].count(b"\n") + 1
    assert re.search(rf"^evening\.jsonl(, line ({line}|{line + 1})\b| is a log of version)", refusal(damaged))


def joined(*places: int) -> bytes:
    return b"".join(LINES[place - 1] for place in places)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (joined(1, 2, 3, 4, 6, 7, 8, 9, 10, 11), "line 5 holds event 5, expected 4: a line is missing."),
        (joined(1, 3, 4), "line 2 holds event 2, expected 1: a line is missing."),
        (joined(1, 2, 3, 3, 4), "line 4 holds event 2, expected 3: a line is repeated or in the wrong place."),
        (joined(1, 2, 4, 3, 5), "line 3 holds event 3, expected 2: event 2 comes later, so lines were moved."),
        (joined(*range(1, len(LINES) - 1), len(LINES)), "closes a log of 9 events after event 8: a line is missing."),
        (joined(1, 1, 2), "line 2 was changed after it was written: its check does not fit."),
        (joined(2, 3), 'line 1: "tabletop_log" is missing; a log begins with a line such as'),
        (joined(1, 2, 3), "ends at event 2 without its closing line: what came after it is lost."),
        (joined(1), "ends at event 0 without its closing line"),
        (log() + LINES[-1], "line 12: there is text after the closing line."),
        (log() + b" \n", "line 12: there is text after the closing line."),
        (log()[:-40], "line 11, column 21 is not JSON (Unterminated string starting at): the line is cut off"),
        (log().replace(b'"by":5', b'"by":6'), "line 4 was changed after it was written: its check does not fit."),
        (log().replace(b'"seq":3', b'"seq":9'), "line 4 was changed after it was written: its check does not fit."),
        (log().replace(b'"by":5', b'"by":\xff'), "line 4 is not UTF-8 (byte 0xff at "),
        (log().replace(b'_log":2', b'_log":1'), "line 1 was changed after it was written: logs of version 1 have no"),
        (log().replace(b"\n", b" \n"), 'line 1 was changed after it was written: it does not end in its "check".'),
        (b"", "does not begin with a log's first line"),
        (b"\n" + log(), "does not begin with a log's first line"),
        (b"[" * 100_000, "line 1 nests lists too deeply"),
        (b'{"tabletop_log":' + b"[" * 900 + b"]" * 900 + b"}", "line 1 nests lists too deeply"),
        (b"[]", "line 1 must be an object in braces."),
        (b'{"tabletop_log":3}', "is a log of version 3, and this program reads versions 1 to 2. Open it with a newer"),
        (b'{"tabletop_log":"2"}', 'line 1: "tabletop_log" must be 1 or 2.'),
        (b'{"tabletop_log":0}', 'line 1: "tabletop_log" must be 1 or 2.'),
    ],
)  # fmt: skip
def test_damage_is_named(data: bytes, words: str) -> None:
    assert len(LINES) == 11
    told = refusal(data)
    assert told.startswith("evening.jsonl") and words in told


def resealed(*rows: dict[str, Any]) -> bytes:
    """Lines with checks that fit, made another way than the program makes them."""
    check, lines = "", []
    for row in rows:
        content = json.dumps(row).encode()
        check = hashlib.sha256(f"{check}\n".encode() + content[:-1]).hexdigest()
        lines.append(content[:-1] + f',"check":"{check}"}}'.encode())
    return b"\n".join(lines)


TOP = {"tabletop_log": 2, "game": "g", "rules": "tiny", "rules_version": 2, "title": "", "created": ""}
ROW = {"seq": 1, "id": "1", "at": "", "actor": "", "kind": "laid-out", "group": 1, "body": {"counts": [1, 2]}}


def test_other_programs_may_write_logs_too() -> None:
    found = read_log(resealed(TOP, ROW, {"events": 1}))
    assert (found.header, found.records[0].kind) == (LogHeader("tiny", 2, "g"), "laid-out")
    assert game_from_log(found).state == Tally((1, 2))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([TOP, ROW | {"sequence": 1}, {"events": 1}], 'line 2: unknown key "sequence"'),
        ([TOP, ROW | {"seq": "1"}, {"events": 1}], 'line 2: "seq" must be a whole number.'),
        ([TOP, ROW | {"seq": True}, {"events": 1}], 'line 2: "seq" must be a whole number.'),
        ([TOP, ROW | {"group": 1.0}, {"events": 1}], 'line 2: "group" must be a whole number.'),
        ([TOP, {k: v for k, v in ROW.items() if k != "at"}, {"events": 1}], 'line 2: "at" is missing.'),
        ([TOP, ROW | {"seq": 2}, {"events": 1}], "line 2 has the number 2, expected 1."),
        ([TOP, ROW, {"events": 1, "more": 1}], 'line 3: unknown key "more"'),
        ([TOP | {"title": None}, {"events": 0}], 'line 1: "title" must be a text.'),
        ([{"tabletop_log": 2, "rules": "tiny"}, {"events": 0}], 'line 1: "game" is missing.'),
    ],
)
def test_lines_of_a_wrong_shape_are_refused(rows: list[dict[str, Any]], words: str) -> None:
    assert words in refusal(resealed(*rows))


def test_what_editors_and_mail_do_to_line_ends_changes_nothing() -> None:
    whole = read_log(log())
    crlf = log().replace(b"\n", b"\r\n")
    for data in (crlf, crlf + b"\r\n\r\n", b"\xef\xbb\xbf" + log(), log() + b"\n", log()[:-1]):
        assert read_log(data) == whole
    assert "line 4 was changed" in refusal(crlf.replace(b'"by":5', b'"by":6'))


def test_numbers_that_are_not_finite_are_not_written() -> None:
    with pytest.raises(EventError, match="Event 1 can't be written: it holds a number that is not finite"):
        write_log(HEADER, [Record(1, "", "", "", "noted", {"x": float("inf")}, 1)])


def test_text_that_utf8_has_no_bytes_for_is_kept() -> None:
    odd = Record(1, "1", "", "", "noted", {"text": "caf\udce9"}, 1)
    assert read_log(write_log(HEADER, [odd])).records == (odd,)


TYPED = b"""{"tabletop_log": 1, "rules": "tiny", "rules_version": 1, "created": "1950-06-01"}
{"seq": 1, "kind": "laid-out", "body": {"counts": [0, 0]}}

{"seq": 2, "kind": "counted", "body": {"who": "red", "by": 6}, "action": "count", "actor": "red"}
{"seq": 3, "kind": "passed", "body": {}, "group": 2, "at": "1950-06-02", "id": "mine"}
"""


def test_a_typed_log_of_the_older_form_still_opens() -> None:
    found = read_log(TYPED)
    game = hashlib.sha256(TYPED).hexdigest()[:16]
    assert found.header == LogHeader("tiny", 1, game, "", "1950-06-01")
    assert found.lines == (2, 4, 5)
    assert found.records == (
        Record(1, f"{game}-1", "1950-06-01", "", "laid-out", {"counts": [0, 0]}, 1),
        Record(2, f"{game}-2", "1950-06-01", "red", "counted", {"who": "red", "by": 6}, 2, "count"),
        Record(3, "mine", "1950-06-02", "", "passed", {}, 2),
    )
    assert game_from_log(found).state == Tally((0, 6), 1)
    windows = b"\xef\xbb\xbf" + TYPED.replace(b"\n", b"\r\n") + b"  \r\n"
    assert [(r.seq, r.kind, r.body) for r in read_log(windows).records] == [
        (r.seq, r.kind, r.body) for r in found.records
    ]
    again = read_log(write_log(found.header, found.records))
    assert (again.header, again.records) == (found.header, found.records)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('{"seq": 2', '{"seq": 4', "line 4 holds event 4, expected 2: a line is missing."),
        ('{"seq": 2', '{"seq": 1', "line 4 holds event 1, expected 2: a line is repeated or in the wrong place."),
        ('"body": {}, ', "", 'line 5: "body" is missing.'),
        ('"rules": "tiny", ', "", 'line 1: "rules" is missing.'),
        ('"actor": "red"', '"akctor": "red"', 'line 4: unknown key "akctor"; did you mean "actor"?'),
        ('"by": 6', '"by": 6, "by": 1', 'line 4 can\'t be used: it has "by" twice.'),
        ('"by": 6', '"by": 1e999', "line 4 can't be used: 1e999 is not a finite number."),
        ('"by": 6', '"by": NaN', "line 4 can't be used: NaN is not a finite number."),
        ('"by": 6', '"by": ' + "9" * 5000, "line 4 can't be used: Exceeds the limit"),
        ('"by": 6', '"by": ' + "[" * 100_000, "line 4 nests lists too deeply"),
        ('"by": 6', '"by" 6', "line 4, column 59 is not JSON (Expecting ':' delimiter)"),
        ('"body": {}', '"body": [1]', 'line 5: "body" must be an object.'),
        ("{\"seq\": 3", "3, {", "line 5, column 2 is not JSON (Extra data)"),
    ],
)  # fmt: skip
def test_slips_in_typed_logs_are_named(old: str, new: str, words: str) -> None:
    assert old in TYPED.decode()
    assert words in refusal(TYPED.decode().replace(old, new).encode())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"counted"', '"cuonted"', 'typed.jsonl, line 4: Event 2: "cuonted" is no event of Tiny.'),
        ('"by": 6', '"by": 7', "typed.jsonl, line 4: no die shows that."),
        ('"passed", "body": {}', '"retracted", "body": {"seqs": [1]}', "typed.jsonl, line 5: Event 3 takes back"),
        ('"passed", "body": {}', '"retracted", "body": {}', "typed.jsonl, line 5: Event 3 takes back events None"),
        ('"tiny"', '"tinny"', 'typed.jsonl, line 1: No games are played by the rules "tinny"; did you mean "tiny"?'),
        ('"rules_version": 1', '"rules_version": 3', "typed.jsonl, line 1: it was written by version 3 of the rules"),
    ],
)  # fmt: skip
def test_what_the_rules_refuse_is_named_by_its_line(old: str, new: str, words: str) -> None:
    assert old in TYPED.decode()
    found = read_log(TYPED.decode().replace(old, new).encode(), "typed.jsonl")
    with pytest.raises(LogError) as caught:
        game_from_log(found)
    assert str(caught.value).startswith(words)


def test_a_log_made_in_memory_names_its_lines_as_they_would_be_written() -> None:
    bad = Record(1, "1", "", "", "boom", {}, 1)
    with pytest.raises(EventError, match=r'^the log, line 2: Event 1: "boom" is no event of Tiny'):
        game_from_log(LogFile(HEADER, (bad,)))
