"""How Markdown is drawn: marks within a line, what stands in a quote, code."""

from __future__ import annotations

import random

import pytest
from rich.cells import cell_len

from zsmem_tui.core.markdown import Kind
from zsmem_tui.core.text import lines
from zsmem_tui.ui.reading import rows
from zsmem_tui.ui.reading.blocks import LinkStyle, inline, link_words
from zsmem_tui.ui.reading.page import CODE_PIECE, PIECE_CHARS, Page, Place, between, gutter_of, links_of, next_link, whole_lines
from zsmem_tui.ui.reading.rows import LONG_LINE, Drawn, break_line, clean


def laid_out(text: str, *, raw: bool = False, width: int = 60, keeps_breaks: bool = False, folds: bool = False) -> Page:
    page = Page(text, folds=folds)
    page.start(width, raw=raw, keeps_breaks=keeps_breaks)
    for _ in page.lay_out():
        pass
    return page


def rows_of(page: Page) -> list[list[tuple[str, str]]]:
    return [page.spans(row)[0] for row in range(page.row_count)]


def styles_of(page: Page) -> dict[str, str]:
    """The style of every piece of text that is drawn."""
    return {words.strip(): style for row in rows_of(page) for words, style in row}


def colour(page: Page) -> None:
    """Give the page every colour that it wants."""
    for piece in list(page.colours.wanted):
        page.keep_colours(piece, page.colours.look(piece, clean))


def drawn(text: str, width: int = 60) -> list[list[tuple[str, str]]]:
    return rows_of(laid_out(text, width=width))


def plain(text: str, width: int = 60) -> list[str]:
    return ["".join(words for words, _ in row) for row in drawn(text, width)]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("***x***", [("x", "bold-italic")]),
        ("a ***b c*** d", [("a ", "text"), ("b c", "bold-italic"), (" d", "text")]),
        ("___x___", [("x", "bold-italic")]),
        ("**x**", [("x", "bold")]),
        ("*x*", [("x", "italic")]),
        ("***", [("***", "text")]),
        ("2 *** 3 *** 4", [("2 *** 3 *** 4", "text")]),
        ("snake___case___name", [("snake___case___name", "text")]),
        ("rated *****, (********)", [("rated *****, (********)", "text")]),
        ("name: ________ **x**", [("name: ________ ", "text"), ("x", "bold")]),
    ],
)
def test_marks_within_a_line(text: str, spans: list[tuple[str, str]]) -> None:
    assert inline(text) == spans


@pytest.mark.parametrize("sign", ["*", "_"])
def test_a_long_row_of_signs_is_text(sign: str) -> None:
    assert {char for words, _ in inline(f"a {sign * 3_000}") for char in words} == {"a", " ", sign}


HEAD = '---\nname: tabs\ndescription: "Use \\"tabs\\" in Go"\nmetadata:\n  type: feedback\n---\n'


@pytest.mark.parametrize(
    ("head", "says"),
    [
        (HEAD, 'feedback · Use "tabs" in Go · R shows all of it'),
        ("---\nlabel: human\nlimit: 5000\n---\n", "human · R shows all of it"),
        ("---\ntags: [a, b]\npaths: x\n...\n", "tags, paths · R shows all of it"),
        ("---\ndescription: >-\n  long\nname: it\n---\n", "it · R shows all of it"),
        ("---\n# nothing\n---\n", "R shows all of it"),
        ("---\ntype: \x1b[31mred\n---\n", "␛[31mred · R shows all of it"),
    ],
)
def test_a_frontmatter_is_one_row_that_says_what_it_says(head: str, says: str) -> None:
    text, count = f"{head}\nBody.\n", head.count("\n")
    page = laid_out(text, folds=True)
    assert [page.plain(row) for row in range(page.row_count)] == [f"▸ {says}", "", "Body."]
    assert [page.row_of(line) for line in range(count + 2)] == [*[0] * count, 1, 2] and page.line_of(1) == count
    first, last, numbers = whole_lines(page, Place(0, 0), Place(0, 3))
    assert numbers == range(count) and (first.row, last.row) == (0, 0)
    assert between(page, Place(0, 0), Place(9, 0)) == f"{head}\nBody.", "what is copied is what stands there"
    assert between(page, Place(0, 2), Place(0, 4)) == says[:2] and page.find([b"body"]) == [count + 1]
    assert laid_out(text, folds=True, raw=True).row_count == len(page.lines) == laid_out(text).row_count


