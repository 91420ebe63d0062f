"""Why a turn is played as it is, in sentences: what it does, and what the enemy can answer."""

from __future__ import annotations

from functools import cached_property

from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.capabilities import defence
from tabletop.rulesets.ww2_combined_arms.compact import Position
from tabletop.rulesets.ww2_combined_arms.data import CITY, OTHER, SIDES
from tabletop.rulesets.ww2_combined_arms.event_text import unit_text
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.rulesets.ww2_combined_arms.turn_search import Search, Turn
from tabletop.words import and_list, count


class TurnText:
    """The sentences of one planned turn, which begins or goes on in a state."""

    def __init__(self, state: State, search: Search, turn: Turn, side: str) -> None:
        self.state, self.search, self.turn = state, search, turn
        self.frame, self.start = search.frame, Position.of(state)
        self.side, self.number = side, SIDES.index(side)

    def of_move(self, unit: int, to: int) -> str:
        """Why a unit of the turn moves to a square."""
        target = next((target for shooter, target in self.turn.attacks if shooter == unit), None)
        if target is not None:
            does = self._attack(unit, target, f"{self._name(unit)} goes to {self._square(to)} to attack")
        else:
            does = self._place(unit, to)
        begins = not any(n.moved for n in self.state.units) and unit == self.turn.moves[0][0]
        return f"{does} {self.reply if begins else self._reply_to(unit)}".strip()

    def of_last_move(self) -> str:
        """Why no more units move."""
        targets = list(dict.fromkeys(target for _, target in self.turn.attacks))
        if not targets:
            return f"No unit is better placed anywhere else. {self.reply}".strip()
        names = and_list([self._name(target) for target in targets])
        return f"Everybody stands where the attacks on {names} want them. {self.reply}".strip()

    def of_attack(self) -> str:
        """Why the first attack of the turn is made, or none is."""
        if not self.turn.attacks:
            return f"No attack that is left is of use. {self.reply}".strip()
        unit, target = self.turn.attacks[0]
        does = self._attack(unit, target, f"{self._name(unit)} attacks")
        begins = not any(n.fired for n in self.state.units)
        return f"{does} {self.reply if begins else self._reply_to(unit)}".strip()

    # --- what a unit does --------------------------------------------------------------------------------------------

    def _name(self, unit: int) -> str:
        return unit_text(self.state, self.frame.names[unit])

    def _square(self, n: int) -> str:
        return self.state.grid.names[n]

    def _attack(self, unit: int, target: int, does: str) -> str:
        others = [n for n, at in self.turn.attacks if at == target and n != unit]
        together = f" with {and_list([self.frame.names[n] for n in dict.fromkeys(others)])}" if others else ""
        fate = self._fate(target)
        return f"{does} {self._name(target)}{together}{f', {fate}' if fate else ''}."

    def _fate(self, target: int) -> str:
        if self.turn.after.at[target] == OFF:
            return "which wins the game" if target == self.frame.hq[1 - self.number] else "which destroys it"
        return "which drives it back" if self.turn.after.retreated >> target & 1 else ""

    def _place(self, unit: int, to: int) -> str:
        name, square = self._name(unit), self._square(to)
        if to in self.state.cities:
            return f"{name} takes the city on {square}."
        if to in self.state.difficult:
            kind = dict(self.state.setup.terrain).get(square, CITY)
            return f"{name} goes to {square}, where the {kind} shelters it."
        before, after = self._danger[self.start.at[unit]], self._danger[to]
        if after < before:
            reach = "no enemy unit reaches it" if not after else f"only {count(after, 'enemy unit')} can reach it"
            return f"{name} goes to {square}, where {reach} next turn instead of {before}."
        row = self.frame.masks.far[self.start.at[self.frame.hq[1 - self.number]]]
        if row[to] < row[self.start.at[unit]]:
            return f"{name} goes to {square}, nearer to the enemy headquarters."
        return f"{name} goes to {square}, where it is of more use to the units around it."

    @cached_property
    def _danger(self) -> list[int]:
        return self.search.dangers(self.start, 1 - self.number)

    # --- the enemy's answer ------------------------------------------------------------------------------------------

    @cached_property
    def reply(self) -> str:
        """What the enemy can answer and what it loses then; empty where no reply was planned."""
        if self.turn.reply is None:
            return ""
        lost, driven = self._harm
        if self.frame.hq[self.number] in lost:
            return f"{self._enemy} can answer by destroying the headquarters."
        if not lost and not driven:
            return f"{self._enemy} can drive no unit back in answer."
        done = []
        if lost:
            done.append(f"destroy {and_list([self._name(n) for n in lost])}")
        if driven:
            done.append(f"drive back {and_list([self._name(n) for n in driven])}")
        return f"{self._enemy} can answer and {and_list(done)}{self._but}."

    def _reply_to(self, unit: int) -> str:
        """What of the reply is about one unit."""
        lost, driven = self._harm
        if unit in lost:
            return f"{self._enemy} can answer and destroy it{self._but}."
        return f"{self._enemy} can answer and drive it back{self._but}." if unit in driven else ""

    @cached_property
    def _enemy(self) -> str:
        return self.state.setup.side_title(OTHER[self.side])

    @cached_property
    def _harm(self) -> tuple[list[int], list[int]]:
        reply = self.turn.reply
        return ([], []) if reply is None else self._losses(self.turn.after, reply, self.number)

    @cached_property
    def _but(self) -> str:
        """What the enemy loses after its reply."""
        reply = self.turn.reply
        if reply is None:
            return ""
        then = self.search.next_turn(reply, 1 - self.number)
        losses, _ = self._losses(reply.after, then, 1 - self.number)
        if self.frame.hq[1 - self.number] in losses:
            return ", but then its headquarters falls"
        return f", but then loses {and_list([self._name(n) for n in losses])}" if losses else ""

    def _losses(self, before: Position, turn: Turn, side: int) -> tuple[list[int], list[int]]:
        """The units of a side that a turn of the other destroys, and those that it drives back."""
        standing = [n for n in self.frame.of[side] if before.at[n] != OFF]
        lost = [n for n in standing if turn.after.at[n] == OFF]
        return lost, [n for n in standing if n not in lost and turn.after.retreated >> n & 1]


def simple_why(state: State, action: actions.Action) -> str:
    """Why the simple player does what it does; empty for what explains itself."""
    match action:
        case actions.Place():
            return f"{unit_text(state, action.unit)} belongs about as far forward as {action.to}."
        case actions.Move():
            return f"Of all single moves, {unit_text(state, action.unit)} to {action.to} makes the position best."
        case actions.Attack():
            target = state.by_id[action.target]
            need = defence(state, target) - target.damage
            return f"{unit_text(state, action.target)} can be driven back: it bears {need} more damage."
        case actions.Retreat():
            return f"Of the squares that {action.unit} may retreat to, the enemy can do least to it on {action.to}."
        case actions.End():
            return "No single move makes the position better." if state.step == "move" else "No attack is of use now."
    return ""
