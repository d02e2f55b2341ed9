package ocmcheck

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

const good = `apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata:
  namespace: edge1
  name: shop-git-0
  labels: {a: b}
spec:
  workload:
    manifests:
    - {apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: web}}
  manifestConfigs:
  - resourceIdentifier: {group: apps, resource: deployments, namespace: shop, name: web}
    updateStrategy: {type: CreateOnly}
    feedbackRules: [{type: WellKnownStatus}, {type: JSONPaths, jsonPaths: [{name: a, path: .status.a}, {name: b, path: .status.b}]}]
    conditionRules: [{condition: Progressing, type: CEL, celExpressions: ["true"]}, {condition: Complete, type: WellKnownConditions}]
`

func TestViolations(t *testing.T) {
	const manifest = "{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: web}}"
	cases := map[string]struct {
		reason, old, new string // what is changed in a good work
		want             string // part of the only violation; "" means none
	}{
		"Good":             {"the work that all cases start from", "", "", ""},
		"OtherKind":        {"only ManifestWorks are works", "kind: ManifestWork", "kind: Work", "not a work.open-cluster-management.io/v1 ManifestWork"},
		"UnknownField":     {"decoding is strict", "spec:\n", "spec:\n  priority: 1\n", `unknown field "priority"`},
		"WrongType":        {"decoding is typed", "{a: b}", "{a: [b]}", "does not decode"},
		"ServerFields":     {"only a server writes these", "spec:\n", "status: {}\nspec:\n", "only a server writes"},
		"LongName":         {"an agent puts a hash before the name", "shop-git-0", strings.Repeat("n", 189), "189 characters"},
		"LongestName":      {"188 is allowed", "shop-git-0", strings.Repeat("n", 188), ""},
		"UpperCaseName":    {"names are DNS names", "shop-git-0", "Shop", "name: a lowercase RFC 1123 subdomain"},
		"LongNamespace":    {"a namespace is a DNS label", "edge1", strings.Repeat("n", 64), "namespace: must be no more than 63"},
		"LongLabel":        {"a label's value has at most 63 characters", "{a: b}", "{a: " + strings.Repeat("v", 64) + "}", `label "a"`},
		"NoManifests":      {"a hub refuses an empty work", "    - " + manifest + "\n", "", "has no manifests"},
		"NoName":           {"every manifest has a name", "name: web}}", "uid: web}}", "has no name"},
		"GenerateName":     {"a generated name is refused", "name: web}}", "generateName: web}}", "has a generateName"},
		"NoKind":           {"a manifest is an object", "kind: Deployment, ", "", "lacks apiVersion or kind"},
		"NotAnObject":      {"a manifest is an object", manifest, "text", "is no object"},
		"Twice":            {"one object once in a work", manifest + "\n", manifest + "\n    - " + manifest + "\n", "is in this work already"},
		"OwnAnnotation":    {"marks of the pipeline stay in the package", "name: web}}", "name: web, annotations: {waybill.dev/origin: x}}}", "not for clusters"},
		"NoSuchObject":     {"a config for an object elsewhere does nothing", "namespace: shop, name: web}\n    update", "namespace: shop, name: other}\n    update", "not in this work"},
		"NoResource":       {"a config without resource matches nothing", "resource: deployments", "resource: ''", "lacks a resource"},
		"UnknownStrategy":  {"strategies are an enumeration", "CreateOnly", "Once", `unknown strategy "Once"`},
		"TwoConfigs":       {"the second of an object does nothing", "  manifestConfigs:\n", "  manifestConfigs:\n  - resourceIdentifier: {group: apps, resource: deployments, namespace: shop, name: web}\n", "this is another"},
		"FeedbackType":     {"types are an enumeration", "WellKnownStatus", "Known", `feedbackRules[0]: unknown type "Known"`},
		"FeedbackNoPaths":  {"paths are what this type is about", "jsonPaths: [{name: a, path: .status.a}, {name: b, path: .status.b}]", "jsonPaths: []", "names no paths"},
		"FeedbackTwice":    {"names are the list's key", "name: b,", "name: a,", `a second "a"`},
		"ConditionType":    {"types are an enumeration", "type: CEL", "type: JS", `conditionRules[0]: unknown type "JS"`},
		"ConditionNoCEL":   {"a rule without an expression is always true", `["true"]`, "[]", "has no expression"},
		"ConditionTwice":   {"conditions are the list's key", "condition: Complete", "condition: Progressing", `a second rule for "Progressing"`},
		"ConditionNoName":  {"a condition has a name", "condition: Complete", "condition: ''", "names no condition"},
		"UnquotedBool":     {"a YAML 1.1 reader takes this for a boolean", "{a: b}", "{a: yes}", "read as something else"},
		"SecondManifestOK": {"more than one manifest", manifest + "\n", manifest + "\n    - {apiVersion: v1, kind: Secret, metadata: {namespace: shop, name: web}}\n", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(good, tc.old) {
				t.Fatalf("the good work has no %q", tc.old)
			}
			got := Violations(parse(t, strings.Replace(good, tc.old, tc.new, 1)), DefaultManifestLimit)
			holds := strings.Contains(strings.Join(got, "\n"), tc.want)
			if tc.want == "" && len(got) > 0 || tc.want != "" && !holds {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
			}
		})
	}
}

func TestViolationsOfSize(t *testing.T) {
	works := parse(t, good) // its manifest is 89 bytes of JSON: 91 with a tag and a length
	if d := cmp.Diff([]string(nil), Violations(works, 91)); d != "" {
		t.Errorf("the limit itself is allowed (-want +got):\n%s", d)
	}
	want := []string{"works[0] edge1/shop-git-0: manifests take 91 encoded bytes, more than 90"}
	if d := cmp.Diff(want, Violations(works, 90)); d != "" {
		t.Errorf("one byte more is not (-want +got):\n%s", d)
	}
}

func TestViolationsOfSeveralWorks(t *testing.T) {
	got := Violations(parse(t, good+"---\n"+good), DefaultManifestLimit)
	want := []string{"works[1] edge1/shop-git-0: a second work of this namespace and name"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestWorks(t *testing.T) {
	items := parse(t, "apiVersion: v1\nkind: ConfigMap\n---\n"+good)
	if got := Works(items); len(got) != 1 || got[0] != items[1] {
		t.Errorf("Works found %d works, want the second item alone", len(got))
	}
}

func parse(t *testing.T, text string) []*krm.Object {
	objs, err := krm.Read("work.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objs
}
