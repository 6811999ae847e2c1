"""The smallest Textual app: what a first frame and idle memory are measured against."""

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.widgets import Footer, Static


class Hello(App[None]):
    """One line of text and a footer."""

    BINDINGS: ClassVar = [("ctrl+q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        yield Static("Hello, world")
        yield Footer()


if __name__ == "__main__":
    Hello().run()
