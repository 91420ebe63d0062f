#!/usr/bin/env python3
"""Draw the README's pictures again (run in an environment with the project): the bundled photograph, a hex board."""

import random
from pathlib import Path

import cv2

from geometry.drawing.png import png_bytes
from tabletop.game import Game
from tabletop.referee import judging
from tabletop.rulesets.combined_arms.picture import board_sheet
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.tables.tablefile import load_table
from vision.drawing.observation_drawing import annotated_photo

ROOT = Path(__file__).parent.parent.parent
DEMO = ROOT / "tabletop" / "data" / "demo"
WIDTH_PX = 1100
BOARD_SEED, BOARD_TURN = 7, 7


def main() -> None:
    table = load_table(DEMO / "demo.table.toml")
    photo = judging.open_photo(DEMO / "demo.jpg")
    seen = judging.observe(photo, table)
    drawn = annotated_photo(photo.image, seen, expected=judging.expected_from(table), long_side_px=WIDTH_PX)
    height = round(photo.size[1] * WIDTH_PX / photo.size[0])
    plain = cv2.resize(photo.image, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    for name, image in (("photo", plain), ("annotated", drawn)):
        cv2.imwrite(str(Path(__file__).parent / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 84])
    (Path(__file__).parent / "board.png").write_bytes(board_png())


def board_png() -> bytes:
    """The board of a seeded game some turns on."""
    rng, game = random.Random(BOARD_SEED), Game.new(RULES, Setup())
    while game.state.turn < BOARD_TURN or game.state.step != "fire":
        game.push(next(a for a in RULES.bot_actions(game.state, rng) if not game.check(a)), rng=rng)
    return png_bytes(board_sheet(game.state, title="Combined Arms"))


if __name__ == "__main__":
    main()
