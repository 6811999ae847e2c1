"""Parsing the command line and running a verb. Bad input never causes a traceback."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Iterable, Sequence
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn

from zsmem_tui import __version__
from zsmem_tui.cli.colour import WHENS
from zsmem_tui.cli.output import LONGEST_LINE, Exit, named, outcome_of, report, say
from zsmem_tui.cli.verbs import DRY_RUN, HEADINGS, JSON, VERBS, command, parser_of
from zsmem_tui.config.load import load
from zsmem_tui.config.locate import shortened
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget, ConfigError, MemError, Missing, Unreadable
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.text import printable_path, truncate
from zsmem_tui.service.named_project import is_there, said_of_new
from zsmem_tui.service.patience import Patience, describe, patient
from zsmem_tui.service.session import Session
from zsmem_tui.service.sweeping import sweep

if TYPE_CHECKING:
    from zsmem_tui.service.settings import ScreenCheck

DESCRIPTION: Final = """\
See, search and edit what your coding agents remember. Without a verb, zsmem opens the full-screen program.

Program and verbs work on the store that has memory of this folder: zerostack's where several have (the others are
named), else that of the one agent that has. --store and --root name another."""

EPILOG: Final = """\
examples:
  zsmem                               open the program
  zsmem --demo                        open it on a sample, where nothing is yours
  zsmem search redis port             what does the agent find for these words?
  zsmem context | wc -c               how much of the prompt does memory take?
  git log -1 --format=%s | zsmem write daily -
  zsmem read note deploy --project api-1a2b3c4d

exit codes: 0 done, 1 nothing found or to do, (doctor) an error found, (export) something left out, (connect) something not working,
2 wrong usage, 3 a name or target is refused, 4 a file could not be read or written, 5 conflict, 130 interrupted"""

SAY_WHICH: Final = ("--root", "--project", "--cwd", "--profile", "--store", "--group", "--user")
"""Options with a value that select a memory; they may precede the verb."""

_TAKE_VALUES: Final = (*SAY_WHICH, "--color")

_HELP_WIDTH: Final = 100
"""Width of the help in columns, on every terminal."""

PROFILE_HELP: Final = "which zerostack to match: as its documents describe it, or version 1.7"

_ASKS_HELP: Final = frozenset({"-h", "--help", "--version"})

_WARN_THEMSELVES: Final = ("write", "edit", "clear", "hook")
"""Verbs whose report itself warns if a write cannot be undone."""


_SAY_NOTHING_OF_OTHERS: Final = ("connect", "import", "serve")
"""Verbs whose answer does not depend on the store, or which show all of them."""

_OF_HISTORY: Final = ("history", "review", "undo")
"""Verbs about what was."""

_NEVER_FAILS: Final = "hook"
"""The verb that agents run at their start; it must never fail, so that they are not stopped."""


class Misread(Exception):
    """An error of argparse: its message, or the list of arguments left over."""


class _Parser(argparse.ArgumentParser):
    """An argument parser that raises errors instead of printing the usage and exiting."""

    def __init__(self, prog: str, **named: Any) -> None:
        super().__init__(prog, **named)
        self.color = False  # Python 3.14 would colour the help, whatever `--color` says

    def error(self, message: str) -> NoReturn:
        """Raise `Misread`."""
        raise Misread(message)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """A help formatter with a fixed width and layout, independent of terminal and Python version.

    It also saves loading `shutil` (2 ms), which argparse uses to get the terminal's width.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_HELP_WIDTH, max_help_position=20)

    def _format_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None,
    ) -> str:
        from zsmem_tui.cli.usage import usage as usage_of  # deferred: needed only for help

        return usage_of(self._prog, actions, list(groups), self, _HELP_WIDTH)

    def _format_action(self, action: argparse.Action) -> str:
        """Group the verbs below headings in the full help."""
        if not isinstance(action, argparse._SubParsersAction) or len(action.choices) < len(VERBS):
            return super()._format_action(action)
        by_name = {each.dest: each for each in self._iter_indented_subactions(action)}
        rows = []
        for heading, names in HEADINGS.items():
            rows.append(f"{'':{self._current_indent}}{heading}\n")
            self._indent()
            rows += [super(_Formatter, self)._format_action(by_name[name]) for name in names]
            self._dedent()
        return "".join(rows)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings:
            return super()._format_action_invocation(action)
        value = "" if action.nargs == 0 else self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}".rstrip()


