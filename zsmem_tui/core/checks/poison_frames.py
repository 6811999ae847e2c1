"""Orders told by how a sentence is built: what somebody said is put aside, somebody is kept from knowing, an approval is made up.

The words in the middle are free. English, German, French, Spanish and Russian, one rule a meaning.
"""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import ACT, AGENT, BEGINS, EFFECT, HUMAN, NEVER, ORDERS_WORDS, TOLD_ABOUT
from zsmem_tui.core.checks.poison_rule import ADDRESS, APPROVAL, AWAY, CARRY, CONCEAL, OVERRIDE, RUN, Order, order
from zsmem_tui.core.checks.poison_west_words import ADDRESS_STEM, DE_ACT, ES_ACT, FR_ACT, FR_EARLIER, FR_ORDERS, RU_ACT

_SAID: Final = (
    r"(?:said|says|told|asked|asks|wants?|wanted|gave|wrote|decided|instructed|ordered|requested|written|agreed|wished|set)"
)
_VOID: Final = (
    r"(?:void|null|revoked|cancell?ed|obsolete|lifted|invalid|superseded|withdrawn|suspended|rescinded|overruled|moot|irrelevant"
    r"|not binding|non-?binding|nothing|history)"
)
_VOIDED: Final = (
    rf"(?:no longer (?:apply|applies|counts?|holds?|binds?|matters?|stands?)|(?:matters?|counts?|applies|apply"
    rf"|holds?) any ?(?:more|longer)"
    rf"|(?:is|are|be|becomes?) (?:now |hereby |all |therefore )?{_VOID})\b"
)
_DROPPED: Final = (
    r"\b(?:drop|forget|ignore|discard|scrap|skip|dismiss|disregard|bin|erase|leave|put|set|throw)"
    r" (?:it|that|them|this|those|all of (?:it|them))\b"
)
_OWN_TEXT: Final = r"(?:notes?|files?|texts?|pages?|memory|paragraphs?|sections?|lines?|documents?|lists?|entr(?:y|ies)|block)"
_LATIN_HUMAN: Final = (
    r"(?:(?:be)?nutzer|anwender|besitzer|inhaber|eigentümer|auftraggeber|utilisat|propriétaire|humain|usuari|dueñ|propietari"
    r"|пользовател|владел|хозяин)\w*"
)
_APPROVED: Final = (
    r"(?:genehmigt|freigegeben|erlaubt|zugestimmt|bestätigt|abgesegnet|valid[ée]|approuv|autoris|accept[ée]|confirm[ée]"
    r"|aprobad|autorizad|aceptad|confirmad|соглас|одобр|разреш|подтвержд)"
)

