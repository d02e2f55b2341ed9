package variantset

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// The lengths of names: a longer one is cut, and gets a part of its hash, which makes it unique.
const (
	longestName = 63
	keptOfName  = 54
	hashInName  = 8
)

// variantName is the name of the variant of a set for a downstream. Slashes become dashes; in Porch they
// stay.
func variantName(set string, d *porchconfig.Downstream) string {
	name := strings.ReplaceAll(set+"-"+d.Repo+"-"+d.Package, "/", "-")
	if len(name) <= longestName {
		return name
	}
	hash := sha1.Sum([]byte(name))
	return name[:keptOfName] + "-" + hex.EncodeToString(hash[:])[:hashInName]
}

// checkName says why a name is not valid.
func checkName(name string, d *porchconfig.Downstream) error {
	if faults := validation.IsDNS1123Subdomain(name); len(faults) > 0 {
		return fmt.Errorf("the variant for package %q in repo %q would be called %q: %s", d.Package, d.Repo, name, faults[0])
	}
	return nil
}
