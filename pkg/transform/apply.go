package transform

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Apply removes from o, in place, what the CustomTransforms for its group and resource name, and
// reports whether o had any of it. An emptied map stays as {}. Annotations of the pipeline
// (path, index, internal ones and those of Waybill) stay. A second Apply changes nothing.
func (s *Set) Apply(o *krm.Object, group, resource string) bool {
	e := &editor{o: o}
	for _, r := range s.of(group, resource) {
		e.removePath(r.path)
	}
	return e.changed
}

// of are the removals for a group and resource.
func (s *Set) of(group, resource string) []removal {
	if s == nil {
		return nil
	}
	return s.remove[schema.GroupResource{Group: group, Resource: resource}]
}

func (e *editor) removePath(path Path) {
	switch {
	case slices.Equal(path, inAnnotations):
		e.removeAnnotations()
	case len(path) == 3 && slices.Equal(path[:2], inAnnotations) && belongsToPipeline(path[2]):
	default:
		e.remove(path...)
	}
}

// removeAnnotations removes all annotations except those of the pipeline.
func (e *editor) removeAnnotations() {
	m := e.o.Lookup(inAnnotations...)
	if m == nil {
		return
	}
	var keep, drop []string
	for i := 0; m.Kind == yaml.MappingNode && i+1 < len(m.Content); i += 2 {
		if key := m.Content[i].Value; belongsToPipeline(key) {
			keep = append(keep, key)
		} else {
			drop = append(drop, key)
		}
	}
	if len(keep) == 0 {
		e.remove(inAnnotations...)
		return
	}
	e.removeChildren(inAnnotations, drop...)
}
