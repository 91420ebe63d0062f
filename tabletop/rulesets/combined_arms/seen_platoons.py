"""Where a photo shows the platoons, weighed by what the rules allow, and what that makes of the game.

Platoons are compared by hex and facing. What the measured places leave open is weighed by what the rules allow: a hex
that no legal move reaches is :data:`UNLIKELY`. Of the defenders nothing is used but what everybody sees of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from tabletop.game.protocol import Violation
from tabletop.overlay.asked import FACING, about_facing, about_place
from tabletop.overlay.forces import Stander
from tabletop.overlay.laid import Laid
from tabletop.overlay.standing import OFF_BOARD, SURE
from tabletop.proposals import Proposal
from tabletop.rulesets.combined_arms import acts, moving
from tabletop.rulesets.combined_arms.board import DISTANCE, EXITS, HEXES, NAMES, NUMBER, OFF
from tabletop.rulesets.combined_arms.data import CORNER_WORDS
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.seen_changes import HexChange, HexChanges
from tabletop.rulesets.combined_arms.seen_counters import about_counters, out_of_step
from tabletop.rulesets.combined_arms.seen_moves import Planned, Target, leaving, planned, stands_there
from tabletop.rulesets.combined_arms.state import Platoon, State
from tabletop.sync import Reason, Sync

_T = TypeVar("_T")

UNLIKELY = 0.01
"""How a hex or facing that no legal move leads to is weighed against one that is legal, or is as it was."""
FAR = 2
"""More hexes than this no platoon goes at once."""
SEVERAL = 2
"""So many platoons that went farther make a photo out of step."""
GONE_SHARE, GONE_LEAST = 0.6, 4
"""A photo that lacks this share, and so many, of the platoons on the board is out of step."""
_LEAST = 0.05  # a hex with less of a base's area in it is not asked about


@dataclass(frozen=True, eq=False)
class HexSight:
    """A sight of the board: who stands where, by the measured places and the players' answers (``told``: question ids).

    ``nameless`` are bases of no known unit, as (base id, place); ``counted``: the players do have pieces for the
    defenders, so that one which is not seen is worth a question.
    """

    name: str
    table: tuple[float, float]
    laid: Laid
    standers: tuple[Stander, ...]
    told: frozenset[str] = frozenset()
    nameless: tuple[tuple[str, tuple[float, float]], ...] = ()
    counted: bool = False
    notes: tuple[str, ...] = ()

    def against(self, state: State) -> tuple[HexChanges, Sequence[Proposal]]:
        """The changes hex by hex; proposals: moves in a legal order, what is against the rules, then what is asked."""
        return _Compared(self, state).told()


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
class _Compared:
    """A sight of the board and a state of its game at work."""

    sight: HexSight
    state: State

    @cached_property
    def seen(self) -> dict[str, Stander]:
        """The platoons that are seen."""
        return {s.id: s for s in self.sight.standers if s.is_platoon}

    @cached_property
    def weighed(self) -> dict[str, _Weighed]:
        """Where each of them may stand and face."""
        return {name: self._weigh(stander) for name, stander in self.seen.items()}

    @cached_property
    def targets(self) -> list[Target]:
        """Where platoons stand for certain, on the board and still in the game."""
        found = []
        for name, weighed in self.weighed.items():
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

    def told(self) -> tuple[HexChanges, tuple[Proposal, ...]]:
        """The changes hex by hex; proposals: moves in a legal order, what is against the rules, then what is asked."""
        sync = self._sync()
        plan = planned(self.state, self.targets)
        units = tuple(self._change(platoon) for platoon in self.state.platoons)
        questions = (*self._questions(), *self._about_nameless()) if sync.in_step else ()
        warnings = (*([] if sync.in_step else [sync.says]), *self.sight.notes)
        changes = HexChanges(
            self.sight.name, self.sight.table, tuple(u for u in units if u is not None), sync, questions, warnings
        )
        moved = {one.target.unit for one in plan}
        proposals = [
            *(self._moved(one) for one in plan),
            *self._doubted(),
            *self._missing(),
            *self._back(),
            *self._spent(moved),
            *about_counters(self.state, self.sight.standers, counted=self.sight.counted),
        ]
        return changes, tuple(proposals)

    # --- what is weighed -----------------------------------------------------------------------------------------

    def _weigh(self, stander: Stander) -> _Weighed:
        unit, told = self.state.by_id[stander.id], self.sight.told
        footing = stander.footing
        here = OFF if footing.hex is None else NUMBER[footing.hex]
        hexes = [(here, 1.0)]
        if stander.id not in told and (footing.straddles or footing.is_open):
            shares = [(OFF if name == OFF_BOARD else NUMBER[name], chance) for name, chance in footing.shares]
            hexes = _ranked([(n, p * self._fits(unit, n)) for n, p in shares if p >= _LEAST] or hexes)
        if stander.kind != "armour":
            return _Weighed(tuple(hexes))
        facing = stander.facing
        if facing is not None and (f"{stander.id}{FACING}" in told or not facing.is_open):
            return _Weighed(tuple(hexes), ((facing.corner, 1.0),))
        corners = [(corner, 1 / 6) for corner in range(6)]
        if facing is not None:
            corners = [(facing.corner, facing.chance), *facing.others]
        fits = [(corner, p * self._fits(unit, hexes[0][0], corner)) for corner, p in corners]
        return _Weighed(tuple(hexes), tuple(_ranked(fits)))

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
            p.id: list(moving.ways(self.state.but(platoons=(p,)), p)) for p in self.state.platoons if p.id in self.seen
        }

    # --- what changed --------------------------------------------------------------------------------------------

    def _place(self, at: int) -> tuple[float, float] | None:
        if at == OFF:
            return None
        x, y = self.sight.laid.layout.centres([HEXES[at]])[0]
        return float(x), float(y)

    def _change(self, unit: Platoon) -> HexChange | None:
        stander = self.seen.get(unit.id)
        if stander is None:
            if unit.at == OFF:
                return None
            hexes = NAMES[unit.at], ""
            return HexChange(unit.id, unit.kind, "removed", self._place(unit.at), None, hexes, (unit.facing, None))
        weighed = self.weighed[unit.id]
        at, facing = weighed.hexes[0][0], weighed.facings[0][0] if weighed.facings else None
        doubts = tuple(question["says"] for question in self._asked(unit.id))
        if doubts:
            change = "uncertain"
        elif at == unit.at:
            change = "turned" if facing not in (None, unit.facing) else "stayed"
        else:
            change = "new" if unit.at == OFF else "removed" if at == OFF else "moved"
        hexes = (_name(unit.at), _name(at))
        if at == OFF == unit.at:
            return None
        after = stander.at
        return HexChange(unit.id, unit.kind, change, self._place(unit.at), after, hexes, (unit.facing, facing), doubts)

    def _sync(self) -> Sync:
        """Several platoons farther than any move, most of them gone, or the defenders' counters elsewhere."""
        over = [t.unit for t in self.targets if (at := self.state.by_id[t.unit].at) != OFF and DISTANCE[at][t.at] > FAR]
        reasons = list(out_of_step(self.state, self.sight.standers))
        if len(over) >= SEVERAL:
            says = (
                f"{_listed(over)} are more than {FAR} hexes from where they were, and no platoon goes farther at once"
            )
            reasons.append(Reason("too-far", says, tuple(over)))
        standing = [p.id for p in self.state.platoons if p.at != OFF]
        gone = [name for name in standing if name not in self.seen]
        unknown = len(self.sight.nameless)
        if len(gone) - unknown >= max(GONE_LEAST, GONE_SHARE * len(standing)):
            reasons.append(Reason("gone", f"{len(gone)} of {len(standing)} platoons are not seen", tuple(gone)))
        return Sync(tuple(reasons))

    # --- what is asked -------------------------------------------------------------------------------------------

    def _asked(self, name: str) -> Iterator[dict[str, Any]]:
        """The questions about one platoon."""
        weighed, stander = self.weighed[name], self.seen[name]
        if weighed.open_hex:
            why = f"{stander.footing.over:.0%} of its base lies across the side of {stander.footing.over_hex}."
            if not stander.footing.straddles:
                why = f'Its centre is {stander.footing.side_in:.2f}" from the side of {stander.footing.across}.'
            yield about_place(name, [(_name(n) or OFF_BOARD, p) for n, p in weighed.hexes], why)
        elif weighed.open_facing and weighed.hexes[0][0] != OFF:
            told = stander.facing
            why = (
                "Nothing tells."
                if told is None
                else f"It is turned {abs(told.error_deg):.0f} degrees off corner {told.corner}."
            )
            yield about_facing(name, weighed.facings, why)

    def _questions(self) -> Iterator[dict[str, Any]]:
        for name in self.seen:
            for question in self._asked(name):
                yield {**question, "board": True}

    def _about_nameless(self) -> Iterator[dict[str, Any]]:
        """Which platoon a base without a name is: those that are not seen, the near ones first."""
        absent = [p for p in self.state.platoons if p.fate in ("waiting", "board") and p.id not in self.seen]
        for base, place in self.sight.nameless:
            at = self.sight.laid.layout.hex_at([place])[0]
            if at not in HEXES or not absent:
                continue
            here = HEXES.index(at)
            likely = _ranked([(p.id, 0.5 ** (1 if p.at == OFF else DISTANCE[p.at][here])) for p in absent])
            answers = [{"value": name, "chance": round(0.95 * p, 3), "says": name} for name, p in likely]
            answers.append({"value": None, "chance": 0.05, "says": "no platoon: leave out"})
            yield {
                "id": base,
                "about": base,
                "ask": "unit",
                "says": f"Which platoon is the base in {NAMES[here]}?",
                "answers": answers,
                "covers": [[base]],
                "others": [],
                "after": None,
            }

    # --- proposals -----------------------------------------------------------------------------------------------

    def _moved(self, one: Planned) -> Proposal:
        unit, action = self.state.by_id[one.target.unit], one.action
        facing = one.target.facing
        faces = "" if facing is None else f" facing corner {facing} ({CORNER_WORDS[facing]})"
        if isinstance(action, acts.Face):
            what, told = "turned", f"{unit.id} turned{faces.replace(' facing', ' to')}"
        elif unit.at == OFF:
            what, told = "entered", f"{unit.id} came onto the board in {_name(one.target.at)}{faces}"
        else:
            what, told = "moved", f"{unit.id} moved from {NAMES[unit.at]} to {_name(one.target.at)}{faces}"
        firm = [v for v in one.violations if v.firm]
        if isinstance(action, acts.Face) and firm:
            correct = acts.Correct(unit.id, facing=action.facing, reason="turned on the table")
            question = f"{told}, against the rules ({firm[0]}): turn it back, or let it stand?"
            return replace(self._asking(unit.id, what, correct, question), told=told)
        steps = {"hexes": float(len(action.path))} if isinstance(action, acts.Move) else {}
        return Proposal(
            unit.id, what, action, RULES.text(action), one.violations, certain=True, numbers=steps, told=told
        )

    def _doubted(self) -> Iterator[Proposal]:
        for name in self.seen:
            says = " ".join(question["says"] for question in self._asked(name))
            if says:
                yield Proposal(name, "uncertain", question=says)

    def _missing(self) -> Iterator[Proposal]:
        """Platoons that the game has on the board and the photo has not, or beside it."""
        for unit in self.state.platoons:
            if unit.at == OFF or (unit.id in self.seen and self.weighed[unit.id].hexes[0][0] != OFF):
                continue
            if unit.id in self.seen and self.weighed[unit.id].open_hex:
                continue
            where = f"{unit.id} of {NAMES[unit.at]} {'stands beside the board' if unit.id in self.seen else 'is gone'}"
            owed = self.state.owed[0] if self.state.owed else None
            leave = leaving(self.state, unit) if self.state.step == "move" else None
            if owed is not None and owed.at == unit.at and unit.is_infantry:
                action: acts.Action = acts.Break(unit.id)
                question = f"{where}: is it the one that breaks?"
            elif leave is not None:
                last = NUMBER[leave.path[-1]] if leave.path else unit.at
                how = "exploit beyond the far edge" if last in EXITS else "withdraw"
                action, question = leave, f"{where}: did it {how}, or was it just lifted?"
            else:
                action = acts.Correct(unit.id, off=True, reason="not on the table")
                question = f"{where}: broken, withdrawn or just lifted?"
            yield self._asking(unit.id, "removed", action, question)

    def _back(self) -> Iterator[Proposal]:
        """Platoons that are gone for good by the game and stand on the board."""
        for name, weighed in self.weighed.items():
            unit, at = self.state.by_id[name], weighed.hexes[0][0]
            if unit.fate in ("waiting", "board") or at == OFF or weighed.open_hex or weighed.open_facing:
                continue
            corner = weighed.facings[0][0] if weighed.facings else None
            action = acts.Correct(name, to=NAMES[at], facing=corner, reason="seen on the table")
            question = f"{name} is {unit.fate} by the log and stands in {NAMES[at]}: put it back?"
            yield self._asking(name, "new", action, question)

    def _spent(self, moved: set[str]) -> Iterator[Proposal]:
        """Markers that say otherwise than the game which platoons are spent; missing ones where any are laid."""
        laid = any(stander.spent for stander in self.seen.values())
        for name, stander in self.seen.items():
            unit = self.state.by_id[name]
            if unit.at == OFF or name in moved:
                continue
            if stander.spent and unit.fresh:
                if self.state.step == "fire":
                    yield Proposal(name, "fired", question=f"{name} is marked as having fired: on which hex?")
                    continue
                question = f"{name} is marked spent and is fresh by the log: is it spent?"
                yield self._asking(name, "spent", acts.Correct(name, fresh=False, reason="its marker"), question)
            elif laid and not stander.spent and not unit.fresh:
                question = f"{name} is spent by the log, and no marker is seen beside it: is it fresh?"
                yield self._asking(name, "fresh", acts.Correct(name, fresh=True, reason="no marker"), question)

    def _asking(self, unit: str, what: str, action: acts.Action, question: str) -> Proposal:
        against: tuple[Violation, ...] = RULES.check(self.state, action)
        return Proposal(unit, what, action, RULES.text(action), against, question=question)


def _ranked(rows: Sequence[tuple[_T, float]]) -> list[tuple[_T, float]]:
    """Rows with chances that add up to 1, likeliest first."""
    total = sum(chance for _, chance in rows)
    return sorted(((value, chance / total) for value, chance in rows), key=lambda row: -row[1])


def _name(at: int) -> str:
    return "" if at == OFF else NAMES[at]


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
