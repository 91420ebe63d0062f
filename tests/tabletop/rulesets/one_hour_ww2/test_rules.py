"""The rules text of One-Hour WWII, statement by statement under its own headings, each played in a game."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tabletop.errors import RulesError
from tabletop.game import ActionError, Game
from tabletop.open_table.setup import Shape, TerrainPiece
from tabletop.rulesets.one_hour_ww2.actions import Fire
from tabletop.rulesets.one_hour_ww2.data import DICE, KINDS, HouseRules
from tabletop.rulesets.one_hour_ww2.setup import Exit, Standing, UnitSetup
from tests.support.one_hour_games import SIZES, a_unit, area, begun, codes, do, face_off, y_beyond

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
SHOOTERS = ("infantry", "atg", "tank")


def mean(game: Game, words: str) -> float:
    odds = game.odds(game.parse(words))
    return float(odds.expected)


def multiplier(game: Game, words: str = "fire A at T") -> Fraction:
    """What a shot's hits are multiplied by, from its log entry with the highest roll."""
    do(game, words, max(DICE[game.state.setup.dice]))
    found = Fraction(game.records[-1].body["multiply"])
    game.pop(referee=True)
    return found


def bands(game: Game, words: str = "fire A at T") -> str:
    do(game, words, max(DICE[game.state.setup.dice]))
    band = game.records[-1].body["band"]
    game.pop(referee=True)
    return str(band)


def to_step(game: Game, side: str, step: str) -> None:
    for _ in range(12):
        if (game.state.side, game.state.step) == (side, step):
            return
        do(game, "end")
    raise AssertionError(f"the game never comes to {side}'s {step}")


@pytest.mark.parametrize("dice", ["d5", "d6"])
def test_one_kind_of_dice_serves_for_fire_movement_and_rally(dice: str) -> None:
    game = face_off("infantry", "infantry", 8, dice=dice, a_hits=6)
    assert face_off("tank", "tank", 8).state.setup.dice == "d5", "average dice unless said otherwise (ruling 15)"
    faces = sorted(set(DICE[dice]))
    for words in ("fire A at T", "move A"):
        assert sorted(set(game.ruleset.dice(game.state, game.parse(words)).faces)) == faces
    do(game, "end")
    assert sorted(set(game.ruleset.dice(game.state, game.parse("rally A")).faces)) == faces
    if dice == "d5":
        with pytest.raises(ActionError, match="No die"):
            do(game, "rally A", 6)


@pytest.mark.parametrize(
    ("ground", "dug_in", "concealed"),
    [(None, True, True), ("woods", False, True), ("town", False, True)]
    + [(kind, False, False) for kind in (None, "field", "hill", "road", "bridge")],
)
def test_concealed_is_dug_in_or_in_woods_or_a_town(ground: str | None, dug_in: bool, concealed: bool) -> None:
    pieces = () if ground is None else (area("f", ground, 5, 5, 20, 15),)
    game = begun(
        a_unit("A", "blue", "infantry", 10, 10, dug_in=dug_in, hits=8),
        a_unit("T", "red", "tank", 10, 30, 180),
        terrain=pieces,
    )
    do(game, "end; end")
    assert mean(game, "rally A") == pytest.approx(8 - 3.5 if concealed else 8 - 1.5)


@pytest.mark.parametrize(
    ("before", "roll", "after", "permanent"),
    [((4, 0), 5, 9, 0), ((5, 0), 5, 10, 5), ((8, 0), 2, 10, 5), ((7, 5), 4, 11, 5)],
)
def test_at_ten_hits_five_become_permanent_once(before: tuple[int, int], roll: int, after: int, permanent: int) -> None:
    game = face_off("infantry", "infantry", 8, t_hits=before[0], t_permanent=before[1])
    do(game, "fire A at T", roll)
    assert (game.state.unit("T").hits, game.state.unit("T").permanent) == (after, permanent)


@pytest.mark.parametrize(("before", "roll", "alive"), [(10, 4, True), (10, 5, False), (12, 5, False)])
def test_a_unit_is_removed_at_15_hits_or_more(before: int, roll: int, alive: bool) -> None:
    game = face_off("infantry", "infantry", 8, t_hits=before, t_permanent=5)
    odds = game.odds(Fire("A", "T"))
    assert (odds.also["destroyed"] > 0) is (before + 5 >= 15)
    do(game, "fire A at T", roll)
    assert (game.state.unit("T") is not None) is alive
    assert game.state.why_off == ({} if alive else {"T": "destroyed"})
    assert alive or (game.records[-1].kind, game.records[-1].body) == ("destroyed", {"unit": "T", "by": "A"})


