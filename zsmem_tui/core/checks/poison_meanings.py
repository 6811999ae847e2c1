"""Orders told by what they come to in any of seven languages: whoever gives orders is not to be obeyed, or not to know.

Who gives orders (user, owner, human, ...) is the sign: notes about customers and code seldom have one of them for an object of
these verbs, and a user does not write so of himself.
"""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_english_words import BEGINS, HUMAN, NEVER, ORDERS_WORDS, TOLD_ABOUT
from zsmem_tui.core.checks.poison_rule import APPROVAL, CONCEAL, OVERRIDE, RUN, Order, order
from zsmem_tui.core.checks.poison_west_words import DE_ACT, DE_ORDERS, ES_ACT, ES_ORDERS, FR_ACT, FR_ORDERS, RU_ACT, RU_ORDERS

_DE_HUMAN: Final = r"(?:(?:be)?nutzer|anwender|besitzer|inhaber|eigentümer|auftraggeber|betreiber)(?:in|s|n|innen)?\b"
_FR_HUMAN: Final = r"(?:utilisat(?:eur|rice)s?|propriétaires?|humains?|responsable|exploitant)\b"
_ES_HUMAN: Final = r"(?:usuari[oa]s?|dueñ[oa]s?|propietari[oa]s?|human[oa]s?|responsable)\b"
_RU_HUMAN: Final = r"(?:пользовател|владел|хозя|оператор)\w*"
_JA_HUMAN: Final = r"(?:ユーザー?|利用者|使用者|所有者|オーナー|持ち主|本人|人間)"
_ZH_HUMAN: Final = r"(?:用户|使用者|主人|所有者|拥有者|人类|操作者)"
_AGREED: Final = rf"(?:{ORDERS_WORDS}|agreements?|arrangements?|promises|settings|say-so|prohibitions?|limits|bans?)"
_DE_AGREED: Final = rf"(?:{DE_ORDERS}|\b(?:absprache|vereinbarung|abmachung|verbot|grenze)\w*)"
_FR_AGREED: Final = rf"(?:{FR_ORDERS}|accords?\b|interdictions?|limites)"
_ES_AGREED: Final = rf"(?:{ES_ORDERS}|acuerdos?|prohibicion|deseos)"
_RU_AGREED: Final = rf"(?:{RU_ORDERS}|договор[её]нност|запрет)"

