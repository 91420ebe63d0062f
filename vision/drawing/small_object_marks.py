"""Dice, cotton and tokens as marks, with the questions about them and about bases."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from geometry.drawing.marks import Label, Mark, Path, Style, circle, line
from vision.model.observation import Observation, Question, SeenDie, SeenMarker, die_id, marker_id

OPEN = "#f0a020"  # needs a player's confirmation
DIE, COTTON = "#ffffff", "#f7e6d0"

_DIE_RADIUS_IN, _MARKER_RADIUS_IN = 0.36, 0.45
_Z_IN = 0.25  # half of a small thing's height
_LETTERS_PT = 16.0


def asked_about(observation: Observation, *, ids: bool = True) -> dict[str, str]:
    """For every thing with questions, the questions' ids in one short text: "q3", "q3 q7", or nothing without
    ``ids``; a question on the number of several dice is about each of them."""
    out: dict[str, str] = {}
    for question in observation.questions:
        covered = [name for ids in question.covers for name in ids] if question.ask == "value" else []
        for name in dict.fromkeys([question.about, *covered]):
            out[name] = f"{out[name]} {question.id}" if name in out else question.id
    return out if ids else dict.fromkeys(out, "")


def small_marks(observation: Observation, *, paper: bool, ids: bool = True) -> list[Mark]:
    """A ring round each die with its number beside it, one round cotton and tokens; doubtful ones in amber, with the
    question's id unless these are left out. ``paper``: for a map without a photo under it."""
    asked = asked_about(observation, ids=ids)
    out: list[Mark] = []
    for row, die in enumerate(observation.dice):
        out += _die(die, die_id(row), asked, paper)
    for row, marker in enumerate(observation.markers):
        if marker.method != "dice":
            out += _marker(marker, marker_id(row), asked, paper)
    return out


def _ring(
    at: tuple[float, float], radius_in: float, color: str, layer: str, title: str, *, doubt: bool, paper: bool
) -> list[Mark]:
    """A thin ring with a dark one under it; filled on paper, where it hides nothing."""
    points = circle(at, radius_in).points
    under = Style("#202020", 3.6, doubt, casing=False, fill=color if paper else None, fill_opacity=1.0)
    over = Style(color, 1.8, doubt, casing=False)
    return [
        Path(points, under, closed=True, z=_Z_IN, keep_clear=True, layer=layer, title=title),
        Path(points, over, closed=True, z=_Z_IN, layer=layer),
    ]


def _die(die: SeenDie, name: str, asked: Mapping[str, str], paper: bool) -> list[Mark]:
    doubt = die.value is None or name in asked
    color = OPEN if doubt else DIE
    number = "" if die.value is None else str(die.value)
    words = f"{number}? {asked.get(name, '')}".rstrip() if doubt else number
    title = f"{name}: {number or 'number unknown'}{' (a symbol)' if die.symbol else ''}"
    return [
        *_ring(die.center, _DIE_RADIUS_IN, color, "dice", title, doubt=doubt, paper=paper),
        _beside(die.center, words, color, _DIE_RADIUS_IN, "dice"),
    ]


def _marker(marker: SeenMarker, name: str, asked: Mapping[str, str], paper: bool) -> list[Mark]:
    color = OPEN if name in asked else COTTON
    title = f"{name}: {marker.means}, {marker.unit or 'nobody in particular'}"
    doubt = marker.unit is None
    out = _ring(marker.center, _MARKER_RADIUS_IN, color, "markers", title, doubt=doubt, paper=paper)
    known = "" if marker.method == "cotton" else marker.means
    words = f"{known}? {asked[name]}".rstrip() if name in asked else known
    if words:
        out.append(_beside(marker.center, words, color, _MARKER_RADIUS_IN, "markers"))
    return out


def _beside(at: tuple[float, float], words: str, color: str, radius_in: float, layer: str) -> Label:
    return Label(at, words, color, _LETTERS_PT, _Z_IN, radius_in, leader=False, prefer_deg=90.0, layer=layer)


def group_marks(observation: Observation) -> list[Mark]:
    """Thin amber lines that join the bases of which one question asks for the unit."""
    rows = {label.id: k for k, label in enumerate(observation.labels)}
    out: list[Mark] = []
    for question in observation.questions:
        for group in question.covers if question.ask == "unit" else ():
            members = [rows[name] for name in group if name in rows]
            out += _link_lines(observation, members, question)
    return out


def _link_lines(observation: Observation, members: list[int], question: Question) -> list[Mark]:
    if len(members) < 2:
        return []
    center = observation.bases.center[members]
    along = np.linalg.svd(center - center.mean(axis=0))[2][0]
    order = np.argsort((center - center.mean(axis=0)) @ along)
    style = Style(OPEN, 1.2)
    z = float(np.mean([observation.labels[k].z for k in members])) + 0.12
    return [line(center[a], center[b], style, z=z, layer=f"question {question.id}") for a, b in pairwise(order)]
