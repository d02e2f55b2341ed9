package local_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// limit is a budget over everything in the namespace.
func limit(field string, most int) string {
	return fmt.Sprintf(`apiVersion: waybill.dev/v1alpha1
kind: ChangeBudget
metadata:
  name: careful
  namespace: fleet
spec:
  %s: %d
`, field, most)
}

func TestBudget(t *testing.T) {
	f := newFleet(t)
	f.write("us.yaml", replace(t, f.variantFile(), "name: eu\n", "name: us\n", "eu/shop", "us/shop"))
	f.write("budget.yaml", limit("maxObjects", 3)) // each variant has two
	f.unmoved("a fleet that would change too much", func() {
		for _, rep := range f.reconcile() {
			if rep.Action != reconciler.Refused || !strings.Contains(rep.Message, `change budget "careful"`) {
				t.Errorf("%s: %s: %s", rep.Name, rep.Action, rep.Message)
			}
			if ready := rep.Conditions[1]; ready.Reason != "BudgetExceeded" || ready.Message != rep.Message {
				t.Errorf("the condition tells: got %+v", ready)
			}
		}
	})
	f.edit("us.yaml", "  namespace: fleet\n", "  namespace: fleet\n  annotations:\n    waybill.dev/exceed-budget: \"ticket 7\\nsays so\"\n")
	f.expect("what is let through does not count",
		"eu created: deployments.eu.shop.packagevariant-1: cloned from blueprints.shop.v1",
		"us created: deployments.us.shop.packagevariant-1: cloned from blueprints.shop.v1")
	message := func(branch string) string {
		return gittest.Git(t, f.path("deployments.git"), "log", "-1", "--format=%B", branch)
	}
	if got := message("drafts/us/shop/packagevariant-1"); !strings.Contains(got, "\nWaybill-Exceeds-Budget: ") || !strings.Contains(got, "ticket 7 says so") {
		t.Errorf("the commit records why; got\n%s", got)
	}
	if got := message("drafts/eu/shop/packagevariant-1"); strings.Contains(got, "Exceeds") {
		t.Errorf("there is nothing to record; got\n%s", got)
	}
	f.expectQuiet("a second run",
		"eu unchanged: deployments.eu.shop.packagevariant-1: nothing to change",
		"us unchanged: deployments.us.shop.packagevariant-1: nothing to change")
}

// TestBudgetSelectsNothing holds a fleet against a budget whose label is misspelt.
func TestBudgetSelectsNothing(t *testing.T) {
	f := newFleet(t)
	f.edit("eu.yaml", "  namespace: fleet\n", "  namespace: fleet\n  labels: {tier: gold}\n")
	f.write("budget.yaml", limit("maxObjects", 1)+"  selector: {matchLabels: {tier: glod}}\n")
	f.unmoved("a budget that guards nothing", func() {
		for _, rep := range f.reconcile() {
			if rep.Action != reconciler.Refused || !strings.Contains(rep.Message, "tier=glod; similar: tier=gold; it applies to the whole namespace") {
				t.Errorf("%s: %s: %s", rep.Name, rep.Action, rep.Message)
			}
		}
	})
	f.edit("budget.yaml", "  namespace: fleet\n", "  namespace: fleet\n  annotations: {waybill.dev/allow-empty-selection: \"true\"}\n")
	f.expect("one that may select nothing", "eu created: deployments.eu.shop.packagevariant-1: cloned from blueprints.shop.v1")
}

// TestBudgetOnDeletion holds back what would propose to delete a published package.
func TestBudgetOnDeletion(t *testing.T) {
	f := published(t)
	f.write("budget.yaml", limit("maxDeletions", 1))
	f.edit("eu.yaml", "  namespace: fleet\n", "  namespace: fleet\n  deletionTimestamp: \"2026-01-01T00:00:00Z\"\n  finalizers: [config.porch.kpt.dev/packagevariants]\n")
	f.unmoved("too much would go", func() {
		if rep := f.reconcile()[0]; rep.Action != reconciler.Refused {
			t.Errorf("got %s: %s", rep.Action, rep.Message)
		}
	})
	f.write("budget.yaml", limit("maxDeletions", 2))
	f.expect("this much may", "eu updated: deployments.eu.shop.packagevariant-1 proposed for deletion")
}

// lateBudgets are there once a file is.
type lateBudgets struct {
	*local.Input
	file string
}

func (b lateBudgets) Budgets(ctx context.Context, namespace string) ([]waybill.ChangeBudget, error) {
	if _, err := os.Stat(b.file); err != nil {
		return nil, nil
	}
	return b.Input.Budgets(ctx, namespace)
}

// TestLateBudget makes a budget after the first of three pushes: it counts together what the others would push.
func TestLateBudget(t *testing.T) {
	const most = 500
	f := fleetOf(t, 2*most+1)
	f.write("budget.yaml", limit("maxObjects", 2*most)) // each variant has two
	gittest.Hook(t, f.path("deployments.git"), "post-receive", fmt.Sprintf("touch %q", f.path("pushed")))
	in, r := f.open(nil)
	r.Budgets = lateBudgets{in, f.path("pushed")}
	reports := r.ReconcileAll(t.Context(), in.Variants, nil)
	check(t, reconciler.Created, reports[:most])
	check(t, reconciler.Refused, reports[most:])
}
