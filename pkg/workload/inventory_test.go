package workload

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/waybill-dev/waybill/pkg/fn"
)

const fleet = `
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata:
  name: edge2
  labels: {site: edge}
  annotations: {config.kubernetes.io/local-config: "true"}
---
apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: rest}
spec:
  clusters:
  - {name: edge10, labels: {site: edge}, annotations: {owner: a}, properties: {region: eu}}
  - {name: core1}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: edge2, namespace: customization-properties}
data: {region: us}
binaryData: {blob: AAE=}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: edge10, namespace: customization-properties}
data: {region: eu, line: "7"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: nobody, namespace: customization-properties}
data: {region: sea}
`

func TestReadInventory(t *testing.T) {
	want := []Cluster{
		{Name: "core1"},
		{Name: "edge10", Labels: map[string]string{"site": "edge"}, Annotations: map[string]string{"owner": "a"},
			Data: map[string]string{"region": "eu", "line": "7"}},
		{Name: "edge2", Labels: map[string]string{"site": "edge"}, Annotations: map[string]string{"config.kubernetes.io/local-config": "true"},
			Data: map[string]string{"region": "us"}, BinaryData: map[string][]byte{"blob": {0, 1}}},
	}
	items := parse(t, fleet)
	for range 2 { // the second time in reverse order
		inv, faults := ReadInventory(items, false)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		if d := cmp.Diff(want, inv.Clusters, cmpopts.IgnoreFields(Cluster{}, "Object")); d != "" {
			t.Errorf("clusters of both sources, sorted, with properties of both (-want +got):\n%s", d)
		}
		slices.Reverse(items)
	}
}

func TestGet(t *testing.T) {
	inv, _ := ReadInventory(parse(t, fleet), false)
	cases := map[string]struct {
		reason, name string
		want         Cluster
		named        bool
	}{
		"Named":      {"a cluster of the inventory", "core1", Cluster{Name: "core1"}, true},
		"Properties": {"properties serve a destination that no inventory names", "nobody", Cluster{Name: "nobody", Data: map[string]string{"region": "sea"}}, false},
		"Unknown":    {"a destination that nothing knows has its name", "mars", Cluster{Name: "mars"}, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, named := inv.Get(tc.name)
			if d := cmp.Diff(tc.want, got, cmpopts.IgnoreFields(Cluster{}, "Object")); d != "" || named != tc.named {
				t.Errorf("%s: named=%t (-want +got):\n%s", tc.reason, named, d)
			}
		})
	}
}

func TestReadInventoryFaults(t *testing.T) {
	const inventory = "apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata: {name: i}\n"
	const properties = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: customization-properties}\n"
	cases := map[string]struct {
		reason, text string
		allowEmpty   bool
		want         []string
	}{
		"Empty": {
			reason: "no clusters is an error, properties or not",
			text:   properties,
			want: []string{`[error] the inventory is empty: give ManagedCluster or Inventory items, ` +
				`or set allowEmptyInventory to "true" if this is intended`},
		},
		"EmptyAllowed": {reason: "unless it is allowed", text: properties, allowEmpty: true},
		"EmptyByFault": {
			reason: "an inventory that cannot be read is an error even when an empty one is allowed",
			text:   inventory + "spec: {clusters: {}}\n", allowEmpty: true,
			want: []string{"[error] Inventory i spec.clusters: Invalid value: want a list, got a map"},
		},
		"NullClusters": {
			reason: "a list without its entries may be an accident",
			text:   inventory + "spec: {clusters: }\n",
			want:   []string{"[error] Inventory i spec.clusters: it has no field clusters; write [] if there are none, or remove the Inventory"},
		},
		"NoSpec": {
			reason: "an Inventory without a spec is a mistake",
			text:   inventory,
			want:   []string{"[error] Inventory i spec: an Inventory needs a spec with clusters"},
		},
		"Version": {
			reason: "a version we do not know might mean anything",
			text:   "apiVersion: fn.waybill.dev/v2\nkind: Inventory\nmetadata: {name: i}\n",
			want:   []string{"[error] Inventory i apiVersion: want fn.waybill.dev/v1alpha1"},
		},
		"Property": {
			reason: "neither source of a property outranks the other",
			text:   inventory + "spec: {clusters: [{name: a, properties: {x: '1'}}]}\n---\n" + properties + "data: {x: '2'}\n",
			want:   []string{`[error] ConfigMap customization-properties/a data[x]: property "x" of cluster "a" differs in Inventory i (test.yaml)`},
		},
		"TwoConfigMaps": {
			reason: "two ConfigMaps for one cluster would make the result depend on order",
			text:   inventory + "spec: {clusters: [{name: a}]}\n---\n" + properties + "---\n" + properties,
			want: []string{`[error] ConfigMap customization-properties/a metadata.name: cluster "a" has two ConfigMaps of properties, ` +
				"also ConfigMap customization-properties/a (test.yaml)"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, faults := ReadInventory(parse(t, tc.text), tc.allowEmpty)
			var got []string
			for _, f := range faults {
				got = append(got, fn.FormatResult(f))
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
