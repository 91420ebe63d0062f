"""Schemas of what other packages bring besides rulesets and scenarios: armies, and sheets to print."""

from __future__ import annotations

from api.schemas.tables import Model


class ArmyOut(Model):
    """An army to start a game with: its table file's name and text, for a wish's ``table_file``."""

    id: str
    title: str
    package: str
    table_name: str
    table_file: str


class SheetOut(Model):
    """A sheet of another package, printed at ``/api/prints/sheets/{id}.pdf``."""

    id: str
    title: str
    says: str
