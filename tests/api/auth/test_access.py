"""Who may sit at a game: invitations used once, seats that end, guesses that are limited, and no secret on the disk."""

import logging
import random
import re
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.auth import seats as seats_module
from api.auth.access import (
    HOST,
    SPECTATOR,
    AccessError,
    GuessingError,
    InvitationError,
    Limits,
    RevokedError,
    Role,
    Seat,
    SeatError,
    acts_as,
    check_roles,
    may_act,
    may_see,
    roles_of,
)
from api.auth.joining import join_address, svg_qr, terminal_qr, wifi_words
from api.auth.seats import SERVER, Invited, Seats
from api.auth.tokens import (
    ALPHABET,
    CODE_LENGTH,
    LABEL_LENGTH,
    Guesses,
    clean_label,
    code_hash,
    name_of,
    new_code,
    new_token,
    read_code,
    shown_code,
    token_hash,
)
from tabletop.errors import UsageError
from tabletop.game import REFEREE, Game, NoGameError
from tabletop.game.protocol import PUBLIC
from tabletop.game.store import EventStore, GameEntry
from tabletop.rulesets.combined_arms.play import RULES as COMBINED_ARMS
from tabletop.rulesets.combined_arms.setup import Setup
from tests.support import golden_games
from tests.support.letters import LETTERS
from tests.support.one_hour_games import a_unit
from tests.support.one_hour_games import begun as one_hour
from tests.support.waiting import BOUND_S, all_at_once

RED, BLUE = Role("side", "red"), Role("side", "blue")
ATTACKER, DEFENDER = Role("side", "attacker"), Role("side", "defender")
START = datetime(2026, 5, 2, 14, 0, tzinfo=UTC)
HOUR = 3600.0


