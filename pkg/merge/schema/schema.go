package schema

// Type is what is known of a value: its fields if it is a map, how it merges if it is a list.
type Type struct {
	fields map[string]*Type
	others *Type // every field that fields does not name
	items  *Type
	merges bool
	keys   []string
}

// Field is the type of the field of that name.
func (t *Type) Field(name string) *Type {
	if t == nil {
		return nil
	}
	if f, ok := t.fields[name]; ok {
		return f
	}
	return t.others
}

// Items is the type of the items of a list that merges.
func (t *Type) Items() *Type {
	if t == nil {
		return nil
	}
	return t.items
}

// Merges reports whether t is a list that merges item by item: by the fields that keys names, or, when
// it names none, as a set of values.
func (t *Type) Merges() (keys []string, ok bool) {
	if t == nil {
		return nil, false
	}
	return t.keys, t.merges
}

// Map is the type of a map with these fields.
func Map(fields map[string]*Type) *Type { return &Type{fields: fields} }

// List is the type of a list that merges by keys.
func List(items *Type, keys ...string) *Type { return &Type{items: items, merges: true, keys: keys} }
