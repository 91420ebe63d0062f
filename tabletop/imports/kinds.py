"""The kind of a file, identified by its content and not by the ending of its name."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from typing import Any, Literal

from tabletop.errors import SceneError
from tabletop.imports.army_forge import is_army_forge
from tabletop.imports.roster_text import is_text_list
from tabletop.imports.uvtt import MOST_BYTES
from tabletop.reading import json_fields as read
from tabletop.words import and_list

Kind = Literal["map", "roster"]

_NEXT = "export the map as Universal VTT, or the list as a roster (.ros, .rosz, or .json of New Recruit or Army Forge)."
_BINARY = (
    (b"%PDF", "a PDF file"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"RIFF", "a picture"),
    (b"\x1f\x8b", "a compressed file (gzip)"),
    (b"Rar!", "a compressed file (RAR)"),
    (b"7z\xbc\xaf", "a compressed file (7-Zip)"),
    (b"SQLite format 3", "a database"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
    (b"\0\0\0", "a picture or a film"),  # AVIF, HEIC, MP4
)

Json = Mapping[str, Any]
_JSON_KINDS: tuple[tuple[Kind, Callable[[Json], bool]], ...] = (
    ("map", lambda data: "resolution" in data or ("line_of_sight" in data and "walls" not in data)),
    ("roster", lambda data: isinstance(data.get("roster"), Mapping)),
    ("roster", is_army_forge),
)
_OTHER_JSON: tuple[tuple[str, Callable[[Json], bool]], ...] = (
    ("a scene of Foundry VTT", lambda data: {"walls", "grid"} <= data.keys()),
    ("a project of Dungeondraft", lambda data: {"header", "world"} <= data.keys()),
    ("a map of One Page Dungeon", lambda data: {"rects", "doors"} <= data.keys()),
    ("GeoJSON", lambda data: data.get("type") in ("FeatureCollection", "Feature")),
    ("a save of Tabletop Simulator", lambda data: "ObjectStates" in data),
    ("game data without a list", lambda data: bool({"catalogue", "gameSystem"} & data.keys())),
    ("a scene or an observation of this program", lambda data: {"table", "bases"} <= data.keys()),
)


def kind_of_file(source: bytes, name: str) -> Kind:
    """Whether a file is a map or a roster; raises SceneError for any other file, with its apparent type and what to do.

    A damaged file still has its kind: its reader reports the fault.
    """
    if not source.strip():
        raise SceneError(f"{name} is empty: save it again.")
    if source.startswith(b"PK"):
        return _packed(source, name)
    binary = next((title for start, title in _BINARY if source.startswith(start)), None)
    wide = source.startswith((b"\xff\xfe", b"\xfe\xff"))
    if binary is not None or (b"\0" in source[:4096] and not wide):
        raise SceneError(f"{name} is {binary or 'neither text nor a zip file'}: {_NEXT}")
    start = source.decode("utf-16" if wide else "utf-8-sig", errors="replace").lstrip()
    if start.startswith("<"):
        if start[:15].casefold().startswith(("<!doctype html", "<html")):
            raise SceneError(f"{name} is a web page: {_NEXT}")
        return "roster"
    return _json(source, name) if start.startswith("{") else _plain(start, name)


def _json(source: bytes, name: str) -> Kind:
    if len(source) > MOST_BYTES:
        return "map"  # the reader of maps refuses the size
    data = read.parse_json(source, name)
    kind = next((kind for kind, matches in _JSON_KINDS if matches(data)), None)
    if kind is not None:
        return kind
    known = next((title for title, matches in _OTHER_JSON if matches(data)), None)
    if known is not None:
        raise SceneError(f"{name} seems to be {known}: {_NEXT}")
    keys = [json.dumps(key[:20]) for key in list(data)[:3]]
    within = f" with {and_list(keys)} in it" if keys else ""
    raise SceneError(f"{name} is JSON of another program{within}: {_NEXT}")


def _packed(source: bytes, name: str) -> Kind:
    """A zip file: a packed roster has a .ros in it."""
    try:
        with zipfile.ZipFile(io.BytesIO(source)) as packed:
            names = [one.filename.casefold() for one in packed.infolist()]
    except (zipfile.BadZipFile, NotImplementedError, ValueError):  # ValueError: places before the beginning
        return "roster"
    if any(one.endswith(".ros") for one in names):
        return "roster"
    if {"[content_types].xml", "mimetype"} & set(names):
        raise SceneError(f"{name} is an office document: {_NEXT}")
    raise SceneError(f"{name} is a zip file without a roster in it: unpack it, and import the map or the list itself.")


def _plain(text: str, name: str) -> Kind:
    """Text that is neither XML nor a JSON object; ``text`` is without white space at its start."""
    if re.match(r'\[\s*[\[{"\]]', text):
        raise SceneError(f"{name} is a JSON list of another program: {_NEXT}")
    if "\n[table]" in f"\n{text}":
        raise SceneError(
            f"{name} is a table file already: begin a game with it.", f"Usage: tabletop new --table {name}"
        )
    if is_text_list(text):
        return "roster"
    raise SceneError(f"{name} is plain text and neither a map nor a roster: {_NEXT}")
