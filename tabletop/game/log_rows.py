"""A game's log row by row: every record with its sentence, its turn, and whether it was taken back later."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.game.core import REFEREE, Game
from tabletop.game.game_view import GameView
from tabletop.game.records import NOTED, RETRACTED, Record
from tabletop.game.text_parts import board


@dataclass(frozen=True)
class LogRow:
    """A stored record, its sentence as the viewer may see it, whether it was taken back later, its turn (``None``: the
    game has none), and the side to act then."""

    record: Record
    sentence: str
    taken_back: bool
    turn: int | None
    to_act: str | None


def log_rows(view: GameView) -> list[LogRow]:
    """The whole log of a game, as the viewer may see it."""
    game, rules = view.game, view.game.ruleset
    told = {record.seq: (record, before, after, gone) for record, before, after, gone in game.history()}
    rows: list[LogRow] = []
    now: tuple[int | None, str | None] = (None, None)
    for record in game.records:
        if record.seq not in told:
            rows.append(LogRow(record, core_sentence(game, view.record(record)), False, *now))
            continue
        _, before, after, gone = told[record.seq]
        state = after if before is None else before
        sentence = rules.event_text(before, game.event(record))
        rows.append(LogRow(record, sentence, gone, rules.turn(state), rules.to_act(state)))
        now = rules.turn(after), rules.to_act(after)
    return rows


def core_sentence(game: Game, record: Record) -> str:
    """The sentence of a record outside the rules: something taken back, a caption, a photo."""
    who = board(game).title(game.state, record.actor)
    who = f"The {record.actor}" if record.actor == REFEREE else who
    if record.kind == RETRACTED:
        seqs, reason = record.body["seqs"], record.body.get("reason", "")
        events = f"event {seqs[0]}" if len(seqs) == 1 else f"events {seqs[0]} to {seqs[-1]}"
        agreed = board(game).title(game.state, record.body["agreed"]) if "agreed" in record.body else ""
        together = f", agreed with {agreed}" if agreed else ""
        return f"{who} took back {events}{together}{f': {reason}' if reason else ''}."
    if record.kind == NOTED:
        return f"{who} noted: {record.body['text']}"
    return "A photo of the table was read."
