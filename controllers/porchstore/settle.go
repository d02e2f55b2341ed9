package porchstore

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
)

// quietAfter is how long after the last own write a repository is quiet: then what Porch shows is believed.
const quietAfter = 10 * time.Second

// unsettled is what Porch may still show of a revision though it is so no more: what this Store replaced, while Porch's reads may be
// older than the write.
type unsettled struct {
	versions map[string]bool // resourceVersions
	metadata map[string]bool // fingerprints
}

// latestLabel is computed by Porch.
const latestLabel = "kpt.dev/latest-revision"

// fingerprint stands for the metadata of an object that clients can set.
func fingerprint(o *porch.PackageRevision) string {
	labels := maps.Clone(o.Labels)
	delete(labels, latestLabel)
	owners := append([]metav1.OwnerReference{}, o.OwnerReferences...)
	text, _ := json.Marshal([]any{labels, o.Annotations, owners}) // strings and numbers
	return string(text)
}

// wrote notes that this Store replaced an object. Until the repository is quiet, Porch may show it again: requests that began before the
// write put its metadata back, and lists of branches that were read before the write are shown until the next one is read.
func (s *Store) wrote(before, after *porch.PackageRevision) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastWrite = s.now()
	u := s.unsettle(before.Name)
	u.versions[before.ResourceVersion] = true
	u.metadata[fingerprint(before)] = true
	delete(u.versions, after.ResourceVersion)
	delete(u.metadata, fingerprint(after))
}

// unsettle has a revision read again once the repository is quiet. The mutex is held.
func (s *Store) unsettle(name string) *unsettled {
	u := s.unsettled[name]
	if u == nil {
		u = &unsettled{map[string]bool{}, map[string]bool{}}
		s.unsettled[name] = u
	}
	return u
}

// quiet reports whether this Store writes nothing, and has written nothing for a while. The mutex is held.
func (s *Store) quiet() bool { return len(s.busy) == 0 && s.now().Sub(s.lastWrite) >= quietAfter }

// outlives reports whether memory is to be believed, and not what Porch shows, nil if that is nothing, of a revision: while the
// repository is not quiet, Porch shows what was replaced or deleted, and lacks what is there. The mutex is held.
func (s *Store) outlives(name string, o *porch.PackageRevision) bool {
	was, u := s.items[name], s.unsettled[name]
	switch {
	case s.quiet():
		return false
	case o != nil:
		return u != nil && u.versions[o.ResourceVersion] && (was == nil || o.ResourceVersion != was.obj.ResourceVersion)
	case was != nil:
		s.unsettle(name)
	}
	return was != nil
}

// deleted notes that this Store deleted an object. Porch may show it again until the repository is quiet.
func (s *Store) deleted(o *porch.PackageRevision) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastWrite = s.now()
	delete(s.items, o.Name)
	s.unsettle(o.Name).versions[o.ResourceVersion] = true
}

// settle forgets what was replaced of revisions that are as they should be, after they were read while the repository was quiet. It
// returns the names of those that are not.
func (s *Store) settle() (lost []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.quiet() { // it was written meanwhile
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.unsettled)) {
		if i := s.items[name]; i != nil && i.lost {
			lost = append(lost, name)
		} else if !s.busy[name] {
			delete(s.unsettled, name)
		}
	}
	return lost
}
