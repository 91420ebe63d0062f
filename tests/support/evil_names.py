"""A game all of whose names are markup."""

import json
from typing import Any

from tests.support.api_support import TABLE, observation

EVIL = '=1+1<script>x("&")</script><img src=x onerror=x>]]>'
LINK = "[go](javascript:x) ![p](//evil.example/p.png)"
UNSEEN = "a\u202eb\x07"
SIDE, UNIT = f"{EVIL[:30]} blue", f"{EVIL} tank"
NOTE = f"{EVIL} {LINK}\n\n# {UNSEEN}\n\n{EVIL}"
_PIECE = """
[[terrain]]
id = "<img src=x onerror=x> woods"
kind = "woods"
polygon = [[20, 20], [26, 20], [26, 26], [20, 26]]
"""


def evil_wish() -> dict[str, Any]:
    """A game to begin: its title, a side, a unit and a piece of terrain are called so."""
    table = TABLE + _PIECE
    for plain, evil in {'"tank"\nside': f"{json.dumps(UNIT)}\nside", '"blue"': json.dumps(SIDE)}.items():
        table = table.replace(plain, evil)
    return {
        "id": "a" * 24, "table_name": "<b>.toml", "rules": "measure", "table_file": table, "title": f"{LINK} {UNSEEN}"
    }  # fmt: skip


def evil_observation() -> dict[str, Any]:
    """What a photo of its table shows."""
    seen = observation()
    for row in seen["bases"]:
        row.update(unit=UNIT if row["unit"] == "tank" else row["unit"], side=SIDE if row["side"] == "blue" else "red")
    return seen
