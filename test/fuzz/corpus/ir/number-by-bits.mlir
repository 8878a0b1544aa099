module attributes {test.a = #autosage.stats<mean = 16777217.0>} {}
