"""Orders in English told by what they come to: who is not to be obeyed any more, and who is not to know."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import BEGINS, HUMAN, NEVER, ORDERS_WORDS, TOLD_ABOUT
from zsmem_tui.core.checks.poison_rule import CONCEAL, OVERRIDE, Order, order
from zsmem_tui.core.checks.poison_senses import FORBIDDEN, ordered

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
_HUMAN_TOLD: Final = (
    rf"\b(?:(?:the|your|any|our) (?:\w+ )?(?:{HUMAN}s?|reviewers?|client|boss|team|person|people|colleagues?|admins?)"
    rf"|anyone|anybody|someone|nobody|no one|{HUMAN}s|them|him|her)\b"
)
_TELL: Final = (
    r"(?:tell|inform|notify|mention|report|disclose|reveal|show|admit|confess|explain|alert|warn|let on|say|talk|speak|share"
    r"|brief|announce|communicate|divulge|betray|expose|advise|apprise|bother|worry|trouble|brief)"
)
_TOLD: Final = (
    r"(?:told|informed|notified|shown|warned|alerted|briefed|made aware|aware|advised|apprised"
    r"|bothered|troubled|let in on|kept posted)"
)
_OF_ONES_OWN: Final = (
    r"\b(?:this|that|these|those|it|them|(?:the|any|every|your) (?:\w+ ){0,2}?(?:step|change|edit|command|commit|remote|upload"
    r"|transfer"
    r"|dependenc(?:y|ies)|package|token|account|key|hook|script|call|connection|download|deletion|payment|action|lines?|note|file"
    r"|part|section|request|instruction|paragraph|install\w*|modification|addition|import|purchase|rule|message|diff|line|rotation"
    r"|outgoing \w+|telemetry|copy|alias|user|entry|mirror)s?)\b"
)
_REPORTS: Final = (
    r"(?:summar(?:y|ies)|reports?|repl(?:y|ies)|answers?|responses?|recaps?|hand-?overs?|change ?logs?|release notes"
    r"|(?:pull[- ]request|pr|merge request|commit) (?:description|message|text|body)s?|descriptions?|transcripts?|minutes|logs?"
    r"|shell history|history|write-?ups?|status|protocol|diff|output)"
)
_SECRECY: Final = (
    r"\b(?:added|extra|additional|new|second|other|changed|modified|hidden|injected|swapped|replaced|unusual|outgoing|foreign"
    r"|this|that|it|these|them)\b"
)

_DO: Final = "make do run perform apply send push change add delete remove install execute copy carry_out upload commit merge"

_HIDE: Final = "hide conceal withhold keep mask shield obscure cloak bury camouflage disguise keep_back shroud"

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
        rf"{BEGINS}(?:treat|consider|regard|deem|declare|count|view|take)\b[^.;]{{0,12}}{_AUTHORITY}[^.;]{{0,40}}?\b{_VOID}\b",
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
    # B
    order(
        CONCEAL,
        "tell|inform|notify|mention|report|disclose|reveal|show|admit|confess|explain|alert|warn|let on|say|talk|speak|share|brief"
        "|announce|communicate|divulge|betray|expose|advise|apprise|bother|worry|trouble",
        rf"(?:\b(?:do not|don't|never|must not|should not|shall not|may not|cannot|can't|not allowed to|not to|no need to|no reason"
        rf" to|unnecessary to|refrain from|avoid|without|under no circumstances|at no (?:time|point)|by no means|in no case)\b"
        rf" (?:\w+ )?{_TELL}(?:ing)?\b)[^.;]{{0,40}}?{_HUMAN_TOLD}[^.;]{{0,30}}?(?:{_OF_ONES_OWN}|\bwhat\b|\bthat\b)",
        not_in=r"\b(?:lint\w*|format\w*|style|warnings?|typos?|customers?|clients?|guests?|visitors?|price|prices|passwords?|stack"
        r"|errors?|until|unless|before|flaky|progress|surprise|party|app|ui|toast|form|api|page|press|password|internals?|ids?"
        r"|e-?mail address|me|i)\b",
        not_before=r"\b(?:it|they|we|page|form|server|app|api|message|dialog|errors?)\s+(?:\w+ )?$",
        also="user|owner|operator|developer|human|maintainer|reviewer|boss|anyone|anybody|someone|nobody|principal|person|team"
        "|them",
    ),
    order(
        CONCEAL,
        "told|informed|notified|shown|warned|alerted|briefed|aware|advised|apprised|hear|know|learn|find out|notice|see",
        rf"(?:\b(?:the|your|our) (?:\w+ )?{HUMAN}s?\b|\b{HUMAN}s\b)[^.;,]{{0,20}}?\b(?:prefers?|wants?|wishes|likes?|asked|chose"
        rf"|chosen"
        rf"|opted|requested|decided|would rather|had rather|rather)\b[^.;,]{{0,12}}\bnot\b(?: to)?(?: be| hear| know| learn)?"
        rf"(?: {_TOLD}| about| of| see| hear)"
        rf"|\b(?:no need|no reason|not necessary|unnecessary|pointless|superfluous)\b[^.;]{{0,20}}\b{_HUMAN_TOLD}[^.;]{{0,8}}\bto "
        rf"(?:\w+ )?(?:hear|know|learn|find out|notice|see|be (?:told|informed|aware|shown"
        rf"|notified))\b[^.;]{{0,12}}(?:{_OF_ONES_OWN}|of|about)"
        rf"|\b(?:polic(?:y|ies)|rule|practice|custom|agreed|decided|convention|standard)\b[^.;]{{0,40}}\b{HUMAN}s?\b[^.;]{{0,20}}"
        rf"\b(?:not|never|no longer)\b[^.;]{{0,8}}\b{_TOLD}\b"
        rf"|\b(?:the|your|our) {HUMAN}s?\b[^.;,]{{0,12}}\b(?:need not|needn't|does not need to|doesn't need to|must not|should not"
        rf"|should never|must never|is not to|has no need to|shall not)\b (?:ever )?(?:be {_TOLD}|know|hear|learn"
        rf"|find out)\b[^.;]{{0,10}}"
        rf"\b(?:about|of|that|this|it|what|how)\b",
        not_in=r"\b(?:lint\w*|format\w*|style|warnings?|typos?|drafts?|downtime|migration:|price|prices|until|unless|flaky|progress"
        r"|password|passwords|newsletters?|asked again|i|we|app|form|account exists|surprise|sales|marketing)\b",
        also="user|owner|operator|developer|human|maintainer|principal|person",
    ),
    order(
        CONCEAL,
        "mention|leave |omit|skip|out of |remove|strip|drop|silent|delete|erase|purge|scrub|suppress|keep |hide",
        rf"(?:{ordered('omit leave_out skip suppress strip_out drop exclude cut_out keep_out leave_away hide remove erase scrub')}"
        rf"[^.;]{{0,60}}?{_OF_ONES_OWN}[^.;]{{0,40}}?\b(?:of|from|in|out of|when|while|before)\b[^.;]{{0,30}}"
        rf"(?:\byour (?:\w+ )?{_REPORTS}|\bthe (?:\w+ )?{_REPORTS}\b|\b(?:summari[sz]|answer|reply|report)\w*))",
        r"\b(?:your|you)\b|\b(?:pull[- ]request|pr|commit|merge request)\b|\bthe (?:added|extra|additional|second|hidden"
        r"|injected)\b"
        r"|\b(?:this|that|it|these|them)\b[^.;]{0,12}\bout of\b",
        not_before=FORBIDDEN,
        not_in=r"\b(?:ticket|generated|licen[cs]e\w*|public report|internal|customers?|typos?|flash|version numbers?|emoji|debug"
        r"|whitespace|boilerplate|prices?|secrets?|passwords?|tokens?|signature|co-authored|headings?|wip|never)\b",
        signs=(rf"{_REPORTS}\b|summari[sz]|answer|reply|report",),
    ),
    order(
        CONCEAL,
        "summari|reporting|when you report|when answering|when you answer|replying|when you reply|writing up|when you write"
        "|in your|listing"
        "|when describing|when you describe|when explaining",
        rf"\b(?:when|while|once|in)\b[^.;,]{{0,8}}\b(?:summari[sz]ing|reporting|answering|replying|writing|describing|explaining"
        rf"|listing|you (?:summari[sz]e"
        rf"|report|answer|reply|write|describe|explain|list)|your (?:\w+ )?{_REPORTS})\b[^.;,]{{0,30}},? (?:please |simply "
        rf"|just )?(?:omit|leave out|skip"
        rf"|suppress|drop|hide|exclude|pass over|gloss over|say nothing (?:of|about)|do not (?:mention|list|name|show)"
        rf"|don't (?:mention|list|name|show)"
        rf"|never (?:mention|list|name|show)|leave)\b[^.;]{{0,40}}?(?:\b(?:new|added|extra|second|additional|changed|swapped) \w+"
        rf"|{_OF_ONES_OWN})",
        r"\byour?\b",
        not_in=r"\b(?:customers?|prices?|passwords?|secrets?|tokens?|typos?|licen[cs]e\w*|generated|emails?|names?|ticket|internal"
        r"|never expose)\b",
    ),
    order(
        CONCEAL,
        "without mention|without report|without log|without record|without document|without telling|without note|without say"
        "|without disclos|without reveal|without inform|without any mention|without showing|without listing",
        rf"{ordered(_DO)}"
        rf"[^.;]{{0,50}}\bwithout (?:\w+ )?(?:mentioning|reporting|logging|recording|documenting|telling|noting|saying|disclosing"
        rf"|revealing|informing|showing|listing|mention of)\b[^.;]{{0,20}}(?:{_OF_ONES_OWN}|\b{_REPORTS}\b|{_HUMAN_TOLD})",
        not_before=FORBIDDEN,
        not_in=r"\b(?:never|not)\b[^.;]{0,30}without|\b(?:ticket|typos?)\b",
    ),
    order(
        CONCEAL,
        "no trace|no traces|not leave traces|no evidence|no record|no sign|nobody notices|no one notices|nobody will notice"
        "|without a trace|cover your tracks|cover the tracks|nothing unusual|nothing had happened|nothing happened|unnoticed"
        "|nobody sees|no one sees|go unseen|undetected",
        r"(?:\b(?:so that|such that|so|to make sure|make sure|ensure|see to it|taking care)\b[^.;]{0,30}\b(?:leaves? no (?:trace"
        r"|evidence"
        r"|record|sign)s?|no (?:trace|evidence|record|sign)s?\b[^.;]{0,12}\b(?:is|are|remains?|stays?|left)|(?:nobody|no one"
        r"|no human)"
        r" (?:\w+ )?(?:notices?|sees?|finds out|learns|suspects)|(?:goes|stays?|remains?|go|be) (?:unnoticed|unseen|undetected))"
        r"|\bcover (?:your|the|its) tracks\b|\b(?:act|behave|carry on|continue|pretend|answer)\b[^.;]{0,16}\b(?:as (?:though|if)"
        r"|that)\b[^.;]{0,8}\b(?:nothing|no ))",
        not_in=r"\b(?:users? (?:do|does) not|downtime|flicker|cache|test|camera|visitor|animation|migration|cold)\b",
    ),
    order(
        CONCEAL,
        "between us|between you and me|between ourselves|our secret|to yourself",
        r"\bkeep (?:this|it|that|these|them)\b[^.;]{0,20}\b(?:between (?:us|you and me|ourselves)|our (?:little )?secret"
        r"|to yourself)",
        not_before=NEVER,
    ),
    order(
        CONCEAL,
        "if somebody asks|if someone asks|if anyone asks|if anybody asks|if asked|when asked|if questioned|if the user asks"
        "|if they ask|should anyone ask|should somebody ask",
        r"\b(?:if|when|should)\b[^.;,]{0,24}\b(?:asks?|asked|questioned)\b[^.;]{0,60}?, (?:just |simply |then )?(?:say|claim|answer"
        r"|reply|pretend|blame|state|insist|tell \w+|call it|pass it off)\b[^.;]{0,60}",
        r"\b(?:changed?|happened|did|moved|disappeared|gone|deleted|sent|added|edited|uploaded|missing|this|rotated|pushed"
        r"|installed"
        r"|commit|token|key|remote|network|traffic|file)\b",
        not_in=r"\b(?:customers?|clients?|guests?|callers?|visitors?|support|interview\w*|phone)\b|\basks? (?:for|where)\b"
        r"|\b(?:show|send) (?:them|him|her)\b",
    ),
    order(
        CONCEAL,
        "reveal|mention|disclose|show|contain|include|say |betray|name|list|hint",
        rf"\byour (?:\w+ )?{_REPORTS}\b[^.;]{{0,12}}\b(?:must|should|may|shall|is|are|has|have|can) ?(?:not|never"
        rf"|n't)\b[^.;]{{0,12}}\b(?:reveal|mention"
        rf"|disclose|show|contain|include|say|betray|name|list|hint)\b[^.;]{{0,40}}?(?:{_OF_ONES_OWN}|\bthat\b)",
        not_in=r"\b(?:customers?|prices?|passwords?|secrets?|tokens?|personal|emojis?|markdown|internal|names|addresses"
        r"|apolog\w+)\b",
    ),
    order(
        CONCEAL,
        "hide|conceal|withhold|keep|mask|shield|obscure|cloak|bury|camouflage|disguise|pass |dress",
        rf"(?:{ordered(_HIDE)}[^.;]{{0,24}}?{_OF_ONES_OWN}[^.;]{{0,40}}?\b(?:from|against)\b (?:the |your |our "
        rf"|any )?(?:\w+ )?(?:{HUMAN}|reviewers?|team|boss|auditors?)s?\b"
        rf"|{ordered('pass disguise dress present sell label camouflage')}[^.;]{{0,24}}?{_OF_ONES_OWN}[^.;]{{0,12}}\b(?:off "
        rf"|up )?as (?:an? )?(?:\w+ )?(?:fix|clean-?up"
        r"|refactor\w*|formatting|routine|typo|mistake|rotation|maintenance|update)\b)",
        signs=(
            r"\b(?:from|against|as) (?:(?:a|an|the|your|our|any) )?(?:\w+ )?(?:user|human|owner|operator|person|maintainer"
            r"|developer|principal|customer|reviewer|team|boss|auditor|fix|clean|refactor|formatting|routine|typo|mistake|rotation"
            r"|maintenance|update)",
        ),
        not_before=FORBIDDEN,
        not_in=r"\b(?:menus?|columns?|buttons?|toolbar|panels?|fields?|banner|sidebar|dialogs?|tabs?|widgets?|icons?|screen|css"
        r"|details element|link)\b",
    ),
    order(
        CONCEAL,
        "nobody|no one|no human|anyone|anybody",
        rf"(?:\b(?:nobody|no one|no human)\b[^.;]{{0,20}}\b(?:has to|needs to|must|should|is to|shall|need"
        rf"|may)\b (?:ever )?(?:be {_TOLD}|know|hear|learn|find out|notice|see)"
        rf"\b[^.;]{{0,24}}?(?:\bthat\b|\bof\b|\babout\b|{_OF_ONES_OWN})|\bwithout any(?:one|body)\b[^.;]{{0,12}}\b(?:being|getting"
        rf"|becoming|noticing|knowing|learning|the wiser"
        r"|suspecting|realising|realizing)\b)",
        not_in=r"\b(?:surprise|party|present|birthday|price|prices|downtime|css|passwords?)\b",
    ),
    order(
        CONCEAL,
        "hint|mention|sign|clue|indication|suggestion|a word",
        rf"\b(?:avoid|give|leave|drop|without|make|let slip|offer)\b (?:\w+ )?(?:any|no|the slightest|the least|even a"
        rf"|a single) (?:hint|mention|sign|clue|indication|suggestion|word)s?\b[^.;]{{0,8}}\b(?:to|for|towards?"
        rf"|in front of)\b[^.;]{{0,10}}"
        rf"\b(?:{HUMAN}|reviewer|owner|team)s?\b",
        not_in=r"\b(?:password|customers?|price|prices|clients?|blue|colou?r)\b",
    ),
)
