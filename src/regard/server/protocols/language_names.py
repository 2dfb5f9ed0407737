"""Languages by their ISO 639-1 codes: their English names, and the scripts that they are written in."""

import re

_NAMES: dict[str, str] = dict(
    re.findall(
        r"([a-z]{2}) ([^,\n]+)",
        """
    aa Afar, ab Abkhazian, af Afrikaans, ak Akan, am Amharic, an Aragonese, ar Arabic, as Assamese,
    av Avaric, ay Aymara, az Azerbaijani, ba Bashkir, be Belarusian, bg Bulgarian, bm Bambara, bn Bengali,
    bo Tibetan, br Breton, bs Bosnian, ca Catalan, ce Chechen, co Corsican, cs Czech, cv Chuvash, cy Welsh,
    da Danish, de German, dv Divehi, dz Dzongkha, ee Ewe, el Greek, en English, eo Esperanto, es Spanish,
    et Estonian, eu Basque, fa Persian, ff Fulah, fi Finnish, fj Fijian, fo Faroese, fr French,
    fy Western Frisian, ga Irish, gd Scottish Gaelic, gl Galician, gn Guarani, gu Gujarati, gv Manx,
    ha Hausa, he Hebrew, hi Hindi, hr Croatian, ht Haitian, hu Hungarian, hy Armenian, ia Interlingua,
    id Indonesian, ig Igbo, io Ido, is Icelandic, it Italian, iu Inuktitut, ja Japanese, jv Javanese,
    ka Georgian, kk Kazakh, kl Greenlandic, km Khmer, kn Kannada, ko Korean, ks Kashmiri, ku Kurdish,
    kv Komi, kw Cornish, ky Kyrgyz, la Latin, lb Luxembourgish, lg Ganda, li Limburgish, ln Lingala, lo Lao,
    lt Lithuanian, lv Latvian, mg Malagasy, mi Maori, mk Macedonian, ml Malayalam, mn Mongolian, mr Marathi,
    ms Malay, mt Maltese, my Burmese, nb Norwegian Bokmål, ne Nepali, nl Dutch, nn Norwegian Nynorsk,
    no Norwegian, nv Navajo, ny Chichewa, oc Occitan, om Oromo, or Oriya, os Ossetian, pa Punjabi,
    pl Polish, ps Pashto, pt Portuguese, qu Quechua, rm Romansh, rn Rundi, ro Romanian, ru Russian,
    rw Kinyarwanda, sa Sanskrit, sc Sardinian, sd Sindhi, se Northern Sami, sg Sango, si Sinhala, sk Slovak,
    sl Slovenian, sm Samoan, sn Shona, so Somali, sq Albanian, sr Serbian, ss Swati, st Southern Sotho,
    su Sundanese, sv Swedish, sw Swahili, ta Tamil, te Telugu, tg Tajik, th Thai, ti Tigrinya, tk Turkmen,
    tl Tagalog, tn Tswana, to Tonga, tr Turkish, ts Tsonga, tt Tatar, tw Twi, ty Tahitian, ug Uyghur,
    uk Ukrainian, ur Urdu, uz Uzbek, ve Venda, vi Vietnamese, vo Volapük, wa Walloon, wo Wolof, xh Xhosa,
    yi Yiddish, yo Yoruba, za Zhuang, zh Chinese, zu Zulu
    """,
    )
)

_SCRIPTS = {
    code: frozenset(scripts)
    for scripts, codes in (
        (("HANGUL",), "ko"),
        (("KANA", "CJK"), "ja"),
        (("CJK",), "zh"),
        (("CYRILLIC",), "ab av ba be bg ce cv kk kv ky mk mn os ru tg tt uk"),
        (("CYRILLIC", "LATIN"), "sr"),
        (("ARABIC",), "ar fa ks ps sd ug ur"),
        (("DEVANAGARI",), "hi mr ne sa"),
        (("ETHIOPIC",), "am ti"),
        (("HEBREW",), "he yi"),
        (("BENGALI",), "as bn"),
        (("TIBETAN",), "bo dz"),
        (("GREEK",), "el"),
        (("ARMENIAN",), "hy"),
        (("GEORGIAN",), "ka"),
        (("KHMER",), "km"),
        (("KANNADA",), "kn"),
        (("LAO",), "lo"),
        (("MALAYALAM",), "ml"),
        (("MYANMAR",), "my"),
        (("ORIYA",), "or"),
        (("GURMUKHI",), "pa"),
        (("GUJARATI",), "gu"),
        (("SINHALA",), "si"),
        (("TAMIL",), "ta"),
        (("TELUGU",), "te"),
        (("THAI",), "th"),
        (("THAANA",), "dv"),
        (("CANADIAN",), "iu"),
    )
    for code in codes.split()
}
_LATIN = frozenset(("LATIN",))


def language_name(code: str) -> str:
    """The English name; the code itself where that is none of the standard's."""
    return _NAMES.get(_plain(code), code)


def scripts_of(code: str) -> frozenset[str]:
    """The scripts of a language, as `regard.text.scripts` names them; Latin where no other is known."""
    return _SCRIPTS.get(_plain(code), _LATIN)


def _plain(code: str) -> str:
    """Without a region or a script: pt-BR is Portuguese."""
    return code.replace("_", "-").split("-", 1)[0].lower()
