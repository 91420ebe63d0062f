"""Forces put on the table: the players' own bases and terrain, a photographed deployment.

Lengths in inches, facings in degrees clockwise from +y.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tabletop.errors import Fault, SceneError
from tabletop.identity.question import way_round_asked
from tabletop.open_table.setup import TerrainPiece, piece_of, pieces_of, shape_of, shapes_of, standings_of
from tabletop.reading.toml_source import either
from tabletop.rulesets.one_hour_ww2.data import KINDS, NAME
from tabletop.rulesets.one_hour_ww2.scenario_checks import check_setup
from tabletop.rulesets.one_hour_ww2.setup import Objective, Setup, UnitSetup
from tabletop.starting.scenarios import ScenarioError
from tabletop.tables.model import TableFile
from tabletop.tables.model import Unit as FileUnit
from tabletop.tables.scene import Scene, Unit, scene_from_json
from tabletop.words import and_list


def setup_from_tablefile(table: TableFile) -> Setup:
    """A game without a scenario: the table file's forces and terrain, all units yet to be deployed, anywhere.

    The side that the file names first attacks; a side wins when the other's units are all destroyed. Raises
    ScenarioError where the file's units are not of two sides, or more than a game has.
    """
    sides = list(dict.fromkeys([*(side.id for side in table.sides), *(unit.side for unit in table.units)]))
    table.check_kinds(tuple(KINDS), NAME)
    if len(sides) != 2:
        told = ", ".join(f'"{side}"' for side in sides) or "none"
        raise ScenarioError(
            f"{table.name}: a game needs units of two sides, and the file has {told}; set [[units]] right."
        )
    setup = Setup(
        title="Open battle",
        sides=(sides[0], sides[1]),
        width=table.width_in,
        depth=table.depth_in,
        units=tuple(map(_unit_of, table.units)),
        terrain=pieces_of(table.terrain),
    )
    return _sound(setup, table.name)


def with_table(setup: Setup, table: TableFile) -> Setup:
    """A setup played with a table file's own bases and terrain.

    A unit of the setup takes over the id, the bases and their sizes of the table's unit of the same id, or else, in the
    files' order, of the next one of its side and kind; units of the table that are left over stay off. A unit whose
    bases are not those that the setup had is to be deployed anew. The table's terrain, where it has any, replaces the
    setup's; an objective on a piece of terrain goes to the table's piece of that id, else to its only one of that kind.
    Raises ScenarioError with all that does not fit.
    """
    wrong: list[str] = []
    if not (math.isclose(table.width_in, setup.width) and math.isclose(table.depth_in, setup.depth)):
        wrong.append(
            f'the table is {table.width_in:g} by {table.depth_in:g} inches, and "{setup.title}" is laid out on one of '
            f"{setup.width:g} by {setup.depth:g}."
        )
    strange = [side for side in setup.sides if side not in {unit.side for unit in table.units}]
    if strange:
        told = either(sorted({unit.side for unit in table.units}) or ["none"])
        wrong.append(
            f'no unit is on side "{strange[0]}": the sides here are {told}, and those of "{setup.title}" are '
            f"{either(setup.sides)}; call them alike."
        )
    partners = {} if strange else _partners(setup, table, wrong)
    terrain = pieces_of(table.terrain) or setup.terrain
    objectives = tuple(_moved_objective(o, setup.terrain, terrain, wrong) for o in setup.objectives)
    if wrong:
        raise ScenarioError.of(table.name, [Fault(None, text) for text in wrong])
    names = {unit.id: partners[unit.id].id for unit in setup.units}
    renamed = replace(
        setup,
        units=tuple(_with_bases(unit, partners[unit.id]) for unit in setup.units),
        terrain=terrain,
        objectives=objectives,
        zones=tuple(replace(z, units=tuple(names.get(u, u) for u in z.units)) for z in setup.zones),
        ties=tuple(replace(t, units=tuple(names.get(u, u) for u in t.units)) for t in setup.ties),
    )
    return _sound(renamed, table.name)


def with_places(setup: Setup, scene: Scene) -> Setup:
    """A setup whose units stand where a scene, typed or from a photo, shows them, on the bases that it shows.

    Units that are not in the scene are yet to be deployed; markers stay those of the setup. How the units stand is
    not judged here. Raises SceneError with all that can't be taken over: a unit that the setup lacks, or of another
    side or kind, bases that were not all seen, a unique base that nobody knows.
    """
    wrong: list[str] = []
    if not (math.isclose(scene.width, setup.width) and math.isclose(scene.depth, setup.depth)):
        wrong.append(
            f'The scene\'s table is {scene.width:g} by {scene.depth:g} inches, and "{setup.title}" is laid out on one '
            f"of {setup.width:g} by {setup.depth:g}."
        )
    placed: dict[str, UnitSetup] = {}
    strange = [unit.id for unit in scene.units if setup.unit(unit.id) is None]
    if strange:
        wrong.append(_in_neither_force(strange, setup))
    for unit in scene.units:
        plan = setup.unit(unit.id)
        if plan is None:
            continue
        fault = _misfit(unit, plan)
        if fault:
            wrong.append(f'Unit "{unit.id}" {fault}')
        else:
            placed[unit.id] = _standing_as(plan, unit)
    if wrong:
        raise SceneError(" ".join(wrong))
    return replace(setup, units=tuple(placed.get(unit.id, replace(unit, at=())) for unit in setup.units))


def setup_from_scene(setup: Setup, data: object, name: str) -> tuple[Setup, str]:
    """A setup with its units where a scene or an observation (JSON as read, called ``name``) shows them, and with its
    terrain where the setup has none.

    Units with an uncertain base there are left to be deployed, terrain that is not certain is left out, and
    the note says so. Raises SceneError, also for an observation that may be turned.
    """
    if asked := way_round_asked(data):
        raise SceneError(f"{name} leaves a question open: {asked['says']} Answer it with `tabletop settle` first.")
    seen = scene_from_json(data, roster={unit.id: len(unit.bases) for unit in setup.units})
    partly = [unit.id for unit in seen.units if unit.missing_bases or unit.unique is None]
    whole = replace(seen, units=tuple(unit for unit in seen.units if unit.id not in partly))
    notes = [f"Not all bases of {', '.join(partly)} are certain in {name}: deploy by hand."] if partly else []
    placed = with_places(setup, whole)
    if setup.terrain:
        return placed, " ".join(notes)
    if open_ := [f"{piece.id} ({piece.kind})" for piece in seen.terrain if piece.is_doubtful]:
        notes.append(f"Not certain in {name} and left out: {and_list(open_)}.")
    sure = tuple(piece_of(piece) for piece in seen.terrain if not piece.is_doubtful)
    return replace(placed, terrain=sure), " ".join(notes)


def _in_neither_force(strange: Sequence[str], setup: Setup) -> str:
    """One sentence on all units of a scene that a setup lacks."""
    told, one = ", ".join(f'"{name}"' for name in strange), len(strange) == 1
    known = ", ".join(unit.id for unit in setup.units)
    return (
        f"{'Unit' if one else 'Units'} {told} {'stands' if one else 'stand'} on the table and "
        f"{'is' if one else 'are'} in neither force, whose units are {known}; take {'it' if one else 'them'} away, put "
        f"{'it' if one else 'them'} into the forces, or name the table's own file with --table."
    )


def _misfit(unit: Unit, plan: UnitSetup) -> str:
    """Why a unit of a scene can't take its place in a game, as the end of a sentence; empty where it can."""
    if (unit.side, unit.kind) != (plan.side, plan.kind):
        return f"is {plan.side}'s {plan.kind} in the forces and {unit.side}'s {unit.kind} on the table; set one right."
    if unit.unique is None:
        return "is there, but it is not known which of its bases is the unique one: name it in the scene."
    if len(unit.bases) != len(plan.bases):
        return f"has {len(unit.bases)} bases on the table and {len(plan.bases)} in the forces; name the others."
    return ""


