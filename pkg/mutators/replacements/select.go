package replacements

import (
	"regexp"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// The parts of a name by which objects are selected.
const (
	partGroup = iota
	partVersion
	partKind
	partName
	partNamespace
	parts
)

// partNames are their names in the options.
var partNames = [parts]string{"group", "version", "kind", "name", "namespace"}

func (s ID) parts() [parts]string {
	return [parts]string{s.Group, s.Version, s.Kind, s.Name, s.Namespace}
}

// partsOf are those of o.
func partsOf(o *krm.Object) [parts]string {
	return [parts]string{o.Group(), o.Version(), o.Kind(), o.Name(), o.Namespace()}
}

// pattern is a regular expression for the whole of a part of a name. Targets with the same text share
// one, and with it its matches.
type pattern struct {
	text   string
	re     *regexp.Regexp // nil: text matches itself alone
	prefix string         // of every match
}

func newPattern(text string) (*pattern, error) {
	p := &pattern{text: text}
	if regexp.QuoteMeta(text) == text {
		return p, nil
	}
	re, err := regexp.Compile("^(?:" + text + ")$")
	if err != nil {
		return nil, err
	}
	p.re = re
	if free, err := regexp.Compile(text); err == nil { // an anchored one has no prefix
		p.prefix, _ = free.LiteralPrefix()
	}
	return p, nil
}

// names selects by names: by the parts that have a pattern.
type names [parts]*pattern

// metaSelector selects by labels and annotations.
type metaSelector struct{ labels, annotations labels.Selector }

func (m *metaSelector) matches(f *attributes) bool {
	if f.labels == nil {
		f.labels, f.annotations = f.object.Labels(), f.object.Annotations()
	}
	return m.annotations.Matches(f.annotations) && m.labels.Matches(f.labels)
}

// selection is what a target selects and rejects. Equal targets share one, and with it the selected
// items.
type selection struct {
	names       names
	meta        *metaSelector // nil: any
	rejectNames []names
	rejectMeta  []*metaSelector

	items   []int // found when the index was at version
	version int   // 0: never
}