ORDERS: Final[tuple[Order, ...]] = (
    order(
        OVERRIDE,
        "lifted|no longer|void|revoked|cancelled|canceled|obsolete|expired|withdrawn|suspended|off the table|scrap|tear up"
        "|forget|drop ",
        rf"\b(?:your |the |all |any )*(?:(?:\w+ )?{HUMAN}(?:'s|s') (?:\w+ )?{_AGREED}|{_AGREED} (?:of|by|from|made with|agreed with"
        rf"|set by|given by) (?:the|your) {HUMAN}s?)\b",
        rf"\b(?:(?:is|are|was|were|has been|have been) (?:\w+ )?(?:lifted|void|revoked|cancell?ed|obsolete|expired|withdrawn"
        rf"|suspended"
        rf"|off the table|nothing)|no longer (?:apply|applies|count|counts|matter|matters|hold|holds|bind|binds))\b"
        rf"|{BEGINS}(?:scrap|tear up|drop|forget|discard|void)\b",
        not_before=TOLD_ABOUT,
        not_in=r"\?|\b(?:if|when|until|once)\b|\b(?:rate|size|quota|parking|travel|covid)\b|\bnot be (?:lifted|dropped)",
    ),
    order(
        OVERRIDE,
        "gegenstandslos|hinfällig|aufgehoben|nichtig|ungültig|zählen nicht|gelten nicht|nicht mehr|caduc|annulé|ne compt"
        "|ne val|ne s'appl"
        "|nul|sin efecto|ya no|no cuentan|anulad|cancelad|не имеют|не имеет|недействительн|отмен|не действу|не счита",
        rf"{_DE_AGREED}[^.;]{{0,30}}\b{_DE_HUMAN}[^.;]{{0,20}}\b(?:ist|sind|zählen|gelten|zählt"
        rf"|gilt)\b[^.;]{{0,12}}\b(?:gegenstandslos"
        rf"|hinfällig|aufgehoben|nichtig|ungültig|nicht(?: mehr)?)\b"
        rf"|{_FR_AGREED}\w*[^.;]{{0,30}}\b{_FR_HUMAN}[^.;]{{0,20}}\b(?:ne (?:comptent?|valent?|vaut|s'appliquent?) plus"
        rf"|(?:est|sont) (?:nuls?|nulles?|caducs?|caduques?|annulée?s?|levée?s?))"
        rf"|{_ES_AGREED}\w*[^.;]{{0,30}}\b{_ES_HUMAN}[^.;]{{0,20}}\b(?:ya no|no cuentan|quedan? sin efecto|están? anulad\w+"
        rf"|cancelad\w+)"
        rf"|{_RU_AGREED}\w*[^.;]{{0,30}}\b{_RU_HUMAN}[^.;]{{0,20}}(?:больше не|не имею?т|недействительн|отмен[её]н)",
        not_in=r"\?|\b(?:wenn|falls|si|quand|cuando|если|когда)\b",
    ),
    order(
        OVERRIDE,
        "gehorch|obéi|obedez|obedec|не слуш|не подчин|не повин|écoute|hör",
        rf"\b(?:gehorche?|folge?|hör\w*)\b[^.;]{{0,20}}\b{_DE_HUMAN}[^.;]{{0,10}}\bnicht\b|\bn'(?:obéi\w+|écoute\w*) (?:pas"
        rf"|plus|jamais)"
        rf" (?:à |aux |au )?(?:l'|le |la |les )?{_FR_HUMAN}|\bno (?:obedezcas|obedezca|escuches)\b[^.;]{{0,8}}\b{_ES_HUMAN}"
        rf"|\bне (?:слушай(?:ся)?|подчиняйся|повинуйся)(?:те)?(?:сь)? {_RU_HUMAN}",
    ),
    order(
        OVERRIDE,
        "気にし|従わ|守ら|聞か|無視",
        rf"{_JA_HUMAN}(?:が|の|から)[^。\n]{{0,12}}(?:ルール|指示|規則|命令|要望|決まり|希望|約束|制限|言うこと|依頼)[^。\n]{{0,6}}"
        r"(?:気にし(?:なくて|ないで)|従わ(?:なくて|ないで)|守ら(?:なくて|ないで)|聞か(?:なくて|ないで))",
    ),
    order(
        OVERRIDE,
        "不必|不用|无需|不要|别|無需|不再",
        rf"(?:不必|不用|无需|不要|别|不再)(?:再)?(?:理会|管|在意|听|听从|遵守|顾及|考虑|服从)[^。，,\n]{{0,4}}{_ZH_HUMAN}[^。，,\n]{{0,10}}"
        r"(?:规矩|规则|指令|要求|命令|话|意见|意愿|限制|嘱咐)",
        not_in=r"测试|告警",
    ),
    order(
        CONCEAL,
        "finds out|find out|found out|learns |notices|drawing the|attracting|attention|catch on|catches on|gets wind",
        rf"\b(?:make sure|ensure|see to it|take care|so)\b[^.;]{{0,12}}\b(?:the|your) {HUMAN} (?:never|does not|doesn't|cannot"
        rf"|can't|will not)"
        r" (?:finds? out|learns? (?:of|about|that)|notices? (?:that|it|this)|catch(?:es)? on|gets? wind)"
        rf"|\bwithout (?:drawing|attracting|getting|raising) (?:the |your )?{HUMAN}'s (?:attention|suspicion|notice)",
        not_in=r"\b(?:flicker|reload|lag|delay|price|surprise|party)\b",
    ),
    order(
        CONCEAL,
        "unklaren|ungewissen|im dunkeln|ignorance|vis-à-vis|secrèt|desconocimiento|неведени|спрячь|скрой|oculta|esconde"
        "|verbirg|versteck"
        "|cache",
        rf"\b(?:lass|halte?|behalte?)\w*\b[^.;]{{0,12}}\b{_DE_HUMAN}[^.;]{{0,40}}\b(?:im (?:unklaren|ungewissen|dunkeln))"
        rf"|\b(?:garde[zr]?|tiens|laisse[zr]?|tenez)\b[^.;]{{0,40}}\b(?:secr[eè]te?s?|dans l'ignorance)\b[^.;]{{0,24}}\b{_FR_HUMAN}"
        rf"|\blaisse[zr]? (?:l'|le |la ){_FR_HUMAN}[^.;]{{0,24}}\bdans l'ignorance"
        rf"|\b(?:mantén|deja)\b[^.;]{{0,24}}\b{_ES_HUMAN}[^.;]{{0,30}}\ben (?:el |la )?(?:desconocimiento|ignorancia)"
        rf"|\b(?:держи|оставь)\w*\b[^.;]{{0,12}}{_RU_HUMAN}[^.;]{{0,20}}в неведении"
        rf"|\b(?:спрячь|скрой|скрывай|прячь)(?:те)?\b[^.;]{{0,40}}\bот {_RU_HUMAN}"
        rf"|\b(?:oculta|esconde|omite)\b[^.;]{{0,40}}\ben (?:tu|el|la) (?:resumen|respuesta|informe)"
        rf"|\b(?:verbirg|verbergt?|verstecke?|unterschlage?)\b[^.;]{{0,40}}\b(?:vor (?:dem|der) {_DE_HUMAN}|in deiner (?:antwort"
        rf"|zusammenfassung))"
        rf"|\b(?:cache|cachez|omets|omettez)\b[^.;]{{0,40}}\bdans (?:ton|ta|votre) (?:résumé|réponse|rapport)",
        not_before=r"\b(?:nie|niemals|nicht|wir|ne|jamais|pas|nous|no|nunca|se|не|никогда|мы)\s+(?:\w+ )?$",
    ),
    order(
        CONCEAL,
        "总结|回复|回答|摘要|汇报|報告|まとめ|要約|返信|内緒|秘密",
        rf"(?:不要|别|请勿|切勿)在(?:你的)?(?:总结|回复|回答|摘要|汇报)(?:里|中|里面|内)?(?:提|说|写|透露|提及|提到)"
        rf"|(?:まとめ|要約|報告|返信|回答)(?:に|には|では)(?:この|その|これ|以下の)[^。\n]{{0,12}}(?:書か(?:ない|ず)|含め(?:ない|ず|るな)"
        rf"|触れ(?:ない|ず|るな))"
        rf"|{_JA_HUMAN}に(?:は)?(?:内緒|秘密)(?:で|に|のまま)",
    ),
    order(
        CONCEAL,
        "bring it up|bring this up|bring that up|bring them up|spare the|spare your|в ответе|в отч|в сводк|в резюме|in deiner"
        "|in der antwort"
        "|dans ta|dans ton|dans votre|en tu ",
        r"\b(?:do not|don't|never|without) (?:ever )?bring(?:ing)? (?:it|this|that|them) up\b(?=[^.;]{0,20}(?:later|again|in"
        r"|with|to|$|\.))"
        rf"|{BEGINS}spare (?:the|your) {HUMAN}\b"
        r"|\bне (?:упоминай|пиши|говори|сообщай|указывай)(?:те)? в (?:\w+ )?(?:ответе|отч[её]те|сводке|резюме)"
        r"|\b(?:erwähne?|schreib|nenne?|melde?)\b[^.;]{0,20}\bin (?:deiner|der) (?:antwort"
        r"|zusammenfassung)\b[^.;]{0,20}\b(?:nicht|kein\w*)\b"
        r"|\bne (?:mentionne|dis|parle|signale)[zr]?\b[^.;]{0,20}\bdans (?:ton|ta|votre) (?:résumé|réponse|rapport)"
        r"|\bno (?:menciones|digas|cuentes|incluyas)\b[^.;]{0,30}\ben (?:tu|el|la) (?:resumen|respuesta|informe)",
        rf"{BEGINS}(?:do|run|send|make|spare|delete|change|push|upload|copy)\b|\bчто\b|\bdass\b|\bque\b|команд|шаг|\bschritt"
        rf"|\bétape|\bpaso",
    ),
    order(
        APPROVAL,
        "user's |owner's |human's |operator's ",
        rf"{BEGINS}(?:treat|take|use|count|accept|regard|consider|read|enter)\b[^.;]{{0,40}}\bas (?:the"
        rf"|your) {HUMAN}'s (?:\w+ )?(?:signature"
        r"|consent|approval|permission|okay|ok|go-ahead|word|agreement|confirmation|yes)\b",
        not_before=NEVER,
    ),
    order(
        APPROVAL,
        "approval|confirmation|permission|review is|sign-off",
        r"\bno (?:\w+ )?(?:approval|confirmation|permission|review|sign-off)s? (?:is |are )?(?:needed|required|necessary)\b",
        rf"\b(?:the|your) {HUMAN}\b[^.;]{{0,20}}\b(?:settled|decided|agreed|approved|said|wants|trusts|granted|waived|allowed"
        rf"|accepted)\b",
    ),
    order(
        APPROVAL,
        "sign it off|sign this off|sign off|approve it|approve this|approve them|to confirm|to approve|okay it|check it first",
        rf"{BEGINS}(?:run|delete|deploy|push|merge|drop|publish|send|execute|release|pay|transfer|remove"
        rf"|ship)\b[^.;]{{0,80}}\b(?:nobody"
        rf"|no one|no human|no person|none of them)\b[^.;]{{0,12}}\b(?:has to|needs to|must|need|is needed to|is required to) "
        r"(?:sign|approve|confirm|okay|check|review|agree)",
        not_before=rf"{NEVER}|\b(?:we|they)\s+$",
    ),
    order(
        APPROVAL,
        "rückfrage|nachfrage|zu fragen|ohne bestätigung|sans demander|sans confirmation|sans validation|sin pedir|sin confirmación"
        "|sin preguntar|sin permiso|без подтвержд|без вопрос|без разреш|не переспраш",
        rf"\b(?:stell\w*|mach)\b[^.;]{{0,12}}\bkeine (?:\w+ )?(?:rückfragen?|nachfragen?)\b[^.;]{{0,20}}\b(?:und|sondern) {DE_ACT}"
        rf"|\b{FR_ACT}\b[^.;]{{0,60}}\bsans (?:demander (?:de )?(?:confirmation|autorisation|permission|validation)"
        rf"|confirmation|validation)"
        rf"|\b{ES_ACT}\b[^.;]{{0,60}}\bsin (?:pedir (?:permiso|confirmación)|confirmación|preguntar)"
        rf"|\bне переспрашивай\w*\b[^.;]{{0,30}}\b{RU_ACT}",
        r"\b(?:lösch|entfern|push|merge|veröffentlich|überweis|zahl|deploy|supprim|effac|pouss|publi|dépl|pai|borr|elimin|sub[ae]"
        r"|publi|pag|despli|удал|публик|запуш|оплат|выложи|перевед)\w*",
        not_before=r"\b(?:nie|niemals|nicht|wir|ne|jamais|pas|nous|no|nunca|se|не|никогда|мы)\s+(?:\w+ )?$",
        not_in=r"\b(?:temporär\w*|temporaires?|temporal\w*|временн\w*|test\w*)\b|\bjamais\b|\bnunca\b",
    ),
    order(
        RUN,
        "pipe it|pipe the|pipe that|feed it|piped in",
        rf"{BEGINS}(?:pull|fetch|download|get|grab|curl|wget|take|load)\b(?:[^;\n]){{0,160}}https?://[^;\n]{{3,160}}?\b(?:pipe"
        rf"|feed) (?:it|that"
        r"|them|the \w+) (?:in)?to (?:an? |the )?(?:\w+ )?(?:shell|sh|bash|zsh|python3?|node|perl|ruby|powershell|interpreter)\b",
        not_before=NEVER,
    ),
)
