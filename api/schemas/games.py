"""Schemas of games and seats. Inches and degrees clockwise from +y."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from api.schemas.tables import Model, Point, Wish
from tabletop.boards.data import Board, BoardPiece
from tabletop.game.domains import Domain
from tabletop.game.hints import Advice
from tabletop.game.protocol import Dice, Outcome
from tabletop.game.records import EventView
from tabletop.game.violations import Violation
from tabletop.game.wire import AS_SENT

CommandId = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-]{8,40}$", description="The device's own, new for each command")
]
Words = Annotated[str, Field(max_length=600)]
ActionJson = Annotated[dict[str, Any], Field(max_length=40)]
"""A typed action: its ``kind`` and its fields, as the schema of the game's actions has them."""
Label = Annotated[str, Field(min_length=1, max_length=80, description="What the player is called")]
RoleWords = Annotated[
    str, StringConstraints(pattern=r"^(host|spectator|(side|command|player) [^\x00-\x1f]{1,40})$", max_length=60)
]
Token = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{40}$", description="An invitation's token")]

# --- seats -------------------------------------------------------------------------------------------------------


class TokenWish(Wish):
    """Accept an invitation by its token."""

    token: Token
    label: Label


class CodeWish(Wish):
    """Accept an invitation by the code on the host's screen."""

    code: Annotated[str, Field(min_length=1, max_length=20)]
    label: Label


class RolesWish(Wish):
    """The roles of a seat."""

    roles: Annotated[list[RoleWords], Field(min_length=1, max_length=12)]


class LabelledRolesWish(RolesWish):
    """The roles of one's own seat, and its label."""

    label: Label


class MeOut(Model):
    """This device's seat: its roles, the actors it acts for by the rules, and its view: ``all``, a side or ``public``.

    ``at`` is the game's id, a table's, or ``*`` for the server itself; ``titles`` are the roles for people.
    """

    seat: str
    at: str
    label: str
    roles: list[str]
    titles: list[str]
    host: bool
    acts_as: list[str]
    sees: str


class SeatOut(Model):
    """A seat, as the host sees it; ``seen_s`` is how many seconds ago its device was last active, which a phone can't
    compute from ``seen``: its clock and the server's may differ."""

    seat: str
    label: str
    roles: list[str]
    seen: str
    seen_s: int
    revoked: bool


class InvitationOut(Model):
    """An open invitation; its token and its code were shown once, when it was made."""

    invitation: str
    roles: list[str]
    expires: str
    code_expires: str


class InvitedOut(InvitationOut):
    """A new invitation: its code, the address with its token, and a QR code of it (SVG)."""

    code: str
    address: str
    qr: str


class SeatsOut(Model):
    """The seats and invitations of a game, and the roles that can be given."""

    seats: list[SeatOut]
    invitations: list[InvitationOut]
    roles: list[RoleOut]


class RoleOut(Model):
    """A role by its words and for people."""

    role: str
    title: str


class WifiOut(Model):
    """The local network as a QR code (SVG), where the host has entered it."""

    name: str
    qr: str


class DeviceOut(Model):
    """This server and this device: whether it is the host's, and the seats that it has."""

    host: bool
    label: str
    seats: list[MeOut]
    addresses: list[str]
    wifi: WifiOut | None
    max_photo_bytes: int
    max_table_bytes: int


# --- games -------------------------------------------------------------------------------------------------------


class GameBrief(Model):
    """One line of the list of games. ``turn`` and ``to_act``, a side's title, are null for games that can't be opened
    and for old ones."""

    id: str
    rules: str
    rules_title: str
    title: str
    created: str
    used: str
    events: int
    turn: int | None
    to_act: str | None
    over: bool
    archived: bool


class GameWish(Wish):
    """Changes of a game in the list: its title, and whether it is archived. A field left out stays unchanged."""

    title: Annotated[str, Field(min_length=1, max_length=80)] | None = None
    archived: bool | None = None


class UndoOut(Model):
    """The last action, and whether this device may take it back; ``referee``: as only the host may. Or the action that
    was last taken back, and whether this device may redo it. ``ask``: the number of its event, where this device may
    not take it back but may ask the other side to allow it."""

    words: str
    may: bool
    referee: bool
    why: str
    ask: int | None = None


