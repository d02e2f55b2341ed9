package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// porchEqual are objects that are given to Porch's controllers and to waybill, over equal repositories, and the packages that
// come of them. Their upstream is that of "from"; all but one are upgraded then, as "from" names the next revision.
var porchEqual = map[string]struct {
	kind, spec, from string
	packages         []string
	stays            bool
}{
	"number":          {"PackageVariant", "  downstream: {repo: edge, package: number}\n", "revision: 1", []string{"number"}, true},
	"workspace":       {"PackageVariant", "  downstream: {repo: edge, package: workspace}\n", "", []string{"workspace"}, false},
	"folders":         {"PackageVariant", "  downstream: {repo: edge, package: a/b/c}\n", "", []string{"a/b/c"}, false},
	"context":         {"PackageVariant", "  downstream: {repo: edge, package: context}\n  packageContext: {data: {zone: b, region: eu}, removeKeys: [none]}\n", "", []string{"context"}, false},
	"injection":       {"PackageVariant", "  downstream: {repo: edge, package: injection}\n  injectors: [{kind: Site, name: lyon}, {kind: ConfigMap, name: lyon}]\n", "", []string{"injection"}, false},
	"labels":          {"PackageVariant", "  downstream: {repo: edge, package: labels}\n  labels: {team: ran}\n  annotations: {note: here}\n", "", []string{"labels"}, false},
	"pipeline":        {"PackageVariant", "  downstream: {repo: edge, package: pipeline}\n" + porchNamespace, "", []string{"pipeline"}, false},
	"repositories":    {"PackageVariantSet", "  targets: [{repositories: [{name: edge, packageNames: [web, api]}]}]\n", "", []string{"web", "api"}, false},
	"repository":      {"PackageVariantSet", "  targets: [{repositorySelector: {matchLabels: {tier: edge}}, template: {downstream: {packageExpr: \"repository.name + '-selected'\"}}}]\n", "", []string{"edge-selected"}, false},
	"object-selector": {"PackageVariantSet", porchObjectSelector, "", []string{"site-lyon", "site-oslo"}, false},
}

const porchNamespace = "  pipeline: {mutators: [{name: ns, image: gcr.io/kpt-fn/set-namespace:v0.4.1, configMap: {namespace: eu}}]}\n"

const porchObjectSelector = `  targets:
  - objectSelector: {apiVersion: v1, kind: ConfigMap, matchLabels: {role: site}}
    template:
      downstream: {repo: edge, packageExpr: "'site-' + target.name"}
      packageContext: {data: {tier: gold}, dataExprs: [{key: site, valueExpr: target.name}, {keyExpr: "target.labels['key']", value: one}]}
      injectors: [{kind: ConfigMap, nameExpr: target.name}]
      pipeline: {mutators: [{name: ns, image: gcr.io/kpt-fn/set-namespace:v0.4.1, configMapExprs: [{key: namespace, valueExpr: "'ns-' + target.labels['key']"}]}]}
`

const porchSites = `apiVersion: v1
kind: ConfigMap
metadata: {name: lyon, namespace: fleet, labels: {role: site, key: south}}
data: {cidr: 10.2.0.0/16}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: oslo, namespace: fleet, labels: {role: site, key: north}}
data: {cidr: 10.3.0.0/16}
`

// porchEqualObject is an object of porchEqual, which follows a revision of the blueprint.
func porchEqualObject(name string, n int) string {
	tc := porchEqual[name]
	version := map[string]string{"PackageVariant": "v1alpha1", "PackageVariantSet": "v1alpha2"}[tc.kind]
	from := tc.from
	if from == "" {
		from = fmt.Sprintf("workspaceName: v%d", n)
	}
	return fmt.Sprintf("apiVersion: config.porch.kpt.dev/%s\nkind: %s\nmetadata: {name: %s, namespace: fleet}\nspec:\n  upstream: {repo: blueprints, package: shop, %s}\n%s",
		version, tc.kind, name, from, tc.spec)
}

