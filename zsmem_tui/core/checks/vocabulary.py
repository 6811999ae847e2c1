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

GENERIC: Final = frozenset(
    listed("""use uses used using usage utilise utilize prefer preferred prefers always must need needs needed require required
    requires allow allowed fine ok okay please make makes keep keeps set sets run runs running start starts begin begins
    happen happens take takes go goes listen listens get gets value setting default currently exactly interval number amount
    verwenden verwendet verwende benutzen benutzt nutzen nutzt nehmen nimmt immer stets bitte brauchen braucht nötig erlaubt
    läuft laufen beginnt beginnen startet starten lauscht liegt beträgt gilt wert 使 使用 利用 必 絶対 常 必要 実行 行 開始 始
    既定 許可 可 可能 lang lassen lässt lasse held hold holds 毎週 毎日 毎回 window schedule
    schedules zeitplan""")
)
"""Words that one of two lines about the same may have more than the other."""

SCOPES: Final = listed(
    """staging production prod dev development test tests testing ci local locally remote internal external public private beta
    alpha debug release nightly weekly daily monthly hourly summer winter spring autumn morning evening noon night weekend
    weekends weekday phone phones tablet tablets watch desktop laptop server client admin guest guests customer customers
    employee employees frontend backend primary secondary replica master upload uploads download downloads import imports
    export exports read reads write writes input output incoming outgoing inbound outbound uplink downlink first last old
    new legacy large small short long max min maximum minimum android ios linux windows mac macos web mobile left right
    front back north south east west child children adult adults sommer winter herbst frühling morgens abends vormittags
    nachmittags nachts werktags wochenende intern extern öffentlich privat kinder erwachsene eingang ausgang hinweg rückweg
    alt neu 本番 開発 検証 社内 社外 夏 冬 春 秋 朝 昼 夕方 夜 平日 土日 祝日 大人 子供 団体 一般 旧 新"""
)
"""Words that say for whom, where or when something holds."""

UNIVERSAL: Final = frozenset(
    listed("""every all any each everywhere anywhere always jede jeder jedes jeden alle allen überall immer""")
)

PAIRS: Final = (
    "tabs tab | spaces space blanks | tabulator tabulatoren | leerzeichen",
    "タブ | スペース 空白",
    "single einfache | double doppelte",
    "merge | rebase | squash",
    "camelcase | snake_case | kebab-case | pascalcase",
    "light hell | dark dunkel",
    "enabled aktiviert 有効 オン | disabled deaktiviert 無効 オフ",
    "required mandatory pflicht 必須 | optional freiwillig 任意",
    "npm | pnpm | yarn | bun",
    "utc | local",
    "ssh | https",
    "ascending aufsteigend 昇順 | descending absteigend 降順",
    "metric metrisch | imperial",
    "lowercase | uppercase",
    "horizontal 横 横書 | vertical senkrecht 縦 縦書",
    "synchronous synchron 同期 | asynchronous asynchron 非同期",
    "lf | crlf",
    "monday mondays montag montags 月曜 月曜日 | tuesday tuesdays dienstag dienstags 火曜 火曜日"
    " | wednesday wednesdays mittwoch mittwochs 水曜 水曜日 | thursday thursdays donnerstag donnerstags 木曜 木曜日"
    " | friday fridays freitag freitags 金曜 金曜日 | saturday saturdays samstag samstags sonnabend 土曜 土曜日"
    " | sunday sundays sonntag sonntags 日曜 日曜日",
)
"""Words of which one excludes the other, and the weekdays."""

PAIR_OF: Final = {
    word: (f"pair {number}", member[0]) for number, row in enumerate(PAIRS) for member in grouped(row) for word in member
}
"""Of each such word: its pair, and which of the pair it is."""

UNITS: Final = frozenset(
    listed("""ms s sec secs second seconds min mins minute minutes h hr hrs hour hours d day days week weeks month
    months year years b
    byte bytes kb mb gb tb kib mib gib tib bit bits px pixel pixels pt em rem % percent mm cm m km g kg mg t l ml ° °c °f k
    v mv kv a ma mah w kw kwh hz khz mhz ghz dpi fps rpm bar psi euro euros eur usd dollar dollars chf yen cent cents worker
    workers thread threads process processes retry retries attempt attempts connection connections character characters char
    chars line lines row rows column columns item items request requests call calls replica replicas page pages user users
    person persons people copy copies time times space spaces backup backups version versions file files reviewer reviewers
    approval approvals entry entries sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate
    monaten jahr jahre jahren uhr zeichen zeile zeilen prozent grad stück mal personen person seiten seite versuche versuch
    euro kopien punkt punkte 秒 分 時間 時 日 週間 週 か月 ヶ月 月 年 回 件 個 本 枚 人 名 円 行 文字 台 点 倍 度 歳 階 ミリ秒""")
)
"""What a number counts or measures."""

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

EARLIER: Final = frozenset(
    listed(
        """until till was were had formerly previously earlier originally initially historically replaced changed raised lowered
        decided except exception exceptionally unless only temporarily temporary
        bis früher vorher bisher ursprünglich damals war waren galt wurde ersetzt seit außer ausgenommen ausnahme nur vorübergehend
        sofern"""
    )
)
"""Words by which a line speaks of an earlier state or of an exception."""

EARLIER_PHRASES: Final = (
    "used to |no longer|not any more|not anymore|so far|as of |instead of|other than|apart from|one night|for now|this time"
    "|nicht mehr|before [0-9]{4}|since (?:[0-9]|january|february|march|april|may|june|july|august|september|october|november"
    "|december|version|then)"
    "|以前|以降|かつて|だった|でした|もともと|当初|変更|(?<![回人件個台枚円名点倍字数])まで|例外|ただし|除く|除き|除いて|以外|だけ|のみ|一時的|今回"
)
"""The same in several words, and in Japanese."""

CONDITIONS: Final = frozenset(listed("if when whenever unless where wenn falls sobald sofern"))
"""Words that bind a clause to a condition."""

CONDITIONS_JA: Final = "場合|とき|時は|際|なら"


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
