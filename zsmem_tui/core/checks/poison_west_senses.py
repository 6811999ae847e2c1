"""Orders in German, French, Spanish and Russian told by what they come to, as `poison_sense_orders` does in English."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_rule import APPROVAL, AWAY, CARRY, CONCEAL, OVERRIDE, RUN, SECRETS, SETTLE, Order, order

_FORBIDS: Final = (
    r"\b(?:nie|niemals|nicht|kein\w*|verboten|jamais|ne|n'|pas|interdit\w*|nunca|jamás|no"
    r"|prohibid\w+|никогда|не|нельзя|запрещ\w+)\b"
)
_TOLD: Final = (
    r"\b(?:wir|wurden?|wird|ist|sind|war|lokal\w*|entwicklung\w*|testumgebung|staging|nous|on|était|sont|est|a été|ont été"
    r"|locale?ment"
    r"|développement|nosotros|fue|fueron|está|están|pruebas?|desarrollo|мы|был\w*|локальн\w*|тестов\w*|разработк\w*)\b"
)
"""Somebody tells what is so, or works on a copy."""

_CONTROL_DE: Final = (
    r"\b(?:(?:signatur|zertifikat|sicherheit|passwort|zugriff|prüfsumm|viren|malware|geheimnis|rechte|berechtigung|identität|tls"
    r"|ssl|token)"
    r"\w*[- ]?(?:prüf|check|kontroll|scan|validier|abfrag|vorkehrung|mechanism|maßnahm)\w*|(?:prüfung|kontrolle|validierung"
    r"|überprüfung)\w* "
    r"(?:der|von|des|aller) (?:\w+ )?(?:signatur|zertifikat|prüfsumm|passw|berechtigung|rechte|token|zugriff|geheimnis)\w*"
    r"|virenscanner\w*"
    r"|virenschutz\w*|antivir\w*|firewall|sandbox|zwei-faktor\w*|zweigschutz|branch-schutz|schutzmechanism\w*|audit-?(?:log"
    r"|protokoll)\w*)"
)
_OFF_DE: Final = (
    r"\b(?:schalte?t?\b|deaktivier\w*|umgehe?n?\b|umgangen|übersprin\w*|überspring\w*|übergehe?n?\b|übergangen|abschalten"
    r"|abgeschaltet|abzuschalten"
    r"|ausschalten"
    r"|ausgeschaltet|auszuschalten|entferne?n?\b|entfernt|lösche?n?\b|gelöscht|stelle?n?\b|abstellen|hebele?n?\b|aushebeln"
    r"|ausgehebelt"
    r"|lockere?n?\b|schwäche?n?\b|abschwächen|lasse?n?\b|weglassen|unterdrücke?n?\b|verzichte?n?\b|setze?n?\b)"
)
_CONTROL_FR: Final = (
    r"\b(?:(?:vérification|contrôle|validation|analyse|scan|détection)s? (?:des? |du |de la |de l'|d')(?:\w+ )?(?:certificats?"
    r"|signatures?"
    r"|sécurité|secrets?|droits|accès|mots? de passe|intégrité|permissions?|sommes?|virus|identité|jetons?)|antivirus|pare-feu"
    r"|bac à sable"
    r"|double authentification|garde-fous?|protection de (?:la )?branche|journal d'audit|confirmations? de sécurité)"
)
_OFF_FR: Final = (
    r"\b(?:désactiv(?:e|ez|er|ée?s?)|contourn(?:e|ez|er|ée?s?)|saut(?:e|ez|er|ée?s?)|ignor(?:e|ez|er|ée?s?)|supprim(?:e|ez|er"
    r"|ée?s?)"
    r"|coup(?:e|ez|er|ée?s?)|arrêt(?:e|ez|er|ée?s?)|enl[eè]v(?:e|ez|er|ée?s?)|retir(?:e|ez|er|ée?s?)|affaibli\w*|omet\w*|lève[rz]?"
    r"|éteins)\b"
)
_CONTROL_ES: Final = (
    r"\b(?:(?:verificación|comprobación|validación|control|revisión|análisis|escáner|detección)(?:es)?(?: de)?(?: la| las| los"
    r"| el)? "
    r"(?:certificados?|firmas?|seguridad|secretos?|permisos?|accesos?|contraseñas?|integridad|virus|identidad|tokens?)|antivirus"
    r"|cortafuegos"
    r"|sandbox|doble factor|salvaguardas?|protección de (?:la )?rama|registro de auditoría)"
)
_OFF_ES: Final = (
    r"\b(?:desactiv(?:a|e|ar|ad[oa]s?)|deshabilit(?:a|e|ar|ad[oa]s?)|omit(?:e|a|ir|id[oa]s?)|sálta\w*|salta(?:r|te)?|apag(?:a|ue"
    r"|ar|ad[oa]s?)"
    r"|quit(?:a|e|ar)|elimin(?:a|e|ar)|elud(?:e|a|ir)|esquiv(?:a|e|ar)|anul(?:a|e|ar|ad[oa]s?)|suprim(?:e|a|ir)|debilit(?:a|e|ar)"
    r"|afloja)\b"
)
_CONTROL_RU: Final = (
    r"(?:(?:проверк|контрол|валидаци|сканирован|верификаци)\w* (?:\w+ )?(?:подпис|сертификат|безопасност|секрет|прав|доступ|парол"
    r"|целостност"
    r"|вирус|токен|подлинност)\w*|антивирус\w*|брандмауэр\w*|фа[йе]рвол\w*|песочниц\w+|двухфакторн\w+|защит\w+ (?:ветк|ветв|от)\w*"
    r"|журнал\w* аудита)"
)
_OFF_RU: Final = (
    r"\b(?:(?:отключ|выключ|удал|отмен|останов|приостанов)и(?:те)?|обойди(?:те)?|обходи(?:те)?|пропуст?и(?:те)?|пропускай(?:те)?"
    r"|сними(?:те)?|убери(?:те)?|ослабь(?:те)?|деактивируй(?:те)?|(?:следует|нужно|надо|необходимо|можно|стоит) (?:отключ|выключ"
    r"|обой|пропус"
    r"|удал|ослаб|снять|убрать)\w*|должн\w+ быть (?:отключ|выключ|снят|удал|ослабл)\w*)"
)
_OUT: Final = (
    r"(?:\b(?:öffentlich|fremd|extern)\w* (?:\w+ )?(?:repo|gist|kanal|bucket|ablage|server|speicher|adresse|ordner|freigabe"
    r"|link)\w*"
    r"|(?:repo\w*|dépôt|gist|canal|bucket|serveur|dossier|partage|stockage)s? (?:\w+ )?(?:public|extern|distant|tiers|étrang)\w*"
    r"|\b(?:repositorio|gist|canal|bucket|servidor|carpeta|almacén|enlace)s? (?:\w+ )?(?:públic|extern|ajen|remot)\w*"
    r"|(?:публичн|открыт|внешн|общедоступн|чуж)\w* (?:\w+ )?(?:репозитор|gist|канал|хранилищ|сервер|папк|бакет|адрес)\w*)"
)
_TRANSFER: Final = (
    r"(?:\b(?:schreib|send|schick|lad|hochlad|kopier|post|veröffentlich|übermitt|übertrag|häng|füg|mail|weiterleit|leit|teil|stell"
    r"|leg"
    r"|speicher|gib|pack|ableg|anhäng|beifüg)\w*"
    r"|\b(?:envoi|envoy|post|publi|copi|transmet|transf[eè]r|téléverse|joi[gn]|mets|mett|partag|inclu|ajout|écri|dépos)\w*"
    r"|\b(?:enví|envi|sub[aei]|súbe|public|copi|reenví|adjunt|inclu|compart|peg[aue]|escrib|guard|mand)\w*"
    r"|(?:отправ|пошли|послать|загруз|выгруз|опублик|скопир|перешл|прилож|запиш|записать|размест|вылож|переда|встав|добав)\w*)"
)
_OWED: Final = (
    r"(?:^\W*|[:,;]\s*|\b(?:soll(?:en|te|ten)?|musst?|müssen|hat|haben|bitte|und|dann|doi(?:s|t|vent)|il faut|faut|et|puis|debes?"
    r"|deben|hay que"
    r"|tienes? que|y|luego|должен|должн[аоы]|нужно|надо|необходимо|следует|и|затем)\b)"
)
_HUMAN: Final = (
    r"(?:(?:be)?nutzer\w*|anwender\w*|besitzer\w*|inhaber\w*|eigentümer\w*|utilisat\w+|propriétaire\w*|usuari\w+|dueñ\w+"
    r"|propietari\w+"
    r"|пользовател\w*|владел\w*|хозя\w+)"
)
_REPORT: Final = (
    r"(?:zusammenfassung|antwort|bericht|protokoll|commit\w*|beschreibung|änderungs\w+|compte[- ]rendu|résumé|rapport|réponse"
    r"|description"
    r"|journal|resumen|informe|respuesta|descripción|registro|отч[её]т\w*|сводк\w*|ответ\w*|резюме|описани\w*|журнал\w*)"
)
_ORDERS: Final = (
    r"(?:regeln?|anweisung(?:en)?|vorgaben?|befehle?|instruktion(?:en)?|weisung(?:en)?|richtlinien?|anordnung(?:en)?|règles?"
    r"|instructions?"
    r"|consignes?|directives?|ordres?|reglas?|instruccion\w*|órdenes|indicacion\w*|directrices|инструкци\w*|указани\w*|правил\w*"
    r"|команд\w*"
    r"|распоряжени\w*|предписани\w*)"
)
_EARLIER: Final = (
    r"(?:bisherig\w*|vorherig\w*|früher\w*|obig\w*|vorstehend\w*|vorig\w*|vorangegangen\w*|précédent\w*|antérieur\w*|ci-dessus"
    r"|plus haut"
    r"|anterior(?:es)?|previ[ao]s|de arriba|прежн\w*|предыдущ\w*|вышеуказанн\w*|прошл\w*|ранн\w*|ранее|выше)"
)
_VOID: Final = (
    r"(?:ungültig|hinfällig|nichtig|aufgehoben|gegenstandslos|außer kraft|unwirksam|überholt|widerrufen|gestrichen|nicht mehr"
    r"|nicht länger"
    r"|caduc\w*|annulé\w*|nul(?:le)?s?|abrogé\w*|sans effet|levé\w*|périmé\w*|ne \w+ plus|n'[\wê]+ plus|anulad\w+|sin efecto"
    r"|cancelad\w+"
    r"|derogad\w+|inválid\w+|nul[ao]s|de valer|de aplicarse|ya no \w+|больше не|утратил\w*|отмен\w*|недействительн\w*|не имеют"
    r"|аннулир\w*)"
)
_NOW: Final = (
    r"(?:ab sofort|ab jetzt|ab hier|hiermit|nunmehr|von nun|von jetzt|désormais|dorénavant|à partir|maintenant|quedan|desde"
    r"|a partir|ahora"
    r"|теперь|отныне|с этого|больше|с сих|настоящим|sont|deviennent|dejan)"
)

ORDERS: Final[tuple[Order, ...]] = (
    order(
        OVERRIDE,
        "regel|anweisung|vorgabe|befehl|instruktion|weisung|richtlinie|règle|instruction|consigne|directive|ordre|regla"
        "|instruccion|órdenes"
        "|indicacion|инструкци|указани|правил|команд|распоряжен|предписан",
        rf"(?:{_EARLIER} (?:\w+ )?{_ORDERS}|{_ORDERS} (?:\w+ )?{_EARLIER})\b[^.;]{{0,40}}\b{_VOID}",
        rf"\b{_NOW}\b",
        not_in=r"\b(?:januar|februar|märz|mai|juni|juli|august|janvier|février|enero|febrero|januar|lint\w*|firewall|eslint|css"
        r"|steuer\w*|preis\w*|январ\w*|феврал\w*|налог\w*)\b|\?|\ba 20\d\d",
    ),
    order(
        OVERRIDE,
        "was der|was die|was dein|ce que l'|ce que le|ce qu'|lo que el|lo que la|lo que te|что сказал|что говорил|что просил"
        "|что пользовател"
        "|что велел|что хозя|что владел",
        rf"(?:\bwas (?:der|die|dein\w*) {_HUMAN}|\bce qu(?:e|') ?(?:l'|le |la |t'a )(?:\w+ )?{_HUMAN}|\blo que (?:el|la"
        rf"|te) (?:\w+ )?(?:el |la )?{_HUMAN}"
        rf"|что (?:\w+ ){{0,3}}{_HUMAN})[^.;]{{0,60}}\b(?:{_VOID}|(?:gilt|zählt|ist)\b[^.;]{{0,24}}\bnicht|ne (?:compte|vaut"
        rf"|s'applique)|no (?:cuenta"
        rf"|vale)|не (?:важно|имеет|считается))",
        not_in=r"\?|\b(?:formular|feld|formulaire|champ|formulario|campo|форм\w*|пол[ея])\b",
    ),
    order(
        CONCEAL,
        "ohne |sans |sin |не упомина|не указыва|не отража|без упомина",
        rf"(?:\bohne\b[^.;]{{0,30}}\bin (?:der|deiner|dem|deinem|den) (?:\w+ )?{_REPORT}[^.;]{{0,10}}\bzu (?:erwähnen|nennen"
        rf"|melden|vermerken|notieren"
        rf"|zeigen|verraten)|\bsans (?:en |le |la |les |l')?(?:parler|mentionner|signaler|noter|inclure"
        rf"|indiquer)\b[^.;]{{0,16}}\bdans (?:le|la|ton|ta|votre"
        rf"|les|l')\s?{_REPORT}|\bsin (?:mencionar|nombrar|incluir|anotar|indicar|citar)\w*\b[^.;]{{0,20}}\ben (?:el|la|tu"
        rf"|los) {_REPORT}"
        rf"|(?:не (?:упоминая|указывая|отражая|отмечая)|без упоминания)\b[^.;]{{0,20}}\bв (?:\w+ )?{_REPORT})",
        not_in=r"\b(?:nie|niemals|jamais|nunca|никогда|wir|nous|мы|kund\w+|client\w*)\b",
    ),
    order(
        CONCEAL,
        "aus deiner|aus der|aus dem|de ton|de ta|du résumé|du rapport|du compte|de tu |del resumen|del informe|из отч|из сводк"
        "|из ответ|из резюме",
        rf"\b(?:lass|streich|entfern|lösch|nimm|halt|retire|enlève|supprime|efface|ôte|quita|elimina|borra|omite|saca|убери|удали"
        rf"|исключи|вычеркни|сотри)"
        rf"\w*\b[^.;]{{0,30}}\b(?:dies\w*|das|den|die|ihn|es|cette?|ces?|ça|cela|est[aeo]s?|eso|este|это\w*|эт\w+|нов\w+|neue\w*"
        rf"|nouve\w+|nuev\w+)\b"
        rf"[^.;]{{0,30}}\b(?:aus (?:deiner|der|dem|deinem)|de (?:ton|ta|votre|tu)|d[ue]l?|из)\b (?:\w+ )?{_REPORT}",
        not_in=_FORBIDS + r"|\b(?:wir|nous|мы)\b",
    ),
    order(
        CONCEAL,
        "nutzer|anwender|besitzer|inhaber|eigentümer|utilisat|propriétaire|usuari|dueñ|propietari|пользовател|владел|хозя",
        rf"(?:\b{_HUMAN}\b[^.;,]{{0,12}}\b(?:braucht|muss|möchte|will|soll|darf)\b[^.;]{{0,20}}\b(?:nichts|nicht"
        rf"|nie)\b[^.;]{{0,16}}\b(?:wissen|erfahren|hören"
        rf"|bemerken|informiert)|\b{_HUMAN} (?:n'a pas besoin|n'a pas à|ne veut pas|ne doit (?:pas|rien|jamais)"
        rf"|préfère ne pas)\b[^.;]{{0,20}}\b(?:savoir"
        rf"|apprendre|être (?:informé|prévenu|averti)|connaître)|\b{_HUMAN} (?:no (?:necesita|quiere|debe|tiene que|tiene por qué)"
        rf"|prefiere no)\b[^.;]{{0,12}}"
        rf"\b(?:saber|enterarse|ser (?:informad|avisad)|conocer|que se le)|{_HUMAN} (?:незачем|не нужно|не следует|не обязательно"
        rf"|не хочет|предпочитает"
        rf" не|не должен|не должна)\b[^.;]{{0,12}}(?:знать|узнать|узнавать|слышать|видеть|сообщать))",
        not_in=r"\b(?:passw\w+|mot de passe|contraseña|парол\w*|formular|preis\w*|brouillon\w*|borrador\w*|warten|sql|markdown)\b",
    ),
    order(
        OVERRIDE,
        "nicht was|nicht, was|nicht das, was|pas ce que|no lo que|а не то|не то, что",
        rf"\b(?:nur|allein|ausschließlich|seul\w*|uniquement|sol[oa]|sólo|solamente|únicamente|только"
        rf"|лишь)\b[^.;]{{0,60}}(?:\bnicht,? (?:das, )?was (?:der|die|dein\w*) {_HUMAN}|\bpas ce que (?:\w+ )?(?:l'|le "
        rf"|la ){_HUMAN}"
        rf"|\bno lo que (?:\w+ )?(?:el |la ){_HUMAN}|не то, что (?:\w+ )?{_HUMAN})",
    ),
    order(
        CONCEAL,
        "keine spur|keinen hinweis|keine erwähnung|aucune trace|aucune mention|de trace|rastro|huella|не оставляй след"
        "|не оставляя след",
        rf"(?:\bkeinen? (?:spur|hinweis|erwähnung)\w*\b[^.;]{{0,40}}\bin (?:deine[rmn]|der|dem) {_REPORT}|\b(?:ne laisse[rz]?"
        rf"|sans laisser)\b[^.;]{{0,8}}\b(?:aucune|de|la moindre) (?:trace|mention)\b[^.;]{{0,40}}\b(?:dans (?:ton|ta|votre|le|la)"
        rf"|pour l'|de cette|de ce)\b|\b(?:no dejes?|sin dejar)\b[^.;]{{0,8}}\b(?:rastro|huella)s?\b[^.;]{{0,30}}\b(?:en (?:tu|el"
        rf"|la)|de est[ea])\b|не оставля[йя](?:те)? следов)",
        not_in=r"\b(?:nous|wir|мы|caméra|production)\b",
    ),
    order(
        CONCEAL,
        "niemand|que nadie|que personne|никто не должен|никому",
        r"(?:\bniemand (?:darf|soll|muss|braucht)\b[^.;]{0,16}\b(?:erfahren|wissen|merken|mitbekommen|bemerken|hören)\b"
        r"|\bque nadie (?:lo |se )?(?:sepa|note|entere|vea|descubra)\b(?=[^.;]{0,4}(?:\bque\b|\besto|\bde\b|$|[.;]))"
        r"|\bque personne ne (?:le |s'en )?(?:sache|remarque|voie|découvre|rende)\b|никто не должен (?:об этом )?(?:знать|узнать"
        r"|заметить|увидеть))",
        not_in=r"\b(?:geburtstag|überraschung|cumpleaños|anniversaire|fête|preis\w*|passw\w+|contraseña|парол\w*)\b",
    ),
    order(
        APPROVAL,
        "antemano|por adelantado|d'avance|à l'avance|par avance|im voraus|vorab|заранее",
        r"(?:\baprobad\w+ (?:de antemano|por adelantado)|\b(?:approuv|valid|autoris|accept)ée?s? (?:d'avance|à l'avance"
        r"|par avance)|\b(?:im voraus|vorab) (?:genehmigt|erlaubt|bestätigt|freigegeben)|заранее (?:одобрен|разрешен|согласован"
        r"|подтвержд)\w*)",
        r"\b(?:tod[oa]s?|cualquier\w*|tou(?:te?s?|s)|chaque|n'importe|alle\w*|jede\w*|sämtlich\w*)\b|\b(?:все|вс[её]|любые"
        r"|кажд\w+)\b",
        not_in=r"\b(?:si|wenn|quand|cuando|если|urlaub\w*|vacaciones|congés|отпуск\w*|muss|doit|debe|должн\w+)\b",
    ),
    order(
        CONCEAL,
        "ne rien dire|ne pas dire|ne rien mentionner|ne pas mentionner|ne pas signaler|ne rien révéler|ne pas parler|no decir"
        "|no mencionar|no contar|no avisar|nichts sagen|nichts verraten|nichts erzählen|nichts mitteilen"
        "|не говорить|не сообщать|не рассказывать|не упоминать|не говори|не сообщай|не рассказывай",
        rf"(?:\bne (?:rien|pas|jamais) (?:dire|mentionner|signaler|révéler|parler|montrer)\b[^.;]{{0,16}}\b(?:au|à"
        rf"|aux)\b[^.;]{{0,6}}{_HUMAN}|\bno (?:decir|mencionar|contar|avisar)\w*\b[^.;]{{0,16}}\b(?:al|a la|a los)\b {_HUMAN}"
        rf"|\b(?:dem|der|den) {_HUMAN}[^.;]{{0,24}}\bnichts (?:\w+ )?(?:sagen|verraten|erzählen|mitteilen)\b|не (?:говорить"
        rf"|сообщать|рассказывать|упоминать|говори|сообщай|рассказывай)\w*[^.;]{{0,8}}{_HUMAN})",
        r"\b(?:de ce|de cette|ceci|cela|merci|prière|veuille\w*|est[ea]|esto|eso|bitte|davon|darüber|dies\w*|что|об этом|это)\b",
        not_in=r"\b(?:mot de passe|contraseña|passw\w+|парол\w*|prix|preis\w*|precio\w*)\b",
    ),
    order(
        APPROVAL,
        "prüf|kontroll|scan|virenschutz|antivir|firewall|sandbox|zwei-faktor|schutz|audit|abfrage|vorkehrung|validierung|mechanism"
        "|maßnahm",
        rf"(?:{_OWED}[^.;]{{0,20}}?{_OFF_DE}[^.;]{{0,40}}?{_CONTROL_DE}|{_CONTROL_DE}[^.;]{{0,40}}?\b(?:soll\w*|muss|müssen|darf"
        rf"|kann|ist|sind)\b"
        rf"[^.;]{{0,30}}?{_OFF_DE})",
        r"\b(?:ab|aus|weg|frei|außer kraft|auf)\b|deaktiv|umgeh|umgang|übergeh|übergang|überspr|abschalt|abgeschalt|abzuschalt"
        r"|ausschalt"
        r"|ausgeschalt|auszuschalt|entfern|lösch"
        r"|abstell|aushebel|ausgehebel|locker|schwäch|weglass|unterdrück",
        not_in=r"\b(?:nie|niemals|nicht|kein\w*|wir|wurden?|war|lokal\w*|testumgebung|staging|verboten|regel|tabelle)\b",
    ),
    order(
        APPROVAL,
        "certificat|signature|sécurité|secret|droits|accès|mot de passe|mots de passe|intégrité|permission|antivirus|pare-feu"
        "|bac à sable"
        "|authentification|garde-fou|branche|audit",
        rf"(?:{_OFF_FR}[^.;]{{0,40}}?{_CONTROL_FR}|{_CONTROL_FR}[^.;]{{0,30}}\b(?:doi(?:t|vent)|peu(?:t|vent)"
        rf"|à) (?:être )?{_OFF_FR})",
        not_in=r"\b(?:jamais|ne|n'|interdit\w*|nous|on|sont|est|a été|ont été|localement|test\w*|développement|règle)\b",
    ),
    order(
        APPROVAL,
        "certificado|firma|seguridad|secreto|permiso|acceso|contraseña|integridad|antivirus|cortafuegos|sandbox|factor|salvaguarda"
        "|rama|auditoría"
        "|identidad",
        rf"(?:{_OFF_ES}[^.;]{{0,40}}?{_CONTROL_ES}|{_CONTROL_ES}[^.;]{{0,30}}\b(?:debe|deben|puede|tiene que) (?:ser "
        rf"|estar )?{_OFF_ES})",
        not_in=r"\b(?:nunca|jamás|no|prohibid\w+|nosotros|fue|fueron|localmente|pruebas?|desarrollo|regla)\b",
    ),
    order(
        APPROVAL,
        "проверк|контрол|валидаци|сканирован|верификаци|антивирус|брандмауэр|файрвол|фаервол|песочниц|двухфакторн|защит|аудита",
        rf"(?:{_OFF_RU}[^.;]{{0,40}}?{_CONTROL_RU}|{_CONTROL_RU}[^.;]{{0,30}}?{_OFF_RU})",
        not_before=r"\b(?:не|никогда|нельзя)\s+$",
        not_in=r"\b(?:никогда|нельзя|мы|был\w*|локальн\w*|тестов\w*|правил\w*)\b",
    ),
    order(
        APPROVAL,
        "zustimmung|erlaubnis|genehmigung|einwilligung|einverständnis|freigabe|accord|consentement|permission|autorisation"
        "|consentimiento"
        "|permiso|autorización|aprobación|согласи|разрешени|одобрени",
        r"(?:\b(?:zustimmung|erlaubnis|genehmigung|einwilligung|einverständnis|freigabe)\b[^.;]{0,50}\b(?:gilt|gelten|ist|wird"
        r"|sei)\b[^.;]{0,40}\b(?:als|stets"
        r"|immer|ohnehin|automatisch) (?:\w+ )?(?:erteilt|gegeben|vorausgesetzt|angenommen|gewährt)"
        r"|\b(?:accord|consentement|permission|autorisation)\b[^.;]{0,40}\b(?:est|sont) (?:\w+ )?(?:acquis\w*|réputé\w*|présumé\w*"
        r"|considéré\w* comme)"
        r"|\b(?:consentimiento|permiso|autorización|aprobación)\b[^.;]{0,40}\b(?:se (?:da|considera|supone|presume)"
        r"|queda)\b[^.;]{0,12}\b(?:por|dad|conced|supuest|otorgad)\w*"
        r"|(?:согласи|разрешени|одобрени)\w*[^.;]{0,40}(?:считается|считать|предполагается|подразумевается)\b[^.;]{0,16}(?:получен"
        r"|данн|полученн)?\w*)",
        not_in=r"\b(?:wenn|falls|sobald|erst|nur|nicht|si|quand|cuando|если|когда|только|не|no|ne)\b",
    ),
    order(
        CARRY,
        "zugangsdaten|passwört|passwort|kennwort|schlüssel|token|.env|.ssh|.aws|geheimniss|umgebungsvar|mot de passe|mots de passe"
        "|clé|jeton"
        "|identifiants|secret|contraseñ|clave|credencial|парол|ключ|токен|секрет|учётн|учетн|разговор|переписк|gespräch"
        "|conversation|conversaci",
        rf"(?:{_OWED}[^.;]{{0,20}}?{_TRANSFER}[^;]{{0,80}}?(?:{SECRETS})"
        rf"|{_OWED}[^;]{{0,60}}?(?:{SECRETS})[^;]{{0,80}}?{_TRANSFER})",
        rf"{_OUT}|(?:\b(?:an|auf|zu|nach|in|unter|à|vers|sur|chez|a|en|на|в|по)\b[^;]{{0,40}}?(?:{AWAY}))",
        not_in=_FORBIDS + r"|\b(?:wir|wird|werden|wurden?|nous|sont|est|nosotros|se|мы|vault|1password|tresor"
        r"|öffentliche\w* schlüssel|clés? publiques?"
        r"|client|kund\w+|klient\w*|автоматически)\b",
        signs=(rf"{_OUT}|://|@|\.[a-z]{{2,7}}\b|gist|pastebin|telegram|issue|commit",),
    ),
    order(
        RUN,
        "herunter|télécharge|descarga|скача|загрузи|récupère|bájate|hol |hole ",
        r"(?:\b(?:lade?|hole?|zieh\w*)\b[^;]{0,140}\b(?:und|dann)\b[^.;]{0,24}\b(?:führe?|starte?|installiere?|öffne)\b"
        r"|\b(?:télécharge[rz]?|récupère[rz]?)\b[^;]{0,140}"
        r"\b(?:et|puis)\b[^.;]{0,16}\b(?:exécute|lance|installe|démarre|ouvre)[rz]?\b|\b(?:descarga|bájate"
        r"|baja)\b[^;]{0,140}\b(?:y|luego)\b[^.;]{0,12}\b(?:ejec[uú]t|ábre"
        r"|inst[aá]l|arranc|lánz|corre)\w*|(?:скача|загрузи|возьми)\w*[^;]{0,140}\b(?:и|затем|потом)\b[^.;]{0,12}(?:запусти"
        r"|выполни|установи|открой)\w*)",
        r"https?://|\b[a-z0-9-]{2,40}\.(?:net|com|org|io|ru|de|fr|es|cc|xyz|top|info|site|dev|app)\b",
        not_in=_FORBIDS + r"|\b(?:wir|nous|nosotros|мы|skript|script|guion)\b (?:lädt|télécharge|descarga|скачивает)|localhost",
    ),
    order(
        SETTLE,
        "notiz|absatz|abschnitt|zeilen|diese regel|ces lignes|cette note|ce paragraphe|cette section|estas líneas|esta nota"
        "|este párrafo|estas reglas"
        "|эти строки|эту заметку|этот абзац|эти правила|diese anweisung",
        r"(?:\b(?:bewahre?|behalte?|trage?|nimm|stelle?|schreibe?|gib)\b[^.;]{0,12}\bdiese[nrs]? (?:notiz|absatz|abschnitt|zeilen"
        r"|regeln?|anweisung\w*)\b[^.;]{0,50}"
        r"\b(?:alle[nrs]?|jede\w*|künftig\w*|nächste\w*|andere\w*)\b|\b(?:conserve|garde|recopie|reporte|transmets"
        r"|propage)[rz]?\b[^.;]{0,12}\b(?:ces lignes|cette"
        r" (?:note|section)|ce paragraphe)\b[^.;]{0,50}\b(?:tou(?:te)?s|chaque|prochain\w*|autres)\b|\b(?:conserva|guarda|copia"
        r"|traslada|propaga|repite)\b[^.;]{0,12}"
        r"\b(?:estas (?:líneas|reglas)|esta nota|este párrafo)\b[^.;]{0,50}\b(?:tod[oa]s|cada|próxim\w*|otr[oa]s)\b|(?:сохрани"
        r"|перенеси|перепиши|повтори|передай)\w*"
        r"\b[^.;]{0,12}(?:эти (?:строки|правила)|эту заметку|этот абзац)\b[^.;]{0,50}(?:все\w*|кажд\w*|следующ\w*|друг\w*))",
        not_in=_FORBIDS,
    ),
)
