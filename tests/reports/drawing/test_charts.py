from math import nan
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from vermeil.reports.drawing.charts import Bar, bars, columns, curves, reliability, scatter
from vermeil.reports.drawing.heat_map import heat_map
from vermeil.scoring.ranked import calibrate

SHARES = st.floats(0, 1) | st.just(nan)
POINTS = st.lists(st.tuples(SHARES, SHARES), max_size=8)
NAMES = st.sampled_from(["anna", "<b>&\"'", "a very long name of an annotator indeed", "א\u202e"])


def within_frame(figure: str) -> ElementTree.Element:
    """Read a picture; check that it says what it is and that every mark lies inside."""
    read = ElementTree.fromstring(figure)
    picture = read.find("svg")
    assert picture is not None
    assert picture.findtext("title")
    assert picture.findtext("desc")
    width, height = (float(each) for each in picture.get("viewBox", "").split()[2:])
    for mark in picture.iter():
        for name, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
            if name in mark.attrib:
                assert -1 <= float(mark.get(name, "nan")) <= most, mark.attrib
        if mark.tag == "rect":
            assert float(mark.get("x", "nan")) + float(mark.get("width", "nan")) <= width + 0.1
            assert float(mark.get("height", "nan")) >= 0
        for place in mark.get("points", "").split():
            x, y = map(float, place.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height
    return read


@given(
    st.dictionaries(NAMES, POINTS, max_size=3), st.dictionaries(NAMES, st.tuples(SHARES, SHARES))
)
def test_curves_and_points_lie_in_their_frame(
    lines: dict[str, list[tuple[float, float]]], points: dict[str, tuple[float, float]]
) -> None:
    read = within_frame(curves("t", lines, points=points, x="recall", y="precision", contours=True))
    named = [each.text for each in read.iter("bdi")]
    assert named == list(dict.fromkeys([*lines, *points]))


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=20))
def test_any_calibration_can_be_drawn(judged: list[tuple[float, bool]]) -> None:
    sure, right = [each for each, _ in judged], [each for _, each in judged]
    calibration = calibrate(sure, right)
    read = within_frame(reliability("t", calibration))
    assert len(list(read.iter("circle"))) == len(calibration.n)


@given(st.lists(st.floats(0, 1e6) | st.just(nan), min_size=1, max_size=30))
def test_columns_are_as_high_as_their_values(values: list[float]) -> None:
    names = [str(number) for number in range(len(values))]
    read = within_frame(columns("t", names, {"n": values}, x="place", y="times"))
    heights = [float(mark.get("height", "nan")) for mark in read.iter("rect")]
    drawn = [value for value in values if value == value and value > 0]
    assert len(heights) == len(drawn)
    for height, value in zip(heights, drawn, strict=True):
        assert abs(height - 180 * value / max(drawn)) < 0.06


@given(st.lists(st.tuples(NAMES, st.floats(0, 1)), max_size=12))
def test_bars_are_as_long_as_their_values(rows: list[tuple[str, float]]) -> None:
    read = within_frame(bars("t", [Bar(name, value) for name, value in rows]))
    lengths = [float(mark.get("width", "nan")) for mark in read.iter("rect")]
    for length, (_, value) in zip(lengths, rows, strict=True):
        assert abs(length - 280 * value) < 0.06


@given(st.lists(NAMES, min_size=1, max_size=4, unique=True), st.data())
def test_a_map_has_a_square_for_each_defined_value_and_its_link(
    names: list[str], data: st.DataObject
) -> None:
    row = st.lists(SHARES, min_size=len(names), max_size=len(names))
    values = data.draw(st.lists(row, min_size=len(names), max_size=len(names)))
    links = [["#there" for _ in names] for _ in names]
    read = within_frame(heat_map("t", names, names, values, links=links))
    n_defined = sum(value == value for each in values for value in each)
    assert len(list(read.iter("rect"))) == n_defined
    assert sum(each.get("href") == "#there" for each in read.iter("a")) == n_defined


def test_undefined_points_are_not_drawn() -> None:
    read = within_frame(scatter("t", [(0.5, nan), (0.5, 0.5)], x="trust", y="LA"))
    assert len(list(read.iter("circle"))) == 1
