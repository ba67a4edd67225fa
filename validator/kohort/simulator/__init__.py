"""Time: what happens when jobs are submitted, end and are changed, by the model of Kueue in `semantics`."""
