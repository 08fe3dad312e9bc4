from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.store.store import IndexSet


@given(st.lists(st.integers(0, 200)))
def test_it_is_a_set(indices: list[int]) -> None:
    compact = IndexSet()
    for index in indices:
        compact.add(index)
    assert {index for index in range(210) if index in compact} == set(indices)
    assert len(compact) == len(set(indices))
