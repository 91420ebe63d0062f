"""One sub-unit aims: its weapon, the range and its band, sight, what it adds, and what speaks against it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from geometry.tolerance import TOLERANCE
from tabletop.game.domains import Choice
from tabletop.game.violations import Violation
from tabletop.rulesets.combat_captain.actions import Fire
from tabletop.rulesets.combat_captain.data import (
    BANDS,
    GRADES,
    KIND_WORDS,
    MODIFIERS,
    NO,
    OPEN,
    STATIONARY,
    STATIONARY_TURNS,
    YES,
    Band,
    Weapon,
)
from tabletop.rulesets.combat_captain.field import SIGHT
from tabletop.rulesets.combat_captain.state import Stand, State

RANGES = "Fire Chart, Weapon Ranges"


MODIFIER_PLACE = "Fire Chart, Modifiers"


@dataclass(frozen=True, eq=False)
class Aim:
    """One sub-unit's part of a fire: its weapon, the range, the band that counts, what it adds, whether it may.

    ``answer`` is YES, OPEN where only measurements leave it open, or NO; ``reasons`` tell why when they are asked for.
    """

    stand: Stand
    weapon: Weapon
    range_in: float
    sigma_in: float
    band: Band
    bands: tuple[Band, ...]
    add: int
    modifiers: tuple[str, ...]
    answer: int
    reasons: Callable[[], Iterator[Violation]]

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """All that speaks against it."""
        return () if self.answer == YES else tuple(self.reasons())


def calls_of(action: Fire) -> dict[str, str]:
    """What the players called, by sub-unit (``target`` for its cover); a range and a sight of one are apart."""
    found = {}
    for call in action.calls:
        name, _, value = call.partition("=")
        if value == "seen":
            found[f"{name} sight"] = value
        elif value:
            found[name] = value
        else:
            found["target"] = name
    return found


def aim(
    state: State,
    firer: Stand,
    weapon: Weapon,
    target: Stand,
    calls: Mapping[str, str] = MappingProxyType({}),
    stationary: bool = False,
    spotter: str = "",
) -> Aim:
    """One sub-unit's fire at a target; both stand on the table and are enemies. What nobody called is kept.

    ``spotter`` sees for a mortar: a friend on the table.
    """
    if not is_mortar(weapon):
        spotter = ""
    if calls or stationary or spotter:
        return _aim(state, firer, weapon, target, calls, stationary, spotter)
    key = firer.id, weapon.name, target.id
    if key not in state.memo:
        state.memo[key] = _aim(state, firer, weapon, target, calls, stationary, spotter)
    found: Aim = state.memo[key]
    return found


def _aim(
    state: State, firer: Stand, weapon: Weapon, target: Stand, calls: Mapping[str, str], stationary: bool, spotter: str
) -> Aim:
    field, name = state.field, firer.id
    value, sigma = field.range_in(name, target.id)
    forest = field.in_forest(name, target.id) if field.features else NO
    bands = _bands(weapon, value, sigma, forest)
    called = calls.get(name)
    if called in bands:
        bands = (called,)
    eyes = (name, spotter) if spotter else (name,)
    sees = max(_sees(state, eye, target.id, calls) for eye in eyes)
    modifier = MODIFIERS.get((weapon.fires_as, target.plan.struck_as))
    words = [f"{weapon_words(weapon)} {modifier:+d}"] if modifier else []
    add = modifier or 0
    if stationary and is_gun(weapon):
        add += STATIONARY
        words.append(f"stationary {STATIONARY:+d}")
    answer = YES
    if modifier is None or sees == NO or bands == ("out",):
        answer = NO
    elif sees == OPEN or len(bands) > 1:
        answer = OPEN

    def reasons() -> Iterator[Violation]:
        yield from _range_reasons(firer, weapon, target, bands, (value, sigma))
        if sees < YES:
            yield _sight_reason(state, eyes, target.id, sees)
        if modifier is None:
            what = f"{target.plan.armour} armour" if target.plan.kind == "tank" else KIND_WORDS[target.plan.kind]
            text = f"The {weapon_words(weapon)} of {name} can do nothing against {what}: only guns fire at armour."
            yield Violation("no-effect", text, MODIFIER_PLACE)

    return Aim(firer, weapon, value, sigma, bands[0], bands, add, tuple(words), answer, reasons)


def is_mortar(weapon: Weapon) -> bool:
    """Whether another may see for it: a mortar or its spotter needs sight [Fire Chart, line of sight]."""
    return weapon.fires_as == "mortar"


def is_gun(weapon: Weapon) -> bool:
    """Whether it is a tank's cannon, an anti-tank gun or on-table artillery [Fire Chart]; a bazooka is none."""
    return weapon.fires_as in GRADES and weapon.name != "bazooka"


