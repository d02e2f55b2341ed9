package snapshot

import "github.com/waybill-dev/waybill/pkg/revision"

// Change is what has changed in a repository, as far as PackageVariants depend on it.
type Change struct {
	All      bool            // it is not known what: every object that names the repository is affected
	Packages map[string]bool // whose revisions were made, deleted or moved
	Owners   map[string]bool // of these revisions
}

// IsZero reports whether nothing has changed.
func (c Change) IsZero() bool { return !c.All && len(c.Packages) == 0 }

// Affects reports whether a package may have changed.
func (c Change) Affects(pkg string) bool { return c.All || c.Packages[pkg] }

// Changes returns what has changed between two lists of the revisions of a repository.
func Changes(before, after []revision.Revision) Change {
	c := Change{Packages: map[string]bool{}, Owners: map[string]bool{}}
	old, current := byName(before), byName(after)
	for name, r := range current {
		if was, known := old[name]; !known || !equal(was, r) {
			c.add(r)
			c.add(was)
		}
	}
	for name, was := range old {
		if _, exists := current[name]; !exists {
			c.add(was)
		}
	}
	return c
}

func byName(revisions []revision.Revision) map[string]*revision.Revision {
	out := make(map[string]*revision.Revision, len(revisions))
	for i := range revisions {
		out[revisions[i].Name] = &revisions[i]
	}
	return out
}

func (c Change) add(r *revision.Revision) {
	if r == nil {
		return
	}
	c.Packages[r.Package] = true
	if owner := r.Owner.String(); owner != "" {
		c.Owners[owner] = true
	}
}

// equal reports whether a revision has not changed. The revision of the main branch moves with every approval, and no
// variant is made of it: only its existence counts.
func equal(a, b *revision.Revision) bool {
	if a.Revision == revision.Placeholder && b.Revision == revision.Placeholder {
		return true
	}
	return a.Commit == b.Commit && a.Digest == b.Digest && a.Target == b.Target && a.Lifecycle == b.Lifecycle &&
		a.Revision == b.Revision && a.Owner == b.Owner && a.Foreign == b.Foreign
}

// CountPackages returns how many packages there are revisions of.
func CountPackages(revisions []revision.Revision) int {
	names := map[string]bool{}
	for _, r := range revisions {
		names[r.Package] = true
	}
	return len(names)
}
