package workload

// KnowsResource reports whether a known kind of that group has that plural. It looks at every
// known kind.
func (r *Resources) KnowsResource(group, plural string) bool {
	for key, res := range r.kinds {
		if key.group == group && res.Plural == plural {
			return true
		}
	}
	return false
}
