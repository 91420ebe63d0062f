"""The most expensive valid request of every operation of the server's OpenAPI document, and games to ask about.

Numbers of a query are the largest that the document allows; bodies are those of ``BODIES``, so that an operation that
is added takes one there.
"""

from __future__ import annotations

import base64
import io
import json
import math
import random
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from api.engine import Reading
from api.photos.cameras import FOLDER, MOST_PICTURES, Kept
from api.photos.pictures import Pictures
from api.tables.session import Tables
from api.tables.store import Store, table_of
from calibration.boards import Board
from calibration.projection import turn
from tabletop.equipment.camera_calibration import PictureRow
from tabletop.game.actions import Standing
from tabletop.game.opponents import go_on, seat_computers
from tabletop.rulesets.measure.setup import Setup, setup_from_tablefile
from tabletop.starting.scenarios import find
from tabletop.tables.tablefile import parse_table
from tests.support.api_support import Canned, jpeg
from tests.support.observed_rows import base_row, observation, photo_from_above
from tests.support.photo_games import SEQ, observed, sequence_begun, sequence_setup

EVENING, CROWD, SEQUENCE, CHESS = "evening", "crowd", "seq", "chess"
ACTIONS, NOTES, UNITS = 60, 40, 200
AT_ONCE = 30
"""Requests of one operation that one seat sends at once; as many games may be deleted."""

Ask = Callable[..., Any]
"""Asks as the host's device: method, path, and keywords as httpx has them; answers JSON."""


@dataclass(frozen=True)
class Request:
    """A request as httpx sends it: ``more`` are its keywords."""

    method: str
    path: str
    more: Mapping[str, Any] = field(default_factory=dict)


# --- the games of the server -----------------------------------------------------------------------------------------


HEAD = """
[table]
width = 240
depth = 240
rules = "measure"

[frame]
dictionary = "DICT_4X4_50"
marker_size = 3.0
markers = [
  { id = 0, center = [2, 2] }, { id = 1, center = [238, 2] },
  { id = 2, center = [238, 238] }, { id = 3, center = [2, 238] },
]

[tags]
dictionary = "DICT_APRILTAG_36h11"
size = 0.6
"""


def spot(number: int) -> tuple[int, int]:
    """The place of a unit of a crowd."""
    return 10 + number % 20 * 11, 10 + number // 20 * 22


def crowd() -> str:
    """A table file of as many units as a game may have, and drawn terrain."""
    rows = [HEAD]
    for n in range(UNITS):
        x, y = spot(n)
        rows.append(
            f'[[units]]\nid = "u{n}"\nside = "{("blue", "red")[n % 2]}"\nkind = "infantry"\nbases = 3\ntag = {n}\n'
            'base = { shape = "rect", width = 1.0, depth = 1.0, height = 0.1 }'
        )
        if n < 60:
            ring = [[x + 3, y + 3], [x + 9, y + 2], [x + 12, y + 8], [x + 7, y + 14], [x + 2, y + 9]]
            rows.append(f'[[terrain]]\nid = "t{n}"\nkind = "woods"\npolygon = {ring}')
    return "\n".join(rows)


def crowd_setup() -> Setup:
    """The same with every base on the table."""
    made = setup_from_tablefile(parse_table(crowd()))
    units = []
    for n, unit in enumerate(made.units):
        x, y = spot(n)
        units.append(replace(unit, at=tuple(Standing(x + 1.2 * k, y, 0.0, (1e-4, 0.0, 1e-4), 0.5) for k in range(3))))
    return replace(made, units=tuple(units))


def begin_games(folder: Path) -> None:
    """Games in a data folder: one of some turns, one of very many units, one with a photo that leaves much open, one
    on a board of squares, and some to be deleted."""
    store = Store(folder)
    kept, tables = store.kept, Tables(store, Canned())
    flank = find("flank-attack")
    kept.start(flank.rules, flank.setup, game=EVENING, title=flank.title)
    playing = kept.open_game(EVENING)
    seat_computers(playing, dict.fromkeys(playing.ruleset.sides(playing.state), "simple"))
    go_on(playing, random.Random(1), most=ACTIONS)
    seat_computers(playing, {})
    for n in range(NOTES):
        playing.note(f"{n} " + "words " * 300, actor="referee")
    setup = crowd_setup()
    kept.start("measure", setup, game=CROWD, title="A crowd")
    tables.create(crowd(), "crowd.table.toml", table_of(CROWD))
    bases = [
        base_row(f"b{n}-{k}", (at.x + 0.8, at.y + 0.5), unit=unit.id, side=unit.side, kind=unit.kind, unique=k == 0)
        for n, unit in enumerate(setup.units)
        for k, at in enumerate(unit.at)
    ]
    lens = photo_from_above(2400, 2400)
    _photograph(tables, CROWD, observation(*bases, size=(240, 240), photos=[lens]))
    sequence_begun(kept.start("one-hour-ww2", sequence_setup(), game=SEQUENCE, title="Three photos")[1])
    tables.create((SEQ / "seq.table.toml").read_text(), "seq.table.toml", table_of(SEQUENCE))
    _photograph(tables, SEQUENCE, observed(2))
    chess = find("chessboard", "ww2-combined-arms")
    kept.start(chess.rules, chess.setup, game=CHESS, title=chess.title)
    table = '[table]\nwidth = 24\ndepth = 24\nrules = "ww2-combined-arms"\n'
    tables.create(table, "chess.table.toml", table_of(CHESS))
    _photograph(tables, CHESS, observation(size=(24, 24), photos=[lens]))
    for n in range(AT_ONCE):
        bare = setup_from_tablefile(parse_table("[table]\nwidth = 36\ndepth = 36\n"))
        kept.start("measure", bare, game=f"gone-{n}", title="A bare table")
    kept.close()


