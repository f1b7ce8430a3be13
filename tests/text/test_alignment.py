import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil.document import Span
from vermeil.errors import AlignmentError, UnknownNameError
from vermeil.text.alignment import (
    UNITS,
    NonSpace,
    align,
    from_code_points,
)

SPACES = [" ", "\n", "\r\n", "\t", "\u00a0", "\u2003", "\x1c", "\u3000"]
CHARS = ["a", "b", "α", "\U0001d6fc", "e\u0301", "-", "1", "。", "\u200b"]
TEXTS = st.lists(st.sampled_from(CHARS + SPACES), max_size=25).map("".join)
ENCODINGS = {"code-points": ("utf-32-le", 4), "utf-16": ("utf-16-le", 2), "utf-8": ("utf-8", 1)}


@st.composite
def respaced(draw: st.DrawFn) -> tuple[str, str]:
    """Draw two texts that differ in white space alone."""
    chars = draw(
        st.lists(st.sampled_from([char for piece in CHARS for char in piece]), max_size=15)
    )
    gaps = st.lists(st.sampled_from(SPACES), max_size=2).map("".join)
    one, other = (
        "".join(draw(gaps) + char for char in chars) + draw(gaps) for _ in ("one", "other")
    )
    return one, other


def stretches(text: str) -> list[tuple[int, int]]:
    return [(start, end) for end in range(len(text) + 1) for start in range(end)]


def without_space(text: str) -> str:
    return "".join(char for char in text if not char.isspace())


def test_every_white_space_character_is_known() -> None:
    spaces = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]
    text = "".join(spaces) + "x"
    assert NonSpace(text).span(0, 0) == (len(spaces), len(text))


@given(text=TEXTS)
def test_a_text_aligned_with_itself_changes_nothing(text: str) -> None:
    for fuzzy in (False, True):
        alignment = align(text, text, fuzzy=fuzzy)
        assert all(alignment.carry(*stretch) == stretch for stretch in stretches(text))


@given(texts=respaced(), fuzzy=st.booleans())
def test_white_space_aside_a_carried_stretch_marks_the_same_characters(
    texts: tuple[str, str], fuzzy: bool
) -> None:
    source, target = texts
    alignment = align(source, target, fuzzy=fuzzy)
    for start, end in stretches(source) if source != target else []:
        carried = alignment.carry(start, end)
        if not source[start:end].strip():
            assert carried is None
            continue
        assert carried is not None
        there = target[carried[0] : carried[1]]
        assert there == there.strip()
        assert without_space(there) == without_space(source[start:end])
        before = without_space(source[:start])
        assert without_space(target[: carried[0]]) == before


def test_the_error_shows_the_first_difference_on_one_line() -> None:
    with pytest.raises(AlignmentError) as caught:
        align("The IL-2\ngene is expressed.", "The  IL-2 genes are expressed.")
    assert str(caught.value) == (
        r"the texts differ in more than white space: 'IL-2\ngene is express' at 14, "
        "but ' IL-2 genes are expr' at 14; fuzzy alignment can bridge this"
    )


def test_the_error_says_where_the_shorter_text_ends() -> None:
    with pytest.raises(AlignmentError, match=r"'ab' at 1, but 'a ' ends at 2"):
        align("ab", "a ")


@given(source=TEXTS, target=TEXTS)
def test_texts_align_exactly_if_and_only_if_they_differ_in_white_space_alone(
    source: str, target: str
) -> None:
    try:
        align(source, target)
        aligned = True
    except AlignmentError:
        aligned = False
    assert aligned == (without_space(source) == without_space(target))


@given(source=TEXTS, target=TEXTS)
def test_what_a_fuzzy_alignment_carries_keeps_its_first_and_last_character(
    source: str, target: str
) -> None:
    alignment = align(source, target, fuzzy=True)
    for start, end in stretches(source):
        carried = alignment.carry(start, end)
        if carried is not None and source != target:
            here, there = source[start:end].strip(), target[carried[0] : carried[1]]
            assert (there[0], there[-1]) == (here[0], here[-1])


