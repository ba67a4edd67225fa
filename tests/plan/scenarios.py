"""All scenarios of the plan."""

import behaviour_scenarios
import people_scenarios
import quota_scenarios
import rename_scenarios
import tree_scenarios

SCENARIOS = [
    *quota_scenarios.SCENARIOS,
    *tree_scenarios.SCENARIOS,
    *people_scenarios.SCENARIOS,
    *behaviour_scenarios.SCENARIOS,
    *rename_scenarios.SCENARIOS,
]
