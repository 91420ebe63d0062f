"""Draw test tables with exact truth.

    python scripts/draw_tables.py --out DIR --count 10 --seed 1 --megapixels 12 --elevation 55 --light dim

Writes NAME.jpg, NAME.json (truth) and NAME.table.toml (what the players know) for every photograph; unset options
are left to chance. ``docs/drawn-tables.md`` says what is drawn and how exact it is.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, get_args

from synthetic.sequences import draw_sequence
from synthetic.tables import draw_views
from synthetic.wishes import DiceWish, LightWish, Wish


def table_options(description: str | None, switches: tuple[str, ...], megapixels: float | None = None
                  ) -> argparse.ArgumentParser:  # fmt: skip
    """The options that drawn and traced tables share; ``switches``: options with an on and an off form; ``megapixels``:
    the default."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for the files")
    parser.add_argument("--seed", type=int, default=1, help="of the first table; the next ones count up (default 1)")
    parser.add_argument("--size", type=float, nargs=2, metavar=("WIDTH", "DEPTH"), help="of the table in inches")
    for name in switches:
        parser.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, default=None)
    parser.add_argument("--elevation", type=float, metavar="DEG", help="of the camera over the table's middle")
    parser.add_argument("--azimuth", type=float, metavar="DEG", help="where the camera stands; 180: at the near side")
    parser.add_argument("--megapixels", type=float, default=megapixels)
    parser.add_argument("--jpeg", type=int, metavar="QUALITY")
    parser.add_argument("--orientation", type=int, choices=(1, 6), help="EXIF orientation of the file")
    return parser


def wish_of(args: argparse.Namespace, **more: Any) -> Wish:
    """The values of :func:`table_options`, and more. Raises ValueError for values that can't be drawn."""
    return Wish(
        size=None if args.size is None else (args.size[0], args.size[1]),
        rims=args.rims,
        tags=args.tags,
        frame=args.frame,
        elevation_deg=args.elevation,
        azimuth_deg=args.azimuth,
        megapixels=args.megapixels,
        jpeg=args.jpeg,
        orientation=args.orientation,
        **more,
    )


def _parser() -> argparse.ArgumentParser:
    parser = table_options(__doc__, ("rims", "tags", "frame", "shadow", "hand", "ovals"))
    parser.add_argument("--count", type=int, default=1, help="how many tables (default 1)")
    several = parser.add_mutually_exclusive_group()
    several.add_argument("--views", type=int, default=1, help="photographs of each table, unchanged (default 1)")
    several.add_argument("--sequence", type=int, metavar="N", help="N photographs of each table, units moved between")
    parser.add_argument("--rim-colors", nargs=2, metavar=("BLUE", "RED"), help='the sides\' rim paint, as "#101010"')
    parser.add_argument("--distortion", type=float, metavar="K1", help="the lens's first radial term")
    parser.add_argument("--blur", type=float, metavar="PX")
    parser.add_argument("--shake", type=float, metavar="PX")
    parser.add_argument("--noise", type=float, metavar="SHARE", help="sigma as a share of white")
    parser.add_argument("--light", choices=get_args(LightWish))
    parser.add_argument("--dice", choices=get_args(DiceWish), help="many of one kind, or cards printed with dice")
    return parser


def main() -> None:
    parser = _parser()
    args = parser.parse_args()
    if args.count < 1 or args.views < 1 or args.seed < 0 or (args.sequence is not None and args.sequence < 1):
        parser.error("--count, --views and --sequence are at least 1, and --seed is not negative.")
    try:
        wish = wish_of(
            args,
            rim_colors=None if args.rim_colors is None else (args.rim_colors[0], args.rim_colors[1]),
            distortion=args.distortion,
            blur_px=args.blur,
            shake_px=args.shake,
            noise=args.noise,
            light=args.light,
            dice=args.dice,
            shadow=args.shadow,
            hand=args.hand,
            ovals=args.ovals,
        )
    except ValueError as error:
        parser.error(str(error))
    for seed in range(args.seed, args.seed + args.count):
        photos = draw_sequence(seed, args.sequence, wish) if args.sequence else draw_views(seed, args.views, wish)
        for photo in photos:
            photo.write(args.out)
            print(args.out / f"{photo.name}.jpg")


if __name__ == "__main__":
    main()
