"""The server's self-signed certificate: browsers allow a page to use the phone's camera only over HTTPS.

It is written to the data folder for the server's addresses, and replaced before it expires or when the addresses
change. No authority signs it, so a browser warns once; its fingerprint shows that it is the right one.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

CERTIFICATE, KEY = "https-certificate.pem", "https-key.pem"
DAYS = 397
"""How many days a certificate is valid: browsers reject much longer ones."""
LEAST_DAYS = 30
"""A certificate that expires sooner than this is replaced."""


@dataclass(frozen=True)
class Certificate:
    """The files of a certificate and its key, and its fingerprint (SHA-256) as browsers show it."""

    certificate: Path
    key: Path
    fingerprint: str


def certificate(folder: Path, names: Sequence[str], now: datetime.datetime | None = None) -> Certificate:
    """The certificate of a data folder for the host ``names`` (addresses too); a valid one is reused, else one is made.

    Only the owner may read its key. Raises OSError where the folder can't be written.
    """
    when = now or datetime.datetime.now(datetime.UTC)
    wanted = _alternatives(names)
    kept = _read_kept(folder)
    if kept is None or not _is_good(kept, wanted, when):
        kept = _make_certificate(folder, wanted, when)
    print_ = kept.fingerprint(hashes.SHA256()).hex(":").upper()
    return Certificate(folder / CERTIFICATE, folder / KEY, print_)


def _alternatives(names: Sequence[str]) -> list[x509.GeneralName]:
    """Host names and addresses, with this machine's own names added."""
    found: list[x509.GeneralName] = []
    for name in dict.fromkeys([*names, "localhost", f"{socket.gethostname().split('.')[0].lower()}.local"]):
        try:
            found.append(x509.IPAddress(ipaddress.ip_address(name)))
        except ValueError:
            found.append(x509.DNSName(name))
    return found


def _read_kept(folder: Path) -> x509.Certificate | None:
    """The certificate in the folder that matches its key; ``None`` where either is missing or damaged."""
    try:
        found = x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes())
        key = serialization.load_pem_private_key((folder / KEY).read_bytes(), None)
    except (FileNotFoundError, ValueError, TypeError):
        return None
    return found if key.public_key() == found.public_key() else None


def _is_good(kept: x509.Certificate, wanted: Sequence[x509.GeneralName], when: datetime.datetime) -> bool:
    names = kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    enough = when + datetime.timedelta(days=LEAST_DAYS)
    return kept.not_valid_before_utc <= when and kept.not_valid_after_utc > enough and set(wanted) <= set(names)


def _make_certificate(folder: Path, names: Sequence[x509.GeneralName], when: datetime.datetime) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tabletop on this network")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(when - datetime.timedelta(days=1))
        .not_valid_after(when + datetime.timedelta(days=DAYS - 1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    _write(folder / KEY, secret, 0o600)
    _write(folder / CERTIFICATE, made.public_bytes(serialization.Encoding.PEM), 0o644)
    return made


def _write(path: Path, data: bytes, mode: int) -> None:
    """Write a whole file, at no time with wider permissions than ``mode``."""
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
