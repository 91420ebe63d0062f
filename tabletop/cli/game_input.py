"""Inputs of commands about games: words, dice, photos, and the store of the game."""

from __future__ import annotations

import hashlib
import json
import random
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.errors import UsageError
from tabletop.files import make_writable

if TYPE_CHECKING:
    from tabletop.game import Dice, Game
    from tabletop.game.store import EventStore, GameEntry

DATABASE = "tabletop.sqlite"
NO_GAME = "There is no game yet: start one with `tabletop new flank-attack`."

_THEN = re.compile(r"\s+then\s+", re.IGNORECASE)
_BECAUSE = re.compile(r"\s+because\b", re.IGNORECASE)
_NUMBER = re.compile(r"-[\d.]")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


# --- words and dice ------------------------------------------------------------------------------------------------


def actions(words: Sequence[str]) -> list[str]:
    """Several actions with ``then`` between them; a reason after ``because`` extends to the end.

    >>> actions(["ready", "B1", "then", "end"])
    ['ready B1', 'end']
    >>> actions(["correct B1 hits 3 because we erred, then found out"])
    ['correct B1 hits 3 because we erred, then found out']
    """
    said = " ".join(words)
    because = _BECAUSE.search(said)
    plain, reason = (said, "") if because is None else (said[: because.start()], said[because.start() :])
    options = [word for word in plain.split() if word.startswith("-") and not _NUMBER.match(word)]
    if options:
        raise UsageError(f"There is no option {options[0]}: see tabletop act --help.")
    found = _THEN.split(plain.strip())
    return [*found[:-1], found[-1] + reason]


def wished_actions(
    words: Sequence[str] | None, json_action: str | None, faces: tuple[int, ...] | None
) -> tuple[list[str | dict[str, Any]], tuple[int, ...] | None]:
    """The requested actions, in words or one as JSON, and their dice; raises UsageError or ActionError."""
    from tabletop.game.actions import split_dice

    if json_action is None:
        if not words:
            raise UsageError("Say what to do, as in `tabletop act end`; `tabletop act help` lists what can be done.")
        return [*actions(words)], faces
    if words:
        raise UsageError("Either words or --json-action, not both.")
    try:
        data = json.loads(json_action)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--json-action is not JSON: {error}.") from error
    if not isinstance(data, dict):
        raise UsageError('--json-action takes an object, as in {"kind": "end"}.')
    action, own = split_dice(data)
    if own is not None and faces is not None:
        raise UsageError("The dice are given twice, in --json-action and in --dice: give them once.")
    return [action], faces if own is None else own


def action_help(words: Sequence[str], rules: str | None, data: Path | None, game: str | None) -> str:
    """The actions of a game or a ruleset, or one action explained; raises UsageError or RulesError."""
    from tabletop.game.parts import part

    if rules is None:
        with open_game(data, game) as found:
            rules = found.game.ruleset.name
    known = part(rules, "ruleset").actions
    if not words:
        lines = [f"What can be done in {known.title} (tabletop act help VERB explains one):", ""]
        return "\n".join([*lines, *(f"  {known.usage(verb)}" for verb in known.verbs)])
    verb = " ".join(words).casefold()
    lines = [known.usage(verb), "", known.describe(verb)]
    fields = known.fields(verb)
    width = max((len(info.name) for info in fields), default=0)
    rows = [f"  {info.name:{width}}  {info.says}" for info in fields]
    return "\n".join([*lines, *(["", *rows] if rows else [])])


def dice(said: Sequence[str] | None) -> tuple[int, ...] | None:
    """Faces as rolled, given at once or in several parts; raises UsageError.

    >>> dice(["3, 4,4", "5"])
    (3, 4, 4, 5)
    """
    if not said:
        return None
    faces = " ".join(said).replace(",", " ").split()
    if not faces or not all(re.fullmatch(r"\d{1,3}", face) for face in faces):
        told = " ".join(said)
        raise UsageError(f'--dice takes the dice as rolled, as in --dice 4 or --dice 3,4,4, not "{told}".')
    return tuple(int(face) for face in faces)