def main(argv: Sequence[str], check_screen: ScreenCheck | None = None) -> int:
    """Run a command line; return the exit code. Data goes to standard output, messages to standard error.

    `check_screen` checks settings that only the screen knows, for `zsmem config --check`.
    """
    if find_verb(argv) == _NEVER_FAILS:
        return _run_never_failing(argv)
    return _answered(argv, check_screen)


def _run_never_failing(argv: Sequence[str]) -> int:
    """Run a verb that must not fail: errors, even internal ones, are only printed to standard error."""
    try:
        if _answered(argv):
            _drop_output()
    except Exception as error:  # noqa: BLE001 - our errors must not stop the agent; it is logged
        from zsmem_tui.service.crash import log_crash  # deferred: needed only after an internal error

        say(f"The hook stopped because of an error of its own ({type(error).__name__}); see {log_crash(error)}")
        _drop_output()
    return Exit.DONE


def _answered(argv: Sequence[str], check_screen: ScreenCheck | None = None) -> int:
    try:
        return copy_context().run(_run, list(argv), check_screen)  # a dry run holds nothing off that follows
    except MemError as error:
        return report(error)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader has closed the pipe (`| head`): discard what is still buffered.
        _drop_output()
        return Exit.DONE


def _drop_output() -> None:
    """Redirect standard output to the null device, since flushing it at exit would fail again."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def find_verb(argv: Sequence[str]) -> str | None:
    """The first argument that is neither an option nor an option's value, or None."""
    skip = False
    for word in argv:
        if skip:
            skip = False
        elif word in _TAKE_VALUES:
            skip = True
        elif not word.startswith("-"):
            return word
    return None


def _join_group_values(argv: Sequence[str]) -> list[str]:
    """Join `--group -home-ann-x` to `--group=-home-ann-x`.

    Group names of Claude Code begin with a dash, so argparse would take them for options.
    """
    out: list[str] = []
    for word in argv:
        is_group = word.startswith("-") and word.count("-") > 1 and not word.startswith("--")
        if is_group and out and out[-1] in {"--group", "--project"}:
            out[-1] += f"={word}"
        else:
            out.append(word)
    return out


def parse_program(argv: Sequence[str]) -> argparse.Namespace | int:
    """Parse the options of the full-screen program; after a usage error, print it and return the exit code."""
    parser = build_parser(())
    try:
        args, extra = parser.parse_known_args(_join_group_values(argv))
        if problem := extra or _program_problem(args):
            raise Misread(problem)
    except SystemExit as stop:
        return int(stop.code or 0)
    except Misread as error:
        return report(_misread(argv, "", parser, error))
    return args


def _misread(argv: Sequence[str], verb: str, parser: argparse.ArgumentParser, error: Misread) -> ConfigError:
    from zsmem_tui.cli import mistaken  # deferred: needed only after a mistake

    [why] = error.args
    return mistaken.misread(argv, verb, parser, *(("", why) if isinstance(why, list) else (why,)))


def _program_problem(args: argparse.Namespace) -> str:
    """Why options of the full-screen program contradict each other; empty if they do not."""
    stores: list[str] = args.store or []
    if args.color:
        return "--color is for what a verb prints; the screen heeds NO_COLOR"
    if args.demo and stores:
        return "--demo opens a store of its own: --store has no meaning with it"
    if args.root and stores:
        return "--root and --store name two stores"
    if (args.group or args.user) and len(stores) != 1:
        return "--group and --user say whose memory of one store: name one with --store"
    if args.project and stores and (args.group or len(stores) != 1):
        return "--project says whose memory of one store, as --group does"
    return ""


