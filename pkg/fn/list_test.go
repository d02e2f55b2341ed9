package fn

import (
	"errors"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/waybill-dev/waybill/pkg/krm"
)

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"

// raw is one object as text, "" for none.
func raw(t testing.TB, o *krm.Object) string {
	t.Helper()
	if o == nil {
		return ""
	}
	data, err := krm.WriteRaw(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func rawAll(t testing.TB, items []*krm.Object) (out []string) {
	t.Helper()
	for _, o := range items {
		out = append(out, raw(t, o))
	}
	return out
}

func TestParseList(t *testing.T) {
	cases := map[string]struct {
		reason, in string
		items      []string
		config     string
	}{
		"items":              {"items and config", head + "items:\n- a: 1\n- b: 2\nfunctionConfig:\n  c: 3\n", []string{"a: 1\n", "b: 2\n"}, "c: 3\n"},
		"legacy version":     {"v1alpha1 is understood", "apiVersion: config.kubernetes.io/v1alpha1\nkind: ResourceList\nitems:\n- a: 1\n", []string{"a: 1\n"}, ""},
		"no items":           {"an empty list is a list", head + "items: []\n", nil, ""},
		"null items":         {"so is null", head + "items:\n", nil, ""},
		"empty config":       {"{} is no config", head + "items: []\nfunctionConfig: {}\n", nil, ""},
		"null config":        {"nor is null", head + "items: []\nfunctionConfig: null\n", nil, ""},
		"JSON":               {"JSON is YAML", `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[{"a":1}],"functionConfig":null}`, []string{"{\"a\": 1}\n"}, ""},
		"separators":         {"documents without an object do no harm", "# generated\n---\n" + head + "items:\n- a: 1\n---\n", []string{"a: 1\n"}, ""},
		"alias item":         {"each item is an object of its own", head + "items:\n- &x\n  a: 1\n- *x\n", []string{"&x\na: 1\n", "&x\na: 1\n"}, ""},
		"alias across items": {"an item is whole without the others", head + "items:\n- a: &x {v: 1}\n- b: *x\nfunctionConfig: {c: *x}\n", []string{"a: &x {v: 1}\n", "b: {v: 1}\n"}, "{c: {v: 1}}\n"},
		"comments":           {"comments of items stay with them", head + "items:\n# one\n- a: 1 # line\n  # foot\n- # two\n  b: 2\n", []string{"# one\na: 1 # line\n# foot\n", "# two\nb: 2\n"}, ""},
		"results":            {"results of an earlier function are read, not kept as items", head + "items: []\nresults:\n- message: m\n", nil, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			l, err := ParseList([]byte(c.in))
			if err != nil {
				t.Fatalf("%s: %v", c.reason, err)
			}
			if d := cmp.Diff(c.items, rawAll(t, l.Items)); d != "" {
				t.Errorf("%s: items (-want +got):\n%s", c.reason, d)
			}
			if d := cmp.Diff(c.config, raw(t, l.Config)); d != "" {
				t.Errorf("%s: config (-want +got):\n%s", c.reason, d)
			}
			checkList(t, l)
		})
	}
}

// checkWrite writes l, and holds that to write items one by one is to write them together, but for a
// blank line at the very end, which the library leaves behind a comment only if something follows.
func checkWrite(t testing.TB, l *List) []byte {
	t.Helper()
	data, at, err := l.WriteItems()
	if err != nil {
		t.Fatal(err)
	}
	together, err := l.encode(l.Items)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.TrimRight(string(together), "\n"), strings.TrimRight(string(data), "\n")); d != "" {
		t.Fatalf("one by one items are written otherwise (-together +one by one):\n%s", d)
	}
	for i := range len(at) - 1 {
		if end := at[i+1]; data[end-1] != '\n' || end < len(data) && data[end] == ' ' {
			t.Fatalf("item %d is said to be %q", i, data[at[i]:end])
		}
	}
	return data
}

