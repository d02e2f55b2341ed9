package manifests_test

import (
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// question is whether a user may do something. A resource is written group/resource/subresource, of
// which the last may be missing.
type question struct {
	reason, verb, resource, namespace, name string
	may                                     bool
}

// review asks the API server about a user.
func (w *installation) review(who string, ask map[string]question) {
	w.Helper()
	c, err := client.New(w.Admin(), client.Options{})
	if err != nil {
		w.Fatal(err)
	}
	for name, q := range ask {
		parts := strings.Split(q.resource+"//", "/")
		r := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: who, ResourceAttributes: &authorizationv1.ResourceAttributes{
				Verb: q.verb, Group: parts[0], Resource: parts[1], Subresource: parts[2], Namespace: q.namespace, Name: q.name,
			},
		}}
		if err := c.Create(w.Context(), r); err != nil {
			w.Fatal(err)
		}
		if r.Status.Allowed != q.may {
			w.Errorf("%s: %s: %s %s of %q in %q: want %v, got %v", name, q.reason, q.verb, q.resource, q.name, q.namespace, q.may, r.Status.Allowed)
		}
	}
}

const (
	controller = "system:serviceaccount:" + system + ":" + account
	porch      = "config.porch.kpt.dev"
	own        = "waybill.dev"
)

// forbidden is what the controller may do nowhere, wherever it works.
func forbidden(namespace string) map[string]question {
	return map[string]question{
		"secrets as a list":   {"who may list them needs no names", "list", "/secrets", namespace, "", false},
		"secrets as a watch":  {"nor a watch", "watch", "/secrets", "", "", false},
		"secrets changed":     {"it only reads them", "update", "/secrets", namespace, "", false},
		"context unasked":     {"what is injected is the user's to grant", "list", "/configmaps", namespace, "", false},
		"pods":                {"it runs no pods", "create", "/pods", namespace, "", false},
		"pods read":           {"and looks at none", "get", "/pods", system, "", false},
		"deployments":         {"nor at itself", "patch", "apps/deployments", system, account, false},
		"tokens":              {"nor does it make tokens", "create", "/serviceaccounts/token", system, account, false},
		"escalation":          {"it cannot give itself more", "escalate", "rbac.authorization.k8s.io/clusterroles", "", "", false},
		"binding":             {"in any way", "bind", "rbac.authorization.k8s.io/clusterroles", "", "", false},
		"role bindings":       {"not even where it works", "create", "rbac.authorization.k8s.io/rolebindings", namespace, "", false},
		"impersonation":       {"or impersonate a user", "impersonate", "/users", "", "admin", false},
		"repositories":        {"their spec is the user's", "update", porch + "/repositories", namespace, "", false},
		"sets":                {"so is that of sets", "patch", porch + "/packagevariantsets", namespace, "", false},
		"budgets":             {"a controller must not change its own limits", "patch", own + "/changebudgets", namespace, "", false},
		"deletion at a blow":  {"variants go one by one", "deletecollection", porch + "/packagevariants", namespace, "", false},
		"another's lease":     {"other controllers have theirs", "update", "coordination.k8s.io/leases", system, "other", false},
		"leases elsewhere":    {"it leads at home", "create", "coordination.k8s.io/leases", namespace, "", false},
		"definitions":         {"kinds are the administrator's", "patch", "apiextensions.k8s.io/customresourcedefinitions", "", "", false},
		"namespaces":          {"so are namespaces", "list", "/namespaces", "", "", false},
		"events are not read": {"it tells, and does not listen", "list", "events.k8s.io/events", namespace, "", false},
	}
}

// allowed is what it may do in a namespace.
func allowed(namespace, lease string, may bool) map[string]question {
	return map[string]question{
		"variants":  {"sets make them", "create", porch + "/packagevariants", namespace, "", may},
		"status":    {"their status is written", "patch", porch + "/packagevariants/status", namespace, "", may},
		"watch":     {"changes are seen", "watch", porch + "/repositories", namespace, "", may},
		"a secret":  {"a Repository names its Secret", "get", "/secrets", namespace, "login", may},
		"an event":  {"users see events", "create", "events.k8s.io/events", namespace, "", may},
		"budget":    {"budgets are held", "list", own + "/changebudgets", namespace, "", may},
		"its lease": {"one of several leads", "update", "coordination.k8s.io/leases", system, lease, true},
		"callers":   {"it asks who reads its metrics", "create", "authentication.k8s.io/tokenreviews", "", "", true},
	}
}

func TestAccess(t *testing.T) {
	w := everywhere(t)
	w.review(controller, forbidden(w.namespace))
	w.review(controller, allowed(w.namespace, "controller.waybill.dev", true))
}

func TestAccessOfPeople(t *testing.T) {
	w := everywhere(t)
	for _, role := range []string{"view", "edit", "admin"} {
		w.kubectl("", "create", "rolebinding", role, "-n", w.namespace, "--clusterrole=waybill-"+role, "--user="+role)
	}
	variants, budgets := porch+"/packagevariants", own+"/changebudgets"
	w.review("view", map[string]question{
		"look":  {"a user who may view sees the fleet", "list", variants, w.namespace, "", true},
		"touch": {"and changes nothing", "patch", variants, w.namespace, "", false},
	})
	w.review("edit", map[string]question{
		"variants": {"a user who may edit changes variants", "patch", variants, w.namespace, "", true},
		"budgets":  {"and not how much of it at once", "patch", budgets, w.namespace, "", false},
		"status":   {"nor what came of it", "patch", variants + "/status", w.namespace, "", false},
	})
	w.review("admin", map[string]question{
		"budgets": {"that is for administrators", "patch", budgets, w.namespace, "", true},
	})
}
