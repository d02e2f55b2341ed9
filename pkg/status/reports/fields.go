package reports

// text is the string at key of m, "" when there is none.
func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

// child is the map at key of m, nil when there is none.
func child(m map[string]any, key string) map[string]any {
	c, _ := m[key].(map[string]any)
	return c
}

// list is the list at key of m, nil when there is none.
func list(m map[string]any, key string) []any {
	l, _ := m[key].([]any)
	return l
}
