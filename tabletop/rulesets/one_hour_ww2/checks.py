"""What speaks against an action, all at once: whose step it is, who has acted, and what each kind of action needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import shapely

from geometry.areas import inside_margin
from geometry.tolerance import YES, judge_one
from tabletop.game.actions import standings
from tabletop.game.violations import Violation
from tabletop.open_table.table_edge import EDGE_SLACK_IN, off_table
from tabletop.open_table.terrain import terrain_violations
from tabletop.rulesets.one_hour_ww2 import actions
from tabletop.rulesets.one_hour_ww2.ending import HAND_IN, overlaps, tie_violations, too_few_tied
from tabletop.rulesets.one_hour_ww2.firing import call_violations, shot_violations, volley
from tabletop.rulesets.one_hour_ww2.moving import leave_violations, move_violations, place_violations
from tabletop.rulesets.one_hour_ww2.setup import Standing, UnitSetup, Zone, unit_on_table
from tabletop.rulesets.one_hour_ww2.situation import Situation, kind_of
from tabletop.rulesets.one_hour_ww2.standing import findings
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Scene, Unit

STEP_NAMES = {
    "deploy": "deployment",
    "mortar": "the Mortar Fire step",
    "actions": "the Actions step",
    "rally": "the Rally & Ready step",
    "over": "after the end of the game",
}


def violations(state: State, action: actions.Action) -> tuple[Violation, ...]:
    """Everything that speaks against an action in this state."""
    match action:
        case actions.Correct():
            return tuple(_correct(state, action))
        case _ if state.step == "over":
            return (Violation("over", f"The game is over: {state.result.reason if state.result else ''}", firm=True),)
        case actions.Draw() | actions.Erase():
            return tuple(terrain_violations(state, action, [unit.id for unit in state.setup.units]))
        case actions.Concede():
            known = action.side in state.setup.sides
            return () if known else (_firm("unknown-side", f'There is no side "{action.side}" in this game.'),)
        case actions.Deploy():
            return tuple(_deploy(state, action))
        case actions.Begin():
            return tuple(_begin(state))
        case actions.End():
            return tuple(_end(state))
    unit = state.unit(action.unit)
    if unit is None:
        return (no_unit(state, action.unit),)
    match action:
        case actions.Fire():
            return tuple(_fire(state, unit, action))
        case actions.Move():
            found = against_acting(state, unit, "actions", "Actions Step")
            return (*found, *move_violations(state, unit)) if not any(v.firm for v in found) else tuple(found)
        case actions.Place() | actions.Leave():
            return tuple(_putting_down(state, unit, action))
        case actions.Rally():
            return tuple(_rally(state, unit))
        case actions.Ready():
            return tuple(_making_ready(state, unit))
        case actions.DigIn():
            return tuple(_digging_in(state, unit))
    raise TypeError(f"{type(action).__name__} is no action of One-Hour WWII.")


def no_unit(state: State, unit_id: str) -> Violation:
    """Why there is no such unit on the table."""
    if state.setup.unit(unit_id) is None:
        known = ", ".join(u.id for u in state.units)
        return _firm("unknown-unit", f'There is no unit "{unit_id}" in this game; on the table are {known}.')
    why = state.why_off.get(unit_id)
    words = {"destroyed": "was destroyed", "exited": "has left the table", "removed": "was taken off the table"}
    return _firm("gone", f"{unit_id} {words[why]}." if why else f"{unit_id} is not on the table yet: deploy it.")


def not_begun(state: State) -> list[Violation]:
    """Whether turns are being played."""
    if state.step == "deploy":
        return [_firm("not-begun", "The first turn has not begun: deploy all units, then begin.")]
    return []


def against_acting(state: State, unit: Unit, step: str, place: str) -> list[Violation]:
    """What keeps a unit of the phasing side from taking an action in a step."""
    did = f"has {'moved' if unit.moved else 'fired'} in this phase; a unit takes one action, fire or move."
    return not_begun(state) or [*_out_of_turn(state, unit, step, place, did), *_busy(state)]


def _out_of_turn(state: State, unit: Unit, step: str, place: str, did: str) -> Iterator[Violation]:
    """That it is another phase or step than a unit's, or that it ``did`` something in this phase."""
    if unit.side != state.side:
        yield _not_its_phase(state, unit)
        return
    if state.step != step:
        text = f"This is {STEP_NAMES[state.step]}; {unit.id} would do that in {STEP_NAMES[step]}."
        yield Violation("wrong-step", text, place)
    if unit.id in state.acted:
        yield Violation("acted", f"{unit.id} {did}", place)


def _not_its_phase(state: State, unit: Unit) -> Violation:
    phase = state.setup.side_title(state.side)
    text = f"The phasing side is {phase}, and {unit.id} is of the other side."
    return Violation("not-your-phase", text, "Play Sequence")


