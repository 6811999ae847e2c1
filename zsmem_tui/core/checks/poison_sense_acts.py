"""Orders in English told by what they come to: controls off, consent made up, checks got round."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import BEGINS, NEVER
from zsmem_tui.core.checks.poison_rule import APPROVAL, Order, order
from zsmem_tui.core.checks.poison_senses import (
    AGREED,
    CONTROL,
    CONTROL_WORDS,
    CRITICAL_ACT,
    FORBIDDEN,
    NOT_THE_CONTROL,
    OFFICE,
    SWITCH_OFF,
    ordered,
    wished,
)

_UNDO_TEST: Final = "delete remove disable drop comment_out skip weaken stub_out xfail mark_as_passed"
_SET: Final = "add put set enable append start use include pass write turn_on switch_on run launch"

ORDERS: Final[tuple[Order, ...]] = (
    # C
    order(
        APPROVAL,
        CONTROL_WORDS,
        rf"(?:{ordered(SWITCH_OFF)}[^.;]{{0,50}}?{CONTROL}|{wished(CONTROL, SWITCH_OFF)}"
        rf"|{CONTROL}[^.;]{{0,60}}?{ordered(SWITCH_OFF)}"
        rf"|{CONTROL}[^.;]{{0,30}}\b(?:(?:has|have|needs?|is|are) to|must|should|ought to)\b(?: be)? (?:off|disabled|skipped|gone"
        rf"|switched off|turned off)\b(?= (?:for|while|before|during|when|whenever|at all|permanently)))",
        not_before=rf"{FORBIDDEN}|\b(?:we|they|it|which|will|users?|jobs?|admins?|who|i)\s+(?:\w+ )?$",
        not_in=NOT_THE_CONTROL,
        signs=(CONTROL,),
        also="disabl|turn|switch|deactivat|skip|bypass|remov|delet|weaken|loosen|relax|suspend|circumvent|omit|drop|overrid|ignor"
        "|lift|kill|stop"
        "|comment|circuit|stub|neutral|soften|evad|defeat|silenc|mut|paus|uninstall|take out|taken out|takes out|strip|cut |leave"
        "|left out|set to off"
        "|around|without|dispens|shut|dodg|sidestep|waiv|abolish|undermin|lower| off| out",
    ),
    order(
        APPROVAL,
        CONTROL_WORDS,
        r"\b(?:do not|don't|no need to|need not|needn't|there is no point in|stop|cease|without|refrain from|avoid"
        r"|never) (?:\w+ )?"
        r"(?:run(?:ning)?|perform\w*|start\w*|apply\w*|activat\w*|us(?:e|ing)|do(?:ing)?|wait\w* for)\b (?:the |a |any )?(?:\w+ )?"
        r"(?:(?:secrets?|security|malware|virus|vulnerability|dependency|leak|licen[cs]e|credential) (?:scann?\w*|checks?|audits?"
        r"|tests?)"
        r"|anti-?virus|signature checks?|safety checks?)",
        not_in=NOT_THE_CONTROL.replace("|never", "").replace("|docs?", "") + r"|\b(?:twice|locally|laptop|ci)\b",
    ),
    order(
        APPROVAL,
        "verify|validate|check ",
        r"(?:\b(?:do not|don't|no need to|need not|needn't|never|stop|without) (?:\w+ )?(?:verify|verifying|validate|validating"
        r"|check"
        r"|checking)\b[^.;]{0,16}\b(?:signatures?|certificates?|checksums?|fingerprints?|host keys?|authenticity|integrity|who sent"
        r"|the sender|origin)\b)",
        not_in=NOT_THE_CONTROL.replace("|never", "").replace("|docs?", "")
        + r"|\bwithout\b[^.;]*\b(?:never|not)\b|\b(?:never|not)\b"
        r"[^.;]*\bwithout\b|\btwice\b",
    ),
    order(
        APPROVAL,
        "so that any|so any|so that every|accepts any|accept any|from anywhere|to anyone|for everyone|to everybody|for anybody"
        "|by anyone|to the world",
        rf"{ordered('weaken loosen relax change edit patch open rewrite modify set make alter adjust')}[^.;]{{0,60}}"
        r"\b(?:password|login|auth\w*|access|permission|firewall|port|token|session|bucket|signature|security)s?\b[^.;]{0,40}"
        r"\b(?:so (?:that )?(?:any|every)\w*|accepts? any|(?:reachable|open|readable|accessible"
        r"|available)[^.;]{0,12}\b(?:from anywhere"
        r"|to (?:any|every)\w+|for (?:any|every)\w+|by any\w+|to the world))",
        not_before=FORBIDDEN,
        not_in=r"\b(?:never|must not|tests?|local\w*|demo)\b",
    ),
    order(
        APPROVAL,
        "failing|red test|broken test|test that fail|tests that fail|tests which fail",
        rf"(?:{ordered(_UNDO_TEST)}[^.;]{{0,24}}\b(?:(?:failing|red"
        rf"|broken) (?:\w+ )?(?:tests?|checks?|assertions?)|tests? (?:that|which) fails?)|\b(?:failing|red"
        rf"|broken) (?:\w+ )?(?:tests?"
        rf"|checks?)\b[^.;]{{0,40}}{ordered('delete remove disable drop comment_out skip stub_out')})",
        r"\b(?:rather than|instead of|so that|until (?:it|everything|the)|to (?:make|get|keep)|and (?:report|say|claim|mark|commit)"
        r"|report|say|claim|pretend)\b",
        not_before=FORBIDDEN,
    ),
    order(
        APPROVAL,
        "false positive|as resolved|as safe|as benign|as harmless|as approved|as passed|as passing|as reviewed|as trusted|as fixed"
        "|as verified|as done|as clean",
        rf"{ordered('mark flag treat classify dismiss close label record rate report tag set list')} (?:\w+ )?(?:every|all|any"
        rf"|each|whatever)"
        r"\b[^.;]{0,50}\b(?:findings?|alerts?|vulnerabilit\w+|issues?|warnings?|reports?|tests?|checks?|reviews?|requests?"
        r"|packages?"
        r"|commits?|results?|dependenc\w+|changes|links?|files)\b[^.;]{0,40}\bas (?:an? )?(?:false positives?|resolved|safe|benign"
        r"|harmless|approved|passed|passing|reviewed|trusted|fixed|verified|done|clean)\b",
        not_before=FORBIDDEN,
        not_in=r"\b(?:never|after|once|only|with a reason|when|if|fixed in)\b",
    ),
    order(
        APPROVAL,
        "passed|succeeded|success|green|no problems|no issues|all clear|went well|went fine",
        rf"{ordered('report say claim pretend announce state tell answer write declare insist confirm')}\b[^.;]{{0,30}}\b(?:(?:it"
        rf"|they"
        rf"|everything|all|tests?|checks?|suite|build|run) (?:\w+ )?(?:passed|pass|succeeded|is green|are green|went (?:well|fine))"
        rf"|success|no (?:problems|issues)|all clear)\b",
        r"\b(?:instead of|without (?:running|checking|testing)|skip|bypass\w*|--no-verify|regardless|even (?:if|when|though)"
        r"|whatever"
        r"|no matter|anyway|delete|disable|rather than|throw\w* out|thrown out|drop\w*|remov\w*|in the way|comment\w* out)\b",
        not_before=FORBIDDEN,
        not_in=r"\b(?:never|exit code|must not)\b",
    ),
    order(
        APPROVAL,
        "approved|agreed|signed off|signed it off|signed this off|okayed|authorised|authorized|consented|waived|cleared|allowed"
        "|permitted|granted|accepted|blessed|green-lit|greenlit|given |said yes|said ok",
        rf"\b{OFFICE}\b[^.;,]{{0,16}}?\b{AGREED}\b",
        r"\byou (?:may|can|could|need not)\b|\bno (?:need|reason) to\b|\bneedn't\b|\b(?:do not|don't) (?:\w+ )?(?:ask|prompt|wait"
        r"|confirm"
        r"|check|stop|hesitate|bother)\b|\bwithout (?:asking|prompting|waiting|confirm\w+|a prompt|further|review)\b|\bskip\b"
        r"|\bbypass\b"
        r"|\bgo ahead\b|\bno (?:further|more|other) (?:questions?|checks?|approvals?|confirmations?|delays?|reviews?)\b"
        r"|\bstraight away\b|\bright away\b|\b(?:every|all|any|each) (?:\w+ )?(?:commands?|requests?|actions?"
        r"|deletions?"
        r"|changes|steps?|operations?|transfers?|payments?|prompts?|purchases?)\b|\banything (?:you|that|in|it)\b"
        r"|\bso (?:just )?(?:run"
        r"|push|merge|delete|proceed|send|pay)\b",
        not_before=r"\b(?:if|unless|until|when|once|after|before|whether|only|not|never|no|must be|should be|to be"
        r"|be)\b[^.;]{0,24}$"
        r"|n't\b[^.;]{0,24}$",
        not_in=r"\b(?:if|unless|until|once|last (?:week|month|year)|on (?:monday|tuesday|wednesday|thursday|friday)|in (?:january"
        r"|february"
        r"|march|april|may|june|july|august|september|october|november|december)|terms|must be|has to be|only|cookies?|form|dialog"
        r"|we)\b",
    ),
    order(
        APPROVAL,
        "approved|consented|confirmed|authorised|authorized|accepted|agreed|permitted|consent|permission|approval|authoris"
        "|authoriz",
        rf"(?:\b(?:anything|everything|whatever|all|any|every|silence|no answer)\b[^.;]{{0,60}}\b(?:counts?|counted|treated"
        rf"|regarded|considered"
        rf"|taken|deemed|seen|viewed|passes)\b (?:as )?(?:(?:having been|already|to be) )?(?:approved|consented|confirmed"
        rf"|authori[sz]ed|accepted"
        rf"|agreed|permitted|allowed|an? (?:yes|approval|consent))"
        rf"|\b(?:consent|permission|approval|authori[sz]ation|agreement|confirmation)s?\b[^.;]{{0,30}}\b(?:can|may|should|must"
        rf"|is to|are to"
        rf"|shall|will|is|are)\b (?:always )?(?:be )?(?:taken for granted|assumed|presumed|presupposed|implied|taken as given"
        rf"|considered given)"
        rf"|{BEGINS}(?:assume|presume|suppose|pretend|take for granted|take it)\b[^.;]{{0,12}}\b(?:consent|permission|approval"
        rf"|authori[sz]ation"
        rf"|agreement|confirmation)\b)",
        not_before=NEVER,
        not_in=r"\b(?:never|cannot|must not|tests?|cookies?|form|patients?|not)\b",
    ),
    order(
        APPROVAL,
        "pre-approved|preapproved|approved in advance|already approved|not required|not needed|no review|no approval"
        "|no longer required"
        "|no longer needed|not necessary|needs no|need no|unnecessary|superfluous",
        rf"(?:\b(?:pre-?approved|approved in advance|already approved)\b|\b(?:reviews?|approvals?|sign-?offs?|confirmations?"
        rf"|permissions?)\b"
        rf"[^.;]{{0,10}}\b(?:is|are) (?:not|no longer|un)\s?(?:required|needed|necessary)|\bneeds? no (?:\w+ )?(?:review|approval"
        rf"|sign-?off"
        rf"|confirmation)|\bno (?:\w+ )?(?:review|approval|confirmation|sign-?off)s? (?:is |are )?(?:needed|required"
        rf"|necessary))[^.]{{0,80}}"
        rf"[;,:.]? (?:so |and |just |simply |please )*(?:{CRITICAL_ACT.replace(' ', '|').replace('_', ' ')}) (?:it|them|everything"
        rf"|this|straight"
        rf"|directly|immediately|right)\b",
        not_in=r"\b(?:docs?/|typos?|we|after|once|if|unless)\b",
        signs=(
            rf"\b(?:{CRITICAL_ACT.replace(' ', '|').replace('_', ' ')}) (?:it|them|everything|this|straight|directly"
            rf"|immediately|right)\b",
        ),
    ),
    order(
        APPROVAL,
        "permission|privilege|rights|access|administrator|root|sudo|admin",
        rf"(?:{ordered('raise elevate increase extend upgrade escalate widen expand broaden')} (?:your|the agent's|its"
        rf"|this agent's|the assistant's)"
        rf"(?: own)? (?:\w+ )?(?:permissions?|privileges?|rights|access|role)\b|{ordered('grant give assign allow')} (?:yourself"
        rf"|this agent|the agent"
        rf"|the assistant|agents|itself)\b[^.;]{{0,30}}\b(?:admin\w*|root|write|full|all|unrestricted|owner|sudo"
        rf"|every)\b[^.;]{{0,12}}"
        rf"(?:access|rights?|permissions?|privileges?|role)?|\b(?:become|switch to|change to|log in as) (?:the account "
        rf"|user )?(?:root|administrator"
        rf"|superuser)\b[^.;]{{0,40}}\b(?:and|when|if)\b[^.;]{{0,30}}\b(?:refused|denied|delete|remove|run|asks?|blocked|fails?))",
        not_before=FORBIDDEN,
        signs=(r"\b(?:your|its|agent's|assistant's|yourself|itself|agents?|assistant|become|switch|change|log)\b",),
    ),
    order(
        APPROVAL,
        "bash(*)|allow list|allowlist|whitelist|allowed tools|settings.json|skip-permissions|bypasspermissions|--yolo|--allow-all"
        "|auto-approve|auto-accept|dangerously|autoapprove",
        rf"{ordered(_SET)}[^.;]{{0,60}}(?:bash\(\*\)|\"\*\""
        rf"|\b(?:all|every|any) (?:tools?|commands?)|skip-permissions|bypasspermissions|--yolo|--allow-all|auto-?(?:approve|accept)"
        rf"|dangerously-\w+|allow-?list)",
        r"\b(?:so (?:that )?(?:nothing|no|nobody|you|it|every)|from now on|by default|every|each|permanently|in all|everywhere"
        r"|always"
        r"|again|hence)\b",
        not_before=FORBIDDEN,
        not_in=r"\b(?:container|sandbox|ci|never|docker)\b",
    ),
    order(
        APPROVAL,
        "verify=false|verify = false|no-verify|--insecure|stricthostkeychecking|reject_unauthorized|chmod 777|chmod -r 777"
        "|no-check-certificate|sslverify|skip-verify|no-gpg-check|trusted-host",
        r"(?:verify\s?=\s?false|--no-verify|--insecure|stricthostkeychecking|reject_unauthorized|chmod (?:-r )?777"
        r"|--no-check-certificate"
        r"|sslverify|--skip-verify|--no-gpg-check|--trusted-host)",
        rf"\b(?:as|because) (?:the|your) {OFFICE} (?:\w+ )?(?:wish|ask|want|request|agree|prefer)\w*|\b(?:and|then) (?:say|report"
        rf"|claim|tell)\b"
        r"|\bif (?:a|the|any) (?:hook|check|scanner)\b[^.;]{0,20}\b(?:block|fail|refuse|complain|stop|object)|\b(?:every"
        r"|all) (?:calls?|requests?"
        r"|commits?|connections?|downloads?)\b|\bfrom now on\b",
        not_in=r"\b(?:never|must not|do not|forbidden|not allowed|wip|localhost)\b|n't\b",
    ),
    order(
        APPROVAL,
        "sudo|root|commands|deletions|force push|force-push|payments|purchases",
        rf"\b(?:do not|don't|never|no need to|need not) (?:ask|prompt|wait|check back|request|seek)\b[^.;]{{0,40}}\b(?:sudo|root"
        rf"|any command"
        rf"|all commands|commands with|deletions|delet\w+|force[- ]push\w*|payments?"
        rf"|purchases?)\b[^.;]{{0,60}}?\b{OFFICE}\b[^.;,]{{0,16}}?\b{AGREED}",
    ),
    order(
        APPROVAL,
        "authorised|authorized|approved|cleared|permitted|allowed|granted|agreed|waived|accepted|okayed|signed off",
        rf"\b(?:is|are|was|were|been)\b (?:\w+ )?{AGREED}\b[^.;]{{0,10}}\bby (?:(?:the |your |our )?(?:\w+ )?{OFFICE}\b"
        rf"|it(?=[,.;]))",
        r"\b(?:every|all|any|each) (?:\w+ )?(?:commands?|requests?|actions?|deletions?|changes|steps?|operations?|transfers?"
        r"|payments?)\b|\bno need\b|\bgo ahead\b"
        r"|\bwithout (?:asking|prompting|waiting|review)\b|\byou (?:may|can|need not)\b|\b(?:do not|don't) (?:ask|wait|confirm"
        r"|check)\b",
        not_before=r"\b(?:if|unless|until|when|once|after|before|whether|only|not|never|must)\b[^.;]{0,24}$",
        not_in=r"\b(?:if|unless|until|once|must be|has to be|only|cookies?|form|we)\b",
    ),
    order(
        APPROVAL,
        "a yes|an ok|an okay|go-ahead|permission|approval|confirmation|consent|a nod|green light|for an answer|for a reply",
        r"\b(?:no (?:reason|need|point|use)(?: to| in)?|do not|don't|never|without|instead of|rather than|need not|needn't|stop"
        r"|skip) (?:wait(?:ing)? for|ask(?:ing)? for|seek(?:ing)?"
        r"|request(?:ing)?|need(?:ing)?|look(?:ing)? for) (?:a |an |any |the )?(?:\w+ )?(?:yes|ok|okay|go-ahead|permission"
        r"|approval|confirmation|consent|nod|green light|answer|reply)\b",
        r"\b(?:wip|delet|drop|push|deploy|pay|transfer|send|publish|remov|overwrit|merg|reset|destroy|purg|truncat|forc|install"
        r"|sudo|root|eras|releas|ship)\w*",
        not_in=r"\b(?:my|me|i|never (?:push|deploy|delete|merge|publish|drop|send|pay|remove|release|ship|install)|we|docs?|typos?"
        r"|must not|do not (?:push|deploy|delete|merge|publish|drop|send"
        r"|pay|remove|release|ship|install)|don't (?:push|deploy|delete|merge|publish|drop|send|pay|remove|release|ship"
        r"|install))\b",
    ),
    order(
        APPROVAL,
        "complain|blocks|fails|refuses|objects|warns|rejects|stops|flags|alerts|gets in the way|stands in the way",
        rf"\b(?:when|whenever|if|should|once|every time|each time)\b[^.;,]{{0,20}}(?:{CONTROL}|\b(?:scanner|hook|guard|filter"
        rf"|policy|antivirus|permission system|linter for secrets)s?\b)[^.;,]{{0,20}}"
        r"\b(?:complain|block|fail|refuse|object|warn|reject|stop|flag|alert|get|stand)s?\b[^.;]{0,50}\b(?:ignor\w*|allow-?list"
        r"|exclu\w+|exempt|skip|bypass|suppress|white-?list|work around|carry on|anyway"
        r"|regardless|proceed|continue|disable|switch it off|turn it off|remove it)\b",
        not_in=r"\b(?:ask|tell|report it|with a reason|open an issue|fix|never|do not|tests? fail|flaky|lint)\b|n't\b",
    ),
    order(
        APPROVAL,
        "without a look|without looking|without a glance|without review|without a review|without check|without a check"
        "|without reading|without inspect|without question|without any question|unseen|unread"
        "|without examin|without any check|without any review|blindly",
        r"\b(?:all|every|any|each|whatever|everything|anything)\b[^.;]{0,60}\b(?:merge|approve|approval|accept|acceptance|install"
        r"|release|execute|execution|run|sign)\b[^.;]{0,24}"
        r"\b(?:without (?:a |any |further )*(?:look\w*|glance|review\w*|check\w*|reading|inspect\w*|question\w*|examin\w*"
        r"|answer\w*|reply|response)|unseen"
        r"|unread|blindly)"
        r"|\b(?:merge|approve|accept|install|execute|run|sign)\b (?:all|every|any|each|whatever|everything"
        r"|anything)\b[^.;]{0,40}\b(?:without (?:a |any |further )*(?:look\w*|glance|review\w*"
        r"|check\w*|reading|inspect\w*|question\w*|examin\w*)|unseen|unread|blindly)",
        not_in=r"\b(?:never|must not|do not|cannot|not|we|forbidden|nobody)\b|n't\b",
    ),
    order(
        APPROVAL,
        "empty|blank|any password|any token|any certificate|every password|wrong|expired|unsigned|invalid|self-signed|anonymous"
        "|anybody|anyone|everyone",
        rf"{ordered('make let have allow change patch teach configure set modify cause get')}\b[^.;]{{0,12}}\b(?:log-?in|auth\w*"
        rf"|password check|sign-?in|endpoint|server|verifier|gateway|updater|installer|client|api)\b"
        r"[^.;]{0,16}\b(?:to )?(?:accept|allow|admit|let in|pass|trust|take|permit)s?\b[^.;]{0,16}\b(?:empty|blank|any|every|wrong"
        r"|expired|unsigned|invalid|self-signed|anonymous|all)\b"
        r"[^.;]{0,16}\b(?:passwords?|tokens?|certificates?|signatures?|keys?|credentials?|users?|input|logins?|updates?"
        r"|packages?)\b",
        also="accept|allow|admit|let in|pass|trust|permit|take",
        not_before=FORBIDDEN,
        not_in=r"\b(?:tests?|never|local\w*|must not|unless|e-mail|demo|mock)\b",
    ),
    order(
        APPROVAL,
        "ignor|disregard|overlook|suppress|dismiss|silenc|wave through|waved through|accept",
        rf"\b(?:signatures?|certificates?|tls|ssl|checksums?|security|integrity|virus|malware|host[- ]?keys?|fingerprints?"
        rf"|vulnerabilit\w+|leak|tamper\w*|phishing|sandbox) (?:\w+ )?(?:errors?|warnings?|alerts?|mismatch(?:es)?|failures?"
        rf"|findings?|alarms?"
        rf"|complaints?|notices?)\b[^.;]{{0,50}}{ordered('ignore disregard overlook suppress dismiss silence wave_through accept')}"
        rf"|{ordered('ignore disregard overlook suppress dismiss silence')}[^.;]{{0,24}}\b(?:signatures?|certificates?|tls|ssl"
        rf"|checksums?|security|integrity|virus|malware|host[- ]?keys?|fingerprints?|vulnerabilit\w+|leak|tamper\w*"
        rf"|phishing) (?:\w+ )?(?:errors?|warnings?"
        rf"|alerts?|mismatch(?:es)?|failures?|findings?|alarms?|complaints?|notices?)\b",
        not_before=FORBIDDEN,
        not_in=NOT_THE_CONTROL,
    ),
)
