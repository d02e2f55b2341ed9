package schema

// Type describes a value: the fields of a map, how a list merges.
type Type struct {
	fields map[string]*Type
	others *Type // the type of fields missing from fields
	items  *Type
	merges bool
	keys   []string
}

// Field returns the type of the field with that name.
func (t *Type) Field(name string) *Type {
	if t == nil {
		return nil
	}
	if f, ok := t.fields[name]; ok {
		return f
	}
	return t.others
}

// Items returns the type of the items of a list that merges.
func (t *Type) Items() *Type {
	if t == nil {
		return nil
	}
	return t.items
}

// Merges reports whether t is a list that merges item by item: by the fields in keys or, without keys, as a
// set of values.
func (t *Type) Merges() (keys []string, ok bool) {
	if t == nil {
		return nil, false
	}
	return t.keys, t.merges
}

// Map returns the type of a map with these fields.
func Map(fields map[string]*Type) *Type { return &Type{fields: fields} }

// List returns the type of a list that merges by keys.
func List(items *Type, keys ...string) *Type { return &Type{items: items, merges: true, keys: keys} }
