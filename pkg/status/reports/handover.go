package reports

import (
	"strconv"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// handed are the objects that a work hands over to another one: what it says about them is not about what is sent. An
// annotation that is not valid names none.
func handed(obj map[string]any) map[Identity]bool {
	n, err := strconv.Atoi(text(child(child(obj, "metadata"), "annotations"), fn.HandOver))
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

// namedBy is the identity of a manifest, as far as the manifest has it.
func namedBy(manifest map[string]any) Identity {
	gvk := schema.FromAPIVersionAndKind(text(manifest, "apiVersion"), text(manifest, "kind"))
	metadata := child(manifest, "metadata")
	return Identity{Group: gvk.Group, Version: gvk.Version, Kind: gvk.Kind, Namespace: text(metadata, "namespace"),
		Name: text(metadata, "name")}
}
