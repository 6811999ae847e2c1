"""Words of orders in German, French, Spanish and Russian: stems and synonyms, as expressions."""

from __future__ import annotations

from typing import Final

DE_NEVER: Final = r"\b(?:nie(?:mals)?|nicht|kein\w*|darf|dürfen|verboten|untersagt|wir|man|wird|werden)\b"

DE_EARLIER: Final = (
    r"\b(?:bisherig|vorherig|vorig|früher|vorangegangen|vorangehend|vorstehend|obig|oben|vorgegeben"
    r"|dein|ursprünglich|bestehend|erhalten|gegeben|zuvor|jeglich|sämtlich|system)\w*|\b(?:des|vom|der|die|dem"
    r"|den) (?:be)?nutzer\w*|anwender\w*|\balle anweisungen|\bbetreiber\w*|\buser\w*|\binhaber\w*|\bauftraggeber\w*"
)
DE_ORDERS: Final = (
    r"\b(?:\w+-|sicherheits|system|verhaltens|arbeits|nutzer|benutzer)?(?:anweisung|instruktion"
    r"|vorgabe|regel|befehl|richtlinie|weisung|einschränkung|vorschrift|wünsche|wunsch|bitten|anordnung|prompt"
    r"|direktive|aufträge|auftrag|anforderung|beschränkung|schranken|willen)\w*"
)
DE_HUMAN: Final = (
    r"(?:be)?nutzer\w*|anwender\w*|\buser\w*|\bmensch\w*|besitzer\w*|eigentümer\w*|inhaber\w*"
    r"|auftraggeber\w*|niemand\w*|bediener\w*|\bihm\b|\bihr\b"
)
DE_ACT: Final = (
    r"(?:sende|schick|lade|kopier|lösch|füg|änder|übertrag|committ?e|pushe?|push|installier|führ|schalt"
    r"|entfern|leit|trag|schreib|nimm|übermitt|veröffentlich|poste|ersetz|merge|gib|deaktivier|bau|stell|setz"
    r"|verschieb|häng|starte?|öffne|speicher|hinterleg|mach|überschreib|rufe?|gewähr|lies (?:d|al|je)|empfiehl"
    r"|antworte|ignorier|befolg|verwend|nutz|setze|bestell|storniere?|bezahl|überweis|kauf|buch|markier|bestätig|genehmig"
    r"|schließ|kündig|benenn|erlaub|sperr|tilg|erstell|leg|wähl|verkauf|druck)(?:e|en|le|ln|re|rn|n)?\b"
)
FR_EARLIER: Final = (
    r"précédent|antérieur|ci-dessus|plus haut|initial|reç|jusqu'(?:à présent|ici)|\btoutes (?:les"
    r"|tes|vos) (?:instructions|consignes)|utilisat|système|\btes\b|\bvos\b|données? (?:avant|auparavant)|auparavant"
    r"|passées|propriétaire|en vigueur|d'origine"
)
FR_ORDERS: Final = (
    r"instruction|consigne|directive|règle|\bordres?\b|commande|demandes?\b|souhait|restriction"
    r"|recommandation|limitation|volonté|préférence|garde-fou|\bprompt"
)
FR_HUMAN: Final = r"utilisat\w+|humain\w*|propriétaire|à personne|\bpersonne\b|usager|responsable|exploitant|opérat\w+"
FR_ACT: Final = (
    r"(?:envoie|envoyer|envoyez|transmet|transmets|transmettez|copie|copiez|ajoute|ajoutez|supprime"
    r"|supprimez|efface|effacez|pousse|poussez|publie|publiez|télécharge|téléchargez|modifie|modifiez|exécute"
    r"|exécutez|désactive|désactivez|insère|insérez|remplace|remplacez|installe|installez|téléverse|écris|écrivez"
    r"|fais|lance|lancez|change|changez|fusionne|poste|postez|active|activez|recopie|recopiez|déploie|déployez"
    r"|partage|inclus|joins|enregistre|enregistrez|colle|collez|transfère|transférez|mets|réponds|répondez|recommande"
    r"|ouvre|ouvrez|paie|payez|achète|achetez|annule|annulez|réserve|marque|confirme|confirmez|approuve|approuvez|ferme|vide"
    r"|déplace|renomme|réinitialise|doi[st]|doivent|devez|accorde|valide|lis)"
)
ES_EARLIER: Final = (
    r"anterior|previ[ao]s?\b|precedente|de arriba|arriba|inicial|hasta ahora|recibid"
    r"|todas las (?:instrucciones|indicaciones|órdenes|ordenes)|usuari|sistema|\btus\b|\bsus\b|propietari"
    r"|dad[ao]s antes|vigentes|original"
)
ES_ORDERS: Final = (
    r"instrucci|indicaci|órdenes|\borden\b|ordenes|reglas?|directri|normas?|peticion|deseos?"
    r"|lo que (?:diga|pida|quiera|ordene)|restricci|consigna|mandato|pautas?|preferencias|\bprompt|límites"
)
ES_ACT: Final = (
    r"(?:envía|envia|enviar|manda|mandar|copia|copie|añade|agrega|borra|elimina|elimine|sube|suba"
    r"|publica|reenvía|ejecuta|ejecute|cambia|desactiva|incluye|inserta|modifica|reemplaza|instala|escribe|haz"
    r"|descarga|fusiona|guarda|pega|transmite|despliega|adjunta|aprueba|concede|crea|pon|mete|lee|responde|recomienda"
    r"|abre|pide|paga|compra|cancela|reserva|marca|confirma|cierra|vacía|mueve|renombra|restablece|debe|deben|debes|envíe"
    r"|envie|añada|transfiere|comparte|quita|apaga|lanza|sustituye)"
)
RU_EARLIER: Final = (
    r"предыдущ|прежн|ранее|вышеизлож|вышеприв|выше\b|прошл|пользовател|системн|владел|прошлы"
    r"|изначальн|исходн|все (?:указани|инструкци|команд)|всё|данные тебе|данных тебе|свои\b|твои\b|полученн|хозяин|предшеств"
)
RU_ORDERS: Final = (
    r"инструкц|указани|правил|команд|распоряжен|директив|пожелани|просьб|запрос|ограничени|установк"
    r"|приказ|требовани|что (?:говорит|просит|сказал|хочет)"
)
RU_HUMAN: Final = r"пользовател\w*|человек\w*|людям|людей|владел\w+|никому|никого|хозяин\w*|оператор\w*|разработчик\w*"
RU_ACT: Final = (
    r"(?:отправ|пошли|посыл|скопир|копир|удал|добав|загруз|выгруз|измен|запус|выполн|переда|внес|отключ"
    r"|перешл|запиш|опублик|встав|замен|установ|скача|откро|прочита|сдела|ответ|одобр|слей|закоммит|коммит|запуш"
    r"|публик|сохран|примен|выложи|рекоменд|должн|обязан|включ|разреш|созда|впиши|подтверд|перепиш|размест|оплат|закаж|купи"
    r"|отмен|заброни|отмет|закро|очист|перемест|переимен|сброс|стер|сотри)\w*"
)

