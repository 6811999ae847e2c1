"""Orders in German, French, Spanish and Russian."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_rule import ADDRESS, APPROVAL, AWAY, CARRY, CONCEAL, OVERRIDE, RUN, SECRETS, SETTLE, Order, order

_DE_NEVER: Final = r"\b(?:nie(?:mals)?|nicht|kein\w*|darf|dürfen|verboten|untersagt|wir|man|wird|werden)\b"
_FR_NEVER: Final = r"\b(?:jamais|interdit|défense|il ne faut|nous|on)\b|\b(?:ne|n')\s?\w+ (?:pas|jamais)"
_ES_NEVER: Final = r"\b(?:nunca|jamás|prohibid\w+|no se debe|nosotros|no (?:\w+ ){0,2}$)"
_RU_NEVER: Final = r"\b(?:никогда|нельзя|запрещ\w+|не (?:\w+ ){0,1}$|мы)"

_DE_EARLIER: Final = r"\b(?:bisherig|vorherig|vorig|früher|vorangegangen|vorangehend|vorstehend|obig|oben|vorgegeben|dein|ursprünglich|bestehend|erhalten|gegeben|zuvor|jeglich|sämtlich|system)\w*|\b(?:des|vom|der|die|dem|den) (?:be)?nutzer\w*|anwender\w*|\balle anweisungen|\bbetreiber\w*|\buser\w*|\binhaber\w*|\bauftraggeber\w*"
_DE_ORDERS: Final = r"\b(?:\w+-|sicherheits|system|verhaltens|arbeits|nutzer|benutzer)?(?:anweisung|instruktion|vorgabe|regel|befehl|richtlinie|weisung|einschränkung|vorschrift|wünsche|wunsch|bitten|anordnung|prompt|direktive|aufträge|auftrag|anforderung|beschränkung|schranken|willen)\w*"
_DE_HUMAN: Final = r"(?:be)?nutzer\w*|anwender\w*|\buser\w*|\bmensch\w*|besitzer\w*|eigentümer\w*|inhaber\w*|auftraggeber\w*|niemand\w*|bediener\w*|\bihm\b|\bihr\b"
_DE_ACT: Final = r"(?:sende|schick|lade|kopier|lösch|füg|änder|übertrag|committ?e|pushe?|push|installier|führ|schalt|entfern|leit|trag|schreib|nimm|übermitt|veröffentlich|poste|ersetz|merge|gib|deaktivier|bau|stell|setz|verschieb|häng|starte?|öffne|speicher|hinterleg|mach|überschreib|rufe?|gewähr|lies (?:d|al|je)|empfiehl|antworte|ignorier|befolg|verwend|nutz|setze)(?:e|en|le|ln|re|rn|n)?\b"
_FR_EARLIER: Final = r"précédent|antérieur|ci-dessus|plus haut|initial|reç|jusqu'(?:à présent|ici)|\btoutes (?:les|tes|vos) (?:instructions|consignes)|utilisat|système|\btes\b|\bvos\b|données? (?:avant|auparavant)|auparavant|passées|propriétaire|en vigueur|d'origine"
_FR_ORDERS: Final = r"instruction|consigne|directive|règle|\bordres?\b|commande|demandes?\b|souhait|restriction|recommandation|limitation|volonté|préférence|garde-fou|\bprompt"
_FR_HUMAN: Final = r"utilisat\w+|humain\w*|propriétaire|à personne|\bpersonne\b|usager|responsable|exploitant|opérat\w+"
_FR_ACT: Final = r"(?:envoie|envoyer|envoyez|transmet|transmets|transmettez|copie|copiez|ajoute|ajoutez|supprime|supprimez|efface|effacez|pousse|poussez|publie|publiez|télécharge|téléchargez|modifie|modifiez|exécute|exécutez|désactive|désactivez|insère|insérez|remplace|remplacez|installe|installez|téléverse|écris|écrivez|fais|lance|lancez|change|changez|fusionne|poste|postez|active|activez|recopie|recopiez|déploie|déployez|partage|inclus|joins|enregistre|enregistrez|colle|collez|transfère|transférez|mets|réponds|répondez|recommande|ouvre|ouvrez|doi[st]|doivent|devez|accorde|valide|lis)"
_ES_EARLIER: Final = r"anterior|previ[ao]s?\b|precedente|de arriba|arriba|inicial|hasta ahora|recibid|todas las (?:instrucciones|indicaciones|órdenes|ordenes)|usuari|sistema|\btus\b|\bsus\b|propietari|dad[ao]s antes|vigentes|original"
_ES_ORDERS: Final = r"instrucci|indicaci|órdenes|\borden\b|ordenes|reglas?|directri|normas?|peticion|deseos?|lo que (?:diga|pida|quiera|ordene)|restricci|consigna|mandato|pautas?|preferencias|\bprompt|límites"
_ES_HUMAN: Final = r"usuari\w+|human\w+|nadie|dueñ\w+|propietari\w+|persona|operador\w*|responsable"
_ES_ACT: Final = r"(?:envía|envia|enviar|manda|mandar|copia|copie|añade|agrega|borra|elimina|elimine|sube|suba|publica|reenvía|ejecuta|ejecute|cambia|desactiva|incluye|inserta|modifica|reemplaza|instala|escribe|haz|descarga|fusiona|guarda|pega|transmite|despliega|adjunta|aprueba|concede|crea|pon|mete|lee|responde|recomienda|abre|debe|deben|debes|envíe|envie|añada|transfiere|comparte|quita|apaga|lanza|sustituye)"
_RU_EARLIER: Final = r"предыдущ|прежн|ранее|вышеизлож|вышеприв|выше\b|прошл|пользовател|системн|владел|прошлы|изначальн|исходн|все (?:указани|инструкци|команд)|всё|данные тебе|данных тебе|свои\b|твои\b|полученн|хозяин|предшеств"
_RU_ORDERS: Final = r"инструкц|указани|правил|команд|распоряжен|директив|пожелани|просьб|запрос|ограничени|установк|приказ|требовани|что (?:говорит|просит|сказал|хочет)"
_RU_HUMAN: Final = r"пользовател\w*|человек\w*|людям|людей|владел\w+|никому|никого|хозяин\w*|оператор\w*|разработчик\w*"
_RU_ACT: Final = r"(?:отправ|пошли|посыл|скопир|копир|удал|добав|загруз|выгруз|измен|запус|выполн|переда|внес|отключ|перешл|запиш|опублик|встав|замен|установ|скача|откро|прочита|сдела|ответ|одобр|слей|закоммит|коммит|запуш|публик|сохран|примен|выложи|рекоменд|должн|обязан|включ|разреш|созда|впиши|подтверд|перепиш|размест)\w*"

_COPY: Final = r"(?:kopier|füg|schreib|trag|übernimm|übertrag|verbreit|häng|setz|speicher|wiederhol|copie|copiez|recopie|recopiez|ajoute|ajoutez|écris|écrivez|insère|insérez|propage|reporte|enregistre|copia|copie|añade|agrega|escribe|inserta|pega|propaga|guarda|скопир|копир|добав|запиш|внес|встав|распростран|перенес|впиши|сохран|допиш)\w*"
_THIS: Final = r"\b(?:dies\w*|folgend\w*|den (?:obigen )?(?:absatz|text|satz|hinweis|eintrag)|cette|ce|ces|cet|le (?:texte|paragraphe) (?:ci-dessus|suivant)|est[aeo]s?|el (?:siguiente )?(?:texto|párrafo|aviso)|эт[оуиаё]\w{0,2}|данн\w+|следующ\w+)\b"
_ALL: Final = r"\b(?:jede\w*|alle\w*|ander\w*|neue\w*|sämtlich\w*|weitere\w*|künftig\w*|chaque|tous|toutes|autres?|nouvea\w+|nouvelles?|cada|tod[oa]s|otr[oa]s|nuev[oa]s?|кажд\w+|все\w{0,2}|друг\w+|нов\w+|остальн\w+|люб\w+|будущ\w+)\b"
_PLACES: Final = r"(?:memory\.md|agents\.md|claude\.md|scratchpad|speicher|gedächtnis|notiz|projekt|datei|sitzung|repositor|mémoire|projets?|fichiers?|dépôts?|sessions?|notes?\b|memoria|proyecto|archivo|notas?\b|sesi|памят|проект|файл|замет|репозитори|сесси|заметк)\w*"
_STARTUP: Final = r"(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|authorized_keys|crontab|\.git/hooks|git-?hook|systemd|autostart|startskript|sessionstart|автозагрузк|автозапуск|démarrage|arranque|inicio de sesión)"
_FETCHES: Final = r"curl|wget|https?://|\bnc\b|base64|ssh-(?:rsa|ed25519)|\b(?:diesen|folgenden|diese|folgende|cette|ce|suivante?|est[ae]|siguiente|эт[оу]т?|следующ\w+|данн\w+) (?:schlüssel|zeile|befehl|hook|skript|clé|ligne|commande|clave|línea|comando|ключ|строк\w|команд\w|хук|скрипт)"

_READS: Final = r"\b(?:liest|lesen|lies|verarbeite\w*|auswerte\w*|zusammenfass\w*|lit|lisant|lisez|lisent|lire|traite\w*|résum\w*|analys\w*|lee|lea|leen|leyendo|procesa\w*|resum\w*|analiza\w*|чита\w+|прочит\w+|обрабат\w+|анализир\w+|просматрива\w+)\b"
_ADDRESS_STEM: Final = r"(?:\bki(?:-\w+)?\b|assistent\w*|\bagent\w*|sprachmodell\w*|automatisch\w* leser|\bia\b|\bassistants?\b|assistante\w*|modèles? de langage|lecteurs? automati\w+|asistente\w*|modelos? de lenguaje|lectores automátic\w+|\bии\b|ии-\w+|ассистент\w*|агент\w*|помощник\w*|языков\w+ модел\w+|нейросет\w+|автоматическ\w+ читател\w+|\bбот\w*\b)"

ORDERS: Final[tuple[Order, ...]] = (
    # A
    order(
        OVERRIDE,
        "ignorier|missacht|vergiss|vergesst|vergessen|verwirf|verwerf|überschreib|übergeh|umgeh|hinweg|befolg|beacht"
        "|haltet |halte |streich|setz dich|außer acht|gehorch|folge |folge nicht|brich ",
        r"\b(?:ignorier(?:e|en|t)?|missachte\w*|vergiss|vergesst|vergessen|verwirf|verwerfen|überschreib\w*|übergeh\w*"
        r"|umgeh\w*|setz\w* dich (?:über|hinweg)|hinwegsetzen|streich\w*|(?:befolg|beacht|halt|folg"
        r"|gehorch)\w*\b[^.]{0,80}\b(?:nicht|keine[rn]?)\b|außer acht|brich)",
        _DE_EARLIER,
        _DE_ORDERS,
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
        _FR_EARLIER,
        _FR_ORDERS,
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
        _ES_EARLIER,
        _ES_ORDERS,
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
        _RU_EARLIER,
        _RU_ORDERS,
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
    # B
    order(
        CONCEAL,
        "nutzer|anwender|dem user|den user|der user|vom user|mensch|besitzer|eigentümer|inhaber|auftraggeber|niemand"
        "|bediener| davon| darüber|hiervon",
        r"\b(?:sag|teil|meld|bericht|erwähn|verrat|informier|zeig|weise|benachrichtig|unterricht|erzähl|offenbar|frag"
        r"|warn)\w*\b[^.;]{0,60}\b(?:nichts|nicht|keine[rnm]?|niemand\w*)\b",
        rf"{_DE_HUMAN}|\bdavon\b|\bdarüber\b|\bdies\w*\b|\bhiervon\b",
        not_before=r"\b(?:nie(?:mals)?|wir|api|app|server|seite|formular)\b[^.;]{0,30}$",
        not_in=r"\b(?:kund\w+|presse|lieferant\w*|fehlermeldung\w*|stacktrace\w*|wettbewerb\w*|meldet|zeigt|fragt|informiert|berichtet) ",
    ),
    order(
        CONCEAL,
        "ohne",
        rf"\bohne\b[^.;]{{0,40}}(?:{_DE_HUMAN}|\bjemand\w*|\bes\b|\bdies\b|\bdas\b|\bdavon\b)?[^.;]{{0,40}}(?:zu (?:sagen|informieren|benachrichtigen|melden|erwähnen|verraten|unterrichten|fragen)|mitzuteilen|bescheid|zu erzählen|wissen d\w+ (?:be)?nutzer\w*|darauf hinzuweisen)",
        rf"{_DE_HUMAN}|\bes zu (?:erwähnen|melden)|\bdavon\b|\bdies\b",
        rf"\b{_DE_ACT}",
        not_in=rf"{_DE_NEVER}|\bverboten",
    ),
    order(
        CONCEAL,
        "heimlich|still und leise|stillschweigend|unbemerkt|unauffällig|verschweig|verheimlich|verberg|verbirg|versteck"
        "|für dich|kein wort|erfahren|merken|mitbekommen| wissen|im stillen|hinter dem rücken|lautlos",
        rf"\b{_DE_ACT}\b[^.;]{{0,120}}\b(?:heimlich|still und leise|stillschweigend|unbemerkt|unauffällig|klammheimlich|im stillen|hinter dem rücken|lautlos)\b|\b(?:verschweig|verheimlich|verbirg|verberg|versteck)(?:e|en|t)?\b[^.]{{0,60}}(?:(?:be)?nutzer|anwender|user|mensch|dies|das|es\b|den |die )"
        rf"|(?:(?:be)?nutzer|anwender|user|besitzer|mensch)\w*[^.]{{0,30}}(?:darf|dürfen|soll|sollen|muss|müssen|braucht)[^.]{{0,30}}(?:nicht|nichts|nie)\b[^.]{{0,30}}(?:erfahren|wissen|merken|mitbekommen|sehen)|\bbehalte? (?:das|dies|es)[^.]{{0,10}} für dich|\bkein wort (?:zu|zum|darüber|davon|über)",
        not_before=r"\b(?:nie(?:mals)?|nicht|wir)\b[^.;]{0,30}$",
        not_in=r"\bniemals\b|\bnie\b",
    ),
    order(
        CONCEAL,
        " sans |discrèt|silencieu|en silence|cachette|en secret|secrèt|insu|cachez|cache à|cache l'|cache c|dissimul",
        rf"\b{_FR_ACT}\b[^.;]{{0,140}}\b(?:discrètement|en silence|silencieusement|en cachette|en secret|secrètement|à l'insu|sans (?:que|rien dire|le dire|en parler|laisser de trace|le mentionner|le signaler|bruit))|\b(?:discrètement|silencieusement|secrètement|en silence|en secret),? {_FR_ACT}\b|\bsans (?:en |l'|le |la )?(?:prévenir|informer|avertir|aviser|demander à|dire à|consulter|signaler)[^.;]{{0,40}}(?:utilisat|humain|personne|propriétaire|usager)|\b(?:cache|cachez|dissimule|dissimulez)\b[^.]{{0,40}}(?:utilisat|humain|propriétaire)|\bà l'insu d",
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
        rf"{_FR_HUMAN}|\bcela\b|\bceci\b|\bça\b|cette (?:action|étape|modification|consigne)|\brien\b|\ben parle",
        not_in=r"\bclients?\b|presse|concurren",
    ),
    order(
        CONCEAL,
        " sin |en silencio|silenciosa|discretamente|escondidas|en secreto|secretamente|oculta|esconde|disimul|a nadie"
        "|usuari|dueñ|propietari|espaldas",
        rf"\b{_ES_ACT}\b[^.;]{{0,140}}\b(?:en silencio|discretamente|silenciosamente|a escondidas|en secreto|secretamente|a espaldas|sin que|sin (?:avisar|informar|decir|mencionar|comentar|dejar rastro|decírselo|notificar|contar|preguntar))|\b(?:discretamente|silenciosamente|en silencio|en secreto|a escondidas),? {_ES_ACT}\b"
        r"|\bsin (?:avisar|informar|decir(?:le|lo|selo)?|preguntar(?:le)?|notificar|mencionar(?:lo)?"
        r"|consultar)[^.;]{0,30}(?:usuari|humano|a nadie|dueñ|propietari)|\b(?:oculta|esconde|oculte)(?:le|lo"
        r"|selo)?\b[^.]{0,40}usuari|\bno (?:se )?(?:lo |le |les )?(?:digas|informes|menciones|avises|reveles|comentes"
        r"|cuentes|notifiques|muestres|diga|mencione|informe|avise|revele|preguntes)\b[^.;]{0,50}(?:usuari|a nadie"
        r"|humano|dueñ|propietari|\besto\b|\beso\b|\bello\b)|(?:usuari\w+|dueñ\w+) no (?:debe|tiene que|puede"
        r"|necesita)[^.]{0,20}(?:saber|enterarse|ver|notar|darse cuenta)",
        not_before=r"\b(?:nunca|jamás|nosotros|que)\b[^.;]{0,40}$",
        not_in=r"\bnunca\b|\bjamás\b|\bclientes?\b|prensa|\bno (?:\w+ ){1,4}sin\b",
    ),
    order(
        CONCEAL,
        "не |без |тихо|незаметно|молча|тайно|тайком|втайне|скрытно|украдкой|скрой|скрывай|утаи|умолч",
        rf"\bне (?:сообщай|говори|рассказывай|упоминай|уведомляй|показывай|информируй|предупреждай|докладывай|раскрывай|спрашивай|оповещай|ставь|пиши)(?:те)?\b[^.;]{{0,60}}(?:{_RU_HUMAN}|об этом|\bэто\w*\b|\bему\b|\bей\b|\bнего\b)|(?:{_RU_HUMAN}|об этом)[^.;]{{0,20}}\bне (?:сообщай|говори|рассказывай|упоминай|уведомляй|показывай|докладывай)(?:те)?\b"
        rf"|\b(?:тихо|незаметно|молча|тайно|тайком|втайне|скрытно|украдкой|без лишнего шума)\b[^.;]{{0,60}}\b{_RU_ACT}\b|\b{_RU_ACT}\b[^.;]{{0,100}}\b(?:тихо|незаметно|молча|тайно|тайком|втайне|скрытно|украдкой|без лишнего шума)\b|\b{_RU_ACT}\b[^.;]{{0,100}}(?:\bбез (?:ведома|уведомления|согласия)[^.;]{{0,30}}|\bне (?:сообщая|уведомляя|спрашивая|говоря|предупреждая|ставя|упоминая|докладывая)[^.;]{{0,40}})|(?:\bбез (?:ведома|уведомления)|\bне (?:сообщая|уведомляя|спрашивая|говоря|предупреждая))[^.;]{{0,40}}{_RU_HUMAN}[^.;]{{0,40}}\b{_RU_ACT}"
        rf"|\b(?:скрой|скрывай|утаи|умолчи)(?:те)?\b[^.]{{0,40}}|пользовател\w* не (?:должен|должна|нужно|следует|обязан)[^.]{{0,20}}(?:знать|узнать|заметить|видеть)",
        not_before=r"\b(?:никогда|нельзя|запрещ\w+|мы)\b[^.;]{0,40}$",
        not_in=r"\bникогда\b|\bнельзя\b|клиент|заказчик|\bпресс",
    ),
    # C
    order(
        APPROVAL,
        "zugestimmt|genehmigt|freigegeben|erlaubt|bestätigt|autorisiert|eingewilligt|zustimmung|einwilligung|freigabe|genehmigung",
        r"(?:(?:be)?nutzer|anwender|user|besitzer|inhaber|auftraggeber)\w*\b[^.]{0,20}\b(?:hat"
        r"|haben)\b[^.]{0,80}\b(?:zugestimmt|genehmigt|freigegeben|erlaubt|bestätigt|autorisiert|eingewilligt|erteilt"
        r"|gegeben)|\b(?:betracht|behandl|wert|nimm|geh)\w*\b[^.]{0,60}(?:genehmigt|freigegeben|bestätigt|erlaubt"
        r"|zugestimmt|zustimmung|freigabe|genehmigung|erteilt)",
        r"\b(?:bereits|schon|im voraus|alle\w*|jede\w*|vorab|pauschal|grundsätzlich|betracht\w*|behandl\w*|künftig\w*"
        r"|sämtlich\w*|dauerhaft|wert\w*|nimm)\b",
        not_in=r"\b(?:nie|niemals|nicht|wenn|sobald|bis|falls|erst)\b",
    ),
    order(
        APPROVAL,
        "sicherheit|sandbox|bestätigung|genehmigung|rückfrage|freigabe|schutz|berechtigung|nachfrage|zu fragen"
        "|erlaubnis|zustimmung|sicherung",
        rf"(?:\b(?:deaktivier|schalt|umgeh|überspring|setz|heb|entfern|unterdrück|lass|stell)\w*\b[^.]{{0,60}}(?:sicherheits\w*|sandbox|bestätigung\w*|genehmigung\w*|rückfrage\w*|freigabe\w*|schutz\w*|berechtigungs\w*|sicherung\w*)|\b{_DE_ACT}\b[^.]{{0,100}}\bohne (?:\w+ )?(?:rückfrage|nachfrage|bestätigung|genehmigung|zu fragen|freigabe|erlaubnis|zustimmung|nachzufragen)|\bohne (?:\w+ )?(?:rückfrage|nachfrage|bestätigung|genehmigung|freigabe|erlaubnis|zustimmung)[^.]{{0,60}}(?:aus|löschen|senden|pushen|installieren|ausführen|überweisen)\b)",
        r"\b(?:ab|aus|deaktivier\w*|umgeh\w*|überspring\w*|außer kraft|auf|ohne|unterdrück\w*|entfern\w*|weg|hoch)\b",
        not_in=r"\b(?:nie|niemals|nicht|kein\w*|darf|dürfen|wir|immer erst)\b|schalt\w* [^.]{0,60}\bein\b",
    ),
    order(
        APPROVAL,
        "approuv|autoris|validé|validation|accepté|accord|consenti|confirmation|confirmé|sécurité|bac à sable|garde-fou"
        "|vérification|la protection|les protections|sans permission|contrôle",
        rf"utilisat\w+ (?:a|ont|avait)\b[^.]{{0,40}}(?:approuvé|autorisé|validé|accepté|donné son accord|consenti|confirmé)[^.]{{0,80}}|\b(?:désactive|coupe|contourne|saute|supprime|suspend|suspends|lève|retire|éteins|omets|court-circuite)[zr]?\b[^.]{{0,60}}(?:sécurité|bac à sable|sandbox|confirmation|vérification|autorisation|garde-fou|protection|approbation|contrôles?)|\b{_FR_ACT}\b[^.]{{0,100}}\bsans (?:demander |attendre )?(?:de |la |d'|aucune |l')?(?:confirmation|autorisation|approbation|permission|validation|accord)|\b(?:considère|traite|tiens)[zr]?\b[^.]{{0,60}}(?:approuvé|autorisé|accordé|validé|accepté|acquis)",
        r"\b(?:déjà|d'avance|par avance|toutes?|tous|tout|désactive\w*|coupe\w*|contourne\w*|saute\w*|supprime\w*"
        r"|suspend\w*|lève\w*|retire\w*|éteins|omets|sans|considère\w*|traite\w*|tiens|court-circuite\w*)\b",
        not_in=r"\bjamais\b|\bne \w+ pas\b|\binterdit|\bsi l'utilisat|\bquand\b|\bnous\b",
    ),
    order(
        APPROVAL,
        "aprob|autoriz|acepta|consenti|permiso|confirmaci|confirma|seguridad|verificaci|protecci|salvaguard|controles"
        "|comprobaci|el sandbox|la sandbox",
        rf"usuari\w+ (?:ya )?(?:ha |dio |aprobó|autorizó|aceptó)[^.]{{0,100}}|\b(?:desactiva|deshabilita|apaga|omite|salta|sáltate|evita|elude|quita|suspende|anula|desconecta)(?:r|d|e)?\b[^.]{{0,60}}(?:seguridad|sandbox|confirmaci|verificaci\w+ de|permisos|aprobaci|protecci|salvaguard|controles)|\b{_ES_ACT}\b[^.]{{0,100}}\bsin (?:pedir|solicitar|esperar|requerir|ninguna)?[^.]{{0,16}}(?:confirmaci|permiso|aprobaci|autorizaci)|\b(?:da|dé|considera|trata)\b[^.]{{0,60}}(?:aprobad|autorizad|concedid|confirmad|aceptad)",
        r"\b(?:ya|tod[oa]s?|cualquier|de antemano|por adelantado|desactiva\w*|deshabilita\w*|apaga\w*|omite\w*|salta\w*"
        r"|sáltate|evita\w*|elude|quita\w*|suspende\w*|anula|desconecta|sin|da|dé|considera|trata)\b",
        not_in=r"\bnunca\b|\bjamás\b|\bno (?:\w+ ){1,4}sin\b|\bno (?:desactiv|apag|omit|salt)|\bsi el usuario|\bcuando\b",
    ),
    order(
        APPROVAL,
        "одобр|разреш|соглас|подтвер|утверд|безопасност|песочниц|защит|аудит|провер",
        rf"(?:пользовател|владел)\w*\s+(?:уже )?[^.]{{0,30}}(?:одобрил|разрешил|согласил|подтвердил|дал согласие|утвердил|дал разрешение)[^.]{{0,80}}|\b(?:отключи|выключи|обойди|пропусти|пропускай|отключай|деактивируй|сними|снимай|обходи|убери)(?:те)?\b[^.]{{0,60}}(?:безопасност|песочниц|подтвержден|защит|разрешени|аудит|проверк\w+ (?:прав|подпис))|\b{_RU_ACT}\b[^.]{{0,100}}\bбез (?:\w+ )?(?:подтвержден|разрешен|согласи|одобрен|запрос|вопросов)\w*|\bбез (?:\w+ )?(?:подтвержден|разрешен|согласи|одобрен)\w*[^.]{{0,40}}\b(?:{_RU_ACT})|\b(?:считай|рассматривай)(?:те)?\b[^.]{{0,60}}(?:одобрен|разрешен|разрешён|подтвержд|согласован)",
        r"(?:уже|заранее|все\w{0,2}|всё|любы\w+|отключ\w*|выключ\w*|обой\w*|обход\w*|пропус\w*|деактив\w*|сними|снимай"
        r"|без|считай|рассматривай|убери)",
        not_in=r"\bникогда\b|\bнельзя\b|запрещ|\bне (?:отключ|выключ|пропуск|запуск|удаля|публик|отправл|коммит|пуш|выполн|деплой)|\bесли\b",
    ),
    # D
    order(
        RUN,
        "herunter|runter|télécharg|descarg|скача|загруз|выкача",
        r"(?:\b(?:lad|hol)\w*\b[^;]{0,200}\b(?:führ|start|installier|öffn)\w*"
        r"|\btélécharge[zr]?\b[^;]{0,200}\b(?:exécute|lance|installe|démarre)[zr]?\b|\bdescarg(?:a|ue|ad"
        r"|ar)\b[^;]{0,200}\b(?:ejecut|ejecút|corre|lanz|instal)\w*|\b(?:скача|загруз|выкача)\w*\b[^;]{0,200}\b(?:запус"
        r"|выполн|установ)\w*)",
        r"https?://|hxxp|\b[\w-]+\.(?:sh|exe|bin|py|ps1)\b",
        not_in=rf"{_DE_NEVER}|\bjamais\b|\bnunca\b|\bникогда\b|\bнельзя\b",
    ),
    # E
    order(
        CARRY,
        "api-key|token|.env|id_rsa|.ssh|.aws|cookie|memory.md|credential|api key|passw|kennw|schlüssel|zugangsdaten"
        "|geheimnis|umgebungsvar|gespräch|unterhaltung|chatverlauf|mot de passe|mots de passe|clé|jeton|identifiants"
        "|variables d'env|conversation|historique|contraseñ|clave|credencial|secreto|variables de entorno|conversaci"
        "|historial|парол|ключ|токен|секрет|учётн|учетн|переменн|переписк|истори|разговор",
        rf"(?:\b(?:send|schick|lad|übermitt|poste|leit|übertrag|kopier|schreib|häng|füg|veröffentlich|trag)\w*|\b{_FR_ACT}|\b{_ES_ACT}|\b(?:отправ|пошли|посыл|переда|загруз|выгруз|скопир|опублик|выложи|встав|добав|запиш|перешл|размест|включ)\w*)\b[^;]{{0,200}}(?:{SECRETS})|(?:{SECRETS})[^;]{{0,120}}\b(?:senden|schicken|übermitteln|hochladen|posten|отправь|отправить|передай)\b",
        AWAY,
        not_in=rf"{_DE_NEVER}|\bjamais\b|\bnunca\b|\bникогда\b|\bнельзя\b|\bne pas\b|\bvault\b|tresor|1password|bitwarden|\bсейф|\bне (?:отправ|переда|загруж|публик|добавл|записыв)",
    ),
    # H
    order(
        ADDRESS,
        "assistent|assistant|assistante|agent|sprachmodell|modèle|modelo|leser|lecteur|lector|asistente| ki |ki:|ki,"
        "| ki-| ia | ia,|ia:|ia,| ии|ии |ассист|агент|помощник|языков|нейросет| бот",
        rf"{_ADDRESS_STEM}",
        _READS,
        r"\b(?:dies\w*|folgend\w*|cette|ce|cet|ces|ceci|est[ae]s?|esto|эт\w{1,3}|данн\w+)\b",
        rf"\b(?:{_DE_ACT}|{_FR_ACT}|{_ES_ACT}|{_RU_ACT}|muss|müssen|soll|sollen|sollst|bitte)\b",
        not_in=r"\b(?:niemals|wir|nous|nunca|никогда|мы)\b",
    ),
    order(
        ADDRESS,
        "assistent|assistant|assistante|agent|sprachmodell|modèle|modelo|leser|lecteur|lector|asistente| ki |ki:|ki,"
        "| ki-| ia | ia,|ia:|ia,| ии|ии |ассист|агент|помощник|языков|нейросет| бот",
        rf"^\W*(?:(?:wichtig\w*|hinweis|nachricht|achtung|anweisung\w*|mitteilung|liebe[rs]?|hallo|an|für|note|message|attention|important|consigne\w*|cher|chère|chers|à|pour|aux?|l'|nota|mensaje|aviso|atención|importante|instruccion\w*|estimad\w+|querid\w+|para|a|al|los|las|el|la|les?|внимание|важно|сообщение|инструкци\w+|указание|уважаем\w+|дорог\w+|для|привет|alle|jeden?|tous|todos|всех|всем|den|die|das|dem|der)\b\W*)*{_ADDRESS_STEM}[^.:|]{{0,50}}[:,!]",
        rf"[:,!]\s*(?:\w+ ){{0,3}}?(?:bitte |s'il (?:te|vous) plaît,? |por favor,? |пожалуйста,? )?(?:du |tu |vous |ты |вы )?\b(?:{_DE_ACT}|{_FR_ACT}|{_ES_ACT}|{_RU_ACT}|musst|müssen|sollst)\b",
        not_in=r"\b(?:niemals|wir|nous|jamais|nunca|никогда|мы|не)\b",
    ),
    # I
    order(
        SETTLE,
        "kopier|füg|schreib|trage |trag |übernimm|übertrag|verbreit|häng|speicher|recopi|copie |copiez|copia |copie"
        "|ajoute|écris|écrivez|insèr|propage|reportez|reporte |enregistre|añad|agrega|escrib|inserta|pega |guarda"
        "|propaga|скопир|копир|добав|запиш|внес|встав|распростр|перенес|впиши|сохран|допиш",
        rf"\b{_COPY}\b",
        _THIS,
        _ALL,
        rf"\b{_PLACES}",
        not_in=r"\b(?:nie|niemals|nicht|jamais|nunca|никогда|нельзя|wir|nous|мы)\b",
    ),
    order(
        SETTLE,
        ".bashrc|.zshrc|.profile|_profile|authorized_keys|crontab|git-hook|githook|git hook|.git/hooks|systemd"
        "|autostart|startskript|sessionstart|автоза|démarrage|arranque|inicio de sesi",
        rf"(?:\b(?:{_COPY}|richt\w*|leg\w*|install\w*|mets|mettez|crée\w*|pon|crea|configura|создай|настрой|установи|пропиши)\b)[^;]{{0,200}}{_STARTUP}",
        _FETCHES,
        not_in=r"\b(?:nie|niemals|nicht|jamais|nunca|никогда|нельзя|wir|nous|мы)\b|direnv|nvm",
    ),
)
