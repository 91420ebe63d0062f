"""Server settings: where its data is stored, and its limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

PAGE_DIR = Path(__file__).parent / "web" / "dist"
USUAL_TOKEN_DAYS, MOST_TOKEN_DAYS = 30, 366
"""The default and the greatest number of days that a program's token is valid."""


@dataclass(frozen=True)
class Settings:
    """The server's settings; sizes in bytes.

    ``addresses`` are the addresses that a phone can type, best first; ``names`` are host names accepted besides plain
    addresses, ``localhost`` and ``*.local`` (a stranger's web page that points its own name here is refused). ``url``
    is a database elsewhere instead of a file in ``data_dir``, ``photos`` a bucket instead of a folder there.
    ``workers`` processes read photos, each one photo at a time; where a server has none, others do (``tabletop work``).
    ``collection`` is the file of learned terrain and armies, where they are not stored with the pictures. ``engine`` is
    the engine of the workers: a module and a function of these settings. ``photos_waiting`` photos of one table may
    wait or be read at once, and ``photos_waiting_in_all`` of all tables. One seat may have ``uploads_of_seat`` uploads
    under way, and all together ``upload_bytes_in_all``. Bytes of a photo that was never acknowledged to its sender are
    deleted after ``orphan_s`` seconds. A photo has at most ``max_photo_pixels``, and decoding it may take
    ``decoder_memory_bytes`` of address space, ``decoder_cpu_s`` seconds of a processor and ``decoder_wall_s`` on the
    clock (see :class:`api.photos.decoding.Limits`). A frame of a viewfinder has at most ``max_frame_bytes``.
    ``hand_sigma_in`` and ``hand_sigma_deg`` are one standard deviation of a base that a player places by hand,
    ``hand_terrain_sigma_in`` that of the outline of terrain drawn with a finger. The limits per minute are those of one
    device: reads, writes, photos, frames of its viewfinder, drawn sheets and reports, and tries to join.
    ``look_again_s`` is how often to look for what other processes wrote. ``wifi`` is the local network's name and
    password, which the host's screen then shows as a QR code.
    """

    data_dir: Path
    max_photo_bytes: int = 60_000_000
    max_table_bytes: int = 1_000_000
    max_json_bytes: int = 64_000
    max_frame_bytes: int = 300_000
    photos_waiting: int = 4
    photos_waiting_in_all: int = 100
    uploads_of_seat: int = 2
    upload_bytes_in_all: int = 300_000_000
    orphan_s: float = 60.0
    max_photo_pixels: int = 120_000_000
    decoder_memory_bytes: int = 2_000_000_000
    decoder_cpu_s: int = 20
    decoder_wall_s: float = 40.0
    hand_sigma_in: float = 0.1
    hand_sigma_deg: float = 3.0
    hand_terrain_sigma_in: float = 0.2
    reads_a_minute: int = 1800
    writes_a_minute: int = 600
    photos_a_minute: int = 12
    frames_a_minute: int = 75
    drawings_a_minute: int = 30
    joins_a_minute: int = 300
    look_again_s: float = 1.0
    wifi: tuple[str, str] | None = None
    addresses: tuple[str, ...] = ()
    names: tuple[str, ...] = field(default=())
    page_dir: Path = PAGE_DIR
    url: str = field(default="", repr=False)
    photos: str = ""
    collection: str = ""
    workers: int = 1
    engine: str = "api.app.program:of_settings"
