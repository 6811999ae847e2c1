"""The headless front end: `zsmem VERB ...` (specification, section 17)."""
