from regard.training.runs.comparison import differences, short_names


def test_only_what_differs_by_its_path() -> None:
    one = {"description": "x", "model": {"size": 8, "encoder": {"layers": 1}}, "seed": 1, "betas": [1, 2]}
    two = {"description": "y", "model": {"size": 8, "encoder": {"layers": 2}}, "seed": 1, "betas": [1, 3]}
    assert differences([one, two]) == {"model.encoder.layers": [1, 2], "betas": [[1, 2], [1, 3]]}
    assert differences([one, one]) == {}
    assert differences([one]) == {}


def test_what_all_recipes_have_comes_first() -> None:
    found = differences(
        [{"model": {"kind": "a", "heads": 4}, "seed": 1}, {"model": {"kind": "b"}, "seed": 2}]
    )
    assert list(found.items()) == [("model.kind", ["a", "b"]), ("seed", [1, 2]), ("model.heads", [4, None])]


def test_names_are_as_short_as_they_can_be() -> None:
    names = short_names(["training.seed", "model.encoder.size", "model.decoder.size", "size"])
    assert list(names.values()) == ["seed", "encoder.size", "decoder.size", "size"]