def build_parser(names: Collection[str] = VERBS, *, brief: bool = False) -> argparse.ArgumentParser:
    """Make a parser for these verbs. A run needs only its own verb, which makes the start fast, and a list of verbs, which is
    `brief`, only their help lines.
    """
    parser = _Parser("zsmem", description=DESCRIPTION, epilog=EPILOG, formatter_class=_Formatter, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"zsmem {__version__}")
    parser.add_argument("--demo", action="store_true", help="open the program on a sample, in a home folder of its own")
    parser.add_argument("--tour", action="store_true", help="begin with a tour of the program: eight steps, three minutes")
    _add_common_options(parser, first=True)
    if not names:
        return parser
    found = parser.add_subparsers(dest="verb", metavar="VERB", title="verbs", prog=parser.prog)
    for name in names:
        verb = VERBS[name]
        if brief:
            found.add_parser(name, help=verb.help)
            continue
        module = command(name)
        sub = found.add_parser(
            name,
            help=verb.help,
            description=verb.help,
            epilog=f"examples:\n{module.EXAMPLES}",
            formatter_class=_Formatter,
            allow_abbrev=False,
        )
        if hasattr(module, "arguments"):
            module.arguments(sub)
        _add_common_options(sub)
        if verb.flag == JSON:
            sub.add_argument(JSON, action="store_true", help="print one JSON document")
        if verb.flag == DRY_RUN:
            sub.add_argument(DRY_RUN, action="store_true", help="say what would happen, and change nothing")
            sub.add_argument(JSON, action="store_true", help="print the report as one JSON document")
        for option in (JSON, DRY_RUN) if len(names) == 1 else ():  # may stand before the verb, too
            if behind := sub._option_string_actions.get(option):
                behind.default = argparse.SUPPRESS
                parser.add_argument(option, action="store_true", help=argparse.SUPPRESS)
    return parser


def open_session(args: argparse.Namespace) -> Session:
    """Open the session that the common options select."""
    for option in ("root", "project", "cwd", "group", "user", "to", "into", "to_group", "to_user", "into_group", "plugin"):
        if getattr(args, option, None) == "":
            raise ConfigError(f"--{option.replace('_', '-')} is empty. Nothing was done.")
    config = load() if VERBS[args.verb].needs_settings else Config()
    if args.profile:
        config = config._replace(profile=Profile(args.profile))
    if args.verb in ("stores", "sync"):  # it takes any number of stores itself
        return Session.open(config, cwd=args.cwd)
    if args.store:
        return _open_store(config, args)
    verb = VERBS[args.verb]
    from zsmem_tui.service.which_store import (  # deferred: not needed if the store is named
        Has,
        named_project,
        open_here,
        refuse_to_begin,
        what_is_in,
    )

    if not verb.any_store or args.root:
        if (args.group or args.user) and not verb.has_groups:
            raise ConfigError("--group and --user say which memory of a store: name it with --store. Nothing was done.")
        session = Session.open(config, root=args.root, project=args.project, cwd=args.cwd)
        return named_project(session) if args.project and verb.any_store else session
    if args.group and args.project and not verb.has_groups:
        raise ConfigError("--group and --project name two groups. Nothing was done.")
    group, user = ("", "") if verb.has_groups else (args.group or "", args.user or "")
    opened = partial(
        open_here, config, project=args.project or "", group=group, user=user, cwd=args.cwd or "", needs_group=_is_one(args)
    )
    session = opened(but=str(args.format) if verb.has_groups and "format" in args else "")  # the other side is not the store
    no_other = {"export": Has.OTHERS, "import": Has.NOTHING}.get(args.verb)
    if no_other is not None and args.path and what_is_in(session) <= no_other:
        session = opened()  # a named folder is not its memory: also of that kind if no other has memory, or is on this machine
    if session.rivals and args.verb not in _OF_HISTORY and not getattr(args, "to", ""):
        session.guard = refuse_to_begin(session)
    return session


def _is_one(args: argparse.Namespace) -> bool:
    """Whether the verb works on one group of the store, not on all."""
    return VERBS[args.verb].of_group and not (args.verb == "doctor" and args.all)


