package control

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func parse(t testing.TB, text string) *krm.Object {
	t.Helper()
	objs, err := krm.Read("test.yaml", []byte(text), krm.Limits{})
	if err != nil || len(objs) != 1 {
		t.Fatalf("want one object, got %d, %v", len(objs), err)
	}
	return objs[0]
}

func messages(errs field.ErrorList) (out []string) {
	for _, e := range errs {
		out = append(out, e.Error())
	}
	return out
}

const head = "apiVersion: control.kubestellar.io/v1alpha1\n"

// decoders are the kinds as one type of function, for tables.
var decoders = map[string]func(*krm.Object) (any, field.ErrorList){
	KindBindingPolicy:   func(o *krm.Object) (any, field.ErrorList) { return DecodeBindingPolicy(o) },
	KindBinding:         func(o *krm.Object) (any, field.ErrorList) { return DecodeBinding(o) },
	KindCustomTransform: func(o *krm.Object) (any, field.ErrorList) { return DecodeCustomTransform(o) },
	KindStatusCollector: func(o *krm.Object) (any, field.ErrorList) { return DecodeStatusCollector(o) },
	KindCombinedStatus:  func(o *krm.Object) (any, field.ErrorList) { return DecodeCombinedStatus(o) },
}

func TestDecodeErrors(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		want         []string
	}{
		"RemovedAndUnknown": {
			reason: "a removed field says what became of it, an unknown one is only unknown, in document order; then comes what is missing",
			text: head + "kind: BindingPolicy\nmetadata: {name: a}\nspec:\n  numberOfClusters: 2\n  wantSingletonReportedState: true\n" +
				"  downsync:\n  - statusCollection: {}\n    resourcez: []\n",
			want: []string{
				"spec.numberOfClusters: Forbidden: never implemented: remove it",
				"spec.wantSingletonReportedState: Forbidden: removed in KubeStellar 0.26: put it into the downsync clauses",
				"spec.downsync[0].statusCollection: Forbidden: removed: name StatusCollectors in statusCollectors",
				"spec.downsync[0].resourcez: Forbidden: unknown field",
				"spec.downsync[0]: Required value: at least one of apiGroup, resources, namespaces, " +
					"namespaceSelectors, objectSelectors, objectNames must be present",
			},
		},
		"ShapeAndMeaning": {
			reason: "a value of a wrong type hides no other fault, and is reported once",
			text: head + "kind: BindingPolicy\nmetadata: {name: '', uid: 3, creationTimestamp: soon}\nspec:\n  numberOfClusters: 1\n" +
				"  clusterSelectors:\n  - null\n  - {matchExpressions: [{key: a, operator: in, values: [x]}, {key: 3, operator: In, values: x}]}\n" +
				"  - {matchLabels: {a: 1, b: null}}\n  downsync: [{createOnly: 'yes'}, null, [], {resources: pods}]\n",
			want: []string{
				`metadata.uid: Invalid value: "3": want text`,
				`metadata.creationTimestamp: Invalid value: parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"`,
				"spec.numberOfClusters: Forbidden: never implemented: remove it",
				"spec.clusterSelectors[0]: Required value: the element is null; write it out or remove it",
				`spec.clusterSelectors[1].matchExpressions[1].key: Invalid value: "3": want text`,
				`spec.clusterSelectors[1].matchExpressions[1].values: Invalid value: "x": want a list`,
				`spec.clusterSelectors[2].matchLabels[a]: Invalid value: "1": want text`,
				"spec.clusterSelectors[2].matchLabels[b]: Required value: the value is null; write it out or remove the key",
				`spec.downsync[0].createOnly: Invalid value: "yes": want true or false`,
				"spec.downsync[1]: Required value: the element is null; write it out or remove it",
				"spec.downsync[2]: Invalid value: want a map of fields",
				`spec.downsync[3].resources: Invalid value: "pods": want a list`,
				"metadata.name: Required value: name the object",
				`spec.clusterSelectors[1].matchExpressions[0].operator: Unsupported value: "in": supported values: "DoesNotExist", "Exists", "In", "NotIn"`,
				"spec.downsync[0]: Required value: at least one of apiGroup, resources, namespaces, " +
					"namespaceSelectors, objectSelectors, objectNames must be present",
			},
		},
		"StatusIsNoInput": {
			reason: "a status belongs to a controller of any version",
			text: head + "kind: BindingPolicy\nmetadata: {name: a}\nspec: {downsync: [{createOnly: true}]}\n" +
				"status: {conditions: [{type: 3, lastUpdateTime: x}], errors: {}, more: 1}\n",
			want: []string{"spec.downsync[0]: Required value: at least one of apiGroup, resources, namespaces, " +
				"namespaceSelectors, objectSelectors, objectNames must be present"},
		},
		"NullIsAbsent": {
			reason: "a null field is an absent one and satisfies no presence rule",
			text:   head + "kind: BindingPolicy\nmetadata: {name: a}\nspec:\n  downsync:\n  - {apiGroup: null, resources: null, createOnly: null}\n",
			want: []string{"spec.downsync[0]: Required value: at least one of apiGroup, resources, namespaces, " +
				"namespaceSelectors, objectSelectors, objectNames must be present"},
		},
		"NullThroughAlias": {
			reason: "an alias to null is null",
			text:   head + "kind: BindingPolicy\nmetadata: {name: a, uid: &n null}\nspec:\n  clusterSelectors: [*n]\n",
			want:   []string{"spec.clusterSelectors[0]: Required value: the element is null; write it out or remove it"},
		},
		"SpecIsNoMap": {
			reason: "a wrong type is named where it stands",
			text:   head + "kind: BindingPolicy\nmetadata: {name: a}\nspec: [x]\n",
			want:   []string{"spec: Invalid value: want a map of fields"},
		},
		"PathInName": {
			reason: "a name becomes part of a file name",
			text:   head + "kind: CustomTransform\nmetadata: {name: ../../etc}\nspec: {apiGroup: '', resource: pods}\n",
			want: []string{`metadata.name: Invalid value: "../../etc": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric ` +
				`characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation ` +
				`is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`},
		},
		"NoName": {
			reason: "an object without a name cannot be referred to",
			text:   head + "kind: CustomTransform\nmetadata: {}\nspec: {resource: ''}\n",
			want: []string{
				"metadata.name: Required value: name the object",
				`spec.apiGroup: Required value: name the API group; "" is the core group`,
				`spec.resource: Required value: name the resource by its plural, such as "deployments"`,
			},
		},
		"BindingKeys": {
			reason: "an object in any version and a cluster occur once; names are needed; numbers are no text",
			text: head + "kind: Binding\nmetadata: {name: a}\nspec:\n  workload:\n    clusterScope:\n" +
				"    - {group: '', version: v1, resource: namespaces, name: a, resourceVersion: ''}\n" +
				"    - {group: '', version: v2, resource: namespaces, name: a, resourceVersion: ''}\n" +
				"    namespaceScope:\n    - {group: apps, version: '', resource: deployments, namespace: '', name: ''}\n" +
				"  destinations: [{clusterId: c}, {clusterId: c}, {clusterId: ''}]\n",
			want: []string{
				`spec.workload.clusterScope[1]: Duplicate value: "a"`,
				"spec.workload.namespaceScope[0].version: Required value: must not be empty",
				"spec.workload.namespaceScope[0].namespace: Required value: must not be empty",
				"spec.workload.namespaceScope[0].name: Required value: must not be empty",
				`spec.destinations[1]: Duplicate value: "c"`,
				"spec.destinations[2].clusterId: Required value: must not be empty",
			},
		},
		"BindingTypes": {
			reason: "an unquoted number is no resourceVersion",
			text: head + "kind: Binding\nmetadata: {name: a, generation: x}\nspec:\n  workload:\n    clusterScope:\n" +
				"    - {group: '', version: v1, resource: namespaces, name: a, resourceVersion: 1201}\n",
			want: []string{
				`metadata.generation: Invalid value: "x": want a whole number`,
				`spec.workload.clusterScope[0].resourceVersion: Invalid value: "1201": want text`,
			},
		},
		"TextThatDoesNotParse": {
			reason: "what a type reads itself is an error too, not a panic",
			text:   head + "kind: Binding\nmetadata: {name: a, creationTimestamp: yesterday}\nspec: {workload: {}}\n",
			want:   []string{`metadata.creationTimestamp: Invalid value: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := parse(t, tc.text)
			_, errs := decoders[o.Kind()](o)
			if d := cmp.Diff(tc.want, messages(errs)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

// TestPresence holds that each part of a clause, present and empty, is enough for a clause.
func TestPresence(t *testing.T) {
	for _, part := range []string{`apiGroup: ""`, "resources: []", "namespaces: []", "namespaceSelectors: []", "objectSelectors: []", "objectNames: []"} {
		o := parse(t, head+"kind: BindingPolicy\nmetadata: {name: a}\nspec:\n  downsync:\n  - {createOnly: true, "+part+"}\n")
		if _, errs := DecodeBindingPolicy(o); len(errs) > 0 {
			t.Errorf("%s: an empty part is present, but: %v", part, errs)
		}
	}
}

// kept are documents that come back as they were: fields in the order of the types, and lists that
// are there but empty.
var kept = map[string]struct{ reason, text string }{
	"Policy": {"presence of an empty list means something in a clause", head + `kind: BindingPolicy
metadata:
  name: shop
spec:
  clusterSelectors:
  - matchLabels:
      site: edge
    matchExpressions:
    - key: region
      operator: In
      values:
      - eu-1
  - {}
  downsync:
  - apiGroup: ""
    resources: []
    namespaces:
    - ""
    namespaceSelectors: []
    objectSelectors:
    - {}
    objectNames: []
    createOnly: true
    statusCollectors:
    - a
    wantSingletonReportedState: true
    wantMultiWECReportedState: true
status:
  observedGeneration: 0
  errors:
  - e
`},
	"EmptyBinding": {"a policy that selects nothing still has a workload", head + "kind: Binding\nmetadata:\n  name: a\nspec:\n  workload: {}\n"},
	"Binding": {"required fields are there even when empty, modulation only when it says something", head + `kind: Binding
metadata:
  name: shop
spec:
  workload:
    clusterScope:
    - group: ""
      version: v1
      resource: namespaces
      name: shop
      resourceVersion: ""
    namespaceScope:
    - group: apps
      version: v1
      resource: deployments
      namespace: shop
      name: web
      resourceVersion: "1377"
      createOnly: true
      statusCollectors:
      - a
      wantSingletonReportedState: true
      wantMultiWECReportedState: true
  destinations:
  - clusterId: edge1
`},
	"CustomTransform": {"the core group is the empty text, not an absent one", head +
		"kind: CustomTransform\nmetadata:\n  name: a\nspec:\n  apiGroup: \"\"\n  resource: services\n  remove:\n  - $.spec.host\n"},
}

func TestRoundTrip(t *testing.T) {
	cases := maps.Clone(kept)
	maps.Copy(cases, keptStatus)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.text, roundTrip(t, parse(t, tc.text))); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

func roundTrip(t *testing.T, o *krm.Object) string {
	t.Helper()
	v, errs := decoders[o.Kind()](o)
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	back, err := krm.FromTyped(v)
	if err != nil {
		t.Fatal(err)
	}
	text, err := krm.WriteRaw(back)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// FuzzDecode holds what any document that is accepted owes: it means the same when it is written
// and read again.
func FuzzDecode(f *testing.F) {
	for _, tc := range kept {
		f.Add(tc.text)
	}
	for _, tc := range keptStatus {
		f.Add(tc.text)
	}
	f.Add(head + "kind: BindingPolicy\nmetadata: {name: a}\nspec: {clusterSelectors: [null, {matchLabels: {a: null}}]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		objs, err := krm.Read("fuzz.yaml", []byte(text), krm.Limits{Nodes: 10_000})
		if err != nil || len(objs) == 0 || decoders[objs[0].Kind()] == nil {
			return
		}
		o := objs[0]
		v, errs := decoders[o.Kind()](o)
		if len(errs) > 0 {
			return
		}
		back, err := krm.FromTyped(v)
		if err != nil {
			t.Fatal(err)
		}
		again, errs := decoders[o.Kind()](back)
		if len(errs) > 0 {
			t.Fatalf("what was written is refused: %v", errs)
		}
		if d := cmp.Diff(v, again); d != "" {
			t.Errorf("written and read again it differs (-first +second):\n%s", d)
		}
	})
}
