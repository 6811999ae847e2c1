"""A small memory of a veterinary clinic's software, in English and German, and what somebody would ask of it in other words."""

from __future__ import annotations

NOTES = {
    "appointment-grid": (
        "# Appointments\n\nSlots are fifteen minutes. Walk-ins get the next free one. The grid refuses two animals in one room."
    ),
    "lab-interface": (
        "# Lab results\n\nThe analyser sends HL7 over a serial line. Broken checksums are asked for again, three times at most."
    ),
    "vaccine-recall": ("# Vaccination letters\n\nOwners get a letter four weeks ahead, a second one after the date has passed."),
    "xray-storage": "# Radiographs\n\nPictures are DICOM, kept ten years, then thrown away by the nightly run.",
    "drug-cabinet": ("# Controlled drugs\n\nEach opening of the cupboard needs two signatures. The book is compared on Fridays."),
    "cashdesk": "# Cash desk\n\nThe drawer is counted at closing. Differences above five euro go to Merle.",
    "login-cards": "# Sign-in by card\n\nA badge and four digits. Lost badges are blocked at once.",
    "outbreak": "# Kennel cough in March\n\nWard two was closed for nine days. What we learned: separate the air.",
    "backup": "# Nightly copies\n\nThe server dumps its tables at two. A restore is rehearsed each quarter.",
    "slow-lists": ("# Slow patient list\n\nThe list took nine seconds because every row asked for its photo. Now it asks once."),
    "sms-gateway": "# Text messages\n\nThe provider cuts at 160 characters and bills each part.",
    "insurer": "# Claims to insurers\n\nClaims go out as XML on Mondays. Rejected ones come back with a code.",
    "timezone": "# Summer time\n\nShifts over the change are stored with an offset, or a night has 23 hours twice.",
    "kiosk": "# Check-in terminal\n\nThe tablet at the door restarts by itself when its page hangs.",
    "branch-sync": "# Two sites\n\nThe branch in Kleve works on a replica that may lag by a minute.",
    "weights": "# Weights\n\nThe scale rounds to fifty grams. Doses are worked out from the weight of the same day.",
    "rechnung": "# Rechnungen\n\nDie Nummer ist lueckenlos. Stornos bekommen eine eigene Nummer, nie wird etwas geloescht.",
    "urlaubsplan": "# Urlaub\n\nIm Sommer sind hoechstens zwei Aerztinnen fort. Antraege bis Ende Februar.",
    "drucker": "# Etiketten\n\nDer Drucker im Labor nimmt nur schmale Rollen. Papierstau loest man von hinten.",
    "datenschutz": "# Datenschutz\n\nHalter duerfen ihre Angaben sehen. Auskunft in zwei Wochen, durch die Praxisleitung.",
    "notdienst": "# Notdienst\n\nAm Wochenende klingelt das Telefon bei der diensthabenden Aerztin.",
    "kuehlkette": "# Kuehlschrank\n\nFaellt die Temperatur unter zwei Grad, geht eine Nachricht an alle.",
    "schluessel": "# Schluessel\n\nDer Giftschrank hat zwei, beide haengen im Tresor. Verlust sofort melden.",
    "schulung": "# Einarbeitung\n\nNeue Kolleginnen laufen zwei Wochen mit. Danach ein Gespraech.",
}

QUESTIONS = {
    "synonym": {
        "double booking": "appointment-grid",
        "photo archive retention": "xray-storage",
        "performance problem patients": "slow-lists",
        "postmortem epidemic": "outbreak",
        "narcotics": "drug-cabinet",
        "disaster recovery drill": "backup",
        "daylight saving": "timezone",
        "onboarding": "schulung",
        "vacation planning": "urlaubsplan",
        "on-call": "notdienst",
    },
    "abbreviation": {
        "SMS": "sms-gateway",
        "DST": "timezone",
        "PIN": "login-cards",
        "GDPR": "datenschutz",
        "DB": "backup",
        "auth": "login-cards",
        "DR": "backup",
        "PTO": "urlaubsplan",
        "img": "xray-storage",
        "msg": "sms-gateway",
    },
    "inflection": {
        "roundings": "weights",
        "rejections": "insurer",
        "vaccinated": "vaccine-recall",
        "signing": "drug-cabinet",
        "analysing": "lab-interface",
        "Löschung": "rechnung",
        "Anträge": "urlaubsplan",
        "Kühlschränke": "kuehlkette",
        "Druckerpapier": "drucker",
        "Ärztin": "notdienst",
    },
    "spelling": {
        "analyzer": "lab-interface",
        "apointments": "appointment-grid",
        "replcia": "branch-sync",
        "termnial": "kiosk",
        "radiogaphs": "xray-storage",
        "insurrers": "insurer",
        "charcters": "sms-gateway",
        "Temparatur": "kuehlkette",
        "Auskuft": "datenschutz",
        "Tressor": "schluessel",
    },
}
