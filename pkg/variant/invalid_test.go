package variant_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/variant"
)

func TestInvalidMessages(t *testing.T) {
	const context = "spec.packageContext."
	for name, tc := range map[string]struct {
		reason string
		spec   []string
		want   string
	}{
		"upstream":          {"the field as a whole", []string{"upstream: null"}, "missing required field spec.upstream"},
		"upstream repo":     {"a field of it", []string{"upstream: {package: a, revision: 1}"}, "missing required field spec.upstream.repo"},
		"upstream package":  {"a field of it", []string{"upstream: {repo: a, revision: 1}"}, "missing required field spec.upstream.package"},
		"downstream":        {"the field as a whole", []string{"downstream: null"}, "missing required field spec.downstream"},
		"downstream repo":   {"a field of it", []string{"downstream: {package: a}"}, "missing required field spec.downstream.repo"},
		"downstream pkg":    {"a field of it", []string{"downstream: {repo: a}"}, "missing required field spec.downstream.package"},
		"adoption policy":   {"Porch says field here", []string{"adoptionPolicy: adopt"}, `spec.adoptionPolicy field can only be "adoptNone" or "adoptExisting"`},
		"deletion policy":   {"and does not here", []string{"deletionPolicy: keep"}, `spec.deletionPolicy can only be "orphan" or "delete"`},
		"context data":      {"the whole map as JSON", []string{"packageContext: {data: {name: x}}"}, context + `data: Invalid value: {"name":"x"}: must not contain the key "name"`},
		"context removal":   {"the whole list as JSON", []string{"packageContext: {removeKeys: [package-path]}"}, context + `removeKeys: Invalid value: ["package-path"]: must not contain the key "package-path"`},
		"injector":          {"by its place", []string{"injectors: [{name: a}, {name: ''}]"}, "spec.injectors[1].name must not be empty"},
		"name of functions": {"a dot would make functions pile up", []string{"pipeline: {mutators: [{image: a, name: a.b}]}"}, "spec.pipeline.mutators[0].name must not contain '.'"},
		"all at once":       {"joined", []string{"upstream: null", "downstream: {package: a}", "deletionPolicy: keep"}, `missing required field spec.upstream; missing required field spec.downstream.repo; spec.deletionPolicy can only be "orphan" or "delete"`},
	} {
		t.Run(name, func(t *testing.T) {
			plan := checkDecide(t, newVariant(t, tc.spec...), variant.State{Upstream: upstreams()}, tc.reason, "Invalid: "+tc.want+"\n")
			conditions := variant.Conditions(plan, plan.Err())
			got := []string{conditions[0].Message, conditions[0].Reason, conditions[1].Message}
			if diff := cmp.Diff([]string{tc.want, "ValidationError", "invalid packagevariant object"}, got); diff != "" {
				t.Errorf("Stalled says what is wrong, Ready that something is (-want +got):\n%s", diff)
			}
		})
	}
}
