package variant_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/variant"
)

func TestConditions(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		plan   variant.Plan
		err    error
		want   string
	}{
		"invalid":  {"retrying does not help a wrong spec", variant.Plan{Kind: variant.Invalid, Reason: "a; b"}, nil, "Stalled True ValidationError a; b\nReady False Error invalid packagevariant object\n"},
		"upstream": {"nor a missing upstream", variant.Plan{Kind: variant.UpstreamMissing, Reason: "could not find"}, nil, "Stalled True ValidationError could not find\nReady False Error invalid packagevariant object\n"},
		"blocked":  {"the spec is right, something else is not", variant.Plan{Kind: variant.Blocked, Reason: "cannot"}, nil, "Stalled False Valid all validation checks passed\nReady False Error cannot\n"},
		"failed":   {"the spec is right, something else is not", variant.Plan{Kind: variant.CreateClone}, errors.New("render failed"), "Stalled False Valid all validation checks passed\nReady False Error render failed\n"},
		"success":  {"all went well", variant.Plan{Kind: variant.UpdateDraft}, nil, "Stalled False Valid all validation checks passed\nReady True NoErrors successfully ensured downstream package variant\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for _, c := range variant.Conditions(tc.plan, tc.err) {
				fmt.Fprintf(&b, "%s %s %s %s\n", c.Type, c.Status, c.Reason, c.Message)
			}
			if diff := cmp.Diff(tc.want, b.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
