"""Rulings beside terrain that a photo shows in doubt: a ruling that depends on the doubt is too close to call.

The same applies to a table of which a photo does not show which edge is the near one (:func:`turned_scenes`).

A piece that is there with a chance below :data:`~tabletop.tables.scene.SURE_TERRAIN` neither surely blocks a sight nor
leaves it open. The table is judged again without all such pieces, and once more with each of them as the likeliest
other kind. If a ruling differs, it is too close to call until the players identify the terrain; different odds are
listed beside the first ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tabletop.identity.question import ids_asked, way_round_asked
from tabletop.questions.settling import settle
from tabletop.referee.report_rows import AlternativeRow, FormationRow, Report, ShotRow, SightRow, ThreatRow
from tabletop.tables.folded_lists import unfolded
from tabletop.tables.scene import Scene, Terrain, scene_from_json
from tabletop.words import and_list


def other_scenes(scene: Scene) -> list[Scene]:
    """The alternatives to this table with other doubtful terrain; none if all terrain is certain."""
    if not any(piece.is_doubtful for piece in scene.terrain):
        return []
    without = tuple(piece for piece in scene.terrain if not piece.is_doubtful)
    otherwise = tuple(_of_other_kind(piece) for piece in scene.terrain)
    scenes = [replace(scene, terrain=without)]
    if any(piece.is_doubtful and piece.other_kind for piece in scene.terrain):
        scenes.append(replace(scene, terrain=otherwise))
    return scenes


def _of_other_kind(piece: Terrain) -> Terrain:
    if not piece.is_doubtful or piece.other_kind is None:
        return piece
    # a hill has its own top and height, which other kinds lack
    top, height = (piece.hill_top, piece.height) if piece.other_kind == "hill" else (None, 0.0)
    return replace(piece, kind=piece.other_kind, hill_top=top, height=height)


def turned_scenes(observation: object, roster: Mapping[str, int]) -> list[Scene]:
    """The tables that an observation (its JSON) shows if another edge of the table is nearest the camera than assumed;
    none if that is known, or if all terrain was seen and so turns with the bases.

    ``roster`` as for :func:`tabletop.tables.scene.scene_from_json`. Raises SceneError for anything but an observation.
    """
    turn = way_round_asked(observation)
    if turn is None or not isinstance(observation, Mapping):
        return []
    seen = ids_asked(turn)
    if all(piece["id"] in seen for piece in unfolded(observation).get("terrain", ())):
        return []
    edges = [answer["value"] for answer in turn["answers"][1:]]
    return [scene_from_json(settle(observation, {turn["id"]: edge}), roster=roster) for edge in edges]


def with_doubts(report: Report, others: Sequence[Report], why: str) -> Report:
    """A report in which everything that differs in the reports on ``others`` is open, for the reason ``why``."""
    if not others:
        return report
    by_pair = [{(row["firer"], row["target"]): row for row in other["shots"]} for other in others]
    shots = [
        _shot(row, [rows[key] for rows in by_pair if (key := (row["firer"], row["target"])) in rows], why)
        for row in report["shots"]
    ]
    sure, perhaps = _threats(report, others)
    return {
        **report,
        "shots": shots,
        "threatened": sure,
        "threatened_too_close": perhaps,
        "formation": _formation(report["formation"], [other["formation"] for other in others], why),
    }


WAY_ROUND = (
    "Nothing in the photo shows which edge of the table is the near one, and this depends on it: say which edge is "
    "nearest the camera."
)
"""The reason for an open ruling that depends on the table's orientation."""


def terrain_words(scene: Scene) -> str:
    """A sentence on the doubtful terrain."""
    pieces = [piece for piece in scene.terrain if piece.is_doubtful]
    told = and_list([f"{piece.id} ({piece.kind}, {100 * piece.confidence:.0f} %)" for piece in pieces])
    hangs = "is in doubt, and this may rest on it" if len(pieces) == 1 else "are in doubt, and this may rest on them"
    return f"Terrain that was read, {told}, {hangs}: identify the terrain."


def _shot(row: ShotRow, others: Sequence[ShotRow], why: str) -> ShotRow:
    verdict, sight = row["verdict"], row["sight"]
    if any(other["verdict"] != verdict for other in others):
        verdict = "too-close"
    if any(_sight(other["sight"]) != _sight(sight) for other in others):
        sight = {**sight, "verdict": "too-close"}
    alternatives = list(row.get("alternatives", ()))
    if verdict == "yes":
        alternatives += _other_odds(row, others)
    if (verdict, sight, len(alternatives)) == (row["verdict"], row["sight"], len(row.get("alternatives", ()))):
        return row
    out: ShotRow = {**row, "verdict": verdict, "sight": sight, "reasons": [*row["reasons"], why]}
    if alternatives:
        out["alternatives"] = alternatives
    return out


def _sight(sight: SightRow) -> tuple[object, ...]:
    """The parts of a sight that must not depend on doubtful terrain."""
    return sight["verdict"], sight.get("concealed_and_ready")


def _other_odds(row: ShotRow, others: Sequence[ShotRow]) -> list[AlternativeRow]:
    """The shot's odds on the other tables that differ from the listed ones, each once."""
    out: list[AlternativeRow] = []
    known = [row["modifiers"], *(alternative["modifiers"] for alternative in row.get("alternatives", ()))]
    for other in others:
        if other["modifiers"] not in known:
            known.append(other["modifiers"])
            out.append(
                {
                    "when": "that is otherwise",
                    "modifiers": other["modifiers"],
                    "hits": other["hits"],
                    "expected_hits": other["expected_hits"],
                }
            )
    return out


def _threats(report: Report, others: Sequence[Report]) -> tuple[list[ThreatRow], list[ThreatRow]]:
    """The threats that exist on all tables, and the possible ones: on some tables, or too close to call."""
    reports = (report, *others)
    sure = [_pairs(one["threatened"]) for one in reports]
    certain = set.intersection(*(set(pairs) for pairs in sure))
    open_ones = [_pairs(one.get("threatened_too_close", ())) for one in reports]
    every = [pair for pairs in (*sure, *open_ones) for pair in pairs if pair not in certain]
    return _rows([pair for pair in sure[0] if pair in certain]), _rows(list(dict.fromkeys(every)))


def _pairs(rows: Sequence[ThreatRow]) -> list[tuple[str, str]]:
    return [(row["unit"], enemy) for row in rows for enemy in row["by"]]


def _rows(pairs: Sequence[tuple[str, str]]) -> list[ThreatRow]:
    by_unit: dict[str, list[str]] = {}
    for unit, enemy in pairs:
        by_unit.setdefault(unit, []).append(enemy)
    return [{"unit": unit, "by": by} for unit, by in by_unit.items()]


def _formation(rows: Sequence[FormationRow], others: Sequence[Sequence[FormationRow]], why: str) -> list[FormationRow]:
    """The units' formations: a fault that only some of the tables have is a doubt."""
    out: list[FormationRow] = []
    for row in rows:
        same = [next(one for one in other if one["unit"] == row["unit"]) for other in others]
        faults = [fault for fault in row["faults"] if all(fault in one["faults"] for one in same)]
        perhaps = [f for one in (row, *same) for f in one["faults"] if f not in faults]
        doubts = [*row.get("doubts", ()), *(f"{fault} {why}" for fault in dict.fromkeys(perhaps))]
        out.append({**row, "faults": faults, "doubts": doubts} if perhaps else row)
    return out
