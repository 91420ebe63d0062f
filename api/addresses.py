"""The server's addresses: with their version, as in its document, and without, as its routes are written."""

PLAIN = "/api"
"""The root of all routes. An address without a version is answered like the newest one."""
VERSIONED = "/api/v1"
"""The root of the same addresses with their version, as in the document, the page and links in answers."""
