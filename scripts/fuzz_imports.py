"""Import random files of other programs: ``python scripts/fuzz_imports.py --maps 2000 --rosters 2000``.

Each map is drawn as carelessly as map makers do, with terrain that is known exactly, the same for the same seed
(``scripts/fuzzing/maps.py``). No area may be off by more than 2 % and 0.1 square inches, and every wall must be
in a piece or reported as left out. Each roster nests units, models and entries that only look like them at random, in
every form that is read; every model must be imported in its unit or named as left out. Prints what is wrong, one line
for each fault; exit status 1 where anything is.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from scripts.fuzzing.maps import faults_of_map, random_map
from tabletop.errors import TabletopError
from tabletop.imports.base_sizes import base_of
from tabletop.imports.roster_model import MOST_MODELS, MOST_UNITS, short
from tabletop.imports.rosters import read_roster
from tabletop.imports.together import Wishes, import_files
from tabletop.tables.tablefile import parse_table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--maps", type=int, default=0, metavar="N")
    parser.add_argument("--rosters", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; each file has the next one")
    asked = parser.parse_args()
    faults = 0
    for fault in (*map_faults(asked.seed, asked.maps), *roster_faults(asked.seed, asked.rosters)):
        faults += 1
        print(fault)
    print(f"{asked.maps} maps, {asked.rosters} rosters, {faults} faults.")
    return 1 if faults else 0


def map_faults(seed: int, maps: int) -> Iterator[str]:
    """What is wrong with the imports of some maps, each with its seed."""
    for one in range(seed, seed + maps):
        for fault in faults_of_map(random_map(one)):
            yield f"map {one}: {fault}"


def roster_faults(seed: int, rosters: int) -> Iterator[str]:
    """What is wrong with the imports of some rosters, each with its seed."""
    for one in range(seed, seed + rosters):
        for fault in faults_of_roster(one):
            yield f"roster {one}: {fault}"


# --- rosters ---------------------------------------------------------------------------------------------------------

Entry = dict[str, Any]
Truth = list[tuple[str, int]]
"""A roster's units in their order, each with its models."""
WORDS = (
    "Iron", "Köhler’s", "Wolf", "«Ash»", "Señor", "Ólaf", "水", "Grey", "O'Brien", "Red=Blue", "<Tor>", "&", "Ω",
)  # fmt: skip
ROLES = ("Pike", "Rifle", "Lancer", "Gunner", "Scout", "Drone", "Rider", "Crew")
UNIT_PROFILE = {"name": "P", "typeName": "Unit", "characteristics": [{"name": "M", "$text": '6"'}]}
WEAPON_PROFILE = {"name": "W", "typeName": "Ranged Weapons", "characteristics": [{"name": "Range", "$text": '24"'}]}


