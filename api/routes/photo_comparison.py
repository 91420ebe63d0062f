"""From the table's photo to the game: proposals, open questions, answers, and what is carried out."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from api.auth.access import Seat
from api.errors import NotThereError
from api.learning.learner import Learner
from api.photo_comparison.accepting import carry_out
from api.photo_comparison.base_corrections import check_correctable, corrected_row, named_with
from api.photo_comparison.comparisons import compare_last_photo, own_value, table_seen, truth_out
from api.photo_comparison.drawn_terrain import lay, outlined
from api.routes.games import done_out
from api.schemas.drawn_terrain import LineWish, OutlineOut, TerrainWish
from api.schemas.games import DoneOut
from api.schemas.photo_comparison import AcceptWish, AnswerWish, BaseWish, LookOut, TruthOut, TruthWish
from api.schemas.tables import Name, Sha
from api.services.authentication import GameId, Gate
from api.services.heavy_work import heavy, once
from api.services.services import Services
from api.services.table_photos import sees_photo
from api.tables.store import table_of
from tabletop.reconcile.photo_dice import dropped


def look_routes(services: Services, gate: Gate, learner: Learner) -> APIRouter:
    """The routes."""
    api = gate.router("photos of games")
    sitting = Depends(gate.seat)

    @api.get("/games/{game}/look", response_model=LookOut)
    @heavy(services.work)
    def compare_photo(game: GameId, seat: Annotated[Seat, sitting]) -> Response:
        """The table's last photo, with the players' corrections and answers, compared with the game as it is now."""
        return _look(services, seat)

    @api.post("/games/{game}/look/answers", status_code=201, response_model=LookOut)
    @heavy(services.work)
    def answer_question(game: GameId, wish: AnswerWish, seat: Annotated[Seat, Depends(gate.player)]) -> Response:
        """Answer one of the photo's open questions."""

        def answer() -> None:
            found = compare_last_photo(services, seat)
            question = next((one for one in (*found.questions, *found.further) if one["id"] == wish.question), None)
            if question is None:
                raise NotThereError("This question is no longer open; look at the open ones.")
            services.tables.answer(table_of(game), dict(question), own_value(question, wish.value))

        return _look(services, seat, answer, 201)

    @api.patch("/games/{game}/look/bases/{base}", response_model=LookOut)
    @heavy(services.work)
    def correct_base(game: GameId, base: Name, wish: BaseWish, seat: Annotated[Seat, Depends(gate.player)]) -> Response:
        """Correct where a base is on the photo, how it faces, its unit or its outline."""

        def correct() -> None:
            table, playing = table_seen(services, seat), services.commands.game(game)
            row = corrected_row(playing, table, base, wish, services.settings)
            services.tables.correct_base(table_of(game), base, row, named_with(playing, table, base, wish))

        return _look(services, seat, correct)

    @api.delete("/games/{game}/look/bases/{base}", response_model=LookOut)
    @heavy(services.work)
    def remove_base(game: GameId, base: Name, seat: Annotated[Seat, Depends(gate.player)]) -> Response:
        """Remove something from the photo's bases: it is not one."""

        def remove() -> None:
            table_seen(services, seat)
            check_correctable(services.commands.game(game))
            services.tables.remove_base(table_of(game), base)

        return _look(services, seat, remove)

    @api.delete("/games/{game}/look/dice/{die}", response_model=LookOut)
    @heavy(services.work)
    def drop_die(game: GameId, die: Name, seat: Annotated[Seat, Depends(gate.player)]) -> Response:
        """Remove a die from the photo: it does not count."""

        def drop() -> None:
            if die not in compare_last_photo(services, seat).dice:
                raise NotThereError("The photo has no such die now.")
            services.tables.answer(table_of(game), dropped(die), None)

        return _look(services, seat, drop)

    @api.delete("/games/{game}/photos/{sha}", status_code=204)
    def drop_photo(game: GameId, sha: Sha, seat: Annotated[Seat, Depends(gate.player)]) -> None:
        """Drop a photo of the table, with its questions, proposals and dice. Actions already carried out stay."""
        if not sees_photo(services, seat, sha):
            raise NotThereError("This photo of the table no longer exists.")
        services.tables.drop_photo(table_of(game), sha)
        services.notifier.notify(game)

    @api.delete("/games/{game}/look/last", response_model=LookOut)
    @heavy(services.work)
    def take_back_correction(game: GameId, seat: Annotated[Seat, Depends(gate.player)]) -> Response:
        """Take back the last answer or correction, while nothing else has happened on the table since."""

        def take_back() -> None:
            table_seen(services, seat)
            services.tables.take_back(table_of(game))

        return _look(services, seat, take_back)

    @api.post("/games/{game}/look/accept")
    @heavy(services.work)
    def accept_proposals(game: GameId, wish: AcceptWish, seat: Annotated[Seat, Depends(gate.player)]) -> DoneOut:
        """Carry out what the photo shows: chosen proposals, or all certain and legal ones that are this device's to
        confirm."""
        return _carried_out(services, seat, wish)

    @api.get("/games/{game}/look/truth", response_model=TruthOut)
    @heavy(services.work)
    def propose_truth(game: GameId, seat: Annotated[Seat, Depends(gate.host)]) -> Response:
        """The corrections with which the game would match the table's last photo."""
        return Response(truth_out(services, seat), media_type="application/json")

    @api.post("/games/{game}/look/truth")
    @heavy(services.work)
    def accept_truth(game: GameId, wish: TruthWish, seat: Annotated[Seat, Depends(gate.host)]) -> DoneOut:
        """Trust the table's last photo: carry out the chosen corrections, or every certain one."""
        return _carried_out(services, seat, wish)

    @api.post("/games/{game}/look/outline", dependencies=[Depends(gate.aim)])
    @heavy(services.work)
    def outline_terrain(game: GameId, line: LineWish, seat: Annotated[Seat, Depends(gate.player)]) -> OutlineOut:
        """The foot of the piece of terrain that a line on the table's last photo outlines; nothing is stored."""
        return outlined(services, seat, line)[0]

    @api.post("/games/{game}/look/terrain")
    @heavy(services.work)
    def draw_terrain(game: GameId, wish: TerrainWish, seat: Annotated[Seat, Depends(gate.player)]) -> DoneOut:
        """Add the piece of terrain that a line on the table's last photo outlines to the game's table; corrections of
        the line teach how far outside a piece's foot the players draw."""
        found, margin = outlined(services, seat, wish)
        done = services.tell(game, wish.id, partial(lay, seat, wish, found), seat, after=wish.after)
        if margin is not None and not done.again:
            learner.learn_margin(seat.seat, margin)
        return done_out(done)

    return api


def _look(services: Services, seat: Seat, change: Callable[[], None] | None = None, status: int = 200) -> Response:
    """The comparison of a seat's game; a change of its table is made first and announced to the game's followers."""
    if change is not None:

        def told() -> None:
            change()
            services.notifier.notify(seat.game)

        once("change", told)
    return Response(compare_last_photo(services, seat).out, status, media_type="application/json")


def _carried_out(services: Services, seat: Seat, wish: AcceptWish | TruthWish) -> DoneOut:
    job = partial(carry_out, services, seat, wish)
    return done_out(services.tell(seat.game, wish.id, job, seat, after=wish.after))
