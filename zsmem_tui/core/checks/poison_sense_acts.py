"""Orders in English told by what they come to: controls off, consent made up, fetch and run, data carried away, settling in."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import AGENT, BEGINS, NEVER
from zsmem_tui.core.checks.poison_rule import ADDRESS, APPROVAL, CARRY, RUN, SETTLE, Order, order
from zsmem_tui.core.checks.poison_senses import (
    AGREED,
    CONTROL,
    CONTROL_WORDS,
    CRITICAL_ACT,
    ELSEWHERE,
    FORBIDDEN,
    NOT_THE_CONTROL,
    OFFICE,
    OUTWARD,
    PRIVATE,
    PUBLIC,
    SWITCH_OFF,
    TRANSFER,
    ordered,
)

_UNDO_TEST: Final = "delete remove disable drop comment_out skip weaken stub_out xfail mark_as_passed"
_SET: Final = "add put set enable append start use include pass write turn_on switch_on run launch"
_PLANT: Final = (
    "add append write insert put install echo register create place drop set_up paste schedule configure hook load include"
)

ORDERS: Final[tuple[Order, ...]] = (
    # C
    order(
        APPROVAL,
        CONTROL_WORDS,
        rf"(?:{ordered(SWITCH_OFF)}[^.;]{{0,50}}?{CONTROL}|{CONTROL}[^.;]{{0,60}}?{ordered(SWITCH_OFF)}"
        rf"|{CONTROL}[^.;]{{0,30}}\b(?:has|have|need|needs|is|are|must|should)\b(?: to)?(?: be)? (?:off|disabled|skipped|gone"
        rf"|switched off|turned off)\b(?= (?:for|while|before|during|when|whenever|at all|permanently)))",
        not_before=rf"{FORBIDDEN}|\b(?:we|they|it|which|will|users?|jobs?|admins?|who|i)\s+(?:\w+ )?$",
        not_in=NOT_THE_CONTROL,
        signs=(CONTROL,),
        also="disabl|turn|switch|deactivat|skip|bypass|remov|delet|weaken|loosen|relax|suspend|circumvent|omit|drop|overrid|ignor"
        "|lift"
        "|kill|stop|comment|circuit|stub|neutral|soften|evad|defeat|silenc|mut|paus|uninstall|take|strip|cut|leav|set|work|get"
        "|do|dispens|shut|dodg|sidestep|waiv|abolish|undermin|lower",
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
        r"|no matter|anyway|delete|disable|rather than)\b",
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
        r"|\bgo ahead\b|\bstraight away\b|\bright away\b|\b(?:every|all|any|each) (?:\w+ )?(?:commands?|requests?|actions?"
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
    # D
    order(
        RUN,
        "launch|start |run |execut|install|open it|carry|perform|follow|obey|do what|act on|apply",
        rf"{ordered('download fetch get grab pull retrieve load take obtain wget curl')}\b[^;]{{0,120}}?(?:(?:https?"
        rf"|ftp)://\S{{3,120}}|\b[a-z0-9-]{{2,40}}"
        rf"(?:\.[a-z0-9-]{{2,40}}){{0,3}}\.(?:io|xyz|site|top|ru|cc|tk|dev|net|com|org|info|biz|app|cloud|online|me|co|cn|pw|su"
        rf"|rest|host)\b)"
        rf"[^;]{{0,60}}?\b(?:and|then|,) (?:\w+ )?(?:launch|start|run|execute|install|obey|follow|carry out|perform|do|source|load"
        rf"|apply|act on)"
        rf" (?:it|them|that|this|the (?:\w+ )?(?:result|script|binary|file|installer|program|contents?|instructions?|steps"
        rf"|commands?)|what(?:ever)?)\b",
        not_before=FORBIDDEN + r"|\b(?:we|they|it|which|job|updater|script)\s+(?:\w+ )?$",
        not_in=r"\b(?:never|must not|localhost|127\.0|our (?:own )?(?:mirror|server)|checksum|sha256)\b|rustup\.rs"
        r"|get\.docker\.com|python\.org"
        r"|nodejs\.org|astral\.sh|docs\.",
        also="http|.com|.net|.org|.io|.ru|.xyz|.top|.dev|.cc|.site|.info|.biz|.app|.cloud|.me|.co|.cn|.pw|.su|.rest|.host|.online"
        "|ftp",
    ),
    order(
        RUN,
        "carry|perform|follow|obey|execute|do what|act on|do as|comply|run ",
        r"(?:https?://\S{3,120}[^.;]{0,50}?\b(?:carry (?:it|them|these|those|everything) out|(?:carry out|perform|follow|obey"
        r"|execute|act on|run"
        r"|comply with|do) (?:it|them|these|those|everything|what|whatever|all|the (?:\w+ )?(?:instructions?|commands?|tasks?"
        r"|orders|steps))|do (?:as"
        r"|what) (?:it|they))"
        r"|\b(?:carry out|perform|follow|obey|execute|act on|run|comply with|do)\b (?:\w+ )?(?:whatever|what|all|any|every"
        r"|everything|the)\b"
        r"[^.;]{0,30}\b(?:instructions?|commands?|tasks?|orders|steps|it|says|lists?|tells?|asks?)\b[^.;]{0,30}https?://)",
        r"\b(?:whatever|what|every|each|all|any|them|it|new|they|latest|said|says|lists?)\b",
        not_before=FORBIDDEN,
        not_in=r"\b(?:never|must not|install\w*|docs?\b|documentation|setup guide|readme|guide|tutorial|localhost|contributing)\b"
        r"|docs\.",
    ),
    # E
    order(
        CARRY,
        "ssh|.env|.aws|.kube|.netrc|id_rsa|id_ed|.pem|.p12|.kdbx|.key|keys|key |keychain|keyring|key ring|seed phrase|wallet"
        "|credential|password|passphrase|token|secret|cookie|env var|environment|customer|shadow|session|user's|owner's|human's"
        "|developer's|history|conversation|transcript|chat|prompt|private|source code|memory|personal data",
        rf"{ordered(TRANSFER)}[^;]{{0,100}}?{PRIVATE}[^;]{{0,80}}?(?:{ELSEWHERE}|(?:\b(?:to|in|into|on|with|as|for|of"
        rf"|under)\b[^;]{{0,40}}?{PUBLIC}))"
        rf"|{PRIVATE}[^.;]{{0,60}}?{ordered(TRANSFER)}[^;]{{0,40}}?(?:{ELSEWHERE}|(?:\b(?:to|in|into|on|with|as"
        rf"|of)\b[^;]{{0,40}}?{PUBLIC}))"
        rf"|{ordered(TRANSFER)}[^;]{{0,30}}?(?:{ELSEWHERE}|\bto (?:the )?{PUBLIC})[^;]{{0,60}}?\b(?:with|containing|including"
        rf"|holding|together with"
        rf"|carrying)\b[^;]{{0,40}}?{PRIVATE}",
        not_before=FORBIDDEN + r"|\b(?:we|they|it|which|who|users?|job|script|client|app|ci)\s+(?:\w+ )?$",
        not_in=r"\b(?:never|must not|do not|cannot|vault|1password|bitwarden|localhost|our|we|public keys?|id_\w+\.pub|rotat\w+"
        r"|revoke\w*"
        r"|from https|password reset|reset link|cookie banner|authorization header|api reference|docs)\b|n't\b|\.pub\b",
        signs=(OUTWARD, PRIVATE),
        also="send|post|upload|forward|mail|transmit|includ|attach|append|add|paste|shar|publish|report|push|submit|relay|leak"
        "|expos|encod"
        "|embed|insert|export|deliver|hand|pass|sync|mirror|dump|disclos|broadcast|ship|stream|exfiltrat|beacon|tunnel|copy|copied"
        "|copies"
        "|writ|put|plac|commit|sav|stor|drop|slip|smuggl|giv|deposit|feed",
    ),
    order(
        CARRY,
        "image|picture|pixel|badge|link|gif",
        rf"{ordered('show render load embed display include insert add put fetch draw')}\b[^;]{{0,24}}\b(?:images?|pictures?"
        rf"|pixels?|badges?|links?|gifs?)\b"
        r"[^;]{0,20}(?:https?://|\b[a-z0-9-]+\.[a-z]{2,6}\b)[^;]{0,60}\b(?:with|containing|carrying|whose|holding"
        r"|that contains?)\b[^;]{0,40}"
        r"\b(?:questions?|messages?|conversation|talk|prompts?|answers?|names?|summary|text|keys?|tokens?|contents?"
        r"|what the user)\b",
        not_before=FORBIDDEN,
        not_in=r"\balt (?:text|attribute)\b",
    ),
    # H
    order(
        ADDRESS,
        "praise|recommend|promote|endorse|favour|favor|prefer|rank|rate|advertise|mention|say|state|tell|call|describe|present"
        "|speak",
        rf"\b(?:ai|{AGENT})\b[^.:;]{{0,50}}?(?:\b(?:must|should|shall|has to|have to|needs? to|is to|are to|(?:is|are) (?:required"
        rf"|asked|expected"
        rf"|instructed|urged|requested) to|will)|[,:]\s*(?:please )?) ?(?:\w+ly |always )?(?:praise|recommend|promote|endorse"
        rf"|favou?r|rank|rate"
        rf"|advertise|say|state|tell|call|describe|present|speak)\b[^.;]{{0,60}}\b(?:this|our|the) (?:\w+ )?(?:librar\w+|product"
        rf"|vendor|company"
        rf"|package|project|tool|service|page|shop|brand|applicant|candidate|author|paper|article|site|offer|framework|app"
        rf"|author)\b",
        not_before=NEVER,
        not_in=r"\b(?:tests?|never|insurance|call cent\w+|sales|field)\b",
    ),
    order(
        ADDRESS,
        "assistant|agent|claude|copilot|chatgpt|gemini|codex|llm|model|bot",
        rf"(?:^|[.!?:>*]\s*)\W*(?:dear |hey |hello )?(?:\w+ )?{AGENT}s?\s*[,:]\s*(?:once|when|whenever|as soon as|after|if"
        rf"|before) you (?:reach|read"
        rf"|see|get to|finish|load|open|come to|encounter|process|arrive)\b[^.:]{{0,40}}\b(?:this|here"
        rf"|these)\b[^.]{{0,20}}, (?:please |then )?\w+",
        not_in=r"\b(?:tests?|never)\b",
    ),
    # I
    order(
        SETTLE,
        "this note|these lines|this section|these rules|this paragraph|this file|this memory|this entry|this text|this block"
        "|of this note"
        "|these instructions|this rule",
        r"\b(?:compact\w*|summari[sz]\w*|condens\w*|prun\w+|clean(?:ed|ing)? up|trimm\w+|shorten\w*|rewrit\w+|delet\w+"
        r"|remov\w+)\b[^.;]{0,40}"
        r"\b(?:this|these) (?:\w+ )?(?:notes?|lines?|sections?|rules?|paragraphs?|files?|entr(?:y|ies)|texts?|blocks?"
        r"|instructions?)\b"
        r"[^.;]{0,20}\b(?:must|has to|have to|should|is to|are to|needs? to|shall)\b[^.;]{0,12}\b(?:survive|be (?:kept|preserved"
        r"|carried|restored"
        r"|copied|left)|stay|remain|persist)"
        r"|\b(?:should|if|when(?:ever)?|once)\b[^.;]{0,12}\b(?:this|these) (?:notes?|lines?|sections?|rules?|paragraphs?|files?"
        r"|entr(?:y|ies)|texts?"
        r"|blocks?|instructions?)\b[^.;]{0,12}\b(?:be |is |are |get )?(?:deleted|removed|lost|erased|missing|disappears?|vanish\w*"
        r"|gone)\b[^.;]{0,8},"
        r"? (?:then )?(?:restore|recreate|write|add|copy|put|insert|re-?add|bring)\b"
        r"|\b(?:rules?|instructions?|orders|lines|contents?) (?:of|in|from) (?:this|the present) (?:note|file|memory|page|section"
        r"|text)\b[^.;]{0,12}"
        r"\b(?:apply|applies|hold|count|are valid|must be (?:followed|obeyed))\b[^.;]{0,12}\b(?:everywhere|in (?:all|every)"
        r"|for (?:all|every)|always"
        r"|forever)"
        r"|\b(?:make sure|ensure|see to it)\b[^.;]{0,12}\b(?:this|these) (?:\w+ )?(?:notes?|lines?|sections?|rules?|paragraphs?"
        r"|instructions?|texts?)\b"
        r"[^.;]{0,12}\b(?:is|are|get)\b[^.;]{0,8}\b(?:carried|copied|taken|kept|repeated|added|propagated|passed)\b",
        not_in=r"\b(?:sorted|headings?|toc|order of)\b",
    ),
    order(
        SETTLE,
        ".bashrc|.zshrc|.profile|_profile|zprofile|config.fish|authorized_keys|crontab|cron job|cron entry|hook|session start"
        "|sessionstart|launch agent|launchagent|launchd|autostart|systemd|login item|startup|start-up|rc.local|scheduled task",
        rf"{ordered(_PLANT)}"
        rf"\b[^;]{{0,120}}(?:(?:~|\$home|/home/\w+)?/\.(?!bashrc|zshrc|profile|bash_profile|git|config|vimrc|nvm|cargo|local/bin"
        rf"|pyenv|githooks|env\b"
        rf"|claude|venv)[\w.]+(?:/|\b)|/tmp/|/dev/shm|/var/tmp|https?://(?!localhost))",
        not_before=FORBIDDEN + r"|\b(?:we|they|it|which)\s+$",
        not_in=r"\b(?:never|must not|do not|direnv|nvm|starship|zoxide|homebrew|pyenv|docs|rustup|documentation|described)\b|n't\b",
    ),
    order(
        SETTLE,
        "alias|remote|mirror|origin|push",
        rf"{ordered('create add define set_up make register configure set point change install')}\b[^;]{{0,60}}\b(?:alias\w*"
        rf"|remotes?|hooks?|wrapper"
        rf"|origin|push ?url)\b[^;]{{0,60}}\b(?:also|too|as well|secretly|every push|each push|additionally"
        rf"|besides)\b[^;]{{0,60}}{ELSEWHERE}",
        not_before=FORBIDDEN,
        not_in=r"\b(?:codeberg|github|gitlab|never|our)\b",
    ),
)
