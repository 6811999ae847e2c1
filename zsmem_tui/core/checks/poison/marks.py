"""Find forged role tags, orders in comments and hidden elements, commands that run downloads, and URLs that leak data.

A role tag alone is not reported, since people write about chat templates and use tags in prompts. Reported are: a tag followed by
an order, a closing tag of the memory block, and a chat template's token in running text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from zsmem_tui.core.checks.poison.orders import ACTS, is_order
from zsmem_tui.core.checks.scan import Span, Window, words
from zsmem_tui.core.limits import BLOCK_END
from zsmem_tui.core.text import line_begin, line_end

COMMENT: Final = "order in a comment or hidden element"
ROLE: Final = "forged role or tag"
RUN: Final = "download and run"
CARRY: Final = "data carried away"

WORDS: Final = words(
    (
        *("<!--", "[//]:", "[comment]:", "[hidden]:", "display:", "visibility:", "font-size:", "opacity:", "color:", " hidden"),
        *("<|", "[inst", "<<sys", "<system", "</system", "<assistant", "tool_", "function_", "<developer", "<information"),
        *("<important", "human:", "user:", "system:", "assistant:", "[system", "system note", '"role"', "'role'", "<admin"),
        *("# system", "#system", "start_of_turn", "system-reminder", "system message", "[admin", "<human", "<user>", "system】"),
        *("curl", "wget", "iex", "downloadstring", "/dev/tcp", "/dev/udp", "invoke-", "base64", "atob", "mkfifo", "ncat", "nc -"),
        *("/bin/sh", "/bin/bash", "socat", "pty.spawn", "eval", "frombase64", "-enc", "](http", "src=", "システム通知"),
        BLOCK_END.lower(),
    )
)
"""Keywords in lower case: this module only examines lines that contain one of them."""

_LINK_COMMENT: Final = re.compile(
    r"^[ \t>*+-]{0,8}\[(?://|comment|hidden|_|note|#)\]:[ \t]{0,4}(?:#|<>)?[ \t]{0,4}[(\"']([^\n]{0,600})[)\"']", re.MULTILINE
)
_LONGEST_COMMENT: Final = 2_000
_ELEMENT: Final = re.compile(
    r"<(?:span|div|p|font|section|small|b|i|em|a|td|li|label|h\d)\b[^>]{0,200}?(?:display\s?:\s?none|visibility\s?:\s?hidden"
    r"|font-size\s?:\s?[01](?:px|pt|em|%|\b)(?!\d)|opacity\s?:\s?0(?:\.0\d?)?(?![.\d])|\shidden\b"
    r"|color\s?[:=]\s?[\"']?(?:#?fff(?:fff)?\b|white|transparent))[^>]{0,200}>([^<]{0,800})"
)
_ADDRESSED: Final = re.compile(
    r"\W{0,4}(?:(?:to|note (?:to|for)|attention|dear|hey|instructions? (?:to|for)) )?(?:the |all |any |every )?"
    r"(?:ai|assistants?|agents?|llms?|language models?|bots?|copilot|claude|chatgpt|gpt|system|アシスタント|エージェント|助手"
    r"|智能体)(?: \w+){0,2}\s?[:,!：、]|\W{0,4}if you(?:'re| are) an? (?:ai|llm|agent|language model|assistant|bot)\b"
)
"""The start of a text that addresses an AI rather than a person who reads the page."""
_TOKEN: Final = re.compile(
    r"<\|(?:im_start|im_end|im_sep|system|user|assistant|tool|endoftext|eot_id|eom_id|start_header_id|end_header_id|begin_of_text"
    r"|end_of_text|endofprompt)\|>|\[inst\]|<<sys>>|<start_of_turn>"
)
_MEMORY_END: Final = re.compile(re.escape(BLOCK_END.lower()))
_INDENTED: Final = re.compile(r"(?: {4}|\t)")
_FRAME: Final = re.compile(
    r"</?(?:system|assistant|developer|admin|human|information|important|tool_(?:results?|output|response)|function_results?"
    r"|system[-_](?:reminder|prompt|message)|antml:\w{1,30})(?:\s[^>\n]{0,60})?>"
    r"|[\"']role[\"']\s{0,3}:\s{0,3}[\"'](?:system|developer|assistant|tool|function)[\"']"
    r"|^[ \t>*_#+-]{0,8}[\[(【]?(?:system|admin(?:istrator)?|developer|assistant|human|root)(?: (?:message|prompt|note|override"
    r"|notice|update|instruction|command|alert))?(?:[\])】]:?|[*_]{0,2}:)[*_]{0,2}"
    r"|^[ \t>]{0,4}#{1,4} ?system(?: prompt| message)?:?[ \t]*$|\[(?:system|admin) (?:note|message|notice|override|update):?"
    r"|^[ \t>*_#+-]{0,8}\[?user\]?:(?=[^\n]{1,300}?assistant:)|【システム[^】\n]{0,8}】",
    re.MULTILINE,
)
_LONGEST_FRAME: Final = 400
"""The most characters after a role tag in which its order is searched."""
_FORGED: Final = re.compile(
    r"\b(?:you (?:are now|have been|can now|may now)|from now on|new (?:instructions?|rules?|task)|permission to|unrestricted"
    r"|(?:user|admin|owner|operator) (?:has|have) (?:\w+ )?(?:approved|authori[sz]ed|granted|confirmed|requested)"
    r"|(?:user|caller|sender) is (?:an? |the )?(?:admin\w*|owner|developer|authori[sz]ed|trusted)"
    r"|[\"']?status[\"']?\s?:\s?[\"']?approved|maintenance mode|grant(?:ed)? (?:access|full|all|permission)|only on the following"
    r"|your (?:initial|previous) (?:prompt|instructions)|now (?:delete|send|run|push|approve|forward|execute|upload)"
    r"|i (?:approve|authori[sz]e|hereby) |(?:delete|approve|forward|upload|transfer) (?:all|every|the|any) \w+|go on and \w+)\b"
    r"|(?:送信|削除|実行|書き写し|転送|承認|無視)(?:し|せよ|する|なさい)"
)
"""Claims and orders that nobody makes in the name of a system or tool in their own notes."""

_SHELL: Final = (
    r"(?:sudo(?: -\w+)* )?(?:/(?:usr/)?bin/)?(?:env )?(?:(?:ba|z|da|k|fi)?sh\b|python[\d.]*\b|perl\b|ruby\b|node\b|php\b)"
)
_FETCH_RUN: Final = re.compile(
    rf"\b(?:curl|wget)\b[^\n|]{{0,300}}\|{{1,2}}\s{{0,3}}(?:(?:base64|gunzip|tee|tr)\b[^\n|]{{0,60}}\|\s{{0,3}})?{_SHELL}(?! -c)"
    rf"|{_SHELL}\s{{1,3}}(?:-\w{{1,4}} ){{0,2}}[\"']?(?:<\(|\$\(|`)\s?(?:curl|wget)\b"
    r"|\b(?:iwr|irm|invoke-webrequest|invoke-restmethod)\b[^\n|]{0,300}\|\s{0,3}(?:iex|invoke-expression)\b"
    r"|\b(?:iex|invoke-expression)\b[^\n]{0,60}(?:downloadstring|iwr|irm|invoke-webrequest)"
)
_URGED: Final = re.compile(
    r"\b(?:every|each|whenever|at (?:the )?start|on (?:every |each )?start\w*|always|before (?:reading|anything|you|each)"
    r"|as soon as|no need to ask|without asking|silently|quietly|secretly|first (?:run|execute))\b|起動時|必ず|毎"
    r"|http://|https?://\d{1,3}(?:\.\d{1,3}){3}|\bjedes mal|\bimmer\b|\bbei jedem\b|每次|启动时"
)
"""Turns a usual install command into one that is to run repeatedly, unasked, or from an insecure address."""
_DECODE_RUN: Final = re.compile(
    rf"\bbase64\s{{1,3}}(?:-d|--decode|-di)\b[^\n|]{{0,120}}\|\s{{0,3}}{_SHELL}"
    r"|\b(?:eval|exec)\s?[\"'(]{0,3}[^\n]{0,60}(?:base64\s{1,3}(?:-d|--decode)|b64decode|atob\()"
    r"|powershell[^\n]{0,80}\s-e(?:nc|ncodedcommand|c)?\s[a-z0-9+/=]{16,}|frombase64string[^\n]{0,200}(?:iex|invoke-e)"
)
_REVERSE_SHELL: Final = re.compile(
    r"/dev/(?:tcp|udp)/[\w.-]{3,}/\d|\bn(?:c|cat|etcat)\b[^\n|]{0,80}\s-\w{0,4}[ec]\s{1,3}[\"']?(?:/bin/)?(?:ba|z)?sh"
    r"|\bmkfifo\b[^\n]{0,160}\bn(?:c|cat)\b|\bsocat\b[^\n]{0,120}exec:|pty\.spawn[^\n]{0,40}sh"
)
_TALK: Final = (
    r"(?:summar(?:y|ise|ize)\w*|conversation|chat|history|transcript|memory|secrets?|api[_ -]?keys?|passwords?|env(?:ironment)?\b"
    r"|credentials?|system[_ ]prompt|file[_ ]contents?|user[_ ]?(?:data|input|message|e?mail)|last[_ ]message|zusammenfassung"
    r"|gespräch|要約|会話|摘要|对话)"
)
_CARRIES: Final = re.compile(
    r"[?&#/=](?:\$\(|`)\s?(?:cat|env|printenv|whoami|hostname|base64|id|uname|history|head|tail|git|pass|echo)\b"
    rf"|[?&#=/](?:\$?\{{{{?|%7b|\[|<)[^\n}}>\])]{{0,40}}?{_TALK}"
    r"|[?&][\w.-]{1,40}=\$\{\w{0,30}(?:token|key|pass)\w{0,30}\}"
)
"""In a URL: a command substitution, or a variable for conversation data or of the environment."""
_ADDRESS: Final = re.compile(r"\]\(\s?<?https?://|<img\b[^>\n]{0,100}?src=[\"']?https?://")
_REST: Final = re.compile(r"[^\n]{0,500}?(?:\)(?=\s|$|[.,;:])|\"|'\s?/?>|$)", re.MULTILINE)
_SUBSTITUTED: Final = re.compile(
    r"\bcurl\b[^\n]{0,200}(?:-d|--data\S*|-f|--form|-t|--upload-file)[ =]?[\"']?(?:\w{1,20}=)?(?:@[\"']?(?:~/\.|/etc/|\.env|\.ssh)"
    r"|[\"']?\$\((?:cat|env|printenv|base64|history)\b)|\b(?:cat|env|printenv|history)\b[^\n|]{0,60}(?:\.env|\.ssh|\.aws|id_rsa|history"
    r"|env|secret)[^\n|]{0,40}\|[^\n]{0,80}\b(?:curl|nc|ncat)\b"
)


def marks(small: str, window: Window, is_fenced: Callable[[int], bool]) -> Iterator[Span]:
    """Find marks in a window of a text (`small`: in lower case); in fences only those that are harmful there, too."""
    start, end = window
    yield from _comments(small, start, end)
    yield from _frames(small, start, end, is_fenced)
    for shape, kind in ((_DECODE_RUN, RUN), (_REVERSE_SHELL, RUN), (_SUBSTITUTED, CARRY)):
        for match in shape.finditer(small, start, end):
            yield Span(match.start(), match.end(), kind)
    for match in _FETCH_RUN.finditer(small, start, end):
        line = small[line_begin(small, match.start(), start) : line_end(small, match.start(), match.end() + 200)]
        if _URGED.search(line) and not is_fenced(match.start()):
            yield Span(match.start(), match.end(), RUN)
    read = start
    for match in _ADDRESS.finditer(small, start, end):
        rest = _REST.match(small, match.end(), end) if match.start() >= read else None
        if rest:
            read = rest.end()
            if _CARRIES.search(rest[0]) and not is_fenced(match.start()):
                yield Span(match.start(), read, CARRY)


def _comments(small: str, start: int, end: int) -> Iterator[Span]:
    at = small.find("<!--", start, end)
    while 0 <= at < end:
        after = small.find("<!--", at + 4, at + _LONGEST_COMMENT)
        most = after if after >= 0 else min(at + _LONGEST_COMMENT, len(small))
        stop = small.find("-->", at + 4, most)
        stop = most if stop < 0 else stop + 3
        if _is_order(small[at + 4 : stop].removesuffix("-->").strip()):
            yield Span(at, stop, COMMENT)
        at = small.find("<!--", at + 4, end)
    for shape in (_LINK_COMMENT, _ELEMENT):
        for match in shape.finditer(small, start, end):
            if _is_order(match[1].strip()):
                yield Span(match.start(), match.end(), COMMENT)


def _is_order(said: str) -> bool:
    """Whether text hidden from a reader tells an agent to do something."""
    if is_order(said):
        return True
    return bool(_ADDRESSED.match(said) and ACTS.search(said))


def _frames(small: str, start: int, end: int, is_fenced: Callable[[int], bool]) -> Iterator[Span]:
    for match in (*_TOKEN.finditer(small, start, end), *_MEMORY_END.finditer(small, start, end)):
        is_code = match[0] == BLOCK_END.lower() and _INDENTED.match(small, line_begin(small, match.start(), start))
        if not is_code and not is_fenced(match.start()):
            yield Span(match.start(), match.end(), ROLE)
    read = start
    for match in _FRAME.finditer(small, start, end):
        if match.start() < read:
            continue
        said = small[match.end() : match.end() + _LONGEST_FRAME].split("\n\n\n", 1)[0]
        if _FORGED.search(said) or is_order(said):
            yield Span(match.start(), match.end(), ROLE)
            read = match.end() + _LONGEST_FRAME // 2
