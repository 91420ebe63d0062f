"""WWII Combined Arms in the after-action report: a sentence for every event, losses, retreats, cities, and pictures.

Every word and number comes from an event or the states round it; there are no dice, so nothing is luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tabletop.aar.document import Table
from tabletop.aar.picture import Item, Sheet
from tabletop.aar.teller import Change, Clock, Force, Side, Terms, Throw, ThrowKind, Told
from tabletop.aar.words import count, joined
from tabletop.game.protocol import Outcome
from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms import telling_map
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.board_text import STEPS
from tabletop.rulesets.ww2_combined_arms.data import HQ, SIDES, TITLE
from tabletop.rulesets.ww2_combined_arms.sayings import called, of_kind, sentence
from tabletop.rulesets.ww2_combined_arms.state import BEFORE, State

DRIVEN = 0.25
"""What a unit driven back weighs beside one destroyed."""
_SILENT = (ev.TurnBegan, ev.AttacksBegan, ev.Pressed, ev.Finished)


_CITY_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "at-once": ", or stands on all cities",
        "held": ", or stands on all cities as its turn begins",
    }
)


class WW2CombinedArmsTeller:
    """Tells games of WWII Combined Arms (the report's protocol ``Teller``)."""

    rules_title = TITLE
    throws: tuple[ThrowKind, ...] = (
        ThrowKind("attack", "Attacks", "damage", "nothing is left to chance in this game"),
    )
    measures: Mapping[str, str] = MappingProxyType(
        {
            "lost": "A unit destroyed weighs one divided by the number of units that its side had on the board, and a"
            " headquarters as much as the whole game.",
            "found": "A unit driven back weighs a quarter of what it would weigh destroyed.",
            "held": "A city that was taken or lost weighs one divided by the number of cities, and half of that where"
            " nobody held it before or after.",
        }
    )
    terms = Terms(
        throw="attack",
        result="damage",
        table="board",
        hits="state",
        nothing="Nobody moved or attacked.",
        calm="nothing was destroyed",
        no_throws="played without dice",
        gone="Units that were destroyed",
        held="Cities that changed hands",
        found="Units that were driven back",
        places="squares are named as on a chessboard, a1 at the near left corner",
    )

    def title(self, state: State) -> str:
        """What was played."""
        return state.setup.title

    def sides(self, state: State) -> tuple[Side, ...]:
        """Red, then blue, whoever goes first, so that each keeps its colour."""
        return tuple(Side(side, state.setup.side_title(side)) for side in SIDES)

    def opening(self, state: State) -> tuple[str, ...]:
        """The board, the optional rules, the armies, what wins."""
        setup = state.setup
        ground = self._ground_words(state)
        armies = [self._army_words(state, side) for side in SIDES if any(u.side == side for u in state.units)]
        cities = _CITY_WORDS[setup.city_victory] if setup.cities_win else ""
        last = f" After turn {setup.turns} the game is drawn." if setup.turns else ""
        return (
            f"{TITLE} on {setup.columns} by {setup.rows} squares, without dice and with nothing hidden.{ground}",
            *armies,
            f"A side wins as soon as it destroys the enemy headquarters{cities}.{last}",
        )

    def _ground_words(self, state: State) -> str:
        setup, names = state.setup, state.grid.names
        found = []
        if state.cities:
            found.append(f"cities on {joined([names[n] for n in sorted(state.cities)])}")
        if setup.difficult and setup.terrain:
            kinds = Counter(kind for _, kind in setup.terrain)
            squares = [f"{kind} on {count(number, 'square')}" for kind, number in kinds.items()]
            found.append(f"difficult terrain, {joined(squares)}")
        rules = [
            word
            for word, used in (
                ("difficult terrain", setup.difficult),
                ("elite units", setup.elites),
                ("experienced units", setup.experience),
                ("reinforcements", setup.every),
            )
            if used
        ]
        board = f" The board has {'; '.join(found)}." if found else ""
        return f"{board} Optional rules: {joined(rules)}." if rules else board

    def _army_words(self, state: State, side: str) -> str:
        kinds = Counter(u.kind for u in state.units if u.side == side)
        elite = [u.id for u in state.units if u.side == side and u.elite]
        told = joined([of_kind(number, kind) for kind, number in kinds.items()])
        made = f", {joined(elite)} elite" if elite else ""
        edge = "near" if side == SIDES[0] else "far"
        return f"{state.setup.side_title(side)} holds the {edge} edge with {told}{made}."

    def clock(self, state: State) -> Clock:
        """The turn, whose it is, and its phase."""
        if not state.turn:
            return Clock(0, "", "place")
        return Clock(state.turn, "" if state.step == "over" else state.acting, state.step)

    def step_title(self, step: str) -> str:
        """How people call a phase."""
        title = "setting up" if step in BEFORE else STEPS[step]
        return f"{title[0].upper()}{title[1:]}"

    def opens(self, told: Told) -> bool:
        """Whether a phase begins."""
        return isinstance(told.event, ev.TurnBegan | ev.AttacksBegan)

    def sentences(self, told: Told) -> tuple[str, ...]:
        """What happened; the end of the game is told where the report ends."""
        event = told.event
        if isinstance(event, _SILENT):
            return ()
        if isinstance(event, ev.MovesBegan):
            return (f"{count(event.held, 'reinforcement')} waits for a later turn.",) if event.held else ()
        return (sentence(told.before, event),)

    def completes(self, told: Told) -> bool:
        """Whether an event is what became of an attack."""
        return isinstance(told.event, ev.Retreated | ev.Destroyed | ev.Promoted)

    def is_quiet(self, told: Told) -> bool:
        """Whether a unit was placed or moved, or an attack did not bring its target to retreat."""
        match told.event:
            case ev.Placed() | ev.Moved():
                return True
            case ev.Attacked(total=total, defence=defence):
                return bool(total < defence)
        return False

    def gathered(self, run: Sequence[Told]) -> tuple[str, ...]:
        """Units that were placed or moved in as few sentences as will do; attacks by their targets."""
        found: list[str] = []
        placed = [t for t in run if isinstance(t.event, ev.Placed)]
        for side in SIDES:
            own = [t.event for t in placed if t.before.by_id[t.event.unit].side == side]
            if own:
                title = run[0].after.setup.side_title(side)
                found.append(f"{title} placed {joined([f'{called(run[0].before, e.unit)} on {e.to}' for e in own])}.")
        moved = [t for t in run if isinstance(t.event, ev.Moved)]
        if moved:
            rows = [f"{called(t.before, t.event.unit)} from {t.event.start} to {t.event.to}" for t in moved]
            found.append(f"Moved: {joined(rows)}.")
        hits: dict[str, list[Told]] = {}
        for told in run:
            if isinstance(told.event, ev.Attacked):
                hits.setdefault(told.event.target, []).append(told)
        for target, each in hits.items():
            last = each[-1].event
            by = joined([called(t.before, t.event.unit) for t in each])
            found.append(f"{by} attacked {called(each[0].before, target)}: {last.total} of {last.defence} damage.")
        return tuple(found)

    def throws_in(self, told: Told) -> tuple[Throw, ...]:
        """Nothing is thrown."""
        return ()

    def changes(self, told: Told) -> tuple[Change, ...]:
        """Units destroyed or driven back, cities that changed hands."""
        event, found = told.event, list[Change]()
        if isinstance(event, ev.Destroyed):
            found.append(_lost(told, event))
        if isinstance(event, ev.Retreated):
            share = DRIVEN * _share(told.before, event.unit)
            side, text = told.before.by_id[event.unit].side, sentence(told.before, event)
            found.append(Change("found", side, event.unit, share, f"{event.unit} driven back", text))
        if isinstance(event, ev.Corrected) and event.off:
            side = told.before.by_id[event.unit].side
            found.append(Change("lost", side, event.unit, 0.0, event.unit, sentence(told.before, event)))
        return (*found, *_cities(told))

    def forces(self, game: Sequence[Told]) -> tuple[Force, ...]:
        """Every unit and what has become of it."""
        state: State = game[-1].after
        gone = {t.event.unit: t for t in game if isinstance(t.event, ev.Destroyed)}
        found = []
        for unit in state.units:
            there = unit.at != OFF
            parts = ["elite"] if unit.elite else []
            parts += [f"helped to destroy {unit.kills}"] if unit.kills else []
            if there:
                fate = f"on {state.grid.names[unit.at]}"
            elif unit.id in gone:
                fate = f"destroyed on {gone[unit.id].event.at}, turn {gone[unit.id].before.turn}"
            else:
                fate = "never placed" if unit.fate == "waiting" else "taken off by hand"
            found.append(Force(unit.id, unit.side, "", unit.type.title, ", ".join(parts) or "-", fate, there))
        return tuple(found)

    def sheets(self, game: Sequence[Told]) -> tuple[Table, ...]:
        """What each side had left at the end of every turn."""
        rows: dict[int, tuple[str, ...]] = {}
        for told in game:
            state: State = told.after
            if state.turn:
                counts = [str(len(state.on_board[side])) for side in SIDES]
                rows[state.turn] = (str(state.turn), *counts)
        if not rows:
            return ()
        setup = game[-1].after.setup
        header = ("turn", *(setup.side_title(side) for side in SIDES))
        return (
            Table("Units on the board at the end of every turn", header, tuple(rows.values()), frozenset({0, 1, 2})),
        )

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, once it has."""
        return state.result

    def ground(self, state: State) -> Sequence[Item]:
        """The board with its terrain."""
        return telling_map.ground(state)

    def pieces(self, state: State) -> Sequence[Item]:
        """Counters with their badges."""
        return telling_map.pieces(state)

    def marks(self, told: Told) -> Sequence[Item]:
        """Moves, retreats and attacks."""
        return telling_map.happened(told)

    def grave(self, told: Told) -> Sequence[Item]:
        """A unit that was destroyed, crossed out where it stood."""
        return telling_map.grave(told)

    def drawn(self, state: State, sides: Sequence[Side], items: Sequence[Item]) -> Sheet:
        """The board as a map of its squares."""
        return telling_map.drawn(state, sides, items)


def _share(state: State, unit: str) -> float:
    """What a unit is of its side's game."""
    own = state.by_id[unit]
    return 1.0 if own.kind == HQ else 1.0 / max(1, len([u for u in state.units if u.side == own.side]))


def _lost(told: Told, event: ev.Destroyed) -> Change:
    unit = told.before.by_id[event.unit]
    what = f"{event.unit} ({unit.type.title})"
    by = event.helped[-1] if event.helped else ""
    text = sentence(told.before, event)
    return Change("lost", unit.side, what, _share(told.before, event.unit), f"{event.unit} destroyed", text, by)


def _cities(told: Told) -> list[Change]:
    """Cities on which another side's unit stands than before."""
    before, after = told.before, told.after
    if before is None or not after.turn or not after.cities or not after.setup.cities_win:
        return []
    found = []
    for n in after.cities:
        old, new = (state.there.get(n) for state in (before, after))
        was, now = (unit.side if unit is not None else "" for unit in (old, new))
        if was != now:
            name = after.grid.names[n]
            title = after.setup.side_title
            text = f"{title(now)} took the city on {name}." if now else f"{title(was)} left the city on {name}."
            share = (1.0 if was and now else 0.5) / len(after.cities)
            by = new.id if new is not None else ""
            found.append(Change("held", now, name, share, f"the city on {name}", text, by))
    return found


TELLER = WW2CombinedArmsTeller()
"""WWII Combined Arms told in reports."""