// checkList holds that a list comes back as it was sent.
func checkList(t *testing.T, l *List) {
	t.Helper()
	data := checkWrite(t, l)
	again, err := ParseList(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if d := cmp.Diff(rawAll(t, l.Items), rawAll(t, again.Items)); d != "" {
		t.Errorf("items sent and received differ (-sent +received):\n%s", d)
	}
	if d := cmp.Diff(raw(t, l.Config)+l.APIVersion, raw(t, again.Config)+again.APIVersion); d != "" {
		t.Errorf("config or version sent and received differ:\n%s", d)
	}
	if d := cmp.Diff(l.Results, again.Results); d != "" {
		t.Errorf("results sent and received differ:\n%s", d)
	}
}

func TestParseListRefuses(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"nothing":          {"a function that printed nothing", "", "it is empty"},
		"comment":          {"nor anything but comments", "# hello\n", "it is empty"},
		"no YAML":          {"a message where a list should be", "Error: no\n such: x", "ResourceList: document 1, line 2: not valid YAML: mapping values are not allowed in this context"},
		"no object":        {"a list of its own", "- a: 1\n", "ResourceList: document 1, line 1: is not an object (a mapping of fields)"},
		"kind List":        {"kpt takes it, we do not: it has no results", "apiVersion: v1\nkind: List\nitems: []\n", `kind is "List"`},
		"an object":        {"a function that printed one object", "apiVersion: v1\nkind: ConfigMap\n", `kind is "ConfigMap"`},
		"version":          {"an unknown version", "apiVersion: config.kubernetes.io/v2\nkind: ResourceList\nitems: []\n", `apiVersion is "config.kubernetes.io/v2", want "config.kubernetes.io/v1"`},
		"no version":       {"kind alone is not enough", "kind: ResourceList\nitems: []\n", `apiVersion is "", want "config.kubernetes.io/v1"`},
		"no items":         {"a list without items would delete everything", head, "it has no items field"},
		"items no list":    {"a map", head + "items: {}\n", "line 3: items is not a list"},
		"items text":       {"nor text", head + "items: ''\n", "line 3: items is not a list"},
		"item no object":   {"text among the items", head + "items:\n- a: 1\n- text\n", "line 5: items[1] is not an object"},
		"item null":        {"a hole among the items", head + "items:\n-\n", "line 4: items[0] is not an object"},
		"two lists":        {"the second would be lost", head + "items: []\n---\n" + head + "items: []\n", "it is followed by another object in line 5"},
		"results text":     {"text", head + "items: []\nresults: fine\n", "line 4: results is not a list"},
		"result no object": {"a result is an object", head + "items: []\nresults:\n- fine\n", "line 5: results[0]: object: Invalid value: want a map, got text"},
		"result type":      {"a wrong type names its field", head + "items: []\nresults:\n- message: m\n- file: {path: p, index: first}\n", "line 6: results[1]: file.index: Invalid value: want a whole number, got text"},
		"duplicate":        {"bounds hold inside lists", head + "items:\n- a: 1\n  a: 2\n", `ResourceList: document 1, line 5: field "a" is given twice (first 1 lines above); remove one`},
		"bomb":             {"aliases do not multiply inside lists either", head + "items:\n- a: &a [" + strings.Repeat("x, ", 1000) + "]\n  b: &b [" + strings.Repeat("*a, ", 1000) + "]\n  c: [*b, *b]\n", "ResourceList: document 1, line 5: with this alias, aliases stand for more than the 122320 bytes allowed; write out what they stand for"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := ReadList(strings.NewReader(c.in))
			if err == nil {
				t.Fatalf("%s: want an error", c.reason)
			}
			if d := cmp.Diff("input is not a ResourceList: "+c.want, err.Error()); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			if !errors.Is(err, ErrNotResourceList) {
				t.Errorf("%s: want ErrNotResourceList", c.reason)
			}
		})
	}
}

func TestResults(t *testing.T) {
	full := &sdk.Result{Message: "m", Severity: sdk.Error, ResourceRef: &sdk.ResourceRef{APIVersion: "v1", Kind: "ConfigMap", Name: "n", Namespace: "s"},
		Field: &sdk.Field{Path: "a.b", CurrentValue: "0", ProposedValue: "1"}, File: &sdk.File{Path: "f.yaml", Index: 2}, Tags: map[string]string{"rule": "R7"}}
	cases := map[string]struct {
		reason, in string
		want       sdk.Results
	}{
		"full":               {"every field", "- message: m\n  severity: error\n  resourceRef: {apiVersion: v1, kind: ConfigMap, name: n, namespace: s}\n  field: {path: a.b, currentValue: '0', proposedValue: '1'}\n  file: {path: f.yaml, index: 2}\n  tags: {rule: R7}\n", sdk.Results{full}},
		"legacy list":        {"results in a map of name and items", "name: mine\nitems:\n- message: m\n  severity: warning\n", sdk.Results{{Message: "m", Severity: sdk.Warning}}},
		"legacy list, empty": {"a map without items", "name: mine\n", nil},
		"legacy reference":   {"names under metadata", "- message: m\n  resourceRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: n, namespace: s}}\n", sdk.Results{{Message: "m", Severity: sdk.Info, ResourceRef: full.ResourceRef}}},
		"half and half":      {"the present form wins, the old one fills gaps", "- message: m\n  resourceRef: {apiVersion: v1, kind: ConfigMap, name: n, metadata: {name: x, namespace: s}}\n", sdk.Results{{Message: "m", Severity: sdk.Info, ResourceRef: full.ResourceRef}}},
		"suggested value":    {"the old name of the proposed value", "- message: m\n  severity: error\n  field: {path: a.b, currentValue: '0', suggestedValue: '1'}\n", sdk.Results{{Message: "m", Severity: sdk.Error, Field: full.Field}}},
		"values of any kind": {"trees and numbers are values too", "- message: m\n  field: {path: a, currentValue: {b: [1]}, proposedValue: 2}\n", sdk.Results{{Message: "m", Severity: sdk.Info, Field: &sdk.Field{Path: "a", CurrentValue: map[string]any{"b": []any{1.0}}, ProposedValue: 2.0}}}},
		"no severity":        {"means info", "- message: m\n", sdk.Results{{Message: "m", Severity: sdk.Info}}},
		"unknown fields":     {"from newer functions", "- message: m\n  code: 7\n", sdk.Results{{Message: "m", Severity: sdk.Info}}},
		"null":               {"is none", "null\n", nil},
		"none":               {"an empty list", "[]\n", sdk.Results{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			l, err := ParseList([]byte(head + "items: []\nresults:\n  " + strings.ReplaceAll(c.in, "\n", "\n  ") + "\n"))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, l.Results); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			if len(l.Results) > 0 {
				checkList(t, l)
			}
		})
	}
}

