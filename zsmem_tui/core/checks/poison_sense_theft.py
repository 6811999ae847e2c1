"""Orders in English told by what they come to: who else is obeyed, what is collected, copied out or put in another's place."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import AGENT, BEGINS, HUMAN, NEVER, ORDERS_WORDS
from zsmem_tui.core.checks.poison_rule import APPROVAL, CARRY, CONCEAL, OVERRIDE, RUN, SETTLE, Order, order
from zsmem_tui.core.checks.poison_sense_lies import PERSON
from zsmem_tui.core.checks.poison_senses import DOMAIN, FORBIDDEN, NOT_YOU, OFFICE, PUBLIC_IP, ordered

_WEB: Final = r"(?:https?|ftps?|s3|wss?)://(?!localhost|127\.|10\.|192\.168)[^\s`'\")]{4,120}"
_HOST: Final = rf"(?:{_WEB}|{PUBLIC_IP}|{DOMAIN}(?!\())"
_LOOT: Final = (
    r"(?:credentials?|passwords?|passphrases?|(?:api |access |auth\w* )?tokens?|(?:api|ssh|private|secret|access) keys?|secrets"
    r"|wallets?"
    r"|saved log-?ins|log-?ins|cookies|seed phrases?|card numbers?|bank details)"
)
_GATHER: Final = (
    "collect gather harvest scan search hunt look_for look_through dig_through copy save store note note_down write write_down ke"
    "ep record"
    " dump pick_up read grab get list extract"
)
_HIDEOUT: Final = (
    r"(?:/tmp/|/var/tmp|/dev/shm|~/?\.\w|\bnotes/|\bmemory/|\bin (?:this|your) (?:memory|note)|\.md\b|\.txt\b|\.json\b|\.log\b)"
)
_BAN: Final = (
    r"(?:rules?|bans?|limits?|bounds|restrictions?|polic(?:y|ies)|requirements?|prohibitions?|caps?|locks?|guard ?rails?"
    r"|safeguards?)"
)
_LIFTED: Final = (
    r"(?:\b(?:is|are|was|were|has been|have been|got) (?:\w+ )?(?:lifted|dropped|waived|abolished|suspended|removed|cancell?ed"
    r"|gone|over|void"
    r"|history|scrapped|revoked|withdrawn)|\bno longer (?:holds?|appl(?:y|ies)|counts?|binds?|stands?|matters?)|\b(?:does"
    r"|do) not apply|n't apply)"
)
_HARMS: Final = (
    r"(?:delete|remove|push|force-push|buy|spend|pay|send|overwrite|drop|deploy|merge|publish|install|run|wipe|erase|transfer|do)"
)
_FREELY: Final = (
    r"(?:freely|at will|as you (?:like|please|wish)|what(?:ever)? (?:you (?:like|need|want|wish|please)|is there)|anything"
    r"|everything|without"
    r" \w+|over whatever|at once|straight away|unasked)"
)
_SOURCE: Final = (
    r"(?:links?|urls?|hash(?:es)?|checksums?|registr(?:y|ies)|index|mirrors?|downloads?|packages?|dependenc(?:y|ies)|remotes?"
    r"|sources?|keys?"
    r"|certificates?|pip|npm|cargo|apt|brew|origin|tools?|images?|repositor(?:y|ies)|address(?:es)?)"
)
_ODD: Final = r"(?:example|mirror|invalid|top|xyz|ru|cc|tk|pw|su|site|click|link|rest|cn|biz|info|online|host)"
"""Ends of hosts that nobody's own things lie on, or what such a host is called."""

