"""A viewer's part of a game: hidden information never goes to anyone else.

Without ``--as`` a command shows the public view. A side that hides something acts and sees its own view only if the
command names it with ``--as``, so that players who share a screen keep their secrets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tabletop.errors import UsageError
from tabletop.game.game_view import GameView
from tabletop.game.parts import part, with_part
from tabletop.game.protocol import PUBLIC
from tabletop.game.records import computers_of

if TYPE_CHECKING:
    from tabletop.game import Game, Record


class CommandView(GameView):
    """One side's view of a game, and its permissions on the command line."""

    @classmethod
    def of(cls, game: Game, said: str | None) -> CommandView:
        """The view of the side or the corps commander that ``said`` names; a commander sees the public view if nothing
        is hidden. Raises UsageError if the game has neither."""
        from tabletop.cli.game_input import name_meant
        from tabletop.game.opponents import names_of

        public = cls(game)
        if said is None:
            return public
        sides = dict.fromkeys((*game.ruleset.sides(game.state), *public.keepers))
        side = name_meant(said, dict.fromkeys((*sides, *_commanders(game))), "side")
        if side not in sides:
            return public
        if side in public.keepers and any(side in names_of(game, one) for one in computers_of(game.records)):
            raise UsageError(f"The computer plays {_side_name(side)}, which hides something: look when it is open.")
        return cls(game, side)

    # --- permissions

    def refuse_other(self, whose: str, what: str) -> None:
        """Reject a request that only the side ``whose`` may make from any other viewer; raises UsageError."""
        if whose in self.keepers and whose not in self._stands_for():
            raise UsageError(f'Only {_side_name(whose)} may do "{what}": add --as {_quote_side(whose)} if you are.')

    def refuse_file(self, what: str) -> None:
        """Refuse to write a file with information hidden from this side; raises UsageError."""
        if self.misses:
            as_keeper = f"--as {_quote_side(self.keepers[0])}, or " if len(self.keepers) == 1 else ""
            raise UsageError(
                f"{what} shows secrets until the game is over: say {as_keeper}--all, and show it to no one else."
            )

    def own(self, record: Record) -> str:
        """The part of a record that only this side sees, in words; else empty."""
        mine, others = self._body(record, self.side), self._body(record, PUBLIC)
        return _in_words({key: value for key, value in mine.items() if others.get(key) != value})

    def own_words(self) -> str:
        """This side's hidden knowledge now, as a sentence; else empty."""
        others = self.game.ruleset.view(self.game.state, PUBLIC)
        known = _in_words({key: value for key, value in self.state().items() if others.get(key) != value})
        return f"Hidden from others: {known}." if known else ""

    def others_choose(self) -> str:
        """A sentence that the next choice is another side's in secret, and how to see it; else empty."""
        side = self.game.to_act
        if side is None or side not in self.keepers or side in self._stands_for():
            return ""
        return f"Next to decide is {_side_name(side)}: --as {_quote_side(side)} lists its choices."

    def _stands_for(self) -> frozenset[str | None]:
        """The sides and commanders that this side acts for: itself, and its commanders."""
        from tabletop.game.opponents import names_of

        return frozenset({self.side}) if self.side in (None, PUBLIC) else names_of(self.game, self.side)


def _commanders(game: Game) -> list[str]:
    """The commanders of parts of a side, as named by the ruleset's seats."""
    if game.ruleset.name not in with_part("seats"):
        return []
    roles: tuple[str, ...] = part(game.ruleset.name, "seats").roles(game.state)
    return [name for kind, _, name in (role.partition(" ") for role in roles) if kind == "command"]


def _side_name(side: str) -> str:
    return side if " " in side else f"side {side}"


def _quote_side(side: str) -> str:
    return f'"{side}"' if " " in side else side


def _in_words(known: Mapping[str, Any]) -> str:
    """Keys and values for people.

    >>> _in_words({"secret": {"platoons": 5, "gun_hexes": ["4-3", "5-5"]}, "bids": [5, None]})
    'platoons 5; gun hexes 4-3, 5-5; bids 5, none'
    >>> _in_words({"mines": [["4-3", 2], ["5-5", 1]], "ready": {"red": True, "at": []}})
    'mines 4-3 2, 5-5 1; red yes; at none'
    """
    parts = []
    for key, value in known.items():
        if isinstance(value, Mapping):
            parts.append(_in_words(value))
            continue
        items = value if isinstance(value, list | tuple) else [value]
        words = ", ".join(map(_value_in_words, items)) or "none"
        parts.append(f"{key.replace('_', ' ')} {words}")
    return "; ".join(parts)


def _value_in_words(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return " ".join(f"{key} {_value_in_words(one)}" for key, one in value.items()) or "none"
        case list() | tuple():
            return " ".join(map(_value_in_words, value)) or "none"
        case _:
            return str(value)
