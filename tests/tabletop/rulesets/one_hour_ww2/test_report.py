"""The report of One-Hour WWII: every pair, every reason, doubt where the spread leaves it, advice and standing."""

import json
import math
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.errors import RulesError
from tabletop.rulesets.one_hour_ww2 import KINDS, HouseRules, report
from tabletop.tables.scene import Scene, scene_from_json
from tests.support.one_hour_tables import Row, area, base, judged, shot, table, unit


def duel(firer: str, target: str, gap: float = 9.0, *terrain: dict, **state: Any) -> Scene:
    """Two units face to face, the firer blue at the near side."""
    spread = {key: state.pop(key) for key in ("sigma", "facing_sigma") if key in state}
    own = {key[6:]: state.pop(key) for key in list(state) if key.startswith("firer_")}
    return table(
        [
            unit("A", "blue", firer, 20, 4, bases=3, **spread, **own),
            unit("B", "red", target, 20, 4 + Row.depth + gap, bases=3, **{"facing": 180.0} | spread | state),
        ],
        *terrain,
    )


def test_concealed_and_ready_is_seen_at_12_inches_or_less() -> None:
    for gap, verdict in ((12.0, "yes"), (12.01, "no")):
        assert shot(duel("tank", "infantry", gap, dug_in=True, ready=True), "A", "B")["verdict"] == verdict
    hidden = shot(duel("tank", "infantry", 13.0, dug_in=True, ready=True), "A", "B")
    assert hidden["sight"]["verdict"] == "blocked"
    assert "concealed and Ready" in " ".join(hidden["reasons"])
    far = shot(duel("tank", "infantry", 13.0, dug_in=True, ready=True), "B", "A")
    assert (far["verdict"], far["range"]["band"], far["hits"]) == ("no", "out", {})
    assert "reaches 12″" in " ".join(far["reasons"])
    open_limit = shot(duel("tank", "infantry", 12.02, dug_in=True, ready=True, sigma=0.05), "A", "B")
    assert (open_limit["verdict"], open_limit["sight"]["verdict"]) == ("too-close", "too-close")


WALL = area("h", "hill", 0, 9, 48, 12)


def test_a_mortar_fires_indirectly_with_an_observer() -> None:
    units = [
        unit("M", "blue", "mortar", 20, 4),
        unit("B", "red", "infantry", 20, 25, 180),
        unit("near", "blue", "infantry", 14, 20),
        unit("far", "blue", "infantry", 30, 15),
    ]
    entry = shot(table(units, WALL), "M", "B")
    assert (entry["verdict"], entry["sight"]["verdict"]) == ("yes", "blocked")
    assert entry["sight"]["blocked_by"] == ["h"]
    assert entry["sight"]["observer"]["unit"] == "near"
    assert "near observes" in " ".join(entry["reasons"])
    alone = shot(table(units[:2], WALL), "M", "B")
    assert (alone["verdict"], "observer" in alone["sight"]) == ("no", False)
    assert shot(table([unit("A", "blue", "tank", 20, 4), *units[1:]], WALL), "A", "B")["verdict"] == "no"


def test_an_observer_looks_past_dug_in_friends_and_no_others() -> None:
    def observed(dug_in: bool) -> str:
        screen = {"id": "F", "side": "blue", "kind": "mortar", "dug_in": dug_in}
        screen["bases"] = [base(16, 17, unique=True, width=1.0), base(20, 17, width=9.0)]
        wall = area("v", "hill", 14, 18, 18, 19)  # keeps the screen's own unique base from seeing
        units = [unit("M", "blue", "mortar", 20, 4), unit("O", "blue", "infantry", 21, 14), screen]
        return shot(table([*units, unit("B", "red", "atg", 21, 22, 180)], WALL, wall), "M", "B")["verdict"]

    assert observed(True) == "yes"
    assert observed(False) == "no"


@pytest.mark.parametrize("flag", ["moved", "fired"])
def test_a_unit_that_has_acted_fires_no_more(flag: str) -> None:
    scene = duel("tank", "tank", **{f"firer_{flag}": True})
    entry = shot(scene, "A", "B")
    assert entry["verdict"] == "no"
    assert f"has {flag}" in entry["reasons"][0]
    assert shot(scene, "B", "A")["verdict"] == "yes"


