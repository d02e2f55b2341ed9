package transform

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
)

// customTransform writes one with the given name and spec lines.
func customTransform(name, spec string) string {
	return "apiVersion: control.kubestellar.io/v1alpha1\nkind: CustomTransform\nmetadata: {name: " + name + "}\nspec: " + spec + "\n---\n"
}

func summary(rs sdk.Results) (out []string) {
	for _, r := range rs {
		at := ""
		if r.Field != nil {
			at = " " + r.Field.Path
		}
		out = append(out, fmt.Sprintf("%s %s%s: %s", r.Severity, r.ResourceRef.Name, at, r.Message))
	}
	return out
}

const shared = "multiple CustomTransform objects specify the same GroupResource; their names are map[a:{} b:{}]"

func TestParseSet(t *testing.T) {
	cases := map[string]struct {
		reason        string
		in            string
		want, lenient []string // lenient: nil means as want
	}{
		"good": {
			reason: "nothing to say",
			in:     customTransform("a", `{apiGroup: "", resource: configmaps, remove: [$.data.x]}`),
		},
		"parse error": {
			reason:  "an error by default, a warning on request",
			in:      customTransform("a", `{apiGroup: apps, resource: deployments, remove: [$.spec.x, "$.a[*]", "", $]}`),
			want:    []string{"error a spec.remove[1]: Error in spec.remove[1]: syntax error at 4: expected open quote, got '*'", "error a spec.remove[2]: Error in spec.remove[2]: EOF", "error a spec.remove[3]: Invalid spec.remove[3]: it identifies the whole object"},
			lenient: []string{"warning a spec.remove[1]: Error in spec.remove[1]: syntax error at 4: expected open quote, got '*'", "warning a spec.remove[2]: Error in spec.remove[2]: EOF", "warning a spec.remove[3]: Invalid spec.remove[3]: it identifies the whole object"},
		},
		"order": {
			reason:  "errors come as they stand in the list, the eleventh after the third",
			in:      customTransform("a", `{apiGroup: apps, resource: deployments, remove: [$.a, $.a, "", $.a, $.a, $.a, $.a, $.a, $.a, $.a, ""]}`),
			want:    []string{"error a spec.remove[2]: Error in spec.remove[2]: EOF", "error a spec.remove[10]: Error in spec.remove[10]: EOF"},
			lenient: []string{"warning a spec.remove[2]: Error in spec.remove[2]: EOF", "warning a spec.remove[10]: Error in spec.remove[10]: EOF"},
		},
		"identity": {
			reason: "always an error",
			in:     customTransform("a", `{apiGroup: apps, resource: deployments, remove: [$.apiVersion, $.kind, '$["metadata"]', $.metadata.name, $.metadata.namespace, $.metadata.labels, $.spec]}`),
			want: []string{
				"error a spec.remove[0]: Invalid spec.remove[0]: it removes $.apiVersion, without which the object cannot be identified",
				"error a spec.remove[1]: Invalid spec.remove[1]: it removes $.kind, without which the object cannot be identified",
				"error a spec.remove[2]: Invalid spec.remove[2]: it removes $.metadata, without which the object cannot be identified",
				"error a spec.remove[3]: Invalid spec.remove[3]: it removes $.metadata.name, without which the object cannot be identified",
				"error a spec.remove[4]: Invalid spec.remove[4]: it removes $.metadata.namespace, without which the object cannot be identified",
			},
		},
		"shared resource": {
			reason: "a warning on each, and only on those",
			in: customTransform("b", `{apiGroup: apps, resource: deployments, remove: [$.spec.x]}`) +
				customTransform("c", `{apiGroup: apps, resource: daemonsets, remove: [$.spec.x]}`) +
				customTransform("a", `{apiGroup: apps, resource: deployments, remove: []}`),
			want: []string{"warning a: " + shared, "warning b: " + shared},
		},
		"fields": {
			reason: "every fault at its own path, absent and null alike",
			in: customTransform("a", `{apiGroup: null, remove: []}`) +
				customTransform("b", `{apiGroup: "", resource: pods, remove: [null], removes: []}`) +
				customTransform("c", `{apiGroup: "", resource: pods, remove: [null, 3, $.kind, $.a]}`) +
				customTransform("d", `{apiGroup: 3, resource: pods}`) +
				customTransform("e", `null`),
			want: []string{
				`error a spec.apiGroup: spec.apiGroup: Required value: name the API group; "" is the core group`,
				`error a spec.resource: spec.resource: Required value: name the resource by its plural, such as "deployments"`,
				"error b spec.remove[0]: spec.remove[0]: Required value: the element is null; write it out or remove it",
				"error b spec.removes: spec.removes: Forbidden: unknown field",
				"error c spec.remove[0]: spec.remove[0]: Required value: the element is null; write it out or remove it",
				`error c spec.remove[1]: spec.remove[1]: Invalid value: "3": want text`,
				"error c spec.remove[2]: Invalid spec.remove[2]: it removes $.kind, without which the object cannot be identified",
				`error d spec.apiGroup: spec.apiGroup: Invalid value: "3": want text`,
				`error e spec.apiGroup: spec.apiGroup: Required value: name the API group; "" is the core group`,
				`error e spec.resource: spec.resource: Required value: name the resource by its plural, such as "deployments"`,
			},
		},
		"twins": {
			reason: "a name is one object's, whatever the two ask for",
			in: customTransform("a", `{apiGroup: apps, resource: daemonsets}`) +
				customTransform("a", `{apiGroup: apps, resource: deployments}`),
			want: []string{"error a metadata.name: two CustomTransforms have this name, also CustomTransform a (test.yaml)"},
		},
		"version and spec": {
			reason: "what is no v1alpha1 or has no spec is not guessed at",
			in:     "apiVersion: control.kubestellar.io/v2\nkind: CustomTransform\nmetadata: {name: a}\n---\napiVersion: control.kubestellar.io/v1alpha1\nkind: CustomTransform\nmetadata: {name: b}\n",
			want: []string{
				`error a apiVersion: apiVersion: Unsupported value: "control.kubestellar.io/v2": supported values: "control.kubestellar.io/v1alpha1"`,
				"error b spec: spec: Required value: say what to remove, and from which resource",
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			items := readAll(t, tc.in)
			_, results := ParseSet(items)
			if d := cmp.Diff(tc.want, summary(results)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			if tc.lenient == nil {
				tc.lenient = tc.want
			}
			_, results = ParseSetLenient(items)
			if d := cmp.Diff(tc.lenient, summary(results)); d != "" {
				t.Errorf("%s, lenient (-want +got):\n%s", tc.reason, d)
			}
			slices.Reverse(items)
			_, again := ParseSetLenient(items)
			if d := cmp.Diff(summary(results), summary(again)); d != "" {
				t.Errorf("law broken: the order of items does not matter (-forward +reversed):\n%s", d)
			}
		})
	}
}

func TestApply(t *testing.T) {
	const head = "apiVersion: apps/v1\nkind: Deployment\n"
	cases := map[string]struct {
		reason   string
		remove   []string
		in, want string // want "": unchanged
	}{
		"fields and comments": {
			reason: "the member goes with its own comment, its neighbours keep theirs",
			remove: []string{`$.spec.host`},
			in:     head + "metadata: {name: a}\nspec:\n  # gone\n  host: x # gone\n  # stays\n  port: 1 # stays\n",
			want:   head + "metadata: {name: a}\nspec:\n  # stays\n  port: 1 # stays\n",
		},
		"emptied parent": {
			reason: "it stays as {}",
			remove: []string{`$.spec.a.b`},
			in:     head + "metadata: {name: a}\nspec:\n  a:\n    b: 1\n",
			want:   head + "metadata: {name: a}\nspec:\n  a: {}\n",
		},
		"absent": {
			reason: "a path that leads nowhere does nothing",
			remove: []string{`$.spec.a.b`, `$.x.y`, `$.metadata.name.x`, `$.spec.list["0"]`},
			in:     head + "metadata: {name: a}\nspec: {list: [1], a: text}\n",
		},
		"null member": {
			reason: "a null is there and can go",
			remove: []string{`$.spec.a`},
			in:     head + "metadata: {name: a}\nspec: {a: null, b: 1}\n",
			want:   head + "metadata: {name: a}\nspec: {b: 1}\n",
		},
		"nested paths": {
			reason: "removals commute",
			remove: []string{`$.spec.a.b`, `$.spec.a`, `$.spec.a.c`},
			in:     head + "metadata: {name: a}\nspec: {a: {b: 1, c: 2}, d: 3}\n",
			want:   head + "metadata: {name: a}\nspec: {d: 3}\n",
		},
		"one annotation": {
			reason: "keys with dots and slashes",
			remove: []string{`$.metadata.annotations["example.io/issued-by"]`},
			in:     head + "metadata: {name: a, annotations: {example.io/issued-by: x, b: c}}\n",
			want:   head + "metadata: {name: a, annotations: {b: c}}\n",
		},
		"all annotations": {
			reason: "those of the pipeline survive",
			remove: []string{`$.metadata.annotations`},
			in:     head + "metadata: {name: a, annotations: {b: c, config.kubernetes.io/index: '0', internal.config.kubernetes.io/path: p, waybill.dev/origin: o}}\n",
			want:   head + "metadata: {name: a, annotations: {config.kubernetes.io/index: '0', internal.config.kubernetes.io/path: p, waybill.dev/origin: o}}\n",
		},
		"all annotations, none of the pipeline": {
			reason: "the map goes",
			remove: []string{`$.metadata.annotations`},
			in:     head + "metadata: {name: a, annotations: {b: c}}\n",
			want:   head + "metadata: {name: a}\n",
		},
		"all annotations, null": {
			reason: "a null map goes",
			remove: []string{`$.metadata.annotations`},
			in:     head + "metadata: {name: a, annotations: null}\n",
			want:   head + "metadata: {name: a}\n",
		},
		"a path annotation": {
			reason: "it is not the user's to remove",
			remove: []string{`$.metadata.annotations["internal.config.kubernetes.io/path"]`},
			in:     head + "metadata: {name: a, annotations: {internal.config.kubernetes.io/path: p}}\n",
		},
		"other resource": {
			reason: "an object of another group or resource is left alone",
			in:     head + "metadata: {name: a}\nspec: {elsewhere: 1}\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			quoted := "'" + strings.Join(tc.remove, "', '") + "'"
			s, results := ParseSet(readAll(t,
				customTransform("x", "{apiGroup: apps, resource: deployments, remove: ["+strings.TrimPrefix(quoted, "''")+"]}")+
					customTransform("y", "{apiGroup: '', resource: deployments, remove: [$.spec.elsewhere]}")+
					customTransform("z", "{apiGroup: apps, resource: daemonsets, remove: [$.spec.elsewhere]}")))
			if len(results) > 0 {
				t.Fatalf("unexpected results: %v", summary(results))
			}
			o, want := read(t, tc.in), tc.want
			if want == "" {
				want = tc.in
			}
			changed := s.Apply(o, "apps", "deployments")
			if d := cmp.Diff(want, write(t, o)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			if changed != (tc.want != "") {
				t.Errorf("%s: Apply reports %v", tc.reason, changed)
			}
			if s.Apply(o, "apps", "deployments") {
				t.Errorf("law broken: applying twice is applying once; the second time removed something from\n%s", write(t, o))
			}
		})
	}
}

func TestLenientSetStillApplies(t *testing.T) {
	s, _ := ParseSetLenient(readAll(t, customTransform("x", "{apiGroup: '', resource: pods, remove: [bad, $.spec.x]}")))
	o := read(t, "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {x: 1, y: 2}\n")
	s.Apply(o, "", "pods")
	if d := cmp.Diff("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {y: 2}\n", write(t, o)); d != "" {
		t.Errorf("the valid paths of a CustomTransform apply although one is bad (-want +got):\n%s", d)
	}
}
