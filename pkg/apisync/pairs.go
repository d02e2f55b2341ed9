package apisync

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/applyset"
)

// Pair is an object that belongs to a primary, and the name of its copy.
type Pair struct {
	Origin, Copy applyset.Ref
	// Holds says that the origin is at the source, and has the finalizer as long as it belongs to some primary.
	Holds bool
}

// listPairs lists the related objects of primaries, and the primaries of which they are not known.
func (x *index) listPairs(out *Round, all []*relatedObjects) {
	out.Undecided = map[string]bool{}
	for _, p := range x.primaries {
		for _, k := range all {
			if !p.removing && !k.isKnown(p.key) {
				out.Undecided[p.key] = true
			}
			for _, one := range k.found[p.key].pairs {
				out.Pairs = append(out.Pairs, Pair{Origin: x.refs[one.origin], Copy: one.copy, Holds: k.FromSource})
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
		n := AnnotationWrite{Object: p.object, Ref: x.refs[p.object], Annotations: map[string]any{}}
		wanted, unknown := x.advertised(p, all)
		have := p.object.Annotations()
		for name := range have {
			if rest, ours := strings.CutPrefix(name, relatedPrefix); ours && wanted[name] == "" && !unknown[identifierOf(rest)] {
				n.Annotations[name] = nil
			}
		}
		for name, text := range wanted {
			if have[name] != text {
				n.Annotations[name] = text
			}
		}
		if len(n.Annotations) > 0 {
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
		if k.FromSource {
			continue
		}
		if !k.isKnown(p.key) {
			unknown[k.entry.Identifier] = true
			continue
		}
		i := 0
		for _, one := range k.found[p.key].pairs {
			if o := x.byRef[one.copy]; o != nil && k.isCopyOf(o, one.key) {
				wanted[k.advertisePrefix+strconv.Itoa(i)] = annotationOf(one.to)
				i++
			}
		}
	}
	return wanted, unknown
}

// annotationOf is the value of the annotation for a copy.
func annotationOf(to target) string {
	data, err := json.Marshal(struct {
		Namespace  string `json:"namespace,omitempty"`
		Name       string `json:"name"`
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}{to.id().Namespace, to.name, to.t.GroupVersion().String(), to.t.Kind})
	if err != nil { // strings always have a JSON form
		return ""
	}
	return string(data)
}
