"""What speaks against an action, all of it at once; empty where it is legal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from tabletop.game.domains import Choice
from tabletop.game.violations import Violation
from tabletop.rulesets.combined_arms import actions, enemy_player, enemy_player_checks, firing, mortars, moving
from tabletop.rulesets.combined_arms.action_fields import ALL, CORNER_CHOICES
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER, OFF, facings_towards
from tabletop.rulesets.combined_arms.data import PLATOONS, SIDES, TERRAIN, role_of, roles
from tabletop.rulesets.combined_arms.setup import MOST_HANDICAP
from tabletop.rulesets.combined_arms.state import State
from tabletop.rulesets.combined_arms.turn_flow import onward
from tabletop.words import count

SEQUENCE = "Sequence of play"
COOP = "Co-operative team play"
_TRACK_WORDS = "0 to 7"


def violations(state: State, action: actions.Action) -> tuple[Violation, ...]:
    """All that speaks against an action."""
    if state.step == "over" and not isinstance(action, actions.Correct):
        return (Violation("over", "The game is over.", SEQUENCE, firm=True),)
    unknown = tuple(_unknown(action))
    if unknown:
        return unknown
    waiting = tuple(_against_order(state, action))
    return waiting or tuple(_CHECKS.get(type(action), enemy_player_checks.violations)(state, action))


def _unknown(action: actions.Action) -> Iterator[Violation]:
    """Names of hexes and platoons, and corners, that there are none of."""
    hexes, lists, units, corners = _FIELDS[type(action)]
    names = [name for field in hexes if (name := getattr(action, field))]
    for field in lists:
        names += getattr(action, field)
    for name in names:
        if name not in NUMBER:
            yield Violation("no-hex", f'There is no hex "{name}": rows 1 to 9, as in 4-3.', "The board", firm=True)
    firers = action.firers if isinstance(action, actions.Fire) else ()
    for unit in [firer.unit for firer in firers] or [name for field in units if (name := getattr(action, field))]:
        if unit not in PLATOONS:
            yield Violation("no-platoon", f'There is no platoon "{unit}".', "The units", firm=True)
    for facing in [firer.facing for firer in firers] or [getattr(action, field) for field in corners]:
        if facing is not None and facing not in range(6):
            text = f"There is no corner {facing}: 0 is the top, then clockwise to 5."
            yield Violation("no-corner", text, "The units", firm=True)


_NAMING = (("hex", "target", "to"), ("path", "hexes", "platoons", "atgs"), ("unit",), ("facing",))
_FIELDS: Mapping[type[Any], Sequence[Sequence[str]]] = {
    cls: [[name for name in names if hasattr(cls, name)] for names in _NAMING] for cls in get_args(actions.Action)
}
"""Which fields of every action name a hex, several hexes, a platoon, and a corner."""

_ANY_TIME = (actions.Concede, actions.Correct)


def _against_order(state: State, action: actions.Action) -> Iterator[Violation]:
    """What has to be done before anything else."""
    if isinstance(action, _ANY_TIME):
        return
    if state.owed and not isinstance(action, actions.Break):
        at = NAMES[state.owed[0].at]
        yield Violation("break-first", f"First say which platoon in {at} breaks.", "Enemy fire", firm=True)
    elif not state.owed and state.pending is not None and not isinstance(action, actions.RollFor):
        at = ", ".join(NAMES[n] for n in state.pending.hexes)
        yield Violation("roll-first", f"First roll for {at}, which {_is(state)} under fire.", SEQUENCE, firm=True)
    elif state.declared and not isinstance(action, actions.Declare | actions.Resolve):
        text = f"First roll the fire declared on {NAMES[state.declared_on]}, once all who wish have joined in."
        yield Violation("resolve-first", text, COOP, firm=True)


def _is(state: State) -> str:
    return "is" if state.pending is not None and len(state.pending.hexes) == 1 else "are"


def _step(state: State, step: str, text: str, place: str = SEQUENCE) -> Iterator[Violation]:
    if state.step != step:
        yield Violation("wrong-phase", text, place, firm=True)


# --- before turn 1 ---------------------------------------------------------------------------------------------------


def _survey(state: State, action: actions.Survey) -> Iterator[Violation]:
    yield from _step(state, "terrain", "The board's terrain is settled.", "The playing board")
    if len(set(action.hexes)) < len(action.hexes):
        yield Violation("twice", "A hex stands twice.", "The playing board", firm=True)
    for name in action.hexes:
        if state.ground.known >> NUMBER[name] & 1:
            yield Violation("known", f"The terrain of {name} is known already.", "The playing board", firm=True)


def _lay(state: State, action: actions.Lay) -> Iterator[Violation]:
    yield from _step(state, "terrain", "The board's terrain is settled.", "The playing board")
    if action.terrain not in TERRAIN:
        known = ", ".join(TERRAIN)
        yield Violation("no-terrain", f'"{action.terrain}" is no terrain: {known}.', "The playing board", firm=True)
    if NUMBER[action.hex] in state.ground.road:
        yield Violation("road", f"The road runs through {action.hex}.", "The playing board", firm=True)


def _occupy(state: State, action: actions.Occupy) -> Iterator[Violation]:
    yield from _step(state, "defenders", "Defenders are set out once the board's terrain is known.", "The units")


def _bid(state: State, action: actions.Bid) -> Iterator[Violation]:
    yield from _step(state, "bids", "Bids come before everything else.", enemy_player.PLACE)
    if state.bids[action.player - 1] is not None:
        yield Violation("bid-twice", f"Player {action.player} has bid already.", enemy_player.PLACE, firm=True)
    if not 0 <= action.points <= MOST_HANDICAP:
        yield Violation("bid-range", f"A bid is 0 to {MOST_HANDICAP} points.", enemy_player.PLACE, firm=True)


def _award(state: State, action: actions.Award) -> Iterator[Violation]:
    yield from _step(state, "bids", "Bids come before everything else.", enemy_player.PLACE)
    if None in state.bids:
        yield Violation("bids-open", "Both players have to bid first.", enemy_player.PLACE, firm=True)


def _muster(state: State, action: actions.Muster) -> Iterator[Violation]:
    yield from _step(state, "muster", "The enemy's forces are rolled once its counters are out.", enemy_player.PLACE)


def _post(state: State, action: actions.Post) -> Iterator[Violation]:
    return enemy_player.against_posting(state, action.platoons, action.atgs)


# --- the attackers ---------------------------------------------------------------------------------------------------


def _in_turn(state: State, role: str) -> Iterator[Violation]:
    """In the co-operative game, whether others wish to act and the commander has not said who."""
    if state.setup.mode != "co-operative":
        return
    others = [r for r in state.claims if r != role]
    if state.granted and state.granted != role:
        yield Violation("granted-other", f"The overall commander let {state.granted} act first.", COOP)
    elif not state.granted and others:
        text = f"{', '.join(others)} would act too: the overall commander says who does (grant {role})."
        yield Violation("claimed", text, COOP)


def _turn_of(state: State, unit: str) -> Iterator[Violation]:
    """The same for who commands a platoon."""
    role = role_of(unit, state.setup.commander_apart)
    return _in_turn(state, role) if state.setup.mode == "co-operative" else iter(())


def _move(state: State, action: actions.Move | actions.Leave) -> Iterator[Violation]:
    yield from moving.violations(state, action)
    yield from _turn_of(state, action.unit)


def _face(state: State, action: actions.Face) -> Iterator[Violation]:
    yield from _step(state, "fire", "Armour turns on the spot in the friendly fire phase only.", firing.PLACE)
    unit = state.by_id[action.unit]
    if unit.is_infantry:
        yield Violation("no-facing", f"{unit.id} is infantry, which has no facing.", "The units", firm=True)
    elif unit.at == OFF:
        yield Violation("not-on-board", f"{unit.id} is not on the board.", firing.PLACE, firm=True)
    elif not unit.fresh:
        yield Violation("spent", f"{unit.id} is spent; only fresh armour turns.", firing.PLACE)
    elif unit.facing == action.facing:
        yield Violation("same-facing", f"{unit.id} faces corner {action.facing} already.", firing.PLACE, firm=True)
    yield from _turn_of(state, action.unit)


def _call(state: State, action: actions.Call) -> Iterator[Violation]:
    yield from mortars.against_call(state, NUMBER[action.hex], action.ammo)
    yield from _in_turn(state, "command")


def _fire(state: State, action: actions.Fire) -> Iterator[Violation]:
    if state.setup.mode == "co-operative":
        who = action.units[0] if action.units else "D1"
        text = f"In the co-operative game each declares for their own platoons: declare {who} at {action.target}."
        yield Violation("declare", text, COOP, firm=True)
    yield from firing.violations(state, firing.volley(state, action.target, action.units, action.facings))


def _declare(state: State, action: actions.Declare) -> Iterator[Violation]:
    if state.setup.mode != "co-operative":
        yield Violation("not-coop", "Fire is declared in the co-operative game; here: fire.", COOP, firm=True)
        return
    target = NUMBER[action.target]
    if state.declared and state.declared_on != target:
        text = f"First roll the fire declared on {NAMES[state.declared_on]}."
        yield Violation("resolve-first", text, COOP, firm=True)
        return
    names = [*(name for name, _ in state.declared), action.unit]
    facings = [*(facing for _, facing in state.declared), action.facing]
    for violation in firing.violations(state, firing.volley(state, action.target, names, facings)):
        if violation.code == "out-of-arc":  # of this platoon: those that declared before were judged then
            corners = facings_towards(state.by_id[action.unit].at, target)
            yield replace(violation, field="facing", choices=tuple(CORNER_CHOICES[corner] for corner in corners))
        else:
            yield violation
    if not state.declared:
        yield from _turn_of(state, action.unit)


def _resolve(state: State, action: actions.Resolve) -> Iterator[Violation]:
    if not state.declared:
        yield Violation("nothing-declared", "No fire has been declared.", COOP, firm=True)


def _end(state: State, action: actions.End) -> Iterator[Violation]:
    if state.step not in ("move", "fire"):
        text = {
            "mortars": "First roll what the mortars and the bombardment do.",
            "enemy": "The enemy phase ends when all the defenders have acted.",
        }.get(state.step, "The first turn has not begun.")
        yield Violation("no-phase", text, SEQUENCE, firm=True)


def _scatter(state: State, action: actions.Scatter) -> Iterator[Violation]:
    if state.step == "mortars" and state.barrage == "to scatter":
        return
    if state.step == "enemy" and not state.solitaire_defence and _enemy_scatters(state):
        return
    yield Violation("no-mortars", "No mortar bombs are in the air now.", mortars.PLACE, firm=True)


def _enemy_scatters(state: State) -> bool:
    return state.mortar_stage == "called" and state.acting_counter is None


def _bombard(state: State, action: actions.Bombard) -> Iterator[Violation]:
    if state.step != "mortars" or state.barrage != "landed" or state.turn != 1:
        text = "The preliminary bombardment is rolled once, at the end of turn 1's fire phase."
        yield Violation("no-bombardment", text, SEQUENCE, firm=True)


def _roll_for(state: State, action: actions.RollFor) -> Iterator[Violation]:
    if state.pending is None:
        yield Violation("nothing-to-roll", "No hex is under fire now.", SEQUENCE, firm=True)
        return
    if len(set(action.hexes)) < len(action.hexes):
        yield Violation("twice", "A hex stands twice.", SEQUENCE, firm=True)
    for name in action.hexes:
        if NUMBER[name] not in state.pending.hexes:
            left = ", ".join(NAMES[n] for n in state.pending.hexes)
            yield Violation("not-under-fire", f"{name} is not to be rolled for; left are {left}.", SEQUENCE, firm=True)


def _break(state: State, action: actions.Break) -> Iterator[Violation]:
    if not state.owed:
        yield Violation("nothing-owed", "No platoon has to break now.", "Enemy fire", firm=True)
        return
    at = state.owed[0].at
    if action.unit not in [p.id for p in state.infantry.get(at, ())]:
        here = [p.id for p in state.infantry.get(at, ())]
        text = f"{action.unit} is not in {NAMES[at]}; one of {', '.join(here)} breaks."
        choices = tuple(Choice(name, name) for name in here)
        yield Violation("not-there", text, "Enemy fire", firm=True, field="unit", choices=choices)


def _finish(state: State, action: actions.Finish) -> Iterator[Violation]:
    if state.step != "move" or state.turn < 2 or state.any_moved:
        text = "The game ends after a whole turn: as the next move phase begins, before anything moves."
        yield Violation("not-now", text, "Victory", firm=True)


def _claim(state: State, action: actions.Claim) -> Iterator[Violation]:
    yield from _coop_role(state, action.role)
    if action.role in state.claims:
        yield Violation("claimed-already", f"{action.role} wishes to act next already.", COOP, firm=True)


def _grant(state: State, action: actions.Grant) -> Iterator[Violation]:
    yield from _coop_role(state, action.role)
    if state.granted == action.role:
        yield Violation("granted-already", f"{action.role} acts next already.", COOP, firm=True)


def _message(state: State, action: actions.Message) -> Iterator[Violation]:
    """A message of a team whose players write instead of talking, as many in a turn as was agreed."""
    known, most = roles(state.setup.commander_apart), state.setup.messages
    if state.setup.mode != "co-operative" or not most:
        yield Violation("not-coop", "Messages belong to a co-operative game whose players write them.", COOP, firm=True)
        return
    for role in (action.role, *((action.recipient,) if action.recipient != ALL else ())):
        if role not in known:
            yield Violation("no-role", f'There is no role "{role}": {", ".join(known)}.', COOP, firm=True)
    if action.role == action.recipient:
        yield Violation("to-itself", f"{action.role} writes to somebody else, or to {ALL}.", COOP, firm=True)
    if not action.text:
        yield Violation("no-words", "A message needs words.", COOP, firm=True)
    sent = state.sent.count(action.role)
    if sent >= most:
        text = f"{action.role} has sent {count(sent, 'message')} in this turn, and {most} is the most."
        yield Violation("messages-sent", text, COOP, {"sent": float(sent), "most": float(most)})


def _coop_role(state: State, role: str) -> Iterator[Violation]:
    if state.setup.mode != "co-operative":
        yield Violation("not-coop", "Roles belong to the co-operative game.", COOP, firm=True)
    elif role not in (known := roles(state.setup.commander_apart)):
        yield Violation("no-role", f'There is no role "{role}": {", ".join(known)}.', COOP, firm=True)
    elif state.step not in ("move", "fire"):
        yield Violation("wrong-phase", "Roles act in the move and fire phases.", COOP, firm=True)


# --- the defenders ---------------------------------------------------------------------------------------------------


def _defend(state: State, action: actions.Defend) -> Iterator[Violation]:
    if not state.solitaire_defence:
        text = "A player decides for the enemy here: mortars, show, shoot, engage, pass."
        yield Violation("enemy-player", text, enemy_player.PLACE, firm=True)
    elif onward(state).need is None:
        yield Violation("not-theirs", "The defenders need no roll now.", SEQUENCE, firm=True)


# --- at any time -----------------------------------------------------------------------------------------------------


def _concede(state: State, action: actions.Concede) -> Iterator[Violation]:
    if action.side not in SIDES:
        yield Violation("no-side", f'There is no side "{action.side}": {" or ".join(SIDES)}.', "Victory", firm=True)


def _correct(state: State, action: actions.Correct) -> Iterator[Violation]:
    place = "The referee's word"
    if bool(action.unit) + bool(action.hex) != 1 and action.losses is None and action.ammo is None:
        yield Violation("what", "Say a platoon, a hex with a counter, losses or ammo to set right.", place, firm=True)
    if state.turn < 1:
        yield Violation("too-early", "Nothing can be set right before turn 1.", place, firm=True)
    for track in ("losses", "ammo"):
        value = getattr(action, track)
        if value is not None and value not in range(8):
            yield Violation("track", f"The track of {track} goes from {_TRACK_WORDS}.", place, firm=True)
    if action.unit:
        unit = state.by_id[action.unit]
        if unit.at == OFF and action.to is None and not action.off:
            text = f"{unit.id} is not on the board: say where to."
            yield Violation("not-on-board", text, place, firm=True, field="to")
        if unit.is_infantry and action.facing is not None:
            yield Violation("no-facing", f"{unit.id} is infantry, which has no facing.", place, firm=True)
        if action.to is not None and NUMBER[action.to] in state.counters:
            yield Violation("enemy-there", f"An enemy counter stands in {action.to}.", place, firm=True)
        if action.to is not None:
            found = moving.against_hex(state, unit, NUMBER[action.to])
            if found is not None and found.code in ("other-company", "other-armour"):
                yield replace(found, firm=True)
        if unit.kind == "armour" and unit.at == OFF and action.facing is None and not action.off:
            text = f"Say which corner {unit.id} faces."
            yield Violation("facing", text, place, firm=True, field="facing", choices=CORNER_CHOICES)
    elif action.hex:
        at = NUMBER[action.hex]
        if at not in state.counters and (action.off or state.by_hex.get(at)):
            yield Violation("no-counter", f"No counter is in {action.hex}.", place, firm=True)
        counter = state.counters.get(at)
        revealed = action.revealed if action.revealed is not None else counter is not None and counter.revealed
        guns = action.atg or (counter.atg if counter is not None else "none")
        if guns == "real" and not revealed and not action.off:
            yield Violation("guns-alone", "Real guns need a revealed platoon with them.", place, firm=True)
        if action.atg is not None and action.atg not in ("none", "potential", "real", "removed"):
            text = f'"{action.atg}" is no state of guns: none, potential, real or removed.'
            yield Violation("no-guns-state", text, place, firm=True)


_CHECKS: dict[type[Any], Callable[[State, Any], Iterator[Violation]]] = {
    actions.Survey: _survey, actions.Lay: _lay, actions.Occupy: _occupy, actions.Bid: _bid, actions.Award: _award,
    actions.Muster: _muster, actions.Post: _post, actions.Move: _move, actions.Leave: _move, actions.Face: _face,
    actions.Call: _call, actions.Fire: _fire, actions.Declare: _declare, actions.Resolve: _resolve,
    actions.End: _end, actions.Scatter: _scatter, actions.Bombard: _bombard, actions.RollFor: _roll_for,
    actions.Break: _break, actions.Defend: _defend, actions.Finish: _finish,
    actions.Claim: _claim, actions.Grant: _grant, actions.Message: _message,
    actions.Concede: _concede, actions.Correct: _correct,
}  # fmt: skip
"""What judges each action; those of the enemy's player are judged together."""