class Watch:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class Place:
    """A store with two games, its seats and their clock."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "games.sqlite"
        self.store = EventStore(self.path)
        for game in ("g", "other"):
            self.store.create(GameEntry(game, "tiny", 2))
        self.clock = Watch()
        self.seats = self.open()

    def open(self, **more: Any) -> Seats:
        """The same seats as another process would open them."""
        return Seats(EventStore(self.path), **{"clock": self.clock, "steady": self.clock, **more})

    def seated(self, *roles: Role, label: str = "Anna") -> Any:
        return self.seats.redeem(self.seats.invite("g", roles or (RED,)).token, label)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_an_invitation_makes_a_seat_and_its_secret_opens_it(place: Place) -> None:
    invited = place.seats.invite("g", [RED, SPECTATOR, RED])
    assert invited.expires - START == timedelta(hours=12)
    assert place.seats.invitations("g") == [
        Invited(invited.invitation, "g", (RED, SPECTATOR), invited.expires, invited.code_expires)
    ]
    seated = place.seats.redeem(invited.token, " Anna\n")
    assert seated.seat == Seat(seated.seat.seat, "g", "Anna", (RED, SPECTATOR), START, START)
    assert place.open().seat_of(seated.secret) == seated.seat
    assert place.seats.seats("g") == [seated.seat]
    assert place.seats.seats("other") == place.seats.invitations("g") == []


def test_a_code_makes_a_seat_at_its_game_however_it_is_typed(place: Place) -> None:
    invited = {game: place.seats.invite(game, [BLUE]) for game in ("other", "g", SERVER)}
    for game, one in invited.items():
        typed = shown_code(one.code).lower().replace(" ", "-")
        seat = place.open().redeem_code(typed, "Ben", address="192.168.1.7").seat
        assert (seat.game, seat.roles) == (game, (BLUE,))
        with pytest.raises(InvitationError, match="was used already, and each is good for one device"):
            place.seats.redeem(one.token, "Cem")


def test_the_host_needs_no_invitation_and_there_is_none_without_a_game_or_a_role(place: Place) -> None:
    seated = place.seats.sit("g", [HOST, BLUE], "Anna")
    assert place.seats.seat_of(seated.secret).roles == (HOST, BLUE)
    assert place.seats.sit(SERVER, [HOST], "Anna").seat.is_host
    with pytest.raises(UsageError):
        place.seats.sit("g", [HOST], " ")
    with pytest.raises(UsageError, match="A seat needs a role"):
        place.seats.invite("g", [])
    for ask in (lambda: place.seats.sit("nowhere", [HOST], "Anna"), lambda: place.seats.invite("nowhere", [RED])):
        with pytest.raises(NoGameError):
            ask()
    assert place.seats.invitations("g") == []


def test_a_label_that_says_nothing_leaves_the_invitation_open(place: Place) -> None:
    invited = place.seats.invite("g", [RED])
    by_code = partial(place.seats.redeem_code, invited.code, address="a")
    for redeem, label in product((by_code, partial(place.seats.redeem, invited.token)), ("", " \n", "\u202e\u200b")):
        with pytest.raises(UsageError, match="in 1 to 32 letters"):
            redeem(label=label)
    assert place.seats.redeem(invited.token, "Anna").seat.label == "Anna"


@pytest.mark.parametrize("token", ["", "x", "ä" * 40, "\udcff" * 40, "a" * 100_000, "' OR 1=1 --"])
def test_a_token_that_is_none_opens_nothing(place: Place, token: str) -> None:
    invited, seated = place.seats.invite("g", [RED]), place.seated()
    wrong = invited.token[:8] + seated.secret[8:]
    for said in (token, invited.token[:8] + token, invited.token[:-1], invited.token + "A", wrong):
        with pytest.raises(InvitationError, match="no such invitation"):
            place.seats.redeem(said, "Anna")
    for said in (token, seated.secret[:8] + token, seated.secret[:-1], seated.secret[:8] + invited.token[8:]):
        with pytest.raises(SeatError, match="This device has no seat here"):
            place.seats.seat_of(said)


@pytest.mark.parametrize("shared", [True, False])
def test_of_two_devices_at_once_exactly_one_gets_the_seat(place: Place, shared: bool) -> None:
    first, second = (place.seats, place.seats) if shared else (place.open(), place.open())
    for _ in range(3):
        invited = place.seats.invite("g", [RED])
        by_token = partial(first.redeem, invited.token, "Anna")
        by_code = partial(second.redeem_code, invited.code, "Ben", address="a")
        found = all_at_once([by_token, by_code])
        assert sorted(type(answer).__name__ for answer in found) == ["InvitationError", "Seated"]
        place.clock.wait(600)
    assert len(place.seats.seats("g")) == 3


def test_an_invitation_runs_out_and_its_code_before_it(place: Place) -> None:
    brief = place.open(limits=Limits(invitation_s=60, code_s=HOUR)).invite("g", [RED])
    assert brief.code_expires == brief.expires == START + timedelta(seconds=60)
    seats = place.open(limits=Limits(invitation_s=3 * HOUR, code_s=HOUR))
    invited, other, short = (seats.invite("g", [RED]) for _ in range(3))
    place.clock.wait(HOUR - 0.001)
    assert seats.redeem_code(short.code, "Anna", address="a").seat.roles == (RED,)
    place.clock.wait(0.001)
    with pytest.raises(InvitationError, match="No open invitation has this code"):
        seats.redeem_code(invited.code, "Anna", address="a")
    place.clock.wait(2 * HOUR - 0.001)
    assert seats.redeem(invited.token, "Anna").seat.roles == (RED,)
    assert [one.invitation for one in seats.invitations("g")] == [other.invitation]
    place.clock.wait(0.001)
    with pytest.raises(InvitationError, match="has expired"):
        seats.redeem(other.token, "Anna")
    assert seats.invitations("g") == []


def test_an_invitation_may_be_withdrawn_before_it_is_used_and_old_ones_are_forgotten(place: Place) -> None:
    invited, used, old = (place.seats.invite("g", [RED]) for _ in range(3))
    place.seats.redeem(used.token, "Anna")
    place.seats.withdraw(invited.invitation, game="g")
    with pytest.raises(InvitationError, match="no such invitation"):
        place.seats.redeem(invited.token, "Ben")
    for gone in (invited, used):
        with pytest.raises(InvitationError, match="no longer open"):
            place.seats.withdraw(gone.invitation, game="g")
    for wait_s, why in ((12 * HOUR + seats_module.KEPT_S, "has expired"), (1, "no such invitation")):
        place.clock.wait(wait_s)
        place.seats.invite("g", [RED])
        with pytest.raises(InvitationError, match=why):
            place.seats.redeem(old.token, "Anna")


@pytest.mark.parametrize("jump_s", [6 * 24 * HOUR, -HOUR, -30 * 24 * HOUR])
def test_a_clock_that_is_set_ends_no_invitation_and_keeps_none_for_long(place: Place, jump_s: float) -> None:
    """Both what a running server made, and what another program of the machine makes after it."""
    machine, steady = Watch(), Watch()
    seats = place.open(clock=machine, steady=steady)
    before, code = seats.invite("g", [RED]), seats.invite("g", [RED])
    machine.wait(jump_s)
    after = place.open(clock=machine, steady=machine).invite("g", [BLUE])
    assert seats.redeem_code(code.code, "Ben", address="a").seat.roles == (RED,)
    assert {one.invitation for one in seats.invitations("g")} == {before.invitation, after.invitation}
    for invited in (before, after):
        assert seats.redeem(invited.token, "Anna").seat.label == "Anna"
    late = seats.invite("g", [RED])
    machine.wait(jump_s)
    for clock in (machine, steady):
        clock.wait(24 * HOUR)
    with pytest.raises(InvitationError, match="has expired"):
        seats.redeem(late.token, "Anna")


def test_wrong_codes_and_signs_of_life_know_no_clock_that_is_set(place: Place) -> None:
    machine, steady = Watch(), Watch()
    seats = place.open(clock=machine, steady=steady)
    secret = seats.redeem(seats.invite("g", [RED]).token, "Anna").secret
    for _ in range(Limits().guesses):
        with pytest.raises(InvitationError):
            seats.redeem_code("ABC234", "Ben", address="a")
    machine.wait(-3 * HOUR)
    with pytest.raises(GuessingError) as waits:
        seats.redeem_code("ABC234", "Ben", address="a")
    assert waits.value.wait_s == Limits().window_s
    seats.note_seen(seats.seat_of(secret))
    assert seats.seat_of(secret).seen == machine()
    steady.wait(Limits().window_s)
    with pytest.raises(InvitationError):
        seats.redeem_code("ABC234", "Ben", address="a")


def test_a_revoked_seat_is_closed_at_once_and_everywhere(place: Place) -> None:
    seated, other = place.seated(), place.open()
    again = place.seats.invite_again(seated.seat.seat)
    assert other.seat_of(seated.secret).revoked is None
    revoked = place.seats.revoke(seated.seat.seat)
    assert revoked.revoked == START
    with pytest.raises(RevokedError, match='took the seat of "Anna" away; ask the host'):
        other.seat_of(seated.secret)
    with pytest.raises(InvitationError, match="no such invitation"):
        other.redeem(again.token, "Anna")
    for refused in (lambda: other.invite_again(revoked.seat), lambda: other.assign(revoked.seat, [BLUE])):
        with pytest.raises(RevokedError):
            refused()
    place.clock.wait(60)
    assert place.seats.revoke(seated.seat.seat) == revoked == other.seats("g")[0]
    for unknown in (place.seats.revoke, place.seats.seat, place.seats.invite_again):
        with pytest.raises(SeatError, match="no such seat"):
            unknown("nobody")


def test_a_device_that_lost_its_secret_gets_the_same_seat_and_the_old_secret_ends(place: Place) -> None:
    seated = place.seated(RED, HOST)
    again = place.seats.invite_again(seated.seat.seat)
    assert (again.seat, again.roles) == (seated.seat.seat, (RED, HOST))
    assert place.seats.seat_of(seated.secret) == seated.seat, "until the new one is taken up"
    place.clock.wait(5)
    new = place.seats.redeem(again.token, "Anne")
    assert (new.seat.seat, new.seat.roles, new.seat.label) == (seated.seat.seat, (RED, HOST), "Anne")
    assert (new.seat.created, new.seat.seen) == (START, START + timedelta(seconds=5))
    assert place.seats.seat_of(new.secret) == new.seat
    with pytest.raises(SeatError, match="no seat here"):
        place.seats.seat_of(seated.secret)
    assert len(place.seats.seats("g")) == 1


def test_a_seat_gets_other_roles_and_when_it_was_last_seen_is_kept_to_half_a_minute(place: Place) -> None:
    seated = place.seated(Role("command", "D"))
    more = place.seats.assign(seated.seat.seat, [Role("command", "D"), Role("command", "E"), Role("command", "D")])
    assert more.roles == (Role("command", "D"), Role("command", "E"))
    assert place.seats.seat_of(seated.secret) == more
    with pytest.raises(UsageError):
        place.seats.assign(seated.seat.seat, [])
    seen = []
    for _ in range(5):
        place.clock.wait(20)
        place.seats.note_seen(place.seats.seat_of(seated.secret))
        seen.append((place.seats.seat(seated.seat.seat).seen - START).total_seconds())
    assert seen == [0, 40, 40, 80, 80]


def miss(place: Place, address: str) -> None:
    with pytest.raises(InvitationError, match="No open invitation has this code"):
        place.seats.redeem_code("222222", "Eve", address=address)


def test_after_five_wrong_codes_an_address_waits_and_others_need_not(place: Place) -> None:
    invited, other = place.seats.invite("g", [RED]), place.seats.invite("g", [BLUE])
    for n in range(5):
        miss(place, "10.0.0.1")
        place.clock.wait(10 if n < 4 else 0)
    with pytest.raises(GuessingError, match="wait 560 seconds, or scan the host's QR code") as refused:
        place.seats.redeem_code(invited.code, "Eve", address="10.0.0.1")
    assert refused.value.wait_s == 560
    assert place.seats.redeem_code(other.code, "Ben", address="10.0.0.2").seat.label == "Ben"
    place.clock.wait(559)
    with pytest.raises(GuessingError, match="wait 1 seconds"):
        place.seats.redeem_code(invited.code, "Eve", address="10.0.0.1")
    place.clock.wait(1)
    assert place.seats.redeem_code(invited.code, "Anna", address="10.0.0.1").seat.label == "Anna"


def test_what_can_be_no_code_and_what_was_right_count_for_nothing(place: Place) -> None:
    for _ in range(8):
        with pytest.raises(InvitationError, match="A code has 6 signs"):
            place.seats.redeem_code("O0I1L!", "Anna", address="a")
        place.seats.redeem_code(place.seats.invite("g", [RED]).code, "Anna", address="a")
    for _ in range(5):
        miss(place, "a")
    with pytest.raises(GuessingError):
        place.seats.redeem_code("222222", "Eve", address="a")


def test_guesses_made_at_once_gain_nothing() -> None:
    guesses, inside, go_on = Guesses(Limits(), Watch()), threading.Semaphore(0), threading.Event()

    def guess() -> None:
        with guesses.attempt("a"):
            inside.release()
            assert go_on.wait(BOUND_S)
            raise InvitationError("wrong")

    with ThreadPoolExecutor(5) as threads:
        first = [threads.submit(guess) for _ in range(5)]
        assert all(inside.acquire(timeout=BOUND_S) for _ in first)
        for _ in range(7):
            with pytest.raises(GuessingError):
                guess()
        go_on.set()
        assert [type(one.exception(BOUND_S)) for one in first] == [InvitationError] * 5


def missed(guesses: Guesses, address: str, error: Any = InvitationError) -> Any:
    """The refusal of a wrong code from an address."""
    with pytest.raises(error) as refused, guesses.attempt(address):
        raise InvitationError("wrong")
    return refused.value


def test_the_count_of_guesses_stays_small_and_ends() -> None:
    clock, limits = Watch(), Limits(guesses=2, guesses_of_all=6, guesses_at_most=6)
    guesses = Guesses(limits, clock)
    for n in range(40):
        missed(guesses, f"2001:db8:0:{n}::1", (InvitationError, GuessingError))
    assert guesses.missed_count == 6
    clock.wait(limits.window_s)
    with guesses.attempt("a"):
        pass
    assert guesses.missed_count == 0


def test_who_is_held_up_twice_waits_for_the_later_end_and_a_household_of_addresses_is_one() -> None:
    clock = Watch()
    guesses = Guesses(Limits(guesses=1, guesses_of_all=2, guesses_at_most=2), clock)
    for address in "ab":
        missed(guesses, address)
        clock.wait(100)
    assert [missed(guesses, address, GuessingError).wait_s for address in "abc"] == [400, 500, 400]
    guesses = Guesses(Limits(guesses=1), Watch())
    missed(guesses, "2001:db8::1")
    missed(guesses, "2001:db8::ffff:1%eth0", GuessingError)
    missed(guesses, "2001:db8:0:1::1")


@given(st.integers())
def test_every_code_reads_back_as_it_is_shown(seed: int) -> None:
    code = new_code(random.Random(seed))
    assert re.fullmatch(f"[{ALPHABET}]{{{CODE_LENGTH}}}", code)
    assert not set(code) & set("01ILO")
    assert read_code(shown_code(code)) == read_code(code.lower()) == code


@given(st.text(LETTERS, max_size=80))
def test_a_label_is_short_on_one_line_and_stays_as_it_is(said: str) -> None:
    try:
        label = clean_label(said)
    except UsageError:
        assert not any(sign.isprintable() and not sign.isspace() for sign in said)
        return
    assert 1 <= len(label) <= LABEL_LENGTH
    assert label.isprintable()
    assert clean_label(label) == label


def test_no_secret_is_kept_shown_or_logged_nor_comes_out_when_the_database_fails(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    invited = [place.seats.invite("g", [RED]) for _ in range(4)]
    seated = [place.seats.redeem(invited[0].token, "Anna")]
    seated.append(place.seats.redeem_code(invited[1].code, "Ben", address="a"))
    seated.append(place.seats.redeem(place.seats.invite_again(seated[0].seat.seat).token, "Anna"))
    hidden = [one.token[8:] for one in invited] + [one.code for one in invited] + [one.secret[8:] for one in seated]
    said = [*map(repr, invited), *map(repr, seated), *map(repr, place.seats.invitations("g"))]
    for wrong in (invited[0].token, invited[2].token[:-1], seated[0].secret):
        for ask in (place.seats.seat_of, lambda token: place.seats.redeem(token, "Anna")):
            with pytest.raises(AccessError) as refused:
                ask(wrong)
            said.append(repr(refused.value))
    files = sorted(place.path.parent.glob("games.sqlite*"))
    assert len(files) > 1, "the WAL too is looked at"
    data = b"".join(file.read_bytes() for file in files)
    assert token_hash(seated[1].secret).encode() in data
    assert not [secret for secret in hidden if secret.encode() in data]

    with closing(sqlite3.connect(place.path)) as connection:
        connection.execute("DROP TABLE seat")
        connection.commit()
    with pytest.raises(Exception, match="no such table: seat") as failed:
        place.seats.redeem(invited[2].token, "Anna")
    error: BaseException | None = failed.value
    assert error is not None and (error.__cause__ or error.__context__)
    while error is not None:
        said.append(repr(error))
        error = error.__cause__ or error.__context__
    assert not [text for text in (*said, caplog.text) for secret in hidden if secret in text]
    left = {one.invitation for one in place.seats.invitations("g")}
    assert left == {one.invitation for one in invited[2:]}, "nothing half-written"


def test_hashes_are_those_that_are_promised_and_secrets_come_from_the_machine(place: Place) -> None:
    assert token_hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert code_hash("ABC234", "g") != code_hash("ABC234", "h")
    assert len({code_hash(code, "g") for code in ("ABC234", "ABC235")}) == 2
    assert name_of(new_token(random.Random(3), "12345678")) == "12345678"
    assert place.open(rng=random.Random(5)).invite("g", [RED]).token == new_token(random.Random(5))
    assert isinstance(place.seats._rng, random.SystemRandom)


def test_a_code_that_is_open_is_not_given_twice(place: Place) -> None:
    class Stuck(random.Random):
        """Gives every sign twice."""

        drawn = 0

        def choice(self, seq: Any) -> Any:
            self.drawn += 1
            return seq[(self.drawn - 1) // (2 * CODE_LENGTH)]

    seats = place.open(rng=Stuck(1))
    assert [seats.invite("g", [RED]).code for _ in range(3)] == ["AAAAAA", "BBBBBB", "CCCCCC"]


def sitting(*roles: Role) -> Seat:
    return Seat("s", "g", "Anna", roles, START, START)


@pytest.fixture(scope="module")
def two_sides() -> Game:
    return one_hour(a_unit("B1", "blue", "infantry", 5.0, 5.0), a_unit("R1", "red", "infantry", 5.0, 20.0, 180.0))


def combined_arms(mode: Any, **more: Any) -> Game:
    return Game.new(COMBINED_ARMS, Setup(mode=mode, **more))


@pytest.mark.parametrize(
    ("mode", "bidding", "names"),
    [
        ("solitaire", False, "host, side attacker, spectator"),
        ("co-operative", False, "host, command armour, command D, command E, command F, command command, spectator"),
        ("enemy-player", False, "host, side attacker, side defender, spectator"),
        ("enemy-player", True, "host, player 1, player 2, spectator"),
    ],
)
def test_the_roles_of_combined_arms(mode: str, bidding: bool, names: str) -> None:
    game = combined_arms(mode, bidding=bidding)
    assert ", ".join(map(str, roles_of(game.ruleset, game.state))) == names
    assert [str(Role.parse(words)) for words in names.split(", ")] == names.split(", ")


def test_roles_are_those_of_the_game_each_once(two_sides: Game) -> None:
    rules, state = two_sides.ruleset, two_sides.state
    assert check_roles([SPECTATOR, RED, HOST, RED], rules, state) == (HOST, RED, SPECTATOR)
    with pytest.raises(
        UsageError, match=r'"side green" is no role of this game; its roles are host, side blue, side r'
    ):
        check_roles([Role("side", "green"), RED], rules, state)
    with pytest.raises(UsageError, match="A seat needs a role"):
        check_roles([], rules, state)
    for kind, name in (("king", ""), ("side", ""), ("host", "me")):
        with pytest.raises(UsageError, match=r"is no role|needs a name|has no name"):
            Role(kind, name)  # type: ignore[arg-type]


def test_a_side_moves_its_own_units_and_the_host_rules(two_sides: Game) -> None:
    rules, state = two_sides.ruleset, two_sides.state
    blue, red = sitting(BLUE), sitting(RED)
    host, both, spectator = sitting(HOST), sitting(BLUE, RED), sitting(SPECTATOR)
    concede, begin = two_sides.parse("concede red"), two_sides.parse("begin")
    assert may_act(red, rules, state, concede) is None
    assert may_act(both, rules, state, concede) is None
    for seat in (blue, host, spectator):
        refusal = may_act(seat, rules, state, concede)
        assert refusal is not None and refusal.code == "not-yours" and refusal.firm
        mine = "Blue" if seat is blue else str(seat.roles[0])
        assert refusal.text == f"This is for Red to do, and this seat is {mine}."
    assert may_act(host, rules, state, concede, overrule=True) is None
    assert may_act(host, rules, state, begin) is None
    refused = may_act(red, rules, state, begin)
    assert refused is not None and "for the host, as the referee, to do" in refused.text
    overruled = may_act(red, rules, state, concede, overrule=True)
    assert overruled is not None and overruled.code == "not-the-host"
    called_so = sitting(Role("side", REFEREE))
    assert acts_as(called_so, rules, state) == frozenset() and may_act(called_so, rules, state, begin) is not None
    revoked = Seat("s", "g", "Anna", (HOST, RED), START, START, START)
    refusal = may_act(revoked, rules, state, concede)
    assert refusal is not None and refusal.code == "seat-revoked"
    with pytest.raises(RevokedError):
        may_see(revoked, rules, state)


def played(name: str) -> Iterator[tuple[Game, Any]]:
    """A golden game, action by action, each before it is carried out."""
    rules, scenario, turns = golden_games.read((golden_games.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    game = golden_games.begun(rules, scenario)
    for turn in turns:
        action = game.parse(turn.words)
        yield game, action
        game.push(action, turn.dice or None)


@pytest.mark.parametrize("mode", ["solitaire", "co-operative", "enemy-player"])
def test_every_action_of_a_whole_game_is_somebodys_and_no_spectators(mode: str) -> None:
    done: dict[Role, int] = {}
    for game, action in played(f"combined-arms-{mode}"):
        rules, state = game.ruleset, game.state
        assert may_act(sitting(SPECTATOR), rules, state, action) is not None
        may = [role for role in roles_of(rules, state) if may_act(sitting(role), rules, state, action) is None]
        assert may, rules.text(action)
        if mode != "solitaire":
            assert (HOST in may) == (rules.actor(state, action) == REFEREE)
        for role in may:
            done[role] = done.get(role, 0) + 1
        everybody = sitting(*roles_of(rules, state))
        assert may_act(everybody, rules, state, action) is None
    if mode == "enemy-player":
        assert min(done[Role("player", "1")], done[Role("player", "2")]) > 5, "each has a side"
    if mode == "co-operative":
        assert len([role for role in done if role.kind == "command"]) == 5


def test_a_sealed_bid_is_seen_by_its_player_and_both_by_who_plays_both() -> None:
    game = next(game for game, _ in played("combined-arms-enemy-player") if game.state.step == "bids")
    assert game.state.setup.bidding
    rules, one, two = game.ruleset, sitting(Role("player", "1")), sitting(Role("player", "2"))
    game.push(game.parse("bid 1 5"))
    assert [may_see(seat, rules, game.state) for seat in (one, two)] == ["player 1", "player 2"]
    assert [may_see(sitting(role), rules, game.state) for role in (HOST, SPECTATOR)] == [PUBLIC, PUBLIC]
    assert rules.view(game.state, may_see(one, rules, game.state))["bids"] == [5, None]
    assert rules.view(game.state, may_see(two, rules, game.state))["bids"] == ["sealed", None]
    assert may_see(sitting(Role("player", "1"), Role("player", "2")), rules, game.state) is None
    other = game.parse("bid 2 7")
    assert may_act(two, rules, game.state, other) is None
    refusal = may_act(sitting(HOST), rules, game.state, other, overrule=True)
    assert refusal is not None, "nobody decides in secret for somebody else"
    assert "7" not in refusal.text
    game.push(other)
    sides = {seat.roles[0].name: acts_as(seat, rules, game.state) for seat in (one, two)}
    assert sides == {"1": {"player 1", "attacker"}, "2": {"player 2", "defender"}}
    assert may_see(two, rules, game.state) == "defender"
    assert may_see(one, rules, game.state) == PUBLIC


def test_the_host_of_a_solitaire_game_sees_and_plays_all_and_another_host_only_rules() -> None:
    alone, team, against = (combined_arms(mode) for mode in ("solitaire", "co-operative", "enemy-player"))
    host = sitting(HOST)
    assert may_see(host, alone.ruleset, alone.state) is None
    assert may_see(sitting(SPECTATOR), alone.ruleset, alone.state) == PUBLIC
    assert acts_as(host, alone.ruleset, alone.state) == {REFEREE, "attacker", "defender"}
    for game in (team, against):
        assert may_see(host, game.ruleset, game.state) == PUBLIC
        assert acts_as(host, game.ruleset, game.state) == {REFEREE}
    assert may_see(sitting(HOST, DEFENDER), against.ruleset, against.state) == "defender"
    assert may_see(sitting(ATTACKER), against.ruleset, against.state) == "attacker"


ADDRESS = join_address("http://192.168.1.7:8000", new_token(random.Random(1)))


def test_what_is_no_address_or_no_token_is_refused_and_a_token_not_repeated() -> None:
    for root in ("192.168.1.7:8000", "ftp://me", "http://", "http://me/t", "http://me/#x", ""):
        with pytest.raises(UsageError, match="no address of a server"):
            join_address(root, "x" * 40)
    for token in ("", "short", "x" * 39 + "/", "<script>" * 5):
        with pytest.raises(UsageError) as refused:
            join_address("http://me", token)
        assert not token or token not in str(refused.value)


@pytest.mark.parametrize(
    "words", [ADDRESS, wifi_words("Clubhaus; Süd", 'pass"word;:,\\'), wifi_words("open"), "http://a"]
)
def test_the_terminals_code_is_read(words: str) -> None:
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    rows = [[halves[sign][half] for sign in line] for line in terminal_qr(words).splitlines() for half in (0, 1)]
    assert len({len(row) for row in rows}) == 1
    dark = np.array(rows, dtype=bool)[: len(rows[0])]
    picture = np.where(np.kron(dark, np.ones((8, 8), dtype=bool)), 0, 255).astype(np.uint8)
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == words


def test_the_pages_code_is_a_drawing_that_says_its_title_only() -> None:
    svg = svg_qr(ADDRESS, title='Join "Anna" & <others>')
    assert '<title>Join "Anna" &amp; &lt;others&gt;</title>' in svg
    assert svg.count("http") == 1, "the namespace alone"
    rows = len(terminal_qr(ADDRESS).splitlines()) * 2
    assert int(re.search(r'width="(\d+)"', svg)[1]) // 8 in (rows, rows - 1), "as many modules"  # type: ignore[index]


def test_a_network_that_cannot_be_is_refused_without_its_password() -> None:
    networks = [("", ""), ("x" * 33, ""), ("ü" * 17, ""), ("a\nb", ""), ("a", "short"), ("a", "x" * 65)]
    for name, password in networks:
        with pytest.raises(UsageError, match="Wi-Fi") as refused:
            wifi_words(name, password)
        assert not password or password not in str(refused.value)
