"""Earlier photos kept in a folder place the next ones; folders that can't be used are refused and stay as they were."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import FrameLayout
from geometry.bases import Bases
from tabletop.errors import UsageError
from tabletop.referee.reference_files import MOST, keep_reference, load_references
from tests.support.cli_runs import run_cli
from tests.support.textured_tables import SIZE_IN, camera_at, mat, photo_of
from vision.imaging.photo import open_photo
from vision.model.expected import Expected
from vision.model.observation import Observation, PhotoView

MAT = mat(4)
NEAR, BESIDE = camera_at((12.0, -12.0, 26.0), (12.0, 11.0)), camera_at((2.0, -9.0, 28.0), (12.0, 12.0))
NOTHING = Expected(*SIZE_IN, FrameLayout("", 0.0, ()))


def saved(folder: Path, name: str, gray: np.ndarray) -> Path:
    cv2.imwrite(str(folder / name), gray, [cv2.IMWRITE_JPEG_QUALITY, 95])
    return folder / name


def keep(folder: Path, photo: Path) -> None:
    seen = Observation(SIZE_IN, (PhotoView(photo.name, 1200, 900, NEAR),), Bases.empty(), ())
    keep_reference(folder, open_photo(photo), seen, 0, NOTHING)


def test_corners_named_once_serve_the_next_photos_of_a_table(tmp_path: Path) -> None:
    first, second = (saved(tmp_path, f"{k}.jpg", photo_of(MAT, v, 4, k)) for k, v in enumerate((NEAR, BESIDE)))
    ends = NEAR.pixel_from_table([[0, 0, 0], [24, 0, 0], [24, 24, 0], [0, 24, 0]])
    corners, folder = " ".join(f"{x:.1f},{y:.1f}" for x, y in ends), tmp_path / "club"
    refused = run_cli("observe", second, "--table", "24x24", "--json", "-")
    assert refused.exit_code == 2, "its edges do not stand out"
    assert run_cli("observe", first, "--table", "24x24", "--corners", corners, "--references", folder).exit_code == 0
    ran = run_cli("observe", second, "--table", "24x24", "--references", folder, "--json", "-")
    assert ran.exit_code == 0, ran.stderr
    seen = json.loads(ran.stdout)
    K, dist, R, t = (np.array(seen["photos"][0][key], dtype=np.float64) for key in ("K", "dist", "R", "t"))
    grid = np.array([[x, y, 0.0] for x in (2, 12, 22) for y in (2, 12, 22)])
    pixels = cv2.projectPoints(grid, cv2.Rodrigues(R)[0], t, K, dist)[0][:, 0]
    assert np.linalg.norm(pixels - BESIDE.pixel_from_table(grid), axis=1).max() < 6, "a sixth of an inch"
    assert any("placed by its look in earlier-0001" in said for said in seen["warnings"])
    assert sorted(path.name for path in folder.iterdir()) == [
        f"earlier-000{k}.{kind}" for k in (1, 2) for kind in ("jpg", "json")
    ]


def test_the_first_and_the_latest_photos_stay(tmp_path: Path) -> None:
    photo = saved(tmp_path, "a.jpg", photo_of(MAT, NEAR))
    for _ in range(MOST + 2):
        keep(tmp_path / "kept", photo)
    kept = [one.name for one in load_references(tmp_path / "kept", SIZE_IN)]
    assert kept == ["earlier-0006", "earlier-0005", "earlier-0004", "earlier-0001"]


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda path: path.write_text("{"), "can't be read: delete it"),
        (lambda path: path.with_suffix(".jpg").write_bytes(b"no picture"), "can't be read: delete it"),
        (lambda path: path.write_text(path.read_text().replace("[24.0, 24.0]", "[36.0, 24.0]")), "of 36 x 24 inches"),
    ],
)
def test_folders_that_can_t_be_used_are_refused_in_a_sentence(tmp_path: Path, harm: object, said: str) -> None:
    keep(tmp_path / "kept", saved(tmp_path, "a.jpg", photo_of(MAT, NEAR)))
    harm(tmp_path / "kept" / "earlier-0001.json")  # type: ignore[operator]
    with pytest.raises(UsageError, match=said):
        load_references(tmp_path / "kept", SIZE_IN)


def test_a_file_is_no_folder_and_a_missing_folder_has_no_photos(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="names a folder"):
        load_references(saved(tmp_path, "a.jpg", photo_of(MAT, NEAR)), SIZE_IN)
    assert load_references(tmp_path / "nothing yet", SIZE_IN) == ()
