"""Play scenarios on the lab's real Kueue and write down what it does."""
