"""The site's pages that are generated from the code: commands, the server's addresses, Python.

Each is Markdown, written at every build, so that none can differ from what the code does.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from tabletop.cli.app import COMMANDS, app

RELIED_ON = ("geometry", "calibration", "vision")
"""Packages with supported public names, as in docs/python.md."""
NAMED = (
    "tabletop.tables.scene.scene_from_json",
    "tabletop.tables.tablefile.load_table",
    "tabletop.referee.reports.report_on",
    "tabletop.referee.judging.judge",
    "tabletop.referee.judging.observe",
    "tabletop.referee.judging.referee_photos",
    "tabletop.game.protocol.Ruleset",
)
"""Single supported functions of other packages."""

CODE = re.compile(r"(``.+?``|`[^`]+`)")
ROLE = re.compile(r":\w+:`~?([^`]+)`")
LONGEST_LINE = 76
METHODS = ("get", "post", "put", "patch", "delete")
FIRST_ANSWERS = ("200", "201", "202", "204")


def write_pages(folder: Path) -> set[str]:
    """Write all pages into ``folder``; their places, from the folder above it."""
    made = {"commands.md": commands_page(), **server_pages(openapi_document()), **python_pages()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {f"{folder.name}/{name}" for name in made}


# Text


def escape(text: str) -> str:
    """A sentence as Markdown shows it: text between backticks stays code, all else is letters.

    >>> escape("``x`` is *not* a_b <c>, see :func:`d.e`")
    '``x`` is \\\\*not\\\\* a\\\\_b \\\\<c>, see `d.e`'
    """
    parts = CODE.split(ROLE.sub(r"`\1`", text))
    return "".join(part if n % 2 else re.sub(r"([*_<\[\]$~^])", r"\\\1", part) for n, part in enumerate(parts))


def cell(text: str) -> str:
    """A sentence in a cell of a table."""
    return " ".join(escape(text).split()).replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table, and a blank one, without a last column that says nothing; no lines where it has no rows."""
    cells = [list(row) for row in rows]
    if not cells:
        return
    shown = len(head) if any(row[-1] for row in cells) else len(head) - 1
    for row in (list(head), ["---"] * len(head), *cells):
        yield f"| {' | '.join(row[:shown])} |"
    yield ""


def slug(words: str) -> str:
    """A heading's anchor, as code hosts and Sphinx make it.

    >>> slug("tabletop print markers")
    'tabletop-print-markers'
    """
    return re.sub(r"[^\w\- ]", "", words.casefold()).strip().replace(" ", "-")


# Commands


def all_commands() -> Iterator[tuple[str, Any, Any]]:
    """Every command with its full name and a context to ask it in; those of groups after their group."""
    from typer.main import get_command

    root = get_command(app)
    for name in COMMANDS:
        yield from _with_its_own(f"tabletop {name}", root.commands[name])  # type: ignore[attr-defined]


def _with_its_own(name: str, command: Any) -> Iterator[tuple[str, Any, Any]]:
    yield name, command, command.context_class(command, info_name=name)
    for below, other in getattr(command, "commands", {}).items():
        yield from _with_its_own(f"{name} {below}", other)


def commands_page() -> str:
    """All commands with their arguments and options, from the program itself."""
    commands = list(all_commands())
    lines = [
        "# Commands",
        "",
        "The output of `tabletop COMMAND --help` for all commands. Every command takes `-h` and `--help`; bad input",
        "gets one sentence and exit status 2.",
        "",
    ]
    rows = [(f"[`{name}`](#{slug(name)})", cell(first_sentence(command.help))) for name, command, _ in commands]
    lines += table(("command", "effect"), rows)
    for name, command, context in commands:
        lines += [
            f"## {name}",
            "",
            "```text",
            _usage(command, context),
            "```",
            "",
            *_paragraphs(command.help or ""),
            "",
        ]
        arguments, options = _parameters(command, context)
        lines += table(("argument", ""), arguments)
        lines += table(("option", ""), options)
    return "\n".join(lines)


def first_sentence(text: str | None) -> str:
    """The first paragraph of a help text, in one line."""
    return " ".join((text or "").split("\n\n")[0].split())


def _usage(command: Any, context: Any) -> str:
    return " ".join(str(command.get_usage(context)).removeprefix("Usage: ").split())


def _paragraphs(text: str) -> list[str]:
    out: list[str] = []
    for part in inspect.cleandoc(text.replace("\b", "")).split("\n\n"):
        out += [escape(part), ""]
    return out


def _parameters(command: Any, context: Any) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    arguments: list[tuple[str, str]] = []
    options: list[tuple[str, str]] = []
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None or parameter.name == "help":
            continue
        into = options if parameter.param_type_name == "option" else arguments
        into.append((f"`{record[0].replace('|', chr(92) + '|')}`", cell(record[1] or "")))
    return arguments, options


