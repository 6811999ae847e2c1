"""Starting the full-screen program: is there a terminal, which store, and the exit code at the end."""

from __future__ import annotations

import argparse
import sys

from zsmem_tui.config.load import load
from zsmem_tui.config.locate import settings_file, terminal_kind
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import ConfigError, MemError
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible
from zsmem_tui.service import crash, demo
from zsmem_tui.service.session import Session
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.ending import Ending

USAGE_ERROR = 2


def run(args: argparse.Namespace) -> int:
    """Run until the person leaves; the exit code: 0, 1 after an error of ours, 2 for no terminal, 128 + n after a signal."""
    problem = _no_screen()
    if problem:
        return _refuse(problem)
    try:
        config = load()
        if args.profile:
            config = config._replace(profile=Profile(args.profile))
        if args.demo:
            session = demo.open_demo(config)
        else:
            session = _session(config, args)
        app = _app(session, config)
    except MemError as error:
        return _refuse(f"{error.message} {error.hint}".rstrip(" "))
    Ending(app.end_soon).watch()
    try:
        app.run()
    finally:
        demo.remove_demos()
    if app.crash_note:
        print(app.crash_note, file=sys.stderr)
    return app.return_code or 0


def _session(config: Config, args: argparse.Namespace) -> Session:
    """The session over the store that was named, or the one that is meant anyway. Raises `ConfigError` or `BadTarget`."""
    if not args.store:
        if args.group or args.user:
            raise ConfigError("--group and --user say which memory of a store: name it with --store. Nothing was done.")
        return Session.open(config, root=args.root, project=args.project, cwd=args.cwd)
    if args.root:
        raise ConfigError("--root and --store name two stores. Nothing was done.")
    if len(args.store) > 1:
        raise ConfigError(f"The full-screen program opens one store, and {len(args.store)} were named. Nothing was done.")
    from zsmem_tui.service.stores import open_store  # every agent's rules, which zerostack can do without

    return open_store(config, args.store[0], group=args.group or args.project or "", cwd=args.cwd or "", user=args.user or "")


def _app(session: Session, config: Config) -> ZsmemApp:
    """The app. What it refuses, a key or a theme, stands in the settings file: the sentence names that."""
    try:
        return ZsmemApp(session, open_demo=lambda: demo.open_demo(config), log_crash=crash.log_crash)
    except ConfigError as error:
        raise ConfigError(f"{printable_path(settings_file())}: {error.message}", error.hint) from error


def _no_screen() -> str:
    """Why there is nothing to draw on; empty when there is."""
    streams = (sys.__stdin__, sys.__stderr__)
    if any(stream is None or not stream.isatty() for stream in streams):
        return "zsmem needs a terminal to draw on. Without one, use a verb: zsmem --help lists them."
    if terminal_kind() in ("dumb", ""):
        return "This terminal (TERM=dumb) cannot show a full screen. Use a verb: zsmem --help lists them."
    return ""


def _refuse(text: str) -> int:
    print(f"zsmem: {visible(text)}", file=sys.stderr)
    return USAGE_ERROR
