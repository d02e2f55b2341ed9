package packagevariant

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// Action is what a reconcile did; in a dry run, what it would do.
type Action string

// The actions.
const (
	Created   Action = "created"   // a new draft
	Updated   Action = "updated"   // a commit on an open draft
	Unchanged Action = "unchanged" // all is as it is wanted
	Blocked   Action = "blocked"   // somebody else has to act first
	Failed    Action = "failed"
)

// Report is what came of reconciling one variant. It holds no times: the same trouble twice is the
// same Report.
type Report struct {
	Namespace  string             `json:"namespace,omitempty"`
	Name       string             `json:"name"`
	Action     Action             `json:"action"`
	Draft      string             `json:"draft,omitempty"`
	Upstream   string             `json:"upstream,omitempty"`
	Files      []string           `json:"files,omitempty"` // that the draft changes, in path order
	Message    string             `json:"message,omitempty"`
	Conditions []metav1.Condition `json:"conditions"`
	Err        error              `json:"-"`
}

func report(pv *porchconfig.PackageVariant, plan variant.Plan, did outcome, err error) Report {
	rep := Report{
		Namespace: pv.Namespace, Name: pv.Name, Action: did.action, Draft: did.draft, Files: did.files,
		Message: plan.Reason, Conditions: variant.Conditions(plan, err), Err: err,
	}
	if plan.Upstream != nil {
		rep.Upstream = plan.Upstream.Self.Ref
	}
	if err != nil {
		rep.Message, rep.Draft, rep.Files = err.Error(), "", nil
		if rep.Action == "" {
			rep.Action = Failed
		}
		return rep
	}
	rep.Message = success(plan, did)
	if c, cerr := variant.InjectionCondition(did.content); cerr == nil && c != nil {
		rep.Conditions = append(rep.Conditions, *c)
		if c.Status != metav1.ConditionTrue {
			rep.Message += "; " + c.Message
		}
	}
	return rep
}

func success(plan variant.Plan, did outcome) string {
	switch {
	case did.action == Unchanged:
		return "as it is wanted"
	case plan.Kind == variant.CreateClone:
		return "cloned from " + plan.Upstream.Name
	case plan.Kind == variant.UpgradeFromPublished:
		return fmt.Sprintf("upgraded from %s", plan.OldUpstream.Self.Ref)
	case plan.Kind == variant.EditFromPublished:
		return "edited from " + plan.Targets[0].Name
	}
	return "draft updated"
}
