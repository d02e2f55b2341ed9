package krm

import (
	"cmp"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Annotations that an orchestrator passes to its functions.
const (
	InternalPrefix        = "internal.config.kubernetes.io/"
	PathAnnotation        = InternalPrefix + "path"
	IndexAnnotation       = InternalPrefix + "index"
	PackagePathAnnotation = InternalPrefix + "package-path"
	SeqIndentAnnotation   = InternalPrefix + "seqindent"
	IDAnnotation          = InternalPrefix + "id"
	LegacyPathAnnotation  = "config.kubernetes.io/path"
	LegacyIndexAnnotation = "config.kubernetes.io/index"
	LegacyIDAnnotation    = "config.k8s.io/id"

	// LocalConfigAnnotation marks an object that is never applied to a cluster.
	LocalConfigAnnotation = "config.kubernetes.io/local-config"
)

// IsOrchestration reports whether an annotation belongs to the orchestrator: functions see it, and it is
// never written to a file.
func IsOrchestration(key string) bool {
	return key == LegacyPathAnnotation || key == LegacyIndexAnnotation || key == LegacyIDAnnotation ||
		strings.HasPrefix(key, InternalPrefix) || strings.HasPrefix(key, "internal.config.k8s.io/")
}

// Annotation returns the value of an annotation, "" when absent.
func (o *Object) Annotation(key string) string {
	if o.known != nil {
		value, _ := o.known.annotation(key)
		return value
	}
	return o.String("metadata", "annotations", key)
}

// HasAnnotation reports whether o has the annotation, with any value.
func (o *Object) HasAnnotation(key string) bool {
	if o.known != nil {
		_, has := o.known.annotation(key)
		return has
	}
	return o.Lookup("metadata", "annotations", key) != nil
}

// IsLocalConfig reports whether o is configuration of the package, not meant for a cluster.
func (o *Object) IsLocalConfig() bool {
	return o.HasAnnotation(LocalConfigAnnotation) && o.Annotation(LocalConfigAnnotation) != "false"
}

// Labels returns metadata.labels; nil when there are none.
func (o *Object) Labels() map[string]string { return stringMap(o.Lookup("metadata", "labels")) }

// Annotations returns metadata.annotations; nil when there are none.
func (o *Object) Annotations() map[string]string {
	return stringMap(o.Lookup("metadata", "annotations"))
}

// Finalizers returns metadata.finalizers; nil when there are none.
func (o *Object) Finalizers() (all []string) {
	if list := o.Lookup("metadata", "finalizers"); list != nil {
		for _, n := range list.Content {
			all = append(all, n.Value)
		}
	}
	return all
}

func stringMap(m *yaml.Node) map[string]string {
	if !IsMap(m) || len(m.Content) == 0 {
		return nil
	}
	out := make(map[string]string, len(m.Content)/2)
	for key, value := range Fields(m) {
		out[key.Value] = ""
		if v := Deref(value); !IsNull(v) {
			out[key.Value] = v.Value
		}
	}
	return out
}

// SetAnnotation sets an annotation, creating missing maps. It keeps the style and comments of
// a value that it replaces.
func (o *Object) SetAnnotation(key, value string) {
	o.known = nil
	m := o.ensureMap("metadata", "annotations")
	if i := fieldIndex(m, key); i >= 0 && m.Content[i+1].Kind == yaml.ScalarNode && m.Content[i+1].Anchor == "" {
		v := m.Content[i+1]
		v.Value, v.Tag = value, yaml.NodeTagString
		if v.Style &^= yaml.TaggedStyle; v.Style == 0 {
			v.Style = stringStyle(value)
		}
		return
	}
	// Single quotes, as kpt writes annotations.
	SetField(m, key, &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: value, Style: yaml.SingleQuotedStyle})
}

// ensureMap returns the mapping at path; mappings that are missing or null are made.
func (o *Object) ensureMap(path ...string) *yaml.Node {
	n := o.Head()
	for _, key := range path {
		next := ownMap(n, key)
		if next == nil {
			next = MapNode()
			SetField(n, key, next)
		}
		n = next
	}
	return n
}

// ownMap returns the mapping at key of m for an edit, nil when there is none. A mapping that an alias or
// anchor shares with other places is copied first.
func ownMap(m *yaml.Node, key string) *yaml.Node {
	i := fieldIndex(m, key)
	if i < 0 || Deref(m.Content[i+1]).Kind != yaml.MappingNode {
		return nil
	}
	if v := m.Content[i+1]; v.Kind == yaml.AliasNode || v.Anchor != "" {
		m.Content[i+1] = expanded(v)
	}
	return m.Content[i+1]
}

// RemoveAnnotations removes every annotation for which drop is true, then an annotations map that
// this left empty, and a metadata that this left empty.
func (o *Object) RemoveAnnotations(drop func(key string) bool) {
	if !anyKey(o.Lookup("metadata", "annotations"), drop) {
		return
	}
	o.known = nil
	root := o.Head()
	meta := ownMap(root, "metadata")
	m := ownMap(meta, "annotations")
	kept := m.Content[:0:0]
	for key, value := range Fields(m) {
		if !drop(key.Value) {
			kept = append(kept, key, value)
		}
	}
	if m.Content = kept; len(kept) == 0 {
		RemoveField(meta, "annotations")
	}
	if len(meta.Content) == 0 {
		RemoveField(root, "metadata")
	}
}

func anyKey(m *yaml.Node, match func(key string) bool) bool {
	for key := range Fields(m) {
		if match(key.Value) {
			return true
		}
	}
	return false
}

// Index is the zero-based place of o among the objects of its file, empty documents not counted,
// as kpt counts: its index annotation, else its place when it was read.
func (o *Object) Index() int {
	text := cmp.Or(o.Annotation(IndexAnnotation), o.Annotation(LegacyIndexAnnotation))
	if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		return n
	}
	return o.index
}

// SetPath sets the file of o: document index of the file at path, in both annotations that functions read.
func (o *Object) SetPath(path string, index int) {
	o.SetAnnotation(LegacyIndexAnnotation, strconv.Itoa(index))
	o.SetAnnotation(LegacyPathAnnotation, path)
	o.SetAnnotation(IndexAnnotation, strconv.Itoa(index))
	o.SetAnnotation(PathAnnotation, path)
}

// MergeMarkPrefix begins the annotations by which kpt recognises an object across upgrades.
const MergeMarkPrefix = "internal.kpt.dev/"

// BelongsToPackage reports whether an annotation is about the place of the object in a package: it stays
// in the file when the object's content is replaced, and is never sent to a cluster.
func BelongsToPackage(key string) bool {
	return IsOrchestration(key) || strings.HasPrefix(key, MergeMarkPrefix)
}
