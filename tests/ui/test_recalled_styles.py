"""A start that knows what the one before found out about styles looks the same, and reads no rule."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Spacing

from tests.builders import AStore
from tests.ui.driving import NOW_NS, running, shows
from tests.ui.test_stylesheet import a_store, wrongly_styled
from zsmem_tui.ui import recalled_styles
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.recalled_styles import StyleStore, _checksum
from zsmem_tui.ui.stylesheet import Memory, RememberingStylesheet

KEYS = "tab s x escape j enter f l n f2 down escape f5 escape"


class Kept:
    """What starts know of each other."""

    raw = b""

    def app(self, store: AStore, **settings: Any) -> ZsmemApp:
        styles = StyleStore(lambda: self.raw, lambda raw: setattr(self, "raw", raw))
        return ZsmemApp(store.session(**settings), now_ns=lambda: NOW_NS, styles=styles)


@pytest.fixture(autouse=True)
def nothing_is_known_from_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RememberingStylesheet, "memory_of", staticmethod(Memory))


async def learn(kept: Kept, store: AStore) -> None:
    async with running(kept.app(store)) as pilot:
        await shows(pilot, "MEMORY.md", "• one")
        await pilot.pause()
        await pilot.app.keep_styles()
        assert kept.raw


def recalls(app: ZsmemApp) -> bool:
    assert isinstance(app.stylesheet, RememberingStylesheet)
    return app.stylesheet.is_recalled


async def test_it_is_styled_as_textual_would_without_reading_a_rule(tmp_path: Path) -> None:
    kept, store = Kept(), a_store(tmp_path)
    await learn(kept, store)
    app = kept.app(store)
    async with running(app) as pilot:
        await shows(pilot, "MEMORY.md", "• one")
        assert recalls(app), "no place was new"
        assert not wrongly_styled(app)
        for key in KEYS.split():
            await pilot.press(key)
            assert not wrongly_styled(app), key
        assert not recalls(app)
    app = kept.app(store)
    async with running(app, (50, 11)) as pilot:
        assert not wrongly_styled(app), "another size"
    app = kept.app(store, theme="zsmem-light")
    assert not recalls(app), "other colours"
    async with running(app) as pilot:
        assert not wrongly_styled(app)
        app.theme = "zsmem-dark"
        await pilot.pause()
        assert not wrongly_styled(app)


async def test_what_is_damaged_or_of_others_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, store = Kept(), a_store(tmp_path)
    await learn(kept, store)
    good, bad = kept.raw, Kept()
    assert recalls(kept.app(store))

    def whole(said: bytes) -> bytes:
        return _checksum(said) + said

    flipped = bytearray(good)
    flipped[len(good) // 2] ^= 1
    foreign = pickle.dumps((print, {}, {}, {}, [], {}))
    other = pickle.dumps(("another version", "and more of it"))
    older = pickle.dumps((Spacing(1, 2, 3, 4),), 2).replace(b"K\x04t", b"K\x04K\x05t")
    for raw in (
        b"",
        good[:-1],
        good[:3],
        bytes(flipped),
        whole(b""),
        whole(foreign),
        whole(other),
        whole(older),
        whole(good[4:].replace(b"min_width", b"\xff\xffn_width")),
        whole(b"\x80\x05]."),
        whole(pickle.dumps(({}, {}))),
        whole(pickle.dumps((kept.app(store).stylesheet._variables, {}, {}, [((7, 1), 2)], {}))),
        whole(pickle.dumps((kept.app(store).stylesheet._variables, {}, {}, [], {3: (1,)}))),
    ):
        bad.raw = raw
        assert not recalls(bad.app(store)), raw[:40]
    monkeypatch.setattr(recalled_styles, "__version__", "another")
    assert not recalls(kept.app(store))
