package manager_test

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/rest"
)

const (
	system = "waybill-system"
	// context lets the controller inject from Sites, as the administrator of a cluster would.
	contextRole = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: sites
rules:
- apiGroups: [infra.example]
  resources: [sites]
  verbs: [get, list, watch]
`
	contextBinding = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: sites
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: sites
subjects:
- kind: ServiceAccount
  name: waybill-controller
  namespace: waybill-system
`
)

// controller is the account that the manifests give the controller: all tests run with what that may
// do, and no more.
func (w *env) controller() *rest.Config {
	w.Helper()
	for _, name := range []string{"namespace.yaml", "rbac.yaml"} {
		data, err := os.ReadFile(filepath.Join("..", "manifests", name))
		if err != nil {
			w.Fatal(err)
		}
		if _, err := w.Kubectl(w, w.Admin(), string(data), "apply", "-f", "-", "-n", system); err != nil {
			w.Fatal(err)
		}
	}
	return w.ServiceAccount(w, system, "waybill-controller")
}

// TestForbidden has the controller inject what it may not read, may only list, and may watch.
func TestForbidden(t *testing.T) {
	w := newEnv(t)
	w.kubectl("", "delete", "role/sites")
	w.start()
	w.apply(w.objects["eu.yaml"])
	w.eventually("a variant whose context cannot be read is drafted nevertheless", good, func() string { return w.ready("packagevariant/eu") })
	w.eventually("and says so", `False: config.injection.Site.site: sites.infra.example is forbidden: User "system:serviceaccount:waybill-system:waybill-controller" `+
		`cannot list resource "sites" in API group "infra.example" in the namespace "`+w.namespace+`"`, w.injected)
	w.apply(`apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: sites
rules:
- apiGroups: [infra.example]
  resources: [sites]
  verbs: [list]
`)
	w.eventually("what it may list it looks at now and then", "10.2.0.0/16", w.cidr(draft1))
	w.apply(replaced(w, "lyon.yaml", "10.2", "10.3"))
	w.eventually("again and again", "10.3.0.0/16", w.cidr(draft1))
	w.apply(contextRole)
	w.apply(replaced(w, "lyon.yaml", "10.2", "10.4"))
	w.eventually("and what it may watch it watches", "10.4.0.0/16", w.cidr(draft1))
}

// injected is the ConfigInjected condition of the variant.
func (w *env) injected() string {
	return w.get("packagevariant/eu", `{range .status.conditions[?(@.type=="ConfigInjected")]}{.status}: {.message}{end}`)
}
