package encode

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Verify reports a difference between text and the document or node that it was written from.
func Verify(text []byte, n *yaml.Node) error {
	doc, err := Parse(text)
	if err != nil {
		return fmt.Errorf("the YAML library writes text for it that cannot be read back: %w; %s", err, Hint)
	}
	if n.Kind != yaml.DocumentNode {
		n = &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{n}}
	}
	if at, same := sameText(n.Content[0], doc.Content[0]); !same {
		return fmt.Errorf("the text that the YAML library writes for %s reads back as another value; %s", DescribePath(at), Hint)
	}
	if had, has := CommentLines(n), CommentLines(doc); !slices.Equal(had, has) {
		return errors.New("the YAML library loses or repeats one of its comments; " + Hint)
	}
	return nil
}

// Hint is advice on how to change an object that cannot be written.
const Hint = "give it a plainer form: no braces, anchors, tags or tabs, and comments above fields"

// sameText reports whether a and b hold the same data, in the same order, and where they differ first.
func sameText(a, b *yaml.Node) (at []string, same bool) {
	if a.Kind != b.Kind || a.Anchor != b.Anchor || a.Value != b.Value || len(a.Content) != len(b.Content) {
		return nil, false
	}
	if a.Kind != yaml.AliasNode && a.ShortTag() != b.ShortTag() {
		return nil, false
	}
	for i := range a.Content {
		if at, same := sameText(a.Content[i], b.Content[i]); !same {
			return append(at, StepOf(a, i)), false
		}
	}
	return nil, true
}

// StepOf names the step from n to the node at i in its Content.
func StepOf(n *yaml.Node, i int) string {
	if n.Kind == yaml.MappingNode {
		return n.Content[i&^1].Value
	}
	return fmt.Sprintf("[%d]", i)
}

// DescribePath is the path of the given steps, the last one first.
func DescribePath(steps []string) string {
	if len(steps) == 0 {
		return "it"
	}
	slices.Reverse(steps)
	return fmt.Sprintf("%q", strings.ReplaceAll(strings.Join(steps, "."), ".[", "["))
}

// CommentLines are the comment lines of n in the form of the library, sorted.
func CommentLines(n *yaml.Node) (lines []string) {
	EachComment(n, func(comment string) {
		for line := range strings.SplitSeq(comment, "\n") {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if line[0] != '#' {
				line = "# " + line
			}
			lines = append(lines, line)
		}
	})
	slices.Sort(lines)
	return lines
}

// EachComment calls do with every comment of n, in the order of the text.
func EachComment(n *yaml.Node, do func(string)) {
	do(n.HeadComment)
	do(n.LineComment)
	for _, c := range n.Content {
		EachComment(c, do)
	}
	do(n.FootComment)
}
