"""Digests of sources: they change with files and with the Python files of folders, and with nothing else."""

from pathlib import Path

from arena.source_digest import KERNEL, digest_sources


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
