"""Where the server's addresses lie: as its document tells them, with their version, and as its routes are written."""

PLAIN = "/api"
"""The root of all routes. An address without a version is answered as the newest one."""
VERSIONED = "/api/v1"
"""The root of the same addresses with their version: what the document, the page and links in answers name."""
