"""Bridge Guard joined as an installed package, for the tests of the parts that small rulesets on squares have by
default."""

from collections.abc import Iterator

import pytest

from tests.support.example_rulesets import BRIDGE_GUARD


@pytest.fixture(scope="module", autouse=True)
def bridge_guard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with BRIDGE_GUARD.joined(tmp_path_factory.mktemp("site")):
        yield
