from hypothesis import given
from hypothesis import strategies as st

from regard.text.utf8 import whole, write


def test_bytes_of_one_character_share_its_span() -> None:
    assert write(["a", b"\xeb", b"\xb7", b"\x81", "b"]) == ("a뷁b", [(0, 1), (1, 2), (1, 2), (1, 2), (2, 3)])
    assert write([b"\xeb\xb7", b"\x81\xec", b"\x80\x93"]) == ("뷁쀓", [(0, 1), (0, 2), (1, 2)])


def test_bytes_that_make_no_character() -> None:
    assert write([b"\xeb", b"\xb7", "가"]) == ("\ufffd가", [(0, 1), (0, 1), (1, 2)])
    assert write([b"\x80", b"\x80"]) == ("\ufffd\ufffd", [(0, 1), (1, 2)])
    assert write([]) == ("", [])
    assert write(["", "a", ""]) == ("a", [(0, 0), (0, 1), (1, 1)])


@given(
    st.lists(st.one_of(st.binary(min_size=1, max_size=4), st.text(min_size=1, max_size=2).map(str.encode)))
)
def test_it_is_what_python_reads_in_all_bytes_together(parts: list[bytes]) -> None:
    text, spans = write([whole(part) for part in parts])
    assert text == b"".join(parts).decode(errors="replace")
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    covered = {i for start, end in spans for i in range(start, end)}
    assert covered == set(range(len(text)))
