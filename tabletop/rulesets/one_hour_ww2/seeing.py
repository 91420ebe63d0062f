"""What a photo says has happened in a game of One-Hour WWII: proposals, with all that speaks against them.

The module is the :class:`tabletop.changes.proposals.Seeing` of these rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import shapely

from tabletop.changes.detection import Changes, UnitChange
from tabletop.changes.proposals import MoveRuling, Proposal
from tabletop.identity.table_snapshot import BaseSighting, Marker, Sighting, sighting_from_scene
from tabletop.open_table.seeing import bases_of_pieces, sample_pieces
from tabletop.open_table.setup import standings_of
from tabletop.open_table.terrain_proposals import propose_with_terrain
from tabletop.rulesets.one_hour_ww2 import actions
from tabletop.rulesets.one_hour_ww2.actions import ACTIONS
from tabletop.rulesets.one_hour_ww2.checks import deployment_zones, violations
from tabletop.rulesets.one_hour_ww2.judged_moves import apart, judge_in_game
from tabletop.rulesets.one_hour_ww2.judged_moves import judge as judge
from tabletop.rulesets.one_hour_ww2.judged_moves import limits as limits
from tabletop.rulesets.one_hour_ww2.moving import place_violations
from tabletop.rulesets.one_hour_ww2.setup import Standing, UnitSetup
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Unit
from tabletop.words import inches

NUDGE_IN = 1.0
"""A unit that has not rolled and is no farther off than this was pushed by a sleeve, not moved."""

SURE = 0.8
"""A marker read with at least this confidence is taken as read."""


def sighting(state: State) -> Sighting:
    """The table as the game knows it, with the deployment zones while they count."""
    known = sighting_from_scene(state.scene, "the game")
    if state.step != "deploy":
        return known
    zones = {plan.id: deployment_zones(state, plan) for plan in state.setup.units}
    anywhere = shapely.box(0.0, 0.0, known.width, known.depth)
    areas = {unit: shapely.union_all([shapely.Polygon(zone.polygon) for zone in own]) for unit, own in zones.items()}
    return replace(known, may_stand={unit: area if zones[unit] else anywhere for unit, area in areas.items()})


def elsewhere(state: State) -> tuple[BaseSighting, ...]:
    """Sample bases, one of each make, of units that are still to be deployed."""
    waiting = (plan for plan in state.setup.units if plan.id in state.undeployed)
    return tuple(one for plan in waiting for one in sample_pieces(plan.id, plan.side, plan.kind, plan.bases))


def propose(state: State, changes: Changes) -> tuple[Proposal, ...]:
    """What happened since ``state``: new terrain, the pending unit, other units, markers, then what is in doubt.

    Of markers that lay there before and say the same, only what can be carried out is told: nobody is asked twice.
    """
    return propose_with_terrain(state, changes, _units_and_markers)


def _units_and_markers(state: State, changes: Changes) -> tuple[Proposal, ...]:
    game = _UnitProposals(state, changes)
    rolled = state.pending.unit if state.pending else None
    ordered = sorted(changes.units, key=lambda change: (bool(change.doubts), change.unit != rolled))
    found = [proposal for change in ordered for proposal in game.unit(change)]
    found += [
        proposal
        for change in ordered
        for marker in change.markers
        for proposal in game.marker(marker)
        if marker in change.marked or proposal.acceptable
    ]
    found += [
        Proposal(None, "marker", question=f"A marker for {_MARKS[m.means]} lies beside no unit: whose is it?")
        for m in changes.new_markers
    ]
    return (*found, *game.missing_markers())


_MARKS = {"fired": "fire", "dug-in": "dug in", "ready": "Ready", "moved": "a move", "hits": "hits"}


@dataclass(frozen=True, eq=False)
class _UnitProposals:
    """A game's state and what a photo shows since."""

    state: State
    changes: Changes

    def _proposal(self, unit: str, what: str, action: actions.Action, *, certain: bool, question: str = "") -> Proposal:
        found = violations(self.state, action)
        against = apart(found)
        settled = tuple(v for v in found if v not in against)
        return Proposal(unit, what, action, ACTIONS.text(action), against, certain, question, settled=settled)

    def unit(self, change: UnitChange) -> Iterator[Proposal]:
        """What became of one unit."""
        unit_id = change.unit
        if change.doubts or unit_id is None:
            yield Proposal(unit_id, change.change, question=" ".join(change.doubts))
            return
        if self.state.setup.unit(unit_id) is None:
            yield Proposal(unit_id, "unknown", question=f"{unit_id} is not in this game: whose bases are they?")
        elif change.change == "new":
            yield self._new(change, unit_id)
        elif self.state.pending is not None and self.state.pending.unit == unit_id:
            yield from self._roll_proposals(change, unit_id)
        elif change.change == "removed":
            yield self._removal_proposal(unit_id)
        elif change.change in ("moved", "turned", "nudged"):
            yield self._not_rolled(change, unit_id)

    def _new(self, change: UnitChange, unit_id: str) -> Proposal:
        plan = self.state.setup.unit(unit_id)
        assert plan is not None
        pieces = [self.changes.after.pieces[i] for i in self.changes.after.rows(unit_id)]
        if len(pieces) != len(plan.bases):
            question = f"{unit_id} has {len(plan.bases)} bases, and {len(pieces)} are seen: where are the others?"
            return Proposal(unit_id, "new", question=question)
        order = _in_order(pieces, plan)
        at = standings_of(bases_of_pieces(order))
        if unit_id in self.state.why_off:
            why = self.state.why_off[unit_id]
            action = actions.Correct(unit_id, "seen on the table", at)
            return self._proposal(
                unit_id,
                "new",
                action,
                certain=False,
                question=f"{unit_id} is {why} by the log and stands on the table: put it back?",
            )
        is_sure = any(piece.unique for piece in pieces)
        question = "" if is_sure else f"{unit_id} is on the table, its unique base is not identified: deploy it so?"
        return self._proposal(unit_id, "deployed", actions.Deploy(unit_id, at), certain=is_sure, question=question)

    def _roll_proposals(self, change: UnitChange, unit_id: str) -> Iterator[Proposal]:
        """The unit whose movement dice are rolled."""
        unit = self.state.unit(unit_id)
        assert unit is not None
        if change.change == "removed":
            exits = [e for e in self.state.setup.exits if e.side == unit.side]
            for way in exits:
                question = f"{unit_id} is gone: did it leave by {way.title}, or was it just lifted?"
                yield self._proposal(unit_id, "left", actions.Leave(unit_id, way.id), certain=False, question=question)
            if not exits:
                yield Proposal(unit_id, "removed", question=f"{unit_id} has rolled and is gone: where does it stand?")
        elif change.change == "stayed":
            action = actions.Place(unit_id, standings_of(unit.bases))
            question = f"{unit_id} has rolled and stands where it stood: does it stay there?"
            yield self._proposal(unit_id, "stayed", action, certain=False, question=question)
        elif change.not_seen or len(change.after) != len(unit.bases):
            seen = f"{len(change.after)} of its {len(unit.bases)} bases are seen"
            question = f"{unit_id} {_motion_words(change)}, and {seen}: where are the others?"
            yield Proposal(unit_id, "moved", question=question)
        else:
            yield self._place_proposal(change, actions.Place(unit_id, self._after(change, unit)))

    def _place_proposal(self, change: UnitChange, action: actions.Place) -> Proposal:
        """A unit put down after its dice: how far its farthest base came, of how much."""
        walk = place_violations(self.state, action)[1]
        came = max(walk.lengths_in)
        road = " by road" if walk.by_road else ""
        side = f", {change.turn_words}" if change.turn_words else ""
        told = f"{action.unit} moved {inches(came, [walk.allowed_in])} of {walk.allowed_in:g}″{road}{side}"
        numbers = {"moved_in": came, "allowed_in": walk.allowed_in, "turned_deg": change.turned_deg or 0.0}
        return replace(self._proposal(action.unit, change.change, action, certain=True), told=told, numbers=numbers)

    def _after(self, change: UnitChange, unit: Unit) -> tuple[Standing, ...]:
        """Where the bases of a unit stand now, in the order of its own."""
        by_id = {piece.id: piece for piece in self.changes.after.pieces}
        went = {b.before: b.after for b in change.bases}
        ids = [went[f"{unit.id}.{i + 1}"] for i in range(len(unit.bases))]
        return standings_of(bases_of_pieces([by_id[i] for i in ids if i is not None]))

    def _removal_proposal(self, unit_id: str) -> Proposal:
        action = actions.Correct(unit_id, "not on the table", off=True)
        question = f"{unit_id} is gone: destroyed, exited or just lifted?"
        return self._proposal(unit_id, "removed", action, certain=False, question=question)

    def _not_rolled(self, change: UnitChange, unit_id: str) -> Proposal:
        """A unit that is not where it stood, and has rolled no dice for that."""
        unit, far = self.state.unit(unit_id), change.farthest
        assert unit is not None
        inches = far.distance if far is not None and far.distance is not None else 0.0
        what = _motion_words(change)
        whole = len(change.after) == len(unit.bases) and not change.not_seen
        numbers = {"moved_in": inches}
        if change.change == "nudged" or (change.change == "moved" and inches <= NUDGE_IN):
            question = f"{unit_id} was nudged ({what}): put it back, or correct its place."
            if not whole:
                return Proposal(unit_id, "nudged", question=question, numbers=numbers)
            action: actions.Action = actions.Correct(unit_id, "nudged", self._after(change, unit))
            return replace(self._proposal(unit_id, "nudged", action, certain=False, question=question), numbers=numbers)
        if self.state.step == "deploy" and whole:
            deploy = actions.Deploy(unit_id, self._after(change, unit), unit.dug_in, unit.ready)
            return self._proposal(unit_id, "deployed", deploy, certain=True)
        pending, move = self.state.pending, actions.Move(unit_id)
        why = "it has not rolled" if pending is None else f"{pending.unit} has rolled and it has not"
        if whole and change.change == "moved":
            came = judge_in_game(self.state, self.changes, unit, self._after(change, unit))
            what, numbers = _came_words(change, came), {"moved_in": came.length_in}
            why += f" ({_needs(came)})" if pending is None else ""
        question = f"{unit_id} {what}, though {why}: roll for it, put it back, or correct its place."
        return replace(self._proposal(unit_id, change.change, move, certain=False, question=question), numbers=numbers)

    def marker(self, marker: Marker) -> Iterator[Proposal]:
        """What a marker beside a unit says that the game does not know."""
        unit = self.state.unit(marker.unit) if marker.unit else None
        if unit is None or self.state.step == "deploy":
            return
        sure, kind = marker.confidence >= SURE, _MARKS[marker.means]
        question = (
            ""
            if sure
            else f"A marker beside {unit.id} seems to mean {kind} ({100 * marker.confidence:.0f} %): does it?"
        )
        if marker.means == "dug-in" and not unit.dug_in:
            yield self._proposal(unit.id, "dug-in", actions.DigIn(unit.id), certain=sure, question=question)
        elif marker.means == "ready" and not unit.ready:
            yield self._proposal(unit.id, "ready", actions.Ready(unit.id), certain=sure, question=question)
        elif marker.means == "fired" and not unit.fired:
            yield Proposal(unit.id, "fired", question=f"{unit.id} shows cotton: at whom did it fire?")
        elif marker.means == "moved" and not unit.moved:
            yield Proposal(unit.id, "moved", question=f"{unit.id} is marked as moved: what did it roll?")
        elif marker.means == "hits" and marker.value is not None and marker.value != unit.hits:
            action = actions.Correct(unit.id, "its hits dice", hits=marker.value)
            question = f"{unit.id} shows {marker.value} hits and has {unit.hits} by the log: which is right?"
            yield self._proposal(unit.id, "hits", action, certain=False, question=question)

    def missing_markers(self) -> Iterator[Proposal]:
        """Markers that the game has and the photo lacks; asked only where the players do lay such markers."""
        seen = [(m.unit, m.means) for change in self.changes.units for m in change.markers]
        laid = {means for _, means in seen}
        for unit in self.state.units:
            for means, has in (("dug-in", unit.dug_in), ("ready", unit.ready)):
                if has and means in laid and (unit.id, means) not in seen and self.changes.after.rows(unit.id):
                    question = f"{unit.id} is {_MARKS[means]} by the log, and no marker is seen beside it: is it still?"
                    yield Proposal(unit.id, means, question=question)


