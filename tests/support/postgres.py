"""A PostgreSQL of the tests' own: a fresh cluster in a folder for temporary files, reached by a socket there alone."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

OWNERS = ("postgres", "nobody")  # who may run it where the tests are root's, whom it refuses


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, Debian's newest among them; ``None`` where there are none."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return folders[-1].parent if folders else None


def missing() -> str:
    """Why there can be no cluster here; empty where there can be one."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "needs psycopg: pip install 'psycopg[binary]'"
    if programs() is None:
        return "needs PostgreSQL's programs (Debian's postgresql)"
    if os.geteuid() == 0 and _owner() is None:
        return f"needs one of the users {', '.join(OWNERS)} to run PostgreSQL as, since root may not"
    return ""


@contextmanager
def cluster() -> Iterator[str]:
    """A running cluster; the address of its databases, to which a name is to be added."""
    bin_, owner = programs(), _owner() if os.geteuid() == 0 else None
    assert bin_ is not None
    folder = Path(tempfile.mkdtemp(prefix="tabletop-pg-", dir="/tmp"))
    data, log = folder / "data", folder / "log"
    if owner is not None:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    user, group = (owner.pw_uid, owner.pw_gid) if owner is not None else (None, None)
    groups: list[str | int] | None = None if owner is None else []

    def run(*command: str | Path) -> None:
        subprocess.run(
            [str(part) for part in command], check=True, cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=user, group=group, extra_groups=groups,
        )  # fmt: skip

    try:
        run(bin_ / "initdb", "-D", data, "-U", "tabletop", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off -c max_connections=200"
        run(bin_ / "pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start")
        try:
            yield f"postgresql+psycopg://tabletop@/{{}}?host={folder}"
        finally:
            run(bin_ / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def hanging(address: str) -> Iterator[None]:
    """A cluster none of whose processes does anything inside."""
    folder = Path(parse_qs(urlsplit(address).query)["host"][0])
    main = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
    everyone = [main, *map(int, children)]
    for pid in everyone:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in everyone:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def new_database(address: str, name: str) -> str:
    """Make a database in the cluster; its URL."""
    import psycopg

    plain = address.format("postgres").replace("+psycopg", "")
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return address.format(name)


def _owner() -> pwd.struct_passwd | None:
    for name in OWNERS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None
