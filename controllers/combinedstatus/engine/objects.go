package engine

import (
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// kind is what is known of the objects of one Resource.
type kind struct {
	name    string // "": not known yet
	objects map[place]map[string]any
}

// place is an object among those of its kind.
type place struct{ namespace, name string }

func (t Target) place() place { return place{t.Namespace, t.Name} }

// identity is that of an object of a kind.
func (t Target) identity(kind string) reports.Identity {
	return reports.Identity{Group: t.Group, Version: t.Version, Kind: kind, Resource: t.Plural, Namespace: t.Namespace, Name: t.Name}
}

// SetKind says what objects of a Resource are called, and that all there are have been put in. With "" they
// are not known any more.
func (e *Engine) SetKind(r Resource, name string) {
	k := e.kind(r)
	if k.name == name {
		return
	}
	if k.name = name; name == "" {
		clear(k.objects)
	}
	e.restructured = true
}

func (e *Engine) kind(r Resource) *kind {
	k := e.kinds[r]
	if k == nil {
		k = &kind{objects: map[place]map[string]any{}}
		e.kinds[r] = k
	}
	return k
}

// PutObject takes in an object.
func (e *Engine) PutObject(r Resource, obj map[string]any) {
	metadata, _ := obj["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	name, _ := metadata["name"].(string)
	e.setObject(Target{r, namespace, name}, obj)
}

// DeleteObject forgets an object.
func (e *Engine) DeleteObject(t Target) { e.setObject(t, nil) }

func (e *Engine) setObject(t Target, obj map[string]any) {
	k, at := e.kind(t.Resource), t.place()
	if sameVersion(k.objects[at], obj) {
		return
	}
	if k.objects[at] = obj; obj == nil {
		delete(k.objects, at)
	}
	if k.name == "" {
		return
	}
	id := t.identity(k.name)
	for _, s := range e.about[id] {
		before := s.about
		s.setObject(obj)
		e.mark(s)
		if s.about != before {
			e.undecideSubject(s)
		}
	}
	e.touch(id)
}

// sameVersion reports whether two objects are what an API server handed out twice.
func sameVersion(a, b map[string]any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	version := metadataText(a, "resourceVersion")
	return version != "" && version == metadataText(b, "resourceVersion") && metadataText(a, "uid") == metadataText(b, "uid")
}

func metadataText(obj map[string]any, field string) string {
	metadata, _ := obj["metadata"].(map[string]any)
	text, _ := metadata[field].(string)
	return text
}

// Version is the resourceVersion of the object that was put in last, "" when there is none.
func (e *Engine) Version(t Target) string {
	if k := e.kinds[t.Resource]; k != nil {
		return metadataText(k.objects[t.place()], "resourceVersion")
	}
	return ""
}

// touch has the status of an object looked at, if it is there.
func (e *Engine) touch(id reports.Identity) {
	t := Target{Resource{id.Group, id.Version, id.Resource}, id.Namespace, id.Name}
	if k := e.kinds[t.Resource]; k != nil && k.name == id.Kind && k.objects[t.place()] != nil {
		e.touched[id] = t
	}
}

// touchAll does so for all objects whose status is asked for, and for those that had one returned.
func (e *Engine) touchAll() {
	for r, k := range e.kinds {
		for at, obj := range k.objects {
			id := Target{r, at.namespace, at.name}.identity(k.name)
			want := e.wants.Of(id)
			if k.name != "" && (want.Singleton || want.Multi || returnedTo(obj)) {
				e.touch(id)
			}
		}
	}
}

// returnedTo reports whether an object is labelled as one with a returned status.
func returnedTo(obj map[string]any) bool {
	labels := writeback.ObjectOf(reports.Identity{}, obj).Labels
	_, singleton := labels[writeback.SingletonLabel]
	_, multi := labels[writeback.MultiLabel]
	return singleton || multi
}

// Return is what an object has, and what becomes of its status; false when nothing does, or the object is
// not there.
func (e *Engine) Return(t Target) (obj map[string]any, d writeback.Decision, changes bool) {
	k := e.kinds[t.Resource]
	if k == nil || k.name == "" || k.objects[t.place()] == nil {
		return nil, d, false
	}
	obj, id := k.objects[t.place()], t.identity(k.name)
	want := e.wants.Of(id)
	if !want.Singleton && !want.Multi && (len(e.lost) > 0 || e.askedOtherwise(t) || delivered(obj)) {
		return nil, d, false
	}
	d = writeback.Decide(writeback.ObjectOf(id, obj), want, e.reports.Of(id), e.options.Returning)
	return obj, d, d.Changed
}

// askedOtherwise reports whether a Binding asks for the status of an object by another version of it.
func (e *Engine) askedOtherwise(t Target) bool {
	_, asked := e.returning[t.anyVersion()]
	return asked
}

// delivered reports whether an agent of Open Cluster Management put an object where it is, label included:
// the API server is that of a cluster, too, and the status is the object's own.
func delivered(obj map[string]any) bool {
	metadata, _ := obj["metadata"].(map[string]any)
	owners, _ := metadata["ownerReferences"].([]any)
	return slices.ContainsFunc(owners, func(o any) bool {
		owner, _ := o.(map[string]any)
		version, _ := owner["apiVersion"].(string)
		return owner["kind"] == "AppliedManifestWork" && strings.HasPrefix(version, "work.open-cluster-management.io/")
	})
}

// Idle reports whether there is nothing to be known about the objects of a kind that is known: no Binding
// asks about any, as of the last Refresh, and none has a status that is to go.
func (e *Engine) Idle(r Resource) bool {
	k := e.kinds[r]
	if _, asked := e.asked[r]; asked || k == nil || k.name == "" {
		return false
	}
	for at, obj := range k.objects {
		if returnedTo(obj) {
			if _, _, changes := e.Return(Target{r, at.namespace, at.name}); changes || len(e.lost) > 0 {
				return false
			}
		}
	}
	return true
}