@given(before=TEXTS, after=TEXTS, added=TEXTS)
def test_a_name_is_carried_past_an_edit_elsewhere(before: str, after: str, added: str) -> None:
    source = f"{before} BRCA1 gene {after}"
    target = f"{before} {added} BRCA1 gene {after}"
    start = source.index("BRCA1")
    carried = align(source, target, fuzzy=True).carry(start, start + 10)
    assert carried == (target.index("BRCA1"), target.index("BRCA1") + 10)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("the receptor of insulin", None),
        ("insulin-like receptor", "insulin-like receptor"),
        ("insulin (which binds many other things) receptor", None),
        ("the nsulin receptor", None),
        ("the insvlin receptor", "insvlin receptor"),
    ],
)
def test_a_changed_name_is_carried_if_its_edges_and_half_of_it_are_kept(
    target: str, expected: str | None
) -> None:
    source = "the insulin receptor"
    carried = align(source, target, fuzzy=True).carry(4, len(source))
    assert (target[slice(*carried)] if carried else None) == expected


def test_a_span_keeps_all_it_says_and_its_fragments() -> None:
    span = Span(1, 7, "Gene", 0.5, ((1, 2), (5, 7)), ("HGNC:1",), (("a", "b"),))
    carried = align(" a  bcd", "ab c d").carry_span(span)
    assert carried == Span(0, 6, "Gene", 0.5, ((0, 1), (3, 6)), ("HGNC:1",), (("a", "b"),))


def test_a_span_with_a_fragment_that_is_lost_is_reported_lost() -> None:
    split = Span(0, 9, "Gene", fragments=((0, 3), (6, 9)))
    whole = Span(0, 3, "Gene")
    alignment = align("IL2 or X4", "IL2 or", fuzzy=True)
    assert [alignment.carry_span(span) for span in (split, whole)] == [None, whole]


def test_fuzzy_alignment_copes_with_long_texts() -> None:
    source = "".join(f"{number} BRCA1 genes, " for number in range(3000))
    target = source.replace("7 BRCA1", "7 the BRCA-1").replace(" 99", " ")
    assert align(source, target, fuzzy=True).carry(2, 7) == (2, 7)


def test_importing_alignment_does_not_import_rapidfuzz() -> None:
    code = "import sys, vermeil.text.alignment; sys.exit('rapidfuzz' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


@given(text=TEXTS)
def test_counting_non_space_characters_and_back_gives_the_trimmed_stretch(text: str) -> None:
    counts = NonSpace(text)
    assert len(counts) == len(without_space(text))
    for start, end in stretches(text):
        inside = text[start:end]
        if not inside.strip():
            with pytest.raises(ValueError, match="only white space"):
                counts.index(start, end)
            continue
        first, last = counts.index(start, end)
        assert first == len(without_space(text[:start]))
        assert last == len(without_space(text[:end])) - 1
        left = start + len(inside) - len(inside.lstrip())
        assert counts.span(first, last) == (left, left + len(inside.strip()))


@pytest.mark.parametrize(("first", "last"), [(-1, 0), (0, 3), (2, 1)])
def test_non_space_counts_out_of_range_are_refused(first: int, last: int) -> None:
    with pytest.raises(ValueError, match="beyond the 3 non-space characters"):
        NonSpace("a bc").span(first, last)
    with pytest.raises(ValueError, match="is no stretch of 4 characters"):
        NonSpace("a bc").index(3, 5)


@pytest.mark.parametrize("unit", sorted(UNITS))
@given(text=TEXTS | st.text(alphabet="\x7f\x80\u07ff\u0800\uffff\U00010000", max_size=12))
def test_units_agree_with_the_codecs(unit: str, text: str) -> None:
    codec, size = ENCODINGS[unit]
    ends = [len(text[:at].encode(codec)) // size for at in range(len(text) + 1)]
    assert from_code_points(text, range(len(text) + 1), unit) == ends


def test_an_offset_beyond_the_text_is_refused() -> None:
    for offset in (-1, 3):
        with pytest.raises(ValueError, match=f"offset {offset} lies outside a text of 2 char"):
            from_code_points("aα", [0, offset], "utf-8")


def test_an_unknown_unit_suggests_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="no unit named 'utf8'; did you mean 'utf-8'"):
        from_code_points("a", [0], "utf8")
