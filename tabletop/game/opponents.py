"""Sides that computers play at a real table: their proposals, and actions that need no choice.

An event that everyone sees lists those sides (:meth:`tabletop.game.core.Game.note`). A computer's next action is a
:class:`Proposal`: players carry it out on the table, roll its dice and enter the result, or report that it can't be
done there and get another one. The same game at the same moment always has the same proposal. A computer's secret
decisions are carried out without being shown.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal

from tabletop.errors import UsageError
from tabletop.game.computers import (
    SIMPLE,
    Choice,
    check_level,
    choices,
    levels_by_side,
    levels_of,
    players_by_side,
    reaction,
)
from tabletop.game.core import REFEREE, Game
from tabletop.game.errors import GameError
from tabletop.game.game_view import GameView
from tabletop.game.parts import part, parts_of, with_part
from tabletop.game.protocol import PUBLIC, Dice, Option
from tabletop.game.records import GameSummary, Record, computers_of, declined
from tabletop.game.text_parts import board, side_titles
from tabletop.reading.toml_source import did_you_mean
from tabletop.words import and_list, or_list

_OTHERS_TRIED = 60
"""The number of actions that are considered as alternatives if the first can't be done on the table."""
_SECOND = "What it wanted first was not possible on the table."
"""The reason for an alternative action if the player gives none."""
_MOST_AT_ONCE = 2000
"""The most automatic actions in a row, for a game that does not end."""


# --- who plays -------------------------------------------------------------------------------------------------------


def read_players(words: Iterable[str], game: Game) -> dict[str, str]:
    """The sides for computers to play, from ``SIDE`` or ``SIDE:LEVEL``, each with its level.

    Raises UsageError for a side or level that the game does not have, and for a repeated side.
    """
    rules, found = game.ruleset, {}
    sides, levels = rules.sides(game.state), levels_by_side(rules, game.state)
    for said in words:
        name, colon, level = said.partition(":")
        side = next((one for one in sides if one.casefold() == name.casefold()), None)
        if side is None:
            raise UsageError(f'There is no side "{name}" in this game; {did_you_mean(name, sides)}')
        if side in found:
            raise UsageError(f'The side "{side}" is listed twice: list it once.')
        wished = level if colon else SIMPLE
        check_level(rules.name, wished)
        if wished not in levels.get(side, ()):
            known = f"only {or_list(levels[side])} does" if side in levels else _why_none(game, side)
            raise UsageError(f"No computer plays {side_titles(game)[side]} at the level {wished} here: {known}.")
        found[side] = wished
    return {side: found[side] for side in sides if side in found}


def _why_none(game: Game, side: str) -> str:
    """Why no computer plays a side."""
    if parts_of(game.ruleset.name).free:
        return "there are no rules to play by"
    if side in players_by_side(game.ruleset, game.state):
        return "the rules play the other side, and a person plays this one"
    return "the rules do"


def seat_computers(game: Game, players: Mapping[str, str]) -> Record:
    """Let computers play exactly these sides from now on, by a public event.

    Raises UsageError for a side or level that the game does not have.
    """
    checked = read_players([f"{side}:{level}" for side, level in players.items()], game)
    return game.note(players_in_words(game, checked), actor=REFEREE, computers=checked)


def players_of(game: Game) -> dict[str, str]:
    """The sides that computers play, each with its level: the nearest available one if the log has another."""
    levels = levels_by_side(game.ruleset, game.state)
    return {
        side: level if level in levels[side] else levels[side][-1]
        for side, level in computers_of(game.records).items()
        if side in levels
    }


def players_in_words(game: Game, players: Mapping[str, str]) -> str:
    """Which sides computers play, in a sentence."""
    titles = side_titles(game)
    if not players:
        return "People play all sides."
    several = len(levels_of(game.ruleset.name)) > 1
    rows = [f"{titles[side]}{f' ({level})' if several else ''}" for side, level in players.items()]
    return f"The computer plays {and_list(rows)}."


