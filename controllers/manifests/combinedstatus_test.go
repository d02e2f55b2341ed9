package manifests_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/combinedstatus"
	"github.com/waybill-dev/waybill/controllers/manager"
)

// TestStatusRightsAreUsed has the controller combine what clusters report with the rights that the component
// grants, and those of one kind of workload: nothing is refused to it, and it uses all that it has.
func TestStatusRightsAreUsed(t *testing.T) {
	w := with(t, "combinedstatus")
	w.checkLastArgument("--status")
	files := w.filesOf("testdata/status.txtar")
	used := w.liveStatus(files)
	var workload rbacv1.ClusterRole
	if err := yaml.UnmarshalStrict([]byte(files["workload.yaml"]), &workload); err != nil {
		t.Fatal(err)
	}
	want := granted(append(roles(t)["waybill-status"], workload.Rules...))
	maps.DeleteFunc(used, func(r right, _ bool) bool { // TestRightsAreUsed has those
		group, _, _ := strings.Cut(r.Resource, "/")
		return group != "control.kubestellar.io" && group != "work.open-cluster-management.io" && group != "example.com"
	})
	if diff := cmp.Diff(want, used); diff != "" {
		t.Errorf("rights (-granted +used):\n%s", diff)
	}
	w.review(controller, forbidden(w.namespace))
	const group = "control.kubestellar.io"
	w.review(controller, map[string]question{
		"bindings":   {"their spec is the user's", "patch", group + "/bindings", "", "", false},
		"policies":   {"so is that of policies", "update", group + "/bindingpolicies", "", "", false},
		"collectors": {"and of collectors", "create", group + "/statuscollectors", "", "", false},
		"reports":    {"what clusters say is theirs", "patch", group + "/workstatuses", "edge1", "", false},
		"works":      {"what they are sent, too", "update", "work.open-cluster-management.io/manifestworks", "edge1", "", false},
	})
}

// liveStatus runs a controller, as its ServiceAccount, through the life of a Binding. It returns the rights that
// the controller used.
func (w *installation) liveStatus(files map[string]string) map[right]bool {
	w.Helper()
	for _, folder := range []string{"always", "later", "policies"} {
		w.InstallCRDs(w, "../../testdata/crds/combinedstatus/"+folder)
	}
	w.kubectl("", "create", "namespace", "edge1")
	w.kubectl(files["workload.yaml"], "apply", "-f", "-")
	w.aggregate("rbac.waybill.dev/aggregate-to-status", "waybill-status-workload")
	w.kubectl(files["objects.yaml"]+"---\n"+files["binding.yaml"], "apply", "-f", "-")
	log := &requests{used: map[right]bool{}}
	w.run(log, func(o *manager.Options) { o.CombinedStatus = &combinedstatus.Options{Interval: 20 * time.Millisecond} })
	w.eventually("a Binding asks in vain, and its policy says so", "true", func() string { return w.has("bindingpolicy", "p", "{.status.errors[0]}") })
	w.eventually("a collector is broken, and says so", "true", func() string { return w.has("statuscollector", "broken", "{.status.errors[0]}") })
	w.kubectl("", "patch", "bindings.control.kubestellar.io", "p", "--type=merge", "-p", `{"spec":{"destinations":[{"clusterId":"edge1"}]}}`)
	w.eventually("a status is returned", "4", func() string {
		return w.kubectl("", "get", "gadget", "g", "-n", w.namespace, "-o", "jsonpath={.status.level}")
	})
	w.eventually("and combined", "4", func() string {
		return w.kubectl("", "get", "combinedstatuses", "-n", w.namespace, "-o", "jsonpath={.items[*].results[0].rows[0].columns[0].float}")
	})
	w.eventually("the Binding says that a collector is missing", "true", func() string { return w.has("bindings.control.kubestellar.io", "p", "{.status.conditions[0].message}") })
	w.kubectl("", "delete", "bindings.control.kubestellar.io", "p")
	w.eventually("no Binding requests it any more", "false", func() string { return w.has("gadget", "g", "{.status.level}{.metadata.labels}", "-n", w.namespace) })
	w.eventually("for anything", "", func() string { return w.kubectl("", "get", "combinedstatuses", "-n", w.namespace, "-o", "name") })
	log.mu.Lock()
	defer log.mu.Unlock()
	if len(log.refused) > 0 {
		w.Errorf("the controller lacks rights: %q", log.refused)
	}
	return maps.Clone(log.used)
}

// has reports whether an object has anything at a path.
func (w *installation) has(kind, name, path string, more ...string) string {
	w.Helper()
	if w.kubectl("", append([]string{"get", kind, name, "-o", "jsonpath=" + path}, more...)...) == "" {
		return "false"
	}
	return "true"
}