def _needs(found: MoveRuling) -> str:
    """The roll that a move would have needed, and what changes it."""
    least, dice = found.sums[0], found.words[0]
    because = "".join(f"; {word}" for word in found.words[1:])
    if least is None:
        return f"and no roll of {dice} would do{because}"
    return f"{dice} would do{because}" if found.chances[0] == 1 else f"it needs {least} or more on {dice}{because}"


def _came_words(change: UnitChange, found: MoveRuling) -> str:
    """How far the base with the longest way came, as the rules count it."""
    detour = f" ({found.detour_words})" if found.detour_words else ""
    turned = f" and {change.turn_words}" if change.turn_words else ""
    return f"moved {found.length_in:.2f}″{detour}{turned}"


def _motion_words(change: UnitChange) -> str:
    parts = []
    if change.change != "turned" and change.farthest is not None:
        parts.append(f"moved {change.farthest.distance:.2f}″")
    parts += [change.turn_words] if change.turn_words else []
    return " and ".join(parts) or "moved a little"


def _in_order(pieces: Sequence[BaseSighting], plan: UnitSetup) -> list[BaseSighting]:
    """A new unit's bases with the unique one in its row."""
    rest = [p for p in pieces if not p.unique]
    unique = [p for p in pieces if p.unique]
    if not unique:
        return list(pieces)
    return [*rest[: plan.unique], unique[0], *rest[plan.unique :]]
