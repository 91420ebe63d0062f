"""Servers for the tests: one for each test, or for all of a module."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api_games import OFTEN, Place

Servers = Callable[..., Place]


def _servers(folder: Callable[[], Path]) -> Iterator[Servers]:
    made: list[Place] = []

    def make(*engine: Any, **settings: Any) -> Place:
        made.append(Place(folder(), *engine, **settings))
        return made[-1]

    yield make
    for place in made:
        place.services.event_store.close()


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Makes servers with data folders of their own, of an engine and settings; they are closed after the module."""
    yield from _servers(lambda: tmp_path_factory.mktemp("server"))


@pytest.fixture(scope="module")
def shared(servers: Servers) -> Place:
    """A server for all of a module, whose games do not meet."""
    return servers(**OFTEN)


@pytest.fixture
def make_place(tmp_path: Path) -> Iterator[Servers]:
    """Makes servers on the test's own folder, of an engine and settings; they are closed after the test."""
    yield from _servers(lambda: tmp_path)


@pytest.fixture
def place(make_place: Servers) -> Place:
    """A server of the test's own."""
    return make_place()


@pytest.fixture
def game(place: Place) -> str:
    """A game of One-Hour WWII that has begun at the place of the test or its module."""
    return place.one_hour()
