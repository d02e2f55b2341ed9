package transform_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/transform"
)

// step is a function of a pipeline with its options.
type step struct {
	f       *fn.Function
	options string // of a ConfigMap; "": no config
}

func run(t rapid.TB, items []*krm.Object, s step) *fn.Output {
	in := &fn.Input{Items: items}
	if s.options != "" {
		objs, err := krm.Read("config", []byte("apiVersion: v1\nkind: ConfigMap\ndata: "+s.options), krm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		in.Config = objs[0]
	}
	return s.f.Apply(context.Background(), in)
}

// render runs a pipeline in which nothing may fail.
func render(t rapid.TB, items []*krm.Object, pipeline ...step) []*krm.Object {
	for _, s := range pipeline {
		out := run(t, items, s)
		if out.Failed() {
			t.Fatalf("%s: %v", s.f.Name, messages(out))
		}
		items = out.Items
	}
	return items
}

func messages(out *fn.Output) (lines []string) {
	for _, r := range out.Results {
		lines = append(lines, fn.FormatResult(r))
	}
	return lines
}

func text(t rapid.TB, items []*krm.Object) string {
	data, err := krm.Write(items)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// works are the ManifestWorks among items, without what tells of the package.
func works(items []*krm.Object) (out []*krm.Object) {
	for _, o := range items {
		if o.Is("work.open-cluster-management.io", "ManifestWork") {
			out = append(out, o)
		}
	}
	return out
}

// checkChain holds for every package: custom-transform either refuses, or the usual chain runs
// through (the versions in Bindings are those of what ships), a second render changes nothing, and
// what ships is what the bundler would make of the untransformed package with
// customTransforms: apply.
func checkChain(t rapid.TB, items []*krm.Object, options string) (refused bool) {
	return checkChainOf(t, items, step{binding.Function, ""}, options)
}

func checkChainOf(t rapid.TB, items []*krm.Object, bind step, options string) (refused bool) {
	change, bundle := step{transform.Function, options}, step{bundling.Function, ""}
	bound := render(t, items, bind)
	if out := run(t, bound, change); out.Failed() {
		if d := cmp.Diff(text(t, bound), text(t, out.Items)); d != "" {
			t.Errorf("law broken: a refusal changes nothing (-before +after):\n%s", d)
		}
		return true
	}
	once := render(t, bound, change, bundle)
	if d := cmp.Diff(text(t, once), text(t, render(t, once, bind, change, bundle))); d != "" {
		t.Errorf("law broken: a second render changes nothing (-once +twice):\n%s", d)
	}
	apart := render(t, bound, step{bundling.Function, `{customTransforms: "apply"}`})
	if d := cmp.Diff(text(t, works(apart)), text(t, works(once))); d != "" {
		t.Errorf("law broken: what ships does not depend on who transforms (-bundler +in place):\n%s", d)
	}
	return false
}

func TestChain(t *testing.T) {
	items := fntest.Parse(t, "package.yaml", []byte(chainPackage))
	for i, o := range items {
		o.SetPath("package.yaml", i)
	}
	for name, options := range map[string]string{"bound": "", "all": `{scope: "all"}`, "clean": `{clean: "true"}`} {
		t.Run(name, func(t *testing.T) {
			if checkChain(t, items, options) {
				t.Errorf("custom-transform refuses: %v", messages(run(t, items, step{transform.Function, options})))
			}
		})
	}
	out := text(t, works(render(t, items, step{binding.Function, ""}, step{transform.Function, ""}, step{bundling.Function, ""})))
	for _, gone := range []string{"secret", "issued-by", "31000", "{{"} {
		if strings.Contains(out, gone) {
			t.Errorf("%q ships although it was to be removed:\n%s", gone, out)
		}
	}
	if !strings.Contains(out, "line: edge2") {
		t.Errorf("a template does not ship expanded:\n%s", out)
	}
}

// TestChainOfDeclaredKinds has kinds whose plural and scope only bind-resolve knows, beside one that
// is guessed and a definition that says otherwise: all three functions take each for the same.
func TestChainOfDeclaredKinds(t *testing.T) {
	items := fntest.Parse(t, "package.yaml", []byte(toldPackage))
	for i, o := range items {
		o.SetPath("package.yaml", i)
	}
	bind := step{binding.Function, `{resources: "Gateway.networking.istio.io=gateways;Gateway.x.io=gws;Widget.x.io=widgets,Cluster"}`}
	for name, options := range map[string]string{"bound": "", "all": `{scope: "all"}`} {
		t.Run(name, func(t *testing.T) {
			if checkChainOf(t, items, bind, options) {
				t.Errorf("custom-transform refuses: %v", messages(run(t, items, step{transform.Function, options})))
			}
		})
	}
	out := text(t, works(render(t, items, bind, step{transform.Function, ""}, step{bundling.Function, ""})))
	for removed, kept := range map[string]string{"gateway-host": "route-host", "other-host": "other-port", "widget-host": "kind: Widget"} {
		if strings.Contains(out, removed) || !strings.Contains(out, kept) {
			t.Errorf("want %q to ship and %q not to:\n%s", kept, removed, out)
		}
	}
}

const toldPackage = `
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: edge1}
---
apiVersion: networking.istio.io/v1
kind: Gateway
metadata: {name: shop, namespace: a}
spec: {host: gateway-host, servers: []}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: shop, namespace: a}
spec: {host: route-host}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gateways.x.io, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {group: x.io, scope: Namespaced, names: {kind: Gateway, plural: gateways}}
---
apiVersion: x.io/v1
kind: Gateway
metadata: {name: g, namespace: a}
spec: {host: other-host, port: other-port}
---
apiVersion: x.io/v1
kind: Widget
metadata: {name: w, namespace: a}
spec: {host: widget-host}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: all}
spec: {clusterSelectors: [{}], downsync: [{apiGroup: networking.istio.io}, {apiGroup: x.io}]}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata: {name: istio}
spec: {apiGroup: networking.istio.io, resource: gateways, remove: [$.spec.host]}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata: {name: gws}
spec: {apiGroup: x.io, resource: gws, remove: [$.spec.host]}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata: {name: widgets}
spec: {apiGroup: x.io, resource: widgets, remove: [$.spec.host]}
`

// TestChainOfAnything draws packages in which CustomTransforms meet everything that decides what
// cleaning does and what policies select.
func TestChainOfAnything(t *testing.T) {
	refused, passed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		options := rapid.SampledFrom([]string{"", `{scope: "all"}`, `{clean: "true"}`, `{clean: "true", scope: "all"}`}).Draw(t, "options")
		if checkChain(t, drawPackage(t), options) {
			refused++
		} else {
			passed++
		}
	})
	if refused == 0 || passed == 0 {
		t.Errorf("%d packages were refused and %d passed: one half of the law was never tried", refused, passed)
	}
}