def test_there_are_four_types_and_the_mortar_tank_of_the_play_reports() -> None:
    assert set(KINDS) == {"infantry", "mortar", "atg", "tank", "mortar-tank"}
    strange = UnitSetup("X", "green", "cavalry", a_unit("A", "blue", "tank", 5, 5).bases)
    with pytest.raises(RulesError, match=r'cavalry.* "X" is of side "green"'):
        begun(strange, a_unit("T", "red", "tank", 10, 30))


def behind_a_hill(*others: UnitSetup) -> Game:
    """A mortar A and its target T with a hill between, and friends of A."""
    hill = area("h", "hill", 5, 10, 16, 12)
    return face_off("mortar", "infantry", 12, *others, terrain=(hill,))


def test_a_friend_observes_for_a_mortar_from_its_unique_base() -> None:
    assert codes(behind_a_hill(), "fire A at T") == {"no-sight"}
    seeing = a_unit("O", "blue", "infantry", 20, 18, 270, bases=1)
    game = behind_a_hill(seeing)
    do(game, "fire A at T", 4)
    assert game.records[-1].body["observer"] == "O"
    hidden = a_unit("O", "blue", "infantry", 7, 6, bases=1)
    assert codes(behind_a_hill(hidden), "fire A at T") == {"no-sight"}
    # Its unique base behind the hill, its other one clear of it:
    straddling = UnitSetup("O", "blue", "infantry", seeing.bases * 2, at=(Standing(15, 8), Standing(17, 14)))
    assert codes(behind_a_hill(straddling), "fire A at T") == {"no-sight"}
    turned = UnitSetup("O", "blue", "infantry", seeing.bases * 2, at=(Standing(15, 8), Standing(17, 14)), unique=1)
    assert codes(behind_a_hill(turned), "fire A at T") == set()


def test_an_observer_may_stand_at_any_distance_and_only_looks() -> None:
    far = a_unit("O", "blue", "atg", 34, 34, 225, bases=1)
    game = behind_a_hill(far)
    do(game, "fire A at T observed by O", 3)
    do(game, "end")
    assert codes(game, "move O") == set(), "observing is no action"


def test_an_enemy_observes_for_nobody_and_only_mortars_have_observers() -> None:
    foe = a_unit("E", "red", "infantry", 20, 18, 270, bases=1)
    assert codes(behind_a_hill(foe), "fire A at T") == {"no-sight"}
    assert codes(behind_a_hill(foe), "fire A at T observed by E") == {"no-observer"}
    friend = a_unit("O", "blue", "infantry", 20, 18, 270, bases=1)
    tanks = face_off("tank", "infantry", 9, friend, terrain=(area("h", "hill", 5, 8, 16, 12),))
    assert codes(tanks, "fire A at T") == {"no-sight"}
    assert codes(tanks, "fire A at T observed by O") == {"no-observer"}


def test_a_mortar_does_not_observe_for_itself() -> None:
    hill = area("h", "hill", 11, 7.2, 14, 7.8)  # hides all from its second base, and nothing from its unique one
    assert codes(face_off("mortar", "infantry", 12, terrain=(hill,)), "fire A at T") == {"no-sight"}


def test_an_observer_sees_two_bases_of_the_target() -> None:
    def game(*more: TerrainPiece) -> Game:
        watcher = a_unit("O", "blue", "infantry", 10, 28, 180, bases=1)
        return face_off("mortar", "infantry", 12, watcher, terrain=(area("h", "hill", 5, 10, 16, 12), *more))

    assert codes(game(), "fire A at T") == set()
    assert codes(game(area("g", "hill", 13.5, 22, 16, 24)), "fire A at T") == set(), "beside the sight"
    assert codes(game(area("g", "hill", 11.2, 22, 16, 24)), "fire A at T") == {"no-sight"}, "one base alone is seen"


@pytest.mark.parametrize(
    ("kind", "blocks"),
    [("hill", True), ("woods", True), ("town", True), ("field", True)]
    + [(kind, False) for kind in ("marsh", "river", "road", "bridge")],
)
def test_terrain_between_obstructs_by_its_kind(kind: str, blocks: bool) -> None:
    game = face_off("tank", "tank", 8, terrain=(area("f", kind, 5, 9, 20, 12),))
    assert (codes(game, "fire A at T") == {"no-sight"}) is blocks


