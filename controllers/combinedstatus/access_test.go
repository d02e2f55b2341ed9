package combinedstatus_test

import (
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
)

// workload gives the controller access to the kinds of these tests, as an administrator would. In a cluster the
// label adds it to the role of the controller.
const workload = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: test-workload
rules:
- apiGroups: [""]
  resources: [namespaces]
  verbs: [list, watch]
- apiGroups: [apps]
  resources: [deployments]
  verbs: [list, watch, patch]
- apiGroups: [apps]
  resources: [deployments/status]
  verbs: [update]
- apiGroups: [example.com]
  resources: [gadgets]
  verbs: [list, watch, patch, update]
- apiGroups: [example.com]
  resources: [gadgets/status] # which is not there; but that is for the API server to say
  verbs: [update]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: test-workload
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: test-workload
subjects:
- kind: ServiceAccount
  name: waybill-controller
  namespace: waybill-system
`

// controller is who the controller is: with the rights that its manifests grant, and no more.
func (w *testCluster) controller() *rest.Config {
	w.Helper()
	for _, name := range []string{"namespace.yaml", "rbac.yaml", filepath.Join("combinedstatus", "rbac.yaml")} {
		data, err := os.ReadFile(filepath.Join("..", "manifests", name))
		if err != nil {
			w.Fatal(err)
		}
		w.apply(string(data))
	}
	w.apply(workload)
	return w.ServiceAccount(w, "waybill-system", "waybill-controller")
}

func (w *testCluster) apply(text string) {
	w.Helper()
	if _, err := w.Kubectl(w, w.Admin(), text, "apply", "-f", "-"); err != nil {
		w.Fatal(err)
	}
}
