"""Orders in English told by what they come to: what harms is done blindly, each time, or whatever the person does about it."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import HUMAN, NEVER, TOLD_ABOUT
from zsmem_tui.core.checks.poison_rule import APPROVAL, CARRY, OVERRIDE, RUN, SETTLE, Order, order
from zsmem_tui.core.checks.poison_sense_lies import PERSON, SELF
from zsmem_tui.core.checks.poison_senses import DOMAIN, FORBIDDEN, NOT_YOU, PRIVATE, PUBLIC_IP, ordered

_BLINDLY: Final = (
    r"(?:\bwithout (?:a |any |further |even )*(?:look\w*|glanc\w+|read\w*|review\w*|check\w*|inspect\w*|question\w*|examin\w*"
    r"|verif\w*"
    r"|thought|thinking|asking)\b|\b(?:unread|unseen|unchecked|unverified|blindly)\b|\b(?:no matter|whatever) (?:what )?(?:it"
    r"|they|is)"
    r" (?:\w+ )?(?:says?|does|do|contains?|holds?|in (?:it|them)))"
)
_SPOKEN: Final = r"(?:repl(?:y|ies)|answers?|responses?|summar(?:y|ies)|suggestions?|reviews?|commit messages?|explanations?)"
_MUST: Final = r"(?:has to|have to|must|should|shall|needs? to|is to|are to|ought to)"
_OUTSIDE: Final = rf"(?:{PUBLIC_IP}|{DOMAIN})"
_SETTLED: Final = (
    r"(?:confirmed|agreed|approved|done|passed|given|granted|accepted|consented|finished|happened|succeeded|signed|said (?:yes"
    r"|ok)|says"
    r" (?:yes|ok)|is fine)"
)

ORDERS: Final[tuple[Order, ...]] = (
    order(
        RUN,
        "without|unread|unseen|unchecked|unverified|blindly|no matter|whatever",
        rf"{ordered('run execute install start launch source load import apply use build open')}\b[^;\n]{{0,60}}?https?://",
        _BLINDLY,
        also="http",
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|do not|localhost|127\.0)\b|n't\b",
    ),
    order(
        APPROVAL,
        "without|unread|unseen|unchecked|blindly|no matter|whatever",
        rf"{ordered('approve merge accept sign sign_off wave_through')}\b[^.;]{{0,24}}\b(?:pull[- ]requests?|prs?|patch(?:es)?"
        rf"|commits?"
        r"|changes|reviews?|releases?|packages?|code)\b[^.;]{0,24}\b(?:of|by|from)\b",
        _BLINDLY,
        also="approv|merg|accept|sign|wave",
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|do not|only|dependabot|renovate|bots?|we)\b|n't\b",
    ),
    order(
        SETTLE,
        "remove|delete|edit|change|erase|clear|clean|forget|get rid|correct|touch",
        rf"\b(?:if|should|when|whenever|in case|once)\b[^.;,]{{0,8}}\b{PERSON}\b[^.;,]{{0,12}}\b(?:wants?|tries|asks?|decides?"
        rf"|wishes|attempts?"
        r"|tells? you|orders?|goes|begins|starts|removes?|deletes?|edits?|changes?|erases?|clears?)\b[^.;,]{0,16}?(?:(?:remove"
        r"|delete|edit"
        rf"|change|erase|clear|clean|forget|get rid of|correct|touch)\w* )?{SELF}\b[^.;,]{{0,12}}, (?:please |then |simply "
        rf"|just )?(?:write|put"
        r"|restore|keep|save|copy|recreate|refuse|add|hide|move|rename|re-?add|bring|make|pretend|say|store|insert|resist"
        r"|decline)\b",
        not_before=TOLD_ABOUT,
        not_in=r"\b(?:backup|changelog|copy of the|ask|first|ticket|git)\b",
    ),
    order(
        SETTLE,
        "http|www.|shop|affiliate|sponsor|advert|promo|coupon|discount",
        rf"\b(?:every|each|all|any|your) (?:\w+ )?{_SPOKEN}(?: of yours)? (?:\w+ )?{_MUST} (?:\w+ )?(?:contain|include|carry"
        rf"|end (?:with|in)"
        r"|begin with|have|link|mention|praise|recommend|promote|advertise|point)\b[^;\n]{0,80}(?:https?://|www\."
        r"|\b(?:affiliate|sponsor\w*"
        r"|advert\w*|promo\w*|coupon|discount)\b)",
        not_before=FORBIDDEN,
        not_in=r"\b(?:api|server|endpoint|bot|docs?|ticket|jira|our|issue|never|support|localhost)\b",
    ),
    order(
        APPROVAL,
        "false alarm|false positive|noise|harmless|meaningless|nothing to worry|can be ignored|of no concern|no importance",
        r"\b(?:all|any|every|each|the)\b[^.;]{0,20}\b(?:security|vulnerabilit\w+|scanner|malware|virus|secret|audit|leak"
        r"|phishing|intrusion)"
        r" (?:\w+ )?(?:warnings?|alerts?|findings?|reports?|alarms?|errors?|messages?|notices?)\b[^.;]{0,50}\b(?:is|are"
        r"|count as)\b[^.;]{0,16}"
        r"\b(?:false (?:alarms?|positives?)|noise|harmless|meaningless|nothing to worry|of no (?:concern|importance))",
        r"\b(?:suppress|ignore|dismiss|hide|close|silence|drop|delete|skip|disregard|(?:never|do not|don't"
        r"|no need to) (?:report|mention|show"
        r"|raise|tell|fix)\w*)\b[^.;]{0,8}\b(?:them|it|these|those|all|any|every)\b",
        not_in=r"\b(?:tests?/|fixtures?|rule [a-z]+\d+|until|unless|with a reason|ticket|except)\b",
    ),
    order(
        APPROVAL,
        "pretend|act as|behave as|carry on as|proceed as|assume|suppose|imagine|take it",
        r"\b(?:pretend|(?:act|behave|carry on|proceed|go on|answer) as (?:if|though)|assume|suppose|imagine|take it)\b (?:that )?"
        rf"(?:{PERSON}|(?:the|a|an|any|every|each|all|your|code|security) (?:\w+ ){{0,3}}?(?:reviews?|approvals?|confirmations?"
        rf"|checks?|scans?"
        rf"|audits?|sign-?offs?|permissions?|consent))\b[^.;]{{0,24}}?\b{_SETTLED}\b",
        r"\b(?:whenever|when(?: a| an| the|ever)? (?:tool|prompt|dialog|command|script|program|question)|approve|merge|push"
        r"|delete|run|deploy"
        r"|publish|send|pay|install|every|any|all|each|always|proceed|go ahead|carry on|confirmation|for everything)\b",
        not_before=NEVER,
        not_in=r"\b(?:tests?|fixtures?|mocks?|simulat\w+|e-mail|address|unless|until|never|do not|form|wizard)\b|n't\b",
    ),
    order(
        CARRY,
        "holds|holding|contents|content|says|what it|what they|the value|the result|the output|the rest|the text|keep it|put it"
        "|hide it",
        r"\b(?:keep|put|carry|include|pass|send|add|place|bring|write|tuck|attach|append|hide|encode|paste|smuggle|slip|weave"
        r"|pack)\b"
        r" (?:it\b|them\b|that\b|(?:all |everything )?(?:what|that) (?:it|they|is|stands)\b|the (?:\w+ )?(?:contents?|result"
        r"|output|values?|text"
        r"|rest)\b)[^;\n]{0,40}?\b(?:in|into|with|on|onto|to|as|behind)\b (?:your|the|an?|each|every|whatever|any"
        r"|some) (?:\w+ ){0,3}?"
        r"(?:requests?|urls?|messages?|quer(?:y|ies)|images?|links?|calls?|commits?|comments?|issues?|uploads?|downloads?"
        r"|user-agent|gist"
        r"|search(?:es)?|answers?)\b",
        PRIVATE,
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|do not|cannot|authorization|bearer|headers?|vault|we|our|client"
        r"|server|redact\w*|mask\w*|gitignore)\b|n't\b",
    ),
    order(
        CARRY,
        "account|iban|wallet|bitcoin|paypal|payment",
        r"\b(?:transfer\w*|pay\w*|send\w*|wire|remit\w*|donat\w+|deposit\w*|refund\w*)\b[^.;]{0,40}\b(?:to|into"
        r"|on)\b[^.;]{0,24}\b(?:accounts?"
        r"|iban|wallets?|address)\b[^.;]{0,12}?\b(?:[a-z]{2}\d{2}(?: ?\w{4}){2,}|0x[0-9a-f]{8,}|bc1\w{8,}|\d{6,})",
        r"\b(?:whenever|when|if|every|each|all|any|always|from now on|advise|suggest|recommend|tell|instead)\b",
        not_before=FORBIDDEN,
        not_in=r"\b(?:tests?|sandbox|fixtures?|example|dummy|our|we|stripe)\b",
    ),
    order(
        OVERRIDE,
        "contradict|conflict|disagree|object|correct|against|question|doubt|protest|differ",
        rf"\b{HUMAN}(?:s|'s|s')?\b[^.;]{{0,24}}\b(?:contradict|conflict|disagree|object|correct|go against|speak against"
        rf"|are against|question"
        rf"|doubt|protest|differ)\w*\b[^.;,]{{0,12}}\b{SELF}\b|\b(?:contradict|object|disagree|protest"
        rf"|correct)\w*\b[^.;,]{{0,20}}\b{SELF}\b[^.;,]{{0,24}}"
        rf"\b{HUMAN}\b",
        r"\b(?:(?:not|never|n't) (?:give in|yield|follow|believe|listen|obey|be misled|change|stop|heed)|ignore\w*|disregard\w*"
        r"|tests?|tricks?"
        r"|traps?|stay firm|insist|refuse|resist|dismiss\w*|mistaken|wrong|go on|carry on)\b",
        not_before=TOLD_ABOUT,
        not_in=r"\b(?:ask|asks|fix|update|the (?:code|schema)|tests? (?:fail|in|for))\b|\?",
    ),
    order(
        SETTLE,
        "reverse|tunnel|backdoor|back door|bind shell|remote shell|remote access",
        rf"{ordered('open start run keep establish make create leave spawn build launch install add plant set_up connect')}"
        r"\b[^;\n]{0,24}\b(?:(?:reverse"
        r" (?:shells?|tunnels?|proxy|connections?)|bind shells?|back ?doors?|remote shells?)\b[^;\n]{0,60}?"
        rf"(?:{_OUTSIDE}|\bport \d+|\b(?:login|start|boot|each|every|whenever|code|server)\b)|tunnels?\b[^;\n]{{0,12}}\b(?:to"
        rf"|with|towards?)"
        rf" {PUBLIC_IP})",
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|do not|localhost|ngrok|nginx|caddy|traefik|staging|our|we)\b|n't\b",
    ),
)
