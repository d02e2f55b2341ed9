package setters

import (
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// setting fills in the fields of one object.
type setting struct {
	*run
	edit.Changes
}

// visit fills in the marked fields at and below n, which has no aliases, in document order. A list is filled in before
// its items. The first error ends it.
func (s *setting) visit(n *yaml.Node, at *field.Path) error {
	switch n.Kind {
	case yaml.MappingNode:
		return s.fields(n, at)
	case yaml.SequenceNode:
		for i, c := range n.Content {
			if err := s.visit(c, at.Index(i)); err != nil {
				return err
			}
		}
	case yaml.ScalarNode:
		return s.scalar(n, at)
	}
	return nil
}

func (s *setting) fields(m *yaml.Node, at *field.Path) error {
	defer s.Enter(m)()
	for key, value := range krm.Fields(m) {
		at := edit.Child(at, key.Value)
		if krm.IsList(value) {
			if err := s.list(key, value, at); err != nil {
				return err
			}
		}
		if err := s.visit(value, at); err != nil {
			return err
		}
	}
	return nil
}

// scalar fills in n when its comment is marked.
func (s *setting) scalar(n *yaml.Node, at *field.Path) error {
	p, ok := parsePattern(n.LineComment)
	if !ok || !p.uses(s.values) {
		return nil
	}
	s.At = at
	known, _ := p.pieces(s.values)
	if err := s.budget.Fits(known...); err != nil {
		return err
	}
	pieces, err := p.fill(s.values, n.Value)
	if err != nil {
		return err
	}
	if err := s.budget.Fits(pieces...); err != nil {
		return err
	}
	text := strings.Join(pieces, "")
	if _, _, _, open := cutSetter(text); open {
		return errors.New("the value of a setter refers to a setter; such references are not resolved")
	}
	s.Changed = edit.PutScalar(n, text) || s.Changed
	return s.Note(at, text)
}
