"""Proposals and corrections of a photo, carried out in a game by the processes that do heavy work."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection, Mapping
from functools import partial

from pydantic import TypeAdapter

from api.auth.access import Seat, may_act
from api.games.computing import Observation, log_of, observation_of, seen_game
from api.photo_comparison.comparisons import against, against_action, look_at, table_seen
from api.schemas.photo_comparison import AcceptWish, TruthWish
from api.services.heavy_work import Later, need, steady_rng
from api.services.services import Services
from api.tables.state import TableState
from tabletop.errors import AnswerError
from tabletop.game import Game
from tabletop.game.errors import IllegalError
from tabletop.game.records import Record
from tabletop.game.violations import Violation
from tabletop.reconcile.comparison import ListedProposal, PhotoComparison, accept, keep
from tabletop.reconcile.photo_overrides import put_right

_VIOLATIONS = TypeAdapter(list[Violation])
Wished = AcceptWish | TruthWish


def carry_out(services: Services, seat: Seat, wish: Wished, trial: Game) -> None:
    """Carry out a seat's wish about its table's last photo on a trial of the game; raises NotThereError without a
    photo, AnswerError, IllegalError and the errors of playing, as :func:`need` in a heavy route."""
    table, viewer = table_seen(services, seat), services.viewer(seat)
    seed = steady_rng(services.commands.rng).randbytes(16)
    stands = trial.seq, trial.standing_digest, table.created, table.seq
    key = ("accept", seat.game, *stands, seat.seat, wish.model_dump_json(), seed)
    log, shown = Later(partial(log_of, trial)), observation_of(trial)
    told = json.loads(need(services.work, key, write_played, log, shown, table, seat, viewer, wish, seed))
    if "violations" in told:
        raise IllegalError(_VIOLATIONS.validate_python(told["violations"]))
    trial.take_over(Record(**row) for row in told["made"])


def write_played(
    log: bytes,
    shown: Observation | None,
    table: TableState,
    seat: Seat,
    viewer: str | None,
    wish: Wished,
    seed: bytes,
) -> bytes:
    """The records of a wish, or what speaks against it; ``seed`` rolls dice. Raises as playing does."""
    trial = seen_game(log, shown)
    before = trial.seq
    try:
        found = look_at(trial, table, viewer)
        if isinstance(wish, TruthWish):
            put_right(trial, found, wish.chosen, reason=wish.reason)
        else:
            _accept(trial, found, partial(look_at, trial, table, viewer), seat, wish, random.Random(seed))
    except IllegalError as error:
        return json.dumps({"violations": [one.to_json() for one in error.violations]}).encode()
    keys = ("seq", "id", "at", "actor", "kind", "body", "group", "action", "photo")
    rows = [{key: getattr(record, key) for key in keys} for record in trial.records[before:]]
    return json.dumps({"made": rows}).encode()


def _accept(
    trial: Game,
    found: PhotoComparison,
    look_again: Callable[[], PhotoComparison],
    seat: Seat,
    wish: AcceptWish,
    rng: random.Random,
) -> None:
    """Carry out chosen proposals, or every one that is certain, legal and the seat's to confirm."""
    answered = _answer(seat, trial, found, wish, rng)
    found = look_again() if answered else found
    refused = {one.id: why for one in found.listed if (why := _against(seat, trial, one, wish)) is not None}
    if wish.chosen is not None:
        _refuse(refused, wish.chosen)
        chosen = list(wish.chosen)
    else:
        chosen = [one.id for one in found.listed if one.id not in refused and _certain(one, wish)]
    if chosen:
        thrown = {one.id: one.needs.roll(rng) for one in found.listed if wish.roll and one.needs.count}
        dice = {**{name: thrown[name] for name in chosen if name in thrown}, **wish.dice}
        accept(trial, found, chosen, measured=wish.measured, overrule=wish.overrule, dice=dice, reason=wish.reason)
    elif answered:
        keep(trial, found)


def _answer(seat: Seat, trial: Game, found: PhotoComparison, wish: AcceptWish, rng: random.Random) -> bool:
    """Carry out the actions that answer the proposals' questions; returns whether there were any."""
    for name, answer in wish.answers.items():
        one = next((one for one in found.listed if one.id == name), None)
        offered = [] if one is None else [known for known in one.answers if known.action is not None]
        chosen = next((known.action for known in offered if answer in (known.action, known.words)), None)
        if chosen is None:
            said = answer if isinstance(answer, str) else json.dumps(answer)
            raise AnswerError(f'"{said}" answers no question of this photo; look at the open ones.')
        action = trial.parse(chosen)
        _refuse({name: why} if (why := against_action(seat, trial, action)) is not None else {}, [name])
        needs = trial.ruleset.dice(trial.state, action)
        dice = wish.dice.get(name) or (needs.roll(rng) if wish.roll and needs.count else None)
        trial.push(action, dice, photo=found.photo, measured=wish.measured, reason=wish.reason)
    return bool(wish.answers)


def _against(seat: Seat, game: Game, one: ListedProposal, wish: AcceptWish) -> Violation | None:
    """Why a seat may not have a proposal carried out, also as the overruling referee."""
    if wish.overrule and one.proposal.violations and one.proposal.action is not None:
        return may_act(seat, game.ruleset, game.state, one.proposal.action, overrule=True)
    return against(seat, game, one)


def _certain(one: ListedProposal, wish: AcceptWish) -> bool:
    return one.proposal.certain_enough(measured=wish.measured, overrule=wish.overrule)


def _refuse(refused: Mapping[str, Violation], chosen: Collection[str]) -> None:
    found = [refused[name] for name in chosen if name in refused]
    if found:
        raise IllegalError(found)