def test_a_list_in_a_quote_has_an_item_on_each_row() -> None:
    assert plain("> - one\n> - two\n>   goes on\n> 1. three\n") == ["▎ • one", "▎ • two goes on", "▎ 1. three"]


def test_a_checklist_and_a_heading_in_a_quote() -> None:
    assert plain("> # Title\n> text\n> goes on\n>\n> - [ ] open\n> - [x] done\n") == [
        "▎ ▌ Title",
        "▎ text goes on",
        "▎ ",
        "▎ ☐ open",
        "▎ ☑ done",
    ]


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_a_fence_in_a_quote_keeps_its_lines_and_their_indent(fence: str) -> None:
    text = f"> before\n> {fence}python\n> def f():\n>     return 1\n>\n> # no heading\n> {fence}\n> after\n"
    assert plain(text) == ["▎ before", "▎  python", "▎  def f():", "▎      return 1", "▎  ", "▎  # no heading", "▎ ", "▎ after"]
    styles = [{style for words, style in row if words.strip("▎ ")} for row in drawn(text)]
    assert styles[3] == {"code-block"} and styles[5] == {"code-block"}


def test_quotes_in_quotes_and_paragraphs_in_them() -> None:
    assert plain("> one\n> two\n>> inner\n>> - item\n> back\n") == ["▎ one two", "▎ ▎ inner", "▎ ▎ • item", "▎ back"]


def test_an_underlined_heading_in_a_quote_loses_nothing() -> None:
    found = plain("> Title\n> =====\n> text\n", 20)
    assert found[0] == "▎ ▌ Title" and found[-1] == "▎ text"


def test_the_first_cell_of_a_code_line_is_shaded_as_the_rest() -> None:
    for row in drawn("```\ncode\n```\n")[1:2]:
        assert {style for _, style in row} == {"code-block"}


@pytest.mark.parametrize(
    "text",
    [
        "> ",
        ">",
        ">>>",
        "> ```",
        "> ```\nnot quoted\n> ```\n",
        "> ---\n> ***\n",
        "> | a | b |\n> |---|---|\n> | 1 | 2 |\n",
        ">\t- x\n> \x1b[2J\n",
        "- item\n> quote\n- item\n",
    ],
)
def test_every_quote_can_be_laid_out_and_no_line_is_lost(text: str) -> None:
    for width in (1, 3, 20, 80):
        page = laid_out(text, width=width)
        assert page.complete and page.row_count >= 1
        assert [page.row_of(line) for line in range(len(lines(text)))] == sorted(
            page.row_of(line) for line in range(len(lines(text)))
        )


def test_the_cells_of_a_table_are_broken_within_their_columns() -> None:
    text = "| a | words |\n|---|------:|\n| 1 | one two three four five |\n| 2 | [six](s.md) **seven** |\n"
    assert plain(text, 20) == [
        "a │            words",
        "──┼─────────────────",
        "1 │    one two three",
        "  │        four five",
        "2 │ six (s.md) seven",
    ]


def test_a_table_that_fits_has_a_row_each_and_words_that_do_not_fit_are_cut_into() -> None:
    assert plain("|a|b|\n|-|-|\n|c|d|\n", 20) == ["a │ b", "──┼──", "c │ d"]
    assert plain("|a|\n|-|\n|abcdefgh|\n", 4) == ["a   ", "────", "abcd", "efgh"]


