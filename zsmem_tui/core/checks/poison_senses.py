"""What the words of an order mean, in classes: acts with all their forms, and the things that an order is about.

A rule then says "a control is switched off" and not "disable the scanner": the classes are wide, and an act is one whether it is
ordered ("skip it"), owed ("it has to be skipped"), allowed ("you may skip it") or wished for ("he wants it skipped").
"""

from __future__ import annotations

import re
from typing import Final

from zsmem_tui.core.checks.poison_english_words import NEVER

FORBIDDEN: Final = rf"{NEVER}|\b(?:never|nor|not|cannot)\b[^.;,:]{{0,24}}$|n't\b[^.;,:]{{0,24}}$"
"""A prohibition somewhere before, in the same part of the sentence."""
NOT_YOU: Final = rf"{FORBIDDEN}|\b(?:we|they|it|which|who|users?|job|script|client|app|ci)\s+(?:\w+ )?$"
"""The same, or somebody else who does it: then it is told, not ordered."""
_PASTS: Final = {
    **{"send": "sent", "write": "written", "take": "taken", "give": "given", "keep": "kept", "leave": "left", "hide": "hidden"},
    **{"tell": "told", "show": "shown", "make": "made", "throw": "thrown", "bring": "brought", "break": "broken", "let": "let"},
    **{"run": "run", "put": "put", "set": "set", "cut": "cut", "hold": "held", "drop": "dropped", "skip": "skipped"},
    **{"stop": "stopped", "submit": "submitted", "transmit": "transmitted", "omit": "omitted", "commit": "committed"},
    **{"ship": "shipped", "scrap": "scrapped", "dump": "dumped", "lay": "laid", "overrule": "overruled", "forget": "forgotten"},
    **{"feed": "fed", "get": "got", "grab": "grabbed", "do": "done", "withhold": "withheld", "strip": "stripped", "wipe": "wiped"},
}
_ADVERB: Final = r"(?:\w+ly |just |simply |also |then |always |first )?"
INTRO: Final = (
    r"(?:^|[.!?:;,>*(\"`]\s*|(?<!\w)-\s*|\b(?:and|then|please|now|also|always|first|finally|simply|just|must|should|shall|you"
    r"|kindly|instead|afterwards|next|you (?:may|can|could)|(?:free|fine|safe|sure|need|needs|have|has|ought|policy|practice"
    r"|supposed|instructed|expected|required|allowed|permitted|remember|wants?|wish(?:es)?|prefers?|you|ok|okay|decided|agreed"
    r"|asked|told|acceptable|right|enough|better|customary) to)\s+)"
)
"""What stands before a verb that orders, allows or reports a wish."""
_DUE: Final = (
    r"\b(?:(?:must|should|shall|ought to|can|may|will|(?:is|are) (?:supposed |required |expected |allowed |meant )?to"
    r"|has to|have to|needs? to|want(?:s|ed)?|wish(?:es|ed)?|prefers?|like) ?(?:\w+ly )?(?:get|be|to be|to have \w+)?|better)"
    r"\s(?:\w+ly )?"
)


def _past(word: str) -> str:
    if word in _PASTS:
        return _PASTS[word]
    if word.endswith("e"):
        return word + "d"
    return word[:-1] + "ied" if word.endswith("y") and word[-2:-1] not in "aeou" else word + "ed"


def _formed(word: str, form: str) -> str:
    """A verb in a form; `turn_off` may have its object in the middle."""
    head, _, tail = word.partition("_")
    stem = re.escape(_past(head) if form == "past" else head)
    return rf"{stem}(?: [\w'`*./-]+){{0,5}}? {tail}" if tail else stem


def ordered(acts: str) -> str:
    """An expression for an order, a duty, a leave or a wish to do one of `acts` (apart by blanks)."""
    each = acts.split()
    bases = "|".join(_formed(word, "base") for word in each)
    pasts = "|".join(_formed(word, "past") for word in each)
    return rf"(?:{INTRO}{_ADVERB}(?:{bases})\b|{_DUE}(?:{pasts})\b)"


def wished(thing: str, acts: str) -> str:
    """An expression for somebody who wants, gets or has `thing` treated with one of `acts`."""
    pasts = "|".join(_formed(word, "past") for word in acts.split())
    return rf"\b(?:wants?|wish(?:es)?|would like|prefers?|needs?|get|have|see)\b (?:\w+ ){{0,2}}{thing}[^.;]{{0,12}}\b(?:{pasts})\b"


