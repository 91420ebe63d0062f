"""The actions of a ruleset: parsed from text and JSON, written as both, and described for help, pages and documents."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field
from functools import cache, cached_property, partial
from typing import Annotated, Any, Generic, TypeVar, cast, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

from tabletop.game.actions.fields import Field, Many, Reason, Rows, join_pieces
from tabletop.game.actions.labels import UNSAID, Label
from tabletop.game.actions.reader import Reader, split_words
from tabletop.game.domains import Domain
from tabletop.game.errors import ActionError
from tabletop.reading.toml_source import did_you_mean
from tabletop.words import capital

Action = TypeVar("Action")
Class = TypeVar("Class", bound=type)

COMMANDS = ("undo", "state", "note", "log", "reach", "see")
"""Commands of the command line that players mistake for actions."""

_SPEC = "__action_spec__"
_OPEN = object()
_PLAIN_TYPES = (str, int, float, bool)
_BECAUSE = re.compile(r"\sbecause(?:\s+|$)", re.IGNORECASE)


@dataclass(frozen=True)
class _Spec:
    """The arguments of :func:`action`."""

    verb: str
    spellings: tuple[str, ...]
    order: tuple[str, ...]
    usage: str
    needs_clause: bool
    label: str


def action(
    verb: str,
    *spellings: str,
    order: Sequence[str] = (),
    usage: str = "",
    needs_clause: bool = False,
    label: str = "",
) -> Callable[[Class], Class]:
    """Declare a frozen dataclass as an action that is written with ``verb``, or one of other ``spellings``.

    ``order`` are the fields in the order in which they are written (others follow in their own order); ``usage``
    replaces the form generated from the fields. ``needs_clause``: at least one of the clauses must be given. ``label``
    is the action in players' words (:class:`~tabletop.game.actions.labels.Label`), if not simply as typed.
    """

    def declare(cls: Class) -> Class:
        setattr(cls, _SPEC, _Spec(verb, spellings, tuple(order), usage, needs_clause, label))
        setattr(cls, "__pydantic_config__", ConfigDict(extra="forbid"))  # noqa: B010
        return cls

    return declare


@dataclass(frozen=True)
class OpenAction:
    """An action with open fields: the known ``values``, and the possible values of the ``open`` fields.

    An open field with the domain ``None`` has its own domain.
    """

    cls: type
    values: Mapping[str, Any] = field(default_factory=dict)
    open: Mapping[str, Domain | None] = field(default_factory=dict)


_SAYS = {
    "yes-no": "yes or no",
    "flag": "this word or nothing",
    "unit-or-base": "a unit or one of its bases",
    "inches": "inches",
    "degrees": "degrees",
}


@dataclass(frozen=True)
class FieldInfo:
    """A field as a page or a document shows it."""

    name: str
    title: str
    domain: Domain
    optional: bool

    @property
    def says(self) -> str:
        """The possible values, in a line."""
        domain, most = self.domain, 12
        noun = "name" if domain.type == "choice" else domain.type
        text = f"{noun}s, one or more" if domain.many else _SAYS.get(domain.type, f"a {noun}")
        if domain.choices:
            more = ", ..." if len(domain.choices) > most else ""
            some = "one or more" if domain.many else "one"
            text = f"{some} of {', '.join(str(one.value) for one in domain.choices[:most])}{more}"
        if domain.type == "number" and not domain.many:
            text = f"a number from {domain.least:g} to {domain.most:g}"
        if domain.type == "rows" and domain.parts is not None:
            text = f"{' and '.join(domain.parts)}, one or more times"
        return f"{text} (may be left out)" if self.optional else text


@dataclass(frozen=True)
class _Slot:
    """A field of an action's class."""

    name: str
    field: Field
    default: Any

    @property
    def optional(self) -> bool:
        return self.default is not MISSING

    @property
    def is_clause(self) -> bool:
        return self.field.clause or (self.optional and bool(self.field.openers) and not self.field.bare)

    @property
    def opening(self) -> str:
        """The text before the value, including its leading space."""
        return self.field.joint or " ".join(("", *self.field.lead[:1], ""))

    def is_written(self, value: Any) -> bool:
        """Whether a value is written in the action's text."""
        return self.field.always or bool(value != self.default)

    def usage(self) -> str:
        text = f"{self.opening.lstrip()}{self.field.usage}"
        return f"[{text}]" if self.optional else text

    def blank(self, domain: Domain | None) -> str:
        return self.opening + (self.field.blank if domain is None else self.field.blank_in(domain))

    def text(self, value: Any) -> str:
        return self.opening + self.field.write(value)


