"""Inject known faults into copies of the program, one at a time, and report which test catches each.

    python scripts/inject_faults.py [--all] [--near] [--only NAME ...] [--jobs N] [--tree FOLDER] [--out FILE.md]

For each fault in scripts/faults.toml, pytest runs the tests that mirror the faulty file and its doctests, then those
of its package, then all others (skipped with `--near`), and stops at the first failure. If all of them pass, `--all`
continues with the slow tests. A failure counts if the test also fails alone on the fault and passes alone on the
unchanged program.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = Path("api/web")
PACKAGES = ("tabletop", "vision", "geometry", "api", "calibration")
LONG_TESTS = 40  # a run of pytest is stopped after this many times the bound of one test

Fault = Mapping[str, str]
Found = tuple[Fault, str, str, float]
"""A fault, the run that caught it (gate, all, none), the test, and the seconds until then."""


def environment(tree: Path) -> dict[str, str]:
    """The environment of processes in a copy: they and their children import from it and compute in one thread."""
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"), "1")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, **one, "PATH": path, "PYTHONPATH": os.pathsep.join([str(tree), str(tree.parent.parent)])}


def copy_sources(source: Path, tree: Path) -> None:
    """Copy the files of a checkout that git tracks or does not ignore, and the built page."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.check_output(listed, cwd=source, text=True).split("\0"):
        if name and (source / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, tree / name)
    shutil.copytree(source / PAGE / "dist", tree / PAGE / "dist")
    (tree / PAGE / "dist" / "index.html").touch()  # newer than its sources, so that no test rebuilds it
    (tree / PAGE / "node_modules").symlink_to((source / PAGE / "node_modules").resolve())
    subprocess.run([sys.executable, "-m", "compileall", "-q", *PACKAGES], cwd=tree, check=True)


def stages(file: str, tree: Path, near: bool) -> Iterator[list[str]]:
    """The arguments of successive pytest runs, the most likely to catch a fault in ``file`` first."""
    path = Path(file)
    if path.is_relative_to(PAGE):
        yield ["tests/page/test_modules.py"]
        yield ["tests/page"]
    else:
        folder = tree / "tests" / path.parent
        while not folder.is_dir():
            folder = folder.parent
        own = sorted(folder.glob(f"test_{path.stem}*.py")) if len(path.parts) == 2 else [folder]
        yield [*(str(one.relative_to(tree)) for one in own), file]
        yield [f"tests/{path.parts[0]}"]
    if not near:
        yield []


