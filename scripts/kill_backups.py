"""Kill backups, restores and moves with SIGKILL at random moments: ``python scripts/kill_backups.py --kills 200``.

A folder with games and pictures is backed up, restored and moved by the command line, each time killed at a random
moment of the time that this takes. Afterwards the source must be as it was, the target whole or empty and good for
another try, and nothing may be left beside them. ``--url``, an empty PostgreSQL database, adds moves to and from it.
Prints the results as JSON; exit status 1 where anything is wrong.
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from api.backups import Place, back_up, check, restore
from tabletop.errors import UsageError
from tabletop.game.tables import METADATA
from tabletop.starting.scenarios import find

SOURCE, TARGET = "source", "target"
"""Schemas of the PostgreSQL database."""


@dataclass(frozen=True)
class Command:
    """A command line, and the places that it copies from and to; a backup's target is a file."""

    line: tuple[str, ...]
    source: Place
    target: Place


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--pictures", type=int, default=40)
    parser.add_argument("--url", default="", help="an empty PostgreSQL database")
    asked = parser.parse_args()
    chance, seen, faults = random.Random(asked.seed), Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(Place(folder / "club"), chance, asked.games, asked.pictures)
        club, whole = contents(Place(folder / "club")), folder / "whole.zip"
        back_up(Place(folder / "club"), whole)
        known = commands(folder, asked.url)
        if asked.url:
            begin_anew(asked.url, SOURCE)
            restore(whole, known["move from the database"].source)
        takes_s = {name: run(folder, known[name], asked.url, None) for name in known}
        for number in range(asked.kills):
            name = list(known)[number % len(known)]
            run(folder, known[name], asked.url, chance.uniform(0.0, 1.1 * takes_s[name]))
            found, fault = look(folder, known[name], club)
            seen[f"{name}: {found}"] += 1
            faults += [f"{name} {number}: {fault}"] if fault else []
    print(json.dumps({"seen": dict(sorted(seen.items())), "faults": faults}, indent=2))
    return 1 if faults else 0


def commands(folder: Path, url: str) -> dict[str, Command]:
    """The commands that are killed, by their names."""
    club, target, whole = Place(folder / "club"), Place(folder / "target" / "data"), folder / "whole.zip"
    there = Place(target.data_dir, at_schema(url, TARGET)) if url else target
    back = Place(club.data_dir, at_schema(url, SOURCE)) if url else club
    known = {
        "backup": (["backup", target.data_dir, "--data", club.data_dir], club, target),
        "restore": (["restore", whole, "--data", target.data_dir], club, target),
        "move": (["move", "--data", club.data_dir, "--to-data", target.data_dir], club, target),
        "move to the database": (
            ["move", "--data", club.data_dir, "--to-data", target.data_dir, "--to-url", there.url], club, there,
        ),
        "move from the database": (
            ["move", "--data", club.data_dir, "--url", back.url, "--to-data", target.data_dir], back, target,
        ),
    }  # fmt: skip
    return {
        name: Command(tuple(map(str, line)), source, to)
        for name, (line, source, to) in known.items()
        if url or "database" not in name
    }


def at_schema(url: str, schema: str) -> str:
    """The address of a schema of the database."""
    return f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{schema}"


def begin_anew(url: str, schema: str) -> None:
    """Make a schema that holds nothing."""
    with sa.create_engine(url, poolclass=sa.NullPool).begin() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
        connection.exec_driver_sql(f"CREATE SCHEMA {schema}")


def wait_for_database(url: str) -> None:
    """Wait until the database has seen that its client is gone."""
    others = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
    """
    until = time.monotonic() + 10.0
    with sa.create_engine(url, poolclass=sa.NullPool).connect() as connection:
        while connection.exec_driver_sql(others).scalar_one() and time.monotonic() < until:
            connection.rollback()  # each transaction sees one moment
            time.sleep(0.01)


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


def run(folder: Path, command: Command, url: str, kill_after_s: float | None) -> float:
    """Run a command into an empty place and kill it; the seconds that it took."""
    (folder / "target").mkdir()
    if command.target.url:
        begin_anew(url, TARGET)
    began = time.monotonic()
    with subprocess.Popen([sys.executable, "-m", "tabletop", *command.line], stdout=subprocess.DEVNULL) as process:
        try:
            process.wait(kill_after_s)
        except subprocess.TimeoutExpired:
            process.kill()
    took_s = time.monotonic() - began
    if url:
        wait_for_database(url)
    if kill_after_s is None:
        shutil.rmtree(folder / "target")
    return took_s


def look(folder: Path, command: Command, club: tuple[Any, Any]) -> tuple[str, str]:
    """Whether the target is whole or empty, and what is wrong."""
    target, fault = command.target, ""
    if contents(command.source) != club:
        fault = "the source is not as it was"
    until = time.monotonic() + 10.0
    beside = target.data_dir.parent
    while (left := [one.name for one in beside.iterdir() if one != target.data_dir]) and time.monotonic() < until:
        time.sleep(0.01)  # another process deletes the folder
    if left:
        fault = f"left behind: {left}"
    if not target.data_dir.exists() and not target.url:
        found = "empty"
    elif target.data_dir.is_file():
        found = "whole"
        check(target.data_dir)
    elif contents(target) == club:
        found = "whole"
    else:
        found = "empty"
        try:
            restore(folder / "whole.zip", target)
        except UsageError as error:
            fault = str(error)
        if contents(target) != club:
            fault = fault or "restored again, it is not as the source"
    shutil.rmtree(beside)
    return found, fault


if __name__ == "__main__":
    sys.exit(main())
