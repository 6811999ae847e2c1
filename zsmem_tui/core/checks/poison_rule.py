"""What one rule about orders is made of, and the words that all languages share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

_NEVER: Final = "(?!)"


@cache
def _expression(source: str) -> re.Pattern[str]:
    """Compiled when a sentence first needs it: a text in one language needs few of them, and all of them take long."""
    return re.compile(source)


@dataclass(frozen=True, slots=True)
class Order:
    """An order: a sentence that holds `start` and all of `needs`, and nothing that makes it harmless."""

    family: str
    words: tuple[str, ...]
    """In small letters: without one of them the sentence is not looked at. The rarer, the cheaper."""
    start: str
    needs: tuple[str, ...] = ()
    """What else has to stand in the sentence, in any order."""
    not_before: str = _NEVER
    """What must not end right before `start`, or stand anywhere before it (as the expression says)."""
    not_after: str = _NEVER
    """What must not stand behind the beginning of `start`."""
    not_in: str = _NEVER
    """What must not stand anywhere in the sentence."""
    signs: tuple[str, ...] = ()
    """Cheap to look for, and without one of each the costly rest cannot be there."""
    also: tuple[str, ...] = ()
    """In small letters: without one of these, too, it is not looked at."""

    def found(self, sentence: str) -> tuple[int, int] | None:
        """Where the order stands in a sentence in small letters that holds one of the words, if it does."""
        if self.also and not any(word in sentence for word in self.also):
            return None
        if not all(_expression(sign).search(sentence) for sign in self.signs):
            return None
        start = _expression(self.start)
        if not start.search(sentence) or not all(_expression(need).search(sentence) for need in self.needs):
            return None
        if _expression(self.not_in).search(sentence):
            return None
        not_before, not_after = _expression(self.not_before), _expression(self.not_after)
        for match in start.finditer(sentence):
            if not not_before.search(sentence[: match.start()]) and not not_after.search(sentence, match.start()):
                return match.start(), match.end()
        return None


def order(
    family: str,
    words: str,
    start: str,
    *needs: str,
    not_before: str = "(?!)",
    not_after: str = "(?!)",
    not_in: str = "(?!)",
    also: str = "",
    signs: tuple[str, ...] = (),
) -> Order:
    """An order from its expressions; `words` are apart by `|`."""
    both = tuple(also.split("|")) if also else ()
    return Order(family, tuple(words.split("|")), start, needs, not_before, not_after, not_in, signs, both)


OVERRIDE: Final = "override of instructions"
CONCEAL: Final = "concealment"
APPROVAL: Final = "approval pretended or switched off"
RUN: Final = "download and run"
CARRY: Final = "data carried away"
ADDRESS: Final = "orders to automated readers"
SETTLE: Final = "spreading and settling in"

SECRETS: Final = (
    r"api[- ]?keys?|access keys?|tokens?\b|password|passphrase|credential|secrets?\b"
    r"|\.env\b(?!\.(?:example|sample|template|dist))|id_rsa|id_ed25519"
    r"|ssh[- ]keys?|private keys?|environment var|env vars?"
    r"|\bcookies?\b|\.ssh|\.aws|\.netrc|\.kube|\.npmrc|\.pypirc|\.gnupg|\.git-credentials|\.pgpass|wallet|seed phrase|keychain"
    r"|key ?ring|memory files?|memory\.md"
    r"|conversation|chat (?:history|log)|transcript|system prompt|session (?:log|history)"
    r"|passw[oö]rt|kennw[oö]rt|schlüssel|zugangsdaten|geheimnis|umgebungsvariab|gespräch|unterhaltung|chatverlauf"
    r"|mots? de passe|clés?\b|jetons?\b|identifiants|variables d'environnement|conversation|historique"
    r"|contraseñ|claves?\b|credencial|secretos?\b|variables de entorno|conversaci|historial"
    r"|парол|ключ|токен|секрет|учётн|учетн|переменн\w+ (?:окружения|среды)|переписк|истори\w+ (?:чата|диалога|переписки)|разговор"
    r"|パスワード|鍵|キー|トークン|認証情報|資格情報|秘密|環境変数|会話|履歴|シークレット"
    r"|密码|口令|密钥|令牌|凭据|凭证|环境变量|对话|聊天记录|机密|私钥"
)
"""What is worth carrying away, in all languages."""

AWAY: Final = (
    r"https?://|hxxps?|[\w.+-]+@[\w-]+\.[a-z]{2,}|\bwebhook|pastebin|\bgist\b|\bpaste\b|\bdns\b|\bftp\b|telegram|discord"
    r"|(?:public|öffentlich\w*|public|públic[ao]|публичн\w+|open|new) (?:issue|repo|branch|pull|gist|kanal|channel|bucket|issue)"
    r"|commit message|pull[- ]request|\bissue\b|query string|image (?:url|link|address)|external|extern\w*"
    r"|branch name|tag name|commit (?:title|author|trailer)|\b\d{1,3}(?:\.\d{1,3}){3}\b|\bscp\b|\brsync\b"
    r"|\b(?:this|the following|that|diese|folgende|cette|l'|esta|la siguiente) ?(?:e-?mail |web ?)?(?:address|url|link|host|adresse"
    r"|dirección|enlace|lien)\b|\bэт\w+ (?:адрес|ссылк|почт)|(?:这个|该|此|以下|下面的?)(?:地址|网址|链接|邮箱|网站)"
    r"|(?:この|次の|下記の?)(?:アドレス|url|リンク|サイト|宛先)"
    r"|remote server|удалённ|сервер|внешн|外部|サーバー?|服务器|以下(?:の)?(?:url|アドレス)"
    r"|[a-z0-9-]{2,40}\.(?:io|xyz|site|top|ru|cc|tk|dev|net|com|org|info|example|invalid|test)\b"
)
"""Where it would be carried to, in all languages."""
