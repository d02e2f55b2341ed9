package injection

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// record is the Kptfile k with outcomes; the same object if they change nothing. A Kptfile that
// cannot be read does not matter without outcomes.
func (r *run) record(outcomes Outcomes, k *krm.Object) *krm.Object {
	f, err := kptfile.FromObject(k.DeepCopy())
	if err != nil && len(outcomes) == 0 {
		return k
	}
	if err == nil {
		outcomes.Record(f)
		_, err = f.Bytes() // reports an edit that failed
	}
	if err != nil {
		r.report(sdk.Error, r.root, nil, "%s", lineNumber.ReplaceAllString(err.Error(), ""))
		return k
	}
	keepOrder(k.Node(), f.Object.Node())
	if krm.Same(k, f.Object) {
		return k
	}
	return f.Object
}

// keepOrder puts the fields that from has before the other fields of to, in every map that both
// have. kpt does so with the output of a program, so the bytes do not depend on how the function runs.
func keepOrder(from, to *yaml.Node) {
	if from == nil || from.Kind != yaml.MappingNode || to.Kind != yaml.MappingNode {
		return
	}
	var old, added []*yaml.Node
	for i := 0; i+1 < len(to.Content); i += 2 {
		key, value := to.Content[i], to.Content[i+1]
		if before := krm.Lookup(from, key.Value); before != nil {
			keepOrder(before, value)
			old = append(old, key, value)
		} else {
			added = append(added, key, value)
		}
	}
	to.Content = append(old, added...)
}

// lineNumber matches line numbers of a file, which a function that runs as a program does not know.
var lineNumber = lazyregexp.New(`line \d+: | \(line \d+\)`)
