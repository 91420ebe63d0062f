"""The story of a short game of One-Hour WWII."""

import pytest

from tabletop.aar.adapters import report_adapter
from tabletop.aar.story import Story, tell
from tests.support.aar_games import played_log


@pytest.fixture(scope="module")
def story() -> Story:
    return tell(played_log().game, report_adapter("one-hour-ww2"))
