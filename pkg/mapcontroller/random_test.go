package mapcontroller_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// numbered makes a ConfigMap for each number of an input; its tombstone keeps those with even numbers.
const numbered = `
apiVersion: waybill.dev/v1alpha1
kind: MapController
metadata: {name: numbers}
spec:
  parentResource: {apiVersion: example.org/v1, kind: Policy}
  inputResources: [{apiVersion: v1, resource: services}, {apiVersion: v1, resource: nodes}]
  outputResources:
  - {apiVersion: v1, resource: configmaps, updateStrategy: {method: %s}}
  - {apiVersion: v1, resource: secrets}
  view: %s
  allowEmpty: %t
  hooks:
    map:
      version: %s
      cel:
        expression: |
          input.spec.numbers.map(n, {
            "apiVersion": "v1", "kind": n > 2 ? "Secret" : "ConfigMap",
            "metadata": {
              "name": parent.metadata.name + "-" + input.kind + "-" + input.metadata.name + "-" + string(n),
              "namespace": has(parent.metadata.namespace) ? parent.metadata.namespace : has(input.metadata.namespace) ? input.metadata.namespace : "none"},
            "data": {"n": string(n)}})
    tombstone:
      version: %s
      cel:
        expression: |
          outputs["ConfigMap.v1"].transformList(k, o, int(o.data.n) %% 2 == 0, o) +
          outputs["Secret.v1"].transformList(k, o, int(o.data.n) %% 2 == 0, o)
`

// TestRandom compares the function with the naive model in the same random histories: parents and inputs appear, disappear
// and change, and every render starts from the result of the one before.
func TestRandom(t *testing.T) {
	function := mapcontroller.Function()
	for seed := range uint64(testenv.Few(60)) {
		r := rand.New(rand.NewPCG(seed, 8))
		n := &naive{
			complete: r.IntN(3) > 0, allowEmpty: r.IntN(2) == 0,
			parents: map[string]naiveParent{}, inputs: map[string]naiveInput{}, outputs: map[naiveOutput]bool{},
		}
		view := map[bool]string{true: "Complete", false: "Partial"}[n.complete]
		method := []string{"InPlace", "Recreate", "OnDelete"}[r.IntN(3)]
		config := read(t, fmt.Sprintf(numbered, method, view, n.allowEmpty, []string{"v1", "v2"}[r.IntN(2)], []string{"v1", "v2"}[r.IntN(2)]))[0]
		var outputs []*krm.Object
		for step := range 12 {
			change(r, n)
			in := &fn.Input{Config: config, Items: append(itemsOf(t, n), outputs...)}
			r.Shuffle(len(in.Items), func(i, j int) { in.Items[i], in.Items[j] = in.Items[j], in.Items[i] })
			if step == 5 && n.orphans() == 0 {
				fntest.CheckLaws(t, function, in, nil)
			} else if step == 5 { // the deletion is reported once
				fntest.CheckLawsOfOneRun(t, function, in, nil)
			}
			out := function.Apply(t.Context(), in)
			if allowed := n.pass(); allowed == out.Failed() {
				t.Fatalf("seed %d, step %d: allowed is %t, with the results %v", seed, step, allowed, out.Results)
			}
			outputs = outputsOf(out.Items)
			if diff := cmp.Diff(n.lines(), linesOf(outputs)); diff != "" {
				t.Fatalf("seed %d, step %d (-naive +map):\n%s", seed, step, diff)
			}
		}
	}
}

// change changes some parent or input.
func change(r *rand.Rand, n *naive) {
	label := []string{"", "a", "b"}
	for range 1 + r.IntN(3) {
		in := naiveInput{kind: "Service", namespace: []string{"x", "y"}[r.IntN(2)], name: fmt.Sprint("i", r.IntN(4)), label: label[r.IntN(3)]}
		if r.IntN(3) == 0 {
			in.kind, in.namespace = "Node", ""
		}
		switch name := fmt.Sprint("p", r.IntN(3)); r.IntN(7) {
		case 6:
			if _, there := n.parents[name]; there { // with a selector that may match nothing
				n.parents[name] = naiveParent{namespaceOf(name), []string{"", "a", "b", "misspelt"}[r.IntN(4)]}
			}
		case 0:
			delete(n.parents, name)
		case 1:
			if _, there := n.parents[name]; !there { // a parent that moves is another one
				n.parents[name] = naiveParent{namespaceOf(name), label[r.IntN(3)]}
			}
		case 2:
			delete(n.inputs, in.key())
		default:
			for number := range 5 {
				if r.IntN(2) == 0 {
					in.numbers = append(in.numbers, number)
				}
			}
			n.inputs[in.key()] = in
		}
	}
}

// namespaceOf is the namespace of a parent.
func namespaceOf(name string) string { return map[string]string{"p0": "x", "p1": "y"}[name] }

// itemsOf converts parents and inputs to items.
func itemsOf(t *testing.T, n *naive) []*krm.Object {
	var b strings.Builder
	in := func(namespace string) string {
		if namespace == "" {
			return ""
		}
		return ", namespace: " + namespace
	}
	for name, p := range n.parents {
		fmt.Fprintf(&b, "---\napiVersion: example.org/v1\nkind: Policy\nmetadata: {name: %s%s}\n", name, in(p.namespace))
		if p.label != "" {
			fmt.Fprintf(&b, "spec: {selector: {matchLabels: {l: %s}}}\n", p.label)
		}
	}
	for _, i := range n.inputs {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: %s\nmetadata: {name: %s%s, labels: {l: %q}}\nspec: {numbers: [%s]}\n",
			i.kind, i.name, in(i.namespace), i.label, strings.Trim(strings.ReplaceAll(fmt.Sprint(i.numbers), " ", ", "), "[]"))
	}
	objects := read(t, b.String())
	for i, o := range objects {
		o.SetPath("in.yaml", i)
	}
	return objects
}

func outputsOf(items []*krm.Object) []*krm.Object {
	return slices.DeleteFunc(slices.Clone(items), func(o *krm.Object) bool {
		return o.Kind() != "ConfigMap" && o.Kind() != "Secret"
	})
}

func linesOf(outputs []*krm.Object) (lines []string) {
	for _, o := range outputs {
		tags := applyset.TagsOf(o)
		lines = append(lines, fmt.Sprint(tags.Owner[strings.LastIndex(tags.Owner, "/")+1:], " ", tags.Input, " ", o.String("data", "n")))
	}
	slices.Sort(lines)
	return lines
}
