#!/usr/bin/env python3
"""Seeded generator of realistic agent-memory stores.

  python3 gen_corpus.py OUT {S|M|L} [--seed N]

S  1 project, 60 files, about 0.5 MB
M  50 projects, 3,000 files, about 25 MB, plus the XL project
L  500 projects, 30,000 files, about 250 MB, plus the XL project
XL-project ("bigmono-deadbeef"): 3,000 notes + 1,000 daily logs, about 40 MB
Writes OUT/.terms.json (not .md, so no search sees it) with query terms by document frequency.
"""

import argparse
import datetime
import itertools
import json
import math
import os
import random

BASE = ["error", "config", "deploy", "server", "request", "token", "session", "cache", "index", "query", "user", "test", "build", "commit", "branch", "merge", "docker", "container", "image", "volume", "network", "port", "proxy", "nginx", "redis", "postgres", "sqlite", "schema", "migration", "table", "column", "row", "python", "rust", "typescript", "javascript", "async", "await", "thread", "lock", "mutex", "queue", "worker", "job", "retry", "timeout", "latency", "throughput", "memory", "buffer", "heap", "stack", "leak", "profile", "trace", "span", "metric", "log", "level", "debug", "warning", "info", "panic", "exception", "stacktrace", "api", "endpoint", "route", "handler", "middleware", "auth", "login", "password", "hash", "salt", "jwt", "oauth", "cookie", "csrf", "cors", "header", "payload", "json", "yaml", "toml", "env", "variable", "secret", "key", "vault", "rotate", "expire", "refresh", "scope", "permission", "role", "admin", "policy", "rule", "firewall", "client", "library", "package", "module", "import", "export", "dependency", "version", "release", "tag", "changelog", "lint", "format", "type", "check", "mypy", "function", "class", "method", "argument", "return", "value", "field", "struct", "enum", "trait", "impl", "interface", "generic", "lifetime", "borrow", "owner", "file", "path", "directory", "symlink", "inode", "mount", "disk", "read", "write", "append", "truncate", "flush", "sync", "rename", "atomic", "backup", "restore", "terminal", "screen", "widget", "render", "layout", "panel", "focus", "cursor", "scroll", "keyboard", "shortcut", "binding", "event", "mouse", "color", "theme", "agent", "model", "prompt", "context", "window", "compaction", "summary", "note", "daily", "scratchpad", "search", "keyword", "match", "rank", "snippet", "kubernetes", "pod", "service", "ingress", "helm", "chart", "node", "cluster", "namespace", "autoscale", "replica", "rollout", "canary", "rollback", "pipeline", "ci", "runner", "artifact", "stage", "workflow", "cron", "schedule", "trigger", "webhook", "notify", "slack", "email", "alert", "dashboard", "grafana", "prometheus", "loki", "jaeger", "sentry", "datadog", "kafka", "rabbitmq", "nats", "grpc", "protobuf", "avro", "parquet", "arrow", "pandas", "numpy", "torch", "decide", "prefer", "avoid", "remember", "because", "therefore", "however", "instead", "always", "never", "currently", "previously", "follow-up", "todo", "fixed", "broken", "flaky", "slow", "fast", "large", "small", "empty", "missing", "duplicate", "stale", "invalid", "valid", "unknown", "default", "custom"]
STOP = ["the", "a", "to", "of", "in", "and", "is", "for", "on", "with", "that", "it", "this", "as", "be", "by", "from", "at", "or", "we", "are", "not", "use", "when", "was", "an", "if", "but", "so", "no", "all", "can", "has", "do"]
SYL = ["ba", "be", "bi", "bo", "bu", "da", "de", "di", "do", "du", "fa", "fe", "fi", "fo", "ga", "ge", "go", "ka", "ke", "ki", "ko", "ku", "la", "le", "li", "lo", "lu", "ma", "me", "mi", "mo", "mu", "na", "ne", "ni", "no", "nu", "pa", "pe", "po", "ra", "re", "ri", "ro", "ru", "sa", "se", "si", "so", "ta", "te", "ti", "to", "tu", "va", "ve", "vi", "vo", "za", "ze", "zo"]
CJK = ["記憶", "設定", "検索", "項目", "実装", "確認", "修正", "部署", "錯誤", "日誌", "钥匙", "缓存", "队列", "메모", "검색", "설정"]
LATIN = ["café", "naïve", "résumé", "Größe", "Straße", "Zürich", "façade", "jalapeño", "coördinate", "Ångström"]
EMOJI = ["✅", "⚠️", "🚀", "🐛", "🔥", "📌"]


def vocab(rng):
    words = STOP + BASE[:]
    seen = set(words)
    while len(words) < 24000:
        w = "".join(rng.choice(SYL) for _ in range(rng.randint(2, 5)))
        r = rng.random()
        if r < 0.15:
            w = w + "_" + rng.choice(BASE)
        elif r < 0.25:
            w = rng.choice(BASE) + "-" + w
        elif r < 0.32:
            w = w.capitalize() + rng.choice(BASE).capitalize()
        elif r < 0.36:
            w = "v%d.%d.%d" % (rng.randint(0, 9), rng.randint(0, 30), rng.randint(0, 99))
        elif r < 0.38:
            w = "".join(rng.choice("0123456789abcdef") for _ in range(8))
        if w not in seen:
            seen.add(w)
            words.append(w)
    head = words[: len(STOP)]
    mid = words[len(STOP) : len(STOP) + len(BASE)]
    rng.shuffle(mid)
    words = head + mid + words[len(STOP) + len(BASE) :]
    cum = list(itertools.accumulate(1.0 / (i + 2.7) ** 1.02 for i in range(len(words))))
    return words, cum


