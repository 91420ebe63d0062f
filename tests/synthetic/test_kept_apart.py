"""What nets are measured on is not learnt from: symbols of dice, stuffs of tables, and samples."""

import sys
from pathlib import Path

import numpy as np
import pytest

from synthetic.dice import marbled
from synthetic.symbols import HELD_OUT, LEARNT, SYMBOLS
from synthetic.traced.families import FAMILIES, TEST, TRAIN
from tests.paths import ROOT

sys.path.insert(0, str(ROOT / "scripts" / "train"))
from classical import learnt, settling_samples
from sampled import kept_aside


def test_symbols() -> None:
    assert not set(LEARNT) & set(HELD_OUT) and set(SYMBOLS) == set(LEARNT) | set(HELD_OUT)
    rng = np.random.default_rng(0)
    assert {marbled(rng, 6).symbol for _ in range(60)} == set(HELD_OUT)
    assert marbled(rng, None).symbol is None and marbled(rng, 1).stands_for == 1


@pytest.mark.parametrize("what", ["mat", "stuffs", "trees", "houses"])
def test_stuffs(what: str) -> None:
    def of(names: tuple[str, ...]) -> set[str]:
        values = [getattr(FAMILIES[name], what) for name in names]
        return {v for value in values for v in ([value] if isinstance(value, str) else value)}

    assert sorted([*TRAIN, *TEST]) == sorted(FAMILIES)
    assert of(TRAIN) & of(TEST) == ({"ruin"} if what == "houses" else set())  # walls of ruins are of other stuff


def test_samples() -> None:
    paths = [Path(f"{k // 2:04d}-{k % 2}.npz") for k in range(4000)]
    aside, settle, learn = kept_aside(paths), settling_samples(paths), learnt(paths)
    assert len(aside) == 200 and not {*aside} & {*learn} and not {*aside} & {*settle}
    assert settle and not {p.name[:4] for p in settle} & {p.name[:4] for p in learn}
    looks = [p.name[5] for p in learn]
    assert len({p.name[:4] for p in learn}) == len(learn) > 1700
    assert abs(looks.count("0") - looks.count("1")) < 0.1 * len(learn)
