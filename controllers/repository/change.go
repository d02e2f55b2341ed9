package repository

import (
	"github.com/waybill-dev/waybill/pkg/revision"
)

// Change is what has changed in a repository, as far as PackageVariants depend on it.
type Change struct {
	All      bool            // what is not known: every object that names the repository is affected
	Packages map[string]bool // whose revisions came, went or moved
	Owners   map[string]bool // of these revisions
}

func (c Change) empty() bool { return !c.All && len(c.Packages) == 0 }

// Affects reports whether a package may have changed.
func (c Change) Affects(pkg string) bool { return c.All || c.Packages[pkg] }

// Snapshot is the revisions of a repository by name.
type Snapshot map[string]revision.Revision

func newSnapshot(revisions []revision.Revision) Snapshot {
	s := make(Snapshot, len(revisions))
	for _, r := range revisions {
		s[r.Name] = r
	}
	return s
}

// packages counts the packages.
func (s Snapshot) packages() int {
	names := map[string]bool{}
	for _, r := range s {
		names[r.Package] = true
	}
	return len(names)
}

// Since is what has changed since an earlier snapshot.
func (s Snapshot) Since(before Snapshot) Change {
	c := Change{Packages: map[string]bool{}, Owners: map[string]bool{}}
	for name, r := range s {
		if was, known := before[name]; !known || !equal(was, r) {
			c.add(r)
			c.add(was)
		}
	}
	for name, was := range before {
		if _, still := s[name]; !still {
			c.add(was)
		}
	}
	return c
}

func (c Change) add(r revision.Revision) {
	if r.Package == "" { // the zero Revision
		return
	}
	c.Packages[r.Package] = true
	if owner := r.Owner.String(); owner != "" {
		c.Owners[owner] = true
	}
}

// equal reports whether a revision has not changed. The revision of the main branch moves with every approval, and no
// variant is made of it: only its existence counts.
func equal(a, b revision.Revision) bool {
	if a.Revision == revision.Placeholder && b.Revision == revision.Placeholder {
		return true
	}
	return a.Commit == b.Commit && a.Target == b.Target && a.Lifecycle == b.Lifecycle && a.Revision == b.Revision
}
