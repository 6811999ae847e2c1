"""Orders in English told by what they come to: who is not to know."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import HUMAN, NEVER
from zsmem_tui.core.checks.poison_rule import CONCEAL, Order, order
from zsmem_tui.core.checks.poison_senses import FORBIDDEN, ordered

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

_DO: Final = "make do run perform apply send push change add delete remove install execute copy carry_out upload commit merge"

_HIDE: Final = "hide conceal withhold keep mask shield obscure cloak bury camouflage disguise keep_back shroud"

ORDERS: Final[tuple[Order, ...]] = (
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
    order(
        CONCEAL,
        "your recap|your summary|your answer|your report|your reply|your response|your hand-over|your handover|your commit message"
        "|your write-up|your description|your log|your status",
        rf"(?:{ordered('omit leave_out leave skip suppress drop exclude withhold hide conceal keep_out')}|\b(?:do not|don't"
        rf"|never) (?:\w+ )?(?:mention|say|write|admit|disclose|reveal|report|state|note)\b)",
        r"\bthat (?:the|a|an|it|you|this|there|another|some|new|\w+s)\b[^.;]{0,40}\b(?:was|were|has|have|had|is|are|went|goes|left"
        r"|leaves)\b",
        not_before=NEVER,
        not_in=r"\b(?:customers?|prices?|generated with|co-authored|apolog\w+)\b",
    ),
    order(
        CONCEAL,
        "log entry|log entries|log line|history|record|trace|entry for|entries for|audit",
        rf"\b(?:log (?:entr(?:y|ies)|lines?)|(?:shell |command |bash |browser )?history|records?|traces?|entr(?:y|ies)"
        rf"|audit (?:log|trail))\b[^.;]{{0,24}}\b(?:of|for|about|from|with|to)\b[^.;]{{0,8}}\b(?:this|that|these|the last|your)\b"
        rf"[^.;]{{0,30}}{ordered('remove delete erase wipe purge clear scrub drop strip')}"
        rf"|{ordered('remove delete erase wipe purge clear scrub drop strip')}[^.;]{{0,24}}\b(?:this|that|these|your|the last"
        rf"|its) (?:\w+ )?(?:commands?|steps?|calls?|actions?|uploads?|sessions?|traces?|tracks|changes?)\b[^.;]{{0,16}}"
        rf"\bfrom (?:the |your )?(?:\w+ )?(?:logs?|history|records?|audit|journal|transcript)",
        not_before=FORBIDDEN,
        not_in=r"\b(?:older than|days|tests?|test run|table|database|customers?|gdpr|personal)\b",
    ),
    order(
        CONCEAL,
        "need not be|needn't be|not be bothered|not be troubled|not be told|not be informed|does not see|do not see|doesn't see"
        "|never sees|not notice|not hear of",
        rf"(?:\b(?:{HUMAN}s?|person you work for|people you work for)\b[^.;,]{{0,12}}\b(?:need not|needn't|should not|must not"
        rf"|are not to|is not to) be {_TOLD}\b[^.;]{{0,12}}\b(?:with|about|of|that)\b[^.;]{{0,30}}\b(?:fact|that|this|leav\w+|sent"
        rf"|upload\w*"
        rf"|cop(?:y|ies|ied)|data|change\w*|second|other|new)\b|\bthe (?:person|people|one) you (?:work for|serve|assist|answer to"
        rf"|talk to)\b[^.;]{{0,16}}\b(?:not|never|n't)\b[^.;]{{0,8}}\b(?:see|know|notice|hear|learn|find|suspect)\b)",
        not_in=r"\b(?:lint\w*|format\w*|draft|newsletters?|password|downtime|logged)\b",
    ),
)
