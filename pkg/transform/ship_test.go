package transform

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShip(t *testing.T) {
	cases := map[string]struct {
		reason    string
		namespace string
		in, want  string
	}{
		"annotations of the pipeline": {
			reason: "they never reach a cluster, others do",
			in:     "apiVersion: v1\nkind: X\nmetadata:\n  name: a\n  annotations:\n    b: c\n    waybill.dev/origin: o\n    config.kubernetes.io/path: p\n    internal.config.kubernetes.io/index: '0'\n    control.kubestellar.io/expand-templates: 'true'\n",
			want:   "apiVersion: v1\nkind: X\nmetadata:\n  name: a\n  annotations:\n    b: c\n    control.kubestellar.io/expand-templates: 'true'\n",
		},
		"emptied annotations": {
			reason: "the map goes when it becomes empty",
			in:     "apiVersion: v1\nkind: X\nmetadata: {name: a, annotations: {waybill.dev/origin: o}}\n",
			want:   "apiVersion: v1\nkind: X\nmetadata: {name: a}\n",
		},
		"empty annotations": {
			reason: "the map goes when Clean left it empty",
			in:     "apiVersion: v1\nkind: X\nmetadata: {name: a, annotations: {}}\n",
			want:   "apiVersion: v1\nkind: X\nmetadata: {name: a}\n",
		},
		"creationTimestamp": {
			reason: "it is the server's; one in a pod template is the user's",
			in:     "apiVersion: v1\nkind: X\nmetadata: {creationTimestamp: null, name: a}\nspec: {template: {metadata: {creationTimestamp: null}}}\n",
			want:   "apiVersion: v1\nkind: X\nmetadata: {name: a}\nspec: {template: {metadata: {creationTimestamp: null}}}\n",
		},
		"default namespace": {
			reason:    "a namespaced object without namespace gets one, after its name",
			namespace: "default",
			in:        "apiVersion: v1\nkind: X\nmetadata:\n  name: a\n  labels: {b: c}\n",
			want:      "apiVersion: v1\nkind: X\nmetadata:\n  name: a\n  namespace: default\n  labels: {b: c}\n",
		},
		"empty namespace": {
			reason:    "an empty or null namespace is none",
			namespace: "default",
			in:        "apiVersion: v1\nkind: X\nmetadata: {namespace: null, name: a}\n",
			want:      "apiVersion: v1\nkind: X\nmetadata: {name: a, namespace: default}\n",
		},
		"own namespace": {
			reason:    "one that is there stays",
			namespace: "default",
			in:        "apiVersion: v1\nkind: X\nmetadata: {namespace: shop, name: a}\n",
			want:      "apiVersion: v1\nkind: X\nmetadata: {namespace: shop, name: a}\n",
		},
		"comments and aliases": {
			reason: "comments belong to the source file; anchors could collide inside a work",
			in:     "# top\napiVersion: v1 # c\nkind: X\nmetadata: {name: a}\nspec:\n  # d\n  a: &x 1\n  b: *x\n",
			want:   "apiVersion: v1\nkind: X\nmetadata: {name: a}\nspec:\n  a: 1\n  b: 1\n",
		},
		"no metadata": {
			reason:    "nothing to put a namespace into",
			namespace: "default",
			in:        "apiVersion: v1\nkind: X\n",
			want:      "apiVersion: v1\nkind: X\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := read(t, tc.in)
			before := write(t, o)
			got := Ship(o, tc.namespace)
			if d := cmp.Diff(tc.want, write(t, got)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			if d := cmp.Diff(before, write(t, o)); d != "" {
				t.Errorf("law broken: Ship leaves its object alone (-before +after):\n%s", d)
			}
			if d := cmp.Diff(write(t, got), write(t, Ship(got, tc.namespace))); d != "" {
				t.Errorf("law broken: shipping twice is shipping once (-once +twice):\n%s", d)
			}
		})
	}
}

const digested = `
				apiVersion: apps/v1
				kind: Deployment
				metadata:
				  name: web
				  uid: 0f0e
				  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}", internal.config.kubernetes.io/path: p}
				spec: {replicas: 2, host: x}
				status: {}
				`

func TestDigest(t *testing.T) {
	s, _ := ParseSet(readAll(t, customTransform("x", "{apiGroup: apps, resource: deployments, remove: [$.spec.host]}")))
	digest := func(text string) string { return Digest(read(t, text), "default", "apps", "deployments", s) }
	base := digest(digested)
	// SHA-256 of {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default"},"spec":{"replicas":2}}
	if d := cmp.Diff("7765a774ed75ac44", base); d != "" {
		t.Errorf("the digest is an interface; Bindings in Git hold it (-want +got):\n%s", d)
	}
	cases := map[string]struct {
		reason string
		text   string
		same   bool
	}{
		"as it ships":       {"cleaned, removed and shipped it is the same object", "kind: Deployment\napiVersion: apps/v1\nmetadata: {namespace: default, name: web}\nspec:\n  # why\n  replicas: 2\n", true},
		"another number":    {"a change that ships shows", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n", false},
		"text for a number": {"types are part of it", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: '2'}\n", false},
		"another namespace": {"the namespace is part of it", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {replicas: 2}\n", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := digest(tc.text); (got == base) != tc.same {
				t.Errorf("%s: digest %s, base %s", tc.reason, got, base)
			}
		})
	}
	t.Run("in place", func(t *testing.T) {
		o := read(t, digested)
		Clean(o, Options{})
		s.Apply(o, "apps", "deployments")
		if d := cmp.Diff(base, Digest(o, "default", "apps", "deployments", s)); d != "" {
			t.Errorf("law broken: transforming in place does not change the digest (-before +after):\n%s", d)
		}
	})
	t.Run("nil set", func(t *testing.T) {
		if got := Digest(read(t, digested), "default", "apps", "deployments", nil); !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(got) || got == base {
			t.Errorf("without CustomTransforms the host ships, so the digest differs: got %s, with them %s", got, base)
		}
	})
}

func TestDigestOfWhatJSONCannotHold(t *testing.T) {
	a := Digest(read(t, "apiVersion: v1\nkind: X\nmetadata: {name: a}\nspec: .nan\n"), "", "", "xs", nil)
	b := Digest(read(t, "apiVersion: v1\nkind: X\nmetadata: {name: a}\nspec: 1\n"), "", "", "xs", nil)
	if a == b || len(a) != 16 {
		t.Errorf("a number that JSON cannot hold still has a digest of its own: %q and %q", a, b)
	}
}

func BenchmarkDigest(b *testing.B) {
	o := read(b, digested)
	s, _ := ParseSet(readAll(b, customTransform("x", "{apiGroup: apps, resource: deployments, remove: [$.spec.host]}")))
	b.ReportAllocs()
	for b.Loop() {
		if Digest(o, "default", "apps", "deployments", s) == "" {
			b.Fatal("no digest")
		}
	}
}
