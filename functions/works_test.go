package functions

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestWorksStayUnderFunctionsThatRename leads packages through random lives, with functions that give objects another name or
// namespace before or after the bundler: an object that a cluster gets before and after stays in its work, or the hand-over is
// in the output. The bundler itself sees only what these functions leave of its works.
func TestWorksStayUnderFunctionsThatRename(t *testing.T) {
	testenv.Checks(t, 150)
	handed := 0
	rapid.Check(t, func(r *rapid.T) {
		p := shop{policy: "edge", namespace: "prod", sizes: []int{10, 10}, clusters: 1, before: true}
		var generated []*krm.Object
		for range rapid.IntRange(2, 6).Draw(r, "renders") {
			p.change(r)
			works := ocmcheck.Works(generated)
			generated = p.render(t, r, generated)
			if faults := ocmcheck.Moves(works, ocmcheck.Works(generated), nil); len(faults) > 0 {
				r.Fatalf("%+v:\n%s", p, strings.Join(faults, "\n"))
			}
			for _, o := range generated {
				handed += len(o.Annotation(fn.HandOver))
			}
		}
	})
	if !testenv.Short() && handed == 0 {
		t.Error("nothing is ever handed over: too few renders to show anything")
	}
}

// shop is a package in the course of time.
type shop struct {
	policy, namespace, substring string
	sizes                        []int // of its config maps
	clusters                     int
	before                       bool // the functions that rename run before the bundler, not after it
}

func (p *shop) change(r *rapid.T) {
	p.sizes = slices.Clone(p.sizes)
	switch rapid.SampledFrom([]string{"policy", "namespace", "substring", "grow", "add", "clusters", "place"}).Draw(r, "change") {
	case "policy":
		p.policy = rapid.SampledFrom([]string{"edge", "core"}).Draw(r, "policy")
	case "namespace":
		p.namespace = rapid.SampledFrom([]string{"prod", "test", "c0"}).Draw(r, "namespace")
	case "substring":
		p.substring = rapid.SampledFrom([]string{"", "-x", "-y"}).Draw(r, "substring")
	case "grow":
		p.sizes[rapid.IntRange(0, len(p.sizes)-1).Draw(r, "which")] += 700
	case "add":
		p.sizes = append(p.sizes, 10)
	case "clusters":
		p.clusters = rapid.IntRange(1, 2).Draw(r, "clusters")
	case "place":
		p.before = !p.before
	}
}

// render runs the pipeline on the sources and on what the last render generated, and returns what is generated now.
func (p *shop) render(t *testing.T, r *rapid.T, generated []*krm.Object) []*krm.Object {
	items := append(fntest.Parse(t, "in.yaml", []byte(p.text())), generated...)
	for i, o := range items[:len(items)-len(generated)] {
		o.SetPath("in.yaml", i)
	}
	renaming := [][2]string{{"set-namespace", "namespace: " + p.namespace}}
	if p.substring != "" {
		renaming = append(renaming, [2]string{"ensure-name-substring", "append: " + p.substring})
	}
	pipeline := [][2]string{{"bind-resolve", ""}, {"bundle-manifestwork", "maxSize: '3000', overflow: move"}}
	if p.before {
		pipeline = append(renaming, pipeline...)
	} else {
		pipeline = append(pipeline, renaming...)
	}
	for _, step := range pipeline {
		config := fntest.Parse(t, "config.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\ndata: {"+step[1]+"}\n"))[0]
		out := catalog.ByName(step[0]).Apply(t.Context(), &fn.Input{Items: items, Config: config})
		if out.Failed() {
			r.Fatalf("%+v: %s: %v", p, step[0], out.Results)
		}
		items = out.Items
	}
	return slices.DeleteFunc(slices.Clone(items), func(o *krm.Object) bool { return !fn.IsGenerated(o) })
}

