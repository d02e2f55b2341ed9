package snapshot

import (
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// Claims are what the PackageVariants of a namespace want that are not being deleted.
type Claims struct {
	namespace string
	complete  bool                     // there are no other PackageVariants in the namespace
	living    map[string]bool          // owners
	deleting  map[string]bool          // owners that are being deleted
	byOwner   map[string]variant.Claim // of living owners
	byRef     map[string][]variant.Claim
	unread    []variant.Claim
}

// NewClaims reads the claims of the PackageVariants of a namespace. complete says that pvs are all that it has, and read reads
// the repository of that name. The variants of unexpanded, which are PackageVariantSets, are not known.
func NewClaims(namespace string, pvs []*porchconfig.PackageVariant, complete bool, unexpanded []string,
	read func(repository string) (*Snapshot, error)) *Claims {
	c := &Claims{namespace: namespace, complete: complete, living: map[string]bool{}, deleting: map[string]bool{},
		byOwner: map[string]variant.Claim{}, byRef: map[string][]variant.Claim{}}
	for _, set := range unexpanded {
		c.unread = append(c.unread, variant.Claim{Set: set})
	}
	for _, pv := range pvs {
		switch owner := variant.Owner(pv); {
		case pv.Namespace != namespace:
		case !pv.DeletionTimestamp.IsZero():
			c.deleting[owner] = true
		default:
			c.living[owner] = true
			if d := pv.Spec.Downstream; d != nil {
				s, err := read(d.Repo)
				c.add(owner, variant.Claim{Variant: pv.Name, Adopts: pv.Spec.Adopts(), Repo: d.Repo, Package: d.Package}, s, err)
			}
		}
	}
	return c
}

// add adds the revisions of the package that a variant names.
func (c *Claims) add(owner string, claim variant.Claim, s *Snapshot, err error) {
	if err != nil { // also where there is no Repository of that name, which may be misspelt
		c.byOwner[owner] = claim
		c.unread = append(c.unread, claim)
		return
	}
	claim.Address = s.Address
	c.byOwner[owner] = claim
	for _, r := range s.OfPackage(claim.Package) {
		state := r.State()
		claim.Revision = &state
		c.byRef[state.Self.Ref] = append(c.byRef[state.Self.Ref], claim)
	}
}

// ClaimsMatter reports whether a decision about pv depends on the claims of others: something would be retired, or belongs to
// another variant.
func ClaimsMatter(pv *porchconfig.PackageVariant, downstream []variant.Revision) bool {
	return slices.ContainsFunc(downstream, func(r variant.Revision) bool {
		wanted := pv.DeletionTimestamp.IsZero() && r.Repo == pv.Spec.Downstream.Repo && r.Package == pv.Spec.Downstream.Package
		owned := r.Owner == variant.Owner(pv)
		return owned && !wanted || !owned && r.Owner != "" && wanted
	})
}

// AddTo adds to a state what others want of the revisions in it.
func (c *Claims) AddTo(state *variant.State, pv *porchconfig.PackageVariant) {
	state.Living, state.Released = c.living, map[string]bool{}
	for _, r := range state.Downstream {
		state.Released[r.Owner] = c.released(r.Owner) || c.wantsOther(r)
		if r.Owner == variant.Owner(pv) {
			state.Claims = append(state.Claims, c.byRef[r.Self.Ref]...)
		}
	}
	state.Claims = slices.DeleteFunc(append(state.Claims, c.unread...), func(other variant.Claim) bool { return other.Variant == pv.Name })
}

// released reports whether an owner is known to hold on to its packages no longer. Where all variants of the namespace
// are known, that is one that does not exist any more. Where there may be others, as in files that were not read, it
// is one that is being deleted: it keeps what a variant wants that adopts.
func (c *Claims) released(owner string) bool {
	if !c.complete {
		return c.deleting[owner]
	}
	return !c.deleting[owner] && !c.living[owner] && strings.HasPrefix(owner, porchconfig.KindPackageVariant+" "+c.namespace+"/")
}

// wantsOther reports whether the owner of r lives and wants another package than that of r. Revisions that were made since
// the claims were read do not matter: it compares names of packages, and refs only of what may be a mirror.
func (c *Claims) wantsOther(r variant.Revision) bool {
	claim, known := c.byOwner[r.Owner]
	switch {
	case !known:
		return false
	case claim.Repo == r.Repo:
		return claim.Package != r.Package
	case claim.Address == "" || claim.Address == r.Address:
		return !variant.EndAlike(claim.Package, r.Package)
	}
	return !slices.ContainsFunc(c.byRef[r.Self.Ref], func(other variant.Claim) bool { return other.Variant == claim.Variant })
}
