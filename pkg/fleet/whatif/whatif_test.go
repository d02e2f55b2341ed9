package whatif

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const (
	inventoryText = "# who there is\napiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata:\n  name: fleet\nspec:\n  clusters:\n  - name: a # the first\n    labels:\n      tier: prod\n  - name: b\n"
	managedText   = "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata:\n  name: m\n  labels:\n    tier: test\n---\napiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata:\n  name: n\n"
	propertyText  = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\n  namespace: customization-properties\ndata:\n  city: Bern\n"
)

func TestWhatIf(t *testing.T) {
	with := func(text string) []*krm.Object {
		objects, err := krm.Read("with.yaml", []byte(text), krm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return objects
	}
	newM := strings.Replace(strings.Split(managedText, "---\n")[0], "test", "prod", 1)
	managed := strings.Split(managedText, "---\n")
	cases := map[string]struct {
		reason string
		whatIf Change
		want   map[string]string // files that differ; "" for those that are gone
		err    string
	}{
		"Nothing": {"no change", Change{}, nil, ""},
		"WithoutInList": {"one of an Inventory", Change{Without: []string{"a"}},
			map[string]string{"inventory.yaml": strings.Replace(inventoryText, "  - name: a # the first\n    labels:\n      tier: prod\n", "", 1)}, ""},
		"WithoutObject": {"one of several objects of a file, and its properties", Change{Without: []string{"m"}},
			map[string]string{"managed.yaml": managed[1], "properties.yaml": ""}, ""},
		"Unknown": {"an unknown cluster", Change{Without: []string{"z", "a"}}, nil, `what if: no ManagedCluster and no Inventory names cluster "z"`},
		"Label": {"comments stay", Change{Labels: []LabelChange{{Cluster: "a", Key: "tier", Value: "test"}, {Cluster: "b", Key: "x", Value: "true"}}},
			map[string]string{"inventory.yaml": strings.Replace(inventoryText, "prod", "test", 1) + "    labels:\n      x: \"true\"\n"}, ""},
		"Unlabel": {"a label goes", Change{Labels: []LabelChange{{Cluster: "m", Key: "tier", Remove: true}}},
			map[string]string{"managed.yaml": strings.Replace(managedText, "  labels:\n    tier: test\n", "  labels: {}\n", 1)}, ""},
		"Replaced": {"in the place of the one of that name", Change{With: with(newM)}, map[string]string{"managed.yaml": newM + "---\n" + managed[1]}, ""},
		"ReplacedEntry": {"in an Inventory, too", Change{With: with(strings.Replace(strings.Replace(newM, "name: m", "name: a", 1), "prod", "lab", 1))},
			map[string]string{"inventory.yaml": strings.Replace(inventoryText, "prod", "lab", 1)}, ""},
		"Added": {"an unknown one", Change{With: with(strings.Replace(newM, "name: m", "name: o", 1))},
			map[string]string{withFile: strings.Replace(newM, "name: m", "name: o", 1)}, ""},
		"ReplacedProperties": {"so do its properties, and labels come last", Change{With: with(newM + "---\n" + strings.Replace(propertyText, "Bern", "Basel", 1)), Labels: []LabelChange{{Cluster: "m", Key: "tier", Value: "lab"}}},
			map[string]string{"managed.yaml": strings.Replace(newM, "prod", "lab", 1) + "---\n" + managed[1], "properties.yaml": strings.Replace(propertyText, "Bern", "Basel", 1)}, ""},
		"NoCluster": {"other objects are for files", Change{With: with("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n")}, nil,
			"what if: ConfigMap x (with.yaml): want ManagedClusters, and ConfigMaps in namespace customization-properties"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			before := treeWith(t, map[string][]byte{"inventory.yaml": []byte(inventoryText), "managed.yaml": []byte(managedText), "properties.yaml": []byte(propertyText), "other.yaml": []byte("a: 1 # ManagedCluster\n"),
				"clusters/m/w.yaml": []byte(managedText)})
			after, _, err := tc.whatIf.Apply(before)
			if said := errText(err); !strings.HasSuffix(said, tc.err) || (said == "") != (tc.err == "") {
				t.Fatalf("%s: %v, want %q", tc.reason, err, tc.err)
			}
			if err != nil {
				return
			}
			got := map[string]string{}
			for _, p := range before.Diff(after) {
				data, _ := after.Get(p)
				got[p] = string(data)
			}
			if tc.want == nil {
				tc.want = map[string]string{}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func FuzzParseLabelChange(f *testing.F) {
	for _, text := range []string{"a=b=c", "a=b-", "a=b", "=b=c", "a==c", "a=-", "", "a=b=c=d", "a=b-=c"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParseLabelChange(text)
		if err != nil {
			if l != (LabelChange{}) {
				t.Errorf("%q: an error, and all the same %v", text, l)
			}
			return
		}
		again := l.Cluster + "=" + l.Key + "=" + l.Value
		if l.Remove {
			again = l.Cluster + "=" + l.Key + "-"
		}
		if again != text || l.Cluster == "" || l.Key == "" {
			t.Errorf("%q is read as %v", text, l)
		}
	})
}

func treeWith(t testing.TB, files map[string][]byte) pkgtree.Tree {
	t.Helper()
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
