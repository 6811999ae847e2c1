"""Documented formats of credentials as one table: prefix, alphabet and length.

No repetition is nested in another, so that matching takes linear time.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

LEAST_RUN: Final = 16
"""The fewest characters without a blank or other sign that every format contains."""

_STARTS: Final = {
    r"[A-Za-z0-9_=-]{%s,}": r"""
        fo1_:40 nfp_:36 sb_secret_:20 pscale_(?:tkn|pw|oauth)_:30 ops_ey:60 HRKU-:30 (?:vercel|vc[pirak])_:24 YCAJ:20
        tskey-[a-z]{3,10}-:20 hv[sbr]\.:20 AQVN:35 GOCSPX-:24 ya29\.:30 1//0:40 gh[pousr]_:20 github_pat_:22 glpat-:20 gldt-:20
        gl[pr]t-:20 glsoat-:20 glff?c?t-:20 glcbt-:20 glagent-:50 ATBB:28 AT[AC]TT3:40
        npm_:32 pypi-:40 dckr_[po]at_:20 AKCp:60 cmVmdGtu:50 bkua_:40 CCIP(?:AT|RJ)_:20 xapp-[0-9]-:20 [sr]k_live_:16 rzp_live_:14
        sq0[a-z]{3}-:22 EAAA:60 EAA[A-Z]:80 sk-(?!ant-):20 sk-ant-(?!admin):9 gsk_:40 (?:hf|api_org)_:30
        r8_:30 (?:pplx|xai)-:40 tvly-:28 lin_(?:api|oauth)_:32 ntn_:40 glsa_:41 fig[dour]_:36 NR(?:AK|JS|II)-:19 PMAK-:59
        CFPAT-:40 pnu_:36 p8e-:32 CLOJARS_:60 dnkey-:79 duffel_(?:test|live)_:43 EZ[AT]K:54 FLW(?:SECK|PUBK)(?:_TEST)?-:12
        fio-u-:64 rdme_:70 tk-us-:48 sl\.:130 AGE-SECRET-KEY-1:50 lsv2_(?:pt|sk)_:43 dapi:32 [sr]k_prod_:16""",
    r"[A-Za-z0-9+/_=-]{%s,}": r"""fm2_:60 bedrock-api-key-:20 ABSK:109 glc_:32 whsec_:24 sntry[su]_:40
        (?:AccountKey|SharedAccessKey)\s?=\s?:40 hooks\.slack\.com/(?:services|workflows|triggers)/:30
        discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/:57""",
    r"[A-Za-z0-9_.-]{%s,}": r"""dp\.[a-z]{2,5}\.:40 [A-Za-z0-9]{10,20}\.atlasv1\.:40 tfp_:40 dt0[a-z]\d\d\.:81 [ps]at\.:66""",
    r"[A-Za-z0-9_=-]{%s}(?![A-Za-z0-9_-])": "sha256~:43 glptt-:40 glimt-:25 gloas-:64 GR1348941:20 secret_:43 live_:40",
    r"[A-Za-z0-9]{%s}(?![A-Za-z0-9_-])": "cio:32 fw_:22,40 LTAI:12,24 ico-:32 oy2:43 API-:26 sm_[aps]at_:16",
    r"[A-Z0-9]{%s}(?![A-Za-z0-9])": "(?:AKIA|ASIA|ABIA|ACCA):16 A3T:17",
    r"[A-Fa-f0-9-]{%s}(?![A-Za-z0-9])": r"""
        do[opr]_v1_:64 pul-:40 sbp_:40 rubygems_:40,60 sgp_(?:local_|[a-f0-9]{16}_)?:40 SK:32 key-:32 sk_:48 shp(?:at|ca|pa|ss)_:32
        access-(?:production|development)-:36 pat-[a-z]{2}\d-:36 s-s4t2[a-z]{2}-:64 shippo_(?:live|test)_:40 sq[pua]_:40
        (?:live|test)_(?:pub_)?:31,35 v1\.0-[a-f0-9]{24}-:100,160 x(?:key|smtp)sib-[a-f0-9]{40,70}-:16 pat[A-Za-z0-9]{14}\.:64
        [0-9]/[0-9]{15,17}(?:/[0-9]{15,17})?::32""",
}
"""Prefixes and the length of the rest, grouped by the alphabet of the rest."""

_OTHERS: Final = (
    r"sk-ant-admin\d\d-[A-Za-z0-9_-]{93}AA(?![A-Za-z0-9_-])",
    r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}",
    r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9])",
    r"[A-Za-z0-9_.~-]{3}[0-9]Q~[A-Za-z0-9_.~-]{28,40}",
    r"sig=[A-Za-z0-9%+/]{40,120}(?:%3D|=)",
    r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,5}[A-Z0-9]{5}",
    r"xox[a-z](?:\.xox[a-z])?-[A-Za-z]{0,3}[0-9][A-Za-z0-9-]{20,300}",
    r"[a-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{60,220}",
    r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])",
    r"(?:bot)?[0-9]{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9])",
    r"[a-f0-9]{32}-us[0-9]{1,2}",
    r"[0-9]{15,16}\|[A-Za-z0-9_-]{27}(?![A-Za-z0-9_-])",
    r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk",
    r"eyJ[A-Za-z0-9_-]{8,4000}\.(?:eyJ)?[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{1,1000}",
)
"""Formats with fixed characters elsewhere than at the start."""


@cache
def shapes() -> re.Pattern[str]:
    """One pattern for all formats."""
    starts = [
        f"{start}{alphabet % length}"
        for alphabet, own in _STARTS.items()
        for start, _, length in (each.rpartition(":") for each in own.split())
    ]
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join((*starts, *_OTHERS))})")
