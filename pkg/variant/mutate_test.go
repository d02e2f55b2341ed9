package variant_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant"
)

const pointText = `apiVersion: infra.example/v1
kind: Site
metadata:
  name: site # here
  annotations:
    kpt.dev/config-injection: required
spec: {}
`

const pointInjected = `apiVersion: infra.example/v1
kind: Site
metadata:
  name: site # here
  annotations:
    kpt.dev/config-injection: required
    kpt.dev/injected-resource: 'lyon-2'
spec:
  cidr: 10.2.0.0/16
`

const clusterText = "apiVersion: infra.example/v1\nkind: Site\nmetadata: {name: lyon-2, namespace: fleet}\nspec: {cidr: 10.2.0.0/16}\n"

func TestMutate(t *testing.T) {
	for name, tc := range map[string]struct {
		reason   string
		spec     []string
		in, want map[string]string // want: only what changes
		err      string
	}{
		"nothing to do": {
			reason: "no byte changes, however it is written", in: map[string]string{"Kptfile": kptfileText + "pipeline: {mutators: []}\n", "a.yaml": "a:   1 # odd\n", "README.md": "x"},
		},
		"templates of a chart": {
			reason: "what .krmignore hides is no YAML, and holds no injection point",
			in: map[string]string{"Kptfile": kptfileText, ".krmignore": "charts/\n", "charts/web/templates/a.yaml": "{{ if }}\nkpt.dev/config-injection: required\n",
				"sub/Kptfile": kptfileText, "sub/.krmignore": "charts/\n", "sub/charts/a.yaml": "a: [\n"},
		},
		"context": {
			reason: "keys that exist keep place and comment, new ones come sorted, removal wins, other values stay",
			spec:   []string{"packageContext: {data: {z: on, b: \"2\", keep: same, gone: x}, removeKeys: [old, gone]}"},
			in:     map[string]string{"Kptfile": kptfileText, "package-context.yaml": contextText + "  old: 1\n  z: off # switch\n  keep: 'same'\n"},
			want:   map[string]string{"package-context.yaml": contextText + "  z: \"on\" # switch\n  keep: 'same'\n  b: \"2\"\n"},
		},
		"context taken back": {
			reason: "a key that the variant no longer names stays", spec: []string{"packageContext: {removeKeys: [nope]}"},
			in: map[string]string{"Kptfile": kptfileText, "package-context.yaml": contextText + "  old: 1\n"},
		},
		"no context": {
			reason: "a context that is not as Porch has it", spec: []string{"packageContext: {data: {a: b}}"}, in: map[string]string{"Kptfile": kptfileText, "sub/package-context.yaml": contextText},
			err: `"package-context.yaml" not found in PackageRevisionResources 'fleet/edge.net.upf.packagevariant-1'`,
		},
		"context of another kind": {
			reason: "a context that is not as Porch has it", spec: []string{"packageContext: {data: {a: b}}"}, in: map[string]string{"Kptfile": kptfileText, "package-context.yaml": web},
			err: `"package-context.yaml" does not contain kind "ConfigMap" in PackageRevisionResources 'fleet/edge.net.upf.packagevariant-1'`,
		},
		"context of another name": {
			reason: "a context that is not as Porch has it", spec: []string{"packageContext: {data: {a: b}}"}, in: map[string]string{"Kptfile": kptfileText, "package-context.yaml": strings.Replace(contextText, "kptfile.kpt.dev", "x", 1)},
			err: `"package-context.yaml" does not contain resource named "kptfile.kpt.dev" in PackageRevisionResources 'fleet/edge.net.upf.packagevariant-1'`,
		},
		"context without data": {
			reason: "a context that is not as Porch has it", spec: []string{"packageContext: {data: {a: b}}"}, in: map[string]string{"Kptfile": kptfileText, "package-context.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\n"},
			err: `"package-context.yaml" in PackageRevisionResources 'fleet/edge.net.upf.packagevariant-1': PackageContext no data field found`,
		},
		"two contexts": {
			reason: "one object per context file", spec: []string{"packageContext: {data: {a: b}}"}, in: map[string]string{"Kptfile": kptfileText, "package-context.yaml": contextText + "---\n" + contextText},
			err: `"package-context.yaml" does not contain exactly one object but 2 in PackageRevisionResources 'fleet/edge.net.upf.packagevariant-1'`,
		},
		"functions": {
			reason: "ours come first, by index and name; mutators are written before validators; the package's own keep comments and style",
			spec:   []string{"pipeline: {mutators: [{image: label:v1, name: tier, configMap: {tier: gold}}, {image: label:v2}], validators: [{exec: ./check}]}"},
			in:     map[string]string{"Kptfile": kptfileText + "pipeline:\n  mutators:\n    # own\n    - image: own:v2 # it\n"},
			want: map[string]string{"Kptfile": kptfileText + `pipeline:
  mutators:
    - image: label:v1
      configMap:
        tier: gold
      name: PackageVariant.eu-upf.tier.0
    - image: label:v2
      name: PackageVariant.eu-upf..1
    # own
    - image: own:v2 # it
  validators:
    - exec: ./check
      name: PackageVariant.eu-upf..0
`},
		},
		"functions taken back": {
			reason: "only ours go: four parts and a number; what this empties goes too",
			in:     map[string]string{"Kptfile": kptfileText + "pipeline:\n  mutators:\n  - image: a\n    name: PackageVariant.eu-upf.x.0\n  - image: a\n    name: PackageVariant.other.x.0\n  - image: a\n    name: PackageVariant.eu-upf.x.y.0\n  - image: a\n    name: PackageVariant.eu-upf.x.y\n  validators:\n  - image: a\n    name: PackageVariant.eu-upf..7\n"},
			want:   map[string]string{"Kptfile": kptfileText + "pipeline:\n  mutators:\n  - image: a\n    name: PackageVariant.other.x.0\n  - image: a\n    name: PackageVariant.eu-upf.x.y.0\n  - image: a\n    name: PackageVariant.eu-upf.x.y\n"},
		},
		"injection": {
			reason: "only the file with the point changes; gate and condition go into the root Kptfile",
			spec:   []string{"injectors: [{kind: Site, name: lyon-2}]"},
			in:     map[string]string{"Kptfile": kptfileText, "sub/site.yaml": "# head\n" + web + "---\n" + pointText, "odd.yaml": "a:   1 # odd\n"},
			want: map[string]string{
				"sub/site.yaml": "# head\n" + web + "---\n" + pointInjected,
				"Kptfile": kptfileText + `info:
  readinessGates:
  - conditionType: config.injection.Site.site
status:
  conditions:
  - type: config.injection.Site.site
    status: "True"
    reason: ConfigInjected
    message: injected resource "lyon-2" from cluster
`,
			},
		},
		"injection point is gone": {
			reason: "its gate and condition go, those of others stay",
			in: map[string]string{"a.yaml": web, "Kptfile": kptfileText + "info:\n  readinessGates:\n  - conditionType: config.injection.Site.site\n  - conditionType: tested\n" +
				"status:\n  conditions:\n  - type: config.injection.Site.site\n    status: \"True\"\n  - type: tested\n    status: \"False\"\n"},
			want: map[string]string{"Kptfile": kptfileText + "info:\n  readinessGates:\n  - conditionType: tested\nstatus:\n  conditions:\n  - type: tested\n    status: \"False\"\n"},
		},
		"injection into JSON": {
			reason: "a JSON file stays one, with sorted keys",
			spec:   []string{"injectors: [{kind: Site, name: lyon-2}]"},
			in:     map[string]string{"Kptfile": kptfileText, "a.json": `{"kind": "Site", "apiVersion": "infra.example/v1", "metadata": {"name": "j", "annotations": {"kpt.dev/config-injection": "optional"}}}`},
			want: map[string]string{
				"a.json":  "{\n  \"apiVersion\": \"infra.example/v1\",\n  \"kind\": \"Site\",\n  \"metadata\": {\n    \"annotations\": {\n      \"kpt.dev/config-injection\": \"optional\",\n      \"kpt.dev/injected-resource\": \"lyon-2\"\n    },\n    \"name\": \"j\"\n  },\n  \"spec\": {\n    \"cidr\": \"10.2.0.0/16\"\n  }\n}\n",
				"Kptfile": kptfileText + "status:\n  conditions:\n  - type: config.injection.Site.j\n    status: \"True\"\n    reason: ConfigInjected\n    message: injected resource \"lyon-2\" from cluster\n",
			},
		},
		"bad points": {
			reason: "nothing is done, not even the functions", spec: []string{"pipeline: {mutators: [{image: a}]}"},
			in:  map[string]string{"Kptfile": kptfileText, "a.yaml": pointText, "b.yaml": pointText},
			err: `errors in injection points: duplicate injection conditionType "config.injection.Site.site" (a.yaml and b.yaml)`,
		},
		"broken YAML": {reason: "every file is read for injection points", in: map[string]string{"Kptfile": kptfileText, "b.yaml": "a: b: c\n"}, err: "b.yaml: document 1, line 1: not valid YAML: mapping values are not allowed in this context"},
		"no Kptfile":  {reason: "no package", in: map[string]string{"b.yaml": web}, err: "not a package: no Kptfile at its root"},
	} {
		t.Run(name, func(t *testing.T) {
			pv, tree := newVariant(t, tc.spec...), newTree(t, tc.in)
			got, err := mutate(t, tree, pv)
			if diff := cmp.Diff(tc.err, errText(err)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", tc.reason, diff)
			}
			want := maps.Clone(tc.in)
			maps.Copy(want, tc.want)
			if diff := cmp.Diff(want, filesOf(got)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", tc.reason, diff)
			}
			checkMutateLaws(t, pv, tree, got, err)
		})
	}
}

