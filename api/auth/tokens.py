"""The secrets that open a seat: tokens, short codes, their hashes, the limit of wrong codes; and labels of players."""

from __future__ import annotations

import base64
import hashlib
import math
import random
import re
import unicodedata
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Lock

from api.auth.access import GuessingError, InvitationError, Limits
from api.clock import Clock, steady_now
from tabletop.errors import UsageError

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""The characters of a code: none that is easily confused on a screen or when read out (0 and O, 1, I and L)."""
CODE_LENGTH = 6
NAME_BYTES, SECRET_BYTES = 6, 24
"""A token names its row by its first 8 letters; the 32 letters after them (192 bits) are the secret."""
LABEL_LENGTH = 32

_TOKEN = re.compile(r"[A-Za-z0-9_-]{40}")


def clean_label(said: str) -> str:
    """A player's label, on one line and without invisible characters; raises UsageError.

    >>> clean_label("  Anna\\t of the\\u202e North ")
    'Anna of the North'
    """
    spaced = "".join(" " if sign.isspace() else sign for sign in said[:1000])
    shown = "".join(sign for sign in spaced if unicodedata.category(sign)[0] != "C")
    label = " ".join(unicodedata.normalize("NFC", shown).split())[:LABEL_LENGTH].strip()
    if not label:
        raise UsageError(f"Say what you are called, in 1 to {LABEL_LENGTH} letters.")
    return label


def new_code(rng: random.Random) -> str:
    """A code of :data:`CODE_LENGTH` signs, all equally likely."""
    return "".join(rng.choice(ALPHABET) for _ in range(CODE_LENGTH))


def shown_code(code: str) -> str:
    """A code as people read it out.

    >>> shown_code("ABC234")
    'ABC 234'
    """
    return f"{code[:3]} {code[3:]}"


def read_code(said: str) -> str:
    """A code as it was typed, small or capital, with spaces or hyphens; raises InvitationError for a malformed one.

    >>> read_code("abc-2 34")
    'ABC234'
    """
    code = "".join(sign for sign in said[:100] if sign not in " -").upper()
    strange = sorted({sign for sign in code if sign not in ALPHABET})
    if strange or len(code) != CODE_LENGTH:
        raise InvitationError(
            f"A code has {CODE_LENGTH} signs, A to Z and 2 to 9 without I, L and O: look at the host's screen again."
        )
    return code


def new_token(rng: random.Random, name: str = "") -> str:
    """A token: the name of its row (a new one unless given) and its secret, 40 letters that are safe in an address."""
    return (name or _letters(rng.randbytes(NAME_BYTES))) + _letters(rng.randbytes(SECRET_BYTES))


def name_of(token: str) -> str:
    """The name of a token's row; empty for a malformed token.

    >>> name_of(new_token(random.Random(1), "a-name_8")), name_of("a-name_8")
    ('a-name_8', '')
    """
    return token[: NAME_BYTES * 4 // 3] if _TOKEN.fullmatch(token) else ""


def bearer_token(headers: Mapping[str, str]) -> str | None:
    """The token that a program sent (RFC 6750); ``None`` where a request has none in its headers.

    >>> bearer_token({"authorization": "bearer tabletop_x"}), bearer_token({"authorization": "Basic eA=="})
    ('tabletop_x', None)
    """
    scheme, _, said = headers.get("authorization", "").partition(" ")
    return said.strip() if scheme.lower() == "bearer" else None


def token_hash(token: str) -> str:
    """The stored form of a token: its SHA-256. A long random secret needs no slower hash."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def code_hash(code: str, game: str) -> str:
    """The stored form of a code: scrypt's hash, salted with the game, since 30 bits alone are quickly tried."""
    return hashlib.scrypt(code.encode(), salt=game.encode(), n=2**12, r=8, p=1, dklen=32).hex()


def _letters(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Guesses:
    """Counts wrong codes in memory: at most ``limits.guesses_at_most`` entries. Any thread may call.

    With 500 wrong codes in 10 minutes over the 2 hours of a code, and 10 codes open at once, one of 887 million is hit
    with a chance below one in ten thousand by an attacker with hundreds of addresses, and below one in a hundred
    thousand with ten. A restart forgets the count.
    """

    def __init__(self, limits: Limits, clock: Clock = steady_now) -> None:
        self._limits = limits
        self._clock = clock
        self._lock = Lock()
        self._missed: deque[tuple[datetime, str]] = deque()

    @contextmanager
    def attempt(self, address: str) -> Iterator[None]:
        """One try at a code, from a caller's address. It counts from before it is made, so that parallel tries gain
        nothing, until the block ends without InvitationError. Raises GuessingError before it is made.
        """
        entry = self._enter(network_of_address(address))
        missed = False
        try:
            yield
        except InvitationError:
            missed = True
            raise
        finally:
            if not missed:
                self._strike(entry)

    @property
    def missed_count(self) -> int:
        """How many wrong codes are counted now."""
        return len(self._missed)

    def _enter(self, network: str) -> tuple[datetime, str]:
        now, window = self._clock(), timedelta(seconds=self._limits.window_s)
        with self._lock:
            while self._missed and self._missed[0][0] <= now - window:
                self._missed.popleft()
            own = [at for at, who in self._missed if who == network]
            limits = self._limits
            of_all = limits.guesses_of_all if own else limits.guesses_at_most
            full = [(own, limits.guesses), ([at for at, _ in self._missed], of_all)]
            free = [times[-limit] + window for times, limit in full if len(times) >= limit]
            if free:
                raise GuessingError(max(1, math.ceil((max(free) - now).total_seconds())))
            entry = (now, network)
            self._missed.append(entry)
            return entry

    def _strike(self, entry: tuple[datetime, str]) -> None:
        with self._lock:
            if entry in self._missed:
                self._missed.remove(entry)


def network_of_address(address: str) -> str:
    """The network that an address belongs to: an IPv6 household has a whole /64.

    >>> [network_of_address(one) for one in ("192.168.1.7", "2001:db8::1:2:3:4", "::ffff:10.0.0.1", "a name")]
    ['192.168.1.7', '2001:db8::/64', '10.0.0.1', 'a name']
    """
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(known, IPv6Address):
        inner = known.ipv4_mapped
        return str(inner) if inner else str(ip_network((int(known), 64), strict=False))
    return str(known)
