package setters

import (
	"errors"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// setting fills in the fields of one object, a copy.
type setting struct {
	*run
	object  *krm.Object
	at      *field.Path // the field that cannot be filled in
	changed bool
	secret  bool // what is looked at was in a Secret as it came
	done    []put
}

// put is a field that was filled in, and with what.
type put struct {
	at     *field.Path
	text   string
	secret bool
}

// scalar fills in n when its comment is marked.
func (s *setting) scalar(n *yaml.Node, at *field.Path) error {
	p, ok := parsePattern(n.LineComment)
	if !ok || !p.uses(s.values) {
		return nil
	}
	s.at = at
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
		return errors.New("the value of a setter names a setter, which is not looked up")
	}
	s.changed = edit.PutScalar(n, text) || s.changed
	return s.note(at, text)
}

// enter notes whether m is a Secret, before anything in it is changed.
func (s *setting) enter(m *yaml.Node) (leave func()) {
	before := s.secret
	s.secret = before || edit.IsSecret(m)
	return func() { s.secret = before }
}

// note keeps for the report that at was filled in. Every text counts twice: it stands in the object
// and in a result.
func (s *setting) note(at *field.Path, text string) error {
	s.done = append(s.done, put{at, text, s.secret})
	return s.budget.Spend(len(at.String()) + 2*len(text))
}

// report tells of every field that was filled in, once the object has the name it will have.
func (s *setting) report() {
	all := edit.IsSecret(s.object.Node())
	for _, p := range s.done {
		if p.secret || all {
			s.out.Report(sdk.Info, s.object, p.at, "set field value")
			continue
		}
		s.out.Report(sdk.Info, s.object, p.at, "set field value to %s", edit.Quote(p.text))
	}
}

// isMarked reports whether any comment that a field can have begins with the mark.
func isMarked(n *yaml.Node) bool {
	if strings.HasPrefix(n.LineComment, mark) {
		return true
	}
	for _, c := range n.Content {
		if isMarked(c) {
			return true
		}
	}
	return false
}
