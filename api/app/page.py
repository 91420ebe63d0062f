"""The phone page's own files, and the interactive page of the addresses under /api for the host."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from fastapi import Depends, FastAPI, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response

from api.auth.access import Seat
from api.errors import NotThereError
from api.services.authentication import Gate

SCREENS = (
    "/", "/j", "/start", "/camera", "/prints", "/learnt", "/g/{game}", "/g/{game}/seats", "/g/{game}/report",
    "/g/{game}/replay", "/t/{game}", "/t/{game}/seats",
)  # fmt: skip
"""The addresses that the page's own screens have (its ``screens.ts``)."""
PAGE_FILES = {
    "app.js": "text/javascript",
    "app.css": "text/css",
    "icon.svg": "image/svg+xml",
    "icon-180.png": "image/png",
    "icon-192.png": "image/png",
    "icon-512.png": "image/png",
    "manifest.webmanifest": "application/manifest+json",
    "licences.txt": "text/plain",
    "worker.js": "text/javascript",
}
PART = re.compile(r"part-[A-Z0-9]{8}\.js")
"""Names of the later parts of the page's script: they contain a hash, so that a browser may keep them for good."""
DOCS_FILES = {
    "index.html": "text/html",
    "begin.js": "text/javascript",
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
}
NO_PAGE = (
    "The phone page is not built. Run `npm ci && npm run build` in the folder api/web, or install a released wheel, "
    "which has the page inside. The addresses under /api work without it.\n"
)
READING = ["GET", "HEAD"]
DOCS_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""The interactive page writes styles into its elements; otherwise it has the phone page's limits."""


def add_page(app: FastAPI, folder: Path, gate: Gate) -> None:
    """Serve the page that was built into a folder. Most of its files have no version in their names, so browsers check
    each time whether they have changed."""

    def page(request: Request) -> Response:
        index = folder / "index.html"
        if not index.is_file():
            return PlainTextResponse(NO_PAGE, status_code=503)
        return _file(request, index, "text/html")

    for path in SCREENS:
        app.add_api_route(path, page, methods=READING, include_in_schema=False)

    @app.api_route("/{name}", methods=READING, include_in_schema=False)
    def page_file(name: str, request: Request) -> Response:
        kind = "text/javascript" if PART.fullmatch(name) else PAGE_FILES.get(name)
        if kind is None or not (folder / name).is_file():
            raise NotThereError(f"There is nothing at /{name}.")
        for_good = {"Cache-Control": "public, max-age=31536000, immutable"} if PART.fullmatch(name) else None
        return _file(request, folder / name, kind, for_good)

    # nothing here is for strangers: what the page sends goes out with the host's own seat
    @app.get("/api/docs", include_in_schema=False)
    def docs(request: Request, _host: Annotated[Seat, Depends(gate.host_here)]) -> Response:
        return _docs(request, "index.html")

    @app.get("/api/docs/{name}", include_in_schema=False)
    def docs_file(name: str, request: Request, _host: Annotated[Seat, Depends(gate.host_here)]) -> Response:
        return _docs(request, name)

    def _docs(request: Request, name: str) -> Response:
        path = folder / "docs" / name
        if name not in DOCS_FILES or not path.is_file():
            raise NotThereError("There is no interactive page here: the phone page was not built, or without it.")
        return _file(request, path, DOCS_FILES[name], {"Content-Security-Policy": DOCS_POLICY})


def _file(request: Request, path: Path, media_type: str, headers: Mapping[str, str] | None = None) -> Response:
    """A file, or only that the browser's own copy of it is still good."""
    more = {"Cache-Control": "no-cache", **(headers or {})}
    whole = FileResponse(path, media_type=media_type, headers=more, stat_result=os.stat(path))
    etag = whole.headers["etag"]
    held = [word.strip().removeprefix("W/") for word in request.headers.get("if-none-match", "").split(",")]
    if etag in held:
        return Response(status_code=304, headers={"ETag": etag, **more})
    return whole
