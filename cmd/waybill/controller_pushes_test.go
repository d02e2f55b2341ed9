package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/backend/backendtest"
)

// pushedTranslation is one as a translator writes it: a router of its name.
func pushedTranslation(namespace, name string) string {
	return fmt.Sprintf(`apiVersion: midonet.org/v1
kind: Translation
metadata: {namespace: %s, name: %s, finalizers: [midonet.org/deleter]}
resources: [{kind: Router, parent: "", body: '{"id":"%s"}'}]
`, namespace, name, name)
}

// TestControllerPushes runs the controller as a process of its own, with the rights that it has in a
// cluster: Translations fill a backend, and one that is deleted goes once nothing of it is left there.
func TestControllerPushes(t *testing.T) {
	c, s := clustertest.Shared(t), backendtest.New(t)
	c.InstallCRDs(t, "../../controllers/manifests/crds")
	admin := func(input string, args ...string) string {
		t.Helper()
		out, err := c.Kubectl(t, c.Admin(), input, args...)
		if err != nil {
			t.Fatal(err, out)
		}
		return out
	}
	admin("", "apply", "-k", "../../controllers/manifests")
	admin("", "apply", "-f", "../../controllers/manifests/translation/rbac.yaml")
	namespace := c.Namespace(t)
	admin("", "create", "secret", "generic", "waybill-backend", "-n", "waybill-system", "--from-literal=username="+backendtest.User, "--from-literal=password="+backendtest.Password, "--from-literal=project="+backendtest.Project)
	t.Cleanup(func() {
		_, _ = c.Kubectl(t, c.Admin(), "", "delete", "secret", "waybill-backend", "-n", "waybill-system")
	})
	admin(pushedTranslation(namespace, "a")+"---\n"+pushedTranslation(namespace, "b"), "apply", "-f", "-")
	process := startProcess(t, "controller", "--kubeconfig", c.Kubeconfig(t, c.ServiceAccount(t, "waybill-system", "waybill-controller")), "--runtime", "inproc",
		"--health-probe-bind-address", "0", "--metrics-bind-address", "0",
		"--push-table", "midonet", "--push-url", s.URL+"/api", "--push-inventory", "waybill-system", "--push-credentials", "waybill-system/waybill-backend", "--push-namespace", namespace, "--push-interval", "50ms")
	holds := func(reason string, ids ...string) {
		t.Helper()
		for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			things, _ := s.State()
			there := admin("", "get", "translations.midonet.org", "-n", namespace, "-o", "name")
			right := len(things) == len(ids) && strings.Count(there, "translation") == len(ids)
			for _, id := range ids {
				right = right && things["Router/"+id+" in "] != nil
			}
			if right {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s: the backend has %v, the cluster %s:\n%s", reason, things, there, &process.log)
			}
		}
	}
	holds("both", "a", "b")
	admin("", "delete", "translations.midonet.org", "b", "-n", namespace, "--wait=false")
	holds("the other", "a")
	if log := process.log.String(); strings.Contains(log, backendtest.Password) {
		t.Errorf("the log has the password:\n%s", log)
	}
	if code := process.end(); code != exitDone {
		t.Errorf("it ended with %d:\n%s", code, &process.log)
	}
}