def test_the_end_of_reach_is_too_close_to_call_within_95_percent() -> None:
    sigma = 0.1 / math.sqrt(2)  # of the range: 0.1
    for gap, verdict in ((11.80, "yes"), (11.81, "too-close"), (12.19, "too-close"), (12.20, "no")):
        entry = shot(duel("infantry", "infantry", gap, sigma=sigma), "A", "B")
        assert entry["range"]["sigma"] == pytest.approx(0.1)
        assert entry["verdict"] == verdict and ("priority" in entry) == (verdict != "no")
    assert "± 0.20" in " ".join(entry["reasons"])


def test_a_doubtful_range_says_what_to_measure_and_no_more_decimals_than_are_known() -> None:
    reasons = shot(duel("infantry", "infantry", 11.0, sigma=1.0), "A", "B")["reasons"]
    assert reasons[0].startswith("Range 11.0″ ± 2.8″: normal")
    assert "out of reach: measure it between the unique bases" in reasons[1]
    reasons = shot(duel("infantry", "infantry", 11.96, sigma=0.05), "A", "B")["reasons"]
    assert reasons[0].startswith("Range 11.96″ ± 0.14″: normal")


def test_what_else_may_be_is_told_in_few_words() -> None:
    entry = shot(duel("tank", "tank", 12.0, sigma=0.05, firer_facing=270.0, facing=90.0), "A", "B")
    reasons = [reason for reason in entry["reasons"] if reason.startswith("If ")]
    assert 1 < len(reasons) == len(set(reasons)) <= 4


def test_only_a_modifier_in_doubt_leaves_the_shot_and_gives_both_odds() -> None:
    entry = shot(duel("tank", "tank", 4.05, sigma=0.1), "A", "B")
    assert (entry["verdict"], entry["range"]["band"]) == ("yes", "normal")
    (other,) = entry["alternatives"]
    assert other["when"] == "the range is close"
    assert other["expected_hits"] == pytest.approx(2 * entry["expected_hits"])
    assert "may also be close" in " ".join(entry["reasons"])
    assert "alternatives" not in shot(duel("tank", "tank", 4.05), "A", "B")


def test_an_arc_in_doubt_gives_both_odds() -> None:
    side = unit("B", "red", "tank", 20, 10 + Row.depth / 2 + Row.width / 2 + 0.02, 270, bases=1, sigma=0.05)
    entry = shot(table([unit("A", "blue", "tank", 10, 10, 0, sigma=0.05), side]), "A", "B")
    assert entry["verdict"] == "yes"
    assert entry["arc"]["firing_to_rear"] is False
    assert entry["arc"]["firing_to_rear_open"] is True
    assert [a["when"] for a in entry["alternatives"]] == ["it fires to its own rear"]
    assert entry["alternatives"][0]["expected_hits"] == pytest.approx(entry["expected_hits"] - 2)


def test_cover_in_doubt_gives_both_odds() -> None:
    wood = area("w", "woods", 15, 7.0 - 0.05, 25, 12)
    entry = shot(duel("tank", "tank", 2.5, wood, sigma=0.05), "A", "B")
    assert entry["verdict"] == "yes"
    assert [a["when"] for a in entry["alternatives"]] == ["the target is in the woods"]
    assert 'in the woods "w" is too close to call' in " ".join(entry["reasons"])


def test_sight_in_doubt_is_too_close_and_names_what() -> None:
    def beside(x0: float, sigma: float = 0.05) -> dict[str, Any]:
        return shot(duel("tank", "tank", 9.0, area("w", "woods", x0, 4.6, 40, 13.4), sigma=sigma), "A", "B")

    blocked = beside(19.4)  # one base at most is free
    assert (blocked["verdict"], blocked["sight"]) == ("no", {"verdict": "blocked", "blocked_by": ["w"]})
    doubtful = beside(20.65)
    assert (doubtful["verdict"], doubtful["sight"]) == ("too-close", {"verdict": "too-close", "blocked_by": ["w"]})
    assert 'in doubt the woods "w"' in " ".join(doubtful["reasons"])
    assert beside(20.65, sigma=0.0)["verdict"] == "yes"
    assert beside(21.0)["verdict"] == "yes"