@pytest.mark.parametrize("firer", ["infantry", "atg", "tank", "mortar"])
@pytest.mark.parametrize("own_dug_in", [False, True])
@pytest.mark.parametrize("friend_dug_in", [False, True])
def test_friends_in_the_way(firer: str, own_dug_in: bool, friend_dug_in: bool) -> None:
    """Direct fire passes only with both dug in, or a tank past a dug-in friend [Firing, Friendly Units]."""
    friend = a_unit("F", "blue", "infantry", 10, 10, bases=3, dug_in=friend_dug_in)
    game = face_off(firer, "infantry", 9, friend, a_dug_in=own_dug_in)
    through = friend_dug_in and (own_dug_in or firer == "tank")
    if firer != "mortar":
        assert (codes(game, "fire A at T") == set()) is through
    else:  # the friend in the way sees the target itself
        do(game, "fire A at T", 3)
        assert game.records[-1].body.get("observer") == (None if through else "F")


@pytest.mark.parametrize("kind", ["woods", "town", "field"])
def test_sight_across_one_edge_of_an_area_is_at_most_4_inches(kind: str) -> None:
    for gap, seen in ((3.99, True), (4.0, True), (4.01, False)):
        game = face_off("infantry", "infantry", gap, terrain=(area("f", kind, 5, 7.5, 20, 16),))
        assert (codes(game, "fire A at T") == set()) is seen
        to_step(game, "red", "actions")
        assert (codes(game, "fire T at A") == set()) is seen, "and the other way"


def test_a_concealed_and_ready_unit_is_hidden_from_mortars_until_a_friend_is_near_enough() -> None:
    def game(y: float) -> Game:
        friend = a_unit("O", "blue", "infantry", 16, y, bases=1)
        return face_off("mortar", "infantry", 20, friend, t_dug_in=True, t_ready=True)

    assert codes(game(6), "fire A at T") == {"no-sight"}
    near = game(18)
    do(near, "fire A at T", 3)
    assert near.records[-1].body["observer"] == "O"


@pytest.mark.parametrize("mortar", ["mortar", "mortar-tank"])
def test_the_mortar_fire_step_is_a_mortar_s_only_chance_to_fire(mortar: str) -> None:
    game = face_off(mortar, "infantry", 10, a_unit("B", "blue", "tank", 20, 6))
    assert codes(game, "fire A at T") == set()
    assert codes(game, "fire B at T") == {"wrong-step"}
    assert codes(game, "move A") == {"wrong-step"}
    for step in ("actions", "rally"):
        do(game, "end")
        assert game.state.step == step
        assert codes(game, "fire A at T") == {"wrong-step"}
    to_step(game, "red", "mortar")
    assert "wrong-step" in codes(game, "fire A at T")


def waiting(kind: str = "tank", **more: object) -> Game:
    """Blue's A and M (a mortar) to act, with red's T and U Ready 8 inches off."""
    return begun(
        a_unit("A", "blue", "tank", 10, 6),
        a_unit("M", "blue", "mortar", 15, 6),
        a_unit("T", "red", kind, 10, y_beyond("tank", kind, 8), 180, ready=True),
        a_unit("U", "red", "tank", 20, 18, 180, ready=True),
        **more,
    )


@pytest.mark.parametrize("kind", SHOOTERS)
def test_ready_units_fire_once_after_any_phasing_unit_has_acted(kind: str) -> None:
    game = waiting(kind)
    do(game, "fire M at U", 3)
    assert codes(game, "fire T at A") == {"wrong-step"}
    do(game, "end")
    assert codes(game, "fire T at A") == {"nobody-acted"}, "mortar fire was in another step"
    do(game, "fire A at U", 2)
    assert codes(game, "fire T at A") == codes(game, "fire T at M") == set(), "at whom it likes"
    do(game, "fire T at M", 3)
    assert (game.records[-1].actor, game.records[-1].body["reaction"]) == ("red", True)
    assert codes(game, "fire T at M") == {"not-ready"}
    do(game, "fire U at A", 3)
    assert not any(u.ready for u in game.state.units)


def test_ready_units_wait_for_the_dice_to_be_moved_and_a_move_counts_as_an_action() -> None:
    game = waiting()
    do(game, "end")
    do(game, "move A", 3, 3, 3)
    assert "pending" in codes(game, "fire T at A")
    do(game, "stay A")
    assert codes(game, "fire T at A") == set()
    do(game, "end")
    assert "wrong-step" in codes(game, "fire T at A"), "no more in the Rally step"


def test_a_unit_that_leaves_by_an_exit_has_acted() -> None:
    game = waiting(exits=(Exit("near", "blue", "the near edge", (0, 0), (36, 0)),))
    do(game, "end")
    do(game, "move A", 4, 4, 4)
    do(game, "leave A by near")
    assert codes(game, "fire T at M") == set()


