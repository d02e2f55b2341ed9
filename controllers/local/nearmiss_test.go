package local_test

import (
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// TestNearMissOfRepository selects Repositories, one of which moves to a namespace without variants and sets.
func TestNearMissOfRepository(t *testing.T) {
	f := setFleet(t)
	f.write("edge.yaml", sites[:strings.Index(sites, "  - objectSelector")]+`  - repositorySelector: {matchLabels: {tier: edge}}
    template: {downstream: {repo: deployments, packageExpr: "'of/' + target.name"}}
`)
	for _, name := range []string{"a", "b"} {
		f.write(name+".yaml", replace(t, repository(name, "../"+name+".git", ""), "namespace: fleet}", "namespace: fleet, labels: {tier: edge}}"))
		if err := os.Rename(gittest.NewBare(t), f.path(name+".git")); err != nil {
			t.Fatal(err)
		}
		gittest.Commit(t, f.path(name+".git"), gittest.Change{Message: "It begins\n"})
	}
	if got := f.expand(); got[0] != "set edge: +2 ~0 -0" {
		t.Fatalf("got %q", got)
	}
	f.edit("b.yaml", "namespace: fleet", "namespace: flete")
	f.unmoved("b is not gone", func() {
		if got := f.expand()[0]; !strings.Contains(got, `Repository flete/b: want namespace "fleet"; correct it`) {
			t.Errorf("got %s", got)
		}
	})
}

// TestNearMiss changes one site so that its set selects it no longer.
func TestNearMiss(t *testing.T) {
	const site, kept = "apiVersion: infra.example/v1\nkind: Site\nmetadata:\n  name: nice\n  namespace: fleet\n", "  namespace: fleet\n"
	const nearly = `set edge failed: PackageVariant "edge-deployments-sites-nice" is no longer wanted: ` +
		`nothing is deleted while an object is similar to those that spec.targets[0] selects: ROOT/fleet/sites.yaml: document 1, line 1: `
	labelled := func(f *fleet) {
		f.edit("edge.yaml", "      kind: Site\n    template", "      kind: Site\n      matchLabels: {tier: edge}\n    template")
		f.edit("sites.yaml", "name: nice\n", "name: nice\n  labels: {tier: edge}\n")
		f.edit("context.yaml", "name: lyon\n", "name: lyon\n  labels: {tier: edge}\n")
	}
	for name, tc := range map[string]struct {
		reason  string
		before  func(f *fleet)
		old, to string
		want    string // empty where the variant goes
	}{
		"kind, case":         {"another letter case", nil, "kind: Site", "kind: SITE", `SITE fleet/nice: want kind "Site"`},
		"kind, slip":         {"two letters swapped", nil, "kind: Site", "kind: Stie", `Stie fleet/nice: want kind "Site"`},
		"kind, plural":       {"a resource", nil, "kind: Site", "kind: Sites", `Sites fleet/nice: want kind "Site"`},
		"indent":             {"labels beside metadata", labelled, "  labels: {tier: edge}\n" + kept, kept + "labels: {tier: edge}\n", `Site fleet/nice: want its labels below metadata`},
		"group":              {"a slip in the group", nil, "infra.example/", "infra.exmaple/", `Site fleet/nice: want apiVersion "infra.example/v1"`},
		"no group":           {"a version alone", nil, "infra.example/", "", `Site fleet/nice: want apiVersion "infra.example/v1"`},
		"core group":         {"as API servers call the group of Pods", nil, "infra.example/", "core/", `Site fleet/nice: want apiVersion "infra.example/v1"`},
		"version":            {"an API server lists objects of all versions", nil, "/v1\n", "/v1beta1\n", `Site fleet/nice: want apiVersion "infra.example/v1"`},
		"namespace":          {"a slip in the namespace", nil, kept, "  namespace: flet\n", `Site flet/nice: want namespace "fleet"`},
		"no namespace":       {"a user of kubectl would say which", nil, kept, "", `Site nice: want namespace "fleet"`},
		"kind and namespace": {"two slips", nil, site, strings.NewReplacer("Site", "site", "fleet", "flet").Replace(site), `site flet/nice: want kind "Site" and namespace "fleet"`},
		"labels":             {"one with the labels that are selected", labelled, "kind: Site", "kind: site", `site fleet/nice: want kind "Site"`},

		"own labels": {"beside one whose kind has a field labels, and which is selected", func(f *fleet) {
			f.write("own.yaml", strings.Replace(site, "nice", "own", 1)+"labels: {rack: r1}\n")
		}, site, "# none\n", ""},
		"another kind":      {"which only sounds like it", nil, "kind: Site", "kind: Zone", ""},
		"another group":     {"which has a kind of that name", nil, "infra.example/", "retail.example/", ""},
		"another namespace": {"which does not even sound like it", nil, kept, "  namespace: elsewhere\n", ""},
		"default namespace": {"given as such", nil, kept, "  namespace: default\n", ""},
		"namespace in use": {"with a variant of its own", func(f *fleet) {
			f.write("v.yaml", replace(t, f.variantFile(), kept, "  namespace: fleet2\n", "name: eu\n", "name: eu2\n"))
		}, kept, "  namespace: fleet2\n", ""},
		"kind in use": {"one that a set selects is not misspelt", func(f *fleet) {
			f.edit("edge.yaml", "  - objectSelector:\n", "  - objectSelector: {apiVersion: infra.example/v1, kind: Side}\n    template: {downstream: {repo: deployments, packageExpr: \"'s/' + target.name\"}}\n  - objectSelector:\n")
			f.write("side.yaml", strings.NewReplacer("Site", "Side", "nice", "side").Replace(site))
		}, site, strings.Replace(site, "Site", "Side", 1), ""},
		"other labels": {"it would not be selected", labelled, "  labels: {tier: edge}\n  namespace: fleet\n", "  namespace: flet\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := setFleet(t)
			f.write("sites.yaml", site)
			if tc.before != nil {
				tc.before(f)
			}
			f.expand()
			f.edit("sites.yaml", tc.old, tc.to)
			gone := func(line string) bool { return strings.HasSuffix(line, " -1") }
			if tc.want == "" {
				if got := f.expand()[0]; !gone(got) {
					t.Errorf("%s: want the variant deleted, got %s", tc.reason, got)
				}
				return
			}
			f.unmoved(tc.reason, func() {
				if got := f.anonymous(f.expand())[0]; got != nearly+tc.want+"; correct it or, on the set, "+selection.SetAnnotation {
					t.Errorf("%s: got %s\nwant %s%s", tc.reason, got, nearly, tc.want)
				}
			})
			f.edit("edge.yaml", kept, kept+"  annotations: {"+selection.Annotation+": \"true\"}\n")
			if got := f.expand()[0]; !gone(got) {
				t.Errorf("%s: want the variant deleted once that is allowed, got %s", tc.reason, got)
			}
		})
	}
}