class RosterMaker:
    """Makes one random roster, and keeps what is true of it: ``units`` and how many models ``left_out`` names."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.units: Truth = []
        self.left_out = 0

    def make(self) -> Entry:
        """The roster's tree in the form of New Recruit's JSON."""
        forces = [self._force(0) for _ in range(self.rng.randint(1, 3))]
        if not self.units:
            forces[0]["selections"].append(self._single())
        return {"name": self._name(), "forces": forces}

    def _force(self, depth: int) -> Entry:
        kinds = (
            self._squad, self._squad, self._single, self._drones, self._group, self._upgrade, self._warband,
            self._carrier, self._mount, self._setting, self._detachment, self._nothing,
        )  # fmt: skip
        selections = [self.rng.choice(kinds)() for _ in range(self.rng.randint(0, 5))]
        inner = [self._force(depth + 1) for _ in range(self.rng.randint(0, 2 - depth))] if depth < 2 else []
        return {"name": self._name(), "selections": selections, "forces": inner}

    def _name(self) -> str:
        words = self.rng.sample(WORDS, self.rng.randint(1, 3))
        return " ".join(words) * (1 if self.rng.random() < 0.95 else 9)

    def _role(self) -> str:
        return f"{self.rng.choice(WORDS)} {self.rng.choice(ROLES)}"

    def _entry(self, kind: str, *inner: Entry, name: str = "", number: int = 1, profile: bool = False) -> Entry:
        made: Entry = {"name": name or self._name(), "type": kind, "selections": [*inner]}
        if number != 1 or self.rng.random() < 0.7:
            made["number"] = number
        if profile:
            made["profiles"] = [UNIT_PROFILE]
        if self.rng.random() < 0.3:
            made["customName"] = f"{made['name']} II"
        return made

    def _weapons(self) -> list[Entry]:
        def weapon() -> Entry:
            made = self._entry("upgrade", name="Lance", number=self.rng.choice((1, 2, 10)))
            return {**made, "profiles": [WEAPON_PROFILE], "customName": ""}

        return [weapon() for _ in range(self.rng.randint(0, 2))]

    def _add(self, entry: Entry, models: int) -> Entry:
        self.units.append((entry.get("customName") or entry["name"], models))
        return entry

    def _number(self) -> int:
        return self.rng.choice((0, 1, 1, 2, 3, 5, 9, 20, 70, 9999))

    def _models(self, kind: str, profile: bool) -> tuple[list[Entry], int]:
        """Groups of models, some of them under entries that only sort them, and how many there are."""
        made: list[Entry] = []
        total = 0
        for _ in range(self.rng.randint(1, 4)):
            number = self._number() if made else 1 + self._number()
            one = self._entry(kind, *self._weapons(), name=self._role(), number=min(number, 9999), profile=profile)
            for _ in range(self.rng.choice((0, 0, 0, 1, 2))):
                one = self._entry(self.rng.choice(("upgrade", "unit-group")), one, name="Ranks")
            made.append(one)
            total += min(number, 9999)
        return made, total

    def _squad(self, kinds: Sequence[str] = ("unit", "upgrade")) -> Entry:
        """A unit of any type with models of any type, perhaps with a character or a transport in it."""
        kind = self.rng.choice(kinds)
        inside = self.rng.choice(("model", "upgrade"))
        models, total = self._models(inside, profile=inside == "upgrade" or self.rng.random() < 0.5)
        direct = self._entry("model", name="Sergeant", profile=inside == "upgrade")
        entry = self._entry(kind, direct, *models, *self._weapons(), profile=inside == "model" and kind == "upgrade")
        self._add(entry, total + 1)
        if self.rng.random() < 0.2:
            entry["selections"].append(self._squad(("unit",)) if self.rng.random() < 0.3 else self._attached())
        return entry

    def _attached(self) -> Entry:
        return self._add(self._entry("unit", *self._weapons(), profile=True), 1)

    def _single(self) -> Entry:
        number = self.rng.choice((1, 1, 3))
        return self._add(self._entry("model", *self._weapons(), profile=self.rng.random() < 0.5, number=number), number)

    def _drones(self) -> Entry:
        profiles = self.rng.choice(((False, False), (True, False), (True, True)))
        number = self.rng.randint(1, 4)
        drone = self._entry("model", name="Drone", number=number, profile=profiles[1])
        return self._add(self._entry("model", drone, *self._weapons(), profile=profiles[0]), number + 1)

    def _group(self) -> Entry:
        """A model that only holds others: a mixed team, a crew."""
        models, total = self._models("model", profile=True)
        return self._add(self._entry("model", *models), total)

    def _upgrade(self) -> Entry:
        number = self.rng.choice((1, 1, 4))
        return self._add(self._entry("upgrade", *self._weapons(), profile=True, number=number), number)

    def _warband(self) -> Entry:
        """A captain and warriors: upgrades with the profile of the models in them."""
        number = 1 + self.rng.randint(1, 9)
        warriors = self._entry("upgrade", self._entry("model", name="Warrior", number=number), profile=True)
        captain = self._entry("model", *self._weapons(), profile=True)
        return self._add(self._entry("upgrade", captain, self._entry("upgrade", warriors, name="Warband")), number + 1)

    def _carrier(self) -> Entry:
        """A weapon that is typed as a model, in a model: named."""
        number = self.rng.randint(1, 3)
        self.left_out += number
        bow = {**self._entry("model", name="Bow", number=number), "profiles": [WEAPON_PROFILE]}
        return self._add(self._entry("model", bow, profile=True), 1)

    def _mount(self) -> Entry:
        """A mount with its own profile, in a model: named."""
        self.left_out += 1
        mount = self._entry("upgrade", name="Mount", profile=True)
        return self._add(self._entry("unit", self._entry("model", mount, name="Knight", profile=True)), 1)

    def _setting(self) -> Entry:
        kind = self.rng.choice(("upgrade", "upgrade", "unit"))
        self.left_out += kind == "unit"
        made = self._entry(kind, self._entry("upgrade", name="Large"), name="Battle Size")
        return {**made, "categories": [{"name": self.rng.choice(("Configuration", "Battle Size")), "primary": True}]}

    def _detachment(self) -> Entry:
        """An upgrade that only holds units."""
        units = [self._attached() for _ in range(self.rng.randint(1, 3))]
        return self._entry("upgrade", self._entry("upgrade", *units, name="Regiment"), name="Detachment")

    def _nothing(self) -> Entry:
        """Entries that are not in the list, and options without models."""
        gone = self._entry("unit", self._entry("model", number=7), number=0)
        return self.rng.choice((gone, self._entry("upgrade", *self._weapons(), name="Detachment rules")))


def roster_file(tree: Entry, rng: random.Random) -> tuple[str, bytes]:
    """A name and the bytes of a roster in one of its three forms."""
    form = rng.choice((".json", ".ros", ".rosz"))
    if form == ".json":
        return f"army{form}", json.dumps({"roster": tree}).encode()
    content = f'<?xml version="1.0" encoding="UTF-8"?>\n{"".join(_xml("roster", tree))}'.encode()
    if form == ".rosz":
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as file:
            file.writestr("army.ros", content)
        content = packed.getvalue()
    return f"army{form}", content


def _xml(tag: str, node: Entry) -> Iterator[str]:
    texts = {key: value for key, value in node.items() if not isinstance(value, list) and key != "$text"}
    values = {key: "true" if value is True else str(value) for key, value in texts.items()}
    yield f"<{tag}{''.join(f' {key}={quoteattr(value)}' for key, value in values.items())}>"
    yield node.get("$text", "")
    for key, rows in node.items():
        if isinstance(rows, list):
            yield f"<{key}>"
            for row in rows:
                yield from _xml(key.removesuffix("s") if key != "categories" else "category", row)
            yield f"</{key}>"
    yield f"</{tag}>"


def wild_tree(rng: random.Random, depth: int = 0) -> Entry:
    """Entries of any type with any profile within one another, without any sense."""
    kind = rng.choice(("unit", "model", "model", "upgrade", "upgrade", "unit-group", ""))
    profiles = rng.choice(([UNIT_PROFILE], [WEAPON_PROFILE], [], []))
    inner = [wild_tree(rng, depth + 1) for _ in range(rng.choice((0, 0, 1, 1, 2, 3)) if depth < 4 else 0)]
    category = "Configuration" if rng.random() < 0.1 else "Any"
    return {
        "name": f"N{rng.random()}", "type": kind, "number": 1, "profiles": profiles, "selections": inner,
        "categories": [{"name": category, "primary": True}],
    }  # fmt: skip


def least_models(entry: Entry) -> int:
    """How many models an entry has at least, without models that hold others."""
    return sum(map(least_models, entry["selections"])) or int(entry["type"] == "model")


def make_army_forge(rng: random.Random) -> tuple[Entry, Truth]:
    """A list of Army Forge: combined units, heroes who joined one, units that were removed."""
    rows: list[Entry] = []
    units: Truth = []
    for n in range(rng.randint(1, 12)):
        size = rng.randint(1, 20)
        name = f"{rng.choice(WORDS)} {n}"
        row = {"id": f"u{n}", "selectionId": f"s{n}", "name": name, "size": size, "combined": False, "joinToUnit": None}
        rows.append(row)
        kind = rng.choice(("alone", "combined", "hero", "lost hero"))
        if kind == "combined":
            row["combined"] = True
            rows.insert(rng.randint(0, len(rows)), {**row, "selectionId": f"c{n}", "joinToUnit": f"s{n}"})
        elif kind != "alone":
            host = rng.choice(rows)["selectionId"] if kind == "hero" else "removed"
            rows.append({**row, "selectionId": f"h{n}", "name": f"Hero {n}", "size": 1, "joinToUnit": host})
            units.append((f"Hero {n}", 1))
        upgrades = rng.randint(0, 2) if kind == "alone" else 0
        row["selectedUpgrades"] = [{"option": {"isModel": True}}] * upgrades + [{"option": {"label": "Banner"}}]
        units.append((name, size * (2 if kind == "combined" else 1) + upgrades))
    made: Entry = {"gameSystem": "gf", "name": "Fleet", "units": rows, "undoUnitRemove": [{"name": "Gone", "size": 9}]}
    if rng.random() < 0.3:
        made["modelCount"] = sum(models for _, models in units)
    return (made if rng.random() < 0.7 else {"gameSystem": "gf", "list": made}), units


def make_text_list(rng: random.Random) -> tuple[str, Truth]:
    """A text list of New Recruit, for tournaments or the usual one."""
    units = [
        (f"{rng.choice(WORDS).strip('<>&«»') or 'Ash'} {n}th", rng.randint(1, 30)) for n in range(rng.randint(1, 15))
    ]
    if rng.random() < 0.5:
        lines = ["+++", "+ FACTION KEYWORD: Marchers", f"+ NUMBER OF UNITS: {len(units)}", "& Blade (on Char1)", "+++"]
        for n, (name, models) in enumerate(units):
            lines += [
                "",
                f"{rng.choice(('', f'Char{n}: '))}{models}x {name} ({n}5 pts)",
                f"• {models}x Man: 2 with Bow",
            ]
            lines += rng.choice(([], ["Enhancement: Crown (+15 pts)"]))
        return "\n".join(lines), units
    lines = [
        "Foes - Dawn - [1,985 pts]",
        "",
        "# ++ Army Roster ++",
        "## Configuration",
        "Battle Size: Large (2000 Points)",
    ]
    for name, models in units:
        first = rng.randint(0, models - 1)
        lines += ["## Infantry [65 pts]", f"{name} [65 pts]:", *([f"• {first}x Chief: Bow"] if first else [])]
        lines.append(f"• {models - first}x Man: 2x Bow")
    return "\n".join(lines), units


def faults_of_wild(entries: list[Entry]) -> list[str]:
    """No model may be lost, whatever holds it."""
    entries.append({"name": "Last", "type": "model", "selections": []})
    roster = read_roster(json.dumps({"roster": {"forces": [{"selections": entries}]}}).encode(), "wild.json")
    accounted = sum(unit.models for unit in roster.units) + sum(row.models for row in roster.left_out)
    lost = sum(map(least_models, entries)) - accounted
    return [f"{lost} models are lost"] if lost > 0 else []


def faults_of_roster(seed: int) -> list[str]:
    """What is wrong with how one random roster is imported; the same for the same seed."""
    rng = random.Random(seed)
    left_out = 0
    form = rng.random()
    if form > 0.85:
        return faults_of_wild([wild_tree(rng) for _ in range(3)])
    if form < 0.1:
        tree, units = make_army_forge(rng)
        name, content = "list.json", json.dumps(tree).encode()
    elif form < 0.2:
        text, units = make_text_list(rng)
        name, content = "list.txt", text.encode()
    else:
        maker = RosterMaker(rng)
        name, content = roster_file(maker.make(), rng)
        units, left_out = maker.units, maker.left_out
    try:
        roster = read_roster(content, name)
        size = rng.choice(("32mm", "25x50mm", "60x35mm oval", "120 x 92 mm oval"))
        made = import_files({name: content}, Wishes(bases=(size,)))
    except TabletopError as error:
        return [] if len(units) > MOST_UNITS else [f"{name} is refused: {error}"]
    found = Counter((unit.name, unit.models) for unit in roster.units)
    true = Counter((" ".join(one.split()), models) for one, models in units)
    faults = [f"{unit} is missing from {name}" for unit in true - found]
    faults += [f"{unit} is not in {name}" for unit in found - true]
    named = sum(row.models for row in roster.left_out)
    if named != left_out:
        faults.append(f"{named} models are named as left out of {name}, and {left_out} are")
    written = parse_table(made.toml).units
    if any(unit.base != base_of(size) for unit in written):
        faults.append(f"the table file has other bases than {size}")
    bases = [unit.bases for unit in written]
    if bases != [min(unit.models, MOST_MODELS) for unit in roster.units]:
        faults.append(f"the table file has other units than {name}")
    notes = " ".join(made.notes)
    silent = [row.name for row in roster.left_out if short(row.name) not in notes]
    silent += [unit.name for unit in roster.units if unit.models > MOST_MODELS and short(unit.name) not in notes]
    return faults + [f"{one} in {name} is not reported" for one in silent]


if __name__ == "__main__":
    raise SystemExit(main())
