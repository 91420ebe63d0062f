"""Where a photo shows the platoons, weighed by what the rules allow, and what that makes of the game.

Platoons are compared by hex and facing. What the measured places leave open is weighed by what the rules allow: a hex
that no legal move reaches is :data:`tabletop.grids.board_changes.UNLIKELY`. Of the defenders nothing is used but what
everybody sees of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tabletop.changes.proposals import Proposal, proposed_action
from tabletop.grids import board_changes
from tabletop.grids.board_changes import LEAST_SHARE, UNLIKELY, BoardChanges, BoardUnitChange, normalise_chances
from tabletop.grids.board_questions import about_place
from tabletop.grids.photo_questions import BOARD
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.standing import OFF_BOARD, SURE
from tabletop.identity.out_of_step import Sync
from tabletop.rulesets.combined_arms import actions, moving
from tabletop.rulesets.combined_arms.board import DISTANCE, EXITS, NAMES, NUMBER, OFF
from tabletop.rulesets.combined_arms.counter_proposals import about_counters, out_of_step
from tabletop.rulesets.combined_arms.data import ATTACKER, CORNER_WORDS
from tabletop.rulesets.combined_arms.overlay.forces import Stander
from tabletop.rulesets.combined_arms.overlay.questions import FACING, about_facing
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.seen_moves import PlannedMove, Target, leave_action, plan_moves, stands_there
from tabletop.rulesets.combined_arms.state import Platoon, State

FAR = 2
"""More hexes than this no platoon goes at once."""


@dataclass(frozen=True, eq=False)
class HexSight:
    """A sight of the board: who stands where, by the measured places and the players' answers (``told``: question ids).

    ``nameless`` are bases of no known unit, as (base id, place); ``counted``: the players do have pieces for the
    defenders, so that one which is not seen is worth a question; ``unseen``: the hexes outside the picture.
    """

    name: str
    table: tuple[float, float]
    placement: BoardPlacement
    standers: tuple[Stander, ...]
    told: frozenset[str] = frozenset()
    nameless: tuple[tuple[str, tuple[float, float]], ...] = ()
    counted: bool = False
    notes: tuple[str, ...] = ()
    unseen: frozenset[str] = frozenset()

    def standing(self, state: State) -> dict[str, tuple[str, int]]:
        """The hexes of the platoons on the board by the game, and how many hexes each goes at most in a move."""
        return {platoon.id: (NAMES[platoon.at], FAR) for platoon in state.platoons if platoon.at != OFF}

    def against(self, state: State) -> tuple[BoardChanges, Sequence[Proposal]]:
        """The changes hex by hex; proposals: moves in a legal order, what is against the rules, then what is asked."""
        return _Comparison(self, state).changes_and_proposals()


@dataclass(frozen=True)
class _Weighed:
    """A platoon's hexes and facings with their chances, likeliest first."""

    hexes: tuple[tuple[int, float], ...]
    facings: tuple[tuple[int, float], ...] = ()

    @property
    def open_hex(self) -> bool:
        return self.hexes[0][1] < SURE

    @property
    def open_facing(self) -> bool:
        return bool(self.facings) and self.facings[0][1] < SURE


