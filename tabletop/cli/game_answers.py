"""Answers of commands about games: results or refusals, as text and as JSON, with their exit status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from tabletop.cli.exits import REFUSED
from tabletop.cli.game_view import CommandView
from tabletop.cli.output import give, tell
from tabletop.errors import UsageError

if TYPE_CHECKING:
    from tabletop.game import Game, Option, Record, Violation


@dataclass
class Asked:
    """The ``count`` actions requested by a user, and the target of the answer; ``game`` is a trial, which is not
    stored.

    The answer shows only what the requesting ``side`` may see. ``done`` of the actions are already stored because the
    program threw their dice; ``told`` is their result, with its JSON.
    """

    name: str
    game: Game
    side: str | None
    count: int
    json_out: str | None
    target: Path | None
    quiet: bool
    done: int = 0
    told: tuple[str, ...] = ()
    events: tuple[dict[str, Any], ...] = ()

    def parse(self, said: str | dict[str, Any]) -> Any:
        """The action given by its words or its JSON.

        Raises ActionError, or UsageError for one that another side decides in secret, after reporting the actions done.
        """
        from tabletop.game import ActionError

        try:
            action = self.game.parse(said)
            verb = said.split()[0] if isinstance(said, str) else str(said["kind"])
            self._view().refuse_other(self.game.ruleset.actor(self.game.state, action), verb)
        except (ActionError, UsageError):
            self._tell_kept()
            raise
        return action

    def words(self, said: str | dict[str, Any], action: Any) -> str:
        """An action in the typed words, or in its own words if it came as JSON."""
        return said if isinstance(said, str) else self.game.ruleset.text(action)

    def keep(self, done: int, before: Any, records: Sequence[Record]) -> None:
        """Note that ``done`` actions are stored, even if the rest fails: dice once thrown are not thrown again."""
        from tabletop.cli.game_text import sentences

        rows = sentences(self.game, before, records)
        self.done, self.told = done, tuple(sentence for _, sentence in rows)
        view = self._view()
        self.events = tuple({**record_json(view.record(record)), "text": sentence} for record, sentence in rows)

    def against(self, action: Any, *, measured: bool, overrule: bool) -> list[Violation]:
        """The violations of an action that were not lifted by measuring or by the referee."""
        return [
            v for v in self.game.check(action) if v.firm or not (overrule or (measured and v.answer == "too-close"))
        ]

    def judge(self, said: str, action: Any, *, odds: bool, measured: bool, overrule: bool) -> None:
        """Report whether an action is legal, or its odds, and do nothing."""
        from tabletop.cli.game_text import odds_in_words

        against = self.against(action, measured=measured, overrule=overrule)
        if any(v.answer == "no" for v in against) or (against and not odds):
            self.refuse(said, action, against)
        found = self.game.odds(action)
        answer = {"legal": not against, "violations": [v.to_json() for v in against]}
        self._give(action, {**answer, **({"odds": found.to_json()} if found else {})})
        told = [f"{said}: {self._verdict(against)}"]
        if odds:
            told.append(odds_in_words(found) if found else "It needs no dice.")
        tell("\n".join(told), json_target=self.json_out, quiet=self.quiet)

    def refuse(self, said: str, action: Any, against: Sequence[Violation]) -> NoReturn:
        """Report all violations of an action; exit status 1."""
        from tabletop.cli.game_text import refusal

        self._tell_kept()
        self._give(action, {"done": False, "legal": False, "violations": [v.to_json() for v in against]})
        refuse(f"{said}: {self._verdict(against)}\n{refusal(against)}{self._nothing_done()}")

    def want_dice(self, said: str, action: Any) -> NoReturn:
        """Report the dice needed, and the odds; exit status 1."""
        from tabletop.cli.game_text import dice_wanted, odds_in_words

        needed, odds = self.game.ruleset.dice(self.game.state, action), self.game.odds(action)
        wanted = {"count": needed.count, "faces": list(needed.faces)}
        self._tell_kept()
        self._give(action, {"done": False, "legal": True, "dice": wanted, **({"odds": odds.to_json()} if odds else {})})
        told = [f"{said} needs dice.", *([odds_in_words(odds)] if odds else [])]
        refuse("\n".join([*told, dice_wanted(needed)]) + self._nothing_done())

    def tell_done(self, before: Any, records: Sequence[Record]) -> None:
        """Report what happened, and the next action."""
        from tabletop.cli.computer_text import typed
        from tabletop.cli.game_text import sentences, wrap
        from tabletop.game.text_parts import board, next_typed

        rows = sentences(self.game, before, records)
        view = self._view()
        events = [{**record_json(view.record(record)), "text": sentence} for record, sentence in rows]
        answer = {"game": self.name, "done": True, "events": events}
        give({**answer, **state_json(self.name, view)}, self.json_out, self.target)
        told, state = board(self.game), self.game.state
        put = [name for record, _ in rows for name in _put_down(record)]
        happened = [sentence for _, sentence in rows]
        lines = [*happened, *told.remarks(state, put), view.own_words(), typed(self.game) or next_typed(told, state)]
        lines = [wrap(line) for line in lines if line]
        tell("\n".join(lines), json_target=self.json_out, quiet=self.quiet)

    def may(self, option: Option) -> bool:
        """Whether an option is open to the user: not another side's secret."""
        return self._view().may_see(option)

    def _view(self) -> CommandView:
        return CommandView(self.game, self.side)

    def _nothing_done(self) -> str:
        if self.done:
            first = "The first action is" if self.done == 1 else f"The first {self.done} actions are"
            return f"\n{first} done, since dice once thrown stand; the rest is not."
        return f"\nNone of the {self.count} actions was done." if self.count > 1 else ""

    def _tell_kept(self) -> None:
        from tabletop.cli.game_text import wrap

        if self.told:
            tell("\n".join(wrap(line) for line in self.told), json_target=self.json_out, quiet=self.quiet)

    def _verdict(self, against: Sequence[Violation]) -> str:
        if not against:
            return "legal."
        return "too close to call." if all(v.answer == "too-close" for v in against) else "not legal."

    def _give(self, action: Any, answer: Mapping[str, Any]) -> None:
        kept = {"events": list(self.events)} if self.events else {}
        answer = {"game": self.name, "action": self.game.ruleset.text(action), **answer, **kept}
        give(answer, self.json_out, self.target)


def _put_down(record: Record) -> list[str]:
    """The units that a record places: one, or every unit in its ``places``."""
    body = record.body
    if "unit" in body and body.keys() & {"at", "path", "to"}:
        return [str(body["unit"])]
    return [str(place["sub"]) for place in body.get("places", ()) if "sub" in place]


def refuse(text: str) -> NoReturn:
    """Print the reason on standard error; exit status 1."""
    typer.echo(f"tabletop: {text}", err=True)
    raise typer.Exit(REFUSED)


def state_json(name: str, view: CommandView, options: Iterable[Option] | None = None) -> dict[str, Any]:
    """The visible part of a game's state as JSON, and its options if given."""
    from tabletop.cli.computer_text import wanted_json

    game = view.game
    choices = {} if options is None else {"options": [option.to_json(odds=True) for option in options]}
    return {
        "game": name,
        "seq": game.seq,
        "to_act": game.to_act,
        "state": view.state(),
        **wanted_json(game),
        **choices,
    }


def record_json(record: Record) -> dict[str, Any]:
    """A record as JSON."""
    return {
        "seq": record.seq,
        "at": record.at,
        "actor": record.actor,
        "kind": record.kind,
        "action": record.action,
        "body": dict(record.body),
    }
