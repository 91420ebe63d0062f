"""Write the logs of the replayed play reports anew from their scripts; look at what version control then shows.

``python scripts/replays.py`` rewrites ``tests/data/replays/*.jsonl``, and beside them each game's reports.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.replays import files, names, played


def main() -> None:
    """Rewrite them all."""
    for name in names():
        for path, content in files(name, played(name)).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


if __name__ == "__main__":
    main()
