"""A data folder of one's own to play in."""

from pathlib import Path

import pytest

from tests.tabletop.cli.test_game import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)
