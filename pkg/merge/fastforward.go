package merge

import (
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// fastForward is the Kptfile, under fast-forward, of a package that was not changed locally: theirs with the
// status of ours, and at the root with the name, the inserted functions and, where theirs has none, the upstream
// of ours. ok is false for a root where theirs has no Kptfile: this merges.
func (p *packages) fastForward(file string, v versions, isRoot bool) (out *pkgtree.Blob, ok bool, err error) {
	if v.theirs == nil || v.ours == nil {
		return v.theirs, !isRoot, nil
	}
	after, err := readKptfile(file, v.theirs)
	if err != nil {
		return nil, false, err
	}
	local, err := readKptfile(file, v.ours)
	if err != nil {
		return nil, false, err
	}
	out, err = p.keepLocalFields(file, after, local, v)
	return out, true, err
}

// keepLocalFields is after, which is v.theirs, with the fields that do not come from upstream.
func (p *packages) keepLocalFields(file string, after, local *krm.Object, v versions) (*pkgtree.Blob, error) {
	n, had := after.Node(), keysOf(after.Node())
	changed := copyField(after, local, "status")
	if file == kptfile.Name {
		changed = copyField(after, local, "metadata", "name") || changed
		changed = copyField(after, local, "metadata", "namespace") || changed
		for _, field := range []string{"upstream", "upstreamLock"} {
			changed = !had[field] && copyField(after, local, field) || changed
		}
		before, err := baseNode(file, v.base)
		if err != nil {
			return nil, err
		}
		if back := removeInserted(local.DeepCopy().Node(), unknownUpstream(p.opts.Inserted, before, n)); back != nil {
			back(n)
			changed = true
		}
	}
	switch orderRoot(n, had); {
	case krm.Same(after, local):
		return v.ours, nil
	case !changed:
		return v.theirs, nil
	}
	data, err := krm.Write([]*krm.Object{after})
	return pkgtree.NewBlob(data), err
}

// copyField copies a field, or its absence, and reports whether that changed anything.
func copyField(to, from *krm.Object, path ...string) bool {
	have, want := to.Lookup(path...), from.Lookup(path...)
	if object.Equal(have, want) {
		return false
	}
	parent := to.Node()
	if above := path[:len(path)-1]; len(above) > 0 {
		if parent = to.Lookup(above...); !krm.IsMap(parent) {
			return false
		}
	}
	if field := path[len(path)-1]; want == nil {
		krm.RemoveField(parent, field)
	} else {
		krm.SetField(parent, field, want)
	}
	return true
}