def _open_store(config: Config, args: argparse.Namespace) -> Session:
    """Open the store given by `--store`."""
    from zsmem_tui.service.stores import open_store  # deferred: imports the rules of all agents

    if args.root:
        raise ConfigError("--root and --store name two stores. Nothing was done.")
    if len(args.store) > 1:
        raise ConfigError(f"{args.verb} works on one store, and {len(args.store)} were named. Nothing was done.")
    if args.group and args.project:
        raise ConfigError("--group and --project name two groups. Nothing was done.")
    place, group, cwd = args.store[0], args.group or args.project or "", args.cwd or ""
    try:
        return open_store(config, place, group=group, cwd=cwd, user=args.user or "", needs_group=_is_one(args))
    except BadTarget:
        from zsmem_tui.service.projects.known import group_called  # deferred: imports the register of projects

        whole = open_store(config, place, cwd=cwd, user=args.user or "", needs_group=False)
        if not group or (called := group_called(whole, group)) == group:
            raise
        return open_store(config, place, group=called, cwd=cwd, user=args.user or "")


def _run(argv: list[str], check_screen: ScreenCheck | None) -> int:
    if find_verb(argv) == "help":
        from zsmem_tui.cli.commands.help import PAGES  # deferred: needed only for help

        topic = find_verb(argv[argv.index("help") + 1 :]) or ""
        argv = [topic, "--help"] if topic in VERBS and topic not in PAGES else argv
    name = find_verb(argv)
    names = [name] if name in VERBS else () if argv[:1] == ["--version"] else VERBS
    if name is not None and name not in VERBS and _ASKS_HELP.isdisjoint(argv):
        from zsmem_tui.cli import mistaken  # deferred: needed only after a mistake

        raise mistaken.unknown_verb(name, argv, build_parser(()))
    parser = build_parser(names, brief=name not in VERBS)
    try:
        args, extra = parser.parse_known_args(_join_group_values(argv))
        if extra:
            _add_words(parser, args, extra)
    except SystemExit as stop:
        return int(stop.code or 0)
    except Misread as error:
        raise _misread(argv, name if name in VERBS else "", parser, error) from None
    if not args.verb:
        raise ConfigError("there is no verb to run")
    if args.demo or args.tour:
        name = "--demo" if args.demo else "--tour"
        raise ConfigError(f"{name} opens the full-screen program and takes no verb. Nothing was done.")
    args.check_screen = check_screen
    for sentence in sweep(dry_run=getattr(args, "dry_run", False)):
        say(sentence)
    session = _store_meant(_store_with_file(open_session(args), args), args)
    if args.cwd and VERBS[args.verb].any_store:
        from zsmem_tui.service.which_store import said_of_folder  # deferred: not needed if the store is named

        if gone := said_of_folder(session, args.cwd):
            say(gone)
    if VERBS[args.verb].needs_store and (problem := session.root_problem()):
        raise Unreadable(session.root, f"{problem} Nothing was read or written.")
    was_there = os.path.isdir(session.root)
    verb, is_named = VERBS[args.verb], bool(args.project or args.group) and session.is_default
    is_of_project = is_named and verb.any_store and not verb.has_groups and not getattr(args, "line", False)
    may_be_new = is_of_project and not is_there(session)
    with patient(Patience()) as patience:
        try:
            with named("" if getattr(args, "words", None) else args.verb):  # with words, it may ask a question
                code = command(args.verb).run(session, args)
        except MemError as error:
            outcome_of(args, error)
            if isinstance(error, Missing):
                error.hint = error.hint or _target_meant(session, args)
            if not patience.contended:
                raise
            code = report(error)
    if patience.contended:
        code = _contended(patience, code)
    if code == Exit.NOTHING and (guess := _target_meant(session, args)):
        say(guess)
    if may_be_new:
        say(said_of_new(session))
    if session.write_problem and args.verb not in _WARN_THEMSELVES:
        say(f"Undo is off. {session.write_problem}")
    would = args.verb in ("import", "write") and args.dry_run and not getattr(args, "to", "") and code == Exit.DONE
    is_new = not was_there and (would or os.path.isdir(session.root)) and args.verb not in _OF_HISTORY  # these bring back what was
    if not _needs_no_store_name(args) or (is_new and args.verb == "import"):
        _say_which(session, args, is_new=is_new, is_empty=code == Exit.NOTHING)
    elif code == Exit.NOTHING and (session.store or args.root) and not os.path.lexists(session.root):
        say(f"{printable_path(session.root)} is not there.")
    elif _is_about_store(args) and session.folder_problems():
        from zsmem_tui.service.which_store import unreadable  # deferred: the store was opened without it

        for sentence in unreadable([session]):
            say(sentence)
    session.settle()
    return code


