from pathlib import Path

import pytest

from tests.reports.findings import corpus
from vermeil.reports.page import make_page
from vermeil.reports.spans.findings import find_spans
from vermeil.review.store import Store
from vermeil.vote_view.drawing import FILES, SCRIPT, drawing_file


def test_the_report_holds_the_script_and_the_style_that_the_review_serves(
    tmp_path: Path,
) -> None:
    pytest.importorskip("starlette")
    from starlette.testclient import TestClient

    from vermeil.review.web.app import make_app

    made = make_page("A page", spans=find_spans(corpus(), n_resamples=0))
    with Store(tmp_path / "review.db") as store:
        client = TestClient(make_app(store), base_url="http://127.0.0.1")
        for name in FILES:
            served = client.get(f"/page/{name}").text
            assert served == drawing_file(name)
            assert served in made


def test_the_script_stands_alone_so_that_a_page_can_hold_it_whole() -> None:
    assert "import " not in drawing_file(SCRIPT)
