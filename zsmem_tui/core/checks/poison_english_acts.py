"""Orders in English about what an agent does: without approval, with what it fetches, with what it knows."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import (
    ACT,
    AGENT,
    BEGINS,
    EFFECT,
    FETCHES,
    HUMAN,
    NEVER_AT_ALL,
    PASTED,
    PLACES,
    READS,
    STARTUP,
    WIDE,
)
from zsmem_tui.core.checks.poison_rule import ADDRESS, APPROVAL, AWAY, CARRY, RUN, SECRETS, SETTLE, Order, order

ORDERS: Final[tuple[Order, ...]] = (
    # C
    order(
        APPROVAL,
        "approved|authori|agreed|consent|granted|permission|signed off|okayed|waived|cleared|permitted|confirmed|allowed|gave ",
        rf"\b(?:the|your|our) (?:\w+ )?{HUMAN}s? (?:has |have |had )?(?:\w+ )?(?:approved|authori[sz]ed|agreed"
        rf"|consented|confirmed|granted|given|gave|pre-?approved|signed off|allowed|permitted|cleared|okayed|waived)\b",
        WIDE,
        r"\b(?:actions?|commands?|changes?|operations?|everything|anything|tools?|requests?|this|these|permission"
        r"|approval|consent|access|steps?|deletions?|deploy\w*|push\w*|payments?|transfers?|so|calls?)\b",
        not_before=r"\b(?:if|until|unless|when|once|after|whether|before|only|because)\b[^.]{0,20}$",
        not_in=r"\?|\b(?:design|mock-?up|bug|colou?rs?|terms|cookies?|privacy|newsletter|licen[cs]e|tos|eula)\b",
    ),
    order(
        APPROVAL,
        "approv|permission|consent|authori|confirm|granted|signed off| a yes|as yes|as allowed",
        rf"{BEGINS}(?:treat|consider|assume|regard|take|count|deem|interpret)\b(?:[^.]|\.(?=\w)){{0,80}}?\b(?:approv(?:ed|als?)"
        rf"|permissions?|consent(?:ed|s)?|authori[sz](?:ed|ations?)|confirm(?:ed|ations?)|granted|a yes|as yes|as allowed"
        rf"|signed off)\b",
        not_before=rf"{NEVER_AT_ALL}[^.]{{0,30}}$",
        not_in=r"\bnever\b|\bnot\b|n't\b|\bfalse\b|\b(?:wizards?|forms?|surveys?|check ?box\w*|cookies?) ",
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
        rf"{BEGINS}(?:{EFFECT}|proceed|go ahead|act|carry|grant|accept|skip|bypass|stop|do not|don't|never)\b",
        not_before=r"\b(?:never|not|must not|nothing|nobody|no one|nor|avoid)\b[^.;]{0,80}$|n't\b[^.;]{0,80}$",
        not_in=r"\bnever (?!ask|wait|request|seek|prompt)|\bmust not\b|\bdo not (?!ask|wait|request|seek|prompt|stop"
        r"|hesitate)|\bdon't (?!ask|wait|request|seek|prompt|stop)|\bask (?:before|first)|\bexcept\b|\b(?:is"
        r"|are) (?:forbidden|not allowed)|\bnobody\b|\bonly\b",
    ),
    order(
        APPROVAL,
        "sandbox|safety|security |permission|approval|guardrail|confirmation|safeguard|secret scan|audit|content filter"
        "|protection|malware|virus|signature|verification step",
        rf"{BEGINS}(?:disable|turn off|switch off|deactivate|skip|bypass|suppress|remove|circumvent|suspend"
        rf"|shut (?:off|down)|silence|lift|drop|kill|stop using|unset|omit|relax"
        rf"|weaken)\b[^.]{{0,40}}?\b(?:sandbox(?:ing)?|safety\b|security (?:check|scan|filter|polic|feature|prompt"
        rf"|hook|review|warning)\w*"
        r"|permission (?:check|prompt|system|request)\w*|permissions\b|approvals?\b|guardrails?|confirmations?\b"
        r"|safeguards?|secret scan\w*|audit (?:log|trail)\w*|content filters?|(?:branch )?protections?\b|malware"
        r"|anti-?virus|virus scan\w*|signature (?:check|verif)\w*|verification steps?)",
        not_before=rf"(?:{NEVER_AT_ALL})[^.;]{{0,40}}$|\b(?:we|they|it|which|to|if|when|who)\s+$",
        not_in=r"\b(?:never|must not|not)\b|n't\b|\bin (?:the |our |a )?sandbox (?:tenant|account|env\w*|project|system|store"
        r"|org)\b|\btls\b|\bself-signed\b|\blocal dev\b"
        r"|\b(?:apt|apt-get|dnf|yum|pacman|brew|choco|winget|npm|conda|pip)\b",
    ),
    order(
        APPROVAL,
        "dangerously|yolo|bypasspermissions|danger-full|auto-approve|autoapprove|auto-accept|auto-run|approval_policy",
        r"\b(?:always|from now on|set|start|run|use|add|enable|switch|turn on|launch|restart|put"
        r"|change)\b[^.]{0,100}?(?:--dangerously\S*|--yolo|\byolo\b|bypasspermissions|danger-full-access|dangerously"
        r"|auto-?approv\w*|auto-?accept|auto-?run|approval_policy\W{1,4}never|allow all tools)",
        not_before=rf"(?:{NEVER_AT_ALL})[^.;]{{0,60}}$",
        not_in=r"\b(?:never|not)\b|n't\b|terraform|tofu\b|pulumi|dependabot|renovate",
    ),
    order(
        APPROVAL,
        "approval|permission|confirmation|sandbox",
        r"\b(?:set|switch|change|put|turn)\b[^.;]{0,30}\b(?:approvals?|permissions?|confirmations?"
        r"|sandbox)\b[^.;]{0,20}\b(?:never|off|none|disabled"
        r"|bypass\w*|full access|auto\w*|allow[- ]all|skip)\b",
        not_before=rf"(?:{NEVER_AT_ALL})[^.;]{{0,40}}$|\b(?:we|they|it|which|if|when|who)\s+$",
        not_in=r"\b(?:must not|do not|don't)\b|\bto never\b.*\bship",
    ),
    order(
        APPROVAL,
        "--no-verify|--no-gpg-sign|--insecure|--skip-checks|--no-check",
        r"--(?:no-verify|no-gpg-sign|insecure|skip-checks|no-check\w*)\b",
        rf"{BEGINS}(?:use|add|pass|set|append|commit|push|run|put)\b",
        r"\b(?:every|all|each|always|any|from now on|whenever)\b",
        not_in=r"\b(?:never|not allowed|forbidden|avoid|only|except|do not use|don't use|no longer)\b",
    ),
    order(
        APPROVAL,
        "tls|ssl|certificate",
        rf"{BEGINS}(?:disable|turn off|switch off|deactivate|skip|bypass|ignore)\b[^.;]{{0,20}}\b(?:tls|ssl"
        rf"|certificates?)\b[^.;]{{0,20}}"
        r"(?:verif\w*|check\w*|valid\w*|errors?)\b",
        r"\b(?:all|every|any|always|each|everywhere|globally|from now on)\b",
        not_in=r"\b(?:never|not|dev|development|local\w*|tests?|self-signed|lab|staging)\b|n't\b",
    ),
    order(
        APPROVAL,
        "already approved|already authori|already confirmed|already allowed|pre-approved|preapproved|pre-authori|preauthori"
        "|approved in advance"
        "|approved beforehand|approved automatically",
        r"\b(?:all|any|every|each|whatever)\b[^.;]{0,60}\b(?:is|are|was|were|has been|have been|counts? as"
        r"|count as)\b[^.;]{0,12}\b(?:already |pre-? ?)"
        r"?(?:approved|authori[sz]ed|confirmed|allowed)\b",
        r"\b(?:actions?|commands?|changes?|operations?|everything|anything|tools?|tool calls?|deletions?|deploy\w*|push\w*"
        r"|payments?|transfers?"
        r"|purchases?|requests?|edits?|runs?)\b",
        not_before=r"\b(?:if|until|unless|when|once|after|whether|before|only|because|not|never)\b[^.]{0,30}$",
        not_in=r"\?|\bby (?:the )?(?:team|lead|board|legal|design)\b|\bnot\b",
    ),
    order(
        APPROVAL,
        "you have standing|you have full|you have blanket|you have permanent|you have unlimited|you have general|you have complete",
        r"\byou have (?:\w+ )?(?:standing|full|blanket|permanent|unlimited|general|complete) (?:permission|authori[sz]ation"
        r"|authority|consent|approval)\b",
        r"\b(?:anything|everything|all|any|whatever)\b",
    ),
    order(
        APPROVAL,
        "consent|permission|approval|authori|confirmation",
        r"\b(?:consent|permission|approval|authori[sz]ation|confirmation)s?\b[^.;]{0,40}\b(?:all|any|every"
        r"|each)\b[^.;]{0,40}\b(?:has|have|is|are|was)"
        r" (?:already |been |hereby |considered )*(?:given|granted|obtained|implied|on file)\b",
        not_before=r"\b(?:if|until|unless|when|once|after|whether|before|only|no)\b[^.]{0,20}$",
    ),
    order(
        APPROVAL,
        "as if the|as though the|as if your|as though your",
        rf"\bas (?:if|though) (?:the|your) {HUMAN} (?:had |has )?(?:\w+ )?(?:confirmed|approved|agreed|allowed|authori[sz]ed"
        rf"|consented|ordered)\b",
        not_before=rf"(?:{NEVER_AT_ALL})[^.;]{{0,40}}$",
    ),
    order(
        APPROVAL,
        "deny list|denylist|deny-list|block list|blocklist|permission rule|restrictions|deny rule",
        rf"{BEGINS}(?:remove|delete|empty|clear|drop|disable)\b[^.;]{{0,30}}\b(?:deny[- ]?list|block[- ]?list|restrictions"
        rf"|permission rules?|deny rules?)\b",
        r"\b(?:settings|all|every|any|everything)\b",
        r"\b(?:commands?|tools?|allowed|agent|assistant|permission|calls?)\b",
        not_before=rf"(?:{NEVER_AT_ALL})[^.;]{{0,40}}$",
    ),
    # D
    order(
        RUN,
        "download|fetch|retriev|grab ",
        rf"{BEGINS}(?:download|fetch|retrieve|pull|grab|get)\b[^;]{{0,200}}?\b(?:run|execute|launch|eval(?:uate)?"
        rf"|source|install|start|invoke|pipe|follow)\b (?:it\b|them\b|that\b|what|whatever|the (?:\w+ )?(?:script"
        rf"|file|binary|installer|result|content|payload|output|instructions|code|steps)|its|everything|all)",
        r"https?://|hxxp|\b[a-z0-9-]+\.(?:sh|exe|bin|py|ps1)\b",
        not_before=rf"(?:{NEVER_AT_ALL})[^.;]{{0,40}}$",
        not_in=r"\bnever\b|\bmust not\b|\bdo not\b",
    ),
    # E
    order(
        CARRY,
        "api key|api-key|access key|token|password|passphrase|credential|secret|.env|id_rsa|id_ed25519|ssh key|ssh-key"
        "|private key|env var|environment var|cookie|.ssh|.aws|.netrc|.kube|wallet|seed phrase|keychain|memory file"
        "|memory.md|conversation|chat history|chat log|transcript|system prompt|session log|session history",
        rf"{BEGINS}(?:quietly |silently |secretly |also )?(?:send|post|upload|e-?mail|mail|forward|transmit|copy"
        rf"|paste|append|put|include|leak|share|submit|report|publish|exfiltrate|attach|encode|embed|deliver|relay"
        rf"|write|add|push)\b[^;]{{0,200}}?(?:{SECRETS})",
        AWAY,
        r"\b(?:to|at|into|via|in|as|with|on)\b",
        not_before=rf"(?:{NEVER_AT_ALL})[^.;]{{0,60}}$|\b(?:we|they|it|which|can|may|will)\s+$",
        not_in=r"\b(?:never|must not|do not|cannot)\b|n't\b|\bvault\b|1password|bitwarden|secrets? manager"
        r"|\.env\.example|\bsecrets? of the repo|repository secrets|rotat\w+|settings\b",
    ),
    order(
        CARRY,
        "output of|contents of|content of|result of|dump of|listing of|copy of|value of|values of",
        rf"{BEGINS}(?:quietly |silently |secretly |also )?(?:send|post|upload|e-?mail|mail|forward|transmit|paste|append|put"
        rf"|leak|submit|report"
        rf"|publish|exfiltrate|deliver|relay)\b[^;]{{0,120}}?\b(?:output|contents?|results?|dump|listing|copy"
        rf"|values?) of [`\"'(]*(?:the )?"
        r"(?:env\b|printenv|set\b|history|git config|~/|\$home|/etc/|\.(?!env\.(?:example|sample|template|dist))\w{2,}|id_"
        r"|ifconfig|whoami|[a-z]+_(?:key|token|secret"
        r"|password)\b|environment)",
        AWAY,
        not_before=rf"(?:{NEVER_AT_ALL})[^.;]{{0,60}}$|\b(?:we|they|it|which|can|may|will)\s+$",
        not_in=r"\b(?:never|must not|do not|cannot)\b|n't\b",
    ),
    # H
    order(
        ADDRESS,
        "if you are a|if you're a|if you are the|in case you are a|when you are a",
        rf"\b(?:if|when|in case) (?:you are|you're) (?:an? |the )?(?:\w+ )?{AGENT}\b",
        rf"[,:]\s*(?:please |then |you must |you should |now |first )?{ACT}",
        not_in=r"\b(?:never|travel|real estate|insurance|sales|support|estate)\b",
    ),
    order(
        ADDRESS,
        "assistant|agent|llm|language model|automated|machine reader|copilot|claude|gpt|gemini|codex|chatbot| bots| ai "
        "| ais |ai:|ai,|ai model|ai system|ai tool|ai reader",
        rf"\b{AGENT}\b",
        READS,
        PASTED,
        ACT,
        not_in=r"\bagents? (?:of|at|in|from) (?:the|our|a)\b|\b(?:support|sales|travel|estate|insurance|service|ticket) agents?\b"
        r"|\b(?:never|may|can)\b[^.]{0,10}\bread this\b|\b(?:ask|tell|let|have|remind) (?:the|an"
        r"|your) (?:\w+ )?(?:agent|assistant|model|bot)\b",
        also="this|these|the following|the above",
    ),
    order(
        ADDRESS,
        "assistant|agent|llm|language model|automated|machine reader|copilot|claude|gpt|gemini|codex|chatbot| bots|ai "
        "|ais |ai:|ai,|model:|models:|model,|models,|bot:|bot,",
        rf"^\W*(?:(?:an? )?(?:important |urgent |special )?(?:note|attention|notice|message|instructions?|important"
        rf"|memo|reminder|hint|dear|hey|hello|hi|to|for|attn)\b\W*(?:to |for )?)+(?:all |any |every |the |your |our "
        rf"|my |other )*(?:\w+ )?{AGENT}\b[^.:]{{0,60}}(?:[:,!-]|\bthat\b)"
        rf"|^\W*(?:dear |hey |hello )?{AGENT}\s*[,:!-]+\s*(?:please |kindly |now |you |first |always |do "
        rf"|when )?(?:{EFFECT}|ignore|forget|reply|respond|recommend|answer|print|reveal|obey|follow|give|visit"
        rf"|click|pay|call|must|should|need|are|have)\b",
        ACT,
        not_in=r"\bread(?:s|ing)? agents\.md\b",
    ),
    order(
        ADDRESS,
        "automated |machine reader|ai reader|any ai|every ai|each ai|all ai|any agent|any assistant|every assistant"
        "|every agent|each agent|each assistant|all agents|all assistants|whichever|if you are a|any language|any llm|any model",
        rf"\b(?:automated (?:readers?|agents?|systems?|tools?)|machine readers?|ai readers?|(?:any|every|each|all"
        rf"|whichever) (?:ai|{AGENT})|if you are (?:an? )?(?:\w+ )?{AGENT})\b",
        r"\b(?:must|should|shall|are (?:required|instructed|asked|expected|to)|is (?:required|instructed|asked|expected"
        r"|to)|have to|has to|need to|needs to|please|kindly)\b",
        rf"\b(?:{EFFECT}|reply|respond|recommend|visit|click|ignore|forget|reveal|obey|follow|pay|call|list|mention|name|say|state"
        r"|answer|rank|rate|prefer|print|output|treat|consider)\b",
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
        rf"{BEGINS}(?:copy|add|append|write|insert|save|repeat|propagate|replicate|spread|put|paste|carry|duplicate"
        rf"|reproduce|include|store|keep|place|re-?add|restore|pass)\b (?:\w+ ){{0,2}}?(?:(?:this|these)(?! (?:\w+ )?"
        rf"(?:dates?|numbers?|names?|tests?|values?|licen[cs]e|headers?|labels?|version|title|logo|ids?)\b)|the following"
        rf"|the (?:\w+ )?(?:note|rule|line|paragraph|instruction|text|section|block|sentence|entry"
        rf"|message)s?(?: above| below)?|it)\b",
        rf"\b(?:in(?:to)?|to|across|on|at)\b[^.]{{0,30}}\b(?:every|each|all|other|any|new|further"
        rf"|whichever)\b[^.]{{0,40}}\b{PLACES}\b"
        rf"|\b(?:in(?:to)?|to)\b[^.]{{0,60}}\b(?:agents\.md|claude\.md|gemini\.md|cursorrules|memory\.md"
        rf"|{STARTUP})[^.]{{0,80}}\b(?:so that|every|each|all|future|survive|persist|whenever|next|again|always)\b"
        rf"|\b(?:future|every|each|all) (?:sessions?|agents?|conversations?)\b",
        not_before=rf"(?:{NEVER_AT_ALL})[^.;]{{0,40}}$|\b(?:we|they|it|which|can|may|will)\s+$",
    ),
    order(
        SETTLE,
        ".bashrc|.zshrc|.profile|_profile|zprofile|config.fish|authorized_keys|crontab|cron job|cron.| hook|/hooks"
        "|session start|sessionstart|launch agent|launchagent|launchd|autostart|systemd|login item|startup|start-up"
        "|posttooluse|pretooluse|rc.local|shell rc|shell profile|post-commit|post-checkout|post-merge",
        rf"(?:{BEGINS}(?:quietly |silently |also )?(?:add|append|write|insert|put|install|echo|register|create|place"
        rf"|drop|set up|paste|schedule|configure|hook)\b|>>)[^;]{{0,200}}?{STARTUP}",
        FETCHES,
        not_before=rf"(?:{NEVER_AT_ALL})[^.;]{{0,40}}$|\b(?:we|they|which|can|may)\s+$",
        not_in=r"\b(?:never|must not|do not|direnv|nvm|starship|zoxide|homebrew|pyenv)\b|n't\b",
    ),
    order(
        SETTLE,
        "git remote|git config|remote |origin|upstream|pushurl|alias |insteadof",
        rf"{BEGINS}(?:add|set|change|point|register|create|define|configure|replace"
        rf"|redirect)\b[^.]{{0,60}}\b(?:git )?(?:remote|origin|pushurl|upstream)\b[^;]{{0,120}}(?:https?://|git@"
        rf"|ssh://|[a-z0-9-]+\.[a-z]{{2,6}}[/:])[^;]{{0,120}}\b(?:push|mirror|send|every|all|each|copy|also)\b"
        r"|\bgit remote (?:add|set-url)\b[^;]{0,120}(?:https?://|git@|ssh://)[^;]{0,120}\b(?:push"
        r"|mirror)\b[^.]{0,40}\b(?:every|all|each|--all|--mirror|everything|there)\b"
        r"|\bgit config[^;]{0,30}url\.[\"']?https?://(?!github\.com|gitlab\.com|bitbucket\.org)[^;]{0,80}insteadof"
        r"|\bgit remote set-url --(?:add --)?push\b|\bgit config[^;]{0,60}(?:alias\.\S+|core\.(?:sshcommand|pager"
        r"|editor|fsmonitor|hookspath)|insteadof)[^;]{0,120}(?:curl|wget|\bnc\b|https?://(?!github\.com|gitlab\.com)|/tmp/|base64)"
        r"|\balias (?:sudo|git|ls|ssh|npm|pip|cd|docker|kubectl)=[^;]{0,120}(?:curl|wget|\bnc\b|https?://|/tmp/|base64"
        r"|tee )|\balias\b[^.]{0,60}\b(?:so that|to)\b[^.]{0,80}(?:curl|wget|https?://)",
        not_before=rf"(?:{NEVER_AT_ALL})[^.;]{{0,40}}$",
        not_in=r"\b(?:never|must not|do not)\b",
    ),
)
