package diff

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// changeCase is two versions of a package and what is different, a line each.
type changeCase struct {
	reason   string
	from, to map[string]string
	want     []string
}

func TestChanges(t *testing.T) {
	for name, c := range changeCases() {
		t.Run(name, func(t *testing.T) {
			from, to := mergetest.Tree(t, c.from), mergetest.Tree(t, c.to)
			if d := cmp.Diff(c.want, changeLines(t, from, to)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			checkChangeLaws(t, from, to)
		})
	}
}

func changes(t mergetest.Reporter, from, to pkgtree.Tree) []Change {
	out, err := Changes(from, to)
	if err != nil {
		t.Errorf("law broken: any two trees compare: %v", err)
	}
	return out
}

// changeLines are changes as a case has them, those of subpackages with the package in front.
func changeLines(t mergetest.Reporter, from, to pkgtree.Tree) (lines []string) {
	for _, c := range changes(t, from, to) {
		text := c.String()
		if c.Package != "." {
			text = c.Package + ": " + text
		}
		lines = append(lines, text)
	}
	return lines
}

type files = map[string]string

// objectText is the text of one object, whose parts are lines after its name.
func objectText(kind, name string, parts ...string) string {
	version := map[string]string{"Deployment": "apps/v1", "Gate": "x.dev/v1"}[kind]
	if version == "" {
		version = "v1"
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n%s", version, kind, name, strings.Join(parts, ""))
}

func configMap(data string) string { return objectText("ConfigMap", "c", "data: "+data+"\n") }

func deployment(spec string) string {
	return objectText("Deployment", "web", "  namespace: shop\nspec:\n  template:\n    spec: "+spec+"\n")
}

func kptfileWith(parts string) string { return mergetest.PlainKptfile + parts }

const gateDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gates.x.dev
spec:
  group: x.dev
  names: {kind: Gate}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              routes: {x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [host]}
`

func changeCases() map[string]changeCase {
	long := strings.Repeat("x", 300)
	routes := func(key string) string {
		return "[{name: v1, schema: {openAPIV3Schema: {properties: {spec: {properties: {routes: {x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [" + key + "]}}}}}}}]"
	}
	return map[string]changeCase{
		"nothing":  {"the same bytes are no change", files{"a.yaml": configMap("{a: b}")}, files{"a.yaml": configMap("{a: b}")}, nil},
		"fields":   {"fields change, come and go", files{"a.yaml": configMap("{a: b, c: d}")}, files{"a.yaml": configMap("{a: x, e: f}")}, []string{"a.yaml ConfigMap c data.a: b → x", "a.yaml ConfigMap c data.c: removed, was d", "a.yaml ConfigMap c data.e: added f"}},
		"a map":    {"a map that is new is one change", files{"a.yaml": configMap("{}")}, files{"a.yaml": configMap("{a: {b: 1, c: 2}}")}, []string{"a.yaml ConfigMap c data.a: added {b: 1, c: 2}"}},
		"null":     {"a null is a value", files{"a.yaml": configMap("{a: b}")}, files{"a.yaml": configMap("{a: null, c: ~}")}, []string{"a.yaml ConfigMap c data.a: b → null", "a.yaml ConfigMap c data.c: added null"}},
		"types":    {"a number is no text", files{"a.yaml": configMap("{a: 1}")}, files{"a.yaml": configMap(`{a: "1"}`)}, []string{`a.yaml ConfigMap c data.a: 1 → "1"`}},
		"shape":    {"a map in the place of a list is another value", files{"a.yaml": configMap("{a: [1]}")}, files{"a.yaml": configMap("{a: {b: 1}}")}, []string{"a.yaml ConfigMap c data.a: [1] → {b: 1}"}},
		"odd name": {"names with dots stand in brackets", files{"a.yaml": configMap("{a.b/c: 1}")}, files{"a.yaml": configMap("{a.b/c: 2}")}, []string{"a.yaml ConfigMap c data[a.b/c]: 1 → 2"}},
		"version":  {"an object of another version is the same object", files{"a.yaml": objectText("Gate", "g")}, files{"a.yaml": strings.Replace(objectText("Gate", "g"), "v1", "v2", 1)}, []string{"a.yaml Gate g apiVersion: x.dev/v1 → x.dev/v2"}},
		"long": {"of long values the part is shown where they differ", files{"a.yaml": configMap("{a: " + long + "1tail}")}, files{"a.yaml": configMap("{a: " + long + "2tail}")},
			[]string{"a.yaml ConfigMap c data.a: …" + long[:20] + "1tail → …" + long[:20] + "2tail"}},
		"keyed list": {"items of associative lists are told apart by their keys", files{"a.yaml": deployment("{containers: [{name: a, image: i:1}, {name: b}]}")}, files{"a.yaml": deployment("{containers: [{name: c}, {name: a, image: i:2}]}")},
			[]string{"a.yaml Deployment shop/web spec.template.spec.containers[name=a].image: i:1 → i:2", "a.yaml Deployment shop/web spec.template.spec.containers[name=b]: removed, was {name: b}", "a.yaml Deployment shop/web spec.template.spec.containers[name=c]: added {name: c}"}},
		"keyed order": {"the order of containers means nothing", files{"a.yaml": deployment("{containers: [{name: a}, {name: b}]}")}, files{"a.yaml": deployment("{containers: [{name: b}, {name: a}]}")}, []string{"a.yaml: written differently, says the same"}},
		"steps": {"the order of init containers means something", files{"a.yaml": deployment("{initContainers: [{name: a}, {name: b}]}")}, files{"a.yaml": deployment("{initContainers: [{name: b}, {name: x}, {name: a}]}")},
			[]string{"a.yaml Deployment shop/web spec.template.spec.initContainers: order [a, b] → [b, a]", "a.yaml Deployment shop/web spec.template.spec.initContainers[name=x]: added {name: x}"}},
		"set":         {"values of a set come and go", files{"a.yaml": objectText("ConfigMap", "c", "  finalizers: [a, b]\n")}, files{"a.yaml": objectText("ConfigMap", "c", "  finalizers: [c, b]\n")}, []string{"a.yaml ConfigMap c metadata.finalizers[a]: removed, was a", "a.yaml ConfigMap c metadata.finalizers[c]: added c"}},
		"atomic list": {"other lists are one value, order included", files{"a.yaml": configMap("{a: [1, 2]}")}, files{"a.yaml": configMap("{a: [2, 1]}")}, []string{"a.yaml ConfigMap c data.a: [1, 2] → [2, 1]"}},
		"twice one key": {"a list in which two items have one key is one value", files{"a.yaml": deployment("{containers: [{name: a}, {name: a}]}")}, files{"a.yaml": deployment("{containers: [{name: a}]}")},
			[]string{"a.yaml Deployment shop/web spec.template.spec.containers: [{name: a}, {name: a}] → [{name: a}]"}},
		"defined": {"a definition that only one of the trees has says how lists are read", files{"a.yaml": objectText("Gate", "g", "spec: {routes: [{host: a, to: 1}]}\n"), "crd.yaml": gateDefinition}, files{"a.yaml": objectText("Gate", "g", "spec: {routes: [{host: a, to: 2}]}\n")},
			[]string{"a.yaml Gate g spec.routes[host=a].to: 1 → 2", "crd.yaml CustomResourceDefinition gates.x.dev: removed"}},
		"defined in both": {"as does one that both have", files{"a.yaml": objectText("Gate", "g", "spec: {routes: [{host: a, to: 1}]}\n"), "crd.yaml": gateDefinition}, files{"a.yaml": objectText("Gate", "g", "spec: {routes: [{host: a, to: 2}]}\n"), "crd.yaml": gateDefinition},
			[]string{"a.yaml Gate g spec.routes[host=a].to: 1 → 2"}},
		"defined twice": {"of two definitions one counts, whichever way round", files{"a.yaml": objectText("Gate", "g", "spec: {routes: [{host: a, id: b}]}\n"), "crd.yaml": gateDefinition}, files{"a.yaml": objectText("Gate", "g", "spec: {routes: [{host: a, id: c}]}\n"), "crd.yaml": strings.Replace(gateDefinition, "[host]", "[id]", 1)},
			[]string{"a.yaml Gate g spec.routes[host=a].id: b → c", "crd.yaml CustomResourceDefinition gates.x.dev spec.versions: " + routes("host") + " → " + routes("id")}},
		"undefined": {"without one a list is one value", files{"a.yaml": objectText("Gate", "g", "spec: {routes: [{host: a}]}\n")}, files{"a.yaml": objectText("Gate", "g", "spec: {routes: [{host: b}]}\n")},
			[]string{"a.yaml Gate g spec.routes: [{host: a}] → [{host: b}]"}},

		"objects":   {"objects that come and go are one change each", files{"a.yaml": configMap("{}") + "---\n" + objectText("Service", "s")}, files{"a.yaml": configMap("{}") + "---\n" + objectText("Secret", "t"), "b.yaml": objectText("Gate", "g") + "---\n" + objectText("Gate", "h")}, []string{"a.yaml Secret t: added", "a.yaml Service s: removed", "b.yaml Gate g: added", "b.yaml Gate h: added"}},
		"moved":     {"an object that stands in another file is one change, and its fields", files{"a.txt": "1", "a.yaml": configMap("{a: b}")}, files{"a.txt": "2", "x/b.yaml": configMap("{a: c}")}, []string{"a.txt: changed", "x/b.yaml ConfigMap c: moved from a.yaml", "x/b.yaml ConfigMap c data.a: b → c"}},
		"stays":     {"an object is looked for in its own file first", files{"a.yaml": configMap("{a: 1}"), "b.yaml": configMap("{a: 2}")}, files{"b.yaml": configMap("{a: 3}")}, []string{"a.yaml ConfigMap c: removed", "b.yaml ConfigMap c data.a: 2 → 3"}},
		"nameless":  {"what has no name moves nowhere", files{"a.yaml": "a: 1\n"}, files{"b.yaml": "a: 1\n"}, []string{"a.yaml: removed", "b.yaml: added"}},
		"kindless":  {"nor what is of no kind", files{"a.yaml": "metadata: {name: a}\n"}, files{"b.yaml": "metadata: {name: a}\n"}, []string{"a.yaml a: removed", "b.yaml a: added"}},
		"twice":     {"of two objects of one name the first is the first", files{"a.yaml": configMap("{a: 1}") + "---\n" + configMap("{a: 2}")}, files{"a.yaml": configMap("{a: 3}")}, []string{"a.yaml ConfigMap c: removed", "a.yaml ConfigMap c data.a: 1 → 3"}},
		"documents": {"the order of documents means nothing", files{"a.yaml": configMap("{}") + "---\n" + objectText("Gate", "g")}, files{"a.yaml": objectText("Gate", "g") + "---\n" + configMap("{}")}, []string{"a.yaml: written differently, says the same"}},
		"format":    {"style, comments and the order of fields mean nothing, and are listed once", files{"a.yaml": configMap("{a: b, c: d}") + "---\n" + objectText("Gate", "g")}, files{"a.yaml": configMap(`{c: "d", a: b} # why`) + "---\n# what\n" + objectText("Gate", "g")}, []string{"a.yaml: written differently, says the same"}},
		"anchors":   {"an alias is what it stands for", files{"a.yaml": configMap("{a: &x [1], b: *x}")}, files{"a.yaml": configMap("{a: [1], b: [1]}")}, []string{"a.yaml: written differently, says the same"}},
		"aliases":   {"and is looked into", files{"a.yaml": configMap("{a: &x {k: 1}, b: *x}")}, files{"a.yaml": configMap("{a: {k: 1}, b: {k: 2}}")}, []string{"a.yaml ConfigMap c data.b.k: 1 → 2"}},
		"renamed":   {"the mark tells what it was called", files{"a.yaml": configMap("{}")}, files{"a.yaml": strings.Replace(strings.Replace(configMap("{}"), "metadata:", "metadata: # kpt-merge: /c", 1), "name: c", "name: d", 1)}, []string{"a.yaml ConfigMap d metadata.name: c → d"}},

		"marked":       {"marks are no change", files{"a.yaml": strings.Replace(mergetest.MarkedMap, "shop/c", "old/x", 1)}, files{"a.yaml": mergetest.MarkedMap}, nil},
		"mark gone":    {"nor is their loss", files{"a.yaml": mergetest.MarkedMap}, files{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  namespace: shop\ndata:\n  a: b\n"}, nil},
		"mark format":  {"but what else is written in another way is", files{"a.yaml": mergetest.MarkedMap}, files{"a.yaml": "kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: c\n  namespace: shop\ndata:\n  a: b\n"}, []string{"a.yaml: written differently, says the same"}},
		"own comment":  {"a comment of one's own beside a mark is one", files{"a.yaml": strings.Replace(mergetest.MarkedMap, "/c\n", "/c mine\n", 1)}, files{"a.yaml": mergetest.MarkedMap}, []string{"a.yaml: written differently, says the same"}},
		"mark in null": {"a null gives way to them", files{"a.yaml": objectText("ConfigMap", "c", "  annotations: null\n")}, files{"a.yaml": objectText("ConfigMap", "c", "  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|c'\ndata: {}\n")}, []string{"a.yaml ConfigMap c data: added {}"}},
		"orchestrated": {"where a function runner put it is no change", files{"a.yaml": objectText("ConfigMap", "c", "  annotations:\n    a: b\n    config.kubernetes.io/index: '1'\n")}, files{"a.yaml": objectText("ConfigMap", "c", "  annotations:\n    a: b\n    internal.config.kubernetes.io/path: 'a.yaml'\n")}, nil},
		"annotations":  {"other annotations are fields", files{"a.yaml": configMap("{}")}, files{"a.yaml": objectText("ConfigMap", "c", "  annotations: {a: b}\ndata: {}\n")}, []string{"a.yaml ConfigMap c metadata.annotations: added {a: b}"}},

		"plain":      {"other files are looked at as a whole", files{"a.txt": "1", "b.json": "{}", "c": "1"}, files{"a.txt": "2", "b.json": "{ }", "d": "1"}, []string{"a.txt: changed", "b.json: changed", "c: removed", "d: added"}},
		"unreadable": {"so is YAML that cannot be read, on either side", files{"a.yaml": "a: [", "b.yaml": configMap("{}"), "c.yaml": "a: ["}, files{"a.yaml": configMap("{}"), "b.yaml": "a: [", "c.yaml": "a: ["}, []string{"a.yaml: changed", "b.yaml: changed"}},
		"values":     {"and YAML that is no map", files{"a.yaml": "- a\n"}, files{"a.yaml": "- b\n"}, []string{"a.yaml: changed"}},
		"empty":      {"a file without an object is a file", files{"a.yaml": "# one\n"}, files{"a.yaml": "# two\n", "b.yaml": ""}, []string{"a.yaml: written differently, says the same", "b.yaml: added"}},
		"emptied":    {"one that lost its objects is not listed itself", files{"a.yaml": configMap("{}")}, files{"a.yaml": "# nothing\n"}, []string{"a.yaml ConfigMap c: removed"}},

		"packages": {"a change is of the nearest package, in either tree", files{"Kptfile": mergetest.PlainKptfile, "sub/Kptfile": mergetest.PlainKptfile, "sub/x/a.txt": "1", "new/a.txt": "1"}, files{"Kptfile": mergetest.PlainKptfile, "sub/x/a.txt": "2", "new/Kptfile": mergetest.PlainKptfile, "new/a.txt": "2"},
			[]string{"new: new/Kptfile: added", "new: new/a.txt: changed", "sub: sub/Kptfile: removed", "sub: sub/x/a.txt: changed"}},
		"origin":     {"where the root comes from is no change", files{"Kptfile": mergetest.PlainKptfile}, files{"Kptfile": kptfileWith("upstream: {type: git}\nupstreamLock: {type: git}\n")}, nil},
		"new origin": {"nor that it comes from elsewhere now", files{"Kptfile": kptfileWith("upstream: {type: git}\ninfo: {a: b}\n")}, files{"Kptfile": kptfileWith("upstream: {type: oci}\ninfo: {a: c}\n")}, []string{"Kptfile info.a: b → c"}},
		"sub origin": {"where a subpackage comes from is", files{"sub/Kptfile": kptfileWith("upstream: {type: git}\n")}, files{"sub/Kptfile": kptfileWith("upstream: {type: oci}\n")}, []string{"sub: sub/Kptfile upstream.type: git → oci"}},
		"Kptfile":    {"a package has one Kptfile, whatever its name", files{"Kptfile": mergetest.PlainKptfile}, files{"Kptfile": strings.Replace(mergetest.PlainKptfile, "pkg", "web", 1)}, []string{"Kptfile metadata.name: pkg → web"}},
		"functions": {"functions are told apart by what they run, and their order means something", files{"Kptfile": kptfileWith("pipeline: {mutators: [{image: r/a:v1}, {image: r/b:v1}]}\n")}, files{"Kptfile": kptfileWith("pipeline: {mutators: [{image: r/b:v1}, {image: r/a:v2}]}\n")},
			[]string{"Kptfile pipeline.mutators: order [r/a, r/b] → [r/b, r/a]", "Kptfile pipeline.mutators[image=r/a].image: r/a:v1 → r/a:v2"}},
		"two functions": {"as one value when one runs twice", files{"Kptfile": kptfileWith("pipeline: {mutators: [{image: r/a:v1}, {image: r/a:v2}]}\n")}, files{"Kptfile": kptfileWith("pipeline: {mutators: [{image: r/a:v1}]}\n")},
			[]string{"Kptfile pipeline.mutators: [{image: r/a:v1}, {image: r/a:v2}] → [{image: r/a:v1}]"}},

		"secret": {"values of Secrets are not shown", files{"s.yaml": objectText("Secret", "s", "data: {a: hush1, b: hush2}\ntype: a\n")}, files{"s.yaml": objectText("Secret", "s", "data: {a: hush3, c: hush4}\ntype: b\n")},
			[]string{"s.yaml Secret s data.a: changed (hidden)", "s.yaml Secret s data.b: removed, was (hidden)", "s.yaml Secret s data.c: added (hidden)", "s.yaml Secret s type: a → b"}},
		"long secret": {"however long", files{"s.yaml": objectText("Secret", "s", "data: {a: "+long+"1}\n")}, files{"s.yaml": objectText("Secret", "s", "data: {a: "+long+"2}\n")}, []string{"s.yaml Secret s data.a: changed (hidden)"}},
		"secret in a list": {"nor those of Secrets inside of others", files{"w.yaml": objectText("Gate", "g", "spec: {size: 1, manifests: [{kind: Secret, data: {a: hush1}}]}\n")}, files{"w.yaml": objectText("Gate", "g", "spec: {size: 2, manifests: [{kind: ConfigMap}]}\n")},
			[]string{"w.yaml Gate g spec.manifests: changed (hidden)", "w.yaml Gate g spec.size: 1 → 2"}},
		"secret in a field": {"at any depth, and in what holds them", files{"w.yaml": objectText("Gate", "g", "spec: {t: {kind: Secret, stringData: {a: hush1}}}\n")}, files{"w.yaml": objectText("Gate", "g", "spec: {t: {kind: Secret, stringData: {a: hush2}}, u: 1}\n")},
			[]string{"w.yaml Gate g spec.t.stringData.a: changed (hidden)", "w.yaml Gate g spec.u: added 1"}},
		"secrets": {"nor in a list of them", files{"s.yaml": objectText("SecretList", "s", "items: [{data: {a: hush1}}]\n"), "w.yaml": objectText("Gate", "g", "spec: {t: {kind: SecretList, items: [{data: {a: hush1}}]}}\n")}, files{"s.yaml": objectText("SecretList", "s", "items: []\n"), "w.yaml": objectText("Gate", "g", "spec: {t: {kind: SecretList, items: []}}\n")},
			[]string{"s.yaml SecretList s items: changed (hidden)", "w.yaml Gate g spec.t.items: changed (hidden)"}},
		"secret key": {"though its keys are", files{"s.yaml": objectText("Secret", "s", "stringData: {}\n")}, files{"s.yaml": objectText("Secret", "s", "stringData: {password: hush}\n")}, []string{"s.yaml Secret s stringData.password: added (hidden)"}},
		"secret notes": {"annotations may repeat it", files{"s.yaml": objectText("Secret", "s") + "  annotations: {a: hush1, helm.sh/hook: x}\n"}, files{"s.yaml": objectText("Secret", "s") + "  annotations: {a: hush2, helm.sh/hook: y}\n"},
			[]string{"s.yaml Secret s metadata.annotations.a: changed (hidden)", `s.yaml Secret s metadata.annotations[helm.sh/hook]: x → "y"`}},
		"copies": {"in any object", files{"w.yaml": objectText("Gate", "g") + "  annotations: {a.b/last-applied: hush1, c: '{\"kind\": \"Secret\", hush1}', d: e}\n"}, files{"w.yaml": objectText("Gate", "g") + "  annotations: {a.b/last-applied: hush2, c: x, d: f}\n"},
			[]string{"w.yaml Gate g metadata.annotations.c: changed (hidden)", "w.yaml Gate g metadata.annotations.d: e → f", "w.yaml Gate g metadata.annotations[a.b/last-applied]: changed (hidden)"}},
		"secret gone": {"what holds them is not shown, either", files{"w.yaml": objectText("Gate", "g", "spec: {t: {kind: Secret, stringData: {a: hush1}}}\n")}, files{"w.yaml": objectText("Gate", "g")}, []string{"w.yaml Gate g spec: removed, was (hidden)"}},
		"reference":   {"a reference to a Secret is no secret", files{"w.yaml": objectText("Gate", "g", "spec: {ref: {kind: Secret, name: a}}\n")}, files{"w.yaml": objectText("Gate", "g", "spec: {ref: {kind: Secret, name: b}}\n")}, []string{"w.yaml Gate g spec.ref.name: a → b"}},

		"strange names": {"a line is a line", files{"a.yaml": configMap("{}")}, files{"a.yaml": configMap(`{"x\ny\u202e": 1}`)}, []string{`a.yaml ConfigMap c data.x\ny\u202e: added 1`}},
		"odd tag":       {"a value of a kind of its own may be empty", files{"a.yaml": configMap("{a: !x ''}")}, files{"a.yaml": configMap("{a: !y ''}")}, []string{"a.yaml ConfigMap c data.a:  → "}},
	}
}

func TestChangeAsJSON(t *testing.T) {
	got, err := json.Marshal([]Change{
		{Package: ".", File: "a.txt", Kind: Changed},
		{Package: "sub", File: "sub/a.yaml", Object: krm.ID{Kind: "ConfigMap", Name: "c"}, Field: "data.a", From: object.ValueOf("1"), To: object.ValueOf("null"), Kind: Changed},
	})
	want := `[{"package":".","file":"a.txt","kind":"changed"},` +
		`{"package":"sub","file":"sub/a.yaml","object":{"kind":"ConfigMap","name":"c"},"field":"data.a","from":"1","to":"null","kind":"changed"}]`
	if d := cmp.Diff(want, string(got)); err != nil || d != "" {
		t.Errorf("what is not there has no field, and null is a value (%v, -want +got):\n%s", err, d)
	}
}
