"""Why the computer does what it does, in a sentence for both sides: nothing in it that only one of them sees."""

from __future__ import annotations

from tabletop.rulesets.combat import actions
from tabletop.rulesets.combat.data import KINDS, SIDE_TITLES, SIDES, count_of
from tabletop.rulesets.combat.judging import Judge, Place
from tabletop.rulesets.combat.moving import new_pieces_owed
from tabletop.rulesets.combat.plans import Plan
from tabletop.rulesets.combat.state import Piece
from tabletop.words import count

_NEAR_TURNS = 2


def strike_or_shot_why(judge: Judge, action: actions.Action) -> str:
    """The chance of a shot or an air strike in a sentence; empty for anything else."""
    match action:
        case actions.Fire() | actions.Strike():
            by, target = judge.state.by_id[action.unit], judge.state.by_id[action.target]
            chance = judge.destroys(by.kind, target, cause="air" if isinstance(action, actions.Strike) else "fire")
            return f"{_shot(by, target, chance)}."
    return ""


def why(judge: Judge, plan: Plan) -> str:
    """A plan's reason in a sentence."""
    if plan.target is None:
        return _why_moving(judge, plan)
    name, target = plan.piece.id, plan.target
    parts = [_shot(plan.piece, target, plan.chance)]
    if plan.spends:
        parts.append("and uses up a poor card before better shots are fired")
    if plan.at != plan.piece.at:
        parts[0] = f"From {judge.state.name(plan.at)} {parts[0]}"
    away = judge.turns_through(target, target.at) if target.data.ground else _NEAR_TURNS + 1
    if judge.could_win(target):
        parts.append("which could win the battle in its next turn")
    elif away <= _NEAR_TURNS:
        turns = count(max(1, round(away)), "turn")
        parts.append(f"which is {turns} from {SIDE_TITLES[SIDES[judge.own]]}'s base line")
    if plan.end != plan.at:
        parts.append(f"and {name} can go on to {judge.state.name(plan.end)} afterwards")
    return f"{', '.join(parts)}."


def _shot(by: Piece, target: Piece, chance: float) -> str:
    return f"{by.id} destroys {target.id} ({KINDS[target.kind].title}) with a chance of {chance:.0%}"


def _why_moving(judge: Judge, plan: Plan) -> str:
    """The part of what the new place is worth that it is better in than the old one most of all, in a sentence."""
    piece, n = plan.piece, plan.end
    here, there = judge.place(piece, piece.at), judge.place(piece, n)
    best = max(Place._fields, key=lambda part: getattr(there, part) - getattr(here, part))
    match best:
        case "arrival":
            return _arrival(judge, piece, n)
        case "prospect":
            return _prospect(judge, piece, n)
        case "danger":
            return _danger(judge, piece, n)
        case "aim":
            return f"{piece.id} has more of the enemy in its fire next turn."
        case "near" if judge.daring:
            return f"{piece.id} closes up to the enemy, who has not fired for {count(judge.quiet, 'turn')}."
        case "near":
            return f"{piece.id} closes up to the enemy, where the danger is small."
        case "guard":
            return f"{piece.id} goes to stop who makes for {SIDE_TITLES[SIDES[judge.own]]}'s base line."
    title, _ = next(judge.bars(piece, n))
    return f"{piece.id} leaves the enemy too little room in {title}, which would win the battle."


def _arrival(judge: Judge, piece: Piece, n: int) -> str:
    side = SIDE_TITLES[SIDES[judge.own]]
    enemy = SIDE_TITLES[SIDES[1 - judge.own]]
    if n in judge.winning[judge.own]:
        return f"{piece.id} wins the battle for {side}."
    if judge.field.on_base(1 - judge.own, n):
        owed = new_pieces_owed(judge.state, piece)
        return f"{piece.id} gets through to {enemy}'s base line: {count(owed, 'new piece')} for one."
    return f"{piece.id} destroys {count_of(judge.planes_taken(piece, n), 'plane')} on {enemy}'s airstrip."


def _prospect(judge: Judge, piece: Piece, n: int) -> str:
    enemy = SIDE_TITLES[SIDES[1 - judge.own]]
    goal = judge.goal_in_view(piece, n)
    if goal:
        return f"{piece.id} comes nearer to {goal}, which would win the battle."
    turns = count(max(1, round(judge.turns_through(piece, n))), "turn")
    return f"{piece.id} makes for {enemy}'s base line, {turns} away from there."


def _danger(judge: Judge, piece: Piece, n: int) -> str:
    here, there = judge.under_fire(piece.at), judge.under_fire(n)
    chances = f"the chance to lose it falls from {judge.danger(piece, piece.at):.0%} to {judge.danger(piece, n):.0%}"
    if there == here:
        return f"{piece.id} is safer in {judge.state.name(n)}: {chances}."
    enemies = count(here, "enemy piece")
    return f"{enemies} can fire at {piece.id} where it stands, {there or 'none'} in {judge.state.name(n)}: {chances}."
