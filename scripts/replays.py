"""Rewrite all stored files of the replayed play reports from their scripts; see what version control then shows.

``python scripts/replays.py`` rewrites ``tests/data/replays/*.jsonl`` and, in a folder for each game, its after-action
reports: both texts, and the pictures of the short one. ``--chances`` plays the games out again with and without each
act (half a minute each), and stores the counts in ``chances.json``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tabletop.aar.chances import chances_json, count_chances
from tabletop.files import json_bytes
from tests.support.replays import CHANCES, FOLDER, RULES, files, names, played, told


def main() -> None:
    """Rewrite them all."""
    parser = argparse.ArgumentParser(description="Write the replays again.")
    parser.add_argument("--chances", action="store_true", help="count the chances of their moments again")
    count = parser.parse_args().chances
    for name in names():
        if count:
            (FOLDER / name / CHANCES).write_bytes(json_bytes(chances_json(count_chances(told(played(name)), RULES))))
        for old in (FOLDER / name / "pictures").glob("*.svg"):
            old.unlink()
        for path, content in files(name, played(name)).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


if __name__ == "__main__":
    main()
