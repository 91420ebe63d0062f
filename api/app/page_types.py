"""The page's TypeScript types, written from the server's own schemas so that the two cannot drift apart.

Run ``python -m api.app.page_types`` after changing :mod:`api.schemas`; a test compares.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

TYPES_FILE = Path(__file__).parents[1] / "web" / "src" / "schema.ts"
_HEAD = "// Written by `python -m api.app.page_types` from the server's schemas. Do not edit.\n"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def typescript(document: dict[str, Any]) -> str:
    """TypeScript interfaces of all object schemas of an OpenAPI document.

    >>> print(typescript({"components": {"schemas": {"A": {"type": "object", "required": ["x"],
    ...     "properties": {"x": {"type": "array", "items": {"type": "number"}}, "y": {"type": "string"}}}}}}))
    // Written by `python -m api.app.page_types` from the server's schemas. Do not edit.
    <BLANKLINE>
    export interface A {
      x: number[];
      y?: string;
    }
    <BLANKLINE>
    """
    schemas: dict[str, dict[str, Any]] = document["components"]["schemas"]
    parts = [_interface(name, schema) for name, schema in sorted(schemas.items()) if _ours(name, schema)]
    return _HEAD + "\n" + "\n".join(parts)


def _ours(name: str, schema: dict[str, Any]) -> bool:
    return schema.get("type") == "object" and not name.startswith(("Body_", "Problem"))


def _interface(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", [])
    lines = [
        f"  {key}{'' if key in required else '?'}: {_type(part)};" for key, part in schema.get("properties", {}).items()
    ]
    return "\n".join([f"export interface {name} {{", *lines, "}", ""])


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(part) for part in schema["anyOf"]))
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(_type(part) for part in schema['prefixItems'])}]"
        inner = _type(schema["items"])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values) if isinstance(values, dict) else 'unknown'}>"
    return _PLAIN[schema["type"]] if "type" in schema else "unknown"


def current() -> str:
    """The types of the server as it is now."""
    from api.app.application import create_app
    from api.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        return typescript(create_app(Settings(Path(folder)), engine=None).openapi())


def main() -> None:
    """Write the file."""
    TYPES_FILE.write_text(current(), encoding="utf-8")


if __name__ == "__main__":
    main()
