"""Evenings on squares with photographs in the browser: drawn boards are photographed, really read, and played from.

What stands where is drawn from what the players did on the table; the game learns of it by the photographs alone, by
taps where these leave something open, and by the ends of turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from api.app.program import Program
from geometry.squares import SquareBoard
from tabletop.starting.scenarios import find
from tests.page.test_evenings import Device, Evening, read_report
from tests.page.test_new_games import begins, caught_up, concedes, ends, mine, says
from tests.support.drawn_evenings import DrawnTable, Member
from tests.support.page_support import chromium, page_marks  # noqa: F401 - the fixture

pytestmark = [*page_marks, pytest.mark.slow]
DRAWN = ("infantry", "mortar")
"""Figures that leave the tags beside them to be seen."""


@pytest.fixture
def evening(chromium: Any, tmp_path: Path) -> Iterator[Evening]:
    with Evening(chromium, tmp_path, Program()) as running:
        yield running


def settle(phone: Device, truth: Mapping[str, str]) -> list[str]:
    """Answer everything that the photo asks by a tap, as somebody does who looks at the table; what was asked."""
    asked: list[str] = []
    phone.tap("tab-doubts")
    phone.page.wait_for_selector("[data-test=answer-0]:enabled, [data-test=to-moves]")
    while True:
        if not phone.shows("doubt"):
            return asked
        doubt = phone.words("doubt")
        answers = phone.page.locator("[data-test=doubt] .answer span").all_inner_texts()
        here = {square: unit for unit, square in truth.items()}
        wanted = {*(unit for square, unit in here.items() if f"the base in {square}?" in doubt)}
        wanted |= {square for unit, square in truth.items() if f" {unit} " in f" {doubt.replace('?', ' ')} "}
        known = next((n for n, words in enumerate(answers) if words in wanted), None)
        nobody = next((n for n, words in enumerate(answers) if words.startswith("no unit")), None)
        choice = known if known is not None else nobody
        assert choice is not None, (doubt, answers)
        asked.append(doubt)
        phone.tap(f"answer-{choice}")
        phone.page.wait_for_function(
            "doubt => document.querySelector('[data-test=doubt]')?.innerText !== doubt", arg=doubt
        )
        phone.page.wait_for_selector("[data-test=answer-0]:enabled, [data-test=to-moves], li[data-test^=move-]")


def places(evening: Evening, game: str) -> dict[str, str]:
    """Where the units on the board stand by the game."""
    units = evening.server.services.commands.game(game)
    return {unit.id: unit.place for unit in _units(units) if unit.place}


def _units(playing: Any) -> Any:
    from tabletop.boards import board_of

    return board_of(playing.ruleset.name, playing.state, None).units


class TestWW2CombinedArms:
    @pytest.mark.slow
    def test_an_evening_from_photographs(self, evening: Evening, tmp_path: Path) -> None:
        units = find("first-meeting", "ww2-combined-arms").setup.units
        members = {
            one.id: Member(one.id, one.side, one.kind, DRAWN[n % 2], None if one.id in ("R7", "B8") else n)
            for n, one in enumerate(units)
        }
        drawn = DrawnTable.of(5, "chessboard", SquareBoard(8, 8), members, rims=True)
        file = tmp_path / "kitchen.table.toml"
        file.write_text(drawn.file("ww2-combined-arms"))
        host = begins(evening, "first-meeting", table=file)
        red, blue = evening.joins(host, "side-red", "Cleo"), evening.joins(host, "side-blue", "Ben", scheme="light")
        host.open()

        # both armies are put on the board and photographed; two carry no tags, and are named by a tap
        stands = deployed(units)
        host.photograph(drawn.photograph(tmp_path, "deployed", stands))
        assert len(settle(host, stands)) >= 2
        host.accept_certain()
        host.close_photo()
        by_finger(evening, red, blue, stands)
        assert places(evening, host.game) == stands
        caught_up(red, blue, host)

        # three turns: who moves photographs the board; one piece stands across a side
        seen = []
        for turn in range(5):
            phone = (red, blue)[turn % 2]
            caught_up(red, blue)
            stands, moved = marched(evening, host.game, ("red", "blue")[turn % 2])
            across = {moved[0]: (0.42, 0.0)} if turn == 1 else {}
            phone.photograph(drawn.photograph(tmp_path, f"turn-{turn}", stands, across))
            asked = settle(phone, stands)
            seen.append((len(moved), asked))
            phone.accept_certain()
            phone.close_photo()
            late = [unit for unit in moved if places(evening, host.game)[unit] != stands[unit]]
            assert len(late) <= 1, (turn, late, asked)
            for unit in late:  # a tag that this photo does not tell
                says(phone, f"move {unit} to {stands[unit]}")
            assert places(evening, host.game) == stands, (turn, asked)
            while phone.fetched()["turn"]["to_act"] == ("red", "blue")[turn % 2]:
                ends(phone)
        assert red.fetched()["turn"]["number"] >= 3 and sum(count for count, _ in seen) >= 10
        assert any(asked for _, asked in seen)
        kinds = [event["kind"] for event in host.log()]
        assert kinds.count("moved") >= 10 and kinds.count("placed") == len(units)

        concedes(red, red, blue, host)
        blue.tap("to-report")
        read_report(blue)


class TestCombat:
    @pytest.mark.slow
    def test_an_evening_with_secret_deployment_from_photographs(self, evening: Evening, tmp_path: Path) -> None:
        names = [(f"{side[0].upper()}{kind[0].upper()}{n}", side, kind)
                 for side in ("red", "blue") for kind in ("tank", "gun") for n in range(1, 5)]  # fmt: skip
        members = {name: Member(name, side, kind, DRAWN[n % 2], n) for n, (name, side, kind) in enumerate(names)}
        drawn = DrawnTable.of(303, "lines", SquareBoard(10, 12), members, rims=True)
        file = tmp_path / "attic.table.toml"
        file.write_text(drawn.file("combat"))
        host = begins(evening, "first-skirmish", table=file)
        red, blue = evening.joins(host, "side-red", "Cleo"), evening.joins(host, "side-blue", "Ben", scheme="light")
        host.open()

        # each side photographs its own half in secret, and is deployed by that; the other's phone is told nothing
        stands = {name: f"{'bcdefghi'[n % 8]}{2 if side == 'red' else 11}" for n, (name, side, _) in enumerate(names)}
        for phone, side, other in ((red, "red", blue), (blue, "blue", red)):
            caught_up(red, blue)
            says(phone, f"army {side} tanks 4 guns 4 mines 4")
            own = {name: at for name, at in stands.items() if members[name].side == side}
            phone.photograph(drawn.photograph(tmp_path, f"half-{side}", own))
            settle(phone, own)
            phone.accept_certain()
            phone.close_photo()
            placed = places(evening, host.game)
            assert len(own.keys() & placed.keys()) >= 7 and placed == {name: stands[name] for name in placed}
            for name in sorted(own.keys() - placed.keys()):
                says(phone, f"place {name} {own[name]}")
            caught_up(red, blue)
            assert not {piece["id"] for piece in other.fetched()["board"]["pieces"]} & {*own}
            told = other.context.request.get(f"{other.url}/api/games/{host.game}/look").json()
            assert told["detail"].startswith("No photo of this table"), told
            says(phone, f"deploy {side}")
            says(phone, f"ready {side}")
        caught_up(red, blue)
        assert places(evening, host.game) == stands
        host.until(red.seq)
        says(red, "first red")

        # three turns: who moved photographs the board
        for turn in range(5):
            phone = (red, blue)[turn % 2]
            caught_up(red, blue)
            stands, moved = marched(evening, host.game, ("red", "blue")[turn % 2], before=7)  # no mine lies there
            phone.photograph(drawn.photograph(tmp_path, f"hour-{turn}", stands))
            asked = settle(phone, stands)
            phone.accept_certain()
            phone.close_photo()
            late = [unit for unit in moved if places(evening, host.game)[unit] != stands[unit]]
            assert len(late) <= 1, (turn, late, asked)
            for unit in late:
                says(phone, f"move {unit} to {stands[unit]}")
            assert places(evening, host.game) == stands, (turn, asked)
            ends(phone)
        caught_up(red, blue)
        assert red.fetched()["turn"]["number"] >= 3
        assert [event["kind"] for event in host.log()].count("moved") >= 12

        concedes(blue, red, blue, host)
        red.tap("to-report")
        read_report(red)


def by_finger(evening: Evening, red: Device, blue: Device, stands: Mapping[str, str]) -> None:
    """Units that the photo missed, and those that wait for them, are placed on the board by touch."""
    while left := {*stands} - {*places(evening, red.game)}:
        assert len(left) <= 6, left
        caught_up(red, blue)
        unit = next(one for one in sorted(left) if mine(red if one[0] == "R" else blue, "place"))
        phone = red if unit[0] == "R" else blue
        phone.unit(unit)
        phone.tap_cell(stands[unit])
        phone.judged("yes")
        phone.does("do-it")
        phone.tap("close-unit")


def deployed(units: Any) -> dict[str, str]:
    """Both armies on their home rows, the quick ones in front."""
    found: dict[str, str] = {}
    for side, rows in (("red", "123"), ("blue", "876")):
        free = iter([f"{column}{row}" for row in rows for column in "abcdefgh"])
        found |= {one.id: next(free) for one in reversed([u for u in units if u.side == side])}
    return {one.id: found[one.id] for one in units}


def marched(
    evening: Evening, game: str, side: str, many: int = 3, before: int = 99
) -> tuple[dict[str, str], list[str]]:
    """Where everything stands once a player has moved some units on the table, as the rules allow and not as far as
    the row that is the side's ``before``-th, and who moved."""
    trial = evening.server.services.commands.game(game).trial()
    rows = trial.state.setup.rows
    moved: list[str] = []

    def row(target: object) -> int:
        n = int(str(target)[1:])
        return n if side == "red" else rows + 1 - n

    for _ in range(many):
        legal = [one for one in trial.options() if one.legal and one.kind == "move" and one.unit not in moved]
        legal = [one for one in legal if row(one.target) < before]
        best = max(legal, key=lambda one: (row(one.target), str(one.unit)))
        trial.push(trial.parse(best.text))
        moved.append(str(best.unit))
    stands = {unit.id: unit.place for unit in _units(trial) if unit.place}
    return stands, moved
