package naming

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// The label and the annotation of a work that, with control.OriginBindingLabel, name its Binding; KubeStellar finds works by them.
const (
	WDSLabel             = "transport.kubestellar.io/originWdsName"
	GenerationAnnotation = "transport.kubestellar.io/originOwnerReferenceBindingGeneration"
)

// Function is the name of the function.
const Function = "bundle-manifestwork"

// The group and the kind of works.
const (
	WorkGroup = "work.open-cluster-management.io"
	WorkKind  = "ManifestWork"
)

// Origin is what all works of one Binding have in common.
type Origin struct {
	Binding    string // its name
	WDS        string
	Generation string
	Source     string // the identity of the Binding
}

// ShardName is the name of the work of that number.
func (o Origin) ShardName(number string) string {
	return o.Binding + "-" + o.WDS + "-" + number
}

// ObjectName is the name of the work that holds only that object. KubeStellar uses UIDs, which Git does
// not have; the identity is as stable.
func (o Origin) ObjectName(id krm.ID) string {
	return o.Binding + "-" + o.WDS + "-" + shortHash(id)
}

// shortHash is 12 hex digits of a hash of an identity.
func shortHash(id krm.ID) string {
	sum := sha256.Sum256([]byte(id.String()))
	return hex.EncodeToString(sum[:])[:12]
}

// LabelledOrigin is the origin that the labels of a work name.
func LabelledOrigin(work *krm.Object) Origin {
	text := func(label string) string { return work.String("metadata", "labels", label) }
	return Origin{Binding: text(control.OriginBindingLabel), WDS: text(WDSLabel)}
}

// OriginOf is the origin that a work names. Its annotation takes precedence over its label, which users may change.
func OriginOf(work *krm.Object) Origin {
	of := LabelledOrigin(work)
	if _, source, ok := strings.Cut(work.Annotation(fn.Origin), "/"+control.KindBinding+"/"); ok {
		of.Binding = path.Base(source)
	}
	return of
}

var (
	digest = lazyregexp.New(`^[0-9a-f]{12}$`)
	uids   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(strings.ReplaceAll(`^UID-(.+)-UID$`, "UID", "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"))
	})
)

// HasName reports whether a work of o may have that name: one that this function gives, or the name that KubeStellar gives to a work
// of one object, of the UIDs of the Binding and of the object.
func (o Origin) HasName(work string) bool {
	rest, ours := strings.CutPrefix(work, o.ShardName(""))
	_, isNumber := shardNumber(rest)
	return ours && (isNumber || digest.MatchString(rest)) || o.isAdopted(work)
}

// isAdopted reports whether KubeStellar made a work of one object of that name.
func (o Origin) isAdopted(work string) bool {
	m := uids().FindStringSubmatch(work)
	return m != nil && m[1] == o.WDS
}

// NameInFile is the name of a work of o that this function wrote to that file, as far as the file tells.
func (o Origin) NameInFile(file string) string {
	number := strings.TrimSuffix(strings.TrimPrefix(path.Base(file), shardFilePrefix), ".yaml")
	if _, ok := shardNumber(number); !ok {
		number = "<number>"
	}
	return o.ShardName(number)
}

// NumberOf is the number of a work of o.
func (o Origin) NumberOf(work *krm.Object) (int, bool) {
	if of := LabelledOrigin(work); of.Binding != o.Binding || of.WDS != o.WDS {
		return 0, false
	}
	digits, ours := strings.CutPrefix(work.Name(), o.ShardName(""))
	if !ours {
		return 0, false
	}
	return shardNumber(digits)
}

// shardNumber reads the number at the end of the name of a work.
func shardNumber(digits string) (int, bool) {
	n, err := strconv.Atoi(digits)
	const longest = 9 // a work that is named after its object has 12 hex digits here
	return n, err == nil && strconv.Itoa(n) == digits && len(digits) <= longest && n >= 0
}

// OwnWorks are the works among items that this function wrote.
func OwnWorks(items []*krm.Object) []*krm.Object {
	return slices.DeleteFunc(slices.Clone(items), func(o *krm.Object) bool {
		return o.Annotation(fn.GeneratedBy) != Function || !o.Is(WorkGroup, WorkKind)
	})
}
