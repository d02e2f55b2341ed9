package applyset

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/selection"
)

// Limit bounds a count, absolutely or as a percentage of a whole. The zero Limit is no limit.
type Limit struct {
	set     bool
	most    int
	percent bool
}

// ParseLimit reads "", which is no limit, "10", or "25%" of the outputs that the controller has.
func ParseLimit(s string) (Limit, error) {
	if s == "" {
		return Limit{}, nil
	}
	number, percent := strings.CutSuffix(s, "%")
	n, err := strconv.ParseUint(number, 10, 31)
	if err != nil || percent && n > 100 {
		return Limit{}, errors.New("want a whole number from 0, or a percentage up to 100%")
	}
	return Limit{set: true, most: int(n), percent: percent}, nil
}

// Allows reports whether n of total are within the limit.
func (l Limit) Allows(n, total int) bool {
	switch {
	case !l.set:
		return true
	case l.percent:
		return n*100 <= l.most*total
	}
	return n <= l.most
}

func (l Limit) String() string {
	switch {
	case !l.set:
		return ""
	case l.percent:
		return fmt.Sprintf("%d%%", l.most)
	}
	return strconv.Itoa(l.most)
}

// Merge is how an existing object becomes the desired one.
type Merge int

// Ways to merge.
const (
	// Replace sets every top-level field to its value in the output, and keeps fields that the output lacks (but see
	// OwnFields), status, and labels, annotations, finalizers and owner references of other clients (but see OwnNames). It
	// needs no state.
	Replace Merge = iota
	// ThreeWay compares with what was last applied: it removes what the output no longer has and keeps what other clients
	// added. Without a state, it asserts the output and keeps the rest.
	ThreeWay
)

// Drift is what ThreeWay does with a field that the output has and another client changed.
type Drift int

// Ways to treat drift.
const (
	// Correct asserts every field of the output in every run.
	Correct Drift = iota
	// Tolerate changes only fields whose desired value changed since the last time.
	Tolerate
)

// StateStore is where ThreeWay keeps what was last applied.
type StateStore int

// Places for state.
const (
	// InAnnotation keeps state with the output, up to 64 KiB; what is larger goes where InItem goes.
	InAnnotation StateStore = iota
	// InItem keeps state in one SyncState item per owner, or in View.LastKnown.
	InItem
)

// Update is how a differing object is brought up to date.
type Update int

// Ways to update.
const (
	// InPlace updates it.
	InPlace Update = iota
	// Recreate deletes it and creates it again. An adopted object is updated in place.
	Recreate
	// OnDelete waits until another client deletes it; Run only keeps its tags correct.
	OnDelete
)

// Adoption is what happens to a desired object that exists without tags.
type Adoption int

// Ways to adopt.
const (
	// Never makes it an error of the key.
	Never Adoption = iota
	// Preserve adds the tags and leaves the rest; later changes of the output are applied as differences. It needs
	// ThreeWay.
	Preserve
	// Converge adds the tags and asserts the output.
	Converge
)

// Extent says how much a View shows.
type Extent int

// Extents of a view.
const (
	// Partial keeps detached groups: an input that is not in the view may exist elsewhere.
	Partial Extent = iota
	// Complete treats an input that is not in the view as deleted.
	Complete
)

// limitDeletions freezes all groups of a controller whose deletions exceed the MaxDeletions of one of its edges.
func (p *planner) limitDeletions() {
	type tally struct{ deletions, outputs int }
	by := map[string]*tally{}
	for _, g := range p.groups {
		t := by[g.Controller]
		if t == nil {
			t = &tally{}
			by[g.Controller] = t
		}
		t.outputs += len(g.observed)
		for _, c := range g.changes {
			if c.action == ActionDelete {
				t.deletions++
			}
		}
	}
	refused := map[string]bool{}
	for _, e := range p.edges {
		t := by[e.Controller]
		if t == nil || refused[e.Controller] || e.MaxDeletions.Allows(t.deletions, t.outputs) {
			continue
		}
		refused[e.Controller] = true
		p.reportEdge(e, sdk.Error, ReasonRefused, "", nil, "%d of %s would be deleted, more than maxDeletions, %s, allows; nothing changes",
			t.deletions, selection.Count(t.outputs, "output"), e.MaxDeletions)
	}
	for _, g := range p.groups {
		if refused[g.Controller] && !g.frozen {
			g.freeze(ReasonRefused)
		}
	}
}