def levels_in_words(game: Game) -> str:
    """The levels of the computers that may play a game, in a sentence."""
    levels, titles = levels_by_side(game.ruleset, game.state), side_titles(game)
    if not levels:
        return f"No computer plays this game: {_why_none(game, next(iter(titles)))}."
    if len(set(levels.values())) == 1 and len(levels) == len(titles):
        found = ", ".join(next(iter(levels.values())))
    else:
        found = "; ".join(f"{titles[side]} {or_list(names)}" for side, names in levels.items())
    return f"Its levels in this game: {found}."


# --- what a computer wants -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Proposal:
    """A computer's proposed action for a ``side``, and its reason in a sentence.

    ``words`` are the command line's, ``label`` the players'; ``dice`` are the needed ones. ``secret``: its side hides
    it, so that others see only that it is done; ``only_said``: it needs nothing on the table and no one may act before
    it, such as the end of a step.
    """

    side: str
    level: str
    action: Any
    words: str
    label: str
    why: str
    dice: Dice
    secret: bool
    only_said: bool

    @property
    def by_itself(self) -> bool:
        """Whether it needs nothing from the players."""
        return self.secret or self.only_said


def proposal(game: Game) -> Proposal | None:
    """A computer's proposal now; ``None`` if the game waits for people, or is over."""
    players = players_of(game)
    if not players or game.outcome is not None:
        return None
    refused = declined(game.records)
    to_act = game.ruleset.to_act(game.state)  # reactions of the other sides come first
    for side, level in sorted(players.items(), key=lambda player: player[0] == to_act):
        for choice in _choices(game, side, level, len(refused)):
            if game.ruleset.text(choice.action) not in refused:
                return _proposal(game, side, level, choice)
    return None


def decline(game: Game, wanted: Proposal, actor: str) -> Record:
    """Record that a computer's proposal can't be done on the table, so that it proposes something else."""
    return game.note(f"Not possible on the table: {wanted.label}.", actor=actor, declines=wanted.words)


def _proposal(game: Game, side: str, level: str, choice: Choice) -> Proposal:
    rules, action = game.ruleset, choice.action
    return Proposal(
        side,
        level,
        action,
        rules.text(action),
        rules.actions.label(action, side_titles(game))[0],
        choice.why,
        rules.dice(game.state, action),
        _is_hidden(game, action),
        _is_only_said(game, action),
    )


def _is_only_said(game: Game, action: Any) -> bool:
    """Whether an action is only a word, without dice or objects, while no person may act."""
    rules, state = game.ruleset, game.state
    if rules.dice(state, action).count or rules.action_to_json(action).keys() - {"kind"}:
        return False
    players = players_of(game)
    return not any(
        (option.legal or option.open) and option.kind != "concede" and option.side not in players
        for option in game.options()
    )


def _is_hidden(game: Game, action: Any) -> bool:
    """Whether the effect of an action is hidden from everyone else."""
    if not game.ruleset.hides(game.state) and not game.ruleset.hidden_by(game.state):
        return False
    trial = game.trial()
    made = trial.push(action, rng=random.Random(0))
    view = GameView(trial, PUBLIC)
    return any(view.record(record) is not record for record in made)


def _choices(game: Game, side: str, level: str, refused: int) -> Iterator[Choice]:
    """The choices of a computer for its side now, best first: its own, then other legal actions once ``refused`` of its
    choices could not be done on the table."""
    rules, state = game.ruleset, game.state
    rng = random.Random(f"{game.records[0].id} {game.standing_seq} {side}")
    if rules.to_act(state) != side:
        found = reaction(rules, state, side, level, rng)
        if found is not None:
            yield found
        return
    is_in_doubt = game.in_doubt is not None
    try:
        for choice in choices(rules, state, side, level, rng):
            doubted = is_in_doubt and game.check(choice.action)
            if not doubted and not _is_anothers(game, side, choice.action) and not _gives_up(rules, choice.action):
                yield choice if choice.why or not refused else replace(choice, why=_SECOND)
    except GameError:
        return  # the other side is to act first, out of turn
    if not refused and not is_in_doubt:
        return
    rng = random.Random(f"{game.records[0].id} {game.standing_seq} {side} {refused}")
    for plans in (rules.bot_actions, rules.random_actions):
        for wish in islice(plans(state, rng), _OTHERS_TRIED):
            if not game.check(wish) and not _is_anothers(game, side, wish) and not _gives_up(rules, wish):
                yield Choice(wish, _SECOND)


