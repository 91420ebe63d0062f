"""Hits of a shot in One-Hour WWII reckoned face by face, from the rules text alone and slowly.

Nothing of the game is imported: dice, tables and readings are written out again here. A shot's worth is kept in whole
quarters of a hit, so that no halving is ever rounded before the end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

FACES = {"d6": [1, 2, 3, 4, 5, 6], "d5": [2, 3, 3, 4, 4, 5]}

TABLE = """
             infantry  mortar  atg  tank
    infantry        0      -2    0    -2
    mortar          2       0    2    -2
    atg            -2      -2   -2     2
    tank            0       0    0     2
"""

FIRES_AS = {"infantry": "infantry", "mortar": "mortar", "atg": "atg", "tank": "tank", "mortar-tank": "mortar"}
TARGET_AS = {"infantry": "infantry", "mortar": "mortar", "atg": "atg", "tank": "tank", "mortar-tank": "tank"}
REACH = {"infantry": {"close": 4, "normal": 12}, "mortar": {"normal": 48}}
REACH["atg"] = REACH["tank"] = {"close": 4, "normal": 12, "long": 24}


@dataclass(frozen=True)
class Fact:
    """Everything that a shot's hits hang on."""

    firer: str
    target: str
    band: str = "normal"
    hits: int = 0
    on_rear: bool = False
    to_rear: bool = False
    town: bool = False
    woods: bool = False
    hill_top: bool = False
    dug_in: bool = False
    dice: str = "d5"


def from_table(firer: str, target: str) -> int:
    """The number printed in the fire table."""
    head, *rows = [line.split() for line in TABLE.strip().splitlines()]
    found = {row[0]: dict(zip(head, row[1:], strict=True)) for row in rows}
    return int(found[FIRES_AS[firer]][TARGET_AS[target]])


def hits_of_face(fact: Fact, face: int) -> int:
    mortar = FIRES_AS[fact.firer] == "mortar"
    die = face
    if fact.hits >= 10:
        die -= 2
    elif fact.hits >= 5:
        die -= 1
    die += from_table(fact.firer, fact.target)
    if not mortar:
        die += 2 if fact.on_rear else 0
        die -= 2 if fact.to_rear else 0
    if die < 0:
        die = 0
    quarters = 4
    for halves in (
        fact.town,
        fact.dug_in,
        fact.woods and not mortar,
        fact.hill_top and TARGET_AS[fact.target] == "tank" and not mortar,
        fact.band == "long",
    ):
        if halves and quarters > 1:
            quarters //= 2
    if fact.band == "close":
        quarters *= 2
    return die * quarters // 4


def chances(fact: Fact) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for face in FACES[fact.dice]:
        hits = hits_of_face(fact, face)
        found[hits] = found.get(hits, Fraction(0)) + Fraction(1, 6)
    return found


def bands(firer: str) -> list[str]:
    return list(REACH[FIRES_AS[firer]])


def facts(dice: str) -> Iterator[Fact]:
    """Every combination of circumstances with one kind of dice; hits at every threshold and just below."""
    yes_no = (False, True)
    for firer in FIRES_AS:
        for target in TARGET_AS:
            for band in bands(firer):
                for hits in (0, 4, 5, 9, 10, 14):
                    for flags in range(64):
                        on_rear, to_rear, town, woods, top, dug_in = (yes_no[flags >> n & 1] for n in range(6))
                        yield Fact(firer, target, band, hits, on_rear, to_rear, town, woods, top, dug_in, dice)
