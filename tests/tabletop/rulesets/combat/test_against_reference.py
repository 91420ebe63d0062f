"""Moves, lines of fire, saves and odds of Combat against a second, slow reading, in positions of random games."""

import random
from collections import Counter

import pytest

from tabletop.rulesets.combat import actions, firing, moving
from tabletop.rulesets.combat.data import SIDES
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.saving import save_of
from tabletop.rulesets.combat.state import State, in_play
from tests.reference.combat import Battle
from tests.support.combat_games import begun, rolled, small_setup


def positions(seed: int) -> list[State]:
    """States of one random game in which somebody has a turn, boards joined."""
    rng = random.Random(seed)
    state, found = begun(small_setup(rng)), []
    for _ in range(400):
        if RULES.outcome(state) is not None:
            break
        if state.step == "play" and not state.pending and not state.apart:
            found.append(state)
        wish = next(wish for wish in RULES.random_actions(state, rng) if not RULES.check(state, wish))
        state = rolled(state, wish, rng)
    return found[::4]


def test_moves_shots_and_odds_are_those_of_the_second_reading() -> None:
    compared: Counter[str] = Counter()
    for seed in range(40):
        for state in positions(seed):
            battle = Battle(RULES.view(state))
            side = state.section_to_act[0]
            for piece in state.armies[side]:
                if not in_play(state, piece):
                    continue
                reached = {state.name(n) for n in moving.ways(state, piece)}
                assert reached == battle.destinations(piece.id), (seed, state.turn, piece)
                compared["moves"] += len(reached)
                aims = {p.id for p in firing.targets(state, piece)} if piece.kind != "plane" else set()
                enemies = state.armies[1 - side]
                assert aims == {p.id for p in enemies if battle.reaches(piece.id, p.id)}, (seed, state.turn, piece)
                compared["shots"] += len(aims)
                compared["blocked"] += len(enemies) - len(aims)
                for other in enemies:
                    _compare_odds(state, battle, piece.id, other.id)
                    compared["odds"] += 1
    assert compared["moves"] > 500 and compared["shots"] > 40 and compared["odds"] > 300, compared


def _compare_odds(state: State, battle: Battle, unit: str, target: str) -> None:
    by = state.by_id[unit].kind
    cause, action = ("air", actions.Strike) if by == "plane" else ("fire", actions.Fire)
    odds = firing.odds(state, action(unit, target))
    hit, destroyed = battle.salvo(target, cause, by)
    assert (odds.also["hit"], odds.also["destroyed"]) == (hit, destroyed), (unit, target)
    assert odds.also["saved"] == hit - destroyed
    assert save_of(state, state.by_id[target], "mine")[0] == battle.needed(target, "mine", "")


@pytest.mark.parametrize("seed", range(2))
def test_options_are_exactly_what_the_check_lets_pass(seed: int) -> None:
    """Every square and every enemy tried by the check, against the list of options."""
    for state in positions(100 + seed)[::3]:
        side = SIDES[state.section_to_act[0]]
        listed = {option.text for option in RULES.options(state) if option.legal and option.side == side}
        tried = set()
        for piece in state.armies[state.section_to_act[0]]:
            wishes: list[actions.Action] = [actions.Move(piece.id, square) for square in state.field.names]
            for other in state.armies[1 - piece.side]:
                wishes += [actions.Fire(piece.id, other.id), actions.Strike(piece.id, other.id)]
            tried |= {RULES.text(wish) for wish in wishes if not RULES.check(state, wish)}
        assert tried == {text for text in listed if text.split()[0] in ("move", "fire", "strike")}
