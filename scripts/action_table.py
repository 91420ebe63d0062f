"""Write the table of all actions, ``docs/actions.md``, from their declarations: ``python scripts/action_table.py``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tabletop.game.actions import FieldInfo
from tabletop.game.parts import parts_of
from tabletop.game.registry import ruleset
from tabletop.rulesets.bundled import RULESETS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "actions.md"


def page() -> str:
    """The whole page: for each ruleset its actions in the order of their declarations."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "# Actions"
    yield ""
    yield "The actions of each game: the command form, the fields of its JSON, and the effect. `tabletop act help`"
    yield "lists them too. `python scripts/action_table.py` generates this page from the declarations."
    for parts in RULESETS:
        actions = ruleset(parts.name).actions
        yield ""
        yield f"## {parts_of(parts.name).title} (`{parts.name}`)"
        yield ""
        yield "| action | fields | effect |"
        yield "| --- | --- | --- |"
        for verb in actions.verbs:
            yield f"| `{_cell(actions.usage(verb))}` | {_fields(actions, verb)} | {_cell(actions.describe(verb))} |"
    yield ""


def _fields(actions: Any, verb: str) -> str:
    return "<br>".join(_field(info) for info in actions.fields(verb))


def _field(info: FieldInfo) -> str:
    return _cell(f"`{info.name}`: {info.says}")


def _cell(text: str) -> str:
    return text.replace("``", "`").replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
