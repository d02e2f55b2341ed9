package reconciler

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// adopted returns the revisions that the variant takes over by its adoption policy. Those of a variant of the same set that is gone
// are its own in any case.
func (t *task) adopted() []variant.Revision {
	if !t.pv.Spec.Adopts() {
		return nil
	}
	return t.plan.Adopt
}

// adopts reports whether the variant takes over the revision of that name.
func (t *task) adopts(name string) bool {
	return slices.ContainsFunc(t.adopted(), func(r variant.Revision) bool { return r.Name == name })
}

// maxNamed is how many adopted revisions a message names.
const maxNamed = 10

// adopt records the adoption of revisions whose files must not change: what is published or proposed. Drafts are adopted by
// the commit that updates them.
func (t *task) adopt(ctx context.Context) error {
	var names []string
	var revs []revision.Revision
	for _, r := range t.adopted() {
		names = append(names, r.Name)
		if r.Lifecycle != porch.Draft {
			revs = append(revs, t.state.revisions[r.Name].Revision)
		}
	}
	if len(names) == 0 {
		return nil
	}
	policy := porchconfig.DeletionDelete
	if t.pv.Spec.Orphans() {
		policy = porchconfig.DeletionOrphan
	}
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("%d more", more))
	}
	t.note(fmt.Sprintf("adopted %s, so that spec.deletionPolicy %q applies", strings.Join(names, ", "), policy))
	return t.state.downstream.Store.Adopt(ctx, revs, revision.Adoption{
		Owner: t.owner(), Trailers: t.trailers(), Labels: t.pv.Spec.Labels, Annotations: t.pv.Spec.Annotations, Stamp: t.stamp(),
	})
}
