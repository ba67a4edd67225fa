"""Rules by family, one file each; see base.py for what a rule is and registry.py for how they are found."""
