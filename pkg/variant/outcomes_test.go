package variant_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// TestInjectionOutcomes goes through what an injection point may ask for and what it may find.
func TestInjectionOutcomes(t *testing.T) {
	const none = "no resource matched any injection selector for this injection point"
	points := func(values ...string) (text string) {
		for _, v := range values {
			kind, name, annotation := "Site", v, v
			if k, n, ok := strings.Cut(v, "/"); ok {
				kind, name, annotation = k, n, "required"
			}
			text += "---\napiVersion: infra.example/v1\nkind: " + kind + "\nmetadata:\n  name: " + name + "\n  annotations:\n    kpt.dev/config-injection: " + annotation + "\n"
		}
		return strings.TrimPrefix(text, "---\n")
	}
	config := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  annotations:\n    kpt.dev/config-injection: required\n"
	objects, err := krm.Read("cluster.yaml", []byte(clusterText+"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: eu, namespace: fleet}\ndata: {a: b}\n"), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	there := func(apiVersion, kind string) ([]*krm.Object, error) {
		return slices.DeleteFunc(slices.Clone(objects), func(o *krm.Object) bool { return o.APIVersion() != apiVersion || o.Kind() != kind }), nil
	}
	forbidden := func(string, string) ([]*krm.Object, error) { return nil, errors.New("sites is forbidden") }
	const lyon, gates = "injectors: [{name: lyon-2}]", "config.injection.Site."
	injected := `True ConfigInjected injected resource "lyon-2" from cluster`
	for name, tc := range map[string]struct {
		reason     string
		points     string
		spec       string
		list       func(string, string) ([]*krm.Object, error)
		conditions []string
		gates      []string
		onVariant  string // status and message of ConfigInjected
		err        string
	}{
		"required, found":     {"gate and condition", points("required"), lyon, there, []string{gates + "required " + injected}, []string{gates + "required"}, "True every required injection point has its object", ""},
		"optional, found":     {"no gate", points("optional"), lyon, there, []string{gates + "optional " + injected}, nil, "True every required injection point has its object", ""},
		"required, missing":   {"the gate is there all the same", points("required"), "injectors: [{name: nice-1}]", there, []string{gates + "required False NoResourceSelected " + none}, []string{gates + "required"}, "False " + gates + "required: " + none, ""},
		"optional, missing":   {"it may stay empty", points("optional"), "injectors: [{name: nice-1}]", there, []string{gates + "optional False NoResourceSelected " + none}, nil, "True every required injection point has its object", ""},
		"required, injectors": {"none at all", points("required"), "", there, []string{gates + "required False NoResourceSelected no injectors defined"}, []string{gates + "required"}, "False " + gates + "required: no injectors defined", ""},
		"optional, injectors": {"none at all", points("optional"), "", there, []string{gates + "optional False NoResourceSelected no injectors defined"}, nil, "True every required injection point has its object", ""},
		"required, forbidden": {"a missing permission is reported at the point", points("required"), lyon, forbidden, []string{gates + "required False NoResourceSelected sites is forbidden"}, []string{gates + "required"}, "False " + gates + "required: sites is forbidden", ""},
		"optional, forbidden": {"a missing permission is reported at the point", points("optional"), lyon, forbidden, []string{gates + "optional False NoResourceSelected sites is forbidden"}, nil, "True every required injection point has its object", ""},
		"duplicate":           {"nothing is done", points("required", "required"), lyon, there, nil, nil, "", `errors in injection points: duplicate injection conditionType "config.injection.Site.required" (a.yaml and a.yaml)`},
		"another value":       {"nothing is done", points("maybe"), lyon, there, nil, nil, "", `errors in injection points: a.yaml: Site/maybe has invalid "kpt.dev/config-injection" annotation value of "maybe"`},
		"ConfigMap":           {"its data", config, "injectors: [{name: eu}]", there, []string{`config.injection.ConfigMap.settings True ConfigInjected injected resource "eu" from cluster`}, []string{"config.injection.ConfigMap.settings"}, "True every required injection point has its object", ""},
		"several": {
			"gates and conditions are sorted by type", points("Site/z", "Site/a"), lyon, there, []string{gates + "a " + injected, gates + "z " + injected}, []string{gates + "a", gates + "z"}, "True every required injection point has its object", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var lines []string
			if tc.spec != "" {
				lines = append(lines, tc.spec)
			}
			tree := newTree(t, map[string]string{"Kptfile": kptfileText, "a.yaml": tc.points})
			got, err := variant.MutateWith(tree, newVariant(t, lines...), variant.MutateInput{Context: tc.list})
			if diff := cmp.Diff(tc.err, errText(err)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", tc.reason, diff)
			}
			f := parseKptfile(t, got)
			var conditions []string
			for _, c := range f.Conditions() {
				conditions = append(conditions, c.Type+" "+string(c.Status)+" "+c.Reason+" "+c.Message)
			}
			if diff := cmp.Diff([][]string{tc.conditions, tc.gates}, [][]string{conditions, f.ReadinessGates()}); diff != "" {
				t.Errorf("%s: conditions and gates (-want +got):\n%s", tc.reason, diff)
			}
			onVariant := ""
			if c, err := variant.InjectionCondition(got); err != nil {
				t.Error(err)
			} else if c != nil {
				onVariant = string(c.Status) + " " + c.Message
			}
			if diff := cmp.Diff(tc.onVariant, onVariant); diff != "" {
				t.Errorf("%s: ConfigInjected (-want +got):\n%s", tc.reason, diff)
			}
			if ready := variant.Conditions(variant.Plan{Kind: variant.CreateClone}, err)[1]; (ready.Status == metav1.ConditionTrue) != (tc.err == "") {
				t.Errorf("injection that comes to nothing does not prevent Ready, a fault in the package does: %v", ready)
			}
		})
	}
}

func parseKptfile(t *testing.T, tree pkgtree.Tree) *kptfile.File {
	t.Helper()
	data, _ := tree.Get(kptfile.Name)
	f, err := kptfile.Parse(kptfile.Name, data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
