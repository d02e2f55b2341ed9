package runner

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/comments"
	"sigs.k8s.io/kustomize/kyaml/order"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func raw(t testing.TB, o *krm.Object) string {
	t.Helper()
	data, err := krm.WriteRaw(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checkForm holds ours against kyaml's, wherever kyaml's succeeds, and reports whether it did.
func checkForm(t testing.TB, old, now *krm.Object) bool {
	t.Helper()
	theirs, ours, before := now.DeepCopy(), now.DeepCopy(), raw(t, old)
	from, to := yaml.NewRNode(old.Node()), yaml.NewRNode(theirs.Node())
	known := comments.CopyComments(from, to) == nil && order.SyncOrder(from, to) == nil
	theirs.ContinueFrom(old)
	new(formatter).restoreFormat(old, ours)
	if d := cmp.Diff(before, raw(t, old)); d != "" {
		t.Fatalf("what was sent has changed (-before +after):\n%s", d)
	}
	if !krm.Equivalent(now.Node(), ours.Node()) {
		t.Fatalf("the data has changed:\n%s", cmp.Diff(raw(t, now), raw(t, ours)))
	}
	if known {
		if d := cmp.Diff(raw(t, theirs), raw(t, ours)); d != "" {
			t.Fatalf("from:\n%s\nto:\n%s\n(-kyaml +ours):\n%s", before, raw(t, now), d)
		}
	}
	return known
}

func parseOne(t testing.TB, text string) *krm.Object {
	t.Helper()
	objs, err := krm.Read("in", []byte(text), krm.Limits{})
	if err != nil || len(objs) != 1 {
		t.Fatalf("%d objects: %v\n%s", len(objs), err, text)
	}
	return objs[0]
}

const pod = "apiVersion: v1\nkind: Pod\n"

var format = map[string]struct {
	reason, from, to, want string
}{
	"fields":       {"comments above, behind and below, and the order of fields", "a: 1 # a\n# b\nb:\n  # c\n  c: 2\n  # foot\n\nd: 3\n", "d: 4\nx: 5\nb:\n  y: 6\n  c: 7\na: 8\n", "a: 8 # a\n# b\nb:\n  # c\n  c: 7\n  # foot\n\n  y: 6\nd: 4\nx: 5\n"},
	"own comment":  {"a comment that the function wrote stays", "a: 1 # old\n", "a: 2 # new\n", "a: 2 # new\n"},
	"by place":     {"an unknown kind's lists are compared place by place", "l:\n- name: a # a\n- name: b # b\n", "l:\n- name: b\n- name: a\n", "l:\n- name: b # a\n- name: a # b\n"},
	"by key":       {"a known list is compared by place, then by key", pod + "spec:\n  containers:\n  - name: a # a\n    image: x # x\n  - name: b\n", pod + "spec:\n  containers:\n  - name: z\n  - name: b\n  - name: a\n    image: x\n", ""},
	"two keys":     {"ports are told apart by number and protocol", pod + "spec:\n  containers:\n  - name: a\n    ports:\n    - containerPort: 1 # tcp\n      protocol: TCP\n    - containerPort: 1 # udp\n      protocol: UDP\n", pod + "spec:\n  containers:\n  - name: a\n    ports:\n    - containerPort: 1\n      protocol: UDP\n    - containerPort: 1\n      protocol: TCP\n", ""},
	"one of two":   {"a key that no item has does not count", pod + "spec:\n  containers:\n  - name: a\n    ports:\n    - containerPort: 1 # one\n    - containerPort: 2 # two\n", pod + "spec:\n  containers:\n  - name: a\n    ports:\n    - containerPort: 2\n", ""},
	"half a key":   {"a key that only some have is kyaml's", pod + "spec:\n  containers:\n  - name: a\n    ports:\n    - containerPort: 1 # one\n      protocol: TCP\n    - containerPort: 2 # two\n", pod + "spec:\n  containers:\n  - name: a\n    ports:\n    - containerPort: 2\n      protocol: TCP\n    - containerPort: 1\n", ""},
	"texts":        {"a known list of texts is compared by value", pod + "metadata:\n  finalizers:\n  - a # a\n  - b # b\n", pod + "metadata:\n  finalizers:\n  - x\n  - b\n  - a\n", ""},
	"mixed texts":  {"a hole among the texts is kyaml's", pod + "metadata:\n  finalizers:\n  - a # a\n  -\n  - '' # c\n", pod + "metadata:\n  finalizers:\n  -\n  - ''\n  - a\n", ""},
	"embedded":     {"an object inside an unknown kind is of its own kind", "apiVersion: x.io/v1\nkind: X\nspec:\n  template:\n    apiVersion: v1\n    kind: Pod\n    spec:\n      volumes:\n      - name: a # a\n      - name: b # b\n", "apiVersion: x.io/v1\nkind: X\nspec:\n  template:\n    apiVersion: v1\n    kind: Pod\n    spec:\n      volumes:\n      - name: c\n      - name: b\n", ""},
	"same key":     {"of two with the same key the first counts", pod + "spec:\n  volumes:\n  - name: a # 1\n  - name: a # 2\n", pod + "spec:\n  volumes:\n  - name: z\n  - name: z\n  - name: a\n  - name: a\n", ""},
	"schema":       {"a comment that is a schema says how a list is matched", "apiVersion: x.io/v1\nkind: X\nl: # {\"type\":\"array\",\"items\":{\"type\":\"object\"},\"x-kubernetes-patch-strategy\":\"merge\",\"x-kubernetes-patch-merge-key\":\"name\"}\n- name: a # a\n- name: b # b\n", "apiVersion: x.io/v1\nkind: X\nl:\n- name: c\n- name: b\n- name: a\n", ""},
	"null":         {"what is nothing keeps its comment", "a: null # a\nb:\n  c: 1 # c\n# l\nl:\n- 1 # one\n", "a: {d: 1}\nb: null\nl: ~\n", ""},
	"empty":        {"nothing to order", "a: {} # a\nb: []\nc: {y: 1, x: 2}\n", "c: {}\nb: [{x: 1}]\na: {x: 1}\n", ""},
	"alias":        {"an alias has no form of its own", "a: &x {c: 1, b: 2} # a\nd: *x # d\ne: *x # e\n", "a: &x {b: 2, c: 1}\ne: {b: 2, c: 1}\nd: *x\n", ""},
	"alias itself": {"but one in a list may have a comment", "a: &x 1\nl:\n- *x # l\n- 2\n", "a: &x 1\nl:\n- *x\n- 3\n", ""},
	"top of list":  {"a comment above the first field of an item goes above the item", "l:\n# b\n- b: 1\n  # a\n  a: 2\n- c: 3\n", "l:\n- # x\n  a: 2\n  # y\n  b: 1\n- # z\n  c: 3\n", ""},
	"shape":        {"a field of another shape has no form to keep", "a: 1 # a\nb: # b\n- x\nc: {d: 1}\n", "c: [1]\nb: {x: 1}\na: 2\n", "a: 2 # a\nb: {x: 1} # b\nc: [1]\n"},
	"large":        {"many fields in another order", numbered(3*largeMap, " # c"), reversed(numbered(3*largeMap, "")), numbered(3*largeMap, " # c")},
}

// numbered is a map of n fields.
func numbered(n int, comment string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "f%d: 1%s\n", i, comment)
	}
	return b.String()
}

