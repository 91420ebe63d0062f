"""From the table's photo to the game: what it proposes, what it leaves open, answers, and what is carried out."""

import json
from collections.abc import Collection, Mapping
from typing import Annotated

from fastapi import APIRouter, Depends

from api.auth.access import Seat, may_act
from api.errors import NotThereError
from api.photo_comparison.base_corrections import check_correctable, corrected_row, named_with
from api.photo_comparison.comparisons import (
    against,
    against_action,
    compare_last_photo,
    look_at,
    look_out,
    own_value,
    table_seen,
    truth_out,
)
from api.routes.games import done_out
from api.schemas.games import DoneOut
from api.schemas.photo_comparison import AcceptWish, AnswerWish, BaseWish, LookOut, TruthOut, TruthWish
from api.schemas.tables import Name, Sha
from api.services.authentication import GameId, Gate
from api.services.services import Services, table_of
from tabletop.errors import AnswerError
from tabletop.game import Game
from tabletop.game.errors import IllegalError
from tabletop.game.violations import Violation
from tabletop.reconcile.comparison import ListedProposal, PhotoComparison, accept, keep
from tabletop.reconcile.photo_dice import dropped
from tabletop.reconcile.photo_overrides import put_right


def look_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("photos of games")
    sitting = Depends(gate.seat)

    @api.get("/games/{game}/look")
    def compare_photo(game: GameId, seat: Annotated[Seat, sitting]) -> LookOut:
        """The table's last photo, as hands and answers have corrected it, compared with the game as it stands."""
        return look_out(services, seat)

    @api.post("/games/{game}/look/answers", status_code=201)
    def answer_question(game: GameId, wish: AnswerWish, seat: Annotated[Seat, Depends(gate.player)]) -> LookOut:
        """Answer something that the photo leaves open."""
        found = compare_last_photo(services, seat)
        question = next((one for one in found.questions if one["id"] == wish.question), None)
        if question is None:
            raise NotThereError("This is not asked any more; look at what is open now.")
        services.tables.answer(table_of(game), dict(question), own_value(question, wish.value))
        services.notifier.notify(game)
        return look_out(services, seat)

    @api.patch("/games/{game}/look/bases/{base}")
    def correct_base(game: GameId, base: Name, wish: BaseWish, seat: Annotated[Seat, Depends(gate.player)]) -> LookOut:
        """Put right where a base stands on the photo, how it faces, whose it is or its outline."""
        table, playing = table_seen(services, seat), services.commands.game(game)
        row = corrected_row(playing, table, base, wish, services.settings)
        services.tables.correct_base(table_of(game), base, row, named_with(playing, table, base, wish))
        services.notifier.notify(game)
        return look_out(services, seat)

    @api.delete("/games/{game}/look/bases/{base}")
    def remove_base(game: GameId, base: Name, seat: Annotated[Seat, Depends(gate.player)]) -> LookOut:
        """Take a base off what the photo shows: it is none."""
        table_seen(services, seat)
        check_correctable(services.commands.game(game))
        services.tables.remove_base(table_of(game), base)
        services.notifier.notify(game)
        return look_out(services, seat)

    @api.delete("/games/{game}/look/dice/{die}")
    def drop_die(game: GameId, die: Name, seat: Annotated[Seat, Depends(gate.player)]) -> LookOut:
        """Take a die off what the photo shows: it does not count."""
        if all(one.id != die for one in compare_last_photo(services, seat).dice):
            raise NotThereError("The photo shows no such die any more.")
        services.tables.answer(table_of(game), dropped(die), None)
        services.notifier.notify(game)
        return look_out(services, seat)

    @api.delete("/games/{game}/photos/{sha}", status_code=204)
    def drop_photo(game: GameId, sha: Sha, seat: Annotated[Seat, Depends(gate.player)]) -> None:
        """Drop a photo of the table, with its questions, proposals and dice. Actions already carried out stay."""
        if not services.sees_photo(seat, sha):
            raise NotThereError("There is no such photo of this table any more.")
        services.tables.drop_photo(table_of(game), sha)
        services.notifier.notify(game)

    @api.delete("/games/{game}/look/last")
    def take_back_correction(game: GameId, seat: Annotated[Seat, Depends(gate.player)]) -> LookOut:
        """Take back what was said of the photo last, while nothing else happened on the table since."""
        table_seen(services, seat)
        services.tables.take_back(table_of(game))
        services.notifier.notify(game)
        return look_out(services, seat)

    @api.post("/games/{game}/look/accept")
    def accept_proposals(game: GameId, wish: AcceptWish, seat: Annotated[Seat, Depends(gate.player)]) -> DoneOut:
        """Carry out what the photo shows: chosen proposals, or all that are certain, legal and this device's to say."""

        def carried_out(trial: Game) -> None:
            table = table_seen(services, seat)
            found = look_at(trial, table, services.viewer(seat))
            answered = _answer(services, seat, trial, found, wish)
            found = look_at(trial, table, services.viewer(seat)) if answered else found
            refused = {one.id: why for one in found.listed if (why := _against(seat, trial, one, wish)) is not None}
            if wish.chosen is not None:
                _refuse(refused, wish.chosen)
                chosen = list(wish.chosen)
            else:
                chosen = [one.id for one in found.listed if one.id not in refused and _certain(one, wish)]
            if chosen:
                thrown = {
                    one.id: services.commands.throw(one.needs) for one in found.listed if wish.roll and one.needs.count
                }
                dice = {**{name: thrown[name] for name in chosen if name in thrown}, **wish.dice}
                accept(
                    trial,
                    found,
                    chosen,
                    measured=wish.measured,
                    overrule=wish.overrule,
                    dice=dice,
                    reason=wish.reason,
                )
            elif answered:
                keep(trial, found)

        return done_out(services.tell(game, wish.id, carried_out, seat, after=wish.after))

    @api.get("/games/{game}/look/truth")
    def propose_truth(game: GameId, seat: Annotated[Seat, Depends(gate.host)]) -> TruthOut:
        """What the referee would correct so that the game stands as the table's last photo shows it."""
        return truth_out(services, seat)

    @api.post("/games/{game}/look/truth")
    def accept_truth(game: GameId, wish: TruthWish, seat: Annotated[Seat, Depends(gate.host)]) -> DoneOut:
        """Take the table's last photo as the truth: carry out the chosen corrections, or all that are certain."""

        def carried_out(trial: Game) -> None:
            found = look_at(trial, table_seen(services, seat), services.viewer(seat))
            put_right(trial, found, wish.chosen, reason=wish.reason)

        return done_out(services.tell(game, wish.id, carried_out, seat, after=wish.after))

    return api


