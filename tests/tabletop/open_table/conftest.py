"""Night Raid joined as an installed package, for the tests of the parts that small rulesets have by default."""

from collections.abc import Iterator

import pytest

from tests.support.example_rulesets import NIGHT_RAID


@pytest.fixture(scope="module", autouse=True)
def night_raid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with NIGHT_RAID.joined(tmp_path_factory.mktemp("site")):
        yield
