package apisync

import (
	"context"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Round is the next step. The caller executes it in the order of its fields. When nothing is left to do it is Idle:
// everything is correct, or needs a user.
type Round struct {
	// AddFinalizers are objects that get Rule.Finalizer. Their copies wait for the next Round.
	AddFinalizers []*krm.Object
	// Namespaces must exist before objects are created in them. They are never removed.
	Namespaces []applyset.Ref
	// Operations are on copies, of primaries and of related objects, in a safe order.
	Operations []applyset.Operation
	// Statuses replace whole statuses, through the status subresource where there is one.
	Statuses []StatusWrite
	// AnnotationWrites are annotations of primaries that list their related objects.
	AnnotationWrites []AnnotationWrite
	// RemoveFinalizers are objects that lose Rule.Finalizer.
	RemoveFinalizers []*krm.Object

	// Pairs are the related objects of primaries, by entry and origin, as far as they are known.
	Pairs []Pair
	// Undecided are the primaries of which they are not known, by key.
	Undecided map[string]bool

	// Waiting reports primaries that wait for origins while copies of others stay. Results have these, too.
	Waiting []string

	// Objects and Copies count the primaries and copies before the Round.
	Objects, Copies int
	// Items are the Snapshot's items after Operations, for files.
	Items []*krm.Object
	// Results are for users.
	Results sdk.Results
	// Transient are the indexes of Results about waiting, which a later Round may end.
	Transient map[int]bool
}

// StatusWrite is a status to write.
type StatusWrite struct {
	Object *krm.Object
	Ref    applyset.Ref
	// Status is nil to remove it.
	Status *yaml.Node
	// Primary is the key of the primary that it is for, and Back says that it is that primary's own status.
	Primary string
	Back    bool
}

// Apply replaces the status of an object.
func (w StatusWrite) Apply(o *krm.Object) {
	krm.RemoveField(o.Node(), "status")
	if w.Status != nil {
		krm.SetField(o.Node(), "status", krm.SelfContained(krm.CopyNode(w.Status)))
	}
}

// Hash stands for the status that is written.
func (w StatusWrite) Hash() string {
	if w.Status == nil {
		return ""
	}
	data, err := krm.CanonicalJSON(w.Status)
	if err != nil { // then it cannot be written either
		return err.Error()
	}
	return Hash(string(data))
}

// AnnotationWrite changes the annotations of a primary that list its related objects.
type AnnotationWrite struct {
	Object *krm.Object
	Ref    applyset.Ref
	// Annotations are the changes, as a JSON merge patch has them: nil removes.
	Annotations map[string]any
}

func (r *Round) report(severity sdk.Severity, about *krm.Object, at *field.Path, format string, args ...any) {
	r.Results = append(r.Results, fn.NewResult(severity, about, at, format, args...))
}

// RelevantKeys are the keys of the objects that the Round is about.
func (r *Round) RelevantKeys() (keys []string) {
	for _, one := range r.Pairs {
		keys = append(keys, one.Origin.String(), one.Copy.String())
	}
	for _, op := range r.Operations {
		keys = append(keys, op.Ref.String())
	}
	return keys
}

// Idle reports whether there is nothing to do.
func (r *Round) Idle() bool {
	moves := slices.ContainsFunc(r.Operations, func(op applyset.Operation) bool {
		return op.Action != applyset.ActionKeep || op.State != nil
	})
	return !moves && len(r.AddFinalizers)+len(r.Statuses)+len(r.AnnotationWrites)+len(r.RemoveFinalizers) == 0
}

// Fault is the first error that a user has to correct, or else what a primary waits for; "" when there is none.
func (r *Round) Fault() string {
	for _, res := range r.Results {
		if res.Severity == sdk.Error {
			return res.Message
		}
	}
	if len(r.Waiting) > 0 {
		return r.Waiting[0]
	}
	return ""
}

// Round plans the next step for a Snapshot. An error is ctx's.
func (r *Rule) Round(ctx context.Context, w Snapshot) (*Round, error) {
	x := r.index(&w)
	out := &Round{Items: w.Items, Objects: x.primaryCount, Copies: x.copyCount}
	if !r.config.Moves() {
		return out, nil
	}
	x.reportUnplaced(out)
	view := applyset.View{Items: w.Items, Ref: x.ref, MayBeOutput: x.mayBeCopy, LastKnown: w.LastKnown}
	first, err := applyset.Run(ctx, view, []applyset.Edge{x.edgeOfPrimaries()})
	if err != nil {
		return nil, err
	}
	x.addPlan(out, first)
	unconverged := map[string]bool{}
	for _, op := range first.Operations {
		unconverged[op.Owner] = unconverged[op.Owner] || op.Action != applyset.ActionKeep || op.Reason != applyset.ReasonChanged
	}
	if err := x.status(ctx, out, unconverged); err != nil {
		return nil, err
	}
	all, err := x.findRelated(ctx, func(owner string) bool { return !unconverged[owner] })
	if err != nil {
		return nil, err
	}
	x.warnUnmatched(out, all)
	x.reportAbsent(out, all)
	if err := x.runRelated(ctx, out, view, all); err != nil {
		return nil, err
	}
	x.listPairs(out, all)
	x.forwardStatuses(ctx, out, all)
	x.advertise(out, all)
	x.finalize(out, all)
	x.needNamespaces(out)
	return out, nil
}

// runRelated runs the engine over related objects.
func (x *index) runRelated(ctx context.Context, out *Round, view applyset.View, all []*relatedObjects) error {
	var edges []applyset.Edge
	for _, k := range all {
		edges = append(edges, k.edges...)
	}
	edges = append(edges, x.leftovers(edges)...)
	if len(edges) == 0 {
		return nil
	}
	view.Items = out.Items
	plan, err := applyset.Run(ctx, view, edges)
	if err == nil {
		x.addPlan(out, plan)
	}
	return err
}

func (x *index) addPlan(r *Round, p *applyset.Plan) {
	for _, op := range p.Operations {
		if op.New != nil {
			x.refs[op.New] = op.Ref
		}
	}
	r.Items = p.Items
	r.Operations = append(r.Operations, p.Operations...)
	for i, res := range p.Results {
		if res.Reason == applyset.ReasonRetry {
			if r.Transient == nil {
				r.Transient = map[int]bool{}
			}
			r.Transient[len(r.Results)+i] = true
		}
	}
	r.Results = append(r.Results, p.Report()...)
}

// reportUnplaced reports items whose place is unknown.
func (x *index) reportUnplaced(out *Round) {
	for _, item := range x.unplaced {
		out.report(sdk.Error, item.object, nil, "%s(%s): %s", Name, applyset.OneLine(applyset.Key(item.object)), item.reason)
	}
}