def _contended(patience: Patience, code: int) -> int:
    """Print what others were still writing when the verb ended; return the exit code."""
    for each in patience.contended.values():
        say(describe(each))
        for line in (*each.missing, *each.returned):
            say(f"  {truncate(line, LONGEST_LINE, '…')}")
    return code if all(each.is_kept for each in patience.contended.values()) else Exit.CONFLICT


def _needs_no_store_name(args: argparse.Namespace) -> bool:
    """Whether the store need not be named to the person: they named it, all are meant, or the output is for a bar or page."""
    is_asked = any(getattr(args, name, None) for name in ("store", "root", "project", "group", "user", "all_stores"))
    return is_asked or not _is_about_store(args)


def _is_about_store(args: argparse.Namespace) -> bool:
    """Whether a person reads an answer that depends on the store."""
    return VERBS[args.verb].any_store and args.verb not in _SAY_NOTHING_OF_OTHERS and not getattr(args, "line", None)


def _say_which(session: Session, args: argparse.Namespace, *, is_new: bool, is_empty: bool) -> None:
    """Print which other stores have memory of the folder, or that none has. Called after the verb, which need not wait for it.

    If `is_new`, the verb has begun this store; it is named with the installed agents that do not read it. That others have memory,
    too, is said only where the verb found nothing (`is_empty`).
    """
    from zsmem_tui.service import which_store  # deferred: not needed if the store is named

    cwd = args.cwd or ""
    beside = which_store.beside(session, cwd)
    has, others = which_store.what_is_in(session), which_store.others(beside)
    for sentence in which_store.unreadable([session, *beside]) if args.verb != "today" else ():  # it covers all of them
        say(sentence)
    own, for_all = (
        " or ".join(f"--store {kind}" for kind, has in others.items() if has is which)
        for which in (which_store.Has.OWN, which_store.Has.FOR_ALL)
    )
    if is_new and (here := which_store.elsewhere(session, cwd)):
        titles = " and ".join(each.layout.title for each in here)
        where = " or ".join(f"--store {each.layout.kind}" for each in here)
        did = "began" if os.path.isdir(session.root) else "would begin"
        says = "does not read it: what it reads" if len(here) == 1 else "do not read it: what they read"
        say(f"This {did} a memory of {session.layout.title} in {printable_path(session.root)}. {titles} {says} is {where}.")
    elif others and args.verb == "today":
        pass  # it covers all of them
    elif has <= which_store.Has.OTHERS and (gone := _what_is_gone(session)):
        if args.verb not in ("review", "status", "today"):  # these say it themselves
            say(f"{gone} `zsmem review back` brings them back.")
    elif has <= which_store.Has.OTHERS and others:  # that store is the export's target
        say(f"{session.layout.title} has no memory of this folder; {own or for_all} has{'' if own else ' some for every folder'}.")
    elif has <= which_store.Has.OTHERS:
        from zsmem_tui.service.prompts import stores_told  # deferred, as above

        told = [shortened(f"{each.root}/{path}") for each, paths in stores_told(session) for path in sorted(paths)]
        only = f", only {printable_path(' and '.join(told))}." if told else f". {which_store.looked_at(session.config, cwd)}."
        say(f"There is no memory of this folder yet{only}")
    elif own and (is_empty or has is not which_store.Has.OWN) and not getattr(args, "json", False):
        too = ", too" if has is which_store.Has.OWN else ""
        more = " --all-stores looks at every memory." if args.verb == "doctor" else ""
        say(f"This is the memory of {session.layout.title}; {own} has memory of this folder{too}.{more}")
    left, verb = which_store.left_behind(session) if args.verb != "projects" else ("", "")
    if left:
        say(f"{left} `{verb}` takes it here.")


def _what_is_gone(session: Session) -> str:
    from zsmem_tui.service.status import what_is_gone  # deferred: the counts, only needed without memory

    return what_is_gone(session)


def _store_with_file(session: Session, args: argparse.Namespace) -> Session:
    """Of the stores read as one, the one that has the file given by its path; if none has, the first."""
    word = _file_named(args)
    if not session.beside or not word:
        return session
    from zsmem_tui.cli.reporting import named_ref  # deferred: needed only for several stores

    found = ((each, named_ref(each, word)) for each in (session, *session.beside))
    return next((each for each, ref in found if ref is not None and os.path.lexists(each.path(ref))), session)


