"""Claude Code: the auto memory of a project, with both generations of frontmatter. CLAUDE.md is offered, never taken by default."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from zsmem_tui.agents.base import Memory, text_of
from zsmem_tui.agents.claude_code.naming import INDEX, encoded
from zsmem_tui.agents.claude_code.prompt import INDEX_BYTES, INDEX_LINES
from zsmem_tui.agents.claude_code.topics import frontmatter
from zsmem_tui.core.checklist import items
from zsmem_tui.core.finding import Finding, Rule
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import one_line, raw_lines, trim, words

_INSTRUCTIONS: Final = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md")
_AS_FACT: Final = ("user", "feedback")
_LINK: Final = re.compile(r"^\s*[-*]\s+\[[^\]]*\]\(([^)]+)\)\s*(?:[—–-]\s*(.*))?$")
_LABEL: Final = re.compile(r"^\*\*(Why|How to apply):\*\*\s*(.*)$")


class ClaudeCode:
    """`user` and `feedback` of one paragraph become facts, everything else notes."""

    name = "claude-code"
    finds_its_place = True
    losses = (
        "In: the types of facts, links between topics and their order. Out: facts are global here and belong to one project there; "
        "checkboxes become plain text."
    )

    def places(self, home: str, folder: str) -> list[str]:
        """The auto memory of the folder, and of those above it (it is named after the git root)."""
        out = []
        while folder and folder != "/":
            out.append(f"{home}/.claude/projects/{encoded(folder)}/memory")
            folder = folder.rpartition("/")[0]
        return out

    def wants(self, path: str) -> bool:
        """Markdown of the memory and the instructions; transcripts and settings never."""
        parts = path.split("/")
        if path in _INSTRUCTIONS or path.startswith(".claude/rules/"):
            return path.endswith(".md")
        return path.endswith(".md") and not any(part.startswith(".") for part in parts)

    def claims(self, paths: list[str]) -> bool:
        """A memory folder has topics or an index; a project's folder its instructions."""
        return bool(paths)

    def parse(self, files: Mapping[str, bytes]) -> list[ImportItem]:
        """Topics, then what the index alone holds, then instructions."""
        topics = [path for path in sorted(files) if not _is_instruction(path) and path != INDEX]
        out = [found for path in topics for found in (_topic(path, files[path]),)]
        if INDEX in files:
            out += _index(files[INDEX], set(topics))
        for path in sorted(files):
            if _is_instruction(path):
                text, _ = text_of(files[path])
                stem = stem_of(path.replace(".claude/", "").removesuffix(".md"))
                out.append(ImportItem(path, Role.NOTE, stem, text, doubts=(Finding(Rule.INSTRUCTIONS),)))
        return out

    def export(self, memory: Memory, there: Mapping[str, bytes]) -> dict[str, bytes]:
        """A topic for each note, one for the facts and one for open items; the index gets lines for those that it has not."""
        out: dict[str, bytes] = {}
        lines: list[str] = []

        def put(file: str, kind: str, title: str, about: str, body: str) -> None:
            if file not in there and trim(body):
                head = {"name": file.removesuffix(".md").replace("_", "-"), "description": about}
                front = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in head.items())
                out[file] = f"---\n{front}metadata:\n  node_type: memory\n  type: {kind}\n---\n\n{trim(body)}\n".encode()
            if f"]({file})".encode() not in there.get(INDEX, b"") and (file in out or file in there):
                lines.append(f"- [{title}]({file}) — {about}")

        put("user_zerostack_facts.md", "user", "Facts", "Facts that hold for every project", memory.long_term)
        open_text = "\n".join(f"- {item.text}" for item in items(memory.scratchpad) if item.box.value == "open")
        put("project_open_tasks.md", "project", "Open tasks", "What is still to be done", open_text)
        for stem, text in sorted(memory.notes.items()):
            put(f"project_{_slug(stem)}.md", "project", one_line(stem), one_line(_first(text) or stem)[:120], text)
        if lines:
            index = there.get(INDEX, b"# Memory Index\n\n").decode("utf-8", "surrogateescape")
            joint = "" if not index or index.endswith("\n") else "\n"
            kept = f"{index}{joint}"
            for line in lines:
                longer = f"{kept}{line}\n"
                if longer.count("\n") > INDEX_LINES or len(longer.encode("utf-8", "surrogateescape")) > INDEX_BYTES:
                    break
                kept = longer
            out[INDEX] = kept.encode("utf-8", "surrogateescape")
        return out


def _is_instruction(path: str) -> bool:
    return path in _INSTRUCTIONS or path.startswith(".claude/rules/")


def _topic(path: str, raw: bytes) -> ImportItem:
    text, problem = text_of(raw)
    fields, body = frontmatter(text)
    stem = stem_of(path.removesuffix(".md"))
    body = trim(body)
    if not body:
        return ImportItem(path, Role.NOTE, stem, text, skip="it holds no text below its frontmatter" if fields else "it is empty")
    doubts = problem + hazards(body)
    fact = _as_fact(body) if fields.get("type") in _AS_FACT else ""
    if fact:
        return ImportItem(path, Role.FACTS, "", fact, doubts=doubts, listed=True)
    return ImportItem(path, Role.NOTE, stem, f"{body}\n", doubts=doubts)


def _as_fact(body: str) -> str:
    """A topic of one paragraph in one line, why and how at its end; empty when there is more."""
    main: list[str] = []
    extra: list[str] = []
    for paragraph in [part for part in body.split("\n\n") if trim(part)]:
        labelled = [_LABEL.match(trim(line)) for line in raw_lines(paragraph) if trim(line)]
        if all(labelled):
            extra += [f"{'why' if each[1] == 'Why' else 'apply'}: {each[2]}" for each in labelled if each]
        elif main or paragraph.lstrip().startswith(("```", "~~~", "|", "#", "- ", "* ")):
            return ""
        else:
            main = words(paragraph)
    says = " ".join(main)
    parts = [says, *(" ".join(words(part)) for part in extra)] if main else [""]
    return "; ".join([*map(_unended, parts[:-1]), parts[-1]])


def _unended(part: str) -> str:
    """A sentence without its full stop, for another follows behind a semicolon."""
    return part if part.endswith("..") else part.removesuffix(".").removesuffix(";")


def _index(raw: bytes, topics: set[str]) -> list[ImportItem]:
    """What the index holds that no topic does."""
    text, _ = text_of(raw)
    out = []
    for number, line in enumerate(raw_lines(text)):
        source = f"{INDEX}:{number + 1}"
        if not trim(line):
            continue
        link = _LINK.match(line)
        if link and link[1] in topics:
            out.append(ImportItem(source, Role.FACTS, "", line, skip="the index line of a topic that is taken itself"))
        elif link and not link[1].startswith(("http:", "https:")):
            fact = trim(link[2] or line)
            doubts = (Finding(Rule.NO_TOPIC_FILE), *hazards(fact))
            out.append(ImportItem(source, Role.FACTS, "", fact, doubts=doubts, listed=True))
        elif line.startswith("#"):
            out.append(ImportItem(source, Role.FACTS, "", line, skip="a heading of the index"))
        else:
            fact = re.sub(r"^\s*[-*]\s+", "", line)
            out.append(ImportItem(source, Role.FACTS, "", trim(fact), doubts=hazards(fact), listed=True))
    return out


def _slug(stem: str) -> str:
    kept = re.sub(r"[^a-z0-9]+", "_", stem.lower()).strip("_")[:60]
    return kept or "note"


def _first(text: str) -> str:
    return next((trim(line).lstrip("# ") for line in raw_lines(text) if trim(line)), "")