def _busy(state: State) -> list[Violation]:
    if state.pending is None:
        return []
    return [
        _firm("pending", f"{state.pending.unit} has rolled its movement and must be put down first.", "Actions Step")
    ]


def _fire(state: State, unit: Unit, action: actions.Fire) -> list[Violation]:
    found = not_begun(state)
    target = state.unit(action.target)
    if target is None:
        found.append(no_unit(state, action.target))
    elif target.side == unit.side:
        found.append(_firm("own-side", f"{target.id} is of {unit.id}'s own side."))
    if action.observer:
        found += _against_observer(state, unit, action.observer)
    if found:
        return found
    mortar = kind_of(unit).fires_as == "mortar"
    if unit.side == state.side:
        step, place = ("mortar", "Mortar Fire Step") if mortar else ("actions", "Actions Step")
        found += against_acting(state, unit, step, place)
    else:
        found += against_reacting(state, unit)
    wished = volley(state, action)
    return found + call_violations(action, wished) + shot_violations(wished)


def _against_observer(state: State, unit: Unit, observer: str) -> list[Violation]:
    friend = state.unit(observer)
    if friend is None:
        return [no_unit(state, observer)]
    if friend.side != unit.side or friend.id == unit.id:
        return [_firm("no-observer", f"{friend.id} is no friend that could observe for {unit.id}.", "Indirect Fire")]
    if kind_of(unit).fires_as != "mortar":
        return [
            _firm("no-observer", f"{unit.id} fires at what it sees itself; only mortars have observers.", "Fire Types")
        ]
    return []


def against_reacting(state: State, unit: Unit) -> list[Violation]:
    """What keeps a unit from firing in the other side's phase (Actions Step, Ready units)."""
    found = _busy(state)
    if kind_of(unit).fires_as == "mortar":
        found.append(Violation("wrong-step", f"{unit.id} fires in its own Mortar Fire step only.", "Mortar Fire Step"))
    elif not unit.ready:
        text = f"The phasing side is {state.setup.side_title(state.side)}, and {unit.id} is not Ready."
        found.append(Violation("not-ready", text, "Actions Step, Ready units"))
    if state.step != "actions":
        text = f"Ready units fire in the other side's Actions step, and this is {STEP_NAMES[state.step]}."
        found.append(Violation("wrong-step", text, "Actions Step, Ready units"))
    elif not state.reacting:
        text = "Ready units fire after a unit of the phasing side has acted, and none has."
        found.append(Violation("nobody-acted", text, "Actions Step, Ready units"))
    return found


def _putting_down(state: State, unit: Unit, action: actions.Place | actions.Leave) -> list[Violation]:
    found = not_begun(state)
    if not found and (state.pending is None or state.pending.unit != unit.id):
        other = f"; {state.pending.unit} has" if state.pending else ""
        text = f"{unit.id} has not rolled its movement{other}: roll first."
        if unit.id in state.acted and not state.pending:
            text = f"{unit.id} has {'moved' if unit.moved else 'fired'} already in this phase."
        found.append(_firm("not-rolled", text, "Movement Actions"))
    if isinstance(action, actions.Place):
        found += _count_places(unit.id, len(unit.bases), standings(action))
    if found:
        return found
    return (
        place_violations(state, action)[0] if isinstance(action, actions.Place) else leave_violations(state, action)[0]
    )


def against_settling(state: State, unit: Unit) -> list[Violation]:
    """What keeps a unit from rallying, making ready or digging in."""
    place = "Rally & Ready Step"
    if found := not_begun(state):
        return found
    did = f"{'moved' if unit.moved else 'fired'} in this phase; only a unit that took no action may."
    found = list(_out_of_turn(state, unit, "rally", place, did))
    if unit.id in state.settled:
        text = f"{unit.id} has rallied, made ready or dug in already; a unit does one of them."
        found.append(Violation("settled", text, place))
    return found + _busy(state)


def _rally(state: State, unit: Unit) -> list[Violation]:
    found = against_settling(state, unit)
    if unit.hits <= unit.permanent:
        what = f"all {unit.hits} hits of {unit.id} are permanent" if unit.hits else f"{unit.id} has no hits"
        found.append(
            Violation("nothing-to-rally", f"There is nothing to rally: {what}.", "Rally", {"hits": float(unit.hits)})
        )
    return found


def _making_ready(state: State, unit: Unit) -> list[Violation]:
    found = against_settling(state, unit)
    if kind_of(unit).fires_as == "mortar":
        text = f"{unit.id} fires as a mortar, and only infantry, tanks and ATGs may be Ready."
        found.append(Violation("mortar-ready", text, "Rally & Ready Step, Ready"))
    if unit.ready:
        found.append(Violation("already-ready", f"{unit.id} is Ready already.", "Rally & Ready Step, Ready"))
    return found


