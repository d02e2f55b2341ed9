package comments

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// misplaced finds the comments that the parser gave to the next field or item: those behind an anchor or a
// tag at the end of its line. They move above the field or item where they were written.
type misplaced struct {
	text  []byte
	lines [][]byte // of the text, nil before the first use
	at, v *yaml.Node
}

func (s *misplaced) walk(n *yaml.Node) {
	for i, c := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			s.visit(c, c)
			if i > 0 && isBlock(n.Content[i-1]) && s.isAbove(c.Line, c.FootComment) {
				moveAbove(c, &c.FootComment)
			}
		case i%2 == 0 && i+1 < len(n.Content):
			s.visit(c, n.Content[i+1])
		}
		s.walk(c)
	}
	if isBlock(n) && n.LineComment != "" && s.v != nil && isEmpty(s.v) { // no next field has it
		moveAbove(s.at, &n.LineComment)
	}
}

// visit looks at a key or item, after the one before it in the text.
func (s *misplaced) visit(at, v *yaml.Node) {
	if s.v != nil && hasAnchorOrTag(s.v) && (isBlock(s.v) || isEmpty(s.v)) && at.LineComment != "" {
		var own []string
		for comment := range strings.SplitSeq(at.LineComment, "\n") {
			if !s.endsWith(at.Line, comment) && s.endsWith(s.v.Line, comment) {
				moveAbove(s.at, &comment)
			} else {
				own = append(own, comment)
			}
		}
		at.LineComment = strings.Join(own, "\n")
	}
	s.at, s.v = at, v
}

// endsWith reports whether a line, counted from 1, ends with a comment.
func (s *misplaced) endsWith(line int, comment string) bool {
	return bytes.HasSuffix(s.line(line), []byte(comment))
}

// line is a line, counted from 1, without blanks around it.
func (s *misplaced) line(n int) []byte {
	if s.lines == nil {
		s.lines = bytes.Split(s.text, []byte("\n"))
	}
	if n < 1 || n > len(s.lines) {
		return nil
	}
	return bytes.TrimSpace(s.lines[n-1])
}

// isAbove reports whether a comment ends just above a line, blank lines not counted.
func (s *misplaced) isAbove(line int, comment string) bool {
	last := strings.TrimRight(comment, "\n")
	if last == "" {
		return false
	}
	for line--; line > 0 && len(s.line(line)) == 0; {
		line--
	}
	return string(s.line(line)) == last[strings.LastIndexByte(last, '\n')+1:]
}
