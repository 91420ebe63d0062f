"""How long ``tabletop observe`` and ``tabletop referee`` take outside their stages: starting, loading code, reading the
table file, decoding the photo, converting, writing, ending.

    python scripts/bench_start.py [PHOTO TABLE] [--runs 9]

Each command runs in a separate process, as a user starts it. From the process's wall time are taken the stages that
the observation times itself and, of ``referee``, the report: judging every shot, drawing its pictures and its page.
The output is medians and the best run in milliseconds, beside a bare interpreter's start on the same machine. Processor
time is that of all threads of the process, without the time spent while a stage or the report ran; other programs on
the machine disturb it less.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"

COMMAND = """
import json, os, sys, time
from tabletop.cli import main
from tabletop.referee import judging

inside = {"stages": [0.0, 0.0], "report": [0.0, 0.0]}

def add(name, wall, cpu):
    inside[name][0] += wall
    inside[name][1] += cpu

def timed(function):
    def call(*arguments, **options):
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            return function(*arguments, **options)
        finally:
            add("report", time.perf_counter() - wall, time.process_time() - cpu)
    return call

judging.report_on, judging.files_of = timed(judging.report_on), timed(judging.files_of)

def watch(function):
    def call(*arguments, **options):
        from vision.pipeline import stages
        started = []
        enter, leave = stages.Clock.__enter__, stages.Clock.__exit__
        def entered(clock):
            started.append((time.perf_counter(), time.process_time()))
            enter(clock)
        def left(clock, *error):
            leave(clock, *error)
            wall, cpu = started.pop()
            add("stages", time.perf_counter() - wall, time.process_time() - cpu)
        stages.Clock.__enter__, stages.Clock.__exit__ = entered, left
        return function(*arguments, **options)
    return call

judging.observe = watch(judging.observe)
target, sys.argv = sys.argv[1], ["tabletop", *sys.argv[2:]]
try:
    main()
finally:
    open(target, "w").write(json.dumps(inside))
"""


@dataclass(frozen=True)
class Run:
    """One process, in seconds: its wall and processor time, what of its wall time the stages and the report took, and
    the processor time outside them."""

    wall_s: float
    cpu_s: float
    stages_s: float = 0.0
    report_s: float = 0.0
    outside_cpu_s: float = 0.0

    @property
    def outside_s(self) -> float:
        """Wall time outside the stages and the report."""
        return self.wall_s - self.stages_s - self.report_s


def installed_like() -> dict[str, str]:
    """The environment, but modules are compiled once and kept, as they are where the package is installed."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(code: str, arguments: list[str], notes: Path | None = None) -> Run:
    """One process that runs some code; its notes about its stages are read from ``notes``."""
    command = [sys.executable, "-c", code, *([str(notes)] if notes else []), *arguments]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL, env=installed_like())
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if notes is None:
        return Run(wall, cpu, outside_cpu_s=cpu)
    inside = json.loads(notes.read_text())
    (stages, stages_cpu), (report, report_cpu) = inside["stages"], inside["report"]
    return Run(wall, cpu, stages, report, cpu - stages_cpu - report_cpu)


def line(name: str, runs: list[Run]) -> str:
    """A row of the table that is printed."""
    columns = [[one.wall_s for one in runs], [one.stages_s for one in runs], [one.report_s for one in runs]]
    outside, cpu = [one.outside_s for one in runs], [one.outside_cpu_s for one in runs]
    shown = [*(statistics.median(column) for column in columns), statistics.median(outside), min(outside)]
    return name.ljust(18) + "".join(f"{1e3 * value:9.0f}" for value in (*shown, statistics.median(cpu), min(cpu)))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("photo", nargs="?", type=Path, default=DATA / "desert.jpg")
    parser.add_argument("table", nargs="?", type=Path, default=DATA / "desert.table.toml")
    parser.add_argument("--runs", type=int, default=9)
    given = parser.parse_args()
    photo, table = str(given.photo.resolve()), str(given.table.resolve())
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes.json"
        commands = {
            "observe": ["observe", photo, "--table", table, "--json", f"{folder}/observation.json", "-q"],
            "referee": ["referee", photo, "--table", table, "--out", f"{folder}/out", "-q"],
        }
        run(COMMAND, commands["referee"], notes)  # warms up: compiled modules, files in memory
        rows: dict[str, list[Run]] = {"python -c pass": [], **{name: [] for name in commands}}
        for _ in range(given.runs):  # in turn, so that a busy moment of the machine meets all of them
            rows["python -c pass"].append(run("pass", []))
            for name, arguments in commands.items():
                rows[name].append(run(COMMAND, arguments, notes))
    print(" " * 18 + "".join(f"{word:>9}" for word in ("whole", "stages", "report", "outside", "best", "cpu", "best")))
    for name, runs in rows.items():
        print(line(name, runs))


if __name__ == "__main__":
    main()
