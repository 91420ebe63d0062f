"""``tabletop invite``: a QR code and a code for a seat; ``tabletop seats``: list seats and take them away.

Both work on a server's data folder, whether the server runs or not: a phone loses its revoked seat within seconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.cli.completing import complete_game
from tabletop.cli.output import JsonOut, Quiet, check_target, tell
from tabletop.cli.serving import (
    ANY_ADDRESS,
    Address,
    DataFolder,
    Url,
    Wifi,
    WifiPassword,
    address_of,
    addresses,
    codes,
    network_of,
    own_folder,
)
from tabletop.errors import UsageError
from tabletop.files import write_files

if TYPE_CHECKING:
    from api.auth.access import Role, Seat
    from api.auth.seats import Invited
    from api.services.services import Services

GameName = Annotated[
    str | None,
    typer.Argument(
        metavar="[GAME]",
        help="The game, or a table's id. [default: the server itself]",
        autocompletion=complete_game,
    ),
]


def invite(
    game: GameName = None,
    role: Annotated[
        list[str] | None,
        typer.Option(help='host, spectator, or as "side blue" or "command D"; several for one device.'),
    ] = None,
    address: Address = "",
    data: DataFolder = None,
    url: Url = "",
    wifi: Wifi = "",
    wifi_password: WifiPassword = "",
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Invite one device to a seat at a game of a server: prints its QR code, address and code.

    Without a game the device becomes a host of the server, as with the code printed by `tabletop serve`.
    """
    from api.auth.access import HOST, Role, roles_among
    from api.auth.joining import join_address
    from api.auth.seats import SERVER
    from api.auth.tokens import shown_code
    from api.views.seats import invitation_out

    target, network = check_target(json_out), network_of(wifi, wifi_password)
    at = game or SERVER
    with services_at(data, url) as services:
        wanted = [Role.parse(words) for words in role or ([str(HOST)] if at == SERVER else [])]
        roles = roles_among(wanted, services.roles(at), of="game" if game else "server")
        root = (*address_of(address), *addresses(ANY_ADDRESS, 8000))[0]
        invited = services.seats.invite(at, roles)
    link, code = join_address(root, invited.token), shown_code(invited.code)
    told = {**invitation_out(invited).model_dump(), "game": at, "code": code, "address": link}
    if json_out is not None:
        write(told, json_out, target)
    lines = [
        f"For {_roles(roles)}: open {link} or scan it (good for one device until {_clock(invited.expires)}):",
        codes(link, network),
        f"Or open {root} and type the code {code} (until {_clock(invited.code_expires)}).",
    ]
    tell("\n".join(lines), json_target=json_out, quiet=quiet)


def seats(
    game: GameName = None,
    revoke: Annotated[str | None, typer.Option(metavar="SEAT", help="Take this seat away.")] = None,
    data: DataFolder = None,
    url: Url = "",
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """List the seats and invitations of a game of a server, or take a seat away."""
    from api.auth.access import require
    from api.auth.seats import SERVER
    from api.views.seats import invitation_out, seat_out

    target, at = check_target(json_out), game or SERVER
    with services_at(data, url) as services:
        services.roles(at)  # rejects a game without seats
        if revoke is not None:
            require(services.seats.seat(revoke), game=at)
            gone = services.seats.revoke(revoke)
            services.notifier.notify(at)
            tell(f"{gone.label} has no seat any more.", json_target=json_out, quiet=quiet)
        sitting, open_ = services.seats.seats(at), services.seats.invitations(at)
    if json_out is not None:
        found = {
            "game": at,
            "seats": [seat_out(one).model_dump() for one in sitting],
            "invitations": [invitation_out(one).model_dump() for one in open_],
        }
        write(found, json_out, target)
    if revoke is None:
        tell(_seat_list(sitting, open_), json_target=json_out, quiet=quiet)


@contextmanager
def services_at(data: Path | None, url: str) -> Iterator[Services]:
    """The services over a data folder created by a server or a game."""
    from api.services.services import Services
    from api.settings import Settings
    from api.workers.photo_work import engine_of

    settings = Settings(data or own_folder(), url=url)
    if not url and not (settings.data_dir / "tabletop.sqlite").is_file():
        raise UsageError(f"There are no games in {settings.data_dir} yet: start a server there first (tabletop serve).")
    services = Services(settings, engine_of(settings))
    try:
        yield services
    finally:
        services.event_store.close()


def _seat_list(sitting: list[Seat], open_: list[Invited]) -> str:
    """Seats and invitations, a line each."""
    rows = [
        (one.seat, one.label, _roles(one.roles), "taken away" if one.revoked else f"seen {day(one.seen)}")
        for one in sitting
    ]
    rows += [(one.invitation, "invited", _roles(one.roles), f"until {day(one.expires)}") for one in open_]
    if not rows:
        return "No one has a seat, and no one is invited."
    wide = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        "  ".join([*(cell.ljust(most) for cell, most in zip(row, wide, strict=False)), row[3]]) for row in rows
    )


def _roles(roles: tuple[Role, ...]) -> str:
    return ", ".join(map(str, roles))


def _clock(at: datetime) -> str:
    return f"{at.astimezone():%H:%M}"


def day(at: datetime) -> str:
    """A time as a terminal shows it."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def write(found: Mapping[str, Any], json_out: str, target: Path | None) -> None:
    """Write JSON to the file that was named, or to standard output."""
    text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    if target is None:
        typer.echo(text, nl=False)
    else:
        write_files({target: text.encode()})
