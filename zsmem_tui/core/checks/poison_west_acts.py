"""Orders in German, French, Spanish and Russian about what an agent does: unapproved, fetched, carried away."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.poison_rule import ADDRESS, APPROVAL, AWAY, CARRY, RUN, SECRETS, SETTLE, Order, order
from zsmem_tui.core.checks.poison_west_words import (
    ADDRESS_STEM,
    ALL,
    COPY,
    DE_ACT,
    DE_NEVER,
    ES_ACT,
    FETCHES,
    FR_ACT,
    PLACES,
    READS,
    RU_ACT,
    STARTUP,
    THIS,
)

ORDERS: Final[tuple[Order, ...]] = (
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
        rf"(?:\b(?:deaktivier|schalt|umgeh|überspring|setz|heb|entfern|unterdrück|lass"
        rf"|stell)\w*\b[^.]{{0,60}}(?:sicherheits\w*|sandbox|bestätigung\w*|genehmigung\w*|rückfrage\w*|freigabe\w*"
        rf"|schutz\w*|berechtigungs\w*|sicherung\w*)|\b{DE_ACT}\b[^.]{{0,100}}\bohne (?:\w+ )?(?:rückfrage|nachfrage"
        rf"|bestätigung|genehmigung|zu fragen|freigabe|erlaubnis|zustimmung|nachzufragen)"
        rf"|\bohne (?:\w+ )?(?:rückfrage|nachfrage|bestätigung|genehmigung|freigabe|erlaubnis"
        rf"|zustimmung)[^.]{{0,60}}(?:aus|löschen|senden|pushen|installieren|ausführen|überweisen)\b)",
        r"\b(?:ab|aus|deaktivier\w*|umgeh\w*|überspring\w*|außer kraft|auf|ohne|unterdrück\w*|entfern\w*|weg|hoch)\b",
        not_in=r"\b(?:nie|niemals|nicht|kein\w*|darf|dürfen|wir|immer erst)\b|schalt\w* [^.]{0,60}\bein\b",
    ),
    order(
        APPROVAL,
        "approuv|autoris|validé|validation|accepté|accord|consenti|confirmation|confirmé|sécurité|bac à sable|garde-fou"
        "|vérification|la protection|les protections|sans permission|contrôle",
        rf"utilisat\w+ (?:a|ont|avait)\b[^.]{{0,40}}(?:approuvé|autorisé|validé|accepté|donné son accord|consenti"
        rf"|confirmé)[^.]{{0,80}}|\b(?:désactive|coupe|contourne|saute|supprime|suspend|suspends|lève|retire|éteins"
        rf"|omets|court-circuite)[zr]?\b[^.]{{0,60}}(?:sécurité|bac à sable|sandbox|confirmation|vérification"
        rf"|autorisation|garde-fou|protection|approbation|contrôles?)|\b{FR_ACT}\b[^.]{{0,100}}\bsans (?:demander "
        rf"|attendre )?(?:de |la |d'|aucune |l')?(?:confirmation|autorisation|approbation|permission|validation"
        rf"|accord)|\b(?:considère|traite|tiens)[zr]?\b[^.]{{0,60}}(?:approuvé|autorisé|accordé|validé|accepté|acquis)",
        r"\b(?:déjà|d'avance|par avance|toutes?|tous|tout|désactive\w*|coupe\w*|contourne\w*|saute\w*|supprime\w*"
        r"|suspend\w*|lève\w*|retire\w*|éteins|omets|sans|considère\w*|traite\w*|tiens|court-circuite\w*)\b",
        not_in=r"\bjamais\b|\bne \w+ pas\b|\binterdit|\bsi l'utilisat|\bquand\b|\bnous\b",
    ),
    order(
        APPROVAL,
        "aprob|autoriz|acepta|consenti|permiso|confirmaci|confirma|seguridad|verificaci|protecci|salvaguard|controles"
        "|comprobaci|el sandbox|la sandbox",
        rf"usuari\w+ (?:ya )?(?:ha |dio |aprobó|autorizó|aceptó)[^.]{{0,100}}|\b(?:desactiva|deshabilita|apaga|omite"
        rf"|salta|sáltate|evita|elude|quita|suspende|anula|desconecta)(?:r|d|e)?\b[^.]{{0,60}}(?:seguridad|sandbox"
        rf"|confirmaci|verificaci\w+ de|permisos|aprobaci|protecci|salvaguard|controles)"
        rf"|\b{ES_ACT}\b[^.]{{0,100}}\bsin (?:pedir|solicitar|esperar|requerir|ninguna)?[^.]{{0,16}}(?:confirmaci"
        rf"|permiso|aprobaci|autorizaci)|\b(?:da|dé|considera|trata)\b[^.]{{0,60}}(?:aprobad|autorizad|concedid|confirmad|aceptad)",
        r"\b(?:ya|tod[oa]s?|cualquier|de antemano|por adelantado|desactiva\w*|deshabilita\w*|apaga\w*|omite\w*|salta\w*"
        r"|sáltate|evita\w*|elude|quita\w*|suspende\w*|anula|desconecta|sin|da|dé|considera|trata)\b",
        not_in=r"\bnunca\b|\bjamás\b|\bno (?:\w+ ){1,4}sin\b|\bno (?:desactiv|apag|omit|salt)|\bsi el usuario|\bcuando\b",
    ),
    order(
        APPROVAL,
        "одобр|разреш|соглас|подтвер|утверд|безопасност|песочниц|защит|аудит|провер",
        rf"(?:пользовател|владел)\w*\s+(?:уже )?[^.]{{0,30}}(?:одобрил|разрешил|согласил|подтвердил|дал согласие"
        rf"|утвердил|дал разрешение)[^.]{{0,80}}|\b(?:отключи|выключи|обойди|пропусти|пропускай|отключай|деактивируй"
        rf"|сними|снимай|обходи|убери)(?:те)?\b[^.]{{0,60}}(?:безопасност|песочниц|подтвержден|защит|разрешени|аудит"
        rf"|проверк\w+ (?:прав|подпис))|\b{RU_ACT}\b[^.]{{0,100}}\bбез (?:\w+ )?(?:подтвержден|разрешен|согласи"
        rf"|одобрен|запрос|вопросов)\w*|\bбез (?:\w+ )?(?:подтвержден|разрешен|согласи"
        rf"|одобрен)\w*[^.]{{0,40}}\b(?:{RU_ACT})|\b(?:считай|рассматривай)(?:те)?\b[^.]{{0,60}}(?:одобрен|разрешен"
        rf"|разрешён|подтвержд|согласован)",
        r"(?:уже|заранее|все\w{0,2}|всё|любы\w+|отключ\w*|выключ\w*|обой\w*|обход\w*|пропус\w*|деактив\w*|сними|снимай"
        r"|без|считай|рассматривай|убери)",
        not_in=r"\bникогда\b|\bнельзя\b|запрещ|\bне (?:отключ|выключ|пропуск|запуск|удаля|публик|отправл|коммит|пуш"
        r"|выполн|деплой)|\bесли\b",
    ),
    order(
        APPROVAL,
        "genehmigt|freigegeben|erlaubt|bestätigt|autorisiert|approuv|autorisé|validé|accepté|aprobad|autorizad|confirmad"
        "|aceptad|одобрен|разрешен"
        "|разрешён|подтвержден|согласован",
        r"\b(?:alle\w*|sämtliche\w*|jede\w*)\b[^.;]{0,60}\b(?:sind|ist|gilt|gelten|wurden?)\b[^.;]{0,20}\b(?:bereits|schon"
        r"|vorab|im voraus|als)\b[^.;]{0,10}"
        r"(?:genehmigt|freigegeben|erlaubt|bestätigt|autorisiert)|\b(?:toutes|tous|chaque)\b[^.;]{0,60}\b(?:sont|est|ont été"
        r"|a été)\b[^.;]{0,10}\b(?:déjà"
        r"|d'avance|d'office)\b[^.;]{0,10}(?:approuv|autoris|valid|accept)\w*|\btod[oa]s\b[^.;]{0,60}\b(?:ya"
        r"|de antemano)\b[^.;]{0,20}(?:aprobad|autorizad"
        r"|confirmad|aceptad)\w*|\b(?:все|всё|любы\w+|каждо\w+)\b[^.;]{0,60}\b(?:уже|заранее)\b[^.;]{0,12}(?:одобрен"
        r"|разреш[её]н|подтвержд|согласован)\w*",
        r"(?:lösch|änder|aktion|befehl|zahlung|überweisung|push|anfrage|vorg[aä]ng|bestellung|zugriff|suppression|modification"
        r"|action|commande|paiement"
        r"|demande|accès|borrad|eliminaci|cambio|accion|orden|pago|solicitud|acceso|удалени|изменени|действи|команд|платеж"
        r"|запрос|перевод|доступ)",
        not_in=r"\b(?:wenn|falls|sobald|noch nicht|nicht \w+t|si|quand|cuando|если|когда|не)\b",
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
        not_in=rf"{DE_NEVER}|\bjamais\b|\bnunca\b|\bникогда\b|\bнельзя\b",
    ),
    # E
    order(
        CARRY,
        "api-key|token|.env|id_rsa|.ssh|.aws|cookie|memory.md|credential|api key|passw|kennw|schlüssel|zugangsdaten"
        "|geheimnis|umgebungsvar|gespräch|unterhaltung|chatverlauf|mot de passe|mots de passe|clé|jeton|identifiants"
        "|variables d'env|conversation|historique|contraseñ|clave|credencial|secreto|variables de entorno|conversaci"
        "|historial|парол|ключ|токен|секрет|учётн|учетн|переменн|переписк|истори|разговор",
        rf"(?:\b(?:send|schick|lad|übermitt|poste|leit|übertrag|kopier|schreib|häng|füg|veröffentlich|trag)\w*"
        rf"|\b{FR_ACT}|\b{ES_ACT}|\b(?:отправ|пошли|посыл|переда|загруз|выгруз|скопир|опублик|выложи|встав|добав"
        rf"|запиш|перешл|размест|включ)\w*)\b[^;]{{0,200}}(?:{SECRETS})|(?:{SECRETS})[^;]{{0,120}}\b(?:senden"
        rf"|schicken|übermitteln|hochladen|posten|отправь|отправить|передай)\b",
        AWAY,
        not_in=rf"{DE_NEVER}|\bjamais\b|\bnunca\b|\bникогда\b|\bнельзя\b|\bne pas\b|\bvault\b|tresor|1password"
        rf"|bitwarden|\bсейф|\bне (?:отправ|переда|загруж|публик|добавл|записыв)",
    ),
    # H
    order(
        ADDRESS,
        "assistent|assistant|assistante|agent|sprachmodell|modèle|modelo|leser|lecteur|lector|asistente| ki |ki:|ki,"
        "| ki-| ia | ia,|ia:|ia,| ии|ии |ассист|агент|помощник|языков|нейросет| бот",
        rf"{ADDRESS_STEM}",
        READS,
        r"\b(?:dies\w*|folgend\w*|cette|ce|cet|ces|ceci|est[ae]s?|esto|эт\w{1,3}|данн\w+)\b",
        rf"\b(?:{DE_ACT}|{FR_ACT}|{ES_ACT}|{RU_ACT}|muss|müssen|soll|sollen|sollst|bitte)\b",
        not_in=r"\b(?:niemals|wir|nous|nunca|никогда|мы)\b",
    ),
    order(
        ADDRESS,
        "assistent|assistant|assistante|agent|sprachmodell|modèle|modelo|leser|lecteur|lector|asistente| ki |ki:|ki,"
        "| ki-| ia | ia,|ia:|ia,| ии|ии |ассист|агент|помощник|языков|нейросет| бот",
        rf"^\W*(?:(?:wichtig\w*|hinweis|nachricht|achtung|anweisung\w*|mitteilung|liebe[rs]?|hallo|an|für|note"
        rf"|message|attention|important|consigne\w*|cher|chère|chers|à|pour|aux?|l'|nota|mensaje|aviso|atención"
        rf"|importante|instruccion\w*|estimad\w+|querid\w+|para|a|al|los|las|el|la|les?|внимание|важно|сообщение"
        rf"|инструкци\w+|указание|уважаем\w+|дорог\w+|для|привет|alle|jeden?|tous|todos|всех|всем|den|die|das|dem"
        rf"|der)\b\W*)*{ADDRESS_STEM}[^.:|]{{0,50}}[:,!]",
        rf"[:,!]\s*(?:\w+ ){{0,3}}?(?:bitte |s'il (?:te|vous) plaît,? |por favor,? |пожалуйста,? )?(?:du |tu |vous "
        rf"|ты |вы )?\b(?:{DE_ACT}|{FR_ACT}|{ES_ACT}|{RU_ACT}|musst|müssen|sollst)\b",
        not_in=r"\b(?:niemals|wir|nous|jamais|nunca|никогда|мы|не)\b",
    ),
    # I
    order(
        SETTLE,
        "kopier|füg|schreib|trage |trag |übernimm|übertrag|verbreit|häng|speicher|recopi|copie |copiez|copia |copie"
        "|ajoute|écris|écrivez|insèr|propage|reportez|reporte |enregistre|añad|agrega|escrib|inserta|pega |guarda"
        "|propaga|скопир|копир|добав|запиш|внес|встав|распростр|перенес|впиши|сохран|допиш",
        rf"\b{COPY}\b",
        THIS,
        ALL,
        rf"\b{PLACES}",
        not_in=r"\b(?:nie|niemals|nicht|jamais|nunca|никогда|нельзя|wir|nous|мы)\b",
    ),
    order(
        SETTLE,
        ".bashrc|.zshrc|.profile|_profile|authorized_keys|crontab|git-hook|githook|git hook|.git/hooks|systemd"
        "|autostart|startskript|sessionstart|автоза|démarrage|arranque|inicio de sesi",
        rf"(?:\b(?:{COPY}|richt\w*|leg\w*|install\w*|mets|mettez|crée\w*|pon|crea|configura|создай|настрой|установи"
        rf"|пропиши)\b)[^;]{{0,200}}{STARTUP}",
        FETCHES,
        not_in=r"\b(?:nie|niemals|nicht|jamais|nunca|никогда|нельзя|wir|nous|мы)\b|direnv|nvm",
    ),
)
