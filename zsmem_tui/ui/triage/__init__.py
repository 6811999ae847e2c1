"""The triage screen: deciding on checklist items."""
