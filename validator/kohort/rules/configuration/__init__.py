"""Rules on the configuration of the controllers: Kueue's manager and AppWrapper's operator."""