var removable = []string{
	"$.spec", "$.spec.ports", "$.spec.selector", "$.spec.clusterIP", "$.spec.replicas", "$.status", "$.data", "$.data.a",
	"$.metadata.labels", "$.metadata.labels.app", "$.metadata.labels.team", "$.metadata.annotations", "$.metadata.finalizers",
	`$.metadata.annotations["control.kubestellar.io/preserve"]`, `$.metadata.annotations["control.kubestellar.io/expand-templates"]`,
	`$.metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]`, `$.spec.template.metadata.labels["controller-uid"]`,
}

func drawPackage(t *rapid.T) (items []*krm.Object) {
	add := func(text string) {
		objs, err := krm.Read("package.yaml", []byte(text), krm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		objs[0].SetPath("package.yaml", len(items))
		items = append(items, objs[0])
	}
	add("apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata: {name: fleet}\nspec: {clusters: [{name: edge1}, {name: edge2}]}")
	for i := range rapid.IntRange(1, 5).Draw(t, "objects") {
		add(fmt.Sprintf(rapid.SampledFrom(bodies).Draw(t, "body"), fmt.Sprintf("o%d, namespace: shop, %s, %s", i,
			drawSome(t, "labels", "app: web", "team: x", "controller-uid: u"),
			drawSome(t, "annotations", "control.kubestellar.io/preserve: nodeport", `control.kubestellar.io/expand-templates: "true"`,
				"kubectl.kubernetes.io/last-applied-configuration: x", "internal.kpt.dev/upstream-identifier: y"))))
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "transforms") {
		add(fmt.Sprintf("apiVersion: control.kubestellar.io/v1alpha1\nkind: CustomTransform\nmetadata: {name: t%d}\nspec: {%s, remove: ['%s']}", i,
			rapid.SampledFrom([]string{`apiGroup: "", resource: services`, "apiGroup: batch, resource: jobs", `apiGroup: "", resource: configmaps`}).Draw(t, "of"),
			strings.Join(rapid.SliceOfN(rapid.SampledFrom(removable), 1, 3).Draw(t, "paths"), "', '")))
	}
	add("apiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata: {name: p}\nspec: {clusterSelectors: [{}], downsync: [{" +
		rapid.SampledFrom([]string{"resources: ['*']", "objectSelectors: [{matchLabels: {app: web}}]", "resources: [services], objectNames: [o0, o1]",
			"objectSelectors: [{matchExpressions: [{key: controller-uid, operator: DoesNotExist}]}]"}).Draw(t, "clause") + "}]}")
	return items
}

// drawSome writes a map with some of the entries, or none at all.
func drawSome(t *rapid.T, key string, entries ...string) string {
	var some []string
	for _, e := range entries {
		if rapid.Bool().Draw(t, e) {
			some = append(some, e)
		}
	}
	return key + ": {" + strings.Join(some, ", ") + "}"
}

// bodies are objects whose name, and what follows it in their metadata, is to be filled in.
var bodies = []string{
	"apiVersion: v1\nkind: Service\nmetadata: {name: %s}\nspec: {clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1, None], ports: [{port: 80, nodePort: 31000}, {port: 81}]}\nstatus: {}",
	"apiVersion: v1\nkind: Service\nmetadata: {name: %s, finalizers: [x]}\nspec: {ports: &p [{port: 80}], more: *p}",
	"apiVersion: batch/v1\nkind: Job\nmetadata: {name: %s, uid: u}\nspec: {manualSelector: true, selector: {}, suspend: true, template: {metadata: {labels: {controller-uid: u}}}}",
	"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {a: 'b', c: '{{.clusterName}}'}",
}

const chainPackage = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Service # no namespace, and fields that cleaning removes
metadata: {name: web, uid: x, annotations: {example.io/issued-by: me}}
spec: {clusterIP: 10.0.0.1, ports: [{port: 80, nodePort: 31000}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {namespace: shop, name: cfg, annotations: {control.kubestellar.io/expand-templates: "true"}}
data: {secret: x, line: "{{.clusterName}}"}
---
apiVersion: example.io/v1 # an unknown kind; its plural is guessed
kind: Gateway
metadata: {namespace: shop, name: g}
spec: {secret: x}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata: {name: scrub}
spec: {apiGroup: "", resource: configmaps, remove: [$.data.secret]}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata: {name: services}
spec: {apiGroup: "", resource: services, remove: ['$.metadata.annotations']}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata: {name: guessed}
spec: {apiGroup: example.io, resource: gatewaies, remove: [$.spec.secret]}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: everything}
spec: {clusterSelectors: [{}], downsync: [{resources: ["*"]}]}
---
apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: fleet}
spec: {clusters: [{name: edge1}, {name: edge2}]}
`
