package cluster

import (
	"github.com/waybill-dev/waybill/pkg/revision"
)

// change is what became different in a repository, as far as variants care.
type change struct {
	all      bool            // nobody knows what: everybody who names the repository is concerned
	packages map[string]bool // whose revisions came, went or moved
	owners   map[string]bool // of these revisions
}

func (c change) none() bool { return !c.all && len(c.packages) == 0 }

func (c change) touches(pkg string) bool { return c.all || c.packages[pkg] }

// survey is the revisions of a repository by name.
type survey map[string]revision.Revision

func newSurvey(revisions []revision.Revision) survey {
	s := make(survey, len(revisions))
	for _, r := range revisions {
		s[r.Name] = r
	}
	return s
}

// packages is how many packages there are.
func (s survey) packages() int {
	names := map[string]bool{}
	for _, r := range s {
		names[r.Package] = true
	}
	return len(names)
}

// since is what is different from an earlier survey.
func (s survey) since(before survey) change {
	c := change{packages: map[string]bool{}, owners: map[string]bool{}}
	for name, r := range s {
		if was, known := before[name]; !known || !same(was, r) {
			c.note(r)
			c.note(was)
		}
	}
	for name, was := range before {
		if _, still := s[name]; !still {
			c.note(was)
		}
	}
	return c
}

func (c change) note(r revision.Revision) {
	if r.Package == "" { // there was none
		return
	}
	c.packages[r.Package] = true
	if owner := r.Owner.String(); owner != "" {
		c.owners[owner] = true
	}
}

// same reports whether a revision is as it was. What the main branch holds moves with everybody's
// approvals, and no variant is made of it: that it is there is all that counts.
func same(a, b revision.Revision) bool {
	if a.Revision == revision.Placeholder && b.Revision == revision.Placeholder {
		return true
	}
	return a.Commit == b.Commit && a.Target == b.Target && a.Lifecycle == b.Lifecycle && a.Revision == b.Revision
}
