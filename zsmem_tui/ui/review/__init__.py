"""The review screen: what others wrote since the person last looked."""
