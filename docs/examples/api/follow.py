"""Print every event of a game as it happens, by a program's token. Needs Python alone.

TABLETOP_TOKEN=tabletop_... python follow.py http://192.168.1.7:8000 GAME
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

AGAIN_S = 2.0
QUIET_S = 60.0  # the server says that it is there every few seconds, so a longer silence is a lost connection


def events(server: str, game: str, token: str, after: int = 0) -> Iterator[dict[str, Any]]:
    """Every event of a game after one, for as long as the token is good; a lost connection is taken up again.

    Raises HTTPError where the server refuses.
    """
    while True:
        request = Request(
            f"{server}/api/v1/games/{game}/stream?after={after}", headers={"Authorization": f"Bearer {token}"}
        )
        try:
            with urlopen(request, timeout=QUIET_S) as stream:
                for kind, data in sent(stream):
                    if kind == "record":  # others tell of the seat, the table and the page's screen
                        event = json.loads(data)
                        after = event["seq"]
                        yield event
        except HTTPError as error:
            if error.code not in (429, 502, 503):
                raise
        except (OSError, HTTPException):
            pass  # the server or the network was away
        time.sleep(AGAIN_S)


def sent(lines: Any) -> Iterator[tuple[str, str]]:
    """Server-sent events: the kind and the data of each."""
    kind, data = "message", []
    for raw in lines:
        name, _, value = raw.decode().rstrip("\r\n").partition(":")
        if name == "event":
            kind = value.strip()
        elif name == "data":
            data.append(value.removeprefix(" "))
        elif not name and not value and data:
            yield kind, "\n".join(data)
            kind, data = "message", []


def main() -> None:
    """Follow the game that the command line names."""
    if len(sys.argv) != 3 or not os.environ.get("TABLETOP_TOKEN"):
        sys.exit("Usage: TABLETOP_TOKEN=tabletop_... python follow.py http://192.168.1.7:8000 GAME")
    try:
        for event in events(sys.argv[1].rstrip("/"), sys.argv[2], os.environ["TABLETOP_TOKEN"]):
            print(f"{event['seq']:4}  {event['text']}", flush=True)
    except HTTPError as error:
        sys.exit(json.load(error)["detail"])
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