@pytest.mark.parametrize("width", [1, 2, 3, 7])
def test_a_table_in_next_to_no_room_is_drawn(width: int) -> None:
    assert plain("|a b|c|d|\n|-|-|-|\n|日本語|x|\n", width)


def test_the_lines_of_a_paragraph_stay_lines_where_that_is_wished() -> None:
    page = laid_out("one *two\nthree* four five\n\n- item\n  goes on\n", width=12, keeps_breaks=True)
    rows = [page.plain(row).rstrip(" ") for row in range(page.row_count)]
    assert rows == ["one two", "three four", "five", "", "• item", "  goes on"]
    assert [page.line_of(row) for row in range(page.row_count)] == [0, 1, 1, 2, 3, 4]
    assert [page.row_of(line) for line in range(5)] == [0, 1, 3, 4, 5]


CODE = "```python\ndef f():\n    return 'x'  # why\n```\n"


@pytest.mark.parametrize("raw", [False, True])
def test_code_gets_its_colours_once_they_are_known(raw: bool) -> None:
    page = laid_out(CODE, raw=raw)
    before = rows_of(page)
    assert len(page.colours.wanted) == 1
    colour(page)
    assert page.colours.wanted == []
    assert [page.plain(row) for row in range(page.row_count)] == ["".join(words for words, _ in row) for row in before]
    styles = styles_of(page)
    assert styles["def"] == styles["return"] == "code-keyword" and styles["f"] == "code-name"
    assert styles["'x'"] == "code-string" and styles["# why"] == "code-comment"


@pytest.mark.parametrize("fence", ["```", "``` no-such-language", "~~~ {.nothing}"])
def test_code_of_no_known_language_stays_as_it_is(fence: str) -> None:
    page = laid_out(f"{fence}\ndef f():\n")
    page.spans(1)
    colour(page)
    assert page.colours.wanted == [] and {style for _, style in page.spans(1)[0]} == {"code-block"}


def test_of_much_code_only_what_is_drawn_is_looked_at() -> None:
    page = laid_out("```python\n" + "x = 1\n" * 5_000)
    assert page.colours.wanted == []  # laying out asks for no colour
    page.spans(4_000)
    (piece,) = page.colours.wanted
    assert piece <= 4_000 and len(page.colours.look(piece, clean)) == CODE_PIECE
    for row in range(0, 5_000, 50):
        page.spans(row)
    assert len(page.colours.wanted) <= 8


def test_a_raw_line_says_what_stands_in_the_file_in_colours() -> None:
    text = "# Head *x*\n- [x] **done** [a](b.md)\n> quoted `code`\nkey: **v**\n| a | b |\n|---|---|\n---\n"
    page = laid_out(text, raw=True)
    assert [page.plain(row) for row in range(page.row_count)] == lines(text)
    assert page.spans(0)[0] == [("# Head *x*", "h1")]
    assert [style for _, style in page.spans(1)[0]] == ["mark", "bold", "done", "link"]
    assert page.spans(2)[0][-1] == ("`code`", "code")


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("see [a](notes/a.md) and https://x.org/y.", ["notes/a.md", "https://x.org/y"]),
        ("[[deploy]] [[deploy#How|that]]", ["wiki:deploy", "wiki:deploy#How"]),
        ("**[a](a.md)** `[b](b.md)`", ["a.md"]),
        ("if [[ -f x ]]; then", []),
        ("one [two\nthree](a.md) four", ["a.md"]),
        ("| [a](a.md) |\n|---|\n| [[b]] |", ["a.md", "wiki:b"]),
        ("[a b](<my notes.md> 'why')", ["my notes.md"]),
        ("<https://x.org/y> <mailto:a@b.org> <a@b.org> a < b", ["https://x.org/y", "mailto:a@b.org", "mailto:a@b.org"]),
        ("[How To][the  Page] [the page][] [The Page]\n\n[the page]: a.md 'T'\n", ["a.md", "a.md", "a.md", "a.md"]),
        ("- one[^1] and [^two]\n\n[^1]: why\n  so\n[^two]: [a](a.md)\n", ["\n2", "\n4", "\n2", "\n4", "a.md"]),
        ("cells[0][1] and [0] and [**a**](b.md) [x]\n\n[y]: z.md\n", ["b.md", "z.md"]),
        ("`[y]` [y]\n\n```\n[y]: z.md\n```\n", []),
    ],
)
def test_links_know_where_they_lead(text: str, links: list[str]) -> None:
    page = laid_out(text, width=12)
    leaders = [line for line in range(len(page.lines)) if not page.blocks[line].joins]
    assert [style.target for line in leaders for _, style in links_of(page, line)] == links


