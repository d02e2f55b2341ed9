package control

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// selectorPlaces are the three places of a policy where a list of selectors stands, and their
// paths.
var selectorPlaces = []struct{ before, path string }{
	{"spec:\n  clusterSelectors: ", "spec.clusterSelectors"},
	{"spec:\n  downsync:\n  - resources: []\n    objectSelectors: ", "spec.downsync[0].objectSelectors"},
	{"spec:\n  downsync:\n  - resources: []\n    namespaceSelectors: ", "spec.downsync[0].namespaceSelectors"},
}

// someLabels are what fuzzed selectors are held against.
var someLabels = []map[string]string{nil, {"a": ""}, {"a": "b"}, {"a": "c", "x": "y"}, {"x": "y"}, {"kubernetes.io/metadata.name": "shop"}}

// FuzzSelectors reads a list of selectors, in JSON's syntax so that it fits anywhere, in each of
// the three places: they say the same about it, no element comes or goes, no selector is empty
// that was not written so, and what is accepted matches what its text says.
func FuzzSelectors(f *testing.F) {
	for _, text := range []string{
		`[]`, `[{}]`, `[{}, {}]`, `[null]`, `[{}, null]`, `null`, `{}`, `""`, `[[]]`, `["{}"]`, `[1]`,
		`[{"matchLabels": null}]`, `[{"matchLabels": {}}]`, `[{"matchLabels": {"a": null}}]`, `[{"matchLabels": {"a": 1}}]`, `[{"matchLabels": []}]`,
		`[{"matchLabels": {"a": ""}}]`, `[{"matchLabels": {"a": "b", "x": "y"}}]`, `[{"matchlabels": {"a": "b"}}]`,
		`[{"matchExpressions": null}]`, `[{"matchExpressions": [null]}]`, `[{"matchExpressions": {}}]`, `[{"matchExpressions": [{}]}]`,
		`[{"matchExpressions": [{"key": "a", "operator": "In", "values": ["b", "c"]}]}]`,
		`[{"matchExpressions": [{"key": "a", "operator": "In", "values": [null]}]}]`,
		`[{"matchExpressions": [{"key": "a", "operator": "NotIn", "values": ["b"]}, {"key": "x", "operator": "Exists"}]}]`,
		`[{"matchExpressions": [{"key": "a", "operator": "DoesNotExist", "values": []}]}]`,
		`[{"matchExpressions": [{"key": "a", "operator": "exists"}]}]`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\n\r") {
			return // it would leave its place
		}
		var first []metav1.LabelSelector
		var faults []string
		for i, place := range selectorPlaces {
			objs, err := krm.Read("fuzz.yaml", []byte(head+"kind: BindingPolicy\nmetadata: {name: a}\n"+place.before+text+"\n"), krm.Limits{Nodes: 10_000})
			if err != nil || len(objs) != 1 {
				return
			}
			p, errs := DecodeBindingPolicy(objs[0])
			got := below(errs, place.path)
			if i == 0 {
				faults = got
			}
			if d := cmp.Diff(faults, got); d != "" {
				t.Fatalf("the places differ in what they refuse (-clusterSelectors +%s):\n%s", place.path, d)
			}
			if len(errs) > 0 {
				continue
			}
			list := selectorsOf(p)[i]
			if i == 0 {
				first = list
			}
			if d := cmp.Diff(first, list); d != "" {
				t.Fatalf("the places differ in what they read (-clusterSelectors +%s):\n%s", place.path, d)
			}
			checkSelectors(t, objs[0], strings.Split(strings.NewReplacer("[0]", "").Replace(place.path), "."), list)
		}
	})
}

// below is errs as text, with paths that begin where the selectors do.
func below(errs field.ErrorList, path string) (out []string) {
	for _, e := range errs {
		out = append(out, strings.Replace(e.Error(), path, "", 1))
	}
	return out
}

// selectorsOf are the lists of p in the order of selectorPlaces.
func selectorsOf(p *BindingPolicy) [3][]metav1.LabelSelector {
	out := [3][]metav1.LabelSelector{p.Spec.ClusterSelectors}
	if len(p.Spec.Downsync) > 0 {
		out[1], out[2] = p.Spec.Downsync[0].ObjectSelectors, p.Spec.Downsync[0].NamespaceSelectors
	}
	return out
}

// checkSelectors holds selectors that were accepted against the document they were read from.
func checkSelectors(t *testing.T, o *krm.Object, path []string, list []metav1.LabelSelector) {
	v, err := krm.Value(o.Node())
	if err != nil {
		t.Fatalf("accepted, but JSON cannot hold it: %v", err)
	}
	for _, key := range path {
		if v = v.(map[string]any)[key]; key == "downsync" {
			v = v.([]any)[0]
		}
	}
	written, _ := v.([]any) // nil for null, the only other thing that is accepted
	if v != nil && written == nil || len(written) != len(list) {
		t.Fatalf("%#v was read as %d selectors", v, len(list))
	}
	for i := range list {
		s, errs := CompileSelector(&list[i], nil)
		if len(errs) > 0 {
			t.Fatalf("accepted, but: %v", errs)
		}
		for _, set := range someLabels {
			if want := saysMatch(written[i].(map[string]any), set); s.Matches(labels.Set(set)) != want {
				t.Errorf("%v and labels %v: want %t", written[i], set, want)
			}
		}
	}
}

// saysMatch reads a selector as plain data, word by word.
func saysMatch(s map[string]any, set map[string]string) bool {
	all, _ := s["matchLabels"].(map[string]any)
	for key, value := range all {
		if got, ok := set[key]; !ok || got != value {
			return false
		}
	}
	expressions, _ := s["matchExpressions"].([]any)
	for _, e := range expressions {
		e := e.(map[string]any)
		got, there := set[e["key"].(string)]
		values, _ := e["values"].([]any)
		in := there && slices.Contains(values, any(got))
		switch e["operator"] {
		case "In":
			there = in
		case "NotIn":
			there = !in
		case "DoesNotExist":
			there = !there
		}
		if !there {
			return false
		}
	}
	return true
}
