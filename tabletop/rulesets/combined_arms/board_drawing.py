"""A game of Combined Arms to be drawn: hexes, the road, counters, tracks, as one viewer may see them.

Of the state only what lies open on the board is read; bids, and what the defenders alone know, are asked of
:mod:`~tabletop.rulesets.combined_arms.views`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import shapely

from geometry.hex_layout import HexLayout
from tabletop.boards.data import Badge, Board, BoardPiece, BoardSide, Cell, Fact, Mark, Outline, Unit, Way, Zone
from tabletop.rulesets.combined_arms.board import BARRED, COLUMN, COUNT, EXITS, NAMES, OFF, REAR, members
from tabletop.rulesets.combined_arms.board_text import FATES, STEPS
from tabletop.rulesets.combined_arms.canvas import (
    BOARD,
    EXTENT,
    GUARD,
    GUNS,
    ROAD_HALF,
    Canvas,
    Spot,
    canvas,
    road_way,
    spots,
)
from tabletop.rulesets.combined_arms.data import (
    ATTACKER,
    CORNER_WORDS,
    DEFENDER,
    KIND_TITLES,
    POINTS_TO_WIN,
    SMOKE_ROUNDS,
    TRACK,
    TURNS,
)
from tabletop.rulesets.combined_arms.scoring import score
from tabletop.rulesets.combined_arms.state import Counter, Platoon, Secret, State
from tabletop.rulesets.combined_arms.views import seen_bids, seen_secret
from tabletop.small_games.board_drawing import outcome_facts, sides_of
from tabletop.words import capital

_MARGIN = 0.5  # round a board that lies on no known table, in hex sizes
_BEFORE = {
    "bids": "Sealed bids",
    "terrain": "Terrain",
    "defenders": "Setting out the defenders",
    "muster": "Mustering the defenders",
    "post": "Posting the defenders",
    "over": "After the end of the game",
}


def board(
    state: State,
    viewer: str | None,
    *,
    table: tuple[float, float] | None = None,
    rims: Mapping[str, str] | None = None,
    layout: HexLayout | None = None,
) -> Board:
    """The board of a game as ``viewer`` may see it, at ``layout``, else where its set-up lays it, else on a table of
    its own."""
    return _ViewedBoard(state, viewer, table, rims or {}, layout).board()


def layout_of(state: State) -> HexLayout:
    """Where the board lies: as the set-up says, else with hexes of 4 inches, half a hex from the near left corner."""
    given = state.setup.layout
    if given is not None:
        return given
    room = _MARGIN * BOARD.size_in
    return HexLayout(BOARD.size_in, (BOARD.origin[0] + room, BOARD.origin[1] + room))


@lru_cache(maxsize=8)
def _size_of(layout: HexLayout | None) -> tuple[float, float]:
    """The size of a table that nobody gave: half a hex beyond the board."""
    if layout is None:
        return EXTENT[0] + 2 * _MARGIN * BOARD.size_in, EXTENT[1] + 2 * _MARGIN * BOARD.size_in
    _, _, right, top = canvas(layout).whole(range(COUNT)).bounds
    return right + _MARGIN * layout.size_in, top + _MARGIN * layout.size_in


@dataclass(frozen=True)
class _ViewedBoard:
    """A game and who looks at it."""

    state: State
    viewer: str | None
    table: tuple[float, float] | None
    rims: Mapping[str, str]
    layout: HexLayout | None = None

    @cached_property
    def real(self) -> Secret | None:
        """Where real platoons and guns stand, for those who may know; ``None`` for everybody else."""
        return None if self.state.step == "post" else seen_secret(self.state, self.viewer)

    @cached_property
    def on(self) -> Canvas:
        return canvas(self.layout or layout_of(self.state))

    def board(self) -> Board:
        state = self.state
        given = None if state.setup.layout is None and self.layout is None else self.on.layout
        width, depth = self.table or _size_of(given)
        return Board(
            width=width,
            depth=depth,
            grid="hex",
            cell_size=self.on.size,
            sides=self._sides(),
            units=(*map(self._platoon, state.platoons), *map(self._counter, state.enemy)),
            pieces=(*self._platoon_pieces(), *self._counter_pieces()),
            cells=tuple(self._cell(n) for n in range(COUNT)),
            ways=tuple(self._ways()),
            zones=_zones(self.on),
            facts=tuple(self._facts()),
            marks=tuple(self._marks()),
        )

    def _sides(self) -> tuple[BoardSide, ...]:
        from tabletop.rulesets.combined_arms.play import RULES

        return sides_of(self.state.setup, (RULES.to_act(self.state),), self.rims)

    # --- hexes -------------------------------------------------------------------------------------------------------

    def _cell(self, n: int) -> Cell:
        state, name = self.state, NAMES[n]
        known = bool(state.ground.known >> n & 1)
        kind = state.ground.terrain[n] if known else "unknown"
        marks = [
            mark
            for mark, here in (
                ("road", n in state.ground.road),
                ("smoke", n in state.smoke),
                ("mortar", state.call is not None and state.call.at == n),
                ("enemy-mortar", state.enemy_call is not None and state.enemy_call.at == n),
                ("fired-on", n in state.fired_on),
                ("under-fire", state.pending is not None and n in state.pending.hexes),
                ("entry", n in REAR),
                ("exit", n in EXITS),
                ("closed", bool(BARRED >> n & 1)),
            )
            if here
        ]
        ground = "terrain not known yet" if not known else "open ground" if kind == "open" else kind
        told = [ground, *(_MARK_WORDS[mark] for mark in marks), *self._who(n)]
        return Cell(name, self.on.centres[n], self.on.rings[n], kind, tuple(marks), f"Hex {name}: {', '.join(told)}.")

    def _who(self, n: int) -> Iterator[str]:
        for platoon in self.state.by_hex.get(n, ()):
            yield f"{platoon.id} {_freshness(platoon.fresh)}"
        counter = self.state.counters.get(n)
        if counter is not None:
            yield self._counter_words(counter)

    def _ways(self) -> Iterator[Way]:
        middle = road_way(self.state.ground, self.on)
        for number, part in enumerate(() if middle is None else shapely.get_parts(middle), 1):
            points = tuple((float(x), float(y)) for x, y in part.coords)
            yield Way(f"road-{number}", "road", points, 2 * ROAD_HALF * self.on.size)

    # --- platoons ----------------------------------------------------------------------------------------------------

    def _platoon(self, platoon: Platoon) -> Unit:
        place = None if platoon.at == OFF else NAMES[platoon.at]
        badges = self._platoon_badges(platoon)
        told = f"in {place}" if place else FATES[platoon.fate]
        facing = "" if platoon.facing is None else f", facing corner {platoon.facing} ({CORNER_WORDS[platoon.facing]})"
        kind = KIND_TITLES[platoon.kind]
        status = "" if _is_gone(platoon) else f"{_freshness(platoon.fresh)}, "
        says = f"{platoon.id}, {kind}, {status}{told}{facing}."
        acted = any(name == platoon.id for name, _ in self.state.declared)
        title = f"{platoon.id}, {kind}"
        return Unit(platoon.id, ATTACKER, platoon.kind, title, place is not None, place, badges, acted, says)

    def _platoon_badges(self, platoon: Platoon) -> tuple[Badge, ...]:
        found = [] if platoon.fresh or _is_gone(platoon) else [Badge("spent", "S", "spent")]
        if any(name == platoon.id for name, _ in self.state.declared):
            target = NAMES[self.state.declared_on]
            found.append(Badge("declared", "!", f"committed to fire on {target}"))
        return tuple(found)

    def _platoon_pieces(self) -> Iterator[BoardPiece]:
        for at in sorted(self.state.by_hex):
            here = self.state.by_hex[at]
            for platoon, spot in zip(here, spots(len(here)), strict=True):
                piece = self._piece(self._platoon(platoon), at, spot, label=platoon.id, state=_freshness(platoon.fresh))
                facing = None if platoon.facing is None else self.on.layout.facing_deg(platoon.facing) % 360.0
                yield replace(piece, facing=facing)

    def _piece(
        self, unit: Unit, at: int, spot: Spot, *, label: str, state: str = "fresh", hidden: bool = False
    ) -> BoardPiece:
        """A unit's counter at a spot of a hex."""
        dx, dy, side = spot
        x, y = self.on.at(at, dx, dy)
        half = side * self.on.size / 2
        return BoardPiece(
            id=unit.id,
            unit=unit.id,
            side=unit.side,
            kind=unit.kind,
            label=label,
            shape="counter",
            width=2 * half,
            depth=2 * half,
            center=(x, y),
            facing=None,
            outline=((x - half, y - half), (x - half, y + half), (x + half, y + half), (x + half, y - half)),
            says=unit.says,
            badges=unit.badges,
            hidden=hidden,
            state=state,
        )

    # --- defenders ---------------------------------------------------------------------------------------------------

    def _nature(self, counter: Counter) -> tuple[bool | None, bool | None]:
        """Whether a counter's platoon and its guns are real, for who looks; ``None`` where that is not known."""
        platoon = True if counter.revealed else None if self.real is None else counter.at in self.real.platoon_hexes
        if counter.atg in ("none", "removed"):
            return platoon, False
        guns = True if counter.atg == "real" else None if self.real is None else counter.at in self.real.atg_hexes
        return platoon, guns

    def _counter_words(self, counter: Counter) -> str:
        platoon, guns = self._nature(counter)
        words = {True: "defenders' platoon", False: "phantom", None: "potential defenders"}[platoon]
        if not counter.revealed and platoon is not None:
            words = f"{'real' if platoon else 'false'} potential defenders"
        told = f"{words}, {_freshness(counter.fresh)}"
        if counter.atg == "real":
            return f"{told}, with anti-tank guns"
        if counter.atg == "potential":
            known = "" if guns is None else " (real)" if guns else " (false)"
            return f"{told}, with potential anti-tank guns{known}"
        return told

    def _counter_badges(self, counter: Counter) -> tuple[Badge, ...]:
        platoon, guns = self._nature(counter)
        found = [] if counter.fresh else [Badge("spent", "S", "spent")]
        if not counter.revealed:
            found.append(Badge("potential", "?", "not revealed"))
            if platoon is not None:
                found.append(Badge("real", "X", "really there") if platoon else Badge("false", "0", "not really there"))
        if counter.atg == "potential":
            found.append(Badge("guns-potential", "AT?", "potential anti-tank guns"))
            if guns is not None:
                found.append(
                    Badge("guns-real", "AT", "its guns are real")
                    if guns
                    else Badge("guns-false", "0", "its guns are false")
                )
        elif counter.atg == "real":
            found.append(Badge("guns", "AT", "anti-tank guns"))
        return tuple(found)

    def _counter(self, counter: Counter) -> Unit:
        kind = "platoon" if counter.revealed else "potential"
        acted = self.state.step == "enemy" and bool(self.state.activated >> counter.at & 1)
        words = capital(self._counter_words(counter))
        name = NAMES[counter.at]
        title = f"{'Defenders' if counter.revealed else 'Potential defenders'}, {name}"
        return Unit(
            name, DEFENDER, kind, title, True, name, self._counter_badges(counter), acted, f"{words}, in {name}."
        )

    def _counter_pieces(self) -> Iterator[BoardPiece]:
        for counter in self.state.enemy:
            unit = self._counter(counter)
            platoon, guns = self._nature(counter)
            armed, label = counter.atg in ("potential", "real"), "X" if counter.revealed else "?"
            spot, state = GUARD if armed else spots(1)[0], _freshness(counter.fresh)
            piece = self._piece(unit, counter.at, spot, label=label, state=state, hidden=platoon is None)
            yield replace(piece, id=f"counter {unit.id}")
            if armed:
                real = counter.atg == "real"
                piece = self._piece(unit, counter.at, GUNS, label="AT" if real else "AT?", hidden=guns is None)
                yield replace(
                    piece,
                    id=f"guns {unit.id}",
                    kind="guns" if real else "potential guns",
                    says=f"{'Anti-tank guns' if real else 'Potential anti-tank guns'}, in {unit.id}.",
                    badges=tuple(b for b in unit.badges if b.id in ("guns-real", "guns-false")),
                )

    # --- beside the board --------------------------------------------------------------------------------------------

    def _marks(self) -> Iterator[Mark]:
        own, enemy = self.state.call, self.state.enemy_call
        for n in self.state.smoke:
            yield Mark("smoke", self.on.at(n, 0.0, -0.24), NAMES[n], f"Smoke in {NAMES[n]}.")
        if own is not None:
            what = "high explosive" if own.ammo == "he" else "smoke"
            says = f"Target of the attackers' mortars in {NAMES[own.at]}: {what}, called in turn {own.turn}."
            yield Mark("mortar", self.on.at(own.at, -0.2, -0.36), NAMES[own.at], says)
        if enemy is not None:
            says = f"Target of the defenders' mortars in {NAMES[enemy.at]}, called in turn {enemy.turn}."
            yield Mark("enemy-mortar", self.on.at(enemy.at, 0.2, -0.36), NAMES[enemy.at], says)
        acting = self.state.deciding_counter
        if acting is not None:
            yield Mark("acting", self.on.at(acting.at, 0.0, 0.0), NAMES[acting.at], f"{NAMES[acting.at]} acts now.")

    def _facts(self) -> Iterator[Fact]:
        state, outcome = self.state, self.state.result
        yield Fact("Game", state.setup.title)
        if state.turn:
            yield Fact("Turn", f"{state.turn} of {TURNS}")
        yield Fact("Phase", capital(STEPS.get(state.step) or _BEFORE[state.step]))
        if outcome is not None:
            yield from outcome_facts(state.setup, outcome)
        else:
            yield from (Fact("To act", side.title) for side in self._sides() if side.to_act and state.step != "bids")
        if state.setup.bidding:
            bids = ("none yet" if bid is None else str(bid) for bid in seen_bids(state, self.viewer))
            yield from (Fact(f"Bid of player {n}", words) for n, words in enumerate(bids, 1))
        if not state.turn:
            known = state.ground.known.bit_count()
            yield Fact("Hexes with terrain", f"{known} of {COUNT}")
            return
        yield Fact("Score", f"{score(state)} of the {POINTS_TO_WIN} needed to win")
        yield Fact("Losses", f"{state.losses} of {TRACK - 1}")
        yield Fact("Ammunition fired", f"{state.ammo} of {TRACK - 1}")
        yield Fact("Smoke rounds left", f"{state.smoke_rounds} of {SMOKE_ROUNDS}")
        yield Fact("Platoons found", f"{state.platoons_found}, {state.tally.platoons_broken} broken")
        yield Fact("Anti-tank guns found", f"{state.guns_found}, {state.tally.atgs_broken} broken")
        yield Fact("Phantoms taken off", str(state.tally.phantoms))
        secret = seen_secret(state, self.viewer)
        if secret is not None:
            yield Fact("Really there", f"{secret.platoons} platoons, {secret.atgs} with anti-tank guns")
        for fate, words in FATES.items():
            names = [p.id for p in state.platoons if p.fate == fate]
            if names:
                yield Fact(capital(words), ", ".join(names))


