"""Everything that reading a photo loads at first use, loaded ahead of the first photo."""

from __future__ import annotations

import vision.pipeline.one_photo  # noqa: F401 - all stages are loaded with it
from vision.imaging.nets import net
from vision.small_objects.dice_nets import load_dice_nets
from vision.terrain.ground_nets import ground_nets
from vision.terrain.odds import piece_odds


def load_all() -> None:
    """Load the code of the stages and the nets that come with the product: half a second to a second of a core."""
    for name in ("ground", "bases"):
        net(name)
    ground_nets()
    piece_odds()
    load_dice_nets()
