"""Whether this server answers: for whatever watches over it, such as a container's health check."""

from fastapi import APIRouter, Response

from api.auth.seats import SERVER
from api.services.services import Services


def health_routes(services: Services) -> APIRouter:
    """The routes."""
    api = APIRouter(prefix="/api", tags=["seats"])

    @api.get("/health", status_code=204)
    def tell_health() -> Response:
        """Nothing, where the server and its database answer; anybody may ask."""
        services.event_store.last(SERVER)
        return Response(status_code=204)

    return api
