"""Dataclasses that are sent to phones unchanged."""

from __future__ import annotations

from pydantic import ConfigDict

AS_SENT = ConfigDict(json_schema_serialization_defaults_required=True)
"""The schema settings of such a dataclass (its ``__pydantic_config__``): all fields are in the JSON."""
