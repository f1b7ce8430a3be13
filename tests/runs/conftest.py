"""What tests of the engine share: the marker of those that kill, stop and starve runs."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "faults: kills and starves runs; VERMEIL_FAULT_SEEDS=N for more of it"
    )
