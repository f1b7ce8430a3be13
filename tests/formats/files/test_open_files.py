"""How many files may be open: we ask for more, and a system may say no."""

import pytest

from vermeil.formats.files.open_files import allow

resource = pytest.importorskip("resource")


@pytest.mark.parametrize("no", [ValueError("not allowed"), OSError(1, "not permitted")])
def test_a_system_that_allows_no_more_files_is_no_error(
    no: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise no

    monkeypatch.setattr(resource, "getrlimit", lambda _: (1, 10))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    allow(100)
