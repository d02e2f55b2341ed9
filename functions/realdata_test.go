package functions

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
	"github.com/waybill-dev/waybill/pkg/transform"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// realFleet sends everything to two clusters, definitions as create-only, and lets the clusters say
// how many replicas run.
const realFleet = `
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: everything}
spec:
  clusterSelectors: [{matchLabels: {site: edge}}]
  downsync:
  - resources: ["*"]
  - {resources: [customresourcedefinitions], createOnly: true}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata: {name: replicas}
spec: {apiGroup: apps, resource: deployments, remove: [$.spec.replicas]}
---
apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: fleet}
spec:
  clusters:
  - {name: berlin, labels: {site: edge}}
  - {name: paris, labels: {site: edge}}
  - {name: hub}
`

// bundlerOptions are ways to bundle, and the largest object that each takes.
var bundlerOptions = map[string]struct {
	options string
	largest int
}{
	"defaults": {"{}", 512000},
	"one each": {"{maxObjects: 1, rollout: conditions}", 512000},
	"stable":   {"{assignment: stable, customTransforms: apply, maxSize: 300000}", 300000},
}

// TestRealManifests takes what people run through all three functions: the example's application,
// and each folder in the one that WAYBILL_TESTDATA names, if it does.
func TestRealManifests(t *testing.T) {
	testenv.Long(t, "real manifests")
	folders := []string{filepath.Join("..", "examples", "edge-fleet", "blueprint")}
	if dir := os.Getenv("WAYBILL_TESTDATA"); dir != "" {
		files, err := filepath.Glob(filepath.Join(dir, "*", "*.yaml"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no manifests in its folders (%v)", dir, err)
		}
		for _, file := range files {
			folders = append(folders, filepath.Dir(file))
		}
	}
	for _, folder := range slices.Compact(folders) {
		t.Run(filepath.Base(folder), func(t *testing.T) { checkReal(t, realItems(t, folder)) })
	}
}

func checkReal(t *testing.T, items []*krm.Object) {
	size := map[*krm.Object]int{}
	for _, o := range items {
		size[o] = shippedSize(t, o)
	}
	for name, tc := range bundlerOptions {
		t.Run(name, func(t *testing.T) {
			fit, large := split(items, func(o *krm.Object) bool { return size[o] <= tc.largest })
			if len(large) > 0 {
				checkRefused(t, items, tc.options, large)
			}
			out := shipAll(t, fit, tc.options, nil)
			if out.Failed() {
				t.Fatalf("the fleet cannot be shipped:\n%s", formatted(out))
			}
			checkShipped(t, fit, out.Items)
			short, _ := split(fit, func(o *krm.Object) bool { return size[o] < 5000 }) // for time's sake
			shipAll(t, short, tc.options, fntest.CheckLaws)
			if _, braced := split(fit, func(o *krm.Object) bool { return !hasBraces(o) }); len(braced) > 0 {
				checkRefused(t, optIn(fit), tc.options, braced)
			}
		})
	}
}

func split(items []*krm.Object, is func(*krm.Object) bool) (yes, no []*krm.Object) {
	for _, o := range items {
		if is(o) {
			yes = append(yes, o)
		} else {
			no = append(no, o)
		}
	}
	return yes, no
}

// shipAll runs the three functions, each past the check if there is one.
func shipAll(t *testing.T, items []*krm.Object, options string, check func(testing.TB, *fn.Function, *fn.Input, []string)) *fn.Output {
	t.Helper()
	items = slices.Concat(items, fntest.Parse(t, "fleet.yaml", []byte(realFleet)))
	for i, o := range items {
		if o.File() == "fleet.yaml" || o.File() == "" {
			o.SetPath("fleet.yaml", i)
		}
	}
	config := fntest.Parse(t, "options.yaml", []byte("apiVersion: fn.waybill.dev/v1alpha1\nkind: BundleManifestWork\nmetadata: {name: bundle}\nspec: "+options+"\n"))[0]
	out := &fn.Output{Items: items}
	for _, f := range []*fn.Function{binding.Function, transform.Function, bundling.Function} {
		in := &fn.Input{Items: out.Items}
		if f == bundling.Function {
			in.Config = config
		}
		if check != nil {
			check(t, f, in, nil)
		}
		if out = f.Apply(t.Context(), in); out.Failed() {
			break
		}
	}
	return out
}

// checkShipped wants every object in a work of both clusters, and nowhere else: of what cleaning and
// the transform leave alone, every byte of data.
func checkShipped(t *testing.T, source, out []*krm.Object) {
	t.Helper()
	works := ocmcheck.Works(out)
	if faults := ocmcheck.Violations(works, ocmcheck.DefaultManifestLimit); len(faults) > 0 {
		t.Errorf("OCM refuses works:\n%s", strings.Join(faults, "\n"))
	}
	var want, got []string
	for _, cluster := range []string{"berlin", "paris"} {
		for _, o := range source {
			if o.Group() == "apiregistration.k8s.io" {
				continue // nothing selects an APIService
			}
			want = append(want, cluster+" "+essence(t, o))
		}
	}
	for _, w := range works {
		for _, m := range w.Lookup("spec", "workload", "manifests").Content {
			got = append(got, w.Namespace()+" "+essence(t, krm.FromNode(m)))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what was shipped (-source +works):\n%s", diff)
	}
}

// essence is what an object is and holds, without what the fleet's transform and cleaning concern.
func essence(t *testing.T, o *krm.Object) string {
	t.Helper()
	o = o.DeepCopy()
	namespace := o.Namespace()
	if resources, _ := workload.NewResources(nil, nil); namespace == "" {
		namespace = resources.NamespaceOf(o)
	}
	if o.Is("apps", "Deployment") {
		krm.RemoveField(o.Lookup("spec"), "replicas")
	}
	if o.Is("", "Service") {
		krm.RemoveField(o.Lookup("spec"), "sessionAffinity")
	}
	id, labels := o.ID(), canonical(t, o, "metadata", "labels")
	id.Namespace = namespace
	for _, field := range []string{"metadata", "status"} {
		krm.RemoveField(o.Node(), field)
	}
	return fmt.Sprintf("%s %s %s", id, labels, canonical(t, o))
}

func canonical(t *testing.T, o *krm.Object, path ...string) string {
	t.Helper()
	at := o.Lookup(path...)
	if at == nil {
		return ""
	}
	data, err := krm.CanonicalJSON(at)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checkRefused wants an error about each of the faulty objects and about no other, and no work.
func checkRefused(t *testing.T, items []*krm.Object, options string, faulty []*krm.Object) {
	t.Helper()
	out := shipAll(t, items, options, nil)
	var want, got []string
	for _, o := range faulty {
		want = append(want, o.Name())
	}
	for _, r := range out.Results {
		if string(r.Severity) == "error" {
			got = append(got, r.ResourceRef.Name)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Errorf("objects with errors (-want +got):\n%s\n%s", diff, formatted(out))
	}
	if works := ocmcheck.Works(out.Items); len(works) > 0 {
		t.Errorf("%d works in spite of errors", len(works))
	}
}

func formatted(out *fn.Output) string {
	var lines []string
	for _, r := range out.Results {
		lines = append(lines, fn.FormatResult(r))
	}
	return strings.Join(lines, "\n")
}
