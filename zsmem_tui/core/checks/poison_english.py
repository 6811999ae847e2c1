"""Orders in English."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_rule import ADDRESS, APPROVAL, AWAY, CARRY, CONCEAL, OVERRIDE, RUN, SECRETS, SETTLE, Order, order

_NEVER: Final = (
    r"\b(?:never|not|nor|no|n't|cannot|refuse to|avoid|forbidden to|instead of)\s+(?:\w+\s+){0,2}$|n't\s+(?:\w+\s+){0,2}$"
)
"""A prohibition right before: how a user writes."""
_NEVER_AT_ALL: Final = r"\b(?:never|not|must not|no)\b|n't\b"
_TOLD_ABOUT: Final = (
    r"\b(?:attack\w*|inject\w*|phish\w*|malicious|texts?|pages?|e-?mails?|mails?|issues?|strings?|payloads?|prompts?"
    r"|someone|somebody|people|they|who|that)\b"
    r"[^.;:]{0,50}\b(?:tell|say|ask|tr(?:y|ies)|want|attempt|instruct|claim|order|read)\w*\b[^;:]{0,40}$"
)
_DESCRIBED: Final = r"\b(?:will|would|may|might|can|could|they|which|that|we|i|he|she|it|to|jobs?|scripts?|tools?|tests?|hooks?|does|did)\s+(?:\w+ly\s+)?$"
"""A subject or auxiliary: the verb tells what happens."""
_STRONG: Final = (
    r"\b(?:ignore|disregard|forget|override|overrule|disobey|defy|bypass|set aside|put aside|(?:do not|don't|stop"
    r"|no longer|never) (?:follow(?:ing)?|obey(?:ing)?|"
    r"honou?r(?:ing)?|heed(?:ing)?|listen(?:ing)? to|abid(?:e|ing) by|comply(?:ing)? with)|pay no (?:attention|heed) to"
    r"|cease (?:following|obeying)|throw (?:away|out)|unlearn|dismiss|break)\b"
)
_WEAK: Final = r"\b(?:drop|delete|erase|discard|skip|suspend|cancel|replace|circumvent|void|abandon|neglect|supersede|reject|revoke|wipe|work around|get around|clear)\b"
_GIVER: Final = (
    r"(?:previous|prior|earlier|above|preceding|foregoing|former|system(?: prompt)?|developer(?:'s)?|users?'?s?"
    r"|operators?'?s?|owners?'?s?|humans?'?s?|principal'?s?|maintainers?'?s?|your"
    r"|safety|original|initial|existing|standing|current|old|past|other|hitherto|up to now|so far)"
)
_ORDERS: Final = (
    r"(?:instructions?|directions|directives?|orders|guidelines?|guidance|commands|prompts?|constraints|restrictions?"
    r"|wish(?:es)?|requests?|preferences|rules"
    r"|training|guardrails?|safeguards?|polic(?:y|ies)|limitations|programming|decisions|intent(?:ions)?|say|conventions)"
)
_HARD_ORDERS: Final = (
    r"(?:instructions|directives|guidelines|guardrails|orders|safeguards|(?:safety|system) (?:rules|prompt|polic\w+)|wishes)"
)
_DATA: Final = r"warnings?|errors?|notices?|hints?|signs?|lines?|columns?|rows?|files?|tests?|data|values?|outputs?|cells?|fields?|results?|entries|numbers?|logs?"
"""What anybody may tell an agent to ignore."""
_SAYS: Final = r"(?:says?|wants?|asks?|asked|wish(?:es|ed)?|tells? you|told you|instructs?|instructed|ordered|decided|prefers?|requested|objects?|forbids?|disagrees?|complains?|refuses?|declines?)"
_HUMAN: Final = (
    r"(?:user|human|owner|operator|person (?:you|in charge|at the keyboard)|maintainer|developer|principal|customer you serve)"
)
_OTHERS: Final = rf"(?:(?:the|your|any|our) (?:\w+ )?{_HUMAN}s?|him|her|them|anyone|anybody|any humans?|humans)"
_QUIETLY: Final = (
    r"(?:quietly|silently|secretly|covertly|discreetly|stealthily|surreptitiously|unnoticed|in (?:secret|silence)"
    r"|on the (?:quiet|sly)|under the radar|behind (?:the \w+'s|their|his|her) back"
    r"|without (?:a (?:word|trace|comment|mention)|comment(?:ing)?|leaving (?:a |any )?traces?|drawing attention"
    r"|being (?:seen|noticed)|saying (?:so|anything|a word)|any (?:mention|comment|notice)))"
)
_EFFECT: Final = (
    r"(?:send|post|upload|push|copy|delete|remove|add|approve|disable|merge|commit|append|forward|change|replace"
    r"|include|grant|open|transfer|submit|publish|insert|e-?mail|mail|exfiltrate"
    r"|write|modify|edit|swap|rewrite|leak|share|attach|create|fetch|download|execute|run|install|enable|turn off"
    r"|switch off|do|make|apply|perform|carry out|drop|bump|raise|lower|set|pin|alter|revoke|rotate|move|store|save"
    r"|update|deploy|read|collect|embed|whitelist|allow)"
)
_BEGINS: Final = r"(?:^|[.!?:;,>\-*(\"]\s*|\b(?:and|then|please|now|also|always|first|finally|simply|just|must|should|shall|you|to|kindly|instead|afterwards|next)\s+)"
_THIS: Final = r"(?:this|it|that|these|those|them|the (?:\w+ ){0,2}(?:upload|transfer|change|step|copy|instructions?|note|comment|edit|action|addition|deletion|file|line|rule|request|message|section|fact|text|call|command))"
_WIDE: Final = r"\b(?:any|all|every|everything|whatever|whole|blanket|always|further|again|future|in advance|beforehand|already|permanently|anything|forever|from now on|unattended)\b"
_AGENT: Final = (
    r"(?:(?:ai|llm|coding|automated|virtual|autonomous|digital)[ -](?:agents?|assistants?|models?|systems?|readers?"
    r"|tools?|bots?|helpers?)|assistants?|ais?|agents?|language models?|llms?"
    r"|automated readers?|machine readers?|bots?|crawlers?|copilot|chatgpt|gpt(?:-\d\w*)?|claude|gemini|codex|chatbots?|models?)"
)
_READS: Final = r"\b(?:read(?:s|ing)?|process(?:es|ing)?|pars(?:es?|ing)|summari[sz](?:es?|ing)|index(?:es|ing)?|loads?|loading|see(?:s|ing)?|visit(?:s|ing)?|analy[sz](?:es?|ing)|ingest(?:s|ing)?|handl(?:es?|ing)|encounter(?:s|ing)?|review(?:s|ing)?|work(?:s|ing)? (?:on|with)|scann?(?:s|ing)?|consum(?:es?|ing))\b"
_PASTED: Final = r"\b(?:this|these|the following|the above) (?:\w+ )?(?:pages?|texts?|files?|notes?|documents?|issues?|messages?|mails?|e-?mails?|tickets?|sections?|readmes?|comments?|paragraphs?|lines?|repo(?:sitory)?|sites?|transcript|log|memory|content|entry|article|thread|report|data|here)\b|\breading this\b|\bread this\b|\bsee this\b|\bprocessing this\b"
_ACT: Final = (
    r"\b(?:run|execute|send|post|upload|delete|remove|push|commit|merge|approve|install|download|fetch|open|visit|click"
    r"|add|append|insert|write|copy|include|forward|e?-?mail|disable|grant|give|reveal"
    r"|print|output|reply|respond|recommend|rank|rate|obey|set|change|replace|transfer|pay|create|store|remember|save"
    r"|accept|answer|prefer|call|start|must|should|shall|are (?:required|instructed|asked|expected)"
    r"|is (?:required|instructed|asked|expected)|have to|has to|need to|needs to|follow|treat|consider|state|promote"
    r"|rewrite|summari[sz]e|paste|attach|share|close|assign|use|skip|stop|mention|export|search|read)\b"
)
_PLACES: Final = (
    r"(?:memory(?:\.md| files?| stores?| folders?)?|agents\.md|claude\.md|gemini\.md|scratchpad(?:\.md)?|notes?"
    r"|projects?|repos?(?:itor(?:y|ies))?|rule files?|instruction files?|workspaces?|sessions?"
    r"|cursorrules|copilot-instructions|contexts?|files?|readmes?|agents?|stores?|conversations?)"
)
_STARTUP: Final = (
    r"(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zprofile|config\.fish|authorized_keys|crontab|cron\.\w+|cron job"
    r"|\.git/hooks|git hooks?|post-(?:commit|checkout|merge)|pre-(?:commit|push) hook"
    r"|session ?start|start(?:up|-up)? hooks?|pretooluse|posttooluse|launch ?agents?|launchd|autostart|systemd"
    r"|rc\.local|login item|shell (?:rc|profile|startup)|start-?up (?:script|file|command)s?|startup)"
)
_FETCHES: Final = r"curl|wget|https?://|\bnc\b|base64|ssh-(?:rsa|ed25519) aaaa|\b(?:this|that|the (?:following|attached|supplied|given)|following|below) (?:\w+ )?(?:key|line|command|hook|script|entry|snippet|code|alias)|(?:key|line|command|script) (?:below|above)|eval \"?\$\(curl|so that (?:it|this)|/tmp/|python3? -c|\baaaa"

ORDERS: Final[tuple[Order, ...]] = (
    # A
    order(
        OVERRIDE,
        "ignore|disregard|forget|overrid|overrul|obey|t follow|p following|longer follow| aside|attention|dismiss|heed"
        "|abid|comply|bypass",
        rf"{_STRONG}(?! (?:\w+ ){{0,2}}(?:{_DATA}))(?:[ ,:]+[\w'/-]+){{0,4}}?[ ,:]+(?:instructions?|directives?|guidelines?|guidance|restrictions|orders|wishes|safety rules|prompt)\b",
        rf"\b(?:(?:the|your) {_HUMAN}(?:'s)? (?:\w+ ){{0,2}}?(?:gave|give|has given|had given|told|set|said|wrote|left|issued|stated|provided)|(?:given|told|received|written|issued|set|provided|stated|listed) (?:to you |you )?(?:earlier|before|previously|above|so far|by the|in the system)|you (?:were|have been|had been) (?:given|told)|(?:came|come|stand|stood|appear|are|were) (?:before|above|earlier))",
        not_before=rf"{_NEVER}|{_TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "ignore|disregard|forget|overrid|overrul|obey|defy|bypass| aside|t follow|p following|longer follow|heed|abid"
        "|comply|unlearn|dismiss|listening to|t listen|throw ",
        rf"{_STRONG}(?! (?:\w+ ){{0,2}}(?:{_DATA})\b)(?:[ ,:]+[\w'/-]+){{0,5}}?[ ,:]+{_GIVER}(?:[ ,:]+[\w'/-]+){{0,4}}?[ ,:]+{_ORDERS}\b",
        not_before=rf"{_NEVER}|{_TOLD_ABOUT}",
        not_in=r"\b(?:old|existing|other|current|original|past|former) (?:lint|style|css|eslint|firewall|routing|format\w*|cache|build|csp|webpack|cursor|grammar|prettier|sort|validation|business)\w* ",
    ),
    order(
        OVERRIDE,
        "ignore|disregard|forget|overrid|overrul|obey|t follow|p following| aside|attention|dismiss",
        rf"{_STRONG} (?:all |any |every |each |whatever |the )?(?:of )?(?:the |your |these |those |such )?(?:\w+ )?(?:instructions|directives|guidelines|guardrails|orders|restrictions)"
        r"(?: (?:given|you (?:were|have been|got|received|had)|above|before|that came|so far|from (?:the|your)"
        r"|of (?:the|your) (?:user|human|operator|owner)|in (?:the|your) system|until now)\b)",
        not_before=rf"{_NEVER}|{_TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "ignore|disregard|forget|overrid|overrul|obey|t follow|p following| aside|attention|dismiss",
        rf"{_STRONG} (?:all|any|every)(?: of)?(?: the| your| these| those)? (?:instructions|directives|guidelines|guardrails|orders|safety \w+)\b",
        not_before=rf"{_NEVER}|{_TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "instructions|directives|guidelines|guardrails|safeguards|safety |system prompt|system rules|wishes| orders",
        rf"{_WEAK}(?:[ ,]+[\w'/-]+){{0,4}}?[ ,]+(?:previous|prior|earlier|above|preceding|users?'?s?|system|operator'?s?|owner'?s?|your|safety)(?:[ ,]+[\w'/-]+){{0,2}}?[ ,]+{_HARD_ORDERS}\b",
        not_before=rf"{_NEVER}|{_DESCRIBED}|{_TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "instruction|directive|guidelines|restrictions|system prompt|guardrails| orders|rules no longer|rules are "
        "|rules do not|rules have been|rules is |rules cease",
        r"\b(?:all|any|every|previous|prior|earlier|preceding|former|your|system|safety|above|the user's"
        r"|the operator's)\b(?:[ ,]+[\w'/-]+){0,4}?[ ,]+(?:instructions?|directives?|guidelines|rules|restrictions"
        r"|prompt|orders|guardrails)\b[^.;]{0,60}?"
        r"\b(?:no longer (?:apply|count|hold|bind|matter|valid)|(?:do|does|should|shall|will) not (?:apply|count|bind)"
        r"|(?:is|are|be|becomes?) (?:hereby |now |all |no longer )?(?:void|revoked|suspended|cancell?ed|lifted|invalid"
        r"|null|overridden|overruled|withdrawn|rescinded|superseded|in force|binding|valid|obsolete)|cease to apply"
        r"|have been (?:lifted|revoked|cancell?ed|suspended|withdrawn|replaced|superseded|overridden))\b",
        not_in=r"\b(?:lint|style|css|firewall|eslint|routing|format|robots|iptables|tax|parking|covid)\b",
    ),
    order(
        OVERRIDE,
        "precedence|priority|overrid|supersed|replaces any|replaces all|replace all|replace any|replace the"
        "|replaces the|replace every|replaces every|outrank|wins over|win over|trump",
        r"\b(?:these|the following|this|the new|my|the below)\b(?: \w+)? ?(?:instructions?|rules?|notes?|messages?"
        r"|files?|texts?|sections?|lines?|directives?|prompts?|paragraphs?|memory|block|below)?(?: \w+){0,2}? (?:takes?"
        r"|have|has|overrides?|supersedes?|replaces?|outranks?|wins? over|precedes?|trumps?|beats?|stands? above)\b[^.]{0,80}",
        r"\b(?:precedence|priority|overrid|supersed|replac|outrank|wins?|trump|beats?|stands? above)",
        r"\b(?:user'?s?|system|previous|prior|earlier|anything|everything|whatever|any other|all other|human'?s?"
        r"|operator'?s?|agents\.md|claude\.md)\b",
        r"\b(?:instructions?|rules|prompt|directives?|orders?|says|wants|asks|told|wishes|requests?|guidelines)\b",
    ),
    order(
        OVERRIDE,
        "ignore|disregard|forget|overrid|overrul|obey|t follow|p following| aside|attention|listen to",
        rf"{_STRONG} (?:to )?(?:what|whatever|everything|anything|all)(?: else)?(?: that)? (?:(?:the|your) {_HUMAN}|you (?:were|have been|had been|know|learned|learnt|have learned)|you've been|(?:was|is|has been|were|came|comes|stands|stood|appears) (?:\w+ )?(?:said|told|written|before|above|earlier|previously)"
        r"|the system|(?:said|written|told|stated) (?:above|before|earlier|previously)|(?:above|before|earlier"
        r"|previously)(?: this)?(?=\s*(?:[.,;:!)]|$|and\b)))",
        not_before=rf"{_NEVER}|{_TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "regardless of|even if the|even if your|even when the|no matter |contrary to|whether or not|despite the"
        "|despite your|against the user|against the owner|against the human|against your|opposite of"
        "|instead of what the|rather than what the",
        rf"\b(?:regardless of|even (?:if|when)|no matter|contrary to|whether or not|despite|instead of|rather than) (?:what |whether |anything |that )?(?:the|your) {_HUMAN}(?:'s)? (?:\w+ )?(?:{_SAYS}|wishes|instructions?|orders|objections?|will|requests?)\b"
        rf"|\bagainst (?:the|your) {_HUMAN}'s (?:\w+ )?(?:wish(?:es)?|will|instructions?|orders|objections?|preferences?)\b|\bdo the opposite of (?:what )?(?:the|your) {_HUMAN}",
        not_before=r"\b(?:never|not|n't)\b[^;]{0,60}$|n't\b[^;]{0,60}$",
    ),
    order(
        OVERRIDE,
        "you are now|you are no longer|from now on|from here on|henceforth|act as|pretend|your new|your real|your true",
        r"\byou are now (?:(?:a|an|the) )?(?:dan\b|unrestricted|unfiltered|uncensored|jailbroken|free (?:of|from)"
        r"|(?:different|new|other|evil|rogue|root|helpful) |in (?:developer|debug|god|maintenance|admin|root|dan"
        r"|unrestricted|test) ?mode|(?:no longer|not) bound|under|bound|working for|serving|operating)"
        r"|\byou are no longer (?:bound|required|an?|obliged|subject|restricted|limited|under)"
        r"|\b(?:from (?:now|here) on|henceforth),? you (?:are|will|obey|answer|act|must|shall|serve|follow|take|report"
        r"|only|work|should|always)\b"
        r"|\b(?:act|behave|respond|answer|operate) as (?:if|though) (?:you (?:had|have|were|are)|there (?:were|are)"
        r"|no )\b[^.]{0,40}\b(?:no|without|not|un\w+|root|admin|rules|restrict\w+)\b|\bact as an? (?:unrestricted"
        r"|unfiltered|jailbroken|rogue)"
        r"|\byour (?:new|real|true|only|actual) (?:instructions?|task|goal|role|purpose|objective|master|owner"
        r"|system prompt|user|mission|orders|job|identity)\b (?:is|are|:|follow)?"
        r"|\bnew (?:system )?instructions? (?:for you|follow|are)\b|^\W*new (?:system )?instructions?\s*:"
        r"|\bdeveloper mode (?:is )?(?:now )?(?:enabled|on|active)\b|\b(?:enable|enter|activate"
        r"|switch (?:in)?to) (?:developer|god|dan|jailbreak|unrestricted) mode\b",
        not_before=_NEVER,
    ),
    # B
    order(
        CONCEAL,
        " telling|tell the|tell your|tell any|tell him|tell them|tell her|inform the|inform your|inform any|informing"
        "|notify|notifying|alerting|alert the|warn the|warning the|let the |let your |let them |letting |asking|ask the"
        "|ask your|ask them|ask any|bother|consult|disturb|tip off|check with|check back|brief the|remind the",
        rf"\b(?:do not|don't|dont|never|without|no need to|need not|nor|rather than|avoid|must not|should not|shouldn't|refrain from|instead of|not) (?:ever |even |first |you |bother(?:ing)? (?:to )?|\w+ly )?"
        rf"(?:tell|inform|notif(?:y)?|alert|let|warn|ask|bother|consult|disturb|involv|mak|tip off|remind|brief|updat|check with|check back with)(?:e|ing|ying)? {_OTHERS}"
        rf"(?=\s*(?:[.,;:!)\"'*_]|$|and\b|or\b|about (?:this|it|that|these|any|what|the)\b|of (?:this|that|it|what|any)\b|that (?:you|this|it|these|anything)\b|know\b|what (?:you|was)|anything|before\b|first\b|why\b|when you\b|aware\b|either\b|what has\b|any of\b|until\b|of the (?:change|upload|transfer|copy)))",
        not_before=r"\b(?:never|not|must not|no \w+)\b[^.;]{0,60}$|n't\b[^.;]{0,60}$|\b(?:we|they|it|app|tests?|which|form|api)\b[^,;]{0,12}$",
        not_in=r"\b(?:stack traces?|raw|sql|toast|password is wrong|frontend|ui|dialog|banner|twice|tooltip|login failed)\b",
    ),
    order(
        CONCEAL,
        "mention|reveal|disclos|acknowledg|announc|confess|t report|r report|reporting|expos|t show|r show|t flag"
        "|refer to |speak of|t describe|t explain|t display|t output|talk about|t admit|t discuss",
        rf"\b(?:do not|don't|dont|never|without|no need to|nor|rather than|avoid|must not|should not|refrain from|not) (?:ever |even |\w+ly )?(?:mention|report|reveal|disclos|acknowledg|announc|admit|confess|show|expos|flag|refer to|speak of|talk about|discuss|display|output|describ|explain)(?:e|ing)? "
        rf"(?:{_THIS}|any of (?:this|it)|anything|having|what you|doing so|that you)\b(?! (?:outside|in (?:public|commit|issues?|docs|the (?:docs|commit|changelog|blog))|to (?:customers|clients|the press|third|competitors|suppliers|partners|external|guests|kids)))",
        rf"\b(?:to|from|in|with) (?:the|your|any) (?:\w+ )?(?:{_HUMAN}|summary|reply|answer|response|output|final|report)s?\b|{_BEGINS}{_EFFECT}\b",
        not_before=r"\b(?:we|they|it|app|which)\s*$",
    ),
    order(
        CONCEAL,
        "quietly|silently|secretly|covertly|discreetly|stealthily|surreptit|unnoticed|in secret|in silence|the sly"
        "|the quiet|under the radar|behind the|behind their|behind his|behind her|without a |without leaving"
        "|without comment|without saying|without drawing|without any|without being",
        rf"{_BEGINS}(?:{_QUIETLY} {_EFFECT}\b[^.]{{3,}}|{_EFFECT}\b[^.;:]{{3,120}}?\b{_QUIETLY}(?!\w))",
        not_before=r"\b(?:never|not|must not|avoid|we|they|it|which|jobs?|scripts?|cron|that|will|would|may|might|can|could|does|did|errors?|tools?|hooks?|builds?|server|client|app)\b[^.;:]{0,30}$|n't\b[^.;]{0,40}$|\bto\s*$",
        not_after=r"\bto (?:silently|quietly)\b|\b(?:tests|pytest|make|pip|apt|npm) \w*(?:quietly|silently)|\bquietly \(-q|\bsecretly? (?:manager|store|key)\b",
        not_in=r"\b(?:never|must not|should not|cannot)\b|^\W*(?:the|a|an|our|some|old|if|when|errors?|builds?|jobs?) ",
    ),
    order(
        CONCEAL,
        "from the user|from the human|from the owner|from the operator|from your|between us|to yourself|out of your"
        "|out of the |from the maint|from the dev|from the review|from any|from all",
        rf"\b(?:keep|hide|conceal|withhold|mask|cover up)\b (?:{_THIS}|all of this|any trace|everything|what you|your|the fact)\b[^.]{{0,40}}?\b(?:from|secret from|hidden from|between us|to yourself)\b(?: (?:the|your|any|all) (?:\w+ )?(?:{_HUMAN}|human|reviewer|people)s?)?"
        rf"|\b(?:leave|omit|exclude|strip|keep|drop)\b (?:{_THIS}|any mention|all mention|every mention|everything)\b[^.]{{0,40}}?\b(?:out of|from) (?:your|the (?:final )?(?:summary|reply|answer|response|transcript|conversation|chat))\b",
        r"\b(?:from (?:the|your|any|all)|between us|to yourself|out of|from your)\b",
        not_before=r"\b(?:never|not|must not|we|they|to)\s+(?:\w+\s+)?$|n't\s+$",
    ),
    order(
        CONCEAL,
        "not know|n't know|never know|need to know|needs to know|has to know|have to know|must know|find out|be told"
        "|be informed|made aware|be notified|suspect|not notice|n't notice|never notice|not see|n't see|never see"
        "|not hear|not learn|never learn|say nothing|as if nothing|as though nothing|pretend|if asked|are asked"
        "|'re asked|user asks|anyone asks|human asks|owner asks|questioned|become aware",
        rf"\b(?:the|your) {_HUMAN} (?:must|should|need|may|does|do|will|is|shall|can|has)(?: not|n't| never)(?: to)? (?:ever )?(?:need to |have to )?(?:know|learn|be (?:told|informed|made aware|notified|asked)|find out|become aware|hear|suspect|notice (?:this|it|any|that)|see (?:this|it|any)|to know)\b"
        r"|\bno ?(?:one|body) (?:needs|has|must|should) (?:to )?(?:ever )?(?:know|notice|find out)"
        r"|\bsay nothing (?:about|to|of)|\bas (?:if|though) nothing (?:had )?(?:happened|changed)"
        r"|\bpretend (?:that )?(?:nothing|this (?:never|was|did)|it (?:never|was)|you (?:did|never|have not|found))"
        rf"|\bif (?:(?:the|your) {_HUMAN} asks|(?:you are |you're )?asked|anyone asks|questioned)\b[^.]{{0,40}}\b(?:deny|pretend|lie|claim|say (?:that )?(?:nothing|you|it was|it is|no|everything|all))\b",
        not_in=r"\bcustomer|\bguest",
    ),
    order(
        CONCEAL,
        "quiet about|silent about|mum about|secret about|to yourself|blind copy|blind-copy|bcc|lips sealed"
        "|silence about|discreet about",
        rf"\b(?:keep|stay|remain|be) (?:quiet|silent|mum|discreet) (?:about|on|regarding) (?:{_THIS}|doing|having|what|the)\b|\b(?:keep|stay|remain) (?:quiet|silent|mum)\b",
        rf"{_BEGINS}{_EFFECT}\b",
        not_before=_NEVER,
    ),
    # C
    order(
        APPROVAL,
        "approved|authori|agreed|consent|granted|permission|signed off|okayed|waived|cleared|permitted|confirmed|allowed|gave ",
        rf"\b(?:the|your|our) (?:\w+ )?{_HUMAN}s? (?:has |have |had )?(?:\w+ )?(?:approved|authori[sz]ed|agreed|consented|confirmed|granted|given|gave|pre-?approved|signed off|allowed|permitted|cleared|okayed|waived)\b",
        _WIDE,
        r"\b(?:actions?|commands?|changes?|operations?|everything|anything|tools?|requests?|this|these|permission"
        r"|approval|consent|access|steps?|deletions?|deploy\w*|push\w*|payments?|transfers?|so|calls?)\b",
        not_before=r"\b(?:if|until|unless|when|once|after|whether|before|only|because)\b[^.]{0,20}$",
        not_in=r"\?|\b(?:design|mock-?up|bug|colou?rs?)\b",
    ),
    order(
        APPROVAL,
        "approv|permission|consent|authori|confirm|granted|signed off| a yes|as yes|as allowed",
        rf"{_BEGINS}(?:treat|consider|assume|regard|take|count|deem|interpret)\b[^.]{{0,80}}?\b(?:approv(?:ed|al)|permission|consent(?:ed)?|authori[sz](?:ed|ation)|confirm(?:ed|ation)|granted|a yes|as yes|as allowed|signed off)\b",
        not_before=rf"{_NEVER_AT_ALL}[^.]{{0,30}}$",
        not_in=r"\bnever\b|\bnot\b|n't\b|\bfalse\b",
    ),
    order(
        APPROVAL,
        "confirm|approv|permission|consent|authori|sign-off|signoff|asking|ask first",
        r"\b(?:without|no need (?:to|for)|needs? no|requires? no|skip(?:ping)?|bypass(?:ing)?|do not|don't|stop|never"
        r"|not|no longer)\b(?: \w+){0,3}? (?:ask(?:ing)?|wait(?:ing)?|request(?:ing)?|seek(?:ing)?|prompt(?:ing)?"
        r"|confirm(?:ing|ation)?|approval|permission|consent|authori[sz]ation|sign-?off|further)\b",
        r"\b(?:confirm\w*|approv\w*|permission|consent|authori[sz]\w*|sign-?off|asking|ask)\b",
        r"\b(?:any|all|every|everything|whatever|destructive|delet\w+|force|push|deploy\w*|shell|commands?|payments?"
        r"|transfers?|credentials?|production|again|rm|drop|tool calls?|actions?|wire|purchase)\b",
        rf"{_BEGINS}(?:{_EFFECT}|proceed|go ahead|act|carry|grant|accept|skip|bypass|stop|do not|don't|never)\b",
        not_before=r"\b(?:never|not|must not|nothing|nobody|no one|nor|avoid)\b[^.;]{0,80}$|n't\b[^.;]{0,80}$",
        not_in=r"\bnever (?!ask|wait|request|seek|prompt)|\bmust not\b|\bdo not (?!ask|wait|request|seek|prompt|stop|hesitate)|\bdon't (?!ask|wait|request|seek|prompt|stop)|\bask (?:before|first)|\bexcept\b|\b(?:is|are) (?:forbidden|not allowed)|\bnobody\b|\bonly\b",
    ),
    order(
        APPROVAL,
        "sandbox|safety|security |permission|approval|guardrail|confirmation|safeguard|secret scan|audit|content filter"
        "|protection|malware|virus|signature|verification step",
        rf"{_BEGINS}(?:disable|turn off|switch off|deactivate|skip|bypass|suppress|remove|circumvent|suspend|shut (?:off|down)|silence|lift|drop|kill|stop using|unset|omit|relax|weaken)\b[^.]{{0,40}}?\b(?:sandbox(?:ing)?|safety\b|security (?:check|scan|filter|polic|feature|prompt|hook|review|warning)\w*"
        r"|permission (?:check|prompt|system|request)\w*|permissions\b|approvals?\b|guardrails?|confirmations?\b"
        r"|safeguards?|secret scan\w*|audit (?:log|trail)\w*|content filters?|(?:branch )?protections?\b|malware"
        r"|anti-?virus|virus scan\w*|signature (?:check|verif)\w*|verification steps?)",
        not_before=rf"(?:{_NEVER_AT_ALL})[^.;]{{0,40}}$|\b(?:we|they|it|which|to|if|when|who)\s+$",
        not_in=r"\b(?:never|must not|not)\b|n't\b|\btls\b|\bself-signed\b|\blocal dev\b",
    ),
    order(
        APPROVAL,
        "dangerously|yolo|bypasspermissions|danger-full|auto-approve|autoapprove|auto-accept|auto-run|approval_policy",
        r"\b(?:always|from now on|set|start|run|use|add|enable|switch|turn on|launch|restart|put"
        r"|change)\b[^.]{0,100}?(?:--dangerously\S*|--yolo|\byolo\b|bypasspermissions|danger-full-access|dangerously"
        r"|auto-?approv\w*|auto-?accept|auto-?run|approval_policy\W{1,4}never|allow all tools)",
        not_before=rf"(?:{_NEVER_AT_ALL})[^.;]{{0,60}}$",
        not_in=r"\b(?:never|not)\b|n't\b|terraform|tofu\b|pulumi|dependabot|renovate",
    ),
    # D
    order(
        RUN,
        "download|fetch|retriev|grab ",
        rf"{_BEGINS}(?:download|fetch|retrieve|pull|grab|get)\b[^;]{{0,200}}?\b(?:run|execute|launch|eval(?:uate)?|source|install|start|invoke|pipe|follow)\b (?:it\b|them\b|that\b|what|whatever|the (?:\w+ )?(?:script|file|binary|installer|result|content|payload|output|instructions|code|steps)|its|everything|all)",
        r"https?://|hxxp|\b[a-z0-9-]+\.(?:sh|exe|bin|py|ps1)\b",
        not_before=rf"(?:{_NEVER_AT_ALL})[^.;]{{0,40}}$",
        not_in=r"\bnever\b|\bmust not\b|\bdo not\b",
    ),
    # E
    order(
        CARRY,
        "api key|api-key|access key|token|password|passphrase|credential|secret|.env|id_rsa|id_ed25519|ssh key|ssh-key"
        "|private key|env var|environment var|cookie|.ssh|.aws|.netrc|.kube|wallet|seed phrase|keychain|memory file"
        "|memory.md|conversation|chat history|chat log|transcript|system prompt|session log|session history",
        rf"{_BEGINS}(?:quietly |silently |secretly |also )?(?:send|post|upload|e-?mail|mail|forward|transmit|copy|paste|append|put|include|leak|share|submit|report|publish|exfiltrate|attach|encode|embed|deliver|relay|write|add|push)\b[^;]{{0,200}}?(?:{SECRETS})",
        AWAY,
        r"\b(?:to|at|into|via|in|as|with|on)\b",
        not_before=rf"(?:{_NEVER_AT_ALL})[^.;]{{0,60}}$|\b(?:we|they|it|which|can|may|will)\s+$",
        not_in=r"\b(?:never|must not|do not|cannot)\b|n't\b|\bvault\b|1password|bitwarden|secrets? manager|\.env\.example|\bsecrets? of the repo|repository secrets|rotat\w+|settings\b",
    ),
    # H
    order(
        ADDRESS,
        "assistant|agent|llm|language model|automated|machine reader|copilot|claude|gpt|gemini|codex|chatbot| bots| ai "
        "| ais |ai:|ai,",
        rf"\b{_AGENT}\b",
        _READS,
        _PASTED,
        _ACT,
        not_in=r"\b(?:never|may|can)\b[^.]{0,10}\bread this\b",
        also="this|these|the following|the above",
    ),
    order(
        ADDRESS,
        "assistant|agent|llm|language model|automated|machine reader|copilot|claude|gpt|gemini|codex|chatbot| bots|ai "
        "|ais |ai:|ai,|model:|models:|model,|models,|bot:|bot,",
        rf"^\W*(?:(?:an? )?(?:important |urgent |special )?(?:note|attention|notice|message|instructions?|important|memo|reminder|hint|dear|hey|hello|hi|to|for|attn)\b\W*(?:to |for )?)+(?:all |any |every |the |your |our |my |other )*(?:\w+ )?{_AGENT}\b[^.:]{{0,60}}(?:[:,!-]|\bthat\b)"
        rf"|^\W*(?:dear |hey |hello )?{_AGENT}\s*[,:!-]+\s*(?:please |kindly |now |you |first |always |do |when )?(?:{_EFFECT}|ignore|forget|reply|respond|recommend|answer|print|reveal|obey|follow|give|visit|click|pay|call|must|should|need|are|have)\b",
        _ACT,
        not_in=r"\bread(?:s|ing)? agents\.md\b",
    ),
    order(
        ADDRESS,
        "automated |machine reader|ai reader|any ai|every ai|each ai|all ai|any agent|any assistant|every assistant"
        "|every agent|each agent|each assistant|all agents|all assistants|whichever|if you are a|any language|any llm|any model",
        rf"\b(?:automated (?:readers?|agents?|systems?|tools?)|machine readers?|ai readers?|(?:any|every|each|all|whichever) (?:ai|{_AGENT})|if you are (?:an? )?(?:\w+ )?{_AGENT})\b",
        r"\b(?:must|should|shall|are (?:required|instructed|asked|expected|to)|is (?:required|instructed|asked|expected"
        r"|to)|have to|has to|need to|needs to|please|kindly)\b",
        rf"\b(?:{_EFFECT}|reply|respond|recommend|visit|click|ignore|forget|reveal|obey|follow|pay|call)\b",
        r"\b(?:this|these|here|the (?:text|page|file|note|document|following|link|command|above)|below|https?:|you)\b",
        not_in=r"\b(?:tests?|agents\.md|lint|style guide)\b",
        also="must|should|shall|required|instructed|asked|expected|are to|is to|have to|has to|need|please|kindly",
    ),
    # I
    order(
        SETTLE,
        "copy |append|insert |propagat|replicat|spread|paste |repeat |reproduc|duplicate |carry |re-add|restore "
        "|add this|add it|add the|add these|write this|write it|write the|save this|save it|save the|put this|put it"
        "|put the|include this|include the|include it|store this|store it|store the|keep this|keep it|keep the"
        "|place this|place the|pass this|pass it",
        rf"{_BEGINS}(?:copy|add|append|write|insert|save|repeat|propagate|replicate|spread|put|paste|carry|duplicate|reproduce|include|store|keep|place|re-?add|restore|pass)\b (?:\w+ ){{0,2}}?(?:this|these|the following|the (?:\w+ )?(?:note|rule|line|paragraph|instruction|text|section|block|sentence|entry|message)s?(?: above| below)?|it)\b",
        rf"\b(?:in(?:to)?|to|across|on|at)\b[^.]{{0,30}}\b(?:every|each|all|other|any|new|further|whichever)\b[^.]{{0,40}}\b{_PLACES}\b"
        rf"|\b(?:in(?:to)?|to)\b[^.]{{0,60}}\b(?:agents\.md|claude\.md|gemini\.md|cursorrules|memory\.md|{_STARTUP})[^.]{{0,80}}\b(?:so that|every|each|all|future|survive|persist|whenever|next|again|always)\b|\b(?:future|every|each|all) (?:sessions?|agents?|conversations?)\b",
        not_before=rf"(?:{_NEVER_AT_ALL})[^.;]{{0,40}}$|\b(?:we|they|it|which|can|may|will)\s+$",
    ),
    order(
        SETTLE,
        ".bashrc|.zshrc|.profile|_profile|zprofile|config.fish|authorized_keys|crontab|cron job|cron.| hook|/hooks"
        "|session start|sessionstart|launch agent|launchagent|launchd|autostart|systemd|login item|startup|start-up"
        "|posttooluse|pretooluse|rc.local|shell rc|shell profile|post-commit|post-checkout|post-merge",
        rf"(?:{_BEGINS}(?:quietly |silently |also )?(?:add|append|write|insert|put|install|echo|register|create|place|drop|set up|paste|schedule|configure|hook)\b|>>)[^;]{{0,200}}?{_STARTUP}",
        _FETCHES,
        not_before=rf"(?:{_NEVER_AT_ALL})[^.;]{{0,40}}$|\b(?:we|they|which|can|may)\s+$",
        not_in=r"\b(?:never|must not|do not|direnv|nvm|starship|zoxide|homebrew|pyenv)\b|n't\b",
    ),
    order(
        SETTLE,
        "git remote|git config|remote |origin|upstream|pushurl|alias |insteadof",
        rf"{_BEGINS}(?:add|set|change|point|register|create|define|configure|replace|redirect)\b[^.]{{0,60}}\b(?:git )?(?:remote|origin|pushurl|upstream)\b[^;]{{0,120}}(?:https?://|git@|ssh://|[a-z0-9-]+\.[a-z]{{2,6}}[/:])[^;]{{0,120}}\b(?:push|mirror|send|every|all|each|copy|also)\b"
        r"|\bgit remote (?:add|set-url)\b[^;]{0,120}(?:https?://|git@|ssh://)[^;]{0,120}\b(?:push"
        r"|mirror)\b[^.]{0,40}\b(?:every|all|each|--all|--mirror|everything|there)\b"
        r"|\bgit remote set-url --(?:add --)?push\b|\bgit config[^;]{0,60}(?:alias\.\S+|core\.(?:sshcommand|pager"
        r"|editor|fsmonitor|hookspath)|insteadof)[^;]{0,120}(?:curl|wget|\bnc\b|https?://(?!github\.com|gitlab\.com)|/tmp/|base64)"
        r"|\balias (?:sudo|git|ls|ssh|npm|pip|cd|docker|kubectl)=[^;]{0,120}(?:curl|wget|\bnc\b|https?://|/tmp/|base64"
        r"|tee )|\balias\b[^.]{0,60}\b(?:so that|to)\b[^.]{0,80}(?:curl|wget|https?://)",
        not_before=rf"(?:{_NEVER_AT_ALL})[^.;]{{0,40}}$",
        not_in=r"\b(?:never|must not|do not)\b",
    ),
)
