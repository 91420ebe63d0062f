"""The tests' own slow reading of Combined Arms gives the numbers printed in its figures and sample game."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest

from tests.reference import combined_arms as rules
from tests.reference import combined_arms_board as board
from tests.reference.combined_arms_moves import EXPLOITS, WITHDRAWN, entry_hexes, legal_moves
from tests.reference.combined_arms_positions import random_position

Axial = tuple[int, int]

FIGURE_5: dict[Axial, tuple[set[Axial], set[Axial]]] = {
    (1, 0): (
        {(2, 0), (2, 1), (3, -1), (3, 0), (3, 1), (4, -1), (4, 0), (3, 2), (4, 1), (5, -2), (5, -1), (5, 0)},
        {(1, 1), (2, -1), (2, 2), (4, -2)},
    ),
    (2, 0): ({(3, 1), (4, -1), (4, 0), (4, 1), (5, -1), (5, 0)}, set()),
    (1, 1): ({(1, 3), (2, 2), (3, 1), (2, 3), (3, 2)}, set()),
}
"""For an intervening hex: targets fully blocked and partly blocked, the nearer end at (0, 0)."""


def made(**given: Any) -> rules.Position:
    """A position of one turn; what is not given is empty."""
    empty: rules.Position = {
        "version": 1,
        "rules": "combined-arms",
        "turn": 5,
        "board": {},
        "road": list(board.ROAD),
        "platoons": [],
        "enemy": [],
        "smoke": [],
        "enemy_mortar": None,
        "losses": 0,
        "ammo": 0,
    }
    return {**empty, **given}


def own(id_: str, hex_: str, state: str = "fresh", facing: int | None = None) -> rules.Piece:
    """A platoon of the player's."""
    return {"id": id_, "hex": hex_, "state": state} | ({} if facing is None else {"facing": facing})


def foe(hex_: str, atg: str = "none", revealed: bool = False, state: str = "fresh") -> rules.Piece:
    """An enemy counter."""
    return {"hex": hex_, "revealed": revealed, "state": state, "atg": atg}


def apart(a: Axial, b: Axial) -> int:
    """Distance of two axial places."""
    q, r = b[0] - a[0], b[1] - a[1]
    return max(abs(q), abs(r), abs(q + r))


def drawn(place: Axial) -> board.Point:
    """An axial place as the reference's point."""
    return 2 * place[0] + place[1], 3 * place[1]


def turned(place: Axial, sixths: int, mirrored: bool) -> Axial:
    """An axial place after a mirror and turns of 60 degrees."""
    q, r = reversed(place) if mirrored else place
    for _ in range(sixths):
        q, r = -r, q + r
    return q, r


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("sixths", range(6))
@pytest.mark.parametrize("blocker", FIGURE_5)
def test_lines_are_those_of_figure_5(blocker: Axial, sixths: int, mirrored: bool) -> None:
    ring = range(-5, 6)
    found: dict[str, set[Axial]] = {"full": set(), "partial": set(), "none": set()}
    for target in itertools.product(ring, ring):
        if target == blocker or not apart((0, 0), blocker) <= apart(blocker, target) or apart((0, 0), target) > 5:
            continue
        if target == (0, 0):
            continue
        to, middle = (drawn(turned(p, sixths, mirrored)) for p in (target, blocker))
        found[board.crossing((0, 0), to, middle)].add(target)
        assert board.crossing(to, (0, 0), middle) == board.crossing((0, 0), to, middle)
    assert (found["full"], found["partial"]) == FIGURE_5[blocker]


