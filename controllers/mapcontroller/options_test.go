package mapcontroller_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/mapcontroller"
)

func TestOptionsCheck(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		o      mapcontroller.Options
		want   string
	}{
		"Zero":     {"everything has a default", mapcontroller.Options{}, ""},
		"Nobody":   {"one worker is the minimum", mapcontroller.Options{Workers: -1}, "want one MapController or more at a time, and one request or more"},
		"Nothing":  {"so is one request", mapcontroller.Options{Parallel: -1}, "want one MapController or more at a time, and one request or more"},
		"Interval": {"no time is negative", mapcontroller.Options{MinInterval: -1}, "want times above 0, and a last pause no shorter than the first"},
		"Pauses":   {"pauses grow", mapcontroller.Options{FirstRetry: time.Hour}, "want times above 0, and a last pause no shorter than the first"},
	} {
		got := ""
		if err := tc.o.Check(); err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, diff)
		}
	}
}
