"""No test is timed: one that takes long on a busy machine does not fail for it."""

from hypothesis import HealthCheck, settings


def test_hypothesis_times_no_example() -> None:
    assert settings.default is not None
    assert settings.default.deadline is None
    assert HealthCheck.too_slow in settings.default.suppress_health_check