class Hand:
    """The dice of a command, action by action: as given by the user, or rolled."""

    def __init__(self, faces: tuple[int, ...] | None, roll: bool, seed: int | None) -> None:
        self._faces = faces
        self._rng = (random.SystemRandom() if seed is None else random.Random(seed)) if roll else None

    @property
    def told(self) -> bool:
        """Whether the user gave dice, and some are left."""
        return bool(self._faces)

    def take(self, needed: Dice) -> tuple[int, ...] | None:
        """The dice for an action; ``None`` if the user gave none."""
        if self._rng is not None:
            return needed.roll(self._rng)
        if not needed.count:
            return ()
        if not self._faces:
            return None
        dealt, self._faces = self._faces[: needed.count], self._faces[needed.count :]
        return dealt

    def check_all_used(self) -> None:
        """Check that all dice were needed; raises UsageError."""
        if self._faces:
            left = ", ".join(map(str, self._faces))
            raise UsageError(f"--dice gives more dice than are needed: {left} is left over, and nothing was done.")


def photo_hash(said: str) -> str:
    """The SHA-256 of a photo, given directly or by the photo's file; empty if not given. Raises UsageError."""
    if re.fullmatch(r"[0-9A-Fa-f]{64}", said) or not said:
        return said.lower()
    return hashlib.sha256(read(Path(said))).hexdigest()


def named(path: Path) -> str:
    """The name of a file in sentences."""
    return "standard input" if str(path) == "-" else path.name


def read(path: Path) -> bytes:
    """A file's bytes, or of standard input for ``-``; raises UsageError."""
    if str(path) == "-":
        return sys.stdin.buffer.read()
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file in it.")
    if not path.is_file():
        raise UsageError(f"There is no file {path}: check its name.")
    return path.read_bytes()


def name_meant(word: str | None, names: Iterable[str], what: str) -> str | None:
    """The matching name, ignoring case; ``None`` if none was given. Raises UsageError."""
    from tabletop.reading.toml_source import did_you_mean

    listed = list(names)
    if word is None or word in listed:
        return word
    found = [name for name in listed if name.casefold() == word.casefold()]
    if len(found) != 1:
        raise UsageError(f'There is no {what} "{word}" in this game; {did_you_mean(word, listed)}')
    return found[0]


# --- the store -----------------------------------------------------------------------------------------------------


def free_name(store: EventStore, wanted: str | None, like: str) -> str:
    """A game's id: the requested one, else an unused one that resembles ``like``."""
    from tabletop.starting.new_game import free_name as unused

    if wanted is not None:
        if not _NAME.fullmatch(wanted):
            raise UsageError(f'"{wanted}" is not a name for a game: letters, digits, dots, dashes, at most 64 of them.')
        return wanted
    return unused(like, {entry.game for entry in store.games()})


@dataclass(frozen=True)
class Opened:
    """A game opened from the store to continue it."""

    store: EventStore
    name: str
    game: Game


@contextmanager
def store(folder: Path | None, url: str = "", *, make: bool = False) -> Iterator[EventStore]:
    """The store in a data folder, the user's own by default, or at a database's ``url``; raises UsageError if there is
    no store to read yet."""
    from tabletop.game.store import EventStore

    place = _folder(folder)
    if not url:
        if make:
            make_writable(place)
        elif not (place / DATABASE).is_file():
            raise UsageError(NO_GAME)
    opened = EventStore(url or place / DATABASE)
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def open_game(folder: Path | None, name: str | None, url: str = "") -> Iterator[Opened]:
    """A game of the store, by default the one played last; raises UsageError, NoGameError."""
    with store(folder, url) as kept:
        if name is None:
            entries = _playable(kept)
            if not entries:
                raise UsageError(NO_GAME)
            name = entries[0].game
        yield Opened(kept, name, kept.open_game(name))


def games(folder: Path | None, url: str = "") -> list[GameEntry]:
    """The games in a data folder or a database that can be continued, the one played last first."""
    if not url and not (_folder(folder) / DATABASE).is_file():
        return []
    with store(folder, url) as kept:
        return _playable(kept)


def _playable(kept: EventStore) -> list[GameEntry]:
    from tabletop.game.parts import PARTS

    return [entry for entry in kept.games() if entry.rules in PARTS]


def _folder(folder: Path | None) -> Path:
    from tabletop.cli.serving import own_folder

    return folder or own_folder()