def _answer(services: Services, seat: Seat, trial: Game, found: PhotoComparison, wish: AcceptWish) -> bool:
    """Carry out the actions that answer what proposals ask; whether there were any."""
    for name, answer in wish.answers.items():
        one = next((one for one in found.listed if one.id == name), None)
        offered = [] if one is None else [known for known in one.answers if known.action is not None]
        chosen = next((known.action for known in offered if answer in (known.action, known.words)), None)
        if chosen is None:
            said = answer if isinstance(answer, str) else json.dumps(answer)
            raise AnswerError(f'"{said}" answers nothing that this photo asks; look at what is open now.')
        action = trial.parse(chosen)
        _refuse({name: why} if (why := against_action(seat, trial, action)) is not None else {}, [name])
        needs = trial.ruleset.dice(trial.state, action)
        dice = wish.dice.get(name) or (services.commands.throw(needs) if wish.roll and needs.count else None)
        trial.push(action, dice, photo=found.photo, measured=wish.measured, reason=wish.reason)
    return bool(wish.answers)


def _against(seat: Seat, game: Game, one: ListedProposal, wish: AcceptWish) -> Violation | None:
    """Why a seat may not have a proposal carried out, also as the referee where it wishes to overrule."""
    if wish.overrule and one.proposal.violations and one.proposal.action is not None:
        return may_act(seat, game.ruleset, game.state, one.proposal.action, overrule=True)
    return against(seat, game, one)


def _certain(one: ListedProposal, wish: AcceptWish) -> bool:
    return one.proposal.certain_enough(measured=wish.measured, overrule=wish.overrule)


def _refuse(refused: Mapping[str, Violation], chosen: Collection[str]) -> None:
    found = [refused[name] for name in chosen if name in refused]
    if found:
        raise IllegalError(found)
