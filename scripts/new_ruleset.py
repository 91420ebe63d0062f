"""Begin a ruleset with a copy of the smallest one: ``python scripts/new_ruleset.py skirmish "Skirmish on Squares"``.

It copies the package, the board, the measuring, one scenario, the contract test and the games of the tests under the
new name, and prints what to paste into the list of all rulesets. ``docs/adding-a-ruleset.md`` goes on from there.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping
from keyword import iskeyword
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODEL, PACKAGE, CLASS, TITLE = "ww2-combined-arms", "ww2_combined_arms", "WW2CombinedArms", "WWII Combined Arms"
SCENARIO = "first-meeting"
NOT_COPIED = ("perft.py",)
"""What only the model's own tests need."""
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_TITLE = re.compile(r"[^\W_][\w .:'&-]*")


def new_files(name: str, title: str, root: Path = ROOT) -> dict[Path, str]:
    """The new files with their text, by their paths below ``root``; raises ValueError with a sentence for a name or
    title that can't be one, or where one of the files is there already."""
    if not _NAME.fullmatch(name) or iskeyword(name):
        raise ValueError(f'"{name}" is no name of a ruleset: lower-case words joined by "-", such as "night-raid".')
    if not _TITLE.fullmatch(title):
        raise ValueError(f'"{title}" is no title: letters, digits, spaces and .:\'&- only, such as "Night Raid".')
    package = name.replace("-", "_")
    found = {root / new: _renamed(old.read_text("utf-8"), name, title) for new, old in _copies(name, package, root)}
    there = [str(path.relative_to(root)) for path in found if path.exists()]
    if there:
        raise ValueError(f"{there[0]} is there already ({len(there)} files in all): choose another name.")
    return found


def _copies(name: str, package: str, root: Path) -> list[tuple[str, Path]]:
    """Every new path with the file that it is a copy of."""
    modules = sorted((root / "tabletop" / "rulesets" / PACKAGE).glob("*.py"))
    pairs = [(f"tabletop/rulesets/{package}/{p.name}", p) for p in modules if p.name not in NOT_COPIED]
    for path in (
        "tabletop/boards/{}.py",
        "tabletop/measuring/{}.py",
        "tests/test_contract_{}.py",
        "tests/{}_games.py",
    ):
        pairs.append((path.format(package), root / path.format(PACKAGE)))
    scenarios = "tabletop/data/scenarios"
    pairs.append((f"{scenarios}/{name}/{name}-{SCENARIO}.toml", root / scenarios / MODEL / f"{SCENARIO}.toml"))
    return pairs


def _renamed(text: str, name: str, title: str) -> str:
    words: Mapping[str, str] = {
        f'id = "{SCENARIO}"\nnumber = 3\ntitle = "First Meeting"': (
            f'id = "{name}-{SCENARIO}"\ntitle = "{title}: First Meeting"'
        ),
        MODEL: name,
        PACKAGE: name.replace("-", "_"),
        CLASS: "".join(word.capitalize() for word in name.split("-")),
        TITLE: title,
    }
    return re.sub("|".join(map(re.escape, words)), lambda found: words[found[0]], text)


def entry(name: str, title: str, root: Path = ROOT) -> str:
    """The new ruleset's entry for ``tabletop/rulesets/parts.py``: the model's, renamed."""
    source = (root / "tabletop" / "rulesets" / "parts.py").read_text("utf-8")
    begin = source.rindex("            Parts(", 0, source.index(f'name="{MODEL}"'))
    end = source.index("            ),\n", begin) + len("            ),\n")
    prefix = f"tabletop.rulesets.{name.replace('-', '_')}"
    return re.sub(r'f"\{_\w+\}', f'"{prefix}', _renamed(source[begin:end], name, title))


def main(arguments: list[str]) -> int:
    """Copy, and say what comes next; 1 where nothing could be copied."""
    parser = argparse.ArgumentParser(description="Begin a ruleset with a copy of the smallest one.")
    parser.add_argument("name", help='its name in files and commands, such as "night-raid"')
    parser.add_argument("title", help='its title for people, such as "Night Raid"')
    wish = parser.parse_args(arguments)
    try:
        files = new_files(wish.name, wish.title)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        print(path.relative_to(ROOT))
    print("\nPaste this as the last entry of PARTS in tabletop/rulesets/parts.py:\n")
    print(entry(wish.name, wish.title))
    print("docs/adding-a-ruleset.md goes on from its step 3.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
