package engine

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// kind is what is known about the objects of one resource.
type kind struct {
	name    string // "": not known yet
	objects map[types.NamespacedName]map[string]any
}

// identity is the identity in reports of an object of a kind.
func (r ObjectRef) identity(kind string) reports.Identity {
	return reports.Identity{Group: r.Group, Version: r.Version, Kind: kind, Resource: r.Resource, Namespace: r.Namespace, Name: r.Name}
}

// SetKind sets the kind of a resource, after all its objects have been put in. With "" the engine forgets both.
func (e *Engine) SetKind(r schema.GroupVersionResource, name string) {
	k := e.kind(r)
	if k.name == name {
		return
	}
	if k.name = name; name == "" {
		clear(k.objects)
	}
	e.indexStale = true
}

func (e *Engine) kind(r schema.GroupVersionResource) *kind {
	k := e.kinds[r]
	if k == nil {
		k = &kind{objects: map[types.NamespacedName]map[string]any{}}
		e.kinds[r] = k
	}
	return k
}

// object returns an object of a known kind, and the name of the kind; nil when it does not exist.
func (e *Engine) object(ref ObjectRef) (obj map[string]any, kind string) {
	if k := e.kinds[ref.GroupVersionResource]; k != nil && k.name != "" {
		return k.objects[ref.key()], k.name
	}
	return nil, ""
}

// PutObject adds or replaces an object.
func (e *Engine) PutObject(r schema.GroupVersionResource, obj map[string]any) {
	e.setObject(ObjectRef{r, metadataString(obj, "namespace"), metadataString(obj, "name")}, obj)
}

// DeleteObject removes an object.
func (e *Engine) DeleteObject(ref ObjectRef) { e.setObject(ref, nil) }

func (e *Engine) setObject(ref ObjectRef, obj map[string]any) {
	k, key := e.kind(ref.GroupVersionResource), ref.key()
	if sameVersion(k.objects[key], obj) {
		return
	}
	if k.objects[key] = obj; obj == nil {
		delete(k.objects, key)
	}
	if k.name == "" {
		return
	}
	id := ref.identity(k.name)
	for _, s := range e.byIdentity[id] {
		before := s.about
		s.setObject(obj)
		e.queue.add(s)
		if s.about != before {
			e.markUndecided(s)
		}
	}
	e.queueReturn(id)
}

// sameVersion reports whether two objects have one uid and resourceVersion.
func sameVersion(a, b map[string]any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	version := metadataString(a, "resourceVersion")
	return version != "" && version == metadataString(b, "resourceVersion") && metadataString(a, "uid") == metadataString(b, "uid")
}

func metadataString(obj map[string]any, field string) string {
	metadata, _ := obj["metadata"].(map[string]any)
	text, _ := metadata[field].(string)
	return text
}

// ResourceVersion is that of the object that was put in last; "" when there is none.
func (e *Engine) ResourceVersion(ref ObjectRef) string {
	if k := e.kinds[ref.GroupVersionResource]; k != nil {
		return metadataString(k.objects[ref.key()], "resourceVersion")
	}
	return ""
}

// queueReturn adds an object to the next Changes, if it exists.
func (e *Engine) queueReturn(id reports.Identity) {
	ref := ObjectRef{schema.GroupVersionResource{Group: id.Group, Version: id.Version, Resource: id.Resource}, id.Namespace, id.Name}
	if obj, kind := e.object(ref); obj != nil && kind == id.Kind {
		e.returns[id] = ref
	}
}

// queueAllReturns adds all objects whose status is requested, or that have a returned status.
func (e *Engine) queueAllReturns() {
	for r, k := range e.kinds {
		for key, obj := range k.objects {
			id := ObjectRef{r, key.Namespace, key.Name}.identity(k.name)
			if want := e.index.wants.Of(id); want.Singleton || want.Multi || hasReturnLabel(obj) {
				e.queueReturn(id)
			}
		}
	}
}

// hasReturnLabel reports whether an object has the label of a returned status.
func hasReturnLabel(obj map[string]any) bool {
	labels := writeback.ObjectOf(reports.Identity{}, obj).Labels
	_, singleton := labels[writeback.SingletonLabel]
	_, multi := labels[writeback.MultiLabel]
	return singleton || multi
}

// Return decides about the status of an object, and returns the object; changes is false when its status is right or it does
// not exist.
func (e *Engine) Return(ref ObjectRef) (obj map[string]any, d writeback.Decision, changes bool) {
	obj, kind := e.object(ref)
	if obj == nil {
		return nil, d, false
	}
	id := ref.identity(kind)
	want := e.index.wants.Of(id)
	if !want.Singleton && !want.Multi && (len(e.unreadable) > 0 || e.requestedInAnyVersion(ref) || appliedByAgent(obj)) {
		return nil, d, false
	}
	d = writeback.Decide(writeback.ObjectOf(id, obj), want, e.reports.Of(id), e.options.Returning)
	return obj, d, d.Changed
}

// requestedInAnyVersion reports whether a Binding requests the status of an object, by any version.
func (e *Engine) requestedInAnyVersion(ref ObjectRef) bool {
	_, requested := e.index.returnRequested[ref.withoutVersion()]
	return requested
}

// appliedByAgent reports whether a work agent of Open Cluster Management applied an object here, with its label: the API
// server is also that of a managed cluster, and the status is the object's own.
func appliedByAgent(obj map[string]any) bool {
	metadata, _ := obj["metadata"].(map[string]any)
	owners, _ := metadata["ownerReferences"].([]any)
	return slices.ContainsFunc(owners, func(o any) bool {
		owner, _ := o.(map[string]any)
		version, _ := owner["apiVersion"].(string)
		return owner["kind"] == "AppliedManifestWork" && strings.HasPrefix(version, "work.open-cluster-management.io/")
	})
}

// Unused reports whether the objects of a known kind need not be watched: no Binding names any, as of the last Reindex, and
// no returned status has to be removed.
func (e *Engine) Unused(r schema.GroupVersionResource) bool {
	k := e.kinds[r]
	if _, used := e.index.resources[r]; used || k == nil || k.name == "" {
		return false
	}
	for key, obj := range k.objects {
		if hasReturnLabel(obj) {
			if _, _, changes := e.Return(ObjectRef{r, key.Namespace, key.Name}); changes || len(e.unreadable) > 0 {
				return false
			}
		}
	}
	return true
}
