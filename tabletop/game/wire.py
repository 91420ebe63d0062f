"""Dataclasses that are sent to phones as they are."""

from __future__ import annotations

from pydantic import ConfigDict

AS_SENT = ConfigDict(json_schema_serialization_defaults_required=True)
"""What a schema says of such a dataclass (its ``__pydantic_config__``): all fields stand in the JSON."""
