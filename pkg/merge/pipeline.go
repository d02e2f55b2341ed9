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

// removeInserted removes the inserted functions from l. The function that it returns puts them back in front.
func (k *kptfileMerge) removeInserted(l *yaml.Node) (back func()) {
	out := map[string][]*yaml.Node{}
	for _, list := range kptfile.Lists {
		seq := object.Functions(l, string(list))
		if seq == nil {
			continue
		}
		var kept []*yaml.Node
		for _, fn := range seq.Content {
			if k.inserted(object.ScalarAt(fn, "name")) {
				out[string(list)] = append(out[string(list)], fn)
			} else {
				kept = append(kept, fn)
			}
		}
		if seq.Content = kept; len(kept) == 0 && len(out[string(list)]) > 0 { // all of the list was inserted
			krm.RemoveField(krm.Lookup(l, "pipeline"), string(list))
		}
	}
	if pipeline := krm.Lookup(l, "pipeline"); len(out) > 0 && len(pipeline.Content) == 0 {
		krm.RemoveField(l, "pipeline")
	}
	return func() { putBack(l, out) }
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