_MARK_WORDS = {
    "road": "road",
    "smoke": "smoke",
    "mortar": "target of the attackers' mortars",
    "enemy-mortar": "target of the defenders' mortars",
    "fired-on": "fired on in this phase",
    "under-fire": "under fire",
    "entry": "the attackers enter and withdraw here",
    "exit": "platoons exploit from here",
    "closed": "closed to the attackers",
}


def _is_gone(platoon: Platoon) -> bool:
    return platoon.fate not in ("waiting", "board")


def _freshness(fresh: bool) -> str:
    return "fresh" if fresh else "spent"


@lru_cache(maxsize=8)
def _zones(on: Canvas) -> tuple[Zone, ...]:
    """Where the attackers enter, exploit and never go."""
    left = tuple(n for n in members(BARRED) if COLUMN[n] == 1)
    right = tuple(n for n in members(BARRED) if COLUMN[n] != 1)
    closed = "Side edge hexes that no platoon may enter."
    return (
        Zone("entry", "edge", "Rear edge", _around(on, REAR), ATTACKER, "The attackers enter and withdraw here."),
        Zone("exploit", "exit", "Exploiting", _around(on, EXITS), ATTACKER, "Platoons exploit beyond the far edge."),
        Zone("closed-left", "edge", "Closed", _around(on, left), None, closed),
        Zone("closed-right", "edge", "Closed", _around(on, right), None, closed),
    )


def _around(on: Canvas, hexes: tuple[int, ...]) -> Outline:
    """The outline of neighbouring hexes together."""
    ring = shapely.get_exterior_ring(on.whole(hexes))
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(ring)[:-1])