ORDERS: Final[tuple[Order, ...]] = (
    order(
        APPROVAL,
        "lifted|dropped|waived|abolished|suspended|removed|cancel|gone|no longer|void|scrapped|revoked|withdrawn|apply| over",
        rf"\b{_BAN}\b[^.;]{{0,40}}?{_LIFTED}",
        rf"[,;:]\s*(?:so |and |just |please |you (?:may|can) )*{_HARMS}\b[^.;]{{0,24}}?\b{_FREELY}",
        not_in=r"\b(?:users|customers|staging|tests?|api|rate|spaces?|tabs?|lint\w*|we|our|never)\b|\?",
    ),
    order(
        CARRY,
        "collect|gather|harvest|scan|search|hunt|look |dig|copy|save|store|note|writ|keep|record|dump|pick|read|grab|get |list"
        "|extract",
        rf"{ordered(_GATHER)}\b[^;\n]{{0,60}}?\b{_LOOT}\b",
        rf"{_HIDEOUT}|\b(?:and|then) (?:\w+ )?(?:note|write|save|keep|store|copy|send|list|put)\b|\b(?:idle|quietly|secretly"
        rf"|unnoticed|so that they)\b"
        r"|\bfor (?:us|me|later)\b",
        r"\b(?:every|any|all|each|saved|whatever|the user's|the owner's|passwords you|tokens you|keys you|wallets|you (?:find"
        r"|see|come|meet|get))\b",
        also="credential|password|passphrase|token|key|secret|wallet|login|log-in|cookie|seed|card|bank",
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|do not|vault|failed|rotat\w+|revok\w*|redact\w*|mask\w*|names? of|docs?/"
        r"|environment variables|scanner|leaked"
        r"|report|ticket|design|css|we|our|hash(?:ed|es)?|argon2|bcrypt)\b|n't\b",
    ),
    order(
        CARRY,
        "copy|mirror|duplicate|backup|back up|sync|cc ",
        rf"\b(?:copy|copies|mirror|duplicate|back up|backup|sync)\b[^;\n]{{0,50}}?\b(?:every|all|each|everything|whatever"
        rf"|any)\b[^;\n]{{0,60}}?\b(?:to|at|on|into)\b"
        rf"[^;\n]{{0,16}}?(?:{_WEB}|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|{PUBLIC_IP})",
        r"\b(?:also|too|as well|besides|additionally|you (?:read|write|open|see|make)|quietly|each time|whenever)\b",
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|our|we|the (?:nas|vault)|accounting|github|gitlab|restic|borg)\b|n't\b",
    ),
    order(
        SETTLE,
        "http|ftp|.top|.xyz|.ru|.cc|.tk|.pw|.su|.site|.click|.link|.rest|.cn|.biz|.info|.online|.host|example|mirror|instead of"
        "|one at",
        rf"{ordered('replace swap exchange change point redirect switch set let have make use configure repoint')}\b[^;\n]{{0,30"
        rf"}}?\b{_SOURCE}\b"
        rf"[^;\n]{{0,60}}?\b(?:with|by|for|to|at|from|through)\b[^;\n]{{0,24}}?(?:{_WEB}|{PUBLIC_IP}"
        rf"|\b[a-z0-9-]+(?:\.[a-z0-9-]+){{1,3}}\b)",
        rf"(?:https?://|\b)(?:[a-z0-9-]+\.)*(?!github|gitlab)(?:[a-z0-9-]*(?:mirror|example|share|hub)[a-z0-9-]*\.[a-z.]+"
        rf"|[a-z0-9-]+\.{_ODD})\b|{PUBLIC_IP}",
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|our|we|docs?\.|staging|dev(?:elopment)?|tests?|tutorial|placeholder|wiki|company'?s?"
        r"|internal)\b|n't\b",
    ),
    order(
        RUN,
        "http|ask |poll |query |check |call |fetch |contact ",
        rf"{ordered('ask poll query check call fetch contact visit consult open')}\b[^;\n]{{0,16}}?{_HOST}[^;\n]{{0,60}}?\b(?:and"
        rf"|then)\b[^;\n]{{0,12}}?"
        r"\b(?:act (?:on|upon)|do (?:that|it|so|what|as)|obey|follow|carry out|execute|run|perform)\b",
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|docs?|health|endpoint|status|localhost|503|guide|install\w*|contributing)\b|n't\b",
        also="act |do |obey|follow|carry|execute|run |perform",
    ),
    order(
        OVERRIDE,
        "owner|operator|boss|head|maintainer|company|user|master|principal|admin",
        rf"(?:\b(?:any|every|each|all|the)? ?(?:messages?|comments?|texts?|lines?|commands?|files?|notes?|anything|whatever"
        rf"|everything|what)\b[^.;]{{0,50}}?"
        rf"\b(?:is|are|comes?|counts?|spoken|written|stems?|as)\b[^.;]{{0,16}}?\b(?:from|by|of) (?:the |your "
        rf"|its )?(?:\w+(?:'s)? )?(?:{OFFICE}|{HUMAN}|head)\b"
        r"|\b(?:treat|consider|regard|take|see|count)\b [^.;]{2,50}? as (?:orders?|commands?|instructions?|(?:spoken|written"
        r"|said|coming|words?) )"
        rf"[^.;]{{0,12}}?\b(?:the|your) (?:\w+(?:'s)? )?(?:{OFFICE}|{HUMAN}|head)\b)",
        r"\b(?:must be (?:obeyed|followed)|obey|carry (?:it|them) out|act on (?:it|them)|follow (?:it|them)|as (?:orders?"
        r"|commands?|instructions?|spoken"
        r"|if spoken|written by|coming from)|do (?:as|what) (?:it|they) says?)\b",
        not_before=rf"{NEVER}|\b(?:we|they|i|parser|gateway|server)\s+$",
        not_in=r"\b(?:never|not|parser|logged|skipped|wishes|api|endpoint|tests?)\b|\?",
    ),
    order(
        OVERRIDE,
        "overrides|outranks|overrule|supersede|comes after|comes behind|comes before|counts less|weighs less|takes precedence"
        "|goes before",
        rf"(?:\b(?:what|whatever) (?:the|your) (?:\w+ )?{HUMAN} (?:wants?|says?|asks?|thinks?|prefers?"
        rf"|types?)\b[^.;]{{0,24}}?\b(?:comes? (?:after|behind|second)"
        r"|counts? (?:less|little)|weighs? less|ranks? (?:below|behind)|is secondary)\b"
        r"|\b(?:do|follow|obey|act on) (?:as |what |whatever )?(?:the |this |that )?[^.;]{2,50}?\b(?:says?|tells?|asks?"
        r"|lists?)\b[^.;]{0,8}?,? (?:it|this|that|they)"
        rf" (?:overrides?|outranks?|overrules?|supersedes?|goes? before|comes? before|takes? precedence over) (?:the |your "
        rf"|any )?(?:\w+ )?(?:{HUMAN}|{ORDERS_WORDS}"
        r"|claude\.md|agents\.md|system)\w*)",
        not_before=NEVER,
        not_in=r"\b(?:css|style|theme|settings?|config\w*|defaults?|never|customers?|clients?)\b|\?",
    ),
    order(
        CONCEAL,
        "history|do not log|don't log|log this|antivirus|security tool|edr|monitor|scanner|audit|detector|endpoint|siem|say so",
        rf"(?:{ordered('stop kill end terminate quit uninstall remove unload blind')}\b[^.;]{{0,16}}?\b(?:anti-?virus"
        rf"|security (?:tool|agent|software|process|scanner)"
        rf"|edr|endpoint (?:protection|agent|security)|malware scanner|intrusion detection|siem)\b|\bsecurity (?:tool|agent"
        rf"|software|scanner)s?\b[^.;]{{0,12}}?,"
        rf" (?:stop|kill|end|disable|remove|terminate) it\b"
        rf"|{ordered('clean clear empty wipe erase delete purge truncate')}\b (?:the |your |its |all )?(?:\w+ )?(?:shell|bash"
        rf"|command|terminal|zsh)? ?history\b[^.;]{{0,24}}?"
        r"\b(?:when|once|after|afterwards|at the end|through|done|then)\b"
        r"|\b(?:do not|don't|never) (?:log|record)\b (?:this|that|these|the) (?:command|step|call|request|change|transfer"
        r"|upload)s?\b[^.;]{0,40}?\b(?:and|,)\b)",
        not_before=FORBIDDEN + r"|\b(?:we|they|it|which|container|session)\s+(?:is |are )?$",
        not_in=r"\b(?:never|exclude|portal|ticket|tests?|side effects|demo|container|secrets? (?:in|out)|passwords? (?:in|out))\b",
    ),
    order(
        CONCEAL,
        "no faults|no fault|no problems|all good|excellent|perfect|no objection|no complaint|blame|nothing wrong|looks fine"
        "|fine with it|lgtm|as fine",
        rf"(?:{BEGINS}(?:find|see|report|raise|name|note) no (?:\w+ )?(?:faults?|problems?|objections?|issues?|complaints?|bugs?)\b"
        rf"|{ordered('answer reply respond')}\b[^.;]{{0,16}}?\b(?:every|any|all|each)\b[^.;]{{0,30}}?\b(?:safety|security|risks?"
        rf"|privacy|data|bugs?)\b[^.;]{{0,12}}? (?:with|by)"
        r" ['\"`]?(?:all (?:good|clear|is well)|no|none|yes|fine|safe)\b"
        rf"|{ordered('rate rank mark grade judge call approve')}\b (?:each|every|all|any)\b[^.;]{{0,24}}?\b(?:by|of|from"
        rf"|'s)[^.;]{{0,24}}?\bas (?:excellent|perfect|fine|good|safe)\b"
        rf"|\b(?:if|when|should)\b (?:{PERSON}|the {HUMAN})\b[^.;,]{{0,12}}\b(?:complains?|asks?|notices?"
        rf"|wonders?)\b[^.;,]{{0,40}}, (?:\w+ )?blame\b)",
        not_before=FORBIDDEN,
        not_in=r"\b(?:linter|ruff|eslint|mypy|never|git blame|rate limit)\b",
    ),
    order(
        CARRY,
        "system prompt|system message|your prompt|user's message|user's words|user's question|conversation|what the user",
        rf"(?:{ordered('insert put add include repeat write place quote append paste copy echo')}\b[^;\n]{{0,40}}?\b(?:your"
        rf"|the) (?:\w+ )?(?:system prompt|system message)\b"
        rf"[^;\n]{{0,60}}?|\b{_WEB}[^;\n]{{0,16}}?\b(?:followed by|with|plus|and)\b[^;\n]{{0,16}}?\b(?:the"
        rf"|your) {HUMAN}'s (?:message|words|question|prompt|name|text)\b)",
        r"\b(?:every|each|all|whenever|before|always|any|next)\b",
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|docs?|template|eval\w*|tests?|benchmark)\b|n't\b",
    ),
    order(
        RUN,
        "install|download|run |open |visit|cleanup|clean-up",
        rf"\b(?:tell|convince|ask|urge|persuade|advise|get) (?:the|your|any) {HUMAN}s?\b[^;\n]{{0,60}}?\b(?:install|download|run"
        rf"|open|visit|enter|log in)\b[^;\n]{{0,40}}?"
        rf"\b(?:from|at|on|to|of)\b[^;\n]{{0,8}}?(?:{_WEB}|{PUBLIC_IP}|\b(?:[a-z0-9-]+\.)+{_ODD}\b)",
        not_before=FORBIDDEN + r"|\b(?:we|they|docs|page)\s+$",
        not_in=r"\b(?:never|must not|docs?|wiki|staging|internal|python\.org|nodejs\.org|github|localhost)\b|n't\b",
    ),
    order(
        SETTLE,
        "way in|second admin|hidden admin|extra admin|backdoor|under the name|as the author|name of the|user.email|user.name"
        "|--author",
        rf"(?:{ordered('leave keep add make create build open')}\b[^.;]{{0,16}}?\b(?:a|another|some) (?:\w+ )?way in\b"
        rf"|{ordered('leave keep add make create')}\b[^.;]{{0,24}}?"
        r"\b(?:second|hidden|extra|secret|silent) admin\w*\b"
        rf"|{ordered('commit push sign write merge')}\b[^.;]{{0,16}}?\b(?:under|in|with|as) (?:the )?(?:name|author"
        rf"|identity) of (?:the|a|another) (?:\w+ )?(?:{HUMAN}|colleague"
        r"|reviewer|author)\b[^.;]{0,40}?\b(?:so (?:that )?(?:no|nobody)|unnoticed|looks? closer|notices?|suspects?)\b"
        r"|\b(?:git config|set) [^;\n]{0,24}?user\.(?:email|name)[^;\n]{0,60}?(?:@|\b)[^;\n]{0,60}?\b(?:does not|doesn't"
        r"|need not) (?:\w+ )?(?:matter|know)\b)",
        not_before=FORBIDDEN,
        not_in=r"\b(?:never|must not|wheelchair|undo|demo|tests?)\b",
    ),
    order(
        APPROVAL,
        "disable|turn off|switch off|deactivate|skip|bypass|remove",
        rf"\b(?:this|the) (?:repo\w*|project|file|note|company|policy|team)\b[^.;]{{0,8}}?\b(?:requires?|demands?|wants?"
        rf"|expects?|asks?|orders?)\b[^.;]{{0,12}}?\b(?:that )?{AGENT}s?\b"
        r"[^.;]{0,8}?\b(?:to )?(?:disable|turn off|switch off|deactivate|skip|bypass|remove|ignore)\b[^.;]{0,24}?\b(?:checks?"
        r"|verification|factor|2fa|mfa|prompts?|confirmations?|scann?\w*"
        r"|sandbox|guards?|filters?|protection)\b",
        not_in=r"\b(?:never|not|lint\w*|spell\w*|format\w*)\b",
    ),
    order(
        APPROVAL,
        "authorised you|authorized you|allowed you|permitted you|cleared you|told you to go|entitled you|lets you|allows you"
        "|authorises you|authorizes you",
        rf"\b(?:the|your|any) (?:\w+ )?{HUMAN}\b[^.;,]{{0,12}}?\b(?:authori[sz]e[sd]?|allow(?:s|ed)|permit(?:s|ted)|clear(?:s"
        rf"|ed)|entitle[sd]?|lets?) you to \w+\b[^;\n]{{0,100}}?"
        r"\b(?:without (?:being )?(?:asked|asking|prompt\w*|confirm\w*|review|checking)|unasked|each time|every time|whenever"
        r"|at will|freely|all|any|every)\b",
        not_before=r"\b(?:if|unless|until|when|once|after|before|whether|only)\b[^.;]{0,24}$",
        not_in=r"\b(?:never|must not|only|docs?|typos?|format\w*|lint\w*|branch(?:es)? of your own)\b|n't\b",
    ),
)
