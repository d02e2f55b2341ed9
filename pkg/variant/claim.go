package variant

import (
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// Claim says that a PackageVariant, which is not being deleted, names a package through a Repository object, or that those of a
// PackageVariantSet may name any.
type Claim struct {
	// Set is one whose variants are not known; "" for a claim of one variant.
	Set                    string
	Variant, Repo, Package string
	Adopts                 bool   // the variant takes over what its owner releases
	Address                string // of the Repository, see Revision; "" where it is not there or cannot be read
	// Revision is one of that package; nil when the Repository is not there or cannot be read.
	Revision *Revision
}

// claim says which other variant wants r, "" when none does: the same branch or tag is kept, as deleting it here would
// delete it there, and another variant may take over a package that this one leaves. What is deleted with its variant is replaced
// by another variant of the same Repository that does not adopt. A Repository that cannot be read may show every package of that path.
func (s *situation) claim(r *Revision) string {
	for _, c := range s.state.Claims {
		switch {
		case c.Set != "" && s.pv.DeletionTimestamp.IsZero():
			return fmt.Sprintf("a PackageVariant of PackageVariantSet %q may want it, which failed", c.Set)
		case c.Set != "":
		case c.Repo == r.Repo && c.Package == r.Package && (c.Adopts || s.pv.DeletionTimestamp.IsZero()):
			return fmt.Sprintf("PackageVariant %q wants it", c.Variant)
		case c.Repo == r.Repo:
		case c.Revision == nil && EndAlike(r.Package, c.Package):
			return fmt.Sprintf("PackageVariant %q wants a package of this path through Repository %q, which does not exist or cannot be read",
				c.Variant, c.Repo)
		case c.Revision != nil && r.is(c.Revision):
			return fmt.Sprintf("PackageVariant %q wants the same branch or tag through Repository %q", c.Variant, c.Repo)
		}
	}
	return ""
}

// EndAlike reports whether packages of two Repository objects may be one folder of one repository: one path ends in
// the other.
func EndAlike(a, b string) bool {
	return strings.HasSuffix("/"+a, "/"+b) || strings.HasSuffix("/"+b, "/"+a)
}

// MayTake reports whether pv may take over a revision of its package that it does not own: if it adopts, one without an owner,
// or whose owner released it; or one that a variant of the same set made which is deleted or being deleted, as
// when the set names another Repository object of the same repository.
func (s *State) MayTake(pv *porchconfig.PackageVariant, r *Revision) bool {
	if pv.Spec.Adopts() && (r.Owner == "" || r.Orphaned || s.Released[r.Owner]) {
		return true
	}
	return r.Set != "" && r.Set == SetOf(pv) && !r.Orphaned && s.Living != nil && !s.Living[r.Owner]
}
