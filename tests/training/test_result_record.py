import pytest

from regard.training.result_record import portable


def test_paths_under_the_data_folder_are_named_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_DATA", "/data/")
    recipe = {"data": {"test": {"path": "/data/trec/test.tsv"}, "more": ["/data2/x", "/data/y", 3, None]}}
    assert portable(recipe) == {
        "data": {
            "test": {"path": "$REGARD_DATA/trec/test.tsv"},
            "more": ["/data2/x", "$REGARD_DATA/y", 3, None],
        }
    }
    monkeypatch.delenv("REGARD_DATA")
    assert portable(recipe) == recipe
