"""Symbols of dice: each its own, none a net's that is measured on them, random ones of all sorts."""

import numpy as np

from synthetic.dice import PIPS, marbled
from synthetic.symbols import HELD_OUT, LEARNT, SYMBOLS, symbol


def test_every_symbol_is_ink_of_its_own_and_no_pips() -> None:
    masks = {name: symbol(name) for name in SYMBOLS}
    y, x = (np.mgrid[:128, :128] + 0.5) / 64 - 1
    for number, spots in PIPS.items():
        ink = np.max([np.hypot(x - 0.6 * a, y - 0.6 * b) < 0.24 for a, b in spots], axis=0)
        masks[str(number)] = ink.astype(np.float32)
    for name, mask in masks.items():
        assert mask.shape == (128, 128) and mask.min() >= 0 and mask.max() <= 1 and 0.04 < mask.mean() < 0.8
        for other, its in masks.items():
            if other != name:
                assert np.minimum(mask, its).sum() / np.maximum(mask, its).sum() < 0.9, (name, other)


def test_what_is_measured_is_not_learnt_from() -> None:
    assert not set(LEARNT) & set(HELD_OUT) and set(SYMBOLS) == set(LEARNT) | set(HELD_OUT)
    rng = np.random.default_rng(0)
    assert {marbled(rng, 6).symbol for _ in range(60)} == set(HELD_OUT)
    assert marbled(rng, None).symbol is None and marbled(rng, 1).stands_for == 1
