"""The report on a position: lines of fire, what every platoon's fire may do, the defenders' payoffs (contract 6)."""

from __future__ import annotations

from tabletop.referee.report_rows import FireRow, LineOfFireRow, PayoffRow, PositionReport
from tabletop.rulesets.combined_arms import defender, firing
from tabletop.rulesets.combined_arms.board import DISTANCE, NAMES, OFF
from tabletop.rulesets.combined_arms.data import NAME, RANGE
from tabletop.rulesets.combined_arms.position import state_from_position
from tabletop.rulesets.combined_arms.setup import faults_of
from tabletop.rulesets.combined_arms.sights import enemy_line, own_line
from tabletop.rulesets.combined_arms.state import State


def position_report(data: object) -> PositionReport:
    """The report on a position as JSON; raises SceneError or RulesError for one that can't be."""
    return report(state_from_position(data))


def report(state: State) -> PositionReport:
    """The report of contract section 6: ``fire`` as if every fresh platoon could fire now, alone; ``payoffs`` as if
    every counter were real and fresh; ``warnings`` what the rules would not have let come about."""
    return {
        "version": 1,
        "rules": NAME,
        "lines": lines(state),
        "fire": fire(state),
        "payoffs": payoffs(state),
        "warnings": list(faults_of(state.setup.position, state.setup.board)),
    }


def lines(state: State) -> list[LineOfFireRow]:
    """Lines of fire from every hex with a platoon to every hex with a counter, within range."""
    return [
        {
            "from": NAMES[a],
            "to": NAMES[c.at],
            "range": DISTANCE[a][c.at],
            "terrain": enemy_line(state, a, c.at),
            "own_fire": own_line(state, a, c.at),
        }
        for a in sorted(state.by_hex)
        for c in state.enemy
        if DISTANCE[a][c.at] <= RANGE
    ]


def fire(state: State) -> list[FireRow]:
    """What every fresh platoon's fire on every hex that it may fire at would do, alone."""
    rows: list[FireRow] = []
    for unit in state.platoons:
        if unit.at == OFF:
            continue
        for target in firing.targets(state, unit):
            shots = firing.volley(state, NAMES[target], (unit.id,))
            spent, guns, broken = firing.chances(state, shots, unit)
            add = firing.modifiers(state, unit, target)
            rows.append(
                {
                    "platoon": unit.id,
                    "target": NAMES[target],
                    "modifier": firing.total(add),
                    "spent": round(float(spent), 4),
                    "broken": round(float(broken), 4),
                    "guns_broken": round(float(guns), 4),
                    "modifiers": [{"name": name, "add": value} for name, value in add],
                }
            )
    return rows


def payoffs(state: State) -> list[PayoffRow]:
    """The best cluster of every counter that could engage infantry."""
    rows: list[PayoffRow] = []
    for c in state.enemy:
        found = defender.clusters(state, c.at)
        if found.any:
            hexes = sorted(found.best[0])
            rows.append({"enemy": NAMES[c.at], "hexes": [NAMES[n] for n in hexes], "payoff": found.payoff})
    return rows
