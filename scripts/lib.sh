# Shared by the scripts: an environment of the project's own, independent of the machine's.
# shellcheck shell=bash

# Compiled Python files are kept: else every process compiles all its imports. Packages are installed uncompiled, since most
# of their modules are never imported; that saves 80 MB and a third of the installation's processor time.
unset PYTHONDONTWRITEBYTECODE

say() { printf '%s\n' "$*" >&2; }

# prepare_for_tests: every process computes in one thread. Where there is a process for every core,
# threads of NumPy and OpenCV only wait for each other: the calibration's tests take a third less of the cores without them.
# Call nproc before: it obeys OMP_NUM_THREADS.
prepare_for_tests() {
  export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OPENCV_FOR_THREADS_NUM=1
}

# find_python: sets PYTHON to a Python of at least 3.11
find_python() {
  for PYTHON in "${PYTHON:-python3.11}" python3 python3.12 python3.13 python; do
    if "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      return 0
    fi
  done
  say "Python 3.11 or newer is needed and was not found. On Debian: sudo apt install python3 python3-venv"
  return 1
}

# make_venv DIR: an environment with pip in DIR, kept when it is there already
make_venv() {
  local dir=$1
  if "$dir/bin/python" -m pip --version >/dev/null 2>&1; then
    return 0
  fi
  find_python || return 1
  rm -rf "$dir"
  if "$PYTHON" -m venv "$dir" >/dev/null 2>&1 && "$dir/bin/python" -m pip --version >/dev/null 2>&1; then
    return 0
  fi
  # Debian leaves venv's pip out until python3-venv is there: another pip or uv can stand in for it.
  rm -rf "$dir"
  if "$PYTHON" -m virtualenv -q "$dir" >/dev/null 2>&1; then
    return 0
  fi
  rm -rf "$dir"
  if "$PYTHON" -m venv --without-pip "$dir" >/dev/null 2>&1; then
    if "$PYTHON" -m pip --python "$dir/bin/python" install -q pip >/dev/null 2>&1; then
      return 0
    fi
    if command -v uv >/dev/null && uv pip install -q --python "$dir/bin/python" pip >/dev/null 2>&1; then
      return 0
    fi
  fi
  rm -rf "$dir"
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "Installing python3-venv, which Debian keeps apart from Python."
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv; } >/dev/null 2>&1 || true
    for PYTHON in /usr/bin/python3 "$PYTHON"; do
      if "$PYTHON" -m venv "$dir" >/dev/null 2>&1 && "$dir/bin/python" -m pip --version >/dev/null 2>&1; then
        return 0
      fi
    done
    rm -rf "$dir"
  fi
  say "This Python can't make an environment of its own. On Debian: sudo apt install python3-venv, then run this again."
  return 1
}

# install DIR PIP-ARGUMENTS...: packages, just these
install() {
  local dir=$1
  shift
  "$dir/bin/python" -m pip install -q --no-compile --disable-pip-version-check --no-deps "$@"
}

# renew_pip DIR: a current pip. Those of older Pythons compare every file of every version of a package with every tag
# of this Python, which is more than half of the installation's processor time. Without a network the old one stays.
renew_pip() {
  local dir=$1 pinned="pip==26.3 --hash=sha256:f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"
  "$dir/bin/python" -c 'import pip; raise SystemExit(int(pip.__version__.split(".")[0]) < 26)' ||
    install "$dir" --require-hashes -r <(echo "$pinned") || true
}

# install_packages DIR REQUIREMENTS: the pinned packages, unless they are there already
install_packages() {
  local dir=$1 requirements=$2 megabytes=530
  local stamp="$dir/.tabletop-requirements"
  if ! cmp -s "$requirements" "$stamp"; then
    [ "$requirements" = requirements.txt ] || megabytes=1000
    say "Installing the packages in $requirements into $dir (once; it takes about $megabytes MB on the disk) ..."
    renew_pip "$dir"
    install "$dir" --require-hashes -r "$requirements" || return 1
    cp "$requirements" "$stamp"
  fi
}

# install_into DIR REQUIREMENTS PIP-ARGUMENTS...: the pinned packages, then this project
install_into() {
  local dir=$1
  install_packages "$dir" "$2" || return 1
  shift 2
  say "Installing Tabletop into $dir ..."
  if install "$dir" "$@"; then
    return 0
  fi
  say "The phone page could not be built (see above); installing without it. All but \`tabletop serve\` works the same."
  TABLETOP_WITHOUT_PAGE=1 install "$dir" "$@"
}