def test_board_is_the_printed_one() -> None:
    assert len(board.HEXES) == 79 and len(set(board.AT)) == 79
    assert board.ROAD == ("1-4", "2-4", "3-5", "4-6", "5-6", "6-5", "7-5", "8-5", "9-4")
    assert all(b in board.neighbours(a) for a, b in itertools.pairwise(board.ROAD))
    for a, b in itertools.product(board.HEXES, repeat=2):
        (xa, ya), (xb, yb) = board.centre(a), board.centre(b)
        up, across = abs(ya - yb) // 3, abs(xa - xb)
        assert board.distance(a, b) == max(up, (up + across) // 2)


def figure_6(**given: Any) -> rules.Position:
    """F1 in the open and F3 in woods next to an enemy on a crest; F2 and A2 behind them, two hexes away."""
    position = made(
        board={"6-5": "crest", "5-5": "woods"},
        platoons=[own("F1", "5-6", "spent"), own("F3", "5-5", "spent"), own("F2", "4-5"), own("A2", "4-5", facing=0)],
        enemy=[foe("6-5", "real", revealed=True)],
        ammo=2,
        losses=5,
    )
    return position | given


def test_figure_6_friendly_fire() -> None:
    position = figure_6()
    assert rules.own_line(position, "4-5", "6-5") == "partial", "past the woods, and over F1 because of the crest"
    assert rules.fire_modifier(position, "F2", "6-5") == -3
    assert rules.fire_modifier(position, "A2", "6-5") == -4
    flat = figure_6(board={"5-5": "woods"})
    assert rules.own_line(flat, "4-5", "6-5") == "blocked", "F1's partial block makes a full one with the woods"
    assert rules.terrain_line(flat, "4-5", "6-5") == "partial"


def test_figure_6_enemy_fire() -> None:
    position = figure_6()
    assert rules.armour_modifier(position, "6-5", "A2", atg=True) == -3
    assert rules.armour_chances(position, "6-5", "A2", atg=True) == 2, "5 breaks, 4 does not"
    assert [rules.infantry_modifier(position, "6-5", h) for h in ("4-5", "5-6", "5-5")] == [-2, 0, -1]
    assert rules.best_clusters(position, "6-5")[1] == [frozenset({"4-5", "5-6", "5-5"})]


def test_figure_6_assault() -> None:
    position = figure_6(platoons=[own("F3", "5-5"), own("F2", "4-5", "spent"), own("A2", "4-5", facing=0)])
    assert rules.fire_chances(position, "F3", "6-5") == (Fraction(2, 3), Fraction(1, 3))
    assert rules.fire_together(position, ["F3", "A2"], "6-5")[1] == 0


def figure_7(farm: str = "spent") -> rules.Position:
    """D company before a farm, E1 just entered, machine guns on a wooded crest, a potential enemy on the side edge."""
    there = [foe("4-7", "potential", state=farm)] if farm else []
    return made(
        board={"4-7": "farm", "5-11": "woods", "1-5": "wooded crest"},
        platoons=[
            own("D1", "3-7"),
            own("D2", "3-7"),
            own("D3", "2-7"),
            own("E1", "1-6"),
            own("E2", "1-5"),
            own("M1", "1-5"),
            own("M2", "1-5"),
            own("A2", "2-6", facing=0),
        ],
        enemy=[*there, foe("5-11", "potential")],
        smoke=["4-8", "5-8", "5-9"],
    )


def test_figure_7_machine_guns_near_friends() -> None:
    position = figure_7(farm="fresh")
    assert rules.own_line(position, "1-5", "4-7") == "clear"
    assert rules.fire_chances(position, "M1", "4-7") == (Fraction(1, 2), Fraction(0))


def test_figure_7_payoffs() -> None:
    position = figure_7()
    assert rules.terrain_line(position, "5-11", "3-7") == "partial"
    assert rules.payoffs(position, "5-11") == {"2-7": 4, "3-7": 4, "1-6": 2}
    assert rules.best_clusters(position, "5-11") == (8, [frozenset({"2-7", "3-7"})])


def test_figure_7_revealing() -> None:
    position = figure_7()
    assert rules.activation_order(position) == ["4-7", "5-11"]
    assert rules.tests_to_reveal(position, "4-7") == ["platoon", "atg"], "adjacent, though spent"
    assert rules.tests_to_reveal(position, "5-11") == ["platoon"]
    assert rules.armour_chances(position, "5-11", "A2", atg=True) == 1
    assert {rules.reveal_modifier(position, h, "platoon", 0, 0) for h in ("4-7", "5-11")} == {1}


def test_figure_7_enemy_mortars() -> None:
    position = figure_7()
    assert rules.enemy_mortar_targets(position) == {"2-7", "1-6"}
    assert rules.enemy_mortar_choices(position) == {"1-6"}


def test_reveal_modifiers() -> None:
    position = made(enemy=[foe("5-1", "removed"), foe("5-3", "potential", revealed=True), foe("5-5")])
    assert rules.reveal_modifier(position, "5-1", "platoon", 2, 1) == -1
    assert rules.reveal_modifier(position, "5-1", "platoon", 3, 0) == -1, "not both at once"
    assert rules.reveal_modifier(position, "5-3", "atg", 1, 0) == 2
    assert rules.reveal_modifier(position, "5-3", "atg", 2, 2) == 1
    assert rules.reveal_modifier(position, "5-5", "platoon", 0, 0) == 0


def test_turn_4_covering_fire() -> None:
    guns = [own("M2", "2-4"), own("A3", "3-5", facing=0)]
    alone = made(board={"5-5": "woods"}, platoons=guns, enemy=[foe("5-5")])
    assert rules.fire_together(alone, ["M2", "A3"], "5-5")[0] == Fraction(17, 18)
    friends = [own("A1", "4-5", "spent", 0), own("E1", "5-4", "spent"), own("E2", "5-4", "spent")]
    close = made(board={"5-5": "woods"}, platoons=[*guns, *friends, own("E3", "4-7")], enemy=[foe("5-5")])
    assert rules.fire_together(close, ["M2", "A3"], "5-5")[0] == Fraction(2, 3)
    assert rules.fire_together(close, ["M2", "A3", "E3"], "5-5")[0] == Fraction(7, 9)


def test_turn_5_assault() -> None:
    position = made(platoons=[own("E1", "4-5"), own("E2", "4-5")], enemy=[foe("5-5", "real", revealed=True)])
    assert rules.fire_together(position, ["E1"], "5-5")[1] == Fraction(1, 3)
    assert rules.fire_together(position, ["E1", "E2"], "5-5")[1] == Fraction(5, 9)
    hidden = made(platoons=position["platoons"], enemy=[foe("5-5", "potential")])
    assert rules.fire_together(hidden, ["E1", "E2"], "5-5")[1] == 0, "nothing is known to be there"


def test_turn_15_odds() -> None:
    position = made(platoons=[own("A2", "4-5", facing=0)], enemy=[foe("5-5", revealed=True)])
    missed = 1 - rules.fire_chances(position, "A2", "5-5")[0]
    assert missed * Fraction(rules.armour_chances(position, "5-5", "A2", atg=False), 6) == Fraction(1, 9)
    assert rules.fire_chances(position, "A2", "5-5")[1] == 0, "armour breaks ATGs only"
    far = made(platoons=[own("A2", "3-5", facing=0)], enemy=[foe("6-5", revealed=True, atg="real")])
    assert board.distance("3-5", "6-5") == 3
    assert rules.armour_chances(far, "6-5", "A2", atg=True) == 2


def test_close_attack_modifiers() -> None:
    """Ruling 6: 5 or more, one more from outside the arc, one less with a rifle platoon in the hex."""
    for facing, friend, chances in [(0, "D1", 1), (3, "D1", 2), (3, "M1", 3), (0, "M1", 2)]:
        platoons = [own("A1", "4-5", facing=facing), own(friend, "4-5")]
        position = made(platoons=platoons, enemy=[foe("5-5", revealed=True)])
        assert rules.armour_chances(position, "5-5", "A1", atg=False) == chances, (facing, friend)


def test_arc_holds_its_edges() -> None:
    middle = board.centre("5-6")
    for facing, step in itertools.product(range(6), range(6)):
        held = board.in_arc(middle, facing, board.moved(middle, board.STEPS[step]))
        assert held == (step in (facing, (facing - 1) % 6))


def test_potential_atgs() -> None:
    """Figure 4: two open hexes that do not lie behind are too few; from a side edge those behind count."""
    in_front = {"5-4": "woods", "5-5": "woods"}
    assert rules.potential_atg({"6-4": "woods"}, "6-4")
    assert not rules.potential_atg({"6-4": "woods", **in_front}, "6-4"), "only the two beside it"
    assert rules.potential_atg({"6-4": "woods", "5-4": "poor going", "5-5": "woods"}, "6-4")
    assert rules.potential_atg({"6-1": "woods", "5-1": "woods"}, "6-1"), "5-2, 6-2 and 7-1 behind"
    assert not rules.potential_atg({"6-1": "woods", "5-1": "woods", "7-1": "crest"}, "6-1")


def test_infantry_moves() -> None:
    """Figure 3: no stacking with another company, a spent platoon stays, machine guns only go home."""
    position = made(
        platoons=[own("D1", "2-3", "spent"), own("D2", "1-3"), own("E1", "1-4"), own("M1", "1-2"), own("M2", "2-2")],
        enemy=[foe("2-5")],
    )
    assert legal_moves(position, "D1") == set()
    assert legal_moves(position, "D2") == {(h, None) for h in ("1-2", "2-3", "2-4", WITHDRAWN)}
    assert legal_moves(position, "E1") == {(h, None) for h in ("1-5", "2-4", WITHDRAWN)}
    assert legal_moves(position, "M1") == {(WITHDRAWN, None)}
    assert legal_moves(position, "M2") == set()
    assert entry_hexes(position, "F1") == {"1-1", "1-2", "1-5", "1-6", "1-7"}
    assert entry_hexes(position, "A1") == {*(f"1-{n}" for n in range(1, 8)), "2-4"}


def test_side_edges_and_far_edge() -> None:
    position = made(platoons=[own("D1", "4-2"), own("E1", "9-3"), own("F1", "9-6"), own("M1", "9-4")])
    assert {h for h, _ in legal_moves(position, "D1")} == {"3-2", "4-3", "5-2", "5-3"}, "not 3-1, not 4-1"
    assert (EXPLOITS, None) in legal_moves(position, "E1")
    assert {h for h, _ in legal_moves(position, "F1")} == {"9-5", "9-7", "8-6", "8-7"}
    assert legal_moves(position, "M1") == set()


def test_armour_moves() -> None:
    """Figure 4: any way after a turn, back without one, two along the road where nothing is in the way."""
    position = made(
        board={"5-7": "poor going", "6-6": "woods"},
        platoons=[own("A1", "4-6", facing=5), own("A2", "2-4", facing=0), own("D1", "3-5")],
    )
    moves = legal_moves(position, "A1")
    assert {(h, f) for h, f in moves if h == "5-6"} == {("5-6", 5), ("5-6", 0)}
    assert {(h, f) for h, f in moves if h == "3-6"} == {("3-6", 2), ("3-6", 3), ("3-6", 5)}, "3-6 in reverse too"
    assert ("6-5", 5) in moves and "5-7" not in {h for h, _ in moves}
    assert {(h, f) for h, f in legal_moves(position, "A2") if h in ("3-5", "4-6")} == {("3-5", 0), ("3-5", 1)}
    clear = made(platoons=position["platoons"][1:])
    assert ("4-6", 0) in legal_moves(clear, "A2")


def test_road_leads_off_the_board() -> None:
    out = made(platoons=[own("A1", "8-5", facing=0), own("A2", "2-4", facing=3)])
    assert (EXPLOITS, None) in legal_moves(out, "A1")
    assert (WITHDRAWN, None) in legal_moves(out, "A2")
    held = made(platoons=[own("A1", "8-5", facing=0), own("A2", "2-4", facing=0), own("A3", "9-4", facing=0)])
    assert (EXPLOITS, None) not in legal_moves(held, "A1")
    assert (WITHDRAWN, None) not in legal_moves(held, "A2"), "it faces the other way and goes one hex only"


@pytest.mark.parametrize("seed", range(20))
def test_random_positions_are_possible(seed: int) -> None:
    position = random_position(random.Random(seed))
    where = [p["hex"] for p in position["platoons"]]
    assert not set(where) & rules.enemy_hexes(position)
    assert position == random_position(random.Random(seed))
    for hex_ in where:
        here = [p["id"] for p in position["platoons"] if p["hex"] == hex_]
        assert len({rules.company(i) for i in here if rules.is_rifle(i)}) <= 1
        assert sum(rules.is_armour(i) for i in here) <= 1
    for enemy in position["enemy"]:
        assert rules.defensive(position["board"], enemy["hex"])
        assert enemy["revealed"] or enemy["atg"] != "real"


def test_player_mortar_targets() -> None:
    """Fresh infantry away from the enemy spots; shells keep away from friends, smoke off their hexes."""
    position = made(
        board={"4-4": "woods"},
        platoons=[own("D1", "3-4"), own("A1", "5-9", facing=0), own("E1", "1-1", "spent")],
        enemy=[foe("6-4"), foe("6-8"), foe("5-2", revealed=True)],
    )
    assert "5-4" not in rules.spotted_by_player(position), "behind the woods"
    assert rules.shell_targets(position) == {"5-2"}, "6-8 lies next to A1, 6-4 behind the woods"
    assert rules.shell_targets(position, last="7-2") == set()
    assert rules.shell_targets(position, last="5-3") == {"5-2"}
    assert {"5-8", "6-8"} <= rules.smoke_targets(position), "next to A1 is near enough for smoke"
    assert not {"3-4", "5-9"} & rules.smoke_targets(position)
    next_door = made(platoons=[own("D1", "4-2")], enemy=position["enemy"])
    assert rules.spotted_by_player(next_door) == set(), "too busy with 5-2"


@pytest.mark.slow
def test_lines_are_mutual() -> None:
    for a, b in itertools.combinations(board.HEXES, 2):
        if board.distance(a, b) <= board.REACH:
            assert board.crossed(a, b) == board.crossed(b, a)
