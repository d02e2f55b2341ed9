package variant

import "slices"

// RuleNames are the names of the rules of Decide, sorted.
func RuleNames() (names []string) {
	for _, r := range rules {
		names = append(names, r.name)
	}
	slices.Sort(names)
	return names
}