class _Kind:
    """One class of actions with its whole declaration."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.spec = cast(_Spec, getattr(cls, _SPEC))
        hints = get_type_hints(cls, include_extras=True)
        slots = [_Slot(f.name, _field_of(cls, f.name, hints[f.name]), _default(f)) for f in dataclasses.fields(cls)]
        by_name = {slot.name: slot for slot in slots}
        if "kind" in by_name:
            raise TypeError(f"{cls.__name__} has a field named kind, which JSON needs for the action's own.")
        if wrong := next((slot.name for slot in slots if slot.field.joint and not slot.optional), ""):
            raise TypeError(f"{cls.__name__}.{wrong} is joined to the field before it, so it needs a default.")
        first = [by_name[name] for name in self.spec.order]
        self.slots = (*first, *(slot for slot in slots if slot not in first))
        self.by_name = by_name
        self.placed = tuple(slot for slot in self.slots if not slot.is_clause)
        self.clauses = tuple(slot for slot in self.slots if slot.is_clause)
        self.joints = tuple(sorted({joint for slot in self.slots for joint in slot.field.joints}))
        self._writers = [(s.name, s.default, s.field.always, s.opening, s.field.write) for s in self.slots]
        usages = [(self.spec.verb, False), *((slot.usage(), bool(slot.field.joint)) for slot in self.slots)]
        self.usage = self.spec.usage or join_pieces(usages)
        self.label = Label(self.spec.label, {slot.name: slot.field for slot in slots}) if self.spec.label else None
        self.has_reason = any(isinstance(slot.field, Reason) for slot in self.slots)

    @cached_property
    def adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.cls)

    def read(self, reader: Reader) -> Any:
        """Parse the words after the verb."""
        values: dict[str, Any] = {}
        reader.split(self.joints)
        clause_words = {word for slot in self.clauses for word in slot.field.openers}
        for n, slot in enumerate(self.placed):
            later = {word for other in self.placed[n + 1 :] for word in other.field.openers}
            reader.stops = later | clause_words
            if slot.field.joint:
                if reader.take(slot.field.joint):
                    values[slot.name] = slot.field.read(reader)
                continue
            if slot.field.lead and not reader.take(*slot.field.lead) and not slot.field.bare:
                reader.fail(f'"{slot.field.lead[0]}" is missing{reader.instead()}.')
            if slot.optional and not slot.field.fits(reader):
                continue
            if isinstance(slot.field, Many | Rows):
                self._expect_stop(reader, self.placed[n + 1 :])
            values[slot.name] = slot.field.read(reader)
        reader.stops = clause_words
        while reader.rest:
            slot = self._next_clause(reader)
            if slot.name in values:
                values[slot.name] = slot.field.read_more(reader, values[slot.name])
            else:
                values[slot.name] = slot.field.read(reader)
        for slot in self.clauses:
            if not slot.optional and slot.name not in values:
                reader.fail(f'"{slot.field.openers[0]}" is missing.')
        if self.spec.needs_clause and not values.keys() & {slot.name for slot in self.clauses}:
            reader.fail("Nothing is said about it.")
        return self.cls(**values)

    @property
    def needs_one_of(self) -> tuple[str, ...]:
        """The clauses of which at least one must be given, apart from the reason; none if all are optional."""
        clauses = self.clauses if self.spec.needs_clause else ()
        return tuple(slot.name for slot in clauses if not isinstance(slot.field, Reason))

    def has_clause(self, action: Any) -> bool:
        """Whether a clause of an action differs from its default, apart from the reason."""
        return any(
            getattr(action, slot.name) != slot.default for slot in self.clauses if not isinstance(slot.field, Reason)
        )

    def _expect_stop(self, reader: Reader, later: Sequence[_Slot]) -> None:
        """The word that ends a list of values must be there, or the next field would be read as one of them."""
        words = f" {' '.join(reader.rest).casefold()} "
        for slot in later[:1]:
            needed = slot.field.lead if not slot.optional and not slot.field.bare else ()
            if needed and not any(f" {lead} " in words for lead in needed):
                reader.fail(f'"{needed[0]}" is missing.')

    def _next_clause(self, reader: Reader) -> _Slot:
        for slot in self.clauses:
            if slot.field.begins(reader):
                return slot
        known = [name for slot in self.clauses for name in slot.field.names]
        if not known:
            reader.expect_end()
        reader.fail(f'"{reader.rest[0]}" is not understood here; {did_you_mean(reader.rest[0], known)}')

    def words(self, value_of: Callable[[str, Any], Any], apart: Collection[str] = ()) -> tuple[str, str]:
        """An action in words without open fields: the whole, and the same without its verb and the values ``apart``.

        Lists of options write hundreds of actions at once, so everything common to all is looked up beforehand.
        """
        text, rest = [self.spec.verb], []
        for name, default, always, opening, write in self._writers:
            value = value_of(name, _OPEN)
            if value is not _OPEN and (always or value != default):
                text.append(piece := opening + write(value))
                if value not in apart:
                    rest.append(piece)
        return "".join(text), "".join(rest).strip()

    def label_words(
        self, value_of: Callable[[str, Any], Any], titles: Mapping[str, str], apart: Collection[str] = ()
    ) -> tuple[str, str]:
        """An action in players' words, and the same without its verb and the values ``apart``."""
        if self.label is None:
            text, rest = self.words(value_of, apart)
            return capital(text), rest

        def said(name: str) -> Any:
            value = value_of(name, _OPEN)
            return UNSAID if value is _OPEN or not self.by_name[name].is_written(value) else value

        return self.label.words(said, titles, apart)

    def open_text(self, action: OpenAction) -> str:
        """An action with open fields in words."""
        parts = [self.spec.verb]
        for slot in self.slots:
            if slot.name in action.open:
                parts.append(slot.blank(action.open[slot.name]))
            elif slot.name in action.values and slot.is_written(action.values[slot.name]):
                parts.append(slot.text(action.values[slot.name]))
        return "".join(parts)

    def to_json(self, action: Any) -> dict[str, Any]:
        """An action of this class as a mapping ready for JSON, without default values."""
        plain: dict[str, Any] = {"kind": self.spec.verb}
        for name, slot in self.by_name.items():
            value = getattr(action, name)
            if value == slot.default:
                continue
            if type(value) in _PLAIN_TYPES:
                plain[name] = value
            elif type(value) is tuple and all(type(one) in _PLAIN_TYPES for one in value):
                plain[name] = list(value)
            else:  # pydantic is slower
                dumped = self.adapter.serializer.to_python(action, mode="json", exclude_defaults=True)
                return {"kind": self.spec.verb, **dumped}
        return plain


