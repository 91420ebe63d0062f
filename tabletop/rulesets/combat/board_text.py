"""A game of Combat at one moment as text for a terminal of 80 columns: the board in letters, what is next.

All of it is open to everybody: no deployment, no mine and nothing that moves on boards that are apart is told.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from geometry.squares import Square
from tabletop.game.protocol import PUBLIC
from tabletop.grids.squares.diagram import WIDTH, diagram, key
from tabletop.rulesets.combat.armies import open_counts
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.board_placement import kinds
from tabletop.rulesets.combat.data import KINDS, PERIODS, SIDE_TITLES, SIDES, TERRAIN_TITLES
from tabletop.rulesets.combat.event_text import corps_title, need_words
from tabletop.rulesets.combat.event_text import news as news
from tabletop.rulesets.combat.figures import box, moves_of
from tabletop.rulesets.combat.firing import deck, fire_range, firers_at, targets
from tabletop.rulesets.combat.setup import Setup
from tabletop.rulesets.combat.state import CORPS, Piece, State, commands, corps_of
from tabletop.rulesets.combat.turn_flow import may_confer
from tabletop.rulesets.combat.views import seen_pieces
from tabletop.words import and_list, count

STEPS = {"deploy": "secret deployment", "toss": "toss for the first move", "play": "battle", "over": "after the game"}
"""What people call the steps of a game."""
_SECRET_VERBS = ("army", "place", "deploy", "unplace", "headquarters")


def in_words(state: State) -> str:
    """The whole state: the headline, the board, what lies off it, and what the letters mean."""
    head, *notes = (textwrap.fill(line, WIDTH, subsequent_indent="  ") for line in (headline(state), *_notes(state)))
    return "\n\n".join([head, board_text(state), "\n".join([*notes, _key(state)])])


def headline(state: State) -> str:
    """The turn, whose it is, how many pieces each side has, and the deck."""
    title = state.setup.title
    if state.result is not None:
        won = f"{SIDE_TITLES[state.result.winner]} won" if state.result.winner else "A draw"
        return f"{title}, turn {state.turn}. {won}: {state.result.reason}"
    if state.step == "deploy":
        ready_sides = zip(SIDES, state.ready, strict=True)
        told = [f"{SIDE_TITLES[side]} {'is ready' if ready else 'deploys'}" for side, ready in ready_sides]
        return f"{title}: secret deployment. {and_list(told)}."
    hits, misses, _ = deck(state)
    left = and_list([f"{SIDE_TITLES[side]} {count(n, 'piece')}" for side, n in counts(state)])
    cards = f"Salvo deck: {count(hits, 'hit')} and {count(misses, 'miss', 'misses')}."
    return f"{title}, {when(state)}. {left}. {cards}"


def counts(state: State) -> tuple[tuple[str, int], ...]:
    """How many pieces each side has on the board."""
    return tuple((side, len(army)) for side, army in zip(SIDES, state.armies, strict=True))


def when(state: State) -> str:
    """The turn and the time of the day, and whose it is."""
    told = f"turn {state.turn}" if state.turn else "before turn 1"
    if state.night:
        told += f", night {state.day}, regrouping {state.night} of {state.setup.regroup}"
    elif state.hour:
        told += f", {day_words(state)}"
    if state.step == "toss":
        return f"{told}, {STEPS['toss']}"
    return f"{told}, {acting_title(state)}"


def day_words(state: State) -> str:
    """The day and its hour, in a battle in time."""
    last = f" of {state.setup.days}" if state.setup.days else ""
    return f"day {state.day}{last}, hour {state.hour} of {state.setup.turns_a_day}"


# --- the board -------------------------------------------------------------------------------------------------------


def board_text(state: State) -> str:
    """The board as everybody sees it, Blue's base line on top: the ground's letter, and the pieces below it."""
    kind_of, road = kinds(state), state.field.road
    ground: dict[Square, str] = {}
    for n, square in enumerate(state.field.cells):
        kind = kind_of(square)
        if kind == "open" and n in state.field.strip_of:
            kind = "airstrip"
        ground[square] = "road" if kind == "open" and road[n] else kind
    contents = {state.field.cells[p.at]: short(p) for p in seen_pieces(state, PUBLIC) if p.at != OFF}
    return diagram(state.field.squares, contents, ground)


def short(piece: Piece) -> str:
    """A piece in a square: the letter of its kind and its number, Red's in capitals.

    >>> short(Piece("RT12", 0, "tank")), short(Piece("BG3", 1, "gun"))
    ('T12', 'g3')
    """
    return piece.id[1:] if piece.side == 0 else piece.id[1:].lower()


def _key(state: State) -> str:
    kind_of = kinds(state)
    found = {kind_of(square) for square in state.field.cells}
    found |= {"road"} if any(state.field.road) else set()
    found |= {"airstrip"} if state.field.strip_of else set()
    letters = "  ".join(f"{kind.letter} {kind.title}" for kind in KINDS.values() if kind.id in state.setup.kinds)
    lines = [textwrap.fill(key(sorted(found)), WIDTH), textwrap.fill(letters, WIDTH)]
    return "\n".join([*lines, "T1 is RT1, Red's; t1 is BT1, Blue's"])


def _notes(state: State) -> Iterator[str]:
    """What the board's letters have no room for."""
    line = state.setup.deployment
    yield (
        f"Red's base line is row 1 and its deployment line beyond row {line}; Blue's are row {state.setup.rows} and "
        f"beyond row {state.setup.rows - line + 1}."
    )
    if state.setup.period:
        period = PERIODS[state.setup.period]
        yield f"{period.title}, {period.years} [{period.place}]."
    if state.step != "deploy":
        for own, n in enumerate(state.headquarters):
            if n != OFF:
                yield f"{SIDE_TITLES[SIDES[own]]}'s headquarters are in {state.name(n)}, {_ground_words(state, n)}."
    for own, side in enumerate(SIDES):
        lost = [p.id for p in state.pieces if p.side == own and p.fate == "lost"]
        if lost and state.step != "deploy":
            yield f"{SIDE_TITLES[side]} lost: {', '.join(lost)}."
    if state.exploded:
        yield f"Mines exploded in {and_list([state.name(n) for n in state.exploded])}."
    if state.apart:
        yield "The boards are apart: pieces are shown where they stood at nightfall."
    if may_confer(state) and state.step == "play":
        yield "The corps commanders of a side may confer now."


