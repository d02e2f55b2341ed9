package fleet

import (
	"bytes"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// namesClusters reports whether a file may hold what w is about.
func namesClusters(data []byte) bool {
	return slices.ContainsFunc([]string{clusterKind, inventoryKind, propertiesNamespace}, func(word string) bool { return bytes.Contains(data, []byte(word)) })
}

// edits is one Apply.
type edits struct {
	whatIf  *WhatIf
	unknown map[string]bool // clusters that are still to be found
}

func (e *edits) file(p string, data []byte, changes map[string][]byte) error {
	objects, err := krm.Read(p, data, krm.Limits{})
	if err != nil {
		return err
	}
	touched := false
	kept := objects[:0]
	for _, o := range objects {
		drop, did := e.object(o)
		touched = touched || did || drop
		if !drop {
			kept = append(kept, o)
		}
	}
	if !touched {
		return nil
	}
	changes[p] = nil
	if len(kept) > 0 {
		changes[p], err = krm.Write(kept)
	}
	return err
}

// object edits o, and reports whether it goes, or is another now.
func (e *edits) object(o *krm.Object) (drop, did bool) {
	switch {
	case o.Is(clusterGroup, clusterKind):
		return e.cluster(o.Name(), o.Lookup("metadata"))
	case o.Is("", "ConfigMap") && o.Namespace() == propertiesNamespace:
		return slices.Contains(e.whatIf.Without, o.Name()) || e.replaced(o), false
	case o.Is(inventoryGroup, inventoryKind):
		return false, e.inventory(o.Lookup("spec", "clusters"))
	}
	return false, false
}

// inventory edits a list of clusters, and reports whether it is another now.
func (e *edits) inventory(list *yaml.Node) (did bool) {
	if list == nil || list.Kind != yaml.SequenceNode {
		return false
	}
	list.Content = slices.DeleteFunc(list.Content, func(n *yaml.Node) bool {
		drop, changed := e.cluster(word(n, "name"), n)
		did = did || drop || changed
		return drop
	})
	return did
}

// cluster edits one cluster, whose labels are in n, and reports whether it goes, or is another now.
func (e *edits) cluster(name string, n *yaml.Node) (drop, did bool) {
	if slices.Contains(e.whatIf.Without, name) {
		delete(e.unknown, name)
		return true, false
	}
	if slices.ContainsFunc(e.whatIf.With, func(o *krm.Object) bool { return o.Is(clusterGroup, clusterKind) && o.Name() == name }) {
		return true, false
	}
	return false, e.label(name, n)
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

func (e *edits) replaced(o *krm.Object) bool {
	return slices.ContainsFunc(e.whatIf.With, func(w *krm.Object) bool { return w.ID() == o.ID() })
}

// add puts the clusters that are added into a file of their own.
func (e *edits) add(changes map[string][]byte) error {
	var added []*krm.Object
	for _, o := range e.whatIf.With {
		switch {
		case o.Is(clusterGroup, clusterKind):
			o = o.DeepCopy()
			e.label(o.Name(), o.Lookup("metadata"))
		case !o.Is("", "ConfigMap") || o.Namespace() != propertiesNamespace:
			return fmt.Errorf("what if: %s: want ManagedClusters, and ConfigMaps in namespace %s", o.Describe(), propertiesNamespace)
		}
		added = append(added, o)
	}
	if len(added) == 0 {
		return nil
	}
	text, err := krm.Write(added)
	changes[withFile] = text
	return err
}
