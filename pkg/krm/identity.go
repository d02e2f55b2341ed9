package krm

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
