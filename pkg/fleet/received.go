package fleet

import (
	"encoding/json"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// asReceived makes an object say what an API server receives when it is sent there: clients read YAML 1.1, so that yes is a
// boolean and 0x10 is 16; dates are text, and names of fields are text. It reports whether there was anything to do. What
// no client can send stays as it is.
func asReceived(n *yaml.Node) (did bool) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			did = receivedKey(n.Content[i]) || did
			did = asReceived(n.Content[i+1]) || did
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			did = asReceived(item) || did
		}
	case yaml.ScalarNode:
		return doubtful(n) && readAgain(n)
	}
	return did
}

const binaryTag = "!!binary"

// quotedStyle are the ways to write text that is nothing but text.
var quotedStyle = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// doubtful reports whether a scalar may be something else to an API server than it is to us, or be written in several ways.
func doubtful(n *yaml.Node) bool {
	tag := n.ShortTag()
	if n.Style&quotedStyle != 0 {
		return tag == binaryTag
	}
	switch tag {
	case yaml.NodeTagString:
		return n.Style == 0 && isWord(n.Value)
	case yaml.NodeTagInt:
		i, err := strconv.ParseInt(n.Value, 10, 64)
		return err != nil || strconv.FormatInt(i, 10) != n.Value
	case yaml.NodeTagBool:
		return n.Value != "true" && n.Value != "false"
	}
	return tag != yaml.NodeTagNull
}

// isWord reports whether text is a boolean of YAML 1.1 and none of YAML 1.2.
func isWord(text string) bool {
	switch strings.ToLower(text) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return false
}

// readAgain makes a scalar what a client makes of it.
func readAgain(n *yaml.Node) bool {
	var value struct{ A any }
	text := "a: " + plain(n) + "\n"
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

// plain is a scalar as it is written: what is tagged keeps its tag, and text stands in quotes.
func plain(n *yaml.Node) string {
	text := n.Value
	if n.Style&quotedStyle != 0 {
		text = strconv.QuoteToASCII(text)
	}
	if n.Style&yaml.TaggedStyle != 0 || n.ShortTag() == binaryTag {
		text = n.ShortTag() + " " + text
	}
	return text
}

// receivedKey makes the name of a field text.
func receivedKey(key *yaml.Node) bool {
	if key.Kind != yaml.ScalarNode || key.ShortTag() == yaml.NodeTagString && !doubtful(key) {
		return false
	}
	var fields map[string]any
	data, err := sigsyaml.YAMLToJSON([]byte(plain(key) + ": x\n"))
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