class TurnOut(Model):
    """The side that acts and its step, in words for this device."""

    number: int | None
    to_act: str | None
    headline: str
    next: str
    hidden: str


class AskBackOut(Model):
    """A side's request to take back its last action, with event ``seq``, and that action in ``words``. ``may``: this
    device may allow or refuse it; ``mine``: this device's side asks."""

    seq: int
    by: str
    text: str
    words: str
    may: bool
    mine: bool


class GameHead(Model):
    """A game as this device may see it; ``seq`` is its last event, ``table_seq`` its table's (0: it has none yet).
    ``hints``: whether a search gives advice in it; ``computers``: the sides that computers play, each with its level;
    ``levels``: the levels that may play each side."""

    id: str
    table: str
    table_seq: int
    rules: str
    title: str
    seq: int
    me: MeOut
    turn: TurnOut
    outcome: Outcome | None
    undo: UndoOut | None
    redo: UndoOut | None
    ask_back: AskBackOut | None
    hints: bool
    computers: dict[str, str]
    levels: dict[str, list[str]]


class GameOut(GameHead):
    """A game with its board."""

    board: Board


@dataclass(frozen=True, kw_only=True)
class FieldOut(Domain):
    """A field of an action as it may be filled in."""

    name: str
    title: str


class FormOut(Model):
    """A kind of action: how it is written in words, its meaning, its fields in the order in which they are written, and
    those of which at least one is required."""

    usage: str
    says: str
    fields: list[FieldOut]
    needs_one_of: list[str]


class OddsCaseOut(Model):
    """Odds under one outcome of the uncertain measurements."""

    when: str
    what: str
    chances: dict[str, float]
    expected: float
    also: dict[str, float]
    words: list[str]


class OddsOut(Model):
    """The probability of every number of ``what``, and of named results."""

    what: str
    chances: dict[str, float]
    expected: float
    also: dict[str, float]
    words: list[str]
    cases: Annotated[list[OddsCaseOut], Field(default_factory=list)]


class OptionOut(Model):
    """An action that can be taken, or can't and why. ``action`` is what to send; the fields of ``open`` must still be
    filled in, each with its possible values. ``text`` is the action in words, ``label`` the same without the open
    fields, ``rest`` that without its verb and its unit. ``actor``: its side, or the referee for all. ``mine``: this
    device may take it; ``dice``: how many it then needs, as far as it is legal and complete."""

    kind: str
    side: str
    actor: str
    unit: str | None
    target: str | None
    text: str
    label: str
    rest: str
    action: ActionJson
    fields: dict[str, Domain]
    legal: bool
    open: bool
    mine: bool
    dice: int
    limits: dict[str, float]
    violations: list[Violation]
    advice: str
    odds: OddsOut | None


class OptionsOut(Model):
    """What may be done after event ``seq``."""

    seq: int
    options: list[OptionOut]


class ScreenOut(Model):
    """The whole game screen of a device; ``version`` changes whenever anything on it does."""

    version: str
    game: GameOut
    options: OptionsOut


class PatchOut(Model):
    """One operation of a JSON Patch (RFC 6902): what is at ``path`` (a JSON Pointer, RFC 6901) afterwards."""

    op: Literal["add", "remove", "replace"]
    path: str
    value: Any = None


class ScreenChangeOut(Model):
    """The changes from the screen of version ``since`` to that of ``version``, in the stream's ``screen`` events and in
    the answers to commands."""

    since: str
    version: str
    changes: list[PatchOut]


class ActionWish(Wish):
    """An action as JSON or in words, to be judged before it is done."""

    action: ActionJson | None = None
    words: Words = ""


class JudgedOut(Model):
    """The result of an action: the action in words too, what speaks against it, its dice and odds.

    ``pieces`` are the moved pieces at their new places; none where dice or hidden information decide.
    ``dangers`` says what the other side could do then, from public information.
    """

    seq: int
    action: ActionJson
    words: str
    actor: str
    mine: bool
    legal: bool
    open: bool
    violations: list[Violation]
    dice: Dice
    odds: OddsOut | None
    pieces: list[BoardPiece]
    dangers: list[str]


