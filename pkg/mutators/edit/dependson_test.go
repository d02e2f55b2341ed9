package edit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestRewriteDependsOn(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"namespaced":     {"five parts", "apps/namespaces/shop/Deployment/web", "apps/namespaces/shop/Deployment/WEB"},
		"cluster-scoped": {"three parts", "rbac.authorization.k8s.io/ClusterRole/web", "rbac.authorization.k8s.io/ClusterRole/WEB"},
		"core":           {"the core group has no name", "/namespaces/shop/Secret/web", "/namespaces/shop/Secret/WEB"},
		"several":        {"separated by commas, blanks stay", "/Namespace/a, /Namespace/b ,/Namespace/c", "/Namespace/A, /Namespace/B ,/Namespace/C"},
		"name as kind":   {"only the name is replaced", "/a/a", "/a/A"},
		"garbage":        {"what is no object stays", "a,b/c,,apps/spaces/shop/Deployment/web,/namespaces//Secret/web, //a", "a,b/c,,apps/spaces/shop/Deployment/web,/namespaces//Secret/web, //a"},
		"empty":          {"nothing is nothing", "", ""},
	}
	for name, c := range cases {
		o := read(t, "metadata:\n  annotations:\n    config.kubernetes.io/depends-on: '"+c.in+"' # why\n")[0]
		RewriteDependsOn(o.Node(), func(id krm.ID) krm.ID {
			id.Name = strings.ToUpper(id.Name)
			return id
		})
		if d := cmp.Diff("metadata:\n  annotations:\n    config.kubernetes.io/depends-on: '"+c.want+"' # why\n", write(t, []*krm.Object{o})); d != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, c.reason, d)
		}
	}
}
