package merge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/merge/schema"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Strategy is how a local package is updated from base to theirs.
type Strategy string

// The strategies, under kpt's names.
const (
	ResourceMerge      Strategy = "resource-merge"       // object by object and field by field; the default
	FastForward        Strategy = "fast-forward"         // take theirs; an error if ours was changed
	ForceDeleteReplace Strategy = "force-delete-replace" // take theirs, whatever ours is
	CopyMerge          Strategy = "copy-merge"           // copy the files of theirs over ours
)

// These types of package object are what callers need.
type (
	// Conflict is a field that both sides changed.
	Conflict = object.Conflict
	// Winner is the side whose value a conflict got.
	Winner = object.Winner
	// Prefer says which side wins a conflict.
	Prefer = object.Prefer
)

// Values of these types.
const (
	Upstream = object.Upstream
	Local    = object.Local
	Fail     = object.Fail

	UpstreamWon = object.UpstreamWon
	LocalWon    = object.LocalWon
	BothWon     = object.BothWon
)

// Options say how to merge. The zero Options are kpt's defaults.
type Options struct {
	Strategy Strategy
	Prefer   Prefer
	// Inserted reports whether a function of that name was inserted into our pipelines: unless upstream has it, too, it
	// is removed before they are merged, and put back in front. It is no change that prevents fast-forward. Nil stands
	// for the functions that a PackageVariant inserts.
	Inserted func(function string) bool
}

// Result is the result of a merge.
type Result struct {
	Tree      pkgtree.Tree
	Conflicts []Conflict // sorted by package, file, object and field
}

// Packages merges the changes of upstream since the common base into the local package. The objects of the result
// carry marks (see AddMarks); upstream and upstreamLock are those of theirs, if it has any. Subpackages with an
// upstream of their own are merged as parts of the three trees; updating them from that upstream is up to the
// caller.
//
// Errors: an unknown strategy or preference, YAML that cannot be read, two objects of one identity, a
// subpackage that both sides added, a path that is a file on one side and a folder on the other
// (*pkgtree.PathError), and under fast-forward a *ModifiedError.
func Packages(base, theirs, ours pkgtree.Tree, opts Options) (*Result, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	p := newPackages(base, theirs, ours, opts)
	if err := p.planAll(); err != nil {
		return nil, err
	}
	if err := p.runJobs(); err != nil {
		return nil, err
	}
	tree, err := pkgtree.FromBlobs(p.out)
	if err != nil {
		return nil, err
	}
	if opts.Prefer == object.Fail && len(p.conflicts) > 0 {
		tree = ours
	}
	if opts.Prefer != object.Fail {
		for i := range p.conflicts {
			p.conflicts[i].FindWinner()
		}
	}
	object.SortConflicts(p.conflicts)
	return &Result{Tree: tree, Conflicts: p.conflicts}, nil
}

func (o Options) withDefaults() (Options, error) {
	o.Strategy = cmp.Or(o.Strategy, ResourceMerge)
	o.Prefer = cmp.Or(o.Prefer, object.Upstream)
	if o.Inserted == nil {
		o.Inserted = insertedByVariant
	}
	if !o.Strategy.Known() {
		return o, UnknownStrategy(o.Strategy)
	}
	if !slices.Contains([]Prefer{Upstream, Local, Fail}, o.Prefer) {
		return o, fmt.Errorf("unknown preference %q, want %q, %q or %q", o.Prefer, Upstream, Local, Fail)
	}
	return o, nil
}

// Known reports whether s is one of the strategies.
func (s Strategy) Known() bool {
	return slices.Contains([]Strategy{ResourceMerge, FastForward, ForceDeleteReplace, CopyMerge}, s)
}

// UnknownStrategy is the error for an unknown strategy, in kpt's words.
func UnknownStrategy(s Strategy) error { return fmt.Errorf("unrecognized update strategy %s", s) }

// packages is the state of one merge.
type packages struct {
	layout
	opts      Options
	types     func(*krm.Object) *schema.Type
	out       map[string]*pkgtree.Blob
	jobs      []job
	conflicts []Conflict
	changed   []string // files and packages that prevent fast-forward
}

func newPackages(base, theirs, ours pkgtree.Tree, opts Options) *packages {
	p := &packages{layout: newLayout(base, theirs, ours), opts: opts, out: map[string]*pkgtree.Blob{}}
	p.types = document.TypesOf(theirs, ours)
	return p
}

// conflict records a conflict about a file or folder of a package.
func (p *packages) conflict(pkg, file string, c Conflict) {
	c.Package, c.File = pkg, file
	p.conflicts = append(p.conflicts, c)
}
