"""What a company is made of, checked against the printed compositions with everything wrong at once."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from tabletop.rulesets.combat_captain.data import HEAVY, KIND_WORDS, MOST_COVER, MOST_SHELL_IN
from tabletop.rulesets.combat_captain.setup import Company, Setup

PLACE = "Organization of Armies"
RIFLE_SQUADS = 8
HEAVY_WEAPONS = (4, 6)
TANKS = (2, 5)
GUNS = (1, 3)


def faults(company: Company) -> tuple[str, ...]:
    """All that is wrong with a company, in sentences; empty where it is as printed.

    An infantry company has 8 rifle squads and 4 to 6 heavy weapons, a tank company 2 to 5 tanks, a battery 1 to 3 guns;
    vehicles and half-tracks to carry them come on top. A company with a composition of its ``own`` has what that says
    and nothing else, since the printed ones are only called the most common. A ``free`` company is held to nothing but
    sub-units that can be.
    """
    return (*_of_all(company), *_composition_faults(company))


def setup_faults(setup: Setup) -> Iterator[str]:
    """All that keeps a game from beginning, in sentences."""
    for company in setup.companies:
        yield from faults(company)
    names = [company.id for company in setup.companies]
    names += [sub.id for company in setup.companies for sub in company.subs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        yield f"The ids {', '.join(twice)} stand for several things; each company and sub-unit has its own."
    for company in setup.companies:
        if company.side not in setup.sides:
            yield f'{company.id} is of side "{company.side}", which does not play here.'
    for side in setup.sides:
        if not any(company.side == side for company in setup.companies):
            yield f"{side} has no company."
    if not 0 < setup.rules.cotton_in <= MOST_SHELL_IN:
        width = f"{setup.rules.cotton_in:g}″"
        yield f"Balls of cotton are more than 0 and at most {MOST_SHELL_IN:g}″ wide, not {width}."
    for piece in setup.terrain:
        if not shapely.is_valid(shapely.polygons(piece.polygon)):
            yield f'The outline of terrain "{piece.id}" crosses itself; draw it without crossings.'


def _composition_faults(company: Company) -> Iterator[str]:
    kinds = [sub.kind for sub in company.subs]
    squads, tanks, guns = (kinds.count(kind) for kind in ("rifles", "tank", "gun"))
    heavy = sum(kinds.count(kind) for kind in HEAVY)
    name = f"{company.id}, a company of infantry," if company.composition == "infantry" else company.id
    match company.composition:
        case "infantry":
            if squads != RIFLE_SQUADS:
                yield f"{name} has {squads} rifle squads; it has {RIFLE_SQUADS} [{PLACE}]."
            least, most = HEAVY_WEAPONS
            if not least <= heavy <= most:
                yield f"{name} has {heavy} heavy weapons; it has {least} to {most} [{PLACE}]."
            yield from _strangers(company, ("rifles", *HEAVY))
        case "tanks":
            least, most = TANKS
            if not least <= tanks <= most:
                yield f"{name} is a tank company of {tanks} tanks; it has {least} to {most} [{PLACE}]."
            yield from _strangers(company, ("tank",))
        case "battery":
            least, most = GUNS
            if not least <= guns <= most:
                yield f"{name} is a battery of {guns} guns; it has {least} to {most} [{PLACE}]."
            yield from _strangers(company, ("gun",))
        case "own":
            for kind, least, most in company.makeup:
                if not least <= kinds.count(kind) <= most:
                    span = f"{least}" if least == most else f"{least} to {most}"
                    has = f"{kinds.count(kind)} of kind {kind}"
                    yield f"{name} has {has}; its own composition has {span} of them."
            yield from _strangers(company, tuple(kind for kind, _, _ in company.makeup))


def _strangers(company: Company, own: tuple[str, ...]) -> Iterator[str]:
    known = own if company.composition == "own" else (*own, "vehicle", "half-track")
    where = "" if company.composition == "own" else f" [{PLACE}]"
    for sub in company.subs:
        if sub.kind not in known:
            yield f"{sub.id} is a {KIND_WORDS[sub.kind]}, which has no place in {company.id}{where}."


def _of_all(company: Company) -> Iterator[str]:
    if not company.subs:
        yield f"{company.id} has no sub-units."
    if company.leader not in {sub.id for sub in company.subs}:
        yield f'{company.id} is led by "{company.leader}", which is none of its sub-units [Leadership Figures].'
    if not company.radius_in > 0:
        yield f"{company.id} has a control radius of {company.radius_in:g} inches; it is more than 0."
    if company.chits < 0:
        yield f"{company.id} has {company.chits} morale markers; there can't be fewer than none."
    for sub in company.subs:
        if sub.soldiers and sub.men < 1:
            yield f"{sub.id} is a {KIND_WORDS[sub.kind]} without soldiers; give it men, at least 1."
        if not sub.soldiers and sub.men:
            yield f"{sub.id} is a {KIND_WORDS[sub.kind]}, which is hit as a whole; leave its {sub.men} men out."
        if not 0 <= sub.cover <= MOST_COVER:
            yield f"{sub.id} is in cover of level {sub.cover}; levels are 0 (none) to {MOST_COVER} [Save rolls]."
