"""Answers whose JSON is made already."""

from __future__ import annotations

from typing import Any

from fastapi import Response
from pydantic_core import to_json


def json_response(value: Any, status: int = 200) -> Response:
    """What is ready for JSON, as it is sent: nothing of it is checked again."""
    return Response(to_json(value), status, media_type="application/json")
