"""Target priorities as advice: which target the rules would have a unit fire at; they never forbid another."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rulesets.one_hour_ww2.firing import Volley
from tabletop.rulesets.one_hour_ww2.modifiers import both_orders, priority
from tabletop.rulesets.one_hour_ww2.odds import mean


def ranks(possible: Mapping[str, Volley]) -> dict[str, str]:
    """For each target of one unit how it ranks, in words (Fire, Target Priorities).

    Both by the rules' priorities and by the hits to expect, see
    :func:`~tabletop.rulesets.one_hour_ww2.modifiers.both_orders`.
    """
    worth = {
        name: (priority(wished.odds[0]), float(mean(wished.odds[1])), wished.shot.range_in[0])
        for name, wished in possible.items()
    }
    told = {}
    for name, (rank, by_hits) in both_orders(worth).items():
        (worse, penalty, share), *_ = worth[name]
        why = f"modifier {-worse:+d}" + (f", penalty {-penalty:d}" if penalty else "")
        why += f", hits ×{1 / share:g}" if share > 1 else ""
        many = len(worth)
        place = f"priority {rank} of {many}, expected hits {by_hits} of {many}"
        told[name] = f"{'the only target' if many == 1 else place} ({why})"
    return told
