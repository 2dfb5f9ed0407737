import pytest

from regard.world.english import be, do, indefinite_article, participle, past, plural, third_person


@pytest.mark.parametrize(
    ("verb", "third", "simple_past", "ing"),
    [
        ("read", "reads", "read", "reading"),
        ("go", "goes", "went", "going"),
        ("study", "studies", "studied", "studying"),
        ("play", "plays", "played", "playing"),
        ("wash", "washes", "washed", "washing"),
        ("write", "writes", "wrote", "writing"),
        ("run", "runs", "ran", "running"),
        ("arrive", "arrives", "arrived", "arriving"),
        ("listen to", "listens to", "listened to", "listening to"),
        ("pick up", "picks up", "picked up", "picking up"),
        ("fix", "fixes", "fixed", "fixing"),
        ("blow", "blows", "blew", "blowing"),
        ("stir", "stirs", "stirred", "stirring"),
        ("get better", "gets better", "got better", "getting better"),
    ],
)
def test_verbs(verb: str, third: str, simple_past: str, ing: str) -> None:
    assert (third_person(verb), past(verb), participle(verb)) == (third, simple_past, ing)


@pytest.mark.parametrize(
    ("singular", "expected"),
    [
        ("book", "books"),
        ("box", "boxes"),
        ("city", "cities"),
        ("monkey", "monkeys"),
        ("potato", "potatoes"),
        ("child", "children"),
        ("police officer", "police officers"),
        ("fisherman", "fishermen"),
    ],
)
def test_plurals(singular: str, expected: str) -> None:
    assert plural(singular) == expected


def test_article_follows_the_sound() -> None:
    words = ("book", "umbrella", "university", "honest", "house", "engineer")
    assert [indefinite_article(word) for word in words] == ["a", "an", "a", "an", "a", "an"]


def test_agreement() -> None:
    assert [be(who, past=False) for who in ("I", "singular", "plural")] == ["am", "is", "are"]
    assert [be(who, past=True) for who in ("I", "singular", "plural")] == ["was", "was", "were"]
    assert [do(who, past=False) for who in ("I", "singular", "plural")] == ["do", "does", "do"]
    assert do("singular", past=True) == "did"
