package objectdiff

import (
	"encoding/json"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// AsReceived rewrites an object as the API server receives it: clients read YAML 1.1, where yes is a boolean and 0x10 is 16;
// dates and names of fields are text. It reports whether it changed anything. What no client can send stays as it is.
func AsReceived(n *yaml.Node) (did bool) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			did = rewriteKey(n.Content[i]) || did
			did = AsReceived(n.Content[i+1]) || did
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			did = AsReceived(item) || did
		}
	case yaml.ScalarNode:
		return isAmbiguous(n) && rewrite(n)
	}
	return did
}

const binaryTag = "!!binary"

// quotedStyle are the styles that make a scalar a string.
var quotedStyle = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// isAmbiguous reports whether the API server may read a scalar differently than we do, or whether it has several spellings.
func isAmbiguous(n *yaml.Node) bool {
	tag := n.ShortTag()
	if n.Style&quotedStyle != 0 {
		return tag == binaryTag
	}
	switch tag {
	case yaml.NodeTagString:
		return n.Style == 0 && isYAML11Bool(n.Value)
	case yaml.NodeTagInt:
		i, err := strconv.ParseInt(n.Value, 10, 64)
		return err != nil || strconv.FormatInt(i, 10) != n.Value
	case yaml.NodeTagBool:
		return n.Value != "true" && n.Value != "false"
	}
	return tag != yaml.NodeTagNull
}

// isYAML11Bool reports whether text is a boolean of YAML 1.1 and none of YAML 1.2.
func isYAML11Bool(text string) bool {
	switch strings.ToLower(text) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return false
}

// rewrite replaces a scalar by what a client reads.
func rewrite(n *yaml.Node) bool {
	var value struct{ A any }
	text := "a: " + sourceText(n) + "\n"
	data, err := sigsyaml.YAMLToJSON([]byte(text))
	if err != nil {
		return false
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return false
	}
	now := yaml.Node{Kind: yaml.ScalarNode, HeadComment: n.HeadComment, LineComment: n.LineComment,
		FootComment: n.FootComment, Anchor: n.Anchor}
	switch v := value.A.(type) {
	case bool:
		now.Tag, now.Value = yaml.NodeTagBool, strconv.FormatBool(v)
	case json.Number:
		now.Tag, now.Value = yaml.NodeTagInt, v.String()
		if _, err := strconv.ParseInt(now.Value, 10, 64); err != nil {
			now.Tag = yaml.NodeTagFloat
		}
	case string:
		text := krm.StringNode(v)
		now.Tag, now.Value, now.Style = text.Tag, text.Value, text.Style
	default:
		return false
	}
	if now.Tag == n.Tag && now.Value == n.Value && now.Style == n.Style {
		return false
	}
	*n = now
	return true
}

// sourceText is the YAML of a scalar, with its tag and quotes.
func sourceText(n *yaml.Node) string {
	text := n.Value
	if n.Style&quotedStyle != 0 {
		text = strconv.QuoteToASCII(text)
	}
	if n.Style&yaml.TaggedStyle != 0 || n.ShortTag() == binaryTag {
		text = n.ShortTag() + " " + text
	}
	return text
}

// rewriteKey makes the name of a field a string.
func rewriteKey(key *yaml.Node) bool {
	if key.Kind != yaml.ScalarNode || key.ShortTag() == yaml.NodeTagString && !isAmbiguous(key) {
		return false
	}
	var fields map[string]any
	data, err := sigsyaml.YAMLToJSON([]byte(sourceText(key) + ": x\n"))
	if err != nil || json.Unmarshal(data, &fields) != nil || len(fields) != 1 {
		return false
	}
	for name := range fields {
		if name == key.Value {
			return false
		}
		text := krm.StringNode(name)
		key.Tag, key.Value, key.Style = text.Tag, text.Value, text.Style
	}
	return true
}
