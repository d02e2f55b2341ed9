package render

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Stream holds resources that come through a pipe, not from files.
type Stream struct {
	Items            []*krm.Object
	internal, legacy bool // which names it uses for the annotations of path and index
}

// ReadStream reads what kpt reads from a pipe: YAML documents, one List, or one ResourceList, whose
// config and results are dropped. No data is an empty stream. from names the stream in errors.
func ReadStream(from string, data []byte) (*Stream, error) {
	limits := fn.ListLimits() // it may be a ResourceList, which carries a whole package
	limits.Documents, limits.Depth, limits.Budget = 0, 0, krm.NewBudget()
	objs, err := krm.Read(from, data, limits)
	if err != nil {
		return nil, err
	}
	s := &Stream{Items: objs, internal: true, legacy: true}
	if len(objs) != 1 {
		return s.documents()
	}
	switch o := objs[0]; {
	case o.Kind() == "ResourceList":
		l, err := fn.ParseList(data)
		if err != nil {
			return nil, err
		}
		return fromList(l.Items), nil
	case o.Kind() == "List" && o.APIVersion() == "v1":
		items, err := listItems(o)
		return fromList(items), err
	}
	return s.documents()
}

func listItems(o *krm.Object) (items []*krm.Object, err error) {
	list := o.Lookup("items")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s: items is not a list", o.Source)
	}
	for i, n := range list.Content {
		if n = krm.Deref(n); n.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("%s: items[%d] is not an object", o.Source, i)
		}
		item := krm.FromNode(krm.CopyNode(krm.SelfContained(n)))
		if err := krm.CheckValues(item); err != nil {
			return nil, fmt.Errorf("%s: items[%d] %w", o.Source, i, err)
		}
		items = append(items, item)
	}
	return items, nil
}

// documents numbers the documents of a stream. They keep the path in their annotation.
func (s *Stream) documents() (*Stream, error) {
	for i, o := range s.Items {
		if err := krm.CheckValues(o); err != nil {
			return nil, fmt.Errorf("%s: %w", o.Source, err)
		}
		completePair(o, krm.PathAnnotation, krm.LegacyPathAnnotation)
		index := fmt.Sprint(i)
		o.SetAnnotation(krm.LegacyIndexAnnotation, index)
		o.SetAnnotation(krm.IndexAnnotation, index)
		o.SetAnnotation(krm.SeqIndentAnnotation, o.SequenceStyle())
		o.SetAnnotation(krm.PackagePathAnnotation, "/")
	}
	return s, nil
}

// fromList is a stream that came as a list. Its items keep their annotations.
func fromList(items []*krm.Object) *Stream {
	s := &Stream{Items: items}
	for _, o := range items {
		s.internal = s.internal || o.HasAnnotation(krm.PathAnnotation) || o.HasAnnotation(krm.IndexAnnotation)
		s.legacy = s.legacy || o.HasAnnotation(krm.LegacyPathAnnotation) || o.HasAnnotation(krm.LegacyIndexAnnotation)
		completePair(o, krm.PathAnnotation, krm.LegacyPathAnnotation)
		completePair(o, krm.IndexAnnotation, krm.LegacyIndexAnnotation)
		o.SetAnnotation(krm.PackagePathAnnotation, "/")
	}
	if len(items) == 0 {
		s.internal, s.legacy = true, true
	}
	return s
}

// completePair sets the one of two annotations of the same meaning that is missing.
func completePair(o *krm.Object, a, b string) {
	switch hasA, hasB := o.HasAnnotation(a), o.HasAnnotation(b); {
	case hasA && !hasB:
		o.SetAnnotation(b, o.Annotation(a))
	case hasB && !hasA:
		o.SetAnnotation(a, o.Annotation(b))
	}
}

// Output returns copies of items for the next program in the pipe: path and index are in the annotations
// that the stream used when it was read.
func (s *Stream) Output(items []*krm.Object) []*krm.Object {
	out := make([]*krm.Object, len(items))
	for i, o := range items {
		out[i] = o.DeepCopy()
		out[i].RemoveAnnotations(s.notUsed)
	}
	return out
}

// notUsed reports whether the stream did not have that annotation when it was read.
func (s *Stream) notUsed(key string) bool {
	switch key {
	case krm.PathAnnotation, krm.IndexAnnotation:
		return !s.internal
	case krm.LegacyPathAnnotation, krm.LegacyIndexAnnotation:
		return !s.legacy
	}
	return key == krm.PackagePathAnnotation
}

// Files are the files that the stream's items are written to, as they were read: each to the file that its path
// annotation names, or to one named after it. No path leads out of the folder.
func (s *Stream) Files() (pkgtree.Tree, error) {
	for _, o := range s.Items {
		if err := checkPlace(o); err != nil {
			return pkgtree.Tree{}, fmt.Errorf("%s: %w", o.Describe(), err)
		}
	}
	return Files(s.Items)
}

// checkPlace refuses an item of a stream whose path or index is not valid.
func checkPlace(o *krm.Object) error {
	file := cmp.Or(o.Annotation(krm.PathAnnotation), defaultPath(o, ""))
	clean := path.Clean(file)
	switch {
	case path.IsAbs(file):
		return fmt.Errorf("package paths may not be absolute paths, got %q", file)
	case clean == "." || clean == "..":
		return fmt.Errorf("path %q is a folder", file)
	case strings.HasPrefix(clean, "../"):
		return fmt.Errorf("path %q leads out of the folder", file)
	}
	if err := pkgtree.CheckPath(clean); err != nil {
		return err
	}
	index := o.Annotation(krm.IndexAnnotation)
	if _, err := strconv.Atoi(index); index != "" && err != nil {
		return fmt.Errorf("index %q is not a number", index)
	}
	return nil
}
