package manager_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/combinedstatus"
	"github.com/waybill-dev/waybill/controllers/manager"
)

// TestStatus has the controller combine what clusters report as well, when it is asked to, and not else.
func TestStatus(t *testing.T) {
	w := newEnv(t)
	w.InstallCRDs(t, "../../testdata/crds/combinedstatus/always")
	data, err := os.ReadFile(filepath.Join("..", "manifests", "combinedstatus", "rbac.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	w.apply(string(data))
	w.apply("apiVersion: control.kubestellar.io/v1alpha1\nkind: StatusCollector\nmetadata: {name: bad}\nspec: {limit: 20, filter: 'nonsense('}\n")
	errs := func() string {
		return w.get("statuscollectors.control.kubestellar.io/bad", "{.status.observedGeneration}")
	}
	stop := w.start()
	w.apply(w.objects["eu.yaml"])
	w.eventually("it works", good, func() string { return w.ready("packagevariant/eu") })
	if got := errs(); got != "" {
		t.Errorf("nothing asked for that: %q", got)
	}
	stop()
	w.start(func(o *manager.Options) { o.CombinedStatus = &combinedstatus.Options{Interval: 10 * time.Millisecond} })
	w.eventually("it does that, too", "0", errs)
}
