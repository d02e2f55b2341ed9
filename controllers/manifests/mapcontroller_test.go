package manifests_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/controllers/mapcontroller"
)

// TestMapRightsAreUsed has the controller work a MapController with the rights that the component grants, and
// those of its types: nothing is refused to it, and it uses all that it has.
func TestMapRightsAreUsed(t *testing.T) {
	w := with(t, "mapcontroller")
	w.checkLastArgument("--map")
	files := w.filesOf("testdata/mapping.txtar")
	used := w.liveMapping(files)
	var types rbacv1.ClusterRole
	if err := yaml.UnmarshalStrict([]byte(files["types.yaml"]), &types); err != nil {
		t.Fatal(err)
	}
	want := granted(append(roles(t)["waybill-map"], types.Rules...))
	maps.DeleteFunc(used, func(r right, _ bool) bool {
		return !want[r] && !strings.Contains(r.Resource, "mapcontrollers") && !strings.Contains(r.Resource, "map.example.org")
	})
	if diff := cmp.Diff(want, used); diff != "" {
		t.Errorf("rights (-granted +used):\n%s", diff)
	}
	questions := forbidden(w.namespace)
	delete(questions, "context unasked") // ConfigMaps are inputs here
	w.review(controller, questions)
	w.review(controller, map[string]question{
		"controllers": {"their spec is the user's", "update", "waybill.dev/mapcontrollers", "", "", false},
		"inputs":      {"so are inputs", "update", "/configmaps", w.namespace, "", false},
		"parents":     {"and parents", "delete", "map.example.org/policies", w.namespace, "", false},
		"statuses":    {"what outputs say is theirs", "patch", "map.example.org/probes/status", w.namespace, "", false},
	})
}

// liveMapping runs a controller, as its ServiceAccount, through the life of a parent with a finalize hook and a
// webhook without a server, whose certificate is in a ConfigMap. It returns the rights that the controller used.
func (w *installation) liveMapping(files map[string]string) map[right]bool {
	w.Helper()
	w.InstallCRDs(w, "../../testdata/crds/mapcontroller")
	w.kubectl(files["types.yaml"], "apply", "-f", "-")
	w.aggregate("rbac.waybill.dev/aggregate-to-map", "waybill-map-types")
	w.kubectl(files["objects.yaml"], "apply", "-n", w.namespace, "-f", "-")
	w.kubectl(files["controller.yaml"], "apply", "-f", "-")
	log := &requests{used: map[right]bool{}}
	w.run(log, func(o *manager.Options) {
		o.MapController = &mapcontroller.Options{MinInterval: 20 * time.Millisecond, FirstRetry: 50 * time.Millisecond, LastRetry: time.Second}
	})
	values := func() string {
		return w.kubectl("", "get", "probes", "-n", w.namespace, "-o", "jsonpath={.items[*].spec.value}")
	}
	w.eventually("an output is made", "one", values)
	w.kubectl("", "patch", "configmap", "a", "-n", w.namespace, "--type=merge", "-p", `{"data":{"x":"two"}}`)
	w.eventually("and changed", "two", values)
	w.eventually("the parent says so", "1", func() string {
		return w.kubectl("", "get", "policy", "p", "-n", w.namespace, "-o", "jsonpath={.status.outputs.probes.total}")
	})
	w.kubectl("", "delete", "policy", "p", "-n", w.namespace)
	w.eventually("and goes with its parent", "", values)
	w.kubectl("", "delete", "mapcontroller", "copies")
	w.kubectl(files["webhook.yaml"], "apply", "-f", "-")
	w.eventually("settings of a webhook are looked for", "HookSettings", func() string {
		return w.kubectl("", "get", "mapcontroller", "asks", "-o", `jsonpath={.status.conditions[?(@.type=="Ready")].reason}`)
	})
	log.mu.Lock()
	defer log.mu.Unlock()
	if len(log.refused) > 0 {
		w.Errorf("the controller lacks rights: %q", log.refused)
	}
	return maps.Clone(log.used)
}
