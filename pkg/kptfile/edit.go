package kptfile

import (
	"maps"
	"reflect"
	"slices"

	v1 "github.com/kptdev/kpt/api/kptfile/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// root returns the mapping of the file, ready for a change: it expands aliases, so that a change of
// one place cannot change another. Call it only if there is something to change.
func (f *File) root() *yaml.Node {
	f.changed = true
	f.Object.ExpandAliases()
	return f.Object.Node()
}

// nodeOf returns v as a node. An error, which values of these types do not cause, waits for Bytes.
func (f *File) nodeOf(v any) *yaml.Node {
	n, err := krm.NodeOf(v)
	if err != nil {
		if f.err == nil {
			f.err = err
		}
		return krm.MapNode()
	}
	return n
}

// SetName sets metadata.name.
func (f *File) SetName(name string) {
	if f.Spec.Name == name {
		return
	}
	f.Spec.Name = name
	meta := childMap(f.root(), "metadata", RootOrder)
	insertField(meta, "name", conform(krm.Lookup(meta, "name"), krm.StringNode(name)), metadataOrder)
}

// SetUpstream sets upstream to u.
func (f *File) SetUpstream(u v1.Upstream) {
	if reflect.DeepEqual(f.Spec.Upstream, &u) {
		return
	}
	f.Spec.Upstream = u.DeepCopy()
	f.setRoot("upstream", f.nodeOf(u))
}

// SetUpstreamLock sets upstreamLock to l.
func (f *File) SetUpstreamLock(l v1.Locator) {
	if reflect.DeepEqual(f.Spec.UpstreamLock, &l) {
		return
	}
	f.Spec.UpstreamLock = l.DeepCopy()
	f.setRoot("upstreamLock", f.nodeOf(l))
}

// SetInfo sets info to i.
func (f *File) SetInfo(i v1.PackageInfo) {
	f.Spec.Info = i.DeepCopy()
	f.setRoot("info", f.nodeOf(i))
}

func (f *File) setRoot(key string, want *yaml.Node) {
	root := f.root()
	insertField(root, key, conform(krm.Lookup(root, key), want), RootOrder)
}

// MergeLabels sets each of labels in metadata.labels and leaves the others. New keys come in
// sorted order.
func (f *File) MergeLabels(labels map[string]string) {
	f.Spec.Labels = f.mergeMeta("labels", f.Spec.Labels, labels)
}

// MergeAnnotations sets each of annotations in metadata.annotations and leaves the others. New
// keys come in sorted order.
func (f *File) MergeAnnotations(annotations map[string]string) {
	f.Spec.Annotations = f.mergeMeta("annotations", f.Spec.Annotations, annotations)
}

func (f *File) mergeMeta(field string, have, add map[string]string) map[string]string {
	out := maps.Clone(have)
	for _, key := range slices.Sorted(maps.Keys(add)) {
		if old, ok := have[key]; ok && old == add[key] {
			continue
		}
		meta := childMap(f.root(), "metadata", RootOrder)
		m := childMap(meta, field, metadataOrder)
		insertField(m, key, conform(krm.Lookup(m, key), krm.StringNode(add[key])), nil)
		if out == nil {
			out = map[string]string{}
		}
		out[key] = add[key]
	}
	return out
}
