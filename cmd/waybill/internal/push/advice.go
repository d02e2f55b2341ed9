package push

import (
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

// advice says whether and when the user should try again.
func (r *Report) advice() string {
	switch {
	case !r.Retryable:
		return ""
	case r.RetryAfter != "":
		return "; the same command may get further in " + r.RetryAfter
	case r.onlyBlocked():
		return "; the same command gets further once nothing is in the way: of what this inventory knows, that can only be what names it, " +
			"where the table does not say that it blocks"
	case r.onlyLacking():
		return "; the same command gets further once what is named is there, and nothing is in the way"
	}
	return "; the same command may get further"
}

// onlyBlocked reports whether all that may be tried again are deletions of resources in use.
func (r *Report) onlyBlocked() (any bool) {
	for _, o := range r.Operations {
		switch {
		case o.Class == string(httpclient.ClassConflict) && o.Op == waybillapi.OpDelete:
			any = true
		case o.Class == string(httpclient.ClassConflict), o.Class == string(httpclient.ClassRetry),
			o.State == string(apply.StateNotAttempted) && o.WaitsFor == "":
			return false
		}
	}
	return any
}

// onlyLacking reports whether all that may be tried again waits for others to create or delete something.
func (r *Report) onlyLacking() (any bool) {
	if r.result == nil {
		return false
	}
	for _, o := range r.result.Outcomes {
		switch f := o.Failure; {
		case f != nil && (f.Missing || f.Class == httpclient.ClassConflict):
			any = true
		case f != nil && f.Class == httpclient.ClassRetry, f == nil && o.State == apply.StateNotAttempted && o.WaitsFor == "":
			return false
		}
	}
	return any
}
