package whatif

import (
	"bytes"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// namesClusters reports whether a file may hold clusters or their properties.
func namesClusters(data []byte) bool {
	return slices.ContainsFunc([]string{workload.ManagedClusterKind.Kind, workload.InventoryKind.Kind, workload.PropertyNamespace},
		func(word string) bool { return bytes.Contains(data, []byte(word)) })
}

type edits struct {
	whatIf   *Change
	unknown  map[string]bool          // clusters that are still to be found
	replaced map[krm.ID]bool          // what came in the place of another
	packages map[string]bool          // folders of packages that name clusters
	files    map[string][]*krm.Object // that are another now
	from     map[*yaml.Node]Line      // where it stood
}

func newEdits(w *Change) (*edits, error) {
	e := &edits{whatIf: w, unknown: map[string]bool{}, replaced: map[krm.ID]bool{}, packages: map[string]bool{},
		files: map[string][]*krm.Object{}, from: map[*yaml.Node]Line{}}
	for _, name := range w.Without {
		e.unknown[name] = true
	}
	for _, l := range w.Labels {
		e.unknown[l.Cluster] = true
	}
	for _, o := range w.With {
		if !isCluster(o) && !isProperties(o) {
			return nil, fmt.Errorf("what if: %s: want ManagedClusters, and ConfigMaps in namespace %s", o.Describe(), workload.PropertyNamespace)
		}
	}
	return e, nil
}

func isCluster(o *krm.Object) bool {
	return o.Is(workload.ManagedClusterKind.Group, workload.ManagedClusterKind.Kind)
}

func isInventory(o *krm.Object) bool {
	return o.Is(workload.InventoryKind.Group, workload.InventoryKind.Kind)
}

func isProperties(o *krm.Object) bool {
	return o.Is("", "ConfigMap") && o.Namespace() == workload.PropertyNamespace
}

func (e *edits) file(tree pkgtree.Tree, p string, data []byte) error {
	objects, err := krm.Read(p, data, krm.Limits{})
	if err != nil {
		return err
	}
	touched := false
	var kept []*krm.Object
	for _, o := range objects {
		if isCluster(o) || isInventory(o) {
			e.packages[tree.PackageOf(p)] = true
			o.ExpandAliases() // what is changed for one cluster must not be for others
		}
		e.note(o, p, false)
		now, did := e.object(o)
		touched = touched || did
		if now != nil {
			kept = append(kept, now)
		}
	}
	if touched {
		e.files[p] = kept
	}
	return nil
}

// object edits o. It returns the object that replaces it, nil for none, and whether it changed anything.
func (e *edits) object(o *krm.Object) (now *krm.Object, did bool) {
	cluster := isCluster(o)
	switch {
	case isInventory(o):
		return o, e.inventory(o.Lookup("spec", "clusters"))
	case !cluster && !isProperties(o):
		return o, false
	case e.leaves(o.Name(), cluster):
		return nil, true
	}
	if with := e.with(o.ID()); with != nil {
		return e.replacement(with), true
	}
	return o, cluster && e.label(o.Name(), o.Lookup("metadata"))
}

// leaves reports whether a cluster is to be removed; known says that this is the cluster itself, and not its properties.
func (e *edits) leaves(name string, known bool) bool {
	goes := slices.Contains(e.whatIf.Without, name)
	if goes && known {
		delete(e.unknown, name)
	}
	return goes
}

// inventory edits a list of clusters, and reports whether it changed.
func (e *edits) inventory(list *yaml.Node) (did bool) {
	if list == nil || list.Kind != yaml.SequenceNode {
		return false
	}
	list.Content = slices.DeleteFunc(list.Content, func(n *yaml.Node) bool {
		name := krm.Text(n, "name")
		if e.leaves(name, true) {
			did = true
			return true
		}
		did = e.entry(name, krm.Deref(n)) || did
		return false
	})
	return did
}

// entry copies into an entry of an Inventory the labels, annotations and properties of the replacement of that name.
func (e *edits) entry(name string, n *yaml.Node) (did bool) {
	if with := e.with(krm.ID{Group: workload.ManagedClusterKind.Group, Kind: workload.ManagedClusterKind.Kind, Name: name}); with != nil {
		with = e.replacement(with)
		for _, field := range []string{"labels", "annotations"} {
			krm.RemoveField(n, field)
			if v := with.Lookup("metadata", field); v != nil {
				krm.SetField(n, field, v)
			}
		}
		did = true
	}
	if with := e.with(krm.ID{Kind: "ConfigMap", Namespace: workload.PropertyNamespace, Name: name}); with != nil {
		krm.RemoveField(n, "properties")
		did = true
	}
	return e.label(name, n) || did
}

// with is the replacement of that identity; nil for none.
func (e *edits) with(id krm.ID) *krm.Object {
	at := slices.IndexFunc(e.whatIf.With, func(o *krm.Object) bool { return o.ID() == id })
	if at < 0 {
		return nil
	}
	return e.whatIf.With[at]
}

// replacement is a copy of a replacement, which counts as used from then on.
func (e *edits) replacement(o *krm.Object) *krm.Object {
	e.replaced[o.ID()] = true
	return e.fresh(o)
}

func (e *edits) fresh(o *krm.Object) *krm.Object {
	o = o.DeepCopy()
	e.note(o, o.Source.File, true)
	if isCluster(o) {
		e.label(o.Name(), o.Lookup("metadata"))
	}
	return o
}

func (e *edits) label(cluster string, n *yaml.Node) (did bool) {
	for _, l := range e.whatIf.Labels {
		if l.Cluster != cluster {
			continue
		}
		delete(e.unknown, cluster)
		labels := krm.Lookup(n, "labels")
		if labels == nil || labels.Kind != yaml.MappingNode {
			labels = krm.MapNode()
			krm.SetField(n, "labels", labels)
		}
		if did = true; l.Remove {
			krm.RemoveField(labels, l.Key)
		} else {
			krm.SetField(labels, l.Key, krm.StringNode(l.Value))
		}
	}
	return did
}
