"""Invalid cluster addresses are refused before anything is started, as are files that do not go with it."""

from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.tournament.engine.scheduler_address import Cluster

pytest.importorskip("distributed", reason="the extra cluster is not installed")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "tcp://localhost:1", "tcp://[::1]:8786"])
def test_addresses(address: str) -> None:
    assert Cluster.parse(address).address == address


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1:8786", "tcp://127.0.0.1", "http://host:1", "tcp://:8786", "tcp://h:x", "tcp://h:1/a", ""],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ConfigError, match="is not a scheduler's address: write tcp://HOST:8786"):
        Cluster.parse(address)


def test_certificates_go_together_and_with_tls(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with pytest.raises(ConfigError, match="is not encrypted"):
        Cluster.parse("tcp://localhost:1", file, file, file)
    with pytest.raises(ConfigError, match="go together"):
        Cluster.parse("tls://host:1", file, None, file)


def test_tls_takes_a_certificate_and_one_that_is_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="tls://host:1 needs a certificate: give --tls-ca"):
        Cluster.parse("tls://host:1")
    file = tmp_path / "file"
    file.write_text("no certificate")
    with pytest.raises(ConfigError, match="the certificate for tls://host:1 cannot be used"):
        Cluster.parse("tls://host:1", file, file, file)


def test_without_dask_there_is_a_word_on_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.tournament.engine.scheduler_address.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="pip install 'commerce-arena\\[cluster\\]'"):
        Cluster.parse("tcp://localhost:1")


def test_an_address_that_others_can_reach_unencrypted_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"10\.0\.0\.1:1 is not encrypted, and"):
        Cluster.parse("tcp://10.0.0.1:1")
