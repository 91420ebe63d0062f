"""Photos of a game's table are read with the heights that the photo before tells."""

from __future__ import annotations

import copy
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.app.program import Program
from api.engine import Known, Previous, Progress, Reading
from synthetic.sequences import draw_sequence
from synthetic.wishes import Wish
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


SMALL = Wish(size=(20, 16), tags=True, rims=True, frame=True, megapixels=0.7, elevation_deg=55, hand=False,
             shadow=False)  # fmt: skip


def seen_twice(tmp_path: Path, seed: int, unit: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """A unit's unique base in two photos of a game, one after another: as it is, and as the server tells it."""
    photos = draw_sequence(seed, 2, SMALL)
    client = Client(tmp_path, Program())
    begun = client.begin(photos[0].table, table_name=f"{photos[0].name}.table.toml", rules="measure")
    out = []
    for photo in photos:
        client.photo(begun, photo.data, f"{photo.name}.jpg")
        state = client.app.state.services.tables.get(begun["table"])
        assert state.photo["sha256"] == hashlib.sha256(photo.data).hexdigest()
        bases = next(one["bases"] for one in photo.truth["units"] if one["id"] == unit)
        seen = [base for base in state.observation()["bases"] if base["unit"] == unit and base["unique"]]
        out.append((next(base for base in bases if base["unique"]), seen[0]))
    return out


@pytest.mark.slow
def test_a_unit_on_a_hill_is_placed_by_both_photos_of_its_game(tmp_path: Path) -> None:
    for true, seen in seen_twice(tmp_path, 88022, "r4"):
        assert abs(seen["z"] - true["z"]) < 0.08 and seen["z_sigma"] < 0.08
        off = np.subtract(seen["center"], true["centre"])
        assert off @ np.linalg.solve(seen["covariance"], off) < 5.99