def _gives_up(rules: Any, action: Any) -> bool:
    return bool(rules.actions.verb(action) == "concede")


def _is_anothers(game: Game, side: str, action: Any) -> bool:
    """Whether an action belongs to another side."""
    whose = str(game.ruleset.actor(game.state, action))
    others = {name for one in game.ruleset.sides(game.state) if one != side for name in names_of(game, one)}
    return whose in others - names_of(game, side)


def names_of(game: Game, side: str) -> frozenset[str]:
    """The roles that a side's player acts for: the side, and in a ruleset with seats the roles of its seat."""
    rules = game.ruleset.name
    if rules not in with_part("seats"):
        return frozenset({side})
    return frozenset({side, *part(rules, "seats").stands_for(game.state, f"side {side}")})


def on_turn(game: Game) -> str | None:
    """The side to act; ``None`` once the game is over, and in a game without turns, where every side's player may act
    for all sides."""
    sides = game.ruleset.sides(game.state)
    return None if len(sides) > 1 and all(names_of(game, side) >= set(sides) for side in sides) else game.to_act


def summary_of(game: Game) -> GameSummary:
    """The current summary of a game, for a list."""
    state, side = game.state, on_turn(game)
    to_act = None if side is None else str(board(game).title(state, side))
    return GameSummary(game.seq, game.ruleset.turn(state), to_act, game.outcome is not None)


# --- automatic actions -----------------------------------------------------------------------------------------------

Stop = Literal["over", "choice", "dice", "computer", "enough"]


@dataclass(frozen=True)
class WentOn:
    """The result of automatic play: the actions done, and what the game waits for now.

    ``stop``: the game is ``over``, people have a ``choice``, ``dice`` are needed for ``action``, a ``computer`` has the
    proposal ``wanted``, or ``enough`` actions were done for once.
    """

    records: tuple[Record, ...]
    done: int
    stop: Stop
    action: Any = None
    wanted: Proposal | None = None


def go_on(
    game: Game,
    rng: random.Random | None,
    may: Callable[[Option], bool] = lambda _option: True,
    most: int = _MOST_AT_ONCE,
    *,
    computers: bool = True,
    propose: Callable[[Game], Proposal | None] = proposal,
) -> WentOn:
    """Do everything that needs no choice by people, up to ``most`` actions: computers' actions that need nothing on the
    table, and actions without an alternative.

    With ``rng``, which throws the dice, also actions that need dice and, unless ``computers`` is off, the public
    actions of computers. ``may`` tells if the requester may do an option; ``propose`` returns a computer's proposal.
    """
    first, own = game.seq, rng if rng is not None else random.SystemRandom()
    for done in range(most):
        if game.outcome is not None:
            return WentOn(game.records[first:], done, "over")
        wanted = propose(game)
        if wanted is not None:
            if not wanted.by_itself and (rng is None or not computers):
                return WentOn(game.records[first:], done, "computer", wanted.action, wanted)
            game.push(wanted.action, rng=own)
            continue
        action = only_choice(game, may)
        if action is None:
            return WentOn(game.records[first:], done, "choice")
        if rng is None and game.ruleset.dice(game.state, action).count:
            return WentOn(game.records[first:], done, "dice", action)
        game.push(action, rng=rng)
    return WentOn(game.records[first:], most, "over" if game.outcome is not None else "enough")


def only_choice(game: Game, may: Callable[[Option], bool] = lambda _option: True) -> Any:
    """The only possible action now, complete; ``None`` if there are several or none, if measurements leave something
    open, or if the requester may not do it."""
    known = [option for option in game.options() if (option.legal or option.open) and option.kind != "concede"]
    rows = [option for option in known if option.advice != "again"]
    if len(rows) != 1 or not rows[0].legal or rows[0].open_fields or not may(rows[0]):
        return None
    return game.ruleset.complete(game.state, rows[0].action)


def wanted_in_words(game: Game, wanted: Proposal) -> str:
    """A computer's proposal in sentences for players."""
    title = str(board(game).title(game.state, wanted.side))
    if wanted.secret:
        return f"{title}, played by the computer, decides something in secret."
    return f"{title}, played by the computer: {wanted.label}.{f' {wanted.why}' if wanted.why else ''}"
