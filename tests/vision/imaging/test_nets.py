"""What the nets are shown, and that they answer the same whole or in tiles."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from vision.imaging import nets
from vision.imaging.nets import INPUTS, MULTIPLE, Net, both_ways, lean_of, net, plan_input


def picture(rows: int, columns: int, seed: int = 1) -> np.ndarray:
    """A mat of one colour with a darker patch and noise, BGR."""
    rng = np.random.default_rng(seed)
    image = np.full((rows, columns, 3), (60, 120, 90), np.float64) + rng.normal(0, 8, (rows, columns, 3))
    image[rows // 3 : rows // 2, columns // 3 : columns // 2] *= 0.4
    return np.clip(image, 0, 255).astype(np.uint8)


def shown(rows: int, columns: int, seed: int = 1) -> np.ndarray:
    lean = lean_of(columns, rows, (columns / 2, rows * 1.5), 40.0, 8.0)
    return plan_input(picture(rows, columns, seed), lean, np.ones((rows, columns), bool))


def test_what_is_off_the_table_is_not_shown() -> None:
    valid = np.ones((40, 60), bool)
    valid[:, 30:] = False
    out = plan_input(picture(40, 60), lean_of(60, 40, (30, 90), 40.0, 8.0), valid)
    assert out.shape == (INPUTS, 40, 60)
    assert np.all(out[:, :, 30:] == 0.0)
    assert np.all(out[8, :, :30] == 1.0)


@pytest.mark.parametrize("name, planes", [("ground", 9), ("bases", 3)])
def test_a_net_answers_with_shares_of_the_same_size(name: str, planes: int) -> None:
    share = net(name)(shown(70, 101))
    assert share.shape == (planes, 70, 101)
    assert np.all((share >= 0) & (share <= 1))
    assert 70 % MULTIPLE and 101 % MULTIPLE


def test_tiles_agree_with_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    given = shown(256, 320)
    whole = Net(nets.weights("bases"))(given)
    monkeypatch.setattr(nets, "_MOST_AT_ONCE", 100)
    monkeypatch.setattr(nets, "_TILE", 224)
    tiled = Net(nets.weights("bases"))(given)
    # Far from the picture's middle a tile sees less round it: nearly the same, and the same where it matters.
    assert np.mean(np.abs(tiled - whole)) < 0.02
    assert np.mean((tiled > 0.5) != (whole > 0.5)) < 0.01


def test_a_bare_mat_has_neither_terrain_nor_bases() -> None:
    rng = np.random.default_rng(3)
    image = np.clip(np.full((288, 288, 3), (60, 125, 95)) + rng.normal(0, 6, (288, 288, 3)), 0, 255).astype(np.uint8)
    lean = lean_of(288, 288, (144, 420), 45.0, 8.0)
    given = plan_input(image, lean, np.ones((288, 288), bool))
    assert np.mean(net("ground")(given) > 0.5) < 0.005
    assert np.mean(net("bases")(given)[0] > 0.5) < 0.005


def test_one_net_asked_from_two_threads_answers_each_its_own() -> None:
    given = [shown(96, 96), shown(96, 96)[:, ::-1].copy()]
    bases = net("bases")
    alone = [bases(picture) for picture in given]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(bases, given * 6))
    assert all(np.array_equal(answer, alone[k % 2]) for k, answer in enumerate(together))


def test_a_map_and_its_mirror_image_are_read_alike() -> None:
    given = plan_input(picture(96, 128), lean_of(128, 96, (20.0, 150.0), 40.0, 8.0), np.ones((96, 128), bool))
    mirror = plan_input(
        np.ascontiguousarray(picture(96, 128)[:, ::-1]),
        lean_of(128, 96, (107.0, 150.0), 40.0, 8.0),
        np.ones((96, 128), bool),
    )
    share = both_ways(net("ground"), given)
    assert np.allclose(share, both_ways(net("ground"), mirror)[..., ::-1], atol=1e-4)
    assert np.allclose(share, (net("ground")(given) + net("ground")(mirror)[..., ::-1]) / 2, atol=1e-4)
