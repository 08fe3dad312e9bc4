"""Digests of sources: they change with files and with the Python files of folders, and with nothing else."""

from pathlib import Path
from runpy import run_path

from arena.source_digest import KERNEL, digest_sources, find_kernel


def test_a_digest_changes_with_its_sources_alone(tmp_path: Path) -> None:
    folder, file = tmp_path / "rules", tmp_path / "search.py"
    folder.mkdir()
    file.write_text("a = 1")
    (folder / "deals.py").write_text("b = 1")
    before = digest_sources(file, folder)
    (folder / "notes.txt").write_text("changed")
    (tmp_path / "other.py").write_text("c = 1")
    assert digest_sources(file, folder) == before
    (folder / "deals.py").write_text("b = 2")
    after = digest_sources(file, folder)
    file.write_text("a = 2")
    assert len({before, after, digest_sources(file, folder)}) == 3


def test_the_kernel_is_where_the_compiled_rules_are() -> None:
    assert (KERNEL / "compilation.py").is_file()
    assert (find_kernel("draw") / "__init__.py").is_file()


def test_an_entry_point_is_compiled_again_when_a_source_of_its_has_changed(tmp_path: Path) -> None:
    module, source = tmp_path / "double.py", tmp_path / "source.py"
    module.write_text(
        "from arena.games.kernel.compilation import entry_point\n"
        f"@entry_point({str(source)!r})\n"
        "def double(number):\n"
        "    return 2 * number\n"
    )
    loaded = []
    for text in ("a = 1", "a = 1", "a = 2"):
        source.write_text(text)
        double = run_path(str(module))["double"]
        assert double(2) == 4
        loaded.append(sum(double.stats.cache_hits.values()))
    assert loaded == [0, 1, 0]
