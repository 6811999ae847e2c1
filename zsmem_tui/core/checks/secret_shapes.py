"""The shapes of credentials that services document: a prefix, an alphabet, a length.

Each is written from what its service says about it. The words in the table are what the shape cannot do without; the expression
runs only near them. Every repetition is bounded or cannot be entered from inside itself, so that no line takes longer than its
length.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Shape(NamedTuple):
    """One documented credential."""

    kind: str
    words: tuple[str, ...]
    """As they are written: a shape is looked for where one of them stands."""
    expression: re.Pattern[str]
    near: re.Pattern[str] | None
    """What has to stand around it as well: such a key is public in a page, or looks like anything else."""


def _shape(kind: str, words: str, body: str, near: str = "") -> Shape:
    beside = re.compile(near, re.IGNORECASE) if near else None
    return Shape(kind, tuple(words.split()), re.compile(rf"(?<![A-Za-z0-9_])(?:{body})"), beside)


_END: Final = r"(?![A-Za-z0-9])"
_STOP: Final = r"(?![A-Za-z0-9_-])"

SHAPES: Final = (
    # clouds
    _shape("AWS access key", "AKIA ASIA ABIA ACCA A3T", rf"A(?:(?:KI|SI|BI|CC)A|3T[A-Z0-9])[A-Z0-9]{{16}}{_END}"),
    _shape("Bedrock key", "bedrock-api-key- ABSK", r"bedrock-api-key-[A-Za-z0-9+/=]{20,400}|ABSK[A-Za-z0-9+/]{109,269}={0,2}"),
    _shape("Google API key", "AIza", rf"AIza[A-Za-z0-9_-]{{35}}{_END}", r"key|token|secret|google|maps|gemini|gcp"),
    _shape(
        "Google OAuth secret",
        "GOCSPX- ya29. 1//0",
        r"GOCSPX-[A-Za-z0-9_-]{24,40}|ya29\.[A-Za-z0-9_-]{30,400}|1//0[A-Za-z0-9_-]{40,200}",
    ),
    _shape("Azure key", "AccountKey SharedAccessKey", r"(?:AccountKey|SharedAccessKey)\s?=\s?[A-Za-z0-9+/]{40,100}={0,2}"),
    _shape("Azure client secret", "Q~", r"[A-Za-z0-9_.~-]{3}[0-9]Q~[A-Za-z0-9_.~-]{28,40}"),
    _shape("Azure shared access signature", "sig=", r"sig=[A-Za-z0-9%+/]{40,120}(?:%3D|=)"),
    _shape("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _shape("Alibaba Cloud key", "LTAI", rf"LTAI[A-Za-z0-9]{{12,24}}{_END}"),
    _shape("Yandex Cloud key", "AQVN YCAJ", r"AQVN[A-Za-z0-9_-]{35,38}|YCAJ[A-Za-z0-9_-]{20,40}"),
    _shape("Heroku key", "HRKU-", r"HRKU-[A-Za-z0-9_-]{30,70}"),
    _shape("Fly.io token", "fo1_ fm2_", r"fo1_[A-Za-z0-9_-]{40,60}|fm2_[A-Za-z0-9+/=]{60,900}"),
    _shape("Pulumi token", "pul-", r"pul-[a-f0-9]{40}"),
    _shape("Terraform token", ".atlasv1.", r"[A-Za-z0-9]{10,20}\.atlasv1\.[A-Za-z0-9_=-]{40,100}"),
    _shape("Vercel token", "vercel_ vcp_ vci_", r"(?:vercel_|vc[pirak]_)[A-Za-z0-9]{24,80}"),
    _shape("Netlify token", "nfp_", r"nfp_[A-Za-z0-9]{36,50}"),
    _shape("Supabase key", "sbp_ sb_secret_", r"sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,60}"),
    _shape("PlanetScale secret", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,70}"),
    _shape("Tailscale key", "tskey-", r"tskey-[a-z]{3,10}-[A-Za-z0-9-]{20,90}"),
    _shape("Cloudflare key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,160}"),
    _shape("Doppler token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40,80}"),
    _shape("Vault token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{20,300}"),
    _shape("1Password token", "ops_ey A3-", r"ops_ey[A-Za-z0-9_=-]{60,900}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,5}[A-Z0-9]{5}"),
    _shape("OpenShift token", "sha256~", r"sha256~[A-Za-z0-9_-]{43}"),
    # code hosts and package indexes
    _shape(
        "GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{22,255}"
    ),
    _shape(
        "GitLab token",
        "glpat- gldt- glrt- glsoat- glft- glffct- glcbt- glptt- glimt- glagent- gloas- GR1348941",
        rf"(?:glpat-[A-Za-z0-9_-]{{20}}|gl(?:pat|rt)-[A-Za-z0-9_-]{{27,300}}\.[a-z0-9]{{9}}|gl(?:dt|rt|soat|ft|ffct)-[A-Za-z0-9_-]{{20,80}}"
        rf"|glcbt-(?:[a-z0-9]{{1,5}}_)?[A-Za-z0-9_-]{{20}}|glptt-[A-Za-z0-9_-]{{40}}|glimt-[A-Za-z0-9_-]{{25}}"
        rf"|glagent-[A-Za-z0-9_-]{{50,1000}}|gloas-[A-Za-z0-9_-]{{64}}|GR1348941[A-Za-z0-9_-]{{20}}){_STOP}",
    ),
    _shape("Bitbucket or Atlassian token", "ATBB ATATT3 ATCTT3", r"ATBB[A-Za-z0-9]{28,40}|AT[AC]TT3[A-Za-z0-9_=-]{40,250}"),
    _shape("npm token", "npm_", rf"npm_[A-Za-z0-9]{{32,40}}{_END}"),
    _shape("PyPI token", "pypi-", r"pypi-[A-Za-z0-9_-]{40,300}"),
    _shape("RubyGems key", "rubygems_", r"rubygems_[a-f0-9]{40,60}"),
    _shape("crates.io token", "cio", rf"cio[A-Za-z0-9]{{32}}{_END}"),
    _shape("Docker token", "dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}"),
    _shape("JFrog key", "AKCp cmVm", r"AKCp[A-Za-z0-9]{60,80}|cmVmdGtu[A-Za-z0-9]{50,80}"),
    _shape("Buildkite or CircleCI token", "bkua_ CCIPAT_ CCIPRJ_", r"bkua_[a-z0-9]{40}|CCIP(?:AT|RJ)_[A-Za-z0-9_]{20,80}"),
    _shape("Sourcegraph token", "sgp_", rf"sgp_(?:(?:[a-fA-F0-9]{{16}}|local)_)?[a-fA-F0-9]{{40}}{_STOP}"),
    # messages and mail
    _shape(
        "Slack token",
        "xox xapp-",
        r"xox[a-z](?:\.xox[a-z])?-[A-Za-z]{0,3}[0-9][A-Za-z0-9-]{20,300}|xapp-[0-9]-[A-Za-z0-9-]{20,150}",
    ),
    _shape("Slack webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{30,120}"),
    _shape("Discord webhook", "/webhooks/", r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{16,20}/[A-Za-z0-9_-]{40,90}"),
    _shape("Teams webhook", "webhook.office.com", r"[a-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{60,220}"),
    _shape(
        "Discord token",
        ".",
        rf"[MNO][A-Za-z0-9_-]{{23,25}}\.[A-Za-z0-9_-]{{6}}\.[A-Za-z0-9_-]{{27,40}}{_STOP}",
    ),
    _shape("Telegram token", ":AA elegram TELEGRAM bot Bot BOT", rf"(?:bot)?[0-9]{{8,10}}:[A-Za-z0-9_-]{{35}}{_END}"),
    _shape("SendGrid key", "SG.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    _shape("Twilio key", "SK wilio", rf"SK[a-f0-9]{{32}}{_END}"),
    _shape("Mailgun key", "key-", rf"key-[a-f0-9]{{32}}{_END}"),
    _shape("Mailchimp key", "-us", r"[a-f0-9]{32}-us[0-9]{1,2}"),
    _shape("Brevo key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{40,70}-[A-Za-z0-9]{16}"),
    # payment and shops
    _shape("Stripe key", "sk_live_ rk_live_ whsec_", r"[sr]k_live_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/]{24,64}"),
    _shape("Square token", "sq0 EAAA", r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,50}|EAAA[A-Za-z0-9_-]{60}"),
    _shape("Shopify token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    _shape("Plaid token", "access-", r"access-(?:production|development)-[a-f0-9]{8}-[a-f0-9-]{27}"),
    _shape("Razorpay key", "rzp_live_", r"rzp_live_[A-Za-z0-9]{14,30}"),
    # models
    _shape("Anthropic key", "sk-ant-", rf"sk-ant-(?:admin\d\d-[A-Za-z0-9_-]{{93}}AA{_STOP}|(?!admin)[A-Za-z0-9_-]{{9,200}})"),
    _shape("OpenAI key", "sk-", r"sk-(?!ant-)[A-Za-z0-9_-]{20,250}"),
    _shape("Groq key", "gsk_", r"gsk_[A-Za-z0-9]{40,70}"),
    _shape("ElevenLabs key", "sk_", rf"sk_[a-f0-9]{{48}}{_END}"),
    _shape("Hugging Face token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,40}"),
    _shape("Replicate token", "r8_", r"r8_[A-Za-z0-9]{30,45}"),
    _shape("Perplexity or xAI key", "pplx- xai-", r"(?:pplx|xai)-[A-Za-z0-9]{40,100}"),
    _shape("Fireworks key", "fw_", rf"fw_[A-Za-z0-9]{{22,40}}{_END}"),
    _shape("LangSmith key", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    _shape("Tavily key", "tvly-", r"tvly-[A-Za-z0-9-]{28,60}"),
    # tools
    _shape("Linear key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,70}"),
    _shape("Notion token", "secret_ ntn_", rf"secret_[A-Za-z0-9]{{43}}{_END}|ntn_[A-Za-z0-9]{{40,60}}"),
    _shape("Databricks token", "dapi", r"dapi[a-f0-9]{32}(?:-[0-9])?"),
    _shape("Grafana token", "glsa_ glc_", r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,400}"),
    _shape("Figma token", "figd_ figo_ figu_ figr_", r"fig[dour]_[A-Za-z0-9_-]{36,60}"),
    _shape("New Relic key", "NRAK- NRJS- NRII-", r"NR(?:AK|JS|II)-[A-Za-z0-9_-]{19,40}"),
    _shape("Sentry token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_-]{40,400}"),
    _shape("Postman key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _shape("Airtable token", "pat", rf"pat[A-Za-z0-9]{{14}}\.[a-f0-9]{{64}}{_END}"),
    _shape("HubSpot token", "pat-", r"pat-(?:na|eu|ap)\d-[a-f0-9]{8}-[a-f0-9-]{27}"),
    _shape("Dynatrace token", "dt0", r"dt0[a-z]\d\d\.[A-Za-z0-9]{20,30}\.[A-Za-z0-9]{60,70}"),
    _shape("Contentful token", "CFPAT-", r"CFPAT-[A-Za-z0-9_-]{40,50}"),
    _shape("Prefect or Typeform token", "pnu_ tfp_", r"pnu_[A-Za-z0-9]{36}|tfp_[A-Za-z0-9_.]{40,70}"),
    _shape("Asana token", "/1", r"[0-9]/[0-9]{15,17}(?:/[0-9]{15,17})?:[a-f0-9]{32}"),
    _shape("Facebook token", "EAA", r"EAA[A-Z][A-Za-z0-9]{80,400}"),
    _shape("Facebook app token", "facebook Facebook FACEBOOK", rf"[0-9]{{15,16}}\|[A-Za-z0-9_-]{{27}}{_STOP}"),
    _shape("Harness token", "pat. sat.", r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    _shape("Adobe secret", "p8e-", r"p8e-[A-Za-z0-9]{32}"),
    _shape("Clojars token", "CLOJARS_", r"CLOJARS_[A-Za-z0-9]{60}"),
    _shape("Defined Networking key", "dnkey-", r"dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}"),
    _shape("Duffel token", "duffel_", r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}"),
    _shape("EasyPost key", "EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{54}"),
    _shape("Flutterwave key", "FLWSECK FLWPUBK", r"FLW(?:SECK|PUBK)(?:_TEST)?-[a-hA-H0-9]{12,32}(?:-X)?"),
    _shape("Frame.io token", "fio-u-", r"fio-u-[A-Za-z0-9_=-]{64}"),
    _shape("GoCardless token", "live_", rf"live_[A-Za-z0-9_=-]{{40}}{_STOP}"),
    _shape("Lob key", "live_ test_", rf"(?:live|test)_(?:pub_)?[a-f0-9]{{31,35}}{_STOP}"),
    _shape("Infracost key", "ico-", rf"ico-[A-Za-z0-9]{{32}}{_STOP}"),
    _shape("Intra42 secret", "s-s4t2", r"s-s4t2(?:ud|af)-[a-f0-9]{64}"),
    _shape("MaxMind key", "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    _shape("Octopus Deploy key", "API-", rf"API-[A-Z0-9]{{26}}{_STOP}"),
    _shape("NuGet key", "oy2", rf"oy2[a-z0-9]{{43}}{_STOP}"),
    _shape("ReadMe key", "rdme_", r"rdme_[a-z0-9]{70}"),
    _shape("Scalingo token", "tk-us-", r"tk-us-[A-Za-z0-9_-]{48}"),
    _shape("SettleMint token", "sm_", rf"sm_[aps]at_[A-Za-z0-9]{{16}}{_STOP}"),
    _shape("Shippo token", "shippo_", r"shippo_(?:live|test)_[a-fA-F0-9]{40}"),
    _shape("SonarQube token", "sqp_ squ_ sqa_", rf"sq[pua]_[a-z0-9]{{40}}{_STOP}"),
    _shape("Dropbox token", "sl.", r"sl\.[A-Za-z0-9_-]{130,160}"),
    # keys that are no service's
    _shape("age secret key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[A-Z0-9]{50,60}"),
    _shape("signed token", "eyJ", r"eyJ[A-Za-z0-9_-]{8,4000}\.(?:eyJ)?[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{1,1000}"),
)

LEAST_RUN: Final = 16
"""Characters that every shape holds without a blank or another sign between them."""
