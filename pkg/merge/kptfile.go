package merge

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// kptfile merges the Kptfile of a package.
func (p *packages) kptfile(j *job) (*pkgtree.Blob, []Conflict, error) {
	overwrites := j.strategy == ForceDeleteReplace || j.strategy == CopyMerge
	if _, _, own := upstreamOf(j.ours); overwrites && j.pkg != "." && !own {
		out, conflicts := replaceFile(j, p.opts.Prefer)
		return out, conflicts, nil
	}
	isRoot := j.pkg == "."
	if j.strategy == FastForward {
		if out, ok, err := p.fastForward(j.file, j.versions, isRoot); ok || err != nil {
			return out, nil, err
		}
	}
	switch {
	case j.theirs == nil && j.base != nil && j.ours != nil: // a package stays a package
		return j.ours, fileConflict(j.versions, p.opts.Prefer, j.ours), nil
	case j.ours == nil && j.base != nil && j.theirs != nil && !j.base.Equal(j.theirs):
		return nil, fileConflict(j.versions, p.opts.Prefer, nil), nil
	case j.theirs == nil || j.ours == nil && j.base != nil:
		return j.ours, nil, nil
	case j.ours == nil:
		return j.theirs, nil, nil
	}
	k := kptfileMerge{isRoot: isRoot, inserted: p.opts.Inserted, Merger: object.Merger{Prefer: p.opts.Prefer}}
	out, err := k.merge(j.file, j.versions)
	return out, k.Conflicts, err
}

// kptfileMerge merges one Kptfile field by field. Name and status are ours; upstream and upstreamLock are
// theirs.
type kptfileMerge struct {
	object.Merger
	isRoot   bool
	inserted func(function string) bool
}

func (k *kptfileMerge) merge(file string, v versions) (*pkgtree.Blob, error) {
	o, err := baseNode(file, v.base)
	if err != nil {
		return nil, err
	}
	after, err := readKptfile(file, v.theirs)
	if err != nil {
		return nil, err
	}
	local, err := readKptfile(file, v.ours)
	if err != nil {
		return nil, err
	}
	k.mergeFields(o, after.Node(), local.Node())
	for i := range k.Conflicts {
		k.Conflicts[i].Object = local.ID()
	}
	if !k.Changed {
		return v.ours, nil
	}
	data, err := krm.Write([]*krm.Object{local})
	return pkgtree.NewBlob(data), err
}

// baseNode is the content of the Kptfile of base, nil if it has none.
func baseNode(file string, b *pkgtree.Blob) (*yaml.Node, error) {
	if b == nil {
		return nil, nil
	}
	k, err := readKptfile(file, b)
	if err != nil {
		return nil, err
	}
	return k.Node(), nil
}

// readKptfile reads one Kptfile, valid or not.
func readKptfile(file string, b *pkgtree.Blob) (*krm.Object, error) {
	objects, err := krm.Read(file, b.Data(), krm.Limits{})
	if err != nil {
		return nil, err
	}
	if len(objects) != 1 {
		return nil, fmt.Errorf("%s: want one Kptfile object, found %d", file, len(objects))
	}
	objects[0].ExpandAliases()
	return objects[0], nil
}

func (k *kptfileMerge) mergeFields(o, u, l *yaml.Node) {
	had := keysOf(l)
	k.mergeUpstream(o, u, l)
	o, u = mergeable(o), mergeable(u)
	if meta := krm.Lookup(u, "metadata"); !had["metadata"] && krm.IsMap(meta) && len(meta.Content) == 0 {
		krm.RemoveField(u, "metadata")
	}
	back := removeInserted(l, unknownUpstream(k.inserted, o, u))
	k.Fields(k.KptfileType(o, u, l), o, u, l)
	if back != nil {
		back(l)
	}
	orderRoot(l, had)
}

// mergeUpstream gives l the upstream of u, if it has one. A local change of it in a subpackage is lost.
func (k *kptfileMerge) mergeUpstream(o, u, l *yaml.Node) {
	for _, name := range []string{"upstream", "upstreamLock"} {
		ov, uv, lv := krm.Lookup(o, name), krm.Lookup(u, name), krm.Lookup(l, name)
		if uv == nil || object.Equal(uv, lv) {
			continue
		}
		chosen := uv
		if k.At = (object.Path{name}); !k.isRoot && !object.Equal(lv, ov) {
			chosen = k.Conflict(ov, uv, lv, func() *yaml.Node { return uv })
		}
		if k.At = nil; chosen != lv {
			k.Changed = true
			krm.SetField(l, name, chosen)
		}
	}
}

// mergeable is a copy of a Kptfile without the fields that do not merge.
func mergeable(n *yaml.Node) *yaml.Node {
	if n == nil {
		return nil
	}
	out := without(n, "apiVersion", "kind", "status", "upstream", "upstreamLock")
	if meta := krm.Lookup(n, "metadata"); krm.IsMap(meta) {
		krm.SetField(out, "metadata", without(meta, "name", "namespace"))
	}
	return out
}

func without(n *yaml.Node, names ...string) *yaml.Node {
	out := krm.MapNode()
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !slices.Contains(names, n.Content[i].Value) {
			out.Content = append(out.Content, n.Content[i], n.Content[i+1])
		}
	}
	return out
}

// orderRoot moves the fields that l did not have to where kpt writes them.
func orderRoot(l *yaml.Node, had map[string]bool) {
	type pair struct{ key, value *yaml.Node }
	var pairs []pair
	for i := 0; i+1 < len(l.Content); i += 2 {
		at, place := len(pairs), slices.Index(kptfile.RootOrder, l.Content[i].Value)
		for !had[l.Content[i].Value] && at > 0 && slices.Index(kptfile.RootOrder, pairs[at-1].key.Value) > place {
			at--
		}
		pairs = slices.Insert(pairs, at, pair{l.Content[i], l.Content[i+1]})
	}
	l.Content = l.Content[:0]
	for _, p := range pairs {
		l.Content = append(l.Content, p.key, p.value)
	}
}

func keysOf(n *yaml.Node) map[string]bool {
	out := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		out[n.Content[i].Value] = true
	}
	return out
}
