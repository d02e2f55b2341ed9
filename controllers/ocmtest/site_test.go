package ocmtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// site is what one test has for itself: a namespace of the shared cluster, also called so in the names of its works.
type site struct {
	*Member
	*GitOps
	namespace string
}

func newSite(t *testing.T) *site {
	t.Helper()
	t.Parallel()
	m := SharedMember(t)
	return &site{Member: m, GitOps: m.hub.GitOps(), namespace: m.Namespace(t)}
}

// object is a manifest in JSON. In spec, NS stands for the site's namespace, as in works.
func object(apiVersion, kind, name, spec string) string {
	return fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"namespace":"NS","name":%q,"labels":{"app":"x"}},%s}`, apiVersion, kind, name, spec)
}

func configMap(name, value string) string {
	return object("v1", "ConfigMap", name, fmt.Sprintf(`"data":{"key":%q}`, value))
}

// deployment has what spec says besides a selector and a template.
func deployment(image, spec string) string {
	return object("apps/v1", "Deployment", "web", `"spec":{`+spec+`"selector":{"matchLabels":{"app":"x"}},"template":{"metadata":{"labels":{"app":"x"}},
		"spec":{"containers":[{"name":"c","image":"`+image+`"}]}}}`)
}

// work is a ManifestWork of the manifests, with more fields of its spec.
func (s *site) work(t *testing.T, name, spec string, manifests ...string) *unstructured.Unstructured {
	t.Helper()
	if spec != "" {
		spec = "," + spec
	}
	text := fmt.Sprintf(`{"apiVersion":"work.open-cluster-management.io/v1","kind":"ManifestWork","metadata":{"namespace":%q,"name":"NS-%s"},
		"spec":{"workload":{"manifests":[%s]}%s}}`, s.Name, name, strings.Join(manifests, ","), spec)
	w := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(text, "NS", s.namespace)), w); err != nil {
		t.Fatal(err)
	}
	return w
}

// config is the entry in manifestConfigs that gives objects of a resource a strategy.
func config(group, resource, name, strategy string) string {
	return fmt.Sprintf(`{"resourceIdentifier":{"group":%q,"resource":%q,"namespace":"*","name":%q},"updateStrategy":%s}`, group, resource, name, strategy)
}

const (
	update      = `{"type":"Update"}`
	apply       = `{"type":"ServerSideApply"}`
	applyForced = `{"type":"ServerSideApply","serverSideApply":{"force":true}}`
	createOnly  = `{"type":"CreateOnly"}`
	readOnly    = `{"type":"ReadOnly"}`
)

// every gives all objects of the kinds that these tests use a strategy.
func every(strategy string) string {
	var configs []string
	for _, r := range []string{"/configmaps", "apps/deployments", "batch/jobs", "/persistentvolumeclaims", "storage.k8s.io/storageclasses"} {
		group, resource, _ := strings.Cut(r, "/")
		configs = append(configs, config(group, resource, "*", strategy))
	}
	return `"manifestConfigs":[` + strings.Join(configs, ",") + `]`
}

// orphaning is a deleteOption that lets go of the ConfigMap of that name.
func orphaning(name string) string {
	return fmt.Sprintf(`"deleteOption":{"propagationPolicy":"SelectivelyOrphan","selectivelyOrphans":{"orphaningRules":[
		{"group":"","resource":"configmaps","namespace":"NS","name":%q}]}}`, name)
}

const orphan = `"deleteOption":{"propagationPolicy":"Orphan"}`

// get is an object of the site's namespace, nil if it is not there.
func (s *site) get(t *testing.T, apiVersion, kind, name string) *unstructured.Unstructured {
	t.Helper()
	return s.Get(t, apiVersion, kind, s.namespace, name)
}

// settle pushes works, waits for the agent and wants nothing to fail.
func (s *site) settle(t *testing.T, works ...*unstructured.Unstructured) {
	t.Helper()
	s.Push(t, works...)
	if failures := s.Settle(t); len(failures) > 0 {
		t.Fatalf("want all applied, got %s", strings.Join(failures, "\n"))
	}
}
