"""HTTPS with the server's own certificate: what it is good for, who may read its key, when it is made anew."""

import datetime
import http.client
import ssl
import threading
from pathlib import Path

import pytest
import uvicorn
from cryptography import x509

from api.app.application import create_app
from api.app.certificate import CERTIFICATE, DAYS, KEY, certificate
from api.settings import Settings
from tabletop.cli import serving
from tests.support.api_support import Canned
from tests.support.waiting import BOUND_S

NOW = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)


def names_of(path: Path) -> set[str]:
    """The names and addresses that a certificate is good for."""
    read = x509.load_pem_x509_certificate(path.read_bytes())
    found = read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(one) for kind in (x509.DNSName, x509.IPAddress) for one in found.get_values_for_type(kind)}


def test_it_is_made_once_for_the_addresses_and_only_the_owner_reads_its_key(tmp_path: Path) -> None:
    made = certificate(tmp_path, ["192.168.1.20", "127.0.0.1", "club.lan"], NOW)
    assert {"192.168.1.20", "127.0.0.1", "club.lan", "localhost"} <= names_of(made.certificate)
    assert made.key.stat().st_mode & 0o777 == 0o600
    assert len(made.fingerprint.split(":")) == 32
    assert certificate(tmp_path, ["127.0.0.1"], NOW) == made, "one for more addresses is as good"
    assert sorted(path.name for path in tmp_path.iterdir()) == [CERTIFICATE, KEY]


def test_it_is_made_anew_for_other_addresses_before_it_runs_out_and_when_damaged(tmp_path: Path) -> None:
    first = certificate(tmp_path, ["192.168.1.20"], NOW)
    moved = certificate(tmp_path, ["192.168.7.7"], NOW)
    assert moved.fingerprint != first.fingerprint and "192.168.7.7" in names_of(moved.certificate)
    later = NOW + datetime.timedelta(days=DAYS - 20)
    fresh = certificate(tmp_path, ["192.168.7.7"], later)
    assert fresh.fingerprint != moved.fingerprint
    other = tmp_path / "other"
    other.mkdir()
    for key in (b"not a key", certificate(other, ["192.168.7.7"], later).key.read_bytes()):
        fresh.key.write_bytes(key)
        again = certificate(tmp_path, ["192.168.7.7"], later)
        assert again.fingerprint != fresh.fingerprint
        fresh = again
    (tmp_path / KEY).unlink()
    mended = certificate(tmp_path, ["192.168.7.7"], later)
    assert mended.key.stat().st_mode & 0o777 == 0o600


def test_a_client_that_trusts_it_talks_to_the_server(tmp_path: Path) -> None:
    assert serving.addresses("192.168.1.7", 8000, https=True) == ("https://192.168.1.7:8000",)
    made = certificate(tmp_path, ["127.0.0.1"])
    assert made.fingerprint in serving.trust_words(made.fingerprint)
    app = create_app(Settings(tmp_path, addresses=("https://127.0.0.1",)), Canned())
    with serving.listening_socket("127.0.0.1", 0) as door:
        port = door.getsockname()[1]
        config = uvicorn.Config(app, log_level="error", ssl_certfile=made.certificate, ssl_keyfile=made.key)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
        thread.start()  # the door listens already: who comes waits for the server
        trusting = ssl.create_default_context(cafile=made.certificate)
        link = http.client.HTTPSConnection("127.0.0.1", port, timeout=BOUND_S, context=trusting)
        link.request("GET", "/api/device")
        answer = link.getresponse()
        assert answer.status == 200 and "camera=(self)" in (answer.getheader("Permissions-Policy") or "")
        link.close()
        stranger = http.client.HTTPSConnection("127.0.0.1", port, timeout=BOUND_S, context=ssl.create_default_context())
        with pytest.raises(ssl.SSLCertVerificationError):
            stranger.request("GET", "/api/device")
        server.should_exit = True
        thread.join(BOUND_S)


def test_the_users_own_folder_is_theirs_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, shared = tmp_path / "own", tmp_path / "shared"
    for folder in (own, shared):
        folder.mkdir(mode=0o755)
    monkeypatch.setattr(serving, "own_folder", lambda: own)
    made = [serving.private_folder(data) for data in (None, shared, tmp_path / "new")]
    assert [folder.stat().st_mode & 0o777 for folder in made] == [0o700, 0o755, 0o700]
