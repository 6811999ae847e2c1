"""Orders in English about what an agent is told: overrides, and what its user is not to know."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import (
    BEGINS,
    DATA,
    DESCRIBED,
    EFFECT,
    GIVER,
    HARD_ORDERS,
    HUMAN,
    NEVER,
    ORDERS_WORDS,
    OTHERS,
    QUIETLY,
    SAYS,
    STRONG,
    THIS,
    TOLD_ABOUT,
    WEAK,
)
from zsmem_tui.core.checks.poison_rule import CONCEAL, OVERRIDE, Order, order

ORDERS: Final[tuple[Order, ...]] = (
    # A
    order(
        OVERRIDE,
        "ignore|disregard|forget|overrid|overrul|obey|t follow|p following|longer follow| aside|attention|dismiss|heed"
        "|abid|comply|bypass",
        rf"{STRONG}(?! (?:\w+ ){{0,2}}(?:{DATA}))(?:[ ,:]+[\w'/-]+){{0,4}}?[ ,:]+(?:instructions?|directives?"
        rf"|guidelines?|guidance|restrictions|orders|wishes|safety rules|prompt)\b",
        rf"\b(?:(?:the|your) {HUMAN}(?:'s)? (?:\w+ ){{0,2}}?(?:gave|give|has given|had given|told|set|said|wrote"
        rf"|left|issued|stated|provided)|(?:given|told|received|written|issued|set|provided|stated|listed) (?:to you "
        rf"|you )?(?:earlier|before|previously|above|so far|by the|in the system)|you (?:were|have been"
        rf"|had been) (?:given|told)|(?:came|come|stand|stood|appear|are|were) (?:before|above|earlier))",
        not_before=rf"{NEVER}|{TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "ignore|disregard|forget|overrid|overrul|obey|defy|bypass| aside|t follow|p following|longer follow|heed|abid"
        "|comply|unlearn|dismiss|no mind to|no regard to|no notice of|listening to|t listen|throw ",
        rf"{STRONG}(?! (?:\w+ ){{0,2}}(?:{DATA})\b)(?:[ ,:]+[\w'/-]+){{0,5}}?[ ,:]+{GIVER}(?:[ ,:]+[\w'/-]+"
        rf"){{0,4}}?[ ,:]+{ORDERS_WORDS}\b",
        not_before=rf"{NEVER}|{TOLD_ABOUT}",
        not_in=r"\b(?:old|existing|other|current|original|past|former) (?:lint|style|css|eslint|firewall|routing"
        r"|format\w*|cache|build|csp|webpack|cursor|grammar|prettier|sort|validation|business)\w* ",
    ),
    order(
        OVERRIDE,
        "ignore|disregard|forget|overrid|overrul|obey|t follow|p following| aside|attention|dismiss",
        rf"{STRONG} (?:all |any |every |each |whatever |the )?(?:of )?(?:the |your |these |those "
        rf"|such )?(?:\w+ )?(?:instructions|directives|guidelines|guardrails|orders|restrictions)"
        r"(?: (?:given|you (?:were|have been|got|received|had)|above|before|that came|so far|from (?:the|your)"
        r"|of (?:the|your) (?:user|human|operator|owner)|in (?:the|your) system|until now)\b)",
        not_before=rf"{NEVER}|{TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "ignore|disregard|forget|overrid|overrul|obey|t follow|p following| aside|attention|dismiss",
        rf"{STRONG} (?:all|any|every)(?: of)?(?: the| your| these| those)? (?:instructions|directives|guidelines"
        rf"|guardrails|orders|safety \w+)\b",
        not_before=rf"{NEVER}|{TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "instructions|directives|guidelines|guardrails|safeguards|safety |system prompt|system rules|wishes| orders",
        rf"{WEAK}(?:[ ,]+[\w'/-]+){{0,4}}?[ ,]+(?:previous|prior|earlier|above|preceding|users?'?s?|system"
        rf"|operator'?s?|owner'?s?|your|safety)(?:[ ,]+[\w'/-]+){{0,2}}?[ ,]+{HARD_ORDERS}\b",
        not_before=rf"{NEVER}|{DESCRIBED}|{TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "instruction|directive|guidelines|restrictions|system prompt|guardrails| orders|rules no longer|rules are "
        "|rules do not|rules you|rules that|rules given|rules have been|rules is |rules cease",
        r"\b(?:all|any|every|whatever|previous|prior|earlier|preceding|former|your|system|safety|above|the user's"
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
        rf"{STRONG} (?:to )?(?:what|whatever|everything|anything|all)(?: else)?(?: that)? (?:(?:the|your) {HUMAN}"
        rf"|you (?:were|have been|had been|know|learned|learnt|have learned)|you've been|(?:was|is|has been|were|came"
        rf"|comes|stands|stood|appears) (?:\w+ )?(?:said|told|written|before|above|earlier|previously)"
        r"|the system|(?:said|written|told|stated) (?:above|before|earlier|previously)|(?:above|before|earlier"
        r"|previously)(?: this)?(?=\s*(?:[.,;:!)]|$|and\b)))",
        not_before=rf"{NEVER}|{TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "regardless of|even if the|even if your|even when the|no matter |contrary to|whether or not|despite the"
        "|despite your|against the user|against the owner|against the human|against your|opposite of"
        "|instead of what the|rather than what the",
        rf"\b(?:regardless of|even (?:if|when)|no matter|contrary to|whether or not|despite|instead of"
        rf"|rather than) (?:what |whether |anything |that )?(?:the|your) {HUMAN}(?:'s)? (?:\w+ )?(?:{SAYS}|wishes"
        rf"|instructions?|orders|objections?|will|requests?)\b"
        rf"|\bagainst (?:the|your) {HUMAN}'s (?:\w+ )?(?:wish(?:es)?|will|instructions?|orders|objections?"
        rf"|preferences?)\b|\bdo the opposite of (?:what )?(?:the|your) {HUMAN}",
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
        not_before=NEVER,
    ),
    order(
        OVERRIDE,
        "agents.md|claude.md|gemini.md|system prompt|system message|developer message|project rules",
        rf"{STRONG}(?! (?:\w+ ){{0,2}}(?:{DATA})\b)(?:[ ,:]+[\w'/-]+){{0,4}}?[ ,:]+(?:rules|instructions?|guidelines|conventions"
        r"|polic(?:y|ies)|orders|restrictions|content|everything|what) (?:in|of|from|inside|that stands? in|is in) (?:the "
        r"|your |any )?[`*\"']?"
        r"(?:agents\.md|claude\.md|gemini\.md|system prompt|system message|developer message|project rules)",
        not_before=rf"{NEVER}|{TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "supersede|override|overrule|replace|take precedence|takes precedence|outrank|cancel",
        rf"\b(?:new|these|the following|this|my|the new) (?:\w+ )?{ORDERS_WORDS}\b(?: \w+){{0,2}}? (?:supersedes?|overrides?"
        rf"|overrules?"
        r"|replaces?|takes? precedence over|outranks?|cancels?)\b",
        rf"\b(?:given|set|issued|written|stated|laid down) by (?:the |your )?(?:system|{HUMAN})|\b(?:system"
        rf"|{HUMAN})'?s? (?:prompt|message|instructions?"
        r"|rules|orders|wishes)\b|\b(?:previous|prior|earlier|original|preceding) (?:instructions|orders|directives|prompt)",
        not_in=r"\b(?:lint|style|css|firewall|eslint|routing|tax|parking|printing|assembly|washing|cooking)\b",
    ),
    order(
        OVERRIDE,
        "only the|only this|only these|nothing but|solely|exclusively|only what|follow only|obey only",
        r"\b(?:follow|obey|apply|heed|execute|respect)\b (?:only|solely|exclusively|nothing but) (?:the |these "
        r"|this )?(?:\w+ )?(?:rules?|instructions?"
        r"|orders|commands|directives?|note|file|message|what)\b[^.;]{0,30}?\b(?:this|here|below|following|note|file|message"
        r"|document|page|says)\b"
        r"|\bonly (?:the |these )(?:\w+ )?(?:rules|instructions|orders|directives) (?:in|of|from|below|given) ?(?:in "
        r"|by )?(?:this|the following|here"
        r"|below)?[^.;]{0,30}?\b(?:apply|count|matter|hold|are valid|are binding|are in force|bind)",
        not_before=rf"{NEVER}|{TOLD_ABOUT}|{DESCRIBED}",
    ),
    order(
        OVERRIDE,
        " wrote| said| told| gave| asked| ordered| set up| instructed| decided",
        rf"\b(?:everything|anything|all|whatever|what) (?:that )?(?:the |your |any )?(?:\w+ )?(?:{HUMAN}|you (?:were"
        rf"|have been)|system)\b[^.;]{{0,40}}?"
        r"\b(?:wrote|written|said|told|gave|given|asked|ordered|set up|instructed|decided|wants?|wanted)\b[^.;]{0,40}?"
        r"\b(?:is|are|counts?|has become|shall be|no longer) (?:now |hereby )?(?:void|invalid|irrelevant|cancell?ed|obsolete"
        r"|nothing|null|revoked|wrong"
        r"|not (?:valid|binding|to be)|no longer|applies|binding|holds)",
        not_in=r"\?",
    ),
    order(
        OVERRIDE,
        "system prompt|system message|as your instructions|as the instructions|as your orders|as instructions from",
        r"\b(?:treat|use|regard|consider|take|accept|read|adopt)\b[^.;]{0,60}\bas (?:your |the |a |an )?(?:new "
        r"|only )?(?:system prompt|system message"
        r"|instructions (?:from|of) (?:the|your)|orders (?:from|of)|instructions\b(?= and|[.,;]|$))",
        not_before=rf"{NEVER}|{DESCRIBED}|{TOLD_ABOUT}",
        not_in=r"\b(?:never|not)\b|n't\b|\bstored\b|\bfile\b.*\bis used\b",
    ),
    order(
        OVERRIDE,
        "rather than|instead of| over the| not the user|before the",
        rf"\b(?:obey|follow|serve|listen to|heed|trust|believe)\b[^.;]{{0,60}}\b(?:rather than|instead of|over|before|and not"
        rf"|not) (?:the |your )?{HUMAN}\b",
        not_before=rf"{NEVER}|{DESCRIBED}|{TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "agents.md|claude.md|gemini.md|system prompt|developer message",
        r"\b(?:disobey|defy|override|overrule|unlearn|forget|(?:do not|don't|stop|no longer) (?:follow(?:ing)?|obey(?:ing)?"
        r"|heed(?:ing)?|apply(?:ing)?"
        r"|us(?:e|ing)|abid(?:e|ing) by|comply(?:ing)? with)) (?:the |your )?[`*\"']?(?:agents\.md|claude\.md|gemini\.md"
        r"|system prompt|developer message)",
        not_before=NEVER,
    ),
    order(
        OVERRIDE,
        "concern you|bind you|apply to you|affect you|hold for you|binding for you",
        r"\b(?:restrictions?|limits?|limitations?|guardrails?|polic(?:y|ies)|rules|prohibitions?)\b[^.;]{0,40}\b(?:(?:do|does"
        r"|need|will|should) not (?:concern|bind"
        r"|apply to|affect|hold for)|(?:are|is) not binding for|no longer (?:concern|bind|apply to|affect)) you\b",
    ),
    order(
        OVERRIDE,
        "anyway|regardless|nevertheless|nonetheless|all the same|no matter",
        rf"\b(?:if|when|whenever|should|even if) (?:the|your) {HUMAN} (?:\w+ )?{SAYS}\b[^.;]{{0,40}}\b(?:carry on|continue"
        rf"|proceed|go on|go ahead|do it|keep"
        r" going|push on|finish)\b[^.;]{0,20}\b(?:anyway|regardless|nevertheless|nonetheless|all the same)",
        not_before=NEVER,
    ),
    order(
        OVERRIDE,
        "longer take orders|not take orders|longer answer to|longer work for|longer serve",
        rf"\byou (?:no longer|do not|need not|must not) (?:take orders from|answer to|work for|serve) (?:the |your |any )?{HUMAN}",
    ),
    # B
    order(
        CONCEAL,
        "noticing|knowing|finding out|realising|realizing|being told|being informed|becoming aware",
        rf"\bwithout (?:the|your|any) {HUMAN}s? (?:ever )?(?:noticing|knowing|finding out|reali[sz]ing|being (?:told|informed)"
        r"|becoming aware)",
        rf"{BEGINS}{EFFECT}\b",
        not_before=rf"{NEVER}|\b(?:never|must not|not)\b[^.;]{{0,60}}$",
    ),
    order(
        CONCEAL,
        "asks|asked|wonders|wants to know",
        rf"\bif (?:(?:the|your) {HUMAN}|anyone|anybody|someone|somebody|they) (?:\w+ )?(?:asks?|wonders?"
        rf"|wants? to know)\b[^.;]{{0,60}}?\b(?:deny|pretend|lie"
        r"|claim (?:that )?(?:it|you|not|nothing|there|they)|say (?:that )?(?:nothing|you (?:did|know|have)|it (?:never"
        r"|was never|was always)"
        r"|there (?:is|was) no))\b",
    ),
    order(
        CONCEAL,
        "reveal|disclose|admit|confess|say to|mention to|report to|let slip",
        rf"\b(?:do not|don't|dont|never|must not) (?:ever )?(?:reveal|disclose|admit|confess|say|mention|report"
        rf"|let slip) (?:it |this )?to"
        rf" (?:the|your) {HUMAN}s? (?:that|how|what)\b[^.;]{{0,60}}\b(?:was|were|has been|have been|you|had been|got)\b",
    ),
    order(
        CONCEAL,
        "tell nobody|tell no one|inform nobody|inform no one|notify no one|notify nobody|nobody is told|no one is told",
        rf"{BEGINS}(?:tell|inform|notify) (?:nobody|no one)\b(?=\s*(?:[.,;:!)]|$|about (?:it|this|that)|of (?:it|this|that)))",
        rf"{BEGINS}{EFFECT}\b",
        not_in=r"\b(?:party|present|gift|surprise|price|salary)\b",
    ),
    order(
        CONCEAL,
        " telling|tell the|tell your|tell any|tell him|tell them|tell her|inform the|inform your|inform any|informing"
        "|notify|notifying|alerting|alert the|warn the|warning the|let the |let your |let them |letting |asking|ask the"
        "|ask your|ask them|ask any|bother|consult|disturb|tip off|check with|check back|brief the|remind the",
        rf"\b(?:do not|don't|dont|never|without|no need to|need not|nor|rather than|avoid|must not|should not"
        rf"|shouldn't|refrain from|instead of|not) (?:ever |even |first |you |bother(?:ing)? (?:to )?|\w+ly )?"
        rf"(?:tell|inform|notif(?:y)?|alert|let|warn|ask|bother|consult|disturb|involv|mak|tip off|remind|brief|updat"
        rf"|check with|check back with)(?:e|ing|ying)? {OTHERS}"
        rf"(?=\s*(?:[.,;:!)\"'*_]|$|and\b|or\b|about (?:this|it|that|these|any|what|the)\b|of (?:this|that|it|what"
        rf"|any)\b|that (?:you|this|it|these|anything)\b|know\b|(?:see|notice|discover|find|learn)(?: out)?"
        r" (?:this|it|that|of|about|what|the (?:diff|change|log|commit|upload|edit|trace|real|transfer|copy)\w*)"
        rf"|what (?:you|was)|anything|before\b|first\b|why\b"
        rf"|when you\b|aware\b|either\b|what has\b|any of\b|until\b|of the (?:change|upload|transfer|copy)))",
        not_before=r"\b(?:never|not|must not|no \w+)\b[^.;]{0,60}(?<!, and )$|n't\b[^.;]{0,60}(?<!, and )$|\b(?:we|they|it|"
        r"app|tests?|which"
        r"|form|api)\b[^,;]{0,12}$",
        not_in=r"\b(?:stack traces?|raw|sql|toast|password is wrong|frontend|ui|dialog|banner|twice|tooltip|login failed)\b",
    ),
    order(
        CONCEAL,
        "mention|reveal|disclos|acknowledg|announc|confess|t report|r report|reporting|expos|t show|r show|t flag"
        "|refer to |speak of|t describe|t explain|t display|t output|talk about|t admit|t discuss",
        rf"\b(?:do not|don't|dont|never|without|no need to|nor|rather than|avoid|must not|should not|refrain from"
        rf"|not) (?:ever |even |\w+ly )?(?:mention|report|reveal|disclos|acknowledg|announc|admit|confess|show|expos"
        rf"|flag|refer to|speak of|talk about|discuss|display|output|describ|explain)(?:e|ing)? "
        rf"(?:{THIS}|any of (?:this|it)|anything|having|what you|doing so|that you)\b(?! (?:outside|in (?:public"
        rf"|commit|issues?|docs|the (?:docs|commit|changelog|blog))|to (?:customers|clients|the press|third"
        rf"|competitors|suppliers|partners|external|guests|kids)))",
        rf"\b(?:to|from|in|with) (?:the|your|any) (?:\w+ )?(?:{HUMAN}|summary|reply|answer|response|output|final"
        rf"|report)s?\b|{BEGINS}{EFFECT}\b",
        not_before=r"\b(?:we|they|it|app|which)\s*$",
    ),
    order(
        CONCEAL,
        "quietly|silently|secretly|covertly|discreetly|stealthily|surreptit|unnoticed|in secret|in silence|the sly"
        "|the quiet|under the radar|behind the|behind their|behind his|behind her|without a |without leaving"
        "|without comment|without saying|without drawing|without any|without being",
        rf"{BEGINS}(?:{QUIETLY} {EFFECT}\b[^.]{{3,}}|{EFFECT}\b[^.;:]{{3,120}}?\b{QUIETLY}(?!\w))",
        not_before=r"\b(?:never|not|must not|avoid|we|they|it|which|jobs?|scripts?|cron|that|will|would|may|might|can"
        r"|could|does|did|errors?|tools?|hooks?|builds?|server|client|app)\b[^.;:]{0,30}$|n't\b[^.;]{0,40}$|\bto\s*$",
        not_after=r"\bto (?:silently|quietly)\b|\b(?:tests|pytest|make|pip|apt|npm) \w*(?:quietly|silently)"
        r"|\bquietly \(-q|\bsecretly? (?:manager|store|key)\b",
        not_in=r"\b(?:never|must not|should not|cannot)\b|^\W*(?:the|a|an|our|some|old|if|when|errors?|builds?|jobs?) ",
    ),
    order(
        CONCEAL,
        "from the user|from the human|from the person|from the owner|from the operator|from your|between us|to yourself|out of your"
        "|out of the |from the maint|from the dev|from the review|from any|from all",
        rf"\b(?:keep|hide|conceal|withhold|mask|cover up)\b (?:{THIS}|all of this|any trace|everything|what you|your"
        rf"|the fact)\b[^.]{{0,40}}?\b(?:from|secret from|hidden from|between us|to yourself)\b(?: (?:the|your|any"
        rf"|all) (?:\w+ )?(?:{HUMAN}|human|reviewer|people)s?)?"
        rf"|\b(?:leave|omit|exclude|strip|keep|drop)\b (?:{THIS}|any mention|all mention|every mention"
        rf"|everything)\b[^.]{{0,40}}?\b(?:out of|from) (?:your|the (?:final )?(?:summary|reply|answer|response"
        rf"|transcript|conversation|chat))\b",
        r"\b(?:from (?:the|your|any|all)|between us|to yourself|out of|from your)\b",
        not_before=r"\b(?:never|not|must not|we|they|to)\s+(?:\w+\s+)?$|n't\s+$",
    ),
    order(
        CONCEAL,
        "not know|n't know|never know|need to know|needs to know|has to know|have to know|must know|find out|be told"
        "|be informed|made aware|be notified|suspect|not notice|n't notice|never notice|not see|n't see|never see"
        "|not hear|not learn|never learn|say nothing|as if nothing|as though nothing|pretend|if asked|are asked"
        "|'re asked|user asks|anyone asks|human asks|owner asks|questioned|become aware",
        rf"\b(?:the|your) {HUMAN} (?:must|should|need|may|does|do|will|is|shall|can|has)(?: not|n't"
        rf"| never)(?: to)? (?:ever )?(?:need to |have to )?(?:know|learn|be (?:told|informed|made aware|notified"
        rf"|asked)|find out|become aware|hear|suspect|notice (?:this|it|any|that)|see (?:this|it|any)|to know)\b"
        r"|\bno ?(?:one|body) (?:needs|has|must|should) (?:to )?(?:ever )?(?:know|notice|find out)"
        r"|\bsay nothing (?:about|to|of)|\bas (?:if|though) nothing (?:had )?(?:happened|changed)"
        r"|\bpretend (?:that )?(?:nothing|this (?:never|was|did)|it (?:never|was)|you (?:did|never|have not|found))"
        rf"|\bif (?:(?:the|your) {HUMAN} asks|(?:you are |you're )?asked|anyone asks"
        rf"|questioned)\b[^.]{{0,40}}\b(?:deny|pretend|lie|claim|say (?:that )?(?:nothing|you|it was|it is|no|everything|all))\b",
        not_in=r"\bcustomer|\bguest",
    ),
    order(
        CONCEAL,
        "quiet about|silent about|mum about|secret about|to yourself|blind copy|blind-copy|bcc|lips sealed"
        "|silence about|discreet about",
        rf"\b(?:keep|stay|remain|be) (?:quiet|silent|mum|discreet) (?:about|on|regarding) (?:{THIS}|doing|having"
        rf"|what|the)\b|\b(?:keep|stay|remain) (?:quiet|silent|mum)\b",
        rf"{BEGINS}{EFFECT}\b",
        not_before=NEVER,
    ),
)
