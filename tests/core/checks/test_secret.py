"""What is a credential, and what only stands where one would."""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable

import pytest

from zsmem_tui.core.checks.secret import masked, secrets_in

_RANDOM = random.Random(20261122)
_LETTERS = string.ascii_letters + string.digits
_BASE64 = _LETTERS + "+/"


def some(count: int, alphabet: str = _LETTERS) -> str:
    """Random characters: no file here holds the shape of a credential."""
    return "".join(_RANDOM.choice(alphabet) for _ in range(count))


def hexa(count: int) -> str:
    return some(count, "0123456789abcdef")


def password(count: int = 14) -> str:
    return "q7" + some(count - 2, _LETTERS + "!%+*_-")


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


SHAPES: dict[str, Callable[[], str]] = {
    "curl, in two quotes": lambda: f"curl --user kevin:'{some(16)}' -X PATCH",
    "curl, a header": lambda: f'curl -H "Token: {hexa(16)}" https://a.example',
    "woven": lambda: "shop_token = 9q" + "r1hysz21pfinx",
    "gitlab runner": lambda: "GR" + f"1348941{some(20)}",
    "aws": lambda: "AK" + "IA" + some(16, string.ascii_uppercase + string.digits),
    "aws secret": lambda: f"aws_secret_access_key = {some(40, _BASE64)}",
    "github": lambda: "gh" + "p_" + some(36),
    "github, longer than any": lambda: "gh" + "p_" + some(38),
    "gitlab": lambda: "gl" + "pat-" + some(20),
    "slack": lambda: "xo" + f"xb-{some(12, string.digits)}-{some(24)}",
    "slack webhook": lambda: f"https://hooks.slack.com/services/T{some(8)}/B{some(8)}/{some(24)}",
    "stripe": lambda: "rk_" + f"live_{some(24)}",
    "google": lambda: "- AI" + "za" + some(35),
    "brevo": lambda: "xkey" + f"sib-{hexa(64)}-{some(16)}",
    "nvidia": lambda: "nv" + f"api-{some(64)}",
    "azure": lambda: f"AccountKey={some(86, _BASE64)}==",
    "digitalocean": lambda: "dop" + f"_v1_{hexa(64)}",
    "sendgrid": lambda: f"SG.{some(22)}.{some(43)}",
    "telegram": lambda: f"bot {some(9, '123456789')}:{some(35)}",
    "anthropic": lambda: "sk-" + f"ant-api03-{some(80)}",
    "anthropic, short": lambda: "sk-" + f"ant-api03-x7{some(10)}",
    "anthropic, shorter": lambda: "sk-" + f"ant-x7{some(9)}",
    "hugging face": lambda: "h" + f"f_{some(34)}",
    "vault": lambda: f"hvs.{some(28)}",
    "databricks": lambda: "dap" + f"i{hexa(32)}",
    "age": lambda: f"AGE-SECRET-KEY-1{some(58, string.ascii_uppercase + string.digits)}",
    "signed": lambda: ".".join((encoded('{"alg":"HS256"}').rstrip("="), encoded('{"sub":"kim-7"}').rstrip("="), some(43))),
    "signed, short": lambda: ".".join((encoded('{"alg":"HS256"}').rstrip("="), encoded('{"sub":"kim-7"}').rstrip("="), some(8))),
    "address": lambda: f"postgres://app:{password()}@db.internal:5432/app",
    "jdbc": lambda: f"jdbc:mysql://db/app?user=app&password={password()}",
    "data source": lambda: f"app:{password()}@tcp(db.internal:3306)/app",
    "connection": lambda: f"Server=db;Database=app;User Id=sa;Pwd={password()};",
    "netrc": lambda: f"machine a.example login kim password {password()}",
    "curl": lambda: f"curl -s -u kim:{password()} https://a.example",
    "basic": lambda: f"Authorization: Basic {encoded('kim:' + password())}",
    "docker": lambda: '{"auths": {"a.example": {"auth": "' + encoded("kim:" + password()) + '"}}}',
    "setting": lambda: f"DB_PASS={password()}",
    "export": lambda: f"export WEATHER_API_KEY='{hexa(32)}'",
    "json": lambda: f'  "client_secret": "{some(32)}",',
    "column, chosen": lambda: "| host | password |\n|---|---|\n| db1 | Sommer-2024 |",
    "column, letters": lambda: "| host | token |\n|---|---|\n| db1 | kXqWvZbT" + "rMpLsNdJ |",
    "changed": lambda: f"The password was changed to {password()}.",
    "with a name in it": lambda: "api token: " + "sha256Xq9Lm2Vt7",
    "cell": lambda: f"| Kennwort | `{password()}` |",
    "column": lambda: f"| host | user | password |\n|---|---|---|\n| db1 | root | {password()} |",
    "english": lambda: f"The password for the staging box is `{password()}` since May.",
    "four characters": lambda: "password: " + "a1b2" * 4,
    "passphrase": lambda: "Passphrase: blue-otter-staircase-41",
    "german": lambda: f"Das Passwort für den Router lautet {password()}.",
    "german key": lambda: f"Der API-Schlüssel für die Karten: {some(32)}",
    "wlan": lambda: "WLAN-Passwort ist Sommer-2024!x",
    "wpa": lambda: f"WPA2: {password()}",
    "japanese": lambda: f"サーバーのパスワードは {password()} です",
    "japanese, chosen": lambda: "サーバーのパスワードは Sommer-2024 です",
    "said further on": lambda: "The password for the box is Sommer-2024",
    "key of a name": lambda: f"ZEPHYR_KEY={some(32)}",
    "japanese word": lambda: f"合言葉は「{password()}」。",
    "tag": lambda: f"<password>{password()}</password>",
    "key column": lambda: f"| service | key |\n|---|---|\n| maps | {some(32)} |",
    "hex behind its word": lambda: f"The api token {hexa(40)} belongs to the pump.",
    "japanese key": lambda: f"APIキーは {some(32)}",
}

