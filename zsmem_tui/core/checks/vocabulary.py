"""Words of English, German and Japanese that rules know, as data."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.text import words


def listed(text: str) -> list[str]:
    """The words of a list."""
    return words(text)


def grouped(text: str) -> list[list[str]]:
    """The words of a list of lists, which `|` parts."""
    return [words(part) for part in text.split("|")]


SMALL: Final = frozenset(
    listed("""a an the this that these those it its they them their there here he she his her we our us you your i me
    my one ones s t
    is are was were be been being am do does did done has have had having will would shall should can could may might must
    of in on at to from by for with without into onto out off over under up down as than then so and or but nor if when
    while where which who whom whose what how why any some each every all both same such very just also too only own before
    after about between during through again ever yes etc via per because since until der die das den dem des ein eine einen
    einem einer eines und oder aber nicht ist sind war waren sein wird werden wurde wurden hat haben hatte im in am an auf
    aus bei bis mit nach von vom vor zu zum zur durch ueber über unter um als wie auch noch nur wenn dann da weil dass damit
    denn es er sie ihr ihre ihren wir uns unser unsere man sich so jede jeder jedes jeden alle allen dieser diese dieses
    diesen diesem kann können muss müssen soll sollen darf dürfen für ohne je pro""")
)
"""Words that say nothing on their own."""

NEGATIONS: Final = frozenset(
    listed("""not no never none nor cannot cant dont doesnt isnt arent wont mustnt shouldnt didnt avoid forbid forbidden prohibited
    banned disallowed neither without nicht nie niemals kein keine keinen keinem keiner keines verboten untersagt vermeiden
    unzulässig ohne 禁止 厳禁 不可 不要""")
)

NUMBER_WORDS: Final = {
    word: value
    for value, own in enumerate(
        grouped("""zero null | eins | two zwei beide both twice zweimal | three drei thrice dreimal | four vier |
        five fünf | six sechs |
    seven sieben | eight acht | nine neun | ten zehn | eleven elf | twelve zwölf | thirteen dreizehn | fourteen vierzehn |
    fifteen fünfzehn | sixteen sechzehn | seventeen siebzehn | eighteen achtzehn | nineteen neunzehn | twenty zwanzig""")
    )
    for word in own
} | {"thirty": 30, "dreißig": 30, "forty": 40, "vierzig": 40, "fifty": 50, "fünfzig": 50, "sixty": 60, "sechzig": 60, "ninety": 90}
"""Numbers that are written as words."""

KANJI_DIGITS: Final = dict(zip("〇零一二三四五六七八九", (0, *range(10)), strict=True))
KANJI_POWERS: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000}

IRREGULAR: Final = dict(
    pair.split("/")
    for pair in listed("""sent/send kept/keep held/hold built/build written/write wrote/write taken/take took/take
    gone/go went/go made/make
    ran/run begun/begin began/begin bought/buy brought/bring chosen/choose chose/choose drawn/draw drew/draw driven/drive
    drove/drive fallen/fall fell/fall felt/feel found/find given/give gave/give grown/grow grew/grow known/know knew/know
    left/leave lent/lend lost/lose meant/mean met/meet paid/pay said/say seen/see saw/see sold/sell shown/show spoken/speak
    spoke/speak spent/spend stood/stand taught/teach thought/think told/tell understood/understand won/win worn/wear
    hidden/hide hid/hide broken/break broke/break frozen/freeze froze/freeze got/get gotten/get hung/hang laid/lay led/lead
    lit/light risen/rise rose/rise stolen/steal stole/steal stuck/stick swept/sweep thrown/throw threw/throw woken/wake
    slept/sleep dealt/deal dug/dig fed/feed caught/catch sought/seek bound/bind ground/grind wound/wind shot/shoot
    forgotten/forget forgot/forget eaten/eat ate/eat people/person children/child men/man women/woman mice/mouse
    indices/index matrices/matrix criteria/criterion""")
)
"""Forms of words that no ending tells."""
