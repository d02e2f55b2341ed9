package fleet

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Bound is an upper bound: a number, or a percentage of what there is before the change. The zero Bound allows everything.
type Bound struct {
	set     bool
	percent bool
	most    int
}

// ParseBound reads N or P%.
func ParseBound(text string) (Bound, error) {
	number, percent := strings.CutSuffix(text, "%")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || percent && n > 100 || strings.HasPrefix(number, "+") {
		return Bound{}, fmt.Errorf("want a number that is 0 or more, or percent like 5%%")
	}
	return Bound{set: true, percent: percent, most: n}, nil
}

// Set reads the value of a flag.
func (b *Bound) Set(text string) (err error) {
	*b, err = ParseBound(text)
	return err
}

// Type is the type of the flag in help.
func (*Bound) Type() string { return "N|P%" }

func (b Bound) String() string {
	switch {
	case !b.set:
		return ""
	case b.percent:
		return strconv.Itoa(b.most) + "%"
	}
	return strconv.Itoa(b.most)
}

func (b Bound) allows(n, of int) bool {
	switch {
	case !b.set:
		return true
	case b.percent:
		return n*100 <= b.most*of
	}
	return n <= b.most
}

// Budget bounds the extent of a change.
type Budget struct {
	// Clusters bounds the clusters whose objects or works change.
	Clusters Bound
	// Deletions bounds the objects that are deleted, counted for every cluster. Objects that are created again count.
	Deletions Bound
	// Objects bounds the objects that are added, removed, left behind, changed or moved, counted for every cluster.
	Objects Bound
}

// Refusals are the reasons to refuse a change, one sentence for each bound that the change exceeds. A percentage refers to
// what there is before or, if that is nothing, after.
func (b Budget) Refusals(p *waybill.FleetPreview) (out []string) {
	s := p.Summary
	clusters, objects := p.Before.Clusters, p.Before.Objects
	if objects == 0 {
		clusters, objects = p.After.Clusters, p.After.Objects
	}
	check := func(bound Bound, n, of int, what, flag string) {
		if !bound.allows(n, of) {
			out = append(out, fmt.Sprintf("%d of %d %s, and %s is %s", n, of, what, flag, bound))
		}
	}
	check(b.Clusters, s.Clusters, clusters, "clusters would change", "--max-clusters")
	check(b.Deletions, s.Removed+s.Recreated, objects, "objects would be deleted", "--max-deletions")
	check(b.Objects, s.Added+s.Removed+s.LeftBehind+s.Changed+s.Moved, objects, "objects would change", "--max-objects")
	return out
}
