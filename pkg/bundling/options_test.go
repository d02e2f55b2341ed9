package bundling

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestDefaults holds what applies without options to what the README says.
func TestDefaults(t *testing.T) {
	want := Options{WDSName: "git", MaxSize: 512000, MaxObjects: 512000, ManifestLimit: 512000,
		Assignment: "sticky", Fill: 40, Overflow: "fail", HandOver: "keep", WhenClusterLeaves: "delete", PropagationPolicy: "SelectivelyOrphan",
		UpdateStrategy: "ServerSideApply", ApplyWith: "any", CustomTransforms: "ignore", Rollout: "none"}
	cases := map[string]struct{ reason, config string }{
		"None":      {"a pipeline need not name a config", ""},
		"ConfigMap": {"a ConfigMap may say nothing", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"},
		"OwnKind":   {"nor need the function's own kind", "apiVersion: fn.waybill.dev/v1alpha1\nkind: BundleManifestWork\nmetadata: {name: c}\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var config *krm.Object
			if tc.config != "" {
				config = fntest.Parse(t, "config.yaml", []byte(tc.config))[0]
			}
			got, err := readOptions(config)
			if d := cmp.Diff(want, got); d != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, d)
			}
		})
	}
}
