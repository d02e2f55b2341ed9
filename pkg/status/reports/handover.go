package reports

import (
	"strconv"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// handOverAnnotation of a work says how many of its last manifests it lets go of: another work holds those objects now, or
// they are left behind on a cluster. What the work says about them is not what becomes of what is sent.
const handOverAnnotation = "waybill.dev/hand-over"

// handed are the objects that a work lets go of. An annotation that makes no sense names none.
func handed(obj map[string]any) map[Identity]bool {
	n, err := strconv.Atoi(text(child(child(obj, "metadata"), "annotations"), handOverAnnotation))
	manifests := list(child(child(obj, "spec"), "workload"), "manifests")
	if err != nil || n <= 0 || n > len(manifests) {
		return nil
	}
	out := map[Identity]bool{}
	for _, m := range manifests[len(manifests)-n:] {
		manifest, _ := m.(map[string]any)
		out[namedBy(manifest)] = true
	}
	return out
}

// namedBy is the identity of a manifest, as far as it says itself.
func namedBy(manifest map[string]any) Identity {
	gvk := schema.FromAPIVersionAndKind(text(manifest, "apiVersion"), text(manifest, "kind"))
	metadata := child(manifest, "metadata")
	return Identity{Group: gvk.Group, Version: gvk.Version, Kind: gvk.Kind, Namespace: text(metadata, "namespace"),
		Name: text(metadata, "name")}
}

// withoutResource is id as a manifest says it.
func (id Identity) withoutResource() Identity {
	id.Resource = ""
	return id
}