func (p *shop) text() string {
	var b bytes.Buffer
	for i, size := range p.sizes {
		fmt.Fprintf(&b, "{apiVersion: v1, kind: ConfigMap, metadata: {name: cfg%d, namespace: shop}, data: {k: %s}}\n---\n", i, strings.Repeat("v", size))
	}
	fmt.Fprintf(&b, `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shop}
rules: []
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec: {group: example.com, scope: Namespaced, names: {kind: Thing, plural: things}, versions: [{name: v1, served: true, storage: true}]}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: %s}
spec: {clusterSelectors: [{}], downsync: [{resources: ["*"]}]}
`, p.policy)
	for i := range p.clusters {
		fmt.Fprintf(&b, "---\n{apiVersion: cluster.open-cluster-management.io/v1, kind: ManagedCluster, metadata: {name: c%d}}\n", i)
	}
	return b.String()
}

// TestRenamedWorks holds that a function which renames works makes the render fail that comes after it, wherever its step is, and
// that the way out which the error names is one: with it, nothing changes any more.
func TestRenamedWorks(t *testing.T) {
	const base = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: shop}\npipeline:\n  mutators:\n"
	const bundle = "  - image: ghcr.io/waybill-dev/bind-resolve\n  - image: ghcr.io/waybill-dev/bundle-manifestwork\n"
	const exclude = "    exclude: [{kind: ManifestWork}]\n"
	p := shop{policy: "edge", sizes: []int{10}, clusters: 2}
	for name, step := range map[string]string{
		"namespace": "  - image: ghcr.io/waybill-dev/starlark\n    configMap:\n      source: |\n        for o in ctx.resource_list[\"items\"]:\n" +
			"          if o[\"kind\"] == \"ManifestWork\": o[\"metadata\"][\"namespace\"] = \"prod\"\n",
		"name": "  - image: ghcr.io/waybill-dev/search-replace\n    configMap: {by-value-regex: '^edge-git(.*)', put-value: 'rim${1}', by-path: metadata.name}\n",
	} {
		for place, kptfiles := range map[string]func(step string) map[string]string{
			"before": func(step string) map[string]string { return map[string]string{"Kptfile": base + step + bundle} },
			"after":  func(step string) map[string]string { return map[string]string{"Kptfile": base + bundle + step} },
			"above": func(step string) map[string]string {
				return map[string]string{"Kptfile": base + step, "sub/Kptfile": base + bundle}
			},
		} {
			t.Run(name+" "+place, func(t *testing.T) {
				dir := map[bool]string{true: "sub/"}[place == "above"]
				tree, err := renderFiles(t, nil, kptfiles(""), map[string]string{dir + "in.yaml": p.text()})
				if err != nil {
					t.Fatal(err)
				}
				good := tree
				if tree, err = renderFiles(t, tree, kptfiles(step)); err == nil {
					_, err = renderFiles(t, tree, nil)
				}
				if err == nil || !strings.Contains(err.Error(), "was renamed since") {
					t.Fatalf("works were renamed, and the error is %v", err)
				}
				if tree, err = renderFiles(t, good, kptfiles(step+exclude)); err != nil {
					t.Fatal(err)
				}
				again, err := renderFiles(t, tree, nil)
				if err != nil || !maps.Equal(again, tree) {
					t.Errorf("a second render with %s changes something: %v", exclude, err)
				}
			})
		}
	}
}

// renderFiles renders the files of a package with others put over them.
func renderFiles(t *testing.T, files map[string]string, over ...map[string]string) (map[string]string, error) {
	t.Helper()
	all := map[string][]byte{}
	for _, some := range append([]map[string]string{files}, over...) {
		for name, text := range some {
			all[name] = []byte(text)
		}
	}
	tree, err := renderInProcess(t, all)
	if err != nil {
		return files, err
	}
	out := map[string]string{}
	for name, blob := range tree.All() {
		out[name] = string(blob.Data())
	}
	return out, nil
}
