"""Write the golden games anew from their own actions, or a new one between random players.

``python scripts/goldens.py`` rewrites ``tests/data/golden/*.txt``, and the logs and reports that are kept of some; look
at what version control then shows.
``python scripts/goldens.py NAME RULES SCENARIO SEED ACTIONS`` adds a game.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.golden_games import FOLDER, REPORTED, random_turns, read, reports, told


def main(arguments: list[str]) -> None:
    """Rewrite all games, or add one."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if arguments:
        name, rules, scenario, seed, count = arguments
        turns = random_turns(rules, scenario, int(seed), int(count))
        (FOLDER / f"{name}.txt").write_text(told(rules, scenario, turns), encoding="utf-8")
        return
    for path in sorted(FOLDER.glob("*.txt")):
        path.write_text(told(*read(path.read_text(encoding="utf-8"))), encoding="utf-8")
    for name in REPORTED:
        for path, content in reports(name).items():
            path.write_bytes(content)


if __name__ == "__main__":
    main(sys.argv[1:])
