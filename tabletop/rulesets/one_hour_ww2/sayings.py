"""Events of a game in plain sentences, for the log on the command line and the page."""

from __future__ import annotations

from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.checks import STEP_NAMES
from tabletop.rulesets.one_hour_ww2.state import State, apply


def sentence(state: State | None, event: ev.Event) -> str:
    """An event in a sentence, told of the state before it (``None``: before the first event)."""
    if state is None:
        return f"{event.setup.title} was laid out." if isinstance(event, ev.Started) else "The game was laid out."
    told = _told(state, event)
    overruled = getattr(event, "overruled", ())
    settled = ", ".join(code.replace("-", " ").replace("_", " ") for code in overruled)
    return f"{told} (Settled by the players or the referee: {settled}.)" if overruled else told


def _told(state: State, event: ev.Event) -> str:
    setup = state.setup
    match event:
        case ev.Started():
            return f"{event.setup.title} was laid out."
        case ev.Deployed():
            marks = [word for word, on in (("dug in", event.dug_in), ("Ready", event.ready)) if on]
            x, y = _unique_place(state, event.unit, event)
            return f"{event.unit} was deployed at ({x:.1f}, {y:.1f}){', ' if marks else ''}{' and '.join(marks)}."
        case ev.Begun():
            return "The first turn began."
        case ev.Fired():
            return _shot(state, event)
        case ev.Destroyed():
            return f"{event.unit} was destroyed{f' by {event.by}' if event.by else ''}."
        case ev.MoveRolled():
            rolled = " + ".join(str(face) for face in event.roll)
            why = f" ({', '.join(event.because)})" if event.because else ""
            return f'{event.unit} rolled {rolled} to move: {event.total_in}"{why}.'
        case ev.Moved():
            far = max(event.lengths_in, default=0.0)
            road = ", all by road" if event.by_road else ""
            stayed = far < 0.005
            return (
                f"{event.unit} stayed." if stayed else f'{event.unit} moved {far:.1f}" of {event.allowed_in:g}"{road}.'
            )
        case ev.Exited():
            name = next((e.title for e in setup.exits if e.id == event.exit), event.exit)
            return f'{event.unit} left the table by {name}, after {event.length_in:.1f}" of {event.allowed_in:g}".'
        case ev.Rallied():
            unit = state.unit(event.unit)
            left = (unit.hits if unit else 0) - event.removed
            return f"{event.unit} rallied with a {event.roll}: {event.removed} off, {_count(left)} left."
        case ev.MadeReady():
            return f"{event.unit} was made Ready."
        case ev.DugIn():
            return f"{event.unit} dug in."
        case ev.StepEnded():
            step = STEP_NAMES[event.step].removeprefix("the ")
            return f"Turn {event.turn}, {setup.side_title(event.side)}: {step}."
        case ev.Held():
            name = next((o.title for o in setup.objectives if o.id == event.objective), event.objective)
            return (
                f"Held by {setup.side_title(event.side)}: {name}."
                if event.side
                else f"Held by nobody any more: {name}."
            )
        case ev.Ended():
            return f"{f'{setup.side_title(event.winner)} won' if event.winner else 'A draw'}: {event.reason}"
        case ev.Corrected():
            return _correction(state, event)


def _shot(state: State, event: ev.Fired) -> str:
    target = state.unit(event.target)
    spotted = f" ({event.observer} observed)" if event.observer else ""
    how = "Ready, fired" if event.reaction else "fired"
    who = f"{event.unit}, {how}" if event.reaction else f"{event.unit} {how}"
    total = (target.hits if target else 0) + event.hits
    sums = ", ".join(event.modifiers)
    return (
        f'{who} at {event.target} at {event.range_in:.1f}"{spotted}: a {event.roll} with {sums} makes '
        f"{_count(event.hits)} ({event.expected:.1f} expected); {event.target} has {total}."
    )


def _correction(state: State, event: ev.Corrected) -> str:
    because = f": {event.reason}" if event.reason else ""
    if event.off:
        return f"The referee took {event.unit} off the table{because}."
    parts = [f"hits {event.hits}"] if event.hits is not None else []
    parts += [f"permanent {event.permanent}"] if event.permanent is not None else []
    names = (("dug in", event.dug_in), ("Ready", event.ready), ("moved", event.moved), ("fired", event.fired))
    parts += [f"{'' if value else 'not '}{name}" for name, value in names if value is not None]
    if event.at:
        x, y = _unique_place(state, event.unit, event)
        parts.append(f"its place: {x:.1f}, {y:.1f}")
    return f"The referee set {event.unit} right ({', '.join(parts) or 'nothing'}){because}."


def _unique_place(state: State, unit_id: str, event: ev.Deployed | ev.Corrected) -> tuple[float, float]:
    after = apply(state, event).unit(unit_id)
    if after is None:
        return 0.0, 0.0
    row = after.unique if after.unique is not None else 0
    x, y = after.bases.center[row]
    return float(x), float(y)


def _count(hits: int) -> str:
    return "1 hit" if hits == 1 else f"{hits} hits"
