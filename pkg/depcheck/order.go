package depcheck

import (
	"slices"
	"strings"
)

// orderMap finds the position of a package on the map.
type orderMap struct {
	line    map[string]int // of a folder of pkg in the order, from the top
	helpers []string
}

func newOrderMap(order []Line, helpers []string) orderMap {
	m := orderMap{line: map[string]int{}, helpers: helpers}
	for i, line := range order {
		for _, folder := range strings.Fields(line.Folders) {
			m.line[folder] = i
		}
	}
	return m
}

// knows reports whether path is in a leaf, a helper or a folder on the map.
func (m orderMap) knows(path string) bool {
	name := short(path)
	top, _, _ := strings.Cut(name, "/")
	if top != "pkg" {
		return slices.Contains(Leaves, top)
	}
	_, onMap := m.line[folder(name)]
	return onMap || m.helper(name)
}

// helper reports whether name, as in "pkg/fn/fntest", belongs to the folders for tests.
func (m orderMap) helper(name string) bool {
	return slices.ContainsFunc(m.helpers, func(h string) bool { return within(name, h) })
}

// forbids is the reason why from must not import to, "" if it may. Denials have the rules for leaves.
func (m orderMap) forbids(from, to string) string {
	fromName, toName := short(from), short(to)
	switch {
	case m.helper(fromName):
		return ""
	case m.helper(toName):
		return "a helper for tests does not belong into what ships"
	case !within(to, Module+"/pkg") || !within(from, Module+"/pkg") || folder(fromName) == folder(toName):
		return ""
	case m.line[folder(toName)] > m.line[folder(fromName)]:
		return "a line of the map may import only lines above it"
	case m.line[folder(toName)] == m.line[folder(fromName)]:
		return "folders on one line do not know each other"
	}
	return ""
}

// folder is the part of a name that is in the order: "gitrepo" in "pkg/gitrepo/pack".
func folder(name string) string {
	_, below, _ := strings.Cut(name, "/")
	first, _, _ := strings.Cut(below, "/")
	return first
}
