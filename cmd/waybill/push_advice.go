package main

import (
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

// advice says whether it is worth while to try again, and when.
func (r *pushReport) advice() string {
	switch {
	case !r.Retryable:
		return ""
	case r.RetryAfter != "":
		return "; the same command may get further in " + r.RetryAfter
	case r.blocked():
		return "; the same command gets further once nothing is in the way: of what this inventory knows, that can only be what names it, " +
			"where the table does not say that it blocks"
	case r.lacking():
		return "; the same command gets further once what is named is there, and nothing is in the way"
	}
	return "; the same command may get further"
}

// blocked reports whether all that may be tried again is deletions of what is in use.
func (r *pushReport) blocked() (any bool) {
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

// lacking reports whether all that may be tried again lacks what somebody else has to make or to take away.
func (r *pushReport) lacking() (any bool) {
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
