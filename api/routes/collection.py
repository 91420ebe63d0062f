"""What the server has learnt of its players' things: seen, pruned, taken home and turned off by its host alone."""

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
        """What was learnt of the players' terrain and armies, photo by photo."""
        return showing.out()

    @api.patch("/collection")
    def set_learning(wish: LearningWish, _seat: Annotated[Seat, host]) -> CollectionOut:
        """Learn from settled photos from now on, or no longer; what was learnt stays."""
        learner.choices.turn(wish.on)
        return showing.out()

    @api.delete("/collection/photos/{learnt}")
    def forget_photo(learnt: LearntPath, _seat: Annotated[Seat, host]) -> CollectionOut:
        """Forget what one photo taught; it isn't learnt again."""
        services.tables.collections.forget(learnt)
        learner.choices.forget(learnt)
        return showing.out()

    @api.get(
        "/collection/photos/{learnt}.png",
        response_class=Response,
        responses={200: {"content": {"image/png": {}}}},
    )
    def draw_learnt_photo(learnt: LearntPath, _seat: Annotated[Seat, host]) -> Response:
        """The small pictures that are kept of one photo's things."""
        headers = {"Cache-Control": "private, no-cache"}
        return Response(showing.picture(learnt), media_type="image/png", headers=headers)

    @api.get(
        "/collection/file",
        response_class=Response,
        responses={200: {"content": {"application/zip": {}}}},
    )
    def download_collection(_seat: Annotated[Seat, host]) -> Response:
        """All that was learnt as one file, which `tabletop observe --collection` and the like read."""
        headers = {"Content-Disposition": 'attachment; filename="collection.zip"', "Cache-Control": "private, no-store"}
        return Response(showing.file(), media_type="application/zip", headers=headers)

    return api
