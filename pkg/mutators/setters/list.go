package setters

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// list fills in a list whose comment is marked. The comment of a list in brackets follows the list,
// that of any other its key.
func (s *setting) list(key, list *yaml.Node, at *field.Path) error {
	comment := key.LineComment
	if list.Style&yaml.FlowStyle != 0 {
		comment = list.LineComment
	}
	p, ok := parsePattern(comment)
	if !ok || !p.uses(s.values) {
		return nil
	}
	s.At = at
	if !p.isOneSetter() {
		return fmt.Errorf("one setter alone can set a list, as ${name}; its comment names %q", strings.Join(p.names, ", "))
	}
	text := s.values[p.names[0]]
	items, err := readList(text)
	if err != nil {
		return err
	}
	if !krm.Equivalent(list, items) {
		putList(key, list, items, comment)
		s.Changed = true
	}
	return s.Note(at, text)
}

// putList gives list the items of another one, in block style where there are any.
func putList(key, list, items *yaml.Node, comment string) {
	list.Content = items.Content
	if len(items.Content) == 0 {
		list.Style, list.LineComment, key.LineComment = yaml.FlowStyle, comment, ""
		return
	}
	list.Style, list.LineComment, key.LineComment = 0, "", comment
}

// readList reads the value of a setter as a list; no text at all is an empty one. The value is not
// quoted in errors.
func readList(text string) (*yaml.Node, error) {
	if text == "" {
		return &yaml.Node{Kind: yaml.SequenceNode}, nil
	}
	indented := "items:\n  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n" // to read it with the usual limits
	objects, err := krm.Read("setter", []byte(indented), krm.Limits{})
	if err != nil || len(objects) != 1 || len(objects[0].Node().Content) != 2 {
		return nil, errNoList
	}
	objects[0].ExpandAliases()
	items := objects[0].Lookup("items")
	if items.Kind != yaml.SequenceNode {
		return nil, errNoList
	}
	return items, nil
}

var errNoList = errors.New("the value of the setter of a list must be a list, such as [a, b]")
