"""Progress in a terminal; tests/test_notebook.py has the other."""

import io
import sys

import pytest

import evens
from evens import _progress


def test_a_terminal_has_a_line_that_is_cleared_away(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)
    evens.run("splinterlands/mirror", until="0.9s", progress=True)
    text = written.getvalue()
    assert text.count("\r") >= 3 and "\n" not in text
    assert "of 100,000,000 battles" in text and "Fire" in text
    assert text.endswith("\r\x1b[2K")


def test_nothing_is_shown_where_nobody_looks_or_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)
    evens.run("splinterlands/mirror", until="0.5s")
    monkeypatch.setattr(written, "isatty", lambda: True)
    evens.run("splinterlands/mirror", until="0.5s", progress=False)
    assert written.getvalue() == ""


def test_a_bar_says_in_html_and_in_text_how_far_it_is() -> None:
    bar = _progress._Bar("250 of 1,000 battles", 250, 1000, "<A> 51%")
    assert "<progress max='1000' value='250'>" in bar._repr_html_() and "&lt;A&gt;" in bar._repr_html_()
    assert repr(bar) == "250 of 1,000 battles"
    assert _progress._Bar("", 0, 0, "")._repr_html_() == ""
