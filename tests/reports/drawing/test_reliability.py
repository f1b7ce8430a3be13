from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil.reports.drawing.reliability import (
    MARGIN,
    N_POINTS,
    SIDE,
    curve_points,
    draw_curves,
    draw_learning,
    draw_reliability,
)
from vermeil.scoring.ranked import calibrate, rank

JUDGED = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40)
SVG = "{http://www.w3.org/2000/svg}"


def drawn(judged: list[tuple[float, bool]], threshold: float | None = None) -> ElementTree.Element:
    sure, right = [each for each, _ in judged], [each for _, each in judged]
    picture = draw_reliability(calibrate(sure, right), rank(sure, right, 30), threshold=threshold)
    return ElementTree.fromstring(picture)


@given(JUDGED, st.floats(0, 1))
def test_any_judgements_make_a_picture_within_its_frame(
    judged: list[tuple[float, bool]], threshold: float
) -> None:
    picture = drawn(judged, threshold)
    width, height = (float(each) for each in picture.get("viewBox", "").split()[2:])
    [*_, frame] = (each for each in picture.iter(f"{SVG}rect") if each.get("class") == "axis")
    top = float(frame.get("y", "nan"))
    bottom = top + float(frame.get("height", "nan"))
    for circle in picture.iter(f"{SVG}circle"):
        reach = float(circle.get("r", "nan"))
        assert top <= float(circle.get("cy", "nan")) - reach
        assert float(circle.get("cy", "nan")) + reach <= bottom
        assert MARGIN <= float(circle.get("cx", "nan")) <= width
        assert MARGIN <= float(circle.get("cy", "nan")) <= height - MARGIN


def test_each_bin_is_a_dot_at_its_confidence_and_share() -> None:
    picture = drawn([(0.9, True), (0.9, True), (0.1, False)])
    dots = [each for each in picture.iter(f"{SVG}circle") if each.get("class") == "bin"]
    places = [(float(dot.get("cx", "")), float(dot.get("cy", ""))) for dot in dots]
    assert places == [(MARGIN + 0.1 * SIDE, MARGIN + SIDE), (MARGIN + 0.9 * SIDE, MARGIN)]
    small, large = (float(dot.get("r", "")) for dot in dots)
    assert large > small


def test_a_perfect_ranking_is_a_line_along_the_top() -> None:
    picture = drawn([(0.9, True), (0.8, True)])
    [curve] = picture.iter(f"{SVG}polyline")
    assert {point.split(",")[1] for point in curve.get("points", "").split()} == {f"{MARGIN:.1f}"}


def test_the_area_under_the_drawn_steps_is_the_average_precision() -> None:
    ranking = rank([0.9, 0.8, 0.7, 0.3], [True, False, True, True], 4)
    points = curve_points(ranking)
    widths = np.diff([recall for recall, _ in points], prepend=0.0)
    area = float((widths * [precision for _, precision in points]).sum())
    assert area == pytest.approx(ranking.average_precision)


def test_a_long_curve_is_drawn_through_few_points() -> None:
    generator = np.random.default_rng(0)
    ranking = rank(generator.random(5000), generator.random(5000) < 0.5, 5000)
    points = curve_points(ranking)
    assert len(points) <= N_POINTS
    assert points[-1][0] == ranking.recall[-1]


def test_without_names_there_is_no_curve() -> None:
    assert curve_points(rank([0.5], [False], 0)) == []


def test_each_system_has_its_curve_and_its_name() -> None:
    rankings = {"a & b": rank([0.9], [True], 1), "none": rank([], [], 3)}
    picture = ElementTree.fromstring(draw_curves(rankings))
    assert len(list(picture.iter(f"{SVG}polyline"))) == 1
    shown = {each.text for each in picture.iter(f"{SVG}text")}
    assert {"average precision", "a & b 1.000", "none 0.000"} <= shown


def test_a_long_name_fits_beside_the_curves() -> None:
    ranking = rank([0.9], [True], 1)
    short, long = (
        float(ElementTree.fromstring(draw_curves({name: ranking})).get("width", "nan"))
        for name in ("crf", "a very long name of a system that did well")
    )
    assert long > short + 100


def test_the_chosen_threshold_is_written_beside_its_dot() -> None:
    picture = drawn([(0.9, True), (0.1, False)], 0.9)
    assert "threshold 0.900" in {each.text for each in picture.iter(f"{SVG}text")}


@given(st.lists(st.floats(0, 1) | st.just(float("nan")), max_size=6))
def test_a_learning_curve_stays_within_its_frame(values: list[float]) -> None:
    points = [((place + 1) / max(len(values), 1), value) for place, value in enumerate(values)]
    picture = ElementTree.fromstring(draw_learning({"F1 & more": points, "AP": []}))
    dots = list(picture.iter(f"{SVG}circle"))
    assert len(dots) == sum(not np.isnan(value) for value in values)
    for dot in dots:
        assert MARGIN <= float(dot.get("cx", "nan")) <= MARGIN + SIDE
        assert MARGIN <= float(dot.get("cy", "nan")) <= MARGIN + SIDE
    assert {"F1 & more", "AP"} <= {each.text for each in picture.iter(f"{SVG}text")}
