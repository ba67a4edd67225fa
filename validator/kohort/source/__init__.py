"""From bytes to plain values, and from symbolic places back to lines and columns; edits that keep the rest."""
