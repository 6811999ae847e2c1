"""The `zsmem fit` command: propose and make moves so that the memory fits into the prompt."""

from __future__ import annotations

import argparse
from typing import Any

from zsmem_tui.cli.output import WAS_DRY, Exit, put_json, put_line, say, tell
from zsmem_tui.cli.reporting import carry_out
from zsmem_tui.core.errors import BadName
from zsmem_tui.core.fit import FitMove
from zsmem_tui.core.text import printable_path
from zsmem_tui.service import applying, doctor_fixes, fit
from zsmem_tui.service.fit import Proposal
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem fit
  zsmem fit --without log:projects/harbor-api-d08a5407/daily/2026-05-24.md:0
  zsmem fit --apply"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--apply", action="store_true", help="make the moves, as one step to undo; else they are only listed")
    parser.add_argument("--without", metavar="ID", action="append", default=[], help="leave a move out, and propose others for it")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the proposed moves, and with `--apply`, make them."""
    proposal = fit.propose(session)
    without: list[FitMove] = []
    for id in args.without:
        move = next((each for each in (*proposal.fit.moves, *without) if each.id == id), None)
        if move is None:
            raise BadName(f"no move is called {id!r}. Nothing was moved.", "`zsmem fit` lists them.")
        without.append(move)
        proposal = fit.propose(session, without=without)
    if (found := fit.shortening(session)) is not None:
        is_listed, args.dry_run = not args.apply, args.dry_run or not args.apply
        code = carry_out(session, args, doctor_fixes.fitted(session, found))
        if is_listed:
            say("--apply does it.")
        return code
    does = args.apply and not args.dry_run and bool(proposal.fit.moves)
    done = applying.apply(fit.plan(session, proposal, proposal.fit.moves)) if does else None
    if done:
        tell(args, done.message)
    if args.json:
        put_json(_as_json(proposal) | {"applied": done is not None, "message": done.message if done else ""}, session)
    else:
        _say(proposal)
        if done:
            put_line(done.message)
    if done and done.undo_problem:
        say(f"Undo is off. {done.undo_problem}")
    if proposal.fit.moves and not done:
        say(WAS_DRY if args.apply else "Nothing was written: --apply makes these moves.")
    return Exit.DONE if proposal.fit.moves else Exit.NOTHING


def _say(proposal: Proposal) -> None:
    before, after = proposal.fit.before, proposal.fit.after
    lost = "".join(f", {each}" for each in (before.closed, before.lost and before.loss()) if each)
    if before.most is None:
        say("Its agent knows no limit for the prompt: nothing has to be moved.")
        return
    put_line(f"{before.in_all:,} {before.unit} in all, {before.cap:,} fit{lost}.")
    for move in proposal.fit.moves:
        put_line(f"{move.frees:>7}  {fit.describe(move)}")
        put_line(f"{'':>9}{printable_path(move.id)}")
    if proposal.fit.moves:
        left = f"{after.loss() if after.lost else 'nothing lost'}; {fit.spare(proposal)}, as no more goes than must"
        put_line(f"Afterwards: {after.in_all:,} {after.unit} in all, {after.cap:,} fit, {left}.")
        if out := fit.leaving(proposal):
            put_line(f"{out[:1].upper()}{out[1:]}; all of it stays on disk.")
    elif reason := fit.reason_for_no_moves(proposal):
        say(reason)
    elif before.lost:
        say("No move is left that would help.")
    else:
        say("It fits already.")


def _as_json(proposal: Proposal) -> dict[str, Any]:
    before, after = proposal.fit.before, proposal.fit.after
    return {
        "cap": before.most,
        "unit": before.unit,
        "before": {"needed": before.in_all, "lost_lines": len(before.lost)},
        "after": {"needed": after.in_all, "lost_lines": len(after.lost)},
        "missing": proposal.fit.missing,
        "moves": [
            {
                "id": printable_path(move.id),
                "kind": move.kind.value,
                "path": printable_path(move.path),
                "lines": [[start + 1, stop] for start, stop in move.ranges],
                "target": printable_path(move.target) or None,
                "frees": move.frees,
                "lost": move.lost,
                "says": fit.describe(move),
            }
            for move in proposal.fit.moves
        ],
    }