@dataclass(frozen=True, eq=False)
class _Comparison:
    """A sight of the board and a state of its game at work."""

    sight: HexSight
    state: State

    @cached_property
    def seen_platoons(self) -> dict[str, Stander]:
        """The platoons that are seen."""
        return {s.id: s for s in self.sight.standers if s.is_platoon}

    @cached_property
    def chances(self) -> dict[str, _Weighed]:
        """Where each of them may stand and face."""
        return {name: self._weigh(stander) for name, stander in self.seen_platoons.items()}

    @cached_property
    def targets(self) -> list[Target]:
        """Where platoons stand for certain, on the board and still in the game."""
        found = []
        for name, weighed in self.chances.items():
            at = weighed.hexes[0][0]
            if weighed.open_hex or at == OFF or self.state.by_id[name].fate not in ("waiting", "board"):
                continue
            corner = weighed.facings[0][0] if weighed.facings else None
            if weighed.open_facing:
                if at != self.state.by_id[name].at:
                    continue
                corner = None
            found.append(Target(name, at, corner))
        return found

    def changes_and_proposals(self) -> tuple[BoardChanges, tuple[Proposal, ...]]:
        """The changes hex by hex; proposals: moves in a legal order, what is against the rules, then what is asked."""
        sync = self._sync()
        plan = plan_moves(self.state, self.targets)
        units = tuple(self._change(platoon) for platoon in self.state.platoons)
        questions = (*self._questions(), *self._about_nameless()) if sync.in_step else ()
        warnings = (*([] if sync.in_step else [sync.says]), *self.sight.notes)
        changes = BoardChanges(
            self.sight.name, self.sight.table, tuple(u for u in units if u is not None), sync, questions, warnings
        )
        moved = {one.target.unit for one in plan}
        proposals = [
            *(self._move_proposal(one) for one in plan),
            *self._uncertain_proposals(),
            *self._removal_proposals(),
            *self._back(),
            *self._marker_proposals(moved),
            *about_counters(self.state, self.sight.standers, counted=self.sight.counted),
        ]
        return changes, tuple(proposals)

    # --- what is weighed -----------------------------------------------------------------------------------------

    def _weigh(self, stander: Stander) -> _Weighed:
        unit, told = self.state.by_id[stander.id], self.sight.told
        footing = stander.footing
        here = OFF if footing.cell is None else NUMBER[footing.cell]
        hexes = [(here, 1.0)]
        if stander.id not in told and footing.is_doubtful:
            shares = [(OFF if name == OFF_BOARD else NUMBER[name], chance) for name, chance in footing.shares]
            hexes = normalise_chances([(n, p * self._fits(unit, n)) for n, p in shares if p >= LEAST_SHARE] or hexes)
        if stander.kind != "armour":
            return _Weighed(tuple(hexes))
        facing = stander.facing
        if facing is not None and (f"{stander.id}{FACING}" in told or not facing.is_open):
            return _Weighed(tuple(hexes), ((facing.corner, 1.0),))
        corners = [(corner, 1 / 6) for corner in range(6)]
        if facing is not None:
            corners = [(facing.corner, facing.chance), *facing.others]
        fits = [(corner, p * self._fits(unit, hexes[0][0], corner)) for corner, p in corners]
        return _Weighed(tuple(hexes), tuple(normalise_chances(fits)))

    def _fits(self, unit: Platoon, at: int, facing: int | None = None) -> float:
        """1 for what is as it was or can come about by a move of its own, else a little."""
        if stands_there(unit, Target(unit.id, at, facing)):
            return 1.0
        if unit.at == at:
            turns = self.state.step == "fire" and unit.fresh
            return 1.0 if turns or facing is None else UNLIKELY
        if self.state.step != "move":
            return UNLIKELY
        if at == OFF:
            return 1.0 if any(way.leaves for way in self._ways[unit.id]) else UNLIKELY
        ways = [way for way in self._ways[unit.id] if way.hexes[-1:] == (at,) and not way.leaves]
        return 1.0 if any(facing is None or facing in way.facings for way in ways) else UNLIKELY

    @cached_property
    def _ways(self) -> dict[str, list[moving.Way]]:
        """Each platoon's moves with all other platoons out of its way."""
        return {
            p.id: list(moving.ways(self.state.but(platoons=(p,)), p))
            for p in self.state.platoons
            if p.id in self.seen_platoons
        }

    # --- what changed --------------------------------------------------------------------------------------------

    def _place(self, at: int) -> tuple[float, float] | None:
        return None if at == OFF else self.sight.placement.centre(NAMES[at])

    def _change(self, unit: Platoon) -> BoardUnitChange | None:
        stander = self.seen_platoons.get(unit.id)
        if stander is None:
            if unit.at == OFF:
                return None
            return _change_of(unit, "removed", self._place(unit.at), None, (NAMES[unit.at], ""), (unit.facing, None))
        weighed = self.chances[unit.id]
        at, facing = weighed.hexes[0][0], weighed.facings[0][0] if weighed.facings else None
        doubts = tuple(question["says"] for question in self._questions_about(unit.id))
        if doubts:
            change = "uncertain"
        elif at == unit.at:
            change = "turned" if facing not in (None, unit.facing) else "stayed"
        else:
            change = "new" if unit.at == OFF else "removed" if at == OFF else "moved"
        hexes = (_name(unit.at), _name(at))
        if at == OFF == unit.at:
            return None
        before, facings = self._place(unit.at), (unit.facing, facing)
        return _change_of(unit, change, before, stander.at, hexes, facings, doubts)

    def _sync(self) -> Sync:
        """Several platoons farther than any move, most of them gone, or the defenders' counters elsewhere."""
        over = [t.unit for t in self.targets if (at := self.state.by_id[t.unit].at) != OFF and DISTANCE[at][t.at] > FAR]
        reasons = board_changes.out_of_step(
            self.sight.placement.cells,
            "platoon",
            too_far=over,
            farthest=FAR,
            standing=[p.id for p in self.state.platoons if p.at != OFF],
            seen=self.seen_platoons,
            nameless=len(self.sight.nameless),
        )
        return Sync((*out_of_step(self.state, self.sight.standers), *reasons))

    # --- what is asked -------------------------------------------------------------------------------------------

    def _questions_about(self, name: str) -> Iterator[dict[str, Any]]:
        """The questions about one platoon."""
        weighed, stander = self.chances[name], self.seen_platoons[name]
        if weighed.open_hex:
            places = [(_name(n) or OFF_BOARD, p) for n, p in weighed.hexes]
            yield about_place(name, "hex", places, stander.footing.why_doubtful)
        elif weighed.open_facing and weighed.hexes[0][0] != OFF:
            yield about_facing(name, stander.facing, weighed.facings)

    def _questions(self) -> Iterator[dict[str, Any]]:
        for name in self.seen_platoons:
            for question in self._questions_about(name):
                yield {**question, BOARD: True}

    def _about_nameless(self) -> Iterator[dict[str, Any]]:
        """Which platoon a base without a name is: those that are not seen, the near ones first."""
        absent = [p for p in self.state.platoons if p.fate in ("waiting", "board") and p.id not in self.seen_platoons]
        for base, place in self.sight.nameless:
            cells, layout = self.sight.placement.cells, self.sight.placement.layout
            where = cells.name(cells.cells_at(layout, [place])[0])
            if where == OFF_BOARD or not absent:
                continue
            here = NUMBER[where]
            likely = normalise_chances([(p.id, 0.5 ** (1 if p.at == OFF else DISTANCE[p.at][here])) for p in absent])
            yield board_changes.about_nameless(base, where, "platoon", likely)

    # --- proposals -----------------------------------------------------------------------------------------------

    def _move_proposal(self, one: PlannedMove) -> Proposal:
        unit, action = self.state.by_id[one.target.unit], one.action
        facing = one.target.facing
        faces = "" if facing is None else f" facing corner {facing} ({CORNER_WORDS[facing]})"
        if isinstance(action, actions.Face):
            what, told = "turned", f"{unit.id} turned{faces.replace(' facing', ' to')}"
        elif unit.at == OFF:
            what, told = "entered", f"{unit.id} came onto the board in {_name(one.target.at)}{faces}"
        else:
            what, told = "moved", f"{unit.id} moved from {NAMES[unit.at]} to {_name(one.target.at)}{faces}"
        firm = [v for v in one.violations if v.firm]
        if isinstance(action, actions.Face) and firm:
            correct = actions.Correct(unit.id, facing=action.facing, reason="turned on the table")
            question = f"{told}, against the rules ({firm[0]}): turn it back, or let it stand?"
            return replace(self._ask(unit.id, what, correct, question), told=told)
        steps = {"hexes": float(len(action.path))} if isinstance(action, actions.Move) else {}
        return Proposal(
            unit.id, what, action, RULES.text(action), one.violations, certain=True, numbers=steps, told=told
        )

    def _uncertain_proposals(self) -> Iterator[Proposal]:
        for name in self.seen_platoons:
            says = " ".join(question["says"] for question in self._questions_about(name))
            if says:
                yield Proposal(name, "uncertain", question=says)

    def _removal_proposals(self) -> Iterator[Proposal]:
        """Platoons that the game has on the board and the photo has not, or beside it."""
        for unit in self.state.platoons:
            if unit.at == OFF or NAMES[unit.at] in self.sight.unseen:
                continue
            if unit.id in self.seen_platoons and self.chances[unit.id].hexes[0][0] != OFF:
                continue
            if unit.id in self.seen_platoons and self.chances[unit.id].open_hex:
                continue
            place = "stands beside the board" if unit.id in self.seen_platoons else "is gone"
            where = f"{unit.id} of {NAMES[unit.at]} {place}"
            owed = self.state.owed[0] if self.state.owed else None
            leave = leave_action(self.state, unit) if self.state.step == "move" else None
            if owed is not None and owed.at == unit.at and unit.is_infantry:
                action: actions.Action = actions.Break(unit.id)
                question = f"{where}: is it the one that breaks?"
            elif leave is not None:
                last = NUMBER[leave.path[-1]] if leave.path else unit.at
                how = "exploit beyond the far edge" if last in EXITS else "withdraw"
                action, question = leave, f"{where}: did it {how}, or was it just lifted?"
            else:
                action = actions.Correct(unit.id, off=True, reason="not on the table")
                question = f"{where}: broken, withdrawn or just lifted?"
            yield self._ask(unit.id, "removed", action, question)

    def _back(self) -> Iterator[Proposal]:
        """Platoons that are gone for good by the game and stand on the board."""
        for name, weighed in self.chances.items():
            unit, at = self.state.by_id[name], weighed.hexes[0][0]
            if unit.fate in ("waiting", "board") or at == OFF or weighed.open_hex or weighed.open_facing:
                continue
            corner = weighed.facings[0][0] if weighed.facings else None
            action = actions.Correct(name, to=NAMES[at], facing=corner, reason="seen on the table")
            question = f"{name} is {unit.fate} by the log and stands in {NAMES[at]}: put it back?"
            yield self._ask(name, "new", action, question)

    def _marker_proposals(self, moved: set[str]) -> Iterator[Proposal]:
        """Markers that say otherwise than the game which platoons are spent; missing ones where any are laid."""
        laid = any(stander.spent for stander in self.seen_platoons.values())
        for name, stander in self.seen_platoons.items():
            unit = self.state.by_id[name]
            if unit.at == OFF or name in moved:
                continue
            if stander.spent and unit.fresh:
                if self.state.step == "fire":
                    yield Proposal(name, "fired", question=f"{name} is marked as having fired: on which hex?")
                    continue
                question = f"{name} is marked spent and is fresh by the log: is it spent?"
                yield self._ask(name, "spent", actions.Correct(name, fresh=False, reason="its marker"), question)
            elif laid and not stander.spent and not unit.fresh:
                question = f"{name} is spent by the log, and no marker is seen beside it: is it fresh?"
                yield self._ask(name, "fresh", actions.Correct(name, fresh=True, reason="no marker"), question)

    def _ask(self, unit: str, what: str, action: actions.Action, question: str) -> Proposal:
        return proposed_action(RULES, self.state, unit, what, action, question=question)


def _name(at: int) -> str:
    return "" if at == OFF else NAMES[at]


def _change_of(
    unit: Platoon,
    change: str,
    before: tuple[float, float] | None,
    after: tuple[float, float] | None,
    hexes: tuple[str, str],
    facings: tuple[int | None, int | None],
    doubts: tuple[str, ...] = (),
) -> BoardUnitChange:
    """What became of a platoon."""
    return BoardUnitChange(unit.id, ATTACKER, unit.kind, change, before, after, hexes, facings, doubts)
