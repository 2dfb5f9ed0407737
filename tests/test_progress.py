from regard.progress import counted


def test_one_of_something_is_no_plural() -> None:
    assert counted(1, "row") == "1 row"
    assert counted(0, "row") == "0 rows"
    assert counted(2000, "row") == "2,000 rows"
    assert [counted(n, "entry", "entries") for n in (1, 2)] == ["1 entry", "2 entries"]
