"""Research on Crowns: small weights fitted to the solved table (`fit`), tables learned from self-play (`training`)."""