def stood_still(state: State, stand: Stand) -> bool:
    """Whether this is at least the third turn that a stand stands where it stands [Fire Chart, Modifiers]."""
    return state.turn - stand.since >= STATIONARY_TURNS


def still_guns(state: State, stands: Iterable[tuple[Stand, Weapon]], target: Stand) -> tuple[str, ...]:
    """Guns of those who fire that stood still for the third turn, at a target that did."""
    if not stood_still(state, target):
        return ()
    return tuple(stand.id for stand, weapon in stands if is_gun(weapon) and stood_still(state, stand))


def _range_reasons(
    firer: Stand, weapon: Weapon, target: Stand, bands: tuple[Band, ...], measured: tuple[float, float]
) -> Iterator[Violation]:
    value, sigma = measured
    numbers = {"range_in": round(value, 3), "sigma_in": round(sigma, 4)}
    far = f"{firer.id} is {length_words(value, sigma)} from {target.id}"
    if bands == ("out",):
        text = f"{far}, and its {weapon_words(weapon)} reaches {weapon.reach_in:g}″."
        yield Violation("out-of-range", text, RANGES, numbers)
    elif len(bands) > 1:
        ways = " or ".join(BAND_WORDS[one] for one in bands)
        text = f"{far}: {ways}? Measure it, and say."
        usage = tuple(f"measured {firer.id}={one}" for one in bands if one != "out")
        choices = tuple(
            Choice(f"{firer.id}={one}", f"{firer.id} is at {BAND_WORDS[one]}") for one in bands if one != "out"
        )
        yield Violation("open-range", text, RANGES, numbers, "too-close", field="calls", choices=choices, usage=usage)


def _sees(state: State, eye: str, target: str, calls: Mapping[str, str]) -> int:
    """Whether a sub-unit sees a target, or the players found that it does."""
    sees = state.field.sees(eye, target)
    return YES if sees == OPEN and calls.get(f"{eye} sight") else sees


def _sight_reason(state: State, eyes: tuple[str, ...], target: str, sees: int) -> Violation:
    """Why none of those who look sees a target, or what is to be looked along."""
    field = state.field
    if sees == NO:
        why = "; ".join(dict.fromkeys(obstacle.words for eye in eyes for obstacle in field.obstacles(eye, target)))
        who = f"{eyes[0]} does not see" if len(eyes) == 1 else f"Neither {eyes[0]} nor its spotter {eyes[1]} sees"
        return Violation("no-sight", f"{who} {target}: {why}.", SIGHT)
    eye = next(eye for eye in eyes if field.sees(eye, target) == OPEN)
    why = "; ".join(obstacle.words for obstacle in field.obstacles(eye, target))
    text = f"Does {eye} see {target}? {why[:1].upper()}{why[1:]}. Look along it; if it does, say so."
    choices = (Choice(f"{eye}=seen", f"{eye} sees {target}"),)
    usage = (f"measured {eye}=seen",)
    return Violation("open-sight", text, SIGHT, answer="too-close", field="calls", choices=choices, usage=usage)


def length_words(value_in: float, sigma_in: float) -> str:
    """A length with its 95 % spread, where it has one.

    >>> length_words(7.96, 0.0), length_words(7.96, 0.1)
    ('7.96″', '7.96″ ± 0.20″')
    """
    spread = TOLERANCE.sureness * sigma_in
    return f"{value_in:.2f}″" + (f" ± {spread:.2f}″" if spread > TOLERANCE.length_in else "")


BAND_WORDS: Mapping[Band, str] = {
    "short": "short range",
    "medium": "medium range",
    "long": "long range",
    "out": "out of range",
}


def weapon_words(weapon: Weapon) -> str:
    """A weapon in words."""
    words = {"rifles": "rifles", "enhanced": "enhanced small arms", "crewed-mg": "crewed machine gun"}
    words |= {"mg": "machine gun", "gun-normal": "gun"}
    return words.get(
        weapon.name, weapon.name.replace("gun-inferior", "inferior gun").replace("gun-superior", "superior gun")
    )


def _bands(weapon: Weapon, value: float, sigma: float, forest: int) -> tuple[Band, ...]:
    """The bands that a measured range may be in, the likeliest first; in a forest all fire is at long range."""
    slack = TOLERANCE.sureness * sigma
    near = TOLERANCE.length_in
    if slack <= near:
        found: tuple[Band, ...] = (weapon.band(value - near),)
    else:
        order = (*BANDS, "out")
        first, last = (order.index(weapon.band(max(0.0, v))) for v in (value - slack, value + slack))
        known = {weapon.band(value - near): None} | {
            band: None for band in order[first : last + 1] if band == "out" or band in dict(weapon.limits)
        }
        found = tuple(known)
    if forest == NO:
        return found
    deep: tuple[Band, ...] = tuple(dict.fromkeys("out" if band == "out" else "long" for band in found))
    return deep if forest == YES else tuple(dict.fromkeys((*found, *deep)))
