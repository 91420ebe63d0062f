"""The server's learned terrain and armies: only its host can see, prune, download and turn them off."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response

from api.auth.access import Seat
from api.learning.learner import Learner
from api.learning.showing import Showing
from api.schemas.collection import CollectionOut, LearningWish, LearntId
from api.services.authentication import Gate
from api.services.services import Services

LearntPath = Annotated[LearntId, Path()]


def collection_routes(services: Services, gate: Gate, learner: Learner) -> APIRouter:
    """The routes."""
    api = gate.router("collection")
    showing = Showing(services, learner)
    host = Depends(gate.host_here)

    @api.get("/collection")
    def show_collection(_seat: Annotated[Seat, host]) -> CollectionOut:
        """The players' learned terrain and armies, photo by photo."""
        return showing.out()

    @api.patch("/collection")
    def set_learning(wish: LearningWish, _seat: Annotated[Seat, host]) -> CollectionOut:
        """Turn learning from settled photos on or off; learned data stays."""
        learner.choices.turn(wish.on)
        return showing.out()

    @api.delete("/collection/photos/{learnt}")
    def forget_photo(learnt: LearntPath, _seat: Annotated[Seat, host]) -> CollectionOut:
        """Forget what one photo taught; it is not learned again."""
        services.tables.collections.forget(learnt)
        learner.choices.forget(learnt)
        return showing.out()

    @api.get(
        "/collection/photos/{learnt}.png",
        response_class=Response,
        responses={200: {"content": {"image/png": {}}}},
    )
    def draw_learnt_photo(learnt: LearntPath, _seat: Annotated[Seat, host]) -> Response:
        """The small pictures that are kept from one photo."""
        headers = {"Cache-Control": "private, no-cache"}
        return Response(showing.picture(learnt), media_type="image/png", headers=headers)

    @api.get(
        "/collection/file",
        response_class=Response,
        responses={200: {"content": {"application/zip": {}}}},
    )
    def download_collection(_seat: Annotated[Seat, host]) -> Response:
        """All learned data as one file, for `tabletop observe --collection` and similar commands."""
        headers = {"Content-Disposition": 'attachment; filename="collection.zip"', "Cache-Control": "private, no-store"}
        return Response(showing.file(), media_type="application/zip", headers=headers)

    return api
