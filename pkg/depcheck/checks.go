package depcheck

import (
	"fmt"
	"slices"
	"strings"
)

// Line is one line of the order of folders: one or more folders, separated by a space, and what they
// hold.
type Line struct{ Folders, Holds string }

// Denial says that nothing in the folder From links Deny or a package below it, except Except. With Alone it is about the package
// in the folder, and not about those below it.
type Denial struct {
	From, Deny, Except, Why string
	Alone                   bool
}

// Home says that only the folders In import Library, or a package below it, directly.
type Home struct {
	Library string
	In      []string
	Why     string
}

// CheckDenials reports every package that links a denied one, with the chain of imports.
func (g Graph) CheckDenials(rows []Denial) (faults []string) {
	for _, row := range rows {
		bad := func(p string) bool {
			return within(p, row.Deny) && (row.Except == "" || !within(p, row.Except))
		}
		for _, from := range g.own(row.From) {
			if row.Alone && short(from) != row.From {
				continue
			}
			if way := g.chain(from, bad); way != nil {
				faults = append(faults, fmt.Sprintf("%s must not reach %s: %s: %s",
					short(from), short(row.Deny), row.Why, shortAll(way, " → ")))
			}
		}
	}
	return sorted(faults)
}

// CheckHomes reports every package that imports a library away from its home, tests included.
func (g Graph) CheckHomes(rows []Home) (faults []string) {
	for _, row := range rows {
		for _, from := range g.own("") {
			if slices.ContainsFunc(row.In, func(home string) bool { return within(short(from), home) }) {
				continue
			}
			for _, to := range g[from].all() {
				if within(to, row.Library) {
					faults = append(faults, fmt.Sprintf("%s imports %s, whose home is %s: %s",
						short(from), to, strings.Join(row.In, ", "), row.Why))
				}
			}
		}
	}
	return sorted(faults)
}

// CheckOrder reports every folder that is not on the map, every import that goes up the order or
// across a line, and every helper that code outside tests imports.
func (g Graph) CheckOrder(order []Line, helpers []string) (faults []string) {
	m := newOrderMap(order, helpers)
	for _, from := range g.own("") {
		if !m.knows(from) {
			faults = append(faults, fmt.Sprintf("%s is not on the map: "+
				"give it a line in pkg/depcheck/folders.go and in CONTRIBUTING.md", short(from)))
			continue
		}
		for _, to := range g[from].Imports {
			if why := m.forbids(from, to); why != "" {
				faults = append(faults, fmt.Sprintf("%s imports %s: %s", short(from), short(to), why))
			}
		}
	}
	return sorted(faults)
}

func sorted(faults []string) []string {
	slices.Sort(faults)
	return faults
}

func short(path string) string { return strings.TrimPrefix(path, Module+"/") }

func shortAll(paths []string, sep string) string {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = short(p)
	}
	return strings.Join(names, sep)
}