class ActionSet(Generic[Action]):
    """The actions of one ruleset; ``title`` is the game's name in messages, ``classes`` are the declared dataclasses.

    ``example`` is an action as typed by people.
    """

    def __init__(self, title: str, classes: Iterable[type], example: str = "") -> None:
        self.title, self.example = title, example
        self._kinds = {cls: _Kind(cls) for cls in classes}
        self._verbs = {kind.spec.verb: kind for kind in self._kinds.values()}
        if len(self._verbs) < len(self._kinds):
            raise ValueError(f"Two actions of {title} have the same verb.")
        self._spellings = {spelling: kind for kind in self._kinds.values() for spelling in kind.spec.spellings}
        self._longest = max((2, *(len(spelling.split()) for spelling in self._spellings)))

    # --- words -------------------------------------------------------------------------------------------------------

    def parse(self, state: Any, text: str) -> Action:
        """Parse an action in a state from words; raises ActionError with the expected form.

        Case and spacing don't matter.
        """
        words = split_words(text)
        if not words:
            raise ActionError(f"Say what to do{f', as in: {self.example}' if self.example else ''}.")
        kind, used = self._kind_of(words)
        reason = None
        if kind.has_reason and (because := _BECAUSE.search(text)):
            words, reason = split_words(text[: because.start()]), text[because.end() :]
        reader = Reader(state, kind.usage, words[used:])
        found = kind.read(reader)
        if reason is not None:
            slot = next(slot for slot in kind.slots if isinstance(slot.field, Reason))
            found = dataclasses.replace(found, **{slot.name: slot.field.accept(state, reason)})
        return cast(Action, found)

    def _kind_of(self, words: Sequence[str]) -> tuple[_Kind, int]:
        """The kind named by the first words, and the number of those words."""
        for used in range(self._longest, 0, -1):
            verb = " ".join(words[:used]).casefold()
            for name in (verb, verb.replace(" ", "-"), verb.replace("_", "-")):
                if kind := self._verbs.get(name) or self._spellings.get(name):
                    return kind, used
        verb = words[0].casefold()
        if verb in COMMANDS:
            raise ActionError(f'"{words[0]}" is a separate command: tabletop {verb}.')
        if len(words) > 1 and words[1].casefold() in self._verbs:
            raise ActionError(f"The verb comes first: {words[1].casefold()} {words[0]}.")
        raise self._no_action(words[0])

    def knows(self, verb: str) -> bool:
        """Whether this single word is the verb of an action."""
        return verb in self._verbs or verb in self._spellings

    def text(self, action: Action | OpenAction) -> str:
        """An action in words; :meth:`parse` reads it back. Open fields appear as their placeholders."""
        if isinstance(action, OpenAction):
            return self._kinds[action.cls].open_text(action)
        return self.words(action)[0]

    def words(self, action: Action | OpenAction, apart: Collection[str] = ()) -> tuple[str, str]:
        """An action in words without open fields: the whole, and the same without its verb and the values ``apart``,
        such as the unit that heads its list."""
        if isinstance(action, OpenAction):
            return self._kinds[action.cls].words(action.values.get, apart)
        return self._kinds[type(action)].words(partial(getattr, action), apart)

    def label(
        self, action: Action | OpenAction, titles: Mapping[str, str], apart: Collection[str] = ()
    ) -> tuple[str, str]:
        """An action in players' words without open fields, and the same without its verb and the values ``apart``;
        ``titles`` are the titles of sides, by their ids."""
        if isinstance(action, OpenAction):
            return self._kinds[action.cls].label_words(action.values.get, titles, apart)
        return self._kinds[type(action)].label_words(partial(getattr, action), titles, apart)

    def verb(self, action: Action | OpenAction) -> str:
        """The verb of an action, which is its kind in JSON."""
        return self._kind(action).spec.verb

    def _kind(self, action: Action | OpenAction) -> _Kind:
        return self._kinds.get(type(action)) or self._kinds[cast(OpenAction, action).cls]

    # --- JSON --------------------------------------------------------------------------------------------------------

    def to_json(self, action: Action | OpenAction) -> dict[str, Any]:
        """An action as a mapping ready for JSON, its ``kind`` first; default and open values are left out."""
        if isinstance(action, OpenAction):
            kind = self._kinds[action.cls]
            values = {name: _plain(value) for name, value in action.values.items()}
            return {"kind": kind.spec.verb, **values}
        return self._kinds[type(action)].to_json(action)

    def from_json(self, state: Any, data: Mapping[str, Any]) -> Action:
        """An action from the JSON of :meth:`to_json`; raises ActionError with the expected form."""
        verb = data.get("kind")
        if not isinstance(verb, str):
            raise ActionError('An action as JSON needs its "kind", as in {"kind": "end"}.')
        kind = self._verbs.get(verb)
        if kind is None:
            raise self._no_action(verb)
        given = {name: value for name, value in data.items() if name != "kind"}
        try:
            found = kind.adapter.validate_python(given)
        except ValidationError as error:
            raise _fault(verb, kind, error) from error
        changed = {}
        for slot in kind.slots:
            value = getattr(found, slot.name)
            if slot.optional and value == slot.default:
                continue
            accepted = slot.field.accept(state, value)
            if accepted != value:
                changed[slot.name] = accepted
        if kind.spec.needs_clause and not kind.has_clause(found):
            raise ActionError("Nothing is said about it.", f"Usage: {kind.usage}.")
        return cast(Action, dataclasses.replace(found, **changed) if changed else found)

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of all actions, distinguished by their ``kind``."""
        definitions: dict[str, Any] = {}
        for verb, kind in self._verbs.items():
            own = kind.adapter.json_schema(ref_template="#/$defs/{model}")
            definitions.update(own.pop("$defs", {}))
            own["properties"] = {"kind": {"const": verb}, **own.get("properties", {})}
            own["required"] = ["kind", *own.get("required", [])]
            own["title"], own["description"] = verb, self.describe(verb)
            definitions[f"action-{verb}"] = own
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"Actions of {self.title}",
            "oneOf": [{"$ref": f"#/$defs/action-{verb}"} for verb in self._verbs],
            "discriminator": {"propertyName": "kind"},
            "$defs": definitions,
        }

    # --- options -----------------------------------------------------------------------------------------------------

    @property
    def classes(self) -> tuple[type[Any], ...]:
        """The classes of all actions, in the order of the declarations."""
        return tuple(self._kinds)

    def listed_values(self, cls: type[Any], state: Any) -> dict[str, tuple[Any, ...] | None]:
        """For each required field its possible values in a state, ``None`` if they can't be listed."""
        return {slot.name: slot.field.listed_values(state) for slot in self._kinds[cls].slots if not slot.optional}

    # --- help --------------------------------------------------------------------------------------------------------

    @property
    def verbs(self) -> tuple[str, ...]:
        """All verbs, in the order of the declarations."""
        return tuple(self._verbs)

    def usage(self, verb: str) -> str:
        """How an action is written; raises ActionError for an unknown verb."""
        return self._kind_of_verb(verb).usage

    def needs_one_of(self, verb: str) -> tuple[str, ...]:
        """The fields of an action of which at least one must be given; none if all are optional."""
        return self._kind_of_verb(verb).needs_one_of

    def describe(self, verb: str) -> str:
        """The description of an action: the first paragraph of its docstring, on one line."""
        return " ".join((inspect.getdoc(self._kind_of_verb(verb).cls) or "").split("\n\n")[0].split())

    def fields(self, verb: str) -> tuple[FieldInfo, ...]:
        """The fields of an action in the order in which they are written."""
        return tuple(
            FieldInfo(slot.name, slot.field.title or slot.name.replace("_", " "), slot.field.domain(), slot.optional)
            for slot in self._kind_of_verb(verb).slots
        )

    def domain(self, action: OpenAction, name: str) -> Domain:
        """The possible values of an open field."""
        return action.open[name] or self._kinds[action.cls].by_name[name].field.domain()

    def _kind_of_verb(self, verb: str) -> _Kind:
        kind = self._verbs.get(verb) or self._spellings.get(verb)
        if kind is None:
            raise self._no_action(verb)
        return kind

    def _no_action(self, verb: str) -> ActionError:
        near = did_you_mean(verb.casefold(), sorted(self._verbs))
        return ActionError(f'"{verb}" is no action of {self.title}; {near}', "`tabletop act help` lists them.")


