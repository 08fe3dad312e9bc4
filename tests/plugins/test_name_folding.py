"""Names of bots compared: form, case and characters that look alike."""

import pytest

from arena.errors import PluginError
from arena.plugins.name_folding import check_not_installed, fold_case, fold_name, read_confusables


@pytest.mark.parametrize(
    ("one", "other"),
    [("ann", "ANN"), ("straße", "STRASSE"), ("ｍine", "Mine"), ("A\u030asa", "åSA"), ("ﬁ", "FI")],
)
def test_names_that_differ_only_in_case_or_form_fold_alike(one: str, other: str) -> None:
    assert fold_case(one) == fold_case(other)
    assert fold_name(one) == fold_name(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("greedy", "grееdy"), ("lives", "Iives"), ("lives", "1ives"), ("bot-0", "bot-O"), ("mine", "rnine")],
)
def test_names_that_look_alike_fold_alike_and_keep_their_case_form(one: str, other: str) -> None:
    assert fold_case(one) != fold_case(other)
    assert fold_name(one) == fold_name(other)


def test_different_letters_stay_different() -> None:
    letters = "abcdefghjkmnopqrstuvwxyz23456789"
    assert len({fold_name(letter) for letter in letters}) == len(letters)


@pytest.mark.parametrize("name", ["ΑΒΓ-ηικ", "0Il|1m", "ƖƄ", "प्रश्न", "Ꮃ𝟏ﬀ"])
def test_folding_again_changes_nothing(name: str) -> None:
    assert fold_name(fold_name(name)) == fold_name(name)


def test_no_letter_of_an_installed_name_can_be_exchanged_for_one_that_looks_like_it() -> None:
    looks = {(letter, other) for other, alike in read_confusables().items() for letter in alike}
    looks |= {(letter, other) for other, letter in looks}
    tried = 0
    for name in ("greedy", "prudent", "stand-pat", "counter", "expert"):
        for letter, other in sorted(looks):
            if letter in name and other.isprintable():
                tried += 1
                assert fold_name(name.replace(letter, other, 1)) == fold_name(name), ascii(other)
    assert tried > 500


@pytest.mark.parametrize("name", ["greedy", "GREEDY", "ｐrudent", "grееdy", "rand0rn"])
def test_the_names_of_installed_bots_are_refused_in_any_spelling(name: str) -> None:
    with pytest.raises(PluginError, match="the name of an installed bot"):
        check_not_installed(name)
