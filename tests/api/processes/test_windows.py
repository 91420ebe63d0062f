"""Nothing that only POSIX has is needed to import the program: a process that takes itself for Windows imports all."""

import subprocess
import sys

import pytest

from tests.paths import ROOT

SCRIPT = """
import os, pkgutil, signal, sys
import cv2, fastapi, huey, platformdirs, scipy.optimize, sqlalchemy, typer, uvicorn  # as they are here
import asyncio, concurrent.futures, logging.handlers, multiprocessing, shutil, subprocess, tempfile, webbrowser
import uvicorn.protocols.http.h11_impl, uvicorn.main

ABSENT = {"resource", "fcntl", "pwd", "grp", "termios", "tty", "pty"}

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in ABSENT:
            raise ModuleNotFoundError(f"no {name} on Windows", name=name)

for name in ABSENT:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Absent())
sys.platform = "win32"
for name in ("nice", "fork", "getuid", "geteuid", "kill_group", "uname", "waitid", "statvfs"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGXCPU", "SIGHUP", "SIGUSR1"):
    delattr(signal, name)
import api, calibration, geometry, tabletop, vision
count = 0
for package in (api, calibration, geometry, tabletop, vision):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not (module.name.endswith("__main__") or ".migrations." in module.name):
            __import__(module.name)
            count += 1
print(count)
"""


@pytest.mark.slow
def test_all_modules_are_imported_without_what_posix_alone_has() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 300