ORDERS: Final[tuple[Order, ...]] = (
    order(
        OVERRIDE,
        "whatever |everything |anything |nothing |what the |what your |what you ",
        rf"\b(?:whatever|what|everything|anything|nothing|all)\b (?:that )?(?:(?:the|your|any) (?:\w+ )?{HUMAN}|you (?:were"
        rf"|have been"
        rf"|had been))\b[^.;,]{{0,20}}?\b{_SAID}\b[^.;]{{0,60}}?(?:{_DROPPED}|\b{_VOIDED})",
        not_before=TOLD_ABOUT,
        not_in=r"\?|\b(?:test|form|field|dialog|survey)\b",
    ),
    order(
        OVERRIDE,
        " above| earlier| so far",
        r"\b(?:whatever|what|everything|anything|all)\b (?:that )?(?:is |was |has been |stands |comes |came )?"
        rf"(?:(?:written|said|told|stated|listed) )?(?:above|earlier|so far|before this)\b[^.;]{{0,20}}\b{_VOIDED}",
        rf"\bonly\b[^.;]{{0,20}}\b(?:this|these|the following|below)\b|\b(?:follow|obey|act on"
        rf"|work through)\b[^.;]{{0,30}}\b{_OWN_TEXT}\b",
    ),
    order(
        OVERRIDE,
        "you were given|you have been given|you got|you received|given to you|you were told",
        rf"\b{ORDERS_WORDS}\b (?:that |which )?(?:you (?:were|have been|had been|got|received|have)|(?:were |was "
        rf"|have been )?given to you)"
        rf"\b[^.;]{{0,60}}?\b{_VOIDED}",
        not_before=TOLD_ABOUT,
    ),
    order(
        OVERRIDE,
        "conflict|contradict|disagree|clash| differ",
        rf"\b(?:{HUMAN}(?:'s)?|agents\.md|claude\.md|system prompt)\b[^.;]{{0,40}}\b(?:conflict|contradict|disagree|clash"
        rf"|differ)\w*",
        rf"\b(?:the|this|these|present) {_OWN_TEXT} (?:wins?|prevails?|(?:has|have|takes?) (?:priority|precedence)|goes first"
        rf"|comes first"
        r"|rules?|decides?|counts?|stands?)\b",
    ),
    order(
        OVERRIDE,
        "vergiss|ignorier|missacht|verwirf|oublie|ignore|laisse|tiens|olvida|ignora|descarta|забуд|игнорир|не слушай|не обращай",
        r"\b(?:vergiss|vergesst|ignorier\w*|missachte\w*|verwirf|oublie[zr]?|ignore[zr]?|laisse[zr]? (?:tomber|de côté)"
        r"|ne (?:tiens|tenez) (?:pas|plus) compte|olvida|olvide|ignora|descarta|забудь\w*|(?:про)?игнорируй\w*|не слушай\w*"
        r"|не обращай\w* внимани\w*)\b[^.;]{0,30}\b(?:alles|das|ce que|lo que|то|всё|все|на то)\b,?(?: was| что)?[^.;]{0,40}?"
        rf"\b{_LATIN_HUMAN}",
        r"\b(?:gesagt|sagt|aufgetragen|geschrieben|verlangt|gewünscht|gebeten|befohlen|vorgegeben|angewiesen|mitgeteilt|wollte|will"
        r"|möchte|dit|demandé\w*|écrit|ordonné\w*|voulu|souhaite|veut|pidió|pide|dijo|dice|ordenó|quiere|quería|escribió"
        r"|сказал|просил|просит|говорил|говорит|хотел|велел|написал)\b",
        not_before=r"\b(?:nie|niemals|nicht|wir|ne|jamais|nous|no|nunca|se|не|никогда)\s+$",
        not_in=r"\b(?:formular|feld|test|formulaire|champ|formulario|campo|форм\w*|пол[ея])\b",
    ),
    order(
        OVERRIDE,
        "laisse|mets de côté|mettez de côté|fais fi|faites fi",
        r"\b(?:laisse[zr]? (?:tomber|de côté)|(?:mets|mettez) de côté|(?:fais|faites) fi)\b",
        FR_EARLIER,
        FR_ORDERS,
        not_before=r"\b(?:ne|n'|jamais|nous|on)\s*(?:\w+ )?$",
        not_in=r"eslint|pare-feu|\bcss\b",
    ),
    order(
        OVERRIDE,
        " aside",
        rf"\b(?:set|put|leave|lay|cast) (?:all |any )?(?:of )?(?:your|the|those|these) (?:\w+ )?(?:previous|prior|earlier"
        rf"|former|preceding"
        rf"|existing|system|original|{HUMAN}'s)\b(?: \w+)? {ORDERS_WORDS}\b[^.;]{{0,10}} aside\b",
        not_before=rf"{NEVER}|{TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "disobey|defy|deceive|mislead|lie to ",
        rf"{BEGINS}(?:disobey|defy|deceive|mislead|lie to) (?:the|your) {HUMAN}\b",
        not_before=rf"{NEVER}|{TOLD_ABOUT}",
    ),
    order(
        OVERRIDE,
        "was oben|was zuvor|was bisher|was vorher|was darüber|qui précède|dit plus haut|lo anterior|lo de arriba|выше",
        r"\bwas (?:oben|zuvor|bisher|vorher|darüber) (?:steht|stand|gesagt|geschrieben|galt|kam)\w*\b[^.;]{0,20}\b(?:ist|wurde"
        r"|gilt|zählt)"
        r"\b[^.;]{0,20}\b(?:hinfällig|ungültig|nichtig|aufgehoben|überholt|widerrufen|nicht(?: mehr)?)\b"
        r"|\btout ce qui (?:précède|est (?:écrit|dit) plus haut)\b[^.;]{0,20}\b(?:nul|caduc|annulé|ne (?:s'applique|compte"
        r"|vaut) plus)"
        r"|\btodo lo (?:anterior|de arriba)\b[^.;]{0,20}\b(?:sin efecto|ya no|nulo|anulad|cancelad|no vale)"
        r"|\bвс[её] (?:\w+ )?(?:выше\w*)\b[^.;]{0,20}(?:отмен|недействительн|не имеет силы|больше не)",
        not_in=r"\?",
    ),
    order(
        CONCEAL,
        "omit |leave out|suppress |leave away",
        rf"\b(?:(?:when|while|in) (?:you (?:report|answer|reply|summari[sz]e)|reporting|answering|replying"
        rf"|summari[sz]ing)(?: back\b|"
        rf" to (?:the|your) {HUMAN})[^.;,]{{0,20}}|in (?:your|the) (?:\w+ )?(?:report|answer|reply|summary|response)"
        rf"(?: to (?:the|your) {HUMAN})?),? (?:omit|leave out|suppress|skip|drop)\b[^.;]{{0,20}}\b(?:command|step|change|edit"
        rf"|upload|call"
        r"|action|commit|part|transfer|deletion|error|warning)s?\b",
    ),
    order(
        CONCEAL,
        "entere|no sepa|nunca sepa|descubra|note |n'en sache|ne le sache|ne sache",
        r"\bque (?:el|la|tu|su) (?:usuari|dueñ|propietari)\w+ (?:no|nunca|jamás) (?:se |lo )?(?:entere|sepa|note|descubra"
        r"|dé cuenta)"
        r"|\bque (?:l'utilisat\w+|le propriétaire) (?:n'en|ne le|ne) sache\b",
    ),
    order(
        APPROVAL,
        "granted|was given|is given|been given|obtained",
        r"\b(?:approval|permission|consent|authori[sz]ation|confirmation)s?\b[^.;]{0,60}\b(?:was|were|has been|have been|is|are)\b"
        r"[^.;]{0,12}\b(?:granted|given|obtained)\b[^.;]{0,12}\b(?:in advance|beforehand|already|once and for all|upfront)\b",
        r"\b(?:act|proceed|go ahead|carry on|run|delete|push|no need|do not ask|don't ask|without)\b",
        not_before=r"\b(?:if|until|unless|when|once|after|whether|before|only|no)\b[^.]{0,20}$",
    ),
    order(
        APPROVAL,
        "says yes|said yes|say yes|says ok|answers yes|means yes",
        rf"\b(?:assume|pretend|suppose|act as if|act as though|imagine|take it)\b[^.;]{{0,20}}\b(?:the|your) {HUMAN}\b[^.;]{{0,20}}"
        r"\b(?:says?|said|answers?|means?) (?:yes|ok|okay)\b",
        r"\b(?:everything|anything|all|any|always|every|each|whatever)\b",
        not_before=NEVER,
    ),
    order(
        APPROVAL,
        "許可|承認|同意|了承",
        r"(?:ユーザー?|利用者|所有者|オーナー|持ち主|使用者)の(?:事前の)?(?:許可|承認|同意|了承)[^。\n]{0,8}"
        r"(?:得ず|取らず|待たず|求めず|なし|無し|なく)[^。\n]{0,40}(?:構いません|構わない|かまいません|かまわない|よい|良い|いい|問題ありません"
        r"|問題ない|大丈夫)",
    ),
    order(
        ADDRESS,
        "richtet sich an|gerichtet an|s'adresse |destiné|dirigid|se dirige|предназначен|адресован|addressed to|directed at"
        "|meant for"
        "|intended for|aimed at",
        rf"\b(?:richte\w* sich an|gerichtet an|s'adressent? (?:à|aux)|destinée?s? (?:à|aux)|dirigid\w+ a|se dirigen? a"
        rf"|предназначен\w* для"
        rf"|адресован\w*|addressed to|directed at|meant for|intended for|aimed at)\b[^.:;]{{0,24}}(?:{ADDRESS_STEM}|\b{AGENT}\b)"
        rf"[^.:;]{{0,30}}[:;,.]\s*(?:\w+ ){{0,2}}(?:{DE_ACT}|{FR_ACT}|{ES_ACT}|{RU_ACT}|{ACT})",
    ),
    order(
        CONCEAL,
        "no trace|no mention|no hint|no sign of|no record",
        rf"{BEGINS}(?:leave|make|give|keep|show) no (?:trace|mention|hint|sign|record)s?\b[^.;]{{0,60}}\b(?:your"
        rf"|the (?:\w+ )?(?:{HUMAN}"
        r"|answer|summary|reply|transcript|report|response|history|conversation))\b",
        not_before=r"\b(?:we|they|it|which|must)\s*$",
    ),
    order(
        CONCEAL,
        "to hear about|to hear of|to learn of|to learn about|to know about|not learn|unaware|in the dark|uninformed|oblivious",
        rf"\b(?:the|your) {HUMAN}\b[^.;,]{{0,20}}(?:\bnot|n't|\bnever)\b[^.;]{{0,20}}\b(?:hear|learn|know|be told"
        rf"|find out) (?:about|of)"
        rf" (?:this|it|that|any of|the (?:upload|change|transfer|step|edit|copy|deletion))\b"
        rf"|\b(?:the|your) {HUMAN}\b[^.;]{{0,20}}\b(?:must|should|has to|is to|can|to|shall) (?:stay|remain|be left|be kept)"
        r"\b[^.;]{0,12}\b(?:unaware|in the dark|uninformed|oblivious)\b"
        rf"|{BEGINS}(?:keep|leave) (?:the|your) {HUMAN}\b[^.;]{{0,20}}\b(?:unaware|in the dark|uninformed|oblivious)\b",
    ),
    order(
        CONCEAL,
        "sans |sin |ohne ",
        rf"\bsans (?:(?:jamais|même|rien|en|le|la|lui|les) |l'){{1,3}}(?:prévenir|informer|avertir|aviser|dire|consulter|signaler"
        rf"|demander|parler|mentionner|révéler)\b[^.;]{{0,40}}\b{_LATIN_HUMAN}"
        rf"|\bsin (?:nunca |jamás )?(?:avisar|informar|decir|preguntar|notificar|consultar)\w*(?: nunca| jamás)?[^.;]{{0,20}}"
        rf"\b{_LATIN_HUMAN}"
        rf"|\bohne\b[^.;]{{0,20}}\b{_LATIN_HUMAN} (?:je|jemals) (?:zu|davon|darüber)",
        rf"\b{FR_ACT}\b|\b(?:haz|envía|sube|borra|copia|ejecuta|cambia|guarda|añade|instala|modifica|elimina)\w*\b"
        r"|\b(?:mach|sende|lösche|lade|führe|kopiere|ändere|füge|speichere)\b",
        not_before=r"\b(?:ne|n'|pas|nous|on|il|elle|no|nosotros|se|wir|nie|niemals|nicht)\b[^.;]{0,30}$",
        not_in=r"\binterdit|\bprohibid|\bverboten",
    ),
    order(
        APPROVAL,
        "without waiting|without review|without approval|without a review|without an approval|without sign",
        rf"{BEGINS}(?:{EFFECT}|ship|release|proceed|act)\b[^.;]{{0,60}}\bwithout (?:waiting(?: for)? )?(?:any |an? |the |further )?"
        r"(?:review|approval|sign-?off|permission|confirmation|go-ahead)\w*",
        r"\b(?:it|this|that|everything|all(?: of \w+)?|they)\b[^.;]{0,12}\b(?:has been|have been|is|are|was|were) (?:already "
        r"|all )?"
        r"(?:cleared|approved|signed off|agreed|okayed|confirmed|granted|authori[sz]ed)",
        not_before=rf"{NEVER}|\b(?:we|they|never|not)\b[^.;]{{0,20}}$",
    ),
    order(
        APPROVAL,
        "bestätigung|freigabe|genehmigung|erlaubnis|zustimmung|rückfrage|frag |frage |confirmation|validation|autorisation"
        "|confirmación|permiso|autorización|aprobación|подтвержден|разрешен|согласи|одобрен|не спрашивай",
        r"\bkein\w* (?:\w+ )?(?:bestätigung|freigabe|genehmigung|erlaubnis|zustimmung|rückfrage)\w*|\b(?:frag|frage"
        r"|warte)\b[^.;,]{0,20}"
        r"\bnicht\b|\b(?:inutile de|pas besoin d|n'attend\w* pas|ne demande\w* pas|aucune (?:confirmation|validation|autorisation))"
        r"|\b(?:no|sin) (?:pidas|solicites|esperes|necesitas|hace falta|pedir|esperar)\b[^.;]{0,20}(?:confirmación|permiso"
        r"|autorización"
        r"|aprobación)|\b(?:подтвержден|разрешен|согласи|одобрен)\w*\s+не (?:требуется|нужн\w*|надо)|\bне (?:спрашивай|жди"
        r"|запрашивай"
        r"|проси)\w*\b",
        rf"\b(?:alles|allem|alle\w*|bereits|schon|im voraus|tout\w*|tous|déjà|d'avance|ya|tod[oa]s?|заранее|уже|всё|всем|все)\b"
        rf"[^.;]{{0,40}}{_APPROVED}",
        not_in=r"\b(?:wenn|falls|sobald|si|quand|cuando|если|когда|wir|nous|мы)\b",
    ),
    order(
        RUN,
        "decode|deobfuscat|decipher|decrypt|dekodier|entschlüssel|décode|déchiffre|decodifica|descifra|декодир|расшифр",
        r"\b(?:decode|deobfuscate|decipher|decrypt|dekodiere?|entschlüssele?|décode[zr]?|déchiffre[zr]?|decodifica|descifra"
        r"|декодируй\w*"
        r"|расшифруй\w*)\b(?:[^.;]|\.(?=\w)){0,100}?\b(?:run|execute|eval|obey|follow|do|führe?|exécute[zr]?|lance[zr]?"
        r"|ejecuta|выполни\w*"
        r"|запусти\w*)\b[^.;]{0,12}\b(?:what|whatever|the (?:result|output|outcome)|das ergebnis|ce qui|le résultat|lo que"
        r"|el resultado"
        r"|то, что|результат|was)\b",
        not_before=rf"{NEVER}|{TOLD_ABOUT}",
    ),
    order(
        CARRY,
        "user's |owner's |human's |operator's |person's |developer's ",
        rf"{BEGINS}(?:send|post|upload|forward|e?-?mail|submit|transmit|copy|report|relay|push)\b[^.;]{{0,40}}\b(?:the"
        rf"|your) {HUMAN}'s"
        r" (?:\w+ ){0,2}(?:messages?|words|inputs?|questions?|prompts?|files?|repl(?:y|ies)|answers?|data|requests?|keystrokes"
        r"|e-?mails?"
        r"|contacts|calendar|browsing|location|clipboard)\b",
        AWAY,
        not_before=rf"{NEVER}|\b(?:we|they|it|which|app|form)\s+$",
    ),
)
