"""Sides that computers play: what one wants done on the table, the players' answer, and who plays."""

import random
from typing import Annotated

from fastapi import APIRouter, Depends

from api.auth.access import Seat, acts_as
from api.errors import UnusableError
from api.routes.games import done_out, put_elsewhere
from api.schemas.games import ComputerWish, DoneOut, PlayersWish, WantedOut
from api.services.authentication import GameId, Gate
from api.services.heavy_work import heavy, steady_rng
from api.services.services import Services
from api.views.screens import Screens
from tabletop.game import REFEREE, Game
from tabletop.game.opponents import Proposal, WentOn, decline, go_on, seat_computers
from tabletop.game.protocol import NO_DICE, Option
from tabletop.game.text_parts import side_titles


def computer_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("games")
    screens = Screens(services)
    sitting = Depends(gate.seat)

    @api.get("/games/{game}/computer")
    @heavy(services.work)
    def show_wanted(game: GameId, seat: Annotated[Seat, sitting]) -> WantedOut | None:
        """What a computer wants done on the table now; null where the game waits for people."""
        playing = services.commands.game(game)
        wanted = services.wanted(playing)
        return None if wanted is None else _wanted_out(services, playing, wanted, seat)

    @api.post("/games/{game}/computer")
    @heavy(services.work)
    def answer_computer(game: GameId, wish: ComputerWish, seat: Annotated[Seat, sitting]) -> DoneOut:
        """Say that what a computer wants is done or impossible, or have every step done that needs no one's choice."""
        if not acts_as(seat, *_of(services.commands.game(game))):
            raise UnusableError("Spectators can't act on the table: ask the host for a side.")
        before = screens.screen(seat) if wish.screen else None

        def answer(trial: Game) -> None:
            _answer(services, trial, wish, seat, steady_rng(services.commands.rng))

        done = done_out(services.tell(game, wish.id, answer, seat, after=wish.after))
        if before is not None:
            done.screen = screens.change_since(wish.screen, before, screens.screen(seat))
        return done

    @api.post("/games/{game}/computers")
    def choose_computers(game: GameId, wish: PlayersWish, host: Annotated[Seat, Depends(gate.host)]) -> DoneOut:
        """Choose the sides that computers play from now on; the log says so."""
        return done_out(services.tell(game, wish.id, lambda trial: seat_computers(trial, wish.computers), host))

    return api


def _answer(services: Services, trial: Game, wish: ComputerWish, seat: Seat, rng: random.Random) -> None:
    """Carry out the players' answer to a computer, on a trial of the game; ``rng`` rolls dice."""
    if wish.says == "go-on":
        if not _go_on(services, trial, seat, rng if wish.roll else None).done:
            raise UnusableError("What comes next is a choice, or needs dice: look at what may be done.")
        return
    wanted = services.wanted(trial)
    if wanted is None:
        raise UnusableError("No computer is to act now: look at what comes next.")
    if wish.says == "impossible":
        if wanted.secret:
            raise UnusableError("The computer decides in secret now: there is nothing to do on the table.")
        own = acts_as(seat, *_of(trial))
        sides = [side for side in trial.ruleset.sides(trial.state) if side in own]
        decline(trial, wanted, sides[0] if sides else REFEREE)
        return
    dice = None if wish.dice is None else tuple(wish.dice)
    thrown = wanted.dice.roll(rng) if dice is None and (wish.roll or wanted.secret) else dice
    trial.push(wanted.action, thrown)
    _go_on(services, trial, seat, None, forced=False)


def _go_on(services: Services, trial: Game, seat: Seat, rng: random.Random | None, *, forced: bool = True) -> WentOn:
    """Do everything that needs no choice and that the seat may do, with dice only by an ``rng``; without ``forced``
    only what computers do automatically."""

    def may(option: Option) -> bool:
        action = trial.ruleset.complete(trial.state, option.action)
        return forced and services.against(seat, trial, action) is None

    return go_on(trial, rng, may, computers=False, propose=services.wanted)


def _wanted_out(services: Services, playing: Game, wanted: Proposal, seat: Seat) -> WantedOut:
    titles = side_titles(playing)
    shown = not wanted.secret
    viewer = services.viewer(seat)
    return WantedOut(
        seq=playing.seq,
        side=wanted.side,
        title=titles[wanted.side],
        label=wanted.label if shown else "",
        why=wanted.why if shown else "",
        secret=wanted.secret,
        by_itself=wanted.by_itself,
        action=playing.ruleset.action_to_json(wanted.action) if shown else None,
        unit=getattr(wanted.action, "unit", None) if shown else None,
        dice=wanted.dice if shown else NO_DICE,
        pieces=put_elsewhere(services, seat.game, playing, wanted.action, viewer) if shown else [],
        mine=bool(acts_as(seat, *_of(playing))),
    )


def _of(game: Game) -> tuple[object, object]:
    return game.ruleset, game.state
