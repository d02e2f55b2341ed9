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
	steps []step
	at    *field.Path
}

// step is one step of a path.
type step struct {
	name  string         // a field, or all there is to say
	item  int            // -1, or the number of an item
	every bool           // *
	key   string         // the field of an item that match is about; "" is the item itself
	match *regexp.Regexp // nil: not by what an item says
	value string         // what match was made of
}

func parsePath(text string) (p path, err error) {
	names := utils.SmarterPathSplitter(text, ".")
	if len(names) > mostSteps {
		return p, fmt.Errorf("has %d steps, more than the %d allowed", len(names), mostSteps)
	}
	p.at = field.NewPath(text)
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
	errNoList  = errors.New("something on the way to the field is no list")
	errNoMap   = errors.New("something on the way to the field is no map")
)

// find returns the nodes that p leads to below n, at least one. It makes what is missing when create
// is the kind of node that is wanted at the end.
func (p path) find(n *yaml.Node, create yaml.Kind) ([]*yaml.Node, error) {
	nodes := []*yaml.Node{n}
	for i, s := range p.steps {
		kind := create
		if create != nothing && i+1 < len(p.steps) {
			kind = p.steps[i+1].below()
		}
		var next []*yaml.Node
		for _, n := range nodes {
			found, err := s.find(n, kind)
			if err != nil {
				return nil, err
			}
			next = append(next, found...)
		}
		nodes = next
	}
	if len(nodes) == 0 {
		return nil, errMissing
	}
	return nodes, nil
}

// below is the kind of node in which s is a step.
func (s step) below() yaml.Kind {
	if s.item >= 0 || s.every || s.match != nil {
		return yaml.SequenceNode
	}
	return yaml.MappingNode
}

// find returns what s leads to in n, and makes it when create is a kind.
func (s step) find(n *yaml.Node, create yaml.Kind) ([]*yaml.Node, error) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagNull {
		if create == nothing {
			return nil, nil
		}
		become(n, s.below())
	}
	if n.Kind == yaml.MappingNode && !s.every && s.match == nil { // a number may be a key, too
		return s.field(n, create)
	}
	switch {
	case s.below() == yaml.MappingNode:
		return nil, errNoMap
	case n.Kind != yaml.SequenceNode:
		return nil, errNoList
	case s.every:
		return n.Content, nil
	case s.item >= 0:
		return s.number(n, create)
	}
	return s.matching(n, create)
}

func (s step) field(n *yaml.Node, create yaml.Kind) ([]*yaml.Node, error) {
	if v := krm.Lookup(n, s.name); v != nil {
		return []*yaml.Node{v}, nil
	}
	if create == nothing {
		return nil, nil
	}
	v := empty(create)
	krm.SetField(n, s.name, v)
	return []*yaml.Node{v}, nil
}

func (s step) number(n *yaml.Node, create yaml.Kind) ([]*yaml.Node, error) {
	if s.item == len(n.Content) && create != nothing {
		n.Content = append(n.Content, empty(create))
	}
	if s.item >= len(n.Content) {
		return nil, fmt.Errorf("there is no item %d in a list of %d", s.item, len(n.Content))
	}
	return n.Content[s.item : s.item+1], nil
}

// matching returns the items that say what s wants, and makes one when there is none.
func (s step) matching(n *yaml.Node, create yaml.Kind) (found []*yaml.Node, err error) {
	for _, item := range n.Content {
		v := item
		if s.key != "" {
			v = krm.Lookup(item, s.key)
		}
		if v != nil && v.Kind == yaml.ScalarNode && s.match.MatchString(v.Value) {
			found = append(found, item)
		}
	}
	if len(found) > 0 || create == nothing {
		return found, nil
	}
	item := krm.StringNode(s.value)
	if s.key != "" {
		item = krm.MapNode(krm.StringNode(s.key), item)
	}
	n.Content = append(n.Content, item)
	return []*yaml.Node{item}, nil
}

func empty(kind yaml.Kind) *yaml.Node {
	n := &yaml.Node{}
	become(n, kind)
	return n
}

// become makes n an empty node of that kind.
func become(n *yaml.Node, kind yaml.Kind) {
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
