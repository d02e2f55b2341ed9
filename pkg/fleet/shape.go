package fleet

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// shapeKey is the same for the very same change. Of long values only a part is told, so that what is told of two may be
// the same although they are not: these are told apart by all that the objects say. Secrets are not told apart at all.
func shapeKey(c *Change, fields []waybill.PreviewField, rules []int) string {
	var key strings.Builder
	cut := false
	for _, f := range fields {
		for _, v := range []*string{f.From, f.To} {
			if v == nil {
				key.WriteString("\x00-")
				continue
			}
			fmt.Fprintf(&key, "\x00+%s", *v)
			cut = cut || strings.Contains(*v, "…")
		}
	}
	if cut || len(fields) > 0 && fields[0].Field == "" {
		k := keyOfPair(c)
		fmt.Fprintf(&key, "\x00%x%x", k.before, k.after)
	}
	for _, r := range rules {
		fmt.Fprintf(&key, "\x00r%d", r)
	}
	return key.String()
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