# The server's addresses


def openapi_document() -> dict[str, Any]:
    """The document of the server's addresses, of an application with nothing in it."""
    from api.app.application import create_app
    from api.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        document: dict[str, Any] = create_app(Settings(Path(folder))).openapi()
        return document


def server_pages(document: Mapping[str, Any]) -> dict[str, str]:
    """A page of all addresses, one for each group of them, and one of the objects that they take and give."""
    groups: dict[str, list[tuple[str, str, Mapping[str, Any]]]] = defaultdict(list)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if method in METHODS:
                groups[(operation.get("tags") or ["others"])[0]].append((method, path, operation))
    made = {"server.md": _overview(document, groups), "server-objects.md": _objects(document["components"]["schemas"])}
    return made | {_group_page(group): _group(group, rows) for group, rows in groups.items()}


def _group_page(group: str) -> str:
    return f"server-{slug(group)}.md"


def _title(operation: Mapping[str, Any]) -> str:
    words = str(operation.get("summary") or operation["operationId"].replace("_", " "))
    return words[:1].upper() + words[1:].lower()


def _overview(document: Mapping[str, Any], groups: Mapping[str, Any]) -> str:
    lines = [
        "# The server's addresses",
        "",
        escape(document["info"].get("description", "")),
        "",
        "These pages are generated from the server's OpenAPI document, which a running server has at",
        "`/api/openapi.json`; its interactive page, for its host only, is at `/api/docs`. Requests and responses are",
        "JSON unless a row says otherwise. An error is a problem as in RFC 9457: `title`, `status` and `detail`, a",
        "sentence to show to a person.",
        "",
    ]
    for group, rows in groups.items():
        page = _group_page(group)
        lines += [f"## {group[:1].upper()}{group[1:]}", ""]
        shown = [
            (f"[{_title(row)}]({page}#{slug(_title(row))})", f"`{method.upper()} {path}`", cell(_brief(row)))
            for method, path, row in rows
        ]
        lines += table(("", "address", "effect"), shown)
    hidden = ["server-objects", *(_group_page(group).removesuffix(".md") for group in groups)]
    return "\n".join([*lines, "```{toctree}", ":hidden:", "", *hidden, "```", ""])


def _brief(operation: Mapping[str, Any]) -> str:
    return first_sentence(operation.get("description"))


def _group(group: str, rows: Sequence[tuple[str, str, Mapping[str, Any]]]) -> str:
    lines = [f"# {group[:1].upper()}{group[1:]}", ""]
    for method, path, operation in rows:
        lines += [f"## {_title(operation)}", "", "```text", f"{method.upper()} {path}", "```", ""]
        lines += _paragraphs(operation.get("description") or "")
        shown = [
            (f"`{one['name']}`", one["in"], _type(one["schema"]) + _must(one.get("required", False)), _says(one))
            for one in operation.get("parameters", ())
        ]
        lines += table(("parameter", "in", "type", ""), shown)
        lines += _content("Body", operation.get("requestBody"))
        for status, answer in operation["responses"].items():
            if status in FIRST_ANSWERS:
                lines += _content(f"Answer {status}", answer) or [f"Answer {status}: no content.", ""]
    return "\n".join(lines)


def _must(required: bool) -> str:
    return "" if required else ", may be left out"


def _says(part: Mapping[str, Any]) -> str:
    return cell(str(part.get("description") or part.get("schema", {}).get("description") or ""))


def _content(what: str, part: Mapping[str, Any] | None) -> list[str]:
    return [
        line
        for kind, content in ((part or {}).get("content") or {}).items()
        for line in (f"{what}: `{kind}`, {_type(content.get('schema') or {})}.", "")
    ]


def _objects(schemas: Mapping[str, Mapping[str, Any]]) -> str:
    lines = ["# Objects", "", "The objects in requests and responses, by name.", ""]
    for name, schema in sorted(schemas.items()):
        lines += [f"## {name}", "", *_paragraphs(str(schema.get("description") or ""))]
        if "properties" not in schema:
            lines += [f"{_type(schema)}.", ""]
            continue
        required = schema.get("required", ())
        rows = [
            (f"`{key}`", _type(part) + _must(key in required), _says(part))
            for key, part in schema["properties"].items()
        ]
        lines += table(("member", "type", ""), rows)
    return "\n".join(lines)


def _type(schema: Mapping[str, Any]) -> str:
    """A schema in a few words, with links to the objects in it.

    >>> _type({"type": "array", "items": {"$ref": "#/components/schemas/Unit"}})
    'list of [Unit](server-objects.md#unit)'
    """
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        return f"[{name}](server-objects.md#{slug(name)})"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_type(part) for part in schema[key]))
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return f"({', '.join(_type(part) for part in schema['prefixItems'])})"
        return f"list of {_type(schema.get('items') or {})}"
    return _plain_type(schema)