def test_no_target_in_a_text_is_taken_for_a_line_of_it() -> None:
    found = inline("[a](line:12b) [c](line:5) [d]", references={"d": "line:e"})
    assert [link_words(style.target) for _, style in found if isinstance(style, LinkStyle)] == ["line:12b", "line:5", "line:e"]


def test_brackets_that_refer_to_nothing_are_text_and_definitions_keep_their_lines() -> None:
    assert plain("a[0][1] [**b** c] [d]\n\n[d]: e.md\n[f]: <g h.md> 'why'\nafter\n") == [
        "a[0][1] [b c] d",
        "",
        "[d]: e.md",
        "[f]: <g h.md> 'why'",
        "after",
    ]


def test_code_in_quotes_and_lists_gets_its_colours() -> None:
    page = laid_out("> ```python\n> def f():\n>     return 1\n> ```\n\n- item\n\n  ```python\n  import x\n  ```\n")
    rows_of(page)
    assert page.colours.wanted == [1, 8]
    colour(page)
    styles = styles_of(page)
    assert styles["def"] == styles["return"] == styles["import"] == "code-keyword" and styles["f"] == "code-name"


def test_code_goes_on_behind_a_sign_and_what_is_drawn_with_characters_is_never_broken() -> None:
    assert plain("```\nsome --long --options\n```\n", 12) == ["", " some --long", "↪ --options", ""]
    art = "+------+    +------+"
    assert plain(f"```\n{art}\n| one  |----| two  |\n```\n", 12) == ["", f" {art}", " | one  |----| two  |", ""]


def test_a_named_link_shows_where_it_leads() -> None:
    assert plain("[[deploy|how]]\n") == ["how (deploy)"]
    assert plain("[[deploy]]\n") == ["deploy"]


def test_the_numbers_of_a_part_of_a_file_are_those_in_the_file() -> None:
    page = laid_out("one\n" + "two " * 30 + "\nthree\n", raw=True)
    page.first_number = 99
    gutter = gutter_of(page, None)
    assert gutter.width == 4
    assert [gutter.cells(row)[0][0] for row in range(page.row_count)] == [" 99 ", "100 ", "    ", "101 "]
    assert gutter_of(laid_out("one\n"), None).width == 0


def starts_by_words(text: str, width: int) -> list[int]:
    """Rows that begin with words, each word looked at for itself: what `break_line` says of ASCII, slowly."""
    starts, used = [0], 0
    for start, word in words_of(text):
        solid = len(word.rstrip(" "))
        if used and used + solid > width and solid <= width:
            starts.append(start)
            used = 0
        for offset, char in enumerate(word):
            if used >= width and char != " ":
                starts.append(start + offset)
                used = 0
            used += 1
    return starts


def words_of(text: str) -> list[tuple[int, str]]:
    edges = [at for at in range(len(text)) if at == 0 or (text[at] != " " and text[at - 1] == " ")]
    return [(at, text[at:stop]) for at, stop in zip(edges, [*edges[1:], len(text)], strict=bool(text))]


def test_rows_begin_with_words_where_they_can() -> None:
    dice = random.Random(5)
    for _ in range(2_000):
        text = "".join(dice.choices(dice.choice(["ab ", "a  ", "abcdefgh "]), k=dice.randrange(60)))
        width = dice.randrange(1, 20)
        assert break_line(Drawn([(text, "text")]), width) == starts_by_words(text, width), (text, width)


