package reconciler

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/draft"
)

// Action is what a reconcile did; in a dry run, what it would do.
type Action string

// The actions.
const (
	Created   Action = "created"   // a new draft
	Updated   Action = "updated"   // a commit on an open draft, or another life for a revision
	Unchanged Action = "unchanged" // there is nothing to change
	Blocked   Action = "blocked"   // a user has to act first
	Kept      Action = "kept"      // a draft that would be deleted holds commits by others, and nothing was changed
	Refused   Action = "refused"   // a change budget keeps it from changing anything
	Failed    Action = "failed"
)

// Report is the result of reconciling one variant. It holds no times: the same failure twice is the
// same Report.
type Report struct {
	Namespace  string             `json:"namespace,omitempty"`
	Name       string             `json:"name"`
	Action     Action             `json:"action"`
	DryRun     bool               `json:"dryRun,omitempty"` // the action was not taken
	Draft      string             `json:"draft,omitempty"`
	Upstream   string             `json:"upstream,omitempty"`
	Files      []string           `json:"files,omitempty"` // that the draft changes, in path order
	Message    string             `json:"message,omitempty"`
	Conditions []metav1.Condition `json:"conditions"`
	// Targets are the revisions that are kept now, nil when that is not known.
	Targets []string `json:"targets,omitempty"`
	// Kept are revisions that are no longer wanted and were not retired, each with the reason in Message.
	Kept []string `json:"kept,omitempty"`
	// Kinds are those of the objects that injection points asked for, sorted.
	Kinds []injection.Kind `json:"-"`
	Err   error            `json:"-"`
}

// report returns the result of a task.
func (t *task) report() Report {
	rep := Report{
		Namespace: t.pv.Namespace, Name: t.pv.Name, Action: t.outcome.action, Draft: t.outcome.draft, Files: t.outcome.files,
		Conditions: variant.Conditions(t.plan, t.err), Kinds: slices.SortedFunc(maps.Keys(t.kinds), variant.CompareKinds), Err: t.err,
	}
	if t.plan.Upstream != nil {
		rep.Upstream = t.plan.Upstream.Self.Ref
	}
	for _, k := range t.plan.Kept {
		rep.Kept = append(rep.Kept, k.Revision.Name)
	}
	if t.err != nil {
		t.reportError(&rep)
		return rep
	}
	rep.Message, rep.Targets = t.message(), t.targets()
	if described, err := variant.PackageConditions(t.outcome.content); err == nil { // they do not change Ready
		rep.Conditions = append(append(rep.Conditions, t.renderedCondition()...), described...)
	}
	for _, c := range rep.Conditions[2:] {
		if c.Status != metav1.ConditionTrue {
			rep.Message += "; " + c.Message
			break // what was not injected is an unmet gate as well
		}
	}
	return rep
}

// renderedCondition says that the draft does not render, and is kept nevertheless; it is empty for others.
func (t *task) renderedCondition() []metav1.Condition {
	why := draft.RenderFailure(t.outcome.content)
	if why == "" {
		return nil
	}
	return []metav1.Condition{{Type: porchconfig.ConditionRendered, Status: metav1.ConditionFalse, Reason: porchconfig.ReasonRenderFailed,
		Message: fmt.Sprintf("%s does not render, and is kept because of the annotation %s: %s",
			t.outcome.draft, porch.PushOnRenderFailure, why)}}
}

func (t *task) reportError(rep *Report) {
	rep.Message, rep.Draft, rep.Files, rep.Action = t.err.Error(), "", nil, Failed
	ready := &rep.Conditions[len(rep.Conditions)-1]
	switch {
	case isOverBudget(t.err):
		rep.Action, ready.Reason = Refused, waybill.ReasonBudgetExceeded
	case t.plan.Kind == variant.Blocked:
		rep.Action = Blocked
	case t.plan.Kind == variant.EditedDraft:
		rep.Action, ready.Reason = Kept, porchconfig.ReasonEditedDraft
	}
}

// targets names the revisions that hold what is wanted.
func (t *task) targets() []string {
	out := []string{}
	switch {
	case t.outcome.create != nil:
		return append(out, t.outcome.draft)
	case t.plan.Kind == variant.Release:
		return out
	}
	for _, rev := range t.plan.Targets {
		out = append(out, rev.Name)
	}
	return out
}

// message says what was done, and then what became of other revisions.
func (t *task) message() string {
	parts := slices.Concat(t.drafted(), t.outcome.notes)
	if len(parts) == 0 {
		parts = []string{"nothing to change"}
	}
	for _, k := range t.plan.Kept {
		parts = append(parts, fmt.Sprintf("%s is kept: %s", k.Revision.Name, k.Reason))
	}
	if newer := t.plan.Newer; newer != nil {
		parts = append(parts, fmt.Sprintf("%s was published after %s and is not this variant's: what it changed is not followed, and approving "+
			"a later draft would undo it", newer.Name, t.plan.Targets[0].Name))
	}
	return strings.Join(parts, "; ")
}

// drafted says how a draft was made; it is empty when none was.
func (t *task) drafted() []string {
	switch {
	case !t.outcome.writesDraft():
		return nil
	case t.plan.Kind == variant.CreateClone:
		return []string{"cloned from " + t.plan.Upstream.Name}
	case t.plan.Kind == variant.UpgradeFromPublished:
		return []string{"upgraded from " + t.plan.OldUpstream.Self.Ref}
	case t.plan.Kind == variant.EditFromPublished:
		return []string{"edited from " + t.plan.Targets[0].Name}
	}
	return []string{"draft updated"}
}
