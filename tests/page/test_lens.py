"""The page's own lens (api/web/src/lens.ts) against OpenCV: what it draws on a photo, and where a tap on it lies.

The script is bundled by esbuild and run by node, as the page is built; tests skip where neither is there.
"""

import json
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from api.settings import PAGE_DIR
from tests.paths import ROOT

WEB = PAGE_DIR.parent
NODE, ESBUILD = shutil.which("node"), WEB / "node_modules" / ".bin" / "esbuild"
pytestmark = pytest.mark.skipif(NODE is None or not ESBUILD.exists(), reason="needs node and npm ci in api/web")

SCRIPT = (ROOT / "tests" / "page" / "js" / "lens.js").read_text(encoding="utf-8")
NEVER = 1e6  # inches to the right: no hill there


def bundle(folder: Path, script: str, *options: str) -> Path:
    (folder / "asked.ts").write_text(script, encoding="utf-8")
    made = folder / "asked.cjs"
    command = [str(ESBUILD), str(folder / "asked.ts"), "--bundle", f"--outfile={made}", "--log-level=error", *options]
    subprocess.run(command, check=True, cwd=WEB, timeout=60)
    return made


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[dict[str, Any]]], list[Any]]:
    folder = tmp_path_factory.mktemp("lens")
    made = bundle(folder, SCRIPT.replace("LENS", (WEB / "src" / "lens.ts").as_posix()), "--platform=node")

    def asked(wishes: list[dict[str, Any]]) -> list[Any]:
        told = subprocess.run(
            [str(NODE), str(made)],
            input=json.dumps(wishes), check=True, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        return list(json.loads(told.stdout))

    return asked


def looking(eye: tuple[float, float, float], at: tuple[float, float, float], **more: Any) -> dict[str, Any]:
    """A camera at a place that looks at another, all in table inches."""
    ahead = np.subtract(at, eye) / np.linalg.norm(np.subtract(at, eye))
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    R = np.array([right, np.cross(ahead, right), ahead])
    lens = {
        "width": 2000, "height": 1500, "K": [[1500.0, 0.0, 990.0], [0.0, 1504.0, 761.0], [0.0, 0.0, 1.0]],
        "dist": [0.05536, -0.06733, 0.00055, -0.00029, -0.0198], "R": R.tolist(), "t": (-R @ np.array(eye)).tolist(),
    }  # fmt: skip
    return lens | more


PHONE = looking((18.0, -14.0, 34.0), (18.0, 17.0, 0.0))
CAMERAS = {
    "a phone": PHONE,
    "barrel": looking((-6.0, -9.0, 30.0), (20.0, 18.0, 0.0), dist=[-0.32, 0.11, 0.001, -0.0012, -0.013]),
    "rational": looking(
        (40.0, 44.0, 28.0), (16.0, 16.0, 0.0), dist=[0.42, -0.11, 0.0004, 0.0002, 0.03, 0.51, -0.06, 0.01]
    ),
    "thin prism": looking(
        (18.0, 44.0, 40.0), (18.0, 18.0, 0.0),
        dist=[-0.1, 0.02, 0.001, 0.002, 0.0, 0.01, 0.0, 0.0, 0.002, -0.001, 0.001, 0.0005],
    ),
    "four terms": looking((18.0, 44.0, 40.0), (18.0, 18.0, 0.0), dist=[-0.1, 0.02, 0.001, 0.002]),
    "from straight above": {
        **PHONE, "R": [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]], "t": [-18.0, 18.0, 40.0],
    },
}  # fmt: skip


def drawn(lens: dict[str, Any], points: np.ndarray) -> np.ndarray:
    """Pixels by OpenCV."""
    rotation, _ = cv2.Rodrigues(np.array(lens["R"]))
    found, _ = cv2.projectPoints(
        np.asarray(points, dtype=float), rotation, np.array(lens["t"]), np.array(lens["K"]), np.array(lens["dist"])
    )
    return np.asarray(found[:, 0], dtype=float)


def inside(lens: dict[str, Any], pixels: np.ndarray) -> np.ndarray:
    return np.all((pixels >= 0) & (pixels <= [lens["width"] - 1, lens["height"] - 1]), axis=1)


def wish(lens: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"lens": lens, "points": [], "pixels": [], "line": [], "hill": NEVER, "closed": False, "z": 0.0, **more}


def to_polyline(points: np.ndarray, line: np.ndarray) -> np.ndarray:
    """How far each point lies from a polyline."""
    a, b = line[:-1], line[1:]
    way = b - a
    along = np.einsum("pij,ij->pi", points[:, None] - a, way) / np.maximum(np.einsum("ij,ij->i", way, way), 1e-12)
    nearest = a + np.clip(along, 0, 1)[..., None] * way
    return np.asarray(np.linalg.norm(points[:, None] - nearest, axis=2).min(axis=1))


