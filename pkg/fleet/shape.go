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

// shapeKey is equal for equal changes. Fields hold long values only in part; the digest tells changes apart that differ in
// the rest.
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
	fmt.Fprintf(&key, "\x00%x", c.pair.digest)
	for _, r := range rules {
		fmt.Fprintf(&key, "\x00r%d", r)
	}
	return key.String()
}

// digestOf is a digest of the two objects, without their secrets, if fields do not hold all of the difference; else nil.
func digestOf(fields []diff.Change, s *sides) ([]byte, error) {
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
