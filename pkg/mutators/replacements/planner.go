package replacements

import (
	"fmt"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// selection is that of every target that selects and rejects the same.
func (pl *planner) selection(t Target, at *field.Path) (*selection, field.ErrorList) {
	key := t.Select.key()
	for _, r := range t.Reject {
		key += r.key()
	}
	if s := pl.selections[key]; s != nil {
		return s, nil
	}
	s := &selection{}
	var errs field.ErrorList
	s.names, errs = pl.names(t.Select.ID, at.Child("select"), errs)
	s.meta, errs = pl.meta(*t.Select, at.Child("select"), errs)
	for i, r := range t.Reject {
		at := at.Child("reject").Index(i)
		var n names
		var m *metaSelector
		if n, errs = pl.names(r.ID, at, errs); n != (names{}) {
			s.rejectNames = append(s.rejectNames, n)
		}
		if m, errs = pl.meta(r, at, errs); m != nil {
			s.rejectMeta = append(s.rejectMeta, m)
		}
	}
	if len(errs) == 0 {
		pl.selections[key] = s
	}
	return s, errs
}

func (pl *planner) names(id ID, at *field.Path, errs field.ErrorList) (n names, _ field.ErrorList) {
	for part, text := range id.parts() {
		if text == "" {
			continue
		}
		if pl.patterns[text] == nil {
			p, err := newPattern(text)
			if err != nil {
				errs = append(errs, field.Invalid(at.Child(partNames[part]), text, err.Error()))
				continue
			}
			pl.patterns[text] = p
		}
		n[part] = pl.patterns[text]
	}
	return n, errs
}

// meta is how s selects by labels and annotations, nil when it does not.
func (pl *planner) meta(s Selector, at *field.Path, errs field.ErrorList) (*metaSelector, field.ErrorList) {
	if s.LabelSelector == "" && s.AnnotationSelector == "" {
		return nil, errs
	}
	m := &metaSelector{}
	pl.byLabels = true
	var err error
	if m.labels, err = labels.Parse(s.LabelSelector); err != nil {
		errs = append(errs, field.Invalid(at.Child("labelSelector"), s.LabelSelector, err.Error()))
	}
	if m.annotations, err = labels.Parse(s.AnnotationSelector); err != nil {
		errs = append(errs, field.Invalid(at.Child("annotationSelector"), s.AnnotationSelector, err.Error()))
	}
	return m, errs
}

// key is everything that s says.
func (s Selector) key() string {
	return fmt.Sprintf("%q %q %q;", s.parts(), s.LabelSelector, s.AnnotationSelector)
}