func reversed(lines string) string {
	all := slices.Collect(strings.Lines(lines))
	slices.Reverse(all)
	return strings.Join(all, "")
}

func TestKeepForm(t *testing.T) {
	for name, c := range format {
		t.Run(name, func(t *testing.T) {
			old, now := parseOne(t, c.from), parseOne(t, c.to)
			known := checkForm(t, old, now)
			if c.want == "" && !known {
				t.Fatalf("%s: nothing to compare with: kyaml refuses it", c.reason)
			}
			new(formatter).restoreFormat(old, now)
			if c.want != "" {
				if d := cmp.Diff(c.want, raw(t, now)); d != "" {
					t.Errorf("%s (-want +got):\n%s", c.reason, d)
				}
			}
		})
	}
}

// manifests are real ones, where the machine has them, and ours.
func manifests(t testing.TB) (all [][]byte) {
	for _, c := range format {
		all = append(all, []byte(c.from))
	}
	for _, o := range deployments(t, 1) {
		all = append(all, []byte(raw(t, o)))
	}
	if dir := os.Getenv("WAYBILL_TESTDATA"); dir != "" {
		files, err := filepath.Glob(filepath.Join(dir, "*", "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, data)
		}
	}
	return all
}

// checkEdits edits each object of data, sends it over the wire, and holds ours against kyaml's.
func checkEdits(t testing.TB, data, program []byte) (compared int) {
	objs, err := krm.Read("in", data, krm.Limits{})
	if err != nil {
		return 0
	}
	for _, old := range objs {
		now := old.DeepCopy()
		edit(now, program)
		text, err := krm.WriteRaw(now)
		if err != nil {
			continue
		}
		back, err := krm.Read("back", text, krm.Limits{})
		if err != nil || len(back) != 1 {
			continue // an edit can make what no reader takes
		}
		if checkForm(t, old, back[0]) {
			compared++
		}
	}
	return compared
}

func TestKeepFormOfManifests(t *testing.T) {
	rng, compared := rand.New(rand.NewPCG(4, 2)), 0
	for _, data := range manifests(t) {
		for range 10 {
			program := make([]byte, 2*rng.IntN(20))
			for i := range program {
				program[i] = byte(rng.IntN(256))
			}
			compared += checkEdits(t, data, program)
		}
	}
	if compared < 100 {
		t.Errorf("only %d objects were compared", compared)
	}
}

func FuzzKeepForm(f *testing.F) {
	for _, data := range manifests(f) {
		f.Add(data, []byte{})
		f.Add(data, []byte{0, 11, 1, 1, 2, 17, 3, 33, 5, 6, 8, 4})
		f.Add(data, []byte{0, 1, 0, 17, 7, 2, 9, 18, 4, 5, 6, 21, 2, 0, 3, 9})
	}
	f.Fuzz(func(t *testing.T, data, program []byte) { checkEdits(t, data, program) })
}
