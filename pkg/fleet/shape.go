package fleet

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"k8s.io/utils/ptr"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/fleet/objectdiff"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
	"github.com/waybill-dev/waybill/pkg/merge/secret"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// shapeKey is equal for equal changes. Fields hold only the beginning of long values; the digest tells changes apart that
// differ in the rest.
func shapeKey(c *Change, fields []waybill.PreviewField, rules []int) string {
	var key strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&key, "\x00%s\x00%s", f.Field, f.Change)
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

var (
	itemKeys = lazyregexp.New(`\[[^]=]*=[^]]*\]`)
	digits   = lazyregexp.New(`[0-9]+`)
)

// templateFields are the fields that change, each with its change, as a template of all clusters may have them: without the name of
// the cluster and the numbers in the keys of items of lists. They are sorted, each once.
func (g *grouping) templateFields(fields []waybill.PreviewField, cluster string) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = g.templateField(f.Field, cluster) + "\x00" + f.Change
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (g *grouping) templateField(field, cluster string) string {
	own := strings.Contains(field, cluster)
	if name, known := g.fields[field]; known && !own {
		return name
	}
	name := itemKeys.ReplaceAllStringFunc(field, func(key string) string {
		return digits.ReplaceAllString(safetext.ReplaceWord(key, cluster, "*"), "#")
	})
	if !own {
		g.fields[field] = name
	}
	return name
}

// digestOf is a digest of the two objects, without their secrets, if fields do not hold the whole difference; else nil.
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
	return cmp.Or(cmp.Compare(ptr.Deref(a.From, ""), ptr.Deref(b.From, "")), cmp.Compare(ptr.Deref(a.To, ""), ptr.Deref(b.To, "")))
}

// side is one side of a pair, parsed; object is nil if there is none.
type side struct {
	object *krm.Object
	text   []byte
}

type sides struct{ before, after side }

func (p *pair) parse() (s sides, err error) {
	if s.before, err = p.side(p.before); err == nil {
		s.after, err = p.side(p.after)
	}
	return s, err
}

func (p *pair) side(c *Content) (s side, err error) {
	if c == nil {
		return s, nil
	}
	s.text = c.YAML()
	if s.object, err = c.parse(s.text); err != nil {
		return s, p.fault(err)
	}
	if p.itself {
		manifestwork.KeyConfigs(s.object)
	}
	if other := objectdiff.AsReceived(s.object.Node()); p.itself || other {
		s.text, err = krm.WriteRaw(s.object)
	}
	return s, err
}
