"""One record of a game's log as an entry of the story."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.aar.adapter import Change, Clock, ReportEvent, Throw
from tabletop.game.records import Record


@dataclass(frozen=True)
class Quote:
    """A player's own words, kept in the log."""

    text: str
    who: str


@dataclass(frozen=True)
class Entry:
    """One record in the story: its sentences (or a quotation), the throws and the changes in it; ``quiet`` ones are
    reported, but make no moment."""

    record: Record
    clock: Clock
    sentences: tuple[str, ...] = ()
    quote: Quote | None = None
    throws: tuple[Throw, ...] = ()
    changes: tuple[Change, ...] = ()
    event: ReportEvent | None = None
    completes: bool = False
    quiet: bool = False

    @property
    def throw(self) -> Throw | None:
        """The most telling throw."""
        return self.throws[0] if self.throws else None