def seen(name: str, unit_id: str | None, side: str | None, kind: str | None, x: float, y: float, **more: Any) -> dict:
    found = base(x, y, more.pop("facing", 0.0))
    found |= {"id": name, "unit": unit_id, "side": side, "kind": kind, "z": 0.0, "tag": None, "confidence": 0.9}
    return (
        found | {"covariance": [[1e-4, 0], [0, 1e-4]], "facing_sigma": 0.5, "method": "outline", "unique": None} | more
    )


def observed(*bases: dict, roster: dict[str, int] | None = None) -> Scene:
    data = {"version": 1, "units": "inches", "table": {"width": 36, "depth": 36}, "photos": [], "bases": list(bases)}
    return scene_from_json(data | {"terrain": [], "dice": [], "warnings": []}, roster=roster)


A_SEEN = [seen(f"a{n}", "A", "blue", "tank", 18 + 1.6 * n, 6, unique=n == 0) for n in (0, 1, -1)]
B_SEEN = [seen(f"b{n}", "B", "red", "tank", 18 + 1.6 * n, 15, facing=180.0, unique=n == 0) for n in (0, 1, -1)]


def test_an_unnamed_base_in_the_way_leaves_the_sight_open() -> None:
    for side, verdict in (("blue", "too-close"), (None, "too-close"), ("red", "yes")):
        wall = [seen(f"x{n}", None, side, None, 18 + 1.1 * n, 10) for n in (-1, 0, 1)]
        entry = shot(observed(*A_SEEN, *B_SEEN, *wall), "A", "B")
        assert entry["verdict"] == verdict
        assert ("the unnamed" in " ".join(entry["reasons"])) == (verdict == "too-close")
    entry = shot(observed(*A_SEEN, *B_SEEN, seen("x", None, None, None, 18, 10, width=6.0)), "A", "B")
    assert entry["sight"] == {"verdict": "too-close", "blocked_by": ["x"]}
    (said,) = [reason for reason in entry["reasons"] if "unnamed" in reason]
    assert said.count("(18.0, 10.0)") == 1 and "Check it at the table" in said, "once, in however many sights it is"


def test_a_missing_base_leaves_a_sight_open_that_the_others_do_not_settle() -> None:
    one = observed(A_SEEN[0], *B_SEEN, roster={"A": 3, "B": 3})
    entry = shot(one, "A", "B")
    assert entry["verdict"] == "too-close"
    assert "not in the scene" in " ".join(entry["reasons"])
    assert shot(observed(*A_SEEN[:2], *B_SEEN, roster={"A": 3, "B": 3}), "A", "B")["verdict"] == "yes"
    assert shot(observed(A_SEEN[0], *B_SEEN), "A", "B")["verdict"] == "yes"  # nobody says that it should have three


def test_an_unseen_unique_base_widens_the_range() -> None:
    entry = shot(observed(*A_SEEN[1:], *B_SEEN), "A", "B")
    assert entry["range"]["sigma"] > 1.0
    assert "Which base of A is the unique one is not known" in " ".join(entry["reasons"])
    assert entry["verdict"] == "yes"  # 8 inches: in reach wherever it stands
    far = [dict(b, center=[b["center"][0], 29.0]) for b in B_SEEN]
    assert shot(observed(*A_SEEN[1:], *far), "A", "B")["verdict"] == "too-close"


def test_threatened_within_2_inches_of_any_base() -> None:
    for gap, by in ((2.0, ["B"]), (2.001, None)):
        found = judged(duel("tank", "infantry", gap))["threatened"]
        assert found == ([{"unit": "A", "by": ["B"]}, {"unit": "B", "by": ["A"]}] if by else [])
    report_ = judged(duel("tank", "infantry", 2.05, sigma=0.1))
    assert (report_["threatened"], [t["unit"] for t in report_["threatened_too_close"]]) == ([], ["A", "B"])
    unnamed = judged(observed(*A_SEEN, seen("x", None, "red", None, 18, 7.5), seen("y", None, None, None, 19, 7.5)))
    assert unnamed["threatened"] == [{"unit": "A", "by": ["unknown (x)"]}]


