package manifests_test

import (
	"net/http"
	"strings"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"
)

// right is one that a request needs, and that a rule grants: the verb on a resource of a group, written
// group/resource, with a subresource behind another slash.
type right struct{ Verb, Resource string }

// requests notes the rights that requests to an API server need, and what was refused.
type requests struct {
	mu      sync.Mutex
	used    map[right]bool
	refused []string
}

// wrap has the requests of a client noted.
func (r *requests) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(req)
		if isQuestion(req) {
			return resp, err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if needed, ok := rightOf(req); ok {
			r.used[needed] = true
			if req.URL.Query().Get("sendInitialEvents") == "true" { // to a server that knows no such watches it would be a list
				r.used[right{"list", needed.Resource}] = true
			}
		}
		if err == nil && resp.StatusCode == http.StatusForbidden {
			r.refused = append(r.refused, req.Method+" "+req.URL.Path)
		}
		return resp, err
	})
}

// isQuestion reports whether a request asks if any object of a kind has a label that tells of a returned
// status. That is asked of all kinds, those included that the controller may not look at.
func isQuestion(req *http.Request) bool {
	q := req.URL.Query()
	return req.Method == http.MethodGet && q.Get("limit") == "1" && strings.HasPrefix(q.Get("labelSelector"), "managed-by.kubestellar.io/")
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// rightOf is what a request needs; none for questions about what there is, which everybody may ask.
func rightOf(req *http.Request) (right, bool) {
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	group := ""
	switch {
	case parts[0] == "api" && len(parts) > 2:
		parts = parts[2:]
	case parts[0] == "apis" && len(parts) > 3:
		group, parts = parts[1], parts[3:]
	default:
		return right{}, false
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		parts = parts[2:]
	}
	resource := group + "/" + parts[0]
	if len(parts) > 2 {
		resource += "/" + parts[2]
	}
	return right{verbOf(req, len(parts) > 1), resource}, true
}

func verbOf(req *http.Request, named bool) string {
	switch {
	case req.Method == http.MethodGet && named:
		return "get"
	case req.Method == http.MethodGet && req.URL.Query().Get("watch") != "":
		return "watch"
	}
	return map[string]string{
		http.MethodGet: "list", http.MethodPost: "create", http.MethodPut: "update", http.MethodPatch: "patch", http.MethodDelete: "delete",
	}[req.Method]
}

// granted are the rights that rules grant.
func granted(rules []rbacv1.PolicyRule) map[right]bool {
	out := map[right]bool{}
	for _, rule := range rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					out[right{verb, group + "/" + resource}] = true
				}
			}
		}
	}
	return out
}