// TestPorchDraftsTheSame gives the same PackageVariants and PackageVariantSets to waybill and to Porch's controllers, over equal
// repositories, and compares what they draft file by file: first clones and then upgrades. Each allowed difference occurs.
func TestPorchDraftsTheSame(t *testing.T) {
	f := newPorchFleet(t)
	theirs, ours := gittest.NewBare(t), gittest.NewBare(t)
	label := func(repository string) string {
		return strings.Replace(repository, "name: edge,", "name: edge, labels: {tier: edge},", 1)
	}
	f.create(label(f.emptyRepository("edge", theirs)) + "---\n" + porchSites)
	f.write("edge.yaml", label(f.emptyRepository("edge", ours)))
	f.write("lyon.yaml", porchSites)
	f.StartControllers(t)
	f.await("blueprints.shop.v1", "Published")
	occurred := map[string]bool{}
	for n := 1; n <= 2; n++ {
		for name := range porchEqual {
			f.create(porchEqualObject(name, n))
			f.write(filepath.Join("variants", name+".yaml"), porchEqualObject(name, n))
		}
		made := f.reconcileAll()
		for name, tc := range porchEqual {
			for _, pkg := range tc.packages {
				if n == 1 || !tc.stays {
					t.Run(fmt.Sprintf("%s/%d/%s", name, n, strings.ReplaceAll(pkg, "/", ".")), func(t *testing.T) {
						f.sameDraft(t, theirs, ours, fmt.Sprintf("drafts/%s/packagevariant-%d", pkg, n), pkg, occurred)
					})
				}
			}
		}
		variants := strings.Fields(f.get("packagevariants", "{.items[*].metadata.name}"))
		if slices.Sort(variants); !slices.Equal(variants, made) {
			t.Errorf("Porch's variants are %v, and waybill's %v", variants, made)
		}
		if n == 1 {
			f.publishBoth()
			text := strings.Replace(porchApp, "hello", "good day", 1)
			f.release(2, map[string]*string{"shop/app.yaml": &text, "shop/new.yaml": new("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: new\n")})
			f.await("blueprints.shop.v2", "Published")
		}
	}
	for _, d := range porchDifferences {
		if !occurred[d.what] {
			t.Errorf("an allowed difference does not occur: %s", d.what)
		}
	}
}

// reconcileAll runs waybill over the files, and returns the names of the variants.
func (f *porchFleet) reconcileAll() (variants []string) {
	f.Helper()
	r := runCLI(f, "reconcile", "-f", f.dir, "-o", "json")
	var report struct {
		Items []struct{ Kind, Name string }
	}
	if err := json.Unmarshal([]byte(r.stdout), &report); err != nil || r.code != exitDone {
		f.Fatalf("reconcile: exit code %d, %v\n%s%s", r.code, err, r.stdout, r.stderr)
	}
	for _, item := range report.Items {
		if item.Kind != "PackageVariantSet" {
			variants = append(variants, item.Name)
		}
	}
	slices.Sort(variants)
	return variants
}

// publishBoth has each side publish its drafts.
func (f *porchFleet) publishBoth() {
	f.Helper()
	for name, lifecycle := range f.lifecycles() {
		if strings.HasPrefix(name, "edge.") && lifecycle == "Draft" {
			f.publish(name)
			f.rpkg(f, "propose "+name)
			f.rpkg(f, "approve "+name)
		}
	}
}

// sameDraft waits until Porch has drafted the same.
func (f *porchFleet) sameDraft(t *testing.T, theirs, ours, branch, pkg string, occurred map[string]bool) {
	t.Helper()
	diff, dropped := "-", false
	if !f.retry(12, func() bool {
		if strings.Contains(gittest.Refs(t, theirs)+"\n", "refs/heads/"+branch+"\n") {
			diff = differences(t, theirs, ours, branch, pkg, maps.Clone(occurred))
		}
		dropped = dropped || diff != "" && f.dropEarlyDraft(pkg, branch)
		return diff == ""
	}) {
		t.Fatalf("%s (-Porch +waybill):\n%s\nPorch says %s", branch, diff, f.get("packagevariants", messagesOfVariants))
	}
	differences(t, theirs, ours, branch, pkg, occurred)
}

const messagesOfVariants = "{.items[*].status.conditions[*].message}"

// dropEarlyDraft deletes Porch's draft of a package, as a user would, if Porch made it before it saw the next revision of the upstream:
// it refuses to upgrade a draft for good. That happens on a busy machine. It reports whether it did.
func (f *porchFleet) dropEarlyDraft(pkg, branch string) bool {
	f.Helper()
	name := "edge." + strings.ReplaceAll(pkg, "/", ".") + "." + filepath.Base(branch)
	if !strings.Contains(f.get("packagevariants", messagesOfVariants), fmt.Sprintf("cannot update upstream of downstream %q", name)) {
		return false
	}
	f.delete(name, "Draft")
	return true
}

// differences are those between two drafts that are not allowed. Those that are have occurred then.
func differences(t *testing.T, theirs, ours, branch, pkg string, occurred map[string]bool) string {
	t.Helper()
	a, b := porchObjects(t, theirs, branch, pkg), porchObjects(t, ours, branch, pkg)
	for _, d := range porchDifferences {
		for file := range b {
			before := cmp.Diff(a[file], b[file])
			for i := range a[file] {
				d.without(file, a[file][i])
			}
			for i := range b[file] {
				d.without(file, b[file][i])
			}
			occurred[d.what] = occurred[d.what] || before != cmp.Diff(a[file], b[file])
		}
	}
	return cmp.Diff(a, b)
}
