"""What differs between two objects, by identity and not by position."""
