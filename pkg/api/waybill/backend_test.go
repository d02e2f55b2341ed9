package waybill_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// One document of each kind with each field there is.
const (
	backendTable = `apiVersion: waybill.dev/v1alpha1
kind: BackendTable
metadata: {name: t}
spec:
  auth: {type: Login, login: {path: /login, projectHeader: X-P, tokenField: key, tokenHeader: X-T}}
  statuses: {exists: [409], missing: [], gone: [404], unchanged: [412]}
  kinds:
  - kind: A
    mediaType: a/b
    id: "{id}"
    create: [{path: /as, when: {field: type, value: x}}]
    replace: /as/{id}
    read: /as/{id}
    delete: /as/{id}
    parents: [B]
    references: [{field: b, kinds: [B]}]
    ordered: true
    statuses: {gone: []}
`
	backendInventory = `apiVersion: waybill.dev/v1alpha1
kind: BackendInventory
metadata: {name: t}
spec:
  backend: t
  next: 9
  plan: p
  resources: [{number: 1, kind: A, id: a, parent: b, hash: h, fields: "a:1", references: [B/b], translation: a/a, index: 1, state: Unknown}]
`
	backendPlan = `apiVersion: waybill.dev/v1alpha1
kind: BackendPlan
metadata: {name: t}
spec:
  backend: t
  inventory: {digest: d, next: 9}
  operations: [{op: replace, kind: A, id: a, parent: b, translation: a/a, index: 1, number: 1, reason: changed, cause: B b, changed: [x], body: "{}"}]
  problems: [{translation: a/a, index: 0, message: m}]
`
)

func TestBackendKinds(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := waybill.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	for kind, tc := range map[string]struct {
		text string
		read func(*krm.Object) (runtime.Object, error)
	}{
		"BackendTable":     {backendTable, func(o *krm.Object) (runtime.Object, error) { return waybill.ReadBackendTable(o) }},
		"BackendInventory": {backendInventory, func(o *krm.Object) (runtime.Object, error) { return waybill.ReadBackendInventory(o) }},
		"BackendPlan":      {backendPlan, func(o *krm.Object) (runtime.Object, error) { return waybill.ReadBackendPlan(o) }},
	} {
		t.Run(kind, func(t *testing.T) {
			o := object(t, tc.text)
			read, err := tc.read(o)
			if err != nil {
				t.Fatal(err)
			}
			want, err := krm.Value(o.Node())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(asJSON(t, want), asJSON(t, read)); diff != "" {
				t.Errorf("every field is kept (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(read, read.DeepCopyObject()); diff != "" {
				t.Errorf("in a copy, too (-want +got):\n%s", diff)
			}
			if !scheme.Recognizes(waybill.GroupVersion.WithKind(kind)) || !scheme.Recognizes(waybill.GroupVersion.WithKind(kind+"List")) {
				t.Error("it is not known")
			}
			if _, err := tc.read(object(t, tc.text+"more: 1\n")); err == nil {
				t.Error("an unknown field is accepted")
			}
		})
	}
}
