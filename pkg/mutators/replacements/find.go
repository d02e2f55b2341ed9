package replacements

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/utils"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

const (
	defaultPath = "metadata.name"
	nothing     = yaml.Kind(0)
	mostSteps   = 50
)

// path leads to fields, the way kustomize writes it: spec.containers.[name=web].image, lists
// entered by number, by [field=regular expression], by [=regular expression] or by *.
type path struct {
	text  string
	steps []step
	at    *field.Path
}

// step is one step of a path.
type step struct {
	name  string         // a field, or the whole step
	item  int            // -1, or the number of an item
	every bool           // *
	key   string         // the field of an item that match reads; "" is the item itself
	match *regexp.Regexp // nil: not by value
	value string         // the source of match
}

func parsePath(text string) (p path, err error) {
	names := utils.SmarterPathSplitter(text, ".")
	if len(names) > mostSteps {
		return p, fmt.Errorf("has %d steps, more than the %d allowed", len(names), mostSteps)
	}
	p.text, p.at = text, field.NewPath(text)
	for _, name := range names {
		s := step{name: name, item: -1, every: name == "*"}
		if i, err := strconv.Atoi(name); err == nil && i >= 0 {
			s.item = i
		}
		if key, value, ok := strings.Cut(strings.TrimPrefix(name, "["), "="); ok && strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]") {
			s.key, s.value = key, strings.TrimSuffix(value, "]")
			if s.match, err = regexp.Compile(s.value); err != nil {
				return p, err
			}
		}
		if name == "" {
			return p, errors.New("has a step without a name")
		}
		p.steps = append(p.steps, s)
	}
	return p, nil
}

var (
	errMissing = errors.New("there is no such field")
	errSeveral = errors.New("the path leads to several fields")
	errEmpty   = errors.New("the field is empty")
	errNoList  = errors.New("a field on the path is not a list")
	errNoMap   = errors.New("a field on the path is not a map")
)

// finder finds nodes, and what it finds lasts until it finds others.
type finder struct {
	*work
	now, next []*yaml.Node
}

// find returns the nodes that p leads to below n, at least one. It makes what is missing when create is
// a kind, that of the last node.
func (f *finder) find(p path, n *yaml.Node, create yaml.Kind) ([]*yaml.Node, error) {
	f.now = append(f.now[:0], n)
	for i, s := range p.steps {
		kind := create
		if create != nothing && i+1 < len(p.steps) {
			kind = p.steps[i+1].parent()
		}
		f.next = f.next[:0]
		for _, n := range f.now {
			if err := f.spend(1 + len(n.Content)/16); err != nil {
				return nil, err
			}
			if err := f.step(s, n, kind); err != nil {
				return nil, err
			}
		}
		f.now, f.next = f.next, f.now
	}
	if len(f.now) == 0 {
		return nil, errMissing
	}
	return f.now, f.spend(len(f.now))
}

// parent is the kind of node in which s is a step.
func (s step) parent() yaml.Kind {
	if s.item >= 0 || s.every || s.match != nil {
		return yaml.SequenceNode
	}
	return yaml.MappingNode
}

// step adds what s leads to in n, and makes it when create is a kind.
func (f *finder) step(s step, n *yaml.Node, create yaml.Kind) error {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagNull {
		if create == nothing {
			return nil
		}
		makeEmpty(n, s.parent())
	}
	if n.Kind == yaml.MappingNode && !s.every && s.match == nil { // a number may be a key, too
		f.field(s, n, create)
		return nil
	}
	switch {
	case s.parent() == yaml.MappingNode:
		return errNoMap
	case n.Kind != yaml.SequenceNode:
		return errNoList
	case s.every:
		f.next = append(f.next, n.Content...)
		return nil
	case s.item >= 0:
		return f.number(s, n, create)
	}
	return f.matching(s, n, create)
}

func (f *finder) field(s step, n *yaml.Node, create yaml.Kind) {
	v := krm.Lookup(n, s.name)
	if v == nil && create != nothing {
		v = empty(create)
		krm.SetField(n, s.name, v)
	}
	if v != nil {
		f.next = append(f.next, v)
	}
}

func (f *finder) number(s step, n *yaml.Node, create yaml.Kind) error {
	if s.item == len(n.Content) && create != nothing {
		n.Content = append(n.Content, empty(create))
	}
	if s.item >= len(n.Content) {
		return fmt.Errorf("there is no item %d in a list of %d", s.item, len(n.Content))
	}
	f.next = append(f.next, n.Content[s.item])
	return nil
}

// matching adds the items that s matches, and makes one when there is none.
func (f *finder) matching(s step, n *yaml.Node, create yaml.Kind) error {
	found := false
	for _, item := range n.Content {
		v := item
		if s.key != "" {
			v = krm.Lookup(item, s.key)
		}
		if v == nil || v.Kind != yaml.ScalarNode {
			continue
		}
		if err := f.spend(4 + len(v.Value)/16); err != nil {
			return err
		}
		if s.match.MatchString(v.Value) {
			f.next, found = append(f.next, item), true
		}
	}
	if found || create == nothing {
		return nil
	}
	item := krm.StringNode(s.value)
	if s.key != "" {
		item = krm.MapNode(krm.StringNode(s.key), item)
	}
	n.Content = append(n.Content, item)
	f.next = append(f.next, item)
	return nil
}

func empty(kind yaml.Kind) *yaml.Node {
	n := &yaml.Node{}
	makeEmpty(n, kind)
	return n
}

// makeEmpty makes n an empty node of that kind.
func makeEmpty(n *yaml.Node, kind yaml.Kind) {
	n.Kind, n.Value, n.Content = kind, "", nil
	n.Style = 0
	switch kind {
	case yaml.MappingNode:
		n.Tag = yaml.NodeTagMap
	case yaml.SequenceNode:
		n.Tag = yaml.NodeTagSeq
	default:
		n.Tag = yaml.NodeTagNull
	}
}
