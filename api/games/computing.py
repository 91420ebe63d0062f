"""The computers' calculations on a game, as calls for another process, and the keys of their results."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from tabletop.game import Game
from tabletop.game.hints import advice
from tabletop.game.jsonl import LogFile, LogHeader, game_from_log
from tabletop.game.opponents import Proposal, proposal
from tabletop.game.parts import with_part
from tabletop.game.protocol import Dice
from tabletop.game.records import computers_of, declined
from tabletop.measuring.nearest import nearest_place

Observation = Mapping[str, Any]
_PACKED: WeakKeyDictionary[Game, tuple[int, bytes]] = WeakKeyDictionary()
_MOST_AHEAD = 200
"""The most automatic actions of computers, one after another, that are computed at once."""


def packed(log: LogFile) -> bytes:
    """A log, from which another process rebuilds its game: states hold cached results of any kind."""
    return pickle.dumps(log)


def log_of(game: Game) -> bytes:
    """The packed log of a game, without its identity; cached until the game changes."""
    seq, log = _PACKED.get(game, (0, b""))
    if seq != game.seq:
        log = packed(LogFile(LogHeader(game.ruleset.name, game.version), game.records))
        _PACKED[game] = game.seq, log
    return log


def observation_of(game: Game) -> Observation | None:
    """The observation of the last photo of a game's table, where its rules use it."""
    return game.shown() if game.ruleset.name in with_part("in_doubt") else None


def doubt_key(game: Game) -> str | None:
    """A key for photos that leave the same questions of a game open; ``None`` where none is."""
    if game.in_doubt is None:
        return None
    seen = game.shown() or {}
    return _digest([seen.get(what) for what in ("table", "terrain", "possible_terrain", "questions")])


def _digest(about: object) -> str:
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()


def standing_key(game: Game) -> str:
    """A key for games with the same valid events and the same open questions of a photo, whatever notes they have; for
    a trial too, although its records have other ids elsewhere."""
    return f"{game.records[0].id} {game.standing_seq} {game.standing_digest} {doubt_key(game)}"


def wanted_key(game: Game) -> str:
    """A key for games in which computers want the same: it depends on which of them play, and on the actions that were
    impossible."""
    players, refused = sorted(computers_of(game.records).items()), sorted(declined(game.records))
    return f"{standing_key(game)} {players} {refused}"


def write_hint(log: bytes, observation: Observation | None, viewer: str | None) -> bytes:
    """What to do now (:func:`tabletop.game.hints.advice`), ``null`` where there is nothing to choose."""
    found = advice(seen_game(log, observation), viewer)
    return json.dumps(found and {**found.to_json(), "action": found.action}).encode()


def write_nearest(log: bytes, observation: Observation | None, action: Mapping[str, Any]) -> bytes:
    """The nearest legal place to an action's own (:func:`tabletop.measuring.nearest.nearest_place`)."""
    game = seen_game(log, observation)
    wanted = game.ruleset.actions.from_json(game.state, action)
    found = nearest_place(game.ruleset, game.state, wanted, game.in_doubt)
    return json.dumps({"at": found.at, "violations": [one.to_json() for one in found.against]}).encode()


def write_wanted(log: bytes, observation: Observation | None) -> bytes:
    """The action that a computer wants now, and those after it as long as no player is needed: rows of a key and the
    action wanted then."""
    game = seen_game(log, observation)
    rows = []
    for key, wanted in _wanted_ahead(game):
        row = None
        if wanted is not None:
            action = game.ruleset.action_to_json(wanted.action)
            row = {**vars(wanted), "action": action, "dice": [wanted.dice.count, list(wanted.dice.faces)]}
        rows.append([key, row])
    return json.dumps(rows).encode()


def read_wanted(row: Mapping[str, Any] | None, game: Game) -> Proposal | None:
    """What a computer wants in a game, from its row."""
    if row is None:
        return None
    count, faces = row["dice"]
    action = game.ruleset.action_from_json(game.state, row["action"])
    return Proposal(**{**row, "action": action, "dice": Dice(count, tuple(faces))})


def _wanted_ahead(game: Game) -> Iterator[tuple[str, Proposal | None]]:
    for _ in range(_MOST_AHEAD):
        wanted = proposal(game)
        yield wanted_key(game), wanted
        if wanted is None or not wanted.by_itself or wanted.dice.count:
            return
        game.push(wanted.action)


def seen_game(log: bytes, observation: Observation | None) -> Game:
    """A trial of the game of a packed log, with this observation of its table."""
    game = game_of(log).trial()
    game.shown = lambda: observation
    return game


@lru_cache(maxsize=4)
def game_of(log: bytes) -> Game:
    """The game of a packed log, cached for several questions about it. It is read-only."""
    return game_from_log(unpacked(log))


def unpacked(log: bytes) -> LogFile:
    """The log from which :func:`packed` was made."""
    found: LogFile = pickle.loads(log)
    return found
