package replacements

import (
	"cmp"
	"strings"
)

// Options are those of apply-replacements.
type Options struct {
	// Replacements are done in their order.
	Replacements []Replacement `json:"replacements"`
}

// Replacement copies one value to many fields.
type Replacement struct {
	// Source is the field that is copied. Either it or SourceValue.
	Source *Source `json:"source"`
	// SourceValue is a text that is copied.
	SourceValue *string `json:"sourceValue"`
	// Targets are the fields that are set. At least one.
	Targets []Target `json:"targets"`
}

// ID selects objects. An empty field matches any.
type ID struct {
	Group     string `json:"group"`
	Version   string `json:"version"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// String is group/version/kind/namespace/name, with a star for every empty part.
func (s ID) String() string {
	part := []string{s.Group, s.Version, s.Kind, s.Namespace, s.Name}
	for i := range part {
		part[i] = cmp.Or(part[i], "*")
	}
	return strings.Join(part, "/")
}

// Source is a field of the one object that ID selects, by exact names.
type Source struct {
	ID
	// FieldPath defaults to metadata.name.
	FieldPath string `json:"fieldPath"`
	// Options may select a part of the field.
	Options FieldOptions `json:"options"`
}

// Selector selects objects. Its fields are regular expressions for the whole of a name.
type Selector struct {
	ID
	// LabelSelector and AnnotationSelector are selectors in the form of kubectl.
	LabelSelector      string `json:"labelSelector"`
	AnnotationSelector string `json:"annotationSelector"`
}

// Target is fields of the objects that Select selects and none of Reject does.
type Target struct {
	Select *Selector  `json:"select"`
	Reject []Selector `json:"reject"`
	// FieldPaths defaults to metadata.name.
	FieldPaths []string `json:"fieldPaths"`
	// Options may make fields, and select a part of them.
	Options FieldOptions `json:"options"`
}

// FieldOptions select a part of a field.
type FieldOptions struct {
	// Delimiter splits the field. Empty means the whole field.
	Delimiter string `json:"delimiter"`
	// Index is that of the part, from 0. In a target, an index below 0 stands for a new first part, one
	// beyond the last for a new last one.
	Index int `json:"index"`
	// Create makes fields of targets that are not there.
	Create bool `json:"create"`
}
