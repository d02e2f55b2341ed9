package folders

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// The bounds of all hierarchies: subtrees in subtrees are small to write and large to generate.
const (
	mostFolders = 10_000
	mostDepth   = 100
	tooMany     = "describes more than 10,000 folders, or 100 in each other"
)

// folder is a name in a hierarchy.
type folder struct {
	name     string
	children []*folder
}

// count is how many folders there are: more than most when there are too many, or too many in each other.
func count(folders []*folder, most, depth int) (n int) {
	for _, f := range folders {
		if depth == 0 {
			return most + 1
		}
		if n += 1 + count(f.children, most-n, depth-1); n > most {
			return n
		}
	}
	return n
}

// hierarchy is what a ResourceHierarchy says.
type hierarchy struct {
	object     *krm.Object
	native     bool   // Folders refer to their parents by fields, not by annotations
	parent     string // of the outermost folders
	parentKind string
	folders    []*folder

	open []string // subtrees that are being read
	left int      // how many folders may still be read
}

var spec = field.NewPath("spec")

// readTree reads the versions v1alpha2 and v1alpha3.
func (h *hierarchy) readTree() field.ErrorList {
	h.left, h.parent = mostFolders, h.object.String("spec", "parentRef", "external")
	h.parentKind = h.object.String("spec", "parentRef", "kind")
	switch h.parentKind {
	case "":
		h.parentKind = organization
	case organization, folderKind:
	default:
		return field.ErrorList{field.NotSupported(spec.Child("parentRef", "kind"), h.parentKind, []string{organization, folderKind})}
	}
	if h.parent == "" {
		return field.ErrorList{field.Required(spec.Child("parentRef", "external"), "name the organization or folder")}
	}
	at := spec.Child("config")
	config := h.object.Lookup("spec", "config")
	if config == nil || krm.IsNull(config) {
		return nil
	}
	var err *field.Error
	if h.folders, err = h.read(config, at); err != nil {
		return field.ErrorList{err}
	}
	return nil
}

// read reads a list of folders: names, maps of a name to what is in it, and references to subtrees.
func (h *hierarchy) read(list *yaml.Node, at *field.Path) (out []*folder, err *field.Error) {
	list = krm.Deref(list)
	if list.Kind != yaml.SequenceNode {
		return nil, field.TypeInvalid(at, field.OmitValueType{}, "want a list of folders")
	}
	for i, n := range list.Content {
		n, at := krm.Deref(n), at.Index(i)
		if h.left--; h.left < 0 {
			return nil, field.Invalid(spec, field.OmitValueType{}, tooMany)
		}
		switch {
		case krm.IsNull(n):
		case n.Kind == yaml.ScalarNode:
			out = append(out, &folder{name: n.Value})
		case n.Kind == yaml.MappingNode:
			below, err := h.readMap(n, at)
			if err != nil {
				return nil, err
			}
			out = append(out, below...)
		default:
			return nil, field.TypeInvalid(at, field.OmitValueType{}, "want the name of a folder, or a map of it to the folders in it")
		}
	}
	return out, nil
}

// readMap reads a map of names to the folders in them, or a reference in place of folders.
func (h *hierarchy) readMap(m *yaml.Node, at *field.Path) (out []*folder, err *field.Error) {
	if ref := reference(m); ref != nil {
		return h.subtree(ref, at)
	}
	for key, value := range krm.Fields(m) {
		value, at := krm.Deref(value), at.Key(key.Value)
		f := &folder{name: key.Value}
		switch ref := reference(value); {
		case krm.IsNull(value):
		case ref != nil:
			f.children, err = h.subtree(ref, at)
		default:
			f.children, err = h.read(value, at)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// reference is the name of a subtree when n is a reference to one, else nil.
func reference(n *yaml.Node) *yaml.Node {
	if n.Kind != yaml.MappingNode || len(n.Content) != 2 {
		return nil
	}
	return krm.Lookup(n, "$subtree")
}

// subtree reads the folders of a subtree.
func (h *hierarchy) subtree(ref *yaml.Node, at *field.Path) ([]*folder, *field.Error) {
	at = at.Child("$subtree")
	if ref.Kind != yaml.ScalarNode {
		return nil, field.TypeInvalid(at, field.OmitValueType{}, "want the name of a subtree")
	}
	list := h.object.Lookup("spec", "subtrees", ref.Value)
	switch {
	case list == nil:
		return nil, field.NotFound(at, ref.Value)
	case slices.Contains(h.open, ref.Value):
		return nil, field.Invalid(at, ref.Value, "the subtree contains itself")
	}
	h.open = append(h.open, ref.Value)
	defer func() { h.open = h.open[:len(h.open)-1] }()
	return h.read(list, spec.Child("subtrees").Key(ref.Value))
}

// readLayers reads version v1alpha1: the folders of each layer are in every folder of the layer before.
func (h *hierarchy) readLayers() field.ErrorList {
	h.parent, h.parentKind = h.object.String("spec", "organization"), organization
	layers := h.object.Lookup("spec", "layers")
	switch {
	case h.parent == "":
		return field.ErrorList{field.Required(spec.Child("organization"), "name the organization")}
	case !krm.IsList(layers) || len(layers.Content) == 0:
		return field.ErrorList{field.Required(spec.Child("layers"), "name the layers")}
	}
	for i := len(layers.Content) - 1; i >= 0; i-- {
		name := krm.Deref(layers.Content[i]).Value
		names := h.object.Lookup("spec", "config", name)
		if !krm.IsList(names) {
			return field.ErrorList{field.Required(spec.Child("config").Key(name), "list the folders of the layer, or remove it from spec.layers")}
		}
		var layer []*folder
		for _, n := range names.Content {
			layer = append(layer, &folder{krm.Deref(n).Value, h.folders})
		}
		h.folders = layer
	}
	return nil
}
