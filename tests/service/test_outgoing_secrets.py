"""Credentials on their way out: nothing goes before a person has decided, and masking changes only what goes out."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.command_line import zsmem
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.service import applying, bundles, exporting, formats, transferring
from zsmem_tui.service.plan import Handling, Plan
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store

TOKEN = "ghp_" + "aZ3kQ9wLm2Rt8Xc5Vb7Nf1Jd4Gh6Ys0PqUeT"
PASSWORD = "q7#Kd92!mZx4"
MASK = "ghp_…".encode()


STORE = {
    "MEMORY.md": f"# Facts\n\n- lunch at noon\n- CI token {TOKEN}\n",
    "~/notes/db.md": f"# Database\n\nDB_PASSWORD={PASSWORD}\n",
    "~/notes/plain.md": "- nothing here\n",
    "projects/other-00000000/notes/x.md": f"token {TOKEN[:-1]}Z\n",
}


def planned(session: Session, out: Path, secrets: Handling = Handling.STOP, **more: object) -> Plan:
    return exporting.plan(session, formats.of_agent("markdown"), str(out), secrets=secrets, **more)  # type: ignore[arg-type]


def held(folder: Path) -> bytes:
    return b"".join(place.read_bytes() for place in sorted(folder.rglob("*")) if place.is_file())


def test_an_export_stops_and_names_file_line_and_rule(session: Session, tmp_path: Path) -> None:
    plan = planned(session, tmp_path / "out")
    assert plan.gate.stops and [(each.place, each.line) for each in plan.gate.found] == [
        ("MEMORY.md", 4),
        (f"projects/{PROJECT}/notes/db.md", 3),
    ]
    with pytest.raises(RuleBroken) as refused:
        applying.apply(plan)
    said = refused.value.message
    assert "MEMORY.md:4" in said and "[secret]" in said and TOKEN not in said and PASSWORD not in said
    assert not (tmp_path / "out").exists()


def test_file_and_line_are_those_of_the_source_whatever_of_it_goes_where(tmp_path: Path) -> None:
    """Frontmatter, and the lines of an index about other files, are no part of the texts that go."""
    (tmp_path / "shop").mkdir()
    source = AStore(tmp_path / "claude/projects" / encoded(str(tmp_path / "shop")) / "memory")
    source.has("MEMORY.md", f"# Memory Index\n\n- [Deploy](deploy.md) — how to\n\n- token {TOKEN[:-1]}B\n")
    source.has(
        "deploy.md", f"---\nname: deploy\ndescription: token glpat-{TOKEN[4:24]}\n---\n\n# Deploy\n\n- password: {PASSWORD}\n"
    )
    of = open_store(Config(), f"claude-code:{tmp_path / 'claude'}", cwd=str(tmp_path / "shop"))
    fact, note, about = ("MEMORY.md", 5), ("deploy.md", 8), ("deploy.md", 3)
    wanted = {"instructions": {fact}, "markdown": {fact, note, about}, "qwen-code": {fact, note, about}}
    wanted |= {name: {fact, note} for name in ("gemini", "zerostack", "memsearch", "opencode")}

    def named(plan: Plan) -> set[tuple[str, int]]:
        return {(each.place.rpartition("/")[2], each.line) for each in plan.gate.found}

    own, goal = AStore(tmp_path / "memory").session(), transferring.goal_of(f"opencode:{tmp_path / 'blocks'}")
    for secrets in (Handling.STOP, Handling.MASK):
        for name in wanted:
            plan = exporting.plan(of, formats.of_agent(name), str(tmp_path / name), secrets=secrets)
            masked = (
                {about} if (name, secrets) == ("gemini", Handling.MASK) else set()
            )  # in its index, which never has a credential
            assert named(plan) == wanted[name] | masked, (name, secrets)
        plan = transferring.plan(own, formats.of_agent("claude-code"), str(source.root), goal, secrets=secrets)
        assert named(plan) == {fact, note}, secrets
    with pytest.raises(RuleBroken) as refused:
        bundles.export_to(of, str(tmp_path / "a.tgz"))
    assert all(f"{path}:{line} " in refused.value.message for path, line in (fact, note, about))


def test_masked_is_what_goes_out_and_not_the_store_also_the_second_time(session: Session, store: AStore, tmp_path: Path) -> None:
    before = store.tree()
    for _ in range(2):
        applying.apply(planned(session, tmp_path / "out", Handling.MASK))
        there = held(tmp_path / "out")
        assert MASK in there and TOKEN.encode() not in there and PASSWORD.encode() not in there and there.count(b"CI token") == 1
    assert store.tree() == before


def test_allowed_goes_out_as_it_is(session: Session, tmp_path: Path) -> None:
    done = applying.apply(planned(session, tmp_path / "out", Handling.ALLOW))
    assert TOKEN.encode() in held(tmp_path / "out") and "as they are" in done.plan.gate.said
    assert not planned(session, tmp_path / "out").gate.found  # it is there already: it does not go out again


def test_what_is_left_out_does_not_stop_the_rest(session: Session, tmp_path: Path) -> None:
    first = planned(session, tmp_path / "out")
    without = [each.key for each in first.rows if each.source != f"projects/{PROJECT}/notes/plain.md"]
    assert not planned(session, tmp_path / "out", without=without, again=first).gate.stops


def test_a_bundle_stops_masks_or_lets_them_go(session: Session, store: AStore, tmp_path: Path) -> None:
    before, place = store.tree(), tmp_path / "a.tar.gz"
    with pytest.raises(RuleBroken, match=r"3 credentials would go out: MEMORY\.md:4 "):
        bundles.export_to(session, str(place))
    assert list(tmp_path.glob("a*")) == [] and store.tree() == before
    assert "masked on the way out" in bundles.export_to(session, str(place), secrets=Handling.MASK).message
    fresh = AStore(tmp_path / "fresh", PROJECT)
    applying.apply(bundles.plan(fresh.session(), str(place)))
    assert MASK in fresh.raw("MEMORY.md") and TOKEN.encode() not in b"".join(fresh.tree().values())
    stream = io.BytesIO()
    assert bundles.export(session, stream, [PROJECT], without=[f"projects/{PROJECT}/notes/db.md"]) == 1


def test_bytes_that_are_no_text_are_kept_around_what_is_masked(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("~/notes/odd.md", b"caf\xe9 " + TOKEN.encode() + b" \xff\n")
    place = str(tmp_path / "a.tgz")
    bundles.export_to(store.session(), place, secrets=Handling.MASK)
    fresh = AStore(tmp_path / "fresh", PROJECT)
    applying.apply(bundles.plan(fresh.session(), place))
    assert fresh.raw("~/notes/odd.md") == b"caf\xe9 ghp_" + "…".encode() + b" \xff\n"


def test_from_one_agent_to_another_it_stops_too(session: Session, tmp_path: Path) -> None:
    source = AStore(tmp_path / "in").has("keys.md", f"- the token is {TOKEN}\n")

    def plan(secrets: Handling) -> Plan:
        goal = transferring.goal_of(f"opencode:{tmp_path / 'blocks'}")
        return transferring.plan(session, formats.of_agent("markdown"), str(source.root), goal, secrets=secrets)

    first = plan(Handling.STOP)
    assert [(each.place, each.line) for each in first.gate.found] == [("keys.md", 1)], first
    with pytest.raises(RuleBroken):
        applying.apply(first)
    applying.apply(plan(Handling.MASK))
    assert MASK in held(tmp_path / "blocks") and TOKEN.encode() not in held(tmp_path / "blocks")


def test_the_command_line_says_3_and_goes_on_with_either_word(store: AStore, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    for words in (
        ["markdown", out],
        ["bundle", str(tmp_path / "a.tgz")],
        ["bundle", "-"],
        ["markdown", out, "--dry-run", "--json"],
    ):
        done = zsmem(store, "export", *words)
        assert done.code == 3 and "MEMORY.md:4" in done.err and "[secret]" in done.err, words
        assert TOKEN not in done.out + done.err and PASSWORD not in done.out + done.err
    assert zsmem(store, "export", "markdown", out, "--mask", "--allow-secrets").code == 2
    done = zsmem(store, "export", "markdown", out, "--mask", "--json")
    assert done.code == 0 and TOKEN not in done.out and "masked on the way out" in done.err
    assert zsmem(store, "export", "bundle", str(tmp_path / "a.tgz"), "--allow-secrets").code == 0
    assert zsmem(store, "import", "markdown", out, "--mask").code == 2


def test_an_import_only_warns_and_prints_no_secret(store: AStore, tmp_path: Path) -> None:
    source = AStore(tmp_path / "in").has("keys.md", f"- the token is {TOKEN}\n")
    done = zsmem(store, "import", "markdown", str(source.root), "--dry-run", "--json")
    [item] = json.loads(done.out)["items"]
    assert item["reason"] == "has the shape of a key or password" and TOKEN not in done.out
    assert zsmem(store, "import", "markdown", str(source.root), "--also", "*").code == 0
    assert store.raw("~/notes/keys.md") == f"- the token is {TOKEN}\n".encode()
