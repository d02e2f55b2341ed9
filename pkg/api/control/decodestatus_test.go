package control

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// keptStatus are documents about status that come back as they were.
var keptStatus = map[string]struct{ reason, text string }{
	"StatusCollector": {"a filter that is there but empty is not absent", head + `kind: StatusCollector
metadata:
  name: a
spec:
  filter: ""
  groupBy:
  - name: region
    def: inventory.name
  combinedFields:
  - name: clusters
    type: COUNT
  - name: ready
    type: SUM
    subject: returned.status.readyReplicas
  select:
  - name: phase
    def: returned.status.phase
  limit: 0
status:
  observedGeneration: 0
  errors:
  - e
`},
	"CombinedStatus": {"a value may be null, and names of columns are there even when there are none", head + `kind: CombinedStatus
metadata:
  name: u1.u2
  namespace: shop
results:
- name: a
  columnNames:
  - s
  - "n"
  - b
  - z
  - o
  - p
  - l
  rows:
  - columns:
    - type: String
      string: ""
    - type: Number
      float: +Inf
    - type: Bool
      bool: false
    - type: "Null"
    - type: Object
      object: null
    - type: Object
      object:
        a: 1
        b:
        - null
        - 1.5
    - type: Array
      array: []
  rowErrors:
  - wec:
      clusterId: edge1
    columnName: ""
    error: e
  aggregationErrors:
  - columnName: "n"
    error: e
- name: none
  columnNames: []
  rows:
  - columns: []
`},
	"NoResults": {"no collector, no results", head + "kind: CombinedStatus\nmetadata:\n  name: a\n  namespace: b\n"},
}

func TestDecodeStatusErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, text string
		want         []string
	}{
		"CollectorWithoutSpec": {"nothing to collect", head + "kind: StatusCollector\nmetadata: {name: a}\n", []string{"spec: Required value: say what to collect"}},
		"CollectorWithoutLimit": {
			"the limit is required although nothing heeds it; a subject is text; a null filter is absent", head + "kind: StatusCollector\nmetadata: {name: a, namespace: b}\n" +
				"spec: {filter: null, combinedFields: [{name: a, type: COUNT, subject: 3}], groupby: []}\nstatus: {errors: 3}\n",
			[]string{
				`spec.combinedFields[0].subject: Invalid value: "3": want text`, "spec.groupby: Forbidden: unknown field",
				"metadata.namespace: Forbidden: the kind is cluster-scoped", "spec.limit: Required value: say how many rows to expect at most, such as 20",
			},
		},
		"CollectorLimit": {"it is a whole number", head + "kind: StatusCollector\nmetadata: {name: a}\nspec: {limit: many}\n", []string{`spec.limit: Invalid value: "many": want a whole number`}},
		"CombinedShape": {
			"rows are as long as the names of columns, and values have what their type says", head + "kind: CombinedStatus\nmetadata: {name: a, namespace: b}\nresults:\n- name: ''\n  columnNames: [a, b]\n" +
				"  rows:\n  - columns: [{type: String}]\n  - columns: [{type: Text}, {type: 'Null', string: a, bool: true}]\n",
			[]string{
				"results[0].name: Required value: must not be empty", "results[0].rows[0].columns: Invalid value: 1: want as many as columnNames",
				"results[0].rows[0].columns[0].string: Required value: holds what type String says",
				`results[0].rows[1].columns[0].type: Unsupported value: "Text": supported values: "Array", "Bool", "Null", "Number", "Object", "String"`,
				"results[0].rows[1].columns[1].string: Forbidden: does not go with type Null", "results[0].rows[1].columns[1].bool: Forbidden: does not go with type Null",
			},
		},
		"CombinedNamespace": {"it has one", head + "kind: CombinedStatus\nmetadata: {name: a}\n", []string{"metadata.namespace: Required value: name the namespace of the object, or kubestellar-report"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := parse(t, tc.text)
			_, errs := decoders[o.Kind()](o)
			if d := cmp.Diff(tc.want, messages(errs)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
