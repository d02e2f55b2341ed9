package mapping

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// plainOf is a node as plain data whose whole numbers are exact: those that are too large for any integer are
// errors, where krm.Value makes doubles of them.
func plainOf(n *yaml.Node) (any, error) {
	if at := krm.TooLarge(n); at != "" {
		return nil, fmt.Errorf("%s: a whole number is too large to be exact; let it be a text", strings.TrimPrefix(at, "."))
	}
	return krm.Value(n)
}
