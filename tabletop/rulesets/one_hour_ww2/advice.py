"""Target priorities as advice: which target the rules would have a unit fire at; they never forbid another."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rulesets.one_hour_ww2.firing import Volley
from tabletop.rulesets.one_hour_ww2.modifiers import priority


def ranks(possible: Mapping[str, Volley]) -> dict[str, str]:
    """For each target of one unit how it ranks, in words (Fire, Target Priorities).

    By :func:`~tabletop.rulesets.one_hour_ww2.modifiers.priority`, then the nearest.
    """
    worth = {name: priority(wished.odds[0]) for name, wished in possible.items()}
    order = sorted(possible, key=lambda name: (*worth[name], possible[name].shot.range_in[0], name))
    told = {}
    for rank, name in enumerate(order, 1):
        worse, penalty, share = worth[name]
        why = f"modifier {-worse:+d}" + (f", penalty {-penalty:d}" if penalty else "")
        why += f", hits ×{1 / share:g}" if share > 1 else ""
        told[name] = f"target {rank} of {len(order)} by priority ({why}, {possible[name].shot.range_in[0]:.1f}″)"
    return told
