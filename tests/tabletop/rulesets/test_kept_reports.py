"""The logs that are kept of golden games still make the reports that are kept beside them."""

import pytest

from tests.support.golden_games import REPORTED, reports


@pytest.mark.parametrize("name", REPORTED)
def test_a_kept_log_makes_the_kept_reports(name: str) -> None:
    for path, content in reports(name).items():
        assert path.read_bytes().decode() == content.decode(), f"{path.name}: see scripts/goldens.py"
