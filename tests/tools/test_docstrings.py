from reference.docstrings import laid_out


def test_arguments_and_result_become_sections() -> None:
    docstring = "Do it.\n\nn_best:    how many,\n           at most 5\nwidth: of the search\nreturns: a list"
    assert laid_out(docstring, ["n_best", "width"]) == (
        "Do it.\n\nArgs:\n    n_best: how many, at most 5\n    width: of the search\n\nReturns:\n    a list"
    )


def test_what_is_no_argument_is_text() -> None:
    docstring = "Note: this is text.\n\nso: is this"
    assert laid_out(docstring, ["width"]) == docstring


def test_symbols_are_not_taken_for_tags() -> None:
    assert laid_out("with </s> and `<unk>`, 1 < 2") == "with &lt;/s> and `<unk>`, 1 < 2"


def test_examples_become_code_as_they_are() -> None:
    assert laid_out("Do it.\n\n>>> f('<s>')\n1") == "Do it.\n\n```pycon\n>>> f('<s>')\n1\n```"
