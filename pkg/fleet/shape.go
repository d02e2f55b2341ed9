package fleet

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
	"github.com/waybill-dev/waybill/pkg/merge/secret"
)

// shapeKey is the same for the very same change. Of long values only a part is told, so that what is told of two may be
// the same although they are not: these are told apart by all that may be shown of the objects.
func shapeKey(c *Change, fields []waybill.PreviewField, rules []int) string {
	var key strings.Builder
	for _, f := range fields {
		for _, v := range []*string{f.From, f.To} {
			if v == nil {
				key.WriteString("\x00-")
				continue
			}
			fmt.Fprintf(&key, "\x00+%s", *v)
		}
	}
	fmt.Fprintf(&key, "\x00%x", c.pair.whole)
	for _, r := range rules {
		fmt.Fprintf(&key, "\x00r%d", r)
	}
	return key.String()
}

// wholeOf is another for objects that differ in what may be shown of them, if the fields do not tell them apart; else it is
// nil. Whether two have the same secrets makes no difference.
func wholeOf(fields []diff.Change, s *sides) ([]byte, error) {
	cut := func(v *string) bool { return v != nil && strings.Contains(*v, "…") }
	if !slices.ContainsFunc(fields, func(f diff.Change) bool { return f.Field == "" || cut(f.From) || cut(f.To) }) {
		return nil, nil
	}
	sum := sha256.New()
	for _, o := range []*krm.Object{s.before.object, s.after.object} {
		if o == nil {
			continue
		}
		o = o.DeepCopy()
		o.ExpandAliases()
		secret.Hide(o.Node())
		data, err := krm.CanonicalJSON(o.Node())
		if err != nil {
			return nil, err
		}
		sum.Write(append(data, 0))
	}
	return sum.Sum(nil), nil
}

func compareValues(a, b waybill.PreviewField) int {
	return cmp.Or(cmp.Compare(valueOf(a.From), valueOf(b.From)), cmp.Compare(valueOf(a.To), valueOf(b.To)))
}

func valueOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
