"""``tabletop token``: a token for a program at a seat of a game; ``tabletop tokens``: list tokens and revoke them.

Both work on a server's data folder, whether the server runs or not: a program with a revoked token is disconnected
within seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.cli.inviting import GameName, day, services_at, write
from tabletop.cli.output import JsonOut, Quiet, check_target, tell
from tabletop.cli.serving import DataFolder, Url
from tabletop.errors import UsageError

if TYPE_CHECKING:
    from api.auth.access import Seat
    from api.services.services import Services


def token(
    game: GameName = None,
    seat: Annotated[str, typer.Option(help="The program's seat, by its id or its player's name.")] = "",
    role: Annotated[
        list[str] | None,
        typer.Option(help='A seat of the program\'s own instead: spectator, host, or as "side blue"; several for one.'),
    ] = None,
    name: Annotated[str, typer.Option(help="The program's name in the list.")] = "A program",
    act: Annotated[bool, typer.Option("--act", help="The program also acts; otherwise it only reads.")] = False,
    days: Annotated[int, typer.Option(help="The number of days that the token is valid.", min=1, max=366)] = 30,
    data: DataFolder = None,
    url: Url = "",
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Make a token for a program, which sees a game of a server as one seat does; it is printed only once.

    Without a game the token is valid for everything that the server's host sees and does. The log of a game records,
    for everyone to see, which seat a token was made for.
    """
    from api.auth.seats import SERVER
    from api.views.programs import token_out
    from api.views.seats import tell_program

    target, at = check_target(json_out), game or SERVER
    with services_at(data, url) as services:
        whose = _seat(services, at, seat, role or [], name)
        new = services.tokens.make(whose, at, name, "act" if act else "read", days)
        tell_program(services, whose, new.made)
        services.notifier.notify(at)
        told = {**token_out(services, new.made, whose).model_dump(), "game": at, "token": new.secret}
    if json_out is not None:
        write(told, json_out, target)
    kind = "reads and acts" if act else "only reads"
    until = f"It {kind} as {whose.label} and is valid until {day(new.made.expires)}."
    tell(f"{new.secret}\n{until} Keep it secret: it is not shown again.", json_target=json_out, quiet=quiet)


def tokens(
    game: GameName = None,
    revoke: Annotated[str | None, typer.Option(metavar="TOKEN", help="Revoke the token with this id.")] = None,
    data: DataFolder = None,
    url: Url = "",
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """List the tokens for programs at a game of a server, or revoke one."""
    from api.auth.seats import SERVER
    from api.views.programs import token_out

    target, at = check_target(json_out), game or SERVER
    with services_at(data, url) as services:
        services.roles(at)  # rejects a game without seats
        if revoke is not None:
            gone = services.tokens.revoke(revoke, at)
            services.notifier.notify(at)
            tell(f"The token of {gone.label} is revoked.", json_target=json_out, quiet=quiet)
        rows = [token_out(services, one, services.seats.seat(one.seat)) for one in services.tokens.tokens(at)]
    if json_out is not None:
        write({"game": at, "tokens": [row.model_dump(exclude={"mine"}) for row in rows]}, json_out, target)
    if revoke is None:
        lines = [f"{row.id}  {row.label}  ({row.whose}, {_MAY[row.may]}, until {row.expires[:10]})" for row in rows]
        tell("\n".join(lines) or "No program has a token.", json_target=json_out, quiet=quiet)


_MAY = {"read": "only reads", "act": "reads and acts"}


def _seat(services: Services, game: str, wanted: str, roles: list[str], name: str) -> Seat:
    """The seat of a token: an existing one, or with ``roles`` a new one; raises UsageError."""
    from api.auth.access import Role, roles_among

    known = services.roles(game)
    if roles:
        return services.seats.sit(game, roles_among([Role.parse(words) for words in roles], known), name).seat
    sitting = [one for one in services.seats.seats(game) if one.revoked is None]
    found = [one for one in sitting if wanted in ("", one.seat, one.label)]
    if len(found) == 1:
        return found[0]
    if not sitting:
        raise UsageError("No one has a seat there: invite a player, or give the program its own seat by --role.")
    there = ", ".join(f"{one.seat} ({one.label})" for one in sitting)
    raise UsageError(f"Name the program's seat with --seat: there are {there}.")
