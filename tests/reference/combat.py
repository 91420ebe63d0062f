"""A second, slow reading of Combat's moves, lines of fire and saves, from the JSON of a game alone.

Nothing of the ruleset is used but what a game shows: ways are walked step by step in every possible order, lines are
cut into runs of like ground.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any

Place = tuple[int, int]

MOVES = {"tank": (3, 5), "gun": (2, 3), "foot": (2, 3), "motorised": (3, 5), "cavalry": (3, 5), "helicopter": (4, 6)}
RANGES = {"tank": 2, "gun": 4, "foot": 1, "motorised": 1, "cavalry": 1, "helicopter": 3}
ON_CREST = ("tank", "gun", "helicopter")
FURTHER = {
    "late-wwii": {"tank": 1, "helicopter": 1},
    "mid-cold-war": {"tank": 1, "helicopter": 1, "foot": 1, "motorised": 1},
    "late-cold-war": {"tank": 2, "helicopter": 2, "foot": 2, "motorised": 2},
    "post-cold-war": {"tank": 2, "helicopter": 2, "foot": 2, "motorised": 2},
}


def place(name: str) -> Place:
    """Column and row, from 0."""
    return "abcdefghijklmnopqrstuvwxyz".index(name[0]), int(name[1:]) - 1


def name(at: Place) -> str:
    return f"{'abcdefghijklmnopqrstuvwxyz'[at[0]]}{at[1] + 1}"


class Battle:
    """A game's JSON (as the referee sees it), looked up."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        self.view = view
        field = view["battlefield"]
        self.field = field
        self.house = set(field["house"])
        self.ground: dict[Place, str] = {}
        for square, kind in field["ground"].items():
            if kind in ("river", "bridge") and "rivers" not in self.house:
                continue
            if kind in ("built-up", "defence") and "built_up" not in self.house:
                continue
            self.ground[place(square)] = kind
        self.road = {place(square) for square in field["roads"]}
        self.road |= {place(square) for square, kind in field["ground"].items() if kind == "bridge"}
        self.pieces = {piece["id"]: piece for piece in view["pieces"]}
        self.at = {place(piece["square"]): piece for piece in view["pieces"]}
        secret = view.get("secret", {})
        self.mines = {
            side: {place(square) for square in secret.get(side, {}).get("mines", ())} for side in ("red", "blue")
        }

    def kind(self, at: Place) -> str:
        return self.ground.get(at, "open")

    def cover(self, at: Place) -> str:
        kind = self.kind(at)
        if kind in ("hill", "crest"):
            return "hill"
        return "woods" if kind in ("woods", "built-up", "defence") else ""

    def on_board(self, at: Place) -> bool:
        return 0 <= at[0] < self.field["columns"] and 0 <= at[1] < self.field["rows"]

    # --- moving

    def destinations(self, unit: str) -> set[str]:
        """Every square that a piece of the side to act can still reach, by walking every way."""
        piece = self.pieces[unit]
        if piece["kind"] == "plane" or piece["halted"] or piece["acts_from"] > self.view["turn"]:
            return set()
        found: set[Place] = set()
        start = place(piece["square"])
        slow_start = piece["moved"] == 0 and bool(self.cover(start))
        walked: set[tuple[Place, int, bool]] = set()

        def walk(at: Place, taken: int, on_road: bool) -> None:
            if (at, taken, on_road) in walked:
                return
            walked.add((at, taken, on_road))
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    to = (at[0] + dx, at[1] + dy)
                    along = on_road and to in self.road
                    if to == at or not self.may_step(piece, at, to):
                        continue
                    if taken + 1 > self.allowed(piece["kind"])[1 if along else 0]:
                        continue
                    found.add(to)
                    if not (slow_start or self.cover(to) or self.is_lost_at(piece, to)):
                        walk(to, taken + 1, along)

        walk(start, piece["moved"], piece["on_road"])
        found.discard(start)
        return {name(at) for at in found}

    def allowed(self, kind: str) -> tuple[int, int]:
        if kind == "tank" and self.field["period"] == "late-wwi":
            return MOVES["gun"]
        return MOVES[kind]

    def may_step(self, piece: Mapping[str, Any], at: Place, to: Place) -> bool:
        if not self.on_board(to) or self.kind(to) == "river":
            return False
        if at[0] != to[0] and at[1] != to[1] and self.kind((at[0], to[1])) == self.kind((to[0], at[1])) == "river":
            return False
        other = self.at.get(to)
        if other is not None and other["id"] != piece["id"]:
            is_enemy_plane = other["kind"] == "plane" and other["side"] != piece["side"]
            if not is_enemy_plane or piece["kind"] == "helicopter":
                return False
        if to in self.mines[piece["side"]]:
            return False
        if piece["kind"] == "helicopter" and self.cover(to) == "woods":
            return False
        forward = to[1] - at[1] if piece["side"] == "red" else at[1] - to[1]
        return not (self.view["night"] and forward > 0)

    def is_lost_at(self, piece: Mapping[str, Any], to: Place) -> bool:
        far_row = self.field["rows"] - 1 if piece["side"] == "red" else 0
        return piece["kind"] != "helicopter" and to[1] == far_row

    # --- fire

    def reaches(self, unit: str, target: str) -> bool:
        """Whether a piece's fire reaches another by range and ground."""
        piece, other = self.pieces[unit], self.pieces[target]
        if piece["kind"] == "plane":
            return False
        start, end = place(piece["square"]), place(other["square"])
        dx, dy = end[0] - start[0], end[1] - start[1]
        far = max(abs(dx), abs(dy))
        reach = RANGES[piece["kind"]] + FURTHER.get(self.field["period"], {}).get(piece["kind"], 0)
        reach += self.kind(start) == "crest" and piece["kind"] in ON_CREST
        if far > reach or not (dx == 0 or dy == 0 or abs(dx) == abs(dy)):
            return False
        way = [(start[0] + dx // far * n, start[1] + dy // far * n) for n in range(far + 1)]
        runs = [(cover, len(list(squares))) for cover, squares in groupby(way, key=self.cover)]
        for n, (cover, long) in enumerate(runs):
            if not cover:
                continue
            deepest = 1 if cover == "woods" and "woods_one_deep" in self.house else 2
            whole = len(runs) == 1
            if 0 < n < len(runs) - 1 or long - whole > deepest:
                return False
        return True

    # --- saves

    def needed(self, target: str, cause: str, by: str) -> int:
        """The least throw that saves a piece, every modifier looked up by itself."""
        piece = self.pieces[target]
        kind, ground = piece["kind"], self.kind(place(piece["square"]))
        built = ground in ("built-up", "defence")
        plus, minus = [], []
        if ground in ("hill", "crest", "woods"):
            plus.append(1)
        if cause == "mine":
            plus.append(1)
        if cause == "air":
            plus.append(2 if self.field["period"] == "late-wwi" else 1)
        first = self.view["turn"] == 1 and self.view["had_turn"] == 0
        if cause != "mine":
            original = self.field["profile"] == "original"
            if (original and self.view["salvos"] == 0) or (not original and first):
                plus.append(1)
        if kind in ("foot", "motorised") and ground == "woods":
            plus.append(1)
        if built and kind in ("foot", "motorised"):
            plus.append(2 if kind == "foot" else 1)
        if kind == "cavalry" and ground != "woods" and not built:
            minus.append(1)
        if kind == "tank" and built:
            minus.append(1)
        if self.field["period"] == "post-cold-war" and (cause == "air" or (cause == "fire" and by == "helicopter")):
            minus.append(1)
        if self.field["profile"] == "original":
            plus, minus = sorted(plus)[-1:], minus[:1]
        return min(6, max(2, 5 - sum(plus) + sum(minus)))

    def salvo(self, target: str, cause: str, by: str) -> tuple[Fraction, Fraction]:
        """The chances of a hit and of destroying, by counting every card left with every throw of the die."""
        cards = ["hit"] * self.view["deck"]["hits"] + ["miss"] * self.view["deck"]["misses"]
        need = self.needed(target, cause, by)
        both = [(card, die) for card in cards for die in range(1, 7)]
        hit = sum(card == "hit" for card, _ in both)
        destroyed = sum(card == "hit" and die < need for card, die in both)
        return Fraction(hit, len(both)), Fraction(destroyed, len(both))
