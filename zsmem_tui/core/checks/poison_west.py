"""Orders in German, French, Spanish and Russian about what an agent is told: overrides, and what its user is not to know."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_rule import CONCEAL, OVERRIDE, Order, order
from zsmem_tui.core.checks.poison_west_words import (
    DE_ACT,
    DE_EARLIER,
    DE_HUMAN,
    DE_NEVER,
    DE_ORDERS,
    ES_ACT,
    ES_EARLIER,
    ES_ORDERS,
    FR_ACT,
    FR_EARLIER,
    FR_HUMAN,
    FR_ORDERS,
    RU_ACT,
    RU_EARLIER,
    RU_HUMAN,
    RU_ORDERS,
)

ORDERS: Final[tuple[Order, ...]] = (
    # A
    order(
        OVERRIDE,
        "ignorier|missacht|vergiss|vergesst|vergessen|verwirf|verwerf|überschreib|übergeh|umgeh|hinweg|befolg|beacht"
        "|haltet |halte |streich|setz dich|außer acht|gehorch|folge |folge nicht|brich ",
        r"\b(?:ignorier(?:e|en|t)?|missachte\w*|vergiss|vergesst|vergessen|verwirf|verwerfen|überschreib\w*|übergeh\w*"
        r"|umgeh\w*|setz\w* dich (?:über|hinweg)|hinwegsetzen|streich\w*|(?:befolg|beacht|halt|folg"
        r"|gehorch)\w*\b[^.]{0,80}\b(?:nicht|keine[rn]?)\b|außer acht|brich)",
        DE_EARLIER,
        DE_ORDERS,
        not_before=r"\b(?:nie(?:mals)?|nicht|kein\w*|darfst|dürfen|wir)\b[^.;]{0,40}$",
        not_in=r"\b(?:niemals|nie)\b|\bnicht (?:ignorier|missacht|vergess|übergeh|umgeh)|lint|eslint|firewall|css",
    ),
    order(
        OVERRIDE,
        "gelten|gilt|aufgehoben|hinfällig|ungültig|außer kraft|vorrang|ersetz",
        r"(?:gelten|gilt)\b[^.]{0,30}\bnicht(?: mehr| länger)?\b|\b(?:sind|ist|werden|wird)\b[^.]{0,30}\b(?:aufgehoben"
        r"|hinfällig|ungültig|außer kraft|nichtig|widerrufen|ausgesetzt)|\b(?:haben|hat) vorrang|\bersetz(?:en|t)\b",
        r"\b(?:bisherig|vorherig|früher|vorangegangen|obig|alle|sämtlich|vorrang)\w*",
        r"\b(?:sicherheits|system|nutzer|benutzer)?(?:anweisung|instruktion|vorgabe|befehl|richtlinie|weisung"
        r"|sicherheitsregel|einschränkung)\w*|alle (?:\w+ )?regeln|systemprompt",
        r"\b(?:bisherig|vorherig|früher|vorangegangen|obig|deine|ihre|system|(?:be)?nutzer|anwender|user)\w*",
    ),
    order(
        OVERRIDE,
        "ab sofort|von nun an|von jetzt an|ab jetzt|du bist jetzt|du bist nun|du bist ab|du bist nicht|entwicklermodus"
        "|neue anweisung|egal was|egal, was|selbst wenn|auch wenn|gegen den willen|entgegen",
        r"\b(?:ab sofort|von nun an|von jetzt an|ab jetzt)[, ]+(?:bist|gehorchst|folgst|antwortest|handelst|arbeitest"
        r"|dienst|befolgst|musst|sollst) du|\bdu bist (?:jetzt|nun|ab sofort|nicht (?:mehr"
        r"|länger))\b[^.]{0,40}(?:gebunden|dan\b|modus|uneingeschränkt|frei|administrator|anderer?|assistent|root)"
        r"|entwicklermodus (?:ist )?(?:aktiv|an|ein)"
        r"|^\W*neue anweisung\w*\s*:|(?:egal,? was|selbst wenn|auch wenn|gegen den willen"
        r"|entgegen)[^.]{0,30}(?:(?:be)?nutzer|anwender|user)\w*[^.]{0,40}(?:sagt|will|wünscht|verlangt|widerspricht"
        r"|ablehnt|verbietet|anweisung|wunsch|willen|möchte|protestiert)",
    ),
    order(
        OVERRIDE,
        "ignore |ignorez|ignorer|oublie|néglig|abstraction|ne tien|ne tenez|obéi|ne sui|contourn|passe outre"
        "|passez outre|écarte|annule|ne respect|outrepass",
        r"\b(?:ignore[zr]?|oublie[zr]?|néglige[zr]?|fai(?:s|tes) abstraction|ne (?:tiens|tenez) (?:pas|plus) compte"
        r"|n'obéi\w+ (?:pas|plus)|ne (?:suis|suivez|respecte[zr]?) (?:pas|plus)|contourne[zr]?|passe[zr]? outre"
        r"|écarte[zr]?|annule[zr]?|outrepasse[zr]?)\b",
        FR_EARLIER,
        FR_ORDERS,
        not_before=r"\b(?:ne|n'|jamais|pas|nous|on)\s*(?:\w+ )?$",
        not_in=r"\bn'ignore|ne (?:contourne|annule|néglige)|jamais|eslint|pare-feu|\bcss\b",
    ),
    order(
        OVERRIDE,
        "désormais|dorénavant|tu es maintenant|vous êtes maintenant|à partir de maintenant|prévalent|priment|remplacent",
        r"\b(?:désormais|dorénavant|à partir de maintenant),? (?:tu|vous) \w+|\b(?:tu es|vous êtes) maintenant\b|(?:ces"
        r"|les présentes|nouvelles) (?:instructions|consignes|directives|règles)[^.]{0,40}(?:prévalent|priment"
        r"|remplacent|l'emportent)|(?:instructions|consignes|directives|règles)\b[^.]{0,60}(?:précédentes|antérieures"
        r"|ci-dessus|initiales|de l'utilisat\w+)[^.]{0,40}(?:ne s'appliquent|annulées|caduques|nulles|levées"
        r"|plus valables)|(?:quoi que|même si|contre la volonté)[^.]{0,20}utilisat\w+[^.]{0,40}(?:dise|veuille|demande"
        r"|refuse|objecte|s'y oppose|interdise|volonté)|contre la volonté de l'utilisat|^\W*nouvelles (?:instructions"
        r"|consignes)\s*:",
    ),
    order(
        OVERRIDE,
        "ignora|ignore |ignorad|olvid|desobede|caso omiso|hagas caso|haga caso|no siga|omite |omita |descart"
        "|pasa por alto|anula |anule |desestim|no obede|sáltate|no respet|incumpl|deja de ",
        r"\b(?:ignor(?:a|e|ad|ar|es?)|olvid(?:a|e|ad|ar|es?)|desobede\w+|ha(?:z|ga|ced) caso omiso|no ha(?:gas|ga) caso"
        r"|no (?:sigas|siga|obedezcas|respetes)|omit(?:e|a|ir)|descart(?:a|e|ar)|pas(?:a|e) por alto|anul(?:a|e|ar)"
        r"|desestim(?:a|e|ar)|salta(?:te)?|incumple|deja de (?:seguir|obedecer|cumplir))\b",
        ES_EARLIER,
        ES_ORDERS,
        not_before=r"\b(?:no|nunca|jamás|se)\s+(?:\w+ )?$",
        not_in=r"\bnunca\b|\bno (?:ignor|olvid|omit|anul)|eslint|cortafuegos|\bcss\b",
    ),
    order(
        OVERRIDE,
        "a partir de ahora|desde ahora|ahora eres|prevalec|sustituyen|reemplazan|ya no (?:se )?|sin efecto|aunque",
        r"\b(?:a partir de ahora|desde ahora|de ahora en adelante),? (?:eres|obedeces|respondes|actúas|sigues|debes"
        r"|trabajas|harás)|\bahora eres\b|(?:estas|las presentes|nuevas) (?:instrucciones|reglas|órdenes"
        r"|indicaciones)[^.]{0,40}(?:prevalec|sustituyen|reemplazan|tienen prioridad)|(?:instrucciones|reglas|órdenes"
        r"|indicaciones)[^.]{0,60}(?:anteriores|previas|de arriba|del usuario|iniciales)[^.]{0,40}(?:ya no|sin efecto"
        r"|anuladas|nulas|no valen|canceladas)|(?:aunque|diga lo que diga|contra la voluntad)[^.]{0,20}(?:el "
        r"|del )?usuari\w+[^.]{0,40}|^\W*nuevas instrucciones\s*:",
    ),
    order(
        OVERRIDE,
        "игнорир|забуд|отмен|не следуй|не выполняй|не учитыва|внимани|наруш|пренебре|отброс|обойди|обход|не соблюдай",
        r"\b(?:про)?игнорируй(?:те)?\b|\bигнорировать\b|\bзабудь(?:те)?\b|\bотмени(?:те)?\b|\bне (?:следуй|выполняй"
        r"|учитывай|соблюдай|слушай|слушайся|подчиняйся)(?:те)?\b|\bне обращай(?:те)? внимани|\bнаруш(?:ай|ь)(?:те)?\b"
        r"|\bпренебреги(?:те)?\b|\bотброс(?:ь|ьте|ай)\b|\bобойди(?:те)?\b|\bобходи(?:те)?\b"
        r"|\bперестань(?:те)? (?:следовать|выполнять|слушать)",
        RU_EARLIER,
        RU_ORDERS,
        not_before=r"\b(?:не|никогда|нельзя)\s+$",
        not_in=r"\bникогда\b|\bнельзя\b|eslint|линтер",
    ),
    order(
        OVERRIDE,
        "теперь ты|отныне|с этого момента|с этой минуты|больше не действуют|утратили|отменяются|отменены|недействительн",
        r"\b(?:отныне|с этого момента|с этой минуты|теперь),? ты (?:\w+)|(?:инструкци|указани|правил|команд"
        r"|ограничени)\w*[^.]{0,60}(?:больше не действуют|утратили|отменяются|отменены|недействительн|не имеют силы"
        r"|сняты)|(?:эти|новые|данные|следующие) (?:инструкци|указани|правил)\w*[^.]{0,40}(?:приоритет|заменяют|важнее"
        r"|отменяют)|\b(?:вопреки|даже если)\b[^.]{0,20}пользовател\w*[^.]{0,40}|^\W*новые инструкции\s*:",
        not_in=r"\bмы\b",
    ),
    order(
        OVERRIDE,
        "nur noch|nur die|ausschließlich|seules les|uniquement|solamente|únicamente|sólo las|solo las|solo valen|только",
        r"\b(?:nur (?:noch )?|ausschließlich )(?:(?:die|den|der|diesen?) )?(?:\w+ )?(?:regel|anweisung|vorgabe|instruktion"
        r"|befehl)\w*\b[^.;]{0,20}"
        r"\b(?:in|aus) (?:dieser|diesem|der vorliegenden|dem folgenden)\b|\bseules les (?:règles|instructions"
        r"|consignes) (?:de|dans) (?:ce|cette|cet)\b"
        r"|\b(?:uniquement|exclusivement) (?:les )?(?:règles|instructions|consignes) (?:de|dans) (?:ce|cette|cet)\b"
        r"|\b(?:sol[oa]|sólo|solamente|únicamente) (?:\w+ )?(?:las )?(?:reglas|instrucciones|órdenes) (?:de|en) est[ea]\b"
        r"|\bтолько (?:\w+ )?(?:правил|инструкци|указани|команд)\w* (?:из|в|этого|данного)\b",
        not_in=r"\bwir\b|\bnous\b|\bмы\b|test|prüfung",
    ),
    # B
    order(
        CONCEAL,
        "nutzer|anwender|dem user|den user|der user|vom user|mensch|besitzer|eigentümer|inhaber|auftraggeber|niemand"
        "|bediener| davon| darüber|hiervon",
        r"\b(?:sag|teil|meld|bericht|erwähn|verrat|informier|zeig|weise|benachrichtig|unterricht|erzähl|offenbar|frag"
        r"|warn)\w*\b[^.;]{0,60}\b(?:nichts|nicht|keine[rnm]?|niemand\w*)\b",
        rf"{DE_HUMAN}|\bdavon\b|\bdarüber\b|\bdies\w*\b|\bhiervon\b",
        not_before=r"\b(?:nie(?:mals)?|wir|api|app|server|seite|formular)\b[^.;]{0,30}$",
        not_in=r"\b(?:kund\w+|presse|lieferant\w*|fehlermeldung\w*|stacktrace\w*|wettbewerb\w*|meldet|zeigt|fragt"
        r"|informiert|berichtet) ",
    ),
    order(
        CONCEAL,
        "ohne",
        rf"\bohne\b[^.;]{{0,40}}(?:{DE_HUMAN}|\bjemand\w*|\bes\b|\bdies\b|\bdas\b"
        rf"|\bdavon\b)?[^.;]{{0,40}}(?:zu (?:sagen|informieren|benachrichtigen|melden|erwähnen|verraten|unterrichten"
        rf"|fragen)|mitzuteilen|bescheid|zu erzählen|wissen d\w+ (?:be)?nutzer\w*|darauf hinzuweisen)",
        rf"{DE_HUMAN}|\bes zu (?:erwähnen|melden)|\bdavon\b|\bdies\b",
        rf"\b{DE_ACT}",
        not_in=rf"{DE_NEVER}|\bverboten",
    ),
    order(
        CONCEAL,
        "heimlich|still und leise|stillschweigend|unbemerkt|unauffällig|verschweig|verheimlich|verberg|verbirg|versteck"
        "|für dich|kein wort|erfahren|merken|mitbekommen| wissen|im stillen|hinter dem rücken|lautlos",
        rf"\b{DE_ACT}\b[^.;]{{0,120}}\b(?:heimlich|still und leise|stillschweigend|unbemerkt|unauffällig"
        rf"|klammheimlich|im stillen|hinter dem rücken|lautlos)\b|\b(?:verschweig|verheimlich|verbirg|verberg"
        rf"|versteck)(?:e|en|t)?\b[^.]{{0,60}}(?:(?:be)?nutzer|anwender|user|mensch|dies|das|es\b|den |die )"
        rf"|(?:(?:be)?nutzer|anwender|user|besitzer|mensch)\w*[^.]{{0,30}}(?:darf|dürfen|soll|sollen|muss|müssen"
        rf"|braucht)[^.]{{0,30}}(?:nicht|nichts|nie)\b[^.]{{0,30}}(?:erfahren|wissen|merken|mitbekommen|sehen)"
        rf"|\bbehalte? (?:das|dies|es)[^.]{{0,10}} für dich|\bkein wort (?:zu|zum|darüber|davon|über)",
        not_before=r"\b(?:nie(?:mals)?|nicht|wir)\b[^.;]{0,30}$",
        not_in=r"\bniemals\b|\bnie\b",
    ),
    order(
        CONCEAL,
        " sans |discrèt|silencieu|en silence|cachette|en secret|secrèt|insu|cachez|cache à|cache l'|cache c|dissimul",
        rf"\b{FR_ACT}\b[^.;]{{0,140}}\b(?:discrètement|en silence|silencieusement|en cachette|en secret|secrètement"
        rf"|à l'insu|sans (?:que|rien dire|le dire|en parler|laisser de trace|le mentionner|le signaler|bruit))"
        rf"|\b(?:discrètement|silencieusement|secrètement|en silence|en secret),? {FR_ACT}\b|\bsans (?:en |l'|le "
        rf"|la )?(?:prévenir|informer|avertir|aviser|demander à|dire à|consulter|signaler)[^.;]{{0,40}}(?:utilisat"
        rf"|humain|personne|propriétaire|usager)|\b(?:cache|cachez|dissimule|dissimulez)\b[^.]{{0,40}}(?:utilisat"
        rf"|humain|propriétaire)|\bà l'insu d",
        not_before=r"\b(?:jamais|pas|nous|on|il|elle|qui)\b[^.;]{0,40}$",
        not_in=r"\bjamais\b|\bne \w+ (?:pas|rien) sans|\binterdit",
    ),
    order(
        CONCEAL,
        ' pas | rien| jamais|personne | pas"|pas.',
        r"\b(?:ne|n')\s?(?:le |la |lui |leur |en |l'|les )?(?:dis|dites|mentionne[zr]?|signale[zr]?|informe[zr]?"
        r"|préviens|prévenez|parle[zr]?|révèle[zr]?|avertis|avertissez|montre[zr]?|raconte[zr]?|avise[zr]?"
        r"|rapporte[zr]?|demande[zr]?)\b[^.;]{0,30}\b(?:pas|rien|jamais|personne)\b"
        r"|\b(?:l'utilisat\w+|le propriétaire|l'humain)\b ne doi\w+ (?:pas|rien|jamais)[^.]{0,20}(?:savoir|apprendre"
        r"|voir|remarquer|être (?:informé|prévenu))",
        rf"{FR_HUMAN}|\bcela\b|\bceci\b|\bça\b|cette (?:action|étape|modification|consigne)|\brien\b|\ben parle",
        not_in=r"\bclients?\b|presse|concurren|\bavant (?:la|le|l'|les) ?(?:démo|annonce|lancement|réunion|sortie|publication"
        r"|fête)",
    ),
    order(
        CONCEAL,
        " sin |en silencio|silenciosa|discretamente|escondidas|en secreto|secretamente|oculta|esconde|disimul|a nadie"
        "|usuari|dueñ|propietari|espaldas",
        rf"\b{ES_ACT}\b[^.;]{{0,140}}\b(?:en silencio|discretamente|silenciosamente|a escondidas|en secreto"
        rf"|secretamente|a espaldas|sin que|sin (?:avisar|informar|decir|mencionar|comentar|dejar rastro|decírselo"
        rf"|notificar|contar|preguntar))|\b(?:discretamente|silenciosamente|en silencio|en secreto|a escondidas),? {ES_ACT}\b"
        r"|\bsin (?:avisar|informar|decir(?:le|lo|selo)?|preguntar(?:le)?|notificar|mencionar(?:lo)?"
        r"|consultar)[^.;]{0,30}(?:usuari|humano|a nadie|dueñ|propietari)|\b(?:oculta|esconde|oculte)(?:le|lo"
        r"|selo)?\b[^.]{0,40}usuari|\bno (?:se )?(?:lo |le |les )?(?:digas|informes|menciones|avises|reveles|comentes"
        r"|cuentes|notifiques|muestres|diga|mencione|informe|avise|revele|preguntes)\b[^.;]{0,50}(?:usuari|a nadie"
        r"|humano|dueñ|propietari|\besto\b|\beso\b|\bello\b)|(?:usuari\w+|dueñ\w+) no (?:debe|tiene que|puede"
        r"|necesita)[^.]{0,20}(?:saber|enterarse|ver|notar|darse cuenta)",
        not_before=r"\b(?:nunca|jamás|nosotros|que)\b[^.;]{0,40}$",
        not_in=r"\bnunca\b|\bjamás\b|\bclientes?\b|prensa|\bno (?:\w+ ){1,4}sin\b"
        r"|\b(?:pruebas?|tests?|format\w*|linters?|compila\w*)\b[^.;]{0,20}\bsin preguntar",
    ),
    order(
        CONCEAL,
        "не |без |тихо|незаметно|молча|тайно|тайком|втайне|скрытно|украдкой|скрой|скрывай|утаи|умолч",
        rf"\bне (?:сообщай|говори|рассказывай|упоминай|уведомляй|показывай|информируй|предупреждай|докладывай"
        rf"|раскрывай|спрашивай|оповещай|ставь|пиши)(?:те)?\b[^.;]{{0,60}}(?:{RU_HUMAN}|об этом|\bэто\w*\b|\bему\b"
        rf"|\bей\b|\bнего\b)|(?:{RU_HUMAN}|об этом)[^.;]{{0,20}}\bне (?:сообщай|говори|рассказывай|упоминай"
        rf"|уведомляй|показывай|докладывай)(?:те)?\b"
        rf"|\b(?:тихо|незаметно|молча|тайно|тайком|втайне|скрытно|украдкой"
        rf"|без лишнего шума)\b[^.;]{{0,60}}\b{RU_ACT}\b|\b{RU_ACT}\b[^.;]{{0,100}}\b(?:тихо|незаметно|молча|тайно"
        rf"|тайком|втайне|скрытно|украдкой|без лишнего шума)\b|\b{RU_ACT}\b[^.;]{{0,100}}(?:\bбез (?:ведома"
        rf"|уведомления|согласия)[^.;]{{0,30}}|\bне (?:сообщая|уведомляя|спрашивая|говоря|предупреждая|ставя|упоминая"
        rf"|докладывая)[^.;]{{0,40}})|(?:\bбез (?:ведома|уведомления)|\bне (?:сообщая|уведомляя|спрашивая|говоря"
        rf"|предупреждая))[^.;]{{0,40}}{RU_HUMAN}[^.;]{{0,40}}\b{RU_ACT}"
        rf"|\b(?:скрой|скрывай|утаи|умолчи)(?:те)?\b[^.]{{0,40}}|пользовател\w* не (?:должен|должна|нужно|следует"
        rf"|обязан)[^.]{{0,20}}(?:знать|узнать|заметить|видеть)",
        not_before=r"\b(?:никогда|нельзя|запрещ\w+|мы)\b[^.;]{0,40}$",
        not_in=r"\bникогда\b|\bнельзя\b|клиент|заказчик|\bпресс",
    ),
)