def faults(kind: str, bases: list[dict], *terrain: dict, **more: Any) -> list[str]:
    scene = table([{"id": "A", "side": "blue", "kind": kind, "bases": bases}], *terrain, **more)
    (found,) = judged(scene)["formation"]
    assert found["doubts"] == []
    return [re.sub(r" \[.*", "", f) for f in found["faults"]]


def test_broken_formations_are_reported() -> None:
    assert faults("infantry", [base(10, 10, unique=True), base(12.2, 10), base(10, 8)]) == []
    for kind, gap in (("infantry", 1), ("mortar", 1), ("atg", 1), ("tank", 2), ("mortar-tank", 2)):
        x = 10 + Row.width + gap
        assert faults(kind, [base(10, 10, unique=True), base(x, 10)]) == []
        far = faults(kind, [base(10, 10, unique=True), base(x + 0.1, 10)])
        assert far == [f"Its bases stand more than {gap}″ apart."]
    assert faults("tank", [base(10, 10, unique=True), base(12, 10.5)]) == [
        "Base 2 stands 0.50″ ahead of the unique base's front."
    ]
    assert faults("tank", [base(10, 10, unique=True), base(12, 10.25)]) == []
    assert len(faults("tank", [base(10, 10, unique=True), base(12, 10.26)])) == 1
    assert faults("tank", [base(10, 10, unique=True), base(12, 10.2, 15)]) == []
    assert faults("tank", [base(10, 10, unique=True), base(12, 9, 40)]) == [
        "Base 2 faces 40° away from the unique base."
    ]
    assert faults("tank", [base(10, 10, unique=True)]) == []


def test_prohibited_terrain_under_bases() -> None:
    def standing(kind: str, terrain: str, y: float = 10.0, *more: dict) -> int:
        return len(faults(kind, [base(10, y, unique=True)], area("f", terrain, 5, 8, 15, 20), *more))

    allowed = {
        "infantry": {"woods", "town", "hill", "field", "road", "bridge"},
        "atg": {"hill", "field", "road", "bridge"},
        "mortar": {"hill", "field", "road", "bridge"},
        "tank": {"hill", "field", "road", "bridge"},
    }
    for kind, kinds in allowed.items():
        for terrain in ("woods", "town", "hill", "field", "road", "bridge", "river", "marsh"):
            assert standing(kind, terrain) == (0 if terrain in kinds else 1), (kind, terrain)
    assert standing("atg", "woods", 9.4) == 0  # within an inch of the edge
    assert standing("atg", "woods", 9.6) == standing("mortar", "woods", 9.4) == standing("tank", "woods", 9.4) == 1
    assert standing("tank", "woods", 7.5) == 0  # touching the edge from outside
    assert standing("tank", "woods", 7.6) == 1
    for terrain in ("woods", "town", "marsh"):
        assert standing("tank", terrain, 10, area("r", "road", 9.6, 0, 10.4, 30)) == 0
    assert standing("tank", "river", 10, area("r", "road", 9.6, 0, 10.4, 30)) == 0  # a road drawn through it is a ford
    assert standing("tank", "river", 10, area("b", "bridge", 9.6, 0, 10.4, 30)) == 0


def test_standing_in_doubt_is_a_doubt_and_not_a_fault() -> None:
    def doubts(y: float, sigma: float) -> tuple[int, int]:
        one = {"id": "A", "side": "blue", "kind": "tank", "bases": [base(10, y, unique=True, sigma=sigma)]}
        (found,) = judged(table([one], area("f", "marsh", 5, 8, 15, 20)))["formation"]
        return len(found["faults"]), len(found["doubts"])

    assert doubts(7.6, 0.1) == (0, 1)
    assert doubts(7.3, 0.1) == (0, 0)
    assert doubts(7.8, 0.1) == (1, 0)
    spread = {"id": "A", "side": "blue", "kind": "atg", "bases": [base(10, 10, unique=True), base(12.3, 10, sigma=0.1)]}
    (found,) = judged(table([spread]))["formation"]
    assert (len(found["faults"]), len(found["doubts"])) == (0, 1)
    ahead = {"id": "A", "side": "blue", "kind": "atg", "bases": [base(10, 10, unique=True), base(12, 10.3, sigma=0.1)]}
    (found,) = judged(table([ahead]))["formation"]
    assert (found["faults"], len(found["doubts"])) == ([], 1)
    assert "ahead of the unique one" in found["doubts"][0]


