"""Have a running server read its bundled photo: ``python scripts/try_photo.py LINK``; prints the seconds that it took.

``LINK`` is the address of the host's invitation, as ``tabletop serve`` and ``tabletop invite`` print it. Needs nothing
but Python, so that it can be run wherever a server runs: scripts/try-container does.
"""

from __future__ import annotations

import http.cookiejar
import json
import sys
import time
import urllib.request
from typing import Any

LONGEST_S = 240.0


def main() -> None:
    """Join as the host, set up the demonstration and wait until its photo is read."""
    root, _, token = sys.argv[1].partition("/j#")
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def ask(method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Origin": root, "Content-Type": "application/json"}
        with opener.open(urllib.request.Request(root + path, data, headers, method=method), timeout=60) as answer:
            return json.loads(answer.read() or b"null")

    ask("POST", "/api/join", {"token": token, "label": "Trial"})
    start = time.monotonic()
    job = ask("POST", "/api/demo", {})
    while job["state"] not in ("done", "failed"):
        if time.monotonic() - start > LONGEST_S:
            sys.exit(f"The photo was not read within {LONGEST_S:g} seconds: {job}")
        time.sleep(0.3)
        job = ask("GET", f"/api/jobs/{job['id']}")
    if job["state"] == "failed":
        sys.exit(f"The photo can't be used: {job['detail']}")
    print(f"The photo was read in {time.monotonic() - start:.1f} seconds.")


if __name__ == "__main__":
    main()
