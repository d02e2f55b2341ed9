package packagevariant

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

func TestAffects(t *testing.T) {
	pv := &porchconfig.PackageVariant{Spec: porchconfig.PackageVariantSpec{
		Upstream: &porchconfig.Upstream{Repo: "up", Package: "shop"}, Downstream: &porchconfig.Downstream{Repo: "down", Package: "eu/shop"},
	}}
	pv.Namespace, pv.Name = "fleet", "eu"
	pv.Status.DownstreamTargets = []porchconfig.DownstreamTarget{{Name: "old.eu.shop.packagevariant-1"}}
	one := func(pkg string) snapshot.Change { return snapshot.Change{Packages: map[string]bool{pkg: true}} }
	for name, tc := range map[string]struct {
		reason, repository string
		what               snapshot.Change
		want               bool
	}{
		"upstream":   {"its upstream package", "up", one("shop"), true},
		"downstream": {"its downstream package", "down", one("eu/shop"), true},
		"other":      {"another package of the same repository", "up", one("eu/shop"), false},
		"elsewhere":  {"a package of that name elsewhere", "else", one("shop"), false},
		"owner":      {"a revision of its own, wherever that is", "else", snapshot.Change{Packages: map[string]bool{"x": true}, Owners: map[string]bool{"PackageVariant fleet/eu": true}}, true},
		"repository": {"the whole repository", "down", snapshot.Change{All: true}, true},
		"old":        {"a repository that it has revisions in", "old", snapshot.Change{All: true}, true},
		"strange":    {"a repository that it knows nothing of", "else", snapshot.Change{All: true}, false},
	} {
		if got := affects(tc.what, tc.repository, pv); got != tc.want {
			t.Errorf("%s: %s: want %v, got %v", name, tc.reason, tc.want, got)
		}
	}
}
