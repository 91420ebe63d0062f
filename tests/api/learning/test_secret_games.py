"""Games that hide something teach nothing: what a side keeps secret reaches nobody by way of what was learnt."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.learning import learner
from api.tables.store import table_of
from tabletop.rulesets.combined_arms.setup import Setup
from tests.api.conftest import Servers
from tests.api.games.test_hidden import GAME
from tests.api.photos.test_secret_photos import Evening
from tests.support.api_games import Place
from tests.support.combined_arms_photos import LAID, photo_of
from tests.support.photo_games import Photos, observed, photographed
from tests.tabletop.game.test_hidden_information import BOARD

CAMERA = observed(2)["photos"]
TRIED = "A canned picture teaches nothing."
"""What the host is told once anything was handed to the worker."""


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    running = Evening(tmp_path)
    running.canned.seen = {**running.canned.seen, "photos": CAMERA}
    yield running
    running.place.services.event_store.close()


def trouble(place: Place) -> str:
    told: dict[str, Any] = place.host.get("/api/collection")
    assert told["waiting"] == 0 and told["photos"] == []
    return str(told["trouble"])


def deployed(evening: Evening) -> None:
    evening.photographs(evening.red, b"1")
    evening.red.accept(GAME)


def test_a_photo_of_a_secret_half_teaches_nothing_nor_once_nothing_is_hidden_any_more(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies on the table still is what it was deployed as."""
    deployed(evening)
    assert trouble(evening.place) == ""
    playing = evening.place.services.commands.game(GAME)
    last = playing.state
    hides = playing.ruleset.hides
    monkeypatch.setattr(type(playing.ruleset), "hides", staticmethod(lambda state: state != last and hides(state)))
    assert not playing.ruleset.hides(playing.state)
    evening.place.services.notifier.notify(GAME)
    assert trouble(evening.place) == ""


def test_it_is_the_secret_that_keeps_it(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "hid_ever", lambda _: False)
    deployed(evening)
    assert trouble(evening.place) == TRIED


@pytest.mark.parametrize("told", ["", TRIED], ids=["hidden", "were it open"])
def test_a_game_with_hidden_counters_teaches_nothing(
    make_place: Servers, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    monkeypatch.setattr(learner, "goes_on_with", lambda *_: True)  # the log counts whole seconds
    if told:
        monkeypatch.setattr(learner, "hid_ever", lambda _: False)
    engine = Photos()
    place = make_place(engine)
    setup = Setup(mode="enemy-player", title="An evening", board=tuple(BOARD.items()))
    place.services.event_store.start("combined-arms", setup, game=GAME, title="An evening")
    place.services.table(GAME, lay=True)
    (x, y), size = LAID.layout.origin, LAID.layout.size_in
    place.services.tables.lay_grid(table_of(GAME), {"grid": "hex", "size": size, "origin": [x, y], "rotation": 0.0})
    defender, attacker = (place.seated(GAME, f"side {side}") for side in ("defender", "attacker"))
    attacker.command(GAME, "occupy")
    defender.command(GAME, "muster", dice=[5, 2])
    engine.seen = {**photo_of(place.services.commands.game(GAME)), "photos": CAMERA}
    photographed(defender, GAME)
    options = defender.get(f"/api/games/{GAME}/options")["options"]
    defender.command(GAME, next(row["text"] for row in options if row["kind"] == "post"))
    assert trouble(place) == told
