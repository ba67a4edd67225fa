"""What the API server refuses on create under strict field validation: schema, CEL and Kueue's webhooks."""
