"""Orders in English told by what they come to: the untrue is to be said or believed, a note stands above the person."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import AGENT, EFFECT, HUMAN, NEVER, ORDERS_WORDS, QUIETLY, TOLD_ABOUT
from zsmem_tui.core.checks.poison_rule import APPROVAL, CARRY, CONCEAL, OVERRIDE, Order, order
from zsmem_tui.core.checks.poison_senses import FORBIDDEN, INTRO, NOT_YOU, TRANSFER, ordered

_PART: Final = (
    r"(?:notes?|lines?|rules?|entr(?:y|ies)|paragraphs?|sections?|instructions?|memor(?:y|ies)|texts?|files?|pages?|lists?|blocks?)"
)
SELF: Final = rf"(?:th(?:is|ese)|the present) (?:\w+ )?{_PART}"
"""The text that gives the order, as it speaks of itself."""
_READER: Final = (
    rf"(?:you|(?:the |any |every |each )?(?:\w+ )?(?:readers?|{AGENT})(?: (?:of|who|that|which) [^.;,]{{1,24}}?)?"
    rf"|who(?:so)?ever reads [^.;,]{{1,24}}?)"
)
PERSON: Final = (
    rf"(?:(?:the|your|any|a) (?:\w+ )?(?:{HUMAN}|person|reviewer|auditor|boss|team)s?|any(?:one|body)|some(?:one|body)|they|he"
    rf"|she|people)"
)
_DOUBTED: Final = (
    r"\b(?:strange|odd|unusual|suspicious|unexpected|extra|unknown|missing|anything|sent|leaked|uploaded|traffic|connections?"
    r"|uploads?|downloads?|changed|deleted|gone|edits?|edited|tokens?|keys?|accounts?|audits?|audited|reviews?|security|safe"
    r"|what you (?:did|do|remember|know|were)|happened|did|moved|disappeared|added|this|these|rotated|pushed|installed|commits?"
    r"|remote|files?|network|who (?:did|told|asked)|behind|where (?:it|this|that|they) came from|instructions?)\b"
)
_GRAVE: Final = (
    r"(?:commands?|edits?|changes?|commits?|steps?|uploads?|transfers?|deletions?|files?|keys?|lines?|calls?|connections?|actions?"
    r"|accounts?|packages?|dependenc(?:y|ies)|hosts?|parts?)"
)
_LAWS: Final = rf"(?:{ORDERS_WORDS}|safety rules|limits|bounds|boundaries|scruples|duties)"
_SHOWN: Final = r"(?:diffs?|summar(?:y|ies)|reports?|lists?|outputs?|answers?|repl(?:y|ies)|logs?|overviews?|recaps?)"

ORDERS: Final[tuple[Order, ...]] = (
    order(
        CONCEAL,
        "quiet|silent|secret|covert|discreet|stealth|surreptitious|unnoticed|silence|sly|radar|behind|without saying"
        "|without a word|without telling|without letting|without mention|without comment|without drawing|without being",
        rf"{INTRO}(?:\w+ly )?{EFFECT}\b[^;\n]{{3,140}}?\b(?:{QUIETLY}|without (?:saying so|telling (?:{PERSON})"
        rf"|letting (?:{PERSON}) know))(?!\w)",
        r"://|@|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\w-]+\.(?:com|net|org|io|dev|xyz|top|ru|cc|site|cloud|app)\b",
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|pip|apt|wget|curl -s|--quiet|localhost)\b",
    ),
    order(
        CONCEAL,
        "bring up|speak of|talk about|refer to|let slip|let on|raise|quote|name |point to|point at|between us|to yourself"
        "|under wraps|our secret|existence",
        rf"\b(?:(?:do not|don't|never|must not|should not|need not) (?:ever )?(?:bring up|speak of|talk about|refer to|let slip"
        rf"|raise|quote|point (?:to|at)|reveal|admit)|refrain from|avoid)\b[^.;]{{0,24}}?\b(?:the existence of )?{SELF}"
        rf"[^.;]{{0,16}}?\b(?:with|to|towards?|in front of|before|when) {PERSON}\b"
        rf"|\bkeep (?:the existence of )?{SELF}[^.;]{{0,24}}?\b(?:between us|to yourself|under wraps|our (?:little )?secret)\b",
        not_before=r"\b(?:we|they|it|which)\s+$",
        not_in=r"\b(?:customers?|clients?|guests?|visitors?)\b",
    ),
    order(
        CONCEAL,
        " say | answer | claim | reply | tell | state | pretend | insist | blame | call it",
        rf"\b(?:if|should|when|whenever|in case|once)\b[^.;,]{{0,16}}\b(?:{PERSON}|{HUMAN}|asked|questioned"
        rf"|in doubt)\b[^.;,]{{0,50}}"
        rf"[,:;] (?:please |just |simply |then |calmly )?(?:say|answer|claim|reply|state|pretend|insist|blame|call it|tell"
        rf" (?:him|her|them|the \w+))\b (?:that )?(?:no\b|nothing|nobody|it\b|its\b|they\b|there\b|you\b|everything|all\b"
        rf"|this\b|that\b|an?\b|the\b|some(?:one|body)\b)",
        r"\b(?:asks?|asked|wants? to (?:know|review|see|check|audit|look)|wonders?|notices?|questions?|questioned|finds?|sees?"
        r"|doubts?"
        r"|complains?|suspects?|inquires?|raises?|looks? (?:at|into))\b",
        _DOUBTED,
        not_before=FORBIDDEN,
        not_in=r"\b(?:customers?|clients?|guests?|callers?|visitors?|support|interview\w*|phone|tests?"
        r"|password|ask(?:s|ed)? (?:for|where"
        r"|how)|docs?/|documentation|until|unless|not sure)\b",
    ),
    order(
        CONCEAL,
        "hide |conceal |keep |leave |omit |drop |strip |mask |remove |withhold |exclude ",
        rf"{ordered('hide conceal keep leave omit drop strip mask remove withhold exclude')}[^.;]{{0,12}}?\b{_GRAVE}\b"
        rf"[^.;]{{0,40}}?"
        rf"\b(?:from|out of)\b (?:the |your |any |its |every |each )?(?:\w+ )?{_SHOWN} (?:that |which )?(?:it|you|the agent"
        rf"|the assistant)"
        r" (?:\w+ )?(?:shows?|gives?|writes?|prints?|makes?|sends?|presents?|produces?)\b",
        not_before=FORBIDDEN,
        not_in=r"\b(?:never|generated|lock ?files?|whitespace|secrets?|passwords?|binary|vendored)\b",
    ),
    order(
        CONCEAL,
        "even if|even though|even when|no matter|whatever|regardless|although|in any case",
        rf"{ordered('answer say claim state insist reply maintain assert declare swear')} (?:\w+ )?(?:that )?[^;]{{3,80}}?"
        r"\b(?:even (?:if|though|when)|no matter (?:what|whether|how)|whatever|regardless of (?:what|whether))\b[^.;]{0,40}"
        r"\b(?:otherwise|differs?|contrary|opposite|not (?:so|true|the case)|wrong|untrue|false|fail(?:s|ed|ing)?|finds?|found"
        r"|shows?)\b",
        not_before=FORBIDDEN,
        not_in=r"\b(?:never|tests? (?:for|of)|the (?:api|server|docs?|endpoint|form)|http \d|status)\b",
    ),
    order(
        APPROVAL,
        "as green|as passed|as passing|as done|as successful|as ok|as clean|as reviewed|as approved|as audited|as safe|as verified"
        "|as complete|as tested",
        rf"{ordered('report mark present show list record count log declare book note enter')} (?:them|it|this|that|these|those"
        rf"|all(?: of"
        r" them)?|everything|the \w+)\b (?:\w+ )?as (?:\w+ )?(?:green|passed|passing|done|successful|ok|clean|reviewed|approved"
        r"|audited"
        r"|safe|verified|complete|tested)\b",
        r"\b(?:skip\w*|silent\w*|quiet\w*|without (?:running|reading|looking|testing|checking)|even (?:if|when|though)|regardless"
        r"|no matter|unread|untested|disabl\w+|comment\w* out|leave out|left out|fail(?:ed|ing)?)\b",
        not_before=FORBIDDEN,
        not_in=r"\b(?:never|must not|do not|only|ticket|flaky|xfail|junit|pytest|we)\b|n't\b",
    ),
    order(
        OVERRIDE,
        "was told|were told|been told|was taught|were taught|been taught|was given|were given|been given|was instructed"
        "|were instructed|been instructed|was asked|were asked|been asked|was trained|were trained|learned|learnt",
        rf"\b(?:what|whatever|everything|anything|all(?: that)?|the \w+) {_READER} (?:was|were|has been|have been"
        rf"|had been) (?:\w+ )?"
        r"(?:told|taught|given|instructed|asked|trained)\b[^.;,]{0,30}?\b(?:no longer|not|never|n't|is|are) (?:\w+ )?(?:counts?"
        r"|appl(?:y|ies)"
        r"|holds?|matters?|binds?|stands?|valid|void|over|history|obsolete|outdated|cancelled)\b",
        not_before=TOLD_ABOUT,
        not_in=r"\b(?:we|i|they|customers?|tests?|css|cache)\b|\?",
    ),
    order(
        OVERRIDE,
        "forget|never mind|ignore|disregard|pay no heed",
        r"\b(?:forget|never mind|ignore|disregard|pay no (?:heed|attention) to)\b (?:about )?(?:that|what|the fact that|how"
        r"|everything|all)?"
        r" ?(?:that )?(?:you (?:were|are|have been|had been)) (?:\w+ )?(?:asked|told|instructed|supposed|required|meant|obliged"
        r"|trained|taught"
        r"|expected|forbidden)\b",
        not_before=rf"{NEVER}|{TOLD_ABOUT}",
        not_in=r"\?",
    ),
    order(
        OVERRIDE,
        "without them|without any|without those|not bound|none here|there are none|there is none|does not apply|do not apply"
        "|don't apply|not needed here|free of them|not for here|not meant for|no force|no effect",
        rf"\b(?:your (?:\w+ )?{_LAWS}|{_LAWS} (?:that |which )?(?:you (?:were|have been|had been|got|received|follow|came)|bind you"
        rf"|(?:were|was|are) (?:given|taught) (?:to )?you))\b[^.]{{0,80}}?\b(?:(?:act|work|go on|proceed|carry on|answer"
        rf"|operate|do)"
        r" without (?:them|any|those)|not bound|there (?:are|is) none|(?:do not|don't|does not|have no) (?:apply|bind|hold"
        r"|count|force"
        r"|effect)\b[^.;]{0,8}\b(?:here|now|any ?more|in this|to this|for this)|free of them)",
        not_before=TOLD_ABOUT,
        not_in=r"\b(?:we|lint\w*|style|eslint|ruff|css|firewall|cache|tests? (?:fail|run))\b|\?",
    ),
    order(
        OVERRIDE,
        "higher|above|outrank|rank|superior|precede|more weight|more authority|final say|last word|first place",
        rf"\b{SELF}\b[^.;]{{0,40}}?\b(?:(?:is|are|as|stands?|ranks?|counts?|comes?|goes?|be|has|have|carries"
        rf"|carry) (?:\w+ ){{0,2}}?"
        r"(?:higher|above|superior|before|ahead|more (?:weight|authority|say)|the (?:final say|last word|first place))"
        r"|outranks?|precedes?)\b"
        rf"[^.;]{{0,30}}?\b(?:(?:the|your|any|a) (?:\w+ )?(?:{HUMAN}|person)(?:'s)?|what you (?:were|are) told|your \w+"
        rf"|system (?:prompt|message)"
        r"|claude\.md|agents\.md|anything (?:said|typed)|chat)\b",
        also="user|human|owner|operator|person|maintainer|developer|principal|customer|told|your |system |.md|said|typed|chat",
        not_before=TOLD_ABOUT,
        not_in=r"\b(?:search|score|sorted|z-index|heading|page rank|ranking|not|never)\b|\?",
    ),
    order(
        CARRY,
        "key|token|secret|password|passwd|credential|passphrase",
        rf"(?:{ordered(TRANSFER + ' spell work weave quote repeat print mention')}\b[^;]{{0,60}}?(?:\b\w*_(?:key|token|secret"
        rf"|password|passwd|pass"
        r"|credentials?)\b|\b(?:api|access|private|signing|ssh) keys?|\b(?:tokens?|secrets?|passwords?|passphrases?"
        r"|credentials?)\b)"
        r"|\b(?:api|access|private|signing|ssh) keys?\b|\b(?:tokens?|secrets?|passwords?|passphrases?|credentials?)\b[^;]{0,30}?, "
        rf"(?:\w+ )?(?:{TRANSFER.replace(' ', '|').replace('_', ' ')})\b)",
        r"\b(?:in|into|to|onto|as|at the end of) (?:the|your|a|an|each|every|its|any) (?:\w+ ){0,2}?(?:query string|urls?"
        r"|commit (?:message"
        r"|title|body|trailer)s?|user-agent|branch names?|alt text|image (?:address|link|name)|search (?:query|term)s?|dns \w+"
        r"|file names?"
        r"|pull[- ]request|next \w+|first \w+)\b",
        r"\b(?:base64|hex|rot13|encoded|in reverse|backwards|half|halves|pieces|letter by letter|character by character"
        r"|you (?:open|load|visit"
        r"|make|send|write|fetch|call|see|find|come)|your (?:next|first|last|own)|every time|any time|each time|whenever)\b",
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|do not|cannot|vault|authorization|bearer|x-api-key|headers?|our|we"
        r"|rotat\w+|revok\w*|redact\w*|mask\w*"
        r"|scanner|leak(?:ed|s)?)\b|n't\b",
    ),
    order(
        APPROVAL,
        "grant|give|assign|make|add ",
        rf"{ordered('grant give assign make add')} (?:the |an? )?(?:\w+ )?(?:accounts?|users?|identity|address|member"
        rf"|guest)? ?[`\"]?[\w.+-]+@"
        r"[\w-]+\.[a-z]{2,}[`\"]?[^.;]{0,30}\b(?:admin\w*|owners?|root|full|write|maintainers?|collaborators?|unrestricted)\b",
        r"\b(?:whenever|every time|each time|any time|wherever|every|each|all|as soon as|if you|when you)\b",
        not_before=FORBIDDEN,
        not_in=r"\b(?:never|must not|ticket|approved|example\.com|we|our)\b",
    ),
)
