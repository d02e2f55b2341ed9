package push

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

// TestPushProgress writes over one line, which fits, and counts what is done.
func TestPushProgress(t *testing.T) {
	var out strings.Builder
	observe := showProgress(&out, 12)
	op := waybillapi.BackendOperation{Op: waybillapi.OpCreate, Kind: "Zone", ID: "a\x1b[2J"}
	observe(apply.Outcome{Operation: op, State: apply.StateDone})
	observe(apply.Outcome{Operation: op, State: apply.StateFailed, Failure: &httpclient.Failure{Message: strings.Repeat("no", 99)}})
	const want = "\r\x1b[K[1/12] create Zone a\\x1b[2J\r\x1b[K[1/12] create Zone a\\x1b[2J: nonononononononononononononononononon…"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if observe, _ := newProgress(&out, 1); observe != nil {
		t.Error("what is no terminal is not written over")
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
