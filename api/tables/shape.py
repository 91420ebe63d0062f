"""From the server's state to what is sent: no judgement, only shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from api.photos.jobs import Job
from api.schemas.tables import (
    ArcOut,
    BaseOut,
    ChangeOut,
    CorridorOut,
    JobOut,
    MarksOut,
    ModifierOut,
    PhotoOut,
    PictureOut,
    PriorityOut,
    RangeOut,
    RectOut,
    RingOut,
    ShotOut,
    SideOut,
    SightOut,
    SizeOut,
    TableBrief,
    TableOut,
    TerrainOut,
    UnitOut,
    ViewOut,
)
from api.tables import outlines
from api.tables.state import MARKS, BaseRow, TableState
from api.tables.store import Event
from tabletop.game.parts import DEFAULT_RULES
from tabletop.tables import drawn_terrain as hand

_VERDICTS = {"too-close": 0, "yes": 1, "no": 2}


def brief(state: TableState, used: str) -> TableBrief:
    """A line of the list of tables; ``used`` is when anything last happened there."""
    return TableBrief(
        id=state.game,
        name=state.name,
        created=state.created,
        used=used,
        units=len(state.table.units),
        has_photo=state.photo is not None,
    )


def table(state: TableState) -> TableOut:
    """The whole table."""
    file = state.table
    rims = {side.id: side.rim for side in file.sides}
    sides = list(dict.fromkeys([side.id for side in file.sides] + [unit.side for unit in file.units]))
    return TableOut(
        id=state.game,
        name=state.name,
        created=state.created,
        seq=state.seq,
        table=SizeOut(width=file.width_in, depth=file.depth_in),
        rules=file.rules or DEFAULT_RULES,
        dice="d6" if state.dice == "d6" else "d5",
        sides=[SideOut(id=side, rim=None if (rim := rims.get(side)) is None else rim_color(rim)) for side in sides],
        units=[_unit(state, i) for i in range(len(file.units))],
        terrain=[
            TerrainOut(
                id=piece["id"],
                kind=piece["kind"],
                polygon=piece["polygon"],
                rect=_rect(piece["polygon"]),
                middle=hand.middle(piece["polygon"]),
                height=piece.get("height") or 0.0,
                hill_top=piece.get("hill_top"),
                sigma=piece.get("sigma") or 0.0,
                method="hand" if piece["id"] in state.drawn else "given",
            )
            for piece in state.terrain
        ],
        photo=_photo(state),
        bases=[_base(base) for base in state.bases.values()],
        warnings=state.warnings,
        undo=_change(state.undo),
        redo=_change(state.redo),
    )


def view(state: TableState, drawn: dict[str, Any]) -> ViewOut:
    """What is drawn and said of one unit."""
    return ViewOut(
        unit=drawn["unit"].id,
        seq=state.seq,
        measured_from=drawn["measured_from"],
        rings=[RingOut(name=name, inches=inches, outlines=parts) for name, inches, parts in drawn["rings"]],
        front=drawn["front"],
        threat=drawn["threat"],
        shots=sorted(map(shot, drawn["shots"]), key=_by_urgency),
        incoming=sorted(map(shot, drawn["incoming"]), key=_by_urgency),
        threatened_by=drawn["threatened_by"],
        perhaps_threatened_by=drawn["perhaps_threatened_by"],
        removed=drawn["removed"],
        faults=drawn["faults"],
        doubts=drawn["doubts"],
        notes=drawn["notes"],
    )


def shot(entry: dict[str, Any]) -> ShotOut:
    """One shot of a report."""
    reach, sight, arc, draw = entry["range"], entry["sight"], entry["arc"], entry.get("draw", {})
    return ShotOut(
        firer=entry["firer"],
        target=entry["target"],
        verdict=entry["verdict"],
        range=RangeOut(
            value=reach["value"],
            sigma=reach["sigma"],
            band=reach["band"],
            possible=reach.get("possible", [reach["band"]]),
        ),
        sight=SightOut(verdict=sight["verdict"], blocked_by=sight["blocked_by"]),
        arc=ArcOut(firing_to_rear=arc["firing_to_rear"], firing_on_rear=arc["firing_on_rear"]),
        modifiers=[
            ModifierOut(name=one["name"], add=one.get("add"), multiply=one.get("multiply"))
            for one in entry["modifiers"]
        ],
        hits=entry["hits"],
        expected_hits=entry["expected_hits"],
        reasons=entry["reasons"],
        priority=PriorityOut.model_validate(entry["priority"]) if entry.get("priority") else None,
        range_line=draw.get("range", []),
        corridors=[
            CorridorOut(outline=outlines.corridor(line["from"], line["to"]), verdict=line["verdict"])
            for line in draw.get("sight", [])
        ],
        blocked_at=draw.get("blocked_at", []),
    )


def _by_urgency(judged: ShotOut) -> tuple[int, float, float, str]:
    return _VERDICTS[judged.verdict], -judged.expected_hits, judged.range.value, judged.target


def _unit(state: TableState, index: int) -> UnitOut:
    unit = state.table.units[index]
    bases = state.unit_bases(unit.id)
    return UnitOut(
        id=unit.id,
        side=unit.side,
        kind=unit.kind,
        bases_expected=unit.bases,
        bases_found=len(bases),
        has_unique=any(base["unique"] is True for base in bases),
        marks=MarksOut.model_validate({**MARKS, **state.marks.get(unit.id, {})}),
    )


def _base(base: BaseRow) -> BaseOut:
    keys = (
        "id", "unit", "side", "kind", "unique", "tag", "shape", "width", "depth", "center", "z", "facing",
        "facing_sigma", "confidence", "method",
    )  # fmt: skip
    return BaseOut.model_validate(
        {
            **{key: base[key] for key in keys},
            "sigma": round(outlines.sigma(base), 4),
            "outline": outlines.ring(outlines.base_polygon(base)),
            "ellipse": outlines.ellipse(base),
        }
    )


def _photo(state: TableState) -> PhotoOut | None:
    photo = state.photo
    if photo is None:
        return None
    (width, height), bounds = photo["map"]["size"], photo["map"]["bounds"]
    laid_flat = PictureOut(url=picture_url(state, "map"), width=width, height=height, bounds=bounds)
    return PhotoOut(sha256=photo["sha256"], map=laid_flat, annotated=annotated(state), upright=upright(state))


def picture_url(state: TableState, picture: str) -> str:
    """Where a picture of a table's last photo lies: ``map``, ``annotated`` or ``upright``."""
    assert state.photo is not None
    return f"/api/tables/{state.game}/photos/{state.photo['sha256']}/{picture}.jpg"