# --- pieces ----------------------------------------------------------------------------------------------------------


def units(state: State) -> tuple[str, ...]:
    """The pieces that may be asked about, by their names; while armies deploy all that either side may have chosen."""
    if state.step == "deploy":
        return tuple(name for name, _ in box(state.setup))
    return tuple(p.id for p in seen_pieces(state, PUBLIC))


def of_unit(state: State, unit_id: str) -> str:
    """One piece in a line: its kind, where everybody sees it stand, what it may still do this turn."""
    if state.step == "deploy":
        return f"{unit_id}: what stands where is secret until both sides are ready."
    piece = next(p for p in seen_pieces(state, PUBLIC) if p.id == unit_id)
    name = f"{unit_id}, {SIDE_TITLES[SIDES[piece.side]]}'s {KINDS[piece.kind].title}"
    if piece.at == OFF:
        return f"{name}: lost."
    moves, by_road = moves_of(state.setup, piece.kind)
    parts = [f"in {state.name(piece.at)}, {_ground_words(state, piece.at)}"]
    if piece.kind == "plane":
        parts.append("attacks anywhere once a turn")
    else:
        parts.append(f"moves {moves}, {by_road} by road, fires {fire_range(state, piece)}")
    parts += _done_words(piece) if piece.side == state.section_to_act[0] else []
    parts += [f"acts from turn {piece.acts_from}"] if piece.acts_from > state.turn else []
    if state.step == "play" and piece.kind != "plane" and not piece.fired and not state.night:
        aims = [p.id for p in targets(state, piece)]
        parts.append(f"has {and_list(aims)} in its lines of fire" if aims else "has nothing in its lines of fire")
    return f"{name}: {'; '.join(parts)}."


def _done_words(piece: Piece) -> list[str]:
    """What a piece did in its side's turn that is being played."""
    told = [f"has moved {count(piece.steps, 'square')}"] if piece.steps else []
    return [*told, "has flown" if piece.kind == "plane" else "has fired"] if piece.fired else told


def _ground_words(state: State, n: int) -> str:
    kind = TERRAIN_TITLES[state.field.terrain[n]]
    if n in state.field.strip_of:
        return f"{SIDE_TITLES[SIDES[state.field.strip_side[state.field.strip_of[n]]]]}'s airstrip"
    return f"{kind} on the road" if state.field.road[n] and state.field.terrain[n] != "bridge" else kind


