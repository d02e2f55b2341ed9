package bundling

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// What ties a work to the Binding it came from; KubeStellar finds works by these.
const (
	BindingLabel         = control.OriginBindingLabel
	WDSLabel             = "transport.kubestellar.io/originWdsName"
	GenerationAnnotation = "transport.kubestellar.io/originOwnerReferenceBindingGeneration"
)

const name = "bundle-manifestwork" // of the function

const workGroup, workKind = "work.open-cluster-management.io", "ManifestWork"

// origin is what every work of one Binding has in common.
type origin struct {
	binding    string
	wds        string
	generation string
	source     string // the Binding
}

// shardName names the work of that number of a Binding in a cluster.
func (o origin) shardName(number string) string {
	return o.binding + "-" + o.wds + "-" + number
}

// objectName names the work that holds just that object. KubeStellar takes UIDs, which Git does
// not have; the identity stays the same as long.
func (o origin) objectName(id krm.ID) string {
	return o.binding + "-" + o.wds + "-" + shortHash(id)
}

// shortHash is 12 hex digits that stand for an identity.
func shortHash(id krm.ID) string {
	sum := sha256.Sum256([]byte(id.String()))
	return hex.EncodeToString(sum[:])[:12]
}

// originOf is what a work says about where it is from. Its annotation counts before its label, which people may change.
func originOf(work *krm.Object) origin {
	labels := work.Labels()
	of := origin{binding: labels[BindingLabel], wds: labels[WDSLabel]}
	if _, source, ok := strings.Cut(work.Annotation(fn.Origin), "/"+control.KindBinding+"/"); ok {
		of.binding = path.Base(source)
	}
	return of
}

var digest = regexp.MustCompile(`^[0-9a-f]{12}$`)

// named reports whether a work of o may have that name.
func (o origin) named(work string) bool {
	rest, ours := strings.CutPrefix(work, o.shardName(""))
	_, isNumber := shardNumber(rest)
	return ours && (isNumber || digest.MatchString(rest))
}

// nameIn is the name that a work of o in that file had, as far as the file says it.
func (o origin) nameIn(file string) string {
	number := strings.TrimSuffix(strings.TrimPrefix(path.Base(file), shardFilePrefix), ".yaml")
	if _, ok := shardNumber(number); !ok {
		number = "<number>"
	}
	return o.shardName(number)
}

// numberOf is the number of a work that this function made of a Binding.
func (o origin) numberOf(work *krm.Object) (int, bool) {
	labels := work.Labels()
	if labels[BindingLabel] != o.binding || labels[WDSLabel] != o.wds {
		return 0, false
	}
	digits, ours := strings.CutPrefix(work.Name(), o.shardName(""))
	if !ours {
		return 0, false
	}
	return shardNumber(digits)
}

// shardNumber reads the number at the end of a work's name.
func shardNumber(digits string) (int, bool) {
	n, err := strconv.Atoi(digits)
	const longest = 9 // a work that is named after its object has 12 hex digits here
	return n, err == nil && strconv.Itoa(n) == digits && len(digits) <= longest && n >= 0
}

// ownWorks are the works among items that this function wrote.
func ownWorks(items []*krm.Object) (works []*krm.Object) {
	for _, o := range items {
		if o.Annotation(fn.GeneratedBy) == name && o.Is(workGroup, workKind) {
			works = append(works, o)
		}
	}
	return works
}