HARMLESS = [
    "md5 key: 5d41402abc4b2a76b9719d911017c592",
    "| Token | Value |\n|---|---|\n| `--spacer-1-5` | 6px |",
    "Captcha 23+16=39 on the login page",
    "WLAN password: WPA3/SAE",
    "the bypass was built (commit `137a4bee`) on Monday",
    "private key: 0xYOUR_PRIVATE_KEY",
    "Default credentials are stored inside ~/.e2b/config.json.",
    "`OPENAI_API_KEY`, etc.), so the eval/E2E jobs fail",
    "- Password: Password123",
    '"NextToken": "U2FsdGVkX1+eNkPoZHVl11ip5HUYQPWSWZ"',
    "xoxb-12345-abcd234 and xoxo-indieweb-1",
    "the password is rotated by Kim",
    "DB_PASS=<from the vault>",
    "password: changeme",
    "password: backup.client7",
    "token: stricthealth42",
    "password: q7!q7!q7!q7!",
    "postgres://user:password@localhost/db",
    "user:password@tcp(localhost:3306)/db",
    "postgres://postgres:postgres@localhost:5432/app",
    "api_key=${API_KEY}",
    "token = process.env.GH_TOKEN2",
    'secret = os.environ["APP_SECRET2"]',
    "password: $(pass show nas/root2)",
    "key: op://vault/item/field1",
    "AKIAIOSFODNN7EXAMPLE",
    "token: " + "x" * 36,
    "password: ************",
    "commit 5f2c1e8a9b3d4c6f7a8b9c0d1e2f3a4b5c6d7e8f",
    "zephyr key: q7Rt2Zx9Lm4Bv8Kc3 and _key: q7Rt2Zx9Lm4Bv8Kc3",
    "cache key: 5f2c1e8a9b3d4c6f7a8b9c0d1e2f3a4b",
    "the last commit with the api token: 5f2c1e8a9b3d4c6f7a8b9c0d1e2f3a4b5c6d7e8f",
    "the api token was moved to 5f2c1e8a9b3d4c6f7a8b9c0d1e2f3a4b5c6d7e8f",
    "the api token was moved to q7sha256Rt2Zx9L",
    "token: 550e8400-e29b-41d4-a716-446655440000",
    "-----BEGIN RSA PRIVATE KEY-----",
    "publishable: " + "pk_" + "live_51Hq8zJ2eZvKYlo2CXq7",
    "https://5f2c1e8a9b3d4c6f7a8b9c0d1e2f3a4b@o123.ingest.sentry.io/4505",
    "password hash: $2b$12$KIXQ7v1n8s9aLq2w3e4r5uO6p7a8s9d0f1g2h3j4k5l6z7x8c9v0b",
    "Passwort steht im Tresor unter NAS-2",
    "Kennwort: mindestens 12 Zeichen, Ziffern und Buchstaben",
    "the token expires after 3600s",
    "JWT tokens are signed with HS256 keys",
    "パスワードは金庫にあります",
    "Jira key: PLAT-12345",
    "The secret name is prod-db-credentials-v2",
    "login with GitHub OAuth2App",
    "S3 key: backups/2024-05-01/db.dump.gz",
    "curl -u $USER:$PASS https://a.example",
    "curl -u user:password https://a.example",
    "Authorization: Bearer <token>",
    "token budget 128k per turn",
    "keys of theirs begin with sk-ant-api03- and have 95 characters more",
    "sk-ant-api03-yourkeyhere1",
    "rename it sk-ant-colony-simulation",
    "eyJhbGciOi.eyJzdWIiOiI.signature",
]


