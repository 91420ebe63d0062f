"""What the rules of Combined Arms say about a position, from the rules alone and slowly.

A position is the contract's JSON (section 6) as a dictionary. Chances are found by trying the six faces, clusters and
targets by trying them all. Places in square brackets are sections of the rules; rulings are those of the rules file.
Nothing of the game is imported.
"""

import itertools
from fractions import Fraction
from typing import Any

from tests.reference.combined_arms_board import (
    HEXES,
    REACH,
    centre,
    column_of,
    distance,
    in_arc,
    is_side_edge,
    line,
    neighbours,
    row_of,
)

Position = dict[str, Any]
Piece = dict[str, Any]

FACES = range(1, 7)


def is_rifle(id_: str) -> bool:
    """A platoon of one of the three rifle companies. [The Units]"""
    return id_[0] in "DEF"


def is_infantry(id_: str) -> bool:
    """Rifle platoons and machine guns. [The Units]"""
    return id_[0] in "DEFM"


def is_armour(id_: str) -> bool:
    return id_[0] == "A"


def company(id_: str) -> str | None:
    """A rifle platoon's company; nobody else has one."""
    return id_[0] if is_rifle(id_) else None


def terrain(board: dict[str, str], hex_: str) -> str:
    return board.get(hex_, "open")


def defensive(board: dict[str, str], hex_: str) -> bool:
    """Woods, crest or farm: shelters, blocks lines, holds potential enemies. [The Units; Fire Attacks; ruling 4]"""
    return terrain(board, hex_) in ("crest", "woods", "wooded crest", "farm")


def is_crest(board: dict[str, str], hex_: str) -> bool:
    """Crest or wooded crest. [Ruling 4]"""
    return terrain(board, hex_) in ("crest", "wooded crest")


def platoon(position: Position, id_: str) -> Piece:
    """One of the player's platoons on the board."""
    return next(p for p in position["platoons"] if p["id"] == id_)


def platoons_in(position: Position, hex_: str) -> list[Piece]:
    return [p for p in position["platoons"] if p["hex"] == hex_]


def infantry_in(position: Position, hex_: str) -> list[Piece]:
    return [p for p in platoons_in(position, hex_) if is_infantry(p["id"])]


def counter(position: Position, hex_: str) -> Piece:
    return next(e for e in position["enemy"] if e["hex"] == hex_)


def enemy_hexes(position: Position) -> set[str]:
    """Hexes with an enemy counter, real or potential."""
    return {e["hex"] for e in position["enemy"]}


def platoon_hexes(position: Position) -> set[str]:
    return {p["hex"] for p in position["platoons"]}


def fresh(piece: Piece) -> bool:
    return bool(piece["state"] == "fresh")


def next_to_platoons(position: Position, hex_: str) -> bool:
    """Whether any platoon of the player's is adjacent."""
    return bool(neighbours(hex_) & platoon_hexes(position))


def next_to_enemy(position: Position, hex_: str) -> bool:
    """Whether any enemy counter is adjacent."""
    return bool(neighbours(hex_) & enemy_hexes(position))


def potential_atg(board: dict[str, str], hex_: str) -> bool:
    """Whether a potential ATG goes with a potential platoon.

    Three adjacent hexes are open, road or poor going; those nearer to the enemy's edge count only from a side edge hex.
    """
    free = 0
    for h in neighbours(hex_):
        if defensive(board, h):
            continue
        if row_of(h) > row_of(hex_) and not is_side_edge(hex_):
            continue
        free += 1
    return free >= 3


def blocking_terrain(position: Position) -> set[str]:
    """Hexes that block every line as intervening ones: woods, crests, farms and smoke. [Fire Attacks; Mortars]"""
    return {h for h in HEXES if defensive(position["board"], h)} | set(position["smoke"])


def terrain_line(position: Position, a: str, b: str) -> str:
    """Line of fire past terrain and smoke: the enemy's, and the spotters'. [Enemy Fire; Mortars]"""
    return line(a, b, blocking_terrain(position))


def own_line(position: Position, a: str, b: str) -> str:
    """Line of fire of the player's own fire: own rifle platoons block too, save from or to a crest. [Fire Attacks]"""
    blockers = blocking_terrain(position)
    if not is_crest(position["board"], a) and not is_crest(position["board"], b):
        blockers |= {p["hex"] for p in position["platoons"] if is_rifle(p["id"])}
    return line(a, b, blockers)


def may_fire(position: Position, id_: str, target: str) -> bool:
    """A fresh platoon, up to five hexes away, not blocked; armour may turn before it fires."""
    firer = platoon(position, id_)
    return (
        fresh(firer)
        and target in enemy_hexes(position)
        and 1 <= distance(firer["hex"], target) <= REACH
        and own_line(position, firer["hex"], target) != "blocked"
    )


