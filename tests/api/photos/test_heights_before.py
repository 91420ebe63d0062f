"""Photos of a game's table are read with the heights that the photo before tells."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from api.engine import Known, Previous, Progress, Reading
from tabletop.tables.model import TableFile
from tests.support.api_support import BASES, PHOTO, Canned, Client, observation

LINE = {"z_sigma": 0.3, "lean": [0.5, -0.2]}
RAISED = {"center": [18.0, 8.0], "reach": 0.9, "z": 1.0, "sigma": 0.05}


class Attentive(Canned):
    """Notes the observation that each photo is read with."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Previous] = []

    def read_photo(
        self, data: bytes, name: str, table: TableFile, progress: Progress, previous: Previous = None, known: Known = ()
    ) -> Reading:
        self.told.append(copy.deepcopy(previous))
        return super().read_photo(data, name, table, progress, previous, known)


def lines() -> dict[str, Any]:
    """An observation whose bases have sight lines."""
    return {**observation([{**base, **LINE} for base in BASES]), "raised": [RAISED]}


@pytest.fixture
def engine() -> Attentive:
    return Attentive()


@pytest.fixture
def client(tmp_path: Path, engine: Attentive) -> Client:
    return Client(tmp_path, engine)


def test_a_photo_is_told_the_sight_lines_and_raised_ground_of_the_one_before(engine: Attentive, client: Client) -> None:
    engine.seen = lines()
    begun = client.begin()
    for number in b"12":
        client.photo(begun, PHOTO + bytes([number]))
    first, second = engine.told
    assert first is None and second is not None
    assert second["raised"] == [RAISED] and all(base["lean"] == LINE["lean"] for base in second["bases"])


def test_a_base_that_a_hand_has_put_elsewhere_is_told_as_such(engine: Attentive, client: Client) -> None:
    engine.seen = lines()
    begun = client.begin()
    client.photo(begun)
    client.app.state.services.tables.correct_base(begun["table"], "b2", {"center": [20.0, 9.0], "method": "hand"})
    client.photo(begun, PHOTO + b"2")
    assert engine.told[1] is not None
    assert [base["method"] for base in engine.told[1]["bases"]] == ["tag", "hand", "tag", "outline"]


def test_a_photo_out_of_step_is_read_without_the_heights_of_the_one_before(engine: Attentive, client: Client) -> None:
    engine.seen = lines()
    begun = client.begin()
    client.photo(begun)
    places = {"b1": [18.0, 19.875], "b2": [18.0, 8.0]}  # two units stand exactly where others stood
    bases = [{**base, "center": places.get(base["id"], base["center"])} for base in engine.seen["bases"]]
    for base in bases:
        base["width"], base["depth"] = 2.0, 1.25
    engine.seen = {**lines(), "bases": bases}
    client.photo(begun, PHOTO + b"2")
    assert [told is None for told in engine.told] == [True, False, True]