class Gen:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.words, self.cum = vocab(random.Random(20260525))
        self.pool = iter(())

    def w(self, n):
        out = list(itertools.islice(self.pool, n))
        while len(out) < n:
            self.pool = iter(self.rng.choices(self.words, cum_weights=self.cum, k=20000))
            out += itertools.islice(self.pool, n - len(out))
        return out

    def sent(self, lo=5, hi=16):
        r = self.rng
        ws = self.w(r.randint(lo, hi))
        x = r.random()
        if x < 0.02:
            ws[r.randrange(len(ws))] = r.choice(CJK)
        elif x < 0.035:
            ws[r.randrange(len(ws))] = r.choice(LATIN)
        elif x < 0.05:
            ws.insert(0, r.choice(EMOJI))
        elif x < 0.12:
            ws[r.randrange(len(ws))] = "`" + "/".join(self.w(3)) + ".py`"
        elif x < 0.15:
            ws.append("https://example.com/" + "/".join(self.w(3)))
        s = " ".join(ws)
        return (s[0].upper() + s[1:] + ".") if r.random() < 0.5 else s

    def code(self):
        r = self.rng
        a = []
        for _ in range(r.randint(2, 8)):
            x = self.w(4)
            a.append(
                r.choice(
                    [
                        "%s = %s(%s, %s)",
                        "    if %s.%s == %s: return %s",
                        "    self.%s[%s] = %s + %s",
                        "$ %s --%s=%s %s",
                        "let %s: %s = %s.%s();",
                    ]
                )
                % tuple(x)
            )
        return ["```"] + a + ["```"]

    def body(self, target, daily=None):
        r = self.rng
        out = []
        n = 0

        def add(*ls):
            nonlocal n
            for l in ls:
                out.append(l)
                n += len(l.encode()) + 1

        add("# " + " ".join(self.w(4)).title()) if not daily else add("# Log %s" % daily)
        minute = r.randint(480, 600)
        while n < target:
            x = r.random()
            if daily and x < 0.3:
                minute += r.randint(3, 50)
                add("", "### %02d:%02d — %s" % (minute // 60 % 24, minute % 60, " ".join(self.w(3))))
            elif x < 0.12:
                add("", "## " + " ".join(self.w(3)), "")
            elif x < 0.5:
                for _ in range(r.randint(2, 6)):
                    add(r.choice(["- ", "- ", "* ", "1. ", "  - "]) + self.sent(4, 12))
            elif x < 0.58:
                add(*self.code())
            elif x < 0.62:
                add("> " + self.sent())
            elif x < 0.66:
                add("- [%s] %s" % (r.choice(" x"), self.sent(4, 9)))
            else:
                add(*[self.sent(7, 18) for _ in range(r.randint(1, 4))])
                if r.random() < 0.5:
                    add("")
        return "\n".join(out) + "\n"


def put(path, text):
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(text)
    return len(text.encode())


def project(g, root, slug, notes, dailies, avg, rare):
    p = os.path.join(root, "projects", slug)
    os.makedirs(p + "/notes")
    os.makedirs(p + "/daily")
    r = g.rng
    tot = 0

    def size():
        return int(max(300, min(60000, r.lognormvariate(math.log(avg) - 0.32, 0.8))))

    day = datetime.date(2026, 5, 25)
    used = set()
    for i in range(notes):
        a = g.w(2)
        name = "%s-%s" % tuple("".join(c if c.isalnum() or c in "-_" else "-" for c in x)[:24] for x in a)
        if name in used:
            name += "-%d" % i
        used.add(name)
        t = g.body(size())
        if rare.get(("n", i)):
            t += rare[("n", i)] + "\n"
        tot += put("%s/notes/%s.md" % (p, name), t)
    for i in range(dailies):
        d = (day - datetime.timedelta(days=i)).isoformat()
        t = g.body(size(), d)
        if rare.get(("d", i)):
            t += rare[("d", i)] + "\n"
        tot += put("%s/daily/%s.md" % (p, d), t)
    tot += put(
        p + "/SCRATCHPAD.md", "\n".join("- [%s] %s" % (r.choice("  x"), g.sent(4, 9)) for _ in range(r.randint(5, 40))) + "\n"
    )
    return tot


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("size", choices="SML")
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    os.makedirs(a.out)
    g = Gen(a.seed)
    tot = 0
    n = {"S": 1, "M": 50, "L": 500}[a.size]
    put(a.out + "/MEMORY.md", "".join("- %s\n" % g.sent(5, 14) for _ in range(220)))
    for k in range(n):
        # 60 files a project: 38 notes + 22 dailies; two rare markers each
        tot += project(
            g,
            a.out,
            "proj%03d-%08x" % (k, k * 2654435761 % 2**32),
            38,
            22,
            8300,
            {("n", 7): "the rare marker Quokkafish lives here", ("d", 3): "quokkafish seen again near wombatron"},
        )
    if a.size != "S":
        tot += project(
            g,
            a.out,
            "bigmono-deadbeef",
            3000,
            1000,
            10000,
            {
                **{("n", i): "the rare marker Quokkafish lives here" for i in (7, 1500, 2999)},
                ("d", 300): "quokkafish seen again near wombatron",
            },
        )
    json.dump({"bytes": tot}, open(a.out + "/.terms.json", "w"))
    print(a.size, tot)


main()
