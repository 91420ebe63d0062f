"""Trace test tables with exact truth, by Blender's Cycles.

    python scripts/trace_tables.py --out DIR --family train --count 4 --seed 1 --megapixels 4

Writes NAME.jpg, NAME.json (truth) and NAME.table.toml (what the players know) for ``--count`` tables of each family;
unset options are left to chance. Needs the ``bpy`` wheel in a separate environment:
``docs/traced-tables.md`` says how, what is traced and how exact it is.
"""

from __future__ import annotations

import argparse
import time

from draw_tables import table_options, wish_of

from synthetic.traced.cycles import can_trace
from synthetic.traced.families import FAMILIES, family_names
from synthetic.traced.tables import trace


def _parser() -> argparse.ArgumentParser:
    parser = table_options(__doc__, ("rims", "tags", "frame"), megapixels=4.0)
    parser.add_argument("--family", default="all", help=f"train, test, all or one of {', '.join(FAMILIES)}")
    parser.add_argument("--count", type=int, default=1, help="tables of each family (default 1)")
    parser.add_argument("--kit", type=int, help="all tables with one player's things: of each family those of a number")
    parser.add_argument("--samples", type=int, default=12, help="paths for each pixel at most (default 12)")
    parser.add_argument("--scale", type=float, default=0.9, help="pixels rendered for one of the picture (default 0.9)")
    parser.add_argument("--threads", type=int, default=2)
    return parser


def main() -> None:
    parser = _parser()
    args = parser.parse_args()
    if args.count < 1 or args.seed < 0 or (args.kit or 0) < 0 or args.samples < 1 or args.threads < 1:
        parser.error("--count, --samples and --threads are at least 1; --seed and --kit are not negative.")
    if not 0.25 <= args.scale <= 2:
        parser.error(f"A scale of {args.scale:g} is not traced: choose 0.25 to 2.")
    try:
        families = family_names(args.family)
        wish = wish_of(args)
    except ValueError as error:
        parser.error(str(error))
    if not can_trace():
        parser.error("Tracing needs Blender's module: pip install bpy in a separate environment.")
    for seed in range(args.seed, args.seed + args.count):
        for family in families:
            start, busy = time.perf_counter(), time.process_time()
            photo = trace(
                seed, family, wish, kit=args.kit, samples=args.samples, scale=args.scale, threads=args.threads
            )
            photo.write(args.out)
            took = f"{time.process_time() - busy:.0f} s of processor, {time.perf_counter() - start:.0f} s"
            print(f"{args.out / photo.name}.jpg: {took}", flush=True)


if __name__ == "__main__":
    main()