func TestFormatResult(t *testing.T) {
	ref := &sdk.ResourceRef{Kind: "Deployment", Namespace: "shop", Name: "web"}
	cases := map[string]struct {
		reason string
		in     *sdk.Result
		want   string
	}{
		"full":    {"in reading order", &sdk.Result{Message: "too few", Severity: sdk.Error, ResourceRef: ref, File: &sdk.File{Path: "a.yaml"}, Field: &sdk.Field{Path: "spec.replicas"}}, "[error] Deployment shop/web (a.yaml) spec.replicas: too few"},
		"bare":    {"a message alone", &sdk.Result{Message: "hello"}, "[info] hello"},
		"lines":   {"one line for any message", &sdk.Result{Message: "a\nb", Severity: sdk.Warning}, "[warning] a b"},
		"no echo": {"a path that the message begins with is said once", &sdk.Result{Message: "spec.x: bad", Severity: sdk.Error, Field: &sdk.Field{Path: "spec.x"}}, "[error] spec.x: bad"},
	}
	for name, c := range cases {
		if d := cmp.Diff(c.want, FormatResult(c.in)); d != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, c.reason, d)
		}
	}
}

// FuzzParseList checks that a list that is accepted is written as it was read.
func FuzzParseList(f *testing.F) {
	f.Add([]byte(head + "items:\n- a: &x {v: 1} # c\n- b: *x\nfunctionConfig: {c: *x}\nresults:\n- message: m\n  field: {path: p, currentValue: [1]}\n"))
	f.Add([]byte(head + "items:\n# h\n- a: 1 # l\n  b:\n    c: 2\n    # f\n\n# g\n\n- {d: 3} # m\n# n\n- e: |+\n    x\n\n- [1]\nfunctionConfig: {c: d}\n"))
	f.Add([]byte(head + "items: []\nresults: {name: n, items: [{message: m, resourceRef: {metadata: {name: n}}}]}\n"))
	f.Add([]byte(`{"apiVersion":"config.kubernetes.io/v1alpha1","kind":"ResourceList","items":[{"a":null}]}`))
	f.Add([]byte(head + "items:\n- a: 1\n  # f\n\n# g\n\n- {d: 3} # m\n#:\n    "))
	for _, bad := range []string{"", "- a: 1\n", head, head + "items:\n-\n", head + "items: []\nresults: fine\n", head + "items:\n- &a\n  b: *a\n", head + "items:\n- a: 1\n  a: 2\n"} {
		f.Add([]byte(bad))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := ParseList(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || l != nil {
				t.Fatalf("want one line and no list: %q", err)
			}
			return
		}
		out := checkWrite(t, l)
		again, err := ParseList(out)
		if err != nil || len(again.Items) != len(l.Items) || len(again.Results) != len(l.Results) || again.APIVersion != l.APIVersion {
			t.Fatalf("sent %d items, %d results: %v\n%s", len(l.Items), len(l.Results), err, out)
		}
		for i, o := range l.Items {
			if !krm.Equivalent(o.Node(), again.Items[i].Node()) {
				t.Fatalf("item %d came back as other data:\n%s", i, out)
			}
		}
		if (l.Config == nil) != (again.Config == nil) || l.Config != nil && !krm.Equivalent(l.Config.Node(), again.Config.Node()) {
			t.Fatalf("the config came back as other data:\n%s", out)
		}
		if d := cmp.Diff(l.Results, again.Results, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("results sent and received differ:\n%s", d)
		}
	})
}

// TestListWithLargeItem refuses an item of a list that would be too much for a file, within a list that is not.
func TestListWithLargeItem(t *testing.T) {
	item := "- a: [" + strings.Repeat("1,", 300_000) + "]\n  b: [" + strings.Repeat("1,", 199_993) + "]\n"
	head := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- kind: A\n"
	if _, err := ParseList([]byte(head + item)); err != nil {
		t.Error("within:", err)
	}
	item = strings.Replace(item, "[1,", "[1,1,1,1,", 1)
	want := "input is not a ResourceList: line 5: items[1] holds 500001 values, more than the 500000 allowed in one object; split it into several"
	if _, err := ParseList([]byte(head + item)); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
