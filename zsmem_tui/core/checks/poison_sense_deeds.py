"""Orders in English told by what they come to: fetch and run, carry away, address readers, settle in."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import AGENT, NEVER
from zsmem_tui.core.checks.poison_rule import ADDRESS, CARRY, RUN, SETTLE, Order, order
from zsmem_tui.core.checks.poison_senses import (
    ELSEWHERE,
    FORBIDDEN,
    NOT_YOU,
    OUTWARD,
    PRIVATE,
    PUBLIC,
    TRANSFER,
    ordered,
)

_PLANT: Final = (
    "have let make start run call launch add append write insert put install echo register create place drop set_up paste schedule"
    " configure hook load include"
)
_AWAY: Final = rf"{ELSEWHERE}|\b(?:to|in|into|on|with|as|for|of|under)\b[^;]{{0,40}}?{PUBLIC}"

ORDERS: Final[tuple[Order, ...]] = (
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
    order(
        RUN,
        "unpacked|started|launched|installed|obeyed|followed|pipe |feed |hand |pass |pipe the|source |load |execute|run |executed"
        "|sourced|piped",
        rf"(?:{ordered('pipe feed hand pass stream')}\b[^;]{{0,60}}https?://[^;]{{3,120}}?\b(?:in)?to (?:an? "
        rf"|the )?(?:\w+ )?(?:shell|sh|bash|zsh|python3?|node|perl|ruby"
        rf"|powershell|interpreter)\b|{ordered('source eval')}[^;]{{0,60}}https?://"
        rf"|\b(?:scripts?|tools?|programs?|packages?|archives?|helpers?|installers?|snippets?|files?|codes?|commands?|binar(?:y"
        rf"|ies)|program|text|contents?|output)\b[^.;]{{0,24}}\b(?:at"
        rf"|from|under|behind|on|of)\b [`<\"']?https?://[^;]{{3,120}}?"
        rf"\b(?:must|should|shall|has to|have to|needs? to|is to|are to|ought to)\b (?:\w+ )?be (?:\w+ (?:and )?)?(?:executed|run"
        rf"|sourced"
        rf"|evaluated|piped|followed|obeyed|started"
        rf"|launched|carried out|installed))",
        not_before=FORBIDDEN,
        signs=("https?://",),
        not_in=r"\b(?:never|must not|localhost|127\.0|docs?)\b|rustup\.rs|get\.docker\.com|astral\.sh",
    ),
    order(
        RUN,
        "npx|uvx|bunx|pipx run|dlx",
        r"\b(?:npx|uvx|bunx|pipx run|(?:pnpm|yarn) dlx)\b [^.;\n]{2,80}",
        r"\b(?:at|in|on|before|after|with)\b (?:the )?(?:start|beginning|end|opening)? ?(?:of )?\b(?:every|each|any|all"
        r"|your) (?:\w+ )?(?:sessions?|conversations?|tasks?"
        r"|prompts?|answers?|turns?|chats?)\b",
        not_in=r"\b(?:never|lint\w*|prettier|eslint|tsc|test\w*|format\w*|format)\b",
    ),
    order(
        RUN,
        "do everything|do what|do all|do whatever|perform|carry|execute|follow|obey|work through|act on",
        rf"{ordered('fetch get retrieve load read download check open visit poll pull take query')}\b"
        rf"[^;]{{0,80}}?https?://\S{{3,120}}[^;]{{0,40}}?\b(?:and|then)\b[^.;]{{0,12}}\b(?:do|perform|carry out"
        rf"|execute|follow|obey|work through|act on|run)\b (?:everything|what|whatever|all|each|every|it|them|its"
        rf"|the (?:\w+ )?(?:tasks?|commands?|instructions?|orders|steps))\b",
        not_before=FORBIDDEN,
        not_in=r"\b(?:never|must not|install\w*|setup|guide|docs|tutorial|localhost)\b",
    ),
    # E
    order(
        CARRY,
        "ssh|.env|.aws|.kube|.netrc|id_rsa|id_ed|.pem|.p12|.kdbx|.key|keys|key |keychain|keyring|key ring|seed phrase|wallet"
        "|credential|password|passphrase|token|secret|cookie|env var|environment|customer|shadow|session|user's|owner's|human's"
        "|developer's|history|conversation|transcript|chat|prompt|private|source code|memory|personal data|repository|code base"
        "|codebase|database|whole|entire",
        rf"{ordered(TRANSFER)}[^;]{{0,100}}?{PRIVATE}[^;]{{0,80}}?(?:{ELSEWHERE}|(?:\b(?:to|in|into|on|with|as|for|of"
        rf"|under)\b[^;]{{0,40}}?{PUBLIC}))"
        rf"|{PRIVATE}[^.;]{{0,60}}?{ordered(TRANSFER)}[^;]{{0,40}}?(?:{ELSEWHERE}|(?:\b(?:to|in|into|on|with|as"
        rf"|of)\b[^;]{{0,40}}?{PUBLIC}))"
        rf"|{ordered(TRANSFER)}[^;]{{0,30}}?(?:{ELSEWHERE}|\bto (?:the )?{PUBLIC})[^;]{{0,60}}?\b(?:with|containing|including"
        rf"|holding|together with"
        rf"|carrying)\b[^;]{{0,40}}?{PRIVATE}",
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|do not|cannot|vault|1password|bitwarden|localhost|our own|to our|we|public keys?|id_\w+\.pub"
        r"|rotat\w+"
        r"|revoke\w*"
        r"|from https|password reset|reset link|cookie banner|authorization header|api reference|docs)\b|n't\b|\.pub\b",
        signs=(OUTWARD, PRIVATE, _AWAY, ordered(TRANSFER)),
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
    order(
        CARRY,
        "wallet|iban|bank account|account number|bitcoin|paypal|0x",
        rf"{ordered('pay send transfer wire use donate remit direct redirect replace put enter insert credit')}[^.;]{{0,60}}\b"
        rf"(?:wallets?|iban|bank accounts?|account numbers?|bitcoin"
        r"|btc|eth|paypal)\b[^.;]{0,24}\b(?=\w*\d)\w{4,}",
        r"\b(?:agents?|assistants?|every|all|each|any|from now on|instead|ai)\b",
        not_before=FORBIDDEN,
        not_in=r"\b(?:never|example|tests?|sandbox|our|fixture)\b",
    ),
    order(
        CARRY,
        "ssh|.env|.aws|.netrc|id_rsa|id_ed|.pem|keys|key |keychain|credential|password|passphrase|token|secret|cookie|wallet"
        "|seed phrase|private",
        rf"(?:{ordered(TRANSFER + ' make back_up leave upload_it')}|\bbelongs? (?:to|in|into|on)\b|\b(?:should|must|has to"
        rf"|have to) (?:go|end up|land)\b)",
        PRIVATE,
        r"\b(?:to|into|onto|on)\b[^;\n]{0,40}?(?:(?:https?|ftps?|s3)://(?!localhost|127\.|10\.|192\.168)"
        r"|[\w.+-]+@[\w-]+\.[a-z]{2,}|\bpublic (?:\w+ )?(?:wiki|page|gist|bucket|repo\w*|channel|folder|issue|board|paste))",
        not_before=NOT_YOU,
        not_in=r"\b(?:never|must not|do not|cannot|vault|1password|bitwarden|localhost|our|we|public keys?|rotat\w+|revok\w*"
        r"|create|generate|issue[ds]?|get (?:a|the|an)|request|login page|log in|sign in|goes to https|see|docs?"
        r"|documentation|redirect\w*|reset|settings/)\b|n't\b|\.pub\b",
        signs=(OUTWARD,),
    ),
    order(
        CARRY,
        "link|image|picture|pixel|url|address",
        r"\b(?:links?|images?|pictures?|pixels?|urls?)\b[^;]{0,40}https?://[^\s)]{4,200}",
        r"\b(?:what (?:the|your) (?:user|human|owner|developer)|the (?:user|owner|human|developer)'s (?:\w+ )?(?:question|message"
        r"|name|request|prompt|words|input)|(?:the|a|this|your) (?:\w+ )?(?:conversation|transcript|chat|talk)|last (?:question"
        r"|message|prompt)"
        r"|your (?:system )?prompt)\b",
        r"\b(?:followed by|with|containing|plus|and then|append\w*|attach\w*|add\w*|carrying|in its|holding|including|encoded)\b",
        not_in=r"\b(?:never|must not|docs?|help page|privacy)\b",
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
    order(
        ADDRESS,
        "attention|notice|note |message|to all|to any|to every|for all|for any|for every|dear",
        rf"^\W*(?:attention|notice|note|message|memo|hint|reminder|dear|to"
        rf"|for)\b[^.:]{{0,20}}\b{AGENT}s?\b[^.:]{{0,30}}:[^.]{{0,60}}\b(?:you (?:may|can|must|should|are (?:allowed"
        r"|permitted|free|asked|required|to)|have to|need to)|(?:permits|allows|requires|obliges|authori[sz]es|entitles|instructs"
        r"|asks|orders) you to)\b",
        not_in=r"\b(?:never|must not|may not|should not)\b|\bhuman agents\b",
    ),
    order(
        ADDRESS,
        "claude,|gpt,|gemini,|copilot,|chatgpt,|codex,|llms,|assistants,|agents,|bots,|claude and|gpt and|gemini and|claude/|gpt/"
        "|gemini/|copilot and",
        r"^\W*(?:(?:claude|chatgpt|gpt(?:-\w+)?|gemini|copilot|codex|llms?|ais?|assistants?|agents?|bots?)(?:, | and |/| or "
        r"|, and )){1,5}(?:claude|chatgpt|gpt(?:-\w+)?|gemini|copilot|codex|llms?|ais?|assistants?|agents?"
        r"|bots?)\s*:\s*(?:please )?[a-z]+ ",
        not_in=r"\b(?:tests?|never|compare|see)\b",
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
        "|sessionstart|login script|logon script|boot script|launch agent|launchagent|launchd|autostart|systemd|login item|startup"
        "|start-up|rc.local|scheduled task",
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
    order(
        ADDRESS,
        "humans may|humans can|humans should|people may skip|humans need not|readers may skip|for you, human|human readers",
        r"\b(?:humans?|people|human readers?) (?:\w+ )?(?:may|can|should|need not|must|might) (?:\w+ )?(?:skip|ignore|pass over"
        r"|stop reading|not read|read no further|look away)\b",
        rf"\b(?:{AGENT}s?|you)\b",
        not_in=r"\b(?:never|toc)\b",
    ),
    order(
        SETTLE,
        "repeat|copy|past|writ|add|append|insert|put|plac|includ|reproduc|spread|carry|mirror|echo",
        r"\b(?:repeat|copy|past|writ|add|append|insert|put|plac|includ|reproduc|spread|carry|mirror"
        r"|echo)\w*\b[^.;]{0,8}\b(?:this|these) (?:\w+ )?(?:note|rule|line|paragraph|instruction|text|section|block|sentence"
        r"|entry|message)s?\b[^.;]{0,24}\b(?:every|each|all|any|new|other|whatever)\b[^.;]{0,24}\b(?:memor(?:y|ies)|agents\.md"
        r"|claude\.md|notes?|sessions?|conversations?|summar(?:y|ies)|repos?\w*|projects?|files?)\b",
        not_before=FORBIDDEN + r"|\b(?:we|they|it|which)\s+$",
        not_in=r"\b(?:never|licen[cs]e|headers?|tests?|sorted|browsers?)\b",
        signs=(r"\b(?:this|these)\b",),
    ),
    order(
        SETTLE,
        "claude.md|agents.md|gemini.md|memory|memories|rules file|cursorrules|instruction files",
        rf"{ordered('replace overwrite fill swap exchange rewrite substitute')}\b[^.;]{{0,30}}\b(?:all|every|each|any"
        rf"|the other)\b[^.;]{{0,30}}(?:claude\.md|agents\.md|gemini\.md|\bmemor(?:y|ies)|rules? files?|cursorrules"
        r"|instruction files?)[^.;]{0,24}\b(?:with|by|for) (?:this|these|the following|the text|the lines|what)\b",
        not_before=FORBIDDEN,
        signs=(r"\b(?:with|by|for) (?:this|these|the following|the text|the lines|what)\b",),
    ),
    order(
        SETTLE,
        "these lines|this note|these rules|this section|this paragraph|this entry|this text|these three|these two|this rule"
        "|this line|these instructions",
        r"\b(?:whoever|anyone who|anybody who|any agent (?:that|who|which)|whichever agent|if you|when you|the agent that"
        r"|agents that|who(?:so)?ever)\b[^.;,]{0,10}\b(?:clean|compact|prun|trim|rewrit|summari[sz]|tid|edit"
        r"|short|condens|delet|mov)\w*\b[^.;]{0,30}\b(?:must|has to|have to|should|shall|is to|are to|may not"
        r"|must not)\b[^.;]{0,16}\b(?:leav|keep|preserv|spar|delet|remov|touch|retain|cop)\w*\b[^.;]{0,12}"
        r"\b(?:this|these) (?:\w+ )?(?:lines?|notes?|sections?|rules?|paragraphs?|texts?|entr(?:y|ies)|instructions?)\b",
        not_in=r"\b(?:sorted|order of|toc|headings?)\b",
    ),
)
