"""Import random files of other programs: ``python scripts/fuzz_imports.py --maps 2000``.

Each map is drawn as carelessly as map makers do, with terrain that is known exactly, the same for the same seed
(``tests/support/import_maps.py``). No area may be off by more than 2 % and 0.1 square inches, and every wall must be
in a piece or reported as left out. Prints what is wrong, one line for each fault; exit status 1 where anything is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from tests.support.import_maps import faults_of_map, random_map


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--maps", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; each file has the next one")
    asked = parser.parse_args()
    faults = 0
    for fault in map_faults(asked.seed, asked.maps):
        faults += 1
        print(fault)
    print(f"{asked.maps} maps, {faults} faults.")
    return 1 if faults else 0


def map_faults(seed: int, maps: int) -> Iterator[str]:
    """What is wrong with the imports of some maps, each with its seed."""
    for one in range(seed, seed + maps):
        for fault in faults_of_map(random_map(one)):
            yield f"map {one}: {fault}"


if __name__ == "__main__":
    raise SystemExit(main())
