package combinedstatus_test

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// policy creates a BindingPolicy, with a status if there is one.
func (w *testCluster) policy(name string, status m) {
	w.Helper()
	w.put(policies, m{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "BindingPolicy", "metadata": m{"name": name}})
	if status != nil {
		w.setStatus(policies, "", name, status)
	}
}

// policyStatus is the status of a BindingPolicy, in one line.
func (w *testCluster) policyStatus(name string) string {
	w.Helper()
	status, is := w.get(policies, "", name).Object["status"].(m)
	if !is {
		return "nothing"
	}
	errs, _ := status["errors"].([]any)
	var lines []string
	for _, e := range errs {
		lines = append(lines, e.(string))
	}
	return fmt.Sprintf("%v %v: %s", status["observedGeneration"], status["conditions"], strings.Join(lines, "; "))
}

// wrongCount is the error about Deployments that so many clusters have.
func (w *testCluster) wrongCount(examples ...string) string {
	for i, e := range examples {
		name, n, _ := strings.Cut(e, "=")
		examples[i] = `{"ObjectID":{"GVK":{"Group":"apps","Version":"v1","Kind":"Deployment"},"Resource":"deployments","ObjectName":{"Namespace":"` + w.namespace + `","Name":"` + name + `"}},"NumWECs":` + n + `}`
	}
	return "Singleton reported status return is requested but some objects have the wrong number of associated WECs, for example: [" + strings.Join(examples, ",") + "]"
}

// TestPolicies expects errors in the status of policies that ask in vain, beside the errors of other clients.
func TestPolicies(t *testing.T) {
	w := newWithDeployments(t)
	w.InstallCRDs(t, "../../testdata/crds/combinedstatus/policies")
	w.deployment("api")
	one, both := m{"wantSingletonReportedState": true}, []string{"edge1", "edge2"}
	w.binding("asks", both, w.entry(deployments, "web", one), w.entry(deployments, "db", one))
	w.binding("selects", both[:1], w.entry(deployments, "web", m{}))
	w.binding("other", both, w.entry(deployments, "api", m{}))
	w.policy("asks", m{"observedGeneration": int64(3), "conditions": []any{m{"type": "Other"}}, "errors": []any{"a template", w.wrongCount("old=7")}})
	w.policy("selects", nil)
	w.policy("other", nil)
	w.policy("unbound", m{"observedGeneration": int64(1), "conditions": []any{}, "errors": []any{w.wrongCount("old=0"), "another's"}})
	w.start()
	of := func(name string) func() string { return func() string { return w.policyStatus(name) } }
	const begin = "3 [map[type:Other]]: "
	w.eventually("the policy that requests it has the error, as the first", begin+w.wrongCount("web=2", "db=2")+"; a template", of("asks"))
	w.eventually("a policy that selects it has it, too", "0 []: "+w.wrongCount("web=2"), of("selects"))
	w.eventually("an error that is no longer right is removed", "1 []: another's", of("unbound"))

	before := w.versions()
	turned := begin + w.wrongCount("db=2", "web=2")
	w.patchErrors("asks", `["`+strings.ReplaceAll(w.wrongCount("db=2", "web=2"), `"`, `\"`)+`"]`)
	w.binding("selects", both, w.entry(deployments, "web", m{}))
	w.binding("other", both, w.entry(deployments, "api", one), w.entry(deployments, "db", m{}))
	w.eventually("a Binding asks", "0 []: "+w.wrongCount("api=2", "db=2"), of("other"))
	if got := w.policyStatus("asks"); got != turned {
		t.Errorf("the order of examples does not matter: want\n%s\ngot\n%s", turned, got)
	}
	if after := w.versions(); after["bindingpolicies /selects"] != before["bindingpolicies /selects"] {
		t.Error("written without need")
	}
	w.patchErrors("asks", `["a template"]`)
	w.eventually("another client overwrote it", begin+w.wrongCount("web=2", "db=2")+"; a template", of("asks"))
	w.binding("asks", both[:1], w.entry(deployments, "web", one), w.entry(deployments, "db", m{}))
	w.eventually("nothing is wrong any more", begin+"a template", of("asks"))
	w.eventually("for no policy", "0 []: ", of("selects"))
	w.delete(bindings, "", "other")
	w.eventually("a Binding is gone", "0 []: ", of("other"))
}

// patchErrors puts errors into a policy's status, as others do.
func (w *testCluster) patchErrors(name, errs string) {
	w.Helper()
	if _, err := w.in(policies, "").Patch(w.Context(), name, types.MergePatchType, []byte(`{"status":{"errors":`+errs+`}}`), metav1.PatchOptions{}, "status"); err != nil {
		w.Fatal(err)
	}
}
