"""``tabletop serve``: the phone page on the local network; ``tabletop work``: reading photos for it elsewhere."""

from __future__ import annotations

import contextlib
import errno
import shutil
import signal
import socket
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from tabletop.cli.output import Quiet, tell
from tabletop.errors import UsageError
from tabletop.files import make_writable

if TYPE_CHECKING:
    from api.app.connections import Door
    from api.auth.seats import Invited
    from api.services.services import Services
    from api.settings import Settings

DataFolder = Annotated[
    Path | None, typer.Option(help="The folder for tables and photos. [default: the user's own data folder]")
]
Workers = Annotated[int, typer.Option(help="How many processes read photos, one photo each.", min=0, max=64)]
Url = Annotated[
    str,
    typer.Option(
        envvar="TABLETOP_URL", help="A database instead of a file in the folder: postgresql+psycopg://USER@HOST/NAME."
    ),
]
Photos = Annotated[str, typer.Option(help="A bucket for pictures instead of the folder: s3://NAME/FOLDER.")]
Wifi = Annotated[
    str,
    typer.Option(envvar="TABLETOP_WIFI", help="The local network's name: shown as a QR code beside the invitation's."),
]
WifiPassword = Annotated[
    str, typer.Option(envvar="TABLETOP_WIFI_PASSWORD", help="The network's password; without it the network is open.")
]
Learnt = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Keep learned terrain and armies in this collection; created if missing. [default: beside the photos]",
    ),
]
Address = Annotated[
    str,
    typer.Option(
        envvar="TABLETOP_ADDRESS",
        metavar="ADDRESS",
        help="The server's address for phones, http://club.lan:8000 for example. [default: this machine's]",
    ),
]
Https = Annotated[
    bool,
    typer.Option(
        "--https", help="Serve by HTTPS with a certificate made here, so that the page can show the camera's picture."
    ),
]
ANY_ADDRESS = "0.0.0.0"
_DOCUMENTATION_ADDRESS = "203.0.113.1"  # reserved, so it is on no network; nothing is ever sent to it


def serve(
    table: Annotated[Path | None, typer.Option(help="Begin a game of this table file that only measures.")] = None,
    host: Annotated[str, typer.Option(help="The address to listen at; the default is all.")] = ANY_ADDRESS,
    port: Annotated[int, typer.Option(help="The port to listen at; 0 takes any free one.", min=0, max=65535)] = 8000,
    data: DataFolder = None,
    workers: Workers = 1,
    url: Url = "",
    photos: Photos = "",
    wifi: Wifi = "",
    wifi_password: WifiPassword = "",
    address: Address = "",
    https: Https = False,
    collection: Learnt = None,
    quiet: Quiet = False,
) -> None:
    """Serve the phone page on the local network; prints a QR code for a host's phone; stops with Ctrl-C.

    The code and its address are valid for one device; others get theirs from the host's screen, or by `tabletop
    invite`.
    """
    from api.app.application import create_app
    from api.app.connections import server_at
    from api.app.memory import keep_memory_level
    from api.settings import Settings
    from api.setup.table_games import game_of_file

    keep_memory_level()
    network, known_as = network_of(wifi, wifi_password), address_of(address)
    learnt = collection_for(collection, url, workers)
    with listening_socket(host, port) as door:
        roots = (*known_as, *addresses(host, int(door.getsockname()[1]), https=https))
        settings = Settings(
            private_folder(data),
            addresses=roots,
            workers=workers,
            url=url,
            photos=photos,
            wifi=network,
            collection=learnt,
        )
        app = create_app(settings)
        to = f"/g/{game_of_file(app.state.services, table)}" if table else ""
        words, keys = welcome(app.state.services.welcome(), settings, to), dict[str, Any]()
        if https:
            from api.app.certificate import certificate

            own = certificate(settings.data_dir, [urlsplit(root).hostname or "" for root in roots])
            words = f"{words}\n{trust_words(own.fingerprint)}"
            keys = {"ssl_certfile": own.certificate, "ssl_keyfile": own.key}
        tell(words, json_target=None, quiet=quiet)
        services = app.state.services
        end_streams = partial(_end_services, services, quiet=quiet)
        server = server_at(door, app, end_streams=end_streams, checkpoint=services.end_at_once, **keys)
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[door])


def _end_services(services: Services, *, quiet: bool) -> None:
    tell("Stopping within five seconds; Ctrl-C once more stops at once.", json_target=None, quiet=quiet)
    services.end()


def work(
    data: DataFolder = None,
    workers: Workers = 1,
    url: Url = "",
    photos: Photos = "",
    quiet: Quiet = False,
) -> None:
    """Read photos for a server on another machine with the same database and photos; stops with Ctrl-C."""
    from api.settings import Settings
    from api.workers.worker_pool import work_alone

    if workers < 1:
        raise UsageError("At least one worker is needed: give --workers 1 or more.")
    settings = Settings(data_dir=data or own_folder(), workers=workers, url=url, photos=photos)
    over = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    signal.signal(signal.SIGINT, lambda *_: over.set())
    many = "1 worker reads" if workers == 1 else f"{workers} workers read"
    tell(f"{many} photos. Stop with Ctrl-C.", json_target=None, quiet=quiet)
    work_alone(settings, over)


