"""Kill backups, restores and moves with SIGKILL at random moments: ``python scripts/kill_backups.py --kills 200``.

A folder with games and pictures is backed up, restored and moved by the command line, each time killed at a random
moment of the time that this takes. Afterwards the source must be as it was, the target whole or empty and good for
another try, and nothing may be left beside them. Prints the results as JSON; exit status 1 where anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from api.backups import Place, back_up, check, restore
from tabletop.errors import UsageError
from tabletop.game.tables import METADATA
from tabletop.starting.scenarios import find

COMMANDS = ("backup", "restore", "move")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--pictures", type=int, default=40)
    asked = parser.parse_args()
    chance, seen, faults = random.Random(asked.seed), Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(Place(folder / "club"), chance, asked.games, asked.pictures)
        club, whole = contents(Place(folder / "club")), folder / "whole.zip"
        back_up(Place(folder / "club"), whole)
        takes_s = {command: run(folder, command, None) for command in COMMANDS}
        for number in range(asked.kills):
            command = COMMANDS[number % len(COMMANDS)]
            run(folder, command, chance.uniform(0.0, 1.1 * takes_s[command]))
            found, fault = look(folder, command, club)
            seen[f"{command} {found}"] += 1
            faults += [f"{command} {number}: {fault}"] if fault else []
    print(json.dumps({"seen": dict(sorted(seen.items())), "faults": faults}, indent=2))
    return 1 if faults else 0


def fill(place: Place, chance: random.Random, games: int, pictures: int) -> None:
    """Games and pictures."""
    with place.store() as store:
        for number in range(games):
            scenario = find("flank-attack")
            store.start(scenario.rules, scenario.setup, game=f"game-{number}")
    for number in range(pictures):
        place.pictures().put(f"{number:04d}.jpg", chance.randbytes(200_000))


def contents(place: Place) -> tuple[dict[str, list[Any]], dict[str, bytes | None]]:
    """Every row of every table, and every picture."""
    with place.store() as store, store.reading() as connection:
        rows = {
            table.name: sorted(map(tuple, connection.execute(sa.select(table)))) for table in METADATA.sorted_tables
        }
    pictures = place.pictures()
    return rows, {name: pictures.get(name) for name in pictures.names()}


def run(folder: Path, command: str, kill_after_s: float | None) -> float:
    """Run a command and kill it; its results are in the folder ``target``."""
    club, target, whole = folder / "club", folder / "target" / "data", folder / "whole.zip"
    target.parent.mkdir()
    line = {
        "backup": ["backup", target, "--data", club],
        "restore": ["restore", whole, "--data", target],
        "move": ["move", "--data", club, "--to-data", target],
    }[command]
    began = time.monotonic()
    with subprocess.Popen([sys.executable, "-m", "tabletop", *map(str, line)], stdout=subprocess.DEVNULL) as process:
        try:
            process.wait(kill_after_s)
        except subprocess.TimeoutExpired:
            process.kill()
    took_s = time.monotonic() - began
    if kill_after_s is None:
        shutil.rmtree(target.parent)
    return took_s


def look(folder: Path, command: str, club: tuple[Any, Any]) -> tuple[str, str]:
    """Whether the target is whole or empty, and what is wrong."""
    target, fault = folder / "target" / "data", ""
    if contents(Place(folder / "club")) != club:
        fault = "the source is not as it was"
    until = time.monotonic() + 10.0
    while (left := [one.name for one in target.parent.iterdir() if one != target]) and time.monotonic() < until:
        time.sleep(0.01)  # another process deletes the folder
    if left:
        fault = f"left behind: {left}"
    if not target.exists():
        found = "empty"
    elif command == "backup":
        found = "whole"
        check(target)
    elif contents(Place(target)) == club:
        found = "whole"
    else:
        found = "empty"
        try:
            restore(folder / "whole.zip", Place(target))
        except UsageError as error:
            fault = str(error)
        if contents(Place(target)) != club:
            fault = fault or "restored again, it is not as the source"
    shutil.rmtree(target.parent)
    return found, fault


if __name__ == "__main__":
    sys.exit(main())
