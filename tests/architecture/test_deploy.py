"""What is written for containers and systemd fits the command line: commands, options, variables, ports, paths."""

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from tabletop.cli.app import app
from tests.paths import ROOT

UNITS = ROOT / "deploy" / "systemd"
SERVICES = sorted(UNITS.glob("*.service"))
CONTAINERFILE = (ROOT / "Containerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
COMMANDS: Any = get_command(app).commands  # type: ignore[attr-defined]


def instructions() -> Iterator[tuple[str, str]]:
    """The Containerfile's instructions in order, their continued lines joined and comments left out."""
    lines = [line for line in CONTAINERFILE.splitlines() if not line.startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        word, _, rest = line.strip().partition(" ")
        if word:
            yield word, " ".join(rest.split())


def check_command(words: list[str]) -> None:
    """A command of ours that takes these words: every option is one of its own, and those that want a value have it."""
    command = COMMANDS[words[0]]
    command.make_context(words[0], list(words[1:]), resilient_parsing=False).close()


def variables() -> set[str]:
    """The variables of the environment that commands read."""
    return {param.envvar for command in COMMANDS.values() for param in command.params if param.envvar}


def test_the_image_copies_what_is_there_and_what_the_wheel_needs() -> None:
    copied = [rest.split()[:-1] for word, rest in instructions() if word == "COPY" and "--from" not in rest]
    sources = {source for one in copied for source in one}
    assert all((ROOT / source).exists() for source in sources), sources
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*hatch["packages"], *hatch["shared-data"]} < sources
    assert "api/web/node_modules" in hatch["exclude"]  # where no .gitignore leaves them out
    kept = (ROOT / ".containerignore").read_text().split()
    assert {f"!{source}" for source in sources} == {word for word in kept if word.startswith("!")}
    assert (ROOT / ".dockerignore").read_text() == (ROOT / ".containerignore").read_text()


def test_the_image_runs_a_command_that_is_there_as_nobody_in_particular() -> None:
    last = dict(instructions())  # of each instruction the last counts
    assert json.loads(last["ENTRYPOINT"]) == ["tabletop"]
    check_command(json.loads(last["CMD"]))
    assert last["USER"] == "10001" and f"--uid {last['USER']}" in last["RUN"]
    assert last["VOLUME"] == "/data" and "XDG_DATA_HOME=/data" in last["ENV"]
    assert last["EXPOSE"] == str(default("serve", "port"))
    assert f"http://127.0.0.1:{last['EXPOSE']}/api/health" in last["HEALTHCHECK"]


def default(command: str, option: str) -> Any:
    return next(param.default for param in COMMANDS[command].params if param.name == option)


def test_compose_calls_commands_as_they_are() -> None:
    services = COMPOSE["services"]
    for name in ("server", "workers"):
        check_command(services[name]["command"])
        assert services[name]["image"] == "tabletop"
        assert set(services[name]["environment"]) <= variables()
        assert services[name]["volumes"] == ["pictures:/data"]
    assert services["server"]["ports"] == [f"{default('serve', 'port')}:{default('serve', 'port')}"]
    assert all(service["restart"] == "unless-stopped" for service in services.values())
    assert services["workers"]["healthcheck"] == {"disable": True}
    used = {volume.partition(":")[0] for service in services.values() for volume in service["volumes"]}
    assert used == set(COMPOSE["volumes"])
    for service in services.values():
        for needed, how in service.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"} and needed in services


def test_its_secrets_come_from_the_example_alone() -> None:
    text = (ROOT / "compose.yaml").read_text()
    wanted = set(re.findall(r"\$\{(\w+)", text))
    given = set(re.findall(r"^(\w+)=", (ROOT / "deploy" / "example.env").read_text(), re.MULTILINE))
    assert wanted == given
    assert re.search(r"^POSTGRES_PASSWORD=$", (ROOT / "deploy" / "example.env").read_text(), re.MULTILINE)
    assert ".env" in (ROOT / ".gitignore").read_text().split()


def test_the_database_is_the_one_that_the_server_is_told() -> None:
    database, url = COMPOSE["services"]["database"], COMPOSE["services"]["server"]["environment"]["TABLETOP_URL"]
    user, name = database["environment"]["POSTGRES_USER"], database["environment"]["POSTGRES_DB"]
    assert url.startswith(f"postgresql+psycopg://{user}:${{POSTGRES_PASSWORD") and url.endswith(f"@database/{name}")


def commands_of(unit: Path) -> list[list[str]]:
    text = unit.read_text().replace("\\\n", " ")
    line = next(line for line in text.splitlines() if line.startswith("ExecStart="))
    return [shlex.split(call.split(";")[0].strip("' ")) for call in line.split("/opt/tabletop/bin/tabletop ")[1:]]


@pytest.mark.parametrize("unit", SERVICES, ids=lambda path: path.name)
def test_a_unit_calls_a_command_as_it_is_on_the_one_folder(unit: Path) -> None:
    (words,) = commands_of(unit)
    check_command(words)
    assert words[words.index("--data") + 1] == "/var/lib/tabletop"
    assert "User=tabletop\n" in unit.read_text() and "StateDirectory=tabletop" in unit.read_text()


def test_units_are_hardened_alike() -> None:
    def hardening(unit: Path) -> set[str]:
        kept = ("Protect", "Private", "Restrict", "SystemCall", "Lock", "NoNew", "MemoryDeny", "Capab")
        return {line for line in unit.read_text().splitlines() if line.startswith(kept)}

    first, *others = [hardening(unit) for unit in SERVICES]
    assert len(first) > 20 and {"ProtectSystem=strict", "NoNewPrivileges=yes", "CapabilityBoundingSet="} <= first
    assert all(other == first for other in others)
    assert all("MemoryMax=" in unit.read_text() for unit in SERVICES)