// mutate is MutateWith where every context object that exists is listed for every point.
func mutate(t *testing.T, tree pkgtree.Tree, pv *porchconfig.PackageVariant) (pkgtree.Tree, error) {
	t.Helper()
	objects, err := krm.Read("cluster.yaml", []byte(clusterText), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return variant.MutateWith(tree, pv, variant.MutateInput{
		Revision: "edge.net.upf.packagevariant-1",
		Context:  func(string, string) ([]*krm.Object, error) { return objects, nil },
	})
}

func checkMutateLaws(t *testing.T, pv *porchconfig.PackageVariant, before, after pkgtree.Tree, err error) {
	t.Helper()
	for p, b := range before.All() {
		if now := after.Blob(p); now != b && now.Equal(b) {
			t.Errorf("%s did not change and is another blob", p)
		}
	}
	if err != nil {
		return
	}
	twice, err := mutate(t, after, pv)
	if err != nil {
		t.Fatalf("a second time fails: %v", err)
	}
	for p, b := range after.All() {
		if twice.Blob(p) != b {
			t.Errorf("a second time changes %s:\n%s", p, cmp.Diff(filesOf(after)[p], filesOf(twice)[p]))
		}
	}
}

func TestMutateListsTheVariantsNamespace(t *testing.T) {
	objects, err := krm.Read("cluster.yaml", []byte(strings.ReplaceAll(clusterText, "fleet", "other")+"---\n"+clusterText), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	tree := newTree(t, map[string]string{"Kptfile": kptfileText, "a.yaml": pointText})
	for name, tc := range map[string]struct {
		reason  string
		objects []*krm.Object
		want    string
	}{
		"own namespace": {"an object of the variant's namespace is taken", objects, pointInjected},
		"other":         {"one of another namespace is not", objects[:1], pointText},
		"none":          {"nor is anything made up", nil, pointText},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := variant.Mutate(tree, newVariant(t, "injectors: [{name: lyon-2}]"), tc.objects)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, filesOf(got)["a.yaml"]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestMutateRendered reads of a rendered package what may hold injection points, however they are written.
func TestMutateRendered(t *testing.T) {
	objects, err := krm.Read("cluster.yaml", []byte(clusterText), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ reason, old, new string }{
		"plain":  {"as people write it", "kpt.dev/config-injection:", "kpt.dev/config-injection:"},
		"quoted": {"with letters spelled out", "kpt.dev/config-injection:", `"kpt.dev/config\u002dinjection":`},
		"flow":   {"in one line", "annotations:\n    kpt.dev/config-injection: required\n", `annotations: {kpt.dev/config-injection: required}` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := newTree(t, map[string]string{"Kptfile": kptfileText, "a.yaml": strings.Replace(pointText, tc.old, tc.new, 1), "b.yaml": "not: [read\n"})
			in := variant.MutateInput{Context: injection.FromObjects(objects, "fleet"), Rendered: true}
			got, err := variant.MutateWith(tree, newVariant(t, "injectors: [{name: lyon-2}]"), in)
			if err != nil || !strings.Contains(filesOf(got)["a.yaml"], "cidr: 10.2.0.0/16") {
				t.Errorf("%s: %v\n%s", tc.reason, err, filesOf(got)["a.yaml"])
			}
			in.Rendered = false
			if _, err := variant.MutateWith(tree, newVariant(t, "injectors: [{name: lyon-2}]"), in); err == nil || !strings.Contains(err.Error(), "b.yaml") {
				t.Errorf("what was not rendered is read; got %v", err)
			}
		})
	}
}

func TestInjectionCondition(t *testing.T) {
	gate := "info: {readinessGates: [{conditionType: config.injection.Site.a}]}\n"
	status := func(a string) string {
		return "status: {conditions: [{type: config.injection.Site.a, status: \"" + a + "\", message: why}, {type: config.injection.Site.b, status: \"False\"}]}\n"
	}
	for name, tc := range map[string]struct{ reason, kptfile, want string }{
		"no points": {"a package without injection points has no such condition", "", ""},
		"all there": {"an optional point may stay empty", gate + status("True"), "ConfigInjected True ConfigInjected every required injection point has its object"},
		"missing":   {"a required one may not", gate + status("False"), "ConfigInjected False NoResourceSelected config.injection.Site.a: why"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := variant.InjectionCondition(newTree(t, map[string]string{"Kptfile": kptfileText + tc.kptfile}))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if c != nil {
				got = c.Type + " " + string(c.Status) + " " + c.Reason + " " + c.Message
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
