"""What a run says about waits, use, fairness and waste: one measure per file, each from the `Run` alone."""
