"""From the table's photo to the game: what it proposes, what it leaves open, answers, and what is carried out."""

from collections.abc import Collection, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends

from api.access import HOST, Seat, acts_as, may_act
from api.errors import NotThereError
from api.game_routes import done_out
from api.game_schemas import DoneOut
from api.gate import GameId, Gate
from api.house import House, table_of
from api.look_schemas import (
    AcceptWish,
    AnswerOut,
    AnswerWish,
    LookOut,
    ProposalOut,
    QuestionOut,
    SeenDieOut,
    SyncOut,
    WayBackOut,
)
from api.state import TableState
from tabletop.game import REFEREE, Game
from tabletop.game.errors import IllegalError
from tabletop.game.protocol import Violation
from tabletop.looking import Listed, Look, accept, look


def look_routes(house: House, gate: Gate) -> APIRouter:
    """The routes."""
    api = APIRouter(prefix="/api", tags=["photos of games"])
    sitting = Depends(gate.seat)

    @api.get("/games/{game}/look")
    def looked(game: GameId, seat: Annotated[Seat, sitting]) -> LookOut:
        """The table's last photo, as hands and answers have corrected it, compared with the game as it stands."""
        return look_out(house, seat)

    @api.post("/games/{game}/look/answers", status_code=201)
    def answer(game: GameId, wish: AnswerWish, seat: Annotated[Seat, Depends(gate.player)]) -> LookOut:
        """Answer something that the photo leaves open."""
        found = seen(house, game)
        question = next((one for one in found.questions if one["id"] == wish.question), None)
        if question is None:
            raise NotThereError("This is not asked any more; look at what is open now.")
        house.tables.answer(table_of(game), dict(question), wish.value)
        house.bells.ring(game)
        return look_out(house, seat)

    @api.post("/games/{game}/look/accept")
    def accepted(game: GameId, wish: AcceptWish, seat: Annotated[Seat, Depends(gate.player)]) -> DoneOut:
        """Carry out what the photo shows: chosen proposals, or all that are certain, legal and this device's to say."""

        def carried_out(trial: Game) -> None:
            found = _look(trial, _table(house, game))
            refused = {one.id: why for one in found.listed if (why := against(seat, trial, one)) is not None}
            if wish.chosen is not None:
                _refuse(refused, wish.chosen)
                chosen = list(wish.chosen)
            else:
                chosen = [one.id for one in found.listed if one.id not in refused and _certain(one, wish)]
            if chosen or wish.chosen is not None:
                accept(
                    trial,
                    found,
                    chosen,
                    measured=wish.measured,
                    overrule=wish.overrule,
                    dice=wish.dice,
                    reason=wish.reason,
                )

        return done_out(house.tell(game, wish.id, carried_out, seat, after=wish.after))

    return api


def seen(house: House, game: str) -> Look:
    """The look at a game by its table's last photo; raises NotThereError where there is none."""
    table = _table(house, game)
    playing = house.desk.game(game)
    return house.answer(("look", game, playing.seq, table.seq), lambda: _look(playing, table))


def look_out(house: House, seat: Seat) -> LookOut:
    """A look as a seat sees it."""
    table, found, playing = _table(house, seat.game), seen(house, seat.game), house.desk.game(seat.game)
    told = found.to_json()
    sync = told["sync"]
    return LookOut(
        seq=found.seq,
        table_seq=table.seq,
        photo=found.photo,
        sync=SyncOut(
            state=sync["state"],
            reasons=[reason["says"] for reason in sync["reasons"]],
            ways_back=[WayBackOut.model_validate(way) for way in sync["ways_back"]],
        ),
        proposals=[
            ProposalOut.model_validate({**_plain(row), "mine": against(seat, playing, one) is None})
            for row, one in zip(told["proposals"], found.listed, strict=True)
        ],
        questions=[question_out(question, found.observed or {}) for question in found.questions],
        dice=[SeenDieOut.model_validate(die) for die in found.dice],
        warnings=list(found.found.warnings),
    )


def question_out(question: Mapping[str, Any], observed: Mapping[str, Any]) -> QuestionOut:
    """A question, with the place on the table that it asks of."""
    return QuestionOut(
        id=question["id"],
        about=str(question["about"]),
        ask=question["ask"],
        says=question["says"],
        answers=[AnswerOut(value=a["value"], chance=a["chance"], says=a["says"]) for a in question["answers"]],
        others=[str(one) for one in question.get("others", ())],
        covers=[list(group) for group in question["covers"]],
        center=_place(question, observed),
    )


def against(seat: Seat, game: Game, one: Listed) -> Violation | None:
    """Why a seat may not have a proposal carried out; the host confirms for all what the table shows."""
    if one.proposal.action is None:
        return Violation("no-action", "This is a question, and nothing to be carried out.", firm=True)
    own = acts_as(seat, game.ruleset, game.state)
    if HOST in seat.roles and REFEREE in own and seat.revoked is None:
        return None
    return may_act(seat, game.ruleset, game.state, one.proposal.action)


# --- inside ------------------------------------------------------------------------------------------------------


def _table(house: House, game: str) -> TableState:
    state = house.table(game)
    if state.photo is None:
        raise NotThereError("No photo of this table was taken yet: take one first.")
    return state


def _look(playing: Game, table: TableState) -> Look:
    return look(playing, table.observation(), name="the photo", photo=table.photo["sha256"] if table.photo else "")


def _certain(one: Listed, wish: AcceptWish) -> bool:
    return one.proposal.certain_enough(measured=wish.measured, overrule=wish.overrule)


def _refuse(refused: Mapping[str, Violation], chosen: Collection[str]) -> None:
    found = [refused[name] for name in chosen if name in refused]
    if found:
        raise IllegalError(found)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A proposal as it goes over the wire."""
    return {key: value for key, value in row.items() if key in ProposalOut.model_fields}


def _place(question: Mapping[str, Any], observed: Mapping[str, Any]) -> tuple[float, float] | None:
    """Where what a question asks of lies: the middle of its bases, die, marker or terrain."""
    names = {base for group in question["covers"] for base in group} | {question["about"]}
    rows = [row for key in ("bases", "dice", "markers") for row in observed.get(key, ())]
    places = [row["center"] for row in rows if row.get("id") in names]
    if not places:
        outlines = [row["polygon"] for row in observed.get("terrain", ()) if row["id"] in names]
        places = [point for outline in outlines for point in outline]
    if not places:
        return None
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
