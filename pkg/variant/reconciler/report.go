package reconciler

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// Action is what a reconcile did; in a dry run, what it would do.
type Action string

// The actions.
const (
	Created   Action = "created"   // a new draft
	Updated   Action = "updated"   // a commit on an open draft, or another life for a revision
	Unchanged Action = "unchanged" // all is as it is wanted
	Blocked   Action = "blocked"   // somebody else has to act first
	Kept      Action = "kept"      // a draft that would be deleted holds commits by others, and nothing was changed
	Refused   Action = "refused"   // a change budget keeps it from changing anything
	Failed    Action = "failed"
)

// Report is what came of reconciling one variant. It holds no times: the same trouble twice is the
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
	// Kept are revisions that are no longer wanted and that nothing was done to, each with the reason in Message.
	Kept []string `json:"kept,omitempty"`
	// Asked are the kinds of objects that injection points asked for, sorted.
	Asked []Kind `json:"-"`
	Err   error  `json:"-"`
}

// report says what came of a try.
func (t *try) report() Report {
	rep := Report{
		Namespace: t.pv.Namespace, Name: t.pv.Name, Action: t.did.action, Draft: t.did.draft, Files: t.did.files,
		Conditions: variant.Conditions(t.plan, t.err), Asked: t.asked.sorted(), Err: t.err,
	}
	if t.plan.Upstream != nil {
		rep.Upstream = t.plan.Upstream.Self.Ref
	}
	for _, k := range t.plan.Kept {
		rep.Kept = append(rep.Kept, k.Revision.Name)
	}
	if t.err != nil {
		rep.Message, rep.Draft, rep.Files, rep.Action = t.err.Error(), "", nil, Failed
		switch {
		case overBudget(t.err):
			rep.Action = Refused
			rep.Conditions[len(rep.Conditions)-1].Reason = waybill.ReasonBudgetExceeded
		case t.plan.Kind == variant.Blocked:
			rep.Action = Blocked
		case t.plan.Kind == variant.EditedDraft:
			rep.Action = Kept
			rep.Conditions[len(rep.Conditions)-1].Reason = porchconfig.ReasonEditedDraft
		}
		return rep
	}
	rep.Message, rep.Targets = t.success(), t.targets()
	rep.Conditions = append(rep.Conditions, t.extra()...)
	for _, c := range rep.Conditions[2:] {
		if c.Status != metav1.ConditionTrue {
			rep.Message += "; " + c.Message
			break // what was not injected is an unmet gate as well
		}
	}
	return rep
}

// extra are conditions that tell of the package and do not change Ready.
func (t *try) extra() (out []metav1.Condition) {
	for _, of := range []func(pkgtree.Tree) (*metav1.Condition, error){variant.InjectionCondition, variant.GatesCondition} {
		if c, err := of(t.did.content); err == nil && c != nil {
			out = append(out, *c)
		}
	}
	return out
}

// targets are the revisions that hold what is wanted.
func (t *try) targets() []string {
	out := []string{}
	switch {
	case t.did.create != nil:
		return append(out, t.did.draft)
	case t.plan.Kind == variant.Release:
		return out
	}
	for _, rev := range t.plan.Targets {
		out = append(out, rev.Name)
	}
	return out
}

// success says what was done, and then what became of other revisions.
func (t *try) success() string {
	said := t.did.notes
	if what := drafted(t.plan, t.did); what != "" {
		said = append([]string{what}, t.did.notes...)
	}
	if len(said) == 0 {
		said = []string{"as it is wanted"}
	}
	for _, k := range t.plan.Kept {
		said = append(said, fmt.Sprintf("%s is kept: %s", k.Revision.Name, k.Reason))
	}
	if newer := t.plan.Newer; newer != nil {
		said = append(said, fmt.Sprintf("%s was published after %s and is not this variant's: what it changed is not followed, and approving "+
			"a later draft would undo it", newer.Name, t.plan.Targets[0].Name))
	}
	return strings.Join(said, "; ")
}

func drafted(plan variant.Plan, did outcome) string {
	switch {
	case did.create == nil && len(did.updates) == 0:
		return ""
	case plan.Kind == variant.CreateClone:
		return "cloned from " + plan.Upstream.Name
	case plan.Kind == variant.UpgradeFromPublished:
		return fmt.Sprintf("upgraded from %s", plan.OldUpstream.Self.Ref)
	case plan.Kind == variant.EditFromPublished:
		return "edited from " + plan.Targets[0].Name
	}
	return "draft updated"
}
