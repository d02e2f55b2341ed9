package krm

import (
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TooLarge is where a whole number is that is too large for any integer, which nothing that reads JSON keeps exact; "" where none is.
func TooLarge(n *yaml.Node) string {
	switch n = Deref(n); n.Kind {
	case yaml.ScalarNode:
		if len(n.Value) > 18 && isTooLarge(n) {
			return "."
		}
	case yaml.SequenceNode:
		for i, child := range n.Content {
			if at := TooLarge(child); at != "" {
				return "[" + strconv.Itoa(i) + "]" + strings.TrimSuffix(at, ".")
			}
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if at := TooLarge(n.Content[i+1]); at != "" {
				return "." + n.Content[i].Value + strings.TrimSuffix(at, ".")
			}
		}
	}
	return ""
}

// isTooLarge reports whether a scalar is a whole number beyond all integers. YAML takes it for a float, unless it
// is tagged.
func isTooLarge(n *yaml.Node) bool {
	digits := strings.ReplaceAll(strings.TrimPrefix(n.Value, "+"), "_", "")
	if strings.Trim(strings.TrimPrefix(digits, "-"), "0123456789") != "" {
		return false
	}
	switch n.ShortTag() {
	case yaml.NodeTagFloat:
		return true
	case yaml.NodeTagInt:
		_, below := strconv.ParseInt(digits, 10, 64)
		_, above := strconv.ParseUint(digits, 10, 64)
		return below != nil && above != nil
	}
	return false
}
