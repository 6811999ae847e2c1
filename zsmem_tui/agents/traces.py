"""Where memory of a folder would show, by names alone: asked before the rules of any agent are loaded, which takes 50 ms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from zsmem_tui.agents.claude_code.naming import LONGEST, encoded


def traces(env: Mapping[str, str], home: str, folders: Iterable[str]) -> Iterator[str]:
    """Paths of which at least one is there where an agent but zerostack has memory for one who works in the `folders`.

    What is there need not be memory: only the agent's own rules (`agents.registry`) say. `folders` are the one worked in and the
    tops of its work tree and repository, by which some agents know it.
    """
    claude = env.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude"
    yield from (f"{claude}/CLAUDE.md", f"{claude}/rules")
    yield from (env.get("ETHOS_STATE_DIR") or f"{home}/.ethos", f"{home}/.config/opencode/memory", f"{home}/.omp")
    yield from (env[name] for name in ("PI_CODING_AGENT_DIR", "PI_CONFIG_DIR") if env.get(name))
    if env.get("XDG_STATE_HOME"):
        yield f"{env['XDG_STATE_HOME']}/omp"
    for folder in folders:
        name = encoded(folder)
        yield f"{claude}/projects/{name}" if len(name) <= LONGEST else f"{claude}/projects"
        yield from (f"{folder}/.opencode/memory", f"{folder}/.memsearch/memory")