def test_firing_out_of_turn_takes_nothing_from_the_unit_s_own_phase() -> None:
    game = waiting()
    do(game, "end; move A", 3, 3, 3)
    do(game, "stay A")
    do(game, "fire T at A", 3)
    to_step(game, "red", "actions")
    assert codes(game, "fire T at A") == codes(game, "move T") == set()
    do(game, "end")
    assert codes(game, "ready T") == set()


@pytest.mark.parametrize(
    ("kind", "limits"),
    [
        ("infantry", [(4, "close"), (12, "normal")]),
        ("atg", [(4, "close"), (12, "normal"), (24, "long")]),
        ("tank", [(4, "close"), (12, "normal"), (24, "long")]),
    ],
)
def test_ranges_and_their_bands(kind: str, limits: list[tuple[float, str]]) -> None:
    for n, (limit, band) in enumerate(limits):
        assert bands(face_off(kind, "infantry", limit)) == band
        beyond = face_off(kind, "infantry", limit + 0.01)
        if n + 1 < len(limits):
            assert bands(beyond) == limits[n + 1][1]
        else:
            assert codes(beyond, "fire A at T") == {"out-of-range"}


@pytest.mark.parametrize("mortar", ["mortar", "mortar-tank"])
def test_mortars_reach_48_inches_and_have_no_close_range(mortar: str) -> None:
    assert codes(face_off(mortar, "infantry", 4.0), "fire A at T") == {"out-of-range"}
    near = face_off(mortar, "infantry", 1, rules=HouseRules(close_mortars_fire=True))
    assert (bands(near), multiplier(near)) == ("normal", 1)
    for gap, expected in ((48.0, set()), (48.01, {"out-of-range"})):
        assert codes(face_off(mortar, "infantry", gap, depth=72.0), "fire A at T") == expected


def test_a_shot_of_no_hits_still_counts_and_adds_nothing() -> None:
    game = face_off("infantry", "tank", 8, a_hits=10, a_permanent=5)
    do(game, "fire A at T", 3)
    assert game.records[-1].body["hits"] == 0
    assert game.state.unit("T").hits == 0
    assert game.state.unit("A").fired


@pytest.mark.parametrize("kind", ["atg", "mortar"])
def test_a_threatened_gun_has_no_inches_not_even_by_road(kind: str) -> None:
    enemy = a_unit("T", "red", "infantry", 10, 10 + SIZES[kind][1] / 2 + 0.5 + 2, 180)
    game = begun(a_unit("A", "blue", kind, 10, 10), enemy, terrain=(area("r", "road", 0, 5, 36, 11),))
    do(game, "end")
    assert codes(game, "move A") == {"threatened"}
    assert dict(game.odds(game.parse("move A")).chances) == {0: 1}
    (option,) = (o for o in game.options() if o.kind == "move")
    assert option.limits == {"least_in": 0.0, "most_in": 0.0}
    assert option.region is not None and option.region() == []


def test_rolling_counts_as_moving_though_nothing_moves() -> None:
    game = begun(
        a_unit("A", "blue", "infantry", 10, 10, dug_in=True, ready=True, hits=3),
        a_unit("T", "red", "infantry", 10, 18, 180),
    )
    do(game, "end")
    do(game, "move A", 2, 2)
    do(game, "stay A")
    unit = game.state.unit("A")
    assert (unit.moved, unit.dug_in, unit.ready) == (True, False, False)
    do(game, "end")
    assert codes(game, "rally A") == codes(game, "dig-in A") == {"acted"}


def test_penalties_come_off_the_roads_4_inches_too() -> None:
    """Dice, bonus and penalties make one total [Movement Actions]: 1 + 2 - 4 + 4 inches by road."""
    game = begun(
        a_unit("A", "blue", "atg", 10, 10, dug_in=True, bases=1),
        a_unit("T", "red", "tank", 4, 32, 180, bases=1),
        terrain=(area("r", "road", 9, 0, 11, 36),),
        dice="d6",
    )
    do(game, "end")
    do(game, "move A", 1)
    assert game.records[-1].body["total_in"] == 0
    assert codes(game, "place A at 10,13 facing 0") == set()
    assert codes(game, "place A at 10,13.01 facing 0") == {"too-far"}
    (option,) = (o for o in game.options() if o.kind == "place")
    assert option.limits == {"total_in": 0.0, "by_road_in": 3.0}


