"""Which paths lead to no file of the project's folder."""

from __future__ import annotations

import pytest

from zsmem_tui.core.checks.around import tree
from zsmem_tui.core.checks.document import read_document
from zsmem_tui.core.checks.paths import dead_paths
from zsmem_tui.core.ignore_rules import is_ignored, parse

FILES = frozenset(
    [
        "README.md",
        "package.json",
        "lib/main.ts",
        "lib/net/client.ts",
        "lib/net/server.ts",
        "lib/net/client.test.ts",
        "docs/guide.md",
        "scripts/deploy.sh",
        "tests/test_net.py",
        "config/base.yaml",
        "app/Models/User.php",
        "Makefile",
    ]
)
FOLDERS = frozenset(["lib", "lib/net", "docs", "scripts", "tests", "config", "app", "app/Models", "dist", "@types"])
RULES = list(parse("dist/\n*.log\n.env\n/cache\n", ""))

DEAD = """\
- Entry point is `lib/boot.ts`
- see lib/old/ for the parser
- The retry code is in lib/net/retry.ts, next to the client.
- `lib/net/client.go:42` has the constant
- Run `tests/test_gone.py::test_one` first
- Look at docs/setup.md first.
- | step | `scripts/migrate.sh` |
- Settings are read from config/local.yaml (by hand).
- Start with `python scripts/seed.py --small`
- Der Einstieg ist `app/Models/Kunde.php`.
- 設定は `config/prod.yaml` を読む。
- 入口は lib/start.ts にある。
- The model is ./app/Models/Order.php
- Everything about money is below `lib/money/`
- "lib/net/proxy.ts" is the proxy
- See **docs/faq.md** for more
- The output formatter is `lib/format.ts`.
- `lib/net/errors.ts` reports missing files.
- The report is written by `scripts/report.sh`.
- Die Vorlagen sind in `docs/vorlage.md` abgelegt.
- 例外は `lib/errors.ts` で扱う。
- `lib/table.ts` は手で直さない。
- Begin with `docs/intro.md#setup`.
"""

FINE = """\
- The package `@types/node.ts` is not needed.
- Every `lib/.../retry.ts` goes.
- `lib/{a,b}/retry.ts`, `lib\\retry.ts/` and c:lib/retry.ts are no paths.
- Entry point is `lib/main.ts`
- `net/client.ts:42` has the constant
- The client is `client.ts`, see also `lib/net/` and lib/net.
- Run `tests/test_net.py::test_one` first
- put it in `lib/<area>/index.ts`
- put it in lib/areas/<area>.ts
- `client/server` split, and/or, read/write, I/O, TCP/IP, 24/7, w/o
- e.g. `lib/new/thing.ts`
- a new one goes to lib/x/y.ts, for example
- Files such as `lib/a.ts` are generated
- Beispiel: `lib/neu.ts`; z. B. `lib/b.ts`
- 例えば `lib/c.ts` のように書く
- Built into `dist/bundle.js`, logs in lib/debug.log
- `/etc/nginx/nginx.conf`, `~/bin/tool.sh`, `C:\\tools\\x.bat`, `\\\\nas\\share\\a.md`
- `wren:/srv/data/x.csv` and `deploy@wren:site/index.html`
- https://example.com/docs/a.html, example.com/b.html, `s3://bucket/a/b.csv`
- the route `/api/users/list.json`, GET api/users.json
- Served as `application/json` or image/svg.
- Branch `feature/login.v2` and `origin/main`
- The image `ghcr.io/acme/web:1.2` and `library/nginx:1.27`
- `lib/old/` was removed in May
- `docs/faq.md` does not exist yet
- `docs/faq.md` is planned
- `lib/alt.ts` gibt es nicht mehr
- `docs/old.md` は削除した
- `lib/net/*.ts`, `lib/{a,b}.ts`, `$HOME/x.sh`, `${DIR}/a.ts`, lib/…/x.ts
- Node.js and Vue.js, version 1.2.3, v2.0/v2.1, 3.5/4.0
- `os.path`, `net.client`, `std::path`, `@scope/pkg`, github.com/acme/x
- [guide](docs/gone.md) is a link
- [x] write `docs/faq.md`
- [ ] Write `docs/faq.md`
- ~~`lib/gone.ts`~~ is struck
- `MEMORY.md` and `AGENTS.md`
- Kim/Rosa, morning/evening shifts, km/h, 5/7.
- mail a.b@example.com or me@x.org/y
- `prod/analytics` is a schema
- dates like 2026/05/04 and 04/05.2026
- `parser.ts`, `types.py`, `__init__.py` and `package-lock.json` may be anywhere
- `embed.FS`, `pkg.Func`, NextAuth.js, React 19.x and `19.x/20.x`
- `lib/path/to/file.test.ts`, `docs/YYYY-MM-DD.md`, `docs/2026-XX-XX.md`, `lib/my-thing.ts`, `lib/MyThing.ts`, `lib/FEATURE_NAME.ts`
- `docs/My File.md` and "docs/Our Plan.md" have a blank
- lib/start.ts를 본다
- app/[slug]/page.tsx, `lib/net/{a}.ts`, `lib/$NAME/x.ts`, `docs/(old)/x.md`
- `lodash/fp.js`, `react-dom/server.js` and `themes/plain.css` are of packages
- Create `lib/net/queue.ts` for it, then save the result to `docs/result.md`.
- `scripts/local.sh` (if it exists) runs first
- `lib/alt.ts` → `lib/main.ts`
- Module `lib.net.client` and class User.Model
- We want to split `lib/net/queue.ts` off.
- We intend to add `lib/worker.ts`.
- There should be a `lib/queue.ts` one day.
- Do not create `lib/utils.ts`.
- Der Pfad `lib/neu.ts` soll noch angelegt werden.
- The file config/private.yaml is not in the repository.
- We had `lib/store.ts` before the rewrite.
- The project works without a `setup.py`.
"""


def found(text: str) -> list[str]:
    known = tree(FILES, FOLDERS, lambda path: is_ignored(RULES, path, False) or is_ignored(RULES, path, True))
    return [each.target for each in dead_paths(read_document(text.removeprefix("- |") and text), known, frozenset(["MEMORY.md"]))]


@pytest.mark.parametrize("line", DEAD.rstrip("\n").split("\n"))
def test_a_path_without_a_file_is_dead(line: str) -> None:
    assert len(found(line)) == 1


@pytest.mark.parametrize("line", FINE.rstrip("\n").split("\n"))
def test_what_is_there_or_is_no_path_is_not(line: str) -> None:
    assert not found(line)


def test_what_may_be_meant_is_the_only_file_of_that_name_or_the_nearest_in_the_folder() -> None:
    text = "- `lib/net/clients.ts`, `lib/guide.md`, `docs/clients.ts`, `scripts/zebra.sh`\n"
    dead = dead_paths(
        read_document(text + "- `lib/main.ts` `docs/guide.md` `config/base.yaml`\n"),
        tree(FILES, FOLDERS, lambda _: False),
        frozenset(),
    )
    assert [each.nearest for each in dead] == ["lib/net/client.ts", "docs/guide.md", "", ""]


def test_a_cell_of_a_table_may_be_a_path() -> None:
    assert found("| what | where |\n|---|---|\n| parser | lib/parse.ts |\n| boot | lib/main.ts |\n") == ["lib/parse.ts"]


def test_code_is_not_looked_at() -> None:
    assert not found("```\nlib/gone.ts\n```\n\n    lib/gone.ts\n")
