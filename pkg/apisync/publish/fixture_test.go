package publish_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// definition has every field.
const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shoporders.apps.provider.example, generation: 3, uid: abc, labels: {a: b}}
spec:
  group: apps.provider.example
  # said once
  names: {kind: ShopOrder, listKind: ShopOrderList, plural: shoporders, singular: shoporder, shortNames: [so], categories: [all]}
  scope: Namespaced
  conversion: {strategy: Webhook}
  versions:
  - name: v1
    served: true
    storage: false
    deprecated: true
    subresources: {status: {}}
    schema: &schema
      openAPIV3Schema:
        type: object
        description: Größe <&> "x"
        properties: {spec: {type: object, properties: {size: {type: integer, maximum: 9007199254740993, multipleOf: 0.5}}}}
  - name: v2
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    schema: *schema
status: {conditions: []}
`

// mini has only required fields.
const mini = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: as.a.example}
spec: {group: a.example, names: {kind: A, plural: as}, scope: Cluster, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}
`

// published is a PublishedResource whose spec has more than the resource.
func published(t testing.TB, name, resource, more string) *waybill.PublishedResource {
	t.Helper()
	pr, err := waybill.ReadPublishedResource(object(t, fmt.Sprintf("{apiVersion: waybill.dev/v1alpha1, kind: PublishedResource, metadata: {name: %s}, spec: {resource: {%s}%s}}", name, resource, more)))
	if err != nil {
		t.Fatal(err)
	}
	return pr
}

const (
	shopOrder = "apiGroup: apps.provider.example, kind: ShopOrder"
	kindA     = "apiGroup: a.example, kind: A"
)

func object(t testing.TB, text string) *krm.Object {
	t.Helper()
	objects, err := krm.Read("crd.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objects[0]
}

func text(t testing.TB, o *krm.Object) string {
	t.Helper()
	out, err := krm.Write([]*krm.Object{o})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// swap replaces a text, which must exist.
func swap(t testing.TB, text, old, with string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("the text %q is missing", old)
	}
	return strings.Replace(text, old, with, 1)
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
