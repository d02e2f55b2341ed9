package syncing

import (
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/syncing/mutation"
	"github.com/waybill-dev/waybill/pkg/template/text"
)

// isEmptyEverywhere reports whether the entry's reference or template gives nothing for any primary at all. A live world shows
// one primary at a time: there, nothing since the entry says what it does.
func (k *relatedObjects) isEmptyEverywhere() bool {
	if k.x.snapshot.Live {
		return !k.proven.Load()
	}
	for _, f := range k.found {
		if f.empty == nil || f.err != nil || f.pending {
			return false
		}
	}
	return true
}

// emptyLocator is a locator that gives nothing for a primary: it says what the primary no longer names, or is misspelt.
type emptyLocator struct {
	locator *locator
	spaces  bool // it is that of namespaces
}

// at is where the locator stands in its entry, and what that is.
func (s *emptyLocator) at() (at, what string) {
	at = "object"
	if s.spaces {
		at = "object.namespace"
	}
	if s.locator.template != nil {
		return at + ".template", "template"
	}
	return fmt.Sprintf("%s.reference.path %s", at, s.locator.path), "path"
}

// fieldNaming is the field of a primary that still gives the name of an origin, or its namespace; "" where none does. Of several
// it is the one whose path is nearest.
func (k *relatedObjects) fieldNaming(p *primary, s *emptyLocator, origin *krm.Object) string {
	name := origin.Name()
	if s.spaces {
		name = k.x.refs[origin].Namespace
	}
	data, err := k.x.doc(k.namingObject(p)).text()
	constant := s.locator.pattern != nil && s.locator.pattern.pattern == nil // every text becomes the same
	if err != nil || name == "" || constant {
		return ""
	}
	left := text.NewAllowance()
	paths := mutation.Find(data, func(path, value string) bool {
		became, err := s.locator.pattern.apply(left, value)
		return err == nil && became == name && !strings.HasPrefix(path, "metadata.")
	})
	if paths = append(selection.Similar(s.locator.path, paths), paths...); len(paths) > 0 {
		return paths[0]
	}
	return ""
}

// namingObject is the object of a primary that is on the side of the origins, and says what they are called.
func (k *relatedObjects) namingObject(p *primary) *krm.Object {
	if origins, _ := k.sides(p); origins.Side == Source {
		return p.object
	}
	return p.copy
}
