package variantset

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// findUpstream finds the revision that expressions see as upstream: it has everything that u gives.
// Of several that u follows it is the highest published one. Every variant finds its own upstream
// by itself.
func findUpstream(u *porchconfig.Upstream, revisions []variant.Described) (*variant.Described, error) {
	follows := func(int) bool { return true }
	if u.Follow != "" {
		allowed, err := porchconfig.ParseFollow(u.Follow)
		if err != nil {
			return nil, fmt.Errorf("spec.upstream.follow: %w", err)
		}
		follows = allowed.Allows
	}
	var best *variant.Described
	for i := range revisions {
		if r := &revisions[i]; fits(u, r) && follows(r.Number) && (best == nil || before(r, best)) {
			best = r
		}
	}
	if best == nil {
		return nil, fmt.Errorf("could not find upstream package revision '%s/%s' in repo '%s'", u.Package, revisionText(u), u.Repo)
	}
	return best, nil
}

func fits(u *porchconfig.Upstream, r *variant.Described) bool {
	byNumber := u.Revision != 0 || u.Follow != ""
	return r.Repo == u.Repo && r.Package == u.Package &&
		(u.WorkspaceName == "" || r.Workspace == u.WorkspaceName) &&
		(u.Revision == 0 || r.Number == u.Revision) &&
		(!byNumber || r.Lifecycle.IsPublished())
}

// before reports whether a comes before b: what is to be deleted comes last.
func before(a, b *variant.Described) bool {
	going := func(r *variant.Described) int {
		if r.Lifecycle == porch.DeletionProposed {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(going(a), going(b)), cmp.Compare(b.Number, a.Number), cmp.Compare(a.Name, b.Name)) < 0
}

func revisionText(u *porchconfig.Upstream) string {
	if u.Revision != 0 && u.WorkspaceName == "" {
		return "v" + strconv.Itoa(u.Revision)
	}
	return cmp.Or(u.WorkspaceName, u.Follow)
}
