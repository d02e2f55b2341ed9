package runner

import (
	"cmp"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// copyComments copies comments from an object to its edited form: to fields that still exist and
// have none of their own. Items of lists are paired by position, then by the merge key, if the
// schema names one.
func (f *formatter) copyComments(from, to *yaml.Node) error {
	if !commented(from) {
		return nil
	}
	return f.copyTree(from, to, &place{from: from, to: to})
}

func commented(n *yaml.Node) bool {
	if n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" {
		return true
	}
	for _, c := range n.Content {
		if commented(c) {
			return true
		}
	}
	return false
}

// copyTree copies the comments of a node and of the nodes below it.
func (f *formatter) copyTree(from, to *yaml.Node, at *place) error {
	kind := from.Kind
	if isNull(from) {
		kind = to.Kind
	}
	switch {
	case kind == yaml.AliasNode:
		return nil // an alias has no comments of its own
	case isNull(from) || isNull(to):
		return copyNode(from, to)
	case from.Kind != to.Kind:
		return errShape
	}
	if err := copyNode(from, to); err != nil {
		return err
	}
	switch kind {
	case yaml.MappingNode:
		return f.copyFields(from, to, at)
	case yaml.SequenceNode:
		return f.copyItems(from, to, at)
	}
	return nil
}

// copyNode copies the comments that to lacks.
func copyNode(from, to *yaml.Node) error {
	if mayHoldSchema(from) || mayHoldSchema(to) {
		return errNeedsKyaml
	}
	to.HeadComment = cmp.Or(to.HeadComment, from.HeadComment)
	to.LineComment = cmp.Or(to.LineComment, from.LineComment)
	to.FootComment = cmp.Or(to.FootComment, from.FootComment)
	return nil
}

// mayHoldSchema reports whether a comment of n may be a schema, which says how the lists below are matched.
func mayHoldSchema(n *yaml.Node) bool {
	return isJSON(n.LineComment) || isJSON(n.HeadComment)
}

func isJSON(comment string) bool {
	return comment != "" && strings.HasPrefix(strings.TrimLeft(strings.TrimLeft(comment, "#"), " \t\r\n"), "{")
}

func (f *formatter) copyFields(from, to *yaml.Node, at *place) error {
	index := newFields(to)
	for i := 0; i+1 < len(from.Content); i += 2 {
		key, value := from.Content[i], from.Content[i+1]
		j := index.find(key.Value)
		if j < 0 {
			continue
		}
		value = withoutMoved(value, to.Content[j], to.Content[j+1])
		if err := copyNode(key, to.Content[j]); err != nil {
			return err
		}
		next := place{up: at, field: key.Value, from: value, to: to.Content[j+1]}
		if err := f.copyTree(value, to.Content[j+1], &next); err != nil {
			return err
		}
	}
	return nil
}

// withoutMoved is a value without the comment behind its brackets, if a function wrote it as a block, which has no such place, and
// a comment behind its key: kyaml would print the former once more, in front of the key.
func withoutMoved(value, newKey, newValue *yaml.Node) *yaml.Node {
	if value.LineComment == "" || newKey.LineComment == "" || value.Style&yaml.FlowStyle == 0 ||
		newValue.Style&yaml.FlowStyle != 0 || len(newValue.Content) == 0 {
		return value
	}
	moved := *value
	moved.LineComment = ""
	return &moved
}

func (f *formatter) copyItems(from, to *yaml.Node, at *place) error {
	if len(from.Content) == 0 || len(to.Content) == 0 {
		return nil
	}
	for i := range min(len(from.Content), len(to.Content)) {
		a, b := from.Content[i], to.Content[i]
		if a.Value != b.Value {
			continue
		}
		if err := copyNode(a, b); err != nil {
			return err
		}
		if err := f.copyTree(a, b, &place{from: a, to: b}); err != nil {
			return err
		}
	}
	if !commented(&yaml.Node{Content: from.Content}) {
		return nil
	}
	return f.copyByKey(from, to, at)
}
