package bundling

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/bundling/packing"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestManySmallObjects sends thousands of objects that are small beside what works say about them:
// all that the hub's webhook counts would fit one work of 2.8 MB, which no hub can store.
func TestManySmallObjects(t *testing.T) {
	testenv.Long(t, "thousands of objects")
	cases := map[string]struct {
		reason, options, entry string
		works                  int
	}{
		"Silent":     {"without a word about the objects nothing is closed early", "{assignment: sequential, updateStrategy: Update}", "", 1},
		"CreateOnly": {"create-only entries count", "{assignment: sequential}", ", createOnly: true", 1},
		"Rollout":    {"so do rules, and room for growth is kept", "{rollout: conditions}", "", 9},
		"Both":       {"and both together", "{rollout: conditions, assignment: stable, fill: '100'}", ", createOnly: true", 4},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			in := manySmall(t, 2800, tc.options, tc.entry)
			works := ocmcheck.Works(ocmcheck.Watch(t, Function).Apply(t.Context(), in).Items)
			if d := cmp.Diff(tc.works, len(works)); d != "" {
				t.Errorf("%s: works (-want +got):\n%s", tc.reason, d)
			}
			for _, w := range works {
				data, err := krm.CanonicalJSON(w.WithoutOrchestration().Node())
				if err != nil || len(data) > packing.MaxSent {
					t.Errorf("%s: %s takes %d bytes as it is sent, %v", tc.reason, w.Name(), len(data), err)
				}
			}
		})
	}
}

// TestRolloutOverFullWorks: what works say about their objects can outgrow them; where moving is allowed it has room.
func TestRolloutOverFullWorks(t *testing.T) {
	testenv.Long(t, "thousands of objects")
	const objects = 1500
	full := ocmcheck.Works(Function.Apply(t.Context(), manySmall(t, objects, "{fill: '100'}", "")).Items)
	in := manySmall(t, objects, "{rollout: conditions}", "")
	in.Items = append(in.Items, full...)
	if out := Function.Apply(t.Context(), in); !strings.Contains(out.Results.Error(), "outgrown the 1000000 bytes that a hub stores of one work") {
		t.Errorf("the limit is named: %v", out.Results)
	}
	in = manySmall(t, objects, "{rollout: conditions, overflow: move}", "")
	in.Items = append(in.Items, full...)
	out := ocmcheck.Watch(t, Function).Apply(t.Context(), in)
	if works := ocmcheck.Works(out.Items); out.Failed() || len(works) < 3 {
		t.Errorf("objects are handed over to %d works: %v", len(works), out.Results)
	}
}

func manySmall(t *testing.T, n int, options, entry string) *fn.Input {
	var objects, entries strings.Builder
	for i := range n {
		fmt.Fprintf(&objects, "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: shop, name: settings-%05d}\ndata: {key: %s}\n---\n", i, strings.Repeat("v", 60))
		fmt.Fprintf(&entries, "    - {group: '', version: v1, resource: configmaps, namespace: shop, name: settings-%05d, resourceVersion: ''%s}\n", i, entry)
	}
	objects.WriteString("apiVersion: control.kubestellar.io/v1alpha1\nkind: Binding\nmetadata: {name: shop}\nspec:\n  destinations: [{clusterId: edge1}]\n  workload:\n    namespaceScope:\n" + entries.String() +
		"---\napiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata: {name: fleet}\nspec: {clusters: [{name: edge1}]}\n")
	in := &fn.Input{Items: fntest.Parse(t, "in.yaml", []byte(objects.String()))}
	in.Config = fntest.Parse(t, "config.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: "+options+"\n"))[0]
	return in
}
