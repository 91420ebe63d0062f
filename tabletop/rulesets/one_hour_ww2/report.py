"""The report of a scene: every shot between enemies, who is threatened, how the units stand (contract section 5)."""

from __future__ import annotations

from geometry.ranges import ranges_between
from tabletop.errors import RulesError
from tabletop.referee.report_rows import Report, ShotRow
from tabletop.rulesets.one_hour_ww2.data import DICE, NAME, HouseRules
from tabletop.rulesets.one_hour_ww2.modifiers import both_orders
from tabletop.rulesets.one_hour_ww2.shots import Judge, JudgedShot
from tabletop.rulesets.one_hour_ww2.sights import Sights
from tabletop.rulesets.one_hour_ww2.situation import Situation, measuring_base
from tabletop.rulesets.one_hour_ww2.standing import formation, threats
from tabletop.tables.scene import Scene, Unit

_DEFAULT_RULES = HouseRules()
_Rated = tuple[tuple[int, int, float], ShotRow]


def report(scene: Scene, *, dice: str = "d5", rules: HouseRules = _DEFAULT_RULES) -> Report:
    """Every ordered pair of enemy units judged, ready for JSON. Dice default to average dice (ruling 15).

    Raises :class:`~tabletop.errors.RulesError` for dice or a unit's kind that the rules lack, or a scene that names
    another ruleset. Beyond the contract, a shot has ``draw`` (table inches), ``alternatives`` (odds under what is open)
    and ``priority``; the report has ``threatened_too_close``, ``removed`` and ``dice``.
    """
    if dice not in DICE:
        raise RulesError(f"Dice {dice!r} are not known; One-Hour WWII uses {' or '.join(DICE)}.")
    if scene.rules is not None and scene.rules != NAME:
        raise RulesError(
            f'The scene is played by "{scene.rules}" and was to be judged by "{NAME}"; choose one of them.'
        )
    situation = Situation(scene, rules)
    judge = Judge(situation, Sights(situation), dice)
    index = situation.index
    shots: list[ShotRow] = []
    rated: list[_Rated] = []
    for firer in scene.units:
        for target in scene.units:
            if firer.side == target.side:
                continue
            if firer.id in index and target.id in index:
                shot = JudgedShot(judge, index[firer.id], index[target.id])
                shots.append(shot.entry())
                if shots[-1]["verdict"] != "no":
                    rated.append((shot.priority, shots[-1]))
            else:
                shots.append(_removed_shot(firer, target, situation))
    _rank(rated)
    threatened, perhaps = threats(situation)
    return {
        "version": 1,
        "rules": NAME,
        "dice": dice,
        "shots": shots,
        "threatened": threatened,
        "threatened_too_close": perhaps,
        "formation": formation(situation),
        "removed": [u.id for u in scene.units if situation.is_destroyed(u)],
    }


def _removed_shot(firer: Unit, target: Unit, situation: Situation) -> ShotRow:
    gone = firer if situation.is_destroyed(firer) else target
    limit = situation.rules.destroyed_at
    measured = ranges_between(measuring_base(firer), measuring_base(target))
    return {
        "firer": firer.id,
        "target": target.id,
        "verdict": "no",
        "range": {
            "value": round(float(measured.value[0]), 6),
            "sigma": round(float(measured.sigma[0]), 6),
            "band": "out",
        },
        "sight": {"verdict": "blocked", "blocked_by": []},
        "arc": {"firing_to_rear": False, "firing_on_rear": False},
        "modifiers": [],
        "hits": {},
        "expected_hits": 0.0,
        "reasons": [f"{gone.id} has {gone.hits} hits and is destroyed at {limit}. [Game Conventions, Hits; ruling 1]"],
        "draw": {"range": [], "sight": [], "blocked_at": []},
    }


def _rank(rated: list[_Rated]) -> None:
    """Target priorities as advice (Fire, Target Priorities) among the shots of each firer, and by expected hits.

    ``rated``: the priority and the entry of each shot that can be, or may be.
    """
    by_firer: dict[str, list[_Rated]] = {}
    for key, entry in rated:
        by_firer.setdefault(entry["firer"], []).append((key, entry))
    for possible in by_firer.values():
        orders = both_orders({e["target"]: (key, e["expected_hits"], e["range"]["value"]) for key, e in possible})
        for (bonus, penalty, share), entry in possible:
            rank, by_hits = orders[entry["target"]]
            penalised = "no penalty" if penalty == 0 and share <= 1 else f"penalty {-penalty:g}, hits ×{1 / share:g}"
            why = f"modifier {-bonus:+d}, {penalised}, range {entry['range']['value']:.1f}″"
            entry["priority"] = {
                "rank": rank,
                "hits_rank": by_hits,
                "of": len(possible),
                "why": f"{why} [Fire, Target Priorities]",
            }
