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
	_, config, _ := strings.Cut(good, "  manifestConfigs:\n")
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
		"UpperCaseName":    {"names are DNS names", "shop-git-0", "Shop", "metadata.name: Invalid value: \"Shop\""},
		"LongNamespace":    {"a namespace is a DNS label", "edge1", strings.Repeat("n", 64), "metadata.namespace: Invalid value"},
		"LongLabel":        {"a label's value has at most 63 characters", "{a: b}", "{a: " + strings.Repeat("v", 64) + "}", "metadata.labels: Invalid value"},
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
		"ConditionNoName":  {"an expression is about a condition", "condition: Progressing", "condition: ''", "names no condition"},
		"ConditionKnown":   {"a well-known rule brings its condition along", "condition: Complete", "condition: ''", ""},
		"UnquotedBool":     {"a YAML 1.1 reader takes this for a boolean", "{a: b}", "{a: yes}", "read as something else"},
		"WorkAnnotation":   {"an API server looks at the keys of annotations", "{a: b}", "{a: b}\n  annotations: {'a b': c}", "metadata.annotations: Invalid value"},
		"ServerCreated":    {"only a server writes these", "labels: {a: b}", "creationTimestamp: null", "only a server writes"},
		"NoNamespace":      {"a work lives in its cluster's namespace", "  namespace: edge1\n", "", "metadata.namespace: Required value"},
		"NoMetadata":       {"an object has metadata", "metadata: {namespace: shop, name: web}}", "data: {}}", "has no name"},
		"EmptyName":        {"an empty name is none", "name: web}}", "name: ''}}", "has no name"},
		"EmptyManifest":    {"nothing is no object either", manifest, "{}", "lacks apiVersion or kind"},
		"NullManifest":     {"nor is null", manifest, "null", "is no object"},
		"OddAPIVersion":    {"an embedded object has a group and a version", "apps/v1, kind", "a/b/c, kind", "apiVersion: unexpected GroupVersion"},
		"OddKind":          {"a kind is a word", "kind: Deployment", "kind: 'No Kind'", "kind: a DNS-1035 label"},
		"NumberedKind":     {"and text", "kind: Deployment", "kind: 5", "is no object"},
		"SlashInName":      {"an embedded name is part of a path", "name: web}}", "name: a/b}}", "metadata.name: Invalid value"},
		"DotsInName":       {"and does not lead away", "name: web}}", "name: ..}}", "metadata.name: Invalid value"},
		"EmbeddedSpace":    {"an embedded namespace is a DNS label", "namespace: shop, name: web}}", "namespace: Shop, name: web}}", "metadata.namespace: Invalid value"},
		"EmbeddedLabel":    {"embedded labels are labels", "name: web}}", "name: web, labels: {a: 'b c'}}}", "metadata.labels: Invalid value"},
		"EmbeddedNumber":   {"and text", "name: web}}", "name: web, labels: {a: 1}}}", "is no object"},
		"EmbeddedKey":      {"embedded annotations have keys", "name: web}}", "name: web, annotations: {a/b/c: d}}}", "metadata.annotations: Invalid value"},
		"EmbeddedNotes":    {"which hold 256 KiB at most", "name: web}}", "name: web, annotations: {a: " + strings.Repeat("x", 256<<10) + "}}}", "metadata.annotations: Too long"},
		"NoIdentifierName": {"a config without name matches nothing", "resource: deployments, namespace: shop, name: web", "resource: deployments, namespace: shop, name: ''", "lacks a resource or name"},
		"OtherGroup":       {"groups must be equal", "{group: apps, ", "{group: app, ", "not in this work"},
		"Wildcards":        {"names and namespaces may hold stars", "namespace: shop, name: web}\n    update", "namespace: 's*', name: '*e*'}\n    update", ""},
		"WildcardMisses":   {"which do not fit anything", "namespace: shop, name: web}\n    update", "namespace: 's*p', name: '*x*'}\n    update", "not in this work"},
		"WildcardFirst":    {"an object takes the first config that fits, stars or not", "  manifestConfigs:\n", "  manifestConfigs:\n  - resourceIdentifier: {group: apps, resource: deployments, namespace: '*', name: '*'}\n", "this is another"},
		"WildcardAlike":    {"unless that one says the same", config, strings.Replace(config, "name: web", "name: w*", 1) + config, ""},
		"WildcardSpares":   {"one that speaks for others too is of use", manifest + "\n  manifestConfigs:\n", manifest + "\n    - {apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: other}}\n  manifestConfigs:\n  - resourceIdentifier: {group: apps, resource: deployments, namespace: '*', name: o*}\n", ""},
		"TwoKinds":         {"two kinds of one name have a config each", manifest + "\n  manifestConfigs:\n", manifest + "\n    - {apiVersion: apps/v1, kind: DaemonSet, metadata: {namespace: shop, name: web}}\n  manifestConfigs:\n  - resourceIdentifier: {group: apps, resource: daemonsets, namespace: shop, name: web}\n", ""},
		"ScrapeType":       {"how to look is an enumeration", "    feedbackRules:", "    feedbackScrapeType: Ask\n    feedbackRules:", `feedbackScrapeType: unknown "Ask"`},
		"ScrapeTypeOK":     {"of two", "    feedbackRules:", "    feedbackScrapeType: Watch\n    feedbackRules:", ""},
		"DefaultStrategy":  {"no strategy is Update", "{type: CreateOnly}", "{}", ""},
		"OwnManager":       {"a field manager begins with the agent's", "{type: CreateOnly}", "{type: ServerSideApply, serverSideApply: {fieldManager: me}}", `fieldManager "me"`},
		"ApplyOK":          {"or is the agent's", "{type: CreateOnly}", "{type: ServerSideApply, serverSideApply: {fieldManager: work-agent-me, ignoreFields: [{condition: OnSpokeChange}, {condition: OnSpokePresent}]}}", ""},
		"ApplyElsewhere":   {"its options do nothing elsewhere", "{type: CreateOnly}", "{type: Update, serverSideApply: {force: true}}", "has no effect"},
		"IgnoreCondition":  {"when to ignore is an enumeration", "{type: CreateOnly}", "{type: ServerSideApply, serverSideApply: {ignoreFields: [{condition: Now}]}}", `unknown condition "Now"`},
		"IgnoreTwice":      {"and the list's key", "{type: CreateOnly}", "{type: ServerSideApply, serverSideApply: {ignoreFields: [{condition: OnSpokeChange}, {condition: OnSpokeChange}]}}", `a second "OnSpokeChange"`},
		"DeletePolicy":     {"policies are an enumeration", "spec:\n", "spec:\n  deleteOption: {propagationPolicy: Background}\n", `unknown policy "Background"`},
		"DeleteOK":         {"of three, or none", "spec:\n", "spec:\n  deleteOption: {propagationPolicy: Orphan, ttlSecondsAfterFinished: 5}\n", ""},
		"DeleteNothing":    {"no policy is Foreground", "spec:\n", "spec:\n  deleteOption: {}\n", ""},
		"OrphanRules":      {"rules go with their policy", "spec:\n", "spec:\n  deleteOption: {propagationPolicy: Orphan, selectivelyOrphans: {}}\n", "has no effect"},
		"OrphanOK":         {"and name objects of the work", "spec:\n", "spec:\n  deleteOption: {propagationPolicy: SelectivelyOrphan, selectivelyOrphans: {orphaningRules: [{group: apps, resource: deployments, namespace: shop, name: web}]}}\n", ""},
		"OrphanElsewhere":  {"not others", "spec:\n", "spec:\n  deleteOption: {propagationPolicy: SelectivelyOrphan, selectivelyOrphans: {orphaningRules: [{resource: deployments, name: web}]}}\n", "not in this work"},
		"OrphanNoResource": {"with resource and name", "spec:\n", "spec:\n  deleteOption: {propagationPolicy: SelectivelyOrphan, selectivelyOrphans: {orphaningRules: [{name: web}]}}\n", "orphaningRules[0]: lacks a resource"},
		"ExecutorType":     {"subjects are service accounts", "spec:\n", "spec:\n  executor: {subject: {type: User}}\n", `unknown subject type "User"`},
		"ExecutorUnnamed":  {"that are named", "spec:\n", "spec:\n  executor: {subject: {type: ServiceAccount}}\n", "names no service account"},
		"ExecutorName":     {"by DNS names", "spec:\n", "spec:\n  executor: {subject: {type: ServiceAccount, serviceAccount: {namespace: a, name: B}}}\n", `service account: "B"`},
		"ExecutorOK":       {"and then taken", "spec:\n", "spec:\n  executor: {subject: {type: ServiceAccount, serviceAccount: {namespace: a, name: b}}}\n", ""},
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

// TestViolationsOfEncodedSize goes over the steps of the length's own length: one byte up to 127, two up
// to 16383, three from there on, with a byte for the tag.
func TestViolationsOfEncodedSize(t *testing.T) {
	for length, encoded := range map[int]int{127: 129, 128: 131, 16383: 16386, 16384: 16388, 511999: 512003} {
		const empty = len(`{"apiVersion":"v1","kind":"C","metadata":{"name":"c"},"k":""}`)
		manifest := `{apiVersion: v1, kind: C, metadata: {name: c}, k: ` + strings.Repeat("v", length-empty) + "}"
		works := parse(t, "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {namespace: edge1, name: w}\n"+
			"spec: {workload: {manifests: ["+manifest+"]}}\n")
		if d := cmp.Diff([]string(nil), Violations(works, encoded)); d != "" {
			t.Errorf("%d bytes take %d encoded (-want +got):\n%s", length, encoded, d)
		}
		if got := Violations(works, encoded-1); len(got) != 1 {
			t.Errorf("%d bytes take no less than %d encoded: %q", length, encoded, got)
		}
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
