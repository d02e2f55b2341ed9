package publish_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/apisync/publish"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// in returns changes of the definition: pairs of an old and a new text.
func in(changes ...string) []string { return changes }

func TestProject(t *testing.T) {
	const (
		names = " ShopOrder ShopOrderList shoporders shoporder [so] [all]"
		here  = "CustomResourceDefinition shoporders.apps.provider.example (crd.yaml): "
		plain = "shoporders.apps.provider.example Namespaced" + names
		order = "orders.shop.example.org Namespaced Order OrderList orders order [so] [all]"
	)
	for name, tc := range map[string]struct {
		reason, resource, projection string
		crd                          []string
		want, fails                  string
	}{
		"as it is":        {reason: "no projection changes nothing", want: plain + " v1 served; v2 served storage"},
		"empty":           {reason: "nor does one that says nothing", projection: "{}", want: plain + " v1 served; v2 served storage"},
		"worked example":  {reason: "the specification's example", resource: "versions: [v2]", projection: "{group: shop.example.org, kind: Order, versions: {v2: v1}}", want: order + " v1 served storage"},
		"selected":        {reason: "in the order of the definition", resource: "versions: [v2, v1]", want: plain + " v1 served; v2 served storage"},
		"one":             {reason: "the deprecated way to select", resource: "version: v2", want: plain + " v2 served storage"},
		"storage dropped": {reason: "the last served one becomes storage", resource: "versions: [v1]", want: plain + " v1 served storage"},
		"storage last served": {reason: "one that is not served does not become storage", resource: "versions: [v1, v3, v4]",
			crd:  in("  - name: v2\n", "  - {name: v3, served: true, schema: {}}\n  - {name: v4, served: false, schema: {}}\n  - name: v2\n"),
			want: plain + " v1 served; v3 served storage; v4"},
		"storage unserved":  {reason: "one that is storage stays it", crd: in("    served: true\n    storage: true", "    storage: true"), want: plain + " v1 served; v2 storage"},
		"some unknown":      {reason: "what is not there cannot be kept", resource: "versions: [v1, v9]", want: plain + " v1 served storage"},
		"nothing selected":  {reason: "nothing to publish", resource: "versions: [v8, v9]", fails: here + "it has none of the selected versions v8, v9"},
		"none served":       {reason: "nothing to publish, either", resource: "versions: [v1]", crd: in("served: true", "served: false"), fails: here + "no selected version is served"},
		"renamed":           {reason: "sorted as Kubernetes does, once renamed", projection: "{versions: {v1: v10, v2: v9beta1}}", want: plain + " v9beta1 served storage; v10 served"},
		"swapped":           {reason: "names may change places", projection: "{versions: {v1: v2, v2: v1}}", want: plain + " v1 served storage; v2 served"},
		"renamed to one":    {reason: "names must stay apart", projection: "{versions: {v1: v2}}", fails: here + "the projection calls both v1 and v2 v2"},
		"renamed both":      {reason: "also where both are new", projection: "{versions: {v1: v3, v2: v3}}", fails: here + "the projection calls both v1 and v2 v3"},
		"renamed unknown":   {reason: "nothing bears that name", projection: "{versions: {v9: v2}}", want: plain + " v1 served; v2 served storage"},
		"not renamed":       {reason: "without a map there is no sorting", crd: in("name: v1\n", "name: v3\n"), want: plain + " v3 served; v2 served storage"},
		"one name":          {reason: "the deprecated way to rename", resource: "versions: [v2]", projection: "{version: v7}", want: plain + " v7 served storage"},
		"one name for two":  {reason: "it is not known which one is meant", projection: "{version: v7}", fails: here + "the projection has one version, v7, for 2; use versions"},
		"name and map":      {reason: "one way to write it", projection: "{version: v7, versions: {v1: v8}}", fails: here + "the projection has version and versions; it may have one of them"},
		"kind":              {reason: "three names follow the kind", projection: "{kind: Bus}", want: "buss.apps.provider.example Namespaced Bus BusList buss bus [so] [all] v1 served; v2 served storage"},
		"plural":            {reason: "and the plural does not, if it is said", projection: "{kind: Bus, plural: buses}", want: "buses.apps.provider.example Namespaced Bus BusList buses bus [so] [all] v1 served; v2 served storage"},
		"plural alone":      {reason: "the kind does not follow the plural", projection: "{plural: orders}", want: "orders.apps.provider.example Namespaced ShopOrder ShopOrderList orders shoporder [so] [all] v1 served; v2 served storage"},
		"scope":             {reason: "consumers may see another scope", projection: "{scope: Cluster}", want: "shoporders.apps.provider.example Cluster" + names + " v1 served; v2 served storage"},
		"lists replaced":    {reason: "by others", projection: "{shortNames: [o, p], categories: [shop]}", want: "shoporders.apps.provider.example Namespaced ShopOrder ShopOrderList shoporders shoporder [o p] [shop] v1 served; v2 served storage"},
		"lists cleared":     {reason: "an empty list takes away", projection: "{shortNames: [], categories: []}", want: "shoporders.apps.provider.example Namespaced ShopOrder ShopOrderList shoporders shoporder - - v1 served; v2 served storage"},
		"lists empty":       {reason: "empty is absent", crd: in("[so]", "[]"), want: "shoporders.apps.provider.example Namespaced ShopOrder ShopOrderList shoporders shoporder - [all] v1 served; v2 served storage"},
		"names left out":    {reason: "an API server fills them in, and so the hash is the same here", crd: in("listKind: ShopOrderList, ", "", "singular: shoporder, ", ""), want: plain + " v1 served; v2 served storage"},
		"other type":        {reason: "another definition", crd: in("kind: ShopOrder,", "kind: Order,"), fails: here + "want the definition of ShopOrder.apps.provider.example, this is that of Order.apps.provider.example"},
		"beta":              {reason: "definitions of long ago had other fields", crd: in("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"), fails: here + "want a CustomResourceDefinition of apiextensions.k8s.io/v1, got apiextensions.k8s.io/v1beta1"},
		"no versions":       {reason: "nor a list of them", crd: in("versions:", "variants:"), fails: here + "spec.versions: Required value: list at least one version"},
		"duplicate":         {reason: "which one would be meant", crd: in("name: v2", "name: v1"), fails: here + `spec.versions[1].name: Duplicate value: "v1"`},
		"two storages":      {reason: "objects are stored once", crd: in("storage: false", "storage: true"), fails: here + "spec.versions: Invalid value: want exactly one version with storage: true, got 2"},
		"no storage":        {reason: "but they are stored", crd: in("storage: true", "storage: false"), fails: here + "spec.versions: Invalid value: want exactly one version with storage: true, got 0"},
		"faults":            {reason: "all at once", crd: in("Namespaced", "Both", "storage: false", "storage: maybe", "plural: shoporders, ", "", "name: v2", "name: [v2]"), fails: here + `[spec.names.plural: Required value: want text, spec.scope: Unsupported value: "Both": supported values: "Cluster", "Namespaced", spec.versions[0].storage: Invalid value: want true or false, spec.versions[1].name: Invalid value: want text]`},
		"version no map":    {reason: "what is no version", crd: in("  - name: v2\n", "  - v3\n  - name: v2\n"), fails: here + "spec.versions[1]: Invalid value: want a map"},
		"conversion stays":  {reason: "servers convert, or not; the hash is without it", crd: in("Webhook", "None"), want: plain + " v1 served; v2 served storage"},
		"no spec":           {reason: "nothing at all", crd: in("spec:\n", "spek:\n"), fails: here + "spec: Required value: say what the type is"},
		"spec no map":       {reason: "nor a list", crd: in("spec:\n", "spec: []\nspek:\n"), fails: here + "spec: Invalid value: want a map"},
		"number in no JSON": {reason: "values that JSON does not have", crd: in("multipleOf: 0.5", "multipleOf: .inf"), fails: here + "spec: versions[0].schema.openAPIV3Schema.properties.spec.properties.size.multipleOf: .inf is not a number that JSON can hold"},
	} {
		t.Run(name, func(t *testing.T) {
			crd := definition
			for i := 0; i < len(tc.crd); i += 2 {
				crd = swap(t, crd, tc.crd[i], tc.crd[i+1])
			}
			resource, more := shopOrder, ""
			if tc.resource != "" {
				resource += ", " + tc.resource
			}
			if tc.projection != "" {
				more = ", projection: " + tc.projection
			}
			o := object(t, crd)
			before := text(t, o)
			got, err := publish.Project(o, published(t, "orders", resource, more))
			if diff := cmp.Diff(tc.fails, said(err)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(before, text(t, o)); diff != "" {
				t.Errorf("%s: the definition is changed (-before +after):\n%s", tc.reason, diff)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(tc.want, brief(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// brief is a definition in one line.
func brief(o *krm.Object) string {
	words := []string{o.Name(), o.String("spec", "scope")}
	for _, name := range []string{"kind", "listKind", "plural", "singular"} {
		words = append(words, o.String("spec", "names", name))
	}
	for _, name := range []string{"shortNames", "categories"} {
		if n := o.Lookup("spec", "names", name); n != nil {
			value, _ := krm.Value(n)
			words = append(words, fmt.Sprint(value))
		} else {
			words = append(words, "-")
		}
	}
	var versions []string
	for _, v := range o.Lookup("spec", "versions").Content {
		words := []string{krm.Lookup(v, "name").Value}
		for _, flag := range []string{"served", "storage"} {
			if n := krm.Lookup(v, flag); n != nil && n.Value == "true" {
				words = append(words, flag)
			}
		}
		versions = append(versions, strings.Join(words, " "))
	}
	return strings.Join(words, " ") + " " + strings.Join(versions, "; ")
}

// TestProjectGolden shows all that is written of the specification's example.
func TestProjectGolden(t *testing.T) {
	got, err := publish.Project(object(t, definition), published(t, "orders", shopOrder+", versions: [v2]", ", projection: {group: shop.example.org, kind: Order, versions: {v2: v1}}"))
	if err != nil {
		t.Fatal(err)
	}
	want := `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: orders.shop.example.org
  generation: 3
spec:
  conversion:
    strategy: Webhook
  group: shop.example.org
  names:
    categories:
    - all
    kind: Order
    listKind: OrderList
    plural: orders
    shortNames:
    - so
    singular: order
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
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
    served: true
    storage: true
    subresources:
      scale:
        specReplicasPath: .spec.size
        statusReplicasPath: .status.size
      status: {}
`
	if diff := cmp.Diff(want, text(t, got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTypes(t *testing.T) {
	local := publish.Type{Group: "apps.provider.example", Version: "v2", Kind: "ShopOrder", Plural: "shoporders", Namespaced: true, Status: true, Scale: true, Original: "v2"}
	for name, tc := range map[string]struct {
		reason, resource, projection string
		want                         publish.Type
		apart                        string
	}{
		"same":    {"without a projection both are the same", "", "{}", local, ""},
		"example": {"a version under another name is the same one", ", versions: [v2]", "{group: shop.example.org, kind: Order, versions: {v2: v1}, scope: Cluster}", publish.Type{Group: "shop.example.org", Version: "v1", Kind: "Order", Plural: "orders", Status: true, Scale: true, Original: "v2"}, ""},
		"dropped": {"another version is not", ", versions: [v1]", "{}", publish.Type{Group: "apps.provider.example", Version: "v1", Kind: "ShopOrder", Plural: "shoporders", Namespaced: true, Status: true, Original: "v1"},
			"ShopOrder apps.provider.example is stored as v2 at the destination, and what is offered as v1 is its version v1: files are not converted; select v2 in spec.resource.versions, too"},
		"dropped and renamed": {"nor under the stored one's name", ", versions: [v1]", "{version: v2}", publish.Type{Group: "apps.provider.example", Version: "v2", Kind: "ShopOrder", Plural: "shoporders", Namespaced: true, Status: true, Original: "v1"},
			"ShopOrder apps.provider.example is stored as v2 at the destination, and what is offered as v2 is its version v1: files are not converted; select v2 in spec.resource.versions, too"},
		"swapped": {"names that change places are followed", "", "{versions: {v1: v2, v2: v1}}", publish.Type{Group: "apps.provider.example", Version: "v1", Kind: "ShopOrder", Plural: "shoporders", Namespaced: true, Status: true, Scale: true, Original: "v2"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			here, there, err := publish.Types(object(t, definition), published(t, "orders", shopOrder+tc.resource, ", projection: "+tc.projection))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]publish.Type{local, tc.want}, []publish.Type{here, there}); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.apart, said(publish.CheckSameVersion(here, there))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	if _, _, err := publish.Types(object(t, definition), published(t, "orders", shopOrder+", versions: [v9]", "")); err == nil {
		t.Error("a definition that cannot be projected has types")
	}
}

func TestManyVersionsAreRefusedSoon(t *testing.T) {
	var versions []string
	for i := range 10_000 {
		versions = append(versions, fmt.Sprintf("{name: v%d, served: true, storage: %t}", i+1, i == 0))
	}
	crd := object(t, swap(t, mini, "versions: [", "versions: ["+strings.Join(versions, ", ")+", "))
	pr, began := published(t, "as", kindA, ""), time.Now()
	_, err := publish.Project(crd, pr)
	if want := "CustomResourceDefinition as.a.example (crd.yaml): spec.versions: Too many: 10001: must have at most 100 items"; said(err) != want {
		t.Errorf("got %v", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}