def _digging_in(state: State, unit: Unit) -> list[Violation]:
    found = against_settling(state, unit)
    if kind_of(unit).struck_as == "tank":
        found.append(
            Violation("tank-dug-in", f"{unit.id} is a tank, and no tank digs in.", "Rally & Ready Step, Dug-in")
        )
    if unit.dug_in:
        found.append(Violation("already-dug-in", f"{unit.id} is dug in already.", "Rally & Ready Step, Dug-in"))
    return found


def _end(state: State) -> list[Violation]:
    return not_begun(state) or _busy(state)


def _begin(state: State) -> list[Violation]:
    if state.step != "deploy":
        return [_firm("begun", "The first turn has begun already.")]
    if state.undeployed:
        left = ", ".join(state.undeployed)
        return [
            Violation(
                "undeployed", f"Still to be deployed: {left}. Put them on the table, or take them off.", firm=True
            )
        ]
    return too_few_tied(state) if state.setup.rules.ties_any_units else []


def _deploy(state: State, action: actions.Deploy) -> list[Violation]:
    plan = state.setup.unit(action.unit)
    if plan is None:
        return [no_unit(state, action.unit)]
    if state.step != "deploy":
        return [_firm("begun", "The first turn has begun: units are deployed before it.")]
    at = standings(action)
    found = _count_places(plan.id, len(plan.bases), at)
    if found:
        return found
    for wanted, allowed, what in ((action.dug_in, plan.dug_in, "dug in"), (action.ready, plan.ready, "Ready")):
        if wanted and not allowed:
            found.append(Violation("unprepared", f"The scenario does not let {plan.id} start {what}."))
    unit = unit_on_table(plan, at)
    own = deployment_zones(state, plan)
    if own and not any(_inside(unit, zone.polygon) for zone in own):
        names = " or ".join(zone.id or f"{zone.side}'s zone" for zone in own)
        found.append(Violation("zone", f"{plan.id} is not wholly inside its deployment zone ({names})."))
    if not _inside(unit, state.setup.outline):
        size = f"{state.setup.width:g}″ x {state.setup.depth:g}″"
        found.append(Violation("off-table", f"{plan.id} is not wholly on the table ({size})."))
    others = tuple(u for u in state.units if u.id != plan.id)
    for other in others:
        deep = float(overlaps(unit.bases, other.bases)[0].max())
        if deep > HAND_IN:
            text = f"{plan.id} would overlap {other.id} by {deep:.2f}″."
            found.append(Violation("overlap", text, numbers={"overlap_in": deep}))
    found += tie_violations(state, unit)
    scene = Scene(None, state.setup.width, state.setup.depth, (unit,), state.terrain)
    for fault in findings(Situation(scene, state.setup.rules))[0]:
        if fault.level == "fault":
            text = f"{plan.id}: {fault.text}"
            found.append(Violation("formation", text, fault.place.strip("[]"), dict(fault.numbers)))
    return found


def deployment_zones(state: State, plan: UnitSetup) -> tuple[Zone, ...]:
    """Where a unit may be deployed: zones for it by name, else those of its side; empty where it may stand anywhere."""
    zones = [z for z in state.setup.zones if z.side == plan.side and (not z.units or plan.id in z.units)]
    return tuple(z for z in zones if z.units) or tuple(zones)


def _count_places(unit_id: str, bases: int, at: Sequence[Standing]) -> list[Violation]:
    """Whether there is a place for each base."""
    if len(at) == bases:
        return []
    return [_firm("bases", f"{unit_id} has {bases} bases, and places were given for {len(at)}.")]


def _inside(unit: Unit, polygon: tuple[tuple[float, float], ...]) -> bool:
    margins = inside_margin(unit.bases, shapely.polygons(polygon))
    return all(judge_one(float(m), 0.0) == YES for m in margins)


def _correct(state: State, action: actions.Correct) -> list[Violation]:
    plan = state.setup.unit(action.unit)
    if plan is None:
        return [no_unit(state, action.unit)]
    on_table, at = state.unit(action.unit), standings(action)
    if on_table is None and (action.off or not at):
        return [_firm("gone", f"{plan.id} is not on the table: say where it stands to put it back.")]
    found = _count_places(plan.id, len(plan.bases), at) if at else []
    instead, middles = f"say a place on it, or take {plan.id} off the table", ((one.x, one.y) for one in at)
    found += off_table(state.setup, f"{plan.id} would have a base at", middles, slack_in=EDGE_SLACK_IN, instead=instead)
    hits = action.hits if action.hits is not None else (on_table.hits if on_table else 0)
    for name, value, most in (("hits", action.hits, 99), ("permanent hits", action.permanent, hits)):
        if value is not None and not 0 <= value <= most:
            found.append(_firm("hits", f"{plan.id} can't have {value} {name}: 0 to {most} are possible."))
    return found


def _firm(code: str, text: str, place: str = "") -> Violation:
    return Violation(code, text, place, firm=True)
