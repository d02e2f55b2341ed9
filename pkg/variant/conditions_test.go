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
		"invalid":  {"§10.3, first row", variant.Plan{Kind: variant.Invalid, Reason: "a; b"}, nil, "Stalled True ValidationError a; b\nReady False Error invalid packagevariant object\n"},
		"upstream": {"§10.3, second row", variant.Plan{Kind: variant.UpstreamMissing, Reason: "could not find"}, nil, "Stalled True ValidationError could not find\nReady False Error invalid packagevariant object\n"},
		"blocked":  {"§10.3, third row", variant.Plan{Kind: variant.Blocked, Reason: "cannot"}, nil, "Stalled False Valid all validation checks passed\nReady False Error cannot\n"},
		"failed":   {"§10.3, third row", variant.Plan{Kind: variant.CreateClone}, errors.New("render failed"), "Stalled False Valid all validation checks passed\nReady False Error render failed\n"},
		"success":  {"§10.3, last row", variant.Plan{Kind: variant.UpdateDraft}, nil, "Stalled False Valid all validation checks passed\nReady True NoErrors successfully ensured downstream package variant\n"},
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