def split_dice(data: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[int, ...] | None]:
    """Split an action's JSON into the rest and its dice as rolled (``None``: not given); raises ActionError.

    Only a list means dice: a number is a field of the action, such as the number of dice that a company throws.

    >>> split_dice({"kind": "fire", "dice": [4]}), split_dice({"kind": "fire", "dice": 2})
    (({'kind': 'fire'}, (4,)), ({'kind': 'fire', 'dice': 2}, None))
    """
    dice = data.get("dice")
    if not isinstance(dice, list):
        return dict(data), None
    if not all(type(face) is int and 0 <= face <= 100 for face in dice):
        raise ActionError('The dice of an action are a list of the faces as rolled, as in "dice": [4].')
    return {name: value for name, value in data.items() if name != "dice"}, tuple(dice)


def _field_of(cls: type, name: str, hint: Any) -> Field:
    if get_origin(hint) is Annotated:
        for meta in get_args(hint)[1:]:
            if isinstance(meta, Field):
                return meta
    raise TypeError(f"The field {name} of {cls.__name__} has no Field in its annotation.")


def _default(declared: dataclasses.Field[Any]) -> Any:
    return declared.default if declared.default_factory is MISSING else declared.default_factory()


@cache
def _adapter(cls: Any) -> TypeAdapter[Any]:
    return TypeAdapter(cls)


def _plain(value: Any) -> Any:
    return _adapter(cast(Hashable, type(value))).dump_python(value, mode="json")


def _fault(verb: str, kind: _Kind, error: ValidationError) -> ActionError:
    """The first fault of an action's JSON."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "its body"
    if first["type"] == "unexpected_keyword_argument" or first["type"] == "extra_forbidden":
        near = did_you_mean(where, list(kind.by_name))
        return ActionError(f'The action "{verb}" has no field "{where}"; {near}')
    if first["type"] in ("missing", "missing_argument"):
        return ActionError(f'The action "{verb}" needs "{where}".', f"Usage: {kind.usage}.")
    return ActionError(f'The action "{verb}" can\'t have that {where}: {first["msg"].lower()}.')
