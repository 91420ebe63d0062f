"""Fire and air strikes: targets, what speaks against a shot, the salvo deck, odds, what a card makes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from tabletop.game.protocol import NO_DICE, Dice, Odds
from tabletop.game.violations import Violation
from tabletop.rulesets.combat import actions
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.board import WOODS, Line
from tabletop.rulesets.combat.data import COMPASS, PLANE_SAVED_ON, TERRAIN_TITLES
from tabletop.rulesets.combat.figures import range_of, range_place
from tabletop.rulesets.combat.moving import NIGHT, against_acting, gone_words
from tabletop.rulesets.combat.saving import save_of, saved_chance
from tabletop.rulesets.combat.state import Piece, State, in_play
from tabletop.words import and_list, count

FIRING, SALVO, PLANES = "Firing", "Salvo cards", "Airstrikes and airstrips"

_APART = Violation("night", "No piece fires or attacks at night, and the boards are apart.", NIGHT, firm=True)


# --- the deck --------------------------------------------------------------------------------------------------------


def deck(state: State) -> tuple[int, int, bool]:
    """The hits and misses that the next card comes from, and whether the deck is shuffled for it."""
    if state.hits + state.misses:
        return state.hits, state.misses, False
    return state.setup.hits, state.setup.misses, True


def hit_chance(state: State) -> Fraction:
    """How likely the next card is a hit, by what is left of the deck."""
    hits, misses, _ = deck(state)
    return Fraction(hits, hits + misses)


def fresh_hit_chance(state: State) -> Fraction:
    """How likely the first card of a deck that was just shuffled is a hit."""
    return Fraction(state.setup.hits, state.setup.hits + state.setup.misses)


def dice(state: State, action: actions.Fire | actions.Strike) -> Dice:
    """The card to draw as a die with a face for each card left, the hits first; none where it was told."""
    hits, misses, _ = deck(state)
    return NO_DICE if action.card else Dice(1, tuple(range(1, hits + misses + 1)))


def _against_card(state: State, action: actions.Fire | actions.Strike) -> Iterator[Violation]:
    hits, misses, _ = deck(state)
    left = {"hit": hits, "miss": misses}.get(action.card, 1)
    if not left:
        others = count(misses, "miss", "misses") if action.card == "hit" else count(hits, "hit")
        text = f"No {action.card} is left in the salvo deck, only {others}: set it right by correct deck."
        yield Violation("no-such-card", text, SALVO, firm=True)


# --- shots -----------------------------------------------------------------------------------------------------------


def fire_range(state: State, piece: Piece) -> int:
    """How far a piece fires from where it stands."""
    return range_of(state.setup, piece.kind, crest=state.field.crest[piece.at])


def may_fire(state: State, piece: Piece) -> bool:
    """Whether a piece has a shot left that it may take now."""
    return not piece.fired and piece.kind != "plane" and not state.night and in_play(state, piece)


def targets(state: State, piece: Piece) -> Iterator[Piece]:
    """The enemy's pieces that a piece can fire on from where it stands."""
    lines, far = state.field.lines(piece.at), fire_range(state, piece)
    for other in state.armies[1 - piece.side]:
        if lines.get(other.at, far + 1) <= far:
            yield other


def firers_at(state: State, target: Piece) -> list[str]:
    """The enemy's pieces, by name, that have a piece in their lines of fire."""
    enemies = state.armies[1 - target.side]
    return [p.id for p in enemies if p.kind != "plane" and target in targets(state, p)]


def against_fire(state: State, action: actions.Fire) -> Iterator[Violation]:
    """All that speaks against a shot."""
    piece, target = state.by_id[action.unit], state.by_id[action.target]
    yield from against_acting(state, piece)
    if state.apart:
        yield _APART
        return
    yield from _against_target(state, piece, target)
    if state.night:
        yield Violation("night", "No piece fires at night.", NIGHT)
    if piece.kind == "plane":
        text = f"{piece.id} is a plane: strike {piece.id} at {target.id}."
        yield Violation("plane", text, PLANES, firm=True)
    elif piece.fired:
        yield Violation("fired", f"{piece.id} has fired this turn.", FIRING)
    yield from _against_card(state, action)
    if min(piece.at, target.at) >= 0 and piece.kind != "plane":
        yield from _against_line(state, piece, target)


def _against_target(state: State, piece: Piece, target: Piece) -> Iterator[Violation]:
    if target.side == piece.side:
        yield Violation("own-piece", f"{target.id} is on {piece.id}'s own side.", FIRING, firm=True)
    elif target.at < 0:
        yield Violation("no-target", f"{target.id} {gone_words(target)}.", FIRING, firm=True)


def _against_line(state: State, piece: Piece, target: Piece) -> Iterator[Violation]:
    line, far = state.field.line(piece.at, target.at), fire_range(state, piece)
    if line.distance > far:
        text = f"{target.id} is {count(line.distance, 'square')} from {piece.id}, which fires {count(far, 'square')}."
        place = range_place(state.setup, piece.kind)
        yield Violation("range", text, place, {"distance": line.distance, "range": far})
    if not line.clear:
        words = line_words(state, piece.id, target.id, line)
        yield Violation(f"line-{line.against}", words, line_place(state, line))