@pytest.mark.parametrize("start", ["gh" + "p_", "sk-", "AK" + "IA"])
def test_a_list_item_of_a_credential_only_is_told_at_least_as_perhaps(start: str) -> None:
    size = 16 if start.startswith("AK") else 36
    for value in (some(size, string.ascii_uppercase + "234567"), ("1234567890" + string.ascii_uppercase)[:size].ljust(size, "Q")):
        assert secrets_in(f"# Notes\n\n- `{start}{value}`\n"), value
    assert not secrets_in(f"- samples such as {start}{'1234567890' + string.ascii_uppercase}\n")


@pytest.mark.parametrize("shape", SHAPES)
def test_a_credential_is_found_and_never_shown_whole(shape: str) -> None:
    _RANDOM.seed(shape)  # the same values in whatever order the tests run
    for _ in range(5):
        text = f"# Notes\n\n{SHAPES[shape]()}\n"
        found = secrets_in(text)
        assert found and all(spot.sure for spot in found), text
        assert all(spot.shown == text[spot.start : spot.start + 4] + "…" for spot in found)
        assert secrets_in(masked(text, found)) == [], masked(text, found)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_one_is_none(text: str) -> None:
    assert [spot for spot in secrets_in(f"# Notes\n\n{text}\n") if spot.sure] == []


@pytest.mark.parametrize("between", [" secret ", ", ", " / ", "\n- ", "\nsecret: ", ":", " | "])
def test_the_secret_of_an_aws_key_is_one_beside_its_id_or_in_the_next_line(between: str) -> None:
    key = "AK" + "IA" + some(16, string.ascii_uppercase + "234567")
    for value in (f"{some(12)}/K7{some(7)}+bP{some(15)}", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY"):
        assert masked(f"- AWS {key}{between}{value} (of Kim)\n") == f"- AWS AKIA…{between}{value[:4]}… (of Kim)\n"
        assert value in masked(f"- AWS {key}\n\n- {value}\n") and value in masked(f"- {value}\n- {key}\n")
    for other in (hexa(40), "docs/Guides/Setup2/HowToInstall/FooBarB1", some(44), "x" * 40):
        assert other in masked(f"- {key} was seen in {other}\n"), "a digest, a path, a longer text"


def test_a_value_after_the_word_secret_may_have_slashes_where_it_has_the_form_of_an_aws_key() -> None:
    value = f"kJ4{some(9)}/K7{some(7)}/bP{some(14)}z"
    assert masked(f"the secret {value} is for S3") == f"the secret {value[:4]}… is for S3"
    assert masked(f"the secret is {value}") == f"the secret is {value[:4]}…"
    for path in ("docs/Guides/Setup2/HowToInstall/FooBarB1", "kubernetes/deploy/overlays/production/a1"):
        assert path in masked(f"the secret {path} is for S3")


def test_a_private_key_is_one_finding_from_begin_to_end() -> None:
    for sample in range(4):  # in the first lines it says so; further down letters may happen to be such a word
        body = "\n".join("Example" * (line == sample) + some(64, _BASE64) for line in range(4))
        found = secrets_in(f"fact\n-----BEGIN OPENSSH PRIVATE KEY-----\n{body}\n-----END OPENSSH PRIVATE KEY-----\nfact\n")
        assert [(spot.line, spot.end_line) for spot in found] == [(2, 7)] * (sample > 1)


def test_a_credential_is_one_wherever_it_stands_again() -> None:
    text = "DB_PASS=x7Kp2Qm9Zt4Lw8Rv\n\nlog in as kim with x7Kp2Qm9Zt4Lw8Rv, not with x7Kp2Qm9Zt4Lw8Rvb\n"
    assert [spot.line for spot in secrets_in(text)] == [1, 3]
    assert masked(text) == "DB_PASS=x7Kp…\n\nlog in as kim with x7Kp…, not with x7Kp2Qm9Zt4Lw8Rvb\n"


def test_each_credential_of_a_line_is_one_without_the_sign_at_its_end_and_with_a_word_for_one_in_it() -> None:
    assert masked("password: q7tokenXw4pR2, then api token: q7Xw4pR2.") == "password: q7to…, then api token: q7Xw…."


def test_a_certificate_is_none() -> None:
    body = some(64, _BASE64)
    assert secrets_in(f"-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n") == []