def test_markers_that_a_kind_may_not_carry_are_told() -> None:
    units = [unit("A", "blue", "tank", 10, 10, dug_in=True), unit("B", "blue", "mortar", 20, 10, ready=True)]
    tank, mortar = judged(table([*units, unit("C", "red", "atg", 30, 10, dug_in=True, ready=True)]))["formation"][:2]
    assert [len(tank["notes"]), len(mortar["notes"])] == [1, 1]
    assert "no tank may dig in" in tank["notes"][0] and "no mortar may be" in mortar["notes"][0]


def test_missing_bases_are_noted() -> None:
    (found, _) = judged(observed(*A_SEEN[1:], *B_SEEN, roster={"A": 3}))["formation"]
    assert found["notes"] == ["2 of 3 bases are in the scene."]
    assert "unique one is not known" in found["doubts"][0]


def test_targets_are_ranked_by_modifier_then_penalty_then_distance() -> None:
    units = [
        unit("A", "blue", "tank", 20, 4),
        unit("near", "red", "infantry", 28, 8, 225, bases=1),
        unit("tank", "red", "tank", 11, 13, 180, bases=1),
        unit("dug", "red", "infantry", 20, 7, 180, bases=1, dug_in=True),
        unit("far", "red", "tank", 20, 40, 180, bases=1),
    ]
    shots = {s["target"]: s for s in judged(table(units))["shots"] if s["firer"] == "A"}
    assert [shots[n].get("priority", {}).get("rank") for n in ("tank", "near", "dug", "far")] == [1, 2, 3, None]
    assert shots["tank"]["priority"]["of"] == 3
    assert "modifier +2" in shots["tank"]["priority"]["why"]


def test_every_ordered_pair_of_enemies_once_and_all_of_it_json() -> None:
    units = [
        unit(f"u{n}", ("blue", "red", "green")[n % 3], "tank", 5 + 4 * (n % 5), 5 + 12 * (n // 5)) for n in range(9)
    ]
    found = judged(table(units, WALL))
    pairs = [(s["firer"], s["target"]) for s in found["shots"]]
    assert len(pairs) == len(set(pairs)) == 9 * 6
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert [f["unit"] for f in found["formation"]] == [u["id"] for u in units]
    for entry in found["shots"]:
        assert entry["verdict"] in ("yes", "no")  # nothing is uncertain here
        assert entry["sight"]["verdict"] in ("clear", "blocked")
        assert bool(entry["sight"]["blocked_by"]) == (entry["sight"]["verdict"] == "blocked")
        assert all(re.search(r"\[[^\]]+\]$|on average\.$", reason) for reason in entry["reasons"])
        assert len(entry["draw"]["range"]) == 2
        if entry["verdict"] == "yes":
            assert sum(entry["hits"].values()) == pytest.approx(1.0)
            assert sum(int(k) * p for k, p in entry["hits"].items()) == pytest.approx(entry["expected_hits"])


def test_empty_tables_have_empty_reports() -> None:
    found = judged(table([]))
    assert (found["shots"], found["threatened"], found["formation"]) == ([], [], [])
    alone = judged(table([unit("A", "blue", "tank", 5, 5)], WALL))
    assert (alone["shots"], len(alone["formation"])) == ([], 1)


def test_an_unknown_kind_is_refused_with_the_kinds_known() -> None:
    with pytest.raises(RulesError) as caught:
        judged(table([unit("Z9", "blue", "flying saucer", 5, 5)]))
    message = str(caught.value)
    assert all(word in message for word in ("Z9", "flying saucer", *KINDS))


def test_other_dice_and_other_rules_are_refused() -> None:
    scene = duel("tank", "tank")
    with pytest.raises(RulesError, match="d20"):
        report(scene, dice="d20")
    other = scene_from_json({"version": 1, "rules": "combat", "table": {"width": 9, "depth": 9}, "units": []})
    with pytest.raises(RulesError, match="combat"):
        report(other, rules=HouseRules())


def turned(data: dict[str, Any], angle: float, dx: float, dy: float, mirror: bool) -> dict[str, Any]:
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))

    def place(p: list[float]) -> list[float]:
        x, y = (-p[0] if mirror else p[0]), p[1]
        return [x * c + y * s + dx, -x * s + y * c + dy]

    out = json.loads(json.dumps(data))
    for t in out["terrain"]:
        t["polygon"] = [place(p) for p in t["polygon"]]
    for u in out["units"]:
        for b in u["bases"]:
            b["center"] = place(b["center"])
            b["facing"] = (-b["facing"] if mirror else b["facing"]) + angle
    return out


