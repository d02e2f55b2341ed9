package merge

import (
	"cmp"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// upstreamOf reports whether a Kptfile has an upstream, whether that is locked to a commit, and the strategy of
// updates. A Kptfile that cannot be read has none.
func upstreamOf(b *pkgtree.Blob) (s Strategy, locked, has bool) {
	if b == nil {
		return "", false, false
	}
	k, err := readKptfile(kptfile.Name, b)
	if err != nil {
		return "", false, false
	}
	s = Strategy(cmp.Or(k.String("upstream", "updateStrategy"), string(ResourceMerge)))
	return s, k.Lookup("upstreamLock") != nil, k.Lookup("upstream") != nil
}

// sameKptfile reports whether two Kptfiles are equal, apart from upstream, the result of the last render, and
// at the root the name, which getting a package changes, and the functions that were inserted in b.
func (p *packages) sameKptfile(a, b *pkgtree.Blob, isRoot bool) bool {
	ka, errA := readKptfile(kptfile.Name, a)
	kb, errB := readKptfile(kptfile.Name, b)
	if errA != nil || errB != nil {
		return a.Equal(b)
	}
	if isRoot && removeInserted(kb.Node(), unknownUpstream(p.opts.Inserted, ka.Node())) != nil {
		dropEmptyPipeline(ka.Node())
		dropEmptyPipeline(kb.Node())
	}
	return object.Equal(withoutUpstream(ka, isRoot), withoutUpstream(kb, isRoot))
}

// withoutUpstream is a Kptfile without what sameKptfile ignores.
func withoutUpstream(k *krm.Object, isRoot bool) *yaml.Node {
	n := k.Node()
	for _, field := range []string{"upstream", "upstreamLock"} {
		krm.RemoveField(n, field)
	}
	if meta := k.Lookup("metadata"); isRoot && krm.IsMap(meta) {
		krm.RemoveField(meta, "name")
	}
	status := k.Lookup("status")
	if !krm.IsMap(status) {
		return n
	}
	krm.RemoveField(status, "renderStatus")
	if conditions := krm.Lookup(status, "conditions"); krm.IsList(conditions) {
		conditions.Content = slices.DeleteFunc(conditions.Content, func(c *yaml.Node) bool {
			t := krm.Lookup(c, "type")
			return t != nil && t.Value == "Rendered"
		})
		if len(conditions.Content) == 0 {
			krm.RemoveField(status, "conditions")
		}
	}
	if len(status.Content) == 0 {
		krm.RemoveField(n, "status")
	}
	return n
}
