package snapshot

import (
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// Snapshot is the revisions of a repository at one time.
type Snapshot struct {
	*Repository
	Revisions []revision.Revision
	byPackage map[string][]int
	byOwner   map[string][]int
	byRef     map[string][]int // as locks name it
}

// Read lists the revisions of a repository.
func Read(repo *Repository) (*Snapshot, error) {
	revisions, err := repo.Store.List()
	s := &Snapshot{Repository: repo, Revisions: revisions,
		byPackage: map[string][]int{}, byOwner: map[string][]int{}, byRef: map[string][]int{}}
	for i, rev := range revisions {
		s.byPackage[rev.Package] = append(s.byPackage[rev.Package], i)
		if owner := rev.Owner.String(); owner != "" {
			s.byOwner[owner] = append(s.byOwner[owner], i)
		}
		ref := gitrepo.Ref{Name: rev.Ref}.Short()
		s.byRef[ref] = append(s.byRef[ref], i)
	}
	return s, err
}

// OfPackage returns the revisions of a package.
func (s *Snapshot) OfPackage(pkg string) []Revision { return s.at(s.byPackage[pkg]) }

// OfOwner returns the revisions of an owner.
func (s *Snapshot) OfOwner(owner string) []Revision { return s.at(s.byOwner[owner]) }

// AtRef returns the revisions at a ref as locks name it, without refs/heads/ or refs/tags/.
func (s *Snapshot) AtRef(ref string) []Revision { return s.at(s.byRef[ref]) }

func (s *Snapshot) at(places []int) []Revision {
	out := make([]Revision, len(places))
	for i, place := range places {
		out[i] = Revision{s.Revisions[place], s.Repository}
	}
	return out
}

// Successor returns the owner of a later revision of the package of r, if that is another one than that of r: another
// PackageVariant took the package over.
func (s *Snapshot) Successor(r Revision) string {
	for _, i := range s.byPackage[r.Package] {
		other := &s.Revisions[i]
		if other.Owner.String() != "" && other.Owner != r.Owner && (other.Revision == 0 || other.Revision > r.Revision.Revision) {
			return other.Owner.String()
		}
	}
	return ""
}
