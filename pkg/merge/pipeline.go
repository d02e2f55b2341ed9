package merge

import (
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/object"
)

// insertedByVariant reports whether a PackageVariant inserted a function of that name: four parts,
// PackageVariant, the variant, anything, and a number.
func insertedByVariant(name string) bool {
	parts := strings.Split(name, ".")
	if len(parts) != 4 || parts[0] != "PackageVariant" {
		return false
	}
	_, err := strconv.Atoi(parts[3])
	return err == nil
}

// unknownUpstream is inserted, except for the functions that a Kptfile of upstream has: upstream may be a variant's package, too.
func unknownUpstream(inserted func(function string) bool, upstream ...*yaml.Node) func(function string) bool {
	known := map[string]bool{}
	for _, n := range upstream {
		for _, list := range kptfile.Lists {
			if seq := object.Functions(n, string(list)); seq != nil {
				for _, fn := range seq.Content {
					known[object.ScalarAt(fn, "name")] = true
				}
			}
		}
	}
	return func(function string) bool { return inserted(function) && !known[function] }
}

// removeInserted removes the inserted functions from l. The function that it returns puts them back in front,
// in l or another Kptfile; it is nil if there are none.
func removeInserted(l *yaml.Node, inserted func(function string) bool) (back func(to *yaml.Node)) {
	out := map[string][]*yaml.Node{}
	for _, list := range kptfile.Lists {
		seq := object.Functions(l, string(list))
		if seq == nil {
			continue
		}
		var kept []*yaml.Node
		for _, fn := range seq.Content {
			if inserted(object.ScalarAt(fn, "name")) {
				out[string(list)] = append(out[string(list)], fn)
			} else {
				kept = append(kept, fn)
			}
		}
		if seq.Content = kept; len(kept) == 0 && len(out[string(list)]) > 0 { // all of the list was inserted
			krm.RemoveField(krm.Lookup(l, "pipeline"), string(list))
		}
	}
	if len(out) == 0 {
		return nil
	}
	if pipeline := krm.Lookup(l, "pipeline"); len(pipeline.Content) == 0 {
		krm.RemoveField(l, "pipeline")
	}
	return func(to *yaml.Node) { putBack(to, out) }
}

// putBack puts functions in front of the lists from which they were removed.
func putBack(l *yaml.Node, out map[string][]*yaml.Node) {
	for _, list := range kptfile.Lists {
		fns := out[string(list)]
		if len(fns) == 0 {
			continue
		}
		pipeline := krm.Lookup(l, "pipeline")
		if !krm.IsMap(pipeline) {
			pipeline = krm.MapNode()
			krm.SetField(l, "pipeline", pipeline)
		}
		seq := krm.Lookup(pipeline, string(list))
		if !krm.IsList(seq) {
			seq = &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
			krm.SetField(pipeline, string(list), seq)
		}
		seq.Style &^= yaml.FlowStyle // functions do not fit into one line
		seq.Content = append(fns, seq.Content...)
	}
}

// dropEmptyPipeline removes lists of functions that are empty, and a pipeline without functions: neither is left
// where inserted functions are removed.
func dropEmptyPipeline(l *yaml.Node) {
	pipeline := krm.Lookup(l, "pipeline")
	if !krm.IsMap(pipeline) {
		return
	}
	for _, list := range kptfile.Lists {
		if seq := object.Functions(l, string(list)); seq != nil && len(seq.Content) == 0 {
			krm.RemoveField(pipeline, string(list))
		}
	}
	if len(pipeline.Content) == 0 {
		krm.RemoveField(l, "pipeline")
	}
}