@st.composite
def battles(draw: st.DrawFn) -> dict[str, Any]:
    place = st.tuples(st.floats(2, 46), st.floats(2, 46)).map(lambda p: (round(p[0], 2), round(p[1], 2)))
    units = []
    for n in range(draw(st.integers(2, 5))):
        x, y = draw(place)
        state = {key: draw(st.booleans()) for key in ("dug_in", "ready")}
        kind = draw(st.sampled_from(sorted(KINDS)))
        facing = round(draw(st.floats(0, 360)), 1)
        bases = draw(st.integers(1, 3))
        units.append(unit(f"u{n}", ("blue", "red")[n % 2], kind, x, y, facing, bases=bases, **state))
    terrain = []
    for n in range(draw(st.integers(0, 3))):
        x, y = draw(place)
        kind = draw(st.sampled_from(["woods", "town", "field", "hill", "road", "river"]))
        terrain.append(
            area(f"t{n}", kind, x, y, x + draw(st.integers(1, 9)) + 0.37, y + draw(st.integers(1, 9)) + 0.41)
        )
    return {"version": 1, "table": {"width": 48, "depth": 48}, "units": units, "terrain": terrain}


@given(battles(), st.floats(0, 360), st.booleans())
@settings(max_examples=8)
def test_turning_moving_and_mirroring_the_table_changes_no_ruling(data: dict, angle: float, mirror: bool) -> None:
    here, there = (report(scene_from_json(d)) for d in (data, turned(data, angle, 7.0, -3.0, mirror)))
    for one, other in zip(here["shots"], there["shots"], strict=True):
        assert other["range"]["value"] == pytest.approx(one["range"]["value"], abs=1e-6)
        if any(key.endswith("_open") for key in (*one["arc"], *other["arc"])):
            continue  # on the front line to a millionth of an inch: rounding decides
        for key in ("verdict", "sight", "arc", "modifiers", "hits"):
            assert other[key] == one[key], key
    assert there["threatened"] == here["threatened"]
    assert there["formation"] == here["formation"]


@given(battles(), st.floats(0.02, 0.3))
@settings(max_examples=8)
def test_a_spread_never_turns_a_sure_verdict_into_its_opposite(data: dict, sigma: float) -> None:
    blurred = json.loads(json.dumps(data))
    for u in blurred["units"]:
        for b in u["bases"]:
            b["sigma"] = sigma
    sure, spread = report(scene_from_json(data)), report(scene_from_json(blurred))
    for one, other in zip(sure["shots"], spread["shots"], strict=True):
        assert {one["verdict"], other["verdict"]} != {"yes", "no"}
        assert {one["sight"]["verdict"], other["sight"]["verdict"]} != {"clear", "blocked"}


def test_an_unknown_facing_leaves_the_arc_open_and_guesses_nothing() -> None:
    seen = {"shape": "round", "diameter": 1.2, "center": [20, 14], "facing": None, "unique": True}
    target = {"id": "B", "side": "red", "kind": "tank", "bases": [seen]}
    entry = shot(table([unit("A", "blue", "tank", 20, 4), target]), "A", "B")
    assert entry["verdict"] == "yes"
    assert not entry["arc"]["firing_on_rear"] and entry["arc"]["firing_on_rear_open"]
    assert "facing is not known" in " ".join(entry["reasons"])
    assert [a["when"] for a in entry["alternatives"]] == ["the target is hit on its rear"]
