"""Combined Arms and the tests' own slow reading of its rules agree on random boards and positions of games."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

from tabletop.game import Game
from tabletop.rulesets.combined_arms import actions, board, defender, firing, laying_out, mortars, moving, sights
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.position import state_from_position
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import Call, State
from tabletop.rulesets.combined_arms.views import position_json
from tests.reference import combined_arms as rules
from tests.reference import combined_arms_board as slow
from tests.reference.combined_arms_moves import EXPLOITS, WITHDRAWN, entry_hexes, leaves_to, legal_moves

BOARDS = 20
POSITIONS = 40
LEAVES = {"withdrew": WITHDRAWN, "exploited": EXPLOITS}


@cache
def played(seed: int) -> list[rules.Position]:
    """The positions of a game between simple players from its first turn on."""
    rng, game, found = random.Random(seed), Game.new(RULES, Setup()), []
    while game.outcome is None:
        if game.state.turn and game.state.pending is None and not game.state.owed:
            found.append(position_json(game.state))
        game.push(next(wish for wish in RULES.bot_actions(game.state, rng) if not game.check(wish)), rng=rng)
    return found


def positions(count: int = POSITIONS) -> Iterator[tuple[str, rules.Position, State]]:
    """Some of each of four games with a name, and the product's states."""
    for seed in range(4):
        every = played(seed)
        for n in random.Random(seed).sample(range(len(every)), count // 4):
            yield f"position {n} of game {seed}", every[n], state_from_position(every[n])


def named(hexes: Any) -> set[str]:
    return {NAMES[n] for n in hexes}


def empty(terrain: dict[str, str], smoke: list[str]) -> dict[str, Any]:
    """A board without anybody on it."""
    return {"version": 1, "rules": "combined-arms", "turn": 2, "board": terrain, "smoke": smoke}


def test_board_and_arcs() -> None:
    assert set(NAMES) == set(slow.HEXES) and named(board.ROAD) == set(slow.ROAD)
    for a, hex_ in enumerate(NAMES):
        assert named(board.members(board.NEAR[a])) == slow.neighbours(hex_)
        assert {NAMES[b]: board.DISTANCE[a][b] for b in range(board.COUNT)} == slow.distances(hex_)
        assert (a in board.SIDE_EDGE) == slow.is_side_edge(hex_)
        for die in range(1, 7):
            assert named(board.scatter_hexes(a, die)) == slow.scatter(hex_, die), (hex_, die)
        for facing in range(6):
            near = {h for h, away in slow.distances(hex_).items() if 1 <= away <= slow.REACH}
            held = {h for h in near if slow.in_arc(slow.centre(hex_), facing, slow.centre(h))}
            assert named(board.members(board.ARC[a][facing])) == held, (hex_, facing)


def test_lines_of_fire_on_random_boards() -> None:
    """Pairs of hexes within reach, past terrain and smoke."""
    pairs = [
        (a, b, NUMBER[a], NUMBER[b]) for a in slow.HEXES for b in slow.HEXES if 1 <= slow.distance(a, b) <= slow.REACH
    ]
    assert len(pairs) == 3910
    pairs = random.Random(0).sample(pairs, 500)
    for seed in range(BOARDS):
        rng = random.Random(seed)
        diced = {hex_: rng.randint(1, 6) + rng.randint(1, 6) for hex_ in slow.HEXES if hex_ not in slow.ROAD}
        terrain = {hex_: slow.DICED[sum_] for hex_, sum_ in diced.items() if sum_ in slow.DICED}
        smoke = sorted(slow.scatter(rng.choice(slow.HEXES), rng.randint(1, 6)))
        state = state_from_position(empty(terrain, smoke))
        blocking = state.blocking_hexes
        blockers = frozenset(rules.blocking_terrain({"board": terrain, "smoke": smoke}))
        wrong = [(a, b) for a, b, i, j in pairs if sights.line(i, j, blocking) != slow.line(a, b, blockers)]
        assert not wrong, (seed, wrong)


def test_lines_past_own_platoons() -> None:
    """Every pair of hexes within reach, with rifle platoons in the way."""
    for name, position, state in islice(positions(4), 2):
        for a in slow.HEXES:
            for b, away in slow.distances(a).items():
                if 1 <= away <= slow.REACH:
                    assert sights.own_line(state, NUMBER[a], NUMBER[b]) == rules.own_line(position, a, b), (name, a, b)


def test_nothing_is_seen_further_than_five_hexes() -> None:
    for a in range(board.COUNT):
        for b in range(board.COUNT):
            assert board.DISTANCE[a][b] <= slow.REACH or sights.line(a, b, 0) == "blocked"


def test_potential_atgs() -> None:
    for name, position, state in positions():
        for hex_ in slow.HEXES:
            found = laying_out.guns_possible(state, NUMBER[hex_])
            assert found == rules.potential_atg(position["board"], hex_), (name, hex_)


def test_fire_of_several_platoons() -> None:
    for name, position, state in positions():
        rng = random.Random(name)
        for target in sorted(rules.enemy_hexes(position)):
            able = [p["id"] for p in position["platoons"] if rules.may_fire(position, p["id"], target)]
            companies = sorted({company for i in able if (company := rules.company(i))})
            chosen = rng.choice(companies) if companies else ""
            able = [i for i in able if rules.company(i) in (None, chosen)]
            if not able:
                continue
            ids = rng.sample(able, min(3, len(able)))
            spent, broken = rules.fire_together(position, ids, target)
            also = firing.odds(state, firing.volley(state, target, ids)).also
            assert (also["spent"], also.get("broken", 0)) == (spent, broken), (name, ids, target)


def test_defenders_targets() -> None:
    for name, position, state in positions():
        assert [NAMES[c.at] for c in state.enemy] == rules.activation_order(position), name
        for counter in state.enemy:
            hex_ = NAMES[counter.at]
            worth = {NAMES[n]: value for n, value in defender.payoffs(state, counter.at).items()}
            assert worth == rules.payoffs(position, hex_), (name, hex_)
            found = defender.clusters(state, counter.at)
            most, clusters = rules.best_clusters(position, hex_)
            assert found.payoff == most, (name, hex_)
            assert {frozenset(named(c)) for c in found.best} == set(clusters), (name, hex_)
            for guns in (False, True):
                for unit in state.armour:
                    chances = defender.armour_chances(state, counter.at, unit, guns=guns)
                    assert chances == rules.armour_chances(position, hex_, unit.id, guns), (name, hex_, unit.id, guns)
                armour = defender.armour_targets(state, counter.at, guns=guns)
                assert (armour.chances, set(armour.best)) == rules.best_armour(position, hex_, guns), (name, hex_, guns)


def test_defenders_show_themselves() -> None:
    for name, position, state in positions():
        platoons_seen = sum(e["revealed"] for e in position["enemy"])
        atgs_seen = sum(e["atg"] == "real" for e in position["enemy"])
        for counter in state.enemy:
            hex_ = NAMES[counter.at]
            asked = {"platoon": defender.platoon_test(state, counter), "atg": defender.guns_test(state, counter)}
            assert [what for what, why in asked.items() if why] == rules.tests_to_reveal(position, hex_), (name, hex_)
            for what, guns in (("platoon", False), ("atg", True)):
                add = firing.total(defender.test_modifiers(state, counter, guns=guns))
                own = rules.reveal_modifier(position, hex_, what, platoons_seen, atgs_seen)
                assert add == own, (name, hex_, what)


def test_mortar_targets() -> None:
    for name, position, state in positions():
        last = random.Random(name).choice([None, *sorted(rules.enemy_hexes(position)), *slow.HEXES[20:60]])
        call = None if last is None else Call(NUMBER[last], "he", state.turn - 1)
        firing_now = state.but(step="fire", call=call)
        assert named(mortars.call_targets(firing_now, "he")) == rules.shell_targets(position, last), (name, last)
        assert named(mortars.call_targets(firing_now, "smoke")) == rules.smoke_targets(position, last), (name, last)
        for ammo, own in ((mortars.HE, rules.shell_targets), (mortars.SMOKE, rules.smoke_targets)):
            unopposed = {h for h in slow.HEXES if not list(mortars.against_call(firing_now, NUMBER[h], ammo))}
            assert unopposed == own(position, last), (name, last, ammo)
        assert named(mortars.enemy_targets(state)) == rules.enemy_mortar_targets(position), name
        assert named(mortars.best_targets(state)) == rules.enemy_mortar_choices(position), name


def test_moves() -> None:
    for name, position, state in positions():
        on_board = {p["id"] for p in position["platoons"]}
        for unit in state.platoons:
            ways = list(moving.ways(state, unit))
            if unit.id not in on_board:
                assert {NAMES[way.hexes[-1]] for way in ways} == entry_hexes(position, unit.id), (name, unit.id)
                continue
            found = {
                (LEAVES[way.leaves] if way.leaves else NAMES[way.hexes[-1]], facing)
                for way in ways
                for facing in (way.facings or (None,))
            }
            assert found == legal_moves(position, unit.id), (name, unit.id)


def test_what_speaks_against_a_move() -> None:
    """A move of one hex is refused exactly where it is not among the legal ones."""
    for name, position, state in positions(20):
        for piece in position["platoons"]:
            id_, here = piece["id"], piece["hex"]
            legal = legal_moves(position, id_)
            facings = range(6) if rules.is_armour(id_) else (None,)
            for hex_ in sorted(slow.neighbours(here)):
                for facing in facings:
                    against = moving.violations(state, actions.Move(id_, (hex_,), facing))
                    assert (not against) == ((hex_, facing) in legal), (name, id_, hex_, facing, against)
            against = moving.violations(state, actions.Leave(id_))
            assert (not against) == (leaves_to(here) is not None and (leaves_to(here), None) in legal), (name, id_)


def test_what_speaks_against_fire() -> None:
    """Fire is refused exactly where it may not be, armour that would have to face elsewhere included."""
    for name, position, state in positions(20):
        firing_now = state.but(step="fire")
        for piece in position["platoons"]:
            id_, here = piece["id"], piece["hex"]
            for target in sorted(rules.enemy_hexes(position)):
                may = rules.may_fire(position, id_, target)
                for facing in (None, *range(6)) if rules.is_armour(id_) else (None,):
                    held = facing is None or slow.in_arc(slow.centre(here), facing, slow.centre(target))
                    against = firing.violations(firing_now, firing.volley(firing_now, target, [id_], [facing]))
                    assert (not against) == (may and held), (name, id_, target, facing, against)