def fire_modifier(position: Position, id_: str, target: str) -> int:
    """Sum of a firing platoon's modifiers. [Fire Attacks; die roll modifiers]"""
    here = platoon(position, id_)["hex"]
    away = distance(here, target)
    total = 0
    seen_about = set(enemy_hexes(position))
    if position["enemy_mortar"] is not None:
        seen_about.add(position["enemy_mortar"])
    if is_armour(id_) and all(distance(here, h) > 2 for h in seen_about):
        total += 1
    if not counter(position, target)["revealed"] and not next_to_platoons(position, target):
        total += 1
    if own_line(position, here, target) == "partial":
        total -= 1
    riflemen_there = [p["id"] for p in position["platoons"] if is_rifle(p["id"]) and p["hex"] in neighbours(target)]
    if away >= 2 and any(company(r) != company(id_) for r in riflemen_there):
        total -= 1
    total -= away // 2 if id_[0] == "M" else away
    return total


def fire_together(position: Position, ids: list[str], target: str) -> tuple[Fraction, Fraction]:
    """Chances of at least one 2, and of the enemy platoon's breaking: 4 by infantry, all firers adjacent.

    A counter that is not revealed cannot be broken: nothing is known to be there.
    """
    modifiers = [fire_modifier(position, i, target) for i in ids]
    all_adjacent = all(distance(platoon(position, i)["hex"], target) == 1 for i in ids)
    breakable = all_adjacent and counter(position, target)["revealed"]
    spent = broken = throws = 0
    for dice in itertools.product(FACES, repeat=len(ids)):
        throws += 1
        scores = [die + modifier for die, modifier in zip(dice, modifiers, strict=True)]
        spent += any(score >= 2 for score in scores)
        broken += breakable and any(score >= 4 and is_infantry(i) for i, score in zip(ids, scores, strict=True))
    return Fraction(spent, throws), Fraction(broken, throws)


def outside_arc(armour: Piece, hex_: str) -> bool:
    """Whether a hex's centre lies outside a platoon's forward arc. [Ruling 5]"""
    return not in_arc(centre(armour["hex"]), armour["facing"], centre(hex_))


def armour_modifier(position: Position, hex_: str, id_: str, atg: bool) -> int | None:
    """Sum of the modifiers of a counter's fire on armour, None where it may not fire; to be met with 2 or more.

    Without ATGs 5 is needed, which is 2 after a further -3.
    """
    armour = platoon(position, id_)
    away = distance(hex_, armour["hex"])
    total = 1 if outside_arc(armour, hex_) else 0
    if not atg:
        if away != 1:
            return None
        if any(is_rifle(p["id"]) for p in platoons_in(position, armour["hex"])):
            total -= 1
        return total - 3
    sight = terrain_line(position, hex_, armour["hex"])
    if away > REACH or sight == "blocked":
        return None
    if sight == "partial":
        total -= 1
    if is_crest(position["board"], armour["hex"]) or terrain(position["board"], armour["hex"]) == "farm":
        total -= 1
    return total - away


def sixths(modifier: int | None) -> int:
    """Faces of a die that reach 2 with a modifier."""
    return 0 if modifier is None else sum(face + modifier >= 2 for face in FACES)


def armour_chances(position: Position, hex_: str, id_: str, atg: bool) -> int:
    """Chances out of 6 that a counter, with or without ATGs, breaks an armour platoon."""
    return sixths(armour_modifier(position, hex_, id_, atg))


def best_armour(position: Position, hex_: str, atg: bool) -> tuple[int, set[str]]:
    """Most chances out of 6 on any armour platoon, and whom a counter fires on: the nearest to its edge of those.

    More than one stays where the die decides. Without any chance there is nobody. [Enemy Decisions]
    """
    armour = [p for p in position["platoons"] if is_armour(p["id"])]
    chances = {p["id"]: armour_chances(position, hex_, p["id"], atg) for p in armour}
    most = max(chances.values(), default=0)
    if most == 0:
        return 0, set()
    tied = [p for p in armour if chances[p["id"]] == most]
    nearest = max(row_of(p["hex"]) for p in tied)
    return most, {p["id"] for p in tied if row_of(p["hex"]) == nearest}


def infantry_modifier(position: Position, hex_: str, target: str) -> int | None:
    """Sum of the modifiers of a counter's fire on the infantry in a hex, None without a line of fire."""
    away = distance(hex_, target)
    sight = terrain_line(position, hex_, target)
    if not 1 <= away <= REACH or sight == "blocked":
        return None
    total = -away
    if not defensive(position["board"], target):
        total += 1
    if sight == "partial":
        total -= 1
    return total


def payoff(position: Position, hex_: str, target: str) -> int:
    """Likely impact of a counter's fire on a hex: 1 a spent, 2 a fresh platoon, times chances, trebled at 1 hex."""
    worth = sum(2 if fresh(p) else 1 for p in infantry_in(position, target))
    if worth == 0:
        return 0
    total = worth * sixths(infantry_modifier(position, hex_, target))
    return 3 * total if distance(hex_, target) == 1 else total


