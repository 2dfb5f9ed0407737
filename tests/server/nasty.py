"""Texts on which programs have failed: jamo, invisible and half characters, syntax, much of one thing."""

import itertools
import unicodedata
from collections.abc import Iterator

import numpy as np

KOREAN = [
    "저는 달을 봤어요.",
    "나는 책을 읽었다.",
    "값싼 외투를 넋 놓고 훑었다",
    "꿇어앉아 닭을 봐요?",
    "뷁쀓괎띿",
]
JAMO = [*range(0x1100, 0x1113), *range(0x1161, 0x1176), *range(0x11A8, 0x11C3)]
COMPATIBILITY_JAMO = [*range(0x3131, 0x318F)]
OTHER_JAMO = [0x115F, 0x1160, 0x119E, 0x11FF, 0xA960, 0xA97C, 0xD7B0, 0xD7FB, 0xFFA0, 0xFFA1, 0xFFDC, 0x302E]
CONTROL = [*range(0x20), *range(0x7F, 0xA0)]
INVISIBLE = [
    0xA0, 0xAD, 0x34F, 0x1680, 0x180E, 0x2000, 0x2007, 0x200B, 0x200C, 0x200D, 0x2028, 0x2029, 0x202F, 0x205F,
    0x2060, 0x2061, 0x2064, 0x3000, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFFF9, 0xFFFC, 0xFFFD, 0xE0001,
    0xE0020, 0xE0100,
]  # fmt: skip
BIDI = [0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
NO_CHARACTERS = [0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x1FFFF, 0xE000, 0xF8FF, 0x10FFFE, 0x10FFFF]
HALF = ["\ud800", "\udbff", "\udc00", "\udfff", "\udc00\ud800", "\ud800\ud800", "\udc80"]
EMOJI = [
    "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "\U0001f468\U0001f3ff\u200d\U0001f680",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
    "\U0001f3f4\u200d\u2620\ufe0f",
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "\U0001f1f0\U0001f1f7",
    "\U0001f1f0",
    "\U0001f1f0\U0001f1f7\U0001f1fa",
    "\U0001f44d\U0001f3fd",
    "1\ufe0f\u20e3",
    "#\ufe0f\u20e3",
    "\u2764\ufe0f\u200d\U0001f525",
    "\U0001f9d1\U0001f3fb\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f9d1\U0001f3ff",
    "\u263a\ufe0f",
    "\u2639",
    "\U0001fae0",
    "\xa9\ufe0f",
    "\U0001f233",
    "\U0001f004",
    "\U0001f937\U0001f3fe\u200d\u2642\ufe0f",
    "\u200d\U0001f469",
    "\U0001f469\u200d",
    "\U0001f3ff",
    "\ufe0f",
    "\u20e3",
]  # families, flags, skins, keycaps; whole and in halves
SCRIPTS = [
    "책", "book", "книга", "βιβλίο", "ספר", "كتاب", "किताब", "หนังสือ", "本", "ཀིཏབ", "პური", "ከታብ",
    "𐍃𐌿𐌽𐌿𐍃", "𝒷ℴℴ𝓀",
]  # fmt: skip
SYNTAX = r"""
<script>alert(1)</script>
<img src=x onerror=alert(1)>
<svg/onload=alert(1)>
"><b>
</textarea><!--
<b><i></b></i>
<b
<a href="javascript:alert(1)">책</a>
<![CDATA[책]]>
<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>
<!ENTITY x SYSTEM "file:///etc/passwd">
&lt;b&gt;
&#0;
&#xD800;
&#x110000;
&#99999999999;
&notanentity;
&amp;amp;amp;
{name} {0} {0.__class__} {
{{7*7}}
${7*7}
${jndi:ldap://127.0.0.1/a}
#{7*7}
<%= 7*7 %>
%s %d %n %x %1$s %%
%00 %0a %c0%ae
\0 \x00 \u0000 \n \r\n
\
\\
"
'
''''
`
' OR 1=1 --
1; DROP TABLE users
'); DELETE FROM a WHERE 'x'='x
admin'/*
*/ ; --
../../../../etc/passwd
..\..\windows\win.ini
file:///dev/zero
C:\con\con
/dev/null
~root
$HOME
$(sleep 9)
`sleep 9`
; sleep 9
| cat
&& exit
-rf /
--help
=1+1
=cmd|' /C calc'!A0
@SUM(1)
\x1b[31m
__proto__
constructor
__import__('os')
null
undefined
None
True
false
NaN
nan
Infinity
-Infinity
-0
1e309
1e-400
0x1p-1074
00
1_000
١٢٣
½
Ⅷ
9999999999999999999999999999
[]
{}
{"a":
[[[[
]]]]
"a":1,
// /* # --
!!python/object:os.system
&a [*a, *a]
data: [DONE]
event: x
<s>
</s>
<unk>
<pad>
<s></s><s></s>
[CLS]
[SEP]
[MASK]
[UNK]
[PAD]
▁
▁▁▁
##책
@@
<0x00>
<0xFF>
<2en>
<|endoftext|>
<extra_id_0>
ﷺ
ﬀ ﬁ ﬃ
İ ı ſ ẞ ß
Ω Ω K Å
ŀ ㎏ ㏑ ㍿ ㋿
①②③ ㉠ ㈀
""".strip("\n").split("\n")
MUCH = [
    "x",
    " ",
    "가",
    "ㅋ",
    "\u1100",
    "\u0301",
    "\u200d",
    "👩‍",
    "<b>",
    "a ",
    ".",
    "\n",
    "&",
    "\0",
    "(",
    "(가",
]


def nasty_texts() -> list[str]:
    """All of them, each once, in the same order for everybody."""
    return list(dict.fromkeys(_all()))


def _all() -> Iterator[str]:
    yield ""
    yield from map(chr, JAMO + COMPATIBILITY_JAMO + OTHER_JAMO)
    for text in KOREAN:
        yield from (text, unicodedata.normalize("NFD", text), unicodedata.normalize("NFKD", text))
        yield unicodedata.normalize("NFD", text)[1:]  # begins with a vowel without its consonant
    for number in (*CONTROL, *INVISIBLE, *BIDI, *NO_CHARACTERS):
        yield f"나는 책{chr(number)}을 읽었다."
    for number in (*INVISIBLE, *BIDI):
        yield chr(number)
    for half in HALF:
        yield from (half, f"책{half}", f"{half}책", f"나는 {half} 책")
    yield from EMOJI
    yield "".join(EMOJI)
    for first, second in itertools.combinations(SCRIPTS, 2):
        yield first + second
    yield "책" + "\u0301\u0489\u20dd" * 30
    yield from SYNTAX
    for piece in MUCH:
        yield piece * 300
        yield piece * (100_000 // len(piece))
    rng = np.random.default_rng(1)
    for size in range(1, 41):
        numbers = rng.integers(1, 0x110000, size) if size % 2 else rng.integers(0x1100, 0x1200, size)
        yield "".join(chr(number) for number in numbers if not 0xD800 <= number < 0xE000)
