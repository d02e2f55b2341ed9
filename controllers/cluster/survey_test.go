package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

func rev(pkg string, number int, commit byte) revision.Revision {
	return revision.Revision{
		Name: pkg, Package: pkg, Revision: number, Commit: gitrepo.Hash{commit}, Lifecycle: porch.Published,
		Owner: revision.Owner{Kind: "PackageVariant", Namespace: "fleet", Name: "of-" + pkg},
	}
}

func TestSurvey(t *testing.T) {
	before := newSurvey([]revision.Revision{rev("a", 1, 1), rev("b", 0, 1), rev("main", revision.Placeholder, 1)})
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
			want := change{packages: map[string]bool{}, owners: map[string]bool{}}
			for _, pkg := range tc.want {
				want.packages[pkg], want.owners["PackageVariant fleet/of-"+pkg] = true, true
			}
			got := newSurvey(tc.after).since(before)
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(change{}), cmpopts.EquateEmpty()); diff != "" || got.none() != (tc.want == nil) {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestConcerns(t *testing.T) {
	pv := &porchconfig.PackageVariant{Spec: porchconfig.PackageVariantSpec{
		Upstream: &porchconfig.Upstream{Repo: "up", Package: "shop"}, Downstream: &porchconfig.Downstream{Repo: "down", Package: "eu/shop"},
	}}
	pv.Namespace, pv.Name = "fleet", "eu"
	pv.Status.DownstreamTargets = []porchconfig.DownstreamTarget{{Name: "old.eu.shop.packagevariant-1"}}
	one := func(pkg string) change { return change{packages: map[string]bool{pkg: true}} }
	for name, tc := range map[string]struct {
		reason, repository string
		what               change
		want               bool
	}{
		"upstream":   {"its upstream package", "up", one("shop"), true},
		"downstream": {"its downstream package", "down", one("eu/shop"), true},
		"other":      {"another package of the same repository", "up", one("eu/shop"), false},
		"elsewhere":  {"a package of that name elsewhere", "else", one("shop"), false},
		"owner":      {"a revision of its own, wherever that is", "else", change{packages: map[string]bool{"x": true}, owners: map[string]bool{"PackageVariant fleet/eu": true}}, true},
		"repository": {"the whole repository", "down", change{all: true}, true},
		"old":        {"a repository that it has revisions in", "old", change{all: true}, true},
		"strange":    {"a repository that it knows nothing of", "else", change{all: true}, false},
	} {
		if got := concerns(pv, tc.repository, tc.what); got != tc.want {
			t.Errorf("%s: %s: want %v, got %v", name, tc.reason, tc.want, got)
		}
	}
}
