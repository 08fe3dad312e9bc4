"""Exported files: the rows of the run, with the observations and numbers that environments have."""

import csv
import json
import sys
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena import ConfigError, DecisionRow, MissingPackage, RunData, StoreError, variant
from arena.adapters.action_space import get_action_space
from arena.adapters.observation import get_encoder
from arena.data import export
from arena.data.export import FileFormat
from arena.tournament.engine.workers import make_workers

pytestmark = pytest.mark.xdist_group("exported run")  # played and exported once

FORMULA_SIGNS = ("=", "+", "-", "@")


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders to export to, by format."""
    return {name: tmp_path_factory.mktemp("export") / name for name in ("csv", "parquet")}


@pytest.fixture
def exported(run: RunData, exports: dict[str, Path]) -> Callable[[FileFormat], Path]:
    """Return a function that exports the run, once for each format."""

    def find(format: FileFormat) -> Path:
        if format == "parquet":
            pytest.importorskip("pyarrow")
        if not exports[format].exists():
            run.export(exports[format], format)
        return exports[format]

    return find


def read_csv(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def read_parquet(path: Path) -> Any:
    return pytest.importorskip("pyarrow.parquet").read_table(path)


def decisions_of(run: RunData, game: tuple[str, int]) -> list[DecisionRow]:
    return [row for row in run.decisions if (row.variant, row.players) == game]


def decision_file(folder: Path, game: tuple[str, int]) -> Path:
    """Return the file of a game: options in its name are separated by dashes."""
    name, _, options = game[0].removesuffix(")").partition("(")
    (path,) = folder.glob(f"decisions-{name}{options and '-'}{options}-{game[1]}.*")
    return path


@pytest.mark.parametrize("content", ["matches", "deals"])
def test_csv_has_the_rows(content: str, run: RunData, exported: Callable[..., Path]) -> None:
    lines = list(read_csv(exported("csv") / f"{content}.csv"))
    rows = list(getattr(run, content))
    assert [tuple(line.values()) for line in lines] == [
        tuple("" if value is None else str(value) for value in row) for row in rows
    ]
    assert tuple(lines[0]) == getattr(run, content).columns


@pytest.mark.parametrize("content", ["matches", "deals"])
def test_parquet_has_the_rows(content: str, run: RunData, exported: Callable[..., Path]) -> None:
    rows = read_parquet(exported("parquet") / f"{content}.parquet").to_pylist()
    assert [tuple(line.values()) for line in rows] == [tuple(row) for row in getattr(run, content)]
    assert tuple(rows[0]) == getattr(run, content).columns


def replay(run: RunData, game: tuple[str, int]) -> Iterator[tuple[np.ndarray[Any, Any], ...]]:
    """Yield observation, mask and number of each decision, played from the seed without the exporter."""
    seeds = {row.block: row.seed for row in run.blocks}
    rules = {str(variant(name)): variant(name) for name in (game[0].partition("(")[0],)}
    options = dict(
        part.split("=") for part in game[0].removesuffix(")").partition("(")[2].split(", ") if part
    )
    played = rules.get(game[0]) or variant(
        game[0].partition("(")[0], **{k: int(v) for k, v in options.items()}
    )
    encoder, space = get_encoder(played, game[1]), get_action_space(played, game[1])
    for (block, _), rows in groupby(decisions_of(run, game), lambda row: (row.block, row.rotation)):
        chosen, match = iter(rows), played.match(game[1], seeds[block])
        while (seat := match.seat_to_act) is not None:
            view = match.view(seat)
            action = view.legal[next(chosen).legal_index if len(view.legal) > 1 else 0]
            if len(view.legal) > 1:
                yield encoder.encode(view), space.mask(view), np.array(space.number(action, seat))
            match.apply(action)
        assert next(chosen, None) is None


@pytest.mark.full
def test_decisions_have_the_observations_of_environments(run: RunData, exported: Callable[..., Path]) -> None:
    for game in run.games:
        table = read_parquet(decision_file(exported("parquet"), game))
        rows = decisions_of(run, game)
        observations, masks, actions = map(np.stack, zip(*replay(run, game), strict=True))
        plain = table.select(DecisionRow._fields).to_pylist()
        assert [tuple(line.values()) for line in plain] == [tuple(row) for row in rows]
        assert np.array_equal(np.stack(table["observation"].to_numpy()), observations)
        assert np.array_equal(np.stack(table["action_mask"].to_numpy()), masks)
        assert np.array_equal(table["action"].to_numpy(), actions)
        assert (masks[np.arange(len(actions)), actions] == 1).all()
        assert masks.sum(axis=1).tolist() == [row.legal for row in rows]


def test_parquet_says_what_the_numbers_are(run: RunData, exported: Callable[..., Path]) -> None:
    table = read_parquet(decision_file(exported("parquet"), ("cambio", 2)))
    told = json.loads(table.schema.metadata[b"arena"])
    layout = get_encoder(variant("cambio"), 2).layout
    assert (told["variant"], told["players"]) == ("cambio", 2)
    assert told["actions"] == list(get_action_space(variant("cambio"), 2).names)
    assert {part["name"]: slice(part["start"], part["stop"]) for part in told["observation"]} == dict(layout)


def test_csv_has_the_same_decisions(run: RunData, exported: Callable[..., Path]) -> None:
    game = ("cambio", 2)
    lines = list(read_csv(decision_file(exported("csv"), game)))
    space, layout = get_action_space(variant("cambio"), 2), get_encoder(variant("cambio"), 2).layout
    numbers = [f"{feature.name}[{at}]" for feature in layout.features for at in range(np.prod(feature.shape))]
    observations, masks, actions = zip(*replay(run, game), strict=True)
    for line, row, observation, mask, action in zip(
        lines, decisions_of(run, game), observations, masks, actions, strict=True
    ):
        assert tuple(line.values())[: len(row)] == tuple(map(str, row))
        assert [int(line[f"action_mask.{name}"]) for name in space.names] == mask.tolist()
        assert np.array_equal(
            np.array([line[f"observation.{number}"] for number in numbers], "f4"), observation
        )
        assert int(line["action"]) == action


def test_no_text_of_a_csv_file_is_a_formula(exported: Callable[..., Path]) -> None:
    for path in exported("csv").iterdir():
        for line in read_csv(path):
            cells = [*line, *line.values()]
            assert [cell for cell in cells if cell.startswith(FORMULA_SIGNS) and not is_number(cell)] == []


def is_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "").replace("e-", "").isdigit()


@pytest.mark.parametrize("format", ["csv", pytest.param("parquet", marks=pytest.mark.full)])
def test_batches_change_no_row_and_no_bytes_depend_on_the_workers(
    format: FileFormat,
    run: RunData,
    exported: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = exported(format)
    monkeypatch.setattr(export, "SEATS_PER_CALL", 1)  # so that there are many calls to take in order
    with make_workers(2) as pool:
        paths = export.export_run(run.run, tmp_path / "again", format, pool=pool)
    assert {path.name: path.read_bytes() for path in paths} == {
        path.name: path.read_bytes() for path in whole.iterdir()
    }
    monkeypatch.setattr(export, "ROWS_PER_BATCH", 7)
    for path in run.export(tmp_path / "batches", format):
        if format == "csv":
            assert path.read_bytes() == (whole / path.name).read_bytes()
        else:
            assert read_parquet(path).equals(read_parquet(whole / path.name))


def test_batches_are_row_groups(run: RunData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(export, "ROWS_PER_BATCH", 7)
    for path in run.export(tmp_path / "out", only=["decisions"]):
        groups = parquet.ParquetFile(path).metadata
        sizes = [groups.row_group(at).num_rows for at in range(groups.num_row_groups)]
        assert len(sizes) > 1
        assert max(sizes) == 7


def test_only_what_is_asked_for_is_written(run: RunData, tmp_path: Path) -> None:
    assert run.export(tmp_path / "a", "csv", only=["deals"]) == [tmp_path / "a/deals.csv"]
    paths = run.export(tmp_path / "b", "csv", variant="thirty-one", only=["matches", "decisions"])
    assert [path.name for path in paths] == [
        *("matches.csv", "decisions-thirty-one-tokens=1-2.csv", "decisions-thirty-one-tokens=1-3.csv")
    ]
    assert {line["variant"] for line in read_csv(paths[0])} == {"thirty-one(tokens=1)"}


def test_wrong_calls_are_errors_and_leave_nothing(run: RunData, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="is not empty: name a new folder"):
        run.export(tmp_path, "csv")
    with pytest.raises(ConfigError, match="this run has no 'livs'; there are bastard-brag, cambio, "):
        run.export(tmp_path / "out", "csv", variant="livs")
    with pytest.raises(ConfigError, match="no format 'xml'; there are parquet, csv"):
        run.export(tmp_path / "out", "xml")  # type: ignore[arg-type]
    with pytest.raises(
        ConfigError, match="there are no 'bots' to export; there are matches, deals, decisions"
    ):
        run.export(tmp_path / "out", "csv", only=["bots"])  # type: ignore[list-item]
    with pytest.raises(StoreError, match="mine/out cannot be created: Not a directory"):
        run.export(tmp_path / "mine/out", "csv")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_without_pyarrow_parquet_names_the_extra(
    run: RunData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackage, match=r"pyarrow is not installed: .*commerce-arena\[parquet\]"):
        run.export(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_damaged_run_leaves_no_file(changed: Callable[..., RunData], tmp_path: Path) -> None:
    run = changed("UPDATE block SET actions = (SELECT actions FROM block WHERE place = 1) WHERE place = 0")
    with pytest.raises(StoreError, match=r"block 0 .* its digest does not match its bytes"):
        run.export(tmp_path / "out", "csv")
    assert not (tmp_path / "out").exists()
