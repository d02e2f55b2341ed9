package apisync

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/applyset"
)

// Pair is an object that belongs to a primary, and the name of its copy.
type Pair struct {
	Edge         string
	Origin, Copy applyset.Ref
	// Holds says that the origin is at the source, and has the finalizer as long as it belongs to some primary.
	Holds bool
}

// listPairs lists the related objects of primaries, and the primaries of which they are not known.
func (x *index) listPairs(out *Round, all []*relatedObjects) {
	out.Undecided = map[string]bool{}
	for _, p := range x.primaries {
		for _, k := range all {
			f, known := k.found[p.key]
			if !p.removing && (!known || f.err != nil || f.pending) {
				out.Undecided[p.key] = true
			}
			_, at := k.sides(p)
			for _, one := range f.pairs {
				to := applyset.Ref{Place: at.engineName(), ID: one.to.t.id(one.to.namespace, one.to.name)}
				out.Pairs = append(out.Pairs, Pair{Edge: k.entry.Identifier, Origin: x.refs[one.origin], Copy: to, Holds: !k.toSource})
			}
		}
	}
}

// advertise plans the annotations by which primaries list their related objects at the source, and removes all others.
func (x *index) advertise(out *Round, all []*relatedObjects) {
	for _, p := range x.primaries {
		if p.object == nil || p.removing || p.retained || p.copy == nil {
			continue
		}
		n := AnnotationWrite{Object: p.object, Ref: x.refs[p.object], Set: map[string]string{}}
		wanted, unknown := x.advertised(p, all)
		have := p.object.Annotations()
		for _, name := range slices.Sorted(maps.Keys(have)) {
			if rest, ours := strings.CutPrefix(name, RelatedPrefix); ours && wanted[name] == "" && !unknown[identifierOf(rest)] {
				n.Remove = append(n.Remove, name)
			}
		}
		for name, text := range wanted {
			if have[name] != text {
				n.Set[name] = text
			}
		}
		if len(n.Set)+len(n.Remove) > 0 {
			out.AnnotationWrites = append(out.AnnotationWrites, n)
		}
	}
}

// identifierOf is the identifier of the entry that an annotation is about.
func identifierOf(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i]
	}
	return name
}

// advertised are the annotations that a primary should have, and the entries of which that is unknown.
func (x *index) advertised(p *primary, all []*relatedObjects) (wanted map[string]string, unknown map[string]bool) {
	wanted, unknown = map[string]string{}, map[string]bool{}
	for _, k := range all {
		f, known := k.found[p.key]
		if !k.toSource {
			continue
		}
		if !known || f.err != nil || f.pending {
			unknown[k.entry.Identifier] = true
			continue
		}
		i := 0
		for _, one := range f.pairs {
			_, at := k.sides(p)
			if o := x.copyAt(one, at); o != nil && k.isCopyOf(o, one.key) {
				wanted[k.advertisePrefix+strconv.Itoa(i)] = annotationOf(one.to)
				i++
			}
		}
	}
	return wanted, unknown
}

// annotationOf is the value of the annotation for a copy.
func annotationOf(to target) string {
	value := struct {
		Namespace  string `json:"namespace,omitempty"`
		Name       string `json:"name"`
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}{to.namespace, to.name, to.t.GroupVersion().String(), to.t.Kind}
	if !to.t.Namespaced {
		value.Namespace = ""
	}
	data, err := json.Marshal(value)
	if err != nil { // texts always have a JSON form
		return ""
	}
	return string(data)
}
