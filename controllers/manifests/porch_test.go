package manifests_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/manager"
)

// TestNotifyRightsAreUsed has the controller tell Porch what changed, with the right that the component grants.
func TestNotifyRightsAreUsed(t *testing.T) {
	w := with(t, "porch/notify")
	w.checkLastArgument("--notify-porch")
	used := w.live(func(o *manager.Options) { o.NotifyPorch = true })
	for needed := range granted(roles(t)["waybill-notify-porch"]) {
		if !used[needed] {
			t.Errorf("%v is granted, and not used", needed)
		}
	}
	w.review(controller, map[string]question{
		"repositories": {"they are the user's", "delete", porch + "/repositories", w.namespace, "", false},
	})
}

// TestPorchComponent leaves out the definitions that Porch has, and no others.
func TestPorchComponent(t *testing.T) {
	w := &installation{TB: t, Cluster: clustertest.Shared(t)}
	text := w.kubectl("", "kustomize", clustertest.Kustomization(w, ".", "porch"))
	for name, want := range map[string]int{"config.porch.kpt.dev\nspec:": 0, "  name: changebudgets.waybill.dev\n": 1, "  name: translations.midonet.org\n": 1, "kind: CustomResourceDefinition\n": 6} {
		if got := strings.Count(text, name); got != want {
			t.Errorf("want %d of %q, got %d", want, name, got)
		}
	}
}
