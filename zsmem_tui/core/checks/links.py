"""The rule `dead-link`: links between files of the store that lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from posixpath import dirname, normpath, relpath
from typing import Final, NamedTuple
from urllib.parse import unquote

from zsmem_tui.core.checks.around import Around, Links
from zsmem_tui.core.checks.document import Document, Text
from zsmem_tui.core.checks.finding import Finding, Fix, Level, LineEdit, Rule
from zsmem_tui.core.code_spans import without_code
from zsmem_tui.core.link_target import LeadsTo, by_name, by_path, stem_of
from zsmem_tui.core.markdown import outside_code
from zsmem_tui.core.text import raw_lines

_INLINE: Final = re.compile(
    r"(?<!\\)\[([^\[\]\n]{0,300})\]\([ ]*(<[^<>\n]{1,500}>|[^()<>\s]{1,500}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?)"
    r"(?:[ ]+[\"'][^\n]{0,200}?[\"'])?[ ]*\)"
)
_CALLED: Final = re.compile(r"[\w)]\[[^]]*\]\([^./]*\)", re.ASCII)
"""An element of a list that is called, as in `a[i](x)`."""
_WIKI: Final = re.compile(r"(?<!\[)\[\[([^\[\]|#\n]{1,200})(#[^\[\]|\n]{0,200})?(\|[^\[\]\n]{0,300})?\]\](?!\])")
_BARE: Final = re.compile(
    "(?<![\\w/.`(\\[<~-])(?:\\./)?notes/([^\\s/`()\\[\\]<>\"'*?{}$,;:|\u3001\u3002\u300c\u300d\u2026]{1,200}?\\.md)(?![\\w/])"
)
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_NO_NAME: Final = re.compile(r"[\s\"'$!-]|[0-9.,\s]+$|.*(?:\s$|==|!=|=~|&&|\|\||[$\"=;(){}])")
_PLACEHOLDER: Final = re.compile("[*?<>{}$]|\u2026|\\.\\.\\.")
NAME: Final = "\x01"
"""Stands for a path or name in the result of `prose`."""

GONE: Final = re.compile(
    r"""(?ix)
    \b(?:once|removed|deleted?|gone|dropped|retired|obsolete|superseded|moved|renamed|replaced|split|formerly|called|absent
    |(?:is|are|still)\ missing|no\ longer|not\ (?:any\ more|yet|committed|in|part\ of)|never\ existed|(?:not|n't)\ exist|used\ to
    |(?:we|i|they)\ had|went\ away|plan(?:s|ned|ning)?|proposed|someday|one\ day|future|next\ (?:week|month|year|release|sprint)
    |(?:wants?|intends?|going)\ to|(?:to|should|would)\ be|will|there\ (?:is|are|was|were)|instead\ of|outside|beside|out\ of
    |without\ an?|(?:do\ not|don't|never|must\ not|should\ not)\ (?:create|add|commit|check\ in|introduce|bring\ back)
    |(?:un|git)-?(?:tracked|ignored)|ignored|checked\ in|on\ purpose|upstream|(?:other|another|sibling)\ (?:repository|project)
    |(?:auto-?)?generated(?!\ (?:from|by|with)\ [`"'*(]*\x01)|(?:created|written)(?!\ (?:from|by|with|in)\ [`"'*(]*\x01)
    |gelöscht|entfernt|weggefallen|weg|nicht\ (?:mehr|anlegen|einchecken|im)|(?:existiert|gibt\ es)\ (?:noch\ )?nicht|geplant
    |soll(?:en)?|noch|wollen\ wir|verschoben|umbenannt|früher|ehemals|hieß|fehlt|absichtlich|ersetzt|erzeugt|entsteh(?:t|en))\b
    |削除|廃止|予定|まだ|存在しない|消した|消え|移した|移動した|改名|無くな|なくな|なくした|(?:[はがも]|では)ない。|未作成|作らない|置かない
    |自動生成|生成され|に生成|[にへ]出力|出力先|以前|旧"""
)
"""Shows that a line is aware that the file does not exist."""


_NAMES: Final = re.compile(r"[A-Za-z0-9_./@+-]+")
_SHORT_FORMS: Final = frozenset(("e.g.", "e.g", "i.e.", "z.b.", "z.b"))


_NEAR: Final = 0.75
"""The similarity, by `difflib`, from which on a name or a word may be meant for another."""

_MOST_ALIKE: Final = 9
"""The most similar names that are looked into."""

_MOST_NAMES: Final = 2_000
"""The most files of a folder in which a similar name is searched."""


class Dead(NamedTuple):
    """A dead link: its line (0-based), its text, its target, and a replacement for the text (empty: none found)."""

    line: int
    words: str
    target: str
    nearest: str


MOST_EDITED: Final = 10_000
"""The most characters of a line that a fix edits: a longer one may have as many findings as words."""

_LONGEST_TARGET: Final = 200
"""The most characters of a target that a message quotes."""


def dead_ends(rule: Rule, says: str, does: str, text: Text, found: Iterable[Dead]) -> Iterator[Finding]:
    """Findings for dead links or paths in a text, with a fix if there is a replacement."""
    path = text.ref.path
    for dead in found:
        row = text.page.rows[dead.line]
        is_short = len(row) <= MOST_EDITED
        fix = None
        if dead.nearest:
            changed = row.replace(dead.words, dead.nearest, 1) if is_short else row
            fix = Fix(does, dead.nearest, (LineEdit(path, dead.line + 1, (row,), (changed,)),) if changed != row else ())
        quoted = f"{dead.words}\0{row}" if is_short else dead.words
        yield Finding(rule, path, dead.line + 1, says=says, text=dead.target[:_LONGEST_TARGET], quoted=quoted, fix=fix)


def _look(text: Text, around: Around) -> Iterator[Finding]:
    if around.tree is None and text.ref.project:
        return  # the link may lead to a file of the project, whose folder is unknown
    found = dead_links(text.page, text.ref.path, around.home, around.links)
    yield from dead_ends(DEAD_LINK, "The link leads to {text}, which is not there.", "Link to {name} instead.", text, found)


DEAD_LINK: Final = Rule(
    "dead-link",
    Level.WARNING,
    "Links that lead nowhere",
    "A link, or an instruction file's `@` import, to a file that is not there. Not in a project whose folder is not known.",
    "Links to the only note it may mean; else, in an index, takes the link out, and a line that says nothing else.",
)
BESIDE: Final = (_look,)


def prose(text: str) -> str:
    """Replace each path and name in a text by `NAME`, since words inside them have no meaning."""
    return _NAMES.sub(lambda found: NAME if _is_name(found[0]) else found[0], text)


def _is_name(word: str) -> bool:
    return ("/" in word or "." in word[1:-1]) and word.lower() not in _SHORT_FORMS


def dead_links(text: Document, path: str, home: str, known: Links) -> Iterator[Dead]:
    """The links in the facts of a file that lead nowhere. `home` is the folder of its project, empty for none."""
    seen: set[int] = set()
    for saying in text.facts:
        for at in range(saying.line, saying.stop):
            if at in seen:
                continue
            seen.add(at)
            row = text.rows[at]
            if "](" in row or "[[" in row or "notes/" in row:
                yield from _dead_in_row(without_code(row), at, path, home, known, saying.text)
    for at, target in text.references:
        if not _is_valid_target(cleaned(target), path, home, known):
            yield Dead(at, text.rows[at], target, "")


def links_to(goals: Collection[str], text: str, path: str, home: str, paths: Collection[str], kept: Collection[str] = ()) -> int:
    """How many links of a file outside of code lead to one of `goals`, but for links `[[name]]` by one of the names `kept`."""
    count, stems = 0, {*map(stem_of, goals)}
    may_link = "](" in text or "[[" in text or "notes/" in text
    for _, line, is_outside in outside_code(raw_lines(text)) if may_link else ():
        row = without_code(line) if is_outside else ""
        bare = _BARE.finditer(_INLINE.sub("", row))
        targets = [*(each[2] for each in _INLINE.finditer(row)), *(each[0].removeprefix("./") for each in bare)]
        # only those of their names are resolved: to look up every link among all files would take seconds
        found = [by_path(each, path, home, paths) for each in targets if stem_of(cleaned(each)) in stems]
        names = ((each[1], stem_of(each[1])) for each in _WIKI.finditer(row))
        found += [by_name(name, path, home, paths) for name, stem in names if stem in stems and stem not in kept]
        count += sum(isinstance(each, LeadsTo) and each.path in goals for each in found)
    return count


def _dead_in_row(row: str, at: int, path: str, home: str, known: Links, context: str) -> Iterator[Dead]:
    for found in _INLINE.finditer(row):
        target = cleaned(found[2])
        if not _is_valid_target(target, path, home, known) and not _CALLED.match(row, max(0, found.start() - 1)):
            near = _nearest(target, path, home, known)
            yield Dead(at, found[0], found[2].strip("<>"), f"[{found[1]}]({near})" if near else "")
    for found in _WIKI.finditer(row):
        name = found[1]
        if _NO_NAME.match(name) or row[: found.start()].rstrip().endswith(("if", "while", "&&", "||", "=")):
            continue
        if not _notes(name, home, known):
            near = _nearest_stem(name, home, known)
            yield Dead(at, found[0], name.strip(), f"[[{near}{found[2] or ''}{found[3] or ''}]]" if near else "")
    if "notes/" not in row or GONE.search(prose(context)):
        return
    plain = _INLINE.sub(lambda found: " " * len(found[0]), row)
    for found in _BARE.finditer(plain):
        target = f"notes/{found[1]}"
        if not _PLACEHOLDER.search(target) and not found[1][:-3].isupper() and not _is_valid_target(target, path, home, known):
            near = _nearest_stem(found[1].removesuffix(".md"), home, known)
            yield Dead(at, found[0], target, f"notes/{near}.md" if near else "")


def cleaned(target: str) -> str:
    """The path in a link's target."""
    return unquote(target.strip("<>").split("#", 1)[0].split("?", 1)[0])


def _is_valid_target(target: str, path: str, home: str, known: Links) -> bool:
    """Whether a target exists or is none to check: another site, a placeholder, a place in the same file."""
    if not target or target.startswith(("/", "~", "\\")) or _SCHEME.match(target) or _PLACEHOLDER.search(target):
        return True
    if "." not in target and "/" not in target:
        own = f"{dirname(path)}/{target}".lstrip("/")
        return own in known.paths or target in known.outside or bool(_notes(target, home, known))
    for folder in (dirname(path), home, f"{home}/notes" if home else "notes", ""):
        place = normpath(f"{folder}/{target}" if folder else target)
        if place in known.paths or f"{place}.md" in known.paths or place in known.folders:
            return True
    bare = normpath(target)
    while bare.startswith("../"):
        bare = bare[3:]
    return bare in known.outside or bare in known.paths


def _notes(name: str, home: str, known: Links) -> list[str]:
    """The files with this name in the file's project and among the shared files."""
    own = dict.fromkeys(known.stems.get(stem_of(name), ()))
    return [each for each in own if not home or each.startswith(f"{home}/") or "/" not in each]


def _nearest_stem(name: str, home: str, known: Links) -> str:
    """The name of a note that this one is a slip of, without extension; empty if there is none."""
    near = _near(stem_of(name), known.folders.get(f"{home}/notes" if home else "", {}))
    return near.rpartition("/")[2].removesuffix(".md")


def _nearest(target: str, path: str, home: str, known: Links) -> str:
    """The path of the only note with this name, else the file name in the same folder that it is a slip of; empty: none."""
    if len(same := _notes(target, home, known)) == 1:
        return relpath(same[0], dirname(path) or ".")
    return _near(stem_of(target), known.folders.get(dirname(path), {})).rpartition("/")[2]


def _near(stem: str, own: Mapping[str, str]) -> str:
    return own[near] if (near := mistyped(stem, own)) else ""


def mistyped(name: str, known: Collection[str]) -> str:
    """The only one of these names that this one may be a slip of; empty if there is none, or several.

    The numbers are the same, since they tell days and versions apart, and each word is like the one in its place: a name with other
    words is another file.
    """
    if len(known) > _MOST_NAMES:
        return ""
    numbers, words = _parts(name)
    alike = []
    for each in get_close_matches(name, known, _MOST_ALIKE, _NEAR):
        others = _parts(each)
        pairs = zip(words, others[1], strict=False)
        if numbers == others[0] and len(words) == len(others[1]) and all(get_close_matches(a, (b,), 1, _NEAR) for a, b in pairs):
            alike.append(each)
    return alike[0] if len(alike) == 1 else ""


def _parts(name: str) -> tuple[list[str], list[str]]:
    """The numbers and the words of a name, each in their order."""
    return re.findall("[0-9]+", name), [word.lower() for word in re.findall(r"[A-Z]*[^\W\d_A-Z]+|[A-Z]+", name)]
