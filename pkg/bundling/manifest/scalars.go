package manifest

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// isBareWord reports whether n is yes, no, on or off without quotes: text in YAML 1.2, which functions
// read, and a boolean in YAML 1.1, which GitOps agents and API servers read.
func isBareWord(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style == 0 && n.ShortTag() == yaml.NodeTagString && krm.StringNode(n.Value).Style != 0
}

// QuoteHead puts the bare words of an object's type and metadata into quotes: all values there are
// text, and a hub refuses others.
func QuoteHead(root *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if isHead(root.Content[i].Value) {
			quoteWords(root.Content[i+1])
		}
	}
}

func isHead(field string) bool {
	return slices.Contains([]string{"apiVersion", "kind", "metadata"}, field)
}

func quoteWords(n *yaml.Node) {
	if isBareWord(n) {
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, child := range n.Content {
		quoteWords(child)
	}
}

// EachBareWord calls report for every bare word below n, whose path is at.
func EachBareWord(n *yaml.Node, at *field.Path, report func(at *field.Path, word string)) {
	if isBareWord(n) {
		report(at, n.Value)
	}
	for i, child := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			EachBareWord(child, at.Index(i), report)
		case i%2 == 1:
			EachBareWord(child, at.Child(n.Content[i-1].Value), report)
		}
	}
}

// isAmbiguous reports whether a common reader does not take a bare s as text, by the types of YAML 1.1, which some libraries
// still read: 12:30 is 750 to them, 0o_7 a number, = a default value. krm knows the words and numbers that an API
// server would misread. The first letter decides for most strings.
func isAmbiguous(s string) bool {
	if s == "" || strings.IndexByte("0123456789+-.=<", s[0]) < 0 {
		return false
	}
	return s == "=" || s == "<<" || numberOfYAML11.MatchString(s) || timeOfYAML11.MatchString(s)
}

var numberOfYAML11 = lazyregexp.New(`^[-+]?(?:` + strings.Join([]string{
	`0[bB][01_]+`, `0[oO]?[0-7_]+`, `0[xX][0-9a-fA-F_]+`, // binary, octal, hexadecimal
	`[0-9][0-9_]*`,
	`[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?`, // sexagesimal
	`[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9_]+)?`, `\.[0-9_]+(?:[eE][-+]?[0-9_]+)?`,
}, "|") + `)$`)

var timeOfYAML11 = lazyregexp.New(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}` +
	`(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]*)?[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?)?)?$`)
