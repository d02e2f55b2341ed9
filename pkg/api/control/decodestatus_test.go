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
	"WorkStatus": {"a status is kept as it is, numbers and nulls included", head + `kind: WorkStatus
metadata:
  name: a
  namespace: edge1
  labels:
    transport.kubestellar.io/originWdsName: wds1
  managedFields:
  - manager: agent
    fieldsType: FieldsV1
    fieldsV1:
      f:status: {}
spec:
  sourceRef:
    group: ""
    version: v1
    resource: pods
    kind: Pod
    name: web
    namespace: ""
status:
  big: 9223372036854775807
  half: 0.5
  list:
  - 1
  - null
  - {}
  phase: Up
statusDetails:
  lastGeneration: 3
`},
	"EmptyStatus": {"an empty status is one", head + `kind: WorkStatus
metadata:
  name: a
  namespace: edge1
spec:
  sourceRef:
    group: ""
    version: v1
    resource: pods
    kind: Pod
    name: web
    namespace: shop
status: {}
`},
}

func TestDecodeStatusErrors(t *testing.T) {
	ref := "spec: {sourceRef: {group: '', version: v1, resource: pods, kind: Pod, name: web, namespace: ''}}\n"
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
		"WorkStatusPlaces": {
			"the namespace is the cluster; group and namespace are there even when empty, the others never are", head + "kind: WorkStatus\nmetadata: {name: a}\nspec: {sourceRef: {version: '', resource: '', kind: '', name: ''}}\n",
			[]string{
				"metadata.namespace: Required value: name the mailbox namespace, which is the cluster",
				"spec.sourceRef.version: Required value: must not be empty", "spec.sourceRef.resource: Required value: must not be empty",
				"spec.sourceRef.kind: Required value: must not be empty", "spec.sourceRef.name: Required value: must not be empty",
				`spec.sourceRef.group: Required value: must be there; "" is none`, `spec.sourceRef.namespace: Required value: must be there; "" is none`,
			},
		},
		"WorkStatusPath": {"the cluster becomes part of a path", head + "kind: WorkStatus\nmetadata: {name: a, namespace: ../x}\n" + ref, []string{
			`metadata.namespace: Invalid value: "../x": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end ` +
				`with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		"WorkStatusOfText": {"this status is input, and a map", head + "kind: WorkStatus\nmetadata: {name: a, namespace: b}\n" + ref + "status: up\nstatusDetails: null\n", []string{"status: Invalid value: want a map of fields"}},
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

// TestFreeform holds that numbers are what they are in JSON: whole ones int64.
func TestFreeform(t *testing.T) {
	w, errs := DecodeWorkStatus(parse(t, head+"kind: WorkStatus\nmetadata: {name: a, namespace: b}\n"+
		"spec: {sourceRef: {group: '', version: v1, resource: pods, kind: Pod, name: web, namespace: ''}}\n"+
		"status: {a: 1, b: 2.0, c: 0.5, d: [18446744073709551615, -1, 1e3], e: {f: '1', g: null}}\n"))
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	want := Freeform{
		"a": int64(1), "b": int64(2), "c": 0.5, "d": []any{float64(1 << 64), int64(-1), int64(1000)},
		"e": map[string]any{"f": "1", "g": nil},
	}
	if d := cmp.Diff(want, w.Status); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	var f Freeform
	for _, text := range []string{"[1]", "3", `"a"`, "{", "{} {}"} {
		if err := f.UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%s is no object", text)
		}
	}
}
