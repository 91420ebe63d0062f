"""What a photo of a table with the board of squares says has happened in a game of Combat.

The board is read as every board of squares is (:mod:`tabletop.grids.squares.seeing`); this module says what the game's
actions are. No mine has a part in it: who looks at a photo learns nothing of them. While the two halves are apart a
photo is compared for those who may see a half, with that half alone (:func:`withheld`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.changes.proposals import Proposal
from tabletop.game.protocol import PUBLIC
from tabletop.grids.board_changes import BoardChanges
from tabletop.grids.photo_questions import of_the_photo
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.squares import seeing as square_boards
from tabletop.grids.squares.terrain import SquareGround
from tabletop.grids.squares.terrain_proposals import GroundRules, GroundSight
from tabletop.grids.squares.unit_proposals import Post, RulesSight, SquareGame
from tabletop.grids.standing import OFF_BOARD
from tabletop.identity.observation_rows import Observation
from tabletop.identity.table_snapshot import sighting_from_json
from tabletop.rulesets.combat import actions, moving, turn_flow
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import KINDS, ROAD, SIDES
from tabletop.rulesets.combat.figures import moves_of
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.state import Piece, State
from tabletop.tables.model import Overlay


def posts(state: State) -> Iterator[Post]:
    """Every piece where the game has it, and those that may come on as reinforcements now."""
    coming = dict(_reinforcements(state))
    for piece in state.pieces:
        yield Post(piece.id, SIDES[piece.side], piece.kind, _at(state, piece), coming.pop(piece.id, "") != "")
    for name, kind in coming.items():
        yield Post(name, SIDES[state.section_to_act[0]], kind, None, True)


def _reinforcements(state: State) -> Iterator[tuple[str, str]]:
    """The names and kinds of pieces of which the next may come on now."""
    side = state.section_to_act[0]
    for kind in state.setup.kinds if state.step == "play" and state.owed else ():
        if sum(p.kind == kind for p in state.armies[side]) < KINDS[kind].pool:
            yield turn_flow.new_name(state, kind, side), kind


def reach(state: State, unit: str) -> Collection[str]:
    """The squares that one move of a piece leads to."""
    return [state.name(n) for n in moving.ways(state, state.by_id[unit])]


def move(state: State, unit: str, to: str) -> actions.Action:
    """The action that takes a piece to a square; planes fly, by their house rule."""
    flies = state.by_id[unit].kind == "plane" and state.setup.house.planes_fly
    return actions.Fly(unit, to) if flies else actions.Move(unit, to)


def correct(state: State, unit: str, to: str | None, reason: str) -> actions.Action:
    """The referee's action that puts a piece into a square, or off the board."""
    return actions.Correct(unit, off=True, reason=reason) if to is None else actions.Correct(unit, to=to, reason=reason)


def enter(state: State, unit: str, to: str) -> actions.Action:
    """The action that brings a new piece on."""
    return actions.Reinforce(dict(_reinforcements(state)).get(unit, ""), to)


def farthest(state: State) -> int:
    """More squares than this no piece goes at once; planes that fly go anywhere."""
    if state.setup.house.planes_fly:
        return max(state.setup.columns, state.setup.rows)
    return max(max(moves_of(state.setup, kind)) for kind in state.setup.kinds)


GAME = SquareGame(RULES, posts, reach, move, correct, enter, farthest)
DEPLOYMENT = SquareGame(
    RULES,
    lambda state: (Post(p.id, SIDES[p.side], p.kind, _at(state, p), p.at == OFF) for p in state.pieces),
    lambda state, unit: [name for name in state.field.names if _own(state, unit, name)],
    lambda state, unit, to: actions.Place(((unit, to),)),
    lambda state, unit, to, reason: actions.Unplace(unit) if to is None else actions.Place(((unit, to),)),
    lambda state, unit, to: actions.Place(((unit, to),)),
    lambda state: None,
)
"""How a side's secret deployment is read: every piece of its army may come anywhere on its half."""
_BUILT = {"town": "built-up", "field": "open", "marsh": "open"}
"""What the game calls a kind of ground; fields and marshes are open to it."""
_TOLD_AS = {"crest": "hill", "defence": "built-up"}
"""Ground that a photo tells only as another."""


