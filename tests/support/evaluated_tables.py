"""Small made-up tables with truth, and observations of them that are off by as much as a test says."""

import copy
from pathlib import Path
from typing import Any

from evaluation.cases import Case
from evaluation.truth import Truth, truth_from

WIDTH, DEPTH = 24.0, 18.0
PX_PER_IN = 25.0


def true_base(x: float, y: float, facing: float = 0.0, **more: Any) -> dict[str, Any]:
    """A rectangle of 2″ by 1.25″, 0.1″ thick."""
    return {
        "shape": "rect", "width": 2.0, "depth": 1.25, "thickness": 0.1, "centre": [x, y], "z": 0.0,
        "facing_deg": facing, "tag_id": None, "unique": False, "visible_fraction": 1.0, **more,
    }  # fmt: skip


def tag(tag_id: int, x: float, y: float, half: float = 0.5, visible: float = 1.0) -> dict[str, Any]:
    """A tag flat on the table with its corners."""
    corners = [[x - half, y + half, 0], [x + half, y + half, 0], [x + half, y - half, 0], [x - half, y - half, 0]]
    return {"id": tag_id, "corners": corners, "visible_fraction": visible}


def raw_truth(units: dict[str, list[dict[str, Any]]] | None = None, **more: Any) -> dict[str, Any]:
    """The truth of a table seen from straight above, 25 pixels an inch; units are red where their name starts so."""
    return {
        "image": {"width": 1000, "height": 800},
        "camera": {
            "K": [[1000.0, 0.0, 500.0], [0.0, 1000.0, 400.0], [0.0, 0.0, 1.0]],
            "distortion": [0.0] * 5,
            "R": [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]],
            "t": [-WIDTH / 2, DEPTH / 2, 40.0],
        },
        "table": {"width": WIDTH, "depth": DEPTH},
        "rims": {"red": [150, 30, 30], "blue": [30, 30, 150]},
        "units": [
            {"id": name, "side": "red" if name.startswith("r") else "blue", "kind": "infantry", "bases": bases}
            for name, bases in (units or {}).items()
        ],
        "terrain": [],
        "dice": [],
        "clutter": [],
        **more,
    }


def made(units: dict[str, list[dict[str, Any]]] | None = None, **more: Any) -> Truth:
    """That truth as the evaluation reads it."""
    return truth_from(raw_truth(units, **more))


def seen_exactly(truth: Truth, sigma: float = 0.02) -> dict[str, Any]:
    """An observation that is right in everything, with the same spread for every base."""
    return {
        "version": 1,
        "units": "inches",
        "table": {"width": truth.width, "depth": truth.depth},
        "bases": [
            {
                "id": f"base{n}", "unit": base.unit, "tag": base.tag, "side": base.side, "kind": "infantry",
                "unique": base.unique, "shape": base.shape, "width": base.width, "depth": base.depth,
                "center": list(base.center), "z": base.z, "facing": base.facing,
                "covariance": [[sigma**2, 0.0], [0.0, sigma**2]], "facing_sigma": 0.5, "confidence": 0.9,
                "method": "outline",
            }
            for n, base in enumerate(truth.bases, 1)
        ],
        "terrain": [
            {
                "id": f"t{n}", "kind": piece.kind, "polygon": [list(p) for p in piece.shape.exterior.coords[:-1]],
                "height": piece.height, "confidence": 0.9, "sigma": 0.1,
            }
            for n, piece in enumerate(truth.terrain, 1)
        ],
        "dice": [{"center": list(die.center), "value": die.value, "confidence": 0.9} for die in truth.dice],
        "markers": [
            {"unit": unit, "means": "fired", "center": list(at), "confidence": 0.9, "method": "cotton"}
            for at, unit in truth.cotton
        ],
        "questions": [],
        "warnings": [],
    }  # fmt: skip


def moved(observation: dict[str, Any], row: int, dx: float, dy: float = 0.0, **more: Any) -> dict[str, Any]:
    """The same with one base moved and some of its entries changed."""
    out = copy.deepcopy(observation)
    base = out["bases"][row]
    base["center"] = [base["center"][0] + dx, base["center"][1] + dy]
    base.update(more)
    return out


def square(x: float, y: float, side: float) -> list[list[float]]:
    """A square's corners, from its near-left one."""
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]


TABLE_FILE = f"""\
[table]
width = {WIDTH}
depth = {DEPTH}
rules = "one-hour-ww2"

[frame]
dictionary = "DICT_APRILTAG_36h11"
marker_size = 2.0
""" + "".join(
    f"[[frame.markers]]\nid = {n}\ncenter = [{x}, {y}]\n"
    for n, (x, y) in enumerate(((1.0, 1.0), (23.0, 1.0), (23.0, 17.0), (1.0, 17.0)))
)


def roster(*units: str, bases: int = 1) -> str:
    """Entries of the table file for some units."""
    return "".join(
        f'[[units]]\nid = "{name}"\nside = "{"red" if name.startswith("r") else "blue"}"\nkind = "infantry"\n'
        f'bases = {bases}\nbase = {{ shape = "rect", width = 2.0, depth = 1.25, height = 0.1 }}\n'
        for name in units
    )


def case_in(folder: Path, name: str = "a") -> Case:
    return Case(name, folder / f"{name}.jpg", folder / f"{name}.table.toml", folder / f"{name}.json")