def _plain_type(schema: Mapping[str, Any]) -> str:
    kind = str(schema.get("type", "anything"))
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"object of {_type(values)}" if isinstance(values, Mapping) and values else "object"
    bounds = [
        f"{words} {schema[key]}"
        for key, words in (("minimum", "at least"), ("maximum", "at most"), ("maxLength", "at most"))
        if key in schema
    ]
    unit = " letters" if "maxLength" in schema else ""
    return kind + (f" ({', '.join(bounds)}{unit})" if bounds else "")


# Python


def python_pages() -> dict[str, str]:
    """A page for each supported package, and one for single functions of the others."""
    made = {f"python-{name}.md": _package(importlib.import_module(name)) for name in RELIED_ON}
    lines = ["# tabletop", "", "The supported functions of `tabletop`; everything else in it may change.", ""]
    for name in NAMED:
        module, _, attribute = name.rpartition(".")
        lines += _entry(module, attribute, getattr(importlib.import_module(module), attribute), "##")
    return {**made, "python-tabletop.md": "\n".join(lines)}


def _package(package: ModuleType) -> str:
    lines = [f"# {package.__name__}", "", *_docstring(package.__doc__)]
    shown: set[int] = set()
    for name in package.__all__:
        one = getattr(package, name)
        shown.add(id(one))
        lines += _entry(package.__name__, name, one, "##")
    if package.__name__ == "geometry":
        for module in _public_modules(package):
            entries = [
                (name, one) for name, one in vars(module).items() if _is_own(name, one, module) and id(one) not in shown
            ]
            if entries:
                lines += [f"## {module.__name__}", "", *_docstring(module.__doc__)]
                for name, one in entries:
                    lines += _entry(module.__name__, name, one, "###")
    return "\n".join(lines)


def _public_modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not any(part.startswith("_") for part in found.name.split(".")):
            yield importlib.import_module(found.name)


def _is_own(name: str, one: object, module: ModuleType) -> bool:
    return (
        not name.startswith("_")
        and (inspect.isfunction(one) or inspect.isclass(one))
        and one.__module__ == module.__name__
    )


def _entry(module: str, name: str, one: Any, heading: str) -> list[str]:
    lines = [f"{heading} {name}", "", "```python", f"from {module} import {name}", *_signature(name, one), "```", ""]
    lines += _docstring(one.__doc__)
    if inspect.isclass(one):
        for method, function in vars(one).items():
            plain = getattr(function, "__func__", getattr(function, "fget", function))
            if method.startswith("_") or not inspect.isfunction(plain) or not plain.__doc__:
                continue
            shown = [f"{name}.{method}"] if isinstance(function, property) else _signature(f"{name}.{method}", plain)
            lines += ["```python", *shown, "```", "", *_docstring(plain.__doc__)]
    return lines


def _signature(name: str, one: Any) -> list[str]:
    """How it is called, an argument a line where it is long; nothing for errors, which users do not create."""
    if inspect.isclass(one) and issubclass(one, BaseException):
        return []
    try:
        signature = inspect.signature(one)
    except ValueError:  # built of something that keeps none
        return [f"{name}(...)"]
    given = [part for part in signature.parameters.values() if part.name not in ("self", "cls")]
    if inspect.isclass(one):
        signature = signature.replace(return_annotation=inspect.Signature.empty)
    whole = _plain_code(str(signature.replace(parameters=given)))
    if len(name) + len(whole) <= LONGEST_LINE:
        return [f"{name}{whole}"]
    inner = [f"    {_plain_code(str(part))}," for part in given]
    first_named = next((n for n, part in enumerate(given) if part.kind is part.KEYWORD_ONLY), None)
    if first_named is not None and not any(part.kind is part.VAR_POSITIONAL for part in given):
        inner.insert(first_named, "    *,")
    return [f"{name}(", *inner, ")" + whole.rpartition(")")[2]]


def _plain_code(text: str) -> str:
    return re.sub(r"<[^<>]* object at 0x[0-9a-f]+>|<factory>", "...", text.replace("'", ""))


def _docstring(text: str | None) -> list[str]:
    """A docstring's paragraphs and lists; its examples as blocks of code."""
    out: list[str] = []
    inside = False
    for line in inspect.cleandoc(text or "").splitlines():
        starts = line.lstrip().startswith(">>>")
        if starts and not inside:
            out += ["", "```python"]
        if inside and not line.strip():
            out += ["```", ""]
        inside = (inside or starts) and bool(line.strip())
        out.append(line if inside else escape(line))
    return [*out, *(["```"] if inside else []), ""]
