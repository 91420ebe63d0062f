"""The repository's Python files and what they import."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.paths import ROOT


def sources(package: str) -> list[Path]:
    return [path for path in sorted((ROOT / package).rglob("*.py")) if "node_modules" not in path.parts]


@cache
def imports(path: Path) -> tuple[tuple[str, bool], ...]:
    """Every import of a file: the module's full name, and whether it is carried out when the file is imported."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = path.relative_to(ROOT).parent.parts

    def walk(node: ast.AST, eager: bool) -> Iterator[tuple[str, bool]]:
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
                continue  # no expression holds an import
            now = eager and not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            if isinstance(child, ast.Import):
                yield from ((alias.name, now) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                base = ".".join(package[: len(package) - child.level + 1]) if child.level else ""
                module = ".".join(part for part in (base, child.module or "") if part)
                yield module, now
                yield from ((f"{module}.{alias.name}", now) for alias in child.names)
            elif isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING":
                yield from walk(child, False)
            else:
                yield from walk(child, now)

    return tuple(walk(tree, True))