def _standing_as(plan: UnitSetup, unit: Unit) -> UnitSetup:
    places = standings_of(unit.bases)
    return replace(plan, bases=shapes_of(unit.bases), at=places, unique=unit.unique or 0)


def _partners(setup: Setup, table: TableFile, wrong: list[str]) -> Mapping[str, UnitSetup]:
    """For each unit of the setup the table's unit that plays it, as a unit that is still to be deployed."""
    free = {unit.id: _unit_of(unit) for unit in table.units}
    found: dict[str, UnitSetup] = {}
    for unit in setup.units:
        same = free.get(unit.id)
        if same is not None and (same.side, same.kind) == (unit.side, unit.kind):
            found[unit.id] = free.pop(unit.id)
    for unit in setup.units:
        if unit.id in found:
            continue
        alike = [u for u in free.values() if (u.side, u.kind) == (unit.side, unit.kind)]
        if alike:
            found[unit.id] = free.pop(alike[0].id)
        else:
            wrong.append(
                f'no unit is left for "{unit.id}" of {setup.side_title(unit.side)}; add one with '
                f'side = "{unit.side}" and kind = "{unit.kind}".'
            )
    return found


def _with_bases(unit: UnitSetup, partner: UnitSetup) -> UnitSetup:
    same = unit.bases == partner.bases and unit.unique == partner.unique
    return replace(unit, id=partner.id, bases=partner.bases, unique=partner.unique, at=unit.at if same else ())


def _moved_objective(
    objective: Objective, before: Sequence[TerrainPiece], after: Sequence[TerrainPiece], wrong: list[str]
) -> Objective:
    home = next((piece for piece in before if piece.polygon == objective.polygon), None)
    if home is None or after is before:
        return objective
    alike = [piece for piece in after if piece.kind == home.kind]
    same = [piece for piece in alike if piece.id == home.id] or alike
    if len(same) == 1:
        return replace(objective, polygon=same[0].polygon)
    wrong.append(
        f'the objective "{objective.id}" lies on terrain of kind "{home.kind}", of which the table has '
        f'{len(alike) or "none"}; call the piece that is meant "{home.id}".'
    )
    return objective


def _unit_of(unit: FileUnit) -> UnitSetup:
    return UnitSetup(unit.id, unit.side, unit.kind, tuple(map(shape_of, unit.every_base)))


def _sound(setup: Setup, name: str) -> Setup:
    faults = [Fault(None, text) for _, text in check_setup(setup)]
    if faults:
        raise ScenarioError.of(name, faults)
    return setup