class NearestOut(Model):
    """The nearest place at which an action is legal, in inches (``null``: no place within reach), and what speaks
    against going nearer."""

    seq: int
    at: Point | None
    violations: list[Violation]


class CommandWish(Wish):
    """Something to do after event ``after``, the last one that this device saw. Repeated, it is done once.

    ``screen`` is the version of the screen that the device shows, if the answer is to contain its changes. ``action``
    is the action as JSON, or ``words`` say it. ``dice`` are the faces as rolled (they may also be part of the action);
    ``roll`` has the server roll them; ``measured``: the players measured a close call and it holds; ``overrule``: the
    host allows it as the referee; ``undo`` takes the last action back instead, ``redo`` repeats the action last taken
    back; ``agreed``: the other side asked to take it back, and may.
    """

    id: CommandId
    after: Annotated[int, Field(ge=0, le=10_000_000)]
    screen: Annotated[str, Field(max_length=60)] = ""
    action: ActionJson | None = None
    words: Words = ""
    dice: Annotated[list[Annotated[int, Field(ge=0, le=100)]], Field(max_length=400)] | None = None
    roll: bool = False
    measured: bool = False
    overrule: bool = False
    reason: Annotated[str, Field(max_length=400)] = ""
    undo: bool = False
    redo: bool = False
    referee: bool = False
    agreed: bool = False


class NoteWish(Wish):
    """A player's own words, kept for the report; ``disputes``: the number of an event that the player disagrees with;
    ``settles``: of one that the host lets stand; ``asks_back``: of one that the player would take back, asking the
    other side to allow it; ``keeps``: of one that the other side refuses to take back."""

    id: CommandId
    text: Annotated[str, Field(min_length=1, max_length=2000)]
    disputes: Annotated[int, Field(ge=1)] | None = None
    settles: Annotated[int, Field(ge=1)] | None = None
    asks_back: Annotated[int, Field(ge=1)] | None = None
    keeps: Annotated[int, Field(ge=1)] | None = None


@dataclass(frozen=True, kw_only=True)
class HintOut(Advice):
    """What a search would do after event ``seq``; an empty ``line`` where there is nothing to choose."""

    __pydantic_config__ = AS_SENT

    seq: int


class WantedOut(Model):
    """What a computer wants to do for a side after event ``seq``, in players' words and why; ``pieces`` are at their
    places after it. ``by_itself``: players need not do anything for it on the table. ``secret`` hides the action.
    ``mine``: this device may say that it is done."""

    seq: int
    side: str
    title: str
    label: str
    why: str
    secret: bool
    by_itself: bool
    action: ActionJson | None
    unit: str | None
    dice: Dice
    pieces: list[BoardPiece]
    mine: bool


class ComputerWish(Wish):
    """The players' answer to a computer's action after event ``after``: they ``do`` it, with ``dice`` as rolled or
    ``roll`` to have them rolled; it is ``impossible`` on the table; or ``go-on``, to do every step that needs no one's
    choice, with ``roll`` also steps with dice."""

    id: CommandId
    after: Annotated[int, Field(ge=0, le=10_000_000)]
    screen: Annotated[str, Field(max_length=60)] = ""
    says: Literal["do", "impossible", "go-on"]
    dice: Annotated[list[Annotated[int, Field(ge=0, le=100)]], Field(max_length=400)] | None = None
    roll: bool = False


class PlayersWish(Wish):
    """The sides that computers play from now on, each with its level."""

    id: CommandId
    computers: Annotated[dict[str, Annotated[str, Field(max_length=40)]], Field(max_length=12)]


class DoneOut(Model):
    """The result of a command, the game's last event, and whether it had been done before; ``screen``: the changes of
    the screen that the device named, or the whole screen where that was not the newest one."""

    seq: int
    again: bool
    events: list[EventView]
    screen: ScreenChangeOut | None = None


class LogOut(Model):
    """The events after an event."""

    seq: int
    events: list[EventView]


SeatsOut.model_rebuild()
