package krm

import (
	"fmt"
	"strings"
)

// identity is what callers ask most of an object, side by side in memory: its type, its name, and its annotations. To find one of
// them among the nodes of ten thousand objects takes most of its time for memory that no cache of the processor holds.
type identity struct {
	apiVersion, kind, namespace, name string
	annotations                       []annotation // in their order
}

type annotation struct{ key, value string }

// identify remembers the identity of o until a method changes it. The nodes of o must not be changed in another way; those of copies may.
func (o *Object) identify() {
	o.known = nil
	id := &identity{apiVersion: o.APIVersion(), kind: o.Kind(), namespace: o.Namespace(), name: o.Name()}
	list := o.Lookup("metadata", "annotations")
	if IsMap(list) {
		id.annotations = make([]annotation, 0, len(list.Content)/2)
	}
	for key := range Fields(list) {
		id.annotations = append(id.annotations, annotation{key.Value, o.Annotation(key.Value)})
	}
	o.known = id
}

// annotation is the text of an annotation, and whether it is there.
func (id *identity) annotation(key string) (string, bool) {
	for i := range id.annotations {
		if a := &id.annotations[i]; a.key == key {
			return a.value, true
		}
	}
	return "", false
}

// APIVersion is the apiVersion field.
func (o *Object) APIVersion() string {
	if o.known != nil {
		return o.known.apiVersion
	}
	return o.String("apiVersion")
}

// Kind is the kind field.
func (o *Object) Kind() string {
	if o.known != nil {
		return o.known.kind
	}
	return o.String("kind")
}

// Name is metadata.name.
func (o *Object) Name() string {
	if o.known != nil {
		return o.known.name
	}
	return o.String("metadata", "name")
}

// Namespace is metadata.namespace as written: "" when absent.
func (o *Object) Namespace() string {
	if o.known != nil {
		return o.known.namespace
	}
	return o.String("metadata", "namespace")
}

// Group is the part of apiVersion before the slash; "" for the core group.
func (o *Object) Group() string {
	group, _, found := strings.Cut(o.APIVersion(), "/")
	if !found {
		return ""
	}
	return group
}

// Version is the part of apiVersion after the slash, or all of it for the core group.
func (o *Object) Version() string {
	_, version, found := strings.Cut(o.APIVersion(), "/")
	if !found {
		return o.APIVersion()
	}
	return version
}

// Is reports whether o is of that group and kind, in any version.
func (o *Object) Is(group, kind string) bool { return o.Kind() == kind && o.Group() == group }

// ID is the identity of an object: group, kind, namespace and name, without version.
type ID struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// ID returns the identity of o as written.
func (o *Object) ID() ID { return ID{o.Group(), o.Kind(), o.Namespace(), o.Name()} }

// String is group/Kind/namespace/name with empty parts kept: "/ConfigMap/shop/cfg".
func (id ID) String() string {
	return id.Group + "/" + id.Kind + "/" + id.Namespace + "/" + id.Name
}

// Describe names o in messages: "Deployment shop/web (apps/web.yaml)".
func (o *Object) Describe() string {
	if file := o.File(); file != "" {
		return fmt.Sprintf("%s (%s)", o.Title(), file)
	}
	return o.Title()
}

// Title is Describe without the file: "Deployment shop/web".
func (o *Object) Title() string { return o.ID().Title() }

// Title is kind, namespace and name for a person: "Deployment shop/web".
func (id ID) Title() string {
	name := id.Name
	if id.Namespace != "" {
		name = id.Namespace + "/" + name
	}
	return strings.TrimSuffix(id.Kind+" "+name, " ") // a list has no name
}
