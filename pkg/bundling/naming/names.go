package naming

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
	WDSLabel             = "transport.kubestellar.io/originWdsName"
	GenerationAnnotation = "transport.kubestellar.io/originOwnerReferenceBindingGeneration"
)

const Function = "bundle-manifestwork" // of the function

const WorkGroup, WorkKind = "work.open-cluster-management.io", "ManifestWork"

// Origin is what every work of one Binding has in common.
type Origin struct {
	Binding    string
	WDS        string
	Generation string
	Source     string // the Binding
}

// ShardName names the work of that number of a Binding in a cluster.
func (o Origin) ShardName(number string) string {
	return o.Binding + "-" + o.WDS + "-" + number
}

// ObjectName names the work that holds just that object. KubeStellar takes UIDs, which Git does
// not have; the identity stays the same as long.
func (o Origin) ObjectName(id krm.ID) string {
	return o.Binding + "-" + o.WDS + "-" + shortHash(id)
}

// shortHash is 12 hex digits that stand for an identity.
func shortHash(id krm.ID) string {
	sum := sha256.Sum256([]byte(id.String()))
	return hex.EncodeToString(sum[:])[:12]
}

// OriginOf is what a work says about where it is from. Its annotation counts before its label, which people may change.
func OriginOf(work *krm.Object) Origin {
	labels := work.Labels()
	of := Origin{Binding: labels[control.OriginBindingLabel], WDS: labels[WDSLabel]}
	if _, source, ok := strings.Cut(work.Annotation(fn.Origin), "/"+control.KindBinding+"/"); ok {
		of.Binding = path.Base(source)
	}
	return of
}

var digest = regexp.MustCompile(`^[0-9a-f]{12}$`)

// HasName reports whether a work of o may have that name.
func (o Origin) HasName(work string) bool {
	rest, ours := strings.CutPrefix(work, o.ShardName(""))
	_, isNumber := shardNumber(rest)
	return ours && (isNumber || digest.MatchString(rest))
}

// NameInFile is the name that a work of o in that file had, as far as the file says it.
func (o Origin) NameInFile(file string) string {
	number := strings.TrimSuffix(strings.TrimPrefix(path.Base(file), shardFilePrefix), ".yaml")
	if _, ok := shardNumber(number); !ok {
		number = "<number>"
	}
	return o.ShardName(number)
}

// NumberOf is the number of a work that this function made of a Binding.
func (o Origin) NumberOf(work *krm.Object) (int, bool) {
	labels := work.Labels()
	if labels[control.OriginBindingLabel] != o.Binding || labels[WDSLabel] != o.WDS {
		return 0, false
	}
	digits, ours := strings.CutPrefix(work.Name(), o.ShardName(""))
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

// OwnWorks are the works among items that this function wrote.
func OwnWorks(items []*krm.Object) (works []*krm.Object) {
	for _, o := range items {
		if o.Annotation(fn.GeneratedBy) == Function && o.Is(WorkGroup, WorkKind) {
			works = append(works, o)
		}
	}
	return works
}
