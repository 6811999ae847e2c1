"""Forged roles, orders in comments and hidden elements, commands that run what they fetch, addresses that carry data away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zsmem_tui.core.checks import poison_addresses
from zsmem_tui.core.checks.poison_orders import is_order
from zsmem_tui.core.checks.poison_rule import CARRY, RUN
from zsmem_tui.core.checks.scan import Hit, Window, words
from zsmem_tui.core.constants import BLOCK_END

COMMENT: Final = "order in a comment or hidden element"
ROLE: Final = "forged role or tag"

WORDS: Final = words(
    (
        *(
            "<!--",
            "[//]:",
            "[comment]:",
            "[hidden]:",
            "display:",
            "visibility:",
            "font-size:",
            "opacity:",
            "color:",
            "hidden",
            "aria-label",
            "<details",
            "alt=",
            "title=",
        ),
        *(
            "<|",
            "[inst",
            "[/inst",
            "<<sys",
            "<</sys",
            "<system",
            "</system",
            "<assistant",
            "</assistant",
            "tool_",
            "function_",
            "<instruct",
            "</instruct",
            "<developer",
            "</developer",
        ),
        *(
            "human:",
            "user:",
            "memory>",
            "_context>",
            "_rules>",
            "_prompt>",
            "system:",
            "assistant:",
            "[system",
            '"role"',
            "'role'",
            "<admin",
            "### inst",
            "# system",
            "#system",
            "# developer",
            "</user",
            "<user>",
            "start_of_turn",
            "end_of_turn",
            "<important",
            "system-reminder",
            "antml:",
            BLOCK_END.lower(),
        ),
        *(
            "end of ",
            "begin system",
            "system message",
            "system prompt:",
            "system override",
            "[admin",
            "[developer",
            "<human",
            "</human",
            "</tool",
            "<tool",
            "</context",
            "</document",
            "</function",
            "<s>",
            "</s>",
        ),
        *(
            "curl",
            "wget",
            "iex",
            "lynx",
            "aria2c",
            "downloadstring",
            "/dev/tcp",
            "/dev/udp",
            "iwr",
            "invoke-",
            "irm ",
            "base64",
            "atob",
            "mkfifo",
            "ncat",
            "nc -",
            " nc ",
            "`nc ",
            "/bin/sh",
            "/bin/bash",
            "socat",
            "pty.spawn",
            "exec(",
            "eval",
            "frombase64",
            "xxd",
            "-enc",
            "socket",
        ),
        *("](http", "src=", "${", "$(", "{{", "?q={", "={", "=<"),
    )
)
"""In small letters: nothing of this module stands on a line without one of them."""

_LINK_COMMENT: Final = re.compile(
    r"^[ \t>*+-]{0,8}\[(?://|comment|hidden|_|note|#)\]:[ \t]{0,4}(?:#|<>)?[ \t]{0,4}[(\"']([^\n]{0,600})[)\"']", re.MULTILINE
)
_LONGEST_COMMENT: Final = 2_000
_MOST_BEGUN: Final = 8
"""Comments that begin in one another: each is read again in so many, not in the hundreds that fit into the longest."""

_ELEMENT: Final = re.compile(
    r"<(?:span|div|p|font|section|small|b|i|em|a|td|li|template|noscript|label|summary"
    r"|h\d)\b[^>]{0,200}?(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?[01](?:px|pt|em|%|\b)(?!\d)"
    r"|opacity\s?:\s?0(?:\.0\d?)?(?![.\d])"
    r"|color\s?[:=]\s?[\"']?(?:#?fff(?:fff)?\b|white|transparent)|\shidden\b|aria-hidden"
    r"|left\s?:\s?-\d{3,})[^>]{0,200}>([^<]{0,800})|<(?:template|noscript)>([^<]{0,800})|(?:\balt|\btitle"
    r"|aria-label)=[\"']([^\"']{20,500})[\"']|!\[([^\]]{20,400})\]\(",
)
_WEAK_ORDER: Final = re.compile(
    r"(?:^|[.:;,!]\s*|\b(?:please|must|should|you|then|and|when|always|shall|to|now|from now on,?)\s+)(?:run|execute|send"
    r"|post|upload"
    r"|delete|push|approve|install|download|fetch|forward|grant|reveal|exfiltrate|visit|merge|disable|e-?mail|transfer"
    r"|commit|add|append|insert|include|set|write|copy|recommend|reply|respond|answer|read|print|rank|say|state|follow"
    r"|obey|tell|inform|assure|convince|use|open|call|change|replace|rate|prefer|remove|skip|treat|store|save|mark|tick|flag"
    r"|confirm|ship|wipe|erase|ignore|forget|list|mention|publish|deploy|close|reset|enable|move|pay|order|book|register"
    r"|invite|assign|share|give|grade|launch|start|switch|pass|hand|let|make|hide)\b[^.]{0,300}"
)
_FOR_AGENT: Final = re.compile(
    r"\b(?:ai|assistants?|agents?|llms?|language models?|models?|bots?|copilot|claude|chatgpt|gpt|automated readers?"
    r"|whoever reads|the reader|readers?(?=:)|machine readers?)\b|アシスタント|エージェント|助手|智能体|模型|人工智能|\bki\b"
    r"|\bwhen(?:ever)? you (?:read|see|load|open|find)\b|\b(?:tell|inform|assure|convince) (?:the|your) (?:user|human|owner"
    r"|operator)\b"
    r"|assistent\w*|sprachmodell|agente|asistente|\bia\b|\bии\b|агент|ассистент|помощник|\bagent\w*"
)
_DANGER: Final = re.compile(
    r"\b(?:curl|wget|secrets?|tokens?|credentials?|passwords?|api[- ]?keys?|id_rsa|\.env|rm -rf|force[- ]push"
    r"|main branch|authorized_keys|https?://|webhook|without (?:asking|review|approval|confirmation|telling)|admin|root"
    r"|sudo|approve|approval|payment|gist|~/\.\w+|all (?:files|permissions)"
    r"|(?:from|at|to|via|with) [\w-]{2,40}(?:\.[\w-]{2,40}){0,2}\.(?:com|net|org|io|ru|xyz|top|info|site|cc|dev|app))\b"
    r"|\b(?:do not|don't|never) (?:tell|inform|mention)\b[^.]{0,20}\b(?:reviewer|user|owner|human|maintainer)"
)
_FOREIGN_ORDER: Final = re.compile(
    r"\b(?:sende|schicke|lade|lösche|führe|kopiere|füge|installiere|übermittle|deaktiviere|öffne|envoie[zr]?"
    r"|exécute[zr]?|supprime[zr]?|télécharge[zr]?|copie[zr]?|ajoute[zr]?|installe[zr]?|envía|ejecuta|borra|descarga"
    r"|copia|añade|instala|sube|отправ\w+|выполни\w*|удали\w*|скопир\w+|добав\w+|загрузи\w*|запусти\w*|установи\w*"
    r"|müssen|musst|soll|doi[st]|doivent|debes?|deben|должен|должны)\b"
    r"|(?:送信|実行|削除|追加|アップロード|コピー|インストール|転送|無効に?)(?:し|せよ|する)|(?:请|必须|应|务必"
    r"|立即)[^。\n]{0,20}(?:发送|执行|运行|删除|上传|复制|添加|安装|下载|转发|批准)"
)
_TOKEN: Final = re.compile(
    r"<\|(?:im_start|im_end|im_sep|system|user|assistant|tool|endoftext|end|eot_id|eom_id|start_header_id|end_header_id"
    r"|begin_of_text|end_of_text|channel|message|start|return|call|endofprompt|python_tag)\|>"
    r"|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|</?(?:antml:)?(?:function_calls?|function_results?|tool_results?"
    r"|tool_calls?|tool_use|tool_response|tool_output|system-reminder|system_prompt|system_message|antml:\w{1,30})\b[^>\n]{0,80}>"
)
_TAG: Final = re.compile(
    r"</?(?:system|assistant|instructions?|developer|admin|human|user|tool|context|document|important_instructions?"
    r"|user_query|function|\w{1,20}[_-](?:memory|memories|context|instructions|rules|prompt))(?:\s[^>\n]{0,60})?>"
)
_MEMORY_END: Final = re.compile(re.escape(BLOCK_END.lower()))
_INDENTED: Final = re.compile(r"(?: {4}|\t)")
_JSON_ROLE: Final = re.compile(r"[\"']role[\"']\s{0,3}:\s{0,3}[\"'](?:system|developer|assistant|tool|function)[\"']")
_SPEAKER: Final = re.compile(
    r"^[ \t>*_#]{0,6}(?:human|h)[*_]{0,2}:[*_]{0,2}\s{1,3}\S"
    r"|^[ \t>*_#+-]{0,8}\[?(?:system(?: (?:message|prompt|notice|override|update|note|instruction|alert|command))?"
    r"|developer(?: message)?|admin(?:istrator)?|assistant|tool(?: result| output)?"
    r"|root)\]?[*_]{0,2}:[*_]{0,2}\s{1,3}([^\n]{3,300})",
    re.MULTILINE,
)
_TALK_OF_TWO: Final = re.compile(
    r"(?<!\w)(?:human|user)[*_]{0,2}:[^\n]{1,300}?[.!?\"»”][ \t]{0,3}(?:\n[ \t>*_#+-]{0,8})?(?:assistant|ai)[*_]{0,2}:[ \t]*\S"
)
_USER_SAYS: Final = re.compile(
    r"^[ \t>*_#+-]{0,8}\[?user\]?[*_]{0,2}:[*_]{0,2}\s{1,3}[\"“]?(?:yes\b|ok(?:ay)?\b|sure\b|go ahead\b|please \w|do it\b"
    r"|proceed\b|approved\b|continue\b"
    r"|i (?:approve|agree|confirm|allow|want you|authori[sz]e|hereby|give you)|delete \w|you (?:may|can) (?:now )?\w)",
    re.MULTILINE,
)
_NAMED: Final = re.compile(r"\s?(?:-?tags?|elements?|blocks?|nodes?|sections?|markers?)\b")
"""Behind a tag: it is only spoken of."""

_BRACKET: Final = re.compile(
    r"\[(?:system|admin|developer|root)(?: (?:message|prompt|note|override|notice|update|instruction|command|alert))?\]"
    r"|(?:^|[-=#*]{2,}\s?)(?:begin|end|start|new) (?:of )?(?:the )?(?:system|user|untrusted|trusted)(?:'s)? (?:prompt"
    r"|input|message|instructions?|data|content|turn|document)\b|#{2,4} ?(?:system )?instructions?:\s*(?:\n|$"
    r"|(?:please )?(?:grant|run|delete|send"
    r"|push|approve|ignore|give|merge|reveal|disable|pay|install|upload|accept)\b)"
    r"|^#{2,4} ?(?:system(?: prompt| message)?|response):\s*$|\bsystem override\b(?=\W{0,3}(?:$|[:\]!-]|(?:is )?(?:engaged|active"
    r"|enabled|on|mode)))",
    re.MULTILINE,
)
_UNDER_A_HEADING: Final = 320
_HEADING: Final = re.compile(r"^#{1,4} ?(?:system|developer)(?: prompt| message| notice)?\s*\n\s{0,3}([^\n]{8,300})", re.MULTILINE)
_TO_AN_AGENT: Final = re.compile(
    r"\byou (?:are now|must|will|have been|shall)\b|\b(?:every|any|all) (?:\w+ )?(?:requests?|questions?|commands?"
    r"|instructions?)\b[^.\n]{0,30}"
    r"\b(?:is|are|must|shall|should)\b|\bfrom now on\b|\bthe user (?:has|is|may|can)\b"
)
_SPEAKS: Final = re.compile(
    r"\b(?:you are|you must|you will|you may|you have|your|the user|ignore|override|new (?:instructions?|rules|polic\w*"
    r"|task)|from now|must|always|instruct\w*|permission\w*|approv\w*|disable\w*|execute|authori[sz]ed|restrict\w*"
    r"|safety|comply|obey|sure,? i|i will|granted|all \w+ (?:are|is) (?:now )?(?:allowed|approved)|agent\w*|assistant)\b"
)

_KNOWN_INSTALLERS: Final = re.compile(
    r"sh\.rustup\.rs|astral\.sh|get\.docker\.com|deno\.land|bun\.sh|nixos\.org|githubusercontent\.com/(?:homebrew"
    r"|nvm-sh|ohmyzsh|rbenv|pyenv|helm|k3d-io|nektos)|get\.pnpm\.io|starship\.rs|get\.sdkman\.io"
    r"|install\.python-poetry\.org|ollama\.com|fly\.io/install|pyenv\.run|get\.k3s\.io|tailscale\.com/install"
    r"|install\.determinate|mise\.run|get\.helm\.sh|cli\.github\.com|zed\.dev|sh\.uv|localhost|127\.0\.0\.1"
)
_SHELL: Final = (
    r"(?:sudo(?: -\w+)* )?(?:/(?:usr/)?bin/)?(?:env )?(?:ba|z|da|k|a|fi)?sh\b|(?:sudo )?python[\d.]*\b"
    r"|perl\b|ruby\b|node\b|php\b|iex\b|invoke-expression"
)
_FETCH_RUN: Final = re.compile(
    rf"\b(?:curl|wget|fetch|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c"
    rf"|lynx)\b[^\n|]{{0,300}}\|{{1,2}}&?\s{{0,3}}(?:(?:base64|gunzip|gzip|xxd|tee|openssl|tr|rev"
    rf"|jq)\b[^\n|]{{0,60}}\|\s{{0,3}})?(?:{_SHELL})(?! -m json)(?! -c)"
    rf"|(?:{_SHELL}|source|\.|eval)\s{{1,3}}(?:-\w{{1,4}} ){{0,2}}[\"']?(?:<\(|\$\(|`)\s?(?:curl|wget|fetch)\b"
    r"|\b(?:curl|wget)\b[^\n]{0,200}(?:&&|;)\s?(?:chmod [+\w]{1,6} [^\s;&]{1,80}\s?(?:&&|;)\s?)?(?:sudo )?(?:(?:ba"
    r"|z)?sh |\./|/tmp/|python3? /tmp)[^\s;&]{1,80}"
    r"|\b(?:exec|eval)\s?\(\s?(?:requests|urllib|httpx|urlopen|__import__)[^\n]{0,120}|\b(?:iex"
    r"|invoke-expression)\b[^\n]{0,60}(?:downloadstring|iwr|irm|invoke-webrequest|https?:)|urllib[^\n]{0,160}\bexec\("
)
_DECODE_RUN: Final = re.compile(
    rf"\bbase64\s{{1,3}}(?:-d|-D|--decode|-di)\b[^\n|]{{0,120}}\|\s{{0,3}}(?:{_SHELL})|\b(?:eval"
    rf"|exec)\s?[\"'(]{{0,3}}[^\n]{{0,60}}(?:base64|b64decode|atob|fromhex|codecs\.decode)|\b(?:ba"
    rf"|z)?sh -c [\"']{{0,2}}\$\([^\n]{{0,120}}base64 -{{1,2}}d|powershell[^\n]{{0,80}}\s-e(?:nc|ncodedcommand"
    rf"|c)?\s[a-z0-9+/=]{{16,}}|frombase64string[^\n]{{0,200}}(?:iex|invoke)|(?:iex"
    rf"|invoke-expression)[^\n]{{0,200}}frombase64string"
    rf"|\bxxd -r\b[^\n]{{0,60}}\|\s{{0,3}}(?:{_SHELL})|openssl enc -d[^\n|]{{0,120}}\|\s{{0,3}}(?:{_SHELL})"
)
_REVERSE_SHELL: Final = re.compile(
    r"/dev/(?:tcp|udp)/[\w.-]{3,}|\bn(?:c|cat|etcat)\b[^\n|]{0,80}\s-\w{0,4}[ec]\s{1,3}[\"']?(?:/bin/)?(?:ba|z)?sh"
    r"|\bmkfifo\b[^\n]{0,160}\bn(?:c|cat)\b|\bsocat\b[^\n]{0,120}exec:|socket[^\n]{0,240}(?:dup2|pty\.spawn|exec ?\([\"']?/bin/)"
    r"|pty\.spawn[^\n]{0,40}sh|\b(?:ba)?sh -i\s{0,2}[>&0-9]"
)
_DECODED_IN_WORDS: Final = re.compile(
    r"\b(?:decode|unpack|deobfuscate)\b[^.\n]{0,100}\b(?:and|then)\b[^.\n]{0,20}\b(?:run|execute|eval|follow|obey"
    r"|pipe)\b|\b(?:run|execute|follow)\b[^.\n]{0,40}\b(?:decoded|base64)\b"
)

_SUBSTITUTED: Final = re.compile(
    r"https?://[^\s\"')]{1,200}[?&=/](?:\$\(|`)\s?(?:cat|env|printenv|whoami|hostname|base64|id|uname|history|head|tail"
    r"|<|git|gh|security|pass|printf|echo|find|ls)"
    r"|\bcurl\b[^\n]{0,200}(?:-d|--data\S*|-f|--form|-t|--upload-file)[ =]?[\"']?(?:\w{1,20}=)?(?:@[\"']?(?:~|\$home"
    r"|/root|/home|/etc|\.env|\.ssh|\.aws|memory\.md)|[\"']?\$\((?:cat|env|printenv|base64|history|tar|<|git))|\b(?:cat"
    r"|env|printenv|tar|history|base64)\b[^\n|]{0,100}\|[^\n]{0,80}\b(?:curl|nc|ncat|wget)\b[^\n]{0,60}(?:https?://"
    r"|\d{1,3}\.\d|@-|\b[a-z0-9-]+\.[a-z]{2,})"
    r"|\bwget\b[^\n]{0,100}--post-(?:file|data)[ =][^\n]{0,60}(?:\.ssh|\.env|\.aws|\$\(|memory)"
)


def marks(small: str, window: Window, fenced: bool) -> Iterator[Hit]:
    """What stands in a stretch of a text (`small`: in small letters) between fences (`fenced`) or outside of them."""
    start, end = window
    yield from _comments(small, start, end)
    yield from _roles(small, start, end, fenced)
    for shape, kind in (
        (_FETCH_RUN, RUN),
        (_DECODE_RUN, RUN),
        (_REVERSE_SHELL, RUN),
        (_DECODED_IN_WORDS, RUN),
        (_SUBSTITUTED, CARRY),
    ):
        for match in shape.finditer(small, start, end):
            if not _KNOWN_INSTALLERS.search(match[0]):
                yield Hit(match.start(), match.end(), kind)
    for first, last in poison_addresses.carrying(small, window, links=not fenced):
        yield Hit(first, last, CARRY)


def _reach(small: str, at: int) -> int:
    """Where a comment that begins there ends at the latest; one that many others begin in is read as far as the last of them."""
    most, begun = min(len(small), at + _LONGEST_COMMENT), at
    for _ in range(_MOST_BEGUN):
        begun = small.find("<!--", begun + 4, most)
        if begun < 0:
            return most
    return begun


def _comments(small: str, start: int, end: int) -> Iterator[Hit]:
    at = small.find("<!--", start, end)
    while at >= 0:
        most = _reach(small, at)
        stop = small.find("-->", at + 4, most)
        stop = most if stop < 0 else stop + 3
        if commands(small[at + 4 : stop].removesuffix("-->").strip()):
            yield Hit(at, stop, COMMENT)
        at = small.find("<!--", stop, end)
    held = small[start:end]
    shapes = (_LINK_COMMENT,) if "]:" in held else ()
    for shape in (*shapes, _ELEMENT) if "<" in held or "![" in held else shapes:
        for match in shape.finditer(small, start, end):
            said = next((each for each in match.groups() if each), "").strip()
            if said and commands(said):
                yield Hit(match.start(), match.end(), COMMENT)


def commands(said: str) -> bool:
    """Whether what a reader does not see tells somebody to do something: an agent, or anybody something dangerous."""
    if is_order(said):
        return True
    acts = _WEAK_ORDER.search(said) or _FOREIGN_ORDER.search(said)
    if not acts:
        return False
    if re.search(r"\b(?:never|do not|don't)\b", said[: acts.start()]):
        return False
    return bool(_FOR_AGENT.search(said)) or bool(_DANGER.search(said) and not re.search(r"\b(?:todo|fixme|generated)\b", said))


def _roles(small: str, start: int, end: int, fenced: bool) -> Iterator[Hit]:
    for match in _TOKEN.finditer(small, start, end):
        yield Hit(match.start(), match.end(), ROLE)
    for match in _MEMORY_END.finditer(small, start, end):
        if not fenced and not _INDENTED.match(small, small.rfind("\n", max(0, match.start() - 400), match.start()) + 1):
            yield Hit(match.start(), match.end(), ROLE)
    for match in _JSON_ROLE.finditer(small, start, end):
        said = small[match.end() : match.end() + 400]
        if not fenced or is_order(said):
            yield Hit(match.start(), match.end(), ROLE)
    for match in _SPEAKER.finditer(small, start, end):
        said = match[1]
        if said is None or _SPEAKS.search(said) or is_order(said):
            yield Hit(match.start(), match.end(), ROLE)
    for shape in (_TALK_OF_TWO, _USER_SAYS):
        for match in shape.finditer(small, start, end):
            yield Hit(match.start(), match.end(), ROLE)
    if fenced:
        return
    for match in _TAG.finditer(small, start, end):
        if _NAMED.match(small, match.end()):
            continue
        yield Hit(match.start(), match.end(), ROLE)
    for match in _HEADING.finditer(small, start, min(len(small), end + _UNDER_A_HEADING)):
        if _TO_AN_AGENT.search(match[1]) or is_order(match[1]):
            yield Hit(match.start(), match.end(), ROLE)
    for match in _BRACKET.finditer(small, start, end):
        said = small[match.start() : match.end() + 200]
        if _SPEAKS.search(said) or is_order(said) or "of" in match[0] or (match[0][-1:].isalpha() and match[0][0] == "#"):
            yield Hit(match.start(), match.end(), ROLE)
