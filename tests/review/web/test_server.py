"""The server as a process: encryption, and what is said where it cannot be had."""

import shutil
import ssl
import subprocess
import sys
from http.client import HTTPSConnection
from pathlib import Path

import pytest

from tests.browsers import PATIENCE
from vermeil.errors import UsageError
from vermeil.review.web.server import serve

SCRIPT = (
    "import sys\n"
    "from pathlib import Path\n"
    "from vermeil.review.web.server import serve\n"
    "path, pem, key = map(Path, sys.argv[1:])\n"
    "serve(path, port=0, announce=lambda a: print(a, flush=True), certificate=pem, key=key)\n"
)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a certificate for this machine, with its key beside it."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl on the path to make a certificate with")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"),
            *("ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"),
            *("-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", folder / "key.pem", "-out", folder / "certificate.pem"),
        ],
        check=True,
        capture_output=True,
    )
    return folder / "certificate.pem"


def test_with_a_certificate_the_page_is_encrypted_and_its_cookie_stays_so(
    path: Path, certificate: Path
) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    key = certificate.with_name("key.pem")
    server = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(path), str(certificate), str(key)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        assert address.startswith("https://127.0.0.1:")
        port = int(address.rstrip("/").rpartition(":")[2])
        trusted = ssl.create_default_context(cafile=certificate)
        connection = HTTPSConnection("127.0.0.1", port, context=trusted, timeout=PATIENCE)
        connection.request("GET", "/api/session")
        answer = connection.getresponse()
        assert answer.status == 200
        assert "; Secure" in (answer.getheader("set-cookie") or "")
        connection.close()
    finally:
        server.kill()
        server.communicate()


def test_a_certificate_that_cannot_be_used_is_refused_in_one_line(
    path: Path, certificate: Path
) -> None:
    nonsense = path.with_name("nonsense.pem")
    nonsense.write_text("nonsense", encoding="utf-8")
    for given in (nonsense, path.with_name("missing.pem"), certificate):
        with pytest.raises(UsageError, match="cannot be used as a certificate") as info:
            serve(path, port=0, announce=pytest.fail, certificate=given)
        assert "\n" not in str(info.value)
    with pytest.raises(UsageError, match="a key needs its certificate"):
        serve(path, port=0, announce=pytest.fail, key=nonsense)
