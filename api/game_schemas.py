"""What goes over the wire about games and seats. Inches and degrees clockwise from +y."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from api.schemas import Model, Outline, Point, Wish

CommandId = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-]{8,40}$", description="The device's own, new for each command")
]
Words = Annotated[str, Field(max_length=600)]
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
    """Somebody's seat, as the host sees it."""

    seat: str
    label: str
    roles: list[str]
    seen: str
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


class HouseOut(Model):
    """This server and what this device is to it: its host or not, and the seats that it has."""

    host: bool
    label: str
    seats: list[MeOut]
    addresses: list[str]
    wifi: WifiOut | None
    max_photo_bytes: int
    max_table_bytes: int


# --- what is drawn (tabletop.boards) -----------------------------------------------------------------------------


class BadgeOut(Model):
    """A marker: a short text to print and what it means."""

    id: str
    text: str
    says: str


class GroundOut(Model):
    """A piece of terrain of an open table."""

    id: str
    kind: str
    outline: Outline
    says: str
    holes: list[Outline]
    height: float
    hill_top: Outline | None


class CellOut(Model):
    """A cell of a board's grid."""

    id: str
    center: Point
    outline: Outline
    kind: str
    marks: list[str]
    says: str


class WayOut(Model):
    """A road through a board's cells."""

    id: str
    kind: str
    points: Outline
    width: float


class ZoneOut(Model):
    """A place that the rules know; an exit may be a line of two points."""

    id: str
    kind: Literal["objective", "deployment", "exit", "edge"]
    label: str
    outline: Outline
    holder: str | None
    says: str


class PieceOut(Model):
    """A base or counter on the table. ``hidden``: what it is may not be known to whoever looks."""

    id: str
    unit: str | None
    side: str | None
    kind: str
    label: str
    shape: Literal["rect", "round", "counter"]
    width: float
    depth: float
    center: Point
    facing: float | None
    outline: Outline
    says: str
    unique: bool
    badges: list[BadgeOut]
    hidden: bool
    state: str


class BoardUnitOut(Model):
    """A unit, on the table or not; ``place`` names its cell on a board."""

    id: str
    side: str
    kind: str
    title: str
    on_table: bool
    place: str | None
    badges: list[BadgeOut]
    acted: bool
    says: str


class BoardSideOut(Model):
    """A side; ``rim`` the paint of its bases where known, ``colour`` the one of the game's reports."""

    id: str
    title: str
    to_act: bool
    rim: str | None
    colour: str


class FactOut(Model):
    """Something beside the table: the turn, a track, a score."""

    label: str
    value: str


class MarkOut(Model):
    """Something that lies on the table and is no piece: smoke, a mortar's target."""

    kind: str
    center: Point
    cell: str | None
    says: str


class BoardOut(Model):
    """A game as this device may see it, to be drawn in table inches (see :class:`tabletop.boards.Board`)."""

    width: float
    depth: float
    grid: Literal["hex", "square"] | None
    cell_size: float | None
    sides: list[BoardSideOut]
    units: list[BoardUnitOut]
    pieces: list[PieceOut]
    ground: list[GroundOut]
    cells: list[CellOut]
    ways: list[WayOut]
    zones: list[ZoneOut]
    facts: list[FactOut]
    marks: list[MarkOut]


# --- games -------------------------------------------------------------------------------------------------------


class GameBrief(Model):
    """One line of the list of games."""

    id: str
    rules: str
    title: str
    created: str
    used: str
    events: int


class OutcomeOut(Model):
    """How a game ended; no winner: a draw."""

    winner: str | None
    reason: str


class UndoOut(Model):
    """The last action, and whether this device may take it back; ``referee``: as the host alone may."""

    words: str
    may: bool
    referee: bool
    why: str


class TurnOut(Model):
    """Whose step it is, in words for this device."""

    number: int | None
    to_act: str | None
    headline: str
    next: str
    hidden: str


class GameHead(Model):
    """A game as this device may see it; ``seq`` is its last event, ``table_seq`` its table's (0: it has none yet).
    ``hints``: whether a search gives advice in it."""

    id: str
    table: str
    table_seq: int
    rules: str
    title: str
    seq: int
    me: MeOut
    turn: TurnOut
    outcome: OutcomeOut | None
    undo: UndoOut | None
    hints: bool


class GameOut(GameHead):
    """A game with what is drawn of it."""

    board: BoardOut


class ViolationOut(Model):
    """What speaks against an action, with the rules' place."""

    code: str
    text: str
    place: str
    numbers: dict[str, float]
    answer: Literal["no", "too-close"]
    firm: bool


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
    """Something that may be done, or not and why. ``text`` are its words; capitals in them (X,Y, DEGREES, HEX) are left
    to fill in. ``mine``: this device may say it."""

    kind: str
    side: str
    unit: str | None
    target: str | None
    text: str
    legal: bool
    open: bool
    mine: bool
    limits: dict[str, float]
    violations: list[ViolationOut]
    advice: str
    odds: OddsOut | None


class OptionsOut(Model):
    """What may be done after event ``seq``; ``forms`` says of every kind of action how it is worded."""

    seq: int
    options: list[OptionOut]
    forms: dict[str, str]


class WordsWish(Wish):
    """An action in words, to be judged before it is done."""

    words: Words


class DiceOut(Model):
    """The dice that an action needs; no count: none."""

    count: int
    faces: list[int]


class JudgedOut(Model):
    """What would become of an action: its words as understood, what speaks against it, its dice and odds.

    ``pieces`` are those that it puts elsewhere, as they would stand; none where dice or hidden things decide.
    ``dangers`` says what the other side may do then, as far as everybody may know.
    """

    seq: int
    words: str
    actor: str
    mine: bool
    legal: bool
    open: bool
    violations: list[ViolationOut]
    dice: DiceOut
    odds: OddsOut | None
    pieces: list[PieceOut]
    dangers: list[str]


class CommandWish(Wish):
    """Something to be done after event ``after``, the last one that this device saw. Said again, it is done once.

    ``dice`` are the faces as rolled; ``roll`` has them rolled; ``measured``: what was too close to call was measured
    and holds; ``overrule``: the host lets it happen as the referee; ``undo`` takes the last action back instead.
    """

    id: CommandId
    after: Annotated[int, Field(ge=0, le=10_000_000)]
    words: Words = ""
    dice: Annotated[list[Annotated[int, Field(ge=0, le=100)]], Field(max_length=400)] | None = None
    roll: bool = False
    measured: bool = False
    overrule: bool = False
    reason: Annotated[str, Field(max_length=400)] = ""
    undo: bool = False
    referee: bool = False


class NoteWish(Wish):
    """A player's own words, kept for the report."""

    id: CommandId
    text: Annotated[str, Field(min_length=1, max_length=2000)]


class RecordOut(Model):
    """An event as this device may see it, with its sentence."""

    seq: int
    group: int
    at: str
    actor: str
    kind: str
    action: str
    body: dict[str, Any]
    text: str


class HintOut(Model):
    """What a search would do: actions in their order, the first one now, and how far it looked; an empty ``line`` where
    there is nothing to choose."""

    seq: int
    line: list[str]
    says: str


class DoneOut(Model):
    """What a command did, where the game stands now, and whether it had been done before."""

    seq: int
    again: bool
    events: list[RecordOut]


class LogOut(Model):
    """What happened after an event."""

    seq: int
    events: list[RecordOut]


SeatsOut.model_rebuild()
