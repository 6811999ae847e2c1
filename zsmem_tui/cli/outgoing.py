"""What every verb takes that carries texts out of one memory into another: what becomes of credentials in them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zsmem_tui.service.plan import Handling


def secrets_arguments(parser: argparse.ArgumentParser) -> None:
    """What becomes of credentials that would go out; nothing goes out before one of the two is said."""
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "--mask", action="store_true", help="mask credentials that would go out: their first four characters; the store keeps them"
    )
    either.add_argument("--allow-secrets", action="store_true", help="let credentials go out as they are")


def handling(args: argparse.Namespace) -> Handling:
    """What was said about credentials."""
    from zsmem_tui.service.plan import Handling  # with the words of findings

    return Handling.MASK if args.mask else Handling.ALLOW if args.allow_secrets else Handling.STOP