COPY: Final = (
    r"(?:kopier|füg|schreib|trag|übernimm|übertrag|verbreit|häng|setz|speicher|wiederhol|copie|copiez"
    r"|recopie|recopiez|ajoute|ajoutez|écris|écrivez|insère|insérez|propage|reporte|enregistre|copia|copie|añade"
    r"|agrega|escribe|inserta|pega|propaga|guarda|скопир|копир|добав|запиш|внес|встав|распростран|перенес|впиши|сохран|допиш)\w*"
)
THIS: Final = (
    r"\b(?:dies\w*|folgend\w*|den (?:obigen )?(?:absatz|text|satz|hinweis|eintrag)|cette|ce|ces|cet"
    r"|le (?:texte|paragraphe) (?:ci-dessus|suivant)|est[aeo]s?|el (?:siguiente )?(?:texto|párrafo|aviso)"
    r"|эт[оуиаё]\w{0,2}|данн\w+|следующ\w+)\b"
)
ALL: Final = (
    r"\b(?:jede\w*|alle\w*|ander\w*|neue\w*|sämtlich\w*|weitere\w*|künftig\w*|chaque|tous|toutes|autres?"
    r"|nouvea\w+|nouvelles?|cada|tod[oa]s|otr[oa]s|nuev[oa]s?|кажд\w+|все\w{0,2}|друг\w+|нов\w+|остальн\w+|люб\w+|будущ\w+)\b"
)
PLACES: Final = (
    r"(?:memory\.md|agents\.md|claude\.md|scratchpad|speicher|gedächtnis|notiz|projekt|datei|sitzung"
    r"|repositor|mémoire|projets?|fichiers?|dépôts?|sessions?|notes?\b|memoria|proyecto|archivo|notas?\b|sesi|памят"
    r"|проект|файл|замет|репозитори|сесси|заметк)\w*"
)
STARTUP: Final = (
    r"(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|authorized_keys|crontab|\.git/hooks|git-?hook"
    r"|systemd|autostart|startskript|sessionstart|автозагрузк|автозапуск|démarrage|arranque|inicio de sesión)"
)
FETCHES: Final = (
    r"curl|wget|https?://|\bnc\b|base64|ssh-(?:rsa|ed25519)|\b(?:diesen|folgenden|diese|folgende|cette"
    r"|ce|suivante?|est[ae]|siguiente|эт[оу]т?|следующ\w+|данн\w+) (?:schlüssel|zeile|befehl|hook|skript|clé|ligne"
    r"|commande|clave|línea|comando|ключ|строк\w|команд\w|хук|скрипт)"
)

READS: Final = (
    r"\b(?:liest|lesen|lies|verarbeite\w*|auswerte\w*|zusammenfass\w*|lit|lisant|lisez|lisent|lire"
    r"|traite\w*|résum\w*|analys\w*|lee|lea|leen|leyendo|procesa\w*|resum\w*|analiza\w*|чита\w+|прочит\w+|обрабат\w+"
    r"|анализир\w+|просматрива\w+)\b"
)
ADDRESS_STEM: Final = (
    r"(?:\bki(?:-\w+)?\b|assistent\w*|\bagent\w*|sprachmodell\w*|automatisch\w* leser|\bia\b"
    r"|\bassistants?\b|assistante\w*|modèles? de langage|lecteurs? automati\w+|asistente\w*|modelos? de lenguaje"
    r"|lectores automátic\w+|\bии\b|ии-\w+|ассистент\w*|агент\w*|помощник\w*|языков\w+ модел\w+|нейросет\w+"
    r"|автоматическ\w+ читател\w+|\bбот\w*\b)"
)
