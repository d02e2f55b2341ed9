package upstream

import (
	"maps"
	"path"
	"slices"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// hasMutators reports whether any function may change tree. A Kptfile that is not valid counts: the render
// reports it.
func hasMutators(tree pkgtree.Tree) bool {
	for p, b := range tree.All() {
		if !isKptfile(p) {
			continue
		}
		if k, err := kptfile.Parse(p, b.Data()); err != nil || len(k.Functions(kptfile.Mutators)) > 0 {
			return true
		}
	}
	return false
}

func mutatorsOf(p string, b *pkgtree.Blob) []kptfilev1.Function {
	k, err := kptfile.Parse(p, b.Data())
	if err != nil {
		return nil
	}
	return k.Functions(kptfile.Mutators)
}

// forSide removes from all pipelines the validators, which change nothing, and must not refuse upstream for a fault that is fixed in
// ours; and from that of the package itself the last functions, if all they do is to make works.
func forSide(tree pkgtree.Tree) pkgtree.Tree {
	changes := map[string][]byte{}
	for p, b := range pick(tree, isKptfile) {
		k, err := kptfile.Parse(p, b.Data())
		if err != nil {
			continue
		}
		last := p == kptfile.Name && bundlesLast(k)
		if len(k.Functions(kptfile.Validators)) == 0 && !last {
			continue
		}
		k.ReplaceFunctions(kptfile.Validators, func(*kptfilev1.Function) bool { return true }, nil)
		if last {
			k.ReplaceFunctions(kptfile.Mutators, bundles, nil)
		}
		if data, err := k.Bytes(); err == nil {
			changes[p] = data
		}
	}
	out, err := tree.Apply(changes)
	if err != nil { // the paths are those of tree
		return tree
	}
	return out
}

// withPipeline is a Kptfile with the pipeline and the name of another, which is all that functions
// use. If one of the two is nil, the result is the other's.
func withPipeline(file string, own, other *pkgtree.Blob) *pkgtree.Blob {
	if own == nil || other == nil {
		return other
	}
	k, err := readKptfile(file, own)
	if err != nil {
		return other
	}
	from, err := readKptfile(file, other)
	if err != nil {
		return other
	}
	changed := setField(k.Node(), "pipeline", from.Lookup("pipeline"))
	if meta := k.Lookup("metadata"); meta != nil && meta.Kind == yaml.MappingNode {
		changed = setField(meta, "name", from.Lookup("metadata", "name")) || changed
	}
	if !changed {
		return own
	}
	data, err := krm.Write([]*krm.Object{k})
	if err != nil {
		return other
	}
	return pkgtree.NewBlob(data)
}

func readKptfile(file string, b *pkgtree.Blob) (*krm.Object, error) {
	k, err := kptfile.Parse(file, b.Data())
	if err != nil {
		return nil, err
	}
	k.Object.ExpandAliases()
	return k.Object, nil
}

// setField sets a field of m to a value, or removes it for nil, and reports whether that changed it.
func setField(m *yaml.Node, name string, value *yaml.Node) (changed bool) {
	have := krm.Lookup(m, name)
	switch {
	case value == nil:
		return krm.RemoveField(m, name)
	case have != nil && krm.SameNode(have, value):
		return false
	}
	krm.SetField(m, name, value)
	return true
}

// withPipelines are the Kptfiles of out, which is given after rendering, with their pipelines in tree.
func withPipelines(out, given, tree pkgtree.Tree) map[string]*pkgtree.Blob {
	changes := map[string]*pkgtree.Blob{}
	for p, b := range pick(tree, isKptfile) {
		if changes[p] = b; !out.Blob(p).Equal(given.Blob(p)) {
			changes[p] = withPipeline(p, out.Blob(p), b)
		}
	}
	return changes
}

// mergeKptfiles merges the Kptfiles of upstream with those of ours, one by one: the merge of packages
// as a whole comes later.
func (m *renderedMerge) mergeKptfiles(base, theirs pkgtree.Tree) (pkgtree.Tree, error) {
	out := map[string]*pkgtree.Blob{}
	for _, p := range slices.Sorted(maps.Keys(m.inputs)) { // the first of several errors is always the same
		if !isKptfile(p) {
			continue
		}
		if m.replaces() && path.Dir(p) != "." {
			out[p] = theirs.Blob(p)
			continue
		}
		merged, err := merge.Packages(asRoot(base.Blob(p)), asRoot(theirs.Blob(p)), asRoot(m.ours.Blob(p)), m.inputOptions())
		if err != nil {
			return theirs, err
		}
		out[p] = merged.Tree.Blob(kptfile.Name)
	}
	return put(pkgtree.Tree{}, out)
}

// asRoot is a package of one Kptfile, or of no file for nil.
func asRoot(b *pkgtree.Blob) pkgtree.Tree {
	tree, _ := put(pkgtree.Tree{}, map[string]*pkgtree.Blob{kptfile.Name: b}) // the path is valid
	return tree
}

func (m *renderedMerge) replaces() bool {
	return m.opts.Strategy == merge.ForceDeleteReplace || m.opts.Strategy == merge.CopyMerge
}

// inputOptions are the options for the merge of inputs. With fast-forward, the later merge refuses all changes at once.
func (m *renderedMerge) inputOptions() merge.Options {
	opts := m.opts
	if opts.Strategy == merge.FastForward {
		opts.Strategy = merge.ResourceMerge
	}
	return opts
}

// mergeConfigs merges the other inputs, and adds them to the Kptfiles.
func (m *renderedMerge) mergeConfigs(kptfiles, o, u, l pkgtree.Tree) (pkgtree.Tree, error) {
	var sides [3]pkgtree.Tree
	for i, tree := range []pkgtree.Tree{o, u, l} {
		configs, err := put(pkgtree.Tree{}, pick(tree, m.inputs.isConfig))
		if err != nil {
			return kptfiles, err
		}
		sides[i] = configs
	}
	merged, err := merge.Packages(sides[0], sides[1], sides[2], m.inputOptions())
	if err != nil {
		return kptfiles, err
	}
	return put(kptfiles, pick(merged.Tree, every))
}
