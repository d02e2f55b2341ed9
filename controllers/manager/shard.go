package manager

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/waybill-dev/waybill/pkg/variant/shard"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// wholeLease is the name of the lease of a process that works on everything.
const wholeLease = "controller.waybill.dev"

// LeaseName is the name of the lease of a shard. Processes of one shard have the same, of other shards another one, however the
// namespaces and the requirements of the selector are ordered. Namespaces, which contain no dot, are before the name of
// the lease of everything; a digest of the rest of the shard is after it. Where that is too long, it is a digest of both.
func LeaseName(namespaces []string, of shard.Shard) string {
	sorted := slices.Clone(namespaces)
	slices.Sort(sorted)
	name := strings.Join(append(slices.Compact(sorted), wholeLease), ".")
	if !of.IsWhole() {
		name += "-" + digest(of.String())
	}
	if len(name) > validation.DNS1123SubdomainMaxLength {
		name = wholeLease + "-" + digest(name)
	}
	return name
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:5])
}

// CheckShard says why a shard cannot divide the objects between processes.
func CheckShard(of shard.Shard) error {
	if of.Selector == nil {
		return nil
	}
	if _, selectable := of.Selector.Requirements(); !selectable {
		return fmt.Errorf("the selector %q selects nothing", of.Selector)
	}
	if slices.Contains(of.Keys(), variantset.Label) {
		return fmt.Errorf("the label %q says which set made a PackageVariant, and the set has none: select by a label of your own",
			variantset.Label)
	}
	return nil
}
