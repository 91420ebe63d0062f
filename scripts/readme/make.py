#!/usr/bin/env python3
"""Draw the README's two pictures anew from the bundled photograph (run in an environment with the project)."""

from pathlib import Path

import cv2

from tabletop import referee
from tabletop.tablefile import load_table
from vision.drawing import annotated_photo

ROOT = Path(__file__).parent.parent.parent
DEMO = ROOT / "tabletop" / "data" / "demo"
WIDTH_PX = 1100


def main() -> None:
    table = load_table(DEMO / "demo.table.toml")
    photo = referee.open_photo(DEMO / "demo.jpg")
    seen = referee.observe(photo, table)
    drawn = annotated_photo(photo.image, seen, expected=referee.expected_from(table), long_side_px=WIDTH_PX)
    height = round(photo.size[1] * WIDTH_PX / photo.size[0])
    plain = cv2.resize(photo.image, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    for name, image in (("photo", plain), ("annotated", drawn)):
        cv2.imwrite(str(Path(__file__).parent / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 84])


if __name__ == "__main__":
    main()
