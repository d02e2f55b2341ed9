package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Warning is about something unusual in a source that is used nevertheless.
type Warning struct {
	Source Source
	Text   string
}

// maxNamed is how many sources a warning lists.
const maxNamed = 4

// Warnings returns all warnings, by source, then by text.
func (x *Index) Warnings() (warnings []Warning) {
	for source, rec := range x.sources {
		for _, remark := range rec.remarks {
			warnings = append(warnings, Warning{source, remark})
		}
	}
	for id, clusters := range x.objects {
		for _, entries := range clusters {
			if n := alike(entries); n > 1 {
				warnings = append(warnings, Warning{entries[0].source, duplicates(id, entries[:n])})
			}
		}
	}
	slices.SortFunc(warnings, func(a, b Warning) int {
		return cmp.Or(a.Source.Compare(b.Source), cmp.Compare(a.Text, b.Text))
	})
	return warnings
}

// duplicates is the warning that several objects report where one should.
func duplicates(id Identity, entries []entry) string {
	var others []string
	for _, e := range entries[1:min(len(entries), maxNamed+1)] {
		others = append(others, fmt.Sprintf("%q", e.source.Name))
	}
	if len(entries) > maxNamed+1 {
		others = append(others, fmt.Sprintf("%d more", len(entries)-1-maxNamed))
	}
	return fmt.Sprintf("%d reports (%s) from cluster %q about %s: %q is taken, ignored: %s",
		len(entries), entries[0].source.Kind, entries[0].source.Namespace, id, entries[0].source.Name, strings.Join(others, ", "))
}