def listening_socket(host: str, port: int) -> Door:
    """A socket that listens at an address, for as many connections as this process may open; raises UsageError
    if it is not available."""
    from api.app.connections import BACKLOG, Door, bounds_below, raise_descriptor_limit

    door = Door(bounds_below(raise_descriptor_limit()))
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    not_ours = f"{host} is not an address of this machine: leave --host out to listen at every one."
    try:
        door.bind((host, port))
        door.listen(BACKLOG)
    except socket.gaierror as error:
        door.close()
        raise UsageError(not_ours) from error
    except OSError as error:
        door.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise UsageError(not_ours) from error
        raise UsageError(
            f"Port {port} at {host} is not available ({(error.strerror or str(error)).lower()}): name another "
            "with --port."
        ) from error
    return door


def addresses(host: str, port: int, *, https: bool = False) -> tuple[str, ...]:
    """The addresses that a browser can open, the one for phones first.

    >>> addresses("192.168.1.7", 8000)
    ('http://192.168.1.7:8000',)
    """
    names = [host] if host != ANY_ADDRESS else dict.fromkeys([*_network_addresses(), "127.0.0.1"])
    return tuple(f"{'https' if https else 'http'}://{name}:{port}" for name in names)


def _network_addresses() -> list[str]:
    """This machine's addresses on its networks, the one that its traffic takes first."""
    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((_DOCUMENTATION_ADDRESS, 9))  # finds the route; a datagram socket sends nothing when it connects
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [name for name in found if not name.startswith("127.")]


def private_folder(data: Path | None) -> Path:
    """The folder for tables and photos, created if missing; a new one, and the user's own, is readable only by its
    owner. An existing folder keeps its rights, because several users may share it. Raises UsageError."""
    folder = data or own_folder()
    make_writable(folder, mode=0o700)
    if data is None:
        folder.chmod(0o700)
    return folder


def own_folder() -> Path:
    """The default folder of a user's tables, games and photos."""
    import platformdirs

    return platformdirs.user_data_path("tabletop", appauthor=False)


def collection_for(file: Path | None, url: str, workers: int) -> str:
    """The path of the collection that a server learns into, created if missing; empty if none is named.

    Raises UsageError if it can't be used, CollectionError for a file that is not a collection.
    """
    if file is None:
        return ""
    if url or workers < 1:
        why = "--url" if url else "--workers 0"
        raise UsageError(
            f"A collection's file is only on this machine, and with {why} other machines learn from photos: leave "
            "--collection out, and learned data is stored beside the photos."
        )
    from tabletop.referee.collection_files import check_collection

    check_collection(file)
    return str(file.resolve())


def address_of(said: str) -> tuple[str, ...]:
    """The address by which phones reach a server, if given; raises UsageError for an invalid one.

    >>> address_of("http://club.lan:8000/"), address_of("")
    (('http://club.lan:8000',), ())
    """
    from api.auth.joining import join_address

    root = said.rstrip("/")
    if root:
        join_address(root, "x" * 40)
    return (root,) if root else ()


def network_of(wifi: str, password: str) -> tuple[str, str] | None:
    """A Wi-Fi network's name and password, if given; raises UsageError for an invalid name."""
    from api.auth.joining import wifi_words

    if password and not wifi:
        raise UsageError("A Wi-Fi password needs the network's name: add --wifi NAME.")
    if wifi:
        wifi_words(wifi, password)
    return (wifi, password) if wifi else None


def welcome(invited: Invited, settings: Settings, to: str = "") -> str:
    """The text for the person who starts the server: how to become its host, at which path of the page, and how to
    stop."""
    from api.auth.joining import join_address

    links = [join_address(root, invited.token, to) for root in settings.addresses]
    lines = [
        f"Open {links[0]} to be the host, or scan it with a phone in the same network (valid for one device):",
        codes(links[0], settings.wifi),
    ]
    if len(links) > 1:
        lines.append(f"On this machine: {links[-1]}")
    if not (settings.page_dir / "index.html").is_file():
        lines.append("The phone page is not in this installation (it was built without npm); only /api answers.")
    return "\n".join([*lines, f"Tables and photos are kept in {settings.data_dir}. Stop with Ctrl-C."])


def trust_words(fingerprint: str) -> str:
    """The advice on a certificate that no authority has signed."""
    return (
        "Each browser warns once that it does not know this server's certificate: choose to continue (under Advanced "
        f"or Details) if it shows the SHA-256 fingerprint {fingerprint}."
    )


def codes(link: str, wifi: tuple[str, str] | None) -> str:
    """The QR code of an address for a terminal, and the Wi-Fi network's beside it."""
    from api.auth.joining import side_by_side, terminal_qr, wifi_words

    code = terminal_qr(link)
    if wifi is None:
        return code
    network = f"{terminal_qr(wifi_words(*wifi))}\nFirst the Wi-Fi network {wifi[0]}"
    return side_by_side(code, network, shutil.get_terminal_size().columns)
