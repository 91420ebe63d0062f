"""Families of traced tables: a mat together with the materials of its terrain and its light.

Nets learn from the families of ``TRAIN`` and are judged on those of ``TEST`` as well. The two share no mat and no
stuff.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from synthetic.traced.stuffs import Stuff

Split = Literal["train", "test"]
Light = Literal["room", "lamp", "window", "coloured", "glare"]

STUFFS: dict[str, Stuff] = {
    # mats
    "static grass": Stuff("flock", ("6f8a3c", "8aa04e", "55702c", "8a7048"), 0.1, 0.025),
    "autumn grass": Stuff("flock", ("8f8440", "a8964e", "74702e", "7a5634"), 0.1, 0.025),
    "sprinkled snow": Stuff("snow", ("e2e8ee", "f0f2f4", "8e8672"), 0.04, 0.012, 0.75),
    "glued sand": Stuff("grains", ("cdb083", "d8bf95", "b8986a", "a08a68"), 0.05, 0.012),
    "flagged dungeon": Stuff("stones", ("7f8088", "92939a", "6b6a70", "3c3b40"), 1.0, 0.025, 0.8),
    "printed meadow": Stuff("print", ("6e8644", "4c6430", "8b9450", "96794c"), 0.09, 0.002, 0.6, 0.1),
    "green baize": Stuff("cloth", ("2f6a3a", "2b6337"), 0.05, 0.006, 0.95),
    "city rubble": Stuff("rubble", ("8d887e", "9f9a8e", "b4aea2", "8b5a48", "6e6b66"), 0.14, 0.03),
    "churned mud": Stuff("mud", ("6b5238", "5a4530", "7b6346"), 0.12, 0.03, 0.6, 0.15),
    "pine table": Stuff("planks", ("c99a62", "b98a54"), 4.5, 0.004, 0.45, 0.15),
    "rocky desert": Stuff("rock", ("b5835a", "a5734c", "c79a70", "dcb890"), 0.2, 0.02),
    "sea cloth": Stuff("cloth", ("2d5f8f", "3a6d9c", "27527e"), 0.06, 0.008, 0.8),
    "glazed tiles": Stuff("tiles", ("b9b4aa", "a8a298", "7d7a75"), 4.0, 0.012, 0.25, 0.5),
    "grey boards": Stuff("panels", ("7c8084", "6a6e74", "a6a8aa"), 6.0, 0.02, 0.7),
    # terrain that is learnt from
    "summer flock": Stuff("flock", ("5c7a30", "78923f", "4b6628", "6e5a3a"), 0.08, 0.02),
    "dark flock": Stuff("flock", ("3f5a28", "557038", "344c22", "5a4630"), 0.08, 0.02),
    "forest litter": Stuff("leaves", ("5a4630", "8a5f30", "6f6a30", "a0783c"), 0.12, 0.02),
    "stone basing": Stuff("grains", ("8d8678", "9c9484", "7a7468", "b0a894"), 0.06, 0.015),
    "earth basing": Stuff("grains", ("7a5f42", "8a6d4c", "6a5238", "a08a68"), 0.05, 0.014),
    "bare foam": Stuff("painted", ("8aa07a", "7f9670"), 0.1, 0.008, 0.9),
    "white flock": Stuff("snow", ("dde4ea", "eceff1", "9a9a90"), 0.06, 0.012, 0.8),
    "slate rock": Stuff("rock", ("77756f", "66645f", "8a8880", "b4b2aa"), 0.12, 0.02),
    "sand paper": Stuff("grains", ("c4a274", "d0b083", "b08e62", "8f7a58"), 0.04, 0.008),
    "dirt track": Stuff("track", ("9a7d55", "a88c62", "7f8a48"), 0.1, 0.012),
    "pale track": Stuff("track", ("c2a87c", "d0b890", "a89468"), 0.1, 0.012),
    "grey road": Stuff("paved", ("5c5c5e", "666668", "8a8a88"), 0.05, 0.008, 0.85),
    "cobbled road": Stuff("paved", ("8b867c", "7a766e", "a09a8e"), 0.22, 0.014, 0.8),
    "blue river": Stuff("water", ("24507a", "4f8aa8", "c8dce4"), 0.2, 0.008, 0.08, 0.9),
    "brown river": Stuff("water", ("4a4430", "7a6c48"), 0.25, 0.006, 0.06, 1.0, 0.35),
    "frozen river": Stuff("water", ("a9c4d4", "cfdfe8", "eef4f6"), 0.4, 0.004, 0.12, 0.6, 0.25),
    "corduroy": Stuff("rows", ("a8803e", "7a5c2e"), 0.2, 0.05, 0.95),
    "ploughed earth": Stuff("rows", ("735538", "503a28"), 0.3, 0.06),
    "winter field": Stuff("rows", ("c9ccc8", "8a7a64"), 0.35, 0.05),
    "green rows": Stuff("rows", ("6a8a3a", "5f4a30"), 0.3, 0.06),
    "cobbles": Stuff("stones", ("8f8a80", "7f7b74", "a09a90", "55524c"), 0.22, 0.016),
    "beaten earth": Stuff("grains", ("b0966c", "bfa67c", "a0855c", "8a7552"), 0.04, 0.008),
    "marsh turf": Stuff("flock", ("6a6e34", "7f8040", "4f5a2a", "4a3f2a"), 0.14, 0.025),
    "red brick": Stuff("bricks", ("9a4f3c", "8a4636", "a86048", "b8aa98"), 0.07, 0.006),
    "lime plaster": Stuff("painted", ("d8cfba", "cdc3ac"), 0.1, 0.004),
    "adobe": Stuff("painted", ("c8a274", "bb9466"), 0.1, 0.01),
    "clay tiles": Stuff("bricks", ("a5553a", "94492f", "b4644a", "5f3020"), 0.11, 0.02),
    "grey slates": Stuff("bricks", ("5c5f66", "6a6d74", "50535a", "35363a"), 0.1, 0.012),
    "weathered boards": Stuff("planks", ("8a7458", "76634c"), 0.16, 0.008, 0.8),
    # terrain that is only judged on
    "moss sponge": Stuff("cork", ("6f7a34", "848c40", "5a6430", "3c4424"), 0.16, 0.03),
    "red litter": Stuff("leaves", ("6a4a34", "a34f2c", "c07a34", "7a3a2a"), 0.14, 0.02),
    "cork bark": Stuff("cork", ("8d6a48", "7a5a3c", "a4835c", "3f2e20"), 0.2, 0.03),
    "brown felt": Stuff("felt", ("77563a", "6c4e34"), 0.1, 0.008),
    "olive felt": Stuff("felt", ("5a6436", "525c32"), 0.1, 0.008),
    "red sandstone": Stuff("rock", ("a8683f", "955836", "bd8055", "d8a67c"), 0.14, 0.025),
    "grey foam": Stuff("painted", ("8e9092", "80848a"), 0.1, 0.006),
    "ochre gravel": Stuff("grains", ("a87c4c", "b88c58", "94693e", "d8b484"), 0.09, 0.02),
    "rutted clay": Stuff("track", ("8b5f40", "7a5036", "5a3c2a"), 0.1, 0.014),
    "plank road": Stuff("paved", ("7a6248", "6b553e", "56432f"), 0.3, 0.014, 0.85),
    "slab road": Stuff("paved", ("9a9c9e", "8a8d90", "5c5e62"), 0.6, 0.012, 0.8),
    "felt ribbon": Stuff("felt", ("a58a5c", "9a8054"), 0.1, 0.008),
    "green resin": Stuff("water", ("2f4a34", "5a7a52"), 0.3, 0.006, 0.03, 1.0, 0.6),
    "toxic stream": Stuff("water", ("5a7a28", "a0b040", "d8e08a"), 0.15, 0.008, 0.1, 0.9),
    "teal felt": Stuff("felt", ("3a7a86", "33707c"), 0.1, 0.006),
    "towel field": Stuff("rows", ("c2a04e", "8f7434"), 0.26, 0.07, 0.98),
    "coir mat": Stuff("rows", ("b08a50", "6e5430"), 0.4, 0.09, 0.98),
    "planted beds": Stuff("rows", ("4f6a34", "4a3a2c"), 0.42, 0.07),
    "setts": Stuff("stones", ("a89c88", "988c78", "b8ae9a", "6a6254"), 0.35, 0.018),
    "concrete slab": Stuff("panels", ("a3a29c", "97968f", "c2c0b8"), 2.0, 0.012),
    "clay court": Stuff("grains", ("b07048", "a0643f", "bf8258", "8a5a3c"), 0.04, 0.008),
    "reed mire": Stuff("leaves", ("4c4a2a", "6a6634", "3a3c24", "8a8248"), 0.16, 0.02),
    "sandstone blocks": Stuff("bricks", ("c2a06c", "b4925f", "ceb080", "8a7048"), 0.14, 0.008),
    "grey render": Stuff("painted", ("a8a8a4", "9c9c98"), 0.1, 0.004),
    "rust plates": Stuff("panels", ("8a5a40", "76503c", "a8836a"), 0.5, 0.01, 0.6),
    "thatch": Stuff("planks", ("b09456", "9a7f48"), 0.06, 0.02, 0.97),
    "green sheet": Stuff("bricks", ("5f7a6a", "54705f", "6c8676", "3c4c42"), 0.2, 0.012),
}  # fmt: skip


@dataclass(frozen=True)
class Family:
    """Names of ``STUFFS``: the ``mat``'s, and possible names for hills, wood bases, roads, rivers, fields, pavings,
    marshes, walls and roofs; ``mat`` among ``hills`` is the mat's own stuff. ``trees``
    (``synthetic.traced.trees``), ``houses`` (``synthetic.traced.houses``), possible ``lights``, ``hill_styles``;
    ``tufts``: whether grass grows on it."""

    split: Split
    mat: str
    hills: tuple[str, ...]
    woods: tuple[str, ...]
    roads: tuple[str, ...]
    rivers: tuple[str, ...]
    fields: tuple[str, ...]
    towns: tuple[str, ...]
    marshes: tuple[str, ...]
    walls: tuple[str, ...]
    roofs: tuple[str, ...]
    trees: tuple[str, ...]
    houses: tuple[str, ...]
    lights: tuple[Light, ...]
    hill_styles: tuple[str, ...] = ("soft", "stepped", "cliff")
    basing: tuple[str, ...] = ()
    tufts: float = 0.0

    def owned(self, kit: int) -> Family:
        """One player's things of the family: a single stuff, tree, house and style of hill of each sort, in any of its
        light; the same for the same ``kit``."""
        rng = np.random.default_rng([kit, sum(self.mat.encode()), 17])
        sorts = [
            one.name for one in fields(self) if isinstance(getattr(self, one.name), tuple) and one.name != "lights"
        ]
        chosen: dict[str, Any] = {
            name: (some[int(rng.integers(len(some)))],) for name in sorts if (some := getattr(self, name))
        }
        return replace(self, **chosen)

    @property
    def stuffs(self) -> frozenset[str]:
        """All materials of the mat and of everything on it."""
        kinds = (self.hills, self.woods, self.roads, self.rivers, self.fields, self.towns, self.marshes, self.walls,
                 self.roofs, self.basing, (self.mat,))  # fmt: skip
        return frozenset(name for kind in kinds for name in kind)


FAMILIES: dict[str, Family] = {
    "grass": Family(
        "train", "static grass", ("static grass", "summer flock", "slate rock"), ("dark flock", "forest litter"),
        ("dirt track", "pale track", "cobbled road"), ("blue river", "brown river"), ("corduroy", "ploughed earth",
        "green rows"), ("cobbles", "beaten earth"), ("marsh turf",), ("red brick", "lime plaster"),
        ("clay tiles", "grey slates"), ("leafy", "fir", "poplar"), ("gabled",), ("room", "window"),
        basing=("summer flock", "earth basing"), tufts=0.6),
    "autumn": Family(
        "train", "autumn grass", ("autumn grass", "earth basing"), ("forest litter", "earth basing"),
        ("dirt track", "cobbled road"), ("brown river", "blue river"), ("ploughed earth", "corduroy"),
        ("cobbles", "beaten earth"), ("marsh turf",), ("lime plaster", "weathered boards"), ("grey slates",
        "clay tiles"), ("turning", "bare"), ("gabled", "ruin"), ("window", "lamp"),
        basing=("earth basing", "dark flock"), tufts=0.5),
    "snow": Family(
        "train", "sprinkled snow", ("sprinkled snow", "white flock", "slate rock"), ("white flock", "stone basing"),
        ("dirt track", "grey road"), ("frozen river", "brown river"), ("winter field", "ploughed earth"),
        ("cobbles", "stone basing"), ("white flock",), ("weathered boards", "red brick"), ("grey slates",),
        ("snowy fir", "bare"), ("gabled", "ruin"), ("room", "lamp", "window"),
        basing=("white flock", "earth basing")),
    "sand": Family(
        "train", "glued sand", ("glued sand", "sand paper", "slate rock"), ("sand paper", "stone basing"),
        ("pale track", "dirt track"), ("brown river", "blue river"), ("green rows", "corduroy"),
        ("beaten earth", "cobbles"), ("marsh turf",), ("adobe", "lime plaster"), ("adobe",), ("palm", "scrub"),
        ("flat",), ("room", "lamp", "glare"), basing=("sand paper", "earth basing")),
    "mud": Family(
        "train", "churned mud", ("churned mud", "earth basing"), ("forest litter", "stone basing"),
        ("grey road", "dirt track"), ("brown river",), ("ploughed earth", "green rows"), ("cobbles", "stone basing"),
        ("marsh turf",), ("red brick", "weathered boards"), ("grey slates",), ("bare", "stump"), ("ruin", "gabled"),
        ("lamp", "room"), basing=("earth basing", "dark flock")),
    "print": Family(
        "train", "printed meadow", ("bare foam", "summer flock"), ("dark flock", "summer flock"),
        ("dirt track", "grey road"), ("blue river",), ("corduroy", "green rows"), ("cobbles", "beaten earth"),
        ("marsh turf",), ("lime plaster", "red brick"), ("clay tiles",), ("leafy", "lichen"), ("gabled",),
        ("glare", "room", "window"), basing=("summer flock", "sand paper")),
    "baize": Family(
        "train", "green baize", ("green baize", "bare foam"), ("dark flock", "forest litter"),
        ("pale track", "grey road"), ("blue river",), ("corduroy", "ploughed earth"), ("beaten earth", "cobbles"),
        ("marsh turf",), ("lime plaster", "red brick"), ("clay tiles", "grey slates"), ("leafy", "fir", "lichen"),
        ("gabled", "flat"), ("lamp", "window"), hill_styles=("soft", "cloth", "stepped"),
        basing=("summer flock", "sand paper")),
    "dungeon": Family(
        "train", "flagged dungeon", ("slate rock",), ("stone basing",), ("cobbled road", "grey road"),
        ("blue river",), ("ploughed earth",), ("cobbles",), ("marsh turf",), ("red brick",), ("grey slates",),
        ("stump", "bare"), ("ruin",), ("coloured", "lamp"), hill_styles=("stepped", "cliff"),
        basing=("stone basing", "dark flock")),
    "rubble": Family(
        "test", "city rubble", ("grey foam", "city rubble"), ("moss sponge",), ("slab road", "rutted clay"),
        ("toxic stream", "green resin"), ("planted beds",), ("concrete slab", "setts"), ("reed mire",),
        ("grey render", "sandstone blocks"), ("green sheet",), ("dead", "bush"), ("ruin", "block"),
        ("window", "lamp"), basing=("ochre gravel", "moss sponge")),
    "rocks": Family(
        "test", "rocky desert", ("red sandstone", "rocky desert"), ("ochre gravel", "moss sponge"),
        ("rutted clay", "felt ribbon"), ("green resin",), ("planted beds", "coir mat"), ("clay court", "setts"),
        ("reed mire",), ("sandstone blocks",), ("thatch", "sandstone blocks"), ("cactus", "bush"), ("dome", "hut"),
        ("room", "lamp"), hill_styles=("cliff", "stepped"), basing=("ochre gravel", "cork bark")),
    "wood": Family(
        "test", "pine table", ("cork bark", "olive felt"), ("olive felt", "brown felt"), ("felt ribbon",),
        ("teal felt",), ("towel field",), ("brown felt", "setts"), ("olive felt",), ("sandstone blocks",
        "grey render"), ("thatch", "green sheet"), ("cone", "bush"), ("hut", "block"), ("room", "window", "glare"),
        hill_styles=("stepped",), basing=("moss sponge", "ochre gravel")),
    "sea": Family(
        "test", "sea cloth", ("cork bark", "red sandstone"), ("moss sponge", "ochre gravel"),
        ("plank road", "felt ribbon"), ("green resin",), ("coir mat",), ("setts", "clay court"), ("reed mire",),
        ("sandstone blocks", "grey render"), ("thatch",), ("dead", "bush", "cone"), ("hut", "dome"),
        ("window", "coloured"), basing=("ochre gravel", "moss sponge")),
    "tiles": Family(
        "test", "glazed tiles", ("grey foam", "olive felt"), ("olive felt", "moss sponge"),
        ("felt ribbon", "slab road"), ("teal felt", "green resin"), ("towel field", "coir mat"),
        ("concrete slab", "brown felt"), ("olive felt",), ("grey render", "rust plates"), ("green sheet",),
        ("cone", "wire"), ("block", "hut"), ("glare", "room"), hill_styles=("stepped",),
        basing=("moss sponge", "ochre gravel")),
    "boards": Family(
        "test", "grey boards", ("grey foam", "red sandstone"), ("moss sponge", "red litter"),
        ("slab road", "plank road"), ("toxic stream",), ("planted beds",), ("concrete slab",), ("reed mire",),
        ("rust plates", "grey render"), ("rust plates", "green sheet"), ("dead", "wire"), ("block", "ruin"),
        ("coloured", "lamp"), hill_styles=("stepped", "cliff"), basing=("ochre gravel", "cork bark")),
}  # fmt: skip
TRAIN = tuple(name for name, family in FAMILIES.items() if family.split == "train")
TEST = tuple(name for name, family in FAMILIES.items() if family.split == "test")


def family_names(which: str) -> tuple[str, ...]:
    """The families of a name, of a split or of ``all``; raises ValueError for an unknown name."""
    known = {"train": TRAIN, "test": TEST, "all": tuple(FAMILIES)}
    if which not in FAMILIES and which not in known:
        raise ValueError(f'Family "{which}" is not traced: choose train, test, all or one of {", ".join(FAMILIES)}.')
    return known.get(which, (which,))
