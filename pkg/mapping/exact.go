package mapping

import (
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// plainOf is a node as plain data whose whole numbers are exact: those that are too large for any integer are
// errors, where krm.Value makes doubles of them.
func plainOf(n *yaml.Node) (any, error) {
	if at := tooLarge(n); at != "" {
		return nil, fmt.Errorf("%s: a whole number is too large to be exact; let it be a text", strings.TrimPrefix(at, "."))
	}
	return krm.Value(n)
}

// tooLarge is where a whole number is that is too large for any integer; "" where none is.
func tooLarge(n *yaml.Node) string {
	switch n = krm.Deref(n); n.Kind {
	case yaml.ScalarNode:
		if len(n.Value) > 18 && isTooLarge(n) {
			return "."
		}
	case yaml.SequenceNode:
		for i, child := range n.Content {
			if at := tooLarge(child); at != "" {
				return "[" + strconv.Itoa(i) + "]" + strings.TrimSuffix(at, ".")
			}
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if at := tooLarge(n.Content[i+1]); at != "" {
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
