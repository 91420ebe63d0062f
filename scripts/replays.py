"""Write all that is kept of the replayed play reports anew from their scripts; see what version control then shows.

``python scripts/replays.py`` rewrites ``tests/data/replays/*.jsonl`` and, in a folder for each game, its after-action
reports: both texts, and the pictures of the short one.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.replays import FOLDER, files, names, played


def main() -> None:
    """Rewrite them all."""
    for name in names():
        for old in (FOLDER / name / "pictures").glob("*.svg"):
            old.unlink()
        for path, content in files(name, played(name)).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


if __name__ == "__main__":
    main()
