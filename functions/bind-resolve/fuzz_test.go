package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// fuzzLimits keep one try short.
var fuzzLimits = krm.Limits{Bytes: 1 << 14, Documents: 100, Depth: 50, Nodes: 10_000, Aliased: 10_000}

// FuzzBindResolve gives the function whatever can be read as objects, and what edits make of it: it
// neither panics nor writes more than its input accounts for, and the laws hold, whether it refuses
// or not.
func FuzzBindResolve(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, config, data, edits []byte) {
		items, err := krm.Read("in.yaml", data, fuzzLimits)
		if err != nil {
			return // refused before any function sees it
		}
		configs, err := krm.Read("config.yaml", config, fuzzLimits)
		if err != nil {
			return
		}
		items = edit(items, edits)
		in := &fn.Input{Items: items}
		if len(configs) > 0 && len(configs[0].Node().Content) > 0 { // {} is no config to the protocol
			in.Config = configs[0]
		}
		for i, o := range items {
			o.SetPath("in.yaml", i)
		}
		fntest.CheckLaws(t, binding.Function, in, nil)
		out := binding.Function.Apply(context.Background(), in)
		for _, r := range out.Results {
			if strings.Contains(r.Message, "broke on this input") { // what a panic becomes
				t.Error(fn.FormatResult(r))
			}
		}
		checkSize(t, in, out)
	})
}

// seed adds every golden case.
func seed(f *testing.F) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		f.Fatalf("no golden cases to begin with (%v)", err)
	}
	for _, file := range cases {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		parts := map[string][]byte{}
		for _, part := range ar.Files {
			parts[part.Name] = part.Data
		}
		f.Add(parts["config.yaml"], parts["in.yaml"], []byte{})
		f.Add(parts["config.yaml"], parts["in.yaml"], []byte("edits"+file))
	}
}

// edit puts copies of values in the place of others: every four bytes of edits name a source and a
// target. Most of what comes of it reads as objects still, as little does that is made of random
// text; there are none when it does not.
func edit(items []*krm.Object, edits []byte) []*krm.Object {
	var values []*yaml.Node
	for _, o := range items {
		o.ExpandAliases()
		dropComments(o.Node())
		values = appendValues(values, o.Node())
	}
	const largest = 100 // values in a source, or copies of copies would outgrow any limit
	for ; len(edits) >= 4 && len(values) > 0; edits = edits[4:] {
		source := values[(int(edits[0])<<8+int(edits[1]))%len(values)]
		target := values[(int(edits[2])<<8+int(edits[3]))%len(values)]
		if len(appendValues(nil, source)) <= largest {
			*target = *krm.CopyNode(source)
		}
	}
	text, err := krm.Write(items)
	if err != nil {
		return nil
	}
	items, err = krm.Read("in.yaml", text, krm.Limits{})
	if err != nil {
		return nil
	}
	return items
}

// appendValues appends every value below n, keys excepted.
func appendValues(values []*yaml.Node, n *yaml.Node) []*yaml.Node {
	for i, c := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			values = appendValues(append(values, c), c)
		}
	}
	return values
}

// dropComments leaves comments to the golden cases: those of a field rightly go with it, and where
// others stand after they were written and read again is the business of YAML.
func dropComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, c := range n.Content {
		dropComments(c)
	}
}

// checkSize holds what was generated to an entry for each object and cluster in each policy, and
// the number of results to one for each byte that was read, for each pair of policies and for the whole.
func checkSize(t *testing.T, in *fn.Input, out *fn.Output) {
	var made []*krm.Object
	for _, o := range out.Items {
		if fn.IsGenerated(o) {
			made = append(made, o)
		}
	}
	policies := 0
	for _, o := range in.Items {
		if o.Is(control.Group, control.KindBindingPolicy) {
			policies++
		}
	}
	inventory, _ := workload.ReadInventory(in.Items, true)
	const fixed = 1024 // bytes of an entry, whatever its names
	read, size := length(t, in.Items), length(t, made)
	if most := read + policies*(1+len(in.Items)+len(inventory.Clusters))*(fixed+read); size > most {
		t.Errorf("%d bytes were generated from %d, more than %d", size, read, most)
	}
	if most := 1 + read + policies*policies; len(out.Results) > most {
		t.Errorf("%d results, more than %d", len(out.Results), most)
	}
}

// length is how many bytes items take.
func length(t *testing.T, items []*krm.Object) (n int) {
	for _, o := range items {
		data, err := krm.WriteRaw(o)
		if err != nil {
			t.Fatal(err)
		}
		n += len(data)
	}
	return n
}