def _photograph(tables: Tables, game: str, seen: Any) -> None:
    picture = jpeg((2400, 2400))
    flat = {"map_jpeg": picture, "annotated_jpeg": picture, "upright_jpeg": picture}
    size = (2400, 2400)
    reading = Reading(
        observation=seen, sha256=SHA, width=2400, height=2400, map_size=size, map_bounds=((-1.0, -1.0), (37.0, 37.0)),
        annotated_size=size, annotated_part=(0, 0, 2400, 2400), upright_size=size, **flat,
    )  # fmt: skip
    tables.add_reading(table_of(game), reading, f"photo of {game}")


def set_stage(ask: Ask, pictures: Pictures) -> dict[str, str]:
    """Objects that the host's device creates on a server with those games, as values for paths by their names."""
    for game in (EVENING, CROWD, SEQUENCE):
        sides = [
            row["role"] for row in ask("GET", f"/api/games/{game}/seats")["roles"] if row["role"].startswith("side")
        ]
        ask("PUT", f"/api/games/{game}/me", json={"roles": sides, "label": "Anna"})
    camera = ask("POST", "/api/cameras", json={"id": "worst-camera", "name": "A phone", "board": "letter"})["id"]
    name = f"{FOLDER}/{camera}.json"
    kept = Kept.of(pictures.get(name) or b"")
    pictures.put(name, replace(kept, pictures=tuple(map(corners, range(MOST_PICTURES - 1)))).to_bytes())
    return {"camera": camera, **standing(ask)}


def standing(ask: Ask) -> dict[str, str]:
    """The last events of games, which commands name."""
    return {f"after {game}": str(ask("GET", f"/api/games/{game}")["seq"]) for game in (EVENING, CROWD)}


def corners(number: int) -> PictureRow:
    """The corners of the usual board as a picture from some place shows them."""
    board, rng = Board.parse("letter"), np.random.default_rng(number)
    lean = turn(np.radians(35) * np.array([np.cos(number), np.sin(number), 0.0]))
    away = 13.0 * np.array([*rng.uniform(-0.25, 0.25, 2), 1.0])
    seen = board.corners @ lean[:, :2].T + away
    pixels = seen[:, :2] / seen[:, 2:] * 3000.0 + (2000.0, 1500.0) + rng.normal(0, 0.1, (len(seen), 2))
    return {
        "name": f"picture {number}", "size": [4000, 3000], "orientation": 1, "ids": list(range(len(pixels))),
        "pixels": pixels.tolist(), "sigma": [0.1] * len(pixels), "blur": 1.0, "legacy": False, "sha": f"{number:016x}",
    }  # fmt: skip


# --- the requests ----------------------------------------------------------------------------------------------------

GAMES: dict[str, str] = {
    **dict.fromkeys(("compare_photo", "answer_question", "correct_base", "remove_base", "drop_die"), CROWD),
    **dict.fromkeys(("accept_proposals", "propose_truth", "accept_truth", "take_back_correction", "drop_photo"), CROWD),
    **dict.fromkeys(("show_unit_overlays", "measure_pair", "share_measurement", "list_options", "show_screen"), CROWD),
    **dict.fromkeys(("show_game", "aim_camera", "download_table_file", "export_observation", "send_photo"), CROWD),
    **dict.fromkeys(("export_geojson", "export_uvtt", "print_game_sheets", "show_photo"), CROWD),
    **dict.fromkeys(("find_overlay_lines", "lay_overlay", "show_overlay", "draw_board"), CHESS),
}
"""The game for an operation, if it is not an evening."""
LAST = ("drop_photo", "delete_", "leave_")
"""The operations that remove objects that others need."""
AFTER = {"send_command", "answer_computer", "accept_proposals", "accept_truth"}
"""Operations that name the last event that their device saw."""
QUERIES: dict[str, Any] = {
    "size": 0.6,
    "first": 0,
    "after": 0,
    "step": 1,
    "seq": None,
    "unit": "in",
    "dictionary": "DICT_APRILTAG_36h11",
}
"""Values for a query other than the largest number."""


