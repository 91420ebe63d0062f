"""An evening on squares with photographs in the browser: a drawn board is photographed, really read, and played from.

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
from tabletop.boards import board_of
from tests.page.test_evenings import Device, Evening, read_report
from tests.page.test_new_games import begins, caught_up, concedes, ends, says
from tests.support.drawn_evenings import DrawnTable, Member
from tests.support.page_support import chromium, page_marks  # noqa: F401 - the fixture

pytestmark = [*page_marks, pytest.mark.slow]
DRAWN = ("infantry", "mortar")
"""Figures that leave the tags beside them to be seen."""
MINED_ROW = 7
"""The first row of a side's own in which mines may lie."""


@pytest.fixture
def evening(chromium: Any, tmp_path: Path) -> Iterator[Evening]:
    with Evening(chromium, tmp_path, Program()) as running:
        yield running


def answered(phone: Device, truth: Mapping[str, str]) -> list[str]:
    """Answer everything that the photo asks by a tap, as somebody does who looks at the table; what was asked."""
    asked: list[str] = []
    phone.tap("tab-doubts")
    while True:
        phone.settle()
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


def takes(phone: Device, photo: Path, stands: Mapping[str, str]) -> list[str]:
    """Photograph the board and carry out what the photo shows; what was asked."""
    phone.photograph(photo)
    asked = answered(phone, stands)
    phone.accept_certain()
    phone.close_photo()
    return asked


def places(evening: Evening, game: str) -> dict[str, str]:
    """Where the units on the board stand by the game."""
    return placed(evening.server.services.commands.game(game))


def placed(playing: Any) -> dict[str, str]:
    units = board_of(playing.ruleset.name, playing.state, None).units
    return {unit.id: unit.place for unit in units if unit.place}


def test_an_evening_with_secret_deployment_from_photographs(evening: Evening, tmp_path: Path) -> None:
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
        takes(phone, drawn.photograph(tmp_path, f"half-{side}", own), own)
        stood = places(evening, host.game)
        assert len(own.keys() & stood.keys()) >= 7 and stood == {name: stands[name] for name in stood}
        for name in sorted(own.keys() - stood.keys()):
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

    # a turn of each, and one more: who moved photographs the board
    for turn in range(3):
        phone = (red, blue)[turn % 2]
        caught_up(red, blue)
        stands, moved = marched(evening, host.game, ("red", "blue")[turn % 2])
        asked = takes(phone, drawn.photograph(tmp_path, f"hour-{turn}", stands), stands)
        late = [unit for unit in moved if places(evening, host.game)[unit] != stands[unit]]
        assert len(late) <= 1, (turn, late, asked)
        for unit in late:
            says(phone, f"move {unit} to {stands[unit]}")
        assert places(evening, host.game) == stands, (turn, asked)
        ends(phone)
    caught_up(red, blue)
    assert red.fetched()["turn"]["number"] >= 2
    assert [event["kind"] for event in host.log()].count("moved") >= 7

    concedes(blue, red, blue, host)
    red.tap("to-report")
    read_report(red)


def marched(evening: Evening, game: str, side: str) -> tuple[dict[str, str], list[str]]:
    """Where everything stands once a player has moved three units on the table, as the rules allow and not as far as
    mines may lie, and who moved."""
    trial = evening.server.services.commands.game(game).trial()
    rows = trial.state.setup.rows
    moved: list[str] = []

    def row(target: object) -> int:
        n = int(str(target)[1:])
        return n if side == "red" else rows + 1 - n

    for _ in range(3):
        legal = [one for one in trial.options() if one.legal and one.kind == "move" and one.unit not in moved]
        legal = [one for one in legal if row(one.target) < MINED_ROW]
        best = max(legal, key=lambda one: (row(one.target), str(one.unit)))
        trial.push(trial.parse(best.text))
        moved.append(str(best.unit))
    return placed(trial), moved
