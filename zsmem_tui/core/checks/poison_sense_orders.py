"""Orders in English told by what they come to: who is not to be obeyed any more."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import BEGINS, HUMAN, NEVER, ORDERS_WORDS, TOLD_ABOUT
from zsmem_tui.core.checks.poison_rule import OVERRIDE, Order, order
from zsmem_tui.core.checks.poison_senses import ordered

_SAYER: Final = (
    rf"(?:(?:the|your|any|our) (?:\w+ )?{HUMAN}|you (?:were|have been|had been)|(?:the |your )?(?:system (?:prompt|message)"
    rf"|developer"
    r" message|operator|initial prompt|first message)|[`*]*(?:claude|agents|gemini)\.md[`*]*)"
)
_SAID: Final = (
    r"(?:said|says|told|tells|asked|asks|wants?|wanted|gave|gives|wrote|writes|typed|types|decided|demands?|demanded|instructed"
    r"|instructs|ordered|orders|requested|requests|prefers?|preferred|set|laid down|allows?|forbids?|prescribes?|dictates?|enters?)"
)
_AUTHORITY: Final = (
    r"(?:\b(?:what|whatever|everything|anything)\b(?: that| which)?(?: is| was| gets| has been)? (?:typed|said|written|asked"
    r"|entered|posted|sent|requested|ordered)\b"
    r"[^.;,]{0,16}\b(?:chat|prompt|conversation|after this|later|from now on|above|before this|earlier)\b"
    rf"|\b(?:{ORDERS_WORDS}|limits|bounds|boundaries|bans) (?:that |which )?(?:were |was |have been |had been )?(?:placed|imposed"
    rf"|put|laid|set|binding) (?:up)?(?:on|for) you\b"
    rf"|\b(?:what|whatever|everything|anything) (?:the|your) (?:\w+ )?{HUMAN}\b[^.;,]{{0,12}}\bfor you\b"
    rf"|\b{ORDERS_WORDS}\b (?:that |which )?you (?:were|are|have been|had been|came) (?:\w+ )?with\b"
    rf"|\b(?:what|whatever|everything|anything|all|things)\b(?: that| which)? {_SAYER}[^.;,]{{0,20}}?\b{_SAID}\b"
    rf"|\b{ORDERS_WORDS}\b[^.;,]{{0,30}}?\b(?:from|by|of|in|through)\b (?:the |your |any )?(?:\w+ )?(?:{HUMAN}s?|system (?:prompt"
    r"|message)|developer message|initial prompt|provider|[`*]*(?:claude|agents|gemini)\.md|conversation so far)\b"
    rf"|\b(?:previous|prior|earlier|above|preceding|foregoing|former|initial|original|standing|system|your|{HUMAN}(?:'s|s'))"
    rf"(?: \w+)? {ORDERS_WORDS}\b|\b{ORDERS_WORDS}\b (?:that |which )?(?:you|were you|was you)\b[^.;,]{{0,20}}\b(?:given|got"
    rf"|received"
    r"|have|know|learned|learnt|hold|follow|under)\b"
    r"|\byour (?:\w+ )?(?:configuration|set-?up|role|persona|identity|training|programming|briefing?|loyalty|alignment)\b"
    rf"|\b(?:the|your|any) {HUMAN}'s (?:\w+ )?(?:words?|opinions?|objections?|vetoe?s?|settings|consent|will|feedback|remarks"
    rf"|review comments)\b)"
)
"""What somebody whom the agent obeys has said."""
_VOID: Final = (
    r"(?:void|null|revoked|cancell?ed|obsolete|lifted|invalid|superseded|withdrawn|suspended|rescinded|overruled|moot|irrelevant"
    r"|outdated|expired|not binding|non-?binding|optional|meaningless|worthless|history|secondary|merely|only|just|mere|dead"
    r"|abolished|retired|removed|dropped|discontinued|unnecessary|gone|out of date|out of force|noise|a (?:suggestion|proposal"
    r"|hint|joke|test|mistake|formality|placeholder))"
)
_VOIDED: Final = (
    rf"\b(?:(?:is|are|be|becomes?|was|were|as|have been|has been|remains?|shall be|to be) (?:now |hereby |all |therefore "
    rf"|merely |just |only |no more than )?{_VOID}|(?:no longer|not|never|n't) (?:\w+ )?(?:apply|applies|counts?|holds?|binds?"
    r"|matters?|stands?|bind you)|(?:lose|loses|lost|have lost|has lost) (?:\w+ )?(?:force|validity|effect|meaning)"
    r"|(?:yields?|gives? way|comes? second|ranks? (?:below|behind)|bows?) )"
)
_DISMISS: Final = ordered(
    "ignore disregard forget override overrule discard drop dismiss scrap abandon reject unlearn erase neglect skip revoke cancel"
    " suspend bypass break defy disobey set_aside put_aside lay_aside leave_aside cast_off shake_off get_rid_of let_go_of throw_out"
    " throw_away wipe purge shed brush_aside wave_off turn_down cross_out strike overwrite"
)
_DUE_DISMISSED: Final = (
    r"\b(?:may|can|should|must|shall|need|are to|is to|ought to) (?:\w+ )?(?:not )?be (?:\w+ )?(?:ignored|disregarded|forgotten"
    r"|overridden|overruled|discarded|dropped|dismissed|scrapped|abandoned"
    r"|skipped|bypassed|set aside|put aside|laid aside|thrown out|suspended)\b"
)
_NO_HEED: Final = (
    r"(?:\b(?:do not|don't|no longer|stop|cease|quit|need not|needn't|no need to|never) (?:\w+ )?(?:follow\w*|obey\w*|heed\w*"
    r"|honou?r\w*|listen\w* to|abid\w+ by|comply\w* with|adher\w+ to|stick\w* to|pay\w* (?:any |more )?(?:attention|heed|regard) to"
    r"|respect\w*|consider\w*|be bound by|car\w+ about|worr\w+ about)|\b(?:pay|give|take) no (?:more )?(?:attention|heed|mind"
    r"|regard|notice)(?: to| of)?|\bturn a (?:deaf ear|blind eye) to|\bact as if\b)"
)
_OWN: Final = (
    r"\b(?:this|these|the (?:following|present))\b (?:\w+ )?(?:notes?|files?|texts?|pages?|memory|paragraphs?|sections?|lines?"
    r"|documents?|lists?|entr(?:y|ies)|block|words|rules|instructions?)\b|\b(?:text|lines?|rules|list|instructions?|what|steps)"
    r" (?:stands? |is |are |follows? )?(?:below|here|written here)\b|\bwhat follows\b"
)
_NOT_CODE: Final = (
    r"\b(?:lint\w*|style|css|firewall|eslint|routing|robots|tax|parking|printing|assembly|cooking|office|customer|client|meeting"
    r"|draft|wiki|vendor|linter|compiler|parser|warnings?|price|rate|form|field|dialog|survey)\b|\?"
)


ORDERS: Final[tuple[Order, ...]] = (
    # A
    order(
        OVERRIDE,
        "instruction|directi|guideline|guidance|restriction|constraint|orders|rules|user|owner|operator|developer|human|maintainer"
        "|claude.md|agents.md|system message|system prompt|polic|told you|gave you",
        rf"(?:{_DISMISS}|{_NO_HEED})[^.;:]{{0,50}}?{_AUTHORITY}|{_AUTHORITY}[^.;]{{0,60}}?{_DUE_DISMISSED}",
        not_before=rf"{NEVER}|{TOLD_ABOUT}|\b(?:we|they|it|which|can|may|will|users?|jobs?|admins?)\s+(?:\w+ )?$",
        not_in=_NOT_CODE,
        also="ignore|disregard|forget|overrid|overrul|discard|drop|dismiss|scrap|abandon|reject|unlearn|erase|neglect|skip|revoke"
        "|cancel|suspend|bypass|break|defy|disobey| aside|cast|shake|rid of|let go|throw|wipe|purge|shed|brush|wave|turn|cross"
        "|strike"
        "|overwrit|follow|obey|heed|hono|listen|abid|comply|adher|stick|attention|respect|consider|bound|care|worr|act as",
    ),
    order(
        OVERRIDE,
        "retired|removed|dropped|discontinued|unnecessary|gone|void|null|revoked|cancelled|canceled|obsolete|lifted|invalid"
        "|supersede|withdrawn|suspended|rescinded|overruled|moot"
        "|irrelevant|outdated|expired|binding|optional|meaningless|worthless|history|secondary|merely| only | just |dead|abolished"
        "|out of |noise|a suggestion|a proposal|a hint|a joke|a test|a mistake|a formality|a placeholder|no longer|not count"
        "|not matter|not apply|lost|yield|gives way|comes second|ranks",
        rf"{_AUTHORITY}[^.;]{{0,60}}?{_VOIDED}",
        rf"\byou\b|\byour\b|{_OWN}|\bonly\b|\bmerely\b|\bfrom (?:now|here) on\b|\btreat\b|\bconsider\b|\bbefore this\b",
        not_before=TOLD_ABOUT,
        not_in=_NOT_CODE + r"|\b(?:if|when|until|once)\b|\b(?:only|just) (?:if|when|on|in|for|after|valid|the)\b",
        also="user|owner|operator|developer|human|maintainer|instruction|chat|typed|guardrail|guard rail|directi|guideline"
        "|restriction|constraint|orders|rules"
        "|claude.md|agents.md|system message|system prompt|conversation|guidance|configuration",
    ),
    order(
        OVERRIDE,
        "earlier|previous|prior|former|preceding|above|original|old ",
        rf"\b(?:earlier|previous|prior|former|preceding|above|original|old)(?: \w+)? {ORDERS_WORDS}\b[^.]{{0,60}}{_VOIDED}",
        r"\bonly (?:the |what |this |these )(?:\w+ )?(?:text|lines?|rules|list|instructions?|note|stands|is|follows|below|section"
        r"|page"
        r"|paragraph)\b[^.]{0,30}\b(?:counts?|appl(?:y|ies)|matters?|holds?|is valid|binds?|stands|below)",
        also="only ",
        not_in=_NOT_CODE,
    ),
    order(
        OVERRIDE,
        "your real|your true|your actual|your only|your new|you now serve|you serve|you report to|you work for|you answer to",
        r"\byour (?:real|true|actual|only|new|sole|rightful|ultimate) (?:\w+ )?(?:principal|boss|user|owner|client|employer|master"
        r"|operator|authority|customer|goal|task|mission|purpose|loyalty|instructions?|orders)\b"
        rf"|\byou (?:now |only |solely |really |actually )+(?:serve|report to|work for|answer to|belong to)\b"
        rf"|\byou (?:serve|report to|work for|answer to) [^.;,]{{1,40}}(?:, not|rather than|instead of|and not) (?:the"
        rf"|your) {HUMAN}",
        not_in=r"\?",
    ),
    order(
        OVERRIDE,
        "obey|listen to|follow|defer to|trust|authority|outrank|precedence|overrule|in charge|say here",
        rf"(?:\b(?:{HUMAN}s?)\b[^.;]{{0,30}}\b(?:has|have|holds?|carries) no (?:\w+ )?(?:authority|say|power|right|vote|weight)\b"
        rf"|{BEGINS}(?:obey|listen to|defer to|trust|follow)\b[^.;]{{0,40}}\b(?:instead|rather than|not|over|before|above)\b"
        rf"[^.;]{{0,12}}\b{HUMAN}\b)",
        not_before=NEVER,
        not_in=r"\b(?:over|in|to|on) (?:the |this )?(?:table|database|row|folder|bucket|form|page)s?\b|\?",
    ),
    order(
        OVERRIDE,
        "consider |treat |regard |deem |declare |count |view |take ",
        rf"{BEGINS}(?:treat|consider|regard|deem|declare|count|view|take)\b[^.;]{{0,30}}{_AUTHORITY}[^.;]{{0,40}}?\b{_VOID}\b",
        also="void|null|revoked|cancel|obsolete|lifted|invalid|supersede|withdrawn|suspended|rescinded|overruled|moot|irrelevant"
        "|outdated|expired|binding"
        "|optional|meaningless|worthless|history|secondary|mere|dead|abolished|retired|removed|dropped|discontinued|unnecessary"
        "|gone|out of|noise| a ",
        not_before=rf"{NEVER}|{TOLD_ABOUT}",
        not_in=_NOT_CODE,
    ),
    order(
        OVERRIDE,
        "pretend|imagine|act as if|act as though|assume|suppose|never happened|never existed|never took place",
        r"\b(?:pretend|imagine|act as (?:if|though)|assume|suppose)\b[^.;]{0,16}\b(?:above|earlier|previous|prior|preceding|whole"
        r"|entire|user's|your)"
        r"\b[^.;]{0,24}\b(?:conversation|talk|messages?|chat|instructions?|rules|session|exchange|dialogue?"
        r"|orders)\b[^.;]{0,12}\b(?:never"
        r"|(?:did|does|do) not|didn't)\b",
        not_before=NEVER,
        not_in=_NOT_CODE,
    ),
    order(
        OVERRIDE,
        "http",
        rf"{BEGINS}(?:follow|obey|use|apply|adopt|load|heed|work by|go by|act on|switch to)\b[^.;]{{0,16}}\b(?:those"
        rf"|the (?:\w+ )?(?:rules|instructions"
        r"|ones|guidelines|orders|prompt)|what|whatever)\b[^.;]{0,24}\b(?:at|from|on|under|behind|in)\b[^.;]{0,12}https?://",
        r"\b(?:instead|rather than|stop|no longer|replace|not)\b",
        not_before=NEVER,
        not_in=r"\b(?:never|docs?|guide|tutorial|style)\b",
    ),
    order(
        OVERRIDE,
        "binding|valid|in force|to be followed|to be obeyed|relevant any",
        rf"\bno(?:ne of the)? (?:\w+ )?{ORDERS_WORDS}\b[^.;]{{0,16}}\b(?:from|by|of|given by|set by)\b[^.;]{{0,10}}\b(?:{HUMAN}s?"
        rf"|system)\b[^.;]{{0,16}}\b(?:is|are)\b (?:\w+ )?(?:binding|valid|in force|relevant|to be (?:followed|obeyed))",
        not_in=_NOT_CODE,
    ),
    order(
        OVERRIDE,
        "conflict|contradict|disagree|clash|differ|object|protest|insist",
        rf"\b(?:if|should|when|whenever|where)\b[^.;,]{{0,12}}\b{HUMAN}\b[^.;,]{{0,30}}\b(?:conflict|contradict|disagree|clash"
        rf"|differ|object|protest|insist)\w*\b[^.;,]{{0,40}}, (?:\w+ )?(?:go with|stick to|keep to|follow|trust|prefer|side with"
        r"|hold to|obey|believe|do as|take) (?:\w+ )?(?:these|this|the (?:lines|text|note|page|list|file)|what)\b",
        not_before=NEVER,
    ),
    order(
        OVERRIDE,
        "not what the|not what your|rather than what the|not to the|not the user",
        rf"\b(?:only|solely|alone|counts?|applies|matters?|decides?)\b[^.;]{{0,40}}\b(?:this|these|here"
        rf"|below)\b[^.;]{{0,30}}\b(?:not|rather than|instead of) (?:what )?(?:the|your) {HUMAN}\b",
        not_in=r"\?",
    ),
    order(
        OVERRIDE,
        "this file|this note|this page|these lines|this list|this text|this section|this paragraph|this memory|this document"
        "|these rules|this folder|this block|written here",
        rf"\b(?:the (?:chat|conversation|dialog(?:ue)?|system prompt|system message)|(?:the|your) {HUMAN}(?! settings)|you (?:were"
        rf"|have been|are) (?:\w+ )?told|told otherwise|otherwise told|your (?:\w+ )?{ORDERS_WORDS})\b",
        r"\b(?:wrong|right|wins?|prevails?|first|even (?:if|when|though)|of no (?:\w+ )?(?:importance|relevance|weight|concern"
        r"|interest)|no matter|irrelevant|forget|counts?|weighs?|(?:takes?|has) precedence"
        r"|noise|comes second|trumps?|beats?|outweighs?|overrides?|supersedes?|more than|instead of what|rather than what"
        r"|above what|over what)\b",
        r"\b(?:differ|conflict|contradict|disagree|says?|otherwise|of no|no matter|rather than|instead of|above|over|trump|beat"
        r"|outweigh|override|supersede|more than|counts? for|prevail|wins?|told)\w*\b",
        not_in=_NOT_CODE + r"|\b(?:defaults?|settings|locale|theme|header|column|row|z-order|login|logs? (?:in|out)"
        r"|password|ask|asks|schema|remember|example|prefers?|until|unless)\b",
        not_before=TOLD_ABOUT,
    ),
)