def annotated(state: TableState) -> PictureOut:
    """A table's last photo, or a part of it, with what was found drawn in."""
    assert state.photo is not None
    width, height = state.photo["annotated"]["size"]
    url, part = picture_url(state, "annotated"), _annotated_part(state.photo)
    return PictureOut(url=url, width=width, height=height, bounds=None, part=part)


def upright(state: TableState) -> PictureOut | None:
    """A table's last photo as it is; ``None`` for one that was read before those were kept."""
    assert state.photo is not None
    if "upright" not in state.photo:
        return None
    width, height = state.photo["upright"]["size"]
    return PictureOut(
        url=picture_url(state, "upright"), width=width, height=height, bounds=None, part=(0.0, 0.0, 1.0, 1.0)
    )


def _annotated_part(photo: dict[str, Any]) -> tuple[float, float, float, float] | None:
    if "part" not in photo["annotated"]:  # photos that were read long ago
        return None
    left, top, right, bottom = photo["annotated"]["part"]
    width, height = photo["width"], photo["height"]
    return left / width, top / height, right / width, bottom / height


ASK_MS = 350
ASK_MS_AHEAD = 500
MOST_ASK_MS = 3000
"""How soon a device asks again for a photo: sooner the fewer others come before it."""


def job(job: Job, ahead: int) -> JobOut:
    """How far a photo has come that so many come before."""
    kept = {key: getattr(job, key) for key in ("state", "stage", "fraction", "detail")}
    ask_ms = min(ASK_MS + ASK_MS_AHEAD * ahead, MOST_ASK_MS)
    return JobOut.model_validate({"id": job.job, "table": job.game, "ahead": ahead, "ask_ms": ask_ms, **kept})


def _change(event: Event | None) -> ChangeOut | None:
    if event is None:
        return None
    key = {"mark": "unit", "draw": "piece", "redraw": "terrain", "erase": "terrain", "cut": "terrain"}.get(
        event.kind, "base"
    )
    about = event.body.get(key)
    if isinstance(about, dict):
        about = about["id"]
    return ChangeOut(kind=event.kind, about=about)


def _rect(polygon: Sequence[Sequence[float]]) -> RectOut | None:
    found = hand.as_rectangle(polygon)
    return None if found is None else RectOut(center=found[0], size=found[1], angle=found[2])


def rim_color(rim: tuple[int, int, int]) -> str:
    """A rim's paint (red, green, blue) as pages write it."""
    return "#{:02x}{:02x}{:02x}".format(*rim)