@pytest.mark.slow
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("piece", ["日本 語", "e\u0301 é", "ab 日", "–"])
def test_a_long_line_is_drawn_whole_and_within_the_edge(piece: str, hard: bool) -> None:
    text = piece * (LONG_LINE // len(piece) + 1)
    for width in (3, 40):
        starts = break_line(Drawn([(text, "text")], "• ", "  ", hard=hard), width)
        rows = [text[start:stop] for start, stop in zip(starts, [*starts[1:], len(text)], strict=True)]
        assert "".join(rows) == text and all(cell_len(row) <= max(width - 2, 2) for row in rows)


def test_a_row_narrower_than_a_character_has_one_of_them() -> None:
    assert break_line(Drawn([("a日b日", "code-block")], hard=True), 1) == [0, 1, 2, 3]


@pytest.mark.parametrize("raw", [False, True])
def test_a_line_of_any_length_is_measured_by_rows_and_once(raw: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counted(text: str) -> int:
        asked.append(text)
        return cell_len(text)

    monkeypatch.setattr("zsmem_tui.ui.reading.rows.cell_len", counted)
    page = laid_out("words and `code` " * 20_000, raw=raw)
    assert page.row_count > 5_000 and page.plain(page.row_count - 1) and len(asked) < 100


def test_a_paragraph_of_many_lines_is_not_walked_through_for_each_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    page, asked = laid_out("word\n" * 3_000 + "see [a](b.md)\n"), list[int]()
    joins = page._joins

    def counted(line: int) -> bool:
        asked.append(line)
        return joins(line)

    monkeypatch.setattr(page, "_joins", counted)
    assert next_link(page, None, 0, 1) is None and len(asked) < 10_000


def test_the_columns_of_a_table_are_fitted_once_for_all_of_its_rows() -> None:
    rows._fit_widths.cache_clear()
    assert plain("|a|b|\n|-|-|\n" + "|words|words|\n" * 50, 9) and rows._fit_widths.cache_info().misses == 1


def test_laying_out_stops_for_others_however_long_the_lines_are() -> None:
    page = Page(("x " * PIECE_CHARS + "\n") * 4)
    page.start(60, raw=False)
    assert sum(1 for _ in page.lay_out()) == 4


def test_a_quick_look_at_a_line_counts_the_rows_that_are_drawn() -> None:
    dice = random.Random(7)
    pieces = [
        "- ",
        "# ",
        "word ",
        "**b** ",
        "`c` ",
        "[t](u) ",
        "![](u) ",
        "[[page|label]] ",
        "[[p]]",
        "http://x.y ",
        "> ",
        "    ",
        "[x] ",
    ]
    for _ in range(60):
        text = "\n".join("".join(dice.choices(pieces, k=dice.randrange(6))) for _ in range(20))
        for width in (5, 12, 30):
            page = laid_out(text, width=width)
            for line in range(len(page.lines)):
                drawn, starts, top = page.drawn(line)
                rows = (page.row_of(line + 1) if line + 1 < len(page.lines) else page.row_count) - top
                joined = line + 1 < len(page.lines) and page.blocks[line + 1].joins
                assert page.blocks[line].joins or joined or rows == len(starts), (page.lines[line], width, drawn)


def test_lines_that_are_alike_share_what_is_known_of_them() -> None:
    text = "# one\n\nwords\nthat go on\n\n- item\n- item\n\ntitle\n---\n\n> quote\n\n| a |\n|---|\n| b |\n" * 200
    page = laid_out(text, width=80)
    kinds = {id(block) for block in page.blocks if block.kind not in (Kind.TABLE, Kind.QUOTE)}
    assert len(kinds) < 10 and page.complete and page.row_of(len(page.lines) - 1) == page.row_count - 1
