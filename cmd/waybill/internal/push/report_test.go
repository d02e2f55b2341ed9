package push

import (
	"testing"
)

// TestPushReportAdvice says when to try again.
func TestPushReportAdvice(t *testing.T) {
	for want, r := range map[string]Report{
		"": {}, "; the same command may get further": {Retryable: true},
		"; the same command may get further in 1h0m0s": {Retryable: true, RetryAfter: "1h0m0s"},
	} {
		if got := r.advice(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