def requests(document: Mapping[str, Any], places: Mapping[str, str]) -> Iterator[tuple[str, Callable[[int], Request]]]:
    """Every operation of the document by its name, with the function that makes its requests by their numbers."""
    known = [(path, *row) for path, methods in document["paths"].items() for row in methods.items()]
    for path, method, said in sorted(known, key=lambda row: row[2]["operationId"].startswith(LAST)):
        yield said["operationId"], partial(_request, method.upper(), path, said, places)


def _request(method: str, path: str, said: Mapping[str, Any], places: Mapping[str, str], number: int) -> Request:
    name = said["operationId"]
    game = GAMES.get(name, EVENING)
    if name in ("delete_game", "leave_game"):
        game = f"gone-{number % AT_ONCE}"
    known = {**PLACES, **places, "game": table_of(game) if "/tables/" in path else game}
    if name == "list_options":
        known["unit"] = "u1"
    filled = re.sub(r"\{(\w+)\}", lambda found: known[found[1]], path)
    query = {row["name"]: _worst(row, number) for row in said.get("parameters", ()) if row["in"] == "query"}
    more: dict[str, Any] = {"params": {key: value for key, value in query.items() if value is not None}}
    if "requestBody" in said:
        more |= BODIES[name](number)
    if name in AFTER:
        more["json"] |= {"after": int(places[f"after {game}"])}
    return Request(method, filled, more)


def _worst(parameter: Mapping[str, Any], number: int) -> Any:
    """The value of a query's parameter that asks for the most; whole numbers differ from request to request."""
    name, schema = parameter["name"], parameter["schema"]
    if name in QUERIES:
        return QUERIES[name]
    if schema.get("type") == "boolean":
        return "true"
    if "maximum" not in schema:
        return schema.get("default")
    return (
        schema["maximum"] - number if schema["type"] == "integer" and schema["maximum"] > AT_ONCE else schema["maximum"]
    )


def _id(number: int) -> str:
    return f"worst-{number:03d}-{secrets.token_hex(8)}"


def _json(make: Callable[[int], Any]) -> Callable[[int], dict[str, Any]]:
    return lambda number: {"json": make(number)}


def _upload(field: str, data: Callable[[int], bytes]) -> Callable[[int], dict[str, Any]]:
    return lambda number: {"files": {field: ("a.jpg", data(number))}}


def large_table(number: int) -> str:
    """The largest table file that a request may contain, with every unit wrong."""
    unit = '[[units]]\nid = "u{}"\nside = "blue"\nkind = "infantry"\nbases = 1\nbase = {{ width = 1 }}\n'
    head = f"# {number}\n[table]\nwidth = 480\ndepth = 480\n"
    return head + "".join(map(unit.format, range(9000)))


def large_map(number: int) -> str:
    """A map of as many walls and bytes as a request may contain, as base64."""
    rng = random.Random(number)

    def wall() -> list[dict[str, float]]:
        x, y = rng.uniform(0, 90), rng.uniform(0, 90)
        ring = ((x, y), (x + rng.random(), y), (x + 1, y + rng.random()), (x, y))
        return [{"x": round(u, 3), "y": round(v, 3)} for u, v in ring]

    data = {
        "format": 0.3,
        "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 96, "y": 96}, "pixels_per_grid": 10},
        "line_of_sight": [wall() for _ in range(5_000)],
        "portals": [],
    }
    return base64.b64encode(json.dumps(data).encode().ljust(8_900_000)).decode()