@pytest.mark.parametrize("name", CAMERAS)
def test_points_are_drawn_where_opencv_draws_them_and_taps_come_back(ask: Any, name: str) -> None:
    lens, rng = CAMERAS[name], np.random.default_rng(5)
    wishes, wanted = [], []
    for z in (0.0, 0.12, 1.0):
        table = np.column_stack([rng.uniform(0, 36, (60, 2)), np.full(60, z)])
        pixels = drawn(lens, table)
        seen = inside(lens, pixels)
        assert seen.sum() > 20
        wanted.append((table[seen], pixels[seen]))
        wishes.append(wish(lens, points=table[seen].tolist(), pixels=pixels[seen].tolist(), z=z))
    for answer, (table, pixels) in zip(ask(wishes), wanted, strict=True):
        assert np.array(answer["points"], dtype=float) == pytest.approx(pixels, abs=1e-6)
        assert np.array(answer["pixels"], dtype=float) == pytest.approx(table[:, :2], abs=1e-6)


@pytest.mark.parametrize("name", CAMERAS)
def test_long_lines_bend_as_the_lens_bends(ask: Any, name: str) -> None:
    """Every twentieth of an inch of a line that is in the picture lies on what is drawn; nothing else is drawn."""
    lens = CAMERAS[name]
    edge = [[0.0, 0.0], [36.0, 0.0], [36.0, 36.0], [0.0, 36.0]]
    (answer,) = ask([wish(lens, line=edge, closed=True)])
    pieces = [np.array(line) for line in answer["lines"]]
    assert pieces
    corners = np.array([*edge, edge[0]])
    dense = np.vstack([np.linspace(a, b, 721) for a, b in pairwise(corners)])
    pixels = drawn(lens, np.column_stack([dense, np.zeros(len(dense))]))
    seen = pixels[inside(lens, pixels)]
    assert np.min([to_polyline(seen, line) for line in pieces], axis=0).max() < 0.2
    for line in pieces:
        assert to_polyline(line[inside(lens, line)], pixels).max(initial=0.0) < 0.2


def test_the_outline_of_an_area_encloses_what_is_in_it(ask: Any) -> None:
    """Pixels of the picture inside the area are those whose place on the table is inside, also where it is cut off."""
    lens = looking((18.0, -4.0, 9.0), (18.0, 14.0, 0.0))  # so near that the table goes on on all sides
    outline = np.array([[-30.0, -30.0], [60.0, -20.0], [60.0, 10.0], [20.0, 12.0], [17.0, 30.0], [-30.0, 20.0]])
    rng = np.random.default_rng(6)
    pixels = rng.uniform([0, 0], [1999, 1499], (300, 2))
    (answer,) = ask([wish(lens, line=outline.tolist(), closed=True, pixels=pixels.tolist())])
    area = np.array(answer["area"], dtype=np.float32)
    known = [i for i, place in enumerate(answer["pixels"]) if place is not None]
    assert len(known) > 250
    checked = 0
    for i in known:
        place = tuple(float(value) for value in answer["pixels"][i])
        within = cv2.pointPolygonTest(outline.astype(np.float32), place, True)
        x, y = (float(value) for value in pixels[i])
        if abs(within) > 0.05:
            assert (cv2.pointPolygonTest(area, (x, y), False) > 0) == (within > 0), pixels[i]
            checked += 1
    assert checked > 200


def test_nothing_behind_the_camera_or_folded_over_by_the_lens_is_drawn(ask: Any) -> None:
    barrel = looking((18.0, 8.0, 5.0), (18.0, 30.0, 0.0), dist=[-0.35, 0.0, 0.0, 0.0, 0.0])
    behind = [[18.0, y, 0.0] for y in (-30.0, -5.0, 3.0)]
    beside = [[x, 14.0, 0.0] for x in (7.0, 29.0)]
    folded = drawn(barrel, np.array(beside))
    assert inside(barrel, folded).all(), "OpenCV itself folds these into the picture"
    (answer,) = ask(
        [wish(barrel, points=behind + beside, line=[[18.0, -200.0], [18.0, 300.0]], pixels=[[1000.0, 2.0]])]
    )
    assert answer["points"] == [None] * 5
    (line,) = answer["lines"]
    assert np.isfinite(np.array(line)).all() and np.abs(np.array(line)).max() < 5000
    assert answer["pixels"] == [None], "above the horizon there is no table"


def test_a_hill_lifts_what_lies_on_it(ask: Any) -> None:
    (answer,) = ask([wish(PHONE, line=[[10.0, 20.0], [26.0, 20.0]], hill=18.0)])
    (line,) = answer["lines"]
    ends = drawn(PHONE, np.array([[10.0, 20.0, 0.0], [26.0, 20.0, 1.0]]))
    assert np.array([line[0], line[-1]]) == pytest.approx(ends, abs=1e-6)