@dataclass
class Runner:
    """Runs tests in copies below ``base``; ``known`` maps tests to whether they pass alone without a fault."""

    base: Path
    bound_s: float
    known: dict[str, bool] = field(default_factory=dict)

    def run(self, tree: Path, done: Path, arguments: Sequence[str]) -> str:
        """Run tests up to the first failure and return "passed", "failed" or "hung"."""
        bounds = ["-o", f"faulthandler_timeout={self.bound_s}", "-o", "faulthandler_exit_on_timeout=true"]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "watch_faults", *bounds, *arguments]
        env = environment(tree) | {"FAULTS_DONE": str(done)}
        with tempfile.TemporaryFile("w+", errors="replace") as said:
            process = subprocess.Popen(command, cwd=tree, env=env, stdout=said, stderr=said, start_new_session=True)
            try:
                status = process.wait(LONG_TESTS * self.bound_s)
            except subprocess.TimeoutExpired:
                return "hung"
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            said.seek(0)
            told = said.read()
        if status not in (0, 1, 2, 5):  # 2: a test file can't be read, 5: there are no tests
            raise RuntimeError(f"pytest {' '.join(arguments)} ended with {status}: {told[-1000:]}")
        return "passed" if status in (0, 5) else "hung" if "Timeout (" in told else "failed"

    def failure(self, tree: Path, done: Path, arguments: Sequence[str]) -> str:
        """The first test that fails because of the fault; empty if none does."""
        ignored: list[str] = []
        while (ended := self.run(tree, done, [*arguments, *ignored])) != "passed":
            test = done.read_text(encoding="utf-8").splitlines()[-1]
            if ended == "hung" or self.run(tree, Path(os.devnull), [test]) != "passed":
                if test not in self.known:
                    plain = self.base / "plain" / "main"
                    self.known[test] = self.run(plain, Path(os.devnull), [test]) == "passed"
                if self.known[test]:
                    return f"{test} (hung)" if ended == "hung" else test
            print(f"  does not count: {test}", flush=True)
            ignored += [] if "::" in test else [f"--ignore={test}"]
        return ""

    def find(self, fault: Fault, *, slow: bool, near: bool) -> Found:
        """Inject a fault and report what catches it."""
        began, plain, tree = time.monotonic(), self.base / "plain" / "main", self.base / fault["name"] / "main"
        source = plain / fault["file"]
        text = source.read_text(encoding="utf-8") if source.is_file() else ""
        if text.count(fault["find"]) != 1:
            return fault, "not applicable", "", 0.0
        shutil.copytree(plain.parent, tree.parent, symlinks=True)
        (tree / fault["file"]).write_text(text.replace(fault["find"], fault["replace"]), encoding="utf-8")
        found = "none", ""
        try:
            if Path(fault["file"]).is_relative_to(PAGE):
                subprocess.run(["node", "build.mjs"], cwd=tree / PAGE, check=True, capture_output=True)
            done = tree.parent / "done"
            done.write_text("".join(f"{name}\n" for name, passes in self.known.items() if not passes))
            runs = [("gate", paths) for paths in stages(fault["file"], tree, near)]
            runs += [("all", ["--all", "-m", "slow", *paths]) for _, paths in runs if slow]
            for by, arguments in runs:
                if test := self.failure(tree, done, arguments):
                    found = by, test
                    break
        except (RuntimeError, subprocess.CalledProcessError) as error:
            found = "error", " ".join(str(error).split())
        finally:
            shutil.rmtree(tree.parent, ignore_errors=True)
        return fault, *found, time.monotonic() - began


def table(found: Sequence[Found]) -> str:
    """The results as a Markdown table."""
    gate, every = (sum(one[1] in by for one in found) for by in (("gate",), ("gate", "all")))
    lines = [f"gate {gate} of {len(found)}, all {every} of {len(found)}", ""]
    lines += ["| fault | kind | file | caught by | test | seconds |", "| --- | --- | --- | --- | --- | ---: |"]
    for fault, by, test, seconds in sorted(found, key=lambda one: (one[0]["file"], one[0]["name"])):
        cells = fault["name"], fault["kind"], fault["file"], by, test.replace("|", "\\|"), f"{seconds:.0f}"
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run the named faults, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--near", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="faults at the same time")
    parser.add_argument(
        "--bound", type=float, default=600.0, metavar="SECONDS", help="the longest that a test may take"
    )
    parser.add_argument("--tree", type=Path, default=ROOT, metavar="FOLDER", help="another checkout of the project")
    parser.add_argument("--out", type=Path, metavar="FILE.md", help="where the table is written, after every fault")
    wished = parser.parse_args()
    faults = tomllib.loads((ROOT / "scripts" / "faults.toml").read_text(encoding="utf-8"))["faults"]
    if unknown := {*wished.only} - {fault["name"] for fault in faults}:
        parser.error(f"there is no fault {', '.join(sorted(unknown))}")
    faults = [fault for fault in faults if not wished.only or fault["name"] in wished.only]
    found: list[Found] = []
    with tempfile.TemporaryDirectory(prefix="faults-") as folder, ThreadPoolExecutor(wished.jobs) as threads:
        base = Path(folder)
        shutil.copy(ROOT / "scripts" / "watch_faults.py", base)
        copy_sources(wished.tree.resolve(), base / "plain" / "main")
        if (shared := ROOT.parent / "shared").is_dir():
            (base / "plain" / "shared").symlink_to(shared)
        runner = Runner(base, wished.bound)
        runs = [threads.submit(runner.find, fault, slow=wished.all, near=wished.near) for fault in faults]
        for run in as_completed(runs):
            found.append(one := run.result())
            print(f"{one[0]['name']}: {one[1]} {one[2]} ({one[3]:.0f} s)", flush=True)
            if wished.out:
                wished.out.write_text(table(found), encoding="utf-8")
    print(table(found))


if __name__ == "__main__":
    main()
