"""Observe every photograph of a folder, score it against its truth, and write the result table.

    python scripts/evaluate_photos.py PHOTOS --out docs/accuracy.md [--calibration 'dev-calib-*.jpg' --board BOARD]

PHOTOS holds NAME.jpg, NAME.table.toml, NAME.json (truth) and score.py, the scorer. Every photograph counts: one that is
refused counts as all missed. Each is observed in a process of its own, which also times a bare JPEG decode and a bare
``detectMarkers`` and tells its peak memory. With board pictures of the same phone a second table tells what a stored
calibration changes.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("photos", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--calibration", help="board pictures of one phone, a pattern inside PHOTOS")
    parser.add_argument("--board", help="the board, as for `tabletop calibrate`")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--one", nargs=2, metavar=("NAME", "CAMERA"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        name, camera = args.one
        json.dump(observe_one(args.photos, name, Path(camera) if camera != "-" else None), sys.stdout)
        return 0
    names = args.only or sorted(p.name.removesuffix(".table.toml") for p in args.photos.glob("*.table.toml"))
    scorer = load_scorer(args.photos / "score.py")
    lines = section("Without a stored calibration", args.photos, names, scorer, None)
    if args.calibration and args.board:
        with tempfile.TemporaryDirectory() as folder:
            camera = Path(folder) / "camera.json"
            model, note = calibrate(args.photos, args.calibration, args.board, camera)
            same = [n for n in names if model_of(args.photos / f"{n}.jpg") == model]
            title = f"With a calibration from {args.calibration}"
            lines += ["", note, "", *section(title, args.photos, same, scorer, camera)]
    text = "\n".join(HEAD + lines) + "\n"
    if args.out:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    return 0


HEAD = [
    "# Accuracy on photographs with exact truth",
    "",
    "Written by `scripts/evaluate_photos.py`; do not edit. The photographs are path-traced pictures of modelled",
    "tables: exact where real pictures can't be, and no substitute for them. Errors in inches, facing in degrees,",
    "times in seconds on the machine that wrote this (two cores), each photograph in a process of its own. One that",
    "is refused counts as all missed. *readable*: at least 20 px a side and not hidden, as the scorer has it.",
    "",
]


def observe_one(folder: Path, name: str, camera_file: Path | None) -> dict[str, Any]:
    """One photograph's observation with its stage times, comparison times and peak memory."""
    from calibration import CalibrationError, Camera
    from tabletop.referee import expected_from, load_for_photo
    from vision import VisionError
    from vision.observe import observe
    from vision.photo import open_photo

    table = load_for_photo(folder / f"{name}.table.toml")
    camera = Camera.load(camera_file) if camera_file else None
    best: dict[str, Any] = {}
    for _ in range(3):
        started = time.perf_counter()
        try:
            photo = open_photo(folder / f"{name}.jpg")
            opened = time.perf_counter() - started
            seen = observe(photo, expected_from(table), camera=camera)
        except (CalibrationError, VisionError) as refusal:
            return {"observation": None, "refused": str(refusal)}
        total = time.perf_counter() - started
        if not best or total < best["total"]:
            stages = {"opening": opened, **dict(seen.timings_s)}
            best = {"observation": seen.to_json(), "total": total, "stages": stages}
    best["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    best.update(bare_times(folder / f"{name}.jpg"))
    return best


def bare_times(path: Path) -> dict[str, float]:
    """Seconds of a bare JPEG decode and of OpenCV's ``detectMarkers`` with its defaults, best of three."""
    import cv2

    data = np.frombuffer(path.read_bytes(), np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    detector = cv2.aruco.ArucoDetector(dictionary)
    decode, detect = [], []
    for _ in range(3):
        t0 = time.perf_counter()
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
        t1 = time.perf_counter()
        detector.detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
        decode.append(t1 - t0)
        detect.append(time.perf_counter() - t1)
    return {"bare_decode": min(decode), "bare_detect": min(detect)}


def section(title: str, folder: Path, names: list[str], scorer: Any, camera: Path | None) -> list[str]:
    """A heading with the score table and the time table of some photographs."""
    scores, runs = [], []
    for name in names:
        command = [sys.executable, __file__, str(folder), "--one", name, str(camera or "-")]
        run = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        truth = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        scores.append(dict(photo=name, refused=run.get("refused"), **scorer.score(run["observation"], truth)))
        runs.append(run)
    return [
        f"## {title}",
        "",
        *score_table(scores),
        "",
        *pooled(scores, names, runs, folder, scorer),
        "",
        *time_table(names, runs),
    ]


def score_table(scores: list[dict[str, Any]]) -> list[str]:
    rows = [
        "| photo | readable tags | misread | tagged bases | centre median / p95 | facing p95 | other bases | their p95"
        " | false | wrong unit / side | named | in 95 % ellipse |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    f = lambda v: "-" if v is None else f"{v:.3f}"  # noqa: E731
    for r in scores:
        rows.append(
            f"| {r['photo']} | {r['readable_right']}/{r['readable']} | {r['misread']}"
            f" | {r['tagged_found']}/{r['tagged']}"
            f" | {f(r['tagged_error_median'])} / {f(r['tagged_error_p95'])} | {f(r['tagged_facing_p95'])}"
            f" | {r['untagged_found']}/{r['untagged']} | {f(r['untagged_error_p95'])} | {r['invented']}"
            f" | {r['wrong_unit']} / {r['wrong_side']} | {r['named']}/{r['bases']}"
            f" | {r['ellipse_inside']}/{r['ellipse_checked']} |" + (f" refused: {r['refused']}" if r["refused"] else "")
        )
    return rows


def pooled(
    scores: list[dict[str, Any]], names: list[str], runs: list[dict[str, Any]], folder: Path, scorer: Any
) -> list[str]:
    """The figures over all photographs together."""
    total = {k: sum(r[k] for r in scores) for k in COUNTS}
    tag_error, facing = [], []
    readable_error, readable_facing = [], []
    for name, run in zip(names, runs, strict=True):
        truth = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for error, turn, readable in tagged_errors(run["observation"], truth, scorer):
            tag_error.append(error)
            facing.append(turn)
            if readable:
                readable_error.append(error)
                readable_facing.append(turn)
    share = lambda a, b: f"{a} of {b}" + (f" ({100 * a / b:.1f} %)" if b else "")  # noqa: E731
    p = lambda v, q: f"{np.percentile([x for x in v if x is not None], q):.3f}" if v else "-"  # noqa: E731
    other = total["untagged"] + total["tagged"] - total["readable"]
    other_found = total["untagged_found"] + total["tagged_found"] - len(readable_error)
    reported = total["found"] + total["invented"]
    return [
        "All together:",
        "",
        f"- readable tags read: {share(total['readable_right'], total['readable'])}; misread: {total['misread']}",
        f"- bases with a readable tag: centre error median {p(readable_error, 50)},"
        f" 95th percentile {p(readable_error, 95)}; facing 95th percentile {p(readable_facing, 95)} degrees",
        f"- bases with any tag, read or not: centre error median {p(tag_error, 50)},"
        f" 95th percentile {p(tag_error, 95)}; facing {p(facing, 95)} degrees",
        f"- all other bases found: {share(other_found, other)};"
        f" false: {share(total['invented'], reported)} of those reported",
        f"- units named wrongly: {total['wrong_unit']}; sides given wrongly: {total['wrong_side']}",
        f"- true positions inside the stated 95 % ellipse: {share(total['ellipse_inside'], total['ellipse_checked'])}",
        *small_things(names, runs, folder),
    ]


def small_things(names: list[str], runs: list[dict[str, Any]], folder: Path) -> list[str]:
    """How many dice and cotton balls were found, read right, given to the right unit, or were none at all."""
    dice = dict.fromkeys(("true", "found", "right", "wrong", "false"), 0)
    cotton = dict.fromkeys(("true", "found", "right", "wrong", "false"), 0)
    for name, run in zip(names, runs, strict=True):
        truth = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        seen = run["observation"] or {"dice": [], "markers": []}
        balls = [marker for marker in seen["markers"] if marker["method"] == "cotton"]
        true_balls = [(c["at"], c["unit"]) for c in truth["clutter"] if c["kind"] == "cotton"]
        tally(dice, [(d["centre"], d["value"]) for d in truth["dice"]], seen["dice"], "value")
        tally(cotton, true_balls, balls, "unit")
    return [
        f"- dice found: {dice['found']} of {dice['true']}, their value read right: {dice['right']}, wrong:"
        f" {dice['wrong']}, left open: {dice['found'] - dice['right'] - dice['wrong']}; false: {dice['false']}",
        f"- cotton balls found: {cotton['found']} of {cotton['true']}, proposed for the right unit: {cotton['right']},"
        f" for a wrong one: {cotton['wrong']}, left open: {cotton['found'] - cotton['right'] - cotton['wrong']};"
        f" false: {cotton['false']}",
    ]


def tally(count: dict[str, int], true: list[tuple[list[float], Any]], seen: list[dict[str, Any]], key: str) -> None:
    """Add up what of one photograph was seen within half an inch of its true place, and whether ``key`` is right."""
    free = list(seen)
    for place, value in true:
        near = min(free, key=lambda s: float(np.hypot(*np.subtract(s["center"], place))), default=None)
        count["true"] += 1
        if near is None or np.hypot(*np.subtract(near["center"], place)) > 0.5:
            continue
        free.remove(near)
        count["found"] += 1
        count["right"] += near[key] == value
        count["wrong"] += near[key] not in (None, value)
    count["false"] += len(free)


COUNTS = (
    "readable_right", "readable", "misread", "untagged", "tagged", "untagged_found", "tagged_found", "found",
    "invented", "wrong_unit", "wrong_side", "ellipse_inside", "ellipse_checked",
)  # fmt: skip


def tagged_errors(
    observation: dict[str, Any] | None, truth: dict[str, Any], scorer: Any
) -> list[tuple[float, float | None, bool]]:
    """Centre error, facing error and readability of every tagged base found; a readable one missed counts as 1"."""
    out: list[tuple[float, float | None, bool]] = []
    got = observation["bases"] if observation else []
    for want in scorer.truth_bases(truth):
        if want["tag"] is None:
            continue
        near = min(got, key=lambda g: np.hypot(g["center"][0] - want["x"], g["center"][1] - want["y"]), default=None)
        error = (
            np.inf if near is None else float(np.hypot(near["center"][0] - want["x"], near["center"][1] - want["y"]))
        )
        if error > scorer.MATCH or near is None:
            if want["readable"]:
                out.append((1.0, None, True))
            continue
        turn = None
        if near["facing"] is not None and want["facing"] is not None and want["shape"] == "rect":
            turn = abs(scorer.wrap(near["facing"] - want["facing"]))
        out.append((error, turn, bool(want["readable"])))
    return out


def time_table(names: list[str], runs: list[dict[str, Any]]) -> list[str]:
    done = [(n, r) for n, r in zip(names, runs, strict=True) if r["observation"]]
    if not done:
        return []
    stages = list(done[0][1]["stages"])
    rows = [
        "| photo | total | " + " | ".join(stages) + " | peak MB | bare decode | bare detectMarkers |",
        "| --- |" + " --- |" * (len(stages) + 4),
    ]
    for name, run in done:
        cells = " | ".join(f"{run['stages'][s]:.2f}" for s in stages)
        rows.append(
            f"| {name} | {run['total']:.2f} | {cells} | {run['peak_mb']:.0f}"
            f" | {run['bare_decode']:.2f} | {run['bare_detect']:.2f} |"
        )
    return rows


def load_scorer(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("score", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no scorer.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def calibrate(folder: Path, pattern: str, board_text: str, out: Path) -> tuple[str | None, str]:
    """Calibrate from board pictures; the phone's model and a sentence for the table."""
    from calibration.boards import Board
    from calibration.charuco import calibrate as solve
    from vision.photo import open_photo

    pictures, model = [], None
    for path in sorted(folder.glob(pattern)):
        photo = open_photo(path)
        model = photo.model
        pictures.append((path.name, photo.gray))
    result = solve(pictures, Board.parse(board_text))
    result.camera.save(out)
    c = result.camera
    sigma = np.sqrt(np.diag(c.covariance))
    note = (
        f"{len(pictures)} board pictures: f {c.K[0, 0]:.1f} ± {sigma[0]:.1f} px at {c.size[0]} x {c.size[1]}, centre "
        f"({c.K[0, 2]:.1f}, {c.K[1, 2]:.1f}), residual {c.rms_px:.2f} px."
    )
    return model, note


def model_of(path: Path) -> str | None:
    from vision.photo import open_photo

    return open_photo(path).model


if __name__ == "__main__":
    sys.exit(main())
