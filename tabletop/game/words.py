"""Figures in words, the same wherever a game is told."""

from __future__ import annotations

from fractions import Fraction


def percent(chance: Fraction) -> str:
    """A chance for people: certain and impossible are told only where they are.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 1000)), percent(Fraction(215, 216)), percent(Fraction(1))
    ('33 %', '<1 %', '>99 %', '100 %')
    """
    if 0 < chance < Fraction(1, 200):
        return "<1 %"
    if Fraction(199, 200) < chance < 1:
        return ">99 %"
    return f"{float(chance):.0%}".replace("%", " %")
