package push

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

// TestPushProgress describes the latest operation, and counts what is done.
func TestPushProgress(t *testing.T) {
	line := progressLines(12)
	op := waybillapi.BackendOperation{Op: waybillapi.OpCreate, Kind: "Zone", ID: "a"}
	got := []string{
		line(apply.Outcome{Operation: op, State: apply.StateDone}),
		line(apply.Outcome{Operation: op, State: apply.StateFailed, Failure: &httpclient.Failure{Message: "no"}}),
	}
	if diff := cmp.Diff([]string{"[1/12] create Zone a", "[1/12] create Zone a: no"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var out strings.Builder
	observe, end := newProgress(&out, 1)
	observe(apply.Outcome{Operation: op})
	if end(); out.Len() > 0 {
		t.Errorf("what is no terminal gets %q", out.String())
	}
}

// TestPushReportAdvice says when to try again.
func TestPushReportAdvice(t *testing.T) {
	for want, r := range map[string]Report{
		"": {}, "; retry the command": {Retryable: true},
		"; retry the command in 1h0m0s": {Retryable: true, RetryAfter: "1h0m0s"},
	} {
		if got := r.advice(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
