package variantset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// fleet is a state of n sites.
func fleet(n int) variantset.State {
	state := newState()
	state.Listings[0].Objects = nil
	for i := range n {
		state.Listings[0].Objects = append(state.Listings[0].Objects, object(fmt.Sprintf("site-%04d", i), "role=edge region=eu zone=z1"))
	}
	return state
}

// tenExpressions is a set whose template has ten, as people write them.
func tenExpressions(t testing.TB) *v1alpha2.PackageVariantSet {
	return newSet(t, upstreamV3, `targets: [{objectSelector: {apiVersion: infra.example/v1, kind: Site, matchLabels: {role: edge}}, template: {
		downstream: {repo: core, packageExpr: "'upf-' + target.name"},
		labelExprs: [{key: region, valueExpr: "'region' in target.labels ? target.labels['region'] : 'none'"}, {keyExpr: "'zone-' + target.labels.zone", valueExpr: "target.namespace"}],
		annotationExprs: [{key: note, valueExpr: "target.annotations.note"}],
		packageContext: {dataExprs: [{key: site, valueExpr: target.name}], removeKeyExprs: ["packageDefault + '-old'"]},
		injectors: [{kind: Site, nameExpr: target.name}],
		pipeline: {mutators: [{image: i, name: region, configMapExprs: [{key: source, valueExpr: upstream.name}, {key: known, valueExpr: "target.labels.exists(k, k.startsWith('reg')) ? 'yes' : 'no'"}]}]}}}]`)
}

func TestTotalCost(t *testing.T) {
	labels := ""
	for i := range 60 {
		labels += fmt.Sprintf(" l%d=v", i)
	}
	state := fleet(100)
	for i := range state.Listings[0].Objects {
		state.Listings[0].Objects[i] = object(fmt.Sprintf("site-%d", i), "role=edge"+labels)
	}
	set := newSet(t, upstreamV3, `targets: [{objectSelector: {apiVersion: infra.example/v1, kind: Site}, template: {downstream: {repo: core, packageExpr: target.name},
		labelExprs: [{key: a, valueExpr: "target.labels.all(x, target.labels.all(y, x != 'z' && y != 'z')) ? 'yes' : 'no'"}]}}]`)
	plan := variantset.Decide(set, state)
	const want = "template.downstream.packageExpr: the expressions of the set cost more than 1000 each and 1000000 together (spec.targets[0], "
	if !strings.HasPrefix(plan.Message, want) {
		t.Errorf("what one target may do, a hundred may not: got %s: %s, want %s", plan.Reason, plan.Message, want)
	}
	state.Listings[0].Objects = state.Listings[0].Objects[:10]
	if plan := variantset.Decide(set, state); plan.Err() != nil {
		t.Errorf("ten may: %s", plan.Message)
	}
}

func BenchmarkDecide(b *testing.B) {
	set := tenExpressions(b)
	for _, n := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("targets=%d", n), func(b *testing.B) {
			state := fleet(n)
			plan := decide(b, set, state)
			if len(plan.Create) != n {
				b.Fatal(plan.Message)
			}
			state = carryOut(state, plan)
			b.ReportAllocs()
			for b.Loop() {
				if plan = variantset.Decide(set, state); plan.Err() != nil || len(plan.Create) > 0 {
					b.Fatal(plan.Message)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "targets/s")
		})
	}
}

// FuzzDecide lets anyone write the expressions of a template and the labels of a site. The laws
// hold, whatever comes of it.
func FuzzDecide(f *testing.F) {
	for _, seed := range [][3]string{
		{"target.name", "target.labels['role']", "edge"}, {"'a/b'", "'x'", ""}, {"target.nothing", "1", "X"}, {"''", "[1].map(", "-"}, {"packageDefault + '.'", "string(1.5)", "name"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, pkg, label, value string) {
		set, state := newSet(t, upstreamV3, siteTarget("downstream: {repo: core, packageExpr: x}, labelExprs: [{key: a, valueExpr: x}], packageContext: {dataExprs: [{keyExpr: x, value: y}]}")), newState()
		template := set.Spec.Targets[0].Template
		template.Downstream.PackageExpr, template.LabelExprs[0].ValueExpr, template.PackageContext.DataExprs[0].KeyExpr = &pkg, &label, &label
		state.Listings[0].Objects[0].Labels["role"] = value
		state.Variants = []porchconfig.PackageVariant{existing(t, "targets: [{repositories: [{name: core}]}]")[0]}
		plan := decide(t, set, state)
		if done := len(plan.Create) + len(plan.Update); plan.Err() == nil && done > 1 {
			t.Errorf("one site is one variant, got %d", done)
		}
	})
}