def noise(number: int, size: tuple[int, int] = (1400, 1400), most: int = 10**9) -> bytes:
    """A picture that has markers' edges everywhere."""
    rng = np.random.default_rng(number)
    rows = rng.integers(0, 2, (size[1] // 8, size[0] // 8), np.uint8) * 255
    out = io.BytesIO()
    Image.fromarray(rows.repeat(8, 0).repeat(8, 1)).convert("RGB").save(out, "JPEG", quality=60)
    assert len(out.getvalue()) <= most
    return out.getvalue()


HITS = [{"words": f"correct B1 hits {n}"} for n in (1, 2)]
UNIT = {"id": "u", "side": "blue", "kind": "infantry", "bases": 60}
FORM = {
    "width_in": 480, "depth_in": 480, "sides": [{"id": "blue"}, {"id": "red"}],
    "units": [{**UNIT, "id": f"u{n}", "side": ("blue", "red")[n % 2]} for n in range(100)],
}  # fmt: skip
AROUND = [[0.5 + 0.2 * math.cos(n / 60), 0.5 + 0.2 * math.sin(n / 60)] for n in range(370)]
LINE = {"kind": "woods", "points": AROUND, "fixes": [{"at": [0.5, 0.6 + n / 200], "inside": True} for n in range(40)]}
FAR = {"a": {"unit": "u0"}, "b": {"unit": "u199"}}
SHA = "5" * 64
PLACES = {
    "rules": "combat", "scenario": "first-skirmish", "unit": "u1", "token": "AAAAAAAA", "base": "b1-0", "die": "die1",
    "sha": SHA, "picture": "upright", "job": "0" * 32, "seat": "AAAAAAAA", "invitation": "AAAAAAAA", "learnt": "0" * 12,
    "sheet": "markers", "what": "tags", "number": "1", "draft": "A" * 24,
}  # fmt: skip
BODIES: dict[str, Callable[[int], dict[str, Any]]] = {
    "join_by_token": _json(lambda n: {"token": "A" * 40, "label": "x"}),
    "join_by_code": _json(lambda n: {"code": f"{n:08d}", "label": "x"}),
    "take_sides": _json(lambda n: {"roles": ["side blue", "side red"], "label": f"Anna {n}"}),
    "invite_device": _json(lambda n: {"roles": ["side blue", "side red", "spectator"]}),
    "assign_roles": _json(lambda n: {"roles": ["spectator"]}),
    "make_token": _json(lambda n: {"label": f"program {n}", "may": "act", "days": 366}),
    "make_server_token": _json(lambda n: {"label": f"program {n}", "may": "act", "days": 366}),
    "begin_game": _json(lambda n: {"id": _id(n), "table_file": large_table(n), "rules": "measure"}),
    "plan_game": _json(lambda n: {"table_file": large_table(n), "rules": "measure"}),
    "change_game": _json(lambda n: {"title": f"Title {n}", "archived": n % 2 == 1}),
    "judge_action": _json(lambda n: {"words": f"place B1 at {18 + n / 10},30 facing 0"}),
    "find_nearest_place": _json(lambda n: {"words": f"place B1 at {18 + n / 10},30 facing 0"}),
    "send_command": _json(lambda n: {"id": _id(n), **HITS[n % 2], "overrule": True, "screen": "0-0-0"}),
    "keep_note": _json(lambda n: {"id": _id(n), "text": "word " * 399}),
    "answer_computer": _json(lambda n: {"id": _id(n), "says": "go-on", "roll": True, "screen": "0-0-0"}),
    "choose_computers": _json(lambda n: {"id": _id(n), "computers": {"blue": "strong", "red": "strong"}}),
    "answer_question": _json(lambda n: {"question": "none", "value": "yes"}),
    "correct_base": _json(lambda n: {"center": [10 + n / 10, 20], "facing": 30 + n}),
    "accept_proposals": _json(lambda n: {"id": _id(n), "chosen": None, "overrule": True}),
    "accept_truth": _json(lambda n: {"id": _id(n), "chosen": None}),
    "outline_terrain": _json(lambda n: LINE | {"high": 1 + n / 10}),
    "draw_terrain": _json(lambda n: LINE | {"id": _id(n), "after": 0}),
    "measure_pair": _json(lambda n: FAR),
    "share_measurement": _json(lambda n: {"id": _id(n), **FAR}),
    "lay_overlay": _json(lambda n: {"size_in": 2.0 + n / 100, "origin": [2, 2], "preview": True}),
    "import_file": _json(lambda n: {"name": "a.dd2vtt", "content": large_map(n % 4), "grid_in": 1.0}),
    "aim_camera": _upload("frame", lambda n: noise(n % 9, most=300_000)),
    "help_naming": _upload("frame", lambda n: noise(n % 9, most=300_000)),
    "check_naming": _json(
        lambda n: {
            "corners": [[0.1, 0.9], [0.9, 0.9 - n / 1000], [0.8, 0.1], [0.2, 0.1]],
            "size_in": [36, None],
            "at": [2, 2],
            "width": 4000,
            "height": 3000,
        }
    ),
    "begin_camera": _json(lambda n: {"id": _id(n), "name": "A phone", "board": "letter"}),
    "look_for_board": _upload("photo", lambda n: noise(n % 3, (4000, 3000))),
    "choose_camera": _json(lambda n: {"camera": None}),
    "make_report_file": _json(lambda n: {"format": "pdf", "length": "full", "title": f"Report {n}"}),
    "keep_preview": _json(lambda n: {"length": "full", "title": f"Report {n}"}),
    "send_photo": _upload("photo", lambda n: noise(n % 3, (4000, 3000))),
    "set_learning": _json(lambda n: {"on": False}),
}
"""What is sent, by operation."""
