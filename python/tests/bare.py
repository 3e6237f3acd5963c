"""What works with the wheel alone: run in a virtual environment that has nothing else."""

import importlib.util
import sys
import time


def main() -> None:
    """Imports, plays and reads figures, and says how long that took."""
    began = time.perf_counter()
    import evens

    imported = time.perf_counter()
    result = evens.run("splinterlands/mirror", battles=20_000)
    outcomes = result["outcomes"]
    assert sum(outcomes["wins"]) == 20_000
    assert outcomes["side"] == ["A", "B"]
    assert outcomes.columns[0].meaning and outcomes.columns[0].kind == "text"
    assert "Is going first fair?" in result.page and "<strong>Is going first" in result._repr_html_()
    took = time.perf_counter() - imported
    print(f"import {imported - began:.2f} s, 20,000 battles and their tables {took:.2f} s")
    # A machine that is busy with other things may need another try.
    for _ in range(3):
        if took < 1:
            break
        again = time.perf_counter()
        assert evens.run("splinterlands/mirror", battles=20_000)["outcomes"]["side"] == ["A", "B"]
        took = time.perf_counter() - again
    assert took < 1, f"the first table takes {took:.2f} s"

    for library in ("polars", "pandas", "duckdb", "pyarrow", "nanoarrow", "numpy", "IPython"):
        assert importlib.util.find_spec(library) is None, f"{library} is there"
        assert library not in sys.modules
    for hand_over in (result.polars, result.pandas, result.duckdb, result.__arrow_c_stream__):
        try:
            hand_over()
        except ImportError as error:
            assert "pip install 'evens[" in str(error), error
        else:
            raise AssertionError(f"{hand_over} needs nothing?")
    scenario = {"game": "splinterlands", "battles": 10, "leage": "silver"}
    faults = evens.check(scenario)[0].faults
    assert any("leage" in fault.message for fault in faults)
    assert evens.exact("solforge/dryad-and-patriarch")["exact"]["exactly"]


if __name__ == "__main__":
    main()
