"""The actions that open a screen for one job, and undo and redo, which work on all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.layout import only_instructions
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.ui.commands.stores import in_store, in_store_meant
from zsmem_tui.ui.memory import editing
from zsmem_tui.ui.memory.selection import file_meant, line_meant, project_in_view, project_meant, store_meant
from zsmem_tui.ui.messages import FileChosen
from zsmem_tui.ui.open_store import FactsAbout

if TYPE_CHECKING:
    from zsmem_tui.service.previewing import Subject
    from zsmem_tui.ui.app import ZsmemApp
    from zsmem_tui.ui.facts.rows import FactId
    from zsmem_tui.ui.open_store import OpenStore
    from zsmem_tui.ui.tool import ToolScreen


MOST_ASIDE: Final = 3
"""How often tools are kept for going back: from a viewer to one, from an editor to another."""


class ToolCommands:
    """Ways to the screens that lie over the main one."""

    def __init__(self, host: ZsmemApp) -> None:
        self._host = host
        self._decided: set[str] = set()
        self._judged: set[FactId] = set()
        self._aside: list[list[ToolScreen]] = []
        """Tools that something may lead back to, those set aside last at the end; each with the ones that were under it."""

    def by_name(self) -> Mapping[str, Callable[..., object]]:
        """What the actions of `ui.keys` call."""
        return {
            "undo": lambda: self._undo(redo=False),
            "redo": lambda: self._undo(redo=True),
            "bring_back": self._bring_back,
            "review": self._review,
            "prompt": lambda: self._over("prompt", self._prompt),
            "triage": lambda: self._over("triage", self._triage),
            "facts": lambda: self._over("facts", self._facts),
            "transfer": lambda: self._over("transfer", self._transfer),
            "costs": lambda: self._over("costs", self._costs),
            "doctor": self._doctor,
            "projects": lambda: self._over("projects", self._projects),
            "about": self._about,
            "connect": lambda: self._over("connect", self._connect),
        }

    def read(self, ref: MemRef, line: int, *, store: str = "") -> None:
        """Show a file of a store in the viewer, at `line`; `esc` there leads back to where the person is, as it is."""
        main = self._host.main
        main.post_message(FileChosen(ref, enter=True, line=line, store=store or main.here.key, back=self._set_aside()))

    def edit(self, ref: MemRef, line: int | None = None, *, row: int | None = None) -> None:
        """Edit a file on the main screen, the cursor on `line`, at `row` of the screen where the person saw it.

        Leaving the editor leads back to where the person is, as it is.
        """
        back = self._set_aside()
        main = self._host.main
        main.post_message(FileChosen(ref, line=line, row=row, store=main.here.key))
        self._host.talk(editing.edit(main, ref, line=line, row=row, back=back))

    def _set_aside(self) -> Callable[[], object] | None:
        """Go to the main screen; what leads back to the tools that were over it, as they are. None when there was none."""
        tools: list[ToolScreen] = []
        while (tool := self._host.tool) is not None:
            tool.aside.go()
            tools.insert(0, tool)
        if not tools:
            return None
        self._aside.append(tools)
        while len(self._aside) > MOST_ASIDE:
            for tool in self._aside.pop(0):
                tool.aside.forget()

        def back() -> None:
            if tools not in self._aside:
                self._host.main.focus_pane("tree")
                return
            self._aside.remove(tools)
            for tool in tools:
                tool.aside.come_again()

        return back

    def open_history(self, ref: MemRef | None) -> None:
        """Show the versions of a file (None: of all files)."""
        from zsmem_tui.ui.history.screen import HistoryScreen  # with its widgets 5 ms that a start can do without

        self._host.push_screen(HistoryScreen(self._host, ref))

    def open_review(self) -> None:
        """Show what others wrote."""
        from zsmem_tui.ui.review.screen import ReviewScreen  # with its widgets 5 ms that a start can do without

        self._host.push_screen(ReviewScreen(self._host))

    def open_prompt(self, about: Subject) -> None:
        """Show what the agent sees."""
        from zsmem_tui.ui.prompt.screen import PromptScreen  # with its widgets 5 ms that a start can do without

        self._host.push_screen(PromptScreen(self._host, about))

    def open_facts(self, about: FactsAbout) -> None:
        """Show facts."""
        from zsmem_tui.ui.facts.screen import FactsScreen  # with its widgets 5 ms that a start can do without

        self._host.push_screen(FactsScreen(self._host, about, self._judged))

    def _over(self, page: str, show: Callable[[], None]) -> None:
        """Show a screen for the store that is meant; over another one, for the store of that, also one that is below it."""
        tool = self._host.tool
        if tool is None:
            in_store_meant(self._host, show)
        elif page != tool.PAGE and not self._back_to(page, tool):
            show()

    def _back_to(self, page: str, tool: ToolScreen) -> bool:
        """Close what lies over a screen for the same store that is below `tool`; False where there is none."""
        tools = list(self._host.tools)
        at = next((place for place, each in enumerate(tools) if page == each.PAGE and each.session is tool.session), None)
        if at is None:
            return False
        for each in reversed(tools[at + 1 :]):
            each.dismiss()
        tools[at].load()
        return True

    def _review(self) -> None:
        """What others wrote: in the store that is meant, else in the first that has something; from there, in the next."""
        main = self._host.main
        others = [store for store in main.stores if store.unreviewed]
        tool = self._host.tool
        if tool is not None and tool.PAGE == "review":
            self._next_store(tool, lambda store: bool(store.unreviewed), "has anything to review")
        elif tool is None and others and not store_meant(main).unreviewed and not self._host.conversations.under_way:
            main.use(others[0])
            self.open_review()
        else:
            self._over("review", self.open_review)

    def _doctor(self) -> None:
        """What is wrong: in the store that is meant, else in the first that has something; from there, in the next."""
        main = self._host.main
        others = [store for store in main.stores if store.checkup.count]
        tool = self._host.tool
        if tool is not None and tool.PAGE == "doctor":
            self._next_store(tool, lambda store: bool(store.checkup.count), "has any finding")
        elif tool is None and others and not store_meant(main).checkup.count and not self._host.conversations.under_way:
            main.use(others[0])
            self._open_doctor()
        else:
            self._over("doctor", self._open_doctor)

    def _open_doctor(self) -> None:
        from zsmem_tui.ui.doctor.screen import DoctorScreen  # with every rule of the doctor, which a start can do without

        self._host.push_screen(DoctorScreen(self._host))

    def _next_store(self, tool: ToolScreen, has_something: Callable[[OpenStore], bool], what: str) -> None:
        """The same tool for the next store that has something for it; `what` that would be."""
        stores = self._host.main.stores
        at = next((place for place, store in enumerate(stores) if store.session is tool.session), 0)
        found = next((store for store in (*stores[at + 1 :], *stores[:at]) if has_something(store)), None)
        if found is None:
            tool.say(f"No other store {what}." if len(stores) > 1 else "There is one store only.", warning=True)
            return

        def go_on() -> None:
            tool.session = found.session
            tool.load()

        in_store(self._host, found, go_on)

    def _undo(self, *, redo: bool) -> None:
        """The last step back, or forth again."""
        from zsmem_tui.ui.history import verbs as history_flows  # with undo and review 8 ms that a start can do without

        self._host.talk(history_flows.undo(self._host, redo=redo))

    def _bring_back(self) -> None:
        """A text that was wiped."""
        from zsmem_tui.ui.history import verbs as history_flows  # with undo and review 8 ms that a start can do without

        self._host.talk(history_flows.bring_back(self._host))

    def _prompt(self) -> None:
        """What the agent sees of the project that is meant."""
        from zsmem_tui.ui.prompt.verbs import subject_of  # with the preview 9 ms that a start can do without

        main = self._host.main
        self.open_prompt(subject_of(main, project_in_view(main)))

    def _triage(self) -> None:
        """The scratchpad items of the project that is meant."""
        from zsmem_tui.ui.triage.screen import TriageScreen  # with its widgets 6 ms that a start can do without

        self._host.push_screen(TriageScreen(self._host, project_in_view(self._host.main), self._decided))

    def _facts(self) -> None:
        """The facts of the project that is meant, the cursor where the person reads."""
        from zsmem_tui.service.facts.rows import Scope  # with the rules of facts 5 ms that a start can do without

        main = self._host.main
        ref = file_meant(main)
        self.open_facts(FactsAbout(project_in_view(main), Scope.PROJECT, ref, line_meant(main, ref) if ref is not None else 0))

    def _transfer(self) -> None:
        """Import and export."""
        from zsmem_tui.ui.prompt.verbs import subject_of  # with the preview 9 ms that a start can do without
        from zsmem_tui.ui.transfer.screen import TransferScreen  # with the formats 8 ms that a start can do without

        main = self._host.main
        session, own = main.session, main.session.project
        if only_instructions(session.layout):
            words = (
                "Instructions are no agent's memory: go to an agent in the tree, where AGENTS.md can be brought in and written to."
            )
            main.say(words, warning=True)
            return
        group = subject_of(main, project_meant(main)).project if session.has_no_group else own
        if session.layout.ref(Role.NOTE, group, "name") is None and session.layout.ref(Role.FACTS, group) is None:
            main.say(f"{main.here.title} keeps memory by group: go to one in the tree, and 9 is about that.", warning=True)
            return
        self._host.push_screen(TransferScreen(self._host, group))

    def _costs(self) -> None:
        """What every project's memory costs."""
        from zsmem_tui.ui.prompt.costs import CostScreen  # with its widgets 5 ms that a start can do without

        self._host.push_screen(CostScreen(self._host))

    def _projects(self) -> None:
        """Every project, and which folder it belongs to."""
        from zsmem_tui.ui.projects.screen import ProjectsScreen  # with its widgets 5 ms that a start can do without

        self._host.push_screen(ProjectsScreen(self._host))

    def _about(self) -> None:
        """Slug and folder of the project that is meant."""
        from zsmem_tui.ui.projects import naming  # with the rules of folders, after the first frame

        main = self._host.main
        self._host.talk(naming.about(main, store_meant(main), project_meant(main)))

    def _connect(self) -> None:
        """Agents and what of ours they have."""
        from zsmem_tui.ui.connect.screen import ConnectScreen  # with every agent's settings 10 ms that a start can do without

        self._host.push_screen(ConnectScreen(self._host))
