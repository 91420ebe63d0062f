"""The terrain of a game that photos need not show: stated at its beginning, or drawn by players since."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tabletop.game.core import Game
from tabletop.tables.model import SeenGround, SeenTerrain, TableFile, Terrain
from tabletop.tables.scene import Terrain as SceneTerrain
from tabletop.tables.table_for_game import plain_table

_DRAWN = "terrain-drawn"  # the event of every ruleset on an open table


@dataclass(frozen=True)
class StatedTerrain:
    """The terrain of a game as people stated it. ``begun`` is what the scenario or table file stated; ``whole`` is that
    as players have changed it since, as long as it is all there is. Once they add a piece, everything is among
    ``drawn``: pieces beside which photos may show more.

    Pieces as a photo showed them are in none of these, whether the game began with them or a player accepted them:
    later photos read them again.
    """

    begun: tuple[Terrain, ...] = ()
    whole: tuple[Terrain, ...] = ()
    drawn: tuple[SeenTerrain, ...] = ()


def stated_terrain(game: Game) -> StatedTerrain:
    """The current terrain of a game; empty for a game on a board, where terrain belongs to the cells."""
    if not hasattr(game.state, "scene"):
        return StatedTerrain()
    first: tuple[SceneTerrain, ...] = Game(game.ruleset, game.records[:1], version=game.version).state.scene.terrain
    begun = tuple(_stated(piece).piece for piece in first if not piece.sigma)
    shown = {(piece.id, _stated(piece).piece.polygon) for piece in first if piece.sigma}
    laid = [record.body["piece"] for record in game.records if record.photo and record.kind == _DRAWN]
    shown |= {(piece["id"], tuple((x, y) for x, y in piece["polygon"])) for piece in laid}
    known = tuple(map(_stated, game.state.scene.terrain))
    known = tuple(one for one in known if (one.piece.id, one.piece.polygon) not in shown)
    if {one.piece.id for one in known} <= {piece.id for piece in begun}:
        return StatedTerrain(begun, tuple(one.piece for one in known))
    return StatedTerrain(begun, drawn=known)


def table_for_photo(game: Game) -> TableFile:
    """The table of a game, without printed markers, as a photo of it is read: whether its terrain is all there is, or
    the photo may show more."""
    table, stated = plain_table(game.ruleset.name, game.state), stated_terrain(game)
    if table.overlay is not None:
        return table  # a board, whose terrain belongs to its cells
    return replace(table, terrain=stated.whole, ground=SeenGround(drawn=stated.drawn))


def _stated(piece: SceneTerrain) -> SeenTerrain:
    outline, top = (
        [(float(x), float(y)) for x, y in ring]
        for ring in (piece.polygon, () if piece.hill_top is None else piece.hill_top)
    )
    found = Terrain(piece.id, piece.kind, tuple(outline), piece.height, tuple(top) or None)
    return SeenTerrain(found, 1.0, piece.sigma, stated=True)


__all__ = ["StatedTerrain", "stated_terrain", "table_for_photo"]
