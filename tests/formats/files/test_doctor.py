from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import TEXTS
from vermeil.errors import FormatError
from vermeil.formats.files.doctor import Claim, settle
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.source import Source

TEXT = "\U0001d6fc-synuclein and β-actin\r\nbind"
ACTIN = ((16, 23),)


def source() -> Source:
    return Source(Path("a.ann"), "ann", Ledger())


def claim(start: int, end: int, marked: str | None, line: int = 1) -> Claim:
    return Claim(((start, end),), marked, line)


def test_code_points_that_fit_are_left_alone() -> None:
    here = source()
    assert settle(TEXT, [claim(16, 23, "β-actin")], here) == [ACTIN]
    assert not here.ledger.counts


@pytest.mark.parametrize(
    ("start", "end", "unit"),
    [(17, 24, "UTF-16 code units"), (19, 27, "UTF-8 bytes")],
)
def test_other_units_are_recognised_repaired_and_said_aloud(
    start: int, end: int, unit: str
) -> None:
    here = source()
    assert settle(TEXT, [claim(start, end, "β-actin", 4)], here) == [ACTIN]
    assert here.ledger.summary() == [f"repaired 1 offsets that count {unit} (a.ann:4)"]


def test_line_ends_counted_as_one_character_are_recognised() -> None:
    here = source()
    assert settle("a\r\nBRCA1", [claim(2, 7, "BRCA1")], here) == [((3, 8),)]
    assert here.ledger.counts == {("repaired", "offsets that count line ends as one character"): 1}


def test_a_repair_must_explain_every_miss() -> None:
    claims = [claim(17, 24, "β-actin", 1), claim(0, 3, "nowhere", 2)]
    with pytest.raises(FormatError, match=r"a\.ann:1: text at 17-24 is '-actin\\r', not 'β-actin'"):
        settle(TEXT, claims, source())


def test_offsets_outside_the_text_are_named() -> None:
    wanted = r"a\.ann:1: offsets 3-99 do not lie inside the text of 5 characters; wanted 'x'"
    with pytest.raises(FormatError, match=wanted):
        settle("BRCA1", [claim(3, 99, "x")], source())


def test_fragments_are_checked_as_one_string() -> None:
    pieces = ((0, 6), (12, 18))
    marked = Claim(pieces, "alpha- globin", 1)
    assert settle("alpha- or β-globin", [marked], source()) == [pieces]


def test_white_space_characters_count_as_equal() -> None:
    assert settle("breast\ncancer", [claim(0, 13, "breast cancer")], source()) == [((0, 13),)]


def test_the_natural_unit_of_a_format_needs_no_note() -> None:
    here = source()
    claims = [claim(17, 24, "β-actin")]
    assert settle(TEXT, claims, here, natural="UTF-16 code units") == [ACTIN]
    assert not here.ledger.counts


@given(TEXTS.filter(str.strip), st.data())
def test_utf16_offsets_of_any_span_settle_to_text_that_reads_the_same(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    first, last = (len(text[:place].encode("utf-16-le")) // 2 for place in (start, end))
    claims = [claim(first, last, text[start:end])]
    [[(found_start, found_end)]] = settle(text, claims, source(), natural="UTF-16 code units")
    assert (found_start, found_end) == (start, end)
