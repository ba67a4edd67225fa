"""Two configurations on one scenario, or one on several seeds: differences with their confidence."""
