"""Combat in the after-action report: luck of the deck and of saves, losses, what became of every piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from tabletop.aar.adapter import (
    Change,
    Clock,
    Force,
    ReportAdapterBase,
    ReportDrawing,
    ReportEvent,
    Terms,
    Throw,
    ThrowKind,
)
from tabletop.aar.document import Table
from tabletop.game.protocol import PUBLIC
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat import picture, report_text
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import KINDS, NAME, SIDE_TITLES, SIDES
from tabletop.rulesets.combat.saving import saved_chance
from tabletop.rulesets.combat.state import State, corps_of
from tabletop.rulesets.combat.turn_flow import OBJECTIVES
from tabletop.rulesets.combat.views import seen_pieces

_WEIGHED = (
    "A moment weighs what a side lost by its share of the pieces that it had on the board, and a throw by how far it"
    " was off its average. The act that takes the winning objective weighs 100 %."
)


class CombatReportAdapter(ReportAdapterBase):
    """Reports on games of Combat."""

    rules = NAME
    rules_title = "Combat by Sir Brian Horrocks"
    throws = (
        ThrowKind("hits", "Salvo cards", "hits", "hits drawn above what the deck had in it on average"),
        ThrowKind("saves", "Saves", "saves", "pieces saved above what the same throws save on average"),
    )
    measures: Mapping[str, str] = MappingProxyType(dict.fromkeys(("lost", "left", "held", "found", "swing"), _WEIGHED))
    terms = Terms(
        unit="piece",
        table="board",
        hits="saves",
        gone="Pieces that left the board",
        found="Mines that came to light",
        nothing="No piece moved or fired.",
        places="squares are named by column and row, row 1 at Red’s base line",
    )

    step_titles: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "deploy": "Secret deployment",
            "toss": "Toss for the first move",
            "battle": "Battle",
            "left": "The left corps",
            "right": "The right corps",
            "night": "Regrouping by night",
            "over": "After the game",
        }
    )
    drawing: ClassVar[ReportDrawing] = picture
    omitted_kinds = (ev.Started,)
    completing_kinds = (ev.Saved, ev.MineExploded, ev.StripEntered, ev.Broken)
    opening_kinds = (ev.RoundBegan,)
    correction_kinds = (ev.Corrected,)

    def opening(self, state: State) -> tuple[str, ...]:
        """The rules, the battlefield, the armies, what wins."""
        return report_text.opening(self.rules_title, state)

    def clock(self, state: State) -> Clock:
        """The turn, and whose it is."""
        if state.step != "play":
            return Clock(state.turn, "", state.step)
        side, section = state.section_to_act
        if state.night:
            return Clock(state.turn, SIDES[side], "night")
        corps = corps_of(state, side, section).partition("-")[2]
        return Clock(state.turn, SIDES[side], corps or "battle")

    def omits(self, entry: ReportEvent) -> bool:
        """Whether the report's headings say what an event does: turns, and hours of the day and the night."""
        match entry.event:
            case ev.RoundBegan(night=night, toss=toss):
                return night != 1 and not toss
            case ev.TurnEnded(forgone=forgone):
                return not forgone
        return super().omits(entry)

    def details(self, entry: ReportEvent) -> tuple[str, ...]:
        """Where the rules have what happened."""
        return (*report_text.details(entry.event), *super().details(entry))

    def is_quiet(self, entry: ReportEvent) -> bool:
        """Whether a piece only moved, or a side went on deploying."""
        match entry.event:
            case ev.Moved():
                return entry.after.by_id[entry.event.unit].at != OFF and not entry.after.pending
            case ev.Placed() | ev.Unplaced() | ev.Established():
                return True
        return False

    def run_summary(self, run: Sequence[ReportEvent]) -> tuple[str, ...]:
        """Several moves, in as few sentences as will do."""
        return report_text.run_summary(run)

    def throws_in(self, entry: ReportEvent) -> tuple[Throw, ...]:
        """Cards drawn and saves thrown."""
        event, before = entry.event, entry.before
        match event:
            case ev.Fired() | ev.Struck():
                side = SIDES[before.by_id[event.unit].side]
                chance = event.hits / (event.hits + event.misses)
                return (Throw("hits", side, event.unit, int(event.card == "hit"), chance),)
            case ev.Saved():
                side = SIDES[before.by_id[event.unit].side]
                return (Throw("saves", side, event.unit, int(event.saved), float(saved_chance(event.need))),)
        return ()

    def changes(self, entry: ReportEvent) -> tuple[Change, ...]:
        """Pieces that were lost, and mines that came to light."""
        event, before = entry.event, entry.before
        text = self.text(entry)
        match event:
            case ev.Saved(saved=False):
                return (_loss(before, event.unit, text, event.by),)
            case ev.StripEntered():
                return tuple(_loss(before, plane, text, event.unit) for plane in event.planes)
            case ev.Broken():
                side = SIDES[before.by_id[event.unit].side]
                return (Change("left", side, event.unit, 0.0, f"{event.unit} for {event.owed} new ones", text),)
            case ev.MineExploded():
                side = SIDES[1 - before.by_id[event.unit].side]
                return (Change("found", side, f"mine in {event.square}", 0.0, f"a mine in {event.square}", text),)
            case ev.Ended() if event.winner is not None and event.place == OBJECTIVES:
                return (Change("held", event.winner, event.reason, 1.0, "the aim that won the game", event.reason),)
            case ev.Corrected(off=True) if before.by_id[event.unit].at != OFF:
                side = SIDES[before.by_id[event.unit].side]
                return (Change("lost", side, event.unit, 0.0, event.unit, text),)
        return ()

    def forces(self, game: Sequence[ReportEvent]) -> tuple[Force, ...]:
        """Every piece that everybody has seen, with its saves and its fate."""
        last: State = game[-1].after
        saves: dict[str, int] = {}
        fates: dict[str, str] = {}
        for entry in game:
            match entry.event:
                case ev.Saved(saved=True):
                    saves[entry.event.unit] = saves.get(entry.event.unit, 0) + 1
                case ev.Saved(saved=False):
                    by = f" to {entry.event.by}" if entry.event.by else " on a mine"
                    fates[entry.event.unit] = f"lost in turn {entry.before.turn}{by}, in {entry.event.at}"
                case ev.StripEntered():
                    fates |= dict.fromkeys(entry.event.planes, f"destroyed on its airstrip in turn {entry.before.turn}")
                case ev.Broken():
                    fates[entry.event.unit] = f"gave itself up on the base line in turn {entry.before.turn}"
        found = []
        for piece in seen_pieces(last, PUBLIC):
            there = piece.at != OFF
            fate = f"in {last.name(piece.at)}" if there else fates.get(piece.id, "off the board")
            kind = KINDS[piece.kind].title
            made = str(saves.get(piece.id, 0))
            found.append(Force(piece.id, SIDES[piece.side], piece.id, kind, made, fate, there))
        return tuple(found)

    def sheets(self, game: Sequence[ReportEvent]) -> tuple[Table, ...]:
        """Salvos, saves, losses, new pieces and mines of each side."""
        rows = []
        for own, side in enumerate(SIDES):
            row = {"shots": 0, "strikes": 0, "hits": 0, "saved": 0, "lost": 0, "new": 0, "mines": 0}
            for told in game:
                _tally(row, told, own)
            rows.append((SIDE_TITLES[side], *(str(value) for value in row.values())))
        header = ("Side", "Shots", "Air strikes", "Hits drawn", "Saves", "Pieces lost", "New pieces", "Mines set off")
        return (Table("The battle in figures", header, tuple(rows), frozenset(range(1, len(header)))),)


def _loss(before: State, unit: str, text: str, by: str) -> Change:
    piece = before.by_id[unit]
    had = len(before.armies[piece.side])
    side = SIDES[piece.side]
    return Change("lost", side, unit, 1 / max(1, had), f"{unit}, one of {had} pieces", text, by)


def _tally(row: dict[str, int], entry: ReportEvent, own: int) -> None:
    """Count an event for a side."""
    event, before = entry.event, entry.before
    unit = getattr(event, "unit", "")
    if not unit or before is None:
        return
    mine = unit[:1] == SIDES[own][0].upper()
    match event:
        case ev.Fired() | ev.Struck() if mine:
            row["shots" if isinstance(event, ev.Fired) else "strikes"] += 1
            row["hits"] += event.card == "hit"
        case ev.Saved() if mine:
            row["saved" if event.saved else "lost"] += 1
        case ev.StripEntered() if not mine:
            row["lost"] += len(event.planes)
        case ev.Broken() if mine:
            row["lost"] += 1
        case ev.Reinforced() if mine:
            row["new"] += 1
        case ev.MineExploded() if mine:
            row["mines"] += 1


REPORT = CombatReportAdapter()
