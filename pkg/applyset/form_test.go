package applyset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestForm compares bytes: the tags of a new output, and what stays of a changed one.
func TestForm(t *testing.T) {
	made := `
---
apiVersion: test.dev/v1
kind: Source
metadata: {name: a, namespace: n}
spec:
  make:
  - apiVersion: v1
    kind: Out
    metadata:
      name: x
      namespace: n
      uid: u
      labels:
        app: web
        waybill.dev/map-key: forged
      annotations:
        waybill.dev/keep: "true"
        note: here
        config.kubernetes.io/path: out/x.yaml
        internal.config.kubernetes.io/path: out/x.yaml
    spec:
      size: 1
      ports:
      - name: a
        port: 1
    status: {ready: true}
`
	cases := map[string]struct {
		reason, in, want string
	}{
		"new": {"reserved names, server's fields and status of the projection do not count; the file does", "", `apiVersion: v1
kind: Out
metadata:
  name: x
  namespace: n
  labels:
    app: web
    waybill.dev/map-key: m1-cdeb38f1ba8bf0c63a2ba3ec5b4d0e2d8b7a9c8e
  annotations:
    note: here
    waybill.dev/controller: 'maker'
    waybill.dev/edge: 'out'
    waybill.dev/generated-by: 'make'
    waybill.dev/input: 'test.dev/Source/n/a'
    waybill.dev/last-known: '{"apiVersion":"v1","kind":"Out","metadata":{"annotations":{"note":"here"},"labels":{"app":"web"},"name":"x","namespace":"n"},"spec":{"ports":[{"name":"a","port":1}],"size":1}}'
    waybill.dev/origin: 'test.dev/Source/n/a'
    waybill.dev/owner: 'test.dev/Source/n/a'
    waybill.dev/stamp: 'here'
    config.kubernetes.io/index: '0'
    config.kubernetes.io/path: 'out/x.yaml'
    internal.config.kubernetes.io/index: '0'
    internal.config.kubernetes.io/path: 'out/x.yaml'
spec:
  size: 1
  ports:
  - name: a
    port: 1
`},
		"changed": {"comments, order, quotes, place, status and what others added stay; the label is mended", `---
# why it is here
kind: Out # of the old kind
apiVersion: v1
status: {ready: false}
spec:
  # in litres
  size: 2 # too much
  ports:
  - port: 9 # theirs
    name: b
  - port: 1
    name: a
metadata:
  namespace: "n"
  name: 'x'
  labels: {theirs: "yes", waybill.dev/map-key: wrong}
  annotations:
    config.kubernetes.io/path: elsewhere.yaml
    waybill.dev/controller: maker
    waybill.dev/edge: out
    waybill.dev/input: test.dev/Source/n/a
    waybill.dev/owner: test.dev/Source/n/a
    waybill.dev/last-known: '{"spec":{"size":2}}'
    waybill.dev/keep: "no" # not now
`, `# why it is here
kind: Out # of the old kind
apiVersion: v1
status: {ready: false}
spec:
  # in litres
  size: 1 # too much
  ports:
  - port: 9 # theirs
    name: b
  - port: 1
    name: a
metadata:
  namespace: "n"
  name: 'x'
  labels: {theirs: "yes", waybill.dev/map-key: m1-cdeb38f1ba8bf0c63a2ba3ec5b4d0e2d8b7a9c8e, app: web}
  annotations:
    config.kubernetes.io/path: elsewhere.yaml
    waybill.dev/controller: maker
    waybill.dev/edge: out
    waybill.dev/input: test.dev/Source/n/a
    waybill.dev/owner: test.dev/Source/n/a
    waybill.dev/last-known: '{"apiVersion":"v1","kind":"Out","metadata":{"annotations":{"note":"here"},"labels":{"app":"web"},"name":"x","namespace":"n"},"spec":{"ports":[{"name":"a","port":1}],"size":1}}'
    waybill.dev/keep: "no" # not now
    note: here
    waybill.dev/generated-by: 'make'
    waybill.dev/origin: 'test.dev/Source/n/a'
    waybill.dev/stamp: 'here'
`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			items := read(t, c.in+made)
			edges := func(items []*krm.Object) []applyset.Edge {
				e := edge(items)
				e.Merge, e.GeneratedBy, e.Stamp = applyset.ThreeWay, "make", map[string]string{"waybill.dev/stamp": "here"}
				return []applyset.Edge{e}
			}
			plan := run(t, items, edges(items)...)
			var got []*krm.Object
			for _, o := range plan.Items {
				if o.Kind() == "Out" {
					got = append(got, o)
				}
			}
			want := strings.ReplaceAll(c.want, "m1-cdeb38f1ba8bf0c63a2ba3ec5b4d0e2d8b7a9c8e", applyset.MapKey(keyA))
			if d := cmp.Diff("---\n"+want, dump(t, got)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			checkLaws(t, items, edges)
		})
	}
}

