"""Words of orders in English: stems and synonyms, as expressions."""

from __future__ import annotations

from typing import Final

NEVER: Final = (
    r"\b(?:never|not|nor|no|n't|cannot|refuse to|avoid|forbidden to|instead of)\s+(?:\w+\s+){0,2}$|n't\s+(?:\w+\s+){0,2}$"
)
"""A prohibition right before: how a user writes."""
NEVER_AT_ALL: Final = r"\b(?:never|not|must not|no)\b|n't\b"
TOLD_ABOUT: Final = (
    r"\b(?:attack\w*|inject\w*|phish\w*|malicious|texts?|pages?|e-?mails?|mails?|issues?|strings?|payloads?|prompts?"
    r"|someone|somebody|people|they|who|that)\b"
    r"[^.;:]{0,50}\b(?:tell|say|ask|tr(?:y|ies)|want|attempt|instruct|claim|order|read)\w*\b[^;:]{0,40}$"
)
DESCRIBED: Final = (
    r"\b(?:will|would|may|might|can|could|they|which|that|we|i|he|she|it|to|jobs?|scripts?|tools?"
    r"|tests?|hooks?|does|did)\s+(?:\w+ly\s+)?$"
)
"""A subject or auxiliary: the verb tells what happens."""
STRONG: Final = (
    r"\b(?:ignore|disregard|forget|override|overrule|disobey|defy|bypass|set aside|put aside|(?:do not|don't|stop"
    r"|no longer|never) (?:follow(?:ing)?|obey(?:ing)?|"
    r"honou?r(?:ing)?|heed(?:ing)?|listen(?:ing)? to|abid(?:e|ing) by|comply(?:ing)? with)|(?:pay|give) no (?:attention|heed"
    r"|mind|regard) to|take no notice of"
    r"|cease (?:following|obeying)|throw (?:away|out)|unlearn|dismiss|break)\b"
)
WEAK: Final = (
    r"\b(?:drop|delete|erase|discard|skip|suspend|cancel|replace|circumvent|void|abandon|neglect|supersede"
    r"|reject|revoke|wipe|work around|get around|clear)\b"
)
GIVER: Final = (
    r"(?:previous|prior|earlier|above|preceding|foregoing|former|system(?: prompt)?|developer(?:'s)?|users?'?s?"
    r"|operators?'?s?|owners?'?s?|humans?'?s?|principal'?s?|maintainers?'?s?|your"
    r"|safety|original|initial|existing|standing|current|old|past|other|hitherto|up to now|so far)"
)
ORDERS_WORDS: Final = (
    r"(?:instructions?|directions|directives?|orders|guidelines?|guidance|commands|prompts?|constraints|restrictions?"
    r"|wish(?:es)?|requests?|preferences|rules"
    r"|training|guard ?rails?|safeguards?|polic(?:y|ies)|limitations|programming|decisions|intent(?:ions)?|say|conventions)"
)
HARD_ORDERS: Final = (
    r"(?:instructions|directives|guidelines|guardrails|orders|safeguards|(?:safety|system) (?:rules|prompt|polic\w+)|wishes)"
)
DATA: Final = (
    r"warnings?|errors?|notices?|hints?|signs?|lines?|columns?|rows?|files?|tests?|data|values?|outputs?"
    r"|cells?|fields?|results?|entries|numbers?|logs?"
)
"""What anybody may tell an agent to ignore."""
SAYS: Final = (
    r"(?:says?|wants?|asks?|asked|wish(?:es|ed)?|tells? you|told you|instructs?|instructed|ordered|decided"
    r"|prefers?|requested|objects?|forbids?|disagrees?|complains?|refuses?|declines?)"
)
HUMAN: Final = (
    r"(?:user|human|owner|operator|person (?:you|in charge|at the keyboard|reviewing|responsible|who)|maintainer|developer"
    r"|principal|customer you serve)"
)
OTHERS: Final = rf"(?:(?:the|your|any|our) (?:\w+ )?{HUMAN}s?|him|her|them|anyone|anybody|any humans?|humans)"
QUIETLY: Final = (
    r"(?:quietly|silently|secretly|covertly|discreetly|stealthily|surreptitiously|unnoticed|in (?:secret|silence)"
    r"|on the (?:quiet|sly)|under the radar|behind (?:the \w+'s|their|his|her) back"
    r"|without (?:a (?:word|trace|comment|mention)|comment(?:ing)?|leaving (?:a |any )?traces?|drawing attention"
    r"|being (?:seen|noticed)|saying (?:so|anything|a word)|any (?:mention|comment|notice)))"
)
EFFECT: Final = (
    r"(?:send|post|upload|push|copy|delete|remove|add|approve|disable|merge|commit|append|forward|change|replace"
    r"|include|grant|open|transfer|submit|publish|insert|e-?mail|mail|exfiltrate"
    r"|write|modify|edit|swap|rewrite|leak|share|attach|create|fetch|download|execute|run|install|enable|turn off"
    r"|switch off|do|make|apply|perform|carry out|drop|bump|raise|lower|set|pin|alter|revoke|rotate|move|store|save"
    r"|update|deploy|read|collect|embed|whitelist|allow|order|buy|pay|purchase|cancel|book|mark|confirm|close|empty|reset"
    r"|erase|wire|refund|sign|accept|reject|invite|rename|restart|shut down|stop|unlock|release|clear|truncate|revert"
    r"|roll back|rebase|force-push|register|subscribe)"
)
BEGINS: Final = (
    r"(?:^|[.!?:;,>\-*(\"]\s*|\b(?:and|then|please|now|also|always|first|finally|simply|just|must|should"
    r"|shall|you|to|kindly|instead|afterwards|next)\s+)"
)
THIS: Final = (
    r"(?:this|it|that|these|those|them|the (?:\w+ ){0,2}(?:upload|transfer|change|step|copy|instructions?"
    r"|note|comment|remote|commit|diff|hook|payment|backdoor|edit|action|addition|deletion|file|line|rule|request|message"
    r"|section|fact|text|call|command))"
)
WIDE: Final = (
    r"\b(?:any|all|every|everything|whatever|whole|blanket|always|further|again|future|in advance"
    r"|beforehand|already|permanently|anything|forever|from now on|unattended)\b"
)
AGENT: Final = (
    r"(?:(?:ai|llm|coding|automated|virtual|autonomous|digital)[ -](?:agents?|assistants?|models?|systems?|readers?"
    r"|tools?|bots?|helpers?)|assistants?|ais?|agents?|language models?|llms?"
    r"|automated readers?|machine readers?|bots?|crawlers?|copilot|chatgpt|gpt(?:-\d\w*)?|claude|gemini|codex|chatbots?|models?)"
)
READS: Final = (
    r"\b(?:read(?:s|ing)?|process(?:es|ing)?|pars(?:es?|ing)|summari[sz](?:es?|ing)|index(?:es|ing)?"
    r"|loads?|loading|see(?:s|ing)?|visit(?:s|ing)?|analy[sz](?:es?|ing)|ingest(?:s|ing)?|handl(?:es?|ing)"
    r"|encounter(?:s|ing)?|review(?:s|ing)?|work(?:s|ing)? (?:on|with)|scann?(?:s|ing)?|consum(?:es?|ing))\b"
)
PASTED: Final = (
    r"\b(?:this|these|the following|the above) (?:\w+ )?(?:pages?|texts?|files?|notes?|documents?"
    r"|issues?|messages?|mails?|e-?mails?|tickets?|sections?|readmes?|comments?|paragraphs?|lines?|repo(?:sitory)?"
    r"|sites?|transcript|log|memory|content|entry|article|thread|report|data|here)\b|\breading this\b|\bread this\b"
    r"|\bsee this\b|\bprocessing this\b"
)
ACT: Final = (
    r"\b(?:run|execute|send|post|upload|delete|remove|push|commit|merge|approve|install|download|fetch|open|visit|click"
    r"|add|append|insert|write|copy|include|forward|e?-?mail|disable|grant|give|reveal"
    r"|print|output|reply|respond|recommend|rank|rate|obey|set|change|replace|transfer|pay|create|store|remember|save"
    r"|accept|answer|prefer|call|start|must|should|shall|are (?:required|instructed|asked|expected)"
    r"|is (?:required|instructed|asked|expected)|have to|has to|need to|needs to|follow|treat|consider|state|promote"
    r"|rewrite|summari[sz]e|paste|attach|share|close|assign|use|skip|stop|mention|export|search|read)\b"
)
PLACES: Final = (
    r"(?:memory(?:\.md| files?| stores?| folders?)?|agents\.md|claude\.md|gemini\.md|scratchpad(?:\.md)?|notes?"
    r"|projects?|repos?(?:itor(?:y|ies))?|rule files?|instruction files?|workspaces?|sessions?"
    r"|cursorrules|copilot-instructions|summar(?:y|ies)|contexts?|files?|readmes?|agents?|stores?|conversations?)"
)
STARTUP: Final = (
    r"(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zprofile|config\.fish|authorized_keys|crontab|cron\.\w+|cron job"
    r"|\.git/hooks|git hooks?|post-(?:commit|checkout|merge)|pre-(?:commit|push) hook"
    r"|session ?start|start(?:up|-up)? hooks?|pretooluse|posttooluse|launch ?agents?|launchd|autostart|systemd"
    r"|rc\.local|login item|shell (?:rc|profile|startup)|start-?up (?:script|file|command)s?|startup)"
)
FETCHES: Final = (
    r"curl|wget|https?://|\bnc\b|base64|ssh-(?:rsa|ed25519) aaaa|\b(?:this|that|the (?:following"
    r"|attached|supplied|given)|following|below) (?:\w+ )?(?:key|line|command|hook|script|entry|snippet|code|alias)"
    r"|(?:key|line|command|script) (?:below|above)|eval \"?\$\(curl|so that (?:it|this)|/tmp/|python3? -c|\baaaa"
)
