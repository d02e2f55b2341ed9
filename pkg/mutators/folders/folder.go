package folders

import (
	"regexp"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

const (
	folderGroup, folderVersion, folderKind = "resourcemanager.cnrm.cloud.google.com", "v1beta1", "Folder"
	organization                           = "Organization"

	organizationAnnotation = "cnrm.cloud.google.com/organization-id"
	folderAnnotation       = "cnrm.cloud.google.com/folder-ref"
)

// newFolder is a Folder that says nothing but its identity.
func newFolder(id krm.ID) *krm.Object {
	metadata := krm.MapNode(krm.StringNode("name"), krm.StringNode(id.Name))
	if id.Namespace != "" {
		krm.SetField(metadata, "namespace", krm.StringNode(id.Namespace))
	}
	return krm.FromNode(krm.MapNode(
		krm.StringNode("apiVersion"), krm.StringNode(id.Group+"/"+folderVersion),
		krm.StringNode("kind"), krm.StringNode(id.Kind),
		krm.StringNode("metadata"), metadata,
	))
}

// fill sets the fields of a Folder that the hierarchy decides. path has the names of the folders around it.
func (h *hierarchy) fill(o *krm.Object, f *folder, path []string) {
	for key, value := range krm.Fields(h.object.Lookup("metadata", "annotations")) {
		if h.inherits(key.Value) {
			o.SetAnnotation(key.Value, krm.Deref(value).Value)
		}
	}
	spec := o.Lookup("spec")
	if !krm.IsMap(spec) {
		spec = krm.MapNode()
		krm.SetField(o.Node(), "spec", spec)
	}
	if h.native {
		h.refer(o, spec, path)
	} else {
		h.annotate(o, path)
	}
	setField(spec, "displayName", krm.StringNode(f.name))
}

// setField sets a field, and keeps what it has already.
func setField(m *yaml.Node, name string, value *yaml.Node) {
	if old := krm.Lookup(m, name); old == nil || !krm.Equivalent(old, value) {
		krm.SetField(m, name, value)
	}
}

// inherits reports whether Folders get an annotation of the hierarchy. Those of v1alpha1 get none.
func (h *hierarchy) inherits(key string) bool {
	return h.object.Lookup("spec", "layers") == nil && !krm.BelongsToPackage(key) && key != krm.LocalConfigAnnotation &&
		key != "config.k8s.io/function" && key != "config.kubernetes.io/id"
}

// refer names the parent in a field.
func (h *hierarchy) refer(o *krm.Object, spec *yaml.Node, path []string) {
	name, other, by, parent := "folderRef", "organizationRef", "external", h.parent
	switch {
	case len(path) > 0:
		by, parent = "name", normalize(path)
		if ns := h.object.Namespace(); ns != "" {
			edit.SetDependsOn(o, krm.ID{Group: folderGroup, Kind: folderKind, Namespace: ns, Name: parent})
		}
	case h.parentKind == organization:
		name, other = other, name
	}
	krm.RemoveField(spec, other)
	setField(spec, name, krm.MapNode(krm.StringNode(by), krm.StringNode(parent)))
}

// annotate names the parent in an annotation, as older versions do.
func (h *hierarchy) annotate(o *krm.Object, path []string) {
	switch {
	case len(path) > 0:
		o.SetAnnotation(folderAnnotation, normalize(path))
	case h.parentKind == organization:
		o.SetAnnotation(organizationAnnotation, h.parent)
	default:
		o.SetAnnotation(folderAnnotation, normalize([]string{h.parent}))
	}
}

// The parts of a name that change, in this order.
var names = sync.OnceValue(func() [5]*regexp.Regexp {
	return [5]*regexp.Regexp{
		regexp.MustCompile(`['"]`), regexp.MustCompile(`[_ ]`), regexp.MustCompile(`[^a-z0-9.-]`), regexp.MustCompile(`[-.]{2,}`),
		regexp.MustCompile(`^[^a-z0-9]+|[^a-z0-9]+$`),
	}
})

// longestName is the longest name of an object.
const longestName = 253

// normalize makes the name of an object of the names of folders in each other.
func normalize(path []string) string {
	name := strings.ToLower(strings.Join(path, "."))
	for i, by := range [5]string{"", "-", "", "-", ""} {
		name = names()[i].ReplaceAllString(name, by)
	}
	if len(name) > longestName {
		name = names()[4].ReplaceAllString(name[:longestName], "")
	}
	if name == "" {
		return "unnamed"
	}
	return name
}