func TestFiles(t *testing.T) {
	filed := func(name, file, index string) string {
		return strings.Replace(tagged(name, keyA, "{}"), "  annotations:\n", "  annotations:\n    internal.config.kubernetes.io/path: '"+file+"'\n    internal.config.kubernetes.io/index: '"+index+"'\n", 1)
	}
	make := func(name string) string {
		return "{apiVersion: v1, kind: Out, metadata: {name: " + name + ", namespace: n, annotations: {internal.config.kubernetes.io/path: f.yaml}}}"
	}
	items := read(t, filed("x", "f.yaml", "4")+filed("y", "g.yaml", "9")+source("a", "{make: ["+out("x", "{}")+", "+make("w")+", "+make("v")+"]}"))
	var got []string
	for _, o := range run(t, items, edge(items)).Items {
		if o.Kind() == "Out" {
			got = append(got, o.Name()+" "+o.Annotation(krm.PathAnnotation)+" "+o.Annotation(krm.IndexAnnotation))
		}
	}
	if d := cmp.Diff([]string{"x f.yaml 4", "v f.yaml 5", "w f.yaml 6"}, got); d != "" {
		t.Errorf("new objects stand behind what is in their file (-want +got):\n%s", d)
	}
}

func TestDamagedTags(t *testing.T) {
	contradicting := func(name string) string {
		return strings.Replace(tagged(name, keyA, "{}"), applyset.MapKey(keyA), "m1-wrong", 1)
	}
	cases := map[string]struct {
		reason, in, want, ops, says string
	}{
		"label of what is computed": {
			"it is mended", contradicting("x") + source("a", "{make: ["+out("x", "{}")+"]}"),
			"Out n/x {} <- test.dev/Source/n/a", "update Changed /Out/n/x", "",
		},
		"label of what is not": {
			"it is an error, and it stays", contradicting("x") + source("a", "{make: []}"),
			"Out n/x {} <- test.dev/Source/n/a", "keep BadTags /Out/n/x",
			"error BadTags: make(test.dev/Source/n/a): /Out/n/x: its label waybill.dev/map-key contradicts its annotations; it stays",
		},
		"label of what is kept": {
			"it is an error besides", contradicting("x") + source("a", "{retry: later}"),
			"Out n/x {} <- test.dev/Source/n/a", "keep Retry /Out/n/x",
			"error BadTags: make(test.dev/Source/n/a): /Out/n/x: its label waybill.dev/map-key contradicts its annotations; it stays\nwarning Retry: make(test.dev/Source/n/a): later",
		},
		"an annotation lost, and computed": {
			"what is left agrees, so it is mended", strings.Replace(tagged("x", keyA, "{}"), "    waybill.dev/input: 'test.dev/Source/n/a'\n", "", 1) + source("a", "{make: ["+out("x", "{}")+"]}"),
			"Out n/x {} <- test.dev/Source/n/a", "update Changed /Out/n/x", "",
		},
		"ownership lost": {
			"without controller, owner and edge it is not known to be ours, and not adopted", strings.Replace(tagged("x", keyA, "{}"), "    waybill.dev/edge: 'out'\n", "", 1) + source("a", "{make: ["+out("x", "{size: 1}")+"]}"),
			"Out n/x {} <- test.dev/Source/n/a", "",
			"error BadTags: make: /Out/n/x has lost some of its tags; restore them, or remove all\n" +
				"error Failed: make(test.dev/Source/n/a): /Out/n/x has only some of its tags; restore them, remove all, or allow adoption",
		},
		"a tag by hand": {
			"the name of the controller alone protects an object", strings.Replace(free, "namespace: n}", "namespace: n, annotations: {waybill.dev/controller: maker}}", 1) + source("a", "{make: ["+out("x", "{}")+"]}"),
			`Out n/x {"more":true,"size":7}`, "",
			"error BadTags: make: /Out/n/x has lost some of its tags; restore them, or remove all\n" +
				"error Failed: make(test.dev/Source/n/a): /Out/n/x has only some of its tags; restore them, remove all, or allow adoption",
		},
		"an input garbled, and computed": {
			"whose it is is known, and of what is mended", strings.Replace(tagged("x", keyA, "{}"), "input: '"+keyA, "input: 'so what", 1) + source("a", "{make: ["+out("x", "{}")+"]}"),
			"Out n/x {} <- test.dev/Source/n/a", "update Changed /Out/n/x", "",
		},
		"an annotation lost": {
			"its owner is not known", strings.Replace(tagged("x", keyA, "{}"), "    waybill.dev/owner: 'test.dev/Source/n/a'\n", "", 1) + source("a", "{make: []}"),
			"Out n/x {} <- test.dev/Source/n/a of", "",
			"error BadTags: make: /Out/n/x has lost some of its tags; restore them, or remove all",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			items := read(t, c.in)
			edges := func(items []*krm.Object) []applyset.Edge { return []applyset.Edge{edge(items)} }
			plan := run(t, items, edges(items)...)
			if d := cmp.Diff(lines(c.want), outputs(t, plan.Items)); d != "" {
				t.Errorf("%s: items (-want +got):\n%s", c.reason, d)
			}
			if d := cmp.Diff(lines(c.ops), operations(plan)); d != "" {
				t.Errorf("%s: operations (-want +got):\n%s", c.reason, d)
			}
			if d := cmp.Diff(lines(c.says), results(plan)); d != "" {
				t.Errorf("%s: results (-want +got):\n%s", c.reason, d)
			}
			checkLaws(t, items, edges)
		})
	}
}
