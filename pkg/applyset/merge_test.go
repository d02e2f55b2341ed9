package applyset_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset/threeway"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// node parses a value; "" is none.
func node(t testing.TB, text string) *yaml.Node {
	t.Helper()
	if text == "" {
		return nil
	}
	return krm.Lookup(read(t, "v: "+text)[0].Node(), "v")
}

func canonical(t testing.TB, n *yaml.Node) string {
	t.Helper()
	if n == nil {
		return ""
	}
	data, err := krm.CanonicalJSON(n)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestThreeWayMerge(t *testing.T) {
	tolerate, whole := threeway.Options{Tolerate: true}, threeway.Options{WholeLists: true}
	cases := map[string]struct {
		reason                  string
		observed, last, desired string
		opts                    threeway.Options
		want                    string
	}{
		"no change":                 {"the very node", `{a: 1}`, `{a: 1}`, `{a: 1}`, threeway.Options{}, `{"a":1}`},
		"dropped key":               {"in last and not in desired goes", `{a: 1, b: 2}`, `{a: 1, b: 2}`, `{a: 1}`, threeway.Options{}, `{"a":1}`},
		"foreign key":               {"of others stays", `{a: 1, b: 2}`, `{a: 1}`, `{a: 3}`, threeway.Options{}, `{"a":3,"b":2}`},
		"drift":                     {"desired is asserted", `{a: 9}`, `{a: 1}`, `{a: 1}`, threeway.Options{}, `{"a":1}`},
		"deep":                      {"maps merge at every depth", `{a: {b: 1, x: 1}}`, `{a: {b: 1, c: 1}}`, `{a: {b: 2}}`, threeway.Options{}, `{"a":{"b":2,"x":1}}`},
		"emptied map stays":         {"as upstream leaves it", `{a: {b: 1}}`, `{a: {b: 1}}`, `{a: {}}`, threeway.Options{}, `{"a":{}}`},
		"no last":                   {"desired is asserted, the rest kept", `{a: 1, b: 2}`, ``, `{a: 3}`, threeway.Options{}, `{"a":3,"b":2}`},
		"last is no map":            {"as good as none", `{a: 1, b: 2}`, `[1]`, `{a: 3}`, threeway.Options{}, `{"a":3,"b":2}`},
		"map becomes scalar":        {"a change of type replaces", `{a: {b: 1}}`, `{a: {b: 1}}`, `{a: 5}`, threeway.Options{}, `{"a":5}`},
		"list becomes scalar":       {"a change of type replaces", `{a: [1]}`, ``, `{a: x}`, threeway.Options{}, `{"a":"x"}`},
		"scalar becomes map":        {"a change of type replaces", `{a: 1}`, ``, `{a: {b: 1}}`, threeway.Options{}, `{"a":{"b":1}}`},
		"list becomes map":          {"a change of type replaces", `{a: [1]}`, ``, `{a: {b: 1}}`, threeway.Options{}, `{"a":{"b":1}}`},
		"map becomes list":          {"a change of type replaces", `{a: {b: 1}}`, ``, `{a: [1]}`, threeway.Options{}, `{"a":[1]}`},
		"null for a map":            {"what was applied goes, the map remains", `{a: {b: 1, c: 2}}`, `{a: {b: 1}}`, `{a: null}`, threeway.Options{}, `{"a":{"c":2}}`},
		"null for a scalar":         {"null is a value", `{a: 1}`, ``, `{a: null}`, threeway.Options{}, `{"a":null}`},
		"null for a list":           {"null is a value", `{a: [1]}`, ``, `{a: null}`, threeway.Options{}, `{"a":null}`},
		"plain list":                {"replaced", `{a: [1, 2]}`, `{a: [1]}`, `{a: [3]}`, threeway.Options{}, `{"a":[3]}`},
		"named list":                {"items of others stay, dropped ones go, new ones come last", `{a: [{name: x, v: 1, w: 1}, {name: y}, {name: z}]}`, `{a: [{name: x}, {name: y}]}`, `{a: [{name: n}, {name: x, v: 2}]}`, threeway.Options{}, `{"a":[{"name":"x","v":2,"w":1},{"name":"z"},{"name":"n"}]}`},
		"order of desired":          {"observed order wins", `{a: [{name: x}, {name: y}]}`, ``, `{a: [{name: y}, {name: x}]}`, threeway.Options{}, `{"a":[{"name":"x"},{"name":"y"}]}`},
		"named list, no name once":  {"one item without a name makes it one value", `{a: [{name: x}, {other: y}]}`, ``, `{a: [{name: n}]}`, threeway.Options{}, `{"a":[{"name":"n"}]}`},
		"empty desired, no last":    {"observed items stay", `{a: [{name: x}]}`, ``, `{a: []}`, threeway.Options{}, `{"a":[{"name":"x"}]}`},
		"empty desired, with last":  {"what was applied goes", `{a: [{name: x}, {name: y}]}`, `{a: [{name: x}]}`, `{a: []}`, threeway.Options{}, `{"a":[{"name":"y"}]}`},
		"port before name":          {"the first key that all items have", `{a: [{name: x, port: 1}]}`, ``, `{a: [{name: y, port: 1}]}`, threeway.Options{}, `{"a":[{"name":"y","port":1}]}`},
		"a port for two protocols":  {"the protocol distinguishes them", `{a: [{port: 53, protocol: UDP, n: 1}, {port: 53, protocol: TCP, n: 2}]}`, ``, `{a: [{port: 53, protocol: TCP, v: t}, {port: 53, protocol: UDP, v: u}]}`, threeway.Options{}, `{"a":[{"n":1,"port":53,"protocol":"UDP","v":"u"},{"n":2,"port":53,"protocol":"TCP","v":"t"}]}`},
		"container ports":           {"the protocol distinguishes them", `{a: [{containerPort: 53, protocol: UDP}]}`, `{a: [{containerPort: 53, protocol: UDP}]}`, `{a: [{containerPort: 53}]}`, threeway.Options{}, `{"a":[{"containerPort":53}]}`},
		"defaulted protocol":        {"what the server filled in is the same port", `{a: [{port: 80, protocol: TCP, nodePort: 30000}]}`, `{a: [{port: 80}]}`, `{a: [{port: 80, name: web}]}`, threeway.Options{}, `{"a":[{"name":"web","nodePort":30000,"port":80,"protocol":"TCP"}]}`},
		"duplicate in desired":      {"one value, and nothing is copied", `{a: [{port: 53, v: 0}]}`, ``, `{a: [{port: 53, v: 1}, {port: 53, v: 2}]}`, threeway.Options{}, `{"a":[{"port":53,"v":1},{"port":53,"v":2}]}`},
		"duplicate in observed":     {"one value", `{a: [{name: x, v: 1}, {name: x, v: 2}]}`, ``, `{a: [{name: x}]}`, threeway.Options{}, `{"a":[{"name":"x"}]}`},
		"duplicate in last":         {"one value", `{a: [{name: x, v: 1}]}`, `{a: [{name: x}, {name: x}]}`, `{a: [{name: x}]}`, threeway.Options{}, `{"a":[{"name":"x"}]}`},
		"null name":                 {"no name", `{a: [{name: null, v: 1}]}`, ``, `{a: [{name: x}]}`, threeway.Options{}, `{"a":[{"name":"x"}]}`},
		"large integers":            {"stay exact", `{a: 9007199254740993}`, `{a: 9007199254740993}`, `{a: 9007199254740993, b: 9007199254740995}`, threeway.Options{}, `{"a":9007199254740993,"b":9007199254740995}`},
		"large integers apart":      {"no float comes between", `{a: 9007199254740992}`, ``, `{a: 9007199254740993}`, threeway.Options{}, `{"a":9007199254740993}`},
		"whole lists":               {"one value where the edge says so", `{a: [{name: x, v: 1}]}`, ``, `{a: [{name: x}]}`, whole, `{"a":[{"name":"x"}]}`},
		"finalizers":                {"a set: those of others stay", `{metadata: {finalizers: [other, old]}}`, `{metadata: {finalizers: [old]}}`, `{metadata: {finalizers: [new]}}`, threeway.Options{}, `{"metadata":{"finalizers":["other","new"]}}`},
		"owner made again":          {"its reference is bound to the new uid", `{metadata: {ownerReferences: [{apiVersion: v1, kind: A, name: n, uid: "1"}, {apiVersion: v1, kind: B, name: n, uid: "2"}]}}`, ``, `{metadata: {ownerReferences: [{apiVersion: v2, kind: A, name: n, uid: "3"}]}}`, threeway.Options{}, `{"metadata":{"ownerReferences":[{"apiVersion":"v2","kind":"A","name":"n","uid":"3"},{"apiVersion":"v1","kind":"B","name":"n","uid":"2"}]}}`},
		"tolerated drift":           {"what desired says as before is not touched", `{a: 9, b: 1}`, `{a: 1, b: 1}`, `{a: 1, b: 2}`, tolerate, `{"a":9,"b":2}`},
		"tolerated removal":         {"nor is it put back", `{b: 1}`, `{a: {x: 1}, b: 1}`, `{a: {x: 1}, b: 1}`, tolerate, `{"b":1}`},
		"tolerated removal, partly": {"only the difference is applied", `{b: 1}`, `{a: {x: 1, y: 1}, b: 1}`, `{a: {x: 1, y: 2}, b: 1}`, tolerate, `{"a":{"y":2},"b":1}`},
		"tolerant, no last":         {"asserts desired", `{a: 9, c: 1}`, ``, `{a: 1}`, tolerate, `{"a":1,"c":1}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := threeway.Merge(node(t, c.observed), node(t, c.last), node(t, c.desired), c.opts)
			if d := cmp.Diff(c.want, canonical(t, got)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			checkMergeLaws(t, node(t, c.observed), node(t, c.last), node(t, c.desired))
		})
	}
}

// checkMergeLaws holds for every three values.
func checkMergeLaws(t testing.TB, o, l, d *yaml.Node) {
	t.Helper()
	for _, opts := range []threeway.Options{{}, {Tolerate: true}, {WholeLists: true}, {Tolerate: true, WholeLists: true}} {
		was, wasLast := canonical(t, o), canonical(t, l)
		once := threeway.Merge(o, l, krm.CopyNode(d), opts)
		if canonical(t, o) != was || canonical(t, l) != wasLast {
			t.Errorf("law broken: observed and last are not changed: %s %s", was, wasLast)
		}
		if once == nil {
			if !opts.Tolerate {
				t.Errorf("law broken: what is desired is there")
			}
			continue
		}
		twice := threeway.Merge(once, d, krm.CopyNode(d), opts)
		if twice != once && canonical(t, twice) != canonical(t, once) {
			t.Errorf("law broken: once applied, nothing changes (%+v):\n%s\n%s", opts, canonical(t, once), canonical(t, twice))
		}
		if same := threeway.Merge(o, o, krm.CopyNode(o), opts); same != krm.Deref(o) {
			t.Errorf("law broken: merge(x, x, x) is x itself: %s", canonical(t, same))
		}
		// Without edits by others the result is what is desired: but named items keep their order, and a
		// null empties a map instead of replacing it.
		if got := threeway.Merge(o, o, krm.CopyNode(d), threeway.Options{Tolerate: opts.Tolerate, WholeLists: true}); !hasNull(d) &&
			!setLike(o) && canonical(t, got) != canonical(t, d) {
			t.Errorf("law broken: merge(x, x, y) is y:\nx %s\ny %s\ngot %s", was, canonical(t, d), canonical(t, got))
		}
	}
}

func hasNull(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return n.ShortTag() == yaml.NodeTagNull
	}
	for _, c := range n.Content {
		if hasNull(c) {
			return true
		}
	}
	return false
}

// setLike reports whether n has one of the lists that keep their order whatever the options.
func setLike(n *yaml.Node) bool {
	return krm.Lookup(n, "metadata", "finalizers") != nil || krm.Lookup(n, "metadata", "ownerReferences") != nil
}

func FuzzThreeWayMerge(f *testing.F) {
	for _, seed := range [][3]string{
		{`{"a":1,"b":[{"name":"x","v":9007199254740993}]}`, `{"a":1}`, `{"b":[{"name":"x"},{"name":"y"}]}`},
		{`{"ports":[{"port":53,"protocol":"UDP"}]}`, `{"ports":[{"port":53}]}`, `{"ports":[{"port":53},{"port":53,"protocol":"UDP"}]}`},
		{`{"metadata":{"finalizers":["a"]}}`, `[]`, `{"metadata":{"finalizers":["b"]}}`},
		{`{"a":{"b":null}}`, `{"a":{"b":1}}`, `{"a":null}`},
		{`[1,2]`, `[1]`, `"x"`}, {`1`, `1`, `1.0`},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, observed, last, desired string) {
		var nodes [3]*yaml.Node
		for i, text := range []string{observed, last, desired} {
			if len(text) > 4096 || !json.Valid([]byte(text)) {
				return
			}
			n, err := krm.NodeOf(json.RawMessage(text))
			if err != nil {
				return
			}
			if hasTwins(n) {
				return // no object has a field twice
			}
			nodes[i] = n
		}
		for _, n := range nodes {
			if _, err := krm.CanonicalJSON(n); err != nil {
				return
			}
		}
		checkMergeLaws(t, nodes[0], nodes[1], nodes[2])
	})
}

func hasTwins(n *yaml.Node) bool {
	seen := map[string]bool{}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if seen[c.Value] {
				return true
			}
			seen[c.Value] = true
			continue
		}
		if hasTwins(c) {
			return true
		}
	}
	return false
}
