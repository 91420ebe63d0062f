"""Positions of Combined Arms made at random, as the contract's JSON (section 6), for comparisons."""

from __future__ import annotations

import random
from typing import Any

from tests.reference.combined_arms import PLATOONS, Position, company, defensive, potential_atg
from tests.reference.combined_arms_board import (
    AT,
    DICED,
    HEXES,
    ROAD,
    ROWS,
    centre,
    corners,
    is_side_edge,
    neighbours,
    row_of,
)


def random_board(rng: random.Random) -> dict[str, str]:
    """Terrain of the 70 diced hexes; open ones are left out."""
    rolls = {h: rng.randint(1, 6) + rng.randint(1, 6) for h in HEXES if h not in ROAD}
    return {h: DICED[roll] for h, roll in rolls.items() if roll in DICED}


def random_enemy(rng: random.Random, board: dict[str, str]) -> list[dict[str, Any]]:
    """Most potential counters of rows 4 to 9, some revealed, their ATGs in every state that goes with it."""
    found = []
    for h in HEXES:
        if row_of(h) < 4 or not defensive(board, h) or rng.random() < 0.3:
            continue
        revealed = rng.random() < 0.4
        atg = "none"
        if potential_atg(board, h):
            atg = rng.choice(["potential", "removed", "real"] if revealed else ["potential", "potential", "removed"])
        found.append({"hex": h, "revealed": revealed, "state": rng.choice(["fresh", "fresh", "spent"]), "atg": atg})
    return found


def may_stand(board: dict[str, str], taken: list[dict[str, Any]], enemy: set[str], id_: str, hex_: str) -> bool:
    """Whether a platoon could have come to stand here. [Movement]"""
    if hex_ in enemy or (is_side_edge(hex_) and 3 <= row_of(hex_) <= 7):
        return False
    with_it = [p["id"] for p in taken if p["hex"] == hex_]
    if id_[0] == "A":
        return board.get(hex_) not in ("poor going", "woods", "wooded crest") and all(o[0] != "A" for o in with_it)
    return company(id_) is None or all(company(o) in (None, company(id_)) for o in with_it)


def random_platoons(rng: random.Random, board: dict[str, str], enemy: set[str]) -> list[dict[str, Any]]:
    """Most platoons, anywhere they may stand, often next to one another or stacked, armour often by road."""
    found: list[dict[str, Any]] = []
    for id_ in PLATOONS:
        if rng.random() < 0.2:
            continue
        near = [h for p in found for h in (*neighbours(p["hex"]), p["hex"])]
        wanted = near if near and rng.random() < 0.5 else list(HEXES)
        if id_[0] == "A" and rng.random() < 0.4:
            wanted = list(ROAD)
        places = [h for h in sorted(wanted) if may_stand(board, found, enemy, id_, h)]
        if not places:
            continue
        platoon: dict[str, Any] = {
            "id": id_,
            "hex": rng.choice(places),
            "state": rng.choice(["fresh", "fresh", "spent"]),
        }
        if id_[0] == "A":
            platoon["facing"] = rng.randrange(6)
        found.append(platoon)
    return found


def random_smoke(rng: random.Random) -> list[str]:
    """Nothing, or the hexes of the board that share one corner. [Mortars]"""
    if rng.random() < 0.6:
        return []
    corner = rng.choice(corners(centre(rng.choice(HEXES))))
    return sorted(h for middle, h in AT.items() if corner in corners(middle))


def random_position(rng: random.Random) -> Position:
    """A position of some turn in the middle of a game."""
    board = random_board(rng)
    enemy = random_enemy(rng, board)
    return {
        "version": 1,
        "rules": "combined-arms",
        "turn": rng.randint(2, 20),
        "board": board,
        "road": list(ROAD),
        "platoons": random_platoons(rng, board, {e["hex"] for e in enemy}),
        "enemy": enemy,
        "smoke": random_smoke(rng),
        "enemy_mortar": rng.choice([h for h in HEXES if 1 < row_of(h) < len(ROWS)]) if rng.random() < 0.3 else None,
        "losses": rng.randrange(8),
        "ammo": rng.randrange(8),
    }