def remarks(state: State, unit_ids: Iterable[str]) -> tuple[str, ...]:
    """What players may miss about pieces that were just put somewhere: who can fire on them from where they stand."""
    told = []
    if state.step != "play" or state.apart:
        return ()
    for name in dict.fromkeys(unit_ids):
        piece = state.by_id.get(name)
        if piece is None or piece.at == OFF:
            continue
        by = firers_at(state, piece)
        if by:
            told.append(f"{name} stands in the lines of fire of {and_list(by)}.")
    return tuple(told)


def brief(state: State, words: str) -> str:
    """An action as everybody may hear it: its words, but of a secret deployment only that it was made."""
    said = words.split()
    if said[:1] and said[0] in _SECRET_VERBS:
        return f"{said[0]} in secret"
    return "move in secret" if state.apart and said[:1] == ["move"] else words


def acting_title(state: State) -> str:
    """What people call whoever has the turn: a side or a corps, or of a player with both corps the side and which."""
    side, section = state.section_to_act
    if section < 0 or commands(state, SIDES[side]):
        return corps_title(corps_of(state, side, section))
    return f"{SIDE_TITLES[SIDES[side]]} with its {CORPS[section if side == 0 else 1 - section]} corps"


def title(state: State, actor: str) -> str:
    """How people call whoever did something: a side, or one of its corps."""
    return corps_title(actor) if actor.partition("-")[0] in SIDES else actor.capitalize()


# --- what is next ----------------------------------------------------------------------------------------------------


def next_words(state: State) -> str:
    """What has to be done or may be done now, in a line or two; empty once the game is over."""
    if state.step == "over":
        return ""
    if state.pending:
        pending = state.pending[0]
        side = SIDE_TITLES[SIDES[state.by_id[pending.unit].side]]
        need = need_words(pending.need, pending.modifiers)
        return f"{pending.unit} is hit: {side} rolls to save it, saved on {need}."
    if state.step == "deploy":
        return _deployment_words(state)
    if state.step == "toss":
        whose = "" if state.turn else ", the side that lost the toss for the battlefield"
        return f"Who moves first{whose}: roll for it, or say who was agreed on."
    who = acting_title(state)
    if state.night:
        return f"{who} regroups, without advancing and without fire, and then ends its turn."
    owed = f" {count(state.owed, 'new piece')} may come on." if state.owed else ""
    confer = " The corps commanders may confer now." if may_confer(state) else ""
    return f"{who} moves and fires, and then ends its turn.{owed}{confer}"


def next_forms(state: State) -> tuple[str, ...]:
    """How that is typed."""
    if state.step == "over":
        return ()
    if state.pending:
        return ("save",)
    if state.step == "deploy":
        return tuple(_deployment_forms(state))
    if state.step == "toss":
        return "toss", "first SIDE"
    if state.night:
        return "move UNIT to SQUARE", "end"
    owed = ("reinforce KIND at SQUARE",) if state.owed else ()
    return "move UNIT to SQUARE", "fire UNIT at TARGET", "strike UNIT at TARGET", *owed, "end"


def _deployment_words(state: State) -> str:
    told = []
    for own, side in enumerate(SIDES):
        if state.ready[own]:
            continue
        if not state.armed[own]:
            told.append(f"{SIDE_TITLES[side]} chooses its army{_agreement_words(state.setup)}.")
        else:
            headquarters = ", with its headquarters," if state.setup.headquarters else ""
            told.append(f"{SIDE_TITLES[side]} deploys{headquarters} and then says that it is ready.")
    return " ".join(told)


def _deployment_forms(state: State) -> Iterator[str]:
    for own, side in enumerate(SIDES):
        if state.ready[own]:
            continue
        if not state.armed[own]:
            yield " ".join(["army", side, *(f"{name} N" for name in open_counts(state.setup, side))])
        else:
            yield from ("place UNIT SQUARE", "place mine SQUARE", f"deploy {side} number N")
            yield from ("headquarters SQUARE",) if state.setup.headquarters else ()
            yield f"ready {side}"


def _agreement_words(setup: Setup) -> str:
    told = [count(setup.pieces, "piece")] if setup.pieces else []
    told += [f"{setup.points} points at most"] if setup.points else []
    most = "up to " if setup.profile == "original" else ""
    told += [f"{most}{count(setup.mines_each, 'mine')}"] if setup.mines_each else []
    return f" of {and_list(told)}"
