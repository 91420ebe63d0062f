"""Write the golden games again from their own actions, or a new one between random players.

``python scripts/goldens.py`` rewrites ``tests/data/golden/*.txt``, and the stored logs and reports of some; look at
what version control then shows. ``python scripts/goldens.py NAME ...`` rewrites those games alone.
``python scripts/goldens.py NAME RULES SCENARIO SEED ACTIONS`` adds a game, or replaces one by random players' game.
``python scripts/goldens.py --report NAME`` keeps a game's log and reports too, from now on.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tabletop.errors import TabletopError
from tests.support import golden_games
from tests.support.golden_games import GoldenError, random_turns, read, reports, told


def main(arguments: list[str]) -> int:
    """Rewrite all games or some, or add one; 1 where one of them can't be written, which is said in a sentence."""
    golden_games.FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        if len(arguments) == 5 and all(number.isdecimal() for number in arguments[3:]):
            _add(*arguments)
            return 0
        report = arguments[:1] == ["--report"]
        names = arguments[report:] or sorted(path.stem for path in golden_games.FOLDER.glob("*.txt"))
        if report and not arguments[1:]:
            raise GoldenError("Which game? Say --report NAME.")
        unknown = [name for name in names if not _file(name).exists()]
        if unknown:
            raise GoldenError(
                f"There is no golden game {unknown[0]}; to add one give NAME RULES SCENARIO SEED ACTIONS, as in: "
                "python scripts/goldens.py night-raid-first-meeting night-raid night-raid-first-meeting 1 400"
            )
    except TabletopError as error:
        print(error, file=sys.stderr)
        return 1
    refused = 0
    for name in names:
        try:
            _rewrite(name, reported=report or name in golden_games.REPORTED)
        except TabletopError as error:
            refused += 1
            print(f"{_file(name)}, {error}", file=sys.stderr)
    if refused:
        print(
            "Correct the named lines, or write such a game again between random players: "
            "python scripts/goldens.py NAME RULES SCENARIO SEED ACTIONS",
            file=sys.stderr,
        )
    return 1 if refused else 0


def _file(name: str) -> Path:
    return golden_games.FOLDER / f"{name}.txt"


def _add(name: str, rules: str, scenario: str, seed: str, count: str) -> None:
    turns = random_turns(rules, scenario, int(seed), int(count))
    _file(name).write_text(told(rules, scenario, turns), encoding="utf-8")
    if name in golden_games.REPORTED:
        _rewrite(name, reported=True)


def _rewrite(name: str, *, reported: bool) -> None:
    path = _file(name)
    before = path.read_text(encoding="utf-8")
    path.write_text(told(*read(before)), encoding="utf-8")
    for kept, content in (reports(name) if reported else {}).items():
        kept.write_bytes(content)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
