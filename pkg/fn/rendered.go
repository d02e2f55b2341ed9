package fn

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// RenderedFrom says which config rendered an object, from a chart for example, and the digest of the object as it was rendered:
// "<function>/<config>@sha256:<digest>". Unlike an object with GeneratedBy, the object is workload, and people and other functions
// may change it.
const RenderedFrom = ReservedPrefix + "rendered-from"

// Rendering is one config of a function that renders objects.
type Rendering struct{ Function, Config string }

func (r Rendering) prefix() string { return r.Function + "/" + r.Config + "@sha256:" }

// mark says in an annotation what was rendered, and returns that.
func (r Rendering) mark(o *krm.Object) (string, error) {
	o.RemoveAnnotations(func(key string) bool { return key == RenderedFrom })
	data, err := withoutPlace(o)
	if err != nil {
		return "", fmt.Errorf("%s: %w", o.Describe(), err)
	}
	digest := sha256.Sum256(data)
	mark := r.prefix() + hex.EncodeToString(digest[:8])
	o.SetAnnotation(RenderedFrom, mark)
	return mark, nil
}

// withoutPlace is the content of o, without what says where it is in the package and what rendered it.
func withoutPlace(o *krm.Object) ([]byte, error) {
	c, isPlace := o.WithoutOrchestration(), func(key string) bool { return key == RenderedFrom || krm.BelongsToPackage(key) }
	for key := range c.Annotations() {
		if isPlace(key) {
			c = c.DeepCopy()
			c.RemoveAnnotations(isPlace)
			break
		}
	}
	return krm.CanonicalJSON(c.Node())
}

// Own are the items that the config rendered earlier, in this package and not in one of its subpackages.
func (r Rendering) Own(items []*krm.Object) map[*krm.Object]bool {
	own, packages := map[*krm.Object]bool{}, map[string]bool{}
	for _, o := range items {
		if o.Is("kpt.dev", "Kptfile") {
			packages[Folder(o)] = true
		}
	}
	outermost := slices.SortedFunc(maps.Keys(packages), func(a, b string) int { return len(a) - len(b) })
	if len(outermost) > 0 {
		delete(packages, outermost[0])
	}
	for _, o := range items {
		if strings.HasPrefix(o.Annotation(RenderedFrom), r.prefix()) && !within(Folder(o), packages) {
			own[o] = true
		}
	}
	return own
}

// within reports whether a folder is one of folders, or in one.
func within(folder string, folders map[string]bool) bool {
	for f := range folders {
		if folder == f || strings.HasPrefix(folder, f+"/") {
			return true
		}
	}
	return false
}
