"""Target priorities as advice: which target the rules would have a unit fire at; they never forbid another."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rulesets.one_hour_ww2.firing import Volley


def ranked(possible: Mapping[str, Volley]) -> dict[str, str]:
    """For each target of one unit how it ranks, in words (Fire, Target Priorities).

    Best modifier first (the table's and the rear bonus), then the shot least taken off and least divided, then nearest.
    """
    keys = {name: (*priority(wished), wished.shot.range_in[0], name) for name, wished in possible.items()}
    order = sorted(keys, key=lambda name: keys[name])
    told = {}
    for rank, name in enumerate(order, 1):
        worse, penalty, share = priority(possible[name])
        why = f"modifier {-worse:+d}" + (f", penalty {-penalty:d}" if penalty else "")
        why += f", hits ×{1 / share:g}" if share > 1 else ""
        told[name] = f'target {rank} of {len(order)} by priority ({why}, {possible[name].shot.range_in[0]:.1f}")'
    return told


def priority(wished: Volley) -> tuple[int, int, float]:
    """Sort key of a shot: best modifier, then the least taken off, then the least divided; the smaller the better."""
    chosen = wished.odds[0]
    adds = [m.add for m in chosen if m.multiply is None and not m.name.startswith("firer has")]
    table = adds[0] if adds else 0
    bonus = table + sum(a for a in adds[1:] if a > 0)
    penalty = -sum(a for a in adds[1:] if a < 0)
    share = 1.0
    for modifier in chosen:
        if modifier.multiply is not None and modifier.name != "close range":
            share *= float(modifier.multiply)
    return -bonus, penalty, 1 / share
