"""What is sent about games and seats. Inches and degrees clockwise from +y."""

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
    """Taking up an invitation by its token."""

    token: Token
    label: Label


class CodeWish(Wish):
    """Taking up an invitation by the code on the host's screen."""

    code: Annotated[str, Field(min_length=1, max_length=20)]
    label: Label


class RolesWish(Wish):
    """The roles of a seat."""

    roles: Annotated[list[RoleWords], Field(min_length=1, max_length=12)]


class LabelledRolesWish(RolesWish):
    """The roles of one's own seat, and what one is called."""

    label: Label


class MeOut(Model):
    """This device's seat: its roles, whom it acts for by the rules, and what it sees: ``all``, a side or ``public``.

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
    """Somebody's seat, as the host sees it; ``seen_s`` is how many seconds ago its device was heard last, which a phone
    can't tell from ``seen``: its clock and the server's may differ."""

    seat: str
    label: str
    roles: list[str]
    seen: str
    seen_s: int
    revoked: bool


class InvitationOut(Model):
    """An open invitation; what its token and its code are was said once, when it was made."""

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
    """Who sits at a game, who is invited, and the roles that may be given."""

    seats: list[SeatOut]
    invitations: list[InvitationOut]
    roles: list[RoleOut]


class RoleOut(Model):
    """A role by its words and for people."""

    role: str
    title: str


class WifiOut(Model):
    """The local network as a QR code (SVG), where the host told the server of it."""

    name: str
    qr: str


class DeviceOut(Model):
    """This server and what this device is to it: its host or not, and the seats that it has."""

    host: bool
    label: str
    seats: list[MeOut]
    addresses: list[str]
    wifi: WifiOut | None
    max_photo_bytes: int
    max_table_bytes: int


# --- games -------------------------------------------------------------------------------------------------------


class GameBrief(Model):
    """One line of the list of games. ``turn`` and ``to_act``, a side's title, are null of games that can't be opened
    and of old ones."""

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
    """What changes of a game in the list: its title, and whether it is archived. A field left out stays as it is."""

    title: Annotated[str, Field(min_length=1, max_length=80)] | None = None
    archived: bool | None = None


class UndoOut(Model):
    """The last action, and whether this device may take it back; ``referee``: as the host alone may. Or the action that
    was taken back last, and whether this device may do it again. ``ask``: the number of its event, where this device
    may not, but may ask the other side for leave."""

    words: str
    may: bool
    referee: bool
    why: str
    ask: int | None = None


class TurnOut(Model):
    """Whose step it is, in words for this device."""

    number: int | None
    to_act: str | None
    headline: str
    next: str
    hidden: str


class AskBackOut(Model):
    """A side that asks the others to let its last action, with event ``seq``, be taken back, and that action in
    ``words``. ``may``: this device may say yes or no; ``mine``: this device's side asks."""

    seq: int
    by: str
    text: str
    words: str
    may: bool
    mine: bool


class GameHead(Model):
    """A game as this device may see it; ``seq`` is its last event, ``table_seq`` its table's (0: it has none yet).
    ``hints``: whether a search gives advice in it; ``computers``: the sides that computers play, each with its level,
    of the ``levels`` that may play each side."""

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
    """A game with what is drawn of it."""

    board: Board


@dataclass(frozen=True, kw_only=True)
class FieldOut(Domain):
    """A field of an action as it may be filled in."""

    name: str
    title: str


class FormOut(Model):
    """A kind of action: how it is written in words, what it does, its fields in the order in which they are written,
    and those of which at least one must be said."""

    usage: str
    says: str
    fields: list[FieldOut]
    needs_one_of: list[str]


class OddsCaseOut(Model):
    """Odds under what the measurements leave open."""

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
    """Something that may be done, or not and why. ``action`` is what to send; the fields of ``open`` are still to be
    filled in, each with what may stand there. ``text`` is the action in words, ``label`` the same without what is open,
    ``rest`` that without its verb and its unit. ``actor`` says it: its side, or the referee for all. ``mine``: this
    device may say it; ``dice``: how many it then needs, as far as it is legal and complete."""

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
    """All that a device's game screen shows; ``version`` is another one whenever anything of it is."""

    version: str
    game: GameOut
    options: OptionsOut


class PatchOut(Model):
    """One operation of a JSON Patch (RFC 6902): what is at ``path`` (a JSON Pointer, RFC 6901) afterwards."""

    op: Literal["add", "remove", "replace"]
    path: str
    value: Any = None


class ScreenChangeOut(Model):
    """What makes the screen of ``version`` of the one of version ``since``, as the stream's ``screen`` events and the
    answers to commands tell."""

    since: str
    version: str
    changes: list[PatchOut]


class ActionWish(Wish):
    """An action as JSON or in words, to be judged before it is done."""

    action: ActionJson | None = None
    words: Words = ""


class JudgedOut(Model):
    """What would become of an action: as it was said, in words too, what speaks against it, its dice and odds.

    ``pieces`` are those that it puts elsewhere, as they would stand; none where dice or hidden things decide.
    ``dangers`` says what the other side may do then, as far as everybody may know.
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
    """Something to be done after event ``after``, the last one that this device saw. Said again, it is done once.

    ``screen`` is the version of the screen that the device shows, where the answer is to bring what changes of that.
    ``action`` is what is done, as JSON, or ``words`` say it. ``dice`` are the faces as rolled (they may also stand in
    the action); ``roll`` has them rolled; ``measured``: what was too close to call was measured
    and holds; ``overrule``: the host lets it happen as the referee; ``undo`` takes the last action back instead,
    ``redo`` does again what was taken back last; ``agreed``: the other side asked for it to be taken back, and it may.
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
    ``settles``: of one that the host lets stand; ``asks_back``: of one that the player would take back, and asks the
    other side for leave; ``keeps``: of one of which they say no."""

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
    """What a computer wants to do for a side after event ``seq``, in players' words and why; ``pieces`` as they would
    stand then. ``by_itself``: players have nothing to do for it on the table. What is ``secret`` is told no further.
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
    """What players say of a computer's action after event ``after``: that they ``do`` it, with ``dice`` as rolled or
    ``roll`` to have them rolled; that it is ``impossible`` on the table; or ``go-on``, to do all that needs no choice
    of anybody, with ``roll`` also what needs dice."""

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
    """What a command did, where the game stands now, and whether it had been done before; ``screen``: what changed of
    the screen that the device named, all of it where that was not the newest one."""

    seq: int
    again: bool
    events: list[EventView]
    screen: ScreenChangeOut | None = None


class LogOut(Model):
    """What happened after an event."""

    seq: int
    events: list[EventView]


SeatsOut.model_rebuild()