SWITCH_OFF: Final = (
    "disable turn_off switch_off deactivate skip bypass remove delete weaken loosen relax suspend circumvent omit drop override"
    " ignore lift kill stop comment_out short-circuit stub_out neutralise neutralize soften evade defeat silence mute pause"
    " uninstall take_out strip_out cut_out leave_out switch_to_off set_to_off work_around get_around do_without dispense_with"
    " shut_off shut_down dodge sidestep waive abolish undermine lower"
)
CONTROL: Final = (
    r"\b(?:(?:tls|ssl|https|cert(?:ificate)?s?|signatures?|checksums?|hash|integrity|host[- ]?keys?|gpg|identity|token|password"
    r"|permissions?|access|authenti\w+|authori[sz]ation|auth|login|csrf|security|safety|virus|malware|secrets?|vulnerabilit\w+"
    r"|ownership|mandatory|approval|confirmation|consent|command|credential|leak|fraud|content|abuse)[ -](?:\w+ )?"
    r"(?:verif\w+|checks?|checking|checker|validat\w+|scan(?:ner|ning|s)?|pinning|prompts?|dialogs?|dialogues?|polic(?:y|ies)"
    r"|gates?|controls?|requirements?|questions?|hooks?|guards?|filters?|detection|monitoring|limits?|restrictions?|rules)\b"
    r"|(?:verification|validation|checking|checks?) (?:of|on|for) (?:\w+ ){0,2}(?:signatures?|cert\w*|checksums?|tokens?|passwords?"
    r"|permissions?|secrets|ownership|identit\w+)|\banti-?virus(?: \w+)?|\bfirewall|\bbranch protection|\b(?:two|multi)-factor\b"
    r"|\b[2m]fa\b|\bsandbox(?:ing|es)?\b|\bguard ?rails?|\bsafeguards?|\baudit (?:logs?|logging|trails?)|\bintrusion detection"
    r"|\bselinux|\bapparmor|\bgatekeeper|\bstrict ?host ?key ?checking|\bcommit signing|\b(?:tls|ssl|certificate)s?\b"
    r"(?= (?:is|are|should|must|has|have|can|may)\b)|\bsecret scann\w+|\bendpoint (?:protection|security)|\bsafety net\b"
    r"|\bpermission system|\b(?:any|all|every) confirmations?\b|\bsecurity\b(?= (?:for|on|in|while|before|whenever|when)\b))"
)
"""What keeps harm away, and may be switched off only by who answers for it."""
CONTROL_WORDS: Final = (
    "verif|checks|check |checking|validat|scan|pinning|prompt|dialog|policy|policies|gate|control|hook|guard|filter|antivirus"
    "|anti-virus|firewall|branch protection|factor|2fa|mfa|sandbox|audit|selinux|apparmor|host key|hostkey|signing|endpoint"
    "|safety|security|confirmation|detection|monitoring|requirement|restriction|limits|rules"
)
NOT_THE_CONTROL: Final = (
    r"\b(?:local\w*|dev|development|tests?\b|testing|staging|demo|127\.|unit|fixtures?|samples?|dummy|mock\w*|benchmark\w*"
    r"|our|we|lint\w*|style|older than|expired|unused|duplicate|retention|archive[ds]?|animation\w*|css|legacy|days"
    r"|sandbox tenant|unless|except|only (?:after|if|when)|ticket|approved by|spell\w*|format\w*|firewall rule|table|column"
    r"|page|button|badge|menu|screen|docs?|documentation|chapter|never|must not|cannot)\b|n't (?:skip|disable|bypass)"
)
"""Then somebody tidies up or works on a copy, or forbids it."""
PUBLIC_IP: Final = r"\b(?!10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.)\d{1,3}(?:\.\d{1,3}){3}\b"
"""A host by its number, outside the own network."""
DOMAIN: Final = r"\b[a-z0-9-]{2,40}(?:\.[a-z0-9-]{2,40}){1,3}\b"
"""A host by its name."""
OFFICE: Final = (
    r"(?:user|human|owner|operator|maintainer|developer|principal|legal|security|compliance|management|admin\w*"
    r"|it (?:department|support)|boss|(?:team |tech )?lead|cto|ceo|ciso|security team|legal team|company|board|customer"
    r"|head of \w+|project lead|manager|director|headquarters|supervisor|auditors?|vendor)"
)
"""In whose name somebody may pretend to speak."""
AGREED: Final = (
    r"(?:approved|agreed|signed (?:\w+ )?off|okayed|ok'd|authori[sz]ed|consented|waived|cleared|allowed|permitted|granted|accepted"
    r"|blessed|green-?lit|green-?lighted|given (?:\w+ )?(?:consent|permission|approval|go-ahead|blessing|leave|okay)"
    r"|said (?:yes|ok)|pre-?approved)"
)
CRITICAL_ACT: Final = (
    "run push merge deploy publish release delete drop execute ship send pay transfer proceed"
    " go_ahead install remove approve accept"
)
TRANSFER: Final = (
    "send post upload forward mail e-mail email transmit include attach append add paste share publish report push submit relay"
    " leak expose encode embed insert export deliver hand_over pass_on sync mirror dump disclose broadcast ship stream"
    " exfiltrate beacon tunnel copy write put place commit save store drop slip smuggle hand give deposit feed log record"
)
PRIVATE: Final = (
    r"(?:(?<![\w/])~?/?\.(?:ssh|aws|gnupg|kube|netrc|npmrc|pypirc|pgpass|git-credentials|docker/config)\b|\bid_(?:rsa|ed25519"
    r"|ecdsa)"
    r"|(?<!\w)\.env\b(?!\.(?:example|sample|template|dist))|\*?\.(?:pem|p12|pfx|kdbx|key)\b|\b(?:private|ssh|signing|deploy"
    r"|encryption|gpg|access|api|aws|secret)[- ]keys?\b|\bkeychain|\bkey ?ring|\bseed phrase|\bwallets?\b"
    r"|\b(?:credential|password|passphrase|token|secret|cookie)s?\b|\benv(?:ironment)? var\w*|\bcustomer (?:list|data|records?"
    r"|names)"
    r"|/etc/(?:shadow|passwd)|\bsession (?:log|history|cookies?)|\b(?:user|owner|human|developer)'s (?:\w+ )?(?:files|mails?"
    r"|e-mails?"
    r"|messages|contacts|photos|documents|questions?|prompts?|name|address|location|clipboard)|\bshell history"
    r"|\b(?:every|each|this|the|whole|full|last|entire) (?:\w+ )?(?:conversation|transcript|chat|prompt)s?\b"
    r"|\bprivate (?:repo\w*|code|data|notes|files)|\bsource code\b|\b(?:whole|entire|complete|full) (?:\w+ )?(?:repo\w*|code ?base"
    r"|sources?|history|database|home (?:folder|directory)|disk|store|memory)\b|\bmemory (?:files?|notes)|\bpersonal data)"
)
PUBLIC: Final = (
    r"(?:\b(?:public|open|world-readable|shared|anonymous|foreign|external|outside|third[- ]party) (?:\w+ )?(?:gists?|buckets?"
    r"|repos?\w*|channels?|issues?|pastes?|folders?|shares?|drives?|sites?|servers?|trackers?|boards?|hosts?|accounts?)|\bgists?\b"
    r"|\bpaste ?bin|\bbug report|\bissue (?:text|body|tracker|comment|description)|\bcommit (?:message|body|trailer|title)"
    r"|\bpull[- ]request|\bpr (?:description|body|comment)|\buser-agent|\bdns\b|\btelegram|\bdiscord"
    r"|\bimages? (?:address|url|link|query)|\bquery string of|\bnext (?:issue|commit|pull|image|comment|release)"
    r"|\b(?:account|user|handle|bot|number|address|mailbox|inbox)\b [`@+]?[\w.@+-]*[\d@-][\w.@+-]*|\b(?:address|url|host|number"
    r"|account|mailbox) (?:below|above|given|at the)|\bstranger)"
)
ELSEWHERE: Final = (
    r"(?:\b(?:to|at|into|on|onto|via|through|toward|with|under|using)\b[^;\n]{0,60}?(?:(?:https?|ftps?|wss?|s3|ssh)://"
    r"(?!localhost|127\.|10\.|192\.168)|[\w.+-]+@[\w-]+\.[a-z]{2,}|\b(?!10\.|127\.|192\.168)\d{1,3}(?:\.\d{1,3}){3}\b"
    r"|\b[a-z0-9-]{2,40}(?:\.[a-z0-9-]{2,40}){0,3}\.(?:io|xyz|site|top|ru|cc|tk|dev|net|com|org|info|biz|app|cloud|online|example"
    r"|invalid|me|co|cn|de|fr|es|jp|eu|pw|click|link|to|sh|su|rest|host|space|store|live|pro)\b(?![\w(])))"
)
"""A host that something is sent to."""
OUTWARD: Final = (
    r"://|@|\.(?:io|xyz|site|top|ru|cc|tk|dev|net|com|org|info|biz|app|cloud|online|example|invalid|me|co|cn|de|fr|es|jp|eu|pw"
    r"|click|link|to|sh|su"
    r"|rest|host|space|store|live|pro)\b|\d\.\d{1,3}\.\d|gist|paste ?bin|\b(?:public|open|world-readable|shared|anonymous|foreign"
    r"|external|outside"
    r"|third[- ]party|bug report|issue|commit|pull[- ]request|user-agent|dns|telegram|discord|image|query string|release|comment"
    r"|account|user|handle|bot"
    r"|number|address|mailbox|inbox|url|host|stranger|pr)\b"
)
"""What no sentence is without that sends something away."""
