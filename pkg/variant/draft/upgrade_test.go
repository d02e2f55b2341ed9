package draft

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

func TestConflictErrorIsBounded(t *testing.T) {
	for name, tc := range map[string]struct {
		reason    string
		conflicts int
		named     int
		more      string
	}{
		"one":      {"it is named", 1, 1, ""},
		"ten":      {"all are named", 10, 10, ""},
		"eleven":   {"the last is counted", 11, 10, "; and 1 more; "},
		"thousand": {"a message is no report", 1000, 10, "; and 990 more; "},
	} {
		t.Run(name, func(t *testing.T) {
			var conflicts []merge.Conflict
			for i := range tc.conflicts {
				conflicts = append(conflicts, merge.Conflict{Package: ".", File: fmt.Sprintf("file-%d", i)})
			}
			got := (&Builder{}).conflictError("shop/v2", conflicts).Error()
			if n := strings.Count(got, "file-"); n != tc.named || !strings.Contains(got, tc.more) || strings.Contains(got, " more") != (tc.more != "") || strings.Contains(got, "\n") {
				t.Errorf("%s: %d named in %s", tc.reason, n, got)
			}
		})
	}
}

func TestMergeError(t *testing.T) {
	cause := errors.New("no luck")
	for name, tc := range map[string]struct {
		reason string
		err    error
		want   string
	}{
		"recorded": {"the old upstream is named", &upstream.RenderError{Side: upstream.RecordedUpstream, Err: cause}, "rebuild the present upstream: no luck; the revision in use does not render with what the variant injects now: change that back, publish the upgrade, and change it again"},
		"new":      {"a variant knows no --base", &upstream.RenderError{Side: upstream.NewUpstream, Err: cause}, "no luck"},
		"other":    {"anything else is what it is", cause, "no luck"},
	} {
		t.Run(name, func(t *testing.T) {
			got := (&Builder{}).mergeError(tc.err)
			if diff := cmp.Diff(tc.want, got.Error()); diff != "" || !errors.Is(got, cause) {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