def line_place(state: State, line: Line) -> str:
    """Where the rules have what stops a shot."""
    if line.at < 0:
        return FIRING
    field = state.field
    if line.against != "over" and field.cover[line.at] == WOODS and state.setup.house.woods_one_deep:
        return "House rules, 3"
    return "House rules, 5" if field.built[line.at] else FIRING


def line_words(state: State, firer: str, target: str, line: Line) -> str:
    """Why no shot passes, in a sentence."""
    if line.against == "straight":
        return f"{target} is in no straight line from {firer}: neither a row, a column nor a diagonal."
    where, cover = state.name(line.at), state.field.cover[line.at]
    what = TERRAIN_TITLES[state.field.terrain[line.at]]
    if line.against == "counter":
        ways = and_list([COMPASS[way] for name, way in state.setup.hill_counters if name == where])
        return f"A hill counter in {where} bars shots to and from the {ways} of it."
    if line.against == "over":
        return f"The shot from {firer} at {target} would pass over {what} in {where}."
    deep = state.field.depth_in(cover)
    squares = "one square" if deep == 1 else f"{deep} squares"
    how = "out of" if line.against == "out" else "into"
    return f"A shot reaches {squares} {how} {'a hill' if cover == 'hill' else what}, and {where} is further."


# --- air strikes -----------------------------------------------------------------------------------------------------


def may_strike(state: State, piece: Piece) -> bool:
    """Whether a plane may attack now."""
    return piece.kind == "plane" and not next(_against_striking(state, piece), None) and in_play(state, piece)


def struck_by(state: State, piece: Piece) -> Iterator[Piece]:
    """What a plane may attack: every enemy piece on the board; planes by the house rule."""
    planes = state.setup.house.planes_attack_planes
    return (other for other in state.armies[1 - piece.side] if planes or other.kind != "plane")


def _against_striking(state: State, piece: Piece) -> Iterator[Violation]:
    if state.night:
        yield Violation("night", "No piece attacks at night.", NIGHT)
    if piece.fired:
        yield Violation("fired", f"{piece.id} has flown this turn.", PLANES)
    elif state.setup.house.planes_alternate and piece.struck and state.turn - piece.struck < 2:
        text = f"{piece.id} attacked last turn: it refuels and attacks on alternate turns."
        yield Violation("refuels", text, "House rules, 1")


def against_strike(state: State, action: actions.Strike) -> Iterator[Violation]:
    """All that speaks against an air strike."""
    piece, target = state.by_id[action.unit], state.by_id[action.target]
    yield from against_acting(state, piece)
    if state.apart:
        yield _APART
        return
    yield from _against_target(state, piece, target)
    if piece.kind != "plane":
        text = f"{piece.id} is no plane: fire {piece.id} at {target.id}."
        yield Violation("no-plane", text, PLANES, firm=True)
        return
    yield from _against_striking(state, piece)
    if target.kind == "plane" and not state.setup.house.planes_attack_planes:
        yield Violation("plane-target", "Planes do not attack planes but by the house rule.", FIRING)
    yield from _against_card(state, action)


# --- odds and results ------------------------------------------------------------------------------------------------


def odds(state: State, action: actions.Fire | actions.Strike) -> Odds:
    """The exact odds of a shot or a strike before its card is drawn, the save with all its modifiers included."""
    hit = hit_chance(state)
    need, modifiers = save_of(state, state.by_id[action.target], _cause(action), state.by_id[action.unit].kind)
    also = {"hit": hit, "destroyed": hit * (1 - saved_chance(need)), "saved": hit * saved_chance(need)}
    hits, misses, shuffled = deck(state)
    words = [
        f"{hits} hits and {misses} misses in the deck" + (", shuffled anew" if shuffled else ""),
        f"saved on {need} or more" if need < 6 else "saved on a 6",
        *(f"{name} {value:+d}" for name, value in modifiers),
    ]
    if isinstance(action, actions.Strike):
        also["plane lost"] = 1 - saved_chance(PLANE_SAVED_ON)
        words.append(f"the plane itself is saved on {PLANE_SAVED_ON} or more")
    return Odds("hits", {0: 1 - hit, 1: hit}, also, tuple(words))


def _cause(action: actions.Fire | actions.Strike) -> ev.Cause:
    return "fire" if isinstance(action, actions.Fire) else "air"


def resolve(state: State, action: actions.Fire | actions.Strike, rolled: int) -> ev.Event:
    """The event of a card that is drawn (``rolled``: its number in the deck) or was told."""
    hits, misses, shuffled = deck(state)
    hit = action.card == "hit" if action.card else rolled <= hits
    target = state.by_id[action.target]
    need, modifiers = save_of(state, target, _cause(action), state.by_id[action.unit].kind)
    card: Literal["hit", "miss"] = "hit" if hit else "miss"
    if isinstance(action, actions.Strike):
        return ev.Struck(action.unit, target.id, card, hits, misses, need, modifiers, shuffled, rolled)
    far = state.field.line(state.by_id[action.unit].at, target.at).distance
    return ev.Fired(action.unit, target.id, card, hits, misses, need, modifiers, far, shuffled, rolled)


def save_odds(state: State) -> Odds:
    """The odds of the save that is to be rolled."""
    pending = state.pending[0]
    saved = saved_chance(pending.need)
    words = (f"saved on {pending.need} or more", *(f"{name} {value:+d}" for name, value in pending.modifiers))
    return Odds("saved", {0: 1 - saved, 1: saved}, {"destroyed": 1 - saved}, words)