def ground_matches(state: State, name: str, read: SquareGround) -> bool:
    """Whether a square has by the game what was read there; crests and defence lines look like what they stand on."""
    n = state.field.number[name]
    here, wanted = state.field.terrain[n], _terrain(read)
    alike = wanted in (here, _TOLD_AS.get(here))
    return alike and (read.road or wanted == "bridge") == (state.field.road[n] or here == "bridge")


def ground_removes(state: State, name: str, read: SquareGround) -> bool:
    """Whether what was read would take a square's terrain or road away."""
    n = state.field.number[name]
    return (_terrain(read) == "open" != state.field.terrain[n]) or (state.field.road[n] and not read.road)


def ground_actions(state: State, name: str, read: SquareGround) -> tuple[actions.Lay, ...]:
    """What lays a square as it was read."""
    n, wanted = state.field.number[name], _terrain(read)
    here, road = state.field.terrain[n], state.field.road[n]
    cleared = road and not read.road and wanted not in ("river", "bridge")
    words = ["open"] if cleared else []
    here, road = ("open", False) if cleared else (here, road)
    words += [wanted] if wanted not in (here, _TOLD_AS.get(here)) else []
    words += [ROAD] if read.road and not road and wanted != "bridge" else []
    return tuple(actions.Lay(name, word) for word in words)


def _terrain(read: SquareGround) -> str:
    """What the game calls what was read in a square."""
    if read.river:
        return "bridge" if read.road else "river"
    return _BUILT.get(read.kind, read.kind)


GROUND = GroundRules(RULES, ground_matches, ground_removes, ground_actions)
"""The battlefield, which players arrange before armies are chosen."""


@dataclass(frozen=True, eq=False)
class CombatSight(RulesSight):
    """A sight of the board, ready to be compared with any state of its game; while the halves are apart with those of
    ``sides`` alone."""

    sides: tuple[str, ...] = ()
    is_secret: bool = False

    def against(self, state: State) -> tuple[BoardChanges, Sequence[Proposal]]:
        """The changes square by square; proposals: moves in a legal order, what is against the rules, then what is
        asked."""
        if not is_apart(state):
            return self.sight.against(open_of(state))
        if not self.sides:
            why = "armies deploy in secret" if state.step == "deploy" else "the boards are apart"
            warning = (
                f"While {why} a photo is compared for the side that owns the half it shows, and shown to no one else."
            )
            return BoardChanges(self.sight.name, self.sight.table, (), warnings=(warning,)), ()
        return self.sight.against(half_of(state, self.sides))


def is_apart(state: State) -> bool:
    """Whether the two halves of the board are secret from each other now."""
    return state.step == "deploy" or state.apart


def is_arranged(state: State) -> bool:
    """Whether the battlefield is being arranged: no army is chosen yet."""
    return state.step == "deploy" and not any(state.armed)


def photo_is_secret(state: State) -> bool:
    """Whether a photo of the table shows what is one side's secret: a half that the other may not see."""
    return is_apart(state) and not is_arranged(state)


def open_of(state: State) -> State:
    """A state without its mines, as a photo is compared with it."""
    return state.but(laid=(frozenset(), frozenset()))


def half_of(state: State, sides: Collection[str]) -> State:
    """What there is of those sides, and nothing else; their own mines keep their own pieces off."""
    own = [side in sides for side in SIDES]
    pieces = tuple(p for p in state.pieces if own[p.side])
    laid = tuple(mines if mine else frozenset() for mines, mine in zip(state.laid, own, strict=True))
    headquarters = tuple(n if mine else OFF for n, mine in zip(state.headquarters, own, strict=True))
    return state.but(pieces=pieces, laid=laid, headquarters=headquarters)


def withheld(data: Any, state: State, placement: BoardPlacement, sides: Collection[str]) -> Any:
    """An observation (or a typed scene) as far as those sides may know it while the halves are apart.

    That is what stands on their own: their pieces, and bases of nobody known on their half. What else there is, asked
    or warned of is left out as if it had not been photographed.
    """
    if not isinstance(data, Mapping):
        return data
    if "bases" not in data:
        units = [unit for unit in data.get("units", ()) if side_of(unit.get("id")) in sides]
        return {**data, "units": units} if "units" in data else data
    found = _without(data, state, placement, sides)
    if isinstance(data.get("as_seen"), Mapping):
        return {**found, "as_seen": _without(data["as_seen"], state, placement, sides)}
    return found


