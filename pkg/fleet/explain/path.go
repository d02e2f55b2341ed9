package explain

import (
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// step is one step down: to a field, to the item at an index, or to the item with a value under a key.
type step struct {
	name  string // of the field or, with a value, the key
	value string
	keyed bool // [key=value]
	boxed bool // [name] or [n]: a field of that name, or the item at that index
}

// Path is the path to a field.
type Path []step

// ParsePath reads a path with dots: spec.template.spec.containers[name=web].image. Indexes and names with dots stand in
// brackets: metadata.annotations[example.com/seed], args[0].
func ParsePath(text string) (Path, error) {
	var p Path
	for rest := text; rest != ""; {
		var s step
		if inner, open := strings.CutPrefix(rest, "["); open {
			end := closing(inner)
			if end <= 0 {
				return nil, fmt.Errorf("field %q: want a name, an index or key=value between [ and ]", text)
			}
			s, rest = boxedStep(inner[:end]), inner[end+1:]
		} else {
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			s.name, rest = rest[:end], rest[end:]
			if s.name == "" {
				return nil, fmt.Errorf("field %q: a name is missing before %q", text, rest)
			}
			if strings.Contains(s.name, "]") {
				return nil, fmt.Errorf("field %q: ] without [ in %q", text, s.name)
			}
		}
		p = append(p, s)
		after, dot := strings.CutPrefix(rest, ".")
		if dot && (after == "" || after[0] == '[') || !dot && rest != "" && rest[0] != '[' {
			return nil, fmt.Errorf("field %q: want .name or [ before %q", text, rest)
		}
		rest = after
	}
	if len(p) == 0 {
		return nil, fmt.Errorf("name a field after #")
	}
	return p, nil
}

// closing is the index of the bracket that closes one open before text. Brackets in between come in pairs.
func closing(text string) int {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func boxedStep(inner string) step {
	if key, value, ok := strings.Cut(inner, "="); ok && key != "" {
		return step{name: key, value: value, keyed: true}
	}
	return step{name: inner, boxed: true}
}

func (p Path) String() string {
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.keyed:
			b.WriteString("[" + s.name + "=" + s.value + "]")
		case s.boxed || strings.ContainsAny(s.name, "./[]="):
			b.WriteString("[" + s.name + "]")
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// find is the node at p below n; nil for none.
func (p Path) find(n *yaml.Node) *yaml.Node {
	for _, s := range p {
		n = s.from(n)
	}
	return n
}

func (s step) from(n *yaml.Node) *yaml.Node {
	if n == nil {
		return nil
	}
	switch n = krm.Deref(n); n.Kind {
	case yaml.MappingNode:
		name := s.name
		if s.keyed {
			name += "=" + s.value // an odd name
		}
		return krm.Lookup(n, name)
	case yaml.SequenceNode:
		if s.keyed {
			return itemWith(n, s.name, s.value)
		}
		if i, err := strconv.Atoi(s.name); err == nil && i >= 0 && i < len(n.Content) {
			return krm.Deref(n.Content[i])
		}
	}
	return nil
}

func itemWith(list *yaml.Node, key, value string) *yaml.Node {
	for _, item := range list.Content {
		if text, ok := keyOf(item, key); ok && text == value {
			return krm.Deref(item)
		}
	}
	return nil
}

func keyOf(item *yaml.Node, key string) (string, bool) {
	v := krm.Lookup(item, key) // nil for what is no map
	if v == nil || v.Kind != yaml.ScalarNode {
		return "", false
	}
	return v.Value, true
}
