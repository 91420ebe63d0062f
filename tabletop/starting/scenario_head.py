"""``[scenario]``, the beginning of every ruleset's scenario files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.reading.toml_sections import Faults, Section
from tabletop.reading.toml_source import did_you_mean
from tabletop.starting.scenarios import Scenario

MOST_TURNS = 200
DRAW = "draw"
"""The value of ``otherwise`` for a game that ends in a draw."""


@dataclass(frozen=True)
class ScenarioHead:
    """``[scenario]`` as read; unreadable values are empty. A ruleset reads its own keys from ``section``."""

    section: Section
    id: str
    title: str
    number: int | None
    source: str
    notes: str

    @classmethod
    def read(cls, file: Section, keys: Sequence[str], example: str) -> ScenarioHead:
        """The head of a file; ``keys`` are the allowed keys, ``example`` is an id for people."""
        part = file.section("scenario", "[scenario]", keys, "what is played, [scenario]")
        part = part or Section({}, ("scenario",), "[scenario]", Faults(), keys)
        return cls(
            section=part,
            id=part.text("id", f"a short name without spaces, such as {example}") or "",
            title=part.text("title", "what players call the scenario") or "",
            number=part.integer("number", "its number in its source", required=False),
            source=part.text("source", "where the scenario comes from", required=False) or "",
            notes=(part.text("notes", "what the players should know", required=False) or "").strip(),
        )

    def turns(self) -> int:
        """The game's turns; 0 if they are not limited."""
        return self.section.integer("turns", "the number of full turns", required=False, least=1, most=MOST_TURNS) or 0

    def sides(self, first: str, second: str, wanted: str = "the id of the side that plays first") -> tuple[str, str]:
        """The ids of the two sides, the values of these keys; ``wanted`` says which of them is the first."""
        one = self.section.text(first, wanted) or ""
        other = self.section.text(second, "the id of the other side") or ""
        if one and one == other:
            self.section.fault(second, f'{first} and {second} are both "{one}"; name the two sides of [[sides]].')
        return one, other

    def side_titles(
        self, file: Section, keys: Sequence[str], sides: tuple[str, str], first: str, second: str
    ) -> dict[str, str]:
        """The titles of ``[[sides]]`` by their ids; ``sides`` are the values of the keys ``first`` and ``second``."""
        titles: dict[str, str] = {}
        for part in file.sections("sides", "[[sides]]", keys):
            side = part.text("id", "the side's short name")
            title = part.text("title", "what players call the side", required=False)
            if side is None:
                continue
            if side in titles:
                part.fault("id", f'the side "{side}" is listed twice in the file.')
            elif all(sides) and side not in sides:
                part.fault("id", f'side "{side}" is neither {first} nor {second}; {did_you_mean(side, sides)}')
            titles.setdefault(side, title or "")
        return titles

    def otherwise(self, sides: tuple[str, str]) -> str:
        """The side that wins when the last turn ends undecided; empty for a draw."""
        side = self.section.text("otherwise", "who wins when the last turn ends undecided", required=False) or DRAW
        if all(sides) and side not in (*sides, DRAW):
            hint = did_you_mean(side, (*sides, DRAW))
            self.section.fault("otherwise", f'unknown side "{side}" in otherwise of [scenario]; {hint}')
        return "" if side == DRAW else side

    def scenario(self, rules: str, setup: Any) -> Scenario:
        """The scenario with this head; ``{blue}`` in its texts is replaced by the title of that side."""
        titles = {f"{{{side}}}": str(setup.side_title(side)) for side in setup.sides}
        source, notes = (_filled(text, titles) for text in (self.source, self.notes))
        return Scenario(self.id, self.title, rules, setup, self.number, source, notes)


def _filled(text: str, titles: Mapping[str, str]) -> str:
    for place, title in titles.items():
        text = text.replace(place, title)
    return text
