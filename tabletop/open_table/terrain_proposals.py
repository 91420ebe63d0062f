"""Terrain that a photo of an open table shows and its game does not have: what lays it, and what is asked about it.

What a photo is sure of, or players have answered, is laid once and for all. Where the game has terrain that was drawn,
by a scenario, a table file or a hand, anything else in a photo is asked about. What the game has and a photo does not
show is left: photos miss terrain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import shapely

from tabletop.changes.detection import Changes
from tabletop.changes.proposals import Proposal, proposed_action
from tabletop.changes.terrain import NewTerrain, new_terrain, open_words
from tabletop.game.doubts import InDoubt
from tabletop.game.errors import ActionError
from tabletop.game.protocol import Ruleset
from tabletop.game.registry import ruleset
from tabletop.open_table.terrain import MOST_SIGMA_IN, Draw, Outline
from tabletop.tables.drawn_terrain import MOST_CORNERS
from tabletop.tables.folded_lists import unfolded
from tabletop.tables.scene import SURE_TERRAIN, scene_from_json
from tabletop.tables.tablefile import MAX_HEIGHT_IN

_COARSER_IN = 0.02  # too many corners: those less than this off go, then twice this, and so on


def propose_with_terrain(
    state: Any, changes: Changes, propose: Callable[[Any, Changes], Sequence[Proposal]]
) -> tuple[Proposal, ...]:
    """What happened since ``state``: first the terrain that is new, then what ``propose`` makes of the table with it.

    What depends on terrain that the photo still asks about is too close to call.
    """
    new = _new(changes)
    terrain, laid = _lay(state, [one for one in new if not one.piece.is_doubtful])
    found = tuple(propose(laid, changes))
    doubtful = [replace(one, other=None) for one in new if one.piece.is_doubtful]
    if doubtful:
        otherwise = propose(_lay(laid, doubtful, ask=False)[1], changes)
        found = _with_doubts(found, otherwise, doubtful)
    return (*terrain, *found)


def terrain_proposals(state: Any, changes: Changes) -> tuple[Proposal, ...]:
    """The terrain that is new and that the photo is sure of, piece by piece."""
    return tuple(_lay(state, [one for one in _new(changes) if not one.piece.is_doubtful])[0])


def _new(changes: Changes) -> tuple[NewTerrain, ...]:
    return new_terrain(changes.before.terrain, changes.after.terrain)


def in_doubt(state: Any, observation: Mapping[str, Any]) -> InDoubt | None:
    """The state with the terrain that an observation still asks about; ``None`` where it asks about none that the game
    lacks."""
    observation = unfolded(observation)
    rows = [row for row in observation.get("terrain", ()) if row.get("confidence", 1.0) < SURE_TERRAIN]
    if not rows:
        return None
    seen = scene_from_json({"version": 1, "table": observation["table"], "units": [], "terrain": rows}).terrain
    found = [replace(one, other=None) for one in new_terrain(state.scene.terrain, seen)]
    if not found:
        return None
    ids = {one.piece.id for one in found}
    asked = [q["says"] for q in observation.get("questions", ()) if any(ids & {*group} for group in q["covers"])]
    return InDoubt(_lay(state, found, ask=False)[1], open_words(found), tuple(asked))


def _lay(state: Any, new: Iterable[NewTerrain], *, ask: bool = True) -> tuple[list[Proposal], Any]:
    """Proposals for pieces, and the state once those are carried out that nothing is asked about."""
    rules = ruleset(state.scene.rules)
    drawn = ask and any(piece.sigma <= 0 for piece in state.scene.terrain)
    found = []
    for one in new:
        proposal = _proposal(rules, state, one, drawn=drawn)
        found.append(proposal)
        if proposal.acceptable:
            for event in rules.resolve(state, proposal.action, ()):
                state = rules.apply(state, event)
    return found, state


def _proposal(rules: Ruleset, state: Any, one: NewTerrain, *, drawn: bool) -> Proposal:
    outline = tuple((float(x), float(y)) for x, y in one.piece.polygon)
    if one.other is not None:
        there = f"{one.other.id} ({one.other.kind})"
        question = f"The photo shows {one.words}, where the game has {there}: which is right?"
        return Proposal(None, "laid", question=question, outline=outline)
    try:
        action = rules.complete(state, _drawn(state, one))
    except ActionError:
        question = f"The photo shows {one.words}, in an outline that can't be kept: draw it by hand."
        return Proposal(None, "laid", question=question, outline=outline)
    question = f"The photo shows {one.words}, which the game does not have: lay it?" if drawn else ""
    told = f"The photo shows {one.words}"
    return replace(proposed_action(rules, state, None, "laid", action, question=question, told=told), outline=outline)


def _drawn(state: Any, one: NewTerrain) -> Draw:
    """The action that lays a piece as a photo shows it, as far as it is on the table."""
    piece = one.piece
    ring = kept_outline(piece.polygon, (state.setup.width, state.setup.depth))
    top: Outline = ()
    if piece.kind == "hill" and piece.hill_top is not None and len(ring) >= 3:
        top = _kept(piece.hill_top, shapely.Polygon(ring))
    sigma = round(min(piece.sigma, MOST_SIGMA_IN), 3)
    return Draw(piece.kind, ring, round(min(piece.height, MAX_HEIGHT_IN), 2), top if len(top) >= 3 else (), "", sigma)


def kept_outline(points: Any, table_in: tuple[float, float]) -> Outline:
    """The largest part of an outline that is on a table (width, depth), with no more corners than an action takes;
    empty where nothing is."""
    return _kept(points, shapely.box(0.0, 0.0, *table_in))


def _kept(points: Any, within: shapely.Geometry) -> Outline:
    """The largest part of an outline that is within an area, with no more corners than an action takes; empty where
    nothing is."""
    inside = shapely.get_parts(shapely.intersection(shapely.Polygon(points), within))
    areas = [part for part in inside if isinstance(part, shapely.Polygon) and part.area > 0]
    if not areas:
        return ()
    largest = shapely.Polygon(max(areas, key=shapely.area).exterior)
    found, coarse_in = largest, _COARSER_IN
    while len(found.exterior.coords) > MOST_CORNERS + 1:
        found, coarse_in = largest.simplify(coarse_in), 2 * coarse_in
    return tuple((float(x), float(y)) for x, y in found.exterior.coords[:-1])


def _with_doubts(
    found: Sequence[Proposal], otherwise: Sequence[Proposal], pieces: Sequence[NewTerrain]
) -> tuple[Proposal, ...]:
    """Proposals; what the rules would judge otherwise if the pieces were there is too close to call."""
    there = {(one.unit, one.what): _judged(one) for one in otherwise}
    doubt = InDoubt(None, open_words(pieces)).violation
    return tuple(
        replace(one, violations=(*one.violations, doubt))
        if one.action is not None and there.get((one.unit, one.what)) != _judged(one)
        else one
        for one in found
    )


def _judged(one: Proposal) -> tuple[Any, ...]:
    """What of a proposal rests on the rules: what speaks against it, and how far it came of how much."""
    numbers = {key: round(value, 1) for key, value in one.numbers.items() if math.isfinite(value)}
    return one.action is None, tuple((v.code, v.answer) for v in one.violations), numbers
