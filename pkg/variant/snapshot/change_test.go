package snapshot

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

func rev(pkg string, number int, commit byte) revision.Revision {
	return revision.Revision{
		Name: pkg, Package: pkg, Revision: number, Commit: gitrepo.Hash{commit}, Lifecycle: porch.Published,
		Owner: revision.Owner{Kind: "PackageVariant", Namespace: "fleet", Name: "of-" + pkg},
	}
}

func TestChanges(t *testing.T) {
	before := []revision.Revision{rev("a", 1, 1), rev("b", 0, 1), rev("main", revision.Placeholder, 1)}
	proposed := rev("b", 0, 1)
	proposed.Lifecycle = porch.Proposed
	for name, tc := range map[string]struct {
		reason string
		after  []revision.Revision
		want   []string
	}{
		"nothing":  {"what is as it was is no change", []revision.Revision{rev("a", 1, 1), rev("b", 0, 1), rev("main", revision.Placeholder, 1)}, nil},
		"main":     {"the main branch moves with everybody's approvals", []revision.Revision{rev("a", 1, 1), rev("b", 0, 1), rev("main", revision.Placeholder, 2)}, nil},
		"moved":    {"a draft that was worked on", []revision.Revision{rev("a", 1, 1), rev("b", 0, 2), rev("main", revision.Placeholder, 1)}, []string{"b"}},
		"proposed": {"another life", []revision.Revision{rev("a", 1, 1), proposed, rev("main", revision.Placeholder, 1)}, []string{"b"}},
		"new":      {"one more, and one less", []revision.Revision{rev("b", 0, 1), rev("c", 0, 1), rev("main", revision.Placeholder, 1)}, []string{"a", "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			want := Change{Packages: map[string]bool{}, Owners: map[string]bool{}}
			for _, pkg := range tc.want {
				want.Packages[pkg], want.Owners["PackageVariant fleet/of-"+pkg] = true, true
			}
			got := Changes(before, tc.after)
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || got.IsZero() != (tc.want == nil) {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