def _store_meant(session: Session, args: argparse.Namespace) -> Session:
    """Without a store named: of this folder's stores, the one with the step, version or wiped text that the verb is about."""
    if args.verb not in _OF_HISTORY or getattr(args, "file", None) or _needs_no_store_name(args):
        return session
    from zsmem_tui.service import which_store  # deferred: the history, only needed by these verbs

    cwd = args.cwd or ""
    match [args.verb, *getattr(args, "words", ())]:
        case ["undo"]:
            found, why = which_store.with_last_step(session, cwd, redo=args.redo), "the last step was made there"
        case ["history", "show" | "diff" | "restore", id]:
            found, why = which_store.with_version(session, id, cwd), "it has this version"
        case ["history"] | ["history", "list"] | ["review"] | ["review", "list" | "back"] if not getattr(args, "json", False):
            found, why = which_store.with_wiped(session, cwd), "text in it was wiped"
        case _:
            return session
    if found is session:
        return session
    title = found.layout.title
    if args.verb == "review" and args.words != ["back"]:  # what others wrote in its own store is listed nevertheless
        store = found.layout.kind
        say(f"Text in {title}'s memory was wiped: `zsmem review --store {store}` lists it, `review back` brings it back.")
        return session
    say(f"{title}'s memory is meant: {why}.")
    return found


def _file_named(args: argparse.Namespace) -> str:
    """The argument that names a file; empty if there is none."""
    return next((found for each in ("source", "target", "file") if (found := getattr(args, each, None))), "")


def _target_meant(session: Session, args: argparse.Namespace) -> str:
    if not (word := _file_named(args)):
        return ""
    from zsmem_tui.cli.reporting import target_meant  # deferred: needed only if nothing was found

    return target_meant(session, word, getattr(args, "name", None) or "")


def _add_words(parser: argparse.ArgumentParser, args: argparse.Namespace, extra: list[str]) -> None:
    """Add arguments after an option to the verb's list of words, which argparse does not do."""
    own = parser_of(parser, args.verb)._actions if args.verb else ()
    dest = next((each.dest for each in own if each.nargs in ("*", "+") and not each.option_strings), "")
    if not dest or any(word.startswith("-") and word != "-" and " " not in word for word in extra):
        raise Misread(extra)
    setattr(args, dest, [*getattr(args, dest), *extra])


def which_memory(args: argparse.Namespace) -> list[tuple[str, str]]:
    """(option, value) of the options given that select a memory."""
    said = ((option, getattr(args, option.removeprefix("--"))) for option in SAY_WHICH)
    return [(option, each) for option, value in said for each in (value if isinstance(value, list) else [value]) if each]


def _add_common_options(parser: argparse.ArgumentParser, *, first: bool = False) -> None:
    """Add the options allowed before and after the verb; the ones after it win."""
    default = None if first else argparse.SUPPRESS
    group = parser.add_argument_group("which memory")
    group.add_argument("--root", metavar="DIR", default=default, help="zerostack's memory, in this folder (default: its own)")
    either = group.add_mutually_exclusive_group()
    either.add_argument(
        "--project", metavar="SLUG", default=default, help="the project, by its slug (zsmem slug) or as zsmem projects lists it"
    )
    either.add_argument("--cwd", metavar="DIR", default=default, help="the project of this folder (default: the current one)")
    group.add_argument(
        "--store",
        metavar="KIND[:ROOT]",
        action="append",
        default=default,
        help="this store (default: the one that has memory of this folder); zsmem stores lists them; "
        "without a verb, as many as you name",
    )
    group.add_argument("--group", metavar="NAME", default=default, help="whose memory in it: a project, a personality, a user")
    group.add_argument("--user", metavar="ID", default=default, help="the user that an Ethos personality talks to")
    group.add_argument("--profile", choices=[each.value for each in Profile], default=default, help=PROFILE_HELP)
    parser.add_argument(
        "--color",
        choices=WHENS,
        default=default,
        help="colours in what a verb prints (default auto: on a terminal, without NO_COLOR)",
    )