def payoffs(position: Position, hex_: str) -> dict[str, int]:
    """Payoff of every hex that has one, for one counter, as if it were real and fresh."""
    found = {h: payoff(position, hex_, h) for h in platoon_hexes(position)}
    return {h: value for h, value in found.items() if value > 0}


def mutually_adjacent(hexes: tuple[str, ...]) -> bool:
    return all(b in neighbours(a) for a, b in itertools.combinations(hexes, 2))


def best_clusters(position: Position, hex_: str) -> tuple[int, list[frozenset[str]]]:
    """Most payoff of any cluster of up to three hexes, and the clusters that the die decides between.

    Of those with the most, the ones nearer to the enemy's edge stay: hexrows are compared, the highest first.
    """
    worth = payoffs(position, hex_)
    every = [c for size in (1, 2, 3) for c in itertools.combinations(sorted(worth), size) if mutually_adjacent(c)]
    if not every:
        return 0, []
    total = {c: sum(worth[h] for h in c) for c in every}
    tied = [c for c in every if total[c] == max(total.values())]
    rows = {c: sorted((row_of(h) for h in c), reverse=True) for c in tied}
    nearest = max(rows.values())
    return max(total.values()), [frozenset(c) for c in tied if rows[c] == nearest]


def tests_to_reveal(position: Position, hex_: str) -> list[str]:
    """What a counter must roll for when it is activated, in this order: "platoon", "atg"."""
    enemy = counter(position, hex_)
    close = next_to_platoons(position, hex_)
    tests = []
    if not enemy["revealed"] and (close or (fresh(enemy) and best_clusters(position, hex_)[0] >= 6)):
        tests.append("platoon")
    if enemy["atg"] == "potential" and (close or (fresh(enemy) and best_armour(position, hex_, atg=True)[0] >= 2)):
        tests.append("atg")
    return tests


def reveal_modifier(position: Position, hex_: str, what: str, platoons_seen: int, atgs_seen: int) -> int:
    """Sum of the modifiers of a roll to reveal; 5 or more is real.

    The numbers are the real platoons and real ATGs revealed so far in the game, those broken since included.
    """
    enemy = counter(position, hex_)
    many = atgs_seen >= 2 or platoons_seen >= 3
    total = -1 if many else 0
    if what == "atg":
        return total + (2 if enemy["revealed"] else 0)
    if enemy["atg"] == "potential":
        total += 1
    if enemy["atg"] == "removed" and not many:
        total -= 1
    return total


def activation_order(position: Position) -> list[str]:
    """Counters from the far hexrows (seen from their edge) to theirs, from their left, the player's right."""
    return sorted(enemy_hexes(position), key=lambda h: (row_of(h), -column_of(h)))


def spotted(position: Position, spotters: set[str]) -> set[str]:
    """Hexes within a line of fire of one to five hexes from any of the spotters' hexes."""
    return {
        h
        for h in HEXES
        if any(1 <= distance(s, h) <= REACH and terrain_line(position, s, h) != "blocked" for s in spotters)
    }


def spotted_by_player(position: Position) -> set[str]:
    """Hexes that the player's fresh infantry spots, those next to an enemy counter spotting nothing."""
    eyes = {p["hex"] for p in position["platoons"] if is_infantry(p["id"]) and fresh(p)}
    return spotted(position, {h for h in eyes if not next_to_enemy(position, h)})


def spotted_by_enemy(position: Position) -> set[str]:
    """Hexes that fresh enemy counters spot, those next to a platoon of the player's spotting nothing."""
    eyes = {e["hex"] for e in position["enemy"] if fresh(e)}
    return spotted(position, {h for h in eyes if not next_to_platoons(position, h)})


def in_walk(hex_: str, last: str | None) -> bool:
    """Whether the player's mortars may aim here after their target of the turn before, None where they had none."""
    return last is None or hex_ == last or hex_ in neighbours(last)


def shell_targets(position: Position, last: str | None = None) -> set[str]:
    return {
        h
        for h in spotted_by_player(position) & enemy_hexes(position)
        if not next_to_platoons(position, h) and in_walk(h, last)
    }


def smoke_targets(position: Position, last: str | None = None) -> set[str]:
    return {h for h in spotted_by_player(position) - platoon_hexes(position) if in_walk(h, last)}


def enemy_mortar_targets(position: Position) -> set[str]:
    """Spotted hexes with infantry of the player's and no enemy counter next to them."""
    return {h for h in spotted_by_enemy(position) if infantry_in(position, h) and not next_to_enemy(position, h)}


def enemy_mortar_choices(position: Position) -> set[str]:
    """Of those: most infantry in the hex, then most in adjacent hexes, then nearest to its edge; a die for more."""

    def wish(hex_: str) -> tuple[int, int, int]:
        around = sum(len(infantry_in(position, h)) for h in neighbours(hex_))
        return len(infantry_in(position, hex_)), around, row_of(hex_)

    targets = enemy_mortar_targets(position)
    best = max((wish(h) for h in targets), default=None)
    return {h for h in targets if wish(h) == best}
