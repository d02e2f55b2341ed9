package publish_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/apisync/publish"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func schemaOf(t testing.TB, crd, resource, more string) (*krm.Object, error) {
	t.Helper()
	pr := published(t, "orders", resource, more)
	projected, err := publish.Project(object(t, crd), pr)
	if err != nil {
		t.Fatal(err)
	}
	return publish.Schema(projected, pr)
}

// TestTenNames compares names with digests that a Python program computed: it writes the JSON of each definition by lists of
// the fields of Go structs in their order, of v1 of apiextensions.k8s.io, without those that are empty, without the conversion,
// with < > & as \u003c and so on, and floats as Go formats them; and a newline after it; then its hashlib.sha1. A default, an
// example and values of an enum have sorted keys.
func TestTenNames(t *testing.T) {
	data, err := os.ReadFile("testdata/definitions.yaml")
	if err != nil {
		t.Fatal(err)
	}
	definitions, err := krm.Read("definitions.yaml", data, krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, crd := range definitions {
		schema, err := schemaOf(t, text(t, crd), fmt.Sprintf("apiGroup: %s, kind: %s", crd.String("spec", "group"), crd.String("spec", "names", "kind")), "")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, schema.Name())
	}
	want := []string{
		"v5d6cbd33.ones.a.example", "v4811c897.twos.b.example", "v4c6be46e.threes.c.example", "v330a2c56.fours.d.example", "v98c41d89.fives.e.example",
		"vb9ad86a7.sixes.f.example", "vf1940165.sevens.g.example", "v20845c8c.eights.h.example", "v6d455322.nines.i.example", "v85620b78.tens.j.example",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestSchemaNames says what counts for the digest in a name. The digests are from the program of TestTenNames.
func TestSchemaNames(t *testing.T) {
	for name, tc := range map[string]struct{ reason, crd, resource, more, want string }{
		"as it is":        {"large numbers, letters beyond ASCII and what HTML would escape", definition, shopOrder, "", "vfdb36dd5.shoporders.apps.provider.example"},
		"worked example":  {"projected", definition, shopOrder + ", versions: [v2]", ", projection: {group: shop.example.org, kind: Order, versions: {v2: v1}}", "vc9ac8207.orders.shop.example.org"},
		"storage dropped": {"another version is stored", definition, shopOrder + ", versions: [v1]", "", "va52ec740.shoporders.apps.provider.example"},
		"cleared":         {"empty lists are not there", definition, shopOrder, ", projection: {shortNames: [], categories: []}", "v1470d19a.shoporders.apps.provider.example"},
		"mini":            {"names that are filled in count", mini, kindA, "", "vcbc11f42.as.a.example"},
		"conversion":      {"conversion does not count", strings.Replace(definition, "Webhook", "None", 1), shopOrder, "", "vfdb36dd5.shoporders.apps.provider.example"},
		"no conversion":   {"nor where there is none", strings.Replace(definition, "  conversion: {strategy: Webhook}\n", "", 1), shopOrder, "", "vfdb36dd5.shoporders.apps.provider.example"},
		"generation":      {"nor does what is not spec", strings.Replace(definition, "generation: 3", "generation: 4", 1), shopOrder, ", agentName: east", "vfdb36dd5.shoporders.apps.provider.example"},
		"comments":        {"nor do comments and styles", strings.Replace(strings.Replace(definition, "  # said once\n", "", 1), "scope: Namespaced", `scope: "Namespaced" # here`, 1), shopOrder, "", "vfdb36dd5.shoporders.apps.provider.example"},
		"large bound":     {"bounds are floats, which lack the last digit of a large number", strings.Replace(definition, "9007199254740993", "9007199254740992", 1), shopOrder, "", "vfdb36dd5.shoporders.apps.provider.example"},
		"large default":   {"defaults are not, and the last digit counts", strings.Replace(definition, "9007199254740993", "9007199254740993, default: 9007199254740993", 1), shopOrder, "", "v584fe450.shoporders.apps.provider.example"},
		"large default 2": {"the other digit", strings.Replace(definition, "9007199254740993", "9007199254740993, default: 9007199254740992", 1), shopOrder, "", "v9c28aa6b.shoporders.apps.provider.example"},
		"unknown field":   {"an API server drops it", strings.Replace(definition, "  # said once\n", "  more: x\n", 1), shopOrder, "", "vfdb36dd5.shoporders.apps.provider.example"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := schemaOf(t, tc.crd, tc.resource, tc.more)
			if err != nil {
				t.Fatal(err)
			}
			if got.Name() != tc.want {
				t.Errorf("%s: got %s, want %s", tc.reason, got.Name(), tc.want)
			}
		})
	}
}

func TestSchema(t *testing.T) {
	got, err := schemaOf(t, strings.Replace(definition, "labels: {a: b}", "annotations: {api-approved.kubernetes.io: https://a.example/1, b: c}", 1),
		shopOrder, ", agentName: east, projection: {versions: {v1: v1beta1}}")
	if err != nil {
		t.Fatal(err)
	}
	const schema = `    schema:
      description: Größe <&> "x"
      properties:
        spec:
          properties:
            size:
              maximum: 9007199254740993
              multipleOf: 0.5
              type: integer
          type: object
      type: object
`
	want := `apiVersion: apis.kcp.io/v1alpha1
kind: APIResourceSchema
metadata:
  name: NAME
  labels:
    waybill.dev/agent-name: east
  annotations:
    api-approved.kubernetes.io: https://a.example/1
    waybill.dev/agent-name: east
    waybill.dev/source-generation: "3"
spec:
  group: apps.provider.example
  names:
    categories:
    - all
    kind: ShopOrder
    listKind: ShopOrderList
    plural: shoporders
    shortNames:
    - so
    singular: shoporder
  scope: Namespaced
  versions:
  - name: v1beta1
    served: true
    storage: false
    deprecated: true
` + schema + `    subresources:
      status: {}
  - name: v2
    served: true
    storage: true
` + schema + `    subresources:
      scale:
        specReplicasPath: .spec.size
        statusReplicasPath: .status.size
      status: {}
  conversion:
    strategy: None
`
	if diff := cmp.Diff(strings.Replace(want, "NAME", got.Name(), 1), text(t, got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	least, err := schemaOf(t, mini, kindA, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`apiVersion: apis.kcp.io/v1alpha1
kind: APIResourceSchema
metadata:
  name: vcbc11f42.as.a.example
spec:
  group: a.example
  names:
    kind: A
    listKind: AList
    plural: as
    singular: a
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      type: object
`, text(t, least)); diff != "" {
		t.Errorf("missing fields are written (-want +got):\n%s", diff)
	}
}

func TestSchemaRefuses(t *testing.T) {
	const here = "CustomResourceDefinition as.a.example: "
	for name, tc := range map[string]struct{ reason, old, with, want string }{
		"no schema":      {"kcp needs one", "schema: {openAPIV3Schema: {type: object}}", "x: y", here + "spec.versions[0].schema: Required value: want a map"},
		"empty schema":   {"with something in it", "{openAPIV3Schema: {type: object}}", "{}", here + "spec.versions[0].schema.openAPIV3Schema: Required value: want a map"},
		"wrong schema":   {"that is a map", "{type: object}", "[]", here + "spec.versions[0].schema.openAPIV3Schema: Invalid value: want a map"},
		"version":        {"kcp takes fewer names than API servers do", "name: v1", "name: v0-a", here + `spec.versions[0].name: Invalid value: "v0-a": kcp takes names such as v1, v2beta1; rename it in spec.projection.versions`},
		"unknown fields": {"a schema would lose the field", "scope: Cluster", "scope: Cluster, preserveUnknownFields: true", here + "spec.preserveUnknownFields: Forbidden: a schema cannot say so; use x-kubernetes-preserve-unknown-fields"},
		"known fields":   {"false is what schemas do", "scope: Cluster", "scope: Cluster, preserveUnknownFields: false", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := schemaOf(t, swap(t, mini, tc.old, tc.with), kindA, "")
			if diff := cmp.Diff(tc.want, said(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	long := ", projection: {group: " + strings.Repeat("a.", 125) + "a}"
	if _, err := schemaOf(t, mini, kindA, long); err == nil || !strings.Contains(err.Error(), "metadata.name: Invalid value") {
		t.Errorf("want an error for a name that is too long, got %v", err)
	}
	if _, err := publish.Schema(object(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"), published(t, "a", kindA, "")); err == nil {
		t.Error("a schema is made of a definition")
	}
}

// FuzzPublish checks that a definition is refused, or that its projection and schema stay the same when they are written and
// read, and when the definition is projected once more.
func FuzzPublish(f *testing.F) {
	for _, crd := range []string{definition, mini, strings.Replace(mini, "versions: [", "versions: [{name: v2, served: true}, ", 1),
		strings.Replace(mini, "names: {", "names: {shortNames: 1, singular: [], ", 1), strings.Replace(mini, "{type: object}", "{a: [1e400, 1.0, 0x10, -0, ~, '1']}", 1), "{}", mini + "x: &a [*a]\n"} {
		f.Add(crd, true)
		f.Add(crd, false)
	}
	f.Fuzz(func(t *testing.T, crd string, project bool) {
		objects, err := krm.Read("crd.yaml", []byte(crd), krm.Limits{Bytes: 1 << 16, Nodes: 10_000})
		if err != nil || len(objects) != 1 {
			return
		}
		o := objects[0]
		pr := published(t, "p", "apiGroup: a.example, kind: A", "")
		pr.Spec.Resource.APIGroup, pr.Spec.Resource.Kind = o.String("spec", "group"), o.String("spec", "names", "kind")
		plain := pr.DeepCopy()
		if project {
			pr = published(t, "p", "apiGroup: a.example, kind: A", ", projection: {kind: B, scope: Cluster, shortNames: [], versions: {v1: v3, v2: v1}}")
			pr.Spec.Resource = plain.Spec.Resource
		}
		projected, err := publish.Project(o, pr)
		if err != nil {
			return
		}
		if _, _, err := publish.Types(o, pr); err != nil {
			t.Fatalf("a definition that can be projected has no types: %v", err)
		}
		again := object(t, text(t, projected))
		plain.Spec.Resource.Kind = projected.String("spec", "names", "kind")
		twice, err := publish.Project(again, plain)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(text(t, projected), text(t, twice)); diff != "" {
			t.Errorf("a projection is changed by none (-first +second):\n%s", diff)
		}
		one, err := publish.Schema(projected, pr)
		if err != nil {
			return
		}
		two, err := publish.Schema(again, pr)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(text(t, one), text(t, two)); diff != "" {
			t.Errorf("a schema depends on how a definition is written (-first +second):\n%s", diff)
		}
	})
}