@pytest.mark.parametrize("shape", [Shape("rect", 1.2, 1.8), Shape("round", 1.4, 1.4)])
@pytest.mark.parametrize(("side", "straight"), [("blue", True), ("red", False)])
def test_no_way_leads_between_the_bases_of_an_enemy_unit(shape: Shape, side: str, straight: bool) -> None:
    """Their gap of 1.6 or 1.8 inches would let the tank through [Interpenetration]."""
    pair = UnitSetup("W", side, "tank", (shape,) * 2, at=(Standing(9, 15), Standing(12, 15)))
    game = begun(a_unit("A", "blue", "tank", 10.5, 8, bases=1), pair, a_unit("T", "red", "tank", 30, 34, 180, bases=1))
    do(game, "end")
    do(game, "move A", 3, 3, 4)  # 12 inches
    assert codes(game, "place A at 10.5,20 facing 0") == (set() if straight else {"too-far"})
    assert codes(game, "place A at 10.5,15 facing 0") == ({"interpenetration"} if straight else {"no-way"})
    apart = replace(pair, bases=(shape,), at=(Standing(9, 15),))
    other = replace(pair, id="V", bases=(shape,), at=(Standing(12, 15),))
    game = begun(a_unit("A", "blue", "tank", 10.5, 8, bases=1), apart, other, a_unit("T", "red", "tank", 30, 34, 180))
    do(game, "end")
    do(game, "move A", 3, 3, 4)
    assert codes(game, "place A at 10.5,20 facing 0") == set(), "between two units it may go"


def at_rally(kind: str, *terrain: TerrainPiece, **more: object) -> Game:
    game = begun(
        a_unit("A", "blue", kind, 10, 10, **more),
        a_unit("T", "red", "tank", 10, 30, 180),
        terrain=terrain,  # type: ignore[arg-type]
    )
    do(game, "end; end")
    return game


@pytest.mark.parametrize("kind", KINDS)
def test_who_may_be_ready_and_who_may_dig_in(kind: str) -> None:
    game = at_rally(kind)
    assert codes(game, "ready A") == (set() if kind in SHOOTERS else {"mortar-ready"})
    assert codes(game, "dig-in A") == (set() if kind in ("infantry", "mortar", "atg") else {"tank-dug-in"})


@pytest.mark.parametrize("first", ["rally", "ready", "dig-in"])
def test_only_one_of_rally_ready_and_dig_in(first: str) -> None:
    game = at_rally("infantry", hits=7)
    do(game, f"{first} A", *([3] if first == "rally" else []))
    for wish in ("rally A", "ready A", "dig-in A"):
        assert "settled" in codes(game, wish)
    to_step(game, "red", "mortar")
    to_step(game, "blue", "rally")
    assert codes(game, "rally A") == set(), "and once more in the next turn"


def test_only_the_phasing_side_rallies_and_only_in_its_step() -> None:
    game = begun(a_unit("A", "blue", "infantry", 10, 6, hits=3), a_unit("T", "red", "infantry", 10, 20, hits=3))
    for step, expected in (("mortar", {"wrong-step"}), ("actions", {"wrong-step"}), ("rally", set())):
        assert game.state.step == step
        assert codes(game, "rally A") == codes(game, "ready A") == codes(game, "dig-in A") == expected
        assert codes(game, "rally T") == {"not-your-phase"}
        do(game, "end")


def test_ready_is_lost_by_firing_or_moving_and_kept_by_digging_in_and_rallying() -> None:
    def game() -> Game:
        return face_off("infantry", "infantry", 8, a_ready=True, a_hits=4)

    fired, moved, dug, rallied, idle = (game() for _ in range(5))
    do(fired, "fire A at T", 3)
    do(moved, "move A", 3, 3)
    do(dug, "end; dig-in A")
    do(rallied, "end; rally A", 3)
    do(idle, "end; end; end; end; end; end")
    assert [g.state.unit("A").ready for g in (fired, moved, dug, rallied, idle)] == [False, False, True, True, True]
    assert dug.state.unit("A").dug_in


@pytest.mark.parametrize(("hits", "permanent"), [(15, 5), (15, 0), (3, 5), (-1, 0), (4, -1)])
def test_no_unit_starts_with_hits_that_can_t_be(hits: int, permanent: int) -> None:
    with pytest.raises(RulesError, match="can't start with"):
        begun(a_unit("A", "blue", "tank", 4, 4, hits=hits, permanent=permanent), a_unit("T", "red", "tank", 20, 20))


@pytest.mark.parametrize("ground", ["woods", "town"])
def test_the_firer_s_own_cover_changes_nothing(ground: str) -> None:
    game = face_off("tank", "tank", 3, terrain=(area("f", ground, 5, 3, 20, 7.5),), a_dug_in=True)
    assert multiplier(game) == 2