def read_sight(
    state: State, data: object, name: str, board: BoardPlacement | Overlay | None, answers: Mapping[str, Any]
) -> tuple[Observation | None, CombatSight | GroundSight]:
    """What :func:`read_sight_for` gives whoever may know what everybody may."""
    return read_sight_for(state, data, name, board, answers, PUBLIC)


def read_sight_for(
    state: State,
    data: object,
    name: str,
    board: BoardPlacement | Overlay | None,
    answers: Mapping[str, Any],
    viewer: str | None,
) -> tuple[Observation | None, CombatSight | GroundSight]:
    """An observation with the answers written in (``None`` for a typed scene), and the sight that it gives.

    While the halves are apart both hold what ``viewer`` (as for :meth:`tabletop.game.protocol.Ruleset.view`) may know,
    and nothing else. Raises as :func:`tabletop.grids.squares.seeing.read_sight`; AnswerError for an answer to what is
    left out.
    """
    if not is_apart(state):
        observed, sight = square_boards.read_sight(GAME, state, data, name, board, answers)
        return observed, CombatSight(sight)
    sides = tuple(side for side in SIDES if viewer is None or viewer.partition("-")[0] == side)
    game = DEPLOYMENT if state.step == "deploy" else GAME
    data = square_boards.with_roster({post.id: post for post in game.posts(state)}, data)
    sighting_from_json(of_the_photo(data), name)
    placement = square_boards.placement_for(game, state, board)
    if is_arranged(state):
        return square_boards.read_ground_sight(GROUND, withheld(data, state, placement, ()), name, placement, answers)
    known = withheld(data, state, placement, sides)
    observed, sight = square_boards.read_sight(game, half_of(state, sides), known, name, placement, answers)
    return observed, CombatSight(sight, sides, is_secret=True)


def _at(state: State, piece: Piece) -> str | None:
    return None if piece.at == OFF else state.name(piece.at)


def _own(state: State, unit: str, name: str) -> bool:
    """Whether a square is on the half of a piece's side."""
    return state.field.own_half(state.by_id[unit].side, state.field.number[name])


def _without(data: Mapping[str, Any], state: State, placement: BoardPlacement, sides: Collection[str]) -> Observation:
    """An observation without what is not those sides' to know."""
    kept = [base for base in data.get("bases", ()) if _is_of(base, state, placement, sides)]
    names = {str(base.get(key)) for base in kept for key in ("id", "unit")}
    ground = data.get("terrain", []) if is_arranged(state) else []
    names |= {str(row.get("id")) for row in ground} | ({*state.field.names} if is_arranged(state) else set())
    found = {**data, "bases": kept, "warnings": [], "dice": [], "markers": [], "terrain": ground}
    for key in ("questions", "settled"):
        if key in data:
            found[key] = [row for row in data[key] if str(row.get("about")) in names or _covers(row, names)]
    return found


def _covers(row: Mapping[str, Any], names: Collection[str]) -> bool:
    """Whether all that a question is about is among the names."""
    covered = {str(name) for names in row.get("covers", ()) for name in names}
    return bool(covered) and covered <= set(names)


def side_of(unit: object) -> str | None:
    """The side of a piece by its name; ``None`` for what is no piece's."""
    return {"R": SIDES[0], "B": SIDES[1]}.get(str(unit)[:1])


def _is_of(base: Mapping[str, Any], state: State, placement: BoardPlacement, sides: Collection[str]) -> bool:
    """Whether a base is one of those sides' pieces, or nobody's known on their half."""
    if base.get("unit") is not None:
        return side_of(base["unit"]) in sides
    if base.get("side") not in (None, *sides):
        return False
    (square,) = placement.cells.cells_at(placement.layout, [base["center"]])
    name = placement.cells.name(square)
    if name == OFF_BOARD:
        return False
    n = state.field.number[name]
    return any(side in sides and state.field.own_half(own, n) for own, side in enumerate(SIDES))
