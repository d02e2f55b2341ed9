package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// View is a repository as a Repository object shows it, and through which Repository objects its revisions were made.
type View struct {
	Namespace, Name string // of its Repository object
	*Repository
	Through map[string]bool
}

// NewView is an open repository. One that cannot be listed was made through no Repository object.
func NewView(namespace, name string, repo *Repository) View {
	revisions, err := repo.Store.List()
	if err != nil {
		revisions = nil // the variants that need it report the error
	}
	return View{Namespace: namespace, Name: name, Repository: repo, Through: Through(namespace, revisions)}
}

// Through returns the names of the Repository objects of a namespace through which PackageVariants had revisions made.
func Through(namespace string, revisions []revision.Revision) map[string]bool {
	out := map[string]bool{}
	for _, rev := range revisions {
		if rev.Owner.Kind == porchconfig.KindPackageVariant && rev.Owner.Namespace == namespace {
			out[rev.Trailers.Get(revision.TrailerRepository)] = true
		}
	}
	return out
}

// Overlap says that two Repository objects of a namespace show the same revisions. Names are in order.
type Overlap struct {
	Namespace string
	Names     [2]string
	Reason    string // how this is known
}

func (o Overlap) String() string {
	return fmt.Sprintf("Repositories %q and %q of namespace %q show the same revisions: %s", o.Names[0], o.Names[1], o.Namespace, o.Reason)
}

// Overlaps finds the Repository objects that overlap, each pair once, in order of names.
func Overlaps(all []View) (out []Overlap) {
	slices.SortFunc(all, func(a, b View) int { return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name)) })
	for i, a := range all {
		for _, b := range all[i+1:] {
			if o, found := a.Overlaps(b); found {
				out = append(out, o)
			}
		}
	}
	return out
}

// Overlaps reports whether two Repository objects of a namespace overlap: they give the same repository and
// directories of which one contains the other; or one shows what was made through the other, as a mirror does, or
// a server with two names.
func (a View) Overlaps(b View) (o Overlap, found bool) {
	if a.Name > b.Name {
		a, b = b, a
	}
	o = Overlap{Namespace: a.Namespace, Names: [2]string{a.Name, b.Name}}
	switch {
	case a.Namespace != b.Namespace || a.Name == b.Name:
		return o, false
	case a.Address == b.Address && (within(a.Directory, b.Directory) || within(b.Directory, a.Directory)):
		o.Reason = fmt.Sprintf("both are the repository %s, of which they show the directories %q and %q", a.Written, a.Directory, b.Directory)
	case a.Address == b.Address: // two parts of one repository
		return o, false
	case a.Through[b.Name]:
		o.Reason = fmt.Sprintf("%q shows revisions that were made through %q", a.Name, b.Name)
	case b.Through[a.Name]:
		o.Reason = fmt.Sprintf("%q shows revisions that were made through %q", b.Name, a.Name)
	default:
		return o, false
	}
	return o, true
}

// within reports whether a directory is outer, or is in it.
func within(dir, outer string) bool {
	return outer == "" || dir == outer || strings.HasPrefix(dir, outer+"/")
}
